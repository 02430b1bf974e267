(* Releases of tables by cells: what is released of a cell is drawn from its own records alone. If that is private when
   one record of the cell is added or removed, so is the table, and twice that when one record changes, whatever is
   read off the table. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Establish Require Import common discrete countable protected_histogram laws_together.
Import ListNotations.
Open Scope R_scope.

(* The cell of each record, and its earnings. *)
Definition records := list (nat * R).
Definition of_cell (j : nat) (D : records) : rows := map snd (filter (fun r => Nat.eqb (fst r) j) D).
Definition one_record_more (D D' : records) : Prop :=
  exists before r after, D = before ++ after /\ D' = before ++ r :: after.
Definition presence_of_a_record (D D' : records) : Prop := one_record_more D D' \/ one_record_more D' D.
Definition one_record_changes (D D' : records) : Prop :=
  exists before r r' after, D = before ++ r :: after /\ D' = before ++ r' :: after.

Section Cells.
Variables (answer : Type) (eq_dec : forall a b : answer, {a = b} + {a <> b}).
(* The law of what is released of each cell. *)
Variable M : nat -> rows -> answer -> R.

Fixpoint in_cells (cells : list nat) (D : records) (o : list answer) : R :=
  match cells, o with
  | [], [] => 1
  | j :: others, a :: rest => M j (of_cell j D) a * in_cells others D rest
  | _, _ => 0
  end.

(* A law on every table, and private, also after any function of the table; E is any set of what is released. *)
Definition released_privately (cells : list nat) (epsilon : R) : Prop :=
  (forall D, is_mass_function (in_cells cells D)) /\
  forall (X : Type) (f : list answer -> X) (E : X -> Prop) D D' p p',
  event_probability (in_cells cells D) (fun o => E (f o)) p ->
  event_probability (in_cells cells D') (fun o => E (f o)) p' ->
  (presence_of_a_record D D' -> p <= exp epsilon * p') /\ (one_record_changes D D' -> p <= exp (2 * epsilon) * p').

Variable laws : forall j D, is_mass_function (M j D).

Lemma in_cells_nonneg cells D o : 0 <= in_cells cells D o.
Proof.
  revert o; induction cells as [|j l IH]; intros [|a o]; simpl; try lra; apply Rmult_le_pos; [apply laws|apply IH].
Qed.

Lemma in_cells_law cells D : is_mass_function (in_cells cells D).
Proof.
  induction cells as [|j l IH].
  - apply (certain _ []); [reflexivity|apply in_cells_nonneg|intros [|a o]; auto].
  - apply (same_law (named (fun o => match o with a :: rest => Some (a, rest) | [] => None end)
      (then_drawn answer (list answer) (M j (of_cell j D)) (fun _ => in_cells l D)))); [intros [|a o]; reflexivity|].
    apply (named_is_law (fun o => fst o :: snd o)).
    + intros [a o]; reflexivity.
    + intros [|a o] [a' o'] h; [discriminate|injection h as <- <-; reflexivity].
    + apply one_after_the_other; auto.
Qed.

Lemma of_cell_more j before r after : of_cell j (before ++ r :: after) =
  of_cell j before ++ (if Nat.eqb (fst r) j then [snd r] else []) ++ of_cell j after.
Proof. unfold of_cell; rewrite filter_app, map_app; simpl; destruct (Nat.eqb (fst r) j); reflexivity. Qed.

Lemma of_cell_app j before after : of_cell j (before ++ after) = of_cell j before ++ of_cell j after.
Proof. unfold of_cell; rewrite filter_app, map_app; reflexivity. Qed.

Lemma elsewhere cells before r after o : ~ In (fst r) cells ->
  in_cells cells (before ++ after) o = in_cells cells (before ++ r :: after) o.
Proof.
  revert o; induction cells as [|j l IH]; intros [|a o] out; simpl; try reflexivity; simpl in out.
  rewrite of_cell_more, of_cell_app; destruct (Nat.eqb_spec (fst r) j) as [e|_]; [exfalso; apply out; left; symmetry; exact e|].
  simpl; rewrite IH; [reflexivity|intros i; apply out; right; exact i].
Qed.

Lemma one_more cells epsilon before r after o : NoDup cells -> 0 <= epsilon ->
  (forall j, answers_private rows answer presence_of_one epsilon (M j)) ->
  in_cells cells (before ++ after) o <= exp epsilon * in_cells cells (before ++ r :: after) o /\
  in_cells cells (before ++ r :: after) o <= exp epsilon * in_cells cells (before ++ after) o.
Proof.
  intros once e0 private; pose proof (exp_le 0 epsilon e0) as k1; rewrite exp_0 in k1.
  revert o; induction once as [|j l out once IH]; intros [|a o]; simpl; try lra.
  destruct (Nat.eq_dec (fst r) j) as [e|ne].
  - subst j; rewrite <- (elsewhere l before r after o out).
    assert (near : presence_of_one (of_cell (fst r) (before ++ after)) (of_cell (fst r) (before ++ r :: after))).
    { left; exists (of_cell (fst r) before), (snd r), (of_cell (fst r) after).
      rewrite of_cell_app, of_cell_more, Nat.eqb_refl; auto. }
    assert (back : presence_of_one (of_cell (fst r) (before ++ r :: after)) (of_cell (fst r) (before ++ after)))
      by (destruct near; [right|left]; assumption).
    rewrite <- !Rmult_assoc; split; apply Rmult_le_compat_r; try apply in_cells_nonneg; apply private; assumption.
  - assert (same : of_cell j (before ++ r :: after) = of_cell j (before ++ after)).
    { rewrite of_cell_more, of_cell_app; destruct (Nat.eqb_spec (fst r) j); [contradiction|reflexivity]. }
    rewrite same; destruct (IH o) as [up down]; assert (0 <= M j (of_cell j (before ++ after)) a) by apply laws.
    pose proof (Rmult_le_compat_l _ _ _ H up); pose proof (Rmult_le_compat_l _ _ _ H down); lra.
Qed.

Theorem cells_are_released_privately cells epsilon : NoDup cells -> 0 <= epsilon ->
  (forall j, answers_private rows answer presence_of_one epsilon (M j)) -> released_privately cells epsilon.
Proof.
  intros once e0 private; split; [apply in_cells_law|].
  assert (joins : events_private presence_of_a_record epsilon (in_cells cells)).
  { apply bound_at_every_answer; intros D D' o [(b & r & a & -> & ->)|(b & r & a & -> & ->)]; apply one_more; assumption. }
  assert (changes : events_private one_record_changes (2 * epsilon) (in_cells cells)).
  { apply bound_at_every_answer; intros D D' o (b & r & r' & a & -> & ->).
    destruct (one_more cells epsilon b r a o once e0 private) as [_ leaves].
    destruct (one_more cells epsilon b r' a o once e0 private) as [comes _].
    replace (2 * epsilon) with (epsilon + epsilon) by ring; rewrite exp_plus, Rmult_assoc.
    apply Rle_trans with (1 := leaves), Rmult_le_compat_l; [left; apply exp_pos|exact comes]. }
  intros X f E D D' p p' h h'; split; intros near; [exact (joins D D' near _ p p' h h')|exact (changes D D' near _ p p' h h')].
Qed.
End Cells.
