(* Algorithm 1 with half of its printed noise, scale ln(1 + alpha)/epsilon, is (alpha, epsilon)-ER-EE private
   for establishment attributes, and weakly so for cells that use worker attributes too. It loses exactly
   epsilon: no smaller level is true, for any cell that can hold a worker. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas datasets bridge log_laplace.
Open Scope R_scope.

Theorem tight_is_private (A V : Type) (b : A -> bool) (q : cell A V) (alpha epsilon : R) :
  0 < alpha -> 0 < epsilon ->
  let scale := log_laplace_tight_scale alpha epsilon in
  let strongly := fun loss => private (strong_neighbors alpha) (lowest_output alpha) loss
    (log_laplace (V := V) alpha scale (establishment_cell b)) in
  let weakly := fun loss => private (weak_neighbors alpha) (lowest_output alpha) loss
    (log_laplace alpha scale q) in
  strongly epsilon /\ weakly epsilon /\
  (forall a (v : V), b a = true -> forall loss, strongly loss <-> epsilon <= loss) /\
  (forall a v, q a v = true -> forall loss, weakly loss <-> epsilon <= loss).
Proof.
  intros a0 e0 scale strongly weakly; destruct (tight_scale_pos alpha epsilon a0 e0) as [s0 is].
  split; [apply strong_private; [exact a0|exact s0|right; exact is]|].
  split; [apply weak_private; [exact a0|exact s0|right; exact is]|split].
  - intros a v inside; apply (tight_level_strong A V alpha _ _ b a v a0 s0 is inside).
  - intros a v inside; apply (tight_level_weak A V alpha _ _ q a v a0 s0 is inside).
Qed.
