(* Lemma 8.5 of Haney et al. 2017, upper bound: S = max(alpha x, 1), for the largest count x of an
   establishment, bounds the change of the total, and ln S moves by at most ln(1 + alpha) in a step. *)
From Coq Require Import Reals Lra Psatz List.
From Establish Require Import spec_formulas common datasets.
Open Scope R_scope.

Definition smooth_bound (alpha : R) (l : list R) : R := growth_bound (largest l) alpha.

Lemma smooth_bound_pos alpha l : 0 < smooth_bound alpha l.
Proof. unfold smooth_bound, growth_bound; pose proof (Rmax_r (alpha * largest l) 1); lra. Qed.

(* One establishment grows from x to y; M and M' are the largest counts before and after. *)
Lemma one_establishment_grows alpha x y M M' : 0 < alpha -> 0 <= x -> x <= M -> M <= M' ->
  M' <= Rmax M y -> may_grow x y alpha ->
  0 <= y - x <= growth_bound M alpha /\
  growth_bound M alpha <= growth_bound M' alpha <= (1 + alpha) * growth_bound M alpha.
Proof.
  unfold growth_bound; intros a0 x0 xM MM' M'y [xy g].
  pose proof (Rmax_l (alpha * M) 1) as l; pose proof (Rmax_r (alpha * M) 1) as r.
  set (s := Rmax (alpha * M) 1) in *.
  assert (ax : alpha * x <= alpha * M) by (apply Rmult_le_compat_l; lra).
  assert (aM : alpha * M <= alpha * M') by (apply Rmult_le_compat_l; lra).
  assert (as1 : alpha * 1 <= alpha * s) by (apply Rmult_le_compat_l; lra).
  assert (aas : alpha * (alpha * x) <= alpha * s) by (apply Rmult_le_compat_l; lra).
  split; [destruct g; lra|split; [apply Rle_max_compat_r; exact aM|]].
  apply Rmax_lub; [|lra].
  assert (h : alpha * M' <= alpha * Rmax M y) by (apply Rmult_le_compat_l; lra).
  destruct (Rmax_case_strong M y (fun k => k = M \/ k = y)) as [e|e]; auto; rewrite e in h; [lra|].
  destruct g as [g|g].
  - assert (alpha * y <= alpha * ((1 + alpha) * x)) by (apply Rmult_le_compat_l; lra); lra.
  - assert (alpha * y <= alpha * (x + 1)) by (apply Rmult_le_compat_l; lra); lra.
Qed.

Lemma one_step_bounds alpha l l' : 0 < alpha -> one_grows alpha l l' ->
  0 <= total l' - total l <= smooth_bound alpha l /\
  smooth_bound alpha l <= smooth_bound alpha l' <= (1 + alpha) * smooth_bound alpha l.
Proof.
  intros a0 (pos & _ & b & x & y & a & -> & -> & g); unfold smooth_bound.
  apply Forall_app in pos; destruct pos as [_ pos]; inversion pos as [|? ? x0 _]; subst.
  rewrite !total_app, !largest_app; simpl.
  set (p := largest b); set (q := largest a).
  replace (total b + (y + total a) - (total b + (x + total a))) with (y - x) by ring.
  assert (xy : x <= y) by apply g.
  apply one_establishment_grows; try assumption.
  - apply Rle_trans with (2 := Rmax_r _ _), Rmax_l.
  - apply Rle_max_compat_l, Rle_max_compat_r, xy.
  - apply Rmax_lub; [|apply Rmax_lub].
    + apply Rle_trans with (2 := Rmax_l _ _), Rmax_l.
    + apply Rmax_r.
    + apply Rle_trans with (2 := Rmax_l _ _), Rle_trans with (2 := Rmax_r _ _), Rmax_r.
Qed.

Lemma bounds_the_change alpha l l' : 0 < alpha -> one_grows alpha l l' \/ one_grows alpha l' l ->
  Rabs (total l - total l') <= smooth_bound alpha l.
Proof.
  intros a0 [h|h]; apply (one_step_bounds _ _ _ a0) in h; [rewrite Rabs_minus_sym|];
    rewrite Rabs_pos_eq; lra.
Qed.

Lemma is_smooth alpha l l' : 0 < alpha -> one_grows alpha l l' \/ one_grows alpha l' l ->
  Rabs (ln (smooth_bound alpha l) - ln (smooth_bound alpha l')) <= ln (1 + alpha).
Proof.
  intros a0.
  assert (up : forall l l', one_grows alpha l l' ->
    0 <= ln (smooth_bound alpha l') - ln (smooth_bound alpha l) <= ln (1 + alpha)).
  { intros k k' h; apply (one_step_bounds _ _ _ a0) in h; destruct h as [_ [lo hi]].
    pose proof (smooth_bound_pos alpha k) as p.
    pose proof (ln_le _ _ p lo) as lo'.
    assert (hi' : ln (smooth_bound alpha k') <= ln ((1 + alpha) * smooth_bound alpha k))
      by (apply ln_le; lra).
    rewrite ln_mult in hi' by lra; lra. }
  intros [h|h]; apply up in h; [rewrite Rabs_minus_sym|]; rewrite Rabs_pos_eq; lra.
Qed.
