(* Rules at_every_output and pointwise: from a bound between two log-densities at every output to every event.

   The densities are those of the specification, given by their logarithms; that these are Borel functions is
   left to the laws themselves. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import common bridge pieces comparisons.
Open Scope R_scope.

Definition first_and_second (D D' : bool) : Prop := D = true /\ D' = false.

Lemma exp_is_lawful (f : R -> R) : borel_function f -> lawful m_infty (fun o => exp (f o)).
Proof.
  intros bf; apply borel_is_lawful; [|intros o; left; apply exp_pos].
  apply (@borel_of exp); [|exact bf].
  apply continuous_is_borel; intros; apply derivable_continuous_pt, derivable_pt_exp.
Qed.

(* Owed: ln p - ln q <= level at all parameters of the domain and every real output. *)
Theorem at_every_output (parameters : Type) (domain : parameters -> Prop) (p q : parameters -> R -> R)
    (level : parameters -> R) :
  stated (fun v => domain (fst v)) (fun v => p (fst v) (snd v) - q (fst v) (snd v)) at_most
    (fun v => level (fst v)) ->
  (forall v, borel_function (p v) /\ borel_function (q v)) ->
  forall v, domain v -> private first_and_second m_infty (level v)
    (fun D o => exp (if D then p v o else q v o)).
Proof.
  intros owed borel v inside; destruct (borel v) as [bp bq]; apply bound_at_every_output.
  - intros []; apply exp_is_lawful; assumption.
  - intros D D' o [-> ->] _; apply exp_ratio; exact (owed (v, o) inside).
Qed.
