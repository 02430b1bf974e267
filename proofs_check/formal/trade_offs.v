(* Any trade-off function f (Webb et al. 2025, Definition 3.1 and the remarks after it): rates of an attack under f, and
   that f(x) = x leaves nothing to attack. *)
From Coq Require Reals Lra.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rminus := Rdefinitions.Rminus.
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).

Section TradeOff.
Variables (dataset : Type) (neighbors : dataset -> dataset -> Prop) (d : measure_display) (T : measurableType d).
Variables (M : mechanism dataset T) (law : has_laws M).

(* The probability as a real number. *)
Definition chance (D : dataset) (E : set T) : R := fine (M D E).

Lemma chance_is D E : measurable E -> M D E = (chance D E : Re)%:E.
Proof.
move=> mE; rewrite /chance fineK // ge0_fin_numE; last exact: measure_ge0.
by apply: (Order.POrderTheory.le_lt_trans _ (ltey 1)); rewrite -(law D); apply: le_measure; rewrite ?inE.
Qed.
Lemma chance_of_the_rest D E : measurable E -> chance D (~` E) = Rminus one (chance D E).
Proof.
move=> mE; have mC := measurableC mE.
have whole : M D setT = M D E + M D (~` E) by rewrite -(setUv E); exact: (measureU (M D) mE mC (setICr E)).
move: whole; rewrite law (chance_is D _ mE) (chance_is D _ mC) -EFinD => - [sum].
have sum' : one = Rdefinitions.Rplus (chance D E) (chance D (~` E)) by exact: sum.
Lra.lra.
Qed.

(* Definition 3.1: whenever P(M(D) in E) <= x then P(M(D') in E) <= f(x). *)
Definition trade_off (f : R -> R) : Prop :=
  forall D D', neighbors D D' -> forall E, measurable E -> forall x, Rle (chance D E) x -> Rle (chance D' E) (f x).

(* An attack says D' on E. Its true positive rate is at most f of its false positive rate; and, as neighbors are
   neighbors in both orders, its true negative rate is at most f of its false negative rate. *)
Theorem rates_under_any_trade_off (f : R -> R) : (forall D D', neighbors D D' -> neighbors D' D) -> trade_off f ->
  forall D D', neighbors D D' -> forall E, measurable E ->
  Rle (chance D' E) (f (chance D E)) /\ Rle (chance D (~` E)) (f (chance D' (~` E))).
Proof.
move=> back f_private D D' near E mE; split.
- exact: (f_private D D' near E mE _ (RIneq.Rle_refl _)).
- exact: (f_private D' D (back _ _ near) _ (measurableC mE) _ (RIneq.Rle_refl _)).
Qed.

(* With f(x) = x neighbors have one law, and every attack has equal true and false positive rates. *)
Theorem the_identity_leaves_no_difference : trade_off (fun x => x) <->
  forall D D', neighbors D D' -> forall E, measurable E -> M D' E = M D E.
Proof.
split=> [private D D' near E mE|same D D' near E mE x]; last by rewrite /chance (same D D' near E mE).
have := private D D' near E mE _ (RIneq.Rle_refl _).
have := private D D' near _ (measurableC mE) _ (RIneq.Rle_refl _).
rewrite !chance_of_the_rest // !chance_is // => l r; congr (_%:E).
have l' : Rle (Rminus one (chance D' E)) (Rminus one (chance D E)) by exact: l.
have r' : Rle (chance D' E) (chance D E) by exact: r.
suff : chance D' E = chance D E :> R by [].
Lra.lra.
Qed.
End TradeOff.
