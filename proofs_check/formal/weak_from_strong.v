(* Strong privacy implies weak privacy, at the same alpha and epsilon, for every mechanism with measurable
   outputs: weak neighbors are strong neighbors (Haney et al. 2017, before Definition 7.4). *)
From Coq Require Reals.
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

Lemma weak_neighbors_are_strong (A V : Type) alpha (D D' : dataset A V) :
  weak_neighbors alpha D D' -> strong_neighbors alpha D D'.
Proof.
by move=> [] [b [e [e' [a [-> [-> g]]]]]]; [left|right];
  exists b, e, e', a; split=> //; split=> //; exact: weak_growth_is_strong.
Qed.

Theorem strong_implies_weak (A V : Type) (alpha epsilon : R) d (T : measurableType d)
    (M : mechanism (dataset A V) T) :
  private_law (strong_neighbors alpha) epsilon M -> private_law (weak_neighbors alpha) epsilon M.
Proof. by move=> priv D D' near; apply: priv; exact: weak_neighbors_are_strong. Qed.
