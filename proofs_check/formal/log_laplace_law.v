(* The density of Log-Laplace is the law of what Algorithm 1 of Haney et al. 2017 releases: with l = ln(n + shift)
   for the count n of a cell and Laplace noise eta, the output exp(l + eta) - shift grows with eta and takes every
   value above -shift; between the outputs for two values of the noise the density has the integral that the
   density of the noise has between these values; and its integral over all outputs is 1. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper datasets log_laplace_loss laplace_normalized.
From Establish Require Import log_laplace.
Open Scope R_scope.

Section Law.
Variables n g s : R.

Let density (o : R) : R := exp (log_laplace_log_density o n g s).
Let release (eta : R) : R := exp (ln (n + g) + eta) - g.
(* The noise that an output comes from. *)
Let noise (o : R) : R := ln ((o + g) / (n + g)).

Lemma release_above eta : - g < release eta.
Proof. unfold release; pose proof (exp_pos (ln (n + g) + eta)); lra. Qed.

Lemma release_lt x y : release x < release y <-> x < y.
Proof.
  unfold release; split; intros h.
  - apply Rplus_lt_reg_l with (ln (n + g)), exp_lt_inv; lra.
  - apply Rplus_lt_compat_r, exp_increasing; lra.
Qed.

Lemma noise_of_release eta : 0 < n + g -> noise (release eta) = eta.
Proof.
  intros inside; unfold noise, release; rewrite exp_plus, exp_ln by exact inside.
  replace (((n + g) * exp eta - g + g) / (n + g)) with (exp eta) by (field; lra); apply ln_exp.
Qed.

Lemma release_of_noise o : 0 < n + g -> - g < o -> release (noise o) = o.
Proof.
  intros inside h; unfold noise, release; rewrite exp_plus, !exp_ln.
  - field; lra.
  - apply Rdiv_lt_0_compat; lra.
  - exact inside.
Qed.

Lemma noise_density_continuous x : continuous (laplace_density 0 s) x.
Proof.
  apply exp_continuous; unfold laplace_log_density.
  apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_opp (V := R_NormedModule)), abs_continuous.
  apply continuous_to_continuity; reg.
Qed.

(* The density is that of the noise times the derivative of the noise by the output. *)
Lemma density_by_noise o : - g < o -> / (o + g) * laplace_density 0 s (noise o) = density o.
Proof.
  intros h; change (/ (o + g) * exp (laplace_log_density (noise o) 0 s)
    = exp (laplace_log_density (noise o) 0 s - ln (o + g))).
  unfold Rminus; rewrite exp_plus, exp_Ropp, exp_ln by lra; ring.
Qed.

Lemma integral_between a b : 0 < n + g -> - g < a -> - g < b ->
  is_RInt density a b (RInt (laplace_density 0 s) (noise a) (noise b)).
Proof.
  intros inside ha hb; assert (up : forall o, Rmin a b <= o -> - g < o)
    by (intros o; apply Rlt_le_trans, Rmin_glb_lt; assumption).
  eapply is_RInt_ext; [|apply (is_RInt_comp (V := R_CompleteNormedModule)
    (laplace_density 0 s) noise (fun o => / (o + g)))].
  - intros o [h _]; apply density_by_noise, up, Rlt_le, h.
  - intros; apply noise_density_continuous.
  - intros o [h _]; apply up in h; split.
    + unfold noise; auto_derive; [apply Rdiv_lt_0_compat; lra|field; lra].
    + apply continuous_to_continuity; reg; lra.
Qed.

(* Outputs near -g come from noise far to the left, large outputs from noise far to the right. *)
Lemma mass : 0 < n + g -> 0 < s -> is_RInt_gen density (at_right (- g)) plus_infinity 1.
Proof.
  intros inside s0 P near_one.
  destruct (laplace_normalized.mass_is_one 0 s s0 P near_one) as [Q R [M far_left] [N far_right] both].
  apply Filter_prod with (fun a => - g < a < release M) (fun b => release N < b).
  - pose proof (release_above M) as above.
    exists (mkposreal (release M + g) ltac:(lra)); intros a close right_of; split; [exact right_of|].
    apply Rabs_lt_between in close; unfold minus, plus, opp in close; simpl in close; lra.
  - exists (release N); auto.
  - intros a b [low a_left] b_right; pose proof (release_above N) as above.
    destruct (both (noise a) (noise b)) as (v & is & in_P).
    + apply far_left, release_lt; rewrite release_of_noise; assumption.
    + apply far_right, release_lt; rewrite release_of_noise; [assumption|assumption|simpl in *; lra].
    + exists v; split; [|exact in_P]; rewrite <- (is_RInt_unique _ _ _ _ is).
      apply integral_between; [assumption|assumption|simpl in *; lra].
Qed.
End Law.

Theorem density_is_the_law (A V : Type) (q : cell A V) (D : dataset A V) (alpha scale : R) :
  0 < alpha -> 0 < scale ->
  let shift := log_laplace_shift alpha in
  let release := fun eta => exp (ln (count q D + shift) + eta) - shift in
  let noise_density := fun eta => exp (laplace_log_density eta 0 scale) in
  let density := log_laplace alpha scale q D in
  (forall x y, x < y -> release x < release y) /\
  (forall o, - shift < o <-> exists eta, release eta = o) /\
  (forall x y, is_RInt density (release x) (release y) (RInt noise_density x y)) /\
  is_RInt_gen density (at_right (- shift)) (Rbar_locally p_infty) 1.
Proof.
  intros a0 s0 shift release noise_density density.
  assert (inside : 0 < count q D + shift).
  { pose proof (shift_pos alpha a0) as i; fold shift in i.
    assert (0 <= count q D) by (apply total_nonneg, contributions_nonneg); lra. }
  split; [|split; [|split]].
  - intros x y; apply release_lt.
  - intros o; split; [intros h|intros [eta <-]; apply release_above].
    exists (ln ((o + shift) / (count q D + shift))); apply release_of_noise; assumption.
  - intros x y; pose proof (integral_between (count q D) shift scale (release x) (release y) inside
      (release_above _ _ x) (release_above _ _ y)) as main.
    assert (back : forall z, ln ((release z + shift) / (count q D + shift)) = z)
      by (intros z; apply noise_of_release, inside).
    cbv beta in main; rewrite !back in main; exact main.
  - apply mass; assumption.
Qed.
