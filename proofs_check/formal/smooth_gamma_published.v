(* Lemma 8.7 of Haney et al. 2017. Algorithm 2 as printed, with a = (epsilon - 5 ln(1 + alpha))/5, is
   (alpha, epsilon)-ER-EE private for establishment attributes, and weakly so for cells that use worker
   attributes too, whenever 1 + alpha < exp(epsilon/5). It is private at 3 epsilon/5 already. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge smooth_gamma_loss smooth_gamma.
Open Scope R_scope.

Theorem published_is_private (A V : Type) (b : A -> bool) (q : cell A V) (alpha epsilon loss : R) :
  0 < alpha -> 1 + alpha < exp (epsilon / 5) -> 3 / 5 * epsilon <= loss ->
  let slide := smooth_gamma_published_slide alpha epsilon in
  private (strong_neighbors alpha) m_infty loss (smooth_gamma (V := V) alpha slide (establishment_cell b))
  /\ private (weak_neighbors alpha) m_infty loss (smooth_gamma alpha slide q).
Proof.
  intros a0 small le slide; apply ln_increasing in small; [|lra]; rewrite ln_exp in small.
  assert (s0 : 0 < slide) by (unfold slide, smooth_gamma_published_slide; lra).
  pose proof (published_slide_cost alpha epsilon ltac:(lra)) as cost; fold slide in cost.
  split; [apply strong_private|apply weak_private]; try assumption; lra.
Qed.
