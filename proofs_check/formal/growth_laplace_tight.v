(* Growth-Laplace loses exactly epsilon: no smaller level is true, for a cell that may hold a worker. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace.
From Establish Require Import pieces growth_scale_steps lipschitz_on_a_scale growth_scale_release growth_laplace.
Open Scope R_scope.

Section Tight.
Variables (A V : Type).

Lemma one_worker_is_a_step alpha x : 0 < alpha -> x < 1 / alpha -> phi alpha (x + 1) = phi alpha x + 1.
Proof.
  intros a0 h.
  assert (e : joint alpha x = (joint alpha (x + 1) + 1)%Z).
  { unfold joint.
    assert (s : ceiling (1 / alpha - x) = (ceiling (1 / alpha - (x + 1)) + 1)%Z).
    { destruct (ceiling_is (1 / alpha - x)), (ceiling_is (1 / alpha - (x + 1))).
      assert (IZR (ceiling (1 / alpha - x)) < IZR (ceiling (1 / alpha - (x + 1)) + 2)) as a by (rewrite plus_IZR; lra).
      assert (IZR (ceiling (1 / alpha - (x + 1))) < IZR (ceiling (1 / alpha - x))) as b by lra.
      apply lt_IZR in a, b; lia. }
    assert (0 <= ceiling (1 / alpha - (x + 1)))%Z.
    { destruct (ceiling_is (1 / alpha - (x + 1))) as [b _].
      assert (IZR (-1) < IZR (ceiling (1 / alpha - (x + 1)))) as c by lra; apply lt_IZR in c; lia. }
    lia. }
  unfold phi; rewrite e, plus_IZR; unfold growth_piece.
  replace (x + (IZR (joint alpha (x + 1)) + 1)) with (x + 1 + IZR (joint alpha (x + 1))) by ring; ring.
Qed.

Lemma no_joint alpha o : 1 / alpha <= o -> joint alpha o = 0%Z.
Proof.
  intros h; pose proof (joint_nonneg alpha o); assert (joint alpha o <= 0)%Z by (apply joint_at_most; split; [lia|lra]); lia.
Qed.

Lemma first_piece_continuous alpha epsilon center o : 0 < alpha -> 0 < o ->
  continuity_pt (fun o => exp (growth_laplace_log_density o 0 center alpha epsilon)) o.
Proof.
  intros a0 o0; pose proof (log_pos alpha a0) as l.
  apply continuous_to_continuity, exp_continuous; unfold growth_laplace_log_density.
  assert (line : forall k, continuous (fun o => (o + 0) * k) o) by (intros k; apply continuous_to_continuity; reg).
  apply (continuous_plus (V := R_NormedModule)).
  - apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
    apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
    apply (continuous_opp (V := R_NormedModule)), abs_continuous.
    apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
    apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
    apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
    apply ln_continuous; [apply Rmult_lt_0_compat; lra|apply continuous_to_continuity; reg].
  - apply (continuous_opp (V := R_NormedModule)), ln_continuous; [apply Rmult_lt_0_compat; lra|apply line].
Qed.

Lemma loss_is_least alpha epsilon loss (neighbors : dataset A V -> dataset A V -> Prop) q a v :
  0 < alpha -> 0 < epsilon -> q a v = true -> neighbors (single_one A V a v) (empty_one A V a) ->
  private neighbors m_infty loss (growth_laplace alpha epsilon q) -> epsilon <= loss.
Proof.
  intros a0 e0 inside near priv; pose proof (over_pos alpha a0) as i.
  assert (one : count q (single_one A V a v) = 1).
  { unfold count, contributions, single_one, contribution, matching; simpl; rewrite inside; simpl; ring. }
  assert (zero : count q (empty_one A V a) = 0).
  { unfold count, contributions, empty_one, contribution, matching; simpl; ring. }
  assert (step : phi alpha 1 = phi alpha 0 + 1).
  { pose proof (one_worker_is_a_step alpha 0 a0 i) as h; rewrite Rplus_0_l in h; exact h. }
  pose (f := fun o => exp (growth_laplace_log_density o 0 (phi alpha 0) alpha epsilon)).
  pose (low := Rmax 1 (1 / alpha)).
  assert (1 <= low) by apply Rmax_l; assert (1 / alpha <= low) by apply Rmax_r.
  assert (cont : forall o, low <= o <= low + 1 -> continuity_pt f o) by (intros o h; apply first_piece_continuous; lra).
  destruct (continuity_ab_min f low (low + 1) ltac:(lra) cont) as (lo & least & _).
  destruct (continuity_ab_maj f low (low + 1) ltac:(lra) cont) as (hi & most & _).
  assert (is : forall o, low <= o -> growth_laplace alpha epsilon q (empty_one A V a) o = f o).
  { intros o h; unfold growth_laplace, growth_place, f; rewrite zero, no_joint by lra; reflexivity. }
  apply exp_le_inv.
  apply (@loss_at_least _ _ _ _ _ (single_one A V a v) (empty_one A V a) low (low + 1) (f lo) (f hi) (exp epsilon) priv near).
  - exact I.
  - lra.
  - apply exp_pos.
  - left; apply exp_pos.
  - intros o h k; rewrite is by exact h; apply least; lra.
  - intros o h k; rewrite is by exact h; apply most; lra.
  - intros o h k; right; unfold growth_laplace, growth_place; rewrite zero, one, <- exp_plus; f_equal.
    assert (phi alpha 1 <= phi alpha o) as up by (apply phi_rises; lra).
    unfold growth_laplace_log_density.
    change (ln (alpha * (o + IZR (joint alpha o))) / ln (1 + alpha) - IZR (joint alpha o)) with (phi alpha o).
    rewrite !Rabs_pos_eq by lra; rewrite step; field; lra.
Qed.

Theorem growth_laplace_loses_epsilon alpha epsilon (a : A) (v : V) : 0 < alpha -> 0 < epsilon ->
  (forall b, b a = true -> forall loss, private (strong_neighbors alpha) m_infty loss
    (growth_laplace alpha epsilon (establishment_cell (V := V) b)) <-> epsilon <= loss) /\
  (forall q : cell A V, q a v = true -> forall loss,
    private (weak_neighbors alpha) m_infty loss (growth_laplace alpha epsilon q) <-> epsilon <= loss).
Proof.
  intros a0 e0.
  assert (up : forall loss, epsilon <= loss ->
    (forall b : A -> bool, private (strong_neighbors (A := A) (V := V) alpha) m_infty loss (growth_laplace alpha epsilon (establishment_cell b))) /\
    (forall q : cell A V, private (weak_neighbors alpha) m_infty loss (growth_laplace alpha epsilon q))).
  { intros loss le.
    assert (slide : bounded_slide loss (fun w => laplace_log_density w 0 (1 / epsilon))).
    { intros w d h; pose proof (laplace_slides epsilon e0 w d h); lra. }
    apply (noise_on_the_growth_scale A V alpha loss _ (growth_laplace alpha epsilon) a0 slide (laplace_borel (1 / epsilon))).
    intros q D o; unfold growth_laplace, on_scale, laplace_log_density; rewrite Rminus_0_r; reflexivity. }
  split; [intros b inside loss|intros q inside loss]; (split; [|intros le; apply (up loss le)]).
  - apply (loss_is_least alpha epsilon loss _ (establishment_cell b) a v a0 e0 inside).
    apply empty_and_single_strong; exact a0.
  - apply (loss_is_least alpha epsilon loss _ q a v a0 e0 inside).
    apply empty_and_single_weak; exact a0.
Qed.
End Tight.

(* At every size the largest growth is one step: by a share from 1/alpha on, by one worker below; and one step costs epsilon
   at every output up to the smaller count. *)
Theorem every_size_loses_epsilon alpha epsilon : 0 < alpha -> 0 < epsilon ->
  (forall x, 1 / alpha <= x -> growth_piece ((1 + alpha) * x) 0 alpha = growth_piece x 0 alpha + 1) /\
  (forall x j, 0 <= x -> 0 <= j -> growth_piece (x + 1) j alpha = growth_piece x (j + 1) alpha + 1) /\
  (forall w, w <= 0 -> laplace_log_density w 0 (1 / epsilon) - laplace_log_density w 1 (1 / epsilon) = epsilon).
Proof.
  intros a0 e0; pose proof (log_pos alpha a0) as l; pose proof (over_pos alpha a0); split; [|split].
  - intros x h; unfold growth_piece.
    assert (0 < alpha * (x + 0)) by (apply Rmult_lt_0_compat; lra).
    replace (alpha * ((1 + alpha) * x + 0)) with ((1 + alpha) * (alpha * (x + 0))) by ring.
    rewrite ln_mult by lra; field; lra.
  - intros x j _ _; unfold growth_piece; replace (x + 1 + j) with (x + (j + 1)) by ring; ring.
  - intros w h; unfold laplace_log_density; rewrite !Rabs_left1 by lra; field; lra.
Qed.
