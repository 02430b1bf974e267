(* Algorithm 3 of Haney et al. 2017, Smooth Laplace: n + (2/epsilon) S Z on a dataset, with n the count of a cell,
   S = max(alpha x, 1) for its largest establishment count x, and Z of Laplace's law. *)
From Coq Require Import Reals List.
From Establish Require Import spec_formulas datasets laplace_normalized.
Open Scope R_scope.

Definition smooth_laplace {A V} (alpha epsilon : R) (q : cell A V) (D : dataset A V) : R -> R :=
  laplace_density (count q D)
    (growth_bound (largest (contributions q D)) alpha * smooth_laplace_noise_multiplier epsilon).
