(* Equal gaps: a total and quantiles drawn together from finitely many, with chances W e^(-epsilon u/2), where u adds up
   how far the counts of the gaps are from their aims. One individual more costs at most epsilon. *)
From Coq Require Import Reals Lra Lia List Sorted.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common discrete countable protected_histogram.
Import ListNotations.
Open Scope R_scope.

Section Choice.
(* Finitely many answers, each once, with public weights, and a score that a neighbor changes by at most 1. *)
Variables (dataset answer : Type) (answers : list answer) (weight : answer -> R) (score : dataset -> answer -> R).
Variable neighbors : dataset -> dataset -> Prop.
Variable some : answers <> [].
Variable public : forall a, 0 < weight a.

(* weight * half^u, half = e^(-epsilon/2), over the sum of these. *)
Definition numerator (epsilon : R) (D : dataset) (a : answer) : R :=
  weight a * Rpower (exp (- epsilon / 2)) (score D a).
Definition chosen (epsilon : R) (D : dataset) (a : answer) : R :=
  numerator epsilon D a / mass_of (numerator epsilon D) answers.

Lemma numerator_pos epsilon D a : 0 < numerator epsilon D a.
Proof. apply Rmult_lt_0_compat; [apply public|apply exp_pos]. Qed.

Lemma sum_pos epsilon D : 0 < mass_of (numerator epsilon D) answers.
Proof.
  destruct answers as [|a l]; [contradiction|]; simpl.
  pose proof (numerator_pos epsilon D a); pose proof (mass_nonneg _ (numerator epsilon D) l) as h.
  assert (0 <= mass_of (numerator epsilon D) l) by (apply h; intros b; left; apply numerator_pos); lra.
Qed.

Theorem chosen_is_law epsilon : is_law dataset answer answers (chosen epsilon).
Proof.
  intros D; pose proof (sum_pos epsilon D) as p; split.
  - intros a; left; apply Rdiv_lt_0_compat; [apply numerator_pos|exact p].
  - unfold chosen; set (s := mass_of (numerator epsilon D) answers) in *.
    assert (all : forall l, fold_right (fun a t => numerator epsilon D a / s + t) 0 l = mass_of (numerator epsilon D) l / s).
    { induction l as [|a l IH]; simpl; [field; lra|rewrite IH; field; lra]. }
    rewrite all; fold s; field; lra.
Qed.

Lemma numerator_moves epsilon D D' a : 0 <= epsilon -> Rabs (score D a - score D' a) <= 1 ->
  numerator epsilon D a <= exp (epsilon / 2) * numerator epsilon D' a.
Proof.
  intros e0 h; apply Rabs_le_between in h; unfold numerator, Rpower; rewrite ln_exp.
  replace (exp (epsilon / 2) * (weight a * exp (score D' a * (- epsilon / 2))))
    with (weight a * (exp (epsilon / 2) * exp (score D' a * (- epsilon / 2)))) by ring.
  apply Rmult_le_compat_l; [left; apply public|]; apply exp_ratio; nra.
Qed.

Theorem chosen_private epsilon : 0 <= epsilon ->
  (forall D D' a, neighbors D D' -> Rabs (score D a - score D' a) <= 1) ->
  answers_private dataset answer neighbors epsilon (chosen epsilon) /\
  forall D D', neighbors D D' -> forall event : list answer,
    mass_of (chosen epsilon D) event <= exp epsilon * mass_of (chosen epsilon D') event.
Proof.
  intros e0 moves.
  assert (every : answers_private dataset answer neighbors epsilon (chosen epsilon)).
  { intros D D' near a; unfold chosen.
    pose proof (sum_pos epsilon D) as p; pose proof (sum_pos epsilon D') as p'.
    pose proof (numerator_moves epsilon D D' a e0 (moves D D' a near)) as n.
    assert (s : mass_of (numerator epsilon D') answers <= exp (epsilon / 2) * mass_of (numerator epsilon D) answers).
    { apply mass_scaled; intros b; apply numerator_moves; [exact e0|rewrite Rabs_minus_sym; apply moves, near]. }
    set (N := numerator epsilon D a) in *; set (N' := numerator epsilon D' a) in *.
    set (S := mass_of (numerator epsilon D) answers) in *; set (S' := mass_of (numerator epsilon D') answers) in *.
    set (r := exp (epsilon / 2)) in *.
    assert (r0 : 0 < r) by apply exp_pos.
    assert (N0 : 0 < N') by apply numerator_pos.
    replace (exp epsilon) with (r * r) by (unfold r; rewrite <- exp_plus; f_equal; field).
    apply Rmult_le_reg_r with S; [exact p|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_trans with (1 := n).
    replace (r * r * (N' * / S') * S) with (r * N' * (r * S * / S')) by ring.
    rewrite <- (Rmult_1_r (r * N')) at 1.
    apply Rmult_le_compat_l; [apply Rmult_le_pos; lra|].
    apply Rmult_le_reg_r with S'; [exact p'|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra; exact s. }
  split; [exact every|]; intros D D' near event; apply mass_scaled; intros a; apply every, near.
Qed.
End Choice.

Section Gaps.
(* How many earn less than y, and the counts of the gaps that candidates cut: from each to the next. *)
Definition less (D : rows) (y : R) : R := INR (length (filter (fun e => negb (at_least y e)) D)).
Fixpoint gaps (before : R) (D : rows) (candidates : list R) : list R :=
  match candidates with
  | [] => [INR (length D) - before]
  | y :: rest => (less D y - before) :: gaps (less D y) D rest
  end.
(* u: over all gaps. *)
Fixpoint misses (counts aims : list R) : R :=
  match counts, aims with
  | n :: counts, t :: aims => gap_miss n t + misses counts aims
  | _, _ => 0
  end.
Definition score (aims : nat -> list R) (D : rows) (drawn : nat * list R) : R :=
  misses (gaps 0 D (snd drawn)) (aims (fst drawn)).

Lemma one_more_less before e after y : less (before ++ e :: after) y = less (before ++ after) y + if at_least y e then 0 else 1.
Proof.
  unfold less; rewrite !filter_app; simpl; rewrite !app_length; destruct (at_least y e); simpl;
    [ring|rewrite Nat.add_succ_r, S_INR; ring].
Qed.

Lemma one_more_in_all (before : rows) e after : INR (length (before ++ e :: after)) = INR (length (before ++ after)) + 1.
Proof. rewrite !app_length; simpl; rewrite Nat.add_succ_r, S_INR; ring. Qed.

(* From the gap of the new one on nothing changes. *)
Lemma above_it (before : rows) (e : R) after (candidates : list R) : List.Forall (fun y : R => e < y) candidates -> forall p : R,
  gaps (p + 1) (before ++ e :: after) candidates = gaps p (before ++ after) candidates.
Proof.
  induction 1 as [|y rest h _ IH]; intros p; simpl.
  - rewrite one_more_in_all; f_equal; ring.
  - rewrite one_more_less; unfold at_least; destruct (Rle_dec y e); [lra|].
    rewrite IH; f_equal; ring.
Qed.

Lemma miss_moves n t d : Rabs d <= 1 -> Rabs (gap_miss (n + d) t - gap_miss n t) <= 1.
Proof.
  intros h; unfold gap_miss; eapply Rle_trans; [apply Rabs_triang_inv2|].
  replace (n + d - t - (n - t)) with d by ring; exact h.
Qed.

Lemma in_one_gap (before : rows) (e : R) after (candidates : list R) : StronglySorted Rle candidates -> forall (p : R) (aims : list R),
  Rabs (misses (gaps p (before ++ e :: after) candidates) aims - misses (gaps p (before ++ after) candidates) aims) <= 1.
Proof.
  induction 1 as [|y rest _ IH up]; intros p aims; simpl gaps; destruct aims as [|t aims];
    try (simpl; rewrite Rminus_0_r, Rabs_R0; lra).
  - simpl; rewrite one_more_in_all.
    replace (INR (length (before ++ after)) + 1 - p) with (INR (length (before ++ after)) - p + 1) by ring.
    replace (_ + 0 - _) with (gap_miss (INR (length (before ++ after)) - p + 1) t - gap_miss (INR (length (before ++ after)) - p) t) by ring.
    apply miss_moves; rewrite Rabs_R1; lra.
  - simpl misses; rewrite one_more_less; destruct (at_least y e) eqn:at_e.
    + rewrite !Rplus_0_r; specialize (IH (less (before ++ after) y) aims).
      replace (_ + _ - _) with (misses (gaps (less (before ++ after) y) (before ++ e :: after) rest) aims -
        misses (gaps (less (before ++ after) y) (before ++ after) rest) aims) by ring; exact IH.
    + assert (lower : e < y) by (unfold at_least in at_e; destruct (Rle_dec y e); [discriminate|lra]).
      rewrite above_it; [|eapply Forall_impl; [|exact up]; simpl; intros z hz; lra].
      replace (less (before ++ after) y + 1 - p) with (less (before ++ after) y - p + 1) by ring.
      replace (_ + _ - _) with (gap_miss (less (before ++ after) y - p + 1) t - gap_miss (less (before ++ after) y - p) t) by ring.
      apply miss_moves; rewrite Rabs_R1; lra.
Qed.

(* An answer: a total, with candidates in order. Aims depend on the total alone. *)
Definition drawn := {answer : nat * list R | StronglySorted Rle (snd answer)}.

Theorem equal_gaps_cost_epsilon (answers : list drawn) weight aims epsilon :
  answers <> [] -> (forall a, 0 < weight a) -> 0 <= epsilon ->
  let law := chosen rows drawn answers weight (fun D a => score aims D (proj1_sig a)) epsilon in
  is_law rows drawn answers law /\ answers_private rows drawn presence_of_one epsilon law /\
  forall D D', presence_of_one D D' -> forall event, mass_of (law D) event <= exp epsilon * mass_of (law D') event.
Proof.
  intros some pos e0 law; split; [apply chosen_is_law; assumption|].
  apply chosen_private; try assumption; intros D D' [a sorted] near; unfold score; simpl in *.
  destruct near as [(b & e & c & -> & ->)|(b & e & c & -> & ->)].
  - rewrite Rabs_minus_sym; apply in_one_gap, sorted.
  - apply in_one_gap, sorted.
Qed.
End Gaps.
