(* Growth-Laplace: the density of the release is that of spec/, and it is (alpha, epsilon)-private for strong and weak
   neighbors, for all alpha, epsilon > 0 and all counts. *)
From Coq Require Import Reals Lra ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge laplace_loss.
From Establish Require Import pieces growth_scale_steps lipschitz_on_a_scale growth_scale_release.
Open Scope R_scope.

Section GrowthLaplace.
Variables (A V : Type).
Definition growth_laplace (alpha epsilon : R) (q : cell A V) (D : dataset A V) (o : R) : R :=
  exp (growth_laplace_log_density o (IZR (joint alpha o)) (growth_place alpha q D) alpha epsilon).

Lemma laplace_slides epsilon : 0 < epsilon -> bounded_slide epsilon (fun w => laplace_log_density w 0 (1 / epsilon)).
Proof.
  intros e0 w d h; unfold laplace_log_density; rewrite !Rminus_0_r.
  replace (_ - _) with (epsilon * (Rabs (w + d) - Rabs w)) by (field; lra).
  pose proof (Rabs_triang w d).
  assert (epsilon * (Rabs (w + d) - Rabs w) <= epsilon * 1) by (apply Rmult_le_compat_l; lra); lra.
Qed.

Lemma laplace_borel scale : borel_function (fun w => laplace_log_density w 0 scale).
Proof.
  apply continuous_is_borel; intros o; apply continuous_to_continuity; unfold laplace_log_density.
  apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_opp (V := R_NormedModule)), abs_continuous.
  apply continuous_to_continuity; reg.
Qed.

Theorem growth_laplace_is_private alpha epsilon : 0 < alpha -> 0 < epsilon ->
  (forall b, private (strong_neighbors alpha) m_infty epsilon (growth_laplace alpha epsilon (establishment_cell (V := V) b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (growth_laplace alpha epsilon q)).
Proof.
  intros a0 e0; apply (noise_on_the_growth_scale A V alpha epsilon _ (growth_laplace alpha epsilon) a0
    (laplace_slides epsilon e0) (laplace_borel (1 / epsilon))).
  intros q D o; unfold growth_laplace, on_scale, laplace_log_density; rewrite Rminus_0_r; reflexivity.
Qed.

(* Before the way back: phi (n) + W itself is private, and with it every g (phi (n) + W), for the inverse of phi, for
   rounding and clipping and for every scale without bias. (That this law has the probability 1: lebesgue_laws.v.) *)
Theorem any_scale_of_outputs alpha epsilon q (neighbors : dataset A V -> dataset A V -> Prop) (T : Type) (g : R -> T)
    (event : T -> Prop) : 0 < epsilon -> one_unit_apart neighbors (growth_place alpha q) ->
  borel (fun y => event (g y)) ->
  let law := fun D y => exp (laplace_log_density y (growth_place alpha q D) (1 / epsilon)) in
  forall D D', neighbors D D' ->
  at_most_times (exp epsilon) (probability (law D) (fun y => event (g y))) (probability (law D') (fun y => event (g y))).
Proof.
  intros e0 apart m law D D' near; apply computed_from_the_output with neighbors; [|exact m|exact near].
  apply (laplace_private _ _ (growth_place alpha q) 1 (1 / epsilon)).
  - apply Rdiv_lt_0_compat; lra.
  - right; field; lra.
  - exact apart.
Qed.
End GrowthLaplace.

Arguments growth_laplace {A V}.
