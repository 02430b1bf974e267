(* Gaussian indistinguishability (Webb et al. 2025, Definitions 3.1 and 5.6, after Dong, Roth and Su 2022): telling
   two laws apart is at least as hard as telling N(0, 1) from N(mu, 1). And the first laws that are: two normal
   laws of one standard deviation, by Neyman and Pearson. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common normal_law normal_measure gaussian_real.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import bridge measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).

(* Phi(z), a rate between 0 and 1. Every rate between them is Phi(z) for one z; a rate of 0 is below all of them,
   and one of 1 above. *)
Definition rate (z : R) : \bar Re := (normal_cdf z : Re)%:E.

(* Whenever P(E) <= x then Q(E) <= Phi(Phi^-1(x) + mu), for all measurable events E, with x = Phi(z). *)
Definition gaussian_close (mu : R) d (T : measurableType d) (P Q : set T -> \bar Re) : Prop :=
  forall E, measurable E -> forall z, P E <= rate z -> Q E <= (gaussian_raised z mu : Re)%:E.
Arguments gaussian_close mu {d T} P Q.

(* Every pair of neighbors is mu-Gaussian indistinguishable. *)
Definition gaussian_private (dataset : Type) (neighbors : dataset -> dataset -> Prop) (mu : R)
    d (T : measurableType d) (M : dataset -> set T -> \bar Re) : Prop :=
  forall D D', neighbors D D' -> gaussian_close mu (M D) (M D').
Arguments gaussian_private {dataset} neighbors mu {d T} M.

Lemma rate_le z y : rate z <= rate y <-> Rle z y.
Proof.
rewrite /rate lee_fin; split; first by move=> /RleP; exact: cdf_reflects.
by move=> h; apply/RleP; exact: cdf_rises.
Qed.

Lemma close_monotone (mu nu : R) d (T : measurableType d) (P Q : set T -> \bar Re) :
  Rle mu nu -> gaussian_close mu P Q -> gaussian_close nu P Q.
Proof.
move=> le close E mE z h; apply: (Order.POrderTheory.le_trans (close E mE z h)).
by rewrite lee_fin; apply/RleP; rewrite !raised_is; apply: cdf_rises; Lra.lra.
Qed.

Section NeymanPearson.
Variables (a b s : R).
Variables s0 : Rlt zero s.
Local Notation P := (normal a s).
Local Notation Q := (normal b s).
Local Notation k t := (Rtrigo_def.exp (Rdefinitions.Rminus
  (Rdefinitions.Rmult (Rdefinitions.Rdiv (Rdefinitions.Rminus b a) s) (Rdefinitions.Rdiv (Rdefinitions.Rminus t a) s))
  (Rdefinitions.Rdiv (Rpow_def.pow (Rdefinitions.Rdiv (Rdefinitions.Rminus b a) s) 2) (Rdefinitions.IZR (BinNums.Zpos (BinNums.xO BinNums.xH)))))).

Lemma compare_on (m m' : R) (c : R) (E : set Re) : measurable E -> Rle zero c ->
  (forall o, E o -> Rle (normal_density m s o) (Rdefinitions.Rmult c (normal_density m' s o))) ->
  normal m s E <= (c : Re)%:E * normal m' s E.
Proof.
move=> mE c0 le; rewrite /normal /probability; apply: integral_at_most => //.
- by apply/RleP.
- exact: density_measurable.
- exact: density_measurable.
- by move=> o _; exact: density_nonneg.
- by move=> o _; exact: density_nonneg.
- by move=> o Eo; apply/RleP; exact: le.
Qed.

(* No event of at most its probability under P has more than H under Q, when the ratio is k at least in H and k at
   most elsewhere. *)
Lemma no_event_beats (H : set Re) (t : R) : measurable H ->
  (forall o, H o -> Rle zero (Rdefinitions.Rmult (Rdefinitions.Rminus b a) (Rdefinitions.Rminus o t))) ->
  (forall o, ~ H o -> Rle (Rdefinitions.Rmult (Rdefinitions.Rminus b a) (Rdefinitions.Rminus o t)) zero) ->
  forall E, measurable E -> P E <= P H -> Q E <= Q H.
Proof.
move=> mH inside outside E mE le.
have mEH : measurable (E `\` H) by exact: measurableD.
have mHE : measurable (H `\` E) by exact: measurableD.
have mI : measurable (E `&` H) by exact: measurableI.
have kpos : Rlt zero (k t) by exact: Exp_prop.exp_pos.
have one1 : Q (E `\` H) <= (k t : Re)%:E * P (E `\` H).
  apply: compare_on => //; first exact: RIneq.Rlt_le.
  by move=> o [_ no]; apply: ratio_rises => //; exact: outside.
have two : P (H `\` E) <= (Rdefinitions.Rinv (k t) : Re)%:E * Q (H `\` E).
  apply: compare_on => //; first by apply: RIneq.Rlt_le; exact: RIneq.Rinv_0_lt_compat.
  move=> o [yes _]; apply: (RIneq.Rmult_le_reg_l (k t)) => //.
  rewrite -Raxioms.Rmult_assoc RIneq.Rinv_r ?Raxioms.Rmult_1_l; last exact: RIneq.Rgt_not_eq.
  by apply: ratio_falls => //; exact: inside.
have partE (m : R) : normal m s E = normal m s (E `\` H) + normal m s (E `&` H).
  exact: (measureDI [the measure _ _ of normal m s] mE mH).
have partH (m : R) : normal m s H = normal m s (H `\` E) + normal m s (E `&` H).
  by rewrite (setIC E); exact: (measureDI [the measure _ _ of normal m s] mH mE).
have law (m : R) (F : set Re) (mF : measurable F) : exists p : R, normal m s F = (p : Re)%:E.
  by have [p [pE _]] := finite_law _ (normal_has_mass_one m s0) _ mF; exists p.
have [p1 p1E] := law a _ mEH; have [p2 p2E] := law a _ mHE; have [p3 p3E] := law a _ mI.
have [q1 q1E] := law b _ mEH; have [q2 q2E] := law b _ mHE; have [q3 q3E] := law b _ mI.
move: le; rewrite (partE a) (partH a) (partE b) (partH b) p1E p2E p3E q1E q2E q3E -!EFinD !lee_fin.
move: one1 two; rewrite p1E p2E q1E q2E -!EFinM !lee_fin => /RleP one1 /RleP two /RleP le; apply/RleP.
have {}one1 : Rle q1 (Rdefinitions.Rmult (k t) p1) by exact: one1.
have {}two : Rle p2 (Rdefinitions.Rmult (Rdefinitions.Rinv (k t)) q2) by exact: two.
have {}le : Rle (Rdefinitions.Rplus p1 p3) (Rdefinitions.Rplus p2 p3) by exact: le.
suff : Rle (Rdefinitions.Rplus q1 q3) (Rdefinitions.Rplus q2 q3) by [].
have both : Rle (Rdefinitions.Rmult (k t) p2) q2.
  have := RIneq.Rmult_le_compat_l _ _ _ (RIneq.Rlt_le _ _ kpos) two.
  by rewrite -Raxioms.Rmult_assoc RIneq.Rinv_r ?Raxioms.Rmult_1_l //; exact: RIneq.Rgt_not_eq.
have := RIneq.Rmult_le_compat_l _ p1 p2 (RIneq.Rlt_le _ _ kpos) (RIneq.Rplus_le_reg_r _ _ _ le).
Lra.lra.
Qed.

Theorem shifted_normals (mu : R) : Rle (Rbasic_fun.Rabs (Rdefinitions.Rminus b a)) (Rdefinitions.Rmult mu s) ->
  gaussian_close mu P Q.
Proof.
move=> near E mE z le.
have loc (u v : R) : Rle u (Rdefinitions.Rplus z mu) -> v = u -> (normal_cdf v : Re)%:E <= (gaussian_raised z mu : Re)%:E.
  by move=> h ->; rewrite lee_fin; apply/RleP; rewrite raised_is; exact: cdf_rises.
have inv (x : R) : Rle x (Rdefinitions.Rmult mu s) -> Rle (Rdefinitions.Rdiv x s) mu.
  move=> h; apply: (RIneq.Rmult_le_reg_r s) => //.
  by rewrite /Rdefinitions.Rdiv Raxioms.Rmult_assoc Raxioms.Rinv_l ?RIneq.Rmult_1_r //; exact: RIneq.Rgt_not_eq.
case: (RIneq.Rle_lt_dec a b) => ab.
- pose t := Rdefinitions.Rminus a (Rdefinitions.Rmult s z).
  have mH : measurable (~` up_to t) by apply: measurableC; exact: up_to_measurable.
  apply: (Order.POrderTheory.le_trans (y := Q (~` up_to t))).
    apply: (@no_event_beats _ t) => //.
    + by move=> o; rewrite /setC /up_to /= => no; have := RIneq.Rnot_le_lt _ _ no; nra.
    + by move=> o; rewrite /setC /up_to /= => no; have yes : Rle o t by [apply: RIneq.Rnot_lt_le => h; apply: no => k; Lra.lra]; nra.
    + rewrite (half_line a s0 t).2 (_ : Rdefinitions.Rdiv _ _ = z) // /t; field; Lra.lra.
  rewrite (half_line b s0 t).2; apply: (loc (Rdefinitions.Rplus z (Rdefinitions.Rdiv (Rdefinitions.Rminus b a) s))).
  + have := inv (Rdefinitions.Rminus b a); have := Rbasic_fun.Rle_abs (Rdefinitions.Rminus b a); Lra.lra.
  + by rewrite /t; field; Lra.lra.
- pose t := Rdefinitions.Rplus a (Rdefinitions.Rmult s z).
  have mH := up_to_measurable t.
  apply: (Order.POrderTheory.le_trans (y := Q (up_to t))).
    apply: (@no_event_beats _ t) => //.
    + by move=> o; rewrite /up_to /= => yes; nra.
    + by move=> o; rewrite /up_to /= => no; have := RIneq.Rnot_le_lt _ _ no; nra.
    + rewrite (half_line a s0 t).1 (_ : Rdefinitions.Rdiv _ _ = z) // /t; field; Lra.lra.
  rewrite (half_line b s0 t).1; apply: (loc (Rdefinitions.Rplus z (Rdefinitions.Rdiv (Rdefinitions.Rminus a b) s))).
  + have := inv (Rdefinitions.Rminus a b); have := Rbasic_fun.Rle_abs (Rdefinitions.Ropp (Rdefinitions.Rminus b a)).
    rewrite Rbasic_fun.Rabs_Ropp; Lra.lra.
  + by rewrite /t; field; Lra.lra.
Qed.

(* And no smaller level will do. *)
Theorem shift_is_attained (mu : R) : gaussian_close mu P Q ->
  Rle (Rbasic_fun.Rabs (Rdefinitions.Rminus b a)) (Rdefinitions.Rmult mu s).
Proof.
move=> close.
have at_a : Rle (Rdefinitions.Rminus a b) (Rdefinitions.Rmult mu s).
  have h := close (up_to a) (up_to_measurable a) zero.
  move: h; rewrite (half_line a s0 a).1 (half_line b s0 a).1 /rate.
  have -> : Rdefinitions.Rdiv (Rdefinitions.Rminus a a) s = zero by field; Lra.lra.
  move=> /(_ (Order.POrderTheory.lexx _)); rewrite lee_fin => /RleP; rewrite raised_is => /cdf_reflects h.
  apply: (RIneq.Rmult_le_reg_r (Rdefinitions.Rinv s)); first exact: RIneq.Rinv_0_lt_compat.
  rewrite Raxioms.Rmult_assoc RIneq.Rinv_r ?RIneq.Rmult_1_r; last exact: RIneq.Rgt_not_eq.
  by move: h; rewrite /Rdefinitions.Rdiv; Lra.lra.
have mC : measurable (~` up_to a) by apply: measurableC; exact: up_to_measurable.
have at_b : Rle (Rdefinitions.Rminus b a) (Rdefinitions.Rmult mu s).
  have h := close (~` up_to a) mC zero.
  move: h; rewrite (half_line a s0 a).2 (half_line b s0 a).2 /rate.
  have -> : Rdefinitions.Rdiv (Rdefinitions.Rminus a a) s = zero by field; Lra.lra.
  move=> /(_ (Order.POrderTheory.lexx _)); rewrite lee_fin => /RleP; rewrite raised_is => /cdf_reflects h.
  apply: (RIneq.Rmult_le_reg_r (Rdefinitions.Rinv s)); first exact: RIneq.Rinv_0_lt_compat.
  rewrite Raxioms.Rmult_assoc RIneq.Rinv_r ?RIneq.Rmult_1_r; last exact: RIneq.Rgt_not_eq.
  by move: h; rewrite /Rdefinitions.Rdiv; Lra.lra.
by apply: Rbasic_fun.Rabs_le; Lra.lra.
Qed.
End NeymanPearson.
