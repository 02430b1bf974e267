(* Theorem 8.1 of Haney et al. 2017, second part. Algorithm 1 with its printed scale, for the count of the
   workers of a cell of establishment and worker attributes, is weakly (alpha, epsilon)-ER-EE private. It
   loses exactly epsilon/2, for every cell that can hold a worker at all. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas datasets bridge log_laplace.
Open Scope R_scope.

Theorem published_is_private (A V : Type) (q : cell A V) (alpha epsilon : R) :
  0 < alpha -> 0 < epsilon ->
  let mechanism := log_laplace alpha (log_laplace_published_scale alpha epsilon) q in
  let at_level := fun loss => private (weak_neighbors alpha) (lowest_output alpha) loss mechanism in
  at_level epsilon /\
  forall a v, q a v = true -> forall loss, at_level loss <-> epsilon / 2 <= loss.
Proof.
  intros a0 e0 mechanism at_level; destruct (published_scale_pos alpha epsilon a0 e0) as [s0 is].
  split; [apply weak_private; [exact a0|exact s0|lra]|].
  intros a v inside; apply (tight_level_weak A V alpha _ _ q a v a0 s0 is inside).
Qed.
