(* Noise scaled to the maximum observed sensitivity (Chetty and Friedman; Schmutte 2020, slides), conditional on
   chi: for neighbors with the same chi the guarantee fails, at every level. Three people with outcomes 0, 0, 1 at
   ranks 0, 1/2, 1 and one more at rank 1/2 with outcome 0 both have chi = 1; the scales chi/(3 epsilon) and
   chi/(4 epsilon) of their noise differ, and the tails tell them apart. *)
From Coq Require Import Reals Lra List Permutation.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Establish Require Import spec_formulas common improper laplace_normalized intervals.
Import ListNotations.
Open Scope R_scope.

(* One person: rank and outcome. A group is a list of them in which the order does not count. *)
Definition person := (R * R)%type.
Definition group := list person.
Definition legal (p : person) : Prop :=
  (fst p = 0 \/ fst p = 1 / 2 \/ fst p = 1) /\ (snd p = 0 \/ snd p = 1).
Definition joins (D D' : group) : Prop := exists p, legal p /\ Permutation D' (p :: D).
Definition one_person_differs (D D' : group) : Prop := joins D D' \/ joins D' D.

Definition sum (f : person -> R) (D : group) : R := fold_right (fun p s => f p + s) 0 D.
Definition ranks := sum fst.
Definition squares := sum (fun p => fst p * fst p).
(* n^2 times the variance of the ranks: without it there is no line. *)
Definition spread (D : group) : R := INR (length D) * squares D - ranks D * ranks D.
(* The least-squares line of the group at rank 1/2. *)
Definition prediction (D : group) : R :=
  least_squares_prediction (INR (length D)) (ranks D) (sum snd D) (squares D)
    (sum (fun p => fst p * snd p) D) (1 / 2).
(* The largest change of the prediction by one person, where every neighbor has one. *)
Definition local_sensitivity (D : group) (most : R) : Prop :=
  spread D <> 0 /\
  (forall D', one_person_differs D D' ->
    spread D' <> 0 /\ Rabs (prediction D' - prediction D) <= most) /\
  exists D', one_person_differs D D' /\ Rabs (prediction D' - prediction D) = most.
(* chi = N LS, for one group. *)
Definition has_chi (D : group) (chi : R) : Prop :=
  exists most, local_sensitivity D most /\ chi = INR (length D) * most.
(* The density of the release for a group with this chi. *)
Definition mose (epsilon chi : R) (D : group) : R -> R :=
  laplace_density (prediction D) (chi / INR (length D) / epsilon).

Definition three : group := [(0, 0); (1 / 2, 0); (1, 1)].
Definition four : group := (1 / 2, 0) :: three.

Lemma sum_of_permuted f D D' : Permutation D D' -> sum f D = sum f D'.
Proof. induction 1; unfold sum in *; simpl in *; lra. Qed.

(* Everything is read off five sums, so a permutation changes nothing. *)
Lemma permuted D D' : Permutation D D' -> spread D = spread D' /\ prediction D = prediction D'.
Proof.
  intros h; unfold spread, prediction, ranks, squares.
  rewrite (Permutation_length h), !(sum_of_permuted _ _ _ h); auto.
Qed.

Lemma without p D D' : Permutation D (p :: D') ->
  INR (length D') = INR (length D) - 1 /\ forall f, sum f D' = sum f D - f p.
Proof.
  intros h; split; [rewrite (Permutation_length h); simpl length; rewrite S_INR; lra|].
  intros f; rewrite (sum_of_permuted f _ _ h); unfold sum; simpl; lra.
Qed.

(* The prediction times the spread. *)
Definition numerator (D : group) : R :=
  squares D * sum snd D - ranks D * sum (fun p => fst p * snd p) D
  + (INR (length D) * sum (fun p => fst p * snd p) D - ranks D * sum snd D) / 2.
Lemma within D c most : 0 < spread D ->
  (c - most) * spread D <= numerator D <= (c + most) * spread D ->
  spread D <> 0 /\ Rabs (prediction D - c) <= most.
Proof.
  intros s0 h; split; [lra|].
  replace (prediction D) with (numerator D / spread D).
  2: { unfold prediction, least_squares_prediction, numerator, spread in *; field; lra. }
  assert (e : numerator D / spread D * spread D = numerator D) by (field; lra).
  apply abs_at_most; apply Rmult_le_reg_r with (spread D); lra.
Qed.

Ltac numbers := unfold spread, numerator, ranks, squares, sum, three, four; simpl; lra.

Lemma prediction_of_three : prediction three = 1 / 3.
Proof. unfold prediction, least_squares_prediction, ranks, squares, sum, three; simpl; field. Qed.
Lemma prediction_of_four : prediction four = 1 / 4.
Proof. unfold prediction, least_squares_prediction, ranks, squares, sum, four, three; simpl; field. Qed.

(* All neighbors of a concrete group D with the prediction c. *)
Lemma neighbors_within D c most :
  (forall p, legal p -> 0 < spread (p :: D) /\
    (c - most) * spread (p :: D) <= numerator (p :: D) <= (c + most) * spread (p :: D)) ->
  (forall p E, In p D -> Permutation D (p :: E) -> 0 < spread E /\
    (c - most) * spread E <= numerator E <= (c + most) * spread E) ->
  forall D', one_person_differs D D' -> spread D' <> 0 /\ Rabs (prediction D' - c) <= most.
Proof.
  intros more less D' [(p & ok & h)|(p & ok & h)].
  - destruct (permuted _ _ h) as [-> ->]; apply within; apply more, ok.
  - apply within; apply (less p D'); auto; apply (Permutation_in p (Permutation_sym h)); left; reflexivity.
Qed.

Ltac added := intros [r o] [rank outcome]; simpl in rank, outcome;
  destruct rank as [ -> |[ -> | -> ]], outcome as [ -> | -> ]; split; numbers.
Ltac removed := intros p E i h; destruct (without _ _ _ h) as [n s];
  unfold spread, numerator, ranks, squares; rewrite n, !s; unfold sum; simpl in i |- *;
  intuition (subst; simpl; lra).

Lemma three_has_chi : has_chi three 1.
Proof.
  exists (1 / 3); split; [split; [numbers|split]|simpl; lra].
  - rewrite prediction_of_three; apply neighbors_within; [added|removed].
  - exists [(1 / 2, 0); (1, 1)]; split; [right; exists (0, 0); split; [split; simpl; auto|apply Permutation_refl]|].
    rewrite prediction_of_three; unfold prediction, least_squares_prediction, ranks, squares, sum; simpl.
    rewrite Rabs_left; lra.
Qed.

Lemma four_has_chi : has_chi four 1.
Proof.
  exists (1 / 4); split; [split; [numbers|split]|simpl; lra].
  - rewrite prediction_of_four; apply neighbors_within; [added|removed].
  - exists [(1 / 2, 0); (1 / 2, 0); (1, 1)]; split.
    + right; exists (0, 0); split; [split; simpl; auto|].
      apply perm_swap.
    + rewrite prediction_of_four; unfold prediction, least_squares_prediction, ranks, squares, sum; simpl.
      rewrite Rabs_left; lra.
Qed.

Theorem same_chi_is_not_enough (epsilon : R) : 0 < epsilon ->
  exists D D', one_person_differs D D' /\ has_chi D 1 /\ has_chi D' 1 /\
    forall level, exists a b, a < b /\
      exp level * RInt (mose epsilon 1 D') a b < RInt (mose epsilon 1 D) a b.
Proof.
  intros e0; exists three, four; split; [|split; [apply three_has_chi|split; [apply four_has_chi|]]].
  { left; exists (1 / 2, 0); split; [split; simpl; auto|apply Permutation_refl]. }
  intros level; pose (k := Rabs level + 1 + epsilon); exists (k / epsilon), ((k + 1) / epsilon).
  pose proof (Rabs_pos level); pose proof (Rle_abs level); assert (i0 : 0 < / epsilon) by (apply Rinv_0_lt_compat; lra).
  assert (ge1 : 1 <= k / epsilon).
  { apply Rmult_le_reg_r with epsilon; [lra|]; unfold Rdiv, k; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (next : (k + 1) / epsilon = k / epsilon + / epsilon) by (field; lra).
  split; [lra|unfold mose; rewrite prediction_of_three, prediction_of_four].
  replace (INR (length three)) with 3 by (simpl; ring); replace (INR (length four)) with 4 by (simpl; ring).
  assert (s3 : 0 < 1 / 3 / epsilon) by (apply Rdiv_lt_0_compat; lra).
  assert (s4 : 0 < 1 / 4 / epsilon) by (apply Rdiv_lt_0_compat; lra).
  rewrite !laplace_interval, !right_cdf by lra.
  replace (- (/ (1 / 3 / epsilon) * (k / epsilon - 1 / 3))) with (epsilon - 3 * k) by (field; lra).
  replace (- (/ (1 / 3 / epsilon) * ((k + 1) / epsilon - 1 / 3))) with (epsilon - 3 * k + - (3)) by (field; lra).
  replace (- (/ (1 / 4 / epsilon) * (k / epsilon - 1 / 4))) with (epsilon - 3 * k + - k) by (field; lra).
  replace (- (/ (1 / 4 / epsilon) * ((k + 1) / epsilon - 1 / 4))) with (epsilon - 3 * k + - k + - (4)) by (field; lra).
  rewrite !exp_plus; set (x := exp (epsilon - 3 * k)); assert (x0 : 0 < x) by apply exp_pos.
  assert (small : exp level * exp (- k) <= exp (- (1))) by (rewrite <- exp_plus; apply exp_le; unfold k; lra).
  assert (h3 : exp (- (3)) < 1 / 10) by interval; assert (h1 : exp (- (1)) < 1 / 2) by interval.
  pose proof (exp_pos (- (4))); pose proof (Rmult_lt_0_compat _ _ (exp_pos level) (exp_pos (- k))) as p0.
  pose proof (Rmult_le_compat_l x _ _ (Rlt_le _ _ x0) small).
  set (p := exp level * exp (- k)) in *.
  replace (exp level * (1 - x * exp (- k) * exp (- (4)) / 2 - (1 - x * exp (- k) / 2)))
    with (x * p * (1 - exp (- (4))) / 2) by (unfold p; field).
  pose proof (Rmult_lt_0_compat _ _ x0 p0); nra.
Qed.
