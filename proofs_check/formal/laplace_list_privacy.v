(* Laplace noise of scale Delta/epsilon in every coordinate of an answer (Haney et al. 2017, Definition 2.4 with its
   scale): it is epsilon-private where neighbors' answers differ by at most Delta in the L1 norm, for every number of
   coordinates; and one answer that differs by Delta needs that scale. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common comparisons bridge pieces laplace_loss measures means_of_laws.
Import ListNotations.
Open Scope R_scope.

Lemma one_coordinate (scale Delta epsilon x y o : R) : 0 < scale -> 0 < Delta -> Delta / scale = epsilon ->
  laplace_log_density o x scale - laplace_log_density o y scale <= epsilon * Rabs (x - y) / Delta.
Proof.
  intros s0 d0 <-; apply Rle_trans with (1 := centers_apart o x y scale s0); right; field; lra.
Qed.

Lemma loss_is Delta epsilon : 0 < Delta -> 0 < epsilon -> Delta / laplace_noise_scale Delta epsilon = epsilon.
Proof. intros; unfold laplace_noise_scale; field; lra. Qed.

(* Two datasets whose answers to one query differ by Delta. *)
Definition differ_by (Delta : R) (D D' : R) : Prop := (D = 0 /\ D' = Delta) \/ (D = Delta /\ D' = 0).

Theorem scale_is_least (Delta scale loss : R) : 0 < Delta -> 0 < scale ->
  (private (differ_by Delta) m_infty loss (fun D o => exp (laplace_log_density o D scale)) <-> Delta / scale <= loss).
Proof.
  intros d0 s0; split.
  - intros priv; replace Delta with (Delta - 0) at 1 by ring.
    apply (laplace_least R (differ_by Delta) (fun D => D) scale loss 0 Delta); [exact s0|right; split; reflexivity|lra|exact priv].
  - intros le; apply (laplace_private R (differ_by Delta) (fun D => D) Delta scale loss s0 le).
    intros D D' [[-> ->]|[-> ->]]; apply abs_at_most; lra.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import lebesgue_measure lebesgue_integral.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).

Section List.
Variables (coordinate : Type) (coordinates : list coordinate) (d : measure_display) (T : measurableType d).
(* Outputs and their coordinates, and the measure by which densities are taken, such as Lebesgue's. *)
Variables (read : T -> coordinate -> R) (mu : {measure set T -> \bar Re}).
Variable measurable_coordinates : forall i, measurable_fun setT (fun t => read t i : Re).

Definition laplace_list_density (scale : R) (x : coordinate -> R) (o : T) : R :=
  Rtrigo_def.exp (added coordinates (fun i => laplace_log_density (read o i) (x i) scale)).

Lemma log_density_continuous (n scale o : R) : Ranalysis1.continuity_pt (fun o => laplace_log_density o n scale) o.
Proof.
apply/continuous_to_continuity; rewrite /laplace_log_density.
apply: (continuous_minus (V := R_NormedModule)); last exact: continuous_const.
apply: (continuous_mult (K := R_AbsRing)); last exact: continuous_const.
apply: (continuous_opp (V := R_NormedModule)); apply: abs_continuous.
by apply: (continuous_minus (V := R_NormedModule)); [exact: continuous_id|exact: continuous_const].
Qed.

Lemma joint_is_measurable (scale : R) (x : coordinate -> R) : measurable_fun setT (laplace_list_density scale x : T -> Re).
Proof.
have sums : measurable_fun setT (fun o : T => added coordinates (fun i => laplace_log_density (read o i) (x i) scale) : Re).
  rewrite /added; elim: coordinates => [|i l IH] /=; first exact: measurable_fun_cst.
  apply: (@measurable_funD _ _ _ _ (fun o => laplace_log_density (read o i) (x i) scale : Re)) => //.
  apply: (@measurable_fun_comp _ _ _ _ _ _ (fun o : Re => laplace_log_density o (x i) scale : Re) _ (fun t => read t i)) => //.
  by apply/borel_is_measurable; apply: continuous_is_borel; exact: log_density_continuous.
apply: (@measurable_fun_comp _ _ _ _ _ _ (Rtrigo_def.exp : Re -> Re) _ (fun o => added coordinates (fun i => laplace_log_density (read o i) (x i) scale))) => //.
by apply/borel_is_measurable; apply: continuous_is_borel => o; apply: Ranalysis1.derivable_continuous_pt; exact: Ranalysis4.derivable_pt_exp.
Qed.

Theorem noise_in_every_coordinate (dataset : Type) (neighbors : dataset -> dataset -> Prop) (q : dataset -> coordinate -> R)
    (Delta epsilon : R) : Rlt zero Delta -> Rlt zero epsilon ->
  (forall D D', neighbors D D' -> Rle (added coordinates (fun i => Rbasic_fun.Rabs (Rdefinitions.Rminus (q D i) (q D' i)))) Delta) ->
  let law D E := \int[mu]_(o in E) (laplace_list_density (laplace_noise_scale Delta epsilon) (q D) o : Re)%:E in
  forall D D', neighbors D D' -> forall E, measurable E -> law D E <= factor epsilon * law D' E.
Proof.
move=> d0 e0 close law D D' near E mE.
have s0 : Rlt zero (laplace_noise_scale Delta epsilon) by exact: RIneq.Rdiv_lt_0_compat.
exact: (@coordinatewise _ _ unit coordinate (fun=> True) (fun _ x o => laplace_log_density o x (laplace_noise_scale Delta epsilon))
  (fun=> epsilon) (fun=> Delta) coordinates mu read
  (fun v => match v with (_, x, y, o) => fun _ => one_coordinate _ _ _ x y o s0 d0 (loss_is _ _ d0 e0) end)
  (fun _ _ => d0) (fun _ _ => RIneq.Rlt_le _ _ e0) (fun _ x _ => @joint_is_measurable _ x) tt (q D) (q D') I (close D D' near) E mE).
Qed.
End List.
