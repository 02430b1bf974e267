(* Parallel composition over establishments (Haney et al. 2017, Theorem 7.4). A mechanism on the establishments
   with one public property and another one on those with a second property that excludes the first, each
   (alpha, epsilon)-ER-EE private, are together (alpha, epsilon)-ER-EE private: for strong and for weak neighbors.
   Other establishments may be in neither part. *)
From Coq Require Reals List.
From Establish Require Import common datasets.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
From Establish Require Import adaptive_composition sequential_composition.

Section Parallel.
Variables (A V : Type).
Local Notation data := (dataset A V).
Local Notation change := (establishment A V -> establishment A V -> Prop).

(* The establishments of a dataset whose public attributes are in [p]. *)
Definition those (p : A -> bool) (D : data) : data := List.filter (fun e => p (public e)) D.
(* No establishment is in both parts. *)
Definition disjoint (p1 p2 : A -> bool) : Prop := forall a, p1 a -> p2 a -> False.

Lemma change_in_or_out (c : change) (p : A -> bool) D D' :
  (forall e e', c e e' -> public e = public e') -> either_way A V c D D' ->
  (those p D = those p D' \/ either_way A V c (those p D) (those p D')).
Proof.
have one (E E' : data) : (forall e e', c e e' -> public e = public e') -> one_changes A V c E E' ->
    those p E = those p E' \/ one_changes A V c (those p E) (those p E').
  move=> same [b [e [e' [a [-> [-> h]]]]]].
  rewrite /those !List.filter_app /= -(same _ _ h); case: (p (public e)); [right|by left].
  by exists (those p b), e, e', (those p a).
move=> same [h|h]; case: (one _ _ same h) => k.
- by left.
- by right; left.
- by left.
- by right; right.
Qed.

Lemma change_in_one_only (c : change) (p1 p2 : A -> bool) D D' : disjoint p1 p2 ->
  (forall e e', c e e' -> public e = public e') -> either_way A V c D D' ->
  those p1 D = those p1 D' \/ those p2 D = those p2 D'.
Proof.
have out (p : A -> bool) (e e' : establishment A V) (b a : data) : public e = public e' -> ~~ p (public e) ->
    those p (b ++ e :: a)%list = those p (b ++ e' :: a)%list.
  by move=> same /negbTE no; rewrite /those !List.filter_app /= -same no.
have one (E E' : data) : disjoint p1 p2 -> (forall e e', c e e' -> public e = public e') ->
    one_changes A V c E E' -> those p1 E = those p1 E' \/ those p2 E = those p2 E'.
  move=> apart same [b [e [e' [a [-> [-> h]]]]]]; have pub := same _ _ h.
  case p1e: (p1 (public e)); [right|left]; apply: out => //; last by rewrite p1e.
  by apply/negP => p2e; exact: (apart (public e)).
by move=> apart same [h|h]; case: (one _ _ apart same h) => ->; [left|right|left|right].
Qed.

Variables (p1 p2 : A -> bool) (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2).
Variables (M1 : mechanism data T1) (M2 : mechanism data T2) (epsilon : R).
(* Both outputs: M1 reads one part of the establishments only, M2 the other. *)
Definition in_parallel (D : data) : set (T1 * T2) -> \bar Re :=
  independently (M1 (those p1 D)) (M2 (those p2 D)).

Lemma restricted (c : change) d (T : measurableType d) (M : mechanism data T) (p : A -> bool) :
  Rdefinitions.Rle (Rdefinitions.IZR BinNums.Z0) epsilon ->
  (forall e e', c e e' -> public e = public e') ->
  private_law (either_way A V c) epsilon M ->
  private_law (either_way A V c) epsilon (fun D => M (those p D)).
Proof.
move=> e0 same priv D D' near E mE; case: (change_in_or_out p same near) => [->|h]; last exact: priv.
rewrite -[X in X <= _]mul1e -{1}factor_zero; apply: lee_wpmul2r; first exact: measure_ge0.
by rewrite lee_fin; apply/RleP; exact: exp_le.
Qed.

Lemma parallel (c : change) : disjoint p1 p2 ->
  (forall e e', c e e' -> public e = public e') -> has_laws M2 ->
  private_law (either_way A V c) epsilon (fun D => M1 (those p1 D)) ->
  private_law (either_way A V c) epsilon (fun D => M2 (those p2 D)) ->
  forall D D', either_way A V c D D' -> forall E : set (T1 * T2), measurable E ->
  in_parallel D E <= factor epsilon * in_parallel D' E.
Proof.
move=> apart same law priv1 priv2 D D' near E mE; rewrite /in_parallel.
have [eq|eq] := change_in_one_only apart same near.
- rewrite eq /independently /both; have k (D0 : data) := @constant_kernel _ _ T1 T2 (M2 D0) (law D0) E mE.
  rewrite -ge0_integralM //; last exact: factor_nonneg.
  apply: ge0_le_integral => //.
  + by move=> t _; rewrite mule_ge0 // factor_nonneg.
  + by apply: measurable_funeM; exact: (k (those p2 D')).
  + by move=> t _; apply: priv2 => //; exact: (measurable_xsection Re).
- rewrite eq; apply: integral_at_most_factor => //; first by move=> F mF; exact: (priv1 D D').
  exact: (@constant_kernel _ _ T1 T2 _ (law _) E mE).
Qed.
End Parallel.

Theorem over_establishments (A V : Type) (p1 p2 : A -> bool) (alpha epsilon : R)
    (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2)
    (M1 : mechanism (dataset A V) T1) (M2 : mechanism (dataset A V) T2) :
  disjoint p1 p2 -> has_laws M2 ->
  let together := fun neighbors : dataset A V -> dataset A V -> Prop =>
    private_law neighbors epsilon (fun D => M1 (those p1 D)) ->
    private_law neighbors epsilon (fun D => M2 (those p2 D)) ->
    forall D D', neighbors D D' -> forall E : set (T1 * T2), measurable E ->
    in_parallel p1 p2 M1 M2 D E <= factor epsilon * in_parallel p1 p2 M1 M2 D' E in
  together (strong_neighbors alpha) /\ together (weak_neighbors alpha).
Proof.
move=> apart law together; split=> priv1 priv2 D D' near E mE.
- by apply: (@parallel A V p1 p2 _ _ _ _ M1 M2 epsilon (grows_strongly A V alpha)) => // e e' [] [].
- by apply: (@parallel A V p1 p2 _ _ _ _ M1 M2 epsilon (grows_weakly A V alpha)) => // e e' [] [].
Qed.

(* What is private as a release of all data is so as a release of one part of them. *)
Theorem on_a_part (A V : Type) (p : A -> bool) (alpha epsilon : R) d (T : measurableType d)
    (M : mechanism (dataset A V) T) : Rdefinitions.Rle (Rdefinitions.IZR BinNums.Z0) epsilon ->
  let restricts := fun neighbors : dataset A V -> dataset A V -> Prop =>
    private_law neighbors epsilon M -> private_law neighbors epsilon (fun D => M (those p D)) in
  restricts (strong_neighbors alpha) /\ restricts (weak_neighbors alpha).
Proof.
move=> e0 restricts; split=> priv.
- by apply: (@restricted A V epsilon (grows_strongly A V alpha)) => // e e' [] [].
- by apply: (@restricted A V epsilon (grows_weakly A V alpha)) => // e e' [] [].
Qed.
