(* Mechanisms with finitely many answers: their laws, and privacy answer by answer, which for such mechanisms
   is privacy for every event. *)
From Coq Require Import Reals Lra List.
Import ListNotations.
Open Scope R_scope.

Section Discrete.
Variables (dataset answer : Type).
(* The answers, each once. *)
Variable answers : list answer.

Definition is_law (P : dataset -> answer -> R) : Prop :=
  forall D, (forall a, 0 <= P D a) /\ fold_right (fun a s => P D a + s) 0 answers = 1.
Definition answers_private (neighbors : dataset -> dataset -> Prop) (epsilon : R)
    (P : dataset -> answer -> R) : Prop :=
  forall D D', neighbors D D' -> forall a, P D a <= exp epsilon * P D' a.
End Discrete.

Definition yes_or_no : list bool := [true; false].
(* The law that answers yes with probability p. *)
Definition coin (p : R) (answer : bool) : R := if answer then p else 1 - p.

Lemma coin_is_law (dataset : Type) (p : dataset -> R) : (forall D, 0 <= p D <= 1) ->
  is_law dataset bool yes_or_no (fun D => coin (p D)).
Proof. intros h D; specialize (h D); split; [intros []|]; simpl; lra. Qed.

Lemma exp_ln_2 : exp (ln 2) = 2.
Proof. apply exp_ln; lra. Qed.
