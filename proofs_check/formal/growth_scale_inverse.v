(* The way back from the growth scale, phi^-1, as spec/ computes it; and noise on the scale carried to outputs by any
   Borel function, phi^-1 among them: nothing more is lost. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge.
From Establish Require Import pieces growth_scale_steps lipschitz_on_a_scale growth_scale_release.
Open Scope R_scope.

Section Inverse.
Variable alpha : R.
Variable a0 : 0 < alpha.

(* The least whole j >= 0 with y + j >= 0. *)
Definition inverse_joint (y : R) : Z := Z.max 0 (ceiling (- y)).
Definition phi_inverse (y : R) : R := growth_inverse_piece y (IZR (inverse_joint y)) alpha.

Lemma inverse_joint_at_most y k : (inverse_joint y <= k)%Z <-> (0 <= k)%Z /\ - IZR k <= y.
Proof.
  unfold inverse_joint; rewrite Z.max_lub_iff, ceiling_at_most; split; intros [h i]; split; auto; lra.
Qed.

Lemma power_of_growth z : exp (z * ln (1 + alpha)) = Rpower (1 + alpha) z.
Proof. reflexivity. Qed.

(* The piece that an output lies on is the one that it was computed with. *)
Lemma same_joint y : joint alpha (phi_inverse y) = inverse_joint y.
Proof.
  pose proof (log_pos alpha a0) as l; set (j := inverse_joint y).
  destruct (proj1 (inverse_joint_at_most y j) (Z.le_refl _)) as [j0 reach].
  assert (e : phi_inverse y + IZR j = exp ((y + IZR j) * ln (1 + alpha)) / alpha)
    by (unfold phi_inverse, growth_inverse_piece; fold j; ring).
  assert (one : 1 <= exp ((y + IZR j) * ln (1 + alpha))).
  { apply Rle_trans with (exp 0); [rewrite exp_0; lra|apply exp_le, Rmult_le_pos; lra]. }
  assert (i : 0 < / alpha) by (apply Rinv_0_lt_compat; lra).
  apply Z.le_antisymm.
  - apply joint_at_most; split; [exact j0|].
    assert (1 / alpha <= phi_inverse y + IZR j) by (rewrite e; apply Rmult_le_compat_r; lra); lra.
  - destruct (Z_le_dec (joint alpha (phi_inverse y)) (j - 1)) as [low|]; [exfalso|lia].
    destruct (Z.eq_dec j 0) as [z|nz]; [pose proof (joint_nonneg alpha (phi_inverse y)); lia|].
    apply joint_at_most in low; destruct low as [_ low]; rewrite minus_IZR in low.
    assert (past : y + IZR j < 1).
    { destruct (Rlt_dec (y + IZR j) 1) as [h|h]; [exact h|exfalso].
      assert (inverse_joint y <= j - 1)%Z by (apply inverse_joint_at_most; rewrite minus_IZR; split; [lia|lra]).
      fold j in H; lia. }
    assert (few : exp ((y + IZR j) * ln (1 + alpha)) < 1 + alpha).
    { rewrite <- (exp_ln (1 + alpha)) at 2 by lra; apply exp_increasing.
      rewrite <- (Rmult_1_l (ln (1 + alpha))) at 2; apply Rmult_lt_compat_r; lra. }
    assert (phi_inverse y + IZR j < (1 + alpha) / alpha) by (rewrite e; apply Rmult_lt_compat_r; lra).
    replace ((1 + alpha) / alpha) with (1 / alpha + 1) in H by (field; lra); lra.
Qed.

Theorem phi_of_inverse y : phi alpha (phi_inverse y) = y.
Proof.
  pose proof (log_pos alpha a0) as l; unfold phi; rewrite same_joint; unfold growth_piece, phi_inverse, growth_inverse_piece.
  set (j := IZR (inverse_joint y)).
  replace (alpha * (exp ((y + j) * ln (1 + alpha)) / alpha - j + j)) with (exp ((y + j) * ln (1 + alpha))) by (field; lra).
  rewrite ln_exp; field; lra.
Qed.

Lemma phi_strictly x y : x < y -> phi alpha x < phi alpha y.
Proof.
  intros lt; pose proof (log_pos alpha a0) as l; pose proof (joint_reaches alpha x); pose proof (over_pos alpha a0).
  apply Rlt_le_trans with (growth_piece y (IZR (joint alpha x)) alpha).
  - unfold phi, growth_piece; apply Rplus_lt_compat_r, Rmult_lt_compat_r; [apply Rinv_0_lt_compat, l|].
    apply ln_increasing; [apply Rmult_lt_0_compat; lra|apply Rmult_lt_compat_l; lra].
  - apply largest_piece; [exact a0|apply joint_nonneg|lra].
Qed.

Theorem inverse_of_phi x : phi_inverse (phi alpha x) = x.
Proof.
  destruct (Rtotal_order (phi_inverse (phi alpha x)) x) as [h|[h|h]]; [|exact h|];
    apply phi_strictly in h; rewrite phi_of_inverse in h; lra.
Qed.

Lemma inverse_borel : borel_function phi_inverse.
Proof.
  apply (@borel_by_pieces _ inverse_joint (fun k y => growth_inverse_piece y (IZR k) alpha) (fun _ => m_infty)).
  - intros k; destruct (Z_le_dec 0 k) as [k0|k0].
    + rewrite (@same_set _ (fun y => - IZR k <= y)); [apply borel_from|].
      intros y; rewrite inverse_joint_at_most; tauto.
    + rewrite (@same_set _ (fun _ => False)); [apply borel_nothing|].
      intros y; rewrite inverse_joint_at_most; tauto.
  - intros k y _; unfold growth_inverse_piece; reg.
  - intros y; exact I.
  - intros y; reflexivity.
Qed.
End Inverse.

(* The output is computed from a number whose law has the density [law]: P(g (Y) in E) <= e^epsilon P'(g (Y) in E). *)
Definition computed_private {dataset : Type} (neighbors : dataset -> dataset -> Prop) (epsilon : R)
    (law : dataset -> R -> R) (g : R -> R) : Prop :=
  forall D D', neighbors D D' -> forall event, borel event ->
  at_most_times (exp epsilon) (probability (law D) (fun y => event (g y))) (probability (law D') (fun y => event (g y))).

(* The law of phi (n) + W, where ln of the density of W is [noise]. *)
Definition around_the_place {A V : Type} (noise : R -> R) (alpha : R) (q : cell A V) (D : dataset A V) (y : R) : R :=
  exp (noise (y - growth_place alpha q D)).

Theorem computed_from_the_scale (A V : Type) alpha epsilon noise g : 0 < alpha ->
  bounded_slide epsilon noise -> borel_function noise -> borel_function g ->
  (forall b, computed_private (strong_neighbors alpha) epsilon
    (around_the_place noise alpha (establishment_cell (A := A) (V := V) b)) g) /\
  (forall q : cell A V, computed_private (weak_neighbors alpha) epsilon (around_the_place noise alpha q) g).
Proof.
  intros a0 slide bn bg.
  assert (any : forall q (neighbors : dataset A V -> dataset A V -> Prop),
    one_unit_apart neighbors (growth_place alpha q) -> computed_private neighbors epsilon (around_the_place noise alpha q) g).
  { intros q neighbors apart D D' near event mE; apply computed_from_the_output with neighbors; [|apply bg, mE|exact near].
    apply (noise_on_a_scale _ _ (growth_place alpha q) (fun y => y) (fun _ => 0) epsilon noise); auto.
    - apply continuous_is_borel; intros; apply derivable_continuous_pt, derivable_pt_id.
    - apply continuous_is_borel; intros; apply continuity_pt_const; intros x y; reflexivity.
    - intros D0 o; unfold around_the_place, on_scale; rewrite Rplus_0_r; reflexivity. }
  split; [intros b|intros q]; apply any; [apply strong_apart|apply weak_apart]; exact a0.
Qed.
