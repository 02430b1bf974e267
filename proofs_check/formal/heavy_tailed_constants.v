(* Lemma 8.6 of Haney et al. 2017 at gamma = 4: what sliding and dilation of the density proportional to
   1/(1 + z^4) cost. The printed constant is 5 for both; the least ones are 3^(3/4) and 3. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Establish Require Import spec_formulas common heavy_tailed_admissible.
Open Scope R_scope.

(* ln(h(z)/h(z + d)) <= c |d| for all z and d. *)
Definition slides_at (c : R) : Prop := forall z d,
  heavy_tailed_log_density z - heavy_tailed_log_density (z + d) <= c * Rabs d.
(* ln(h(z)/(e^l h(e^l z))) <= c |l| for all z and l. *)
Definition dilates_at (c : R) : Prop := forall z l,
  heavy_tailed_log_density z - (l + heavy_tailed_log_density (exp l * z)) <= c * Rabs l.

Theorem sliding_costs_least : forall c, slides_at c <-> heavy_tailed_sliding_constant <= c.
Proof.
  intros c; split; intros h.
  - apply Rnot_lt_le; intros less; set (K := heavy_tailed_sliding_constant) in *.
    pose proof (kernel_derivative root3) as der; rewrite steepest in der; fold K in der.
    apply is_derive_Reals in der; destruct (der (K - c) ltac:(lra)) as [e close].
    pose proof (cond_pos e) as e0; specialize (close (e / 2) ltac:(lra) ltac:(rewrite Rabs_pos_eq; lra)).
    specialize (h root3 (e / 2)); rewrite !log_density_is, Rabs_pos_eq in h by lra.
    apply Rabs_def2 in close; destruct close as [close _].
    assert (k : (heavy_tailed_log_kernel (root3 + e / 2) - heavy_tailed_log_kernel root3) / (e / 2) < - c)
      by lra.
    apply (Rmult_lt_compat_r (e / 2)) in k; [|lra].
    replace ((heavy_tailed_log_kernel (root3 + e / 2) - heavy_tailed_log_kernel root3) / (e / 2) * (e / 2))
      with (heavy_tailed_log_kernel (root3 + e / 2) - heavy_tailed_log_kernel root3) in k by (field; lra).
    lra.
  - intros z d; rewrite !log_density_is; pose proof (sliding z d).
    assert (heavy_tailed_sliding_constant * Rabs d <= c * Rabs d)
      by (apply Rmult_le_compat_r; [apply Rabs_pos|exact h]); lra.
Qed.

Theorem sliding_value :
  Rabs (heavy_tailed_sliding_constant - 22795070569547776420 / 10 ^ 19) <= / 10 ^ 19.
Proof. unfold heavy_tailed_sliding_constant; interval with (i_prec 100). Qed.

Theorem sliding_at_five : slides_at 5.
Proof. apply sliding_costs_least; unfold heavy_tailed_sliding_constant; interval. Qed.

Theorem dilation_costs_least : forall c, dilates_at c <-> 3 <= c.
Proof.
  intros c; split; intros h.
  - apply Rnot_lt_le; intros less.
    pose (z := Rmax 1 (/ (3 - c))); assert (z1 : 1 <= z) by apply Rmax_l.
    assert (zc : / (3 - c) <= z) by apply Rmax_r.
    specialize (h z 1); rewrite !log_density_is, Rabs_pos_eq in h by lra.
    unfold heavy_tailed_log_kernel in h; rewrite !abs_fourth in h.
    assert (e4 : (exp 1 * z) ^ 4 = exp 4 * z ^ 4).
    { rewrite Rpow_mult_distr; f_equal.
      replace (exp 4) with (exp (1 + (1 + (1 + 1)))) by (f_equal; ring); rewrite !exp_plus; ring. }
    rewrite e4 in h; pose proof (exp_pos 4).
    assert (z4 : z <= z ^ 4) by (replace (z ^ 4) with (z * (z * z * z)) by ring; assert (1 <= z * z) by nra; nra).
    assert (i : 0 < 3 - c) by lra.
    assert (s : 1 / z ^ 4 <= 3 - c).
    { apply Rmult_le_reg_r with (z ^ 4); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with ((3 - c) * / (3 - c)); [rewrite Rinv_r; lra|apply Rmult_le_compat_l; lra]. }
    assert (lower : ln (exp 4 * z ^ 4) < ln (1 + exp 4 * z ^ 4)) by (apply ln_increasing; nra).
    rewrite ln_mult, ln_exp in lower by lra.
    assert (upper : ln (1 + z ^ 4) <= ln (z ^ 4) + 1 / z ^ 4).
    { replace (1 + z ^ 4) with (z ^ 4 * (1 + 1 / z ^ 4)) by (field; lra).
      assert (0 < 1 / z ^ 4) by (apply Rdiv_lt_0_compat; lra).
      rewrite ln_mult by lra; apply Rplus_le_compat_l.
      rewrite <- (ln_exp (1 / z ^ 4)) at 2; apply ln_le; [lra|].
      left; apply exp_ineq1; lra. }
    lra.
  - intros z l; rewrite !log_density_is; pose proof (dilation l z) as k; rewrite dilation_is_three in k.
    assert (3 * Rabs l <= c * Rabs l) by (apply Rmult_le_compat_r; [apply Rabs_pos|exact h]); lra.
Qed.

Theorem dilation_at_five : dilates_at 5.
Proof. apply dilation_costs_least; lra. Qed.
