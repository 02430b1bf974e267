(* Lemma 9.1 of Haney et al. 2017 is false. Laplace(1) is not (epsilon/2, epsilon/(2 ln(1/delta)))-admissible:
   at epsilon = 4 and delta = 1/20, a dilation by e^l with l = 33/50, which the lemma allows, has an event for
   which P(Z in E) > e^(epsilon/2) P(Z in e^l E) + delta/2. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Establish Require Import spec_formulas common improper laplace_normalized intervals.
Import ListNotations.
Open Scope R_scope.

Definition stretched (l : R) (E : intervals) : intervals :=
  map (fun i : R * R => (exp l * fst i, exp l * snd i)) E.
(* Definition 8.3 for dilations: |l| <= b costs at most e^cost and half of delta. *)
Definition dilation_admissible (density : R -> R) (b cost delta : R) : Prop :=
  forall l, Rabs l <= b -> forall E, ordered m_infty E ->
  measure_of density E <= exp cost * measure_of density (stretched l E) + delta / 2.

Definition tails : intervals := [(- (20), - (285 / 100)); (285 / 100, 20)].

Theorem lemma_9_1_is_false :
  ~ dilation_admissible (laplace_density 0 1) (4 / (2 * ln (1 / (1 / 20)))) (4 / 2) (1 / 20).
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
  revert h; apply Rlt_not_le; interval.
Qed.
