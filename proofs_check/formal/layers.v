(* From events to means: where every event of one law has at most a factor times the probability under another one,
   and delta more, so has the mean of every function with values in [0, 1]. By layers of height 1/n. *)
From Coq Require Import Reals Lra Lia.
Local Open Scope R_scope.

(* Below h there are layers of height e, of which m are counted. *)
Definition reaches (m : nat) (e h : R) : R := if Rlt_dec (INR m * e) h then 1 else 0.
Fixpoint layers (m : nat) (e h : R) : R := match m with O => 0 | S m => layers m e h + e * reaches m e h end.

Lemma layers_between m e h : 0 <= e -> 0 <= h -> Rmin h (INR m * e) <= layers m e h <= Rmin (INR m * e) (h + e).
Proof.
  intros e0 h0; induction m as [|m [low high]]; cbn [layers].
  - simpl; rewrite Rmult_0_l; split; [apply Rmin_r|apply Rmin_glb; lra].
  - rewrite S_INR; pose proof (Rmin_l (INR m * e) (h + e)); pose proof (Rmin_r (INR m * e) (h + e)).
    unfold Rmin in low; unfold reaches; destruct (Rlt_dec (INR m * e) h) as [in_|out].
    + destruct (Rle_dec h (INR m * e)); [lra|].
      split; [apply Rle_trans with (1 := Rmin_r _ _)|apply Rmin_glb]; lra.
    + destruct (Rle_dec h (INR m * e)); [|lra].
      split; [apply Rle_trans with (1 := Rmin_l _ _)|apply Rmin_glb]; lra.
Qed.
Lemma layers_nonneg m e h : 0 <= e -> 0 <= layers m e h.
Proof. intros e0; induction m; cbn [layers]; [lra|unfold reaches; destruct Rlt_dec; lra]. Qed.

Lemma all_layers n h : 0 <= h <= 1 -> let e := / INR (S n) in h <= layers (S n) e h <= h + e.
Proof.
  intros [h0 h1] e; assert (0 < INR (S n)) by apply lt_0_INR, Nat.lt_0_succ.
  assert (e0 : 0 <= e) by (left; apply Rinv_0_lt_compat; assumption).
  destruct (layers_between (S n) e h e0 h0) as [low high].
  assert (one : INR (S n) * e = 1) by (apply Rinv_r; lra); rewrite one in *.
  rewrite Rmin_left in low by exact h1; split; [exact low|apply Rle_trans with (1 := high), Rmin_r].
Qed.

(* What is at most a bound and a small part of c is at most the bound. *)
Lemma small_enough c x : 0 <= c -> 0 < x -> exists n, c * / INR (S n) <= x.
Proof.
  intros c0 x0; destruct (archimed (c / x)) as [above _]; exists (Z.to_nat (up (c / x))).
  assert (0 <= c / x) by (apply Rmult_le_pos; [exact c0|left; apply Rinv_0_lt_compat, x0]).
  assert (n0 : 0 < INR (S (Z.to_nat (up (c / x))))) by apply lt_0_INR, Nat.lt_0_succ.
  assert (more : c / x <= INR (S (Z.to_nat (up (c / x))))).
  { rewrite S_INR, INR_IZR_INZ, Z2Nat.id; [lra|apply le_IZR; lra]. }
  apply (Rmult_le_reg_r (INR (S (Z.to_nat (up (c / x)))))); [exact n0|].
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_trans with (x * (c / x)); [right; field; lra|apply Rmult_le_compat_l; lra].
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval boolp classical_sets functions signed constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).

Section Means.
Variables (d : measure_display) (T : measurableType d) (h : T -> Re).
Variables (mh : measurable_fun setT h) (h01 : forall t, Rle zero (h t) /\ Rle (h t) one).

Definition layer (m : nat) (e : R) : set T := [set t | Rdefinitions.Rlt (Rdefinitions.Rmult (Raxioms.INR m) e) (h t)].

Lemma layer_measurable m e : measurable (layer m e).
Proof.
have := mh measurableT (measurable_itv `](Rdefinitions.Rmult (Raxioms.INR m) e : Re), +oo[); rewrite setTI.
congr measurable; apply/seteqP; split=> t; rewrite /layer /preimage /= in_itv /= andbT.
- by move/RltP.
- by move=> x; apply/RltP.
Qed.

Lemma reaches_is m e : (fun t => reaches m e (h t) : Re) = (\1_(layer m e) : T -> Re).
Proof.
apply: funext => t; rewrite indicE /reaches; case: (RIneq.Rlt_dec _ _) => k; first by rewrite mem_set.
by rewrite memNset.
Qed.

Lemma layers_measurable m e : measurable_fun setT (fun t => layers m e (h t) : Re).
Proof.
elim: m => [|m IH] /=; first exact: measurable_fun_cst.
apply: (@measurable_funD _ _ _ _ (fun t => layers m e (h t) : Re)); first exact: IH.
by apply: measurable_funrM; rewrite reaches_is; exact: measurable_fun_indic (layer_measurable m e).
Qed.

Lemma one_layer_more (M : {measure set T -> \bar Re}) m e : Rle zero e ->
  \int[M]_t (layers m.+1 e (h t) : Re)%:E = \int[M]_t (layers m e (h t) : Re)%:E + (e : Re)%:E * M (layer m e).
Proof.
move=> e0.
rewrite -(setIT (layer m e)) -(@integral_indic _ _ _ M setT measurableT _ (layer_measurable m e)).
have e0' : (0 <= (e : Re))%R by apply/RleP.
have mi : measurable_fun setT (fun t => (\1_(layer m e) t : Re)%:E).
  by apply/EFin_measurable_fun; exact: measurable_fun_indic (layer_measurable m e).
have i0 t : setT t -> 0 <= (\1_(layer m e) t : Re)%:E by move=> _; rewrite lee_fin indicE.
rewrite -(@ge0_integralM_EFin _ _ _ M setT measurableT _ i0 mi _ e0') -ge0_integralD //.
- by apply: eq_integral => t _; rewrite -reaches_is -EFinM -EFinD.
- by move=> t _; rewrite lee_fin; apply/RleP; exact: layers_nonneg.
- by apply/EFin_measurable_fun; exact: layers_measurable.
- by move=> t _; rewrite mule_ge0 // ?lee_fin // indicE.
- by apply: measurable_funeM.
Qed.
(* Both laws of mass 1. *)
Theorem mean_at_most (P Q : {measure set T -> \bar Re}) (c delta : R) : P setT = 1 -> Q setT = 1 ->
  Rle zero c -> (forall E, measurable E -> P E <= (c : Re)%:E * Q E + (delta : Re)%:E) ->
  \int[P]_t (h t)%:E <= (c : Re)%:E * \int[Q]_t (h t)%:E + (delta : Re)%:E.
Proof.
move=> P1 Q1 c0 close.
have c0' : (0 <= (c : Re))%R by apply/RleP.
have mL m e : measurable_fun setT (fun t => (layers m e (h t) : Re)%:E).
  by apply/EFin_measurable_fun; exact: layers_measurable.
have L0 m e t : Rle zero e -> 0 <= (layers m e (h t) : Re)%:E.
  by move=> e0; rewrite lee_fin; apply/RleP; exact: layers_nonneg.
have each m e : Rle zero e -> \int[P]_t (layers m e (h t) : Re)%:E <=
    (c : Re)%:E * \int[Q]_t (layers m e (h t) : Re)%:E + (Rdefinitions.Rmult (Raxioms.INR m) (Rdefinitions.Rmult e delta) : Re)%:E.
  move=> e0; have e0' : (0 <= (e : Re))%R by apply/RleP.
  have none (M : {measure set T -> \bar Re}) : \int[M]_t (zero : Re)%:E = 0 by exact: integral0.
  elim: m => [|m IH]; first by rewrite /= !none mule0 add0e RIneq.Rmult_0_l.
  rewrite !one_layer_more //.
  rewrite ge0_muleDr //; first last.
  - by rewrite mule_ge0 // ?lee_fin.
  - by apply: integral_ge0 => t _; exact: L0.
  have -> : (Rdefinitions.Rmult (Raxioms.INR m.+1) (Rdefinitions.Rmult e delta) : Re)%:E =
      (Rdefinitions.Rmult (Raxioms.INR m) (Rdefinitions.Rmult e delta) : Re)%:E + (e : Re)%:E * (delta : Re)%:E.
    by rewrite -EFinM -EFinD RIneq.S_INR; congr (_%:E); rewrite RIneq.Rmult_plus_distr_r Raxioms.Rmult_1_l.
  rewrite addeACA; apply: lee_add => //.
  rewrite muleCA.
  have -> : (e : Re)%:E * ((c : Re)%:E * Q (layer m e)) + (e : Re)%:E * (delta : Re)%:E =
      (e : Re)%:E * ((c : Re)%:E * Q (layer m e) + (delta : Re)%:E) by rewrite muleDr // fin_num_adde_def.
  by apply: lee_wpmul2l; [rewrite lee_fin|exact: close (layer_measurable m e)].
apply: lee_adde => x.
have x0 : (0 < (x%:num : Re))%R by [].
have [n small] := small_enough c _ c0 (RltP _ _ x0).
have e0 : Rle zero (Rdefinitions.RinvImpl.Rinv (Raxioms.INR n.+1)).
  by apply: RIneq.Rlt_le; apply: RIneq.Rinv_0_lt_compat; exact: RIneq.lt_0_INR (PeanoNat.Nat.lt_0_succ n).
have near t := all_layers n _ (h01 t).
have whole : Rdefinitions.Rmult (Raxioms.INR n.+1) (Rdefinitions.Rmult (Rdefinitions.RinvImpl.Rinv (Raxioms.INR n.+1)) delta) = delta.
  by rewrite -Raxioms.Rmult_assoc RIneq.Rinv_r ?Raxioms.Rmult_1_l //; exact: RIneq.not_0_INR.
move: near whole small (each n.+1 _ e0); set e := Rdefinitions.RinvImpl.Rinv _ => near -> small step.
have mH : measurable_fun setT (fun t => (h t)%:E) by exact/EFin_measurable_fun.
have H0 t : setT t -> 0 <= (h t)%:E by move=> _; rewrite lee_fin; apply/RleP; exact: (h01 t).1.
have up : \int[P]_t (h t)%:E <= \int[P]_t (layers n.+1 e (h t) : Re)%:E.
  apply: ge0_le_integral => // t _; first exact: L0.
  by rewrite lee_fin; apply/RleP; exact: (near t).1.
have down : \int[Q]_t (layers n.+1 e (h t) : Re)%:E <= \int[Q]_t (h t)%:E + (e : Re)%:E.
  apply: (@Order.POrderTheory.le_trans _ _ (\int[Q]_t ((h t)%:E + (e : Re)%:E))).
    apply: ge0_le_integral => //.
    - by move=> t _; exact: L0.
    - by move=> t _; rewrite adde_ge0 ?H0 // lee_fin; apply/RleP.
    - by apply: emeasurable_funD => //; exact: measurable_fun_cst.
    - by move=> t _; rewrite -EFinD lee_fin; apply/RleP; exact: (near t).2.
  rewrite ge0_integralD //; first last.
  - exact: measurable_fun_cst.
  - by move=> t _; rewrite lee_fin; apply/RleP.
  by rewrite (integral_cst Q measurableT) Q1 mule1.
apply: (Order.POrderTheory.le_trans up); apply: (Order.POrderTheory.le_trans step).
rewrite -addeA [(delta : Re)%:E + _]addeC addeA; apply: lee_add => //.
apply: (@Order.POrderTheory.le_trans _ _ ((c : Re)%:E * (\int[Q]_t (h t)%:E + (e : Re)%:E))).
  by apply: lee_wpmul2l => //; rewrite lee_fin.
rewrite ge0_muleDr; first last.
- by rewrite lee_fin; apply/RleP.
- by apply: integral_ge0 => t _; exact: H0.
by apply: lee_add => //; rewrite -EFinM lee_fin; apply/RleP.
Qed.
End Means.
