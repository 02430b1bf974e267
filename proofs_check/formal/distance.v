(* Distances. Under ER-EE privacy datasets at distance k are told apart by at most e^(k epsilon)
   (Haney et al. 2017, equation 8), and no chain of neighbors changes public attributes; under edge privacy
   k workers who join, or leave, cost at most e^(k epsilon) (equation 14). *)
From Coq Require Import Reals List.
From Establish Require Import datasets.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
From Establish Require Import group_privacy.

Section Distances.
Variables (A V : Type) (d : measure_display) (T : measurableType d).
Implicit Types (D : dataset A V) (M : mechanism (dataset A V) T).

Lemma chain_keeps_public (change : establishment A V -> establishment A V -> Prop) :
  (forall e e', change e e' -> public e = public e') ->
  forall k D D', chain (either_way A V change) k D D' -> List.map public D = List.map public D'.
Proof.
move=> same k D D'; elim=> // m D0 D1 D2 near _ <-.
by case: near => -[b [e [e' [a [-> [-> h]]]]]]; rewrite !List.map_app /= (same _ _ h).
Qed.

Theorem at_distance (alpha epsilon : R) M :
  private_law (strong_neighbors alpha) epsilon M ->
  forall k D D', chain (strong_neighbors alpha) k D D' ->
  List.map public D = List.map public D' /\
  forall E, measurable E -> M D E <= factor (Rdefinitions.Rmult (Raxioms.INR k) epsilon) * M D' E.
Proof.
move=> priv k D D' c; split; first by apply: (chain_keeps_public _ c) => e e' [] [].
exact: (group_privacy priv c).
Qed.

Theorem jobs_apart (epsilon : R) M :
  private_law edge_neighbors epsilon M ->
  forall k D D', chain edge_neighbors k D D' ->
  forall E, measurable E -> M D E <= factor (Rdefinitions.Rmult (Raxioms.INR k) epsilon) * M D' E.
Proof. by move=> priv k D D' c; exact: (group_privacy priv c). Qed.
End Distances.
