(* The mechanisms for tables of earnings, with shares of epsilon that spec/ has: protected histograms and what is read
   off them, equal gaps of amounts that are moved at random before, and what a protected total picks. *)
From Coq Require Import Reals Lra Lia List ZArith Sorted.
From Establish Require Import spec_formulas common discrete countable geometric_law histogram_law protected_histogram.
From Establish Require Import equal_gaps laws_together records_of_cells quantile_tree.
Import ListNotations.
Open Scope R_scope.

Lemma protected_answers bins epsilon : disjoint bins -> 0 < epsilon ->
  answers_private rows (list Z) presence_of_one epsilon (protected bins epsilon).
Proof.
  intros apart e0 D D' near o; apply (bound_of_every_answer rows (list Z) presence_of_one epsilon (protected bins epsilon)
    (fun D o => joint_nonneg _ _ o (ratio_range epsilon e0)) (protected_private bins epsilon apart e0) D D' o near).
Qed.

(* The counts of disjoint bins; a bin is any set of amounts, so that those outside all edges may be in one as well. *)
Theorem histogram_percentiles_are_private (cells : list nat) (bins : list bin) (epsilon : R) : NoDup cells ->
  disjoint bins -> 0 < epsilon -> released_privately (list Z) (fun _ => protected bins epsilon) cells epsilon.
Proof.
  intros once apart e0; apply cells_are_released_privately; [repeat decide equality| |exact once|lra|].
  - intros _ D; apply masses_add_up_to_one, ratio_range, e0.
  - intros _; apply protected_answers; assumption.
Qed.

(* Every amount is moved to a place that is drawn from chances of its own, whatever the others are. *)
Fixpoint moved_before (chances : R -> list (R * R)) (law : rows -> R) (D : rows) : R :=
  match D with [] => law [] | e :: D => mixed (chances e) (fun y => moved_before chances (fun D => law (y :: D)) D) end.

Section Moved.
Variable chances : R -> list (R * R).
Variable are : forall e, are_chances (chances e).

Lemma moved_at_most D : forall f g k, (forall D, f D <= k * g D) -> moved_before chances f D <= k * moved_before chances g D.
Proof.
  induction D as [|e D IH]; intros f g k le; simpl; [apply le|].
  apply mixed_at_most; [apply are|intros y; apply IH; intros D'; apply le].
Qed.

Lemma one_more_moved before : forall f k, (forall b e a, f (b ++ a) <= k * f (b ++ e :: a) /\ f (b ++ e :: a) <= k * f (b ++ a)) ->
  forall e after, moved_before chances f (before ++ after) <= k * moved_before chances f (before ++ e :: after) /\
  moved_before chances f (before ++ e :: after) <= k * moved_before chances f (before ++ after).
Proof.
  induction before as [|x before IH]; intros f k one e after; simpl.
  - rewrite <- (mixed_constant (chances e) (moved_before chances f after) (are e)); split; apply mixed_at_most; try apply are;
      intros y; apply moved_at_most; intros D; apply (one [] y D).
  - split; apply mixed_at_most; try apply are; intros y; apply (IH (fun D => f (y :: D))); intros b e' a; apply (one (y :: b)).
Qed.

Lemma moved_places n D : forall P : rows -> nat -> R, (forall D, on_places n (P D)) -> on_places n (fun i => moved_before chances (fun D => P D i) D).
Proof.
  induction D as [|e D IH]; intros P each; simpl; [apply each|].
  apply (mixed_places n (chances e) (fun y i => moved_before chances (fun D => P (y :: D) i) D)); [apply are|].
  intros y; apply IH; intros D'; apply each.
Qed.
End Moved.

Section Drawn.
(* Totals and candidates in order, each once, with public weights above 0, and aims that depend on the total alone. *)
Variables (answers : list drawn) (weight : drawn -> R) (aims : nat -> list R) (chances : R -> list (R * R)).
Variable some : answers <> [].
Variable public : forall a, 0 < weight a.
Variable are : forall e, are_chances (chances e).

(* The place in the list of answers. *)
Definition by_gaps (epsilon : R) (D : rows) (i : nat) : R :=
  match nth_error answers i with
  | Some a => chosen rows drawn answers weight (fun D a => score aims D (proj1_sig a)) epsilon D a
  | None => 0
  end.

Lemma by_gaps_law epsilon D : on_places (length answers) (by_gaps epsilon D).
Proof.
  destruct (chosen_is_law _ _ answers weight (fun D a => score aims D (proj1_sig a)) some public epsilon D) as [pos one].
  unfold by_gaps; split; [|split].
  - intros i; destruct (nth_error answers i); [apply pos|lra].
  - intros i h; apply nth_error_None in h; rewrite h; reflexivity.
  - rewrite <- one; generalize (chosen rows drawn answers weight (fun D a => score aims D (proj1_sig a)) epsilon D); clear.
    induction answers as [|a l IH]; intros P; [reflexivity|]; simpl; f_equal.
    rewrite <- seq_shift, mass_map; apply IH.
Qed.

Lemma by_gaps_private epsilon : 0 <= epsilon -> answers_private rows nat presence_of_one epsilon (by_gaps epsilon).
Proof.
  intros e0 D D' near i; unfold by_gaps; destruct (nth_error answers i); [|lra].
  destruct (equal_gaps_cost_epsilon answers weight aims epsilon some public e0) as (_ & private & _); apply private, near.
Qed.

Definition of_moved (epsilon : R) (D : rows) (i : nat) : R := moved_before chances (fun D => by_gaps epsilon D i) D.

Lemma of_moved_law epsilon D : is_mass_function (of_moved epsilon D).
Proof. apply (places_are_a_law (length answers)), moved_places; [exact are|intros D'; apply by_gaps_law]. Qed.

Lemma of_moved_private epsilon : 0 <= epsilon -> answers_private rows nat presence_of_one epsilon (of_moved epsilon).
Proof.
  intros e0 D D' near i; pose proof (by_gaps_private epsilon e0) as private.
  assert (one : forall b e a, by_gaps epsilon (b ++ a) i <= exp epsilon * by_gaps epsilon (b ++ e :: a) i /\
      by_gaps epsilon (b ++ e :: a) i <= exp epsilon * by_gaps epsilon (b ++ a) i).
  { intros b e a; split; apply private; [left|right]; exists b, e, a; auto. }
  destruct near as [(b & e & a & -> & ->)|(b & e & a & -> & ->)];
    apply (one_more_moved chances are b (fun D => by_gaps epsilon D i) (exp epsilon) one).
Qed.

Theorem equal_gaps_are_private cells epsilon : NoDup cells -> 0 <= epsilon ->
  released_privately nat (fun _ => of_moved epsilon) cells epsilon.
Proof.
  intros once e0; apply cells_are_released_privately; [exact Nat.eq_dec|intros; apply of_moved_law|exact once|exact e0|].
  intros _; apply of_moved_private, e0.
Qed.
End Drawn.

(* What a protected total picks. It is a list of one count, as that of a histogram with one bin. *)
Definition total_of : R -> rows -> list Z -> R := protected [fun _ => true].

Section Picked.
Variables (answer : Type) (eq_dec : forall a b : answer, {a = b} + {a <> b}).
Variables (law : list Z -> rows -> answer -> R) (share rest epsilon : R).
(* Both shares of epsilon, and a law for everything that the total may be. *)
Variables (shares : 0 < share /\ share + rest = 1) (level : 0 < epsilon).
Variable laws : forall t D, is_mass_function (law t D).
Variable private : forall t, answers_private rows answer presence_of_one (rest * epsilon) (law t).

(* The total, and then what is drawn by the law that it picks. *)
Definition picked (D : rows) : list Z * answer -> R := then_drawn (list Z) answer (total_of (share * epsilon) D) (fun t => law t D).

Lemma picked_law D : is_mass_function (picked D).
Proof.
  apply one_after_the_other; [repeat decide equality| |intros t; apply laws].
  apply masses_add_up_to_one, ratio_range; nra.
Qed.

Lemma picked_private : answers_private rows (list Z * answer) presence_of_one epsilon picked.
Proof.
  intros D D' near [t a]; unfold picked, then_drawn; simpl.
  assert (e0 : 0 < share * epsilon) by nra; replace epsilon with (share * epsilon + rest * epsilon) at 2 by (destruct shares; nra).
  assert (one : disjoint [fun _ => true]) by (intros e; simpl; lia).
  rewrite exp_plus; replace (exp (share * epsilon) * exp (rest * epsilon) * (total_of (share * epsilon) D' t * law t D' a))
    with (exp (share * epsilon) * total_of (share * epsilon) D' t * (exp (rest * epsilon) * law t D' a)) by ring.
  apply Rmult_le_compat; [apply joint_nonneg, ratio_range, e0|apply laws|apply protected_answers; assumption|apply private, near].
Qed.

Theorem what_a_total_picks_is_private cells : NoDup cells -> released_privately (list Z * answer) (fun _ => picked) cells epsilon.
Proof.
  intros once; apply cells_are_released_privately; [decide equality; repeat decide equality|intros; apply picked_law|exact once|lra|].
  intros _; apply picked_private.
Qed.
End Picked.

(* The shares of a class, first that of the total: all classes have the same there, and all shares are spent. *)
Definition spent (table : list (list R)) (k i : nat) : R := nth i (nth k table []) 0.
Definition adds_up (row : list R) : Prop := List.Forall (Rlt 0) row /\ fold_right Rplus 0 row = 1.

Theorem shares_of_every_class_add_up : List.Forall adds_up bins_or_gaps_shares /\ List.Forall adds_up by_size_shares.
Proof. split; repeat constructor; simpl; lra. Qed.

(* Bins or gaps: one of the classes of bins, or equal gaps, which come after them. *)
Inductive bins_or_gaps := of_bins (q : list Z) | of_gaps (i : nat).
Lemma bins_or_gaps_eq_dec (a b : bins_or_gaps) : {a = b} + {a <> b}.
Proof. repeat decide equality. Qed.

Section BinsOrGaps.
Variables (answers : list drawn) (weight : drawn -> R) (aims : nat -> list R) (chances : R -> list (R * R)).
Variables (pick : list Z -> nat) (bins : nat -> list bin) (epsilon : R).

Definition class_of_bins_or_gaps (k : nat) (D : rows) : bins_or_gaps -> R :=
  let own := spent bins_or_gaps_shares k 1 * epsilon in
  if Nat.ltb (S k) (length bins_or_gaps_shares)
  then named (fun a => match a with of_bins q => Some q | of_gaps _ => None end) (protected (bins k) own D)
  else named (fun a => match a with of_bins _ => None | of_gaps i => Some i end) (of_moved answers weight aims chances own D).

Theorem bins_or_gaps_is_private cells :
  answers <> [] -> (forall a, 0 < weight a) -> (forall e, are_chances (chances e)) -> (forall k, disjoint (bins k)) ->
  (forall t, (pick t < length bins_or_gaps_shares)%nat) -> 0 < epsilon -> NoDup cells ->
  released_privately (list Z * bins_or_gaps)
    (fun _ => picked bins_or_gaps (fun t => class_of_bins_or_gaps (pick t)) (spent bins_or_gaps_shares 0 0) epsilon) cells epsilon.
Proof.
  intros some public are apart below e0 once.
  assert (rest : forall t, spent bins_or_gaps_shares (pick t) 1 = 29 / 30).
  { intros t; specialize (below t); destruct (pick t) as [|[|[|[|[|[|k]]]]]]; try reflexivity; simpl in below; lia. }
  assert (own : 0 < 29 / 30 * epsilon) by lra.
  apply (what_a_total_picks_is_private _ bins_or_gaps_eq_dec _ _ (29 / 30)); [unfold spent; simpl; lra|exact e0| | |exact once].
  - intros t D; unfold class_of_bins_or_gaps; rewrite rest; destruct (Nat.ltb _ _).
    + apply (named_is_law of_bins); [reflexivity|intros [q|i] q' h; [injection h as ->; reflexivity|discriminate]|].
      apply masses_add_up_to_one, ratio_range, own.
    + apply (named_is_law of_gaps); [reflexivity|intros [q|i] i' h; [discriminate|injection h as ->; reflexivity]|].
      apply of_moved_law; assumption.
  - intros t D D' near a; unfold class_of_bins_or_gaps; rewrite rest; destruct (Nat.ltb _ _), a as [q|i]; unfold named; try lra.
    + apply protected_answers; [apply apart|exact own|exact near].
    + apply of_moved_private; [assumption|assumption|assumption|lra|exact near].
Qed.
End BinsOrGaps.

(* Chosen by size: one of the classes of bins, or, in the last one, a count and the places of quantiles. *)
Inductive by_size := of_size_bins (q : list Z) | of_tree (n : list Z) (o : places).
Lemma by_size_eq_dec (a b : by_size) : {a = b} + {a <> b}.
Proof. decide equality; try apply places_eq_dec; repeat decide equality. Qed.

Section BySize.
Variables (candidate weight : nat -> R) (last : nat) (given : list R) (deep : nat).
Variables (pick : list Z -> nat) (bins : nat -> list bin) (epsilon : R).

Definition class_by_size (k : nat) (D : rows) : by_size -> R :=
  let own i := spent by_size_shares k i * epsilon in
  if Nat.ltb (S k) (length by_size_shares)
  then named (fun a => match a with of_size_bins q => Some q | of_tree _ _ => None end) (protected (bins k) (own 1%nat) D)
  else named (fun a => match a with of_size_bins _ => None | of_tree n o => Some (n, o) end)
    (then_drawn (list Z) places (total_of (own 1%nat) D)
      (fun _ => tree candidate weight (own 2%nat / INR deep) (halved deep given) 0 last D)).

Theorem chosen_by_size_is_private cells :
  (forall i, 0 < weight i) -> StronglySorted Rlt given -> (forall s, In s given -> 0 < s < 1) ->
  (0 < deep)%nat -> (length given < 2 ^ deep)%nat -> (forall k, disjoint (bins k)) ->
  (forall t, (pick t < length by_size_shares)%nat) -> 0 < epsilon -> NoDup cells ->
  released_privately (list Z * by_size)
    (fun _ => picked by_size (fun t => class_by_size (pick t)) (spent by_size_shares 0 0) epsilon) cells epsilon.
Proof.
  intros public sorted inside some enough apart below e0 once.
  assert (deep0 : 0 < INR deep) by (apply lt_0_INR, some).
  assert (q0 : 0 <= 3 / 4 * epsilon / INR deep) by (apply Rlt_le, Rdiv_lt_0_compat; lra).
  destruct (quantile_tree_costs_its_levels candidate weight (3 / 4 * epsilon / INR deep) deep 0 last given
    public q0 (Nat.le_0_l last) sorted inside enough) as (_ & tree_law & tree_private & _).
  replace (INR deep * (3 / 4 * epsilon / INR deep)) with (3 / 4 * epsilon) in tree_private by (field; lra).
  assert (one : disjoint [fun _ => true]) by (intros e; simpl; lia).
  apply (what_a_total_picks_is_private _ by_size_eq_dec _ _ (19 / 20)); [unfold spent; simpl; lra|exact e0| | |exact once].
  - intros t D; unfold class_by_size; specialize (below t); destruct (Nat.ltb_spec (S (pick t)) (length by_size_shares)) as [l|l].
    + apply (named_is_law of_size_bins); [reflexivity|intros [q|n o] q' h; [injection h as ->; reflexivity|discriminate]|].
      apply masses_add_up_to_one, ratio_range; simpl in l.
      destruct (pick t) as [|[|[|[|k]]]]; unfold spent; simpl; try lra; lia.
    + replace (pick t) with 4%nat by (simpl in *; lia); unfold spent; simpl nth.
      apply (named_is_law (fun a => of_tree (fst a) (snd a)));
        [intros [n o]; reflexivity|intros [q|n o] [n' o'] h; [discriminate|injection h as -> ->; reflexivity]|].
      apply one_after_the_other; [repeat decide equality|apply masses_add_up_to_one, ratio_range; lra|intros _; apply tree_law].
  - intros t D D' near a; unfold class_by_size; specialize (below t);
      destruct (Nat.ltb_spec (S (pick t)) (length by_size_shares)) as [l|l], a as [q|n o]; unfold named; try lra.
    + assert (s : spent by_size_shares (pick t) 1 = 19 / 20).
      { simpl in l; destruct (pick t) as [|[|[|[|k]]]]; try reflexivity; lia. }
      rewrite s; apply protected_answers; [apply apart|lra|exact near].
    + replace (pick t) with 4%nat by (simpl in *; lia); unfold spent, then_drawn; simpl nth; simpl fst; simpl snd.
      replace (19 / 20 * epsilon) with (1 / 5 * epsilon + 3 / 4 * epsilon) by field.
      pose proof (protected_answers _ (1 / 5 * epsilon) one ltac:(lra) D D' near n) as count.
      pose proof (tree_private D D' near o) as quantiles; rewrite exp_plus.
      set (P := total_of _ D n) in *; set (P' := total_of _ D' n) in *.
      replace (exp (1 / 5 * epsilon) * exp (3 / 4 * epsilon) * (P' * _)) with
        (exp (1 / 5 * epsilon) * P' * (exp (3 / 4 * epsilon) * tree candidate weight (3 / 4 * epsilon / INR deep) (halved deep given) 0 last D' o)) by ring.
      apply Rmult_le_compat; [apply joint_nonneg, ratio_range; lra|apply tree_law|exact count|exact quantiles].
Qed.
End BySize.
