(* Rule mixtures_of_events: a concave bound on the probabilities of all events is one on the means of all tests. *)
From Coq Require Import Reals Lra Lia.
From Establish Require Import comparisons layers.
Local Open Scope R_scope.

(* Functions on [0, 1]: continuous and concave. *)
Definition inside (x : R) : Prop := 0 <= x <= 1.
Definition continuous_inside (f : R -> R) : Prop := forall x e, inside x -> 0 < e ->
  exists d, 0 < d /\ forall y, inside y -> Rabs (y - x) < d -> Rabs (f y - f x) < e.
Definition concave_inside (f : R -> R) : Prop := forall w x y, inside w -> inside x -> inside y ->
  w * f x + (1 - w) * f y <= f (w * x + (1 - w) * y).

(* Owed: Q <= f(P) on two events gives it for the test that picks one of them, with chances w and 1 - w. *)
Definition two_events : Prop := forall w f_s f_t q_s q_t f_mean, inside w -> q_s <= f_s -> q_t <= f_t ->
  w * f_s + (1 - w) * f_t <= f_mean -> w * q_s + (1 - w) * q_t <= f_mean.

(* The mean of the first 1 + n numbers. *)
Fixpoint mean (n : nat) (x : nat -> R) : R :=
  match n with O => x O | S m => INR (S m) / INR (S n) * mean m x + (1 - INR (S m) / INR (S n)) * x n end.

Lemma mean_is n x : INR (S n) * mean n x = sum_f_R0 x n.
Proof.
  induction n as [|n IH]; [simpl; ring|]; cbn [mean sum_f_R0]; rewrite <- IH, !S_INR; pose proof (pos_INR n); field; lra.
Qed.
Lemma weight_inside n : inside (INR (S n) / INR (S (S n))).
Proof.
  assert (0 < INR (S n)) by apply lt_0_INR, Nat.lt_0_succ; rewrite (S_INR (S n)); unfold inside.
  split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
  apply (Rmult_le_reg_r (INR (S n) + 1)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra.
Qed.
Lemma mean_inside n x : (forall i, inside (x i)) -> inside (mean n x).
Proof.
  intros all; induction n as [|n IH]; [apply all|]; cbn [mean]; pose proof (weight_inside n) as w.
  pose proof (all (S n)); unfold inside in *; set (v := INR (S n) / INR (S (S n))) in *; nra.
Qed.
Lemma of_means (f : R -> R) (p q : nat -> R) n : two_events -> concave_inside f -> (forall i, inside (p i)) ->
  (forall i, q i <= f (p i)) -> mean n q <= f (mean n p).
Proof.
  intros two bend all each; induction n as [|n IH]; [apply each|]; cbn [mean].
  apply (two _ (f (mean n p)) (f (p (S n)))); [apply weight_inside|exact IH|apply each|].
  apply bend; [apply weight_inside|apply mean_inside, all|apply all].
Qed.

(* What lies below f of all means that come from above near a point lies below f there. *)
Lemma in_the_limit (f : R -> R) p q : continuous_inside f -> inside p ->
  (forall n, exists y, inside y /\ p <= y <= p + / INR (S n) /\ q <= f y) -> q <= f p.
Proof.
  intros cont here near; apply Rnot_lt_le; intros above; destruct (cont p (q - f p) here ltac:(lra)) as (d & d0 & close).
  destruct (small_enough 1 (d / 2) ltac:(lra) ltac:(lra)) as [n small]; destruct (near n) as (y & iy & [low high] & most).
  pose proof (close y iy ltac:(rewrite Rabs_pos_eq; lra)) as h; pose proof (Rle_abs (f y - f p)); lra.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation layer := (@layer _ _).
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).

Section Tests.
Variables (d : measure_display) (T : measurableType d).
(* Values from 0 to 1. *)
Definition test (h : T -> Re) : Prop := measurable_fun setT h /\ forall t, inside (h t).

Lemma chance (M : {measure set T -> \bar Re}) (M1 : M setT = 1) E : measurable E ->
  M E = (fine (M E))%:E /\ inside (fine (M E)).
Proof.
move=> mE; have le1 : M E <= 1 by rewrite -M1; apply: le_measure; rewrite ?inE.
have fin : M E \is a fin_num by rewrite ge0_fin_numE //; exact: (Order.POrderTheory.le_lt_trans le1 (ltey _)).
split; first by rewrite fineK.
split; apply/RleP; first exact: fine_ge0.
by rewrite -lee_fin fineK //; exact: le1.
Qed.

(* The mean of a test lies between the mean chance of its layers and 1/n less. *)
Lemma test_is_near (M : {measure set T -> \bar Re}) (M1 : M setT = 1) (h : T -> Re) : test h -> exists m : R,
  \int[M]_t (h t)%:E = (m : Re)%:E /\ inside m /\
  forall n, let e := Rdefinitions.RinvImpl.Rinv (Raxioms.INR n.+1) in
  let x i := fine (M (layer h i e)) in Rle m (mean n x) /\ Rle (mean n x) (Rdefinitions.Rplus m e).
Proof.
move=> [mh h01].
have H0 t : setT t -> 0 <= (h t)%:E by move=> _; rewrite lee_fin; apply/RleP; exact: (h01 t).1.
have mH : measurable_fun setT (fun t => (h t)%:E) by exact/EFin_measurable_fun.
have whole : \int[M]_t (one : Re)%:E = 1 by rewrite (integral_cst M measurableT) M1 mule1.
have le1 : \int[M]_t (h t)%:E <= 1.
  rewrite -whole; apply: ge0_le_integral => //.
  - by move=> t _; rewrite lee_fin; apply/RleP; exact: RIneq.Rle_0_1.
  - exact: measurable_fun_cst.
  - by move=> t _; rewrite lee_fin; apply/RleP; exact: (h01 t).2.
have ge0 : 0 <= \int[M]_t (h t)%:E by apply: integral_ge0 => t _; exact: H0.
have fin : \int[M]_t (h t)%:E \is a fin_num by rewrite ge0_fin_numE //; exact: (Order.POrderTheory.le_lt_trans le1 (ltey _)).
exists (fine (\int[M]_t (h t)%:E)); split; first by rewrite fineK.
split; first by split; apply/RleP; [exact: fine_ge0|rewrite -lee_fin fineK //; exact: le1].
move=> n e x.
have n0 : Rdefinitions.Rlt zero (Raxioms.INR n.+1) by exact: RIneq.lt_0_INR (PeanoNat.Nat.lt_0_succ n).
have e0 : Rle zero e by apply: RIneq.Rlt_le; exact: RIneq.Rinv_0_lt_compat.
have chances i : M (layer h i e) = (x i : Re)%:E by exact: (chance M M1 _ (layer_measurable mh i e)).1.
have sums m : \int[M]_t (layers m.+1 e (h t) : Re)%:E = (Rdefinitions.Rmult e (Rfunctions.sum_f_R0 x m) : Re)%:E.
  elim: m => [|m IH]; rewrite one_layer_more // chances; last by rewrite IH -EFinM -EFinD Raxioms.Rmult_plus_distr_l.
  have -> : \int[M]_t (layers 0 e (h t) : Re)%:E = 0 by exact: integral0.
  by rewrite add0e -EFinM.
have is_mean : Rdefinitions.Rmult e (Rfunctions.sum_f_R0 x n) = mean n x.
  by rewrite -mean_is -Raxioms.Rmult_assoc Raxioms.Rinv_l ?Raxioms.Rmult_1_l //; exact: RIneq.Rgt_not_eq.
have L0 t : setT t -> 0 <= (layers n.+1 e (h t) : Re)%:E by move=> _; rewrite lee_fin; apply/RleP; exact: layers_nonneg.
have mL : measurable_fun setT (fun t => (layers n.+1 e (h t) : Re)%:E) by apply/EFin_measurable_fun; exact: layers_measurable.
split; apply/RleP.
- rewrite -lee_fin fineK // -is_mean -sums; apply: ge0_le_integral => // t _.
  by rewrite lee_fin; apply/RleP; exact: (all_layers n _ (h01 t)).1.
- rewrite -lee_fin EFinD fineK // -is_mean -sums.
  have -> : (e : Re)%:E = \int[M]_t (e : Re)%:E by rewrite (integral_cst M measurableT) M1 mule1.
  have E0 (t : T) : setT t -> 0 <= (e : Re)%:E by move=> _; rewrite lee_fin; apply/RleP.
  rewrite -ge0_integralD //; last exact: measurable_fun_cst.
  apply: ge0_le_integral => //.
  + by move=> t _; apply: adde_ge0; [exact: H0|exact: (E0 t)].
  + by apply: emeasurable_funD => //; exact: measurable_fun_cst.
  + by move=> t _; rewrite -EFinD lee_fin; apply/RleP; exact: (all_layers n _ (h01 t)).2.
Qed.

Theorem mixtures_of_events (f : R -> R) (P Q : {measure set T -> \bar Re}) : P setT = 1 -> Q setT = 1 -> two_events ->
  continuous_inside f -> concave_inside f ->
  (forall E, measurable E -> Q E <= (f (fine (P E)) : Re)%:E) <->
  (forall h, test h -> \int[Q]_t (h t)%:E <= (f (fine (\int[P]_t (h t)%:E)) : Re)%:E).
Proof.
move=> P1 Q1 two cont bend; split=> [events h th|tests E mE].
- have [p [pE [p01 near]]] := test_is_near P P1 th; have [q [qE [q01 nearq]]] := test_is_near Q Q1 th.
  rewrite pE qE lee_fin /=; apply/RleP; apply: (in_the_limit _ _ _ cont p01) => n.
  have [low high] := near n; have [lowq _] := nearq n.
  move: low high lowq; set e := Rdefinitions.RinvImpl.Rinv _ => /= low high lowq.
  have mL i : measurable (layer h i e) by exact: layer_measurable th.1 _ _.
  have all i : inside (fine (P (layer h i e))) by exact: (chance P P1 _ (mL i)).2.
  exists (mean n (fun i => fine (P (layer h i e)))); split; first exact: mean_inside.
  split; first by split.
  apply: (RIneq.Rle_trans _ _ _ lowq); apply: (of_means _ _ _ _ two bend all) => i; apply/RleP.
  by rewrite -lee_fin -(chance Q Q1 _ (mL i)).1; exact: events.
- have th : test (\1_E : T -> Re).
    split; first exact: measurable_fun_indic.
    move=> t; rewrite indicE; split; apply/RleP; first exact: Num.Theory.ler0n.
    by case: (t \in E); [exact: Order.POrderTheory.lexx|exact: Num.Theory.ler01].
  by have := tests _ th; rewrite !(@integral_indic _ _ _ _ setT measurableT _ mE) !setIT.
Qed.
End Tests.
