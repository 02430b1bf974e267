(* The mean absolute value of the noise of Algorithm 2 is 1/sqrt 2. The proof of Lemma 8.8 of Haney et al.
   2017 takes it to be the integral of |z|/(1 + z^4), which is pi/2, and leaves the normalizer out. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper heavy_tailed_admissible heavy_tailed_normalized.
Open Scope R_scope.

(* The sign of z times atan(z^2)/2: a primitive of |z|/(1 + z^4). *)
Definition kernel_primitive z := if Rle_dec 0 z then atan (z * z) / 2 else - (atan (z * z) / 2).

Lemma kernel_primitive_integral a b :
  is_RInt (fun z => Rabs z / (1 + z ^ 4)) a b (kernel_primitive b - kernel_primitive a).
Proof.
  assert (pos : forall z, 0 < 1 + z ^ 4) by (intros z; pose proof (fourth_nonneg z); lra).
  assert (der : forall z, is_derive (fun z => atan (z * z) / 2) z (z / (1 + z ^ 4))).
  { intros z; specialize (pos z); auto_derive; [auto|].
    replace (1 + z * z * (z * z * 1)) with (1 + z ^ 4) by ring; field; lra. }
  assert (cont : forall z, continuous (fun z => z / (1 + z ^ 4)) z).
  { intros z; apply (ex_derive_continuous (V := R_NormedModule)); specialize (pos z); auto_derive; simpl in pos; lra. }
  assert (zero : kernel_primitive 0 = 0).
  { unfold kernel_primitive; destruct (Rle_dec 0 0); rewrite Rmult_0_r, atan_0; lra. }
  revert a b; apply on_both_sides with 0.
  - intros a h; rewrite zero; destruct h as [h| ->].
    2: { rewrite zero, Rminus_0_r; apply (is_RInt_point (V := R_NormedModule)). }
    unfold kernel_primitive; destruct (Rle_dec 0 a) as [k|_]; [lra|].
    replace (0 - - (atan (a * a) / 2)) with (- (atan (0 * 0) / 2) - - (atan (a * a) / 2))
      by (rewrite Rmult_0_r, atan_0; lra).
    apply (from_derivative _ (fun z => - (z / (1 + z ^ 4))) (fun z => - (atan (z * z) / 2))); [lra| | |].
    + intros z _; apply (is_derive_opp (V := R_NormedModule)), der.
    + intros z _; apply (continuous_opp (V := R_NormedModule)), cont.
    + intros z hz; rewrite Rabs_left by lra; field; specialize (pos z); lra.
  - intros b h; rewrite zero; unfold kernel_primitive; destruct (Rle_dec 0 b) as [_|k]; [|lra].
    replace (atan (b * b) / 2 - 0) with (atan (b * b) / 2 - atan (0 * 0) / 2)
      by (rewrite Rmult_0_r, atan_0; lra).
    apply (from_derivative _ (fun z => z / (1 + z ^ 4)) (fun z => atan (z * z) / 2)); [exact h| | |].
    + intros z _; apply der.
    + intros z _; apply cont.
    + intros z hz; rewrite Rabs_pos_eq by lra; reflexivity.
Qed.

Lemma half_atan_of_square F : (F = plus_infinity \/ F = minus_infinity) ->
  filterlim (fun z => / 2 * atan (z * z)) F (locally (PI / 4)).
Proof.
  intros F_is; replace (PI / 4) with (/ 2 * (PI / 2)) by field.
  apply (filterlim_comp _ _ _ (fun z => atan (z * z)) (fun y => / 2 * y) _ (locally (PI / 2))).
  - apply (filterlim_comp _ _ _ (fun z => z * z) atan _ plus_infinity); [|apply atan_to_right].
    intros P [m h]; destruct F_is as [-> | ->].
    + exists (Rmax 1 m); intros z hz; apply h.
      pose proof (Rmax_l 1 m); pose proof (Rmax_r 1 m); nra.
    + exists (- Rmax 1 m); intros z hz; apply h.
      pose proof (Rmax_l 1 m); pose proof (Rmax_r 1 m); nra.
  - apply (continuous_scal_r (V := R_NormedModule) (/ 2) (fun y => y)), continuous_id.
Qed.

(* Without the normalizer. *)
Theorem integral_without_normalizer : integrates_to (fun z => Rabs z / (1 + z ^ 4)) (PI / 2).
Proof.
  apply (from_primitive _ kernel_primitive (- (PI / 4)) (PI / 4)).
  - apply kernel_primitive_integral.
  - apply (filterlim_ext_loc (fun z => - (/ 2 * atan (z * z)))).
    + exists 0; intros z h; unfold kernel_primitive; destruct (Rle_dec 0 z); lra.
    + apply (filterlim_comp _ _ _ _ Ropp _ (locally (PI / 4))); [apply half_atan_of_square; auto|].
      apply (filterlim_opp (V := R_NormedModule)).
  - apply (filterlim_ext_loc (fun z => / 2 * atan (z * z))).
    + exists 0; intros z h; unfold kernel_primitive; destruct (Rle_dec 0 z); lra.
    + apply half_atan_of_square; auto.
  - field.
Qed.

Lemma mean_is : heavy_tailed_absolute_moment_1 = 1 / sqrt 2.
Proof.
  unfold heavy_tailed_absolute_moment_1; replace (2 * PI / 4) with (PI / 2) by field.
  rewrite sin_PI4, sin_PI2; field; pose proof root2_pos; unfold root2 in *; lra.
Qed.

Theorem mean_absolute_value :
  integrates_to (fun z => Rabs z * exp (heavy_tailed_log_density z)) heavy_tailed_absolute_moment_1
  /\ heavy_tailed_absolute_moment_1 = 1 / sqrt 2 /\ heavy_tailed_absolute_moment_1 < PI / 2.
Proof.
  pose proof root2_pos; pose proof PI_RGT_0; split; [|split; [apply mean_is|]].
  - replace heavy_tailed_absolute_moment_1 with (root2 / PI * (PI / 2)).
    2: { rewrite mean_is; fold root2; apply Rmult_eq_reg_r with root2; [|lra].
         field_simplify; [|lra|lra]; replace (root2 ^ 2) with 2 by (rewrite <- root2_square; ring); field. }
    apply (is_RInt_gen_ext (V := R_NormedModule) (fun z => scal (root2 / PI) (Rabs z / (1 + z ^ 4)))
      (fun z => Rabs z * exp (heavy_tailed_log_density z)) (root2 / PI * (PI / 2))).
    + apply filter_forall; intros ab z _; rewrite density_is; unfold scal; simpl; unfold mult; simpl.
      pose proof (fourth_nonneg z); field; lra.
    + apply (is_RInt_gen_scal (V := R_NormedModule)), integral_without_normalizer.
  - rewrite mean_is; pose proof PI_4; fold root2.
    assert (1 < root2) by (pose proof root2_square; nra).
    assert (1 / root2 < 1) by (apply Rmult_lt_reg_r with root2; [lra|]; field_simplify; lra).
    pose proof PI2_3_2. lra.
Qed.
