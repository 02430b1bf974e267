(* The normal law: its density has mass 1 (Gauss's integral), and the rendered distribution function is the
   density's integral. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common improper.
Open Scope R_scope.

(* The density of N(mean, sd^2). *)
Definition normal_density (mean sd o : R) : R := exp (gaussian_log_density o mean sd).

Definition bell (t : R) : R := exp (- t ^ 2).
(* Its square and a second integral have a constant sum. *)
Definition area (x : R) : R := RInt bell 0 x.
Definition slanted (x t : R) : R := exp (- x ^ 2 * (1 + t ^ 2)) / (1 + t ^ 2).

Lemma bell_continuous t : continuous bell t.
Proof. apply (ex_derive_continuous (V := R_NormedModule)); unfold bell; auto_derive; exact I. Qed.
Lemma bell_integrable a b : ex_RInt bell a b.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply bell_continuous. Qed.
Lemma one_more t : 0 < 1 + t ^ 2.
Proof. pose proof (pow2_ge_0 t); lra. Qed.

Lemma area_slope x : is_derive area x (bell x).
Proof.
  apply (is_derive_RInt bell area 0); [|apply bell_continuous].
  apply filter_forall; intros y; apply (RInt_correct bell), bell_integrable.
Qed.

Lemma slanted_slope x t : is_derive (fun u => slanted u t) x (- (2 * x) * exp (- x ^ 2 * (1 + t ^ 2))).
Proof. pose proof (one_more t); unfold slanted; auto_derive; [simpl in *; lra|].
  simpl in *; replace (- (x * (x * 1)) * (1 + t * (t * 1))) with (- x ^ 2 * (1 + t ^ 2)) by ring; field; lra.
Qed.

Lemma slanted_continuous x t : continuous (slanted x) t.
Proof.
  apply (ex_derive_continuous (V := R_NormedModule)); unfold slanted; pose proof (one_more t); auto_derive; simpl in *; lra.
Qed.
Lemma slanted_integrable x : ex_RInt (slanted x) 0 1.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply slanted_continuous. Qed.

Lemma slopes_continuous x t : continuity_2d_pt (fun u v => - (2 * u) * exp (- u ^ 2 * (1 + v ^ 2))) x t.
Proof.
  assert (p2 : forall f, continuity_2d_pt f x t -> continuity_2d_pt (fun u v => f u v ^ 2) x t).
  { intros f c; apply (continuity_2d_pt_ext (fun u v => f u v * f u v)); [intros; ring|].
    apply continuity_2d_pt_mult; exact c. }
  apply continuity_2d_pt_mult.
  - apply continuity_2d_pt_opp, continuity_2d_pt_mult; [apply continuity_2d_pt_const|apply continuity_2d_pt_id1].
  - apply (continuity_1d_2d_pt_comp exp (fun u v => - u ^ 2 * (1 + v ^ 2))).
    + apply derivable_continuous_pt, derivable_pt_exp.
    + apply continuity_2d_pt_mult.
      * apply continuity_2d_pt_opp, p2, continuity_2d_pt_id1.
      * apply continuity_2d_pt_plus; [apply continuity_2d_pt_const|apply p2, continuity_2d_pt_id2].
Qed.

Lemma slanted_area_slope x :
  is_derive (fun u => RInt (slanted u) 0 1) x (RInt (fun t => - (2 * x) * exp (- x ^ 2 * (1 + t ^ 2))) 0 1).
Proof.
  replace (RInt (fun t => - (2 * x) * exp (- x ^ 2 * (1 + t ^ 2))) 0 1)
    with (RInt (fun t => Derive (fun u => slanted u t) x) 0 1)
    by (apply RInt_ext; intros t _; apply is_derive_unique, slanted_slope).
  apply (is_derive_RInt_param slanted).
  - apply filter_forall; intros u t _; eexists; apply slanted_slope.
  - intros t _; apply (continuity_2d_pt_ext (fun u v => - (2 * u) * exp (- u ^ 2 * (1 + v ^ 2)))).
    + intros u v; symmetry; apply is_derive_unique, slanted_slope.
    + apply slopes_continuous.
  - apply filter_forall; intros u; apply slanted_integrable.
Qed.

(* Stretching t by x. *)
Lemma stretched x : RInt (fun t => - (2 * x) * exp (- x ^ 2 * (1 + t ^ 2))) 0 1 = - (2 * bell x * area x).
Proof.
  assert (c : RInt (fun t => x * bell (x * t + 0)) 0 1 = area x).
  { unfold area; pose proof (RInt_comp_lin bell x 0 0 1) as h; unfold scal in h; simpl in h; unfold mult in h; simpl in h.
    rewrite h; [f_equal; ring|apply bell_integrable]. }
  rewrite <- c.
  transitivity (RInt (fun t => scal (- (2 * bell x)) (x * bell (x * t + 0))) 0 1).
  - apply RInt_ext; intros t _; change (- (2 * x) * exp (- x ^ 2 * (1 + t ^ 2)) = - (2 * bell x) * (x * bell (x * t + 0))); unfold bell.
    replace (- x ^ 2 * (1 + t ^ 2)) with (- x ^ 2 + - (x * t + 0) ^ 2) by ring.
    rewrite exp_plus; ring.
  - rewrite (RInt_scal (V := R_CompleteNormedModule)); [unfold scal; simpl; unfold mult; simpl; ring|].
    apply (ex_RInt_scal (V := R_NormedModule) (fun t => bell (x * t + 0)) 0 1 x).
    apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros t _.
    apply (ex_derive_continuous (V := R_NormedModule)); unfold bell; auto_derive; exact I.
Qed.

Lemma sum_is_constant x : area x ^ 2 + RInt (slanted x) 0 1 = PI / 4.
Proof.
  assert (slope : forall u, is_derive (fun u => area u ^ 2 + RInt (slanted u) 0 1) u 0).
  { intros u.
    assert (h : is_derive (fun u => area u ^ 2 + RInt (slanted u) 0 1) u
      (plus (INR 2 * bell u * area u ^ 1) (- (2 * bell u * area u)))).
    { apply (is_derive_plus (V := R_NormedModule)).
      - apply (is_derive_pow area 2 u (bell u)), area_slope.
      - rewrite <- stretched; apply slanted_area_slope. }
    replace (plus _ _) with 0 in h by (unfold plus; simpl; ring); exact h. }
  assert (at0 : area 0 ^ 2 + RInt (slanted 0) 0 1 = PI / 4).
  { unfold area; rewrite RInt_point; change (@zero _) with 0.
    replace (RInt (slanted 0) 0 1) with (PI / 4); [ring|].
    symmetry; apply is_RInt_unique.
    apply (is_RInt_ext (fun t => / (1 + t ^ 2))).
    - intros t _; unfold slanted; replace (- 0 ^ 2 * (1 + t ^ 2)) with 0 by ring; rewrite exp_0; unfold Rdiv; rewrite Rmult_1_l; reflexivity.
    - replace (PI / 4) with (minus (atan 1) (atan 0)) by (rewrite atan_1, atan_0; apply Rminus_0_r).
      apply (is_RInt_derive atan).
      + intros t _; apply is_derive_Reals.
        pose proof (derivable_pt_lim_atan t) as d; unfold Rsqr in d.
        replace (1 + t ^ 2) with (1 + t * t) by ring; unfold Rdiv in d; rewrite ?Rmult_1_l in d; replace (1 + t * t) with (1 + t ^ 2) in * by ring; exact d.
      + intros t _; apply (ex_derive_continuous (V := R_NormedModule)); pose proof (one_more t); auto_derive; simpl in *; lra. }
  rewrite <- at0.
  destruct (MVT_gen (fun u => area u ^ 2 + RInt (slanted u) 0 1) 0 x (fun _ => 0)) as (c & _ & e).
  - intros u _; apply slope.
  - intros u _; apply derivable_continuous_pt; exists 0; apply is_derive_Reals, slope.
  - lra.
Qed.

Lemma area_nonneg x : 0 <= x -> 0 <= area x.
Proof. intros h; apply RInt_ge_0; [exact h|apply bell_integrable|intros; left; apply exp_pos]. Qed.

Lemma slanted_small x : 0 <= RInt (slanted x) 0 1 <= bell x.
Proof.
  split.
  - apply RInt_ge_0; [lra|apply slanted_integrable|].
    intros t _; unfold slanted; pose proof (one_more t); apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|lra].
  - replace (bell x) with (RInt (fun _ => bell x) 0 1)
      by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
    apply RInt_le; [lra|apply slanted_integrable|apply ex_RInt_const|].
    intros t _; unfold slanted, bell; pose proof (one_more t).
    apply Rmult_le_reg_r with (1 + t ^ 2); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    pose proof (pow2_ge_0 t); pose proof (pow2_ge_0 x).
    apply Rle_trans with (exp (- x ^ 2)); [apply exp_le; nra|].
    pose proof (exp_pos (- x ^ 2)); nra.
Qed.

Lemma bell_to_zero : filterlim bell plus_infinity (locally 0).
Proof.
  apply (filterlim_le_le (fun _ => 0) bell (fun x => exp (- (1 * (x - 0)))) (Finite 0)).
  - exists 1; intros x h; unfold bell; split; [left; apply exp_pos|apply exp_le; nra].
  - apply filterlim_const.
  - apply exp_to_zero_right; lra.
Qed.

Lemma area_to_half_root_pi : filterlim area plus_infinity (locally (sqrt PI / 2)).
Proof.
  apply (filterlim_ext_loc (fun x => sqrt (PI / 4 - RInt (slanted x) 0 1))).
  - exists 0; intros x h; rewrite <- (sum_is_constant x).
    replace (area x ^ 2 + RInt (slanted x) 0 1 - RInt (slanted x) 0 1) with (area x ^ 2) by ring.
    apply sqrt_pow2, area_nonneg; lra.
  - replace (sqrt PI / 2) with (sqrt (PI / 4 - 0)).
    2: { rewrite Rminus_0_r, sqrt_div by (try apply PI_RGT_0; try (left; apply PI_RGT_0); lra).
         replace 4 with (2 * 2) by ring; rewrite sqrt_square by lra; reflexivity. }
    assert (inner : filterlim (fun x => RInt (slanted x) 0 1) plus_infinity (locally 0)).
    { apply (filterlim_le_le (fun _ => 0) (fun x => RInt (slanted x) 0 1) bell (Finite 0)); [|apply filterlim_const|apply bell_to_zero].
      apply filter_forall; intros x; apply slanted_small. }
    apply (filterlim_comp _ _ _ (fun x => RInt (slanted x) 0 1) (fun y => sqrt (PI / 4 - y)) _ (locally 0)); [exact inner|].
    apply (continuous_comp (fun y => PI / 4 - y) sqrt).
    + apply (continuous_minus (V := R_NormedModule)); [apply continuous_const|apply continuous_id].
    + apply continuous_sqrt.
Qed.

Lemma area_odd x : area (- x) = - area x.
Proof.
  unfold area; pose proof (RInt_comp_lin bell (- 1) 0 0 x) as h.
  unfold scal in h; simpl in h; unfold mult in h; simpl in h.
  replace (-1 * 0 + 0) with 0 in h by ring; replace (-1 * x + 0) with (- x) in h by ring.
  rewrite <- h by apply bell_integrable.
  transitivity (RInt (fun y => opp (bell y)) 0 x); [|apply (RInt_opp (V := R_CompleteNormedModule)), bell_integrable].
  apply RInt_ext; intros y _; unfold bell, opp; simpl.
  replace (- ((-1 * y + 0) * ((-1 * y + 0) * 1))) with (- (y * (y * 1))) by ring; ring.
Qed.

Lemma root_pi : 0 < sqrt PI.
Proof. apply sqrt_lt_R0, PI_RGT_0. Qed.
Lemma root_2 : 0 < sqrt 2.
Proof. apply sqrt_lt_R0; lra. Qed.
Lemma cdf_is z : normal_cdf z = 1 / 2 + area (z / sqrt 2) / sqrt PI.
Proof. transitivity ((1 + 2 / sqrt PI * area (z / sqrt 2)) / 2); [reflexivity|]; pose proof root_pi; field; lra. Qed.

Lemma cdf_symmetric z : normal_cdf (- z) = 1 - normal_cdf z.
Proof.
  rewrite !cdf_is; replace (- z / sqrt 2) with (- (z / sqrt 2)) by (field; pose proof root_2; lra).
  rewrite area_odd; pose proof root_pi; field; lra.
Qed.

Lemma cdf_to_one : filterlim normal_cdf plus_infinity (locally 1).
Proof.
  apply (filterlim_ext (fun z => 1 / 2 + area (z / sqrt 2) / sqrt PI)); [intros; symmetry; apply cdf_is|].
  enough (h : filterlim (fun z => 1 / 2 + area (z / sqrt 2) / sqrt PI) plus_infinity (locally (1 / 2 + sqrt PI / 2 / sqrt PI))).
  { replace (1 / 2 + sqrt PI / 2 / sqrt PI) with 1 in h by (pose proof root_pi; field; lra); exact h. }
  apply (filterlim_comp _ _ _ (fun z => area (z / sqrt 2)) (fun y => 1 / 2 + y / sqrt PI) _ (locally (sqrt PI / 2))).
  - apply (filterlim_comp _ _ _ (fun z => z / sqrt 2) area _ plus_infinity); [|apply area_to_half_root_pi].
    change (is_lim (fun z => z / sqrt 2) p_infty p_infty).
    replace p_infty with (Rbar_mult p_infty (/ sqrt 2)) at 2.
    + apply (is_lim_scal_r (fun z => z) (/ sqrt 2) p_infty p_infty), is_lim_id.
    + simpl; pose proof (Rinv_0_lt_compat _ root_2); destruct (Rle_dec 0 (/ sqrt 2)) as [h|h]; [|lra].
      destruct (Rle_lt_or_eq_dec 0 (/ sqrt 2) h); [reflexivity|lra].
  - apply (continuous_plus (V := R_NormedModule) (fun _ => 1 / 2) (fun y => y / sqrt PI)); [apply continuous_const|].
    apply (continuous_mult (K := R_AbsRing) (fun y => y) (fun _ => / sqrt PI)); [apply continuous_id|apply continuous_const].
Qed.

Lemma cdf_to_zero : filterlim normal_cdf minus_infinity (locally 0).
Proof.
  apply (filterlim_ext (fun z => 1 - normal_cdf (- z))); [intros z; rewrite cdf_symmetric; change (1 - (1 - normal_cdf z) = normal_cdf z); ring|].
  replace 0 with (1 - 1) by apply Rminus_eq_0.
  apply (filterlim_comp _ _ _ (fun z => normal_cdf (- z)) (fun y => 1 - y) _ (locally 1)).
  - apply (filterlim_comp _ _ _ Ropp normal_cdf _ plus_infinity); [|apply cdf_to_one].
    change (is_lim (fun o => - o) m_infty (Rbar_opp m_infty)); apply is_lim_opp, is_lim_id.
  - apply (continuous_minus (V := R_NormedModule)); [apply continuous_const|apply continuous_id].
Qed.

Lemma density_is mean sd o : 0 < sd ->
  normal_density mean sd o = exp (- ((o - mean) / sd) ^ 2 / 2) / (sd * sqrt (2 * PI)).
Proof.
  intros s0; unfold normal_density, gaussian_log_density, Rminus at 1; rewrite exp_plus, exp_Ropp, exp_ln.
  - replace (- ((o - mean) / sd) * ((o - mean) / sd) / 2) with (- ((o - mean) / sd) ^ 2 / 2) by (field; lra); reflexivity.
  - apply Rmult_lt_0_compat; [exact s0|apply sqrt_lt_R0; pose proof PI_RGT_0; lra].
Qed.

Lemma density_continuous mean sd o : continuous (normal_density mean sd) o.
Proof.
  apply (ex_derive_continuous (V := R_NormedModule)); unfold normal_density, gaussian_log_density.
  auto_derive; exact I.
Qed.

Theorem cdf_slope mean sd o : 0 < sd ->
  is_derive (fun o => normal_cdf ((o - mean) / sd)) o (normal_density mean sd o).
Proof.
  intros s0; rewrite density_is by exact s0; pose proof root_pi; pose proof root_2.
  apply (is_derive_ext (fun o => 1 / 2 + area ((o - mean) / sd / sqrt 2) / sqrt PI)); [intros; symmetry; apply cdf_is|].
  auto_derive; [eexists; apply (area_slope ((o - mean) / sd / sqrt 2))|].
  change (Derive (fun x => area x)) with (Derive area).
  rewrite (is_derive_unique area _ _ (area_slope _)); unfold bell.
  replace (- ((o + - mean) * / sd * / sqrt 2) ^ 2) with (- ((o - mean) / sd) ^ 2 / 2).
  - rewrite sqrt_mult by (pose proof PI_RGT_0; lra); field; lra.
  - replace 2 with (sqrt 2 * sqrt 2) at 1 by (apply sqrt_sqrt; lra); field; lra.
Qed.

Theorem cdf_is_the_integral mean sd a b : 0 < sd ->
  is_RInt (normal_density mean sd) a b (normal_cdf ((b - mean) / sd) - normal_cdf ((a - mean) / sd)).
Proof.
  intros s0; apply (is_RInt_derive (fun o => normal_cdf ((o - mean) / sd))); intros o _; [apply cdf_slope, s0|].
  apply density_continuous.
Qed.

Lemma located_to_infinity mean sd : 0 < sd -> is_lim (fun o => (o - mean) / sd) p_infty p_infty.
Proof.
  intros s0; replace p_infty with (Rbar_mult p_infty (/ sd)) at 2.
  - apply (is_lim_scal_r (fun o => o - mean) (/ sd) p_infty p_infty).
    apply (is_lim_minus _ _ _ p_infty mean); [apply is_lim_id|apply is_lim_const|reflexivity].
  - simpl; pose proof (Rinv_0_lt_compat _ s0); destruct (Rle_dec 0 (/ sd)) as [h|h]; [|lra].
    destruct (Rle_lt_or_eq_dec 0 (/ sd) h); [reflexivity|lra].
Qed.
Lemma located_to_minus_infinity mean sd : 0 < sd -> is_lim (fun o => (o - mean) / sd) m_infty m_infty.
Proof.
  intros s0; replace m_infty with (Rbar_mult m_infty (/ sd)) at 2.
  - apply (is_lim_scal_r (fun o => o - mean) (/ sd) m_infty m_infty).
    apply (is_lim_minus _ _ _ m_infty mean); [apply is_lim_id|apply is_lim_const|reflexivity].
  - simpl; pose proof (Rinv_0_lt_compat _ s0); destruct (Rle_dec 0 (/ sd)) as [h|h]; [|lra].
    destruct (Rle_lt_or_eq_dec 0 (/ sd) h); [reflexivity|lra].
Qed.

Theorem mass_is_one mean sd : 0 < sd -> integrates_to (normal_density mean sd) 1.
Proof.
  intros s0; apply (from_primitive (normal_density mean sd) (fun o => normal_cdf ((o - mean) / sd)) 0 1); [| | |ring].
  - intros a b; apply cdf_is_the_integral, s0.
  - apply (filterlim_comp _ _ _ (fun o => (o - mean) / sd) normal_cdf _ minus_infinity); [apply located_to_minus_infinity, s0|apply cdf_to_zero].
  - apply (filterlim_comp _ _ _ (fun o => (o - mean) / sd) normal_cdf _ plus_infinity); [apply located_to_infinity, s0|apply cdf_to_one].
Qed.
