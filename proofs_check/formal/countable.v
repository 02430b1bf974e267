(* Mechanisms with countably many answers: the probability of an event is the least upper bound of the masses of
   its finite parts, and privacy is asked of every event. A bound at every answer gives it. *)
From Coq Require Import Reals Lra List.
Import ListNotations.
Open Scope R_scope.

Section Countable.
Variables (dataset answer : Type).
Implicit Types (P : answer -> R) (E : answer -> Prop).

Definition mass_of P (F : list answer) : R := fold_right (fun a s => P a + s) 0 F.
(* F lists some answers of E, each once. *)
Definition part_of E (F : list answer) : Prop := NoDup F /\ forall a, In a F -> E a.
Definition event_probability P E (p : R) : Prop :=
  is_lub (fun s => exists F, part_of E F /\ s = mass_of P F) p.
(* No mass is below 0, and all of them add up to 1. *)
Definition is_mass_function P : Prop := (forall a, 0 <= P a) /\ event_probability P (fun _ => True) 1.
(* P(M(D) in E) <= e^epsilon P(M(D') in E) for all neighbors and every set E of answers. *)
Definition events_private (neighbors : dataset -> dataset -> Prop) (epsilon : R)
    (M : dataset -> answer -> R) : Prop :=
  forall D D', neighbors D D' -> forall E p p',
  event_probability (M D) E p -> event_probability (M D') E p' -> p <= exp epsilon * p'.

Lemma mass_nonneg P F : (forall a, 0 <= P a) -> 0 <= mass_of P F.
Proof. intros h; induction F; simpl; [lra|specialize (h a); lra]. Qed.

Lemma mass_scaled c P Q F : (forall a, P a <= c * Q a) -> mass_of P F <= c * mass_of Q F.
Proof. intros h; induction F as [|a F IH]; simpl; [lra|specialize (h a); lra]. Qed.

(* Every event has a probability between 0 and 1. *)
Theorem every_event_has_one P : is_mass_function P ->
  forall E, exists p, event_probability P E p /\ 0 <= p <= 1.
Proof.
  intros [nonneg [most _]] E.
  assert (bounded : is_upper_bound (fun s => exists F, part_of E F /\ s = mass_of P F) 1).
  { intros s (F & [n _] & ->); apply most; exists F; split; [split; [exact n|auto]|reflexivity]. }
  assert (empty : exists F, part_of E F /\ 0 = mass_of P F).
  { exists []; split; [split; [constructor|intros a []]|reflexivity]. }
  destruct (completeness _ (ex_intro _ 1 bounded) (ex_intro _ 0 empty)) as [p lub].
  exists p; split; [exact lub|split; [apply lub, empty|apply lub, bounded]].
Qed.

Lemma probability_of_one P a : (forall b, 0 <= P b) -> event_probability P (fun b => b = a) (P a).
Proof.
  intros nonneg; split.
  - intros s (F & [n inside] & ->); destruct F as [|b [|c F]]; simpl.
    + apply nonneg.
    + rewrite (inside b (or_introl eq_refl)); lra.
    + exfalso; pose proof (inside b (or_introl eq_refl)); pose proof (inside c (or_intror (or_introl eq_refl))).
      subst; inversion n as [|? ? out]; apply out; left; reflexivity.
  - intros b most; apply most; exists [a]; split; [|simpl; ring].
    split; [repeat constructor; simpl; auto|intros x [<-|[]]; reflexivity].
Qed.

Lemma bound_at_every_answer (neighbors : dataset -> dataset -> Prop) epsilon (M : dataset -> answer -> R) :
  (forall D D' a, neighbors D D' -> M D a <= exp epsilon * M D' a) -> events_private neighbors epsilon M.
Proof.
  intros le D D' near E p p' [_ least] [most' _]; apply least; intros s (F & ok & ->).
  apply Rle_trans with (exp epsilon * mass_of (M D') F); [apply mass_scaled; intros a; apply le, near|].
  apply Rmult_le_compat_l; [left; apply exp_pos|apply most'; exists F; auto].
Qed.

Lemma bound_of_every_answer (neighbors : dataset -> dataset -> Prop) epsilon (M : dataset -> answer -> R) :
  (forall D a, 0 <= M D a) -> events_private neighbors epsilon M ->
  forall D D' a, neighbors D D' -> M D a <= exp epsilon * M D' a.
Proof.
  intros nonneg priv D D' a near; apply (priv D D' near (fun b => b = a)); apply probability_of_one, nonneg.
Qed.
End Countable.

Arguments mass_of {answer}. Arguments part_of {answer}. Arguments event_probability {answer}.
Arguments is_mass_function {answer}. Arguments events_private {dataset answer}.
