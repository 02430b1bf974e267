(* Rule slope_and_end: an inequality in one variable from the sign of a slope and its case at the low end. *)
From Coq Require Import Reals Lra.
From Establish Require Import comparisons.
Open Scope R_scope.

(* Where a variable lies between the values of the others; without a high end it is not bounded above. *)
Record range := { low : R; low_open : bool; high : option R; high_open : bool }.

Definition inside (i : range) (x : R) : Prop :=
  (if low_open i then low i < x else low i <= x) /\
  match high i with None => True | Some h => if high_open i then x < h else x <= h end.
(* The same with both ends open. *)
Definition between (i : range) (x : R) : Prop :=
  low i < x /\ match high i with None => True | Some h => x < h end.

Definition continuous_within (f : R -> R) (where_ : R -> Prop) (x : R) : Prop :=
  forall e, 0 < e -> exists d, 0 < d /\ forall y, where_ y -> Rabs (y - x) < d -> Rabs (f y - f x) < e.

Section OneFunction.
Variables (i : range) (f slope : R -> R).
Let closed (x : R) : Prop := x = low i \/ inside i x.
Variable derivative : forall x, between i x -> derivable_pt_lim f x (slope x).
Variable sign : forall x, between i x -> 0 <= slope x.
Variable continuity : forall x, closed x -> continuous_within f closed x.

Lemma below_is_between x y : inside i x -> low i < y -> y < x -> between i y.
Proof.
  unfold inside, between; intros [_ h] l u; split; [exact l|].
  destruct (high i) as [t|]; [|exact I]; destruct (high_open i); lra.
Qed.

Lemma between_is_inside x : between i x -> inside i x.
Proof.
  unfold inside, between; intros [l h]; split; [destruct (low_open i); lra|].
  destruct (high i) as [t|]; [|exact I]; destruct (high_open i); lra.
Qed.

Lemma least_at_the_low_end x : inside i x -> low i < x -> f (low i) <= f x.
Proof.
  intros ix lx; destruct (Rle_lt_dec (f (low i)) (f x)) as [h|h]; [exact h|exfalso].
  pose (e := (f (low i) - f x) / 2); assert (e0 : 0 < e) by (unfold e; lra).
  destruct (continuity (low i) (or_introl eq_refl) e e0) as (d1 & d10 & near_low).
  destruct (continuity x (or_intror ix) e e0) as (d2 & d20 & near_x).
  pose (s := Rmin (d1 / 2) ((x - low i) / 3)); pose (t := Rmin (d2 / 2) ((x - low i) / 3)).
  assert (s0 : 0 < s) by (apply Rmin_glb_lt; lra); assert (t0 : 0 < t) by (apply Rmin_glb_lt; lra).
  pose proof (Rmin_l (d1 / 2) ((x - low i) / 3)) as s1; pose proof (Rmin_r (d1 / 2) ((x - low i) / 3)) as s2.
  pose proof (Rmin_l (d2 / 2) ((x - low i) / 3)) as t1; pose proof (Rmin_r (d2 / 2) ((x - low i) / 3)) as t2.
  fold s in s1, s2; fold t in t1, t2.
  assert (ba : between i (low i + s)) by (apply below_is_between with x; [exact ix|lra|lra]).
  assert (bb : between i (x - t)) by (apply below_is_between with x; [exact ix|lra|lra]).
  assert (na : Rabs (f (low i + s) - f (low i)) < e).
  { apply near_low; [right; apply between_is_inside, ba|].
    replace (low i + s - low i) with s by ring; rewrite Rabs_pos_eq; lra. }
  assert (nb : Rabs (f (x - t) - f x) < e).
  { apply near_x; [right; apply between_is_inside, bb|].
    replace (x - t - x) with (- t) by ring; rewrite Rabs_Ropp, Rabs_pos_eq; lra. }
  apply Rabs_def2 in na; apply Rabs_def2 in nb.
  destruct (MVT_cor2 f slope (low i + s) (x - t)) as (c & rise & c1 & c2); [lra| |].
  - intros c [c1 c2]; apply derivative, below_is_between with x; [exact ix|lra|lra].
  - assert (0 <= slope c) by (apply sign, below_is_between with x; [exact ix|lra|lra]).
    assert (0 <= slope c * (x - t - (low i + s))) by (apply Rmult_le_pos; lra).
    unfold e in na, nb; lra.
Qed.
End OneFunction.

(* A point is a value of the other variables with one of this variable. Owed: the statement at the low end
   ([start]); that the slope is not negative between the ends ([sign]). The slope is the derivative of right -
   left, and right - left is continuous on the interval, at its low end too, even where that is open. *)
Theorem slope_and_end (others : Type) (domain : others -> Prop) (ends : others -> range)
    (left right slope : others -> R -> R) (r : relation) :
  is_order r ->
  let closed o x := x = low (ends o) \/ inside (ends o) x in
  let gap o x := right o x - left o x in
  forall (start : stated domain (fun o => left o (low (ends o))) r (fun o => right o (low (ends o))))
    (sign : stated (fun p => domain (fst p) /\ between (ends (fst p)) (snd p)) (fun _ => 0) at_most
      (fun p => slope (fst p) (snd p)))
    (derivative : forall o x, domain o -> between (ends o) x -> derivable_pt_lim (gap o) x (slope o x))
    (continuity : forall o x, domain o -> closed o x -> continuous_within (gap o) (closed o) x),
  stated (fun p => domain (fst p) /\ inside (ends (fst p)) (snd p)) (fun p => left (fst p) (snd p)) r
    (fun p => right (fst p) (snd p)).
Proof.
  intros order closed gap start sign derivative continuity [o x] [d ix]; simpl in *.
  pose proof (start o d) as at_low.
  assert (h : gap o (low (ends o)) <= gap o x).
  { destruct (Rle_lt_dec x (low (ends o))) as [l|l].
    - assert (x = low (ends o)) as ->; [|right; reflexivity].
      destruct ix as [ix _]; destruct (low_open (ends o)); lra.
    - apply (least_at_the_low_end (ends o) (gap o) (slope o)); auto.
      + intros y by_; exact (sign (o, y) (conj d by_)).
      + intros y cy; exact (continuity o y d cy). }
  unfold gap in h; destruct order as [-> | ->]; simpl in *; lra.
Qed.

(* Continuity at the low end is needed: without it a jump there breaks the rule, though the slope is 0. *)
Lemma a_jump_breaks_it : exists f slope : R -> R, 0 <= f 0 /\
  (forall x, 0 < x -> derivable_pt_lim f x (slope x) /\ 0 <= slope x) /\ f 1 < 0.
Proof.
  exists (fun x => if Rle_lt_dec x 0 then 0 else -1), (fun _ => 0); split; [|split].
  - destruct (Rle_lt_dec 0 0); lra.
  - intros x x0; split; [|lra]; intros e e0; exists (mkposreal x x0); intros h h0 near; simpl in near.
    apply Rabs_def2 in near; destruct (Rle_lt_dec (x + h) 0); [lra|]; destruct (Rle_lt_dec x 0); [lra|].
    replace ((-1 - -1) / h - 0) with 0 by (field; exact h0); rewrite Rabs_R0; exact e0.
  - destruct (Rle_lt_dec 1 0); lra.
Qed.
