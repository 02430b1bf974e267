(* Theorem 7.5 of Haney et al. 2017 for strong neighbors is false. Releases on the men and on the women of
   one establishment, each (1, ln 2)-ER-EE private as a release of the whole data, are together private at
   2 ln 2 and at no smaller level. *)
From Coq Require Import Reals Lra Lia List Bool.
From Establish Require Import spec_formulas common datasets discrete.
Import ListNotations.
Open Scope R_scope.

Definition people := dataset unit bool.
(* The workers of one kind only. *)
Definition only (kind : bool) (D : people) : people :=
  map (fun e => Establishment (public e)
    (filter (fun w => Bool.eqb (attributes w) kind) (workforce e))) D.
Definition headcount (D : people) : nat := fold_right (fun e n => (length (workforce e) + n)%nat) 0%nat D.

(* Yes with probability 2/3 when more than one worker of the kind is there, 1/3 otherwise. *)
Definition more_than_one (kind : bool) (D : people) : bool -> R :=
  coin (if Nat.ltb 1 (headcount (only kind D)) then 2 / 3 else 1 / 3).

Lemma private_alone kind neighbors : answers_private people bool neighbors (ln 2) (more_than_one kind).
Proof.
  intros D D' _ a; rewrite exp_ln_2; unfold more_than_one, coin.
  destruct a, (Nat.ltb _ _), (Nat.ltb _ _); lra.
Qed.

Definition one_couple : people := [Establishment tt [Worker 0 true; Worker 1 false]].
Definition two_couples : people :=
  [Establishment tt [Worker 0 true; Worker 1 false; Worker 2 true; Worker 3 false]].

Lemma couples_are_neighbors : strong_neighbors 1 two_couples one_couple.
Proof.
  right; exists [], (Establishment tt [Worker 0 true; Worker 1 false]),
    (Establishment tt [Worker 0 true; Worker 1 false; Worker 2 true; Worker 3 false]), [].
  split; [reflexivity|split; [reflexivity|split; [split; [reflexivity|]|]]].
  - split; [|split]; [repeat constructor; simpl; intuition discriminate..|].
    intros w h; simpl in *; intuition.
  - unfold may_grow, size, matching; simpl; lra.
Qed.

Theorem theorem_7_5_is_false :
  exists M1 M2 : people -> bool -> R,
    (forall D, M1 D = M1 (only true D)) /\ (forall D, M2 D = M2 (only false D)) /\
    is_law people bool yes_or_no M1 /\ is_law people bool yes_or_no M2 /\
    answers_private people bool (strong_neighbors 1) (ln 2) M1 /\
    answers_private people bool (strong_neighbors 1) (ln 2) M2 /\
    forall loss, answers_private people (bool * bool) (strong_neighbors 1) loss
      (fun D a => M1 D (fst a) * M2 D (snd a)) -> 2 * ln 2 <= loss.
Proof.
  exists (more_than_one true), (more_than_one false).
  assert (idem : forall k D, only k (only k D) = only k D).
  { intros k D; unfold only; rewrite map_map; apply map_ext; intros e; simpl; f_equal.
    induction (workforce e) as [|w l IH]; simpl; [reflexivity|].
    destruct (Bool.eqb (attributes w) k) eqn:h; simpl; rewrite ?h, IH; reflexivity. }
  split; [intros D; unfold more_than_one; rewrite idem; reflexivity|].
  split; [intros D; unfold more_than_one; rewrite idem; reflexivity|].
  split; [apply coin_is_law; intros D; destruct (Nat.ltb _ _); lra|].
  split; [apply coin_is_law; intros D; destruct (Nat.ltb _ _); lra|].
  split; [apply private_alone|split; [apply private_alone|]].
  intros loss h; specialize (h _ _ couples_are_neighbors (true, true)).
  unfold more_than_one in h; simpl in h.
  assert (four : exp (2 * ln 2) <= exp loss).
  { replace (2 * ln 2) with (ln 2 + ln 2) by ring; rewrite exp_plus, exp_ln_2; lra. }
  apply exp_le_inv, four.
Qed.
