(* The law of Smooth Path in units of its flat part: fine steps as the shortest path has them, then steps that spread as those
   of Smooth Staircase. And that the sections of spec/, hyperbolas and where they end, are what the shortest path has. *)
From Coq Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common smooth_staircase smooth_staircase_release shortest_path.
Open Scope R_scope.

(* The density on step k over e^(-k epsilon): below at the distance y, above at z. *)
Definition factor_below (alpha r1 : R) (fine turn k : nat) (y : R) : R :=
  if le_dec k fine then cheapest alpha r1 k y else (1 + alpha) ^ (Nat.min fine turn + (k - fine)).
Definition factor_above (alpha r2 : R) (fine k : nat) (z : R) : R :=
  if le_dec k fine then / dearest alpha r2 k z else 1.
Definition side_below (alpha epsilon r1 : R) (slides fine turn : nat) (y : R) : R :=
  let k := steps_to (break_below alpha slides r1) y in exp (- epsilon) ^ k * factor_below alpha r1 fine turn k y.
Definition side_above (alpha epsilon r2 : R) (fine : nat) (z : R) : R :=
  let k := steps_to (break_above alpha r2) z in exp (- epsilon) ^ k * factor_above alpha r2 fine k z.
(* One of both sides is 1 everywhere. *)
Definition path_kernel (alpha epsilon r1 r2 : R) (slides fine turn : nat) (z : R) : R :=
  side_above alpha epsilon r2 fine z * side_below alpha epsilon r1 slides fine turn (- z).

(* How many fine steps may be taken, and where prices turn. *)
Definition may_be_fine (alpha epsilon r1 : R) (fine turn : nat) : Prop :=
  (INR turn + 2) * ln (1 + alpha) <= epsilon /\ (1 <= turn)%nat /\
  (fine = O \/ 1 - / (1 + alpha) ^ S turn <= alpha * INR turn /\ INR fine * ln (1 + alpha) <= epsilon /\ r1 + INR fine <= 2 / alpha).

(* There are such numbers. *)
Lemma two_fine_steps : may_be_fine 1 3 0 2 1 /\ slides_until 1 3 0 /\ 2 * ln (1 + 1) < 3.
Proof.
  assert (l : ln (1 + 1) <= 1) by (rewrite <- (ln_exp 1) at 3; apply ln_le; [lra|apply exp_ineq1_le]).
  unfold may_be_fine, slides_until; simpl; repeat split; try lra; try lia; right; lra.
Qed.

Section Sections.
Variable alpha : R.
Variable a0 : 0 < alpha.
Let g := 1 + alpha.

(* On step k below: p is the power k up to the first end, and then on section j the hyperbola of spec/, from where it is the
   power j+1 to where it is the power j. Sections adjoin, and the last one ends with the step, at r1 + k. *)
Theorem sections_below r1 k j y : 0 <= r1 -> (j < k)%nat -> let size := r1 + reached alpha j in let pole := later k j in
  (S j = k -> y <= path_end_below size pole (g ^ k) -> cheapest alpha r1 k y = g ^ k) /\
  (path_end_below size pole (g ^ S j) <= y <= path_end_below size pole (g ^ j) -> cheapest alpha r1 k y = path_hyperbola y size pole) /\
  ((S j < k)%nat -> path_end_below (r1 + reached alpha (S j)) (later k (S j)) (g ^ S j) = path_end_below size pole (g ^ S j)) /\
  path_end_below (r1 + reached alpha 0) (later k 0) (g ^ 0) = r1 + INR k.
Proof.
  intros r0 jk size pole; assert (s1 : 1 <= size) by (apply size_pos; assumption); pose proof (later_pos k j) as l0; fold pole in l0.
  assert (P : forall n, 1 <= g ^ n) by (intros n; apply power_pos, a0).
  assert (same : forall p, 0 < p -> reaches_below alpha r1 k p y -> (forall x, reaches_below alpha r1 k x y -> x <= p) -> cheapest alpha r1 k y = p).
  { intros p p0 r most; apply Rle_antisym; [apply most, cheapest_reaches; assumption|apply cheapest_is; assumption]. }
  (* At a price between the powers i and i+1 line i is the least. *)
  assert (line : forall p i, (i < k)%nat -> g ^ i <= p <= g ^ S i -> p * (y - later k i) <= r1 + reached alpha i -> reaches_below alpha r1 k p y).
  { intros p i ik pb at_i; split; [apply Rle_trans with (1 := proj2 pb), powers_rise; [exact a0|lia]|].
    intros l lk; pose proof (between_powers alpha a0 p l i pb); rewrite later_is in * by assumption; lra. }
  unfold path_end_below, path_hyperbola; repeat split.
  - intros last to; apply same; [specialize (P k); lra| |intros x [h _]; exact h].
    apply (line (g ^ k) j jk); [rewrite <- last; split; [apply powers_rise; [exact a0|lia]|lra]|].
    fold size pole; specialize (P k); apply (Rmult_le_compat_l (g ^ k)) in to; [|lra].
    replace (g ^ k * (pole + size / g ^ k)) with (g ^ k * pole + size) in to by (field; lra); lra.
  - intros [from to]; pose proof (P j) as Pj; pose proof (P (S j)) as Pn.
    assert (0 < y - pole) by (assert (0 < size / g ^ S j) by (apply Rdiv_lt_0_compat; lra); lra).
    assert (on_it : size / (y - pole) * (y - pole) = size) by (field; lra).
    assert (pb : g ^ j <= size / (y - pole) <= g ^ S j).
    { split; [apply Rle_div_r|apply Rle_div_l]; try lra.
      - apply (Rmult_le_compat_l (g ^ j)) in to; [|lra]; replace (g ^ j * (pole + size / g ^ j)) with (g ^ j * pole + size) in to by (field; lra); lra.
      - apply (Rmult_le_compat_l (g ^ S j)) in from; [|lra]; replace (g ^ S j * (pole + size / g ^ S j)) with (g ^ S j * pole + size) in from by (field; lra); lra. }
    apply same; [lra|apply (line _ j jk pb); fold size pole; lra|].
    intros x [_ all]; specialize (all j jk); fold size pole in all; apply Rle_div_r; lra.
  - intros next; unfold size, pole; rewrite !later_is, reached_next, S_INR by (assumption || lia); specialize (P (S j)); fold g; field; lra.
  - rewrite reached_first, later_is by (assumption || lia); simpl; field.
Qed.

(* On step k above, where size is not 0: q is 1 up to r2 + k, and then on section j the inverse of the hyperbola of spec/, until
   it is the power j+1. Sections adjoin, and the last one ends with the step. *)
Theorem sections_above r2 k j z : 0 <= r2 -> (j < k)%nat -> z <= reached_above alpha r2 k ->
  let size := r2 + later k j in let pole := reached alpha j in
  (z <= r2 + INR k -> dearest alpha r2 k z = 1) /\
  (0 < size -> pole + g ^ j * size <= z <= path_end_above size pole (g ^ j) alpha -> / dearest alpha r2 k z = path_hyperbola z size pole) /\
  ((S j < k)%nat -> reached alpha (S j) + g ^ S j * (r2 + later k (S j)) = path_end_above size pole (g ^ j) alpha) /\
  (S j = k -> path_end_above size pole (g ^ j) alpha = reached_above alpha r2 k) /\
  reached alpha 0 + g ^ 0 * (r2 + later k 0) = r2 + INR k.
Proof.
  intros r0 jk end_ size pole; assert (P : forall n, 1 <= g ^ n) by (intros n; apply power_pos, a0).
  assert (same : forall q, reaches_above alpha r2 k q z -> (forall x, reaches_above alpha r2 k x z -> q <= x) -> dearest alpha r2 k z = q).
  { intros q r least; apply Rle_antisym; [apply dearest_is; assumption|apply least, dearest_reaches; assumption]. }
  unfold path_end_above, path_hyperbola; fold g; repeat split.
  - intros to; apply same; [|intros x [h _]; exact h]; split; [lra|].
    intros i ik; rewrite later_is by exact ik; pose proof (reached_least alpha a0 i); lra.
  - intros s0 [from to]; set (q := (z - pole) / size).
    assert (on_it : z = pole + q * size) by (unfold q; field; lra).
    assert (qb : g ^ j <= q <= g ^ S j) by (unfold q; simpl pow; split; [apply Rle_div_r|apply Rle_div_l]; lra).
    pose proof (P j) as Pj.
    assert (dearest alpha r2 k z = q) as ->; [|unfold q; field; assert (0 < q * size) by (apply Rmult_lt_0_compat; lra); split; lra].
    apply same; [split; [lra|]|].
    + intros i ik; pose proof (between_powers alpha a0 q i j qb); rewrite on_it; unfold size, pole; rewrite !later_is by assumption; lra.
    + intros x [_ all]; specialize (all j jk); fold size pole in all; unfold q; apply Rle_div_l; lra.
  - intros next; unfold size, pole; rewrite reached_next, !later_is, S_INR by (assumption || lia); fold g; simpl pow; ring.
  - intros last; unfold size, pole; rewrite <- last, end_of_step by exact a0; rewrite later_is, S_INR by (assumption || lia); fold g; simpl pow; ring.
  - rewrite reached_first, later_is by (assumption || lia); simpl; ring.
Qed.
End Sections.
