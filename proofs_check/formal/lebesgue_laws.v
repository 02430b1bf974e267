(* Probabilities are Lebesgue integrals here, and the laws of the noise are stated with Coquelicot's: these are the
   same numbers. Laplace noise, and that of Algorithm 2 of Haney et al. 2017, has the probability 1 altogether. The
   outputs of Log-Laplace, and of Smooth Gamma at a slide that is called scale as well, that come from two values of
   the noise have between them the probability that the noise has between these values. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper datasets bridge laplace_normalized.
From Establish Require Import heavy_tailed_admissible heavy_tailed_normalized smooth_gamma smooth_gamma_loss.
From Establish Require Import smooth_sensitivity smooth_gamma_law log_laplace log_laplace_loss log_laplace_law.
From Establish Require Import one_integral lebesgue_is_riemann lebesgue_line.
Local Open Scope R_scope.

(* The densities of the noise. *)
Definition laplace_noise (s : R) : R -> R := laplace_density 0 s.
Definition heavy_noise (z : R) : R := exp (heavy_tailed_log_density z).
(* All outputs. *)
Definition everywhere (o : R) : Prop := True.

Lemma laplace_density_continuous n s x : continuous (laplace_density n s) x.
Proof.
  apply exp_continuous; unfold laplace_log_density.
  apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_opp (V := R_NormedModule)), abs_continuous; apply continuous_to_continuity; reg.
Qed.

Section Releases.
Variables (A V : Type) (q : cell A V) (D : dataset A V).

Lemma of_smooth_gamma alpha slide x y : 0 < slide -> x <= y ->
  let s := growth_bound (largest (contributions q D)) alpha / slide in
  probability (smooth_gamma alpha slide q D) (between (count q D + s * x) (count q D + s * y))
  = probability heavy_noise (between x y).
Proof.
  intros s0 xy s; destruct (smooth_gamma_law.density_is_the_law A V q D alpha slide s0) as [pos law]; fold s in pos, law.
  assert (le : count q D + s * x <= count q D + s * y) by (pose proof (Rmult_le_compat_l s x y); lra).
  rewrite (lebesgue_is_riemann le), (@lebesgue_is_riemann heavy_noise x y xy).
  - rewrite (is_RInt_unique _ _ _ _ (law x y)); reflexivity.
  - intros o _; split; [apply heavy_tailed_normalized.density_continuous|left; apply exp_pos].
  - intros o _; split; [apply exp_continuous, log_release_continuous|left; apply exp_pos].
Qed.

Lemma of_log_laplace alpha scale x y : 0 < alpha -> 0 < scale -> x <= y ->
  let shift := log_laplace_shift alpha in
  let release := fun eta => exp (ln (count q D + shift) + eta) - shift in
  probability (log_laplace alpha scale q D) (between (release x) (release y))
  = probability (laplace_noise scale) (between x y).
Proof.
  intros a0 s0 xy shift release.
  destruct (log_laplace_law.density_is_the_law A V q D alpha scale a0 s0) as (up & above & law & _); fold shift in up, above, law.
  assert (le : release x <= release y) by (destruct xy as [h| ->]; [left; apply up, h|right; reflexivity]).
  rewrite (lebesgue_is_riemann le), (@lebesgue_is_riemann (laplace_noise scale) x y xy).
  - assert (e : RInt (log_laplace alpha scale q D) (release x) (release y) = RInt (laplace_noise scale) x y)
      by (apply is_RInt_unique, (law x y)).
    rewrite e; reflexivity.
  - intros o _; split; [apply laplace_density_continuous|left; apply exp_pos].
  - intros o [h _]; split; [|left; apply exp_pos].
    pose proof (shift_pos alpha a0) as i.
    assert (c0 : 0 <= count q D) by (apply total_nonneg, contributions_nonneg).
    apply continuous_to_continuity, density_continuous; [lra|exact s0|].
    assert (low : - shift < release x) by (apply above; exists x; reflexivity).
    unfold shift in low; simpl; lra.
Qed.
End Releases.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
Set Implicit Arguments.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation Rle := Rdefinitions.Rle.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).

Theorem laplace_noise_has_probability_one (center scale : R) : Rlt zero scale ->
  probability (laplace_density center scale) everywhere = 1 /\
  forall a b : R, Rle a b -> probability (laplace_density center scale) (between a b) =
    (Rdefinitions.Rminus (laplace_cdf b center scale) (laplace_cdf a center scale))%:E.
Proof.
move=> s0; have cont := laplace_density_continuous center scale.
have nonneg o : Rle zero (laplace_density center scale o) by apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
split; first exact: (line_is_improper cont nonneg (laplace_normalized.mass_is_one center scale s0)).
move=> a b ab; rewrite (lebesgue_is_riemann ab); last by move=> o _; split.
by rewrite (is_RInt_unique _ _ _ _ (cdf_is_the_integral center scale s0 a b)).
Qed.

Theorem heavy_noise_has_probability_one : probability heavy_noise everywhere = 1.
Proof.
have nonneg o : Rle zero (heavy_noise o) by apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
exact: (line_is_improper heavy_tailed_normalized.density_continuous nonneg heavy_tailed_normalized.mass_is_one).
Qed.

Theorem outputs_have_the_probability_of_the_noise (A V : Type) (q : cell A V) (D : dataset A V)
    (alpha scale x y : R) : Rlt zero alpha -> Rlt zero scale -> Rle x y ->
  let shift := log_laplace_shift alpha in
  let release := fun eta : R =>
    Rdefinitions.Rminus (Rtrigo_def.exp (Rdefinitions.Rplus (Rpower.ln (Rdefinitions.Rplus (count q D) shift)) eta)) shift in
  let s := Rdefinitions.Rdiv (growth_bound (largest (contributions q D)) alpha) scale in
  let output := fun z : R => Rdefinitions.Rplus (count q D) (Rdefinitions.Rmult s z) in
  probability (log_laplace alpha scale q D) (between (release x) (release y))
    = probability (laplace_density zero scale) (between x y) /\
  probability (smooth_gamma alpha scale q D) (between (output x) (output y))
    = probability heavy_noise (between x y).
Proof.
move=> a0 s0 xy shift release s output; split; first exact: of_log_laplace.
exact: of_smooth_gamma.
Qed.
