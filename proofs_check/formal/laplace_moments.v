(* Laplace noise around a center n has mean n and mean absolute deviation equal to its scale. So Algorithm 3 of
   Haney et al. 2017 is unbiased, and its expected L1 error is 2 max(alpha x, 1)/epsilon, at most
   2 (alpha x/epsilon + 1/epsilon) (Lemma 9.3). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper laplace_normalized datasets smooth_laplace.
Open Scope R_scope.

Section Moments.
Variables n s : R.

(* t e^t vanishes far to the left. *)
Lemma linear_times_exp c d : 0 < s ->
  filterlim (fun o => (c * (/ s * (o - n)) + d) * exp (/ s * (o - n))) minus_infinity (locally 0).
Proof.
  intros s0; assert (i : 0 < / s) by (apply Rinv_0_lt_compat; lra).
  assert (far : filterlim (fun o => / s * (o - n)) minus_infinity (Rbar_locally m_infty)).
  { intros P [m h]; exists (s * m + n); intros o k; apply h.
    apply Rmult_lt_reg_l with s; [exact s0|]; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l; lra. }
  apply (filterlim_comp _ _ _ (fun o => / s * (o - n)) (fun y => (c * y + d) * exp y) _ (Rbar_locally m_infty)); [exact far|].
  apply (filterlim_ext (fun y => c * (y * exp y) + d * exp y)); [intros y; ring|].
  change (is_lim (fun y => c * (y * exp y) + d * exp y) m_infty 0).
  replace (Finite 0) with (Finite (c * 0 + d * 0)) by (f_equal; ring).
  apply is_lim_plus'; [apply (is_lim_scal_l (fun y => y * exp y) c m_infty 0)|apply (is_lim_scal_l exp d m_infty 0)].
  - apply is_lim_mul_exp_m.
  - apply is_lim_exp_m.
Qed.

Lemma linear_times_exp_right c d : 0 < s ->
  filterlim (fun o => (c * (/ s * (o - n)) + d) * exp (- (/ s * (o - n)))) plus_infinity (locally 0).
Proof.
  intros s0.
  apply (filterlim_ext (fun o => (- c * (/ s * ((2 * n - o) - n)) + d) * exp (/ s * ((2 * n - o) - n)))).
  { intros o; f_equal; [ring|f_equal; ring]. }
  apply (filterlim_comp _ _ _ (fun o => 2 * n - o) (fun o => (- c * (/ s * (o - n)) + d) * exp (/ s * (o - n))) _ minus_infinity).
  - intros P [m h]; exists (2 * n - m); intros o k; apply h; lra.
  - apply linear_times_exp, s0.
Qed.

(* The integral of (a (o - n) + m |o - n|) p(o), for both moments at once. *)
Lemma first_moments a m : 0 < s ->
  integrates_to (fun o => (a * (o - n) + m * Rabs (o - n)) * laplace_density n s o) (m * s).
Proof.
  intros s0; assert (si : s * / s = 1) by (field; lra).
  apply (from_two_sides _
    (fun o => (a - m) * (/ s * (o - n)) / 2 * exp (/ s * (o - n)))
    (fun o => (a + m) * (/ s * (o - n)) / 2 * exp (- (/ s * (o - n))))
    (fun o => ((a - m) * s / 2 * (/ s * (o - n)) + - ((a - m) * s / 2)) * exp (/ s * (o - n)))
    (fun o => (- ((a + m) * s / 2) * (/ s * (o - n)) + - ((a + m) * s / 2)) * exp (- (/ s * (o - n))) + m * s)
    n 0 (0 + m * s)).
  - intros o; auto_derive; [exact I|unfold Rminus; field; lra].
  - intros o; apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; exact I.
  - intros o; auto_derive; [exact I|unfold Rminus; field; lra].
  - intros o; apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; exact I.
  - replace (/ s * (n - n)) with 0 by ring; rewrite Ropp_0, exp_0; field.
  - intros o h; rewrite left_density, Rabs_left by lra; field; lra.
  - intros o h; rewrite right_density, Rabs_pos_eq by lra; field; lra.
  - apply linear_times_exp, s0.
  - apply (filterlim_comp_2 (G := locally 0) (H := locally (m * s))).
    + apply linear_times_exp_right, s0.
    + apply filterlim_const.
    + apply (filterlim_plus (V := R_NormedModule)).
  - ring.
Qed.

Lemma mean_is_center : 0 < s -> integrates_to (fun o => o * laplace_density n s o) n.
Proof.
  intros s0.
  pose proof (added _ (fun o => n * laplace_density n s o) _ _ (first_moments 1 0 s0)
    (scaled (laplace_density n s) 1 n (mass_is_one n s s0))) as h.
  replace (0 * s + n * 1) with n in h by ring; revert h; apply same; intros o; ring.
Qed.

Lemma deviation_is_scale : 0 < s -> integrates_to (fun o => Rabs (o - n) * laplace_density n s o) s.
Proof.
  intros s0; pose proof (first_moments 0 1 s0) as h.
  replace (1 * s) with s in h by ring; revert h; apply same; intros o; ring.
Qed.
End Moments.

Theorem error_of_algorithm_3 (A V : Type) (alpha epsilon : R) (q : cell A V) (D : dataset A V) :
  0 < alpha -> 0 < epsilon ->
  let x := largest (contributions q D) in
  let error := 2 * Rmax (alpha * x) 1 / epsilon in
  integrates_to (fun o => o * smooth_laplace alpha epsilon q D o) (count q D) /\
  integrates_to (fun o => Rabs (o - count q D) * smooth_laplace alpha epsilon q D o) error /\
  error <= 2 * (alpha * x / epsilon + 1 / epsilon).
Proof.
  intros a0 e0 x error; pose proof (largest_nonneg (contributions q D)) as x0; fold x in x0.
  pose proof (Rmax_r (alpha * x) 1) as one.
  assert (is : growth_bound x alpha * smooth_laplace_noise_multiplier epsilon = error)
    by (unfold error, growth_bound, smooth_laplace_noise_multiplier; field; lra).
  assert (pos : 0 < error) by (unfold error; apply Rdiv_lt_0_compat; lra).
  unfold smooth_laplace; fold x; rewrite is; split; [|split].
  - apply mean_is_center, pos.
  - apply deviation_is_scale, pos.
  - assert (sum : Rmax (alpha * x) 1 <= alpha * x + 1).
    { apply Rmax_lub; [lra|]; pose proof (Rmult_le_pos alpha x); lra. }
    unfold error; replace (2 * (alpha * x / epsilon + 1 / epsilon)) with (2 * (alpha * x + 1) / epsilon) by (field; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|lra].
Qed.
