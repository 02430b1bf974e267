(* The law with density proportional to 1/(1 + z^4) at every output: sliding by d costs at most 3^(3/4)|d|, and
   dilation by e^l at most 3|l|. Both constants are attained in the limit (Lemma 8.6 of Haney et al. 2017 at
   gamma = 4 prints 5 for either). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common.
Open Scope R_scope.

Lemma dilation_is_three : heavy_tailed_dilation_constant = 3.
Proof. unfold heavy_tailed_dilation_constant; rewrite Rmax_right; lra. Qed.

Lemma dilation l z :
  heavy_tailed_log_kernel z - (l + heavy_tailed_log_kernel (exp l * z))
  <= heavy_tailed_dilation_constant * Rabs l.
Proof.
  rewrite dilation_is_three; unfold heavy_tailed_log_kernel; rewrite !abs_fourth.
  pose proof (fourth_nonneg z) as z4; pose proof (exp_pos (4 * l)) as e4.
  replace ((exp l * z) ^ 4) with (exp (4 * l) * z ^ 4).
  2: { rewrite Rpow_mult_distr; f_equal.
       replace (4 * l) with (l + (l + (l + l))) by ring; rewrite !exp_plus; ring. }
  assert (w4 : 0 <= exp (4 * l) * z ^ 4) by (apply Rmult_le_pos; lra).
  destruct (Rle_dec 0 l) as [p|n].
  - rewrite Rabs_pos_eq by exact p.
    assert (g : 1 <= exp (4 * l)) by (rewrite <- exp_0; apply exp_le; lra).
    assert (h : ln (1 + exp (4 * l) * z ^ 4) <= ln (exp (4 * l) * (1 + z ^ 4))) by (apply ln_le; nra).
    rewrite ln_mult, ln_exp in h by (try apply exp_pos; lra). lra.
  - rewrite Rabs_left by lra.
    assert (g : exp (4 * l) <= 1) by (rewrite <- exp_0; apply exp_le; lra).
    assert (h : ln (1 + exp (4 * l) * z ^ 4) <= ln (1 + z ^ 4)) by (apply ln_le; nra).
    lra.
Qed.

(* The fourth root of 3, where the slope is steepest. *)
Definition root3 := exp (ln 3 / 4).
Lemma root3_pos : 0 < root3.
Proof. apply exp_pos. Qed.
Lemma root3_fourth : root3 ^ 4 = 3.
Proof.
  unfold root3.
  replace (exp (ln 3 / 4) ^ 4) with (exp (ln 3 / 4 + (ln 3 / 4 + (ln 3 / 4 + ln 3 / 4))))
    by (rewrite !exp_plus; ring).
  replace (_ + _) with (ln 3) by field; apply exp_ln; lra.
Qed.
Lemma sliding_is : heavy_tailed_sliding_constant = root3 ^ 3.
Proof.
  unfold heavy_tailed_sliding_constant, root3; replace (4 - 1) with 3 by ring.
  replace (exp (ln 3 / 4) ^ 3) with (exp (ln 3 / 4 + (ln 3 / 4 + ln 3 / 4)))
    by (rewrite !exp_plus; ring).
  f_equal; field.
Qed.

(* The tangent at root3: t^3 (1 + z^4) - 4 z^3 = (z - t)^2 (t^3 z^2 + 2 z + t), and t^4 = 3. *)
Lemma tangent z : 4 * z ^ 3 <= root3 ^ 3 * (1 + z ^ 4).
Proof.
  pose proof root3_pos as p; pose proof root3_fourth as e; set (t := root3) in *.
  assert (id : t ^ 3 * (1 + z ^ 4) - 4 * z ^ 3 = (z - t) ^ 2 * (t ^ 3 * z ^ 2 + 2 * z + t)).
  { replace ((z - t) ^ 2 * (t ^ 3 * z ^ 2 + 2 * z + t)) with
      (t ^ 3 * z ^ 4 + (2 - 2 * t ^ 4) * z ^ 3 + (t + t * t ^ 4 - 4 * t) * z ^ 2 + t ^ 3) by ring.
    rewrite e; ring. }
  assert (q : 0 <= t ^ 3 * z ^ 2 + 2 * z + t).
  { assert (k : t * (t ^ 3 * z ^ 2 + 2 * z + t) = 2 * z ^ 2 + (z + t) ^ 2)
      by (replace (t * (t ^ 3 * z ^ 2 + 2 * z + t)) with (t ^ 4 * z ^ 2 + 2 * t * z + t ^ 2) by ring;
          rewrite e; ring).
    apply Rmult_le_reg_l with t; [exact p|]. rewrite Rmult_0_r, k.
    pose proof (pow2_ge_0 z); pose proof (pow2_ge_0 (z + t)); lra. }
  pose proof (pow2_ge_0 (z - t)) as s; pose proof (Rmult_le_pos _ _ s q); lra.
Qed.

Lemma slope z : Rabs (4 * z ^ 3 / (1 + z ^ 4)) <= heavy_tailed_sliding_constant.
Proof.
  rewrite sliding_is; pose proof (fourth_nonneg z) as z4.
  apply abs_at_most; apply Rmult_le_reg_r with (1 + z ^ 4); try lra;
    unfold Rdiv; rewrite ?Rmult_assoc, ?Rinv_l by lra.
  - pose proof (tangent (- z)) as b; replace ((- z) ^ 4) with (z ^ 4) in b by ring.
    replace (4 * (- z) ^ 3) with (- (4 * z ^ 3)) in b by ring; lra.
  - pose proof (tangent z); lra.
Qed.

Lemma kernel_derivative z : is_derive heavy_tailed_log_kernel z (- (4 * z ^ 3 / (1 + z ^ 4))).
Proof.
  apply (is_derive_ext (fun z => - ln (1 + z ^ 4))).
  - intros t; unfold heavy_tailed_log_kernel; rewrite abs_fourth; reflexivity.
  - pose proof (fourth_nonneg z); auto_derive; [simpl in *; lra|simpl in *; field; lra].
Qed.

Lemma sliding z d :
  heavy_tailed_log_kernel z - heavy_tailed_log_kernel (z + d) <= heavy_tailed_sliding_constant * Rabs d.
Proof.
  destruct (MVT_gen heavy_tailed_log_kernel (z + d) z (fun z => - (4 * z ^ 3 / (1 + z ^ 4))))
    as (c & _ & e).
  - intros; apply kernel_derivative.
  - intros; apply derivable_continuous_pt; eexists; apply is_derive_Reals, kernel_derivative.
  - rewrite e; replace (z - (z + d)) with (- d) by ring.
    eapply Rle_trans; [apply Rle_abs|]; rewrite Rabs_mult, !Rabs_Ropp.
    apply Rmult_le_compat_r; [apply Rabs_pos|apply slope].
Qed.

Lemma steepest : 4 * root3 ^ 3 / (1 + root3 ^ 4) = heavy_tailed_sliding_constant.
Proof. rewrite sliding_is, root3_fourth; field. Qed.

(* ln density = ln normalizer + ln kernel: the normalizer cancels wherever two densities are compared. *)
Lemma log_density_is z :
  heavy_tailed_log_density z = ln heavy_tailed_normalizer + heavy_tailed_log_kernel z.
Proof. reflexivity. Qed.

Lemma log_density_continuous z : continuous heavy_tailed_log_density z.
Proof.
  apply (continuous_plus (V := R_NormedModule)); [apply continuous_const|].
  apply (ex_derive_continuous (V := R_NormedModule) heavy_tailed_log_kernel).
  eexists; apply kernel_derivative.
Qed.
