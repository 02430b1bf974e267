(* Rules on finite sums of any length: term by term, and under a constraint on another sum.

   A family is a list of terms that agree in the shared variables; every term lies in the domain. *)
From Coq Require Import Reals Lra List.
Import ListNotations.
From Establish Require Import comparisons.
Open Scope R_scope.

Section Sums.
Variables (shared own : Type) (domain : shared -> own -> Prop).
Implicit Types (left right first second : shared -> own -> R) (price : shared -> R).

Definition total (side : shared -> own -> R) s (terms : list own) : R :=
  fold_right (fun t sum => side s t + sum) 0 terms.
(* The comparison of single terms. *)
Definition of_terms left r right : Prop :=
  stated (fun p => domain (fst p) (snd p)) (fun p => left (fst p) (snd p)) r (fun p => right (fst p) (snd p)).
(* The comparison of the sums, over families of at least one term that meet the constraint. *)
Definition of_sums (constraint : shared -> list own -> Prop) left r right : Prop :=
  forall s terms, terms <> [] -> Forall (domain s) terms -> constraint s terms ->
  related r (total left s terms) (total right s terms).

(* Rule term_by_term. Owed: the comparison of single terms. *)
Theorem term_by_term constraint left r right : r = at_most \/ r = equal ->
  of_terms left r right -> of_sums constraint left r right.
Proof.
  intros kind owed s terms _ inside _; induction inside as [|t terms here _ IH].
  - destruct kind as [-> | ->]; simpl; lra.
  - specialize (owed (s, t) here); destruct kind as [-> | ->]; simpl in *; lra.
Qed.

(* Rule at_a_price. Owed: every term with what it costs, and a price that is not negative. The price reads the
   shared variables only, as its type says. *)
Theorem at_a_price first second left right price :
  of_terms (fun s t => left s t + price s * (second s t - first s t)) at_most right ->
  of_terms (fun _ _ => 0) at_most (fun s _ => price s) ->
  of_sums (fun s terms => total first s terms <= total second s terms) left at_most right.
Proof.
  intros dearer sign s terms some inside constraint; simpl.
  assert (h : total left s terms + price s * (total second s terms - total first s terms)
    <= total right s terms).
  { clear some constraint; induction inside as [|t terms here _ IH]; simpl; [lra|].
    specialize (dearer (s, t) here); simpl in dearer; lra. }
  destruct terms as [|t terms]; [contradiction|].
  pose proof (sign (s, t) (Forall_inv inside)) as p0; simpl in p0.
  assert (0 <= price s * (total second s (t :: terms) - total first s (t :: terms)))
    by (apply Rmult_le_pos; lra).
  lra.
Qed.
End Sums.
