(* Establishments with public attributes and nonnegative confidential values, one for each confidential attribute; the
   neighbors of Webb et al. 2025, Definition 5.5; and sums of one attribute over the establishments of a group. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

(* A: the public attributes, which may name the establishment. I: the confidential attributes. *)
Record entry (A I : Type) := Entry { about : A; value : I -> nonnegreal }.
Arguments about {A I}. Arguments value {A I}. Arguments Entry {A I}.

(* One establishment has another entry: the same public attributes, and values that are near its own, in every
   confidential attribute [i] as [near i] says. *)
Definition value_close_neighbors {A I : Type} (near : I -> R -> R -> Prop) (D D' : list (entry A I)) : Prop :=
  exists before e e' after, D = before ++ e :: after /\ D' = before ++ e' :: after /\
    about e = about e' /\ forall i, near i (value e i) (value e' i).

Section Sums.
Variables (A I : Type) (group : A -> nat) (i : I).

(* The sum of what [f] says of each establishment of group number [j]. *)
Definition sum_over (f : A -> R -> R) (D : list (entry A I)) (j : nat) : R :=
  fold_right (fun e s => (if Nat.eqb (group (about e)) j then f (about e) (value e i) else 0) + s) 0 D.
(* The sum of the values. *)
Definition group_sum (D : list (entry A I)) (j : nat) : R := sum_over (fun _ x => x) D j.

Lemma sum_over_app (f : A -> R -> R) D D' j : sum_over f (D ++ D') j = sum_over f D j + sum_over f D' j.
Proof. induction D as [|e D IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma sum_over_nonneg (f : A -> R -> R) D j : (forall a (x : nonnegreal), 0 <= f a x) -> 0 <= sum_over f D j.
Proof.
  intros f0; induction D as [|e D IH]; simpl; [lra|].
  destruct (Nat.eqb _ j); [pose proof (f0 (about e) (value e i)); lra|lra].
Qed.

(* Neighbors have the sums f + r and f' + r in the group of the establishment that differs, and the same sums
   elsewhere. *)
Lemma one_group_changes near (f : A -> R -> R) D D' : (forall a (x : nonnegreal), 0 <= f a x) -> value_close_neighbors near D D' ->
  exists a x y j, near i (nonneg x) (nonneg y) /\ group a = j /\
    (forall l, l <> j -> sum_over f D l = sum_over f D' l) /\
    exists rest, 0 <= rest /\ sum_over f D j = f a x + rest /\ sum_over f D' j = f a y + rest.
Proof.
  intros f0 (b & e & e' & r & -> & -> & same & close).
  exists (about e), (value e i), (value e' i), (group (about e)); split; [apply close|split; [reflexivity|split]].
  - intros l ne; rewrite !sum_over_app; simpl; rewrite <- same.
    destruct (Nat.eqb (group (about e)) l) eqn:h; [apply Nat.eqb_eq in h; congruence|reflexivity].
  - exists (sum_over f b (group (about e)) + sum_over f r (group (about e))).
    pose proof (sum_over_nonneg f b (group (about e)) f0); pose proof (sum_over_nonneg f r (group (about e)) f0).
    rewrite !sum_over_app; simpl; rewrite <- same, Nat.eqb_refl; repeat split; lra.
Qed.
End Sums.
Arguments group_sum {A I}. Arguments sum_over {A I}.
