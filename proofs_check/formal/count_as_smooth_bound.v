(* The bound max(alpha n, 1), with the count n of a cell in place of its largest establishment, is smooth too (Haney et
   al. 2017, Lemma 8.5; ours): it bounds the change of the count along every neighbor, and its logarithm moves by at
   most ln(1 + alpha). For counts of establishment attributes under strong neighbors, and of any under weak ones. *)
From Coq Require Import Reals Lra Psatz List.
From Establish Require Import spec_formulas common datasets log_laplace.
Open Scope R_scope.

Definition count_bound {A V} (alpha : R) (q : cell A V) (D : dataset A V) : R := growth_bound (count q D) alpha.

Lemma growth_step alpha l l' : 0 < alpha -> one_grows alpha l l' ->
  0 <= total l' - total l <= growth_bound (total l) alpha /\
  growth_bound (total l) alpha <= growth_bound (total l') alpha <= (1 + alpha) * growth_bound (total l) alpha.
Proof.
  intros a0 (pos & _ & b & x & y & a & -> & -> & [xy g]).
  apply Forall_app in pos; destruct pos as [pb pa]; inversion pa as [|? ? x0 pa']; subst.
  apply total_nonneg in pb; apply total_nonneg in pa'; rewrite !total_app; simpl.
  set (n := total b + (x + total a)); replace (total b + (y + total a)) with (n + (y - x)) by (unfold n; ring).
  replace (n + (y - x) - n) with (y - x) by ring.
  assert (xn : x <= n) by (unfold n; lra); unfold growth_bound.
  pose proof (Rmax_l (alpha * n) 1) as l; pose proof (Rmax_r (alpha * n) 1) as r; set (s := Rmax (alpha * n) 1) in *.
  assert (ax : alpha * x <= alpha * n) by (apply Rmult_le_compat_l; lra).
  assert (step : y - x <= s) by (destruct g; lra).
  split; [lra|split; [apply Rle_max_compat_r, Rmult_le_compat_l; lra|apply Rmax_lub; nra]].
Qed.

Definition smooth_bound_along {A V} (neighbors : dataset A V -> dataset A V -> Prop) (alpha : R) (q : cell A V) : Prop :=
  forall D D', neighbors D D' ->
  Rabs (count q D - count q D') <= count_bound alpha q D /\
  Rabs (ln (count_bound alpha q D) - ln (count_bound alpha q D')) <= ln (1 + alpha).

Theorem count_is_a_smooth_bound (A V : Type) (alpha : R) (b : A -> bool) (q : cell A V) : 0 < alpha ->
  smooth_bound_along (strong_neighbors alpha) alpha (establishment_cell (V := V) b) /\
  smooth_bound_along (weak_neighbors alpha) alpha q.
Proof.
  intros a0.
  assert (pos : forall n, 0 < growth_bound n alpha) by (intros n; unfold growth_bound; pose proof (Rmax_r (alpha * n) 1); lra).
  assert (both : forall l l', one_grows alpha l l' \/ one_grows alpha l' l ->
    Rabs (total l - total l') <= growth_bound (total l) alpha /\
    Rabs (ln (growth_bound (total l) alpha) - ln (growth_bound (total l') alpha)) <= ln (1 + alpha)).
  { assert (up : forall l l', one_grows alpha l l' ->
      0 <= ln (growth_bound (total l') alpha) - ln (growth_bound (total l) alpha) <= ln (1 + alpha)).
    { intros l l' h; apply (growth_step _ _ _ a0) in h; destruct h as [_ [lo hi]].
      pose proof (ln_le _ _ (pos _) lo); pose proof (ln_le _ _ (pos _) hi) as hi'.
      rewrite ln_mult in hi' by (try apply pos; lra); lra. }
    intros l l' [h|h]; pose proof (up _ _ h); apply (growth_step _ _ _ a0) in h; split.
    - rewrite Rabs_minus_sym, Rabs_pos_eq; lra.
    - rewrite Rabs_minus_sym, Rabs_pos_eq; lra.
    - rewrite Rabs_pos_eq; lra.
    - rewrite Rabs_pos_eq; lra. }
  split; intros D D' near; apply both; [apply strong_lists, near|apply weak_lists, near].
Qed.
