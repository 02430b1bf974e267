(* Growth-Laplace: the density of the release is that of spec/, and it is (alpha, epsilon)-private for strong and weak
   neighbors, for all alpha, epsilon > 0 and all counts. *)
From Coq Require Import Reals Lra ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge laplace_loss.
From Establish Require Import pieces growing_parts growth_scale_steps lipschitz_on_a_scale growth_scale_release.
From Establish Require Import growth_scale_inverse laplace_normalized lebesgue_line.
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

Lemma laplace_continuous center scale o : continuous (fun w => laplace_log_density w center scale) o.
Proof.
  unfold laplace_log_density; apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_opp (V := R_NormedModule)), abs_continuous.
  apply continuous_to_continuity; reg.
Qed.

Lemma laplace_borel scale : borel_function (fun w => laplace_log_density w 0 scale).
Proof. apply continuous_is_borel; intros o; apply continuous_to_continuity, laplace_continuous. Qed.

Theorem growth_laplace_is_private alpha epsilon : 0 < alpha -> 0 < epsilon ->
  (forall b, private (strong_neighbors alpha) m_infty epsilon (growth_laplace alpha epsilon (establishment_cell (V := V) b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (growth_laplace alpha epsilon q)).
Proof.
  intros a0 e0; apply (noise_on_the_growth_scale A V alpha epsilon _ (growth_laplace alpha epsilon) a0
    (laplace_slides epsilon e0) (laplace_borel (1 / epsilon))).
  intros q D o; unfold growth_laplace, on_scale, laplace_log_density; rewrite Rminus_0_r; reflexivity.
Qed.

(* phi^-1 (phi (n) + W) itself, W with the density of spec/: of mass 1, and private; so is whatever else is computed from
   phi (n) + W. *)
Theorem growth_laplace_release_is_private alpha epsilon (g : R -> R) : 0 < alpha -> 0 < epsilon ->
  g = phi_inverse alpha \/ borel_function g ->
  let law := around_the_place (A := A) (V := V) (fun w => laplace_log_density w 0 (1 / epsilon)) alpha in
  (forall (q : cell A V) D, is_density (law q D)) /\
  (forall b, computed_private (strong_neighbors alpha) epsilon (law (establishment_cell b)) g) /\
  (forall q, computed_private (weak_neighbors alpha) epsilon (law q) g).
Proof.
  intros a0 e0 computed law; split.
  - intros q D; unfold is_density, has_probability.
    rewrite (@same_on_event _ (laplace_density (growth_place alpha q D) (1 / epsilon))).
    + apply line_is_improper; [intros o; apply exp_continuous, laplace_continuous|intros o; left; apply exp_pos|].
      apply laplace_normalized.mass_is_one, Rdiv_lt_0_compat; lra.
    + intros o _; unfold law, around_the_place, laplace_density, laplace_log_density; rewrite Rminus_0_r; reflexivity.
  - apply computed_from_the_scale; [exact a0|apply laplace_slides, e0|apply laplace_borel|].
    destruct computed as [e|bg]; [rewrite e; apply inverse_borel|exact bg].
Qed.
End GrowthLaplace.

Arguments growth_laplace {A V}.
