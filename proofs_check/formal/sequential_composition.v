(* Sequential composition of independent releases (Haney et al. 2017, Theorems 2.1 and 7.3). Two mechanisms
   with random coins of their own, private at epsilon1 and epsilon2, are together private at
   epsilon1 + epsilon2: for every neighbor relation, strong and weak neighbors of establishments among them. *)
From Coq Require Reals.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
From Establish Require Import adaptive_composition.
From Establish Require datasets.

Section Independent.
Variables (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2).

Lemma law_is_finite (Q : {measure set T2 -> \bar Re}) : Q setT = 1 -> sigma_finite setT Q.
Proof.
move=> one; exists (fun _ => setT); first by rewrite bigcup_const //; exists O.
by move=> _; split=> //; rewrite one ltey.
Qed.

Lemma constant_kernel (Q : {measure set T2 -> \bar Re}) : Q setT = 1 -> @kernel _ _ T1 T2 (fun _ => Q).
Proof.
move=> one E mE.
have := @measurable_fun_xsection _ _ T1 T2 Re Q (law_is_finite Q one) E.
by rewrite inE => /(_ mE).
Qed.

(* Both outputs, drawn independently. *)
Definition independently (P : {measure set T1 -> \bar Re}) (Q : {measure set T2 -> \bar Re}) :=
  both P (fun _ => Q).

Theorem independent_composition (dataset : Type) (neighbors : dataset -> dataset -> Prop)
    (epsilon1 epsilon2 : R) (M1 : mechanism dataset T1) (M2 : mechanism dataset T2) :
  has_laws M2 -> private_law neighbors epsilon1 M1 -> private_law neighbors epsilon2 M2 ->
  forall D D', neighbors D D' -> forall E : set (T1 * T2), measurable E ->
  independently (M1 D) (M2 D) E <=
  factor (Rdefinitions.Rplus epsilon1 epsilon2) * independently (M1 D') (M2 D') E.
Proof.
move=> law p1 p2 D D' near E mE.
apply: (@adaptive_composition _ _ _ _ _ neighbors _ _ M1 (fun D _ => M2 D)) => //.
by move=> D0; exact: constant_kernel.
Qed.

Theorem for_establishments (A V : Type) (alpha epsilon1 epsilon2 : R)
    (M1 : mechanism (datasets.dataset A V) T1) (M2 : mechanism (datasets.dataset A V) T2) :
  has_laws M2 ->
  let together := fun neighbors : datasets.dataset A V -> datasets.dataset A V -> Prop =>
    private_law neighbors epsilon1 M1 -> private_law neighbors epsilon2 M2 ->
    forall D D', neighbors D D' -> forall E : set (T1 * T2), measurable E ->
    independently (M1 D) (M2 D) E <=
    factor (Rdefinitions.Rplus epsilon1 epsilon2) * independently (M1 D') (M2 D') E in
  together (datasets.strong_neighbors alpha) /\ together (datasets.weak_neighbors alpha).
Proof. by move=> law together; split; exact: independent_composition. Qed.
End Independent.
