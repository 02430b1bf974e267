(* Distances. Under ER-EE privacy, strong or weak, datasets at distance k are told apart by at most e^(k epsilon),
   for the metric that the neighbors induce; datasets with other public attributes are infinitely far apart (Haney
   et al. 2017, equation 8). Under edge privacy datasets that differ in d jobs are told apart by at most
   e^(d epsilon) (equation 14). *)
From Coq Require Import Reals List.
From Establish Require Import datasets chains jobs.
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

Lemma either_way_back (change : establishment A V -> establishment A V -> Prop) D D' :
  either_way A V change D D' -> either_way A V change D' D.
Proof. by move=> [h|h]; [right|left]. Qed.

Theorem at_distance (alpha epsilon : R) M :
  let induces := fun neighbors : dataset A V -> dataset A V -> Prop =>
    is_metric neighbors /\
    (forall D D', List.map public D <> List.map public D' -> infinitely_far neighbors D D') /\
    (private_law neighbors epsilon M ->
      forall k D D', distance_is neighbors D D' k ->
      forall E, measurable E -> M D E <= factor (Rdefinitions.Rmult (Raxioms.INR k) epsilon) * M D' E) in
  induces (strong_neighbors alpha) /\ induces (weak_neighbors alpha).
Proof.
move=> induces.
have all (change : establishment A V -> establishment A V -> Prop) :
    (forall e e', change e e' -> public e = public e') -> induces (either_way A V change).
  move=> same; split; first by apply: distance_is_a_metric => D D'; exact: either_way_back.
  split=> [D D' other k c|priv k D D' [c _]]; last exact: (group_privacy priv c).
  exact: (other (chain_keeps_public same c)).
by split; apply: all => e e' [] [].
Qed.

(* The order in which workers are listed does not matter to M. *)
Definition blind_to_order M : Prop :=
  forall D D', reordered A V D D' -> forall E, measurable E -> M D E = M D' E.

Theorem jobs_differ (epsilon : R) M :
  blind_to_order M -> private_law edge_neighbors epsilon M ->
  forall d D D', jobs_apart A V d D D' ->
  forall E, measurable E -> M D E <= factor (Rdefinitions.Rmult (Raxioms.INR d) epsilon) * M D' E.
Proof.
move=> blind priv k D D' apart E mE; move: k D D' apart.
apply: (@along_jobs A V (fun k D D' => M D E <= factor (Rdefinitions.Rmult (Raxioms.INR k) epsilon) * M D' E)).
- by move=> D D' h; rewrite /= RIneq.Rmult_0_l factor_zero mul1e (blind _ _ h).
- by move=> D D' h; rewrite /= Raxioms.Rmult_1_l; exact: priv.
- move=> j k D D1 D' h1 h2; apply: (Order.POrderTheory.le_trans h1).
  rewrite RIneq.plus_INR RIneq.Rmult_plus_distr_r factor_add -muleA.
  by apply: lee_wpmul2l; [exact: factor_nonneg|].
Qed.
End Distances.
