(* Rule smooth_tails: two tails hold all by which one density exceeds e^level times another one. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import common comparisons datasets bridge pieces pairs_of_counts.
Local Open Scope R_scope.

(* p2 and q2 are the masses outside the tails, p1 and q1 inside the tails and the event, p3 and q3 in the rest of the tails. *)
Lemma all_held c k p1 p2 p3 q1 q2 q3 d : 0 <= c -> c * k = 1 -> q2 <= c * p2 -> p3 <= k * q3 ->
  q1 + q3 <= c * (p1 + p3) + d -> q1 + q2 <= c * (p1 + p2) + d.
Proof. intros c0 one h1 h2 h3; apply (Rmult_le_compat_l c) in h2; [|exact c0]; rewrite <- Rmult_assoc, one in h2; lra. Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).

Lemma held_in_all (l : R) (p1 p2 p3 q1 q2 q3 d : Re) : q2%:E <= (Rtrigo_def.exp l : Re)%:E * p2%:E ->
  p3%:E <= (Rtrigo_def.exp (Rdefinitions.Ropp l) : Re)%:E * q3%:E ->
  q1%:E + q3%:E <= factor l * (p1%:E + p3%:E) + d%:E -> q1%:E + q2%:E <= factor l * (p1%:E + p2%:E) + d%:E.
Proof.
have c0 : Rle zero (Rtrigo_def.exp l) by apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
have c1 : Rdefinitions.Rmult (Rtrigo_def.exp l) (Rtrigo_def.exp (Rdefinitions.Ropp l)) = Rdefinitions.IZR (BinNums.Zpos BinNums.xH).
  by rewrite -Exp_prop.exp_plus Raxioms.Rplus_opp_r Rtrigo_def.exp_0.
move=> h1 h2 h3.
have {}h1 : Rle q2 (Rdefinitions.Rmult (Rtrigo_def.exp l) p2) by apply/RleP; exact: h1.
have {}h2 : Rle p3 (Rdefinitions.Rmult (Rtrigo_def.exp (Rdefinitions.Ropp l)) q3) by apply/RleP; exact: h2.
have {}h3 : Rle (Rdefinitions.Rplus q1 q3) (Rdefinitions.Rplus (Rdefinitions.Rmult (Rtrigo_def.exp l) (Rdefinitions.Rplus p1 p3)) d).
  by apply/RleP; exact: h3.
by move/RleP: (all_held _ _ _ _ _ _ _ _ _ c0 c1 h1 h2 h3).
Qed.

Section Tails.
Variables (p q : R -> R) (level delta : R) (tails : R -> Prop).
Variables (lp : lawful Rbar.m_infty p) (lq : lawful Rbar.m_infty q) (mT : borel tails).
(* Beyond a place the log-ratio is at least the level, and elsewhere at most. *)
Variables (beyond : forall o, tails o -> Rle (Rdefinitions.Rmult (Rtrigo_def.exp level) (p o)) (q o))
  (elsewhere : forall o, ~ tails o -> Rle (q o) (Rdefinitions.Rmult (Rtrigo_def.exp level) (p o))).
Variables (whole_p : probability p (fun _ => True) <= 1) (whole_q : probability q (fun _ => True) <= 1)
  (excess : probability q tails <= factor level * probability p tails + (delta : Re)%:E).

Local Notation T := (tails : set Re).

Lemma density_measurable (f : R -> R) : lawful Rbar.m_infty f -> measurable_fun setT (fun o : Re => (f o : Re)%:E).
Proof. by move=> [mf _]; have -> : setT = (above Rbar.m_infty : set Re) by apply/seteqP; split. Qed.
Lemma density_positive (f : R -> R) o : lawful Rbar.m_infty f -> 0 <= (f o : Re)%:E.
Proof. by move=> [_ pos]; rewrite lee_fin; apply/RleP; exact: pos. Qed.

Lemma in_two (f : R -> R) (S U : set Re) : lawful Rbar.m_infty f -> measurable S -> measurable U ->
  probability f S = probability f (S `&` U) + probability f (S `&` ~` U).
Proof.
move=> lf mS mU; rewrite /probability -{1}(setIT S) -(setUv U) setIUr integral_setU //.
- exact: measurableI.
- by apply: measurableI => //; exact: measurableC.
- exact: measurable_funS measurableT (@subsetT _ _) (density_measurable lf).
- by move=> o _; exact: density_positive.
- by apply/disj_set2P; rewrite setIACA setICr setI0.
Qed.

Lemma number (f : R -> R) (S : set Re) : lawful Rbar.m_infty f -> probability f (fun _ => True) <= 1 -> measurable S ->
  probability f S = (fine (probability f S))%:E.
Proof.
move=> lf le mS; rewrite fineK // ge0_fin_numE; last by apply: integral_ge0 => o _; exact: density_positive.
apply: (Order.POrderTheory.le_lt_trans _ (ltey 1)); apply: (Order.POrderTheory.le_trans _ le).
exact: (@subset_integral _ _ _ (@lebesgue_measure real_realType) S setT mS measurableT _ (density_measurable lf)
  (fun o _ => density_positive o lf) (@subsetT _ _)).
Qed.

Lemma at_most_on (f g : R -> R) (k : R) (S : set Re) : lawful Rbar.m_infty f -> lawful Rbar.m_infty g -> Rle zero k ->
  measurable S -> (forall o, S o -> Rle (f o) (Rdefinitions.Rmult k (g o))) ->
  probability f S <= (k : Re)%:E * probability g S.
Proof.
move=> lf lg k0 mS le; apply: (@integral_at_most _ _ _ (@lebesgue_measure real_realType) S f g) => //.
- by apply/RleP.
- exact: measurable_funS measurableT (@subsetT _ _) (density_measurable lf).
- exact: measurable_funS measurableT (@subsetT _ _) (density_measurable lg).
- by move=> o _; exact: density_positive.
- by move=> o _; exact: density_positive.
- by move=> o So; apply/RleP; exact: le.
Qed.

Theorem tails_hold_all (S : R -> Prop) : borel S -> probability q S <= factor level * probability p S + (delta : Re)%:E.
Proof.
move=> mS; have c0 : Rle zero (Rtrigo_def.exp level) by apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
have m1 : measurable ((S : set Re) `&` T) by exact: measurableI.
have m2 : measurable ((S : set Re) `&` ~` T) by apply: measurableI => //; exact: measurableC.
have m3 : measurable (T `&` ~` (S : set Re)) by apply: measurableI => //; exact: measurableC.
have out := at_most_on lq lp c0 m2 (fun o h => elsewhere h.2).
have k0 : Rle zero (Rtrigo_def.exp (Rdefinitions.Ropp level)) by apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
have beyond' : forall o, (T `&` ~` (S : set Re)) o -> Rle (p o) (Rdefinitions.Rmult (Rtrigo_def.exp (Rdefinitions.Ropp level)) (q o)).
  move=> o [h _]; have b := RIneq.Rmult_le_compat_l _ _ _ k0 (beyond h).
  by move: b; rewrite -Raxioms.Rmult_assoc -Exp_prop.exp_plus RIneq.Rplus_opp_l Rtrigo_def.exp_0 Raxioms.Rmult_1_l.
have inn := at_most_on lp lq k0 m3 beyond'.
rewrite (in_two lp mS mT) (in_two lq mS mT).
move: excess; rewrite (in_two lp mT mS) (in_two lq mT mS) (setIC T S).
move: out inn; rewrite (number lp whole_p m1) (number lp whole_p m2) (number lp whole_p m3).
by rewrite (number lq whole_q m1) (number lq whole_q m2) (number lq whole_q m3); exact: (held_in_all level).
Qed.
End Tails.
