(* Theorem 8.4 of Haney et al. 2017 at delta = 0. Noise whose law allows slides by at most a at the cost epsilon1 and
   dilations by at most e^b at the cost epsilon2, scaled to a bound S > 0 on the change of a query that moves by at
   most the factor e^b between neighbors, gives an (epsilon1 + epsilon2)-private release: for every neighbor
   relation, every law and every Borel event. *)
From Coq Require Import Reals Lra.
From Establish Require common.
(* Real numbers, before mathcomp's notations. *)
Lemma slide_within q q' S a : (0 < a)%R -> (0 < S)%R -> (Rabs (q - q') <= S)%R ->
  (Rabs ((q - q') * (a / S)) <= a)%R.
Proof.
  intros a0 s0 h; pose proof (Rdiv_lt_0_compat _ _ a0 s0) as k.
  rewrite Rabs_mult, (Rabs_pos_eq (a / S)) by lra.
  apply Rle_trans with (S * (a / S))%R; [apply Rmult_le_compat_r; lra|right; field; lra].
Qed.
Lemma slid q q' S a z : (0 < a)%R -> (0 < S)%R ->
  (q + S / a * (z - (q - q') * (a / S)) = q' + S / a * z)%R.
Proof. intros; field; lra. Qed.
Lemma dilated q S S' a z : (0 < a)%R -> (0 < S)%R -> (0 < S')%R ->
  (q + S / a * (exp (- (ln S - ln S')) * z) = q + S' / a * z)%R.
Proof.
  intros a0 s0 s0'; replace (- (ln S - ln S'))%R with (ln S' + - ln S)%R by ring.
  rewrite exp_plus, exp_Ropp, !exp_ln by assumption; field; lra.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation line := (measurableTypeR Re).

(* Definition 8.3 with delta = 0: sliding an event by d with |d| <= a, and dilating it by e^l with |l| <= b. *)
Definition slides_cost (a cost : R) (Z : {measure set line -> \bar Re}) : Prop :=
  forall d, Rle (Rbasic_fun.Rabs d) a -> forall E : set R, measurable (E : set line) ->
  Z E <= factor cost * Z [set z : R | E (Rdefinitions.Rminus z d)].
Definition dilations_cost (b cost : R) (Z : {measure set line -> \bar Re}) : Prop :=
  forall l, Rle (Rbasic_fun.Rabs l) b -> forall E : set R, measurable (E : set line) ->
  Z E <= factor cost * Z [set z : R | E (Rdefinitions.Rmult (Rtrigo_def.exp (Rdefinitions.Ropp l)) z)].
(* S bounds the change of the query between neighbors, and changes itself by at most the factor e^b. *)
Definition smooth_bound_of (dataset : Type) (neighbors : dataset -> dataset -> Prop) (b : R)
    (query S : dataset -> R) : Prop :=
  (forall D, Rlt zero (S D)) /\
  forall D D', neighbors D D' ->
  Rle (Rbasic_fun.Rabs (Rdefinitions.Rminus (query D) (query D'))) (S D) /\
  Rle (Rbasic_fun.Rabs (Rdefinitions.Rminus (Rpower.ln (S D)) (Rpower.ln (S D')))) b.
(* The event of the noise in which query + (S/a) Z lies in T. *)
Definition noise_event (query S a : R) (T : set R) : set R :=
  [set z | T (Rdefinitions.Rplus query (Rdefinitions.Rmult (Rdefinitions.Rdiv S a) z))].

Lemma affine_is_measurable (c s : R) (T : set R) : measurable (T : set line) ->
  measurable ([set z : R | T (Rdefinitions.Rplus c (Rdefinitions.Rmult s z))] : set line).
Proof.
move=> mT; rewrite -[X in measurable X]setTI.
have mf : measurable_fun (setT : set line) (fun z : line => (c + s * z : Re)%R).
  by apply: measurable_funD; [exact: measurable_fun_cst|apply: measurable_funM; [exact: measurable_fun_cst|exact: measurable_fun_id]].
exact: (mf measurableT T mT).
Qed.

Theorem smooth_noise_is_private (dataset : Type) (neighbors : dataset -> dataset -> Prop)
    (a b epsilon1 epsilon2 : R) (query S : dataset -> R) (Z : {measure set line -> \bar Re}) :
  Rlt zero a -> slides_cost a epsilon1 Z -> dilations_cost b epsilon2 Z ->
  smooth_bound_of neighbors b query S ->
  forall D D', neighbors D D' -> forall T : set R, measurable (T : set line) ->
  measurable (noise_event (query D) (S D) a T : set line) /\
  Z (noise_event (query D) (S D) a T) <=
  factor (Rdefinitions.Rplus epsilon1 epsilon2) * Z (noise_event (query D') (S D') a T).
Proof.
move=> a0 slide dilate [pos smooth] D D' near T mT; have [change moves] := smooth D D' near.
have mE q s : measurable (noise_event q s a T : set line) by exact: affine_is_measurable.
split=> //; rewrite factor_add -muleA.
have first := slide _ (slide_within _ _ _ _ a0 (pos D) change) _ (mE (query D) (S D)).
apply: (Order.POrderTheory.le_trans first).
apply: lee_wpmul2l; first exact: factor_nonneg.
have -> : [set z : R | noise_event (query D) (S D) a T (Rdefinitions.Rminus z (Rdefinitions.Rmult
    (Rdefinitions.Rminus (query D) (query D')) (Rdefinitions.Rdiv a (S D))))] = noise_event (query D') (S D) a T.
  by apply: funext => z; rewrite /noise_event /= (slid _ _ _ _ _ a0 (pos D)).
have second := dilate _ moves _ (mE (query D') (S D)).
apply: (Order.POrderTheory.le_trans second).
apply: lee_wpmul2l; first exact: factor_nonneg.
suff -> : [set z : R | noise_event (query D') (S D) a T (Rdefinitions.Rmult (Rtrigo_def.exp (Rdefinitions.Ropp
    (Rdefinitions.Rminus (Rpower.ln (S D)) (Rpower.ln (S D'))))) z)] = noise_event (query D') (S D') a T by [].
by apply: funext => z; rewrite /noise_event /= (dilated _ _ _ _ _ a0 (pos D) (pos D')).
Qed.
