(* Rules on tables of sums of any size: what holds of one sum and of one place holds of the table. A table has m
   sums of n unknowns; a bound that is not there is None. *)
From Coq Require Import Reals Lra Lia.
From Establish Require Import comparisons.
Open Scope R_scope.

Fixpoint sum (n : nat) (f : nat -> R) : R := match n with O => 0 | S k => sum k f + f k end.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof. induction n as [|n IH]; simpl; intros le; [lra|]; apply Rplus_le_compat; auto. Qed.
Lemma sum_eq n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof. intros e; apply Rle_antisym; apply sum_le; intros i l; rewrite (e i l); lra. Qed.
Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.
Lemma sum_scale n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.
Lemma sum_swap m n (f : nat -> nat -> R) :
  sum m (fun i => sum n (fun j => f i j)) = sum n (fun j => sum m (fun i => f i j)).
Proof.
  induction m as [|m IH]; simpl; [induction n as [|n IH]; simpl; [ring|rewrite <- IH; ring]|].
  rewrite IH, <- sum_plus; reflexivity.
Qed.

Section Tables.
Variables (m n : nat) (factor : nat -> nat -> R) (b : nat -> R) (low high : nat -> option R).

Definition not_below (bound : option R) v := match bound with Some l => l <= v | None => True end.
Definition not_above (bound : option R) v := match bound with Some h => v <= h | None => True end.
Definition sums_to (totals : nat -> R) (x : nat -> R) : Prop :=
  forall i, (i < m)%nat -> sum n (fun j => factor i j * x j) = totals i.
Definition fits (x : nat -> R) : Prop :=
  sums_to b x /\ forall j, (j < n)%nat -> not_below (low j) (x j) /\ not_above (high j) (x j).
(* A direction: the sums are 0, and no bound stops it. *)
Definition direction (d : nat -> R) : Prop :=
  sums_to (fun _ => 0) d /\
  forall j, (j < n)%nat -> not_below (option_map (fun _ => 0) (low j)) (d j) /\
    not_above (option_map (fun _ => 0) (high j)) (d j).

(* Rule sum_by_sum. Owed, at every value of the parameter: of a sum, first * b + second * b = b (or first * b +
   second * 0 = b for a direction); of a place, that the combination of two values lies above the low end, and
   below the high end, where both do (or where one does, and the other is not negative, or not positive). *)
Theorem sum_by_sum (along : bool) (meant : R -> Prop) (first second : R -> R) :
  let other bound := if along then 0 else bound in
  forall (sums : stated (fun p => meant (fst p)) (fun p => first (fst p) * snd p + second (fst p) * other (snd p))
      equal snd)
    (above : forall s l x u, meant s -> l <= x -> other l <= u -> l <= first s * x + second s * u)
    (below : forall s h x u, meant s -> x <= h -> u <= other h -> first s * x + second s * u <= h),
  forall s x u, meant s -> fits x -> (if along then direction u else fits u) ->
  fits (fun j => first s * x j + second s * u j).
Proof.
  intros other sums above below s x u ok [sx bx] uu.
  assert (su : sums_to (fun i => other (b i)) u) by (destruct along; apply uu).
  split.
  - intros i l; transitivity (first s * b i + second s * other (b i)); [|exact (sums (s, b i) ok)].
    rewrite <- (su i l : _ = other (b i)), <- (sx i l), <- !sum_scale, <- sum_plus.
    apply sum_eq; intros; ring.
  - intros j l; destruct (bx j l) as [xl xh].
    assert (ends : not_below (option_map other (low j)) (u j) /\ not_above (option_map other (high j)) (u j)).
    { destruct along; destruct uu as [_ bu]; destruct (bu j l) as [ul uh]; [split; assumption|].
      destruct (low j), (high j); simpl in *; auto. }
    destruct ends as [ul uh]; split.
    + destruct (low j) as [v|]; simpl in *; [apply above; assumption|exact I].
    + destruct (high j) as [v|]; simpl in *; [apply below; assumption|exact I].
Qed.

(* What is certified of a form e by factors y of the sums: row and term are formulas, and [free] stands in the
   place of an end that is not there. *)
Definition remainder (e y : nat -> R) (j : nat) : R := e j - sum m (fun i => y i * factor i j).
Definition end_of (free : R) (bound : option R) : R := match bound with Some v => v | None => free end.
Definition certified (row : R -> R -> R) (term : R -> R -> R -> R) (free e y : nat -> R) : R :=
  sum m (fun i => row (y i) (b i)) +
  sum n (fun j => term (remainder e y j) (end_of (free j) (low j)) (end_of (free j) (high j))).
(* The end that matters for the sign of the remainder is there. *)
Definition is_certified (e y : nat -> R) : Prop := forall j, (j < n)%nat ->
  (0 < remainder e y j -> low j <> None) /\ (remainder e y j < 0 -> high j <> None).

(* Rule linear_combination. Owed, of a bound: of one sum, and of one place for a remainder of either sign, of which
   only one end matters. Owed, of sums of bounds: that row and term of sums are at least the sums of them. *)
Theorem linear_combination (row : R -> R -> R) (term : R -> R -> R -> R) :
  ((stated (fun _ => True) (fun p => row (fst p) (snd p)) at_most (fun p => fst p * snd p)) ->
    (forall r l h x, 0 <= r -> l <= x -> term r l h <= r * x) ->
    (forall r l h x, r <= 0 -> x <= h -> term r l h <= r * x) ->
    forall free e y x, fits x -> is_certified e y -> certified row term free e y <= sum n (fun j => e j * x j)) /\
  ((forall y z c, row y c + row z c <= row (y + z) c) ->
    (forall r q l h, l <= h -> term r l h + term q l h <= term (r + q) l h) ->
    forall free e y f z,
    (forall j, (j < n)%nat -> end_of (free j) (low j) <= end_of (free j) (high j)) ->
    certified row term free e y + certified row term free f z <=
    certified row term free (fun j => e j + f j) (fun i => y i + z i)).
Proof.
  split.
  - intros rows up down free e y x [sx bx] given; unfold certified.
    assert (split_ : sum n (fun j => e j * x j) =
      sum m (fun i => y i * b i) + sum n (fun j => remainder e y j * x j)).
    { assert (h : sum m (fun i => y i * b i) = sum n (fun j => sum m (fun i => y i * factor i j) * x j)).
      { transitivity (sum m (fun i => sum n (fun j => y i * factor i j * x j))).
        - apply sum_eq; intros i l; rewrite <- (sx i l), <- sum_scale; apply sum_eq; intros; ring.
        - rewrite sum_swap; apply sum_eq; intros j _; rewrite Rmult_comm, <- sum_scale.
          apply sum_eq; intros; ring. }
      rewrite h, <- sum_plus; apply sum_eq; intros j _; unfold remainder; ring. }
    rewrite split_; apply Rplus_le_compat; apply sum_le; [intros i l; exact (rows (y i, b i) I)|].
    intros j l; destruct (bx j l) as [xl xh], (given j l) as [gl gh]; set (r := remainder e y j) in *.
    destruct (Rtotal_order r 0) as [neg|[zero|pos]].
    + destruct (high j) as [h|]; [|contradiction (gh neg eq_refl)]; apply down; simpl in *; lra.
    + rewrite zero, Rmult_0_l; apply Rle_trans with (0 * end_of (free j) (low j)); [apply up; lra|lra].
    + destruct (low j) as [v|]; [|contradiction (gl pos eq_refl)]; apply up; simpl in *; lra.
  - intros rows terms free e y f z ordered; unfold certified.
    assert (r : forall j, remainder (fun j => e j + f j) (fun i => y i + z i) j = remainder e y j + remainder f z j).
    { intros j; unfold remainder.
      rewrite (sum_eq m (fun i => (y i + z i) * factor i j) (fun i => y i * factor i j + z i * factor i j))
        by (intros; ring).
      rewrite sum_plus; ring. }
    assert (a : sum m (fun i => row (y i) (b i)) + sum m (fun i => row (z i) (b i)) <=
      sum m (fun i => row (y i + z i) (b i))) by (rewrite <- sum_plus; apply sum_le; auto).
    assert (c : sum n (fun j => term (remainder e y j) (end_of (free j) (low j)) (end_of (free j) (high j))) +
      sum n (fun j => term (remainder f z j) (end_of (free j) (low j)) (end_of (free j) (high j))) <=
      sum n (fun j => term (remainder (fun j => e j + f j) (fun i => y i + z i) j) (end_of (free j) (low j))
        (end_of (free j) (high j)))).
    { rewrite <- sum_plus; apply sum_le; intros j l; rewrite r; apply terms; auto. }
    lra.
Qed.
End Tables.
