(* The ladder of Whole-Staircase: on every whole step it rises by a share of the flat law's density and by a jump of the
   geometric law's, and from one step to the next no rise is lower by more than e^(-epsilon). *)
From Coq Require Import Reals Lra Psatz Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common.
Open Scope R_scope.

(* Functions in whole steps, with a slope and a jump in the middle of each. *)
Definition middle (f : R) : R := if Rlt_dec f (1 / 2) then 0 else if Rlt_dec (1 / 2) f then 1 else 1 / 2.
Definition in_steps (start rise jump : Z -> R) (t : R) : R :=
  let j := Int_part t in start j + rise j * (t - IZR j) + jump j * middle (t - IZR j).

Lemma middle_bounds f : 0 <= middle f <= 1.
Proof. unfold middle; repeat destruct (Rlt_dec _ _); lra. Qed.

Lemma middle_rises f f' : f <= f' -> middle f <= middle f'.
Proof. intros h; unfold middle; repeat destruct (Rlt_dec _ _); lra. Qed.

Lemma Int_part_is t j : IZR j <= t < IZR j + 1 -> Int_part t = j.
Proof.
  intros [l h]; destruct (base_Int_part t) as [a b].
  assert (IZR (Int_part t) < IZR (j + 1)) as c by (rewrite plus_IZR; lra).
  assert (IZR j < IZR (Int_part t + 1)) as d by (rewrite plus_IZR; lra).
  apply lt_IZR in c, d; lia.
Qed.

Lemma Int_part_next t : Int_part (t + 1) = (Int_part t + 1)%Z.
Proof. destruct (base_Int_part t); apply Int_part_is; rewrite plus_IZR; lra. Qed.

Lemma within t : 0 <= t - IZR (Int_part t) < 1.
Proof. destruct (base_Int_part t); lra. Qed.

Lemma Int_part_rises t t' : t <= t' -> (Int_part t <= Int_part t')%Z.
Proof.
  intros h; pose proof (within t); pose proof (within t').
  assert (IZR (Int_part t) < IZR (Int_part t' + 1)) as c by (rewrite plus_IZR; lra); apply lt_IZR in c; lia.
Qed.

Section Steps.
Variables start rise jump : Z -> R.
Variable rise0 : forall j, 0 <= rise j.
Variable jump0 : forall j, 0 <= jump j.
Variable joined : forall j, start (j + 1)%Z = start j + rise j + jump j.

Lemma starts_rise j (n : nat) : start j <= start (j + Z.of_nat n).
Proof.
  induction n as [|n IH]; [rewrite Z.add_0_r; lra|].
  replace (j + Z.of_nat (S n))%Z with (j + Z.of_nat n + 1)%Z by lia; rewrite joined.
  specialize (rise0 (j + Z.of_nat n)); specialize (jump0 (j + Z.of_nat n)); lra.
Qed.

Lemma in_its_step t : let j := Int_part t in start j <= in_steps start rise jump t <= start (j + 1).
Proof.
  intros j; unfold in_steps; fold j; pose proof (within t) as w; fold j in w.
  pose proof (middle_bounds (t - IZR j)); specialize (rise0 j); specialize (jump0 j); rewrite joined; nra.
Qed.

Theorem steps_rise t t' : t <= t' -> in_steps start rise jump t <= in_steps start rise jump t'.
Proof.
  intros h; pose proof (Int_part_rises t t' h) as k.
  destruct (Z.eq_dec (Int_part t) (Int_part t')) as [e|e].
  - unfold in_steps; rewrite <- e; set (j := Int_part t) in *.
    assert (rise j * (t - IZR j) <= rise j * (t' - IZR j)) by (apply Rmult_le_compat_l; [apply rise0|lra]).
    assert (jump j * middle (t - IZR j) <= jump j * middle (t' - IZR j))
      by (apply Rmult_le_compat_l; [apply jump0|apply middle_rises; lra]); lra.
  - destruct (in_its_step t) as [_ top]; destruct (in_its_step t') as [bottom _].
    pose proof (starts_rise (Int_part t + 1) (Z.to_nat (Int_part t' - Int_part t - 1))) as up.
    replace (Int_part t + 1 + Z.of_nat (Z.to_nat (Int_part t' - Int_part t - 1)))%Z with (Int_part t') in up by lia; lra.
Qed.
End Steps.

(* One function in steps, a unit further on, less a part of another one. *)
Lemma combined s r u s' r' u' (a b : Z) c t : 
  in_steps s r u (t + IZR a) - c * in_steps s' r' u' (t + IZR b) =
  in_steps (fun j => s (j + a)%Z - c * s' (j + b)%Z) (fun j => r (j + a)%Z - c * r' (j + b)%Z)
    (fun j => u (j + a)%Z - c * u' (j + b)%Z) t.
Proof.
  assert (shift : forall d, Int_part (t + IZR d) = (Int_part t + d)%Z).
  { intros d; pose proof (within t); apply Int_part_is; rewrite plus_IZR; lra. }
  unfold in_steps; rewrite !shift, !plus_IZR.
  replace (t + IZR a - (IZR (Int_part t) + IZR a)) with (t - IZR (Int_part t)) by ring.
  replace (t + IZR b - (IZR (Int_part t) + IZR b)) with (t - IZR (Int_part t)) by ring; ring.
Qed.

Section Ladder.
Variables (turn : Z) (width lean epsilon : R).
Variable e0 : 0 < epsilon.
Variable w0 : 0 <= width.
Variable l0 : 0 <= lean.

Definition q : R := exp (- epsilon).
Definition step : R := geometric_mass 0 q.
Definition slope : R := staircase_height width 0 epsilon.
Definition excess : R := ladder_excess step slope q.
Definition power (d : Z) : R := exp (- epsilon * IZR (Z.abs d)).
Definition share (j : Z) : R :=
  if Z_le_dec turn j then 1 - ladder_receding (power (j - turn)) else ladder_receding (power (j - turn)).
Definition start (j : Z) : R :=
  (if Z_le_dec turn j then ladder_start_after else ladder_start_before)
    (IZR (j - turn)) (power (j - turn)) q step slope excess.
(* A formula of spec/ for the piece that begins at j. *)
Definition at_place (formula : R -> R -> R -> R -> R -> R -> R -> R -> R) (j : Z) : R :=
  formula (start j) (share j) (share (j + 1)) lean q step slope excess.
Definition rise (j : Z) : R := at_place ladder_rise j.
Definition jump (j : Z) : R := at_place ladder_jump j.
Definition cut_start (j : Z) : R := at_place ladder_cut_start j.
Definition cut_rise (j : Z) : R := at_place ladder_cut_rise j.
Definition cut_jump (j : Z) : R := at_place ladder_cut_jump j.
Definition ladder : R -> R := in_steps start rise jump.
Definition cut : R -> R := in_steps cut_start cut_rise cut_jump.

Lemma q01 : 0 < q < 1.
Proof. split; [apply exp_pos|]; unfold q; rewrite <- exp_0; apply exp_increasing; lra. Qed.

Lemma step_is : step = (1 - q) / (1 + q).
Proof. unfold step, geometric_mass; simpl; ring. Qed.

Lemma step_pos : 0 < step.
Proof. rewrite step_is; pose proof q01; apply Rdiv_lt_0_compat; lra. Qed.

Lemma exp_over : exp epsilon - 1 = (1 - q) / q.
Proof. pose proof q01; unfold q in *; rewrite exp_Ropp in *; pose proof (exp_pos epsilon); field; lra. Qed.

Lemma slope_bounds : 0 < slope <= (1 - q) / (2 * q).
Proof.
  pose proof q01 as h; unfold slope, staircase_height; rewrite exp_over.
  replace (width + 0 + 2 * (1 / ((1 - q) / q))) with (width + 2 * q / (1 - q)) by (field; lra).
  assert (p : 0 < 2 * q / (1 - q)) by (apply Rdiv_lt_0_compat; lra).
  split; [apply Rdiv_lt_0_compat; lra|].
  replace ((1 - q) / (2 * q)) with (1 / (2 * q / (1 - q))) by (field; lra).
  apply Rmult_le_compat_l; [lra|apply Rinv_le_contravar; lra].
Qed.

Lemma power_bounds d : 0 < power d <= 1.
Proof.
  split; [apply exp_pos|]; unfold power; rewrite <- exp_0; apply exp_le.
  pose proof (IZR_le 0 (Z.abs d) (Z.abs_nonneg d)); nra.
Qed.

Lemma power_after d : (0 <= d)%Z -> power (d + 1) = q * power d.
Proof.
  intros h; unfold power, q; rewrite <- exp_plus; f_equal; rewrite !Z.abs_eq, plus_IZR by lia; ring.
Qed.

Lemma power_before d : (d < 0)%Z -> power d = q * power (d + 1).
Proof.
  intros h; unfold power, q; rewrite <- exp_plus; f_equal; rewrite !Z.abs_neq, !opp_IZR, plus_IZR by lia; ring.
Qed.

Lemma power_zero : power 0 = 1.
Proof. unfold power; simpl; rewrite Rmult_0_r; apply exp_0. Qed.

(* Two shares in a row. *)
Lemma shares j : exists p, 0 < p <= 1 /\
  ((turn <= j)%Z /\ power (j - turn) = p /\ power (j + 1 - turn) = q * p /\ share j = 1 - p / 2 /\ share (j + 1) = 1 - q * p / 2 \/
   (j < turn)%Z /\ power (j - turn) = q * p /\ power (j + 1 - turn) = p /\ share j = q * p / 2 /\ share (j + 1) = p / 2).
Proof.
  unfold share, ladder_receding; destruct (Z_le_dec turn j) as [h|h].
  - exists (power (j - turn)); split; [apply power_bounds|left].
    destruct (Z_le_dec turn (j + 1)); [|lia].
    replace (j + 1 - turn)%Z with (j - turn + 1)%Z by lia; rewrite power_after by lia; repeat split; lra || lia.
  - exists (power (j + 1 - turn)); split; [apply power_bounds|right].
    rewrite (power_before (j - turn)) by lia; replace (j - turn + 1)%Z with (j + 1 - turn)%Z by lia.
    destruct (Z_le_dec turn (j + 1)) as [k|k]; repeat split; try lra; try lia.
    replace (j + 1 - turn)%Z with 0%Z by lia; rewrite power_zero; lra.
Qed.

Lemma share_bounds j : 0 <= share j <= 1.
Proof.
  pose proof q01; destruct (shares j) as (p & b & [(_ & _ & _ & e & _)|(_ & _ & _ & e & _)]); rewrite e; nra.
Qed.

(* No share of a kind falls by more than q, in either direction; and shares rise. *)
Lemma shares_fall j : share j <= share (j + 1) /\ q * share j <= share (j + 1) /\ q * share (j + 1) <= share j /\
  q * (1 - share j) <= 1 - share (j + 1) /\ q * (1 - share (j + 1)) <= 1 - share j.
Proof.
  pose proof q01 as h; destruct (shares j) as (p & b & [(_ & _ & _ & e & f)|(_ & _ & _ & e & f)]); rewrite e, f.
  - assert (0 <= q * p <= q) by nra; assert (0 <= q * (q * p) <= q * p) by nra; repeat split; nra.
  - assert (0 <= q * p <= q) by nra; assert (0 <= q * (q * p) <= q * p) by nra; repeat split; nra.
Qed.

Lemma rise_is j : rise j = share j * slope.
Proof. reflexivity. Qed.

Lemma jump_is j : jump j = (1 - share j) * step.
Proof. reflexivity. Qed.

(* The places of spec/ are joined: where a step ends the next one starts. *)
Lemma ladder_joined j : start (j + 1)%Z = start j + rise j + jump j.
Proof.
  pose proof q01 as h; unfold start, rise, jump, at_place.
  destruct (shares j) as (p & b & [(k & e & f & g & _)|(k & e & f & g & _)]); rewrite e, f, g.
  - destruct (Z_le_dec turn j); [|lia]; destruct (Z_le_dec turn (j + 1)); [|lia].
    unfold ladder_start_after, ladder_rise, ladder_jump, excess, ladder_excess; rewrite !minus_IZR, plus_IZR; field; lra.
  - destruct (Z_le_dec turn j); [lia|]; destruct (Z_le_dec turn (j + 1)) as [past|not_yet].
    + assert (at0 : (j = turn - 1)%Z) by lia; subst j.
      replace (turn - 1 + 1 - turn)%Z with 0%Z in * by lia; rewrite power_zero in f; subst p.
      unfold ladder_start_after, ladder_start_before, ladder_rise, ladder_jump, excess, ladder_excess.
      replace (turn - 1 - turn)%Z with (-1)%Z by lia; field; lra.
    + unfold ladder_start_before, ladder_rise, ladder_jump, excess, ladder_excess; rewrite !minus_IZR, plus_IZR; field; lra.
Qed.

Lemma rise_nonneg j : 0 <= rise j.
Proof. rewrite rise_is; pose proof (share_bounds j); pose proof slope_bounds; nra. Qed.

Lemma jump_nonneg j : 0 <= jump j.
Proof. rewrite jump_is; pose proof (share_bounds j); pose proof step_pos; nra. Qed.

Theorem ladder_rises t t' : t <= t' -> ladder t <= ladder t'.
Proof. apply steps_rise; [apply rise_nonneg|apply jump_nonneg|apply ladder_joined]. Qed.

(* Cuts, too, rise. *)
Lemma cut_joined j : cut_start (j + 1)%Z = cut_start j + cut_rise j + cut_jump j.
Proof.
  pose proof (ladder_joined j) as h; unfold rise, jump, cut_start, cut_rise, cut_jump, at_place in *.
  unfold ladder_rise, ladder_jump in h; unfold ladder_cut_start, ladder_cut_rise, ladder_cut_jump; lra.
Qed.

Theorem cut_rises t t' : t <= t' -> cut t <= cut t'.
Proof.
  apply steps_rise; [| |apply cut_joined]; intros j.
  - change (cut_rise j) with (rise j + slope * lean * (share (j + 1) - share j)).
    pose proof (rise_nonneg j); pose proof slope_bounds; destruct (shares_fall j) as [up _].
    assert (0 <= slope * lean) by (apply Rmult_le_pos; lra).
    assert (0 <= slope * lean * (share (j + 1) - share j)) by (apply Rmult_le_pos; lra); lra.
  - apply jump_nonneg.
Qed.

(* What windows.v asks of a ladder. *)
Theorem ladder_up t t' : t <= t' -> q * (ladder t' - ladder t) <= ladder (t' + 1) - ladder (t + 1).
Proof.
  intros h; pose proof q01; pose proof slope_bounds; pose proof step_pos.
  assert (k : forall x, ladder (x + 1) - q * ladder x = ladder (x + 1) - q * ladder (x + 0)) by (intros; rewrite Rplus_0_r; reflexivity).
  assert (ladder (t + 1) - q * ladder t <= ladder (t' + 1) - q * ladder t'); [|lra].
  rewrite !k; unfold ladder; rewrite !(combined _ _ _ _ _ _ 1 0); apply steps_rise; [| |  |exact h]; intros j; rewrite !Z.add_0_r.
  - rewrite !rise_is; destruct (shares_fall j) as (_ & a & _); nra.
  - rewrite !jump_is; destruct (shares_fall j) as (_ & _ & _ & a & _); nra.
  - rewrite !(ladder_joined _); ring.
Qed.

Theorem ladder_down t t' : t <= t' -> q * (ladder (t' + 1) - ladder (t + 1)) <= ladder t' - ladder t.
Proof.
  intros h; pose proof q01; pose proof slope_bounds; pose proof step_pos.
  assert (k : forall x, ladder x - q * ladder (x + 1) = ladder (x + 0) - q * ladder (x + 1)) by (intros; rewrite Rplus_0_r; reflexivity).
  assert (ladder t - q * ladder (t + 1) <= ladder t' - q * ladder (t' + 1)); [|lra].
  rewrite !k; unfold ladder; rewrite !(combined _ _ _ _ _ _ 0 1); apply steps_rise; [| |  |exact h]; intros j; rewrite !Z.add_0_r.
  - rewrite !rise_is; destruct (shares_fall j) as (_ & _ & a & _); nra.
  - rewrite !jump_is; destruct (shares_fall j) as (_ & _ & _ & _ & a); nra.
  - rewrite !(ladder_joined _); ring.
Qed.
End Ladder.
