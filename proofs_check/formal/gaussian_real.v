(* Inequalities about the normal distribution function that Gaussian indistinguishability rests on: how the
   ratio of two shifted densities rises, and that the trade-off function lies below its tangents. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common improper normal_law normal_measure.
Open Scope R_scope.

Lemma raised_is z mu : gaussian_raised z mu = normal_cdf (z + mu).
Proof. reflexivity. Qed.

(* The ratio of the densities of N(b, s^2) and N(a, s^2). *)
Lemma density_ratio a b s o : 0 < s ->
  normal_density b s o = exp ((b - a) / s * ((o - a) / s) - ((b - a) / s) ^ 2 / 2) * normal_density a s o.
Proof.
  intros s0; unfold normal_density, gaussian_log_density; rewrite <- exp_plus; f_equal; field; lra.
Qed.

Lemma ratio_rises a b s o t : 0 < s -> (b - a) * (o - t) <= 0 ->
  normal_density b s o <= exp ((b - a) / s * ((t - a) / s) - ((b - a) / s) ^ 2 / 2) * normal_density a s o.
Proof.
  intros s0 h; rewrite (density_ratio a b) by exact s0.
  apply Rmult_le_compat_r; [left; apply exp_pos|apply exp_le].
  assert (e : (b - a) / s * ((t - a) / s) - (b - a) / s * ((o - a) / s) = (b - a) * (t - o) / (s * s)) by (field; lra).
  assert (0 <= (b - a) * (t - o) / (s * s)); [|lra].
  apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; nra].
Qed.

Lemma ratio_falls a b s o t : 0 < s -> 0 <= (b - a) * (o - t) ->
  exp ((b - a) / s * ((t - a) / s) - ((b - a) / s) ^ 2 / 2) * normal_density a s o <= normal_density b s o.
Proof.
  intros s0 h; rewrite (density_ratio a b s o) by exact s0.
  apply Rmult_le_compat_r; [left; apply exp_pos|apply exp_le].
  assert (e : (b - a) / s * ((o - a) / s) - (b - a) / s * ((t - a) / s) = (b - a) * (o - t) / (s * s)) by (field; lra).
  assert (0 <= (b - a) * (o - t) / (s * s)); [|lra].
  apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; nra].
Qed.

(* The tangent of the trade-off function at the rate normal_cdf y. *)
Definition tangent (a y : R) : R := exp (- a * y - a ^ 2 / 2).

Lemma below_tangent a x y : 0 <= a ->
  normal_cdf (x + a) <= normal_cdf (y + a) + tangent a y * (normal_cdf x - normal_cdf y).
Proof.
  intros a0; set (k := tangent a y).
  pose (F := fun x => normal_cdf (x + a) - k * normal_cdf x).
  assert (slope : forall o, is_derive F o ((exp (- a * o - a ^ 2 / 2) - k) * normal_density 0 1 o)).
  { intros o; unfold F.
    assert (d : forall m o, is_derive (fun o => normal_cdf (o - m)) o (normal_density m 1 o)).
    { intros m o'; apply (is_derive_ext (fun o => normal_cdf ((o - m) / 1))); [intros; f_equal; field|]. apply cdf_slope; lra. }
    replace ((exp (- a * o - a ^ 2 / 2) - k) * normal_density 0 1 o)
      with (minus (normal_density (- a) 1 o) (scal k (normal_density 0 1 o))).
    - apply (is_derive_minus (V := R_NormedModule)).
      + apply (is_derive_ext (fun o => normal_cdf (o - - a))); [intros; f_equal; ring|apply d].
      + apply (is_derive_scal normal_cdf).
        apply (is_derive_ext (fun o => normal_cdf (o - 0))); [intros; f_equal; ring|apply d].
    - rewrite (density_ratio 0 (- a) 1) by lra; unfold minus, plus, opp, scal; simpl; unfold mult; simpl.
      replace ((- a - 0) / 1 * ((o - 0) / 1) - (- a - 0) / 1 * ((- a - 0) / 1 * 1) / 2)
        with (- a * o - a * (a * 1) / 2) by field.
      ring. }
  assert (le : F x <= F y); [|unfold F in le; lra].
  destruct (MVT_gen F x y (fun o => (exp (- a * o - a ^ 2 / 2) - k) * normal_density 0 1 o)) as (c & [hl hr] & e).
  - intros; apply slope.
  - intros o _; apply continuity_pt_filterlim, (ex_derive_continuous (V := R_NormedModule)); eexists; apply slope.
  - pose proof (exp_pos (gaussian_log_density c 0 1)) as pp; change (0 < normal_density 0 1 c) in pp.
    set (v := normal_density 0 1 c) in *.
    unfold k, tangent in *.
    destruct (Rle_dec x y) as [xy|yx].
    + rewrite Rmin_left in hl by lra; rewrite Rmax_right in hr by lra.
      assert (exp (- a * y - a ^ 2 / 2) <= exp (- a * c - a ^ 2 / 2)) by (apply exp_le; nra).
      assert (0 <= (exp (- a * c - a ^ 2 / 2) - exp (- a * y - a ^ 2 / 2)) * v) by (apply Rmult_le_pos; lra).
      assert (0 <= (exp (- a * c - a ^ 2 / 2) - exp (- a * y - a ^ 2 / 2)) * v * (y - x)) by (apply Rmult_le_pos; lra).
      lra.
    + rewrite Rmin_right in hl by lra; rewrite Rmax_left in hr by lra.
      assert (exp (- a * c - a ^ 2 / 2) <= exp (- a * y - a ^ 2 / 2)) by (apply exp_le; nra).
      assert (0 <= (exp (- a * y - a ^ 2 / 2) - exp (- a * c - a ^ 2 / 2)) * v) by (apply Rmult_le_pos; lra).
      assert (0 <= (exp (- a * y - a ^ 2 / 2) - exp (- a * c - a ^ 2 / 2)) * v * (x - y)) by (apply Rmult_le_pos; lra).
      lra.
Qed.

(* What holds at every rate above p and above every small excess holds on the tangent. *)
Lemma closed_under_limits a y p q : 0 <= a -> 0 <= p <= 1 -> 0 <= q <= 1 ->
  (forall x, p <= normal_cdf x -> q <= normal_cdf (x + a)) ->
  q <= normal_cdf (y + a) + tangent a y * (p - normal_cdf y).
Proof.
  intros a0 hp hq h; apply Rnot_lt_le; intros more.
  set (k := tangent a y) in *; assert (k0 : 0 < k) by apply exp_pos.
  set (e := (q - (normal_cdf (y + a) + k * (p - normal_cdf y))) / (1 + k)).
  assert (e0 : 0 < e) by (unfold e; apply Rdiv_lt_0_compat; lra).
  assert (ek : q = normal_cdf (y + a) + k * (p - normal_cdf y) + e * (1 + k)) by (unfold e; field; lra).
  assert (near : exists x, normal_cdf x < p + e /\ q - e < normal_cdf (x + a)).
  { destruct (Rle_lt_dec 1 p) as [p1|p1].
    - destruct (cdf_near_one e e0) as [x hx]; exists x; pose proof (cdf_below_one x).
      pose proof (cdf_rises x (x + a) ltac:(lra)); lra.
    - destruct (cdf_onto (p + Rmin e (1 - p) / 2)) as [x hx].
      { pose proof (Rmin_r e (1 - p)); pose proof (Rmin_glb_lt e (1 - p) 0 e0 ltac:(lra)); lra. }
      pose proof (Rmin_l e (1 - p)); pose proof (Rmin_glb_lt e (1 - p) 0 e0 ltac:(lra)).
      exists x; specialize (h x ltac:(lra)); lra. }
  destruct near as (x & hx & hq'); pose proof (below_tangent a x y a0) as t; fold k in t.
  assert (k * (normal_cdf x - normal_cdf y) < k * (p + e - normal_cdf y)) by (apply Rmult_lt_compat_l; lra).
  lra.
Qed.

(* A bound for every larger level is one for the level itself. *)
Lemma from_above z q : (forall e, 0 < e -> q <= normal_cdf (z + e)) -> q <= normal_cdf z.
Proof.
  intros h; apply Rnot_lt_le; intros more.
  destruct (proj1 (filterlim_locally normal_cdf (normal_cdf z)) (cdf_continuous z)
    (mkposreal (q - normal_cdf z) ltac:(lra))) as [d near].
  specialize (h (d / 2) ltac:(pose proof (cond_pos d); lra)).
  specialize (near (z + d / 2)); pose proof (cond_pos d).
  assert (k : Rabs (normal_cdf (z + d / 2) - normal_cdf z) < q - normal_cdf z).
  { apply near; unfold ball; simpl; unfold AbsRing_ball, abs, minus, plus, opp; simpl.
    rewrite Rabs_pos_eq by lra; lra. }
  apply Rabs_lt_between in k; lra.
Qed.
