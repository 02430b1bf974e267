(* The Log-Laplace mechanism, and what its loss at every output means for every Borel event. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace_loss.
Import ListNotations.
Open Scope R_scope.

Section LogLaplace.
Variables (A V : Type).

(* The density of the output on D, for the count of a cell; outputs lie above -1/alpha. *)
Definition log_laplace (alpha scale : R) (q : cell A V) (D : dataset A V) (o : R) : R :=
  exp (log_laplace_log_density o (count q D) (log_laplace_shift alpha) scale).
Definition lowest_output (alpha : R) : Rbar := - log_laplace_shift alpha.

Lemma log_laplace_lawful alpha scale q D : 0 < alpha -> 0 < scale ->
  lawful (lowest_output alpha) (log_laplace alpha scale q D).
Proof.
  intros a0 s0; pose proof (shift_pos alpha a0) as i.
  assert (c0 : 0 <= count q D) by (apply total_nonneg, contributions_nonneg).
  apply continuous_is_lawful.
  - intros o h; apply density_continuous; [lra|exact s0|exact h].
  - intros o _; left; apply exp_pos.
Qed.

Lemma strong_lists alpha b (D D' : dataset A V) : strong_neighbors alpha D D' ->
  one_grows alpha (contributions (establishment_cell b) D) (contributions (establishment_cell b) D')
  \/ one_grows alpha (contributions (establishment_cell b) D') (contributions (establishment_cell b) D).
Proof. intros [h|h]; [left|right]; apply strong_contributions, h. Qed.

Lemma weak_lists alpha q (D D' : dataset A V) : weak_neighbors alpha D D' ->
  one_grows alpha (contributions q D) (contributions q D')
  \/ one_grows alpha (contributions q D') (contributions q D).
Proof. intros [h|h]; [left|right]; apply weak_contributions, h. Qed.

Lemma strong_private alpha scale loss b : 0 < alpha -> 0 < scale -> ln (1 + alpha) / scale <= loss ->
  private (strong_neighbors alpha) (lowest_output alpha) loss
    (log_laplace alpha scale (establishment_cell b)).
Proof.
  intros a0 s0 le; apply bound_at_every_output.
  - intros D; apply log_laplace_lawful; assumption.
  - intros D D' o near above; apply loss_at_every_output; try assumption.
    apply strong_lists, near.
Qed.

Lemma weak_private alpha scale loss q : 0 < alpha -> 0 < scale -> ln (1 + alpha) / scale <= loss ->
  private (weak_neighbors alpha) (lowest_output alpha) loss (log_laplace alpha scale q).
Proof.
  intros a0 s0 le; apply bound_at_every_output.
  - intros D; apply log_laplace_lawful; assumption.
  - intros D D' o near above; apply loss_at_every_output; try assumption.
    apply weak_lists, near.
Qed.

(* One establishment of the cell, with no worker and with one. *)
Definition empty_one (a : A) : dataset A V := [Establishment a []].
Definition single_one (a : A) (v : V) : dataset A V := [Establishment a [Worker 0 v]].

Lemma single_extends_empty (a : A) (v : V) :
  extends A V (Establishment a []) (Establishment a [Worker 0 v]).
Proof.
  split; [reflexivity|split; [constructor|split; [|intros w []]]].
  constructor; [intros []|constructor].
Qed.

Lemma empty_and_single_strong alpha a v : 0 < alpha ->
  strong_neighbors alpha (single_one a v) (empty_one a).
Proof.
  intros a0; right; exists [], (Establishment a []), (Establishment a [Worker 0 v]), [].
  split; [reflexivity|split; [reflexivity|split; [apply single_extends_empty|]]].
  unfold may_grow, size, matching; simpl; lra.
Qed.

Lemma empty_and_single_weak alpha a v : 0 < alpha ->
  weak_neighbors alpha (single_one a v) (empty_one a).
Proof.
  intros a0; right; exists [], (Establishment a []), (Establishment a [Worker 0 v]), [].
  split; [reflexivity|split; [reflexivity|split; [apply single_extends_empty|]]].
  intros p; unfold may_grow, matching; simpl; destruct (p v); simpl; lra.
Qed.

(* No level below ln(1 + alpha)/scale is true, for neighbors that contain that pair. *)
Lemma loss_is_least alpha scale loss (neighbors : dataset A V -> dataset A V -> Prop) q a v :
  0 < alpha -> 0 < scale -> q a v = true -> neighbors (single_one a v) (empty_one a) ->
  private neighbors (lowest_output alpha) loss (log_laplace alpha scale q) ->
  ln (1 + alpha) / scale <= loss.
Proof.
  intros a0 s0 inside near priv; pose proof (shift_pos alpha a0) as i.
  assert (one : count q (single_one a v) = 1).
  { unfold count, contributions, single_one, contribution, matching; simpl; rewrite inside; simpl; ring. }
  assert (zero : count q (empty_one a) = 0).
  { unfold count, contributions, empty_one, contribution, matching; simpl; ring. }
  pose (f := fun o => exp (log_laplace_log_density o 0 (log_laplace_shift alpha) scale)).
  assert (cont : forall o, 1 <= o <= 2 -> continuity_pt f o).
  { intros o h; apply density_continuous; lra. }
  destruct (continuity_ab_min f 1 2 ltac:(lra) cont) as (lo & least & _).
  destruct (continuity_ab_maj f 1 2 ltac:(lra) cont) as (hi & most & _).
  apply exp_le_inv.
  apply (@loss_at_least _ _ _ _ _ (single_one a v) (empty_one a) 1 2 (f lo) (f hi)
    (exp (ln (1 + alpha) / scale)) priv near).
  - simpl; lra.
  - lra.
  - apply exp_pos.
  - left; apply exp_pos.
  - intros o h k; unfold log_laplace; rewrite zero; apply least; lra.
  - intros o h k; unfold log_laplace; rewrite zero; apply most; lra.
  - intros o h k; unfold log_laplace; rewrite zero, one.
    right; symmetry; apply loss_is_attained; assumption.
Qed.

Lemma published_scale_pos alpha epsilon : 0 < alpha -> 0 < epsilon ->
  0 < log_laplace_published_scale alpha epsilon /\
  ln (1 + alpha) / log_laplace_published_scale alpha epsilon = epsilon / 2.
Proof.
  intros a0 e0; pose proof (ln_pos (1 + alpha) ltac:(lra)) as l; unfold log_laplace_published_scale.
  split; [apply Rmult_lt_0_compat; [lra|apply Rdiv_lt_0_compat; lra]|field; lra].
Qed.

Lemma tight_scale_pos alpha epsilon : 0 < alpha -> 0 < epsilon ->
  0 < log_laplace_tight_scale alpha epsilon /\
  ln (1 + alpha) / log_laplace_tight_scale alpha epsilon = epsilon.
Proof.
  intros a0 e0; pose proof (ln_pos (1 + alpha) ltac:(lra)) as l; unfold log_laplace_tight_scale.
  split; [apply Rdiv_lt_0_compat; lra|field; lra].
Qed.
End LogLaplace.

Arguments log_laplace {A V}.

(* More than one level: what is private at a level is private at every larger one. *)
Lemma tight_level_strong (A V : Type) alpha scale level b (a : A) (v : V) :
  0 < alpha -> 0 < scale -> ln (1 + alpha) / scale = level -> b a = true ->
  forall loss, private (strong_neighbors alpha) (lowest_output alpha) loss
    (log_laplace alpha scale (establishment_cell (V := V) b)) <-> level <= loss.
Proof.
  intros a0 s0 is inside loss; split; [intros h|intros h].
  - rewrite <- is.
    apply (loss_is_least A V alpha scale loss (strong_neighbors alpha) (establishment_cell b) a v a0 s0).
    + exact inside.
    + apply empty_and_single_strong; exact a0.
    + exact h.
  - apply strong_private; [exact a0|exact s0|lra].
Qed.

Lemma tight_level_weak (A V : Type) alpha scale level (q : cell A V) a v :
  0 < alpha -> 0 < scale -> ln (1 + alpha) / scale = level -> q a v = true ->
  forall loss, private (weak_neighbors alpha) (lowest_output alpha) loss (log_laplace alpha scale q)
    <-> level <= loss.
Proof.
  intros a0 s0 is inside loss; split; [intros h|intros h].
  - rewrite <- is.
    apply (loss_is_least A V alpha scale loss (weak_neighbors alpha) q a v a0 s0).
    + exact inside.
    + apply empty_and_single_weak; exact a0.
    + exact h.
  - apply weak_private; [exact a0|exact s0|lra].
Qed.
