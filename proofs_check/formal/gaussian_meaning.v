(* What Gaussian indistinguishability says (Webb et al. 2025, Definition 3.1 and Section 5.3): quantiles of
   probabilities move by at most mu, attacks have rates below a curve, and that curve is a trade-off function. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common normal_law normal_measure gaussian_real.
Local Open Scope R_scope.

(* Phi(z) to Phi(z + mu) is continuous in z, does not decrease, lies above the diagonal, and is concave. *)
Theorem trade_off_is_of_the_class mu : 0 <= mu ->
  (forall z, continuous (fun z => gaussian_raised z mu) z) /\
  (forall x y, normal_cdf x <= normal_cdf y -> gaussian_raised x mu <= gaussian_raised y mu) /\
  (forall z, normal_cdf z <= gaussian_raised z mu) /\
  (forall x y u t, 0 <= t <= 1 -> normal_cdf u = t * normal_cdf x + (1 - t) * normal_cdf y ->
    t * gaussian_raised x mu + (1 - t) * gaussian_raised y mu <= gaussian_raised u mu).
Proof.
  intros m0; split; [|split; [|split]].
  - intros z; apply (continuous_comp (fun z => z + mu) normal_cdf); [|apply cdf_continuous].
    apply (continuous_plus (V := R_NormedModule)); [apply continuous_id|apply continuous_const].
  - intros x y h; rewrite !raised_is; apply cdf_rises; pose proof (cdf_reflects x y h); lra.
  - intros z; rewrite raised_is; apply cdf_rises; lra.
  - intros x y u t [t0 t1] e; rewrite !raised_is.
    pose proof (Rmult_le_compat_l t _ _ t0 (below_tangent mu x u m0)) as hx.
    pose proof (Rmult_le_compat_l (1 - t) _ _ ltac:(lra) (below_tangent mu y u m0)) as hy.
    rewrite e in hx, hy; lra.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import bridge measures gaussian_close.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).

Section Meaning.
Variables (d : measure_display) (T : measurableType d) (P Q : {measure set T -> \bar Re}) (mu : R).
Variables (P1 : P setT = 1) (Q1 : Q setT = 1).

Lemma rates (N : {measure set T -> \bar Re}) E : N setT = 1 -> measurable E ->
  N E = 0 \/ (exists z, N E = rate z) \/ N E = 1.
Proof.
move=> N1 mE; have [p [pE [p0 p1]]] := finite_law _ N1 _ mE.
case: (RIneq.Rle_lt_or_eq_dec _ _ p0) => [p0'|e]; last by left; rewrite pE; congr (_%:E); exact: (esym e).
case: (RIneq.Rle_lt_or_eq_dec _ _ p1) => [p1'|e]; last by right; right; rewrite pE; congr (_%:E); exact: e.
by right; left; have [z zE] := cdf_onto p (conj p0' p1'); exists z; rewrite pE /rate zE.
Qed.

Lemma rate_above_0 z : ~ rate z <= 0.
Proof.
rewrite lee_fin => /RleP h; have h' : Rle (normal_cdf z) zero by exact: h.
by have := cdf_positive z; Lra.lra.
Qed.
Lemma rate_below_1 z : ~ 1 <= rate z.
Proof.
rewrite lee_fin => /RleP h; have h' : Rle one (normal_cdf z) by exact: h.
by have := cdf_below_one z; Lra.lra.
Qed.

(* Phi^-1(Q(E)) <= Phi^-1(P(E)) + mu, with Phi^-1(0) and Phi^-1(1) infinite. *)
Theorem quantiles_move_by_mu : gaussian_close mu P Q <->
  forall E, measurable E ->
    (forall z z', P E = rate z -> Q E = rate z' -> Rle z' (Rdefinitions.Rplus z mu)) /\
    (P E = 0 -> Q E = 0) /\ (Q E = 1 -> P E = 1).
Proof.
split=> [close E mE|h E mE z le].
- split; [|split].
  + move=> z z' PE QE; have := close E mE z; rewrite PE QE Order.POrderTheory.lexx => /(_ isT).
    by rewrite raised_is => /rate_le.
  + move=> PE; have all z : Q E <= rate z.
      have := close E mE (Rdefinitions.Rminus z mu); rewrite PE raised_is.
      have -> : Rdefinitions.Rplus (Rdefinitions.Rminus z mu) mu = z by Lra.lra.
      by apply; rewrite lee_fin; apply/RleP; apply: RIneq.Rlt_le; exact: cdf_positive.
    case: (@rates Q E Q1 mE) => [//|[[z QE]|QE]].
    * have := all (Rdefinitions.Rminus z one); rewrite QE => /rate_le; Lra.lra.
    * by case: (@rate_below_1 zero); rewrite -QE.
  + move=> QE; case: (@rates P E P1 mE) => [PE|[[z PE]|//]].
    * have := close E mE zero; rewrite PE QE => le; case: (@rate_below_1 (Rdefinitions.Rplus zero mu)); apply: le.
      by rewrite lee_fin; apply/RleP; apply: RIneq.Rlt_le; exact: cdf_positive.
    * have := close E mE z; rewrite PE QE Order.POrderTheory.lexx => /(_ isT) le.
      by case: (@rate_below_1 (Rdefinitions.Rplus z mu)).
- have [finite [nothing all]] := h E mE; rewrite raised_is.
  case: (@rates Q E Q1 mE) => [->|[[z' QE]|QE]].
  + by rewrite lee_fin; apply/RleP; apply: RIneq.Rlt_le; exact: cdf_positive.
  + case: (@rates P E P1 mE) => [PE|[[y PE]|PE]].
    * by case: (@rate_above_0 z'); rewrite -QE (nothing PE).
    * have zy := finite _ _ PE QE; move: le; rewrite PE QE => /rate_le yz; apply/rate_le; Lra.lra.
    * by case: (@rate_below_1 z); rewrite -PE.
  + by case: (@rate_below_1 z); rewrite -(all QE).
Qed.

(* An attack that says yes on E: its true positive rate at a false positive rate of Phi(z), and its true negative rate at
   a false negative rate of Phi(z). *)
Theorem rates_of_an_attack : gaussian_close mu P Q -> forall E, measurable E -> forall z,
  (P E = rate z -> Q E <= (gaussian_raised z mu : Re)%:E) /\
  (Q (~` E) = rate z -> P (~` E) <= (gaussian_raised z mu : Re)%:E).
Proof.
move=> close E mE z; split; first by move=> PE; apply: close => //; rewrite PE.
have rest (N : {measure set T -> \bar Re}) (N1 : N setT = 1) : exists p : R, N E = (p : Re)%:E /\ N (~` E) = (Rdefinitions.Rminus one p : Re)%:E /\ Rle zero p.
  have [p [pE [p0 _]]] := finite_law _ N1 _ mE; exists p; split=> //; split=> //.
  have [q [qE _]] := finite_law _ N1 _ (measurableC mE).
  have whole : N setT = N E + N (~` E) by rewrite -(setUv E); exact: (measureU N mE (measurableC mE) (setICr E)).
  have sum' : Rdefinitions.Rplus p q = one by move: whole; rewrite N1 pE qE -EFinD; case.
  rewrite qE.
  by congr (_%:E); Lra.lra.
have [p [pE [pC p0]]] := rest P P1; have [q [qE [qC _]]] := rest Q Q1.
rewrite pC qC => e; have e' : Rdefinitions.Rminus one q = normal_cdf z by case: e.
rewrite lee_fin; apply/RleP; rewrite raised_is; apply: RIneq.Rnot_lt_le => more.
have [y yE] : exists y, normal_cdf y = p \/ Rle p (normal_cdf y) /\ Rlt y (Rdefinitions.Ropp (Rdefinitions.Rplus z mu)).
  have pz : Rlt p (normal_cdf (Rdefinitions.Ropp (Rdefinitions.Rplus z mu))) by rewrite cdf_symmetric; Lra.lra.
  pose m := Rdefinitions.Rdiv (Rdefinitions.Rplus p (normal_cdf (Rdefinitions.Ropp (Rdefinitions.Rplus z mu)))) (Rdefinitions.IZR (BinNums.Zpos (BinNums.xO BinNums.xH))).
  have b1 := cdf_below_one (Rdefinitions.Ropp (Rdefinitions.Rplus z mu)).
  have [y yE] := cdf_onto m ltac:(rewrite /m; Lra.lra).
  exists y; right; split; first by rewrite yE /m; Lra.lra.
  apply: RIneq.Rnot_le_lt => k; have := cdf_rises _ _ k; rewrite yE /m; Lra.lra.
have {}yE : Rle p (normal_cdf y) /\ Rlt y (Rdefinitions.Ropp (Rdefinitions.Rplus z mu)).
  case: yE => // yE; split; first by rewrite yE; exact: RIneq.Rle_refl.
  have pz : Rlt (normal_cdf y) (normal_cdf (Rdefinitions.Ropp (Rdefinitions.Rplus z mu))) by rewrite yE cdf_symmetric; Lra.lra.
  by apply: RIneq.Rnot_le_lt => k; have := cdf_rises _ _ k; Lra.lra.
have [py yz] := yE.
have first : P E <= rate y by rewrite pE lee_fin; apply/RleP.
have := close E mE y first; rewrite qE lee_fin raised_is => /RleP le.
have le' : Rle q (normal_cdf (Rdefinitions.Rplus y mu)) by exact: le.
have := cdf_increases (Rdefinitions.Rplus y mu) (Rdefinitions.Ropp z) ltac:(Lra.lra); rewrite cdf_symmetric; Lra.lra.
Qed.
End Meaning.

(* N(0, 1) and N(mu, 1) attain the bound at every rate. *)
Theorem best_attack (mu : R) : Rle zero mu ->
  gaussian_close mu (normal zero one) (normal mu one) /\
  forall z, exists E, measurable E /\ normal zero one E = rate z /\ normal mu one E = (gaussian_raised z mu : Re)%:E.
Proof.
move=> m0; have o0 : Rlt zero one by Lra.lra.
split; first by apply: shifted_normals => //; rewrite Rbasic_fun.Rabs_pos_eq; Lra.lra.
move=> z; exists (~` up_to (Rdefinitions.Ropp z)); split; first by apply: measurableC; exact: up_to_measurable.
rewrite (half_line zero o0 _).2 (half_line mu o0 _).2 raised_is /rate.
by split; congr (normal_cdf _)%:E; field.
Qed.
