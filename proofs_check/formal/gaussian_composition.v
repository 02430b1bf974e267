(* Adaptive composition (Webb et al. 2025, Theorem 5.7, and Section 3): budgets add up like the legs of a right
   triangle, and what is done with an output afterwards costs nothing. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common normal_law normal_measure gaussian_real.
Local Open Scope R_scope.

Lemma hypotenuse a b : 0 < a -> 0 < gaussian_composed a b /\ (gaussian_composed a b) ^ 2 = a ^ 2 + b ^ 2.
Proof.
  intros a0; unfold gaussian_composed; rewrite Rplus_0_l; pose proof (pow2_ge_0 b).
  assert (0 < a ^ 2) by (apply pow_lt, a0).
  split; [apply sqrt_lt_R0; lra|apply pow2_sqrt; lra].
Qed.

Lemma hypotenuse_grows a b e : 0 <= a -> 0 < e -> gaussian_composed (a + e) b <= gaussian_composed a b + e.
Proof.
  intros a0 e0; unfold gaussian_composed; rewrite !Rplus_0_l.
  pose proof (pow2_ge_0 b); pose proof (pow2_ge_0 a).
  assert (a <= sqrt (a ^ 2 + b ^ 2)) by (rewrite <- (sqrt_pow2 a) at 1 by exact a0; apply sqrt_le_1; nra).
  rewrite <- (sqrt_pow2 (sqrt (a ^ 2 + b ^ 2) + e)) by lra.
  apply sqrt_le_1; [nra|apply pow2_ge_0|].
  replace ((sqrt (a ^ 2 + b ^ 2) + e) ^ 2) with (sqrt (a ^ 2 + b ^ 2) ^ 2 + 2 * e * sqrt (a ^ 2 + b ^ 2) + e ^ 2) by ring.
  rewrite pow2_sqrt by lra; nra.
Qed.

(* The point of the tangent at w, for the bound at z: the line through both noises. *)
Definition level (a b c z w : R) : R := (c * z - b * (w - b)) / a.

Lemma level_raised a b c z w : 0 < a -> c ^ 2 = a ^ 2 + b ^ 2 ->
  level a b c z w + a = (c * (z + c) - b * (w - 0)) / a.
Proof.
  intros a0 h; unfold level.
  replace (c * (z + c) - b * (w - 0)) with (c * z - b * (w - b) + a ^ 2) by (replace (a ^ 2) with (c ^ 2 - b ^ 2) by lra; ring).
  field; lra.
Qed.

Lemma weights a b c z w : 0 < a -> c ^ 2 = a ^ 2 + b ^ 2 ->
  normal_density 0 1 w * tangent a (level a b c z w) = tangent c z * normal_density b 1 w.
Proof.
  intros a0 h; unfold normal_density, gaussian_log_density, tangent, level; rewrite <- !exp_plus; f_equal.
  replace (- a * ((c * z - b * (w - b)) / a)) with (- (c * z - b * (w - b))) by (field; lra).
  replace (a ^ 2) with (c ^ 2 - b ^ 2) by lra; field.
Qed.

Lemma level_continuous a b c z w : continuous (fun w => normal_cdf (level a b c z w)) w.
Proof.
  apply (continuous_comp (level a b c z) normal_cdf); [|apply cdf_continuous].
  apply (ex_derive_continuous (V := R_NormedModule)); unfold level; auto_derive; exact I.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import bridge gaussian_close gaussian_rotation.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation Rplus := Rdefinitions.Rplus.
Local Notation Rminus := Rdefinitions.Rminus.
Local Notation Rmult := Rdefinitions.Rmult.
Local Notation Rdiv := Rdefinitions.Rdiv.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).
Local Notation lebesgue := (@lebesgue_measure real_realType).

Section Tests.
Variables (d : measure_display) (T : measurableType d).
Variables (P Q : {measure set T -> \bar real_realType}).
Variables (P1 : P setT = 1) (Q1 : Q setT = 1).

Lemma on_the_tangent (a y : R) E : Rle zero a -> gaussian_close a P Q -> measurable E ->
  Q E + (Rmult (tangent a y) (normal_cdf y) : Re)%:E <= (normal_cdf (Rplus y a) : Re)%:E + (tangent a y : Re)%:E * P E.
Proof.
move=> a0 close mE.
have [p [pE [p0 p1]]] := finite_law _ P1 _ mE; have [q [qE [q0 q1]]] := finite_law _ Q1 _ mE.
have h : Rle q (Rplus (normal_cdf (Rplus y a)) (Rmult (tangent a y) (Rminus p (normal_cdf y)))).
  apply: closed_under_limits => // x px.
  have le : P E <= rate x by rewrite pE lee_fin; apply/RleP.
  by have := close E mE x le; rewrite qE lee_fin => /RleP.
rewrite pE qE -EFinM -!EFinD lee_fin; apply/RleP.
have h' : Rle (Rplus q (Rmult (tangent a y) (normal_cdf y))) (Rplus (normal_cdf (Rplus y a)) (Rmult (tangent a y) p)) by Lra.lra.
exact: h'.
Qed.

Variables (f g : T -> \bar Re) (a b : R).
Variables (mf : measurable_fun setT f) (mg : measurable_fun setT g).
Variables (f0 : forall t, 0 <= f t) (f1 : forall t, f t <= 1).
Variables (g0 : forall t, 0 <= g t) (g1 : forall t, g t <= 1).
Variables later : forall t z, f t <= rate z -> g t <= (gaussian_raised z b : Re)%:E.

(* Where a normal test says yes after the first output. *)
Definition accepts : set (T * Re) := fun p => (normal_cdf (Rminus p.2 b) : Re)%:E <= f p.1.

Lemma accepts_measurable : measurable accepts.
Proof.
have mh : measurable_fun setT (fun p : T * Re => f p.1 - (normal_cdf (Rminus p.2 b) : Re)%:E).
  apply: emeasurable_funB.
  - by apply: (@measurable_fun_comp _ _ _ _ _ _ f _ fst) => //; exact: first_measurable.
  - apply/EFin_measurable_fun.
    apply: (@measurable_fun_comp _ _ _ _ _ _ (fun w : Re => (normal_cdf (Rminus w b) : Re)) _ snd); last exact: second_measurable.
    apply: continuous_measurable => w.
    apply: (Coquelicot.Continuity.continuous_comp (fun w => Rminus w b) normal_cdf); last exact: cdf_continuous.
    apply: (Coquelicot.Continuity.continuous_minus (V := R_NormedModule)); [exact: Coquelicot.Continuity.continuous_id|exact: Coquelicot.Continuity.continuous_const].
have := emeasurable_fun_c_infty measurableT mh 0; rewrite setTI => h.
suff -> : accepts = [set p : T * Re | 0 <= f p.1 - (normal_cdf (Rminus p.2 b) : Re)%:E] by exact: h.
by apply/seteqP; split=> p; rewrite /accepts /mkset sube_ge0.
Qed.

Lemma at_rates (t : T) : f t = 0 \/ (exists x, f t = rate x) \/ f t = 1.
Proof.
have fin : f t \is a fin_num by rewrite ge0_fin_numE //; exact: (Order.POrderTheory.le_lt_trans (f1 t) (ltey _)).
pose p := fine (f t); have pE : f t = p%:E by rewrite fineK.
have p0 : Rle zero p by have := f0 t; rewrite pE lee_fin => /RleP.
have p1 : Rle p one by have := f1 t; rewrite pE lee_fin => /RleP.
case: (RIneq.Rle_lt_or_eq_dec _ _ p0) => [p0'|e]; last by left; rewrite pE; congr (_%:E); exact: (esym e).
case: (RIneq.Rle_lt_or_eq_dec _ _ p1) => [p1'|e]; last by right; right; rewrite pE; congr (_%:E); exact: e.
by right; left; have [x xE] := cdf_onto p (conj p0' p1'); exists x; rewrite pE /rate xE.
Qed.

Lemma section_is t w : xsection accepts t w <-> (normal_cdf (Rminus w b) : Re)%:E <= f t.
Proof. by rewrite /xsection /= inE. Qed.

Lemma sections_up_to t x : f t = rate x -> xsection accepts t = up_to (Rplus x b).
Proof.
move=> fE; apply/seteqP; split=> w.
- move=> /section_is; rewrite fE => /rate_le h; rewrite /up_to; Lra.lra.
- by move=> h; apply/section_is; rewrite fE; apply/rate_le; move: h; rewrite /up_to; Lra.lra.
Qed.
Lemma sections_all t : f t = 1 -> xsection accepts t = setT.
Proof.
move=> fE; apply/seteqP; split=> // w _; apply/section_is; rewrite fE lee_fin; apply/RleP.
by apply: RIneq.Rlt_le; exact: cdf_below_one.
Qed.
Lemma sections_none t : f t = 0 -> xsection accepts t = set0.
Proof.
move=> fE; apply/seteqP; split=> // w /section_is; rewrite fE lee_fin => /RleP h.
have h' : Rle (normal_cdf (Rminus w b)) zero by exact: h.
by have := cdf_positive (Rminus w b); Lra.lra.
Qed.

Let one0 : Rlt zero one. Proof. Lra.lra. Qed.

Lemma later_at_most t : g t <= normal zero one (xsection accepts t).
Proof.
case: (at_rates t) => [fE|[[x fE]|fE]].
- rewrite sections_none // measure0.
  have fin : g t \is a fin_num by rewrite ge0_fin_numE //; exact: (Order.POrderTheory.le_lt_trans (g1 t) (ltey _)).
  pose q := fine (g t); have qE : g t = q%:E by rewrite fineK.
  rewrite qE lee_fin; apply/RleP; apply: RIneq.Rnot_lt_le => q0.
  have q0' : Rlt zero q by exact: q0.
  have [x near] := cdf_near_zero q q0'; have := near x (RIneq.Rle_refl x).
  rewrite Rbasic_fun.Rabs_pos_eq; last by apply: RIneq.Rlt_le; exact: cdf_positive.
  have le : f t <= rate (Rminus x b) by rewrite fE lee_fin; apply/RleP; apply: RIneq.Rlt_le; exact: cdf_positive.
  have := later _ _ le; rewrite qE lee_fin raised_is => /RleP.
  have -> : Rplus (Rminus x b) b = x by Lra.lra.
  move=> h; have h' : Rle q (normal_cdf x) by exact: h.
  by Lra.lra.
- rewrite (sections_up_to fE) (half_line zero one0 _).1.
  have -> : Rdiv (Rminus (Rplus x b) zero) one = Rplus x b by field.
  by have := later t x; rewrite fE raised_is; apply; exact: Order.POrderTheory.lexx.
- by rewrite sections_all // normal_has_mass_one.
Qed.

Lemma now_at_least t : normal b one (xsection accepts t) <= f t.
Proof.
case: (at_rates t) => [fE|[[x fE]|fE]].
- by rewrite sections_none // measure0 fE.
- rewrite (sections_up_to fE) (half_line b one0 _).1 fE /rate.
  by have -> : Rdiv (Rminus (Rplus x b) b) one = x by field.
- by rewrite sections_all // normal_has_mass_one // fE.
Qed.

Lemma exchanged (M : {measure set T -> \bar real_realType}) (m : R) : M setT = 1 ->
  \int[M]_t normal m one (xsection accepts t) =
  \int[lebesgue]_w ((normal_density m one w : Re)%:E * M (ysection accepts w)).
Proof.
move=> M1; have sM := sigma_finite_law _ M1; have mA := accepts_measurable.
pose h (p : T * Re) := (((normal_density m one p.2 : Re) * \1_accepts p)%R)%:E : \bar Re.
have dens o : (0 <= (normal_density m one o : Re))%R by apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
have i0 p : (0 <= (\1_accepts p : Re))%R.
  by rewrite indicE; case: (p \in accepts); rewrite /= ?Num.Theory.ler01 ?Order.POrderTheory.lexx.
have h0 p : 0 <= h p by rewrite lee_fin; apply: Num.Theory.mulr_ge0.
have mh : measurable_fun setT h.
  apply/EFin_measurable_fun; apply: measurable_funM; last exact: measurable_fun_indic.
  apply: (@measurable_fun_comp _ _ _ _ _ _ (fun o : Re => (normal_density m one o : Re)) _ snd).
  - exact: density_measurable_all.
  - exact: second_measurable.
transitivity (\int[M]_t \int[lebesgue]_w h (t, w)).
  apply: eq_integral => t _; rewrite /normal /probability.
  rewrite (on_the_event (fun o : Re => (normal_density m one o : Re))).
  by apply: eq_integral => w _; rewrite /h /= !indicE mem_xsection.
rewrite (swapped sM sigma_finite_lebesgue mh h0).
apply: eq_integral => w _.
transitivity (\int[M]_t ((normal_density m one w : Re)%:E * (\1_(ysection accepts w) t)%:E)).
  by apply: eq_integral => t _; rewrite /h /= EFinM !indicE mem_ysection.
have my : measurable (ysection accepts w) by exact: (measurable_ysection real_realType).
rewrite ge0_integralM_EFin //.
- by rewrite integral_indic // setIT.
- by move=> t _; rewrite lee_fin indicE; case: (t \in _); rewrite /= ?Num.Theory.ler01 ?Order.POrderTheory.lexx.
- by apply/EFin_measurable_fun; exact: measurable_fun_indic.
Qed.

(* The heart of the matter, for a first budget above 0. *)
Lemma tests_positive (z : R) : Rlt zero a -> gaussian_close a P Q ->
  \int[P]_t f t <= rate z -> \int[Q]_t g t <= rate (Rplus z (gaussian_composed a b)).
Proof.
move=> a0 close first; have [c0 cc] := hypotenuse a b a0; set c := gaussian_composed a b in c0 cc *.
have mA := accepts_measurable.
pose X := \int[Q]_t normal zero one (xsection accepts t).
pose Y := \int[P]_t normal b one (xsection accepts t).
have normal_measurable m : measurable_fun setT (fun t => normal m one (xsection accepts t)).
  by apply: (@measurable_fun_xsection _ _ _ _ _ [the measure _ _ of normal m one]); rewrite ?inE //; apply: sigma_finite_law; exact: normal_has_mass_one.
have gX : \int[Q]_t g t <= X.
  by apply: ge0_le_integral => // t _; exact: later_at_most.
have fY : Y <= rate z.
  apply: (Order.POrderTheory.le_trans _ first).
  by apply: ge0_le_integral => // t _; exact: now_at_least.
apply: (Order.POrderTheory.le_trans gX).
have dens m o : (0 <= (normal_density m one o : Re))%R by apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
have dens' m o : 0 <= (normal_density m one o : Re)%:E by rewrite lee_fin.
have cdf0 o : (0 <= (normal_cdf o : Re))%R by apply/RleP; apply: RIneq.Rlt_le; exact: cdf_positive.
have tan0 u v : (0 <= (tangent u v : Re))%R by apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
have md m : measurable_fun setT (fun w : Re => (normal_density m one w : Re)%:E).
  by apply/EFin_measurable_fun; exact: density_measurable_all.
have my (M : {measure set T -> \bar real_realType}) : M setT = 1 -> measurable_fun setT (fun w : Re => M (ysection accepts w)).
  by move=> M1; apply: measurable_fun_ysection; rewrite ?inE //; exact: sigma_finite_law.
have ml : measurable_fun setT (fun w : Re => (normal_cdf (level a b c z w) : Re)%:E).
  by apply/EFin_measurable_fun; apply: continuous_measurable => w; exact: level_continuous.
have ml' : measurable_fun setT (fun w : Re => (normal_cdf (Rplus (level a b c z w) a) : Re)%:E).
  have -> : (fun w : Re => (normal_cdf (Rplus (level a b c z w) a) : Re)%:E) =
      (fun w : Re => (normal_cdf (Rdiv (Rminus (Rmult c (Rplus z c)) (Rmult b (Rminus w zero))) a) : Re)%:E).
    by apply/funext => w; rewrite (level_raised a b c z w a0 cc).
  apply/EFin_measurable_fun; apply: continuous_measurable => w.
  apply: (Coquelicot.Continuity.continuous_comp _ normal_cdf); last exact: cdf_continuous.
  apply: (ex_derive_continuous (V := R_NormedModule)); auto_derive; exact: I.
pose u1 (w : Re) : \bar Re := (normal_density zero one w : Re)%:E * Q (ysection accepts w).
pose u2 (w : Re) : \bar Re := (tangent c z : Re)%:E * ((normal_density b one w : Re)%:E * (normal_cdf (level a b c z w) : Re)%:E).
pose v1 (w : Re) : \bar Re := (normal_density zero one w : Re)%:E * (normal_cdf (Rplus (level a b c z w) a) : Re)%:E.
pose v2 (w : Re) : \bar Re := (tangent c z : Re)%:E * ((normal_density b one w : Re)%:E * P (ysection accepts w)).
have u10 w : 0 <= u1 w by rewrite /u1; apply: mule_ge0; [exact: dens'|exact: measure_ge0].
have v10 w : 0 <= v1 w by rewrite /v1; apply: mule_ge0; [exact: dens'|rewrite lee_fin].
have in0 w : 0 <= (normal_density b one w : Re)%:E * (normal_cdf (level a b c z w) : Re)%:E.
  by apply: mule_ge0; [exact: dens'|rewrite lee_fin].
have in0' w : 0 <= (normal_density b one w : Re)%:E * P (ysection accepts w).
  by apply: mule_ge0; [exact: dens'|exact: measure_ge0].
have u20 w : 0 <= u2 w by rewrite /u2; apply: mule_ge0; [rewrite lee_fin|exact: in0].
have v20 w : 0 <= v2 w by rewrite /v2; apply: mule_ge0; [rewrite lee_fin|exact: in0'].
have mu1 : measurable_fun setT u1 by apply: emeasurable_funM => //; exact: my.
have mu2 : measurable_fun setT u2 by apply: measurable_funeM; exact: emeasurable_funM.
have mv1 : measurable_fun setT v1 by exact: emeasurable_funM.
have mv2 : measurable_fun setT v2 by apply: measurable_funeM; apply: emeasurable_funM => //; exact: my.
have pointwise w : u1 w + u2 w <= v1 w + v2 w.
  have mE : measurable (ysection accepts w) by exact: (measurable_ysection real_realType).
  have h := @on_the_tangent a (level a b c z w) _ (RIneq.Rlt_le _ _ a0) close mE.
  have [p [pE _]] := finite_law _ P1 _ mE; have [q [qE _]] := finite_law _ Q1 _ mE.
  move: h; rewrite /u1 /u2 /v1 /v2 pE qE -!EFinM -!EFinD !lee_fin => /RleP h; apply/RleP.
  have h' : Rle (Rplus q (Rmult (tangent a (level a b c z w)) (normal_cdf (level a b c z w))))
    (Rplus (normal_cdf (Rplus (level a b c z w) a)) (Rmult (tangent a (level a b c z w)) p)) by exact: h.
  have n0 : Rle zero (normal_density zero one w) by apply/RleP; exact: dens.
  have := RIneq.Rmult_le_compat_l _ _ _ n0 h'; rewrite !Raxioms.Rmult_plus_distr_l -!Raxioms.Rmult_assoc.
  rewrite (weights a b c z w a0 cc) !Raxioms.Rmult_assoc => k; exact: k.
have XE : X = \int[lebesgue]_w u1 w by rewrite /X exchanged.
have YE : (tangent c z : Re)%:E * Y = \int[lebesgue]_w v2 w.
  rewrite /v2 ge0_integralM_EFin //; first by rewrite /Y exchanged.
  - apply: emeasurable_funM; [exact: md|exact: (my P P1)].
have U2 : \int[lebesgue]_w u2 w = (tangent c z : Re)%:E * rate z.
  rewrite /u2 ge0_integralM_EFin //; first by congr (_ * _); exact: (rotated b z a0 c0 cc).
  - by apply: emeasurable_funM; [exact: md|exact: ml].
have V1 : \int[lebesgue]_w v1 w = rate (Rplus z c).
  rewrite -(rotated zero (Rplus z c) a0 c0 cc); apply: eq_integral => w _.
  by rewrite /v1 (level_raised a b c z w a0 cc).
have whole : \int[lebesgue]_w (u1 w + u2 w) <= \int[lebesgue]_w (v1 w + v2 w).
  apply: ge0_le_integral => //.
  - by move=> w _; apply: adde_ge0.
  - exact: emeasurable_funD.
  - by move=> w _; apply: adde_ge0.
  - exact: emeasurable_funD.
rewrite !ge0_integralD // in whole.
move: whole; rewrite -XE -YE U2 V1 => whole.
have step : X + (tangent c z : Re)%:E * rate z <= rate (Rplus z c) + (tangent c z : Re)%:E * rate z.
  apply: (Order.POrderTheory.le_trans whole); apply: lee_add2l.
  by apply: lee_wpmul2l; rewrite ?lee_fin.
by move: step; rewrite (addeC X) (addeC (rate _)) lee_add2lE // /rate -EFinM.
Qed.

End Tests.

(* Once the first output is seen, a test that says yes with probability f under P and g under Q, where g is b-close to
   f, is in all as close as the square root of a^2 + b^2. *)
Theorem tests_compose d (T : measurableType d) (P Q : {measure set T -> \bar real_realType}) (f g : T -> \bar Re) (a b : R) :
  P setT = 1 -> Q setT = 1 -> measurable_fun setT f -> measurable_fun setT g ->
  (forall t, 0 <= f t /\ f t <= 1) -> (forall t, 0 <= g t /\ g t <= 1) -> Rle zero a -> gaussian_close a P Q ->
  (forall t z, f t <= rate z -> g t <= (gaussian_raised z b : Re)%:E) ->
  forall z, \int[P]_t f t <= rate z -> \int[Q]_t g t <= (gaussian_raised z (gaussian_composed a b) : Re)%:E.
Proof.
move=> P1 Q1 mf mg f01 g01 a0 close later z first.
have g0 t : 0 <= g t by case: (g01 t). have g1 t : g t <= 1 by case: (g01 t).
have le1 : \int[Q]_t g t <= 1.
  have -> : 1 = \int[Q]_t (cst 1 t) by rewrite integral_cst // Q1 mule1.
  apply: ge0_le_integral => //; first by move=> t _; rewrite lee_fin Num.Theory.ler01.
  exact: measurable_fun_cst.
have ge0 : 0 <= \int[Q]_t g t by apply: integral_ge0.
have fin : \int[Q]_t g t \is a fin_num by rewrite ge0_fin_numE //; exact: (Order.POrderTheory.le_lt_trans le1 (ltey _)).
pose q := fine (\int[Q]_t g t); have qE : \int[Q]_t g t = q%:E by rewrite fineK.
rewrite qE lee_fin raised_is; apply/RleP; apply: from_above => e e0.
have ae : Rlt zero (Rplus a e) by Lra.lra.
have close' : gaussian_close (Rplus a e) P Q by apply: close_monotone close; Lra.lra.
have := @tests_positive _ _ P Q P1 Q1 f g (Rplus a e) b mf mg (fun t => (f01 t).1) (fun t => (f01 t).2) g0 g1 later z ae close' first.
rewrite qE /rate lee_fin => /RleP h.
have h' : Rle q (normal_cdf (Rplus z (gaussian_composed (Rplus a e) b))) by exact: h.
apply: (RIneq.Rle_trans _ _ _ h'); apply: cdf_rises.
by have := hypotenuse_grows a b e a0 e0; Lra.lra.
Qed.
