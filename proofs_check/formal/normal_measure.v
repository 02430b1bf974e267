(* The normal law as a measure on Borel sets, and the probabilities of its half-lines. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common improper normal_law.
Local Open Scope R_scope.

Lemma cdf_at_most_parts p x : (forall a, a <= x -> normal_cdf x - normal_cdf a <= p) -> normal_cdf x <= p.
Proof.
  intros h; apply Rnot_lt_le; intros more.
  destruct (cdf_to_zero (fun y => Rabs (y - 0) < normal_cdf x - p)) as [M k].
  { exists (mkposreal _ (Rlt_Rminus _ _ more)); intros y near; exact near. }
  pose proof (Rmin_l (M - 1) x); pose proof (Rmin_r (M - 1) x).
  specialize (k (Rmin (M - 1) x) ltac:(lra)); specialize (h (Rmin (M - 1) x) ltac:(lra)).
  apply Rabs_lt_between in k; lra.
Qed.

Lemma cdf_increases a b : a < b -> normal_cdf a < normal_cdf b.
Proof.
  intros ab; pose proof (cdf_is_the_integral 0 1 a b ltac:(lra)) as h; rewrite !Rminus_0_r, !Rdiv_1 in h.
  assert (0 < normal_cdf b - normal_cdf a); [|lra].
  rewrite <- (is_RInt_unique _ _ _ _ h); apply RInt_gt_0; [exact ab|intros; apply exp_pos|].
  intros; apply density_continuous.
Qed.
Lemma cdf_rises a b : a <= b -> normal_cdf a <= normal_cdf b.
Proof. intros [h| ->]; [left; apply cdf_increases, h|right; reflexivity]. Qed.
Lemma cdf_reflects a b : normal_cdf a <= normal_cdf b -> a <= b.
Proof. intros h; apply Rnot_lt_le; intros k; pose proof (cdf_increases b a k); lra. Qed.

Lemma cdf_near_zero e : 0 < e -> exists x, forall y, y <= x -> Rabs (normal_cdf y) < e.
Proof.
  intros e0; destruct (cdf_to_zero (fun y => Rabs (y - 0) < e)) as [M k].
  { exists (mkposreal e e0); intros y near; exact near. }
  exists (M - 1); intros y h; specialize (k y ltac:(lra)); rewrite Rminus_0_r in k; exact k.
Qed.
Lemma cdf_positive z : 0 < normal_cdf z.
Proof.
  apply Rnot_le_lt; intros h; pose proof (cdf_increases (z - 1) z ltac:(lra)).
  destruct (cdf_near_zero (- normal_cdf (z - 1)) ltac:(lra)) as [x k].
  specialize (k (Rmin x (z - 1)) (Rmin_l _ _)).
  pose proof (cdf_rises _ _ (Rmin_r x (z - 1))); rewrite Rabs_left in k by lra; lra.
Qed.
Lemma cdf_below_one z : normal_cdf z < 1.
Proof. pose proof (cdf_positive (- z)); rewrite cdf_symmetric in H; lra. Qed.
Lemma cdf_near_one e : 0 < e -> exists x, 1 - e < normal_cdf x.
Proof.
  intros e0; destruct (cdf_near_zero e e0) as [x k]; exists (- x).
  specialize (k x (Rle_refl x)); apply Rabs_lt_between in k; rewrite cdf_symmetric; lra.
Qed.

Lemma cdf_continuous x : continuous normal_cdf x.
Proof.
  apply (continuous_ext (fun o => normal_cdf ((o - 0) / 1))); [intros o; f_equal; field|].
  apply (ex_derive_continuous (V := R_NormedModule)); eexists; apply (cdf_slope 0 1 x); lra.
Qed.

Lemma cdf_onto p : 0 < p < 1 -> exists x, normal_cdf x = p.
Proof.
  intros hp; destruct (cdf_near_zero p ltac:(lra)) as [a ha]; destruct (cdf_near_one (1 - p) ltac:(lra)) as [b hb].
  specialize (ha a (Rle_refl a)); pose proof (cdf_positive a); rewrite Rabs_pos_eq in ha by lra.
  assert (ab : a < b) by (apply Rnot_le_lt; intros k; pose proof (cdf_rises b a k); lra).
  destruct (IVT_gen normal_cdf a b p) as (x & _ & is).
  - intros x; apply continuity_pt_filterlim, cdf_continuous.
  - rewrite Rmin_left, Rmax_right by lra; lra.
  - exists x; exact is.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From HB Require Import structures.
From Establish Require Import one_integral bridge lebesgue_is_riemann lebesgue_line.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).
Local Notation lebesgue := (@lebesgue_measure real_realType).

(* The law N(mean, sd^2). *)
Definition normal (mean sd : R) (E : set Re) : \bar Re := probability (normal_density mean sd) E.

Section Measure.
Variables mean sd : R.
Let f (o : Re) : \bar Re := (normal_density mean sd o : Re)%:E.

Lemma density_nonneg o : 0 <= f o.
Proof. by rewrite lee_fin; apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos. Qed.
Lemma density_measurable (E : set Re) : measurable E -> measurable_fun E f.
Proof. exact: (measurable_f (normal_law.density_continuous mean sd)). Qed.

Let restricted (E : set Re) (o : Re) : (f \_ E) o = f o * \d_o E.
Proof. by rewrite /patch diracE; case: ifP; rewrite ?mule1 ?mule0. Qed.

Let nothing : normal mean sd set0 = 0.
Proof. exact: integral_set0. Qed.
Let at_least_0 (E : set Re) : 0 <= normal mean sd E.
Proof. by apply: integral_ge0 => o _; exact: density_nonneg. Qed.
Let sigma : semi_sigma_additive (normal mean sd).
Proof.
move=> F mF tF mUF.
have -> : normal mean sd (\bigcup_n F n) = \sum_(n <oo) normal mean sd (F n).
  rewrite /normal /probability integral_mkcond.
  transitivity (\int[lebesgue]_o \sum_(n <oo) (f \_ (F n)) o).
    apply: eq_integral => o _; rewrite restricted.
    under eq_eseries do rewrite restricted.
    rewrite nneseriesrM //; congr (_ * _).
    exact: (measure_semi_bigcup [the measure _ _ of \d_o] mF tF mUF).
  rewrite integral_nneseries //.
  - by apply: eq_eseries => n _; rewrite [RHS]integral_mkcond.
  - by move=> n; apply/(@measurable_restrict _ _ _ _ (F n) setT) => //; exact: density_measurable.
  - by move=> n o _; rewrite /patch; case: ifP => // _; exact: density_nonneg.
by apply: is_cvg_nneseries => n _; exact: at_least_0.
Qed.

HB.instance Definition _ := isMeasure.Build _ _ _ (normal mean sd) nothing at_least_0 sigma.
End Measure.

(* All that a law of mass 1 gives is a number between 0 and 1. *)
Lemma finite_law d (T : measurableType d) (P : {measure set T -> \bar real_realType}) : P setT = 1 ->
  forall E, measurable E -> exists p : R, P E = (p : Re)%:E /\ Rle zero p /\ Rle p one.
Proof.
move=> all E mE; have le : P E <= 1 by rewrite -all; apply: le_measure; rewrite ?inE.
have ge : 0 <= P E by exact: measure_ge0.
have fin : P E \is a fin_num by rewrite ge0_fin_numE //; exact: (Order.POrderTheory.le_lt_trans le (ltey _)).
pose p := fine (P E); have vE : P E = p%:E by rewrite fineK.
by exists p; move: le ge; rewrite vE !lee_fin => /RleP le /RleP ge.
Qed.
Lemma sigma_finite_law d (T : measurableType d) (P : {measure set T -> \bar real_realType}) : P setT = 1 -> sigma_finite setT P.
Proof.
move=> all; exists (fun _ => setT); first by rewrite bigcup_const //; exists O.
by move=> _; split=> //; rewrite all ltey.
Qed.
Lemma sigma_finite_lebesgue : sigma_finite setT lebesgue.
Proof.
exists middle.
  by apply/seteqP; split=> // o _; have [N h] := in_the_middle o; exists N => //; apply: h.
move=> n; split; first exact: measurable_between.
by rewrite /middle length_of ?ltey //; have := RIneq.pos_INR n; Lra.lra.
Qed.

Definition up_to (x : R) : set Re := fun o => Rle o x.
Lemma up_to_measurable x : measurable (up_to x).
Proof.
have -> : up_to x = [set` `]-oo, (x : Re)]].
  by apply/seteqP; split=> o /=; rewrite in_itv /=; [move=> /RleP ->|move=> /RleP].
exact: measurable_itv.
Qed.

Section Line.
Variables mean sd : R.
Variables sd_pos : Rlt zero sd.

Theorem normal_has_mass_one : normal mean sd setT = 1.
Proof.
apply: (line_is_improper (v := one) (normal_law.density_continuous mean sd)).
- by move=> o; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
- exact: normal_law.mass_is_one.
Qed.

Lemma normal_between (a b : R) : Rle a b -> normal mean sd (between a b) =
  (Rdefinitions.Rminus (normal_cdf (Rdefinitions.Rdiv (Rdefinitions.Rminus b mean) sd))
    (normal_cdf (Rdefinitions.Rdiv (Rdefinitions.Rminus a mean) sd)) : Re)%:E.
Proof.
move=> ab; rewrite /normal (lebesgue_is_riemann ab).
  by rewrite (is_RInt_unique _ _ _ _ (normal_law.cdf_is_the_integral mean sd a b sd_pos)).
move=> o _; split; first exact: normal_law.density_continuous.
by apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
Qed.

Let low (x : R) : (normal_cdf (Rdefinitions.Rdiv (Rdefinitions.Rminus x mean) sd) : Re)%:E <= normal mean sd (up_to x).
Proof.
have [p [vE _]] := finite_law _ normal_has_mass_one _ (up_to_measurable x).
have valE : normal mean sd (up_to x) = (p : Re)%:E by exact: vE.
rewrite valE lee_fin; apply/RleP; apply: cdf_at_most_parts => a ax.
pose o := Rdefinitions.Rplus mean (Rdefinitions.Rmult sd a).
have ox : Rle o x.
  apply: (RIneq.Rmult_le_reg_r (Rdefinitions.Rinv sd)); first exact: RIneq.Rinv_0_lt_compat.
  have -> : Rdefinitions.Rmult o (Rdefinitions.Rinv sd) = Rdefinitions.Rplus (Rdefinitions.Rdiv mean sd) a.
    by rewrite /o; field; Lra.lra.
  by move: ax; rewrite /Rdefinitions.Rdiv; Lra.lra.
have back : Rdefinitions.Rdiv (Rdefinitions.Rminus o mean) sd = a by rewrite /o; field; Lra.lra.
have : normal mean sd (between o x) <= normal mean sd (up_to x).
  apply: le_measure; rewrite ?inE; [exact: measurable_between|exact: up_to_measurable|by move=> t []].
by rewrite valE normal_between // back lee_fin => /RleP.
Qed.

Lemma above_at_least (x : R) :
  (normal_cdf (Rdefinitions.Ropp (Rdefinitions.Rdiv (Rdefinitions.Rminus x mean) sd)) : Re)%:E <=
  normal mean sd (~` up_to x).
Proof.
have mE : measurable (~` up_to x) by apply: measurableC; exact: up_to_measurable.
have [p [vE _]] := finite_law _ normal_has_mass_one _ mE.
have valE : normal mean sd (~` up_to x) = (p : Re)%:E by exact: vE.
rewrite valE lee_fin; apply/RleP; apply: cdf_at_most_parts => a ax.
pose o := Rdefinitions.Rminus mean (Rdefinitions.Rmult sd a).
have ox : Rle x o.
  apply: (RIneq.Rmult_le_reg_r (Rdefinitions.Rinv sd)); first exact: RIneq.Rinv_0_lt_compat.
  have -> : Rdefinitions.Rmult o (Rdefinitions.Rinv sd) = Rdefinitions.Rminus (Rdefinitions.Rdiv mean sd) a.
    by rewrite /o; field; Lra.lra.
  by move: ax; rewrite /Rdefinitions.Rdiv; Lra.lra.
have back : Rdefinitions.Rdiv (Rdefinitions.Rminus o mean) sd = Rdefinitions.Ropp a by rewrite /o; field; Lra.lra.
have : normal mean sd (between x o) <= normal mean sd (~` up_to x).
  apply: le_measure; rewrite ?inE; [exact: measurable_between|exact: mE|move=> t [l _] k].
  by move: k; rewrite /up_to; Lra.lra.
rewrite valE normal_between // back lee_fin => /RleP.
by rewrite !normal_law.cdf_symmetric; Lra.lra.
Qed.

Theorem half_line (x : R) :
  normal mean sd (up_to x) = (normal_cdf (Rdefinitions.Rdiv (Rdefinitions.Rminus x mean) sd) : Re)%:E /\
  normal mean sd (~` up_to x) =
    (normal_cdf (Rdefinitions.Rdiv (Rdefinitions.Rminus mean x) sd) : Re)%:E.
Proof.
have mE := up_to_measurable x; have mC : measurable (~` up_to x) by exact: measurableC.
have [p [vE _]] := finite_law _ normal_has_mass_one _ mE.
have [q [valE _]] := finite_law _ normal_has_mass_one _ mC.
have together : (Rdefinitions.Rplus p q : Re)%:E = 1 :> \bar Re.
  have -> : (Rdefinitions.Rplus p q : Re)%:E = normal mean sd (up_to x) + normal mean sd (~` up_to x).
    by rewrite EFinD; congr (_ + _); symmetry.
  rewrite -[RHS]normal_has_mass_one -(setUv (up_to x)).
  exact: (esym (measureU [the measure _ _ of normal mean sd] mE mC (setICr _))).
have lo := low x; have hi := above_at_least x.
have l : normal mean sd (up_to x) = (p : Re)%:E by exact: vE.
have h : normal mean sd (~` up_to x) = (q : Re)%:E by exact: valE.
move: lo hi together; rewrite l h !lee_fin => /RleP lo /RleP hi sum.
have sum' : Rdefinitions.Rplus p q = one by case: sum.
have opp : Rdefinitions.Rdiv (Rdefinitions.Rminus mean x) sd =
  Rdefinitions.Ropp (Rdefinitions.Rdiv (Rdefinitions.Rminus x mean) sd) by field; Lra.lra.
rewrite opp; move: hi; rewrite !normal_law.cdf_symmetric => hi.
by split; congr (_%:E); Lra.lra.
Qed.
End Line.

