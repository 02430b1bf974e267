(* At a fixed alpha a larger epsilon promises less, and at a fixed epsilon a larger alpha promises more: what
   is (alpha, epsilon)-ER-EE private is so for every smaller alpha and every larger epsilon, strong and weak
   (Haney et al. 2017, Section 7.1). *)
From Coq Require Reals Lra.
From Establish Require Import spec_formulas common datasets.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal measure lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.

Lemma factor_grows (e1 e2 : R) : Rle e1 e2 -> factor e1 <= factor e2.
Proof. by move=> h; rewrite lee_fin; apply/RleP; exact: exp_le. Qed.

Lemma larger_epsilon (dataset : Type) (neighbors : dataset -> dataset -> Prop) (e1 e2 : R)
    d (T : measurableType d) (M : mechanism dataset T) :
  Rle e1 e2 -> private_law neighbors e1 M -> private_law neighbors e2 M.
Proof.
move=> h priv D D' near E mE; apply: (Order.POrderTheory.le_trans (priv _ _ near _ mE)).
by apply: lee_wpmul2r; [exact: measure_ge0|exact: factor_grows].
Qed.

Lemma more_growth (x y alpha beta : R) :
  Rle (Rdefinitions.IZR BinNums.Z0) x -> Rle alpha beta -> may_grow x y alpha -> may_grow x y beta.
Proof.
move=> x0 h [xy g]; split=> //; case: g => g; [left|right] => //.
by apply: (RIneq.Rle_trans _ _ _ g); apply: RIneq.Rmult_le_compat_r => //; Lra.lra.
Qed.

Theorem monotone (A V : Type) (alpha beta epsilon1 epsilon2 : R) d (T : measurableType d)
    (M : mechanism (dataset A V) T) : Rle alpha beta -> Rle epsilon1 epsilon2 ->
  (private_law (strong_neighbors beta) epsilon1 M -> private_law (strong_neighbors alpha) epsilon2 M) /\
  (private_law (weak_neighbors beta) epsilon1 M -> private_law (weak_neighbors alpha) epsilon2 M).
Proof.
move=> ab e12.
have up (c c' : establishment A V -> establishment A V -> Prop) :
    (forall e e', c e e' -> c' e e') -> forall D D', either_way A V c D D' -> either_way A V c' D D'.
  by move=> k D D' [] [b [e [e' [a [-> [-> g]]]]]]; [left|right]; exists b, e, e', a; split=> //;
    split=> //; exact: k.
split=> priv; apply: (larger_epsilon e12) => D D' near; apply: priv; apply: (up _ _ _ _ _ near).
- by move=> e e' [ex g]; split=> //; apply: (more_growth _ ab g); exact: matching_nonneg.
- by move=> e e' [ex g]; split=> // p; apply: (more_growth _ ab (g p)); exact: matching_nonneg.
Qed.
