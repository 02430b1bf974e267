(* Definition 6.8 of Webb et al. 2025 prints max(0, psi(u) - gamma) for max(psi(0), psi(u) - gamma) in the
   sensitivity of the probably-no-clipping mechanism. For psi(x) = ln(x + 1/2), gamma = 1 and the bound
   u = 3/4 the printed sensitivity is 1/4, while the values 0 and 3/4 are close and differ by 3/4: the answers
   on them are three times as far apart as the noise allows. *)
From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
From Establish Require Import spec_formulas common.
Open Scope R_scope.

(* Values x, y >= 0 that the definition of neighbors allows to replace each other. *)
Definition close (gamma x y : R) : Prop :=
  0 <= x /\ 0 <= y /\ Rabs (logarithm_half_value x - logarithm_half_value y) <= gamma.

Theorem printed_sensitivity_is_too_small :
  pnc_published_sensitivity (3 / 4) 1 = 1 / 4 /\
  exists x y, close 1 x y /\ x <= 3 / 4 /\ y <= 3 / 4 /\
    Rabs (x - y) = 3 * pnc_published_sensitivity (3 / 4) 1.
Proof.
  assert (is : pnc_published_sensitivity (3 / 4) 1 = 1 / 4).
  { unfold pnc_published_sensitivity; rewrite Rmax_left, exp_0 by interval; lra. }
  split; [exact is|exists 0, (3 / 4); rewrite is; unfold close, logarithm_half_value].
  repeat split; try lra; [interval|]. rewrite Rabs_left by lra; lra.
Qed.
