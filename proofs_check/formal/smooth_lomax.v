(* Smooth Lomax: n + S Z, where the density of Z falls as (1 + |z|/theta)^(-p), is private exactly as far as three
   numbers are at most epsilon; the power and width of spec/ make them so. *)
From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace smooth_sensitivity.
Open Scope R_scope.

(* ln u >= 1 - 1/u. *)
Lemma ln_tangent u : 0 < u -> 1 - / u <= ln u.
Proof.
  intros p; pose proof (exp_ineq1_le (- ln u)) as h; rewrite exp_Ropp, exp_ln in h by exact p; lra.
Qed.

(* The inequality of sums of logarithms, for two terms. *)
Lemma log_sum x y : 0 < x -> 0 < y -> (x + 1) * (ln (x + 1) - ln (y + 1)) <= x * (ln x - ln y).
Proof.
  intros x0 y0.
  pose proof (ln_tangent (x * (y + 1) / (y * (x + 1))) ltac:(apply Rdiv_lt_0_compat; nra)) as h.
  pose proof (ln_tangent ((y + 1) / (x + 1)) ltac:(apply Rdiv_lt_0_compat; lra)) as k.
  rewrite ln_div, !ln_mult in h by nra; rewrite ln_div in k by lra.
  replace (/ (x * (y + 1) / (y * (x + 1)))) with (y * (x + 1) / (x * (y + 1))) in h by (field; lra).
  replace (/ ((y + 1) / (x + 1))) with ((x + 1) / (y + 1)) in k by (field; lra).
  assert (hx : x * (1 - y * (x + 1) / (x * (y + 1))) <= x * (ln x + ln (y + 1) - (ln y + ln (x + 1))))
    by (apply Rmult_le_compat_l; lra).
  replace (x * (1 - y * (x + 1) / (x * (y + 1)))) with (x - y * (x + 1) / (y + 1)) in hx by (field; lra).
  assert (e : y * (x + 1) / (y + 1) + (x + 1) / (y + 1) = x + 1) by (field; lra).
  nra.
Qed.

Section Loss.
Variables growth power width epsilon : R.
Variable g1 : 1 <= growth.
Variable p1 : 1 < power.
Variable w0 : 0 < width.
(* What a slide by one scale costs, what it costs with a stretch by the growth, and what far outputs cost. *)
Variable slide : power * ln (1 + 1 / width) <= epsilon.
Variable stretch : ln growth + power * ln (1 + 1 / (growth * width)) <= epsilon.
Variable far : (power - 1) * ln growth <= epsilon.

(* What a slide by one scale costs with a stretch by m. *)
Definition cost (m : R) : R := ln m + power * ln (1 + 1 / (m * width)).

Lemma cost_is m : 0 < m -> cost m = ln m + power * (ln (m * width + 1) - ln m - ln width).
Proof.
  intros m0; unfold cost; assert (0 < m * width) by (apply Rmult_lt_0_compat; lra).
  replace (1 + 1 / (m * width)) with ((m * width + 1) / (m * width)) by (field; lra).
  rewrite ln_div, ln_mult by lra; ring.
Qed.

(* It falls and then rises, so it is largest at an end. *)
Lemma cost_between m : 1 <= m <= growth -> cost m <= epsilon.
Proof.
  intros [m1 mg].
  assert (mw : 0 < m * width) by (apply Rmult_lt_0_compat; lra).
  assert (gw : 0 < growth * width) by (apply Rmult_lt_0_compat; lra).
  destruct (Rle_dec (m * width + 1) power) as [low|high].
  - apply Rle_trans with (cost 1).
    2: { unfold cost; rewrite ln_1, Rmult_1_l, Rplus_0_l; exact slide. }
    rewrite !cost_is, Rmult_1_l, ln_1 by lra.
    pose proof (log_sum (m * width) width mw w0) as h; rewrite ln_mult in h by lra.
    assert (0 <= ln m) by (apply ln_nonneg; lra).
    assert (up : 0 <= ln m - (ln (m * width + 1) - ln (width + 1))).
    { assert (ln (m * width + 1) <= ln (m * (width + 1))) as q by (apply ln_le; nra).
      rewrite ln_mult in q by lra; lra. }
    assert ((m * width + 1) * (ln m - (ln (m * width + 1) - ln (width + 1)))
      <= power * (ln m - (ln (m * width + 1) - ln (width + 1)))) by (apply Rmult_le_compat_r; lra).
    nra.
  - apply Rle_trans with (cost growth); [|exact stretch].
    rewrite !cost_is by lra.
    pose proof (log_sum (m * width) (growth * width) mw gw) as h; rewrite !ln_mult in h by lra.
    assert (up : 0 <= (ln growth - ln m) - (ln (growth * width + 1) - ln (m * width + 1))).
    { assert (ln ((growth * width + 1) * m) <= ln (growth * (m * width + 1))) as q by (apply ln_le; nra).
      rewrite !ln_mult in q by lra; lra. }
    assert (power * ((ln growth - ln m) - (ln (growth * width + 1) - ln (m * width + 1)))
      <= (m * width + 1) * ((ln growth - ln m) - (ln (growth * width + 1) - ln (m * width + 1))))
      by (apply Rmult_le_compat_r; lra).
    nra.
Qed.

Definition size (o center scale : R) : R := 1 + Rabs ((o - center) / scale) / width.

Lemma size_is o center scale : 0 < scale -> size o center scale = (scale * width + Rabs (o - center)) / (scale * width).
Proof.
  intros s0; unfold size, Rdiv at 2; rewrite Rabs_mult, (Rabs_pos_eq (/ scale)) by (left; apply Rinv_0_lt_compat, s0).
  field; lra.
Qed.

Lemma size_pos o center scale : 0 < scale -> 0 < size o center scale.
Proof.
  intros s0; rewrite size_is by exact s0; pose proof (Rabs_pos (o - center)).
  assert (0 < scale * width) by (apply Rmult_lt_0_compat; lra); apply Rdiv_lt_0_compat; lra.
Qed.

Lemma located_is o center scale : lomax_located_log_density o center scale power width =
  ln ((power - 1) / (2 * width)) - power * ln (size o center scale) - ln scale.
Proof. unfold lomax_located_log_density, size; ring. Qed.

Section Neighbors.
Variables o n m s t : R.
Variable s0 : 0 < s.
Variable st : s <= t.
Variable tg : t <= growth * s.
Variable nm : Rabs (n - m) <= s.

Lemma distances : Rabs (o - m) <= Rabs (o - n) + s /\ Rabs (o - n) <= Rabs (o - m) + s.
Proof.
  pose proof (abs_shift m n o) as h; pose proof (abs_shift n m o) as k.
  rewrite (Rabs_minus_sym m n) in h.
  rewrite (Rabs_minus_sym o m), (Rabs_minus_sym o n); lra.
Qed.

Lemma towards_larger :
  lomax_located_log_density o n s power width - lomax_located_log_density o m t power width <= epsilon.
Proof.
  destruct distances as [up _]; rewrite !located_is.
  assert (t0 : 0 < t) by lra.
  assert (m1 : 1 <= t / s <= growth).
  { split; [apply Rle_div_r; lra|apply Rle_div_l; lra]. }
  pose proof (cost_between _ m1) as c; unfold cost in c; rewrite (ln_div t s) in c by lra.
  assert (q : size o m t <= size o n s * (1 + 1 / (t / s * width))).
  { rewrite !size_is by lra; pose proof (Rabs_pos (o - n)); pose proof (Rabs_pos (o - m)).
    set (x := Rabs (o - n)) in *; set (y := Rabs (o - m)) in *.
    apply Rmult_le_reg_r with (s * width * (t * width)); [repeat apply Rmult_lt_0_compat; lra|].
    replace ((t * width + y) / (t * width) * (s * width * (t * width))) with ((t * width + y) * (s * width)) by (field; lra).
    replace ((s * width + x) / (s * width) * (1 + 1 / (t / s * width)) * (s * width * (t * width)))
      with ((s * width + x) * (t * width + s)) by (field; lra).
    assert (y * (s * width) <= (x + s) * (s * width)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
    assert (x * (s * width) <= x * (t * width)) by (apply Rmult_le_compat_l, Rmult_le_compat_r; lra).
    assert (0 <= x * s) by (apply Rmult_le_pos; lra); nra. }
  assert (pos : 0 < 1 + 1 / (t / s * width)).
  { assert (0 < 1 / (t / s * width)); [|lra].
    apply Rdiv_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]. }
  apply ln_le in q; [|apply size_pos; lra].
  rewrite ln_mult in q by (try apply size_pos; lra).
  assert (power * ln (size o m t) <= power * (ln (size o n s) + ln (1 + 1 / (t / s * width))))
    by (apply Rmult_le_compat_l; lra).
  lra.
Qed.

Lemma towards_smaller :
  lomax_located_log_density o m t power width - lomax_located_log_density o n s power width <= epsilon.
Proof.
  destruct distances as [_ down]; rewrite !located_is.
  assert (t0 : 0 < t) by lra.
  pose proof (Rabs_pos (o - n)); pose proof (Rabs_pos (o - m)).
  assert (l : ln s <= ln t) by (apply ln_le; lra).
  destruct (Rle_dec (t * width) (s * width + s)) as [near|away].
  - assert (q : size o n s <= size o m t * (1 + 1 / width)).
    { rewrite !size_is by lra; set (x := Rabs (o - n)) in *; set (y := Rabs (o - m)) in *.
      apply Rmult_le_reg_r with (s * width * (t * width)); [repeat apply Rmult_lt_0_compat; lra|].
      replace ((s * width + x) / (s * width) * (s * width * (t * width))) with ((s * width + x) * (t * width)) by (field; lra).
      replace ((t * width + y) / (t * width) * (1 + 1 / width) * (s * width * (t * width)))
        with ((t * width + y) * (s * width + s)) by (field; lra).
      assert (x * (t * width) <= (y + s) * (t * width)) by (apply Rmult_le_compat_r; [apply Rmult_le_pos|]; lra).
      assert (y * (t * width) <= y * (s * width + s)) by (apply Rmult_le_compat_l; lra); nra. }
    assert (pos : 0 < 1 + 1 / width) by (assert (0 < 1 / width) by (apply Rdiv_lt_0_compat; lra); lra).
    apply ln_le in q; [|apply size_pos; lra].
    rewrite ln_mult in q by (try apply size_pos; lra).
    assert (power * ln (size o n s) <= power * (ln (size o m t) + ln (1 + 1 / width)))
      by (apply Rmult_le_compat_l; lra).
    lra.
  - assert (q : size o n s <= size o m t * (t / s)).
    { rewrite !size_is by lra; set (x := Rabs (o - n)) in *; set (y := Rabs (o - m)) in *.
      replace ((t * width + y) / (t * width) * (t / s)) with ((t * width + y) / (s * width)) by (field; lra).
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|lra]. }
    apply ln_le in q; [|apply size_pos; lra].
    rewrite ln_mult, ln_div in q by (try apply size_pos; try apply Rdiv_lt_0_compat; lra).
    assert (power * ln (size o n s) <= power * (ln (size o m t) + (ln t - ln s)))
      by (apply Rmult_le_compat_l; lra).
    assert (ln t <= ln (growth * s)) as k by (apply ln_le; lra).
    rewrite ln_mult in k by lra.
    assert ((power - 1) * (ln t - ln s) <= (power - 1) * ln growth) by (apply Rmult_le_compat_l; lra).
    lra.
Qed.
End Neighbors.
End Loss.

(* What the power and the width of spec/ make of the three conditions. *)
Section Parameters.
Variables alpha epsilon : R.
Variable a0 : 0 < alpha.
Variable enough : ln (1 + alpha) < epsilon.
Let p := lomax_power alpha epsilon.
Let theta := lomax_width alpha epsilon.

Lemma power_above : 1 < p /\ (p - 1) * ln (1 + alpha) = epsilon.
Proof.
  pose proof (ln_pos (1 + alpha) ltac:(lra)); unfold p, lomax_power; split.
  - assert (0 < epsilon / ln (1 + alpha)) by (apply Rdiv_lt_0_compat; lra); lra.
  - field; lra.
Qed.

Lemma exp_above x : 0 < x -> 0 < exp x - 1.
Proof. intros h; apply exp_increasing in h; rewrite exp_0 in h; lra. Qed.

Lemma width_pos : 0 < theta.
Proof.
  pose proof power_above as [p1 _]; pose proof (ln_pos (1 + alpha) ltac:(lra)).
  unfold theta, lomax_width; fold (lomax_power alpha epsilon); fold p; eapply Rlt_le_trans; [|apply Rmax_l].
  apply Rdiv_lt_0_compat; [lra|apply exp_above, Rdiv_lt_0_compat; lra].
Qed.

(* theta >= 1/(g (e^x - 1)) gives ln(1 + 1/(g theta)) <= x. *)
Lemma wide_enough g x : 0 < g -> 0 < x -> 1 / (g * (exp x - 1)) <= theta -> ln (1 + 1 / (g * theta)) <= x.
Proof.
  intros g0 x0 h; pose proof (exp_above x x0) as e; pose proof width_pos as w.
  rewrite <- (ln_exp x); apply ln_le.
  - assert (0 < 1 / (g * theta)); [|lra]; apply Rdiv_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra].
  - assert (1 / (g * theta) <= exp x - 1); [|lra].
    apply Rle_div_l; [apply Rmult_lt_0_compat; lra|]; apply Rle_div_l in h; [nra|apply Rmult_lt_0_compat; lra].
Qed.

Lemma three_conditions : p * ln (1 + 1 / theta) <= epsilon /\
  ln (1 + alpha) + p * ln (1 + 1 / ((1 + alpha) * theta)) <= epsilon /\ (p - 1) * ln (1 + alpha) <= epsilon.
Proof.
  pose proof power_above as [p1 e]; pose proof (ln_pos (1 + alpha) ltac:(lra)) as l.
  assert (within : forall x, p * (x / p) = x) by (intros; field; lra).
  split; [|split; [|lra]].
  - rewrite <- (within epsilon); apply Rmult_le_compat_l; [lra|].
    rewrite <- (Rmult_1_l theta); apply wide_enough; [lra|apply Rdiv_lt_0_compat; lra|].
    rewrite Rmult_1_l; apply Rmax_l.
  - assert (p * ln (1 + 1 / ((1 + alpha) * theta)) <= p * ((epsilon - ln (1 + alpha)) / p)); [|rewrite within in *; lra].
    apply Rmult_le_compat_l; [lra|].
    apply wide_enough; [lra|apply Rdiv_lt_0_compat; lra|apply Rmax_r].
Qed.
End Parameters.

Section SmoothLomax.
Variables (A V : Type).
(* The density of n + S Z on D, with n the count of a cell and S = max(alpha x, 1) for its largest establishment. *)
Definition smooth_lomax (alpha power width : R) (q : cell A V) (D : dataset A V) (o : R) : R :=
  exp (lomax_located_log_density o (count q D) (smooth_bound alpha (contributions q D)) power width).

Lemma smooth_lomax_continuous alpha power width q D o : 0 < width -> continuous (smooth_lomax alpha power width q D) o.
Proof.
  intros w0; pose proof (smooth_bound_pos alpha (contributions q D)) as s0.
  apply exp_continuous; unfold lomax_located_log_density.
  apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply (continuous_plus (V := R_NormedModule)); [apply continuous_const|].
  apply (continuous_mult (K := R_AbsRing)); [apply continuous_const|].
  apply ln_continuous; [apply (size_pos width w0 o), s0|].
  apply (continuous_plus (V := R_NormedModule)); [apply continuous_const|].
  apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply abs_continuous; apply (continuous_mult (K := R_AbsRing) (fun x => x - count q D)); [|apply continuous_const].
  apply continuous_to_continuity; reg.
Qed.

Lemma smooth_lomax_lawful alpha power width q D : 0 < width -> lawful m_infty (smooth_lomax alpha power width q D).
Proof.
  intros w0; apply continuous_is_lawful; [intros o _|intros o _; left; apply exp_pos].
  apply continuous_to_continuity, smooth_lomax_continuous, w0.
Qed.

(* Private for every power and width that the three conditions allow. *)
Theorem private_under_three_conditions alpha power width epsilon : 0 < alpha -> 1 < power -> 0 < width ->
  power * ln (1 + 1 / width) <= epsilon ->
  ln (1 + alpha) + power * ln (1 + 1 / ((1 + alpha) * width)) <= epsilon -> (power - 1) * ln (1 + alpha) <= epsilon ->
  (forall b, private (strong_neighbors alpha) m_infty epsilon
    (smooth_lomax alpha power width (establishment_cell (V := V) b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (smooth_lomax alpha power width q)).
Proof.
  intros a0 p1 w0 slide stretch far.
  assert (loss : forall l l' o, one_grows alpha l l' ->
    lomax_located_log_density o (total l) (smooth_bound alpha l) power width
      - lomax_located_log_density o (total l') (smooth_bound alpha l') power width <= epsilon /\
    lomax_located_log_density o (total l') (smooth_bound alpha l') power width
      - lomax_located_log_density o (total l) (smooth_bound alpha l) power width <= epsilon).
  { intros l l' o g; pose proof (smooth_bound_pos alpha l) as s0.
    destruct (one_step_bounds alpha l l' a0 g) as [slid [low high]].
    assert (nm : Rabs (total l - total l') <= smooth_bound alpha l) by (apply Rabs_le; lra).
    split; [apply (towards_larger (1 + alpha))|apply (towards_smaller (1 + alpha))]; assumption || lra. }
  split; [intros b|intros q]; (apply bound_at_every_output; [intros D; apply smooth_lomax_lawful, w0|]);
    intros D D' o near _; apply exp_ratio.
  - destruct (strong_lists A V alpha b D D' near) as [h|h]; apply loss with (1 := h).
  - destruct (weak_lists A V alpha q D D' near) as [h|h]; apply loss with (1 := h).
Qed.

Theorem smooth_lomax_is_private alpha epsilon : 0 < alpha -> ln (1 + alpha) < epsilon ->
  let release := smooth_lomax alpha (lomax_power alpha epsilon) (lomax_width alpha epsilon) in
  (forall b, private (strong_neighbors alpha) m_infty epsilon (release (establishment_cell (V := V) b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (release q)).
Proof.
  intros a0 e0 release; destruct (three_conditions alpha epsilon a0 e0) as (i & j & k).
  apply private_under_three_conditions; auto using width_pos.
  apply power_above; assumption.
Qed.
End SmoothLomax.

Arguments smooth_lomax {A V}.
