(* Algorithm 2 with the exact constants of its noise, a = (epsilon - 3 ln(1 + alpha))/3^(3/4), is
   (alpha, epsilon)-ER-EE private for establishment attributes, and weakly so for cells that use worker
   attributes too, whenever 1 + alpha < exp(epsilon/3). *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge smooth_gamma_loss smooth_gamma.
Open Scope R_scope.

Theorem tight_is_private (A V : Type) (b : A -> bool) (q : cell A V) (alpha epsilon : R) :
  0 < alpha -> 1 + alpha < exp (epsilon / 3) ->
  let slide := smooth_gamma_tight_slide alpha epsilon in
  private (strong_neighbors alpha) m_infty epsilon
    (smooth_gamma (V := V) alpha slide (establishment_cell b))
  /\ private (weak_neighbors alpha) m_infty epsilon (smooth_gamma alpha slide q).
Proof.
  intros a0 small slide; apply ln_increasing in small; [|lra]; rewrite ln_exp in small.
  assert (s0 : 0 < slide) by (apply tight_slide_pos; lra).
  pose proof (tight_slide_cost alpha epsilon) as cost; fold slide in cost.
  split; [apply strong_private|apply weak_private]; try assumption; lra.
Qed.
