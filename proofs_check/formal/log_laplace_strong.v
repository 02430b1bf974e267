(* Theorem 8.1 of Haney et al. 2017, first part. Algorithm 1 with its printed scale, for the count of the
   workers of all establishments with given public attributes, is (alpha, epsilon)-ER-EE private for strong
   neighbors. It loses exactly epsilon/2: as soon as the cell can hold an establishment at all, it is private
   at a level when and only when that level is at least epsilon/2. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas datasets bridge log_laplace.
Open Scope R_scope.

Theorem published_is_private (A V : Type) (b : A -> bool) (alpha epsilon : R) :
  0 < alpha -> 0 < epsilon ->
  let mechanism := log_laplace (V := V) alpha (log_laplace_published_scale alpha epsilon)
    (establishment_cell b) in
  let at_level := fun loss => private (strong_neighbors alpha) (lowest_output alpha) loss mechanism in
  at_level epsilon /\
  forall (a : A) (v : V), b a = true -> forall loss, at_level loss <-> epsilon / 2 <= loss.
Proof.
  intros a0 e0 mechanism at_level; destruct (published_scale_pos alpha epsilon a0 e0) as [s0 is].
  split; [apply strong_private; [exact a0|exact s0|lra]|].
  intros a v inside; apply (tight_level_strong A V alpha _ _ b a v a0 s0 is inside).
Qed.
