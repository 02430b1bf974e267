(* Lemma 9.1 of Haney et al. 2017 is false. Laplace(1) is not (epsilon/2, epsilon/(2 ln(1/delta)))-admissible:
   at epsilon = 4 and delta = 1/20, however epsilon = epsilon1 + epsilon2 is divided, either a slide by
   epsilon/2 has an event for which P(Z in E) > e^epsilon1 P(Z in E + epsilon/2) + delta/2, or a dilation by
   e^l with l = 33/50, which the lemma allows, has one for which P(Z in E) > e^epsilon2 P(Z in e^l E) + delta/2. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Establish Require Import spec_formulas common improper laplace_normalized intervals.
Import ListNotations.
Open Scope R_scope.

Definition moved (d : R) (E : intervals) : intervals :=
  map (fun i : R * R => (fst i + d, snd i + d)) E.
Definition stretched (l : R) (E : intervals) : intervals :=
  map (fun i : R * R => (exp l * fst i, exp l * snd i)) E.
(* Definition 8.3 for slides: |d| <= a costs at most e^cost and half of delta. *)
Definition sliding_admissible (density : R -> R) (a cost delta : R) : Prop :=
  forall d, Rabs d <= a -> forall E, ordered m_infty E ->
  measure_of density E <= exp cost * measure_of density (moved d E) + delta / 2.
(* Definition 8.3 for dilations: |l| <= b costs at most e^cost and half of delta. *)
Definition dilation_admissible (density : R -> R) (b cost delta : R) : Prop :=
  forall l, Rabs l <= b -> forall E, ordered m_infty E ->
  measure_of density E <= exp cost * measure_of density (stretched l E) + delta / 2.
(* Definition 8.3, for some division of epsilon. *)
Definition admissible (density : R -> R) (a b epsilon delta : R) : Prop :=
  exists epsilon1 epsilon2, epsilon1 + epsilon2 = epsilon /\
    sliding_admissible density a epsilon1 delta /\ dilation_admissible density b epsilon2 delta.

Definition below_zero : intervals := [(- (20), 0)].
Definition tails : intervals := [(- (20), - (285 / 100)); (285 / 100, 20)].

Lemma slide_takes_half cost : sliding_admissible (laplace_density 0 1) (4 / 2) cost (1 / 20) ->
  7 <= exp cost.
Proof.
  intros h; specialize (h (- (2)) ltac:(rewrite Rabs_left; lra) below_zero ltac:(simpl; repeat split; lra)).
  unfold measure_of, moved, below_zero in h; simpl in h; rewrite !laplace_interval in h by lra.
  rewrite !(left_cdf 0 1) in h by lra.
  apply Rnot_lt_le; intros small; revert h; apply Rlt_not_le.
  set (p := exp (/ 1 * (0 + - (2) - 0)) / 2 - exp (/ 1 * (- (20) + - (2) - 0)) / 2).
  assert (p0 : 0 < p <= 677 / 10000) by (unfold p; split; interval).
  apply Rle_lt_trans with (7 * p + 1 / 20 / 2).
  - pose proof (Rmult_le_compat_r p (exp cost) 7); lra.
  - assert (4995 / 10000 < exp (/ 1 * (0 - 0)) / 2 - exp (/ 1 * (- (20) - 0)) / 2) by interval; lra.
Qed.

Lemma dilation_takes_more cost :
  dilation_admissible (laplace_density 0 1) (4 / (2 * ln (1 / (1 / 20)))) cost (1 / 20) ->
  exp 4 < 7 * exp cost.
Proof.
  intros h; specialize (h (33 / 50)).
  assert (small : Rabs (33 / 50) <= 4 / (2 * ln (1 / (1 / 20)))) by interval.
  specialize (h small tails ltac:(simpl; repeat split; lra)).
  unfold measure_of, stretched, tails in h; simpl in h.
  pose proof (exp_pos (33 / 50)) as e0.
  rewrite !laplace_interval in h by lra.
  rewrite (left_cdf 0 1 (- (20))), (left_cdf 0 1 (- (285 / 100))), (right_cdf 0 1 (285 / 100)),
    (right_cdf 0 1 20), (left_cdf 0 1 (exp (33 / 50) * - (20))),
    (left_cdf 0 1 (exp (33 / 50) * - (285 / 100))), (right_cdf 0 1 (exp (33 / 50) * (285 / 100))),
    (right_cdf 0 1 (exp (33 / 50) * 20)) in h by nra.
  apply Rnot_le_lt; intros most; revert h; apply Rlt_not_le.
  match goal with |- exp cost * ?q + _ < _ => set (p := q) end.
  assert (p0 : 0 < p) by (unfold p; interval).
  apply Rle_lt_trans with (exp 4 / 7 * p + 1 / 20 / 2).
  - pose proof (Rmult_le_compat_r p (exp cost) (exp 4 / 7)); lra.
  - unfold p; interval.
Qed.

Theorem lemma_9_1_is_false :
  ~ admissible (laplace_density 0 1) (4 / 2) (4 / (2 * ln (1 / (1 / 20)))) 4 (1 / 20).
Proof.
  intros (cost1 & cost2 & sum & slides & dilates).
  apply slide_takes_half in slides; apply dilation_takes_more in dilates; revert dilates; apply Rle_not_lt.
  rewrite <- sum, exp_plus; apply Rmult_le_compat_r; [left; apply exp_pos|exact slides].
Qed.
