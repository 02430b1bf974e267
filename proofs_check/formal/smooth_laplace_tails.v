(* Smooth Laplace at its exact delta: between two neighbors, where the log-ratio of the densities exceeds epsilon, what
   these tails hold, and that this is most for the neighbor that grows by the whole share. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common laplace_normalized.
Open Scope R_scope.

Lemma ln_below_line x : 0 < x -> ln x <= x - 1.
Proof. intros x0; apply exp_le_inv; rewrite exp_ln by exact x0; pose proof (exp_ineq1_le (x - 1)); lra. Qed.

Lemma ln_rises m r : 0 < m <= r -> 1 - m / r <= ln r - ln m <= r / m - 1.
Proof.
  intros [m0 le]; rewrite <- ln_div by lra; split; [|apply ln_below_line, Rdiv_lt_0_compat; lra].
  assert (h : ln (m / r) <= m / r - 1) by (apply ln_below_line, Rdiv_lt_0_compat; lra).
  rewrite ln_div in * by lra; lra.
Qed.

(* ln lies below its chord from 1 in m, and above the one in 1/m. *)
Lemma chords m r : 1 < m <= r -> (m - 1) * ln r <= (r - 1) * ln m /\ ln m * (1 - / r) <= ln r * (1 - / m).
Proof.
  intros [m1 le]; destruct (ln_rises m r ltac:(lra)) as [low up]; destruct (ln_rises 1 m ltac:(lra)) as [low1 up1].
  rewrite ln_1, Rminus_0_r in *; assert (im : 0 < / m) by (apply Rinv_0_lt_compat; lra).
  assert (ir : 0 < / r) by (apply Rinv_0_lt_compat; lra); unfold Rdiv in *; rewrite Rinv_1, Rmult_1_r in up1; rewrite Rmult_1_l in low1.
  split.
  - assert ((m - 1) * (r * / m - 1) <= (r - m) * ln m).
    { replace ((m - 1) * (r * / m - 1)) with ((r - m) * (1 - / m)) by (field; lra).
      apply Rmult_le_compat_l; lra. }
    assert ((m - 1) * ln r <= (m - 1) * (ln m + (r * / m - 1))) by (apply Rmult_le_compat_l; lra); lra.
  - assert (a : (1 - / m) * (ln m + (1 - m * / r)) <= (1 - / m) * ln r).
    { apply Rmult_le_compat_l; [|lra]; assert (/ m <= / 1) by (apply Rinv_le_contravar; lra); rewrite Rinv_1 in *; lra. }
    assert (b : 0 <= (r - m) * (/ r * / m) * (m - 1 - ln m)) by (repeat apply Rmult_le_pos; lra).
    replace ((r - m) * (/ r * / m) * (m - 1 - ln m)) with ((1 - / m) * (ln m + (1 - m * / r)) - ln m * (1 - / r)) in b by (field; lra).
    lra.
Qed.

(* Twice what one tail holds, for k = epsilon - d above and epsilon + d below. *)
Definition tail (k m : R) : R := (1 - / m) * exp (- ((k + ln m) / (m - 1))).

Lemma tail_rises k m r : 0 <= k -> 1 < m <= r -> tail k m <= tail k r.
Proof.
  intros k0 [m1 le]; unfold tail; destruct (chords m r (conj m1 le)) as [below _].
  assert (/ r <= / m) by (apply Rinv_le_contravar; lra).
  assert (/ m <= / 1) by (apply Rinv_le_contravar; lra); rewrite Rinv_1 in *.
  apply Rmult_le_compat; [lra|left; apply exp_pos|lra|apply exp_le, Ropp_le_contravar].
  apply Rmult_le_reg_r with ((m - 1) * (r - 1)); [apply Rmult_lt_0_compat; lra|].
  replace ((k + ln r) / (r - 1) * ((m - 1) * (r - 1))) with (k * (m - 1) + (m - 1) * ln r) by (field; lra).
  replace ((k + ln m) / (m - 1) * ((m - 1) * (r - 1))) with (k * (r - 1) + (r - 1) * ln m) by (field; lra).
  assert (k * (m - 1) <= k * (r - 1)) by (apply Rmult_le_compat_l; lra); lra.
Qed.

Lemma pair_rises k d t : 0 <= d <= t -> exp (d - k) + exp (- d - k) <= exp (t - k) + exp (- t - k).
Proof.
  intros [d0 le]; unfold Rminus; rewrite !exp_plus, <- !Rmult_plus_distr_r; apply Rmult_le_compat_r; [left; apply exp_pos|].
  rewrite !exp_Ropp; pose proof (exp_le 0 d d0) as e1; pose proof (exp_le d t le) as e2; rewrite exp_0 in e1.
  set (x := exp d) in *; set (y := exp t) in *.
  apply Rmult_le_reg_r with (x * y); [apply Rmult_lt_0_compat; lra|].
  replace ((x + / x) * (x * y)) with (x * x * y + y) by (field; lra).
  replace ((y + / y) * (x * y)) with (x * y * y + x) by (field; lra).
  assert (0 <= (y - x) * (x * y - 1)) by (apply Rmult_le_pos; [lra|nra]); lra.
Qed.

Definition both_tails (epsilon d m : R) : R := (tail (epsilon - d) m + tail (epsilon + d) m) / 2.

Lemma farthest_neighbor alpha epsilon d m : 0 < alpha -> 0 < epsilon -> 0 <= d <= epsilon / 2 -> 1 < m <= 1 + alpha ->
  both_tails epsilon d m <= smooth_laplace_exact_delta alpha epsilon.
Proof.
  intros a0 e0 d1 m1; unfold both_tails.
  pose proof (tail_rises (epsilon - d) m (1 + alpha) ltac:(lra) m1); pose proof (tail_rises (epsilon + d) m (1 + alpha) ltac:(lra) m1).
  assert (k : 0 < 1 - / (1 + alpha)).
  { assert (/ (1 + alpha) < / 1) by (apply Rinv_lt_contravar; lra); rewrite Rinv_1 in *; lra. }
  assert (is : forall s, tail (epsilon - s) (1 + alpha) + tail (epsilon + s) (1 + alpha) =
    (1 - / (1 + alpha)) * (exp (s / alpha - (epsilon + ln (1 + alpha)) / alpha) + exp (- (s / alpha) - (epsilon + ln (1 + alpha)) / alpha))).
  { intros s; unfold tail; replace (1 + alpha - 1) with alpha by ring; rewrite Rmult_plus_distr_l; f_equal; f_equal; f_equal; field; lra. }
  assert (slid : tail (epsilon - d) (1 + alpha) + tail (epsilon + d) (1 + alpha) <=
    tail (epsilon - epsilon / 2) (1 + alpha) + tail (epsilon + epsilon / 2) (1 + alpha)).
  { rewrite !is; apply Rmult_le_compat_l; [lra|apply pair_rises]; split; [apply Rmult_le_pos|apply Rmult_le_compat_r]; try lra;
      left; apply Rinv_0_lt_compat, a0. }
  apply Rle_trans with ((tail (epsilon - epsilon / 2) (1 + alpha) + tail (epsilon + epsilon / 2) (1 + alpha)) / 2); [lra|right].
  rewrite is; unfold smooth_laplace_exact_delta; rewrite !exp_plus, !exp_ln by
    (try (pose proof (exp_pos ((- 2) * (epsilon / 2) / (1 + alpha - 1)))); unfold Rdiv in *; lra).
  replace (1 + alpha - 1) with alpha by ring; set (x := epsilon / 2 / alpha - (epsilon + ln (1 + alpha)) / alpha).
  replace (- (epsilon + ln (1 + alpha) - epsilon / 2) / alpha) with x by (unfold x; field; lra).
  assert (down : exp (- (epsilon / 2 / alpha) - (epsilon + ln (1 + alpha)) / alpha) = exp x * exp ((- 2) * (epsilon / 2) / alpha)).
  { rewrite <- exp_plus; f_equal; unfold x; field; lra. }
  rewrite down; field; lra.
Qed.

(* The smaller dataset's noise has center c and scale s, the larger one's center c + d s and scale m s. *)
Section Pair.
Variables (alpha epsilon c s d m : R).
Variables (a0 : 0 < alpha) (e0 : 0 < epsilon) (s0 : 0 < s) (d1 : 0 <= d <= epsilon / 2) (m1 : 1 <= m <= 1 + alpha).
Let p := laplace_density c s.
Let q := laplace_density (c + d * s) (m * s).

Lemma log_ratio o : let w := (o - c) / s in
  laplace_log_density o (c + d * s) (m * s) - laplace_log_density o c s = Rabs w - Rabs (w - d) / m - ln m.
Proof.
  intros w; unfold laplace_log_density.
  assert (r : forall x k, 0 < k -> Rabs (x / k) = Rabs x / k).
  { intros x k k0; unfold Rdiv; rewrite Rabs_mult, (Rabs_pos_eq (/ k)); [reflexivity|left; apply Rinv_0_lt_compat, k0]. }
  replace (2 * (m * s)) with (m * (2 * s)) by ring; rewrite ln_mult by lra.
  assert (at_d : w - d = (o - (c + d * s)) / s) by (unfold w; field; lra).
  rewrite at_d; unfold w; rewrite !r by exact s0; field; lra.
Qed.

Lemma exp_of x y l : x - y <= l -> exp x <= exp l * exp y.
Proof. apply exp_ratio. Qed.

(* In the other order nothing exceeds epsilon. *)
Lemma opposite_order o : smooth_laplace_opposite_loss alpha epsilon <= epsilon -> p o <= exp epsilon * q o.
Proof.
  intros within; apply exp_ratio; rewrite <- Ropp_minus_distr, log_ratio.
  assert (loss : d / m + ln m <= epsilon).
  { unfold smooth_laplace_opposite_loss in within; assert (im : 0 < / m <= 1).
    { split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
    assert (d / m <= epsilon / 2 * / m) by (apply Rmult_le_compat_r; lra).
    destruct (Req_dec m 1) as [->|ne]; [rewrite ln_1, Rinv_1 in *; lra|].
    destruct (chords m (1 + alpha) ltac:(lra)) as [_ above].
    replace (epsilon / (2 * (1 + alpha))) with (epsilon / 2 * / (1 + alpha)) in within by (field; lra).
    set (a := 1 - / m) in *; set (b := 1 - / (1 + alpha)) in *.
    assert (ab : a <= b) by (unfold a, b; apply Rplus_le_compat_l, Ropp_le_contravar, Rinv_le_contravar; lra).
    assert (0 < a) by (unfold a; assert (/ m < / 1) by (apply Rinv_lt_contravar; lra); rewrite Rinv_1 in *; lra).
    assert (top : ln (1 + alpha) <= epsilon / 2 * (1 + b)) by (unfold b; lra).
    assert (ln m * b <= epsilon / 2 * (1 + b) * a) by (apply Rle_trans with (1 := above), Rmult_le_compat_r; lra).
    assert (epsilon / 2 * (1 + b) * a <= epsilon / 2 * (1 + a) * b) by (rewrite !Rmult_assoc; apply Rmult_le_compat_l; lra).
    assert (ln m <= epsilon / 2 * (1 + a)) by (apply Rmult_le_reg_r with b; lra); unfold a in *; lra. }
  set (w := (o - c) / s); assert (im : 0 < / m <= 1).
  { split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra]. }
  assert (Rabs (w - d) / m <= Rabs w + d / m); [|lra].
  unfold Rdiv; pose proof (Rabs_triang w (- d)) as t; rewrite Rabs_Ropp, (Rabs_pos_eq d) in t by lra.
  pose proof (Rabs_pos w); assert (Rabs (w + - d) * / m <= (Rabs w + d) * / m) by (apply Rmult_le_compat_r; lra).
  assert (Rabs w * / m <= Rabs w * 1) by (apply Rmult_le_compat_l; lra); unfold Rminus; lra.
Qed.

Lemma same_scale o : m = 1 -> q o <= exp epsilon * p o.
Proof.
  intros one; apply exp_ratio; rewrite log_ratio, one, ln_1; pose proof (Rabs_triang_inv ((o - c) / s) ((o - c) / s - d)).
  replace ((o - c) / s - ((o - c) / s - d)) with d in H by ring; rewrite (Rabs_pos_eq d) in H by lra; lra.
Qed.

(* The tails lie below low and above high, in units of s from c. *)
Definition high : R := (epsilon + ln m - d / m) / (1 - / m).
Definition low : R := - ((epsilon + ln m + d / m) / (1 - / m)).
Definition in_tails (o : R) : Prop := ~ (c + low * s < o /\ o <= c + high * s).

Section Stretched.
Variable more : 1 < m.
Let gap : 0 < 1 - / m.
Proof. assert (/ m < / 1) by (apply Rinv_lt_contravar; lra); rewrite Rinv_1 in *; lra. Qed.
Let lnm : 0 < ln m.
Proof. apply ln_pos, more. Qed.
Let ends : high * (1 - / m) = epsilon + ln m - d * / m /\ low * (1 - / m) = - (epsilon + ln m + d * / m).
Proof. unfold high, low, Rdiv; split; field; lra. Qed.

Lemma tails_lie_apart : low <= 0 /\ d <= high.
Proof.
  destruct ends as [h l]; assert (0 < / m) by (apply Rinv_0_lt_compat; lra).
  assert (0 <= d * / m) by (apply Rmult_le_pos; lra).
  split; apply Rmult_le_reg_r with (1 - / m); try exact gap; [rewrite l; lra|rewrite h; lra].
Qed.

Lemma loss_in_tails o : in_tails o -> exp epsilon * p o <= q o.
Proof.
  intros out; unfold p, q, laplace_density; rewrite <- exp_plus; apply exp_le.
  destruct tails_lie_apart as [l0 dh], ends as [h l]; pose proof (log_ratio o) as is; simpl in is; set (w := (o - c) / s) in *.
  assert (o_is : o = c + w * s) by (unfold w; field; lra).
  assert (epsilon <= Rabs w - Rabs (w - d) / m - ln m); [|lra]; unfold Rdiv.
  destruct (Rle_lt_dec w low) as [below|above].
  - rewrite (Rabs_left1 w), (Rabs_left1 (w - d)) by lra.
    assert (w * (1 - / m) <= low * (1 - / m)) by (apply Rmult_le_compat_r; lra); lra.
  - destruct (Rle_lt_dec w high) as [inside|beyond].
    + exfalso; apply out; rewrite o_is; split; [apply Rplus_lt_compat_l, Rmult_lt_compat_r; assumption|].
      apply Rplus_le_compat_l, Rmult_le_compat_r; lra.
    + rewrite (Rabs_pos_eq w), (Rabs_pos_eq (w - d)) by lra.
      assert (high * (1 - / m) <= w * (1 - / m)) by (apply Rmult_le_compat_r; lra); lra.
Qed.

Lemma loss_elsewhere o : c + low * s < o /\ o <= c + high * s -> q o <= exp epsilon * p o.
Proof.
  intros [lo hi]; apply exp_ratio; rewrite log_ratio.
  destruct tails_lie_apart as [l0 dh], ends as [h l]; set (w := (o - c) / s) in *.
  assert (o_is : o = c + w * s) by (unfold w; field; lra); rewrite o_is in lo, hi.
  assert (lw : low < w) by (apply Rmult_lt_reg_r with s; lra); assert (wh : w <= high) by (apply Rmult_le_reg_r with s; lra).
  assert (im : 0 < / m) by (apply Rinv_0_lt_compat; lra); unfold Rdiv.
  destruct (Rle_lt_dec w 0) as [neg|pos].
  - rewrite (Rabs_left1 w), (Rabs_left1 (w - d)) by lra.
    assert (low * (1 - / m) <= w * (1 - / m)) by (apply Rmult_le_compat_r; lra); lra.
  - rewrite (Rabs_pos_eq w) by lra; destruct (Rle_lt_dec d w) as [right_|left_].
    + rewrite (Rabs_pos_eq (w - d)) by lra.
      assert (w * (1 - / m) <= high * (1 - / m)) by (apply Rmult_le_compat_r; lra); lra.
    + pose proof (Rabs_pos (w - d)); assert (0 <= Rabs (w - d) * / m) by (apply Rmult_le_pos; lra); lra.
Qed.

(* What the tails hold, by the distribution functions. *)
Definition outside (center scale : R) : R := 1 - (laplace_cdf (c + high * s) center scale - laplace_cdf (c + low * s) center scale).

Lemma excess_is : outside (c + d * s) (m * s) - exp epsilon * outside c s = both_tails epsilon d m.
Proof.
  destruct tails_lie_apart as [l0 dh], ends as [h l]; unfold outside.
  assert (lows : low * s <= 0) by (rewrite <- (Rmult_0_l s); apply Rmult_le_compat_r; lra).
  assert (ds : 0 <= d * s) by (apply Rmult_le_pos; lra).
  assert (hs : d * s <= high * s) by (apply Rmult_le_compat_r; lra).
  assert (ms : 0 < m * s) by (apply Rmult_lt_0_compat; lra).
  rewrite (right_cdf (c + d * s)), (left_cdf (c + d * s)), (right_cdf c), (left_cdf c) by lra; unfold both_tails, tail.
  replace (/ (m * s) * (c + high * s - (c + d * s))) with ((epsilon - d + ln m) / (m - 1)).
  2: { replace high with ((epsilon + ln m - d * / m) / (1 - / m)) by reflexivity; field; lra. }
  replace (/ (m * s) * (c + low * s - (c + d * s))) with (- ((epsilon + d + ln m) / (m - 1))).
  2: { unfold low; field; lra. }
  assert (up : exp epsilon * exp (- (/ s * (c + high * s - c))) = exp (- ((epsilon - d + ln m) / (m - 1))) * / m).
  { rewrite <- (exp_ln (/ m)) by (apply Rinv_0_lt_compat; lra); rewrite <- !exp_plus, ln_Rinv by lra; f_equal; unfold high; field; lra. }
  assert (down : exp epsilon * exp (/ s * (c + low * s - c)) = exp (- ((epsilon + d + ln m) / (m - 1))) * / m).
  { rewrite <- (exp_ln (/ m)) by (apply Rinv_0_lt_compat; lra); rewrite <- !exp_plus, ln_Rinv by lra; f_equal; unfold low; field; lra. }
  set (a := exp (- ((epsilon - d + ln m) / (m - 1)))) in *; set (b := exp (- ((epsilon + d + ln m) / (m - 1)))) in *.
  set (a' := exp (- (/ s * (c + high * s - c)))) in *; set (b' := exp (/ s * (c + low * s - c))) in *.
  replace (1 - (1 - a / 2 - b / 2) - exp epsilon * (1 - (1 - a' / 2 - b' / 2))) with ((a + b - (exp epsilon * a' + exp epsilon * b')) / 2) by field.
  rewrite up, down; field; lra.
Qed.
End Stretched.
End Pair.
