(* Post-processing. Whatever is drawn from the output of a private mechanism, without another look at the
   data, loses no more: for every neighbor relation and every randomized function of the output. *)
From Coq Require Reals.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.

Section PostProcessing.
Variables (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2).

(* A randomized function: the probability of an event depends measurably on its argument. *)
Definition randomized (K : T1 -> {measure set T2 -> \bar Re}) : Prop :=
  forall E, measurable E -> measurable_fun setT (fun t => K t E).
(* The law of K(output) when the output has the law P. *)
Definition processed (P : {measure set T1 -> \bar Re}) (K : T1 -> {measure set T2 -> \bar Re})
    (E : set T2) : \bar Re := \int[P]_t K t E.

Theorem post_processing (dataset : Type) (neighbors : dataset -> dataset -> Prop) (epsilon : R)
    (M : mechanism dataset T1) (K : T1 -> {measure set T2 -> \bar Re}) (g : T1 -> T2) :
  private_law neighbors epsilon M ->
  (randomized K -> forall D D', neighbors D D' -> forall E, measurable E ->
    processed (M D) K E <= factor epsilon * processed (M D') K E) /\
  (measurable_fun setT g -> forall D D', neighbors D D' -> forall E, measurable E ->
    M D (g @^-1` E) <= factor epsilon * M D' (g @^-1` E)).
Proof.
move=> priv; split=> [rK|mg] D D' near E mE.
- by apply: integral_at_most_factor => //; [exact: priv|exact: rK].
- by apply: priv => //; rewrite -[X in measurable X]setTI; exact: mg.
Qed.
End PostProcessing.
