(* Small universes, decided: the neighbor relations of datasets.v for one establishment with workers of two
   kinds, as Booleans that Coq computes. The theorems say that what is computed is the relation, for every
   rational alpha = p/q; a test compares the computed tables with the relations of spec/. *)
From Coq Require Import Reals Lra Lia List Bool Arith.
From Establish Require Import spec_formulas common datasets no_growth.
Import ListNotations.
Open Scope R_scope.

(* x <= y and (q y <= (q + p) x or y <= x + 1). *)
Definition growsb (p q x y : nat) : bool :=
  (x <=? y)%nat && ((q * y <=? (q + p) * x)%nat || (y <=? x + 1)%nat).

Lemma growsb_is (p q x y : nat) : (0 < q)%nat ->
  growsb p q x y = true <-> may_grow (INR x) (INR y) (INR p / INR q).
Proof.
  intros q0; assert (q0' : 0 < INR q) by (apply lt_0_INR; exact q0).
  assert (share : INR y <= (1 + INR p / INR q) * INR x <-> INR (q * y) <= INR ((q + p) * x)).
  { rewrite !mult_INR, plus_INR.
    replace ((INR q + INR p) * INR x) with (INR q * ((1 + INR p / INR q) * INR x)) by (field; lra).
    split; intros h; [apply Rmult_le_compat_l; lra|apply Rmult_le_reg_l with (INR q); lra]. }
  assert (one : INR x + 1 = INR (x + 1)) by (rewrite plus_INR; simpl; ring).
  unfold growsb, may_grow; rewrite andb_true_iff, orb_true_iff, !Nat.leb_le, share, one.
  split; intros [h k]; (split; [|destruct k as [k|k]; [left|right]]);
    first [apply le_INR; assumption|apply INR_le; assumption].
Qed.

Definition same_worker (w w' : worker bool) : bool :=
  Nat.eqb (name w) (name w') && Bool.eqb (attributes w) (attributes w').
Definition inclb (l l' : list (worker bool)) : bool := forallb (fun w => existsb (same_worker w) l') l.

Lemma inclb_is l l' : inclb l l' = true <-> incl l l'.
Proof.
  assert (one : forall w, existsb (same_worker w) l' = true <-> In w l').
  { intros w; rewrite existsb_exists; split.
    - intros ([n b] & k & e); destruct w as [m c]; unfold same_worker in e; simpl in e.
      apply andb_true_iff in e; destruct e as [e f].
      apply Nat.eqb_eq in e; apply eqb_prop in f; subst; exact k.
    - intros h; exists w; split; [exact h|]; destruct w; unfold same_worker; simpl.
      rewrite Nat.eqb_refl, eqb_reflx; reflexivity. }
  unfold inclb; rewrite forallb_forall; split; intros h w i; apply one, h, i.
Qed.

Definition at_one (l : list (worker bool)) : establishment unit bool := Establishment tt l.
Definition strongb (p q : nat) (l l' : list (worker bool)) : bool :=
  inclb l l' && growsb p q (length l) (length l').
Definition number (f : bool -> bool) (l : list (worker bool)) : nat :=
  length (filter (fun w => f (attributes w)) l).
(* The properties of a kind of worker that are not empty. *)
Definition properties : list (bool -> bool) := [fun _ => true; fun b => b; negb; fun _ => false].
Definition weakb (p q : nat) (l l' : list (worker bool)) : bool :=
  inclb l l' && forallb (fun f => growsb p q (number f l) (number f l')) properties.

Theorem strongb_is_strong (p q : nat) l l' : (0 < q)%nat -> NoDup l -> NoDup l' ->
  strongb p q l l' = true <-> grows_strongly unit bool (INR p / INR q) (at_one l) (at_one l').
Proof.
  intros q0 n n'; unfold strongb, grows_strongly, extends; rewrite andb_true_iff, inclb_is, growsb_is by exact q0.
  rewrite !size_is_length; simpl; tauto.
Qed.

Theorem weakb_is_weak (p q : nat) l l' : (0 < q)%nat -> NoDup l -> NoDup l' ->
  weakb p q l l' = true <-> grows_weakly unit bool (INR p / INR q) (at_one l) (at_one l').
Proof.
  intros q0 n n'; unfold weakb, grows_weakly, extends; rewrite andb_true_iff, inclb_is, forallb_forall.
  assert (known : forall f : bool -> bool, exists g, In g properties /\ forall b, f b = g b).
  { intros f; destruct (f true) eqn:t, (f false) eqn:u.
    - exists (fun _ => true); split; [simpl; auto|intros []; assumption].
    - exists (fun b => b); split; [simpl; auto|intros []; assumption].
    - exists negb; split; [simpl; auto|intros []; assumption].
    - exists (fun _ => false); split; [simpl; auto|intros []; assumption]. }
  unfold matching; simpl; split; intros [h k]; (split; [tauto|]).
  - intros f; destruct (known f) as (g & i & e).
    assert (m : forall x : list (worker bool), length (filter (fun w => f (attributes w)) x) = number g x).
    { intros x; unfold number; f_equal; apply filter_ext; intros w; apply e. }
    rewrite !m; apply growsb_is; [exact q0|apply k, i].
  - intros g i; apply growsb_is; [exact q0|apply k].
Qed.

(* All workforces of n workers who are each absent or of one of two kinds, as lists. *)
Fixpoint workforces (n : nat) : list (list (worker bool)) :=
  match n with
  | O => [[]]
  | S m => flat_map (fun l => [l; Worker m true :: l; Worker m false :: l]) (workforces m)
  end.
(* The numbers of the pairs that are related, in the order of [workforces]. *)
Definition related (relation : list (worker bool) -> list (worker bool) -> bool) (n : nat) : list nat :=
  map fst (filter (fun x : nat * (list (worker bool) * list (worker bool)) =>
      relation (fst (snd x)) (snd (snd x)))
    (let pairs := list_prod (workforces n) (workforces n) in combine (seq 0 (length pairs)) pairs)).
