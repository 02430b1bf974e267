(* How much of its printed noise Algorithm 1 needs: with k times the printed scale it is
   (alpha, epsilon)-ER-EE private when and only when k is at least 1/2. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace.
Open Scope R_scope.

Theorem half_of_the_noise_is_enough (A V : Type) (b : A -> bool) (a : A) (v : V)
    (alpha epsilon k : R) :
  0 < alpha -> 0 < epsilon -> 0 < k -> b a = true ->
  private (strong_neighbors alpha) (lowest_output alpha) epsilon
    (log_laplace (V := V) alpha (k * log_laplace_published_scale alpha epsilon)
      (establishment_cell b)) <-> 1 / 2 <= k.
Proof.
  intros a0 e0 k0 inside; pose proof (ln_pos (1 + alpha) ltac:(lra)) as l.
  destruct (published_scale_pos alpha epsilon a0 e0) as [s0 is].
  assert (cost : ln (1 + alpha) / (k * log_laplace_published_scale alpha epsilon) = epsilon / 2 / k).
  { rewrite <- is; field; lra. }
  rewrite (tight_level_strong A V alpha _ _ b a v a0 (Rmult_lt_0_compat _ _ k0 s0) cost inside).
  split; intros h.
  - apply Rmult_le_reg_l with epsilon; [exact e0|].
    apply (Rmult_le_compat_r k) in h; [|lra].
    replace (epsilon / 2 / k * k) with (epsilon / 2) in h by (field; lra). lra.
  - apply Rmult_le_reg_r with k; [exact k0|].
    replace (epsilon / 2 / k * k) with (epsilon * (1 / 2)) by (field; lra).
    apply Rmult_le_compat_l; lra.
Qed.
