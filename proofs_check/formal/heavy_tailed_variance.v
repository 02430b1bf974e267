(* The noise of Algorithm 2 has mean absolute value 1/sqrt 2 and second moment 1 (Section 8.2 of Haney et al. 2017:
   gamma = 4 makes the mean and the variance finite). Its mean is 0, so that 1 is its variance. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper heavy_tailed_admissible heavy_tailed_normalized.
From Establish Require Import heavy_tailed_mean.
Open Scope R_scope.

Definition square_primitive x := - / (4 * PI) * (ln (plus_part x) - ln (minus_part x))
  + / (2 * PI) * (atan (root2 * x + 1) + atan (root2 * x - 1)).

Lemma square_derivative x :
  is_derive square_primitive x (x ^ 2 * exp (heavy_tailed_log_density x)).
Proof.
  rewrite density_is, <- parts.
  pose proof (plus_part_pos x) as p; pose proof (minus_part_pos x) as m; pose proof PI_RGT_0.
  assert (s : root2 ^ 2 = 2) by (rewrite <- root2_square; ring).
  unfold square_primitive, plus_part, minus_part in *; auto_derive; [tauto|].
  assert (a : 1 + (root2 * x + 1) * ((root2 * x + 1) * 1) = 2 * (x * x + root2 * x + 1)).
  { transitivity (2 + root2 ^ 2 * x ^ 2 + 2 * root2 * x); [ring|rewrite s; ring]. }
  assert (b : 1 + (root2 * x + - (1)) * ((root2 * x + - (1)) * 1) = 2 * (x * x - root2 * x + 1)).
  { transitivity (2 + root2 ^ 2 * x ^ 2 - 2 * root2 * x); [ring|rewrite s; ring]. }
  rewrite a, b; clear a b.
  replace (x * x + - (root2 * x) + 1) with (x * x - root2 * x + 1) by ring.
  set (P := x * x + root2 * x + 1) in *; set (M := x * x - root2 * x + 1) in *.
  transitivity (2 * x * (P - M) / (4 * PI * P * M)); [field; lra|].
  replace (2 * x * (P - M)) with (4 * root2 * x ^ 2) by (unfold P, M; ring).
  field; lra.
Qed.

Lemma square_primitive_odd x : square_primitive (- x) = - square_primitive x.
Proof.
  unfold square_primitive.
  replace (plus_part (- x)) with (minus_part x) by (unfold plus_part, minus_part; ring).
  replace (minus_part (- x)) with (plus_part x) by (unfold plus_part, minus_part; ring).
  replace (root2 * - x + 1) with (- (root2 * x - 1)) by ring.
  replace (root2 * - x - 1) with (- (root2 * x + 1)) by ring.
  rewrite !atan_opp; ring.
Qed.

Lemma square_primitive_right : filterlim square_primitive plus_infinity (locally (1 / 2)).
Proof.
  pose proof PI_RGT_0.
  replace (1 / 2) with (- / (4 * PI) * 0 + / (2 * PI) * (PI / 2 + PI / 2)) by (field; lra).
  eapply filterlim_comp_2; [| |apply (filterlim_plus (V := R_NormedModule))].
  - apply (filterlim_comp _ _ _ _ (fun y => - / (4 * PI) * y) _ (locally 0)); [apply logs_vanish|].
    apply (continuous_scal_r (V := R_NormedModule) (- / (4 * PI)) (fun y => y)), continuous_id.
  - apply (filterlim_comp _ _ _ _ (fun y => / (2 * PI) * y) _ (locally (PI / 2 + PI / 2))).
    + eapply filterlim_comp_2; [apply atan_of_affine|apply (atan_of_affine (- (1)))|].
      apply (filterlim_plus (V := R_NormedModule)).
    + apply (continuous_scal_r (V := R_NormedModule) (/ (2 * PI)) (fun y => y)), continuous_id.
Qed.

Lemma moment_2_is_1 : heavy_tailed_absolute_moment_2 = 1.
Proof.
  unfold heavy_tailed_absolute_moment_2; replace (3 * PI / 4) with (PI - PI / 4) by field.
  rewrite Rtrigo_facts.sin_pi_minus; apply Rinv_r; rewrite sin_PI4.
  pose proof root2_pos; unfold root2 in *; apply Rgt_not_eq, Rdiv_lt_0_compat; lra.
Qed.

Theorem second_moment :
  integrates_to (fun z => z ^ 2 * exp (heavy_tailed_log_density z)) heavy_tailed_absolute_moment_2 /\
  heavy_tailed_absolute_moment_2 = 1.
Proof.
  split; [rewrite moment_2_is_1|apply moment_2_is_1].
  apply (from_primitive _ square_primitive (- (1 / 2)) (1 / 2)).
  - intros a b; apply (is_RInt_derive square_primitive); intros x _; [apply square_derivative|].
    apply (continuous_mult (K := R_AbsRing) (fun z => z ^ 2)); [|apply density_continuous].
    apply continuous_to_continuity; reg.
  - apply (filterlim_ext (fun x => - square_primitive (- x))); [intros x; rewrite square_primitive_odd; ring|].
    apply (filterlim_comp _ _ _ (fun x => square_primitive (- x)) Ropp _ (locally (1 / 2))).
    + apply (filterlim_comp _ _ _ Ropp square_primitive _ plus_infinity); [|apply square_primitive_right].
      change (is_lim (fun o => - o) m_infty (Rbar_opp m_infty)); apply is_lim_opp, is_lim_id.
    + apply (filterlim_opp (V := R_NormedModule)).
  - apply square_primitive_right.
  - field.
Qed.

(* The primitive of z/(1 + z^4) tends to the same value at both ends. *)
Theorem mean_is_zero : integrates_to (fun z => z * exp (heavy_tailed_log_density z)) 0.
Proof.
  pose proof root2_pos; pose proof PI_RGT_0; pose (F := fun z : R => root2 / PI * (/ 2 * atan (z * z))).
  assert (lim : forall G, (G = plus_infinity \/ G = minus_infinity) ->
    filterlim F G (locally (root2 / PI * (PI / 4)))).
  { intros G G_is; apply (filterlim_comp _ _ _ _ (fun y => root2 / PI * y) _ (locally (PI / 4))).
    - apply half_atan_of_square, G_is.
    - apply (continuous_scal_r (V := R_NormedModule) (root2 / PI) (fun y => y)), continuous_id. }
  apply (from_primitive _ F (root2 / PI * (PI / 4)) (root2 / PI * (PI / 4))); [|apply lim; auto|apply lim; auto|ring].
  intros a b; apply (is_RInt_derive F); intros z _.
  - rewrite density_is; pose proof (fourth_nonneg z); unfold F; auto_derive; [exact I|].
    replace (1 + z * z * (z * z * 1)) with (1 + z ^ 4) by ring; field; lra.
  - apply (continuous_mult (K := R_AbsRing) (fun z => z)); [apply continuous_id|apply density_continuous].
Qed.
