(* Group privacy: datasets at distance k, in steps between neighbors, are told apart by at most the factor
   e^(k epsilon), for every neighbor relation and every event. *)
From Coq Require Import Reals.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From Establish Require Import chains measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.

Section Groups.
Variables (dataset : Type) (neighbors : dataset -> dataset -> Prop).

Theorem group_privacy (epsilon : R) d (T : measurableType d) (M : mechanism dataset T) :
  private_law neighbors epsilon M ->
  forall k D D', chain neighbors k D D' -> forall E, measurable E ->
  M D E <= factor (Rdefinitions.Rmult (Raxioms.INR k) epsilon) * M D' E.
Proof.
move=> priv k D D' c E mE; elim: c => [D0|m D0 D1 D2 near _ IH].
- by rewrite /= RIneq.Rmult_0_l factor_zero mul1e.
- rewrite RIneq.S_INR RIneq.Rmult_plus_distr_r Raxioms.Rmult_1_l Raxioms.Rplus_comm factor_add -muleA.
  apply: (Order.POrderTheory.le_trans (priv _ _ near _ mE)).
  by apply: lee_wpmul2l; [exact: factor_nonneg|].
Qed.
End Groups.
