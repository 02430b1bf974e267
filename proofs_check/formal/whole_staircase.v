(* Whole-Staircase: the probabilities of whole outputs, that neighbors' are within e^epsilon of each other at every
   output, and so for every set of outputs. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets countable.
From Establish Require Import windows ladder whole_scale_steps.
Open Scope R_scope.

Section Room.
Variables (turn : Z) (width epsilon : R).
Variable e0 : 0 < epsilon.
Variable w0 : 0 <= width.
Let q := q epsilon.
Let Lam := ladder turn width 0 epsilon.

(* The steps on one side take no more than half of the mass. *)
Lemma half t : q / (1 - q) * (Lam (t + 1) - Lam t) <= 1 / 2.
Proof.
  pose proof (q01 epsilon e0) as h; fold q in h.
  pose proof (slope_bounds width epsilon e0 w0) as [v0 v1]; fold q in v1.
  pose proof (step_is epsilon) as s; fold q in s.
  set (j := Int_part t); set (f := t - IZR j).
  pose proof (within t) as fb; fold j f in fb.
  assert (rises : Lam (t + 1) - Lam t =
    rise turn width 0 epsilon j * (1 - f) + rise turn width 0 epsilon (j + 1) * f
    + jump turn width 0 epsilon j * (1 - middle f) + jump turn width 0 epsilon (j + 1) * middle f).
  { unfold Lam, ladder, in_steps; rewrite Int_part_next; fold j; rewrite plus_IZR.
    replace (t + 1 - (IZR j + 1)) with f by (unfold f; ring); fold f.
    rewrite (ladder_joined turn width 0 epsilon e0); ring. }
  rewrite rises, !rise_is, !jump_is.
  set (u := (1 - q) / (2 * q)); set (v := slope width epsilon) in *; set (st := step epsilon) in *.
  assert (u0 : 0 < u) by (apply Rdiv_lt_0_compat; lra).
  assert (stu : st = u * (2 * q / (1 + q))) by (rewrite s; unfold u; field; lra).
  set (w := 2 * q / (1 + q)) in *.
  assert (ww : 1 - w = (1 - q) / (1 + q)) by (unfold w; field; lra).
  assert (w1 : 0 < 1 - w) by (rewrite ww; apply Rdiv_lt_0_compat; lra).
  apply Rle_trans with (q / (1 - q) * u); [|right; unfold u; field; lra].
  apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|].
  pose proof (share_bounds turn epsilon e0 j) as sj.
  pose proof (share_bounds turn epsilon e0 (j + 1)) as sk.
  destruct (shares_fall turn epsilon e0 j) as [up _].
  set (a := share turn epsilon j) in *; set (b := share turn epsilon (j + 1)) in *.
  (* The shares of the density and of the jump, the latter in units of the former. *)
  assert (units : a * (1 - f) + b * f + ((1 - a) * (1 - middle f) + (1 - b) * middle f) * w <= 1).
  { assert (first : f <= 1 / 2 -> f * (b - a) <= (1 - a) * (1 - w)).
    { intros fh; destruct (ladder.shares turn epsilon e0 j) as (p & pb & [(_ & _ & _ & e & g)|(_ & _ & _ & e & g)]);
        fold a in e; fold b in g; fold q in e, g; rewrite e, g, ww.
      - apply Rmult_le_reg_r with (1 + q); [lra|].
        replace ((1 - (1 - p / 2)) * ((1 - q) / (1 + q)) * (1 + q)) with (p * (1 - q) / 2) by (field; lra).
        assert (f * (1 + q) <= 1) by nra.
        replace (f * (1 - q * p / 2 - (1 - p / 2)) * (1 + q)) with (f * (1 + q) * (p * (1 - q) / 2)) by field.
        assert (0 <= p * (1 - q) / 2) by nra; nra.
      - apply Rmult_le_reg_r with (1 + q); [lra|].
        replace ((1 - q * p / 2) * ((1 - q) / (1 + q)) * (1 + q)) with ((1 - q * p / 2) * (1 - q)) by (field; lra).
        replace (f * (p / 2 - q * p / 2) * (1 + q)) with (f * p * (1 + q) / 2 * (1 - q)) by field.
        apply Rmult_le_compat_r; [lra|].
        assert (f * p <= 1 / 2) by nra; assert (q * p <= q) by nra; nra. }
    unfold middle; destruct (Rlt_dec f (1 / 2)) as [lo|]; [|destruct (Rlt_dec (1 / 2) f) as [hi|]].
    - specialize (first ltac:(lra)); nra.
    - assert (0 <= (1 - f) * (b - a)) by (apply Rmult_le_pos; lra).
      assert (0 <= (1 - b) * (1 - w)) by (apply Rmult_le_pos; lra); nra.
    - replace f with (1 / 2) in * by lra; specialize (first ltac:(lra)).
      assert (0 <= (1 - b) * (1 - w)) by (apply Rmult_le_pos; lra); nra. }
  pose proof (middle_bounds f) as mf.
  assert (v * (a * (1 - f) + b * f) <= u * (a * (1 - f) + b * f)).
  { apply Rmult_le_compat_r; [|exact v1]; assert (0 <= a * (1 - f)) by (apply Rmult_le_pos; lra).
    assert (0 <= b * f) by (apply Rmult_le_pos; lra); lra. }
  assert (u * (a * (1 - f) + b * f + ((1 - a) * (1 - middle f) + (1 - b) * middle f) * w) <= u * 1)
    by (apply Rmult_le_compat_l; lra).
  rewrite stu; nra.
Qed.
End Room.

Section WholeStaircase.
Variables (A V : Type).
(* The scale turns at T, and has its last block begin at M; r1 + r2 and (r1 - r2)/2 of the flat part. *)
Variables (alpha epsilon width lean : R) (turn : Z) (last : nat).
Variable a0 : 0 < alpha.
Variable e0 : 0 < epsilon.
Variable w0 : 0 <= width.
Variable l0 : 0 <= lean.
Variable late : whole_takeover alpha <= INR last.
(* The places of outputs: phi (o + 1/2) in spec/; here any that do not fall. *)
Variable place : Z -> R.
Variable places_rise : forall o, place (o - 1) <= place o.

(* P(output = o): the mass of the s with cut (place (o - 1)) < s <= cut (place o), around t. *)
Definition output_mass (t : R) (o : Z) : R :=
  between (ladder turn width lean epsilon) (q epsilon) t
    (cut turn width lean epsilon (place (o - 1))) (cut turn width lean epsilon (place o)).
Definition whole_staircase (qc : cell A V) (D : dataset A V) (o : Z) : R := output_mass (whole_place alpha last qc D) o.

Lemma near_places_near_masses t t' o : Rabs (t - t') <= 1 -> output_mass t o <= exp epsilon * output_mass t' o.
Proof.
  intros near; unfold output_mass.
  pose proof (one_unit_costs_one_step (ladder turn width lean epsilon) (q epsilon) (q01 epsilon e0)
    (ladder_up turn width lean epsilon e0 w0) (ladder_down turn width lean epsilon e0 w0) t t' _ _
    (cut_rises turn width lean epsilon e0 w0 l0 _ _ (places_rise o)) near) as h.
  set (p := between _ _ t _ _) in *; set (p' := between _ _ t' _ _) in *.
  assert (e : exp epsilon * q epsilon = 1) by (unfold q; rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
  apply Rle_trans with (exp epsilon * (q epsilon * p)); [right; rewrite <- Rmult_assoc, e; ring|].
  apply Rmult_le_compat_l; [left; apply exp_pos|exact h].
Qed.

Theorem whole_staircase_is_private :
  (forall b, events_private (strong_neighbors alpha) epsilon (whole_staircase (establishment_cell b))) /\
  (forall qc, events_private (weak_neighbors alpha) epsilon (whole_staircase qc)).
Proof.
  split; [intros b|intros qc]; apply bound_at_every_answer; intros D D' o near; apply near_places_near_masses.
  - apply strong_whole_apart; assumption.
  - apply weak_whole_apart; assumption.
Qed.
End WholeStaircase.
