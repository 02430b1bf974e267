(* The density of Algorithm 2, with its normalizer 4 sin(pi/4)/(2 pi) = sqrt 2/pi, integrates to 1
   (Lemma 8.6 of Haney et al. 2017 at gamma = 4). *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper heavy_tailed_admissible.
Open Scope R_scope.

Definition root2 := sqrt 2.
Lemma root2_pos : 0 < root2.
Proof. apply sqrt_lt_R0; lra. Qed.
Lemma root2_square : root2 * root2 = 2.
Proof. apply sqrt_sqrt; lra. Qed.

Lemma normalizer_is : heavy_tailed_normalizer = root2 / PI.
Proof.
  unfold heavy_tailed_normalizer; rewrite sin_PI4; fold root2.
  pose proof PI_RGT_0; pose proof root2_pos; apply Rmult_eq_reg_r with (root2 * PI); [|nra].
  field_simplify; [|lra|split; lra]. replace (root2 ^ 2) with 2 by (rewrite <- root2_square; ring). field.
Qed.

Lemma density_is z : exp (heavy_tailed_log_density z) = root2 / PI * / (1 + z ^ 4).
Proof.
  pose proof (fourth_nonneg z); pose proof PI_RGT_0; pose proof root2_pos.
  rewrite log_density_is, exp_plus, exp_ln, normalizer_is.
  - unfold heavy_tailed_log_kernel; rewrite abs_fourth, exp_Ropp, exp_ln by lra; reflexivity.
  - rewrite normalizer_is; apply Rdiv_lt_0_compat; assumption.
Qed.

(* x^2 + sqrt2 x + 1 and x^2 - sqrt2 x + 1, whose product is 1 + x^4. *)
Definition plus_part x := x * x + root2 * x + 1.
Definition minus_part x := x * x - root2 * x + 1.
Lemma plus_part_pos x : 0 < plus_part x.
Proof. unfold plus_part; pose proof root2_square; nra. Qed.
Lemma minus_part_pos x : 0 < minus_part x.
Proof. unfold minus_part; pose proof root2_square; nra. Qed.
Lemma parts x : plus_part x * minus_part x = 1 + x ^ 4.
Proof.
  unfold plus_part, minus_part; ring_simplify; replace (root2 ^ 2) with 2
    by (rewrite <- root2_square; ring); ring.
Qed.

Definition primitive x := / (4 * PI) * (ln (plus_part x) - ln (minus_part x))
  + / (2 * PI) * (atan (root2 * x + 1) + atan (root2 * x - 1)).

Lemma primitive_derivative x : is_derive primitive x (exp (heavy_tailed_log_density x)).
Proof.
  rewrite density_is, <- parts.
  pose proof (plus_part_pos x) as p; pose proof (minus_part_pos x) as m; pose proof PI_RGT_0.
  assert (s : root2 ^ 2 = 2) by (rewrite <- root2_square; ring).
  unfold primitive, plus_part, minus_part in *; auto_derive; [tauto|].
  assert (a : 1 + (root2 * x + 1) * ((root2 * x + 1) * 1) = 2 * (x * x + root2 * x + 1)).
  { transitivity (2 + root2 ^ 2 * x ^ 2 + 2 * root2 * x); [ring|rewrite s; ring]. }
  assert (b : 1 + (root2 * x + - (1)) * ((root2 * x + - (1)) * 1) = 2 * (x * x - root2 * x + 1)).
  { transitivity (2 + root2 ^ 2 * x ^ 2 - 2 * root2 * x); [ring|rewrite s; ring]. }
  rewrite a, b; clear a b.
  replace (x * x + - (root2 * x) + 1) with (x * x - root2 * x + 1) by ring.
  set (P := x * x + root2 * x + 1) in *; set (M := x * x - root2 * x + 1) in *.
  transitivity ((2 * x * (M - P) + 2 * root2 * (M + P)) / (4 * PI * P * M)); [field; lra|].
  replace (2 * x * (M - P) + 2 * root2 * (M + P)) with (4 * root2) by (unfold P, M; ring).
  field; lra.
Qed.

Lemma density_continuous x : continuous (fun z => exp (heavy_tailed_log_density z)) x.
Proof. apply exp_continuous, log_density_continuous. Qed.

Lemma primitive_odd x : primitive (- x) = - primitive x.
Proof.
  unfold primitive.
  replace (plus_part (- x)) with (minus_part x) by (unfold plus_part, minus_part; ring).
  replace (minus_part (- x)) with (plus_part x) by (unfold plus_part, minus_part; ring).
  replace (root2 * - x + 1) with (- (root2 * x - 1)) by ring.
  replace (root2 * - x - 1) with (- (root2 * x + 1)) by ring.
  rewrite !atan_opp; ring.
Qed.

(* The quotient of the parts tends to 1, at 1/x the polynomials in reverse. *)
Lemma logs_vanish : filterlim (fun x => ln (plus_part x) - ln (minus_part x)) plus_infinity (locally 0).
Proof.
  pose (g := fun y => ln (1 + root2 * y + y * y) - ln (1 - root2 * y + y * y)).
  assert (pos : forall y, 0 < 1 + root2 * y + y * y) by (intros; pose proof root2_square; nra).
  assert (pos' : forall y, 0 < 1 - root2 * y + y * y) by (intros; pose proof root2_square; nra).
  apply (filterlim_ext_loc (fun x => g (/ x))).
  - exists 0; intros x h; unfold g.
    assert (i : 0 < / x) by (apply Rinv_0_lt_compat; exact h).
    replace (plus_part x) with ((x * x) * (1 + root2 * / x + / x * / x)) by (unfold plus_part; field; lra).
    replace (minus_part x) with ((x * x) * (1 - root2 * / x + / x * / x)) by (unfold minus_part; field; lra).
    rewrite !ln_mult by (try apply pos; try apply pos'; nra); ring.
  - replace 0 with (g 0).
    2: { unfold g; rewrite !Rmult_0_r, !Rplus_0_r, Rminus_0_r; ring. }
    apply (filterlim_comp _ _ _ (fun x => / x) g _ (locally 0)).
    + change (is_lim (fun x => / x) p_infty (Rbar_inv p_infty)); apply is_lim_inv; [apply is_lim_id|discriminate].
    + apply (continuous_minus (V := R_NormedModule) (fun y => ln (1 + root2 * y + y * y))).
      * apply ln_continuous; [apply pos|apply continuous_to_continuity; reg].
      * apply ln_continuous; [apply pos'|apply continuous_to_continuity; reg].
Qed.

Lemma atan_of_affine c : filterlim (fun x => atan (root2 * x + c)) plus_infinity (locally (PI / 2)).
Proof.
  apply (filterlim_comp _ _ _ (fun x => root2 * x + c) atan _ plus_infinity); [|apply atan_to_right].
  intros P [m h]; exists ((m - c) / root2); intros x hx; apply h.
  pose proof root2_pos as p; apply (Rmult_lt_compat_l root2) in hx; [|exact p].
  replace (root2 * ((m - c) / root2)) with (m - c) in hx by (field; lra); lra.
Qed.

Lemma primitive_right : filterlim primitive plus_infinity (locally (1 / 2)).
Proof.
  pose proof PI_RGT_0.
  replace (1 / 2) with (/ (4 * PI) * 0 + / (2 * PI) * (PI / 2 + PI / 2)) by (field; lra).
  eapply filterlim_comp_2; [| |apply (filterlim_plus (V := R_NormedModule))].
  - apply (filterlim_comp _ _ _ _ (fun y => / (4 * PI) * y) _ (locally 0)); [apply logs_vanish|].
    apply (continuous_scal_r (V := R_NormedModule) (/ (4 * PI)) (fun y => y)), continuous_id.
  - apply (filterlim_comp _ _ _ _ (fun y => / (2 * PI) * y) _ (locally (PI / 2 + PI / 2))).
    + eapply filterlim_comp_2; [apply atan_of_affine|apply (atan_of_affine (- (1)))|].
      apply (filterlim_plus (V := R_NormedModule)).
    + apply (continuous_scal_r (V := R_NormedModule) (/ (2 * PI)) (fun y => y)), continuous_id.
Qed.

Theorem mass_is_one : integrates_to (fun z => exp (heavy_tailed_log_density z)) 1.
Proof.
  apply (from_primitive _ primitive (- (1 / 2)) (1 / 2)).
  - intros a b; apply (is_RInt_derive primitive); intros x _; [apply primitive_derivative|apply density_continuous].
  - apply (filterlim_ext (fun x => - primitive (- x))); [intros x; rewrite primitive_odd; ring|].
    apply (filterlim_comp _ _ _ (fun x => primitive (- x)) Ropp _ (locally (1 / 2))).
    + apply (filterlim_comp _ _ _ Ropp primitive _ plus_infinity); [|apply primitive_right].
      change (is_lim (fun o => - o) m_infty (Rbar_opp m_infty)); apply is_lim_opp, is_lim_id.
    + apply (filterlim_opp (V := R_NormedModule)).
  - apply primitive_right.
  - field.
Qed.

Theorem normalizer_value : heavy_tailed_normalizer = sqrt 2 / PI.
Proof. exact normalizer_is. Qed.

(* Algorithm 2 prints 1/(1 + z^4) as the density: its integral is pi/sqrt 2, not 1. *)
Theorem printed_density_has_other_mass :
  integrates_to (fun z => 1 / (1 + z ^ 4)) (PI / sqrt 2) /\ PI / sqrt 2 <> 1.
Proof.
  pose proof root2_pos; pose proof PI_RGT_0; fold root2; split.
  - replace (PI / root2) with (scal (PI / root2) 1) by (unfold scal; simpl; unfold mult; simpl; ring).
    apply (is_RInt_gen_ext (V := R_NormedModule)
      (fun z => scal (PI / root2) (exp (heavy_tailed_log_density z))) (fun z => 1 / (1 + z ^ 4))).
    + apply filter_forall; intros ab z _; rewrite density_is; unfold scal; simpl; unfold mult; simpl.
      pose proof (fourth_nonneg z); simpl in *; field; lra.
    + apply (is_RInt_gen_scal (V := R_NormedModule)), mass_is_one.
  - intros one; assert (e : PI = root2) by (apply (Rmult_eq_reg_r (/ root2));
      [rewrite Rinv_r; [exact one|lra]|apply Rinv_neq_0_compat; lra]).
    pose proof PI2_3_2; pose proof root2_square; nra.
Qed.
