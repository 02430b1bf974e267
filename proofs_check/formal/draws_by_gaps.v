(* Rule by_one_gap: a draw from finitely many answers by a score that one individual changes by at most 1. *)
From Coq Require Import Reals Lra List.
Import ListNotations.
From Establish Require Import comparisons.
Open Scope R_scope.

Section Draw.
Variables (answer : Type) (answers : list answer) (weight : answer -> R) (aims : answer -> list R).
Variables (miss : R -> R -> R) (r : R) (level : R -> R).

(* What the counts of the gaps miss of the aims of an answer; aims and counts do not know of each other. *)
Fixpoint missed (counts targets : list R) : R :=
  match counts, targets with n :: ns, t :: ts => miss n t + missed ns ts | _, _ => 0 end.
Definition numerator counts a : R := weight a * Rpower r (- missed counts (aims a)).
Definition added (f : answer -> R) : R := fold_right (fun a s => f a + s) 0 answers.
Definition chance counts a : R := numerator counts a / added (numerator counts).
(* One individual more, in one of the gaps. *)
Definition one_more (counts counts' : list R) : Prop :=
  exists before n after, 0 <= n /\ counts = before ++ n :: after /\ counts' = before ++ n + 1 :: after.

Variable r1 : 1 <= r.
Variable positive : forall a, 0 < weight a.
(* Owed: [moved], [sums] and [quotients]. *)
Variable moved : stated (fun p => 0 <= fst p) (fun p => Rabs (miss (fst p + 1) (snd p) - miss (fst p) (snd p)))
  at_most (fun _ => 1).
Variable sums : forall rows : list (R * R), Forall (fun row => 0 < fst row <= r /\ 0 < snd row) rows ->
  fold_right (fun row s => fst row * snd row + s) 0 rows <= fold_right (fun row s => r * snd row + s) 0 rows.
Variable quotients : forall q z' p z, 0 < q -> 0 < z' -> 0 < p -> 0 < z -> p <= r * q -> z' <= r * z ->
  p / z <= level r * (q / z').

Lemma numerator_positive counts a : 0 < numerator counts a.
Proof. apply Rmult_lt_0_compat; [apply positive|apply exp_pos]. Qed.

Lemma missed_moves counts counts' targets : one_more counts counts' ->
  Rabs (missed counts' targets - missed counts targets) <= 1.
Proof.
  intros (before & n & after & n0 & -> & ->); revert targets.
  induction before as [|b before IH]; intros [|t targets]; simpl; try (rewrite Rminus_eq_0, Rabs_R0; lra).
  - replace (miss (n + 1) t + missed after targets - (miss n t + missed after targets))
      with (miss (n + 1) t - miss n t) by ring; exact (moved (n, t) n0).
  - replace (miss b t + missed (before ++ n + 1 :: after) targets - (miss b t + missed (before ++ n :: after) targets))
      with (missed (before ++ n + 1 :: after) targets - missed (before ++ n :: after) targets) by ring; apply IH.
Qed.

Lemma by_a_factor counts counts' a : Rabs (missed counts (aims a) - missed counts' (aims a)) <= 1 ->
  exists x, 0 < x <= r /\ numerator counts a = x * numerator counts' a.
Proof.
  intros near; exists (Rpower r (missed counts' (aims a) - missed counts (aims a))); split; [split; [apply exp_pos|]|].
  - rewrite <- (Rpower_1 r) at 2 by lra; destruct (Rle_lt_or_eq_dec _ _ r1) as [big|<-].
    + apply Rle_Rpower; [lra|]; apply Rabs_le_between in near || (unfold Rabs in near; destruct Rcase_abs in near); lra.
    + unfold Rpower; rewrite ln_1, !Rmult_0_r; lra.
  - unfold numerator; rewrite (Rmult_comm _ (weight a * _)), Rmult_assoc, <- Rpower_plus; do 2 f_equal; ring.
Qed.

Lemma added_positive counts a : In a answers -> 0 < added (numerator counts).
Proof.
  unfold added; induction answers as [|b l IH]; [intros []|]; intros here; simpl.
  pose proof (numerator_positive counts b) as p; assert (0 <= fold_right (fun a s => numerator counts a + s) 0 l).
  { clear - positive; induction l as [|c l IH]; simpl; [lra|]; pose proof (numerator_positive counts c); lra. }
  lra.
Qed.

Lemma added_moves counts counts' : (forall a, Rabs (missed counts (aims a) - missed counts' (aims a)) <= 1) ->
  added (numerator counts) <= r * added (numerator counts').
Proof.
  intros near.
  assert (h : exists rows, Forall (fun row => 0 < fst row <= r /\ 0 < snd row) rows /\
    fold_right (fun row s => fst row * snd row + s) 0 rows = added (numerator counts) /\
    fold_right (fun row s => r * snd row + s) 0 rows = r * added (numerator counts')).
  { unfold added; induction answers as [|a l (rows & ok & one & two)].
    - exists []; simpl; repeat split; [constructor|ring].
    - destruct (by_a_factor counts counts' a (near a)) as (x & xr & is).
      exists ((x, numerator counts' a) :: rows); simpl; rewrite one, two, is; repeat split; [|ring].
      constructor; [|exact ok]; split; [exact xr|apply numerator_positive]. }
  destruct h as (rows & ok & <- & <-); apply sums, ok.
Qed.

Theorem by_one_gap counts counts' a : one_more counts counts' -> In a answers ->
  chance counts a <= level r * chance counts' a /\ chance counts' a <= level r * chance counts a.
Proof.
  intros more among.
  assert (there : forall b, Rabs (missed counts' (aims b) - missed counts (aims b)) <= 1)
    by (intros b; apply missed_moves, more).
  assert (back : forall b, Rabs (missed counts (aims b) - missed counts' (aims b)) <= 1)
    by (intros b; rewrite Rabs_minus_sym; apply there).
  assert (one : forall c c', (forall b, Rabs (missed c (aims b) - missed c' (aims b)) <= 1) ->
    (forall b, Rabs (missed c' (aims b) - missed c (aims b)) <= 1) -> chance c a <= level r * chance c' a).
  { intros c c' near far; apply quotients; try apply numerator_positive; try (apply (added_positive _ a among)).
    - destruct (by_a_factor c c' a (near a)) as (x & [x0 xr] & ->).
      apply Rmult_le_compat_r; [left; apply numerator_positive|exact xr].
    - apply added_moves, far. }
  split; apply one; assumption.
Qed.
End Draw.
