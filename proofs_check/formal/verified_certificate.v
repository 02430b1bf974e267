(* What the checker of certificates accepts is true. A program reads the lines of a certificate one after another, as
   impl/suppression/verify.py does: tables, each by its changes, ends with a dual vector, and directions. For every
   finite system of sums and bounds, for real and for whole values, and every certificate: if it is accepted, a table
   exists; every end of every unknown is named; what is certified bounds every possible value, and what is said to be
   reached is possible; a bound that is reached is the end; and where there is no end, there are possible values
   beyond every number. *)
From Coq Require Import QArith Qreals Reals Lra Lia Bool List.
From Establish Require Import linear_tables dual_vector_bounds whole_bound attained_bound direction_without_end.
Import ListNotations.
Open Scope R_scope.

(* The entries that are given, the first of each place; the others are 0. *)
Definition entries := list (nat * Q).
Definition names (j : nat) (entry : nat * Q) : bool := Nat.eqb (fst entry) j.
Definition as_form (l : entries) : form := fun j => match find (names j) l with Some (_, q) => q | None => 0%Q end.

Inductive line :=
  | a_table (changes : entries)
  | an_end (dual : entries) (at_side : side) (t : nat) (bound reached : Q)
  | a_direction (change : entries) (ends : list (side * nat)).
(* What is found of one end: the bound and the value that is reached, or that there is no end. *)
Inductive finding := end_at (bound reached : Q) | no_end.
Record state := State { present : entries; found : list (side * nat * finding) }.

Definition complete (s : system) (x : entries) : bool := every (unknowns s) (fun j => existsb (names j) x).
Definition is_table (s : system) (whole : bool) (x : entries) : bool :=
  complete s x && exactly_fits s whole (as_form x).
Definition moves (s : system) (d : form) (one : side * nat) : bool :=
  Nat.ltb (snd one) (unknowns s) && negb (Qeq_bool (d (snd one)) 0)
  && match fst one with lower => negb (Qle_bool 0 (d (snd one))) | upper => Qle_bool 0 (d (snd one)) end.
Definition read (s : system) (whole : bool) (st : state) (l : line) : option state :=
  match l with
  | a_table changes =>
      let x := changes ++ present st in
      if is_table s whole x then Some (State x (found st)) else None
  | an_end dual at_side t bound reached =>
      match certified s whole at_side t (as_form dual) with
      | Some b =>
          if Nat.ltb t (unknowns s) && is_table s whole (present st)
             && Qeq_bool b bound && Qeq_bool (as_form (present st) t) reached
          then Some (State (present st) ((at_side, t, end_at bound reached) :: found st)) else None
      | None => None
      end
  | a_direction change ends =>
      if is_table s whole (present st) && is_direction s (as_form change) && forallb (moves s (as_form change)) ends
      then Some (State (present st) (map (fun one => (one, no_end)) ends ++ found st)) else None
  end.
Fixpoint read_all (s : system) (whole : bool) (st : state) (l : list line) : option state :=
  match l with
  | [] => Some st
  | first :: rest => match read s whole st first with Some next => read_all s whole next rest | None => None end
  end.
Definition side_eqb (a b : side) : bool := match a, b with lower, lower | upper, upper => true | _, _ => false end.
Definition about (at_side : side) (t : nat) (one : side * nat * finding) : bool :=
  side_eqb (fst (fst one)) at_side && Nat.eqb (snd (fst one)) t.
(* What a certificate proves, when it is accepted. *)
Definition verified (s : system) (whole : bool) (l : list line) : option (list (side * nat * finding)) :=
  match read_all s whole (State [] []) l with
  | Some st =>
      if is_table s whole (present st)
         && every (unknowns s) (fun t => existsb (about lower t) (found st) && existsb (about upper t) (found st))
      then Some (found st) else None
  | None => None
  end.

(* What a finding says. *)
Definition beyond (at_side : side) (v u : R) : Prop := match at_side with lower => u < v | upper => v < u end.
Definition true_finding (s : system) (whole : bool) (one : side * nat * finding) : Prop :=
  let '(at_side, t, f) := one in
  (t < unknowns s)%nat /\
  match f with
  | end_at bound reached =>
      possible s whole t (Q2R reached) /\
      (forall v, possible s whole t v -> ~ beyond at_side (Q2R bound) v) /\
      ((bound == reached)%Q -> is_end s whole at_side t (Q2R bound))
  | no_end => forall v, exists u, possible s whole t u /\ beyond at_side v u
  end.

Lemma exactly_fits_is s whole x : exactly_fits s whole x = true -> table s whole (fun j => Q2R (x j)).
Proof.
  unfold exactly_fits; rewrite andb_true_iff, !every_is; intros [sums_hold places]; split; [split|].
  - intros i l; unfold value; specialize (sums_hold i l); apply RMicromega.Qeq_true in sums_hold.
    rewrite <- sums_hold, exact_sum_is; apply real_sum_ext; intros; rewrite Q2R_mult; reflexivity.
  - intros j l; specialize (places j l); rewrite !andb_true_iff in places; destruct places as [[below above] _].
    split; [destruct (low s j)|destruct (high s j)]; simpl; try exact I; apply RMicromega.Qle_true; assumption.
  - intros -> j l; specialize (places j l); rewrite !andb_true_iff in places; destruct places as [_ w].
    apply is_integer_is; exact w.
Qed.
Lemma table_is s whole x : is_table s whole x = true -> table s whole (fun j => Q2R (as_form x j)).
Proof. unfold is_table; rewrite andb_true_iff; intros [_ h]; apply exactly_fits_is, h. Qed.

Lemma moves_is s d at_side t : moves s d (at_side, t) = true ->
  (t < unknowns s)%nat /\ match at_side with lower => Q2R (d t) < 0 | upper => 0 < Q2R (d t) end.
Proof.
  unfold moves; simpl; rewrite !andb_true_iff, negb_true_iff; intros [[l z] sign]; apply Nat.ltb_lt in l.
  split; [exact l|]; apply RMicromega.Qeq_false in z; rewrite zero_real in z; destruct at_side.
  - apply negb_true_iff in sign; assert (neg : (d t <= 0)%Q).
    { apply Qnot_lt_le; intros lt; apply Qlt_le_weak, Qle_bool_iff in lt; congruence. }
    apply Qle_Rle in neg; rewrite zero_real in neg; lra.
  - apply RMicromega.Qle_true in sign; rewrite zero_real in sign; lra.
Qed.

Lemma read_is_true s whole st l st' : read s whole st l = Some st' ->
  (forall one, In one (found st) -> true_finding s whole one) -> forall one, In one (found st') -> true_finding s whole one.
Proof.
  destruct l as [changes|dual at_side t bound reached|change ends]; unfold read.
  - destruct (is_table _ _ _); [|discriminate]; intros e; injection e as <-; auto.
  - destruct (certified _ _ _ _ _) as [b|] eqn:is; [|discriminate].
    destruct (_ && _)%bool eqn:all; [|discriminate]; intros e; injection e as <-; intros old one [<-|i]; [|auto].
    rewrite !andb_true_iff in all; destruct all as [[[l tab] same] at_]; apply Nat.ltb_lt in l.
    apply RMicromega.Qeq_true in same, at_; apply table_is in tab.
    assert (pr : possible s whole t (Q2R reached)) by (eexists; split; [exact tab|exact at_]).
    destruct (an_attained_bound_is_the_end s t l) as (ends & _).
    destruct (ends whole at_side _ b is) as [attained between]; simpl; split; [exact l|split; [exact pr|split]].
    + intros v pv; specialize (between v pv); rewrite <- same; destruct at_side; simpl; lra.
    + intros eq; apply Qeq_eqR in eq; rewrite <- same; apply attained; rewrite same, eq; exact pr.
  - destruct (_ && _)%bool eqn:all; [|discriminate]; intros e; injection e as <-; intros old one i.
    rewrite !andb_true_iff in all; destruct all as [[tab dir] ahead]; rewrite forallb_forall in ahead.
    apply in_app_iff in i; destruct i as [i|i]; [|auto]; apply in_map_iff in i; destruct i as ([at_side t] & <- & i).
    destruct (moves_is _ _ _ _ (ahead _ i)) as [l sign]; simpl; split; [exact l|intros v].
    destruct (proj2 (a_direction_has_no_end s (as_form change) dir) whole _ (table_is s whole _ tab) t v) as [up down].
    destruct at_side; [destruct (down sign) as (u & tu & le)|destruct (up sign) as (u & tu & le)];
      exists (u t); (split; [exists u; auto|exact le]).
Qed.

Theorem accepted_certificates_are_true (s : system) (whole : bool) (l : list line) (all : list (side * nat * finding)) :
  verified s whole l = Some all ->
  (exists x : form, table s whole (fun j => Q2R (x j))) /\
  (forall t at_side, (t < unknowns s)%nat -> exists f, In (at_side, t, f) all) /\
  (forall one, In one all -> true_finding s whole one) /\
  (forall t b c, whole = false -> In (lower, t, end_at b b) all -> In (upper, t, end_at c c) all ->
    forall v, possible s whole t v <-> Q2R b <= v <= Q2R c).
Proof.
  unfold verified; destruct (read_all s whole (State [] []) l) as [st|] eqn:run; [|discriminate].
  destruct (_ && _)%bool eqn:final; [|discriminate]; intros e; injection e as <-.
  apply andb_true_iff in final; destruct final as [tab ends]; rewrite every_is in ends.
  assert (true_ : forall one, In one (found st) -> true_finding s whole one).
  { assert (start : forall one, In one (found (State [] [])) -> true_finding s whole one) by (intros one []).
    revert start run; generalize (State [] []); induction l as [|first rest IH]; simpl; intros st0 start run.
    - injection run as <-; exact start.
    - destruct (read s whole st0 first) as [next|] eqn:is; [|discriminate].
      apply (IH next); [apply (read_is_true s whole st0 first next is start)|exact run]. }
  split; [eexists; apply table_is, tab|split; [|split; [exact true_|]]].
  - intros t at_side l'; specialize (ends t l'); apply andb_true_iff in ends; destruct ends as [at_low at_high].
    assert (some : existsb (about at_side t) (found st) = true) by (destruct at_side; assumption).
    apply existsb_exists in some; destruct some as ([[sd t'] f] & i & is); exists f.
    unfold about in is; simpl in is; apply andb_true_iff in is; destruct is as [a b]; apply Nat.eqb_eq in b; subst t'.
    destruct sd, at_side; try discriminate; exact i.
  - intros t b c -> at_low at_high v; apply true_ in at_low, at_high; simpl in at_low, at_high.
    destruct at_low as (l' & pb & low_ & _), at_high as (_ & pc & high_ & _); split.
    + intros pv; specialize (low_ v pv); specialize (high_ v pv); lra.
    + apply between_is_possible; assumption.
Qed.
