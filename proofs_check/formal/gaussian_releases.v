(* Definitions of Webb et al. 2025 at work: later releases that use earlier outputs (Theorem 5.7 and Section 3), what
   is done with an output afterwards, and datasets that differ in several records (Lemma 3.2). *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common normal_law normal_measure gaussian_real.
From Establish Require Import chains.
Import ListNotations.
Local Open Scope R_scope.

(* The budgets mu_1, mu_2, ... in all: the root of the sum of their squares. *)
Definition squares (mus : list R) : R := fold_right (fun mu s => mu ^ 2 + s) 0 mus.

Lemma squares_nonneg mus : 0 <= squares mus.
Proof. induction mus as [|mu mus IH]; simpl; [lra|pose proof (pow2_ge_0 mu); simpl in *; lra]. Qed.

Lemma what_is_left a mu : 0 <= mu -> 0 <= mu ^ 2 - a ^ 2 -> gaussian_composed a (sqrt (mu ^ 2 - a ^ 2)) = mu.
Proof.
  intros m0 h; unfold gaussian_composed; rewrite Rplus_0_l, pow2_sqrt by exact h.
  replace (a ^ 2 + (mu ^ 2 - a ^ 2)) with (mu ^ 2) by ring; apply sqrt_pow2, m0.
Qed.
Lemma one_budget a mu : 0 <= a -> 0 <= mu -> squares [a] <= mu ^ 2 -> a <= mu.
Proof. unfold squares; simpl; intros; apply Rnot_lt_le; intros k; nra. Qed.
Lemma left_for_later a mu rest : squares (a :: rest) <= mu ^ 2 ->
  0 <= mu ^ 2 - a ^ 2 /\ squares rest <= sqrt (mu ^ 2 - a ^ 2) ^ 2.
Proof.
  intros h; change (a ^ 2 + squares rest <= mu ^ 2) in h; pose proof (squares_nonneg rest).
  split; [lra|rewrite pow2_sqrt; lra].
Qed.
Lemma composed_with_nothing a : 0 <= a -> gaussian_composed a 0 = a.
Proof. intros h; unfold gaussian_composed; rewrite Rplus_0_l, pow_i, Rplus_0_r by auto; apply sqrt_pow2, h. Qed.

(* Two lists of records, of which k differ in their values at most. *)
Inductive differ (record : Type) : nat -> list record -> list record -> Prop :=
  | no_record : differ record 0 [] []
  | same_record x k l l' : differ record k l l' -> differ record k (x :: l) (x :: l')
  | other_record x y k l l' : differ record k l l' -> differ record (S k) (x :: l) (y :: l').

(* One record has another value. *)
Definition value_neighbors (record : Type) (l l' : list record) : Prop :=
  exists before x y after, l = before ++ x :: after /\ l' = before ++ y :: after.

Lemma in_steps (record : Type) k (l l' : list record) : differ record k l l' -> chain (value_neighbors record) k l l'.
Proof.
  assert (after_x : forall x k l l', chain (value_neighbors record) k l l' -> chain (value_neighbors record) k (x :: l) (x :: l')).
  { intros x j m m'; induction 1 as [m|j m m1 m' near _ IH]; [constructor|].
    apply step with (x :: m1); [|exact IH].
    destruct near as (b & u & v & a & -> & ->); exists (x :: b), u, v, a; split; reflexivity. }
  induction 1 as [|x k l l' _ IH|x y k l l' _ IH]; [constructor|apply after_x, IH|].
  apply step with (y :: l); [exists [], x, y, l; split; reflexivity|apply after_x, IH].
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From HB Require Import structures.
From Establish Require Import bridge measures adaptive_composition post_processing gaussian_close gaussian_composition.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).

Local Notation kernel := (@adaptive_composition.kernel _ _ _ _).

(* The law of two outputs, of which the second may use the first, as a measure. *)
Section InTurn.
Variables (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2).
Variables (P : {measure set T1 -> \bar Re}) (K : T1 -> {measure set T2 -> \bar Re}) (k : kernel K).

Definition in_turn (measurable_choice : kernel K) (E : set (T1 * T2)) : \bar Re := both P K E.
Let law := in_turn k.

Let nothing : law set0 = 0.
Proof.
rewrite /law /in_turn /both (eq_integral (cst 0)) ?integral0 //= => t _.
by rewrite xsection0 measure0.
Qed.
Let nonneg E : 0 <= law E.
Proof. by apply: integral_ge0 => t _; exact: measure_ge0. Qed.
Let sigma : semi_sigma_additive law.
Proof.
move=> F mF tF mUF; have -> : law (\bigcup_n F n) = \sum_(n <oo) law (F n).
  transitivity (\int[P]_t \sum_(n <oo) K t (xsection (F n) t)).
    apply: eq_integral => t _; apply/esym/cvg_lim => //=.
    rewrite xsection_bigcup; apply: (measure_sigma_additive _ (trivIset_xsection tF)).
    by move=> n; exact: (measurable_xsection Re).
  by rewrite integral_nneseries // => n; exact: k.
by apply: is_cvg_nneseries => n _; exact: nonneg.
Qed.
HB.instance Definition _ := isMeasure.Build _ _ _ (in_turn k) nothing nonneg sigma.

Lemma in_turn_mass : P setT = 1 -> (forall t, K t setT = 1) -> in_turn k setT = 1.
Proof.
move=> P1 K1; rewrite /in_turn /both -P1 -[RHS]mul1e -(integral_cst P measurableT 1).
apply: eq_integral => t _; rewrite -(K1 t); congr (K t _).
by apply/seteqP; split=> // u _; rewrite /xsection /= inE.
Qed.
End InTurn.
Arguments in_turn {d1 d2 T1 T2} P {K} measurable_choice E.

Section Releases.
Variables (dataset : Type) (neighbors : dataset -> dataset -> Prop).

(* Releases one after another. Each later mechanism may depend on all earlier outputs, and so may its budget; the list
   holds the budgets that were spent when the outputs are what they are. Every mechanism satisfies its own budget
   whatever it was told. *)
Inductive released : forall d (T : measurableType d), mechanism dataset T -> (T -> list R) -> Prop :=
  | one_release d (T : measurableType d) (M : mechanism dataset T) (mu : R) :
      Rle zero mu -> has_laws M -> gaussian_private neighbors mu M -> released M (fun _ => [mu])
  | another_release d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (M : mechanism dataset T1) (mu : R)
      (K : dataset -> T1 -> {measure set T2 -> \bar Re}) (k : forall D, kernel (K D)) (spent : T1 -> T2 -> list R) :
      Rle zero mu -> has_laws M -> gaussian_private neighbors mu M ->
      (forall t, released (fun D => K D t) (spent t)) ->
      released (fun D => [the measure _ _ of in_turn (M D) (k D)]) (fun o => mu :: spent o.1 o.2).

Lemma released_has_laws d (T : measurableType d) (M : mechanism dataset T) spent : released M spent -> has_laws M.
Proof.
elim=> {d T M spent} [d T M a _ law _|d1 d2 T1 T2 M a K k spent _ law _ _ IH] D; first exact: law.
by apply: in_turn_mass; [exact: law|move=> t; exact: (IH t D)].
Qed.

(* If the squares of the budgets add up to mu^2 at most in all possible situations, all outputs together satisfy mu. *)
Theorem adaptive_releases d (T : measurableType d) (M : mechanism dataset T) (spent : T -> list R) :
  released M spent ->
  forall mu, Rle zero mu -> (forall outputs, Rle (squares (spent outputs)) (Rpow_def.pow mu 2)) ->
  gaussian_private neighbors mu M.
Proof.
elim=> {d T M spent} [d T M a a0 law close|d1 d2 T1 T2 M a K k spent a0 law close later IH] mu mu0 all D D' near.
- by apply: close_monotone (close D D' near); exact: (one_budget _ _ a0 mu0 (all point)).
- have [left_over rest] : Rle zero (Rdefinitions.Rminus (Rpow_def.pow mu 2) (Rpow_def.pow a 2)) /\
      forall t u, Rle (squares (spent t u)) (Rpow_def.pow (R_sqrt.sqrt (Rdefinitions.Rminus (Rpow_def.pow mu 2) (Rpow_def.pow a 2))) 2).
    by split; [exact: (left_for_later _ _ _ (all point)).1|move=> t u; exact: (left_for_later _ _ _ (all (t, u))).2].
  set b := R_sqrt.sqrt _ in rest.
  have b0 : Rle zero b by exact: R_sqrt.sqrt_pos.
  have law_of D0 t : K D0 t setT = 1 by exact: (released_has_laws (later t)).
  have bounds D0 t E : measurable E -> 0 <= K D0 t E /\ K D0 t E <= 1.
    by move=> mE; split; [exact: measure_ge0|rewrite -(law_of D0 t); apply: le_measure; rewrite ?inE].
  move=> E mE z first; rewrite -(what_is_left _ _ mu0 left_over) -/b.
  have sections t : measurable (xsection E t) by exact: (measurable_xsection Re).
  apply: (@tests_compose _ _ (M D) (M D') (fun t => K D t (xsection E t)) (fun t => K D' t (xsection E t)) a b
    (law D) (law D') (k D E mE) (k D' E mE) (fun t => bounds D t _ (sections t)) (fun t => bounds D' t _ (sections t))
    a0 (close D D' near) _ z first).
  by move=> t y; exact: (IH t b b0 (rest t) D D' near).
Qed.

(* Budgets that are fixed beforehand. *)
Corollary fixed_budgets d (T : measurableType d) (M : mechanism dataset T) (mus : list R) spent :
  released M spent -> (forall outputs, spent outputs = mus) ->
  gaussian_private neighbors (R_sqrt.sqrt (squares mus)) M.
Proof.
move=> rel same; apply: (adaptive_releases rel); first exact: R_sqrt.sqrt_pos.
by move=> o; rewrite same pow2_sqrt; [exact: RIneq.Rle_refl|exact: squares_nonneg].
Qed.

(* Post-processing by a randomized function of the output, or by a function. *)
Theorem gaussian_post_processing d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (M : mechanism dataset T1) (mu : R) :
  Rle zero mu -> has_laws M -> gaussian_private neighbors mu M ->
  (forall K : T1 -> {measure set T2 -> \bar Re}, (forall t, K t setT = 1) -> @randomized _ _ T1 T2 K ->
    gaussian_private neighbors mu (fun D => processed (M D) K)) /\
  (forall h : T1 -> T2, measurable_fun setT h -> gaussian_private neighbors mu (fun D (E : set T2) => M D (h @^-1` E))).
Proof.
move=> mu0 law close; split.
- move=> K K1 rK D D' near E mE z first; rewrite -(composed_with_nothing _ mu0).
  have bounds t : 0 <= K t E /\ K t E <= 1.
    by split; [exact: measure_ge0|rewrite -(K1 t); apply: le_measure; rewrite ?inE].
  apply: (@tests_compose _ _ (M D) (M D') (fun t => K t E) (fun t => K t E) mu zero
    (law D) (law D') (rK E mE) (rK E mE) bounds bounds mu0 (close D D' near) _ z first).
  by move=> t y; rewrite raised_is RIneq.Rplus_0_r.
- by move=> h mh D D' near E mE z; apply: close => //; rewrite -[X in measurable X]setTI; exact: mh.
Qed.

(* Chains of neighbors: a trade-off function is applied once for every step, and mu is added. *)
Theorem iterated (f : R -> R) d (T : measurableType d) (M : mechanism dataset T) :
  has_laws M -> (forall x y, Rle x y -> Rle (f x) (f y)) ->
  (forall D D', neighbors D D' -> forall E, measurable E -> Rle (fine (M D' E)) (f (fine (M D E)))) ->
  forall k D D', chain neighbors k D D' -> forall E, measurable E ->
  Rle (fine (M D' E)) (Nat.iter k f (fine (M D E))).
Proof.
move=> law rises close k D D'; elim=> {k D D'} [D|k D D1 D' near _ IH] E mE; first exact: RIneq.Rle_refl.
have turn j x : Nat.iter j.+1 f x = Nat.iter j f (f x) by elim: j => //= j ->.
apply: (RIneq.Rle_trans _ _ _ (IH E mE)); rewrite turn.
have up j x y : Rle x y -> Rle (Nat.iter j f x) (Nat.iter j f y) by move=> xy; elim: j => //= j; exact: rises.
by apply: up; exact: close.
Qed.

Theorem mu_is_added (mu : R) d (T : measurableType d) (M : mechanism dataset T) : gaussian_private neighbors mu M ->
  forall k D D', chain neighbors k D D' -> gaussian_close (Rdefinitions.Rmult (Raxioms.INR k) mu) (M D) (M D').
Proof.
move=> close k D D'; elim=> {k D D'} [D|k D D1 D' near _ IH] E mE z first.
- by move: first; rewrite raised_is /= RIneq.Rmult_0_l RIneq.Rplus_0_r.
- have step : M D1 E <= rate (Rdefinitions.Rplus z mu) by exact: (close D D1 near).
  have := IH E mE _ step; rewrite !raised_is RIneq.S_INR.
  by congr (_ <= (normal_cdf _)%:E); Lra.lra.
Qed.
End Releases.

(* Datasets that differ in k records, which Lemma 3.2 is about. *)
Theorem k_records (record : Type) d (T : measurableType d) (M : mechanism (list record) T) :
  has_laws M ->
  (forall f : R -> R, (forall x y, Rle x y -> Rle (f x) (f y)) ->
    (forall D D', value_neighbors record D D' -> forall E, measurable E -> Rle (fine (M D' E)) (f (fine (M D E)))) ->
    forall k D D', differ record k D D' -> forall E, measurable E ->
    Rle (fine (M D' E)) (Nat.iter k f (fine (M D E)))) /\
  (forall mu, gaussian_private (value_neighbors record) mu M ->
    forall k D D', differ record k D D' -> gaussian_close (Rdefinitions.Rmult (Raxioms.INR k) mu) (M D) (M D')).
Proof.
move=> law; split.
- by move=> f rises close k D D' /in_steps c; exact: (@iterated _ _ f _ _ M law rises close k D D' c).
- by move=> mu close k D D' /in_steps c; exact: (@mu_is_added _ _ mu _ _ M close k D D' c).
Qed.
