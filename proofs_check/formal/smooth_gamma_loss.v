(* Smooth Gamma at every output: the noise slides by at most the slide a, in units of the scale S/a, and is
   stretched by at most 1 + alpha. *)
From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets heavy_tailed_admissible smooth_sensitivity.
Open Scope R_scope.

(* ln of the density of n + (S/a) Z at o. *)
Definition log_release (alpha slide : R) (l : list R) (o : R) : R :=
  heavy_tailed_located_log_density o (total l) (smooth_bound alpha l / slide).

Lemma located_is o n s :
  heavy_tailed_located_log_density o n s = heavy_tailed_log_density ((o - n) / s) - ln s.
Proof. reflexivity. Qed.

Lemma scale_pos alpha slide l : 0 < slide -> 0 < smooth_bound alpha l / slide.
Proof. intros; apply Rdiv_lt_0_compat; [apply smooth_bound_pos|assumption]. Qed.

Lemma log_release_continuous alpha slide l o : continuous (log_release alpha slide l) o.
Proof.
  apply (continuous_minus (V := R_NormedModule)
    (fun o => heavy_tailed_log_density ((o - total l) / (smooth_bound alpha l / slide))));
    [|apply continuous_const].
  apply (continuous_comp (fun o => (o - total l) / (smooth_bound alpha l / slide))
    heavy_tailed_log_density); [|apply log_density_continuous].
  apply (continuous_mult (K := R_AbsRing) (fun t => t - total l)); [|apply continuous_const].
  apply continuous_to_continuity; reg.
Qed.

(* Sliding and dilation together: the law at scale s around n, against the law at scale t around m. *)
Lemma slide_and_dilate o n m s t a b : 0 < s -> 0 < t -> Rabs (n - m) <= a * s ->
  Rabs (ln s - ln t) <= b ->
  heavy_tailed_located_log_density o n s - heavy_tailed_located_log_density o m t
  <= heavy_tailed_sliding_constant * a + heavy_tailed_dilation_constant * b.
Proof.
  intros s0 t0 ha hb; rewrite !located_is, !log_density_is.
  pose (z := (o - n) / s); pose (d := (n - m) / s); pose (l := ln s - ln t).
  assert (el : exp l = s / t).
  { unfold l; rewrite <- ln_div by assumption; apply exp_ln, Rdiv_lt_0_compat; assumption. }
  replace ((o - m) / t) with (exp l * (z + d)) by (rewrite el; unfold z, d; field; lra).
  fold z.
  assert (hd : Rabs d <= a).
  { unfold d, Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ s)) by (left; apply Rinv_0_lt_compat; lra).
    apply Rmult_le_reg_r with s; [assumption|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; exact ha. }
  pose proof (sliding z d) as slid; pose proof (dilation l (z + d)) as stretched.
  assert (k : 0 < heavy_tailed_sliding_constant) by apply exp_pos.
  assert (heavy_tailed_sliding_constant * Rabs d <= heavy_tailed_sliding_constant * a)
    by (apply Rmult_le_compat_l; lra).
  assert (heavy_tailed_dilation_constant * Rabs l <= heavy_tailed_dilation_constant * b).
  { rewrite dilation_is_three; apply Rmult_le_compat_l; [lra|exact hb]. }
  unfold l in *; lra.
Qed.

Lemma loss_at_every_output alpha slide l l' o : 0 < alpha -> 0 < slide ->
  one_grows alpha l l' \/ one_grows alpha l' l ->
  log_release alpha slide l o - log_release alpha slide l' o
  <= heavy_tailed_sliding_constant * slide + heavy_tailed_dilation_constant * ln (1 + alpha).
Proof.
  intros a0 s0 near; apply slide_and_dilate.
  - apply scale_pos, s0.
  - apply scale_pos, s0.
  - replace (slide * (smooth_bound alpha l / slide)) with (smooth_bound alpha l) by (field; lra).
    apply bounds_the_change; assumption.
  - rewrite !ln_div by (try apply smooth_bound_pos; assumption).
    replace (_ - _ - _) with (ln (smooth_bound alpha l) - ln (smooth_bound alpha l')) by ring.
    apply is_smooth; assumption.
Qed.

Lemma sliding_constant_below : heavy_tailed_sliding_constant <= 3.
Proof.
  rewrite sliding_is; pose proof root3_pos as p; pose proof root3_fourth as e.
  assert (one : 1 <= root3).
  { unfold root3; rewrite <- exp_0; apply exp_le; pose proof (ln_pos 3 ltac:(lra)); lra. }
  assert (0 < root3 ^ 3) by (apply pow_lt; exact p).
  replace (root3 ^ 4) with (root3 ^ 3 * root3) in e by ring; nra.
Qed.

Lemma tight_slide_cost alpha epsilon :
  heavy_tailed_sliding_constant * smooth_gamma_tight_slide alpha epsilon
    + heavy_tailed_dilation_constant * ln (1 + alpha) = epsilon.
Proof.
  assert (0 < heavy_tailed_sliding_constant) by apply exp_pos.
  change (smooth_gamma_tight_slide alpha epsilon)
    with ((epsilon - heavy_tailed_dilation_constant * ln (1 + alpha)) / heavy_tailed_sliding_constant).
  field; lra.
Qed.

Lemma tight_slide_pos alpha epsilon : 3 * ln (1 + alpha) < epsilon ->
  0 < smooth_gamma_tight_slide alpha epsilon.
Proof.
  intros h; apply Rdiv_lt_0_compat; [|apply exp_pos].
  change (Rmax 1 (4 - 1)) with heavy_tailed_dilation_constant; rewrite dilation_is_three; lra.
Qed.

Lemma published_slide_cost alpha epsilon : 5 * ln (1 + alpha) < epsilon ->
  heavy_tailed_sliding_constant * smooth_gamma_published_slide alpha epsilon
    + heavy_tailed_dilation_constant * ln (1 + alpha) <= 3 / 5 * epsilon.
Proof.
  intros h; pose proof sliding_constant_below; rewrite dilation_is_three.
  unfold smooth_gamma_published_slide; nra.
Qed.
