(* Algorithm 3 of Haney et al. 2017, Smooth Laplace, at its exact delta: (alpha, epsilon, delta)-private for every Borel
   set of outputs, wherever delta is at least the exact one and the loss in the other order is at most epsilon. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge pieces smooth_sensitivity log_laplace laplace_normalized.
From Establish Require Import smooth_laplace smooth_laplace_tails lebesgue_laws.
Open Scope R_scope.

(* In units of the smaller dataset's noise the count moves by epsilon/2 at most, and the scale grows by 1 + alpha at most. *)
Definition noise_scale (alpha epsilon : R) (l : list R) : R := growth_bound (largest l) alpha * smooth_laplace_noise_multiplier epsilon.

Lemma neighbors_in_noise_units alpha epsilon l l' : 0 < alpha -> 0 < epsilon -> one_grows alpha l l' ->
  0 < noise_scale alpha epsilon l /\ exists d m, 0 <= d <= epsilon / 2 /\ 1 <= m <= 1 + alpha /\
  total l' = total l + d * noise_scale alpha epsilon l /\ noise_scale alpha epsilon l' = m * noise_scale alpha epsilon l.
Proof.
  intros a0 e0 grows; destruct (one_step_bounds alpha l l' a0 grows) as [moved grown].
  pose proof (smooth_bound_pos alpha l) as s0; unfold smooth_bound in *; unfold noise_scale, smooth_laplace_noise_multiplier.
  set (s := growth_bound (largest l) alpha) in *; set (s' := growth_bound (largest l') alpha) in *.
  assert (k0 : 0 < 2 / epsilon) by (apply Rdiv_lt_0_compat; lra).
  split; [apply Rmult_lt_0_compat; assumption|].
  exists ((total l' - total l) / (s * (2 / epsilon))), (s' / s); split; [|split; [|split; field; lra]].
  - split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra]|].
    apply Rmult_le_reg_r with (s * (2 / epsilon)); [apply Rmult_lt_0_compat; lra|].
    replace ((total l' - total l) / (s * (2 / epsilon)) * (s * (2 / epsilon))) with (total l' - total l) by (field; lra).
    replace (epsilon / 2 * (s * (2 / epsilon))) with s by (field; lra); lra.
  - split; apply Rmult_le_reg_r with s; try exact s0; replace (s' / s * s) with s' by (field; lra); lra.
Qed.

Lemma laplace_is_lawful c s : lawful m_infty (laplace_density c s).
Proof.
  apply borel_is_lawful; [|intros o; left; apply exp_pos].
  apply continuous_is_borel; intros o; apply continuous_to_continuity; apply laplace_density_continuous.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import lebesgue_measure lebesgue_integral.
From Establish Require Import measures lebesgue_is_riemann smooth_tails.
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

(* P(M(D) in E) <= e^epsilon P(M(D') in E) + delta, for all neighbors and Borel sets E of outputs. *)
Definition private_with_slack (dataset : Type) (neighbors : dataset -> dataset -> Prop) (epsilon delta : R)
    (M : dataset -> R -> R) : Prop :=
  (forall D, lawful Rbar.m_infty (M D)) /\ forall D D', neighbors D D' -> forall E, borel E ->
  probability (M D) E <= factor epsilon * probability (M D') E + (delta : Re)%:E.

Lemma whole (c s : R) : Rlt zero s -> probability (laplace_density c s) (fun _ => True) = 1.
Proof. by move=> s0; have [all _] := laplace_noise_has_probability_one c s0. Qed.

Lemma mass_outside (c s l u : R) : Rlt zero s -> Rle l u -> probability (laplace_density c s) (fun o => ~ between l u o) =
  (Rdefinitions.Rminus one (Rdefinitions.Rminus (laplace_cdf u c s) (laplace_cdf l c s)) : Re)%:E.
Proof.
move=> s0 lu; have [_ mid] := laplace_noise_has_probability_one c s0; have lf := laplace_is_lawful c s.
have mB := measurable_between l u; have le1 : probability (laplace_density c s) (fun _ => True) <= 1 by rewrite whole.
have := in_two lf measurableT mB; rewrite !setTI (whole c s0) (mid _ _ lu) (number lf le1 (measurableC mB)).
move: (fine _) => x; case=> h; congr (_%:E).
have {}h : one = Rdefinitions.Rplus (Rdefinitions.Rminus (laplace_cdf u c s) (laplace_cdf l c s)) x by exact: h.
by rewrite h; Lra.lra.
Qed.

Lemma without_tails (f g : R -> R) (epsilon delta : R) (E : R -> Prop) : lawful Rbar.m_infty f -> lawful Rbar.m_infty g ->
  Rle zero delta -> borel E -> (forall o, Rle (f o) (Rdefinitions.Rmult (Rtrigo_def.exp epsilon) (g o))) ->
  probability f E <= factor epsilon * probability g E + (delta : Re)%:E.
Proof.
move=> lf lg d0 mE le; rewrite -[X in X <= _]adde0; apply: lee_add; last by rewrite lee_fin; apply/RleP.
apply: at_most_on => //; by apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
Qed.

Section Pair.
Variables (alpha epsilon delta c s d m : R) (a0 : Rlt zero alpha) (e0 : Rlt zero epsilon) (s0 : Rlt zero s).
Variable moved : Rle zero d /\ Rle d (Rdefinitions.Rdiv epsilon (Rdefinitions.IZR (BinNums.Zpos (BinNums.xO BinNums.xH)))).
Variable grown : Rle one m /\ Rle m (Rdefinitions.Rplus one alpha).
Variable exact_ : Rle (smooth_laplace_exact_delta alpha epsilon) delta.
Variable opposite : Rle (smooth_laplace_opposite_loss alpha epsilon) epsilon.
Let p := laplace_density c s.
Let q := laplace_density (Rdefinitions.Rplus c (Rdefinitions.Rmult d s)) (Rdefinitions.Rmult m s).

Let d0 : Rle zero delta.
Proof. by apply: (RIneq.Rle_trans _ _ _ _ exact_); apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos. Qed.
Let ms0 : Rlt zero (Rdefinitions.Rmult m s).
Proof. by apply: RIneq.Rmult_lt_0_compat => //; move: grown; Lra.lra. Qed.

Lemma smaller_first E : borel E -> probability p E <= factor epsilon * probability q E + (delta : Re)%:E.
Proof.
move=> mE; apply: without_tails => //; try exact: laplace_is_lawful.
by move=> o; exact: (opposite_order _ _ _ _ _ _ a0 e0 s0 moved grown o opposite).
Qed.

Lemma larger_first E : borel E -> probability q E <= factor epsilon * probability p E + (delta : Re)%:E.
Proof.
move=> mE; case: (RIneq.Rle_lt_or_eq_dec _ _ grown.1) => [more|same]; last first.
  apply: without_tails => //; try exact: laplace_is_lawful.
  by move=> o; exact: (same_scale _ _ _ _ _ _ e0 s0 moved grown o (esym same)).
have [low0 high0] := tails_lie_apart _ _ _ _ e0 moved grown more.
apply: (@tails_hold_all p q epsilon delta (in_tails epsilon c s d m)) => //; try exact: laplace_is_lawful.
- by apply: measurableC; exact: measurable_between.
- by move=> o; exact: (loss_in_tails _ _ _ _ _ _ e0 s0 moved grown more o).
- by move=> o /contrapT; exact: (loss_elsewhere _ _ _ _ _ _ e0 s0 moved grown more o).
- by rewrite whole.
- by rewrite whole.
have lu : Rle (Rdefinitions.Rplus c (Rdefinitions.Rmult (low epsilon d m) s)) (Rdefinitions.Rplus c (Rdefinitions.Rmult (high epsilon d m) s)).
  by apply: RIneq.Rplus_le_compat_l; apply: RIneq.Rmult_le_compat_r; [exact: RIneq.Rlt_le|move: moved; Lra.lra].
rewrite !mass_outside //.
have more_there := excess_is _ _ c _ _ _ e0 s0 moved grown more.
have far := farthest_neighbor _ _ _ _ a0 e0 moved (conj more grown.2).
have h : Rle (outside epsilon c s d m (Rdefinitions.Rplus c (Rdefinitions.Rmult d s)) (Rdefinitions.Rmult m s))
  (Rdefinitions.Rplus (Rdefinitions.Rmult (Rtrigo_def.exp epsilon) (outside epsilon c s d m c s)) delta) by move: more_there far exact_; Lra.lra.
by move/RleP: h.
Qed.
End Pair.

Theorem smooth_laplace_is_private (A V : Type) (alpha epsilon delta : R) : Rlt zero alpha -> Rlt zero epsilon ->
  Rle (smooth_laplace_exact_delta alpha epsilon) delta -> Rle (smooth_laplace_opposite_loss alpha epsilon) epsilon ->
  let M := fun (q : cell A V) => smooth_laplace alpha epsilon q in
  (forall q D, probability (M q D) (fun _ => True) = 1) /\
  (forall b, private_with_slack (strong_neighbors alpha) epsilon delta (M (establishment_cell b))) /\
  (forall q, private_with_slack (weak_neighbors alpha) epsilon delta (M q)).
Proof.
move=> a0 e0 exact_ opposite M.
have is_ q D : M q D = laplace_density (datasets.total (contributions q D)) (noise_scale alpha epsilon (contributions q D)) by [].
have both q D D' : (one_grows alpha (contributions q D) (contributions q D') \/ one_grows alpha (contributions q D') (contributions q D)) ->
    forall E, borel E -> probability (M q D) E <= factor epsilon * probability (M q D') E + (delta : Re)%:E.
  case=> grows E mE; have [s0 [d [m [moved [grown [at_ stretched]]]]]] := neighbors_in_noise_units _ _ _ _ a0 e0 grows;
    rewrite !is_ at_ stretched.
  - exact: (@smaller_first alpha epsilon delta _ _ d m a0 e0 s0 moved grown exact_ opposite E mE).
  - exact: (@larger_first alpha epsilon delta _ _ d m a0 e0 s0 moved grown exact_ E mE).
split; last split.
- move=> q D; apply: whole; apply: RIneq.Rmult_lt_0_compat; first exact: smooth_bound_pos.
  by apply: RIneq.Rdiv_lt_0_compat => //; Lra.lra.
- by move=> b; split=> [D|D D' near]; [exact: laplace_is_lawful|apply: both; exact: strong_lists].
- by move=> q; split=> [D|D D' near]; [exact: laplace_is_lawful|apply: both; exact: weak_lists].
Qed.
