(* Table 2 of Haney et al. 2017: the least epsilon that the printed condition of Algorithm 3 allows. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Establish Require Import spec_formulas common.
Open Scope R_scope.

(* Whether the condition 1 + alpha <= e^(epsilon/(2 ln(1/delta))) allows epsilon. *)
Definition allowed (alpha delta epsilon : R) : Prop := 1 + alpha <= exp (epsilon / (2 * ln (1 / delta))).

Theorem least_is_least (alpha delta epsilon : R) : 0 < alpha -> 0 < delta < 1 ->
  allowed alpha delta epsilon <-> smooth_laplace_least_epsilon alpha delta <= epsilon.
Proof.
  intros a0 [d0 d1]; unfold allowed, smooth_laplace_least_epsilon.
  assert (i : 1 < 1 / delta) by (apply Rmult_lt_reg_r with delta; [exact d0|field_simplify; lra]).
  pose proof (ln_pos _ i) as l; rewrite ln_div, ln_1 in * by lra.
  rewrite <- (exp_ln (1 + alpha)) at 1 by lra; split; intros h.
  - apply exp_le_inv in h; apply (Rmult_le_compat_r (2 * (0 - ln delta))) in h; [|lra].
    replace (epsilon / (2 * (0 - ln delta)) * (2 * (0 - ln delta))) with epsilon in h by (field; lra); lra.
  - apply exp_le; apply Rmult_le_reg_r with (2 * (0 - ln delta)); [lra|].
    replace (epsilon / (2 * (0 - ln delta)) * (2 * (0 - ln delta))) with epsilon by (field; lra); lra.
Qed.

(* delta = 5e-4, alpha = .01: printed .15, right to its two digits. *)
Theorem entry_0_15_is_rounded :
  Rabs (smooth_laplace_least_epsilon (1 / 100) (1 / 2000) - 15 / 100) <= 5 / 1000.
Proof. unfold smooth_laplace_least_epsilon; interval. Qed.

(* delta = 5e-4, alpha = .10: printed 1.45, right to its three digits. *)
Theorem entry_1_45_is_rounded :
  Rabs (smooth_laplace_least_epsilon (1 / 10) (1 / 2000) - 145 / 100) <= 5 / 1000.
Proof. unfold smooth_laplace_least_epsilon; interval. Qed.

(* delta = 5e-4, alpha = .20: printed 2.13, which the condition does not allow; it is 2.7716... *)
Theorem entry_2_13_is_wrong :
  ~ allowed (1 / 5) (1 / 2000) (213 / 100) /\
  Rabs (smooth_laplace_least_epsilon (1 / 5) (1 / 2000) - 27716167389254223 / 10 ^ 16) <= / 10 ^ 16.
Proof.
  split; [|unfold smooth_laplace_least_epsilon; interval with (i_prec 100)].
  rewrite least_is_least by lra; apply Rlt_not_le; unfold smooth_laplace_least_epsilon; interval.
Qed.
