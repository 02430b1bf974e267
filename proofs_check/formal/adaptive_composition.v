(* Sequential composition. A second mechanism is chosen after the output of the first was seen: whatever it
   is told, it loses at most epsilon2. Then both outputs together lose at most epsilon1 + epsilon2, for every
   neighbor relation, all measurable spaces of outputs, and every measurable set of pairs of outputs. *)
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

Section Adaptive.
Variables (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2).

(* The probability of the section of an event depends measurably on the first output. *)
Definition kernel (K : T1 -> {measure set T2 -> \bar Re}) : Prop :=
  forall E : set (T1 * T2), measurable E -> measurable_fun setT (fun t => K t (xsection E t)).

(* The law of both outputs: the first is drawn from P, the second from K of the first. *)
Definition both (P : {measure set T1 -> \bar Re}) (K : T1 -> {measure set T2 -> \bar Re})
    (E : set (T1 * T2)) : \bar Re := \int[P]_t K t (xsection E t).

Theorem adaptive_composition (dataset : Type) (neighbors : dataset -> dataset -> Prop)
    (epsilon1 epsilon2 : R) (M1 : mechanism dataset T1)
    (M2 : dataset -> T1 -> {measure set T2 -> \bar Re}) :
  private_law neighbors epsilon1 M1 ->
  (forall D, kernel (M2 D)) -> (forall t, private_law neighbors epsilon2 (fun D => M2 D t)) ->
  forall D D', neighbors D D' -> forall E : set (T1 * T2), measurable E ->
  both (M1 D) (M2 D) E <= factor (Rdefinitions.Rplus epsilon1 epsilon2) * both (M1 D') (M2 D') E.
Proof.
move=> p1 k2 p2 D D' near E mE; rewrite factor_add /both.
apply: (@Order.POrderTheory.le_trans _ _ (\int[M1 D]_t (factor epsilon2 * M2 D' t (xsection E t)))).
  apply: ge0_le_integral => //.
  - exact: k2.
  - by move=> t _; rewrite mule_ge0 // factor_nonneg.
  - by apply: measurable_funeM; exact: k2.
  - by move=> t _; apply: p2 => //; exact: (measurable_xsection Re).
rewrite ge0_integralM //; first last.
- exact: factor_nonneg.
- exact: k2.
rewrite (muleC (factor epsilon1)) -muleA; apply: lee_wpmul2l; first exact: factor_nonneg.
apply: integral_at_most_factor => //; first exact: p1.
exact: k2.
Qed.
End Adaptive.
