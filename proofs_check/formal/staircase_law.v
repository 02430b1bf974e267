(* The staircase law with steps of width 1 has mass 1, around every place of a scale. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common bridge pieces growth_scale_steps growth_staircase growing_parts.
Open Scope R_scope.

Section Law.
Variables down up epsilon place : R.
Variable e0 : 0 < epsilon.
Variable d0 : 0 <= down.
Variable u0 : 0 <= up.
Let height (n : nat) : R := exp (staircase_step_log_density (INR n) down up epsilon).

Lemma over_e : 0 < exp epsilon - 1.
Proof. pose proof (exp_increasing 0 epsilon e0) as h; rewrite exp_0 in h; lra. Qed.

Lemma whole_width : 0 < down + up + 2 * (1 / (exp epsilon - 1)).
Proof. pose proof over_e; assert (0 < 1 / (exp epsilon - 1)) by (apply Rdiv_lt_0_compat; lra); lra. Qed.

Lemma heights n : height n = 1 / (down + up + 2 * (1 / (exp epsilon - 1))) * exp (- epsilon) ^ n.
Proof.
  pose proof whole_width as w; unfold height, staircase_step_log_density, Rminus at 1.
  rewrite exp_plus, exp_ln by (apply Rdiv_lt_0_compat; lra); f_equal.
  induction n as [|n IH]; [simpl; rewrite Rmult_0_r, Ropp_0; apply exp_0|].
  rewrite S_INR; replace (- (epsilon * (INR n + 1))) with (- epsilon + - (epsilon * INR n)) by ring.
  rewrite exp_plus, IH; reflexivity.
Qed.

Lemma masses_of_steps : is_series (fun n : nat =>
  height n * (up + place + INR n - match n with O => 0 | S m => up + place + INR m end)
  + height n * (down - place + INR n - match n with O => 0 | S m => down - place + INR m end)) 1.
Proof.
  pose proof whole_width as w; pose proof over_e as x; set (q := exp (- epsilon)).
  assert (inverse : exp epsilon * q = 1) by (unfold q; rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  pose proof (exp_pos epsilon) as ep.
  assert (qb : 0 < q < 1) by (split; [apply exp_pos|nra]).
  set (h := 1 / (down + up + 2 * (1 / (exp epsilon - 1)))).
  apply is_series_decr_1.
  apply (is_series_ext (fun n => 2 * h * q * q ^ n)).
  - intros n; rewrite !heights; fold q h; rewrite S_INR; simpl pow.
    match goal with |- ?a = ?b => change (@eq R a b) end; ring.
  - cbv beta iota; rewrite heights; fold q h.
    match goal with |- is_series _ ?v => replace v with (2 * h * q * / (1 - q) : R) end.
    + apply (is_series_scal (V := R_NormedModule)), is_series_geom; rewrite Rabs_pos_eq; lra.
    + unfold plus, opp; simpl.
      assert (ratio : 1 / (exp epsilon - 1) = q / (1 - q)).
      { apply Rmult_eq_reg_r with ((exp epsilon - 1) * (1 - q)); [|apply Rgt_not_eq, Rmult_lt_0_compat; lra].
        field_simplify; [lra|lra|lra]. }
      assert (one : h * (down + up + 2 * (q / (1 - q))) = 1) by (unfold h; rewrite <- ratio; unfold Rdiv at 1; rewrite Rmult_1_l; apply Rinv_l; lra).
      replace (2 * h * q * / (1 - q)) with (h * (2 * (q / (1 - q)))) by (unfold Rdiv; ring); lra.
Qed.

Theorem staircase_has_mass_one : is_density (fun y => exp (staircase_noise down up epsilon (y - place))).
Proof.
  assert (ends : forall n y, (steps down up (y - place) <= Z.of_nat n)%Z <->
    - (down - place + INR n) <= y /\ y <= up + place + INR n).
  { intros n y; rewrite steps_at_most, INR_IZR_INZ; split; [intros (_ & h & k); lra|intros h; split; [lia|lra]]. }
  assert (flat : forall n y, (steps down up (y - place) <= Z.of_nat n)%Z ->
    (match n with O => True | S m => ~ (steps down up (y - place) <= Z.of_nat m)%Z end) ->
    exp (staircase_noise down up epsilon (y - place)) = height n).
  { intros n y h k; unfold staircase_noise, height; rewrite INR_IZR_INZ; repeat f_equal.
    pose proof (proj1 (steps_at_most down up (y - place) _) (Z.le_refl _)) as [z _]; destruct n; lia. }
  apply (@mass_in_steps _ (fun n => down - place + INR n) (fun n => up + place + INR n) height height 1).
  - apply (@borel_of exp); [apply continuous_is_borel; intros; apply derivable_continuous_pt, derivable_pt_exp|].
    apply (@borel_of (staircase_noise down up epsilon) (fun y => y - place)); [apply staircase_borel|].
    apply continuous_is_borel; intros; reg.
  - intros y; left; apply exp_pos.
  - simpl; lra.
  - intros n; rewrite S_INR; lra.
  - intros n; rewrite S_INR; lra.
  - intros y; exists (Z.to_nat (steps down up (y - place))); apply ends.
    pose proof (proj1 (steps_at_most down up (y - place) _) (Z.le_refl _)) as [z _]; lia.
  - reflexivity.
  - intros y h k; apply flat; [apply ends; split; assumption|exact I].
  - intros n y h k; pose proof (pos_INR n); apply flat; [apply ends; rewrite S_INR in *; lra|intros b; apply ends in b; lra].
  - intros n y h k; pose proof (pos_INR n); apply flat; [apply ends; rewrite S_INR in *; lra|intros b; apply ends in b; lra].
  - apply masses_of_steps.
Qed.
End Law.
