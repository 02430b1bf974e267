(* Parallel composition over establishments (Haney et al. 2017, Theorem 7.4). A mechanism on the
   establishments with a public property and another one on those without it, each (alpha, epsilon)-ER-EE
   private, are together (alpha, epsilon)-ER-EE private: for strong and for weak neighbors. *)
From Coq Require Reals List.
From Establish Require Import datasets.
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
Variables (A V : Type) (part : A -> bool).
Local Notation data := (dataset A V).
Local Notation change := (establishment A V -> establishment A V -> Prop).

(* The establishments of a dataset whose public attributes are in [p]. *)
Definition those (p : A -> bool) (D : data) : data := List.filter (fun e => p (public e)) D.
Definition others (a : A) : bool := ~~ part a.

Lemma change_in_one_only (c : change) D D' :
  (forall e e', c e e' -> public e = public e') -> one_changes A V c D D' ->
  (those part D = those part D' /\ one_changes A V c (those others D) (those others D')) \/
  (those others D = those others D' /\ one_changes A V c (those part D) (those part D')).
Proof.
move=> same [b [e [e' [a [-> [-> h]]]]]].
rewrite /those !List.filter_app /= -(same _ _ h) /others.
case: (part (public e)); [right|left]; split=> //.
- by exists (those part b), e, e', (those part a).
- by exists (those others b), e, e', (those others a).
Qed.

Lemma either_in_one_only (c : change) D D' :
  (forall e e', c e e' -> public e = public e') -> either_way A V c D D' ->
  (those part D = those part D' /\ either_way A V c (those others D) (those others D')) \/
  (those others D = those others D' /\ either_way A V c (those part D) (those part D')).
Proof.
move=> same [h|h]; case: (change_in_one_only same h) => -[eq near].
- by left; split=> //; left.
- by right; split=> //; left.
- by left; split=> //; right.
- by right; split=> //; right.
Qed.

Variables (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2).
Variables (M1 : mechanism data T1) (M2 : mechanism data T2) (epsilon : R).
(* Both outputs: M1 reads one part of the establishments only, M2 the other. *)
Definition in_parallel (D : data) : set (T1 * T2) -> \bar Re :=
  independently (M1 (those part D)) (M2 (those others D)).

Lemma parallel (c : change) :
  (forall e e', c e e' -> public e = public e') -> has_laws M2 ->
  private_law (either_way A V c) epsilon M1 -> private_law (either_way A V c) epsilon M2 ->
  forall D D', either_way A V c D D' -> forall E : set (T1 * T2), measurable E ->
  in_parallel D E <= factor epsilon * in_parallel D' E.
Proof.
move=> same law p1 p2 D D' near E mE; rewrite /in_parallel.
have [[eq near']|[eq near']] := either_in_one_only same near.
- rewrite eq /independently /both; have k (D0 : data) := @constant_kernel _ _ T1 T2 (M2 D0) (law D0) E mE.
  rewrite -ge0_integralM //; last exact: factor_nonneg.
  apply: ge0_le_integral => //.
  + by move=> t _; rewrite mule_ge0 // factor_nonneg.
  + by apply: measurable_funeM; exact: (k (those others D')).
  + by move=> t _; apply: p2 => //; exact: (measurable_xsection Re).
- rewrite eq; apply: integral_at_most_factor => //; first by move=> F mF; exact: p1.
  exact: (@constant_kernel _ _ T1 T2 _ (law _) E mE).
Qed.
End Parallel.

Theorem over_establishments (A V : Type) (part : A -> bool) (alpha epsilon : R)
    (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2)
    (M1 : mechanism (dataset A V) T1) (M2 : mechanism (dataset A V) T2) :
  has_laws M2 ->
  let together := fun neighbors : dataset A V -> dataset A V -> Prop =>
    private_law neighbors epsilon M1 -> private_law neighbors epsilon M2 ->
    forall D D', neighbors D D' -> forall E : set (T1 * T2), measurable E ->
    in_parallel part M1 M2 D E <= factor epsilon * in_parallel part M1 M2 D' E in
  together (strong_neighbors alpha) /\ together (weak_neighbors alpha).
Proof.
move=> law together; split=> p1 p2 D D' near E mE.
- by apply: (@parallel A V part _ _ _ _ M1 M2 epsilon (grows_strongly A V alpha)) => // e e' [] [].
- by apply: (@parallel A V part _ _ _ _ M1 M2 epsilon (grows_weakly A V alpha)) => // e e' [] [].
Qed.
