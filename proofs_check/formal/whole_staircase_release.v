(* Whole-Staircase as it is released: the places of outputs are phi (o + 1/2), as in spec/. For every alpha, epsilon > 0,
   flat part, lean and turn, and every M from the takeover on: a law for every dataset, and private at epsilon. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets countable.
From Establish Require Import windows ladder whole_scale_steps whole_staircase whole_staircase_law.
Open Scope R_scope.

Section Places.
Variables (alpha : R) (last : nat).
Variable a0 : 0 < alpha.
Variable late : whole_takeover alpha <= INR last.
Let L := ln (1 + alpha).

(* phi (o + 1/2): below 0 the number itself, linear between whole numbers up to M, and then the logarithm. *)
Definition output_place (o : Z) : R :=
  if Z_lt_dec o 0 then IZR o + 1 / 2
  else if lt_dec (Z.to_nat o) last then whole alpha last (Z.to_nat o) + gap_after alpha last (Z.to_nat o) / 2
  else whole alpha last last + whole_late_length ((IZR o + 1 / 2) / INR last) alpha.

Lemma last_pos : 1 <= INR last.
Proof.
  pose proof (from_pos alpha a0) as f; rewrite takeover_is in late.
  assert (0 < INR last) by nra.
  destruct last; [simpl in *; lra|rewrite S_INR; pose proof (pos_INR n); lra].
Qed.

Lemma beyond_last k : whole alpha last (last + k) = whole alpha last last + (ln (INR (last + k)) - ln (INR last)) / L.
Proof.
  pose proof (L_pos alpha a0) as l; fold L in l; induction k as [|k IH].
  - rewrite Nat.add_0_r; field; lra.
  - rewrite Nat.add_succ_r; simpl whole; rewrite IH; unfold gap_after.
    destruct (lt_dec (last + k) last); [lia|]; fold L.
    rewrite (S_INR (last + k)); field; lra.
Qed.

Lemma between_whole_numbers (m : nat) : whole alpha last m <= output_place (Z.of_nat m) <= whole alpha last (S m).
Proof.
  pose proof (L_pos alpha a0) as l; pose proof last_pos as one; unfold output_place.
  destruct (Z_lt_dec (Z.of_nat m) 0); [lia|]; rewrite Nat2Z.id.
  pose proof (gap_nonneg alpha last a0 late m).
  destruct (lt_dec m last) as [early|lately]; [simpl; lra|].
  replace (S m) with (last + (S m - last))%nat by lia.
  replace (whole alpha last m) with (whole alpha last (last + (m - last))) by (f_equal; lia).
  rewrite !beyond_last; fold L; replace (last + (m - last))%nat with m by lia; replace (last + (S m - last))%nat with (S m) by lia.
  rewrite <- INR_IZR_INZ, S_INR.
  assert (INR last <= INR m) by (apply le_INR; lia).
  unfold whole_late_length; fold L; rewrite ln_div by lra.
  assert (ln (INR m) <= ln (INR m + 1 / 2)) by (apply ln_le; lra).
  assert (ln (INR m + 1 / 2) <= ln (INR m + 1)) by (apply ln_le; lra).
  assert (0 < / L) by (apply Rinv_0_lt_compat, l).
  split; apply Rplus_le_compat_l; apply Rmult_le_compat_r; lra.
Qed.

Theorem output_places_rise o : output_place (o - 1) <= output_place o.
Proof.
  destruct (Z_lt_dec o 0) as [neg|pos].
  - unfold output_place; destruct (Z_lt_dec (o - 1) 0); [|lia]; destruct (Z_lt_dec o 0); [|lia].
    rewrite minus_IZR; lra.
  - replace o with (Z.of_nat (Z.to_nat o)) by lia; set (m := Z.to_nat o).
    pose proof (between_whole_numbers m) as [here _].
    destruct m as [|m].
    + change (whole alpha last 0) with 0 in here; set (zero := output_place (Z.of_nat 0)) in *.
      change (Z.of_nat 0 - 1)%Z with (-1)%Z; unfold output_place; destruct (Z_lt_dec (-1) 0); [|lia]; lra.
    + replace (Z.of_nat (S m) - 1)%Z with (Z.of_nat m) by lia.
      pose proof (between_whole_numbers m) as [_ before]; lra.
Qed.

Lemma places_have_no_end x : exists n : nat, output_place (- Z.of_nat n - 1) <= - x /\ x <= output_place (Z.of_nat n).
Proof.
  pose proof (L_pos alpha a0) as l; fold L in l; pose proof last_pos as one.
  set (y := INR last * exp (L * x)).
  assert (y0 : 0 < y) by (apply Rmult_lt_0_compat; [lra|apply exp_pos]).
  pose (k := Z.to_nat (up (Rmax x y))).
  assert (big : Rmax x y < INR k).
  { destruct (archimed (Rmax x y)) as [a _]; unfold k; pose proof (Rmax_r x y).
    assert (0 < IZR (up (Rmax x y))) as p by lra; apply lt_IZR in p.
    rewrite INR_IZR_INZ, Z2Nat.id by (apply Z.lt_le_incl; exact p); exact a. }
  pose proof (Rmax_l x y); pose proof (Rmax_r x y).
  exists (last + k)%nat; split.
  - unfold output_place; destruct (Z_lt_dec (- Z.of_nat (last + k) - 1) 0); [|lia].
    rewrite minus_IZR, opp_IZR, <- INR_IZR_INZ, plus_INR; lra.
  - pose proof (between_whole_numbers (last + k)) as [low _]; apply Rle_trans with (2 := low).
    rewrite beyond_last.
    pose proof (whole_rises alpha last a0 late 0 last) as w; simpl in w.
    assert (x <= (ln (INR (last + k)) - ln (INR last)) / L); [|lra].
    apply Rle_div_r; [exact l|].
    assert (ln y <= ln (INR (last + k))) as h by (apply ln_le; [exact y0|rewrite plus_INR; lra]).
    unfold y in h; rewrite ln_mult, ln_exp in h by (lra || apply exp_pos); lra.
Qed.
End Places.

Section Cuts.
Variables (epsilon width lean : R) (turn : Z).
Variable e0 : 0 < epsilon.
Variable w0 : 0 <= width.
Variable l0 : 0 <= lean.
Let Lam := ladder turn width lean epsilon.
Let Cut := cut turn width lean epsilon.
Let most := slope width epsilon * lean.

Lemma cut_near_ladder t : Lam t <= Cut t <= Lam t + most.
Proof.
  pose proof (slope_bounds width epsilon e0 w0) as [v0 _].
  assert (m0 : 0 <= most) by (apply Rmult_le_pos; lra).
  set (j := Int_part t); set (f := t - IZR j); pose proof (within t) as fb; fold j f in fb.
  assert (e : Cut t = Lam t + most * (share turn epsilon j * (1 - f) + share turn epsilon (j + 1) * f)).
  { unfold Cut, Lam, cut, ladder, in_steps, most; fold j f.
    unfold cut_start, cut_rise, rise, cut_jump, jump, at_place.
    unfold ladder_cut_start, ladder_cut_rise, ladder_cut_jump, ladder_rise, ladder_jump; ring. }
  pose proof (share_bounds turn epsilon e0 j); pose proof (share_bounds turn epsilon e0 (j + 1)).
  set (a := share turn epsilon j) in *; set (b := share turn epsilon (j + 1)) in *.
  assert (0 <= a * (1 - f) + b * f <= 1).
  { assert (0 <= a * (1 - f) <= 1 - f) by nra; assert (0 <= b * f <= f) by nra; lra. }
  rewrite e; nra.
Qed.

Let least := Rmin (slope width epsilon) (step epsilon).

Lemma least_pos : 0 < least.
Proof. apply Rmin_glb_lt; [apply slope_bounds; assumption|apply step_pos, e0]. Qed.

Lemma starts_climb j (n : nat) : start turn width epsilon j + INR n * least <= start turn width epsilon (j + Z.of_nat n).
Proof.
  induction n as [|n IH]; [simpl; rewrite Z.add_0_r; lra|].
  replace (j + Z.of_nat (S n))%Z with (j + Z.of_nat n + 1)%Z by lia; rewrite (ladder_joined turn width lean epsilon e0), S_INR.
  rewrite rise_is, jump_is; pose proof (share_bounds turn epsilon e0 (j + Z.of_nat n)) as b.
  assert (least <= slope width epsilon) by apply Rmin_l; assert (least <= step epsilon) by apply Rmin_r.
  set (a := share turn epsilon (j + Z.of_nat n)) in *.
  assert (a * least <= a * slope width epsilon) by (apply Rmult_le_compat_l; lra).
  assert ((1 - a) * least <= (1 - a) * step epsilon) by (apply Rmult_le_compat_l; lra); lra.
Qed.

Lemma ladder_at j : Lam (IZR j) = start turn width epsilon j.
Proof.
  unfold Lam, ladder, in_steps; rewrite (Int_part_is (IZR j) j) by lra.
  replace (IZR j - IZR j) with 0 by ring; unfold middle; destruct (Rlt_dec 0 (1 / 2)); [ring|lra].
Qed.

Lemma cuts_have_no_end x : exists t, forall s, (t <= s -> x <= Cut s) /\ (s <= - t -> Cut s <= - x).
Proof.
  pose proof least_pos as p.
  set (z := Rabs (start turn width epsilon 0) + Rabs x + most).
  pose (n := Z.to_nat (up (z / least))).
  pose proof (slope_bounds width epsilon e0 w0) as [v0 _].
  assert (m0 : 0 <= most) by (apply Rmult_le_pos; lra).
  assert (z0 : 0 <= z) by (unfold z; pose proof (Rabs_pos (start turn width epsilon 0)); pose proof (Rabs_pos x); lra).
  assert (zn : z <= INR n * least).
  { destruct (archimed (z / least)) as [a _].
    assert (0 <= z / least) by (apply Rmult_le_pos; [exact z0|left; apply Rinv_0_lt_compat, p]).
    assert (0 < IZR (up (z / least))) as u by lra; apply lt_IZR in u.
    assert (z / least <= INR n) by (unfold n; rewrite INR_IZR_INZ, Z2Nat.id by (apply Z.lt_le_incl; exact u); lra).
    apply Rle_div_l in H0; [lra|exact p]. }
  pose proof (Rle_abs (start turn width epsilon 0)); pose proof (Rle_abs (- start turn width epsilon 0)) as g; rewrite Rabs_Ropp in g.
  pose proof (Rle_abs x).
  exists (INR n); intros s; destruct (cut_near_ladder s) as [low high]; split; intros h.
  - apply Rle_trans with (2 := low).
    apply Rle_trans with (Lam (INR n)); [|apply ladder_rises; assumption].
    rewrite INR_IZR_INZ, ladder_at; pose proof (starts_climb 0 n) as c; rewrite Z.add_0_l in c; unfold z in *; lra.
  - apply Rle_trans with (1 := high).
    assert (Lam s <= Lam (- INR n)) by (apply ladder_rises; assumption).
    assert (e : Lam (- INR n) = start turn width epsilon (- Z.of_nat n)) by (rewrite <- ladder_at; f_equal; rewrite opp_IZR, <- INR_IZR_INZ; reflexivity).
    pose proof (starts_climb (- Z.of_nat n) n) as c; replace (- Z.of_nat n + Z.of_nat n)%Z with 0%Z in c by lia; unfold z in *; lra.
Qed.
End Cuts.

Section Release.
Variables (A V : Type) (alpha epsilon width lean : R) (turn : Z) (last : nat).

Definition whole_staircase_release (q : cell A V) (D : dataset A V) (o : Z) : R :=
  output_mass epsilon width lean turn (output_place alpha last) (whole_place alpha last q D) o.

Theorem whole_staircase_release_is_private : 0 < alpha -> 0 < epsilon -> 0 <= width -> 0 <= lean ->
  whole_takeover alpha <= INR last ->
  (forall q D, is_mass_function (whole_staircase_release q D)) /\
  (forall b, events_private (strong_neighbors alpha) epsilon (whole_staircase_release (establishment_cell b))) /\
  (forall q, events_private (weak_neighbors alpha) epsilon (whole_staircase_release q)).
Proof.
  intros a0 e0 w0 l0 late; split.
  - intros q D.
    assert (unbounded : forall x, exists n : nat,
      cut turn width lean epsilon (output_place alpha last (- Z.of_nat n - 1)) <= - x /\
      x <= cut turn width lean epsilon (output_place alpha last (Z.of_nat n))).
    { intros x; destruct (cuts_have_no_end epsilon width lean turn e0 w0 l0 x) as [t ends].
      destruct (places_have_no_end alpha last a0 late t) as (n & bottom & top).
      exists n; split; apply ends; assumption. }
    exact (masses_are_a_law epsilon width lean turn e0 w0 l0 (output_place alpha last)
      (output_places_rise alpha last a0 late) unbounded (whole_place alpha last q D)).
  - exact (whole_staircase_is_private A V alpha epsilon width lean turn last a0 e0 w0 l0 late (output_place alpha last)
      (output_places_rise alpha last a0 late)).
Qed.
End Release.

Arguments whole_staircase_release {A V}.
