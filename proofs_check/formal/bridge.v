(* From densities to every Borel event.

   What it means for a mechanism with real outputs and a density to be private: for all neighbors and for
   every Borel set of outputs, with the probabilities as Lebesgue integrals of the densities. And the one
   step that all such theorems share: a bound at every output gives the bound for every event.
   Statements below this file use Coq's own real numbers only. *)
From Coq Require Reals.
From Coq Require Import BinNums.
From Coquelicot Require Rbar.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import interval classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import lebesgue_measure lebesgue_integral.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.

(* A Borel set of real numbers. *)
Definition borel (event : R -> Prop) : Prop := measurable (event : set Re).

(* The outputs above [low], which may be minus infinity. *)
Definition above (low : Rbar.Rbar) (o : R) : Prop := Rbar.Rbar_lt low (Rbar.Finite o).

(* The probability of an event under a density: a Lebesgue integral, which may be infinite. *)
Definition probability (density : R -> R) (event : R -> Prop) : \bar Re :=
  \int[@lebesgue_measure real_realType]_(o in (event : set Re)) ((density o : Re)%:E).

(* The density is Borel measurable on the outputs above [low] and nowhere negative there. *)
Definition lawful (low : Rbar.Rbar) (density : R -> R) : Prop :=
  measurable_fun (above low : set Re) (fun o : Re => (density o : Re)%:E) /\
  forall o, above low o -> Rle (Rdefinitions.IZR Z0) (density o).

(* P(M(D) in E) <= e^epsilon P(M(D') in E) for all neighbors D, D' and every Borel set E of outputs above
   [low]. The mechanism M is given by the density of its output on every dataset. *)
Definition private (dataset : Type) (neighbors : dataset -> dataset -> Prop)
    (low : Rbar.Rbar) (epsilon : R) (mechanism : dataset -> R -> R) : Prop :=
  (forall D, lawful low (mechanism D)) /\
  forall D D', neighbors D D' ->
  forall event, borel event -> (forall o, event o -> above low o) ->
  probability (mechanism D) event <=
  (Rtrigo_def.exp epsilon : Re)%:E * probability (mechanism D') event.

Lemma same_set (A B : set Re) : (forall o, A o <-> B o) -> A = B.
Proof. by move=> same; apply/seteqP; split=> o; case: (same o). Qed.

Lemma above_open (low : Rbar.Rbar) : open (above low : set Re).
Proof.
case: low => [a| |].
- have -> : (above (Rbar.Finite a) : set Re) = [set o : Re | ((a : Re) < o)%R].
    by apply: same_set => o; split=> h; apply/RltP.
  exact: open_gt.
- by have -> : (above Rbar.p_infty : set Re) = set0; [apply: same_set|exact: open0].
- by have -> : (above Rbar.m_infty : set Re) = setT; [apply: same_set|exact: openT].
Qed.

Lemma continuous_is_lawful (low : Rbar.Rbar) (density : R -> R) :
  (forall o, above low o -> Ranalysis1.continuity_pt density o) ->
  (forall o, above low o -> Rle (Rdefinitions.IZR Z0) (density o)) -> lawful low density.
Proof.
move=> continuous nonneg; split; last exact: nonneg.
apply/EFin_measurable_fun; apply: open_continuous_measurable_fun; first exact: above_open.
by move=> o /set_mem in_o; apply/continuity_pt_cvg; apply: continuous.
Qed.

Lemma integral_at_most d (T : measurableType d) (K : realType) (mu : {measure set T -> \bar K})
    (E : set T) (p q : T -> K) (c : K) : measurable E -> Order.le (GRing.zero _) c ->
  measurable_fun E (fun o => (p o)%:E) -> measurable_fun E (fun o => (q o)%:E) ->
  (forall o, E o -> 0 <= (p o)%:E) -> (forall o, E o -> 0 <= (q o)%:E) ->
  (forall o, E o -> Order.le (p o) (GRing.mul c (q o))) ->
  \int[mu]_(o in E) (p o)%:E <= c%:E * \int[mu]_(o in E) (q o)%:E.
Proof.
move=> mE c0 mp mq p0 q0 le; rewrite -ge0_integralM_EFin //.
apply: ge0_le_integral => //.
- by move=> o Eo; apply: mule_ge0 => //; exact: q0.
- exact: measurable_funeM.
Qed.

Lemma bound_at_every_output (dataset : Type) (neighbors : dataset -> dataset -> Prop)
    (low : Rbar.Rbar) (epsilon : R) (mechanism : dataset -> R -> R) :
  (forall D, lawful low (mechanism D)) ->
  (forall D D' o, neighbors D D' -> above low o ->
    Rle (mechanism D o) (Rdefinitions.Rmult (Rtrigo_def.exp epsilon) (mechanism D' o))) ->
  private neighbors low epsilon mechanism.
Proof.
move=> law le; split=> // D D' near E mE inE; rewrite /probability.
have mf d : measurable_fun (E : set Re) (fun o : Re => (mechanism d o : Re)%:E).
  have [md _] := law d; apply: measurable_funS md => //; exact: open_measurable (above_open low).
have f0 d (o : Re) : (E : set Re) o -> 0 <= (mechanism d o : Re)%:E.
  by move=> Eo; rewrite lee_fin; apply/RleP; have [_ /(_ o (inE o Eo))] := law d.
have e0 : (0 <= (Rtrigo_def.exp epsilon : Re))%R.
  by apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
apply: (@integral_at_most _ _ _ (@lebesgue_measure real_realType) _ (mechanism D)
  (mechanism D')) => //.
- exact: (mf D).
- exact: (mf D').
- exact: f0.
- exact: f0.
- by move=> o Eo; apply/RleP; apply: le => //; exact: inE.
Qed.

(* The other direction: a factor between densities on an interval is a factor between probabilities. *)
Lemma factor_on_a_set d (T : measurableType d) (K : realType) (mu : {measure set T -> \bar K})
    (E : set T) (p q : T -> K) (m least most ratio c : K) :
  measurable E -> mu E = m%:E -> Order.lt (GRing.zero _) m -> Order.lt (GRing.zero _) least ->
  Order.le (GRing.zero _) ratio ->
  measurable_fun E (fun o => (p o)%:E) -> measurable_fun E (fun o => (q o)%:E) ->
  (forall o, E o -> 0 <= (p o)%:E) ->
  (forall o, E o -> Order.le least (q o)) -> (forall o, E o -> Order.le (q o) most) ->
  (forall o, E o -> Order.le (GRing.mul ratio (q o)) (p o)) ->
  \int[mu]_(o in E) (p o)%:E <= c%:E * \int[mu]_(o in E) (q o)%:E -> Order.le ratio c.
Proof.
move=> mE muE m0 l0 r0 mp mq p0 lq qm le within.
have q0 o : E o -> 0 <= (q o)%:E.
  by move=> Eo; rewrite lee_fin; apply: (Order.POrderTheory.le_trans _ (lq o Eo)); exact: Order.POrderTheory.ltW.
have low : (GRing.mul least m)%:E <= \int[mu]_(o in E) (q o)%:E.
  rewrite EFinM -muE -integral_cst //; apply: ge0_le_integral => //.
  - by move=> o _; rewrite lee_fin; exact: Order.POrderTheory.ltW.
  - exact: measurable_fun_cst.
have high : \int[mu]_(o in E) (q o)%:E <= (GRing.mul most m)%:E.
  rewrite EFinM -muE -integral_cst //; apply: ge0_le_integral => //.
  - by move=> o Eo; rewrite /= lee_fin; apply: (Order.POrderTheory.le_trans _ (qm o Eo)); exact: q0.
  - exact: measurable_fun_cst.
have pos : 0 < \int[mu]_(o in E) (q o)%:E.
  by apply: (Order.POrderTheory.lt_le_trans _ low); rewrite lte_fin; apply: Num.Theory.mulr_gt0.
have fin : \int[mu]_(o in E) (q o)%:E \is a fin_num.
  rewrite ge0_fin_numE; last exact: Order.POrderTheory.ltW.
  by apply: (Order.POrderTheory.le_lt_trans high); exact: ltey.
rewrite -lee_fin -(lee_pmul2r fin pos); apply: Order.POrderTheory.le_trans within.
rewrite -ge0_integralM_EFin //; apply: ge0_le_integral => //.
- by move=> o Eo; apply: mule_ge0; [rewrite lee_fin|exact: q0].
- exact: measurable_funeM.
Qed.

(* A private mechanism loses at least what its densities show on an interval [a, b]. *)
Lemma loss_at_least (dataset : Type) (neighbors : dataset -> dataset -> Prop)
    (low : Rbar.Rbar) (epsilon : R) (mechanism : dataset -> R -> R) D D' (a b least most ratio : R) :
  private neighbors low epsilon mechanism -> neighbors D D' ->
  above low a -> Rlt a b -> Rlt (Rdefinitions.IZR Z0) least -> Rle (Rdefinitions.IZR Z0) ratio ->
  (forall o, Rle a o -> Rle o b -> Rle least (mechanism D' o)) ->
  (forall o, Rle a o -> Rle o b -> Rle (mechanism D' o) most) ->
  (forall o, Rle a o -> Rle o b -> Rle (Rdefinitions.Rmult ratio (mechanism D' o)) (mechanism D o)) ->
  Rle ratio (Rtrigo_def.exp epsilon).
Proof.
move=> [law private] near la ab l0 r0 least_le le_most ratio_le.
pose E : set Re := [set` `[(a : Re), (b : Re)]].
have mE : measurable E by exact: measurable_itv.
have inE o : E o -> Rle a o /\ Rle o b.
  by rewrite /E /= in_itv /= => /andP[/RleP h /RleP k].
have up o : E o -> above low o.
  move=> /inE[h _]; move: la; rewrite /above; case: (low) => //= l ll; exact: (RIneq.Rlt_le_trans _ _ _ ll h).
apply/RleP; apply: (@factor_on_a_set _ _ _ (@lebesgue_measure real_realType) E (mechanism D)
  (mechanism D') (GRing.add (b : Re) (GRing.opp (a : Re))) least most) => //.
- transitivity (@hlength real_realType E); first exact: lebesgue_measure_itv.
  by rewrite hlength_itv /= lte_fin; case: ifP => // /negP []; apply/RltP.
- by rewrite Num.Theory.subr_gt0; apply/RltP.
- by apply/RltP.
- by apply/RleP.
- have [md _] := law D; apply: measurable_funS md => //; exact: open_measurable (above_open low).
- have [md _] := law D'; apply: measurable_funS md => //; exact: open_measurable (above_open low).
- by move=> o Eo; rewrite lee_fin; apply/RleP; have [_ /(_ o (up o Eo))] := law D.
- by move=> o /inE[h k]; apply/RleP; exact: least_le.
- by move=> o /inE[h k]; apply/RleP; exact: le_most.
- by move=> o /inE[h k]; apply/RleP; exact: ratio_le.
- exact: private.
Qed.
