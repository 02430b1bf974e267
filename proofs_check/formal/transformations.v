(* Normal noise on a transformed total, in privacy by record: a square root, a fourth root and a logarithm. *)
From Coq Require Import Reals Lra Lia ZArith.
From Establish Require Import spec_formulas comparisons between_densities per_record.
Open Scope R_scope.

Lemma spread_is rho : 0 < rho -> 0 < transformation_sd rho /\ 2 * transformation_sd rho ^ 2 = / rho.
Proof.
  intros r0; unfold transformation_sd; split; [apply Rdiv_lt_0_compat, sqrt_lt_R0; lra|].
  unfold Rdiv; rewrite Rmult_1_l, pow_inv, pow2_sqrt by lra; field; lra.
Qed.

(* Every transformation with noise of one size, by what the square of its step is at most. *)
Lemma transformed_is_private (mean : R -> R) (policy : R -> R) :
  (forall q x, 0 <= q -> 0 <= x -> (mean (q + x) - mean q) ^ 2 <= policy x) ->
  private_by_normals R (fun rho => 0 < rho) (fun rho x => rho * policy x) (fun _ => mean) (fun rho _ => transformation_sd rho).
Proof.
  intros step; apply normal_divergence; [|intros v _; reflexivity|]; intros [[rho q] x] (r0 & q0 & x0); cbn in *;
    destruct (spread_is rho r0) as [s0 s]; [exact s0|].
  unfold gaussian_concentration; rewrite s; unfold Rdiv; rewrite Rinv_inv, Rmult_comm.
  apply Rmult_le_compat_l; [lra|exact (step q x q0 x0)].
Qed.

Lemma root_step q x : 0 <= q -> 0 <= x -> (sqrt (q + x) - sqrt q) ^ 2 <= x.
Proof.
  intros q0 x0; pose proof (sqrt_le_1 q (q + x) q0 ltac:(lra) ltac:(lra)) as up.
  pose proof (sqrt_pos q); pose proof (sqrt_sqrt q q0); pose proof (sqrt_sqrt (q + x) ltac:(lra)); nra.
Qed.

Theorem root_is_private : private_by_normals R (fun rho => 0 < rho) (fun rho x => rho * x)
  (fun _ => root_mechanism_mean) (fun rho _ => transformation_sd rho).
Proof.
  apply (transformed_is_private root_mechanism_mean (fun x => x)); intros q x q0 x0; unfold root_mechanism_mean.
  rewrite !Rplus_0_l, !Rplus_0_r; exact (root_step q x q0 x0).
Qed.

Theorem fourth_root_is_private : private_by_normals R (fun rho => 0 < rho) (fun rho x => rho * sqrt x)
  (fun _ => fourth_root_mechanism_mean) (fun rho _ => transformation_sd rho).
Proof.
  apply (transformed_is_private fourth_root_mechanism_mean sqrt); intros q x q0 x0; unfold fourth_root_mechanism_mean.
  rewrite !Rplus_0_l, !Rplus_0_r; pose proof (sqrt_le_1 q (q + x) q0 ltac:(lra) ltac:(lra)) as up.
  apply Rle_trans with (sqrt (q + x) - sqrt q).
  - pose proof (root_step (sqrt q) (sqrt (q + x) - sqrt q) (sqrt_pos q) ltac:(lra)) as h.
    replace (sqrt q + (sqrt (q + x) - sqrt q)) with (sqrt (q + x)) in h by ring; exact h.
  - rewrite <- (sqrt_pow2 (sqrt (q + x) - sqrt q)) by lra; apply sqrt_le_1_alt, root_step; assumption.
Qed.

Theorem logarithm_is_private : private_by_normals R (fun rho => 0 < rho) (fun rho x => rho * ln (1 + x) ^ 2)
  (fun _ => logarithm_mechanism_mean) (fun rho _ => transformation_sd rho).
Proof.
  apply (transformed_is_private logarithm_mechanism_mean (fun x => ln (1 + x) ^ 2)); intros q x q0 x0; unfold logarithm_mechanism_mean; rewrite !Rplus_0_l.
  rewrite <- Rcomplements.ln_div by lra; apply pow_incr; split.
  - rewrite <- ln_1; apply Rcomplements.ln_le; [lra|]; apply (Rmult_le_reg_r (q + 1)); [lra|].
    replace ((q + x + 1) / (q + 1) * (q + 1)) with (q + x + 1) by (field; lra); lra.
  - apply Rcomplements.ln_le; [apply Rdiv_lt_0_compat; lra|]; apply (Rmult_le_reg_r (q + 1)); [lra|].
    replace ((q + x + 1) / (q + 1) * (q + 1)) with (q + x + 1) by (field; lra); nra.
Qed.

(* The whole total costs the policy, so that no other will do: D_a is a policy(x) of x beside 0. *)
Theorem a_record_alone_costs_its_policy rho x a : 0 < rho -> 0 <= x -> 1 < a ->
  let costs mean policy := renyi (normal (mean x) (transformation_sd rho)) (normal (mean 0) (transformation_sd rho)) a
    equal (a * (rho * policy)) in
  costs root_mechanism_mean x /\ costs fourth_root_mechanism_mean (sqrt x) /\ costs logarithm_mechanism_mean (ln (1 + x) ^ 2).
Proof.
  intros r0 x0 a1 costs; destruct (spread_is rho r0) as [s0 s].
  assert (all : forall mean policy, (mean x - mean 0) ^ 2 = policy -> costs mean policy).
  { intros mean policy is; unfold costs; apply between_normals; [exact a1|exact s0|].
    unfold related, gaussian_concentration; rewrite s, is; unfold Rdiv; rewrite Rinv_inv; ring. }
  split; [|split]; apply all; unfold root_mechanism_mean, fourth_root_mechanism_mean, logarithm_mechanism_mean;
    rewrite !Rplus_0_l, ?Rplus_0_r, ?sqrt_0, ?ln_1, Rminus_0_r.
  - apply pow2_sqrt, x0.
  - apply pow2_sqrt, sqrt_pos.
  - rewrite (Rplus_comm x 1); reflexivity.
Qed.
