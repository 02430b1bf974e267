(* Rules on laws of several coordinates and on means: coordinatewise, added_up and by_chebyshev. *)
From Coq Require Import Reals Lra Lia List.
Import ListNotations.
From Establish Require Import common comparisons.
Local Open Scope R_scope.

(* Finitely many coordinates, each of them listed once. *)
Definition added {coordinate : Type} (coordinates : list coordinate) (f : coordinate -> R) : R :=
  fold_right (fun i s => f i + s) 0 coordinates.
Lemma added_le {coordinate : Type} (coordinates : list coordinate) f g c :
  (forall i, f i - g i <= c i) -> added coordinates f - added coordinates g <= added coordinates c.
Proof. intros le; induction coordinates as [|i l IH]; unfold added in *; simpl; [lra|pose proof (le i); lra]. Qed.
Lemma added_scaled {coordinate : Type} (coordinates : list coordinate) f c :
  added coordinates (fun i => c * f i) = c * added coordinates f.
Proof. unfold added; induction coordinates as [|i l IH]; simpl; [ring|rewrite IH; ring]. Qed.

(* What one coordinate loses in proportion to its distance, all of them lose at most at the sensitivity. *)
Lemma all_coordinates {parameters coordinate : Type} (domain : parameters -> Prop) (log_density : parameters -> R -> R -> R)
    (level sensitivity : parameters -> R) (coordinates : list coordinate) :
  stated (fun v : parameters * R * R * R => domain (fst (fst (fst v))))
    (fun v => let '(p, x, y, o) := v in log_density p x o - log_density p y o) at_most
    (fun v => let '(p, x, y, o) := v in level p * Rabs (x - y) / sensitivity p) ->
  stated domain (fun _ => 0) less sensitivity -> stated domain (fun _ => 0) at_most level ->
  forall p (x y o : coordinate -> R), domain p -> added coordinates (fun i => Rabs (x i - y i)) <= sensitivity p ->
  added coordinates (fun i => log_density p (x i) (o i)) - added coordinates (fun i => log_density p (y i) (o i)) <= level p.
Proof.
  intros loss positive allowed p x y o inside near.
  pose proof (positive p inside : 0 < sensitivity p) as s0; pose proof (allowed p inside : 0 <= level p) as l0.
  apply Rle_trans with (added coordinates (fun i => level p / sensitivity p * Rabs (x i - y i))).
  - apply added_le; intros i; pose proof (loss (p, x i, y i, o i) inside) as h; simpl in h.
    replace (level p / sensitivity p * Rabs (x i - y i)) with (level p * Rabs (x i - y i) / sensitivity p) by (field; lra); exact h.
  - rewrite added_scaled; apply Rle_trans with (level p / sensitivity p * sensitivity p); [|right; field; lra].
    apply Rmult_le_compat_l; [apply Rmult_le_pos; [exact l0|left; apply Rinv_0_lt_compat, s0]|exact near].
Qed.

(* Chebyshev's constant: what is at most c/n is at most e from some n on. *)
Lemma falls_below c d e : 0 < d -> 0 < e -> exists far, forall n, far <= n -> c / n <= d * d * e.
Proof.
  intros d0 e0; assert (b0 : 0 < d * d * e) by (repeat apply Rmult_lt_0_compat; assumption).
  exists (Rmax 1 (c / (d * d * e))); intros n far; pose proof (Rmax_l 1 (c / (d * d * e))); pose proof (Rmax_r 1 (c / (d * d * e))).
  apply (Rmult_le_reg_r n); [lra|].
  replace (c / n * n) with (d * d * e * (c / (d * d * e))) by (field; repeat split; lra); apply Rmult_le_compat_l; lra.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat fintype bigop order ssralg ssrnum interval.
From mathcomp Require Import boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import lebesgue_measure lebesgue_integral.
From Establish Require Import bridge measures.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).

Section Outputs.
Variables (d : measure_display) (T : measurableType d).

(* Rule coordinatewise. An output has finitely many coordinates; with respect to some measure both laws have the product
   of the densities of single coordinates, as independent coordinates do. Owed: the log-ratio of two densities around x
   and y is at most the level times |x - y| over the sensitivity, which is positive; the level is not negative. *)
Theorem coordinatewise (parameters coordinate : Type) (domain : parameters -> Prop) (log_density : parameters -> R -> R -> R)
    (level sensitivity : parameters -> R) (coordinates : list coordinate) (mu : {measure set T -> \bar Re})
    (read : T -> coordinate -> R) :
  let joint p x o := Rtrigo_def.exp (added coordinates (fun i => log_density p (x i) (read o i))) : Re in
  let law p x E := \int[mu]_(o in E) (joint p x o)%:E in
  stated (fun v : parameters * R * R * R => domain (Datatypes.fst (Datatypes.fst (Datatypes.fst v))))
    (fun v => let '(p, x, y, o) := v in Rdefinitions.Rminus (log_density p x o) (log_density p y o)) at_most
    (fun v => let '(p, x, y, o) := v in Rdefinitions.Rdiv (Rdefinitions.Rmult (level p) (Rbasic_fun.Rabs (Rdefinitions.Rminus x y))) (sensitivity p)) ->
  stated domain (fun _ => zero) less sensitivity -> stated domain (fun _ => zero) at_most level ->
  (forall p x, domain p -> measurable_fun setT (joint p x)) ->
  forall p x y, domain p -> Rle (added coordinates (fun i => Rbasic_fun.Rabs (Rdefinitions.Rminus (x i) (y i)))) (sensitivity p) ->
  forall E, measurable E -> law p x E <= factor (level p) * law p y E.
Proof.
move=> joint law loss positive allowed borel p x y inside near E mE.
have mj z : measurable_fun E (fun o => (joint p z o)%:E).
  by apply: measurable_funS (measurableT) (@subsetT _ _) _; apply/EFin_measurable_fun; exact: borel.
have j0 z (o : T) : E o -> 0 <= (joint p z o)%:E.
  by move=> _; rewrite lee_fin; apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
apply: (@integral_at_most _ _ _ mu E (joint p x) (joint p y)) => //.
- by apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
- exact: j0.
- exact: j0.
- move=> o _; apply/RleP.
  exact: (common.exp_ratio _ _ _ (all_coordinates _ _ _ _ _ loss positive allowed p x y (read o) inside near)).
Qed.

(* Rule added_up. A sum of d terms, each of which has the mean of the statement on one. *)
Theorem added_up (mu : {measure set T -> \bar Re}) (X : nat -> T -> Re) (closed : Re) :
  (forall i, mu.-integrable setT (EFin \o X i)) -> (forall i, \int[mu]_t (X i t)%:E = closed%:E) ->
  forall m, mu.-integrable setT (fun t => (\sum_(i < m) X i t)%:E) /\ \int[mu]_t (\sum_(i < m) X i t)%:E = (m%:R * closed)%:E.
Proof.
move=> int one; elim=> [|m [IH sum]].
  have none : (fun t : T => (\sum_(i < 0) X i t)%:E) = cst 0 by apply: funext => t; rewrite big_ord0.
  by rewrite none GRing.mul0r integral0; split=> //; exact: integrable0.
have more : (fun t : T => (\sum_(i < m.+1) X i t)%:E) = (fun t => (\sum_(i < m) X i t)%:E + (X m t)%:E).
  by apply: funext => t; rewrite big_ord_recr EFinD.
rewrite more; split; first exact: (integrableD measurableT IH (int m)).
by rewrite (integralD measurableT IH (int m)) sum /= one -EFinD -addn1 GRing.natrD GRing.mulrDl GRing.mul1r.
Qed.

(* Rule by_chebyshev. Laws that depend on a parameter n. Owed: E (f - limit)^2 in closed form, and that it is at most a
   constant over n. *)
Theorem by_chebyshev (laws : R -> {measure set T -> \bar Re}) (gap : R -> T -> Re) (closed : R -> R) (constant : R)
    (domain : R -> Prop) :
  (forall n, measurable_fun setT (gap n)) ->
  (forall n, domain n -> \int[laws n]_t (gap n t * gap n t)%:E = (closed n : Re)%:E) ->
  stated domain closed at_most (fun n => Rdefinitions.Rdiv constant n) ->
  forall far e, Rlt zero far -> Rlt zero e -> exists N, forall n, domain n -> Rle N n ->
  laws n [set t | Rle far (Rbasic_fun.Rabs (gap n t))] <= (e : Re)%:E.
Proof.
move=> mg mean below far e far0 e0; have [N small] := falls_below constant far e far0 e0.
exists N => n inside big; set A := [set t | _].
have mA : measurable A.
  have -> : A = [set t | Rle far (gap n t)] `|` [set t | Rle (gap n t) (Rdefinitions.Ropp far)].
    apply/seteqP; split=> t; rewrite /A /=.
    - by rewrite /Rbasic_fun.Rabs; case: Rbasic_fun.Rcase_abs => _ h; [right; Lra.lra|left].
    - by move=> [h|h]; rewrite /Rbasic_fun.Rabs; case: Rbasic_fun.Rcase_abs => k; Lra.lra.
  apply: measurableU.
  - have := mg n measurableT _ (measurable_itv `[(far : Re), +oo[); rewrite setTI; congr measurable.
    by apply/seteqP; split=> t; rewrite /preimage /= in_itv /= andbT => h; apply/RleP.
  - have := mg n measurableT _ (measurable_itv `]-oo, (Rdefinitions.Ropp far : Re)]); rewrite setTI; congr measurable.
    by apply/seteqP; split=> t; rewrite /preimage /= in_itv /= => h; apply/RleP.
have square0 : (0 < (Rdefinitions.Rmult far far : Re))%R by apply/RltP; exact: RIneq.Rmult_lt_0_compat.
have sq : measurable_fun setT (fun t => (gap n t * gap n t)%:E) by apply/EFin_measurable_fun; exact: measurable_funM.
have sq0 t : setT t -> 0 <= (gap n t * gap n t)%:E by move=> _; rewrite lee_fin; apply/RleP; exact: RIneq.Rle_0_sqr.
have markov : (Rdefinitions.Rmult far far : Re)%:E * laws n A <= \int[laws n]_t (gap n t * gap n t)%:E.
  rewrite -(integral_cst (laws n) mA).
  apply: (@Order.POrderTheory.le_trans _ _ (\int[laws n]_(t in A) (gap n t * gap n t)%:E)).
    apply: ge0_le_integral => //.
    - by move=> t _; rewrite lee_fin; exact: Order.POrderTheory.ltW.
    - exact: measurable_fun_cst.
    - by move=> t _; exact: sq0.
    - exact: measurable_funS measurableT (@subsetT _ _) sq.
    - move=> t tA; rewrite lee_fin; apply/RleP.
      have h : Rle (Rdefinitions.Rmult far far) (Rdefinitions.Rmult (Rbasic_fun.Rabs (gap n t)) (Rbasic_fun.Rabs (gap n t))).
        by apply: RIneq.Rmult_le_compat => //; exact: RIneq.Rlt_le.
      by apply: (RIneq.Rle_trans _ _ _ h); rewrite -Rbasic_fun.Rabs_mult Rbasic_fun.Rabs_pos_eq; [exact: RIneq.Rle_refl|exact: RIneq.Rle_0_sqr].
  exact: subset_integral.
rewrite -(@lee_pmul2l _ (Rdefinitions.Rmult far far : Re)%:E) ?lte_fin //.
apply: (Order.POrderTheory.le_trans markov); rewrite mean // -EFinM lee_fin; apply/RleP.
by apply: (RIneq.Rle_trans _ _ _ (below n inside)); exact: small big.
Qed.
End Outputs.
