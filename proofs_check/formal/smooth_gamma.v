(* The Smooth Gamma mechanism, and what its loss at every output means for every Borel event. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace smooth_gamma_loss.
Open Scope R_scope.

Section SmoothGamma.
Variables (A V : Type).

(* The density of n + (S/slide) Z on D, with n the count of a cell and S = max(alpha x, 1) for its largest
   establishment count x; outputs are all real numbers. *)
Definition smooth_gamma (alpha slide : R) (q : cell A V) (D : dataset A V) (o : R) : R :=
  exp (log_release alpha slide (contributions q D) o).

Lemma smooth_gamma_lawful alpha slide q D : lawful m_infty (smooth_gamma alpha slide q D).
Proof.
  apply continuous_is_lawful; [intros o _|intros o _; left; apply exp_pos].
  apply continuous_to_continuity, exp_continuous, log_release_continuous.
Qed.

Lemma strong_private alpha slide loss b : 0 < alpha -> 0 < slide ->
  heavy_tailed_sliding_constant * slide + heavy_tailed_dilation_constant * ln (1 + alpha) <= loss ->
  private (strong_neighbors alpha) m_infty loss (smooth_gamma alpha slide (establishment_cell b)).
Proof.
  intros a0 s0 le; apply bound_at_every_output; [intros D; apply smooth_gamma_lawful|].
  intros D D' o near _; apply exp_ratio; eapply Rle_trans; [|exact le].
  apply loss_at_every_output; [exact a0|exact s0|apply strong_lists, near].
Qed.

Lemma weak_private alpha slide loss q : 0 < alpha -> 0 < slide ->
  heavy_tailed_sliding_constant * slide + heavy_tailed_dilation_constant * ln (1 + alpha) <= loss ->
  private (weak_neighbors alpha) m_infty loss (smooth_gamma alpha slide q).
Proof.
  intros a0 s0 le; apply bound_at_every_output; [intros D; apply smooth_gamma_lawful|].
  intros D D' o near _; apply exp_ratio; eapply Rle_trans; [|exact le].
  apply loss_at_every_output; [exact a0|exact s0|apply weak_lists, near].
Qed.
End SmoothGamma.

Arguments smooth_gamma {A V}.
