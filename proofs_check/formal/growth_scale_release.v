(* Noise on the growth scale: phi and its slope are Borel functions, and strong and weak neighbors are at most one unit
   apart. So every noise with a bounded slide is private there. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace.
From Establish Require Import pieces growth_scale_steps lipschitz_on_a_scale.
Open Scope R_scope.

Section GrowthScale.
Variables (A V : Type).
Definition growth_place (alpha : R) (q : cell A V) (D : dataset A V) : R := phi alpha (count q D).
(* ln of the slope of phi at o: what the densities of spec/ end with. *)
Definition growth_slope (alpha o : R) : R := growth_piece_log_slope o (IZR (joint alpha o)) alpha.

Lemma strong_apart alpha b : 0 < alpha ->
  one_unit_apart (strong_neighbors alpha) (growth_place alpha (establishment_cell (V := V) b)).
Proof.
  intros a0 D D' near; unfold growth_place, count.
  destruct (strong_lists A V alpha b D D' near) as [h|h];
    pose proof (one_step alpha a0 _ _ h); apply Rabs_le; lra.
Qed.

Lemma weak_apart alpha q : 0 < alpha -> one_unit_apart (weak_neighbors alpha) (growth_place alpha q).
Proof.
  intros a0 D D' near; unfold growth_place, count.
  destruct (weak_lists A V alpha q D D' near) as [h|h];
    pose proof (one_step alpha a0 _ _ h); apply Rabs_le; lra.
Qed.

Lemma joints_borel alpha k : borel (fun o => (joint alpha o <= k)%Z).
Proof.
  destruct (Z_le_dec 0 k) as [k0|k0].
  - rewrite (@same_set _ (fun o => 1 / alpha - IZR k <= o)); [apply borel_from|].
    intros o; rewrite joint_at_most; tauto.
  - rewrite (@same_set _ (fun _ => False)); [apply borel_nothing|].
    intros o; rewrite joint_at_most; tauto.
Qed.

Lemma beyond_the_joint alpha o : 0 < alpha -> above (Finite (- IZR (joint alpha o))) o.
Proof. intros a0; simpl; pose proof (joint_reaches alpha o); pose proof (over_pos alpha a0); lra. Qed.

Lemma phi_borel alpha : 0 < alpha -> borel_function (phi alpha).
Proof.
  intros a0; apply (@borel_by_pieces _ (joint alpha) (fun k o => growth_piece o (IZR k) alpha) (fun k => Finite (- IZR k))).
  - apply joints_borel.
  - intros k o h; simpl in h; apply continuous_to_continuity; unfold growth_piece.
    apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
    apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
    apply ln_continuous; [apply Rmult_lt_0_compat; lra|].
    apply continuous_to_continuity; reg.
  - intros o; apply beyond_the_joint, a0.
  - intros o; reflexivity.
Qed.

Lemma slope_borel alpha : 0 < alpha -> borel_function (growth_slope alpha).
Proof.
  intros a0; pose proof (log_pos alpha a0) as l.
  apply (@borel_by_pieces _ (joint alpha) (fun k o => growth_piece_log_slope o (IZR k) alpha) (fun k => Finite (- IZR k))).
  - apply joints_borel.
  - intros k o h; simpl in h; apply continuous_to_continuity.
    apply (continuous_opp (V := R_NormedModule)), ln_continuous; [apply Rmult_lt_0_compat; lra|].
    apply continuous_to_continuity; reg.
  - intros o; apply beyond_the_joint, a0.
  - intros o; reflexivity.
Qed.

(* One theorem for every noise on the growth scale. *)
Theorem noise_on_the_growth_scale alpha epsilon noise (M : cell A V -> dataset A V -> R -> R) : 0 < alpha ->
  bounded_slide epsilon noise -> borel_function noise ->
  (forall q D o, M q D o = on_scale (growth_place alpha q) (phi alpha) (growth_slope alpha) noise D o) ->
  (forall b, private (strong_neighbors alpha) m_infty epsilon (M (establishment_cell b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (M q)).
Proof.
  intros a0 slide bn is; pose proof (phi_borel alpha a0) as bp; pose proof (slope_borel alpha a0) as bs.
  split; [intros b|intros q].
  - exact (noise_on_a_scale _ _ _ _ _ epsilon noise _ (strong_apart alpha b a0) slide bn bp bs (is _)).
  - exact (noise_on_a_scale _ _ _ _ _ epsilon noise _ (weak_apart alpha q a0) slide bn bp bs (is _)).
Qed.
End GrowthScale.

Arguments growth_place {A V}.
