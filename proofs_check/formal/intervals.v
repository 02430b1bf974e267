(* Probabilities of finite unions of intervals, for refutations: what fails for them fails for Borel sets. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper laplace_normalized.
Import ListNotations.
Open Scope R_scope.

(* A union of disjoint intervals, by their ends, in increasing order. *)
Definition intervals := list (R * R).
Fixpoint ordered (from : Rbar) (E : intervals) : Prop :=
  match E with
  | [] => True
  | (a, b) :: rest => Rbar_lt from a /\ a <= b /\ ordered b rest
  end.
Definition measure_of (density : R -> R) (E : intervals) : R :=
  fold_right (fun (i : R * R) s => RInt density (fst i) (snd i) + s) 0 E.

Lemma laplace_interval n s a b : 0 < s ->
  RInt (laplace_density n s) a b = laplace_cdf b n s - laplace_cdf a n s.
Proof. intros s0; apply is_RInt_unique, cdf_is_the_integral, s0. Qed.
