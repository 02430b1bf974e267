(* The density of Smooth Lomax has mass 1 around every center, at every scale. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper datasets bridge lebesgue_line growing_parts.
From Establish Require Import smooth_sensitivity smooth_lomax.
Open Scope R_scope.

Section Law.
Variables power width n s : R.
Variable p1 : 1 < power.
Variable w0 : 0 < width.
Variable s0 : 0 < s.
Let f (o : R) : R := exp (lomax_located_log_density o n s power width).
(* The mass beyond a distance d from the center, on one side. *)
Let tail (d : R) : R := exp ((1 - power) * ln (1 + d / (s * width))) / 2.
Let kernel (d : R) : R := (power - 1) / (2 * width) * exp (- power * ln (1 + d / (s * width))) / s.

Lemma size_above d : 0 <= d -> 0 < 1 + d / (s * width).
Proof.
  intros d0; assert (0 < s * width) by (apply Rmult_lt_0_compat; lra).
  assert (0 <= d / (s * width)) by (apply Rmult_le_pos; [exact d0|left; apply Rinv_0_lt_compat; lra]); lra.
Qed.

Lemma density_is o : f o = kernel (Rabs (o - n)).
Proof.
  pose proof (Rabs_pos (o - n)) as d0; pose proof (size_above _ d0).
  unfold f, lomax_located_log_density, kernel.
  replace (Rabs ((o - n) / s) / width) with (Rabs (o - n) / (s * width)).
  2: { unfold Rdiv at 3; rewrite Rabs_mult, (Rabs_pos_eq (/ s)) by (left; apply Rinv_0_lt_compat, s0); field; lra. }
  unfold Rminus at 1; rewrite !exp_plus, exp_Ropp, !exp_ln; [reflexivity|exact s0|].
  apply Rdiv_lt_0_compat; lra.
Qed.

Lemma tail_derivative d : 0 <= d -> is_derive tail d (- kernel d).
Proof.
  intros d0; pose proof (size_above d d0) as z; unfold tail, kernel; auto_derive; [exact z|].
  assert (sw : 0 < s * width) by (apply Rmult_lt_0_compat; lra).
  replace ((1 - power) * ln (1 + d * / (s * width)))
    with (- power * ln (1 + d / (s * width)) + ln (1 + d / (s * width))) by (unfold Rdiv; ring).
  change (1 + d * / (s * width)) with (1 + d / (s * width)); rewrite exp_plus, exp_ln by exact z.
  set (u := 1 + d / (s * width)) in *; field; repeat split; lra.
Qed.

Lemma kernel_continuous d : 0 <= d -> continuous kernel d.
Proof.
  intros d0; pose proof (size_above d d0) as z; apply (ex_derive_continuous (V := R_NormedModule)).
  unfold kernel; auto_derive; exact z.
Qed.

Lemma tail_vanishes (c : R) : filterlim (fun o => tail (c + o)) (Rbar_locally p_infty) (locally 0).
Proof.
  assert (sw : 0 < s * width) by (apply Rmult_lt_0_compat; lra).
  replace 0 with (0 / 2) by field.
  apply (filterlim_comp _ _ _ (fun o => exp ((1 - power) * ln (1 + (c + o) / (s * width)))) (fun y => y / 2) _ (locally 0)).
  - apply (filterlim_comp _ _ _ (fun o => (1 - power) * ln (1 + (c + o) / (s * width))) exp _ (Rbar_locally m_infty)).
    + intros P [M low].
      exists (s * width * (exp (Rmax 0 (M / (1 - power)) ) ) + Rabs c); intros o h; apply low.
      pose proof (Rle_abs (- c)) as ca; rewrite Rabs_Ropp in ca.
      set (t := Rmax 0 (M / (1 - power))) in *.
      assert (big : exp t < 1 + (c + o) / (s * width)).
      { apply Rlt_trans with ((c + o) / (s * width)); [|lra].
        apply Rlt_div_r; [exact sw|rewrite Rmult_comm; lra]. }
      assert (l : t < ln (1 + (c + o) / (s * width))).
      { rewrite <- (ln_exp t) at 1; apply ln_increasing; [apply exp_pos|exact big]. }
      assert (M / (1 - power) <= t) by apply Rmax_r.
      assert (e : M = (1 - power) * (M / (1 - power))) by (field; lra).
      rewrite e; nra.
    + apply is_lim_exp_m.
  - apply (continuous_mult (K := R_AbsRing) (fun y => y) (fun _ => / 2)); [apply continuous_id|apply continuous_const].
Qed.

Theorem mass_is_one : is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) 1.
Proof.
  pose (F := fun o => if Rle_dec n o then 1 - tail (o - n) else tail (n - o)).
  assert (half : tail 0 = 1 / 2).
  { unfold tail; replace (1 + 0 / (s * width)) with 1 by (field; split; lra); rewrite ln_1, Rmult_0_r, exp_0; reflexivity. }
  assert (Fn : F n = 1 / 2).
  { unfold F; destruct (Rle_dec n n); [|lra]; rewrite Rminus_eq_0, half; field. }
  apply (from_primitive f F 0 1 1); [apply on_both_sides with n| | |ring].
  - intros a h; rewrite Fn; replace (F a) with (tail (n - a)).
    2: { unfold F; destruct (Rle_dec n a); [replace a with n by lra; rewrite Rminus_eq_0, half; field|reflexivity]. }
    replace (1 / 2) with (tail (n - n)) by (rewrite Rminus_eq_0; exact half).
    apply (from_derivative f (fun o => kernel (n - o)) (fun o => tail (n - o)) a n h).
    + intros o k; evar_last; [apply (is_derive_comp tail (fun o => n - o)); [apply tail_derivative; lra|auto_derive; [exact I|reflexivity]]|].
      unfold scal; simpl; unfold mult; simpl; ring.
    + intros o k; apply (continuous_comp (fun o => n - o) kernel); [|apply kernel_continuous; lra].
      apply continuous_to_continuity; reg.
    + intros o k; rewrite density_is, Rabs_left by lra; f_equal; ring.
  - intros b h; rewrite Fn; replace (F b) with (1 - tail (b - n)) by (unfold F; destruct (Rle_dec n b); [reflexivity|lra]).
    replace (1 / 2) with (1 - tail (n - n)) by (rewrite Rminus_eq_0, half; field).
    apply (from_derivative f (fun o => kernel (o - n)) (fun o => 1 - tail (o - n)) n b h).
    + intros o k; evar_last.
      * apply (is_derive_minus (V := R_NormedModule) (fun _ => 1) (fun o => tail (o - n))); [apply is_derive_const|].
        apply (is_derive_comp tail (fun o => o - n)); [apply tail_derivative; lra|auto_derive; [exact I|reflexivity]].
      * unfold minus, plus, opp, scal, zero; simpl; unfold mult; simpl; ring.
    + intros o k; apply (continuous_comp (fun o => o - n) kernel); [|apply kernel_continuous; lra].
      apply continuous_to_continuity; reg.
    + intros o k; rewrite density_is, Rabs_pos_eq by lra; reflexivity.
  - apply (filterlim_ext_loc (fun o => tail (n + - o))).
    + exists n; intros o h; unfold F; destruct (Rle_dec n o); [lra|reflexivity].
    + apply (filterlim_comp _ _ _ Ropp (fun o => tail (n + o)) _ (Rbar_locally p_infty)); [|apply tail_vanishes].
      change (is_lim (fun o => - o) m_infty (Rbar_opp m_infty)); apply is_lim_opp, is_lim_id.
  - apply (filterlim_ext_loc (fun o => 1 - tail (- n + o))).
    + exists n; intros o h; unfold F; destruct (Rle_dec n o); [f_equal; f_equal; ring|lra].
    + assert (at_zero : filterlim (fun y => 1 - y) (locally 0) (locally (1 - 0))).
      { apply (continuous_minus (V := R_NormedModule) (fun _ => 1) (fun y => y) 0); [apply continuous_const|apply continuous_id]. }
      rewrite Rminus_0_r in at_zero.
      exact (filterlim_comp _ _ _ (fun o => tail (- n + o)) (fun y => 1 - y) _ (locally 0) _ (tail_vanishes (- n)) at_zero).
Qed.
End Law.

Theorem release_has_mass_one (A V : Type) (q : cell A V) (D : dataset A V) alpha power width : 1 < power -> 0 < width ->
  is_density (smooth_lomax alpha power width q D).
Proof.
  intros p1 w0; pose proof (smooth_bound_pos alpha (contributions q D)) as s0.
  unfold is_density, has_probability; apply (@line_is_improper (smooth_lomax alpha power width q D) 1).
  - intros o; apply smooth_lomax_continuous, w0.
  - intros o; left; apply exp_pos.
  - apply mass_is_one; assumption.
Qed.
