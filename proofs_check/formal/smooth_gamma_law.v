(* The density of Smooth Gamma is the law of what Algorithm 2 of Haney et al. 2017 releases: with n the count of a
   cell, S = max(alpha x, 1) for its largest establishment count x, and noise Z of the heavy-tailed density, the
   factor s = S/slide is above 0, and between n + s x and n + s y the density has the integral that the density of
   Z has between x and y. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets heavy_tailed_admissible smooth_sensitivity.
From Establish Require Import smooth_gamma_loss smooth_gamma.
Open Scope R_scope.

Lemma located_is_the_law n s x y : 0 < s ->
  is_RInt (fun o => exp (heavy_tailed_located_log_density o n s)) (n + s * x) (n + s * y)
    (RInt (fun z => exp (heavy_tailed_log_density z)) x y).
Proof.
  intros s0; pose (noise := fun o => (o - n) / s).
  assert (back : forall z, noise (n + s * z) = z) by (intros z; unfold noise; field; lra).
  rewrite <- (back x), <- (back y) at 2.
  eapply is_RInt_ext; [|apply (is_RInt_comp (V := R_CompleteNormedModule)
    (fun z => exp (heavy_tailed_log_density z)) noise (fun _ => / s))].
  - intros o _; change (/ s * exp (heavy_tailed_log_density (noise o))
      = exp (heavy_tailed_located_log_density o n s)).
    rewrite located_is; unfold noise, Rminus; rewrite exp_plus, exp_Ropp, exp_ln by exact s0; ring.
  - intros; apply exp_continuous, log_density_continuous.
  - intros o _; split; [unfold noise; auto_derive; [exact I|field; lra]|apply continuous_const].
Qed.

Theorem density_is_the_law (A V : Type) (q : cell A V) (D : dataset A V) (alpha slide : R) :
  0 < slide ->
  let s := growth_bound (largest (contributions q D)) alpha / slide in
  0 < s /\
  forall x y, is_RInt (smooth_gamma alpha slide q D) (count q D + s * x) (count q D + s * y)
    (RInt (fun z => exp (heavy_tailed_log_density z)) x y).
Proof.
  intros s0 s; assert (pos : 0 < s) by apply (scale_pos alpha slide (contributions q D) s0).
  split; [exact pos|intros x y; apply (located_is_the_law (count q D) s x y pos)].
Qed.
