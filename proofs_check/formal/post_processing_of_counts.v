(* Post-processing of protected counts. A release of integer counts that is private at epsilon, for any neighbor
   relation, stays so when the counts are clamped, or their cumulative counts are replaced by the monotone fit, and
   percentiles are read off: for every set of readings. So does whatever else is computed from the counts, or drawn
   by a randomized function of them that looks at nothing else. *)
From Coq Require Reals ZArith QArith.
From HB Require Import structures.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype choice order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology measure lebesgue_measure lebesgue_integral.
From Establish Require Import measures post_processing percentiles.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.

(* Lists of integers, with every set of them as an event. *)
Definition outputs : Type := counts.
Canonical outputs_eqType := EqType outputs gen_eqMixin.
Canonical outputs_choiceType := ChoiceType outputs gen_choiceMixin.
Canonical outputs_pointedType := PointedType outputs (@nil BinNums.Z).
Definition every_set : set (set outputs) := [set: set outputs].
Lemma every_set0 : every_set set0. Proof. by []. Qed.
Lemma every_setC X : every_set X -> every_set (~` X). Proof. by []. Qed.
Lemma every_setU (F : nat -> set outputs) : (forall i, every_set (F i)) -> every_set (\bigcup_i F i).
Proof. by []. Qed.
HB.instance Definition _ := @isMeasurable.Build default_measure_display outputs
  (Pointed.class _) every_set every_set0 every_setC every_setU.

Theorem functions_of_counts_cost_nothing (dataset : Type) (neighbors : dataset -> dataset -> Prop)
    (epsilon : R) (M : mechanism dataset [the measurableType _ of outputs]) :
  private_law neighbors epsilon M ->
  let costs_nothing := fun (X : Type) (f : counts -> X) =>
    forall D D', neighbors D D' -> forall E : set X,
    M D (f @^-1` E) <= factor epsilon * M D' (f @^-1` E) in
  (forall edges share, costs_nothing _ (clamped_percentile edges share)) /\
  (forall edges share, costs_nothing _ (fitted_percentile edges share)) /\
  (forall (X : Type) (f : counts -> X), costs_nothing X f) /\
  (forall d (T : measurableType d) (K : outputs -> {measure set T -> \bar Re}),
    forall D D', neighbors D D' -> forall E, measurable E ->
    processed (M D) K E <= factor epsilon * processed (M D') K E).
Proof.
move=> priv costs_nothing.
have every (X : Type) (f : counts -> X) : costs_nothing X f by move=> D D' near E; exact: priv.
split; [|split; [|split]] => //; try by move=> edges share; exact: every.
move=> d T K; have [kernels _] := post_processing K (fun=> point) priv.
by apply: kernels => E mE _ B _.
Qed.
