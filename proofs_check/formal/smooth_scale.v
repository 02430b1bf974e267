(* Noise on the scale S = max (alpha x, 1), x the largest count of an establishment: in units of the smaller of two scales
   neighbors slide the noise by d and stretch it by m, and what such moves cost is what is lost. *)
From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge pieces log_laplace smooth_sensitivity.
Open Scope R_scope.

(* The scale grows by alpha times what the count does. *)
Lemma scale_grows_with_the_count alpha l l' : 0 < alpha -> one_grows alpha l l' ->
  smooth_bound alpha l' <= smooth_bound alpha l + alpha * (total l' - total l).
Proof.
  intros a0 (_ & _ & b & x & y & a & -> & -> & [xy _]); unfold smooth_bound, growth_bound.
  rewrite !total_app, !largest_app; simpl.
  replace (total b + (y + total a) - (total b + (x + total a))) with (y - x) by ring.
  set (p := largest b); set (q := largest a).
  assert (Rmax p (Rmax y q) <= Rmax p (Rmax x q) + (y - x)).
  { pose proof (Rmax_l p (Rmax x q)); pose proof (Rmax_r p (Rmax x q)); pose proof (Rmax_l x q); pose proof (Rmax_r x q).
    repeat apply Rmax_lub; lra. }
  assert (alpha * Rmax p (Rmax y q) <= alpha * (Rmax p (Rmax x q) + (y - x))) by (apply Rmult_le_compat_l; lra).
  pose proof (Rmax_l (alpha * Rmax p (Rmax x q)) 1); pose proof (Rmax_r (alpha * Rmax p (Rmax x q)) 1).
  assert (0 <= alpha * (y - x)) by (apply Rmult_le_pos; lra).
  apply Rmax_lub; lra.
Qed.

Section Scale.
Variables (A V : Type) (log_noise : R -> R).
(* The density of n + S Z on D, where the density of Z is exp of [log_noise]. *)
Definition at_smooth_scale (alpha : R) (q : cell A V) (D : dataset A V) (o : R) : R :=
  let s := smooth_bound alpha (contributions q D) in exp (log_noise ((o - count q D) / s) - ln s).

(* z = m w + d: what an output is in units of the smaller scale, and of the larger one. *)
Definition bounded_moves (alpha epsilon : R) : Prop := forall w m d, 0 <= d <= 1 -> 1 <= m <= 1 + alpha * d ->
  - epsilon <= log_noise (m * w + d) - log_noise w + ln m <= epsilon.

Theorem private_at_smooth_scale alpha epsilon : 0 < alpha -> borel_function log_noise -> bounded_moves alpha epsilon ->
  (forall b, private (strong_neighbors alpha) m_infty epsilon (at_smooth_scale alpha (establishment_cell b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (at_smooth_scale alpha q)).
Proof.
  intros a0 borel moves.
  assert (lawful_ : forall q D, lawful m_infty (at_smooth_scale alpha q D)).
  { intros q D; apply borel_is_lawful; [|intros o; left; apply exp_pos]; unfold at_smooth_scale.
    apply (@borel_of exp); [apply continuous_is_borel; intros; apply derivable_continuous_pt, derivable_pt_exp|].
    apply (@borel_sum (fun o => log_noise ((o - count q D) / smooth_bound alpha (contributions q D)))).
    - apply (@borel_of log_noise (fun o => (o - count q D) / smooth_bound alpha (contributions q D))); [exact borel|].
      apply continuous_is_borel; intros; unfold Rdiv; reg.
    - apply continuous_is_borel; intros o; apply continuity_pt_const; intros x y; reflexivity. }
  assert (both : forall l l' o, one_grows alpha l l' ->
    let law := fun l => log_noise ((o - total l) / smooth_bound alpha l) - ln (smooth_bound alpha l) in
    law l - law l' <= epsilon /\ law l' - law l <= epsilon).
  { intros l l' o g law; pose proof (smooth_bound_pos alpha l) as s0; pose proof (smooth_bound_pos alpha l') as t0.
    destruct (one_step_bounds alpha l l' a0 g) as [[d0 slid] [low high]].
    pose proof (scale_grows_with_the_count alpha l l' a0 g) as grown.
    set (s := smooth_bound alpha l) in *; set (t := smooth_bound alpha l') in *.
    set (d := (total l' - total l) / s); set (m := t / s); set (w := (o - total l') / t).
    assert (db : 0 <= d <= 1).
    { unfold d; split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|apply Rle_div_l; lra]. }
    assert (mb : 1 <= m <= 1 + alpha * d).
    { unfold m, d; split; [apply Rle_div_r; lra|apply Rle_div_l; [lra|]].
      replace ((1 + alpha * ((total l' - total l) / s)) * s) with (s + alpha * (total l' - total l)) by (field; lra); lra. }
    pose proof (moves w m d db mb) as h.
    assert (e : (o - total l) / s = m * w + d) by (unfold m, w, d; field; lra).
    assert (lm : ln m = ln t - ln s) by (unfold m; rewrite ln_div by lra; reflexivity).
    unfold law; fold s t; rewrite e; fold w; lra. }
  split; [intros b|intros q]; (apply bound_at_every_output; [intros D; apply lawful_|]); intros D D' o near _; apply exp_ratio.
  - destruct (strong_lists A V alpha b D D' near) as [h|h]; apply (both _ _ o) in h; apply h.
  - destruct (weak_lists A V alpha q D D' near) as [h|h]; apply (both _ _ o) in h; apply h.
Qed.
End Scale.

Arguments at_smooth_scale {A V}.
