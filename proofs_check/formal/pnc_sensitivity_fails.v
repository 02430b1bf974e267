(* Definition 6.8 of Webb et al. 2025 prints max(0, psi(u) - gamma) for max(psi(0), psi(u) - gamma) in the
   sensitivity of the probably-no-clipping mechanism. psi(x) = ln(x + 1/2) is a neighbor function as Definition
   5.1 wants it. At gamma = 1 and the bound u = 3/4 the printed sensitivity is 1/4, while the values 0 and 3/4
   are close and differ by 3/4: the answers on them are three times as far apart as the noise allows. With psi(0)
   for 0 the sensitivity covers all close values below the bound, for every neighbor function. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From Establish Require Import spec_formulas common neighbor_functions.
Open Scope R_scope.

(* ln lies below its tangents, and exp above its own. *)
Lemma ln_tangent u v : 0 < u -> 0 < v -> ln u - ln v <= (u - v) / v.
Proof.
  intros u0 v0; rewrite <- ln_div by assumption.
  pose proof (exp_ineq1_le (ln (u / v))) as h; rewrite exp_ln in h by (apply Rdiv_lt_0_compat; assumption).
  replace ((u - v) / v) with (u / v - 1) by (field; lra); lra.
Qed.

Lemma exp_tangent s r : exp r * (1 + (s - r)) <= exp s.
Proof.
  replace (exp s) with (exp r * exp (s - r)) by (rewrite <- exp_plus; f_equal; ring).
  apply Rmult_le_compat_l; [left; apply exp_pos|apply exp_ineq1_le].
Qed.

Lemma ln_concave u v t : 0 < u -> 0 < v -> 0 <= t <= 1 ->
  t * ln u + (1 - t) * ln v <= ln (t * u + (1 - t) * v).
Proof.
  intros u0 v0 ht; set (w := t * u + (1 - t) * v).
  assert (w0 : 0 < w) by (unfold w; destruct (Req_dec t 0) as [->|]; nra).
  pose proof (Rmult_le_compat_l t _ _ (proj1 ht) (ln_tangent u w u0 w0)) as hu.
  pose proof (Rmult_le_compat_l (1 - t) _ _ ltac:(lra) (ln_tangent v w v0 w0)) as hv.
  assert (t * ((u - w) / w) + (1 - t) * ((v - w) / w) = 0) by (unfold w; field; unfold w in w0; lra).
  lra.
Qed.

Lemma ln_of_shifted_exp_convex a x y t : 0 < a -> 0 <= t <= 1 ->
  ln (a + exp (t * x + (1 - t) * y)) <= t * ln (a + exp x) + (1 - t) * ln (a + exp y).
Proof.
  intros a0 ht; set (z := t * x + (1 - t) * y); set (p := exp z / (a + exp z)).
  pose proof (exp_pos z) as z0.
  assert (p01 : 0 < p < 1).
  { unfold p; split; [apply Rdiv_lt_0_compat; lra|].
    apply Rmult_lt_reg_r with (a + exp z); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (line : forall w, ln (a + exp z) + p * (w - z) <= ln (a + exp w)).
  { intros w; pose proof (exp_pos w) as w0.
    assert (h : p * (w - z) <= ln ((a + exp w) / (a + exp z))).
    { rewrite <- (ln_exp (p * (w - z))); apply ln_le; [apply exp_pos|].
      assert (share : (a + exp w) / (a + exp z) = p * exp (w - z) + (1 - p)).
      { replace (exp w) with (exp z * exp (w - z)) by (rewrite <- exp_plus; f_equal; ring).
        unfold p; field; lra. }
      rewrite share.
      pose proof (exp_tangent (w - z) (p * (w - z))) as h1; pose proof (exp_tangent 0 (p * (w - z))) as h0.
      rewrite exp_0 in h0.
      apply (Rmult_le_compat_l p) in h1; [|lra]; apply (Rmult_le_compat_l (1 - p)) in h0; [|lra].
      apply Rle_trans with (2 := Rplus_le_compat _ _ _ _ h1 (eq_ind_r (fun k => _ <= k) h0 (eq_sym (Rmult_1_r _)))).
      right; ring. }
    rewrite ln_div in h by lra; lra. }
  pose proof (Rmult_le_compat_l t _ _ (proj1 ht) (line x)) as hx.
  pose proof (Rmult_le_compat_l (1 - t) _ _ ltac:(lra) (line y)) as hy.
  assert (t * (p * (x - z)) + (1 - t) * (p * (y - z)) = 0) by (unfold z; ring).
  lra.
Qed.

Lemma psi_is_a_neighbor_function : neighbor_function logarithm_half_value.
Proof.
  unfold logarithm_half_value; split; [|split; [|split]].
  - intros x y h; apply ln_increasing; lra.
  - intros x x0 e e0.
    assert (c : continuity_pt (fun y => ln (1 / 2 + y)) x).
    { apply derivable_continuous_pt; exists (/ (1 / 2 + x) * (0 + 1)).
      apply (derivable_pt_lim_comp (fun y => 1 / 2 + y) ln).
      - apply derivable_pt_lim_plus; [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
      - apply derivable_pt_lim_ln; lra. }
    destruct (c e e0) as (d & d0 & h); exists d; split; [exact d0|].
    intros y _ near; destruct (Req_dec x y) as [<-|ne]; [rewrite Rminus_eq_0, Rabs_R0; exact e0|].
    apply h; split; [split; [exact I|exact ne]|exact near].
  - intros x y t x0 y0 ht.
    replace (1 / 2 + (t * x + (1 - t) * y)) with (t * (1 / 2 + x) + (1 - t) * (1 / 2 + y)) by field.
    apply ln_concave; lra.
  - intros x y t ht; apply ln_of_shifted_exp_convex; lra.
Qed.

Lemma values_0_and_3_4_are_close : Rabs (logarithm_half_value 0 - logarithm_half_value (3 / 4)) <= 1.
Proof. unfold logarithm_half_value; interval. Qed.

Theorem printed_sensitivity_is_too_small :
  neighbor_function logarithm_half_value /\
  pnc_published_sensitivity (3 / 4) 1 = 1 / 4 /\
  exists x y, close logarithm_half_value 1 x y /\ x <= 3 / 4 /\ y <= 3 / 4 /\
    Rabs (x - y) = 3 * pnc_published_sensitivity (3 / 4) 1.
Proof.
  assert (is : pnc_published_sensitivity (3 / 4) 1 = 1 / 4).
  { unfold pnc_published_sensitivity; rewrite Rmax_left, exp_0 by interval; lra. }
  split; [exact psi_is_a_neighbor_function|split; [exact is|]].
  exists 0, (3 / 4); rewrite is; unfold close.
  repeat split; try lra; [exact values_0_and_3_4_are_close|]. rewrite Rabs_left by lra; lra.
Qed.

(* The reading that is meant, with the lower end L of the values close to u: psi(L) = max(psi(0), psi(u) - gamma). *)
Theorem sensitivity_from_psi_of_zero (psi : R -> R) (gamma u low : R) :
  neighbor_function psi -> 0 <= low -> psi low = Rmax (psi 0) (psi u - gamma) ->
  forall x y, close psi gamma x y -> x <= u -> y <= u -> Rabs (x - y) <= u - low.
Proof.
  intros (rise & _ & concave & _) low0 is.
  assert (le : forall x y, 0 <= x -> x <= y -> psi x <= psi y).
  { intros x y x0 [h| ->]; [left; apply rise; lra|right; reflexivity]. }
  assert (one : forall x y, 0 <= y -> y <= x -> x <= u -> psi x - psi y <= gamma -> x - y <= u - low).
  { intros x y y0 yx xu near; destruct (Rle_dec low (y + u - x)) as [h|h]; [lra|exfalso].
    assert (up : psi (y + u - x) < psi low) by (apply rise; lra).
    assert (p0 : psi 0 <= psi (y + u - x)) by (apply le; lra).
    assert (sum : psi y + psi u <= psi x + psi (y + u - x)).
    { destruct (Req_dec y u) as [e|e]; [subst; replace x with u by lra; replace (u + u - u) with u by ring; lra|].
      pose (t := (u - x) / (u - y)).
      assert (ht : 0 <= t <= 1).
      { unfold t; split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
        apply Rmult_le_reg_r with (u - y); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra. }
      pose proof (concave y u t y0 ltac:(lra) ht) as a.
      pose proof (concave y u (1 - t) y0 ltac:(lra) ltac:(lra)) as b.
      replace (t * y + (1 - t) * u) with x in a by (unfold t; field; lra).
      replace ((1 - t) * y + (1 - (1 - t)) * u) with (y + u - x) in b by (unfold t; field; lra).
      lra. }
    rewrite is in up.
    unfold Rmax in up; destruct (Rle_dec (psi 0) (psi u - gamma)); lra. }
  intros x y (x0 & y0 & near) xu yu; pose proof (Rle_abs (psi x - psi y)).
  pose proof (Rle_abs (- (psi x - psi y))) as k; rewrite Rabs_Ropp in k.
  destruct (Rle_dec y x).
  - rewrite Rabs_pos_eq by lra; apply one; lra.
  - rewrite Rabs_left by lra; replace (- (x - y)) with (y - x) by ring; apply one; lra.
Qed.
