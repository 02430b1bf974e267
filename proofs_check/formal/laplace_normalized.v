(* The Laplace density integrates to 1, and its distribution function is the one of spec/. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper.
Open Scope R_scope.

Definition laplace_density (center scale o : R) : R := exp (laplace_log_density o center scale).

Lemma right_density n s o : 0 < s -> n <= o -> laplace_density n s o = exp (- (/ s * (o - n))) / (2 * s).
Proof.
  intros s0 h; unfold laplace_density, laplace_log_density; rewrite Rabs_pos_eq by lra.
  unfold Rminus at 1; rewrite exp_plus, exp_Ropp, exp_ln by lra.
  unfold Rdiv; f_equal; f_equal; field; lra.
Qed.

Lemma left_density n s o : 0 < s -> o <= n -> laplace_density n s o = exp (/ s * (o - n)) / (2 * s).
Proof.
  intros s0 h; unfold laplace_density, laplace_log_density; rewrite Rabs_left1 by lra.
  unfold Rminus at 1; rewrite exp_plus, exp_Ropp, exp_ln by lra.
  unfold Rdiv; f_equal; f_equal; field; lra.
Qed.

Lemma right_cdf n s o : 0 < s -> n <= o -> laplace_cdf o n s = 1 - exp (- (/ s * (o - n))) / 2.
Proof.
  intros s0 h; unfold laplace_cdf; destruct h as [h| ->].
  - assert (p : 0 < (o - n) / s) by (apply Rdiv_lt_0_compat; lra).
    rewrite (sign_eq_1 _ p), Rabs_pos_eq by lra.
    replace (- ((o - n) / s)) with (- (/ s * (o - n))) by (field; lra). field.
  - replace ((o - o) / s) with 0 by (field; lra); rewrite sign_0, Rminus_eq_0, Rmult_0_r, Ropp_0, exp_0; field.
Qed.

Lemma left_cdf n s o : 0 < s -> o <= n -> laplace_cdf o n s = exp (/ s * (o - n)) / 2.
Proof.
  intros s0 h; unfold laplace_cdf; destruct h as [h| ->].
  - assert (p : (o - n) / s < 0).
    { pose proof (Rdiv_lt_0_compat (n - o) s ltac:(lra) s0).
      replace ((o - n) / s) with (- ((n - o) / s)) by (field; lra); lra. }
    rewrite (sign_eq_m1 _ p), Rabs_left by lra.
    replace (- - ((o - n) / s)) with (/ s * (o - n)) by (field; lra). field.
  - replace ((n - n) / s) with 0 by (field; lra); rewrite sign_0, Rminus_eq_0, Rmult_0_r, exp_0; field.
Qed.

Theorem cdf_is_the_integral n s : 0 < s ->
  forall a b, is_RInt (laplace_density n s) a b (laplace_cdf b n s - laplace_cdf a n s).
Proof.
  intros s0; apply on_both_sides with n.
  - intros a h; rewrite !left_cdf by lra.
    apply (from_derivative _ (fun o => exp (/ s * (o - n)) / (2 * s)) (fun o => exp (/ s * (o - n)) / 2)); auto.
    + intros o _; auto_derive; [auto|unfold Rminus; field; lra].
    + intros o _; apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; auto.
    + intros o k; apply left_density; lra.
  - intros b h; rewrite !right_cdf by lra.
    apply (from_derivative _ (fun o => exp (- (/ s * (o - n))) / (2 * s)) (fun o => 1 - exp (- (/ s * (o - n))) / 2)); auto.
    + intros o _; auto_derive; [auto|unfold Rminus; field; lra].
    + intros o _; apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; auto.
    + intros o k; apply right_density; lra.
Qed.

Theorem mass_is_one n s : 0 < s -> integrates_to (laplace_density n s) 1.
Proof.
  intros s0; assert (i : 0 < / s) by (apply Rinv_0_lt_compat; lra).
  apply (from_primitive _ (fun o => laplace_cdf o n s) 0 1).
  - apply cdf_is_the_integral, s0.
  - apply (filterlim_ext_loc (fun o => / 2 * exp (/ s * (o - n)))).
    + exists n; intros o h; rewrite left_cdf by lra; field.
    + replace 0 with (/ 2 * 0) by ring; apply (filterlim_comp _ _ _ _ (fun y => / 2 * y) _ (locally 0)).
      * apply exp_to_zero, i.
      * apply (continuous_scal_r (V := R_NormedModule) (/ 2) (fun y => y)), continuous_id.
  - apply (filterlim_ext_loc (fun o => 1 - / 2 * exp (- (/ s * (o - n))))).
    + exists n; intros o h; rewrite right_cdf by lra; field.
    + replace 1 with (1 - / 2 * 0) at 1 by ring.
      apply (filterlim_comp _ _ _ _ (fun y => 1 - / 2 * y) _ (locally 0)); [apply exp_to_zero_right, i|].
      apply (proj2 (continuous_to_continuity (fun y => 1 - / 2 * y) 0)); reg.
  - ring.
Qed.
