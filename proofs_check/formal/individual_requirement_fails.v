(* Privacy at epsilon does not give the requirement on individuals at epsilon (Haney et al. 2017, Theorems 7.1
   and 7.2; Section 6 for edge privacy). A worker at one employer is two steps from the same worker at
   another. With two employers and an answer that is private at ln 2, under strong, weak and edge neighbors
   alike, an attacker who thinks both employers possible moves their odds by the factor 4. *)
From Coq Require Import Reals Lra List Bool.
From Establish Require Import spec_formulas common datasets discrete.
Import ListNotations.
Open Scope R_scope.

(* Informed attackers, Section 4.2: independent beliefs about finitely many potential workers, each at no
   employer or at a numbered one. *)
Definition place := option nat.
Definition belief := list (place * R).
Definition is_belief (b : belief) : Prop :=
  Forall (fun x : place * R => 0 <= snd x) b /\ fold_right (fun x s => snd x + s) 0 b = 1.
Definition jobs := dataset nat unit.
(* The data of n employers when worker i is at the i-th of the places. *)
Definition staff (k : nat) (places : list place) : list (worker unit) :=
  flat_map (fun x : nat * place => match snd x with
    | Some j => if Nat.eqb j k then [Worker (fst x) tt] else []
    | None => [] end) (combine (seq 0 (length places)) places).
Definition jobs_at (n : nat) (places : list place) : jobs :=
  map (fun k => Establishment k (staff k places)) (seq 0 n).
(* The average of f over all places, by independent beliefs. *)
Fixpoint average (beliefs : list belief) (f : list place -> R) : R :=
  match beliefs with
  | [] => f []
  | b :: rest => fold_right (fun x s => snd x * average rest (fun l => f (fst x :: l)) + s) 0 b
  end.
(* What is believed of worker number i becomes certain. *)
Fixpoint given (i : nat) (p : place) (beliefs : list belief) : list belief :=
  match i, beliefs with
  | _, [] => []
  | O, _ :: rest => [(p, 1)] :: rest
  | S j, b :: rest => b :: given j p rest
  end.
(* The probability of an answer, for an attacker. *)
Definition seen {answer} (n : nat) (M : jobs -> answer -> R) (beliefs : list belief) (a : answer) : R :=
  average beliefs (fun places => M (jobs_at n places) a).
(* Definition 4.1 at level epsilon: the odds of any two places of a worker, both thought possible, move by at
   most e^epsilon, for n employers and every attacker. *)
Definition individual_requirement {answer} (n : nat) (epsilon : R) (M : jobs -> answer -> R) : Prop :=
  forall beliefs i p p' w w', Forall is_belief beliefs ->
    In (p, w) (nth i beliefs []) -> 0 < w -> In (p', w') (nth i beliefs []) -> 0 < w' ->
    forall a, seen n M (given i p beliefs) a <= exp epsilon * seen n M (given i p' beliefs) a.

(* Whether somebody works at employer k. *)
Definition busy (k : nat) (D : jobs) : bool :=
  existsb (fun e => andb (Nat.eqb (public e) k) (negb (Nat.eqb (length (workforce e)) 0))) D.
(* Yes with probability 1/4, twice that when employer 0 is busy, half of it when employer 1 is. *)
Definition chance (D : jobs) : R :=
  match busy 0 D, busy 1 D with
  | true, false => 1 / 2 | false, true => 1 / 8 | _, _ => 1 / 4 end.

Lemma one_employer_changes (change : establishment nat unit -> establishment nat unit -> Prop) D D' :
  (forall e e', change e e' -> public e = public e') -> either_way nat unit change D D' ->
  busy 0 D = busy 0 D' \/ busy 1 D = busy 1 D'.
Proof.
  assert (one : forall e e' : establishment nat unit, public e = public e' -> forall b a,
    busy 0 (b ++ e :: a) = busy 0 (b ++ e' :: a) \/ busy 1 (b ++ e :: a) = busy 1 (b ++ e' :: a)).
  { intros e e' same b a; unfold busy; rewrite !existsb_app; simpl; rewrite <- same.
    destruct (Nat.eqb (public e) 0) eqn:h.
    - apply PeanoNat.Nat.eqb_eq in h; rewrite h; right; reflexivity.
    - left; reflexivity. }
  intros same [h|h]; destruct h as (b & e & e' & a & -> & -> & g); apply same in g.
  - apply one, g.
  - apply one; symmetry; exact g.
Qed.

Lemma answer_is_private (change : establishment nat unit -> establishment nat unit -> Prop) :
  (forall e e', change e e' -> public e = public e') ->
  answers_private jobs bool (either_way nat unit change) (ln 2) (fun D => coin (chance D)).
Proof.
  intros same D D' near a; rewrite exp_ln_2; unfold coin, chance.
  destruct (one_employer_changes change D D' same near) as [h|h]; rewrite h;
    destruct (busy 0 D'), (busy 1 D'); try destruct (busy 0 D); try destruct (busy 1 D); destruct a; lra.
Qed.

Theorem two_employers :
  exists M : jobs -> bool -> R,
    is_law jobs bool yes_or_no M /\
    answers_private jobs bool (strong_neighbors 1) (ln 2) M /\
    answers_private jobs bool (weak_neighbors 1) (ln 2) M /\
    answers_private jobs bool edge_neighbors (ln 2) M /\
    forall level, individual_requirement 2 level M -> 2 * ln 2 <= level.
Proof.
  exists (fun D => coin (chance D)).
  split; [apply coin_is_law; intros D; unfold chance; destruct (busy 0 D), (busy 1 D); lra|].
  split; [apply answer_is_private; intros e e' [h _]; apply h|].
  split; [apply answer_is_private; intros e e' [h _]; apply h|].
  split; [apply answer_is_private; intros e e' [h _]; apply h|].
  intros level h.
  pose (belief := [(Some 0%nat, 1 / 2); (Some 1%nat, 1 / 2)] : belief).
  assert (ok : Forall is_belief [belief]).
  { constructor; [|constructor]; split; [repeat constructor; simpl; lra|simpl; lra]. }
  specialize (h [belief] 0%nat (Some 0%nat) (Some 1%nat) (1 / 2) (1 / 2) ok
    ltac:(simpl; auto) ltac:(lra) ltac:(simpl; auto) ltac:(lra) true).
  unfold seen, average, given, chance, coin in h; simpl in h.
  apply exp_le_inv; replace (2 * ln 2) with (ln 2 + ln 2) by ring; rewrite exp_plus, exp_ln_2; lra.
Qed.
