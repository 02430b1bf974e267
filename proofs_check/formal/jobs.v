(* Datasets that differ in d jobs are d steps of edge privacy apart, but for the order in which workers are listed:
   the jobs that only the first has leave one by one, then those join that only the second has. *)
From Coq Require Import Lia List Permutation.
From Establish Require Import datasets.
Import ListNotations.

Section Jobs.
Variables (A V : Type).

(* The same establishments with the same workers, listed in whatever order. *)
Definition same_staff (e e' : establishment A V) : Prop :=
  public e = public e' /\ Permutation (workforce e) (workforce e').
Definition reordered : dataset A V -> dataset A V -> Prop := Forall2 same_staff.

(* d jobs, a worker with its attributes each, are in one of two establishments only; the attributes of the
   establishments are the same. *)
Definition jobs_in_one_only (d : nat) (e e' : establishment A V) : Prop :=
  public e = public e' /\ NoDup (workforce e) /\ NoDup (workforce e') /\
  exists kept lost gained,
    Permutation (workforce e) (lost ++ kept) /\ Permutation (workforce e') (gained ++ kept) /\
    (forall w, In w lost -> ~ In w gained) /\ d = length lost + length gained.
Inductive jobs_apart : nat -> dataset A V -> dataset A V -> Prop :=
  | nobody : jobs_apart 0 [] []
  | and_at d e e' k D D' : jobs_in_one_only d e e' -> jobs_apart k D D' ->
      jobs_apart (d + k) (e :: D) (e' :: D').

(* Whatever holds along the order, along one step, and along one after the other, holds for d jobs. *)
Lemma along_jobs (B : nat -> dataset A V -> dataset A V -> Prop) :
  (forall D D', reordered D D' -> B 0 D D') -> (forall D D', edge_neighbors D D' -> B 1 D D') ->
  (forall j k D D1 D', B j D D1 -> B k D1 D' -> B (j + k) D D') ->
  forall d D D', jobs_apart d D D' -> B d D D'.
Proof.
  intros order one trans.
  assert (refl : forall D, reordered D D).
  { induction D; constructor; [split; [reflexivity|apply Permutation_refl]|assumption]. }
  assert (at_one : forall b a e e', same_staff e e' -> B 0 (b ++ e :: a) (b ++ e' :: a)).
  { intros b a e e' h; apply order, Forall2_app; [apply refl|constructor; [exact h|apply refl]]. }
  assert (leave : forall b a p kept l, NoDup (l ++ kept) ->
    B (length l) (b ++ Establishment p (l ++ kept) :: a) (b ++ Establishment p kept :: a) /\
    B (length l) (b ++ Establishment p kept :: a) (b ++ Establishment p (l ++ kept) :: a)).
  { intros b a p kept; induction l as [|w l IH]; intros n; [split; apply order, refl|].
    simpl in n; inversion n as [|? ? out n']; subst; destruct (IH n') as [down up].
    assert (more : one_changes A V (gains_one_job A V) (b ++ Establishment p (l ++ kept) :: a)
      (b ++ Establishment p (w :: l ++ kept) :: a)).
    { do 4 eexists; split; [reflexivity|split; [reflexivity|split; [|reflexivity]]].
      split; [reflexivity|split; [exact n'|split; [exact n|intros x i; right; exact i]]]. }
    simpl; split.
    - apply (trans 1 (length l)) with (2 := down); apply one; right; exact more.
    - rewrite <- PeanoNat.Nat.add_1_r; apply (trans (length l) 1) with (1 := up); apply one; left; exact more. }
  assert (change : forall b a d e e', jobs_in_one_only d e e' -> B d (b ++ e :: a) (b ++ e' :: a)).
  { intros b a d e e' (pub & n & n' & kept & lost & gained & h & h' & _ & ->).
    pose proof (Permutation_NoDup h n) as nl; pose proof (Permutation_NoDup h' n') as ng.
    apply (trans 0 (length lost + length gained)) with (b ++ Establishment (public e) (lost ++ kept) :: a).
    - apply at_one; split; [reflexivity|exact h].
    - apply (trans (length lost) (length gained)) with (b ++ Establishment (public e) kept :: a).
      + apply (leave b a (public e) kept lost nl).
      + rewrite <- (PeanoNat.Nat.add_0_r (length gained)).
        apply (trans (length gained) 0) with (b ++ Establishment (public e) (gained ++ kept) :: a).
        * apply (leave b a (public e) kept gained ng).
        * apply at_one; split; [exact pub|apply Permutation_sym, h']. }
  intros d D D' h.
  assert (prefix : forall b, B d (b ++ D) (b ++ D')); [|exact (prefix [])].
  induction h as [|d e e' k D D' first rest IH]; intros b; [rewrite app_nil_r; apply order, refl|].
  apply trans with (b ++ e' :: D).
  - apply change, first.
  - specialize (IH (b ++ [e'])); rewrite <- !app_assoc in IH; exact IH.
Qed.
End Jobs.
