(* Budgets add up like legs, and no faster: two independent normal answers, one mu_1 and one mu_2 apart, need the whole
   root of the sum of squares (Webb et al. 2025, Theorem 5.7 is tight). *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common normal_law normal_measure gaussian_real.
Local Open Scope R_scope.

Lemma half_plane a b c m1 m2 w : 0 < a -> 0 < c -> c ^ 2 = a ^ 2 + b ^ 2 ->
  (- b * w / a - m1) / 1 = (c * (- (a * m1 + b * m2) / c) - b * (w - m2)) / a.
Proof. intros; field; lra. Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import bridge measures adaptive_composition gaussian_close gaussian_rotation gaussian_composition.
From Establish Require Import gaussian_releases normal_vectors.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation Rdiv := Rdefinitions.Rdiv.
Local Notation Rmult := Rdefinitions.Rmult.
Local Notation Rplus := Rdefinitions.Rplus.
Local Notation Ropp := Rdefinitions.Ropp.
Local Notation Rminus := Rdefinitions.Rminus.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).

Section HalfPlane.
Variables (a b : R) (a0 : Rlt zero a) (b0 : Rlt zero b).
Let c := gaussian_composed a b.

(* The answers (t, w) with a t + b w <= 0. *)
Let below (t : Real.sort real_realType) : \bar real_realType := rate (Ropp (Rdiv (Rmult a t) b)).
Definition half : set (carrier (vectors 1)) := @accepts _ (carrier line) below zero.

Lemma below_measurable : measurable_fun setT below.
Proof.
apply/EFin_measurable_fun; apply: continuous_measurable => t.
apply: (Coquelicot.Continuity.continuous_comp (fun t => Ropp (Rdiv (Rmult a t) b)) normal_cdf); last exact: cdf_continuous.
apply: (ex_derive_continuous (V := R_NormedModule)); auto_derive; exact: I.
Qed.

Lemma half_at (w : R) : ysection half w = up_to (Rdiv (Rmult (Ropp b) w) a).
Proof.
have at_t (t : R) : Rle (Rminus w zero) (Ropp (Rdiv (Rmult a t) b)) <-> Rle t (Rdiv (Rmult (Ropp b) w) a).
  have e : Rminus (Ropp (Rdiv (Rmult a t) b)) (Rminus w zero) = Rmult (Rdiv a b) (Rminus (Rdiv (Rmult (Ropp b) w) a) t) by field; Lra.lra.
  have k : Rlt zero (Rdiv a b) by exact: RIneq.Rdiv_lt_0_compat.
  by split=> h; Psatz.nra.
apply/seteqP; split=> t; rewrite /ysection /half /accepts /= ?inE.
- by move=> /rate_le /at_t.
- by move=> /at_t h; apply/rate_le.
Qed.

Lemma with_noise (m : R) : gaussian_law m one = [the measure _ _ of normal m one].
Proof. by rewrite /gaussian_law; case: (RIneq.Rlt_dec zero one) => // h; exfalso; Lra.lra. Qed.

Lemma half_has (m1 m2 : R) : gaussian_answers 1 (fun j => if j is O then m1 else m2) (fun _ => one) half =
  rate (Rdiv (Ropp (Rplus (Rmult a m1) (Rmult b m2))) c).
Proof.
have [c0 cc] := hypotenuse a b a0; have o0 : Rlt zero one by Lra.lra.
transitivity (\int[gaussian_law m1 one]_t normal m2 one (xsection half t)).
  by apply: eq_integral => t _; rewrite /= with_noise.
rewrite (exchanged zero below_measurable (gaussian_law m1 one) m2 (gaussian_law_mass _ _)).
rewrite -(rotated m2 (Rdiv (Ropp (Rplus (Rmult a m1) (Rmult b m2))) c) a0 c0 cc).
apply: eq_integral => w _; congr (_ * _).
by rewrite half_at with_noise /= (half_line m1 o0 _).1 (half_plane a b c m1 m2 w a0 c0 cc).
Qed.

Theorem two_answers_need_the_hypotenuse (nu : R) :
  gaussian_close nu (gaussian_answers 1 (fun j => if j is O then a else b) (fun _ => one))
    (gaussian_answers 1 (fun j => if j is O then zero else zero) (fun _ => one)) ->
  Rle (gaussian_composed a b) nu.
Proof.
have [c0 cc] := hypotenuse a b a0; rewrite -/c in c0 cc *.
have mH : measurable half by apply: accepts_measurable; exact: below_measurable.
have shifted := half_has a b; have centered := half_has zero zero.
have here : Rdiv (Ropp (Rplus (Rmult a a) (Rmult b b))) c = Ropp c.
  have -> : Rplus (Rmult a a) (Rmult b b) = Rmult c c by move: cc => /=; Lra.lra.
  by field; Lra.lra.
have there : Rdiv (Ropp (Rplus (Rmult a zero) (Rmult b zero))) c = zero by field; Lra.lra.
rewrite here in shifted; rewrite there in centered.
move=> close; have := close half mH (Ropp c); rewrite shifted Order.POrderTheory.lexx => /(_ isT).
by rewrite [X in X <= _]centered raised_is => /rate_le; Lra.lra.
Qed.
End HalfPlane.
