(* Two independent normal noises seen from another angle: what N(m, 1) expects of the normal distribution
   function of a line is that function again. By Tonelli, as the joint density has two readings. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common normal_law normal_measure.
Local Open Scope R_scope.

(* The joint density, with the one or with the other variable first: c^2 = a^2 + b^2. *)
Lemma two_readings m a b c w x : 0 < a -> 0 < c -> c ^ 2 = a ^ 2 + b ^ 2 ->
  normal_density m 1 w * normal_density (- (b * m / c) + b / c * w) (a / c) x
  = normal_density 0 1 x * normal_density (m + b / c * x) (a / c) w.
Proof.
  intros a0 c0 h; unfold normal_density, gaussian_log_density; rewrite <- !exp_plus; f_equal.
  replace ((x - (- (b * m / c) + b / c * w)) / (a / c)) with ((c * x - b * (w - m)) / a) by (field; lra).
  replace ((w - (m + b / c * x)) / (a / c)) with ((c * (w - m) - b * x) / a) by (field; lra).
  assert (k : (w - m) ^ 2 + ((c * x - b * (w - m)) / a) ^ 2 = x ^ 2 + ((c * (w - m) - b * x) / a) ^ 2).
  { apply (Rmult_eq_reg_r (a ^ 2)); [|apply pow_nonzero; lra].
    replace (((w - m) ^ 2 + ((c * x - b * (w - m)) / a) ^ 2) * a ^ 2)
      with (a ^ 2 * (w - m) ^ 2 + (c * x - b * (w - m)) ^ 2) by (field; lra).
    replace ((x ^ 2 + ((c * (w - m) - b * x) / a) ^ 2) * a ^ 2)
      with (a ^ 2 * x ^ 2 + (c * (w - m) - b * x) ^ 2) by (field; lra).
    replace (a ^ 2) with (c ^ 2 - b ^ 2) by lra; ring. }
  rewrite !Rdiv_1, Rminus_0_r; lra.
Qed.

Lemma on_a_line m a b c w z : 0 < a -> 0 < c ->
  (z - (- (b * m / c) + b / c * w)) / (a / c) = (c * z - b * (w - m)) / a.
Proof. intros; field; lra. Qed.

Lemma located m s o : normal_density m s o = normal_density 0 s (o - m).
Proof. unfold normal_density, gaussian_log_density; rewrite !Rminus_0_r; reflexivity. Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import bridge gaussian_close.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation Rplus := Rdefinitions.Rplus.
Local Notation Rmult := Rdefinitions.Rmult.
Local Notation Rdiv := Rdefinitions.Rdiv.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).
Local Notation lebesgue := (@lebesgue_measure real_realType).

Lemma first_measurable d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) :
  measurable_fun setT (fun p : T1 * T2 => p.1).
Proof. by have [h _] := (prod_measurable_funP (fun p : T1 * T2 => p)).1 (@measurable_fun_id _ _ _). Qed.
Lemma second_measurable d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) :
  measurable_fun setT (fun p : T1 * T2 => p.2).
Proof. by have [_ h] := (prod_measurable_funP (fun p : T1 * T2 => p)).1 (@measurable_fun_id _ _ _). Qed.

Lemma swapped d1 d2 (T1 : measurableType d1) (T2 : measurableType d2)
    (m1 : {measure set T1 -> \bar real_realType}) (m2 : {measure set T2 -> \bar real_realType}) (f : T1 * T2 -> \bar Re) :
  sigma_finite setT m1 -> sigma_finite setT m2 -> measurable_fun setT f -> (forall p, 0 <= f p) ->
  \int[m1]_x \int[m2]_y f (x, y) = \int[m2]_y \int[m1]_x f (x, y).
Proof.
move=> s1 s2 mf f0.
exact: (etrans (esym (fubini_tonelli1 s2 f mf f0)) (fubini_tonelli2 s1 s2 f mf f0)).
Qed.
Arguments swapped {d1 d2 T1 T2 m1 m2 f}.

Lemma continuous_measurable (f : R -> R) : (forall x, Coquelicot.Continuity.continuous f x) ->
  measurable_fun setT (f : Re -> Re).
Proof.
move=> cont; apply: continuous_measurable_fun => x; apply/continuity_pt_cvg.
by apply: lebesgue_is_riemann.to_continuity; exact: cont.
Qed.

Lemma joint_measurable (alpha beta s : R) :
  measurable_fun setT (fun p : Re * Re => (normal_density (Rplus alpha (Rmult beta p.1)) s p.2 : Re)).
Proof.
have -> : (fun p : Re * Re => (normal_density (Rplus alpha (Rmult beta p.1)) s p.2 : Re)) =
    (fun o : Re => (normal_density zero s o : Re)) \o (fun p : Re * Re => (p.2 - (alpha + beta * p.1))%R).
  by apply/funext => p; rewrite located.
apply: measurable_fun_comp; first exact: (@continuous_measurable _ (normal_law.density_continuous zero s)).
apply: measurable_funB; first exact: second_measurable.
apply: measurable_funD; first exact: measurable_fun_cst.
by apply: measurable_funrM; exact: first_measurable.
Qed.

Lemma on_the_event (f : Re -> Re) (Z : set Re) :
  \int[lebesgue]_(x in Z) (f x)%:E = \int[lebesgue]_x ((f x * \1_Z x)%R)%:E.
Proof.
rewrite integral_mkcond; apply: eq_integral => x _; rewrite /patch indicE.
by case: (x \in Z); rewrite /= ?GRing.mulr1 ?GRing.mulr0.
Qed.

Lemma density_measurable_all m s : measurable_fun setT (fun o : Re => (normal_density m s o : Re)).
Proof. exact: (@continuous_measurable _ (normal_law.density_continuous m s)). Qed.

Theorem rotated (m a b c z : R) : Rlt zero a -> Rlt zero c -> Rpow_def.pow c 2 = Rplus (Rpow_def.pow a 2) (Rpow_def.pow b 2) ->
  \int[lebesgue]_w ((normal_density m one w : Re)%:E *
    (normal_cdf (Rdiv (Rdefinitions.Rminus (Rmult c z) (Rmult b (Rdefinitions.Rminus w m))) a) : Re)%:E) = rate z.
Proof.
move=> a0 c0 cc; pose Z := up_to z.
have s0 : Rlt zero (Rdiv a c) by apply: RIneq.Rdiv_lt_0_compat.
pose n w x := (normal_density (Rplus (Rdefinitions.Ropp (Rdiv (Rmult b m) c)) (Rmult (Rdiv b c) w)) (Rdiv a c) x : Re).
pose n' x w := (normal_density (Rplus m (Rmult (Rdiv b c) x)) (Rdiv a c) w : Re).
pose f (p : Re * Re) := ((normal_density zero one p.2 * n' p.2 p.1 * \1_Z p.2)%R)%:E : \bar Re.
have nn (u v : R) (o : R) : (0 <= (normal_density u v o : Re))%R.
  by apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
have i0 (x : Re) : (0 <= (\1_Z x : Re))%R by rewrite indicE; case: (x \in Z); rewrite /= ?Num.Theory.ler01 ?Order.POrderTheory.lexx.
have f0 p : 0 <= f p by rewrite lee_fin; apply: Num.Theory.mulr_ge0 => //; apply: Num.Theory.mulr_ge0; exact: nn.
have mi : measurable_fun setT (\1_Z : Re -> Re) by apply: measurable_fun_indic; exact: up_to_measurable.
have mf : measurable_fun setT f.
  apply/EFin_measurable_fun; apply: measurable_funM; last first.
    by apply: (@measurable_fun_comp _ _ _ _ _ _ (\1_Z : Re -> Re) _ snd) => //; exact: second_measurable.
  apply: measurable_funM.
    apply: (@measurable_fun_comp _ _ _ _ _ _ (fun o : Re => (normal_density zero one o : Re)) _ snd).
    + exact: density_measurable_all.
    + exact: second_measurable.
  apply: (@measurable_fun_comp _ _ _ _ _ _ (fun p : Re * Re => (normal_density (Rplus m (Rmult (Rdiv b c) p.1)) (Rdiv a c) p.2 : Re)) _ (fun p : Re * Re => (p.2, p.1))).
  + exact: joint_measurable.
  + by apply/prod_measurable_funP; split; [exact: second_measurable|exact: first_measurable].
have left_side w : (normal_density m one w : Re)%:E *
    (normal_cdf (Rdiv (Rdefinitions.Rminus (Rmult c z) (Rmult b (Rdefinitions.Rminus w m))) a) : Re)%:E =
    \int[lebesgue]_x f (w, x).
  rewrite -(on_a_line m a b c w z a0 c0) -(half_line _ s0 z).1 /normal /probability.
  rewrite (on_the_event (n w)) -ge0_integralM_EFin //.
  - apply: eq_integral => x _; rewrite /f /= -EFinM; congr (_%:E).
    rewrite GRing.mulrA; congr (_ * _)%R; exact: two_readings.
  - by move=> x _; rewrite lee_fin; apply: Num.Theory.mulr_ge0 => //; exact: nn.
  - by apply/EFin_measurable_fun; apply: measurable_funM => //; exact: density_measurable_all.
under eq_integral do rewrite left_side.
rewrite (swapped sigma_finite_lebesgue sigma_finite_lebesgue mf f0).
transitivity (\int[lebesgue]_x (((normal_density zero one x : Re) * \1_Z x)%R)%:E).
  apply: eq_integral => x _.
  transitivity (\int[lebesgue]_w ((((normal_density zero one x : Re) * \1_Z x)%R)%:E * (n' x w)%:E)).
    by apply: eq_integral => w _; rewrite /f /= -EFinM; congr (_%:E); rewrite GRing.mulrAC.
  rewrite ge0_integralM_EFin //.
  - rewrite (_ : \int[lebesgue]_w (n' x w)%:E = 1) ?mule1 //.
    exact: (normal_has_mass_one (Rplus m (Rmult (Rdiv b c) x)) s0).
  - by move=> w _; rewrite lee_fin; exact: nn.
  - by apply/EFin_measurable_fun; exact: density_measurable_all.
  - by apply: Num.Theory.mulr_ge0 => //; exact: nn.
rewrite -on_the_event.
transitivity (normal zero one Z); first by [].
rewrite (half_line zero _ z).1; last by Lra.lra.
by rewrite /rate; congr (normal_cdf _)%:E; rewrite RIneq.Rminus_0_r; field.
Qed.
