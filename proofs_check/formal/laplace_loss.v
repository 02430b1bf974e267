(* The Laplace law at every output: moving its center by d costs |d|/scale, and beyond both centers exactly
   that. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common bridge.
Open Scope R_scope.

Lemma centers_apart o n m scale : 0 < scale ->
  laplace_log_density o n scale - laplace_log_density o m scale <= Rabs (n - m) / scale.
Proof.
  intros s0; unfold laplace_log_density.
  replace (_ - _) with ((Rabs (o - m) - Rabs (o - n)) / scale) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  rewrite (Rabs_minus_sym o m), (Rabs_minus_sym o n), (Rabs_minus_sym n m); apply abs_shift.
Qed.

Lemma beyond_both o n m scale : 0 < scale -> n <= m -> m <= o ->
  laplace_log_density o m scale - laplace_log_density o n scale = (m - n) / scale.
Proof.
  intros; unfold laplace_log_density; rewrite !Rabs_pos_eq by lra; field; lra.
Qed.

Lemma laplace_continuous n scale o : continuity_pt (fun o => exp (laplace_log_density o n scale)) o.
Proof.
  apply continuous_to_continuity, exp_continuous; unfold laplace_log_density.
  apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_opp (V := R_NormedModule)), abs_continuous.
  apply continuous_to_continuity; reg.
Qed.

(* Query plus Laplace noise, for a query whose answers on neighbors differ by at most [sensitivity]. *)
Lemma laplace_private (dataset : Type) (neighbors : dataset -> dataset -> Prop) (query : dataset -> R)
    sensitivity scale loss : 0 < scale -> sensitivity / scale <= loss ->
  (forall D D', neighbors D D' -> Rabs (query D - query D') <= sensitivity) ->
  private neighbors m_infty loss (fun D o => exp (laplace_log_density o (query D) scale)).
Proof.
  intros s0 le close; apply bound_at_every_output.
  - intros D; apply continuous_is_lawful; [intros; apply laplace_continuous|intros; left; apply exp_pos].
  - intros D D' o near _; apply exp_ratio.
    eapply Rle_trans; [apply centers_apart, s0|]; eapply Rle_trans; [|exact le].
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|apply close, near].
Qed.

Lemma laplace_least (dataset : Type) (neighbors : dataset -> dataset -> Prop) (query : dataset -> R)
    scale loss D D' : 0 < scale -> neighbors D' D -> query D <= query D' ->
  private neighbors m_infty loss (fun D o => exp (laplace_log_density o (query D) scale)) ->
  (query D' - query D) / scale <= loss.
Proof.
  intros s0 near le priv; apply exp_le_inv.
  pose (f := fun o => exp (laplace_log_density o (query D) scale)); set (a := query D').
  assert (cont : forall o, a <= o <= a + 1 -> continuity_pt f o) by (intros; apply laplace_continuous).
  destruct (continuity_ab_min f a (a + 1) ltac:(lra) cont) as (lo & least & _).
  destruct (continuity_ab_maj f a (a + 1) ltac:(lra) cont) as (hi & most & _).
  apply (@loss_at_least _ _ _ _ _ D' D a (a + 1) (f lo) (f hi) _ priv near).
  - exact I.
  - lra.
  - apply exp_pos.
  - left; apply exp_pos.
  - intros o h k; apply least; lra.
  - intros o h k; apply most; lra.
  - intros o h k; rewrite <- exp_plus; right; f_equal.
    pose proof (beyond_both o (query D) a scale s0 le h); unfold a in *; lra.
Qed.
