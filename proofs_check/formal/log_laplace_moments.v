(* Moments of Log-Laplace (Haney et al. 2017, Lemma 8.2, Theorem 8.3 and the expected error of Algorithm 1). With
   the output x' = (x + g) e^eta - g for a count x > -g and Laplace noise eta of scale s: the mean of x' is
   (x + g)/(1 - s^2) - g for s < 1, its mean absolute error (x + g) s/(1 - s^2), and for s < 1/2 its mean squared
   error is the one of spec/. From s = 1 on the mean absolute error, and from s = 1/2 on the mean
   squared error, is infinite. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper laplace_normalized.
Open Scope R_scope.

Definition noise_density (s : R) : R -> R := laplace_density 0 s.
(* The output of Algorithm 1 for the noise eta. *)
Definition output (x g eta : R) : R := (x + g) * exp eta - g.
(* f is nowhere negative, and its integral from 0 on passes every bound: the integral over the line is infinite. *)
Definition has_infinite_integral (f : R -> R) : Prop :=
  (forall o, 0 <= f o) /\ forall most, exists b, 0 < b /\ exists v, is_RInt f 0 b v /\ most < v.

Section Moments.
Variables s : R.
Let p := noise_density s.

Lemma right_noise eta : 0 < s -> 0 <= eta -> p eta = exp (- (/ s * eta)) / (2 * s).
Proof. intros s0 h; unfold p, noise_density; rewrite right_density, Rminus_0_r by assumption; reflexivity. Qed.
Lemma left_noise eta : 0 < s -> eta <= 0 -> p eta = exp (/ s * eta) / (2 * s).
Proof. intros s0 h; unfold p, noise_density; rewrite left_density, Rminus_0_r by assumption; reflexivity. Qed.

Lemma noise_pos eta : 0 < p eta.
Proof. apply exp_pos. Qed.

Lemma exp_linear_derive c d o : is_derive (fun o => d * exp (c * o)) o (d * c * exp (c * o)).
Proof. auto_derive; [exact I|ring]. Qed.
Lemma exp_linear_continuous c d o : continuous (fun o => d * exp (c * o)) o.
Proof. apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; exact I. Qed.
Lemma exp_linear_left c d : 0 < c -> filterlim (fun o => d * exp (c * o)) minus_infinity (locally 0).
Proof.
  intros c0; replace 0 with (d * 0) by ring.
  apply (filterlim_comp _ _ _ (fun o => exp (c * o)) (fun y => d * y) _ (locally 0)).
  - apply (filterlim_ext (fun o => exp (c * (o - 0)))); [intros o; f_equal; ring|apply exp_to_zero, c0].
  - apply (continuous_scal_r (V := R_NormedModule) d (fun y => y)), continuous_id.
Qed.
Lemma exp_linear_right c d : 0 < c -> filterlim (fun o => d * exp (- c * o)) plus_infinity (locally 0).
Proof.
  intros c0; replace 0 with (d * 0) by ring.
  apply (filterlim_comp _ _ _ (fun o => exp (- c * o)) (fun y => d * y) _ (locally 0)).
  - apply (filterlim_ext (fun o => exp (- (c * (o - 0))))); [intros o; f_equal; ring|apply exp_to_zero_right, c0].
  - apply (continuous_scal_r (V := R_NormedModule) d (fun y => y)), continuous_id.
Qed.

(* E e^(k eta) for |k| s < 1. *)
Theorem exponential_moment k : 0 < s -> - 1 < k * s < 1 ->
  integrates_to (fun eta => exp (k * eta) * p eta) (laplace_exponential_moment k s).
Proof.
  intros s0 h; assert (i0 : 0 < / s) by (apply Rinv_0_lt_compat; lra).
  assert (si : s * / s = 1) by (field; lra).
  pose (c := / s + k); pose (a := / s - k).
  assert (c0 : 0 < c) by (unfold c; nra); assert (a0 : 0 < a) by (unfold a; nra).
  assert (cs : 0 < 1 + k * s) by lra; assert (as0 : 0 < 1 - k * s) by lra.
  apply (from_two_sides _ (fun o => / (2 * s * c) * c * exp (c * o)) (fun o => - / (2 * s * a) * - a * exp (- a * o))
    (fun o => / (2 * s * c) * exp (c * o)) (fun o => - / (2 * s * a) * exp (- a * o) + (/ (2 * s * c) + / (2 * s * a)))
    0 0 (0 + (/ (2 * s * c) + / (2 * s * a)))).
  - intros o; apply exp_linear_derive.
  - intros o; apply exp_linear_continuous.
  - intros o; replace (- / (2 * s * a) * - a * exp (- a * o)) with (- / (2 * s * a) * - a * exp (- a * o) + 0) by ring.
    apply (is_derive_plus (V := R_NormedModule)); [apply exp_linear_derive|apply (is_derive_const (V := R_NormedModule))].
  - intros o; apply exp_linear_continuous.
  - rewrite !Rmult_0_r, exp_0; ring.
  - intros o o0; rewrite left_noise by lra; replace (c * o) with (k * o + / s * o) by (unfold c; ring).
    rewrite exp_plus; field; lra.
  - intros o o0; rewrite right_noise by lra; replace (- a * o) with (k * o + - (/ s * o)) by (unfold a; ring).
    rewrite exp_plus; field; lra.
  - apply exp_linear_left, c0.
  - apply (filterlim_comp_2 (G := locally 0) (H := locally (/ (2 * s * c) + / (2 * s * a)))).
    + apply exp_linear_right, a0.
    + apply filterlim_const.
    + apply (filterlim_plus (V := R_NormedModule)).
  - unfold laplace_exponential_moment, c, a; field; repeat split; try lra; nra.
Qed.

Lemma noise_mass : 0 < s -> integrates_to p 1.
Proof. apply mass_is_one. Qed.

(* Lemma 8.2. *)
Theorem mean_of_output x g : 0 < s < 1 -> - g < x ->
  integrates_to (fun eta => output x g eta * p eta) ((x + g) / (1 - s ^ 2) - g) /\
  log_laplace_bias x g s = (x + g) / (1 - s ^ 2) - g - x.
Proof.
  intros hs hx; split; [|unfold log_laplace_bias; field; nra].
  apply (same (fun eta => (x + g) * (exp (1 * eta) * p eta) + - g * p eta)).
  - intros eta; unfold output; rewrite Rmult_1_l; ring.
  - replace ((x + g) / (1 - s ^ 2) - g) with ((x + g) * laplace_exponential_moment 1 s + - g * 1)
      by (unfold laplace_exponential_moment; field; nra).
    apply added; apply scaled; [apply exponential_moment; lra|apply noise_mass; lra].
Qed.

(* Theorem 8.3, for the absolute count. *)
Theorem mean_squared_error x g : 0 < s < 1 / 2 -> - g < x ->
  integrates_to (fun eta => (output x g eta - x) ^ 2 * p eta) (log_laplace_mean_squared_error x g s).
Proof.
  intros hs hx.
  apply (same (fun eta => (x + g) ^ 2 * ((exp (2 * eta) * p eta + - 2 * (exp (1 * eta) * p eta)) + p eta))).
  - intros eta; unfold output; replace (2 * eta) with (eta + eta) by ring; rewrite Rmult_1_l, exp_plus; ring.
  - replace (log_laplace_mean_squared_error x g s) with
      ((x + g) ^ 2 * ((laplace_exponential_moment 2 s + - 2 * laplace_exponential_moment 1 s) + 1))
      by (unfold laplace_exponential_moment, log_laplace_mean_squared_error; field; split; nra).
    apply scaled, added; [apply added; [|apply scaled]|apply noise_mass; lra]; apply exponential_moment; lra.
Qed.

Theorem mean_absolute_error x g : 0 < s < 1 -> - g < x ->
  integrates_to (fun eta => Rabs (output x g eta - x) * p eta) (log_laplace_mean_absolute_error x g s).
Proof.
  intros hs hx; assert (i : 1 < / s) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra).
  assert (si : s * / s = 1) by (field; lra).
  pose (c := / s + 1); pose (a := / s - 1); assert (c0 : 0 < c) by (unfold c; lra); assert (a0 : 0 < a) by (unfold a; lra).
  apply (same (fun eta => (x + g) * (Rabs (exp eta - 1) * p eta))).
  { intros eta; unfold output; replace ((x + g) * exp eta - g - x) with ((x + g) * (exp eta - 1)) by ring.
    rewrite Rabs_mult, (Rabs_pos_eq (x + g)) by lra; ring. }
  replace (log_laplace_mean_absolute_error x g s) with ((x + g) * (s / (1 - s ^ 2)))
    by (unfold log_laplace_mean_absolute_error; field; nra).
  apply scaled.
  apply (from_two_sides _
    (fun o => / 2 * / s * exp (/ s * o) + - / (2 * s * c) * c * exp (c * o))
    (fun o => - / (2 * s * a) * - a * exp (- a * o) + / 2 * - / s * exp (- / s * o))
    (fun o => / 2 * exp (/ s * o) + - / (2 * s * c) * exp (c * o))
    (fun o => (- / (2 * s * a) * exp (- a * o) + / 2 * exp (- / s * o))
      + (/ (2 * s * a) - / (2 * s * c))) 0 (0 + 0) (0 + 0 + (/ (2 * s * a) - / (2 * s * c)))).
  - intros o; apply (is_derive_plus (V := R_NormedModule)); apply exp_linear_derive.
  - intros o; apply (continuous_plus (V := R_NormedModule)); apply exp_linear_continuous.
  - intros o; match goal with |- is_derive _ _ ?v => replace v with (v + 0) by ring end.
    apply (is_derive_plus (V := R_NormedModule)); [|apply (is_derive_const (V := R_NormedModule))].
    apply (is_derive_plus (V := R_NormedModule)); apply exp_linear_derive.
  - intros o; apply (continuous_plus (V := R_NormedModule)); apply exp_linear_continuous.
  - rewrite !Rmult_0_r, exp_0; field; repeat split; lra.
  - intros o o0; rewrite left_noise by lra.
    assert (e : exp o <= 1) by (rewrite <- exp_0; apply exp_le; lra).
    rewrite Rabs_left1 by lra; replace (c * o) with (o + / s * o) by (unfold c; ring).
    rewrite exp_plus; field; lra.
  - intros o o0; rewrite right_noise by lra.
    assert (e : 1 <= exp o) by (rewrite <- exp_0; apply exp_le; lra).
    rewrite Rabs_pos_eq by lra; replace (- a * o) with (o + - / s * o) by (unfold a; ring).
    rewrite exp_plus; replace (- (/ s * o)) with (- / s * o) by ring; field; lra.
  - apply (filterlim_comp_2 (G := locally 0) (H := locally 0)).
    + apply exp_linear_left; lra.
    + apply exp_linear_left, c0.
    + apply (filterlim_plus (V := R_NormedModule)).
  - apply (filterlim_comp_2 (G := locally (0 + 0)) (H := locally (/ (2 * s * a) - / (2 * s * c)))).
    + apply (filterlim_comp_2 (G := locally 0) (H := locally 0)).
      * apply exp_linear_right, a0.
      * apply exp_linear_right; lra.
      * apply (filterlim_plus (V := R_NormedModule)).
    + apply filterlim_const.
    + apply (filterlim_plus (V := R_NormedModule)).
  - unfold c, a; field; repeat split; nra.
Qed.

Lemma noise_continuous o : continuous p o.
Proof.
  apply exp_continuous; unfold laplace_log_density.
  apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_opp (V := R_NormedModule)), abs_continuous; apply continuous_to_continuity; reg.
Qed.

Lemma stays_above f least : 0 < least -> (forall o, continuous f o) -> (forall o, 0 <= f o) ->
  (forall o, 1 <= o -> least <= f o) -> has_infinite_integral f.
Proof.
  intros l0 cont nonneg above; split; [exact nonneg|intros most].
  pose (b := 1 + (Rabs most + 1) / least); pose proof (Rabs_pos most); pose proof (Rle_abs most).
  assert (b1 : 0 < (Rabs most + 1) / least) by (apply Rdiv_lt_0_compat; lra).
  assert (ex : forall u v, ex_RInt f u v) by (intros u v; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); auto).
  exists b; split; [unfold b; lra|exists (RInt f 0 b); split; [apply (RInt_correct (V := R_CompleteNormedModule)), ex|]].
  rewrite <- (RInt_Chasles f 0 1 b) by apply ex.
  assert (h0 : 0 <= RInt f 0 1) by (apply RInt_ge_0; [lra|apply ex|intros; apply nonneg]).
  assert (h1 : (b - 1) * least <= RInt f 1 b).
  { rewrite <- (RInt_const (V := R_CompleteNormedModule) 1 b least : RInt (fun _ => least) 1 b = (b - 1) * least).
    apply RInt_le; [unfold b; lra|apply ex_RInt_const|apply ex|intros o h; apply above; lra]. }
  replace ((b - 1) * least) with (Rabs most + 1) in h1 by (unfold b; field; lra).
  unfold plus; simpl; lra.
Qed.

Lemma growth_over_noise k o : 0 < s -> 1 <= k * s -> 1 <= o -> / (2 * s) <= exp (k * o) * p o.
Proof.
  intros s0 ks o1; rewrite right_noise by lra; unfold Rdiv; rewrite <- Rmult_assoc, <- exp_plus.
  rewrite <- (Rmult_1_l (/ (2 * s))) at 1; apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  rewrite <- exp_0; apply exp_le; assert (si : s * / s = 1) by (field; lra).
  assert (i0 : 0 < / s) by (apply Rinv_0_lt_compat; lra).
  replace (k * o + - (/ s * o)) with ((k * s - 1) * / s * o) by (field; lra).
  apply Rmult_le_pos; [apply Rmult_le_pos|]; lra.
Qed.

Lemma half_of_the_growth o : 1 <= o -> exp o / 2 <= exp o - 1.
Proof. intros h; pose proof (exp_ineq1_le o); lra. Qed.

Theorem mean_absolute_error_is_infinite x g : 1 <= s -> - g < x ->
  has_infinite_integral (fun eta => Rabs (output x g eta - x) * p eta).
Proof.
  intros hs hx; apply (stays_above _ ((x + g) * / 2 * / (2 * s))).
  - repeat apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
  - intros o; apply (continuous_mult (K := R_AbsRing)); [|apply noise_continuous].
    apply abs_continuous; unfold output; apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; exact I.
  - intros o; apply Rmult_le_pos; [apply Rabs_pos|left; apply noise_pos].
  - intros o h; pose proof (half_of_the_growth o h) as e; pose proof (noise_pos o).
    unfold output; replace ((x + g) * exp o - g - x) with ((x + g) * (exp o - 1)) by ring.
    pose proof (exp_pos o); rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra).
    apply Rle_trans with ((x + g) * (exp o / 2) * p o).
    + pose proof (growth_over_noise 1 o ltac:(lra) ltac:(lra) h) as k; rewrite Rmult_1_l in k.
      replace ((x + g) * (exp o / 2) * p o) with ((x + g) * / 2 * (exp o * p o)) by field.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|exact k].
    + apply Rmult_le_compat_r; [lra|apply Rmult_le_compat_l; lra].
Qed.

Theorem mean_squared_error_is_infinite x g : 1 / 2 <= s -> - g < x ->
  has_infinite_integral (fun eta => (output x g eta - x) ^ 2 * p eta).
Proof.
  intros hs hx; apply (stays_above _ ((x + g) ^ 2 * / 4 * / (2 * s))).
  - repeat apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
  - intros o; apply (continuous_mult (K := R_AbsRing)); [|apply noise_continuous].
    unfold output; apply (ex_derive_continuous (V := R_NormedModule)); auto_derive; exact I.
  - intros o; apply Rmult_le_pos; [apply pow2_ge_0|left; apply noise_pos].
  - intros o h; pose proof (half_of_the_growth o h) as e; pose proof (noise_pos o); pose proof (exp_pos o).
    unfold output; replace ((x + g) * exp o - g - x) with ((x + g) * (exp o - 1)) by ring.
    apply Rle_trans with (((x + g) * (exp o / 2)) ^ 2 * p o).
    + pose proof (growth_over_noise 2 o ltac:(lra) ltac:(lra) h) as k.
      replace (2 * o) with (o + o) in k by ring; rewrite exp_plus in k.
      replace (((x + g) * (exp o / 2)) ^ 2 * p o) with ((x + g) ^ 2 * / 4 * (exp o * exp o * p o)) by field.
      apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply pow2_ge_0|lra]|exact k].
    + apply Rmult_le_compat_r; [lra|apply pow_incr; split; [apply Rmult_le_pos; lra|]].
      apply Rmult_le_compat_l; lra.
Qed.
End Moments.
