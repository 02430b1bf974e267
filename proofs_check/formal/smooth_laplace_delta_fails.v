(* Lemma 9.2 of Haney et al. 2017 is false. At alpha = 1, epsilon = 10, delta = 3/4000 its condition
   1 + alpha <= e^(epsilon/(2 ln(1/delta))) holds, and Algorithm 3 is not (alpha, epsilon, delta)-ER-EE
   private: one establishment with two workers against one worker, outputs between 4.3 and 14.3. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Establish Require Import spec_formulas common datasets improper laplace_normalized intervals.
From Establish Require Import least_epsilon_table smooth_laplace.
Import ListNotations.
Open Scope R_scope.

Definition private_on_intervals {A V} (alpha epsilon delta : R) (M : dataset A V -> R -> R) : Prop :=
  forall D D', strong_neighbors alpha D D' -> forall E, ordered m_infty E ->
  measure_of (M D) E <= exp epsilon * measure_of (M D') E + delta.

Definition everybody : cell unit unit := establishment_cell (fun _ => true).
Definition one_worker : dataset unit unit := [Establishment tt [Worker 0 tt]].
Definition two_workers : dataset unit unit := [Establishment tt [Worker 0 tt; Worker 1 tt]].

Lemma they_are_neighbors : strong_neighbors 1 two_workers one_worker.
Proof.
  right; exists [], (Establishment tt [Worker 0 tt]), (Establishment tt [Worker 0 tt; Worker 1 tt]), [].
  split; [reflexivity|split; [reflexivity|split; [split; [reflexivity|]|]]].
  - split; [|split]; [repeat constructor; simpl; intuition discriminate..|].
    intros w h; simpl in *; intuition.
  - unfold may_grow, size, matching; simpl; lra.
Qed.

Theorem lemma_9_2_is_false :
  allowed 1 (3 / 4000) 10 /\
  ~ private_on_intervals 1 10 (3 / 4000) (smooth_laplace 1 10 everybody).
Proof.
  split; [rewrite least_is_least by lra; unfold smooth_laplace_least_epsilon; interval|].
  intros h; specialize (h _ _ they_are_neighbors [(43 / 10, 143 / 10)]).
  assert (o : ordered m_infty [(43 / 10, 143 / 10)]) by (simpl; repeat split; lra).
  specialize (h o); unfold smooth_laplace in h.
  assert (c2 : count everybody two_workers = 2) by (unfold count, contributions, contribution, matching; simpl; lra).
  assert (c1 : count everybody one_worker = 1) by (unfold count, contributions, contribution, matching; simpl; lra).
  assert (s2 : growth_bound (largest (contributions everybody two_workers)) 1 * smooth_laplace_noise_multiplier 10 = 2 / 5).
  { unfold growth_bound, smooth_laplace_noise_multiplier, contributions, contribution, matching; simpl.
    rewrite (Rmax_left (1 + 1) 0), (Rmax_left (1 * (1 + 1)) 1) by lra; lra. }
  assert (s1 : growth_bound (largest (contributions everybody one_worker)) 1 * smooth_laplace_noise_multiplier 10 = 1 / 5).
  { unfold growth_bound, smooth_laplace_noise_multiplier, contributions, contribution, matching; simpl.
    rewrite (Rmax_left 1 0), Rmax_left by lra; lra. }
  rewrite c1, c2, s1, s2 in h; unfold measure_of in h; simpl fold_right in h; unfold fst, snd in h.
  rewrite !laplace_interval, !right_cdf in h by lra.
  revert h; apply Rlt_not_le; interval.
Qed.

(* Nor is it at the least delta that the condition allows there, e^(-epsilon/(2 ln(1 + alpha))). *)
Definition least_delta : R := exp (- (10 / (2 * ln (1 + 1)))).

Theorem least_delta_is_least (delta : R) : 0 < delta < 1 -> allowed 1 delta 10 <-> least_delta <= delta.
Proof.
  intros d; rewrite least_is_least by lra; unfold smooth_laplace_least_epsilon, least_delta.
  assert (l2 : 0 < ln (1 + 1)) by interval.
  rewrite <- (exp_ln delta) at 2 by lra.
  assert (e : 10 - (- 2) * ln delta * ln (1 + 1) = 2 * ln (1 + 1) * (ln delta - - (10 / (2 * ln (1 + 1)))))
    by (field; lra).
  split; intros h.
  - destruct (Rle_lt_dec (- (10 / (2 * ln (1 + 1)))) (ln delta)) as [le|lt].
    + destruct le as [lt|<-]; [left; apply exp_increasing, lt|right; reflexivity].
    + nra.
  - assert (k : - (10 / (2 * ln (1 + 1))) <= ln delta).
    { apply Rnot_lt_le; intros lt; apply exp_increasing in lt; lra. }
    nra.
Qed.

Theorem least_delta_fails : ~ private_on_intervals 1 10 least_delta (smooth_laplace 1 10 everybody).
Proof.
  destruct lemma_9_2_is_false as [_ false]; intros h; apply false; intros D D' n E o.
  apply Rle_trans with (1 := h D D' n E o), Rplus_le_compat_l; unfold least_delta; interval.
Qed.
