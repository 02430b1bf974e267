(* Growth-Staircase: a staircase law on the growth scale, whatever the ends of its flat part. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge.
From Establish Require Import pieces growth_scale_steps lipschitz_on_a_scale growth_scale_release.
Open Scope R_scope.

Section Steps.
Variables down up : R.
(* How many steps lie between the flat part and w: max(0, ceil(w - r2), ceil(-r1 - w)). *)
Definition steps (w : R) : Z := Z.max 0 (Z.max (ceiling (w - up)) (ceiling (- down - w))).

Lemma steps_at_most w k : (steps w <= k)%Z <-> (0 <= k)%Z /\ - down - IZR k <= w /\ w <= up + IZR k.
Proof.
  unfold steps; rewrite !Z.max_lub_iff, !ceiling_at_most; split.
  - intros (h & i & j); repeat split; auto; lra.
  - intros (h & i & j); repeat split; auto; lra.
Qed.

Lemma one_step_more w d : Rabs d <= 1 -> (steps (w + d) <= steps w + 1)%Z.
Proof.
  intros h; apply Rabs_le_between in h.
  destruct (proj1 (steps_at_most w (steps w)) (Z.le_refl _)) as (p & l & m).
  apply steps_at_most; rewrite plus_IZR; split; [lia|lra].
Qed.

Lemma steps_borel k : borel (fun w => (steps w <= k)%Z).
Proof.
  destruct (Z_le_dec 0 k) as [k0|k0].
  - rewrite (@same_set _ (fun w => - down - IZR k <= w /\ w <= up + IZR k)); [apply borel_between|].
    intros w; rewrite steps_at_most; tauto.
  - rewrite (@same_set _ (fun _ => False)); [apply borel_nothing|].
    intros w; rewrite steps_at_most; tauto.
Qed.

Definition staircase_noise (epsilon w : R) : R := staircase_step_log_density (IZR (steps w)) down up epsilon.

Lemma staircase_slides epsilon : 0 <= epsilon -> bounded_slide epsilon (staircase_noise epsilon).
Proof.
  intros e0 w d h; unfold staircase_noise, staircase_step_log_density.
  pose proof (one_step_more w d h) as k; apply IZR_le in k; rewrite plus_IZR in k.
  assert (epsilon * (IZR (steps (w + d)) - IZR (steps w)) <= epsilon * 1) by (apply Rmult_le_compat_l; lra); lra.
Qed.

Lemma staircase_borel epsilon : borel_function (staircase_noise epsilon).
Proof.
  apply (@borel_by_pieces _ steps (fun k _ => staircase_step_log_density (IZR k) down up epsilon) (fun _ => m_infty)).
  - apply steps_borel.
  - intros k w _; apply continuity_pt_const; intros x y; reflexivity.
  - intros w; exact I.
  - intros w; reflexivity.
Qed.
End Steps.

Section GrowthStaircase.
Variables (A V : Type).
Definition growth_staircase (alpha epsilon down up : R) (q : cell A V) (D : dataset A V) (o : R) : R :=
  exp (growth_staircase_log_density o (IZR (joint alpha o)) down up alpha epsilon
    (IZR (steps down up (phi alpha o - growth_place alpha q D)))).

Theorem growth_staircase_is_private alpha epsilon down up : 0 < alpha -> 0 < epsilon -> 0 <= down -> 0 <= up ->
  (forall b, private (strong_neighbors alpha) m_infty epsilon
    (growth_staircase alpha epsilon down up (establishment_cell (V := V) b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (growth_staircase alpha epsilon down up q)).
Proof.
  intros a0 e0 _ _; apply (noise_on_the_growth_scale A V alpha epsilon _ (growth_staircase alpha epsilon down up) a0
    (staircase_slides down up epsilon (Rlt_le _ _ e0)) (staircase_borel down up epsilon)).
  intros q D o; reflexivity.
Qed.
End GrowthStaircase.

Arguments growth_staircase {A V}.
