(* The masses of Whole-Staircase add up to 1 at every place, its tails are those of spec/, and the places of outputs are
   those of spec/: so what is private is a law, and the one that the specification reads. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets countable geometric_law histogram_law.
From Establish Require Import windows ladder whole_scale_steps whole_staircase.
Import ListNotations.
Open Scope R_scope.

(* k q^k -> 0. *)
Lemma linear_geometric q : 0 < q < 1 -> is_lim_seq (fun k => INR k * q ^ k) 0.
Proof.
  intros h; set (r := sqrt q).
  assert (r0 : 0 < r) by (apply sqrt_lt_R0; lra).
  assert (rr : r * r = q) by (apply sqrt_sqrt; lra).
  assert (r1 : r < 1) by (assert (r * r < 1) by lra; nra).
  assert (x0 : 0 < / r - 1) by (assert (1 < / r) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra); lra).
  assert (bound : forall k, INR k * q ^ k <= r ^ k * / (/ r - 1)).
  { intros k; pose proof (poly k (/ r - 1) x0) as p.
    replace (1 + (/ r - 1)) with (/ r) in p by ring; rewrite pow_inv in p.
    assert (rk : 0 < r ^ k) by (apply pow_lt, r0).
    replace (q ^ k) with (r ^ k * r ^ k) by (rewrite <- rr, Rpow_mult_distr; reflexivity).
    apply Rmult_le_reg_r with (/ r - 1); [exact x0|].
    replace (r ^ k * / (/ r - 1) * (/ r - 1)) with (r ^ k * 1) by (field; lra).
    replace (INR k * (r ^ k * r ^ k) * (/ r - 1)) with (r ^ k * (INR k * (/ r - 1) * r ^ k)) by ring.
    apply Rmult_le_compat_l; [lra|].
    assert (INR k * (/ r - 1) * r ^ k <= / r ^ k * r ^ k) by (apply Rmult_le_compat_r; lra).
    rewrite Rinv_l in H by lra; exact H. }
  apply (is_lim_seq_le_le (fun _ => 0) _ (fun k => r ^ k * / (/ r - 1))).
  - intros k; split; [apply Rmult_le_pos; [apply pos_INR|apply pow_le; lra]|apply bound].
  - apply is_lim_seq_const.
  - replace (Finite 0) with (Rbar_mult 0 (/ (/ r - 1))) by (simpl; f_equal; ring).
    apply (is_lim_seq_scal_r (fun k => r ^ k) _ 0), is_lim_seq_geom; rewrite Rabs_pos_eq; lra.
Qed.

Section Law.
Variables (epsilon width lean : R) (turn : Z).
Variable e0 : 0 < epsilon.
Variable w0 : 0 <= width.
Variable l0 : 0 <= lean.
Let q := q epsilon.
Let Lam := ladder turn width lean epsilon.
Let u := (1 - q) / (2 * q).

Lemma q_in : 0 < q < 1.
Proof. apply q01, e0. Qed.

Lemma one_rise t : 0 <= Lam (t + 1) - Lam t <= u.
Proof.
  pose proof q_in; split.
  - assert (Lam t <= Lam (t + 1)); [|lra]; apply ladder_rises; lra.
  - pose proof (half turn width epsilon e0 w0 t) as h.
    change (ladder turn width 0 epsilon) with Lam in h; fold q in h.
    apply Rmult_le_reg_l with (q / (1 - q)); [apply Rdiv_lt_0_compat; lra|].
    apply Rle_trans with (1 := h); right; unfold u; field; lra.
Qed.

Lemma rises_above t k : 0 <= Lam (t + INR k) - Lam t <= INR k * u.
Proof.
  induction k as [|k IH]; [simpl; rewrite Rplus_0_r; lra|].
  rewrite S_INR; replace (t + (INR k + 1)) with (t + INR k + 1) by ring.
  pose proof (one_rise (t + INR k)); lra.
Qed.

Lemma vanishing (f : nat -> R) a : (forall k, Rabs (f k - a) <= INR k * u) -> is_lim_seq (fun k => q ^ k * f k) 0.
Proof.
  intros close; pose proof q_in as h.
  assert (big : is_lim_seq (fun k => Rabs a * q ^ k + u * (INR k * q ^ k)) 0).
  { replace (Finite 0) with (Finite (Rabs a * 0 + u * 0)) by (f_equal; ring).
    apply is_lim_seq_plus'.
    - apply (is_lim_seq_scal_l (fun k => q ^ k) (Rabs a) 0), is_lim_seq_geom; rewrite Rabs_pos_eq; lra.
    - apply (is_lim_seq_scal_l (fun k => INR k * q ^ k) u 0), linear_geometric, h. }
  apply (is_lim_seq_le_le (fun k => - (Rabs a * q ^ k + u * (INR k * q ^ k))) _ (fun k => Rabs a * q ^ k + u * (INR k * q ^ k))).
  - intros k; assert (p : 0 < q ^ k) by (apply pow_lt; lra).
    assert (Rabs (q ^ k * f k) <= Rabs a * q ^ k + u * (INR k * q ^ k)).
    { rewrite Rabs_mult, (Rabs_pos_eq (q ^ k)) by lra.
      assert (Rabs (f k) <= Rabs a + INR k * u).
      { specialize (close k); pose proof (Rabs_triang (f k - a) a) as t; replace (f k - a + a) with (f k) in t by ring; lra. }
      apply Rle_trans with (q ^ k * (Rabs a + INR k * u)); [apply Rmult_le_compat_l; lra|right; ring]. }
    apply Rabs_le_between; assumption.
  - replace (Finite 0) with (Rbar_opp 0) by (simpl; f_equal; ring); apply -> is_lim_seq_opp; exact big.
  - exact big.
Qed.

Lemma vanishes_above t : is_lim_seq (fun k => q ^ k * Lam (t + INR k)) 0.
Proof.
  apply (vanishing (fun k => Lam (t + INR k)) (Lam t)); intros k.
  rewrite Rabs_pos_eq; apply rises_above.
Qed.

Lemma vanishes_below t : is_lim_seq (fun k => q ^ k * Lam (t - INR k)) 0.
Proof.
  apply (vanishing (fun k => Lam (t - INR k)) (Lam t)); intros k.
  pose proof (rises_above (t - INR k) k) as h; replace (t - INR k + INR k) with t in h by ring.
  rewrite Rabs_minus_sym, Rabs_pos_eq; apply h.
Qed.

Let lo t := low Lam q t.
Let hi t := high Lam q t.

Lemma around_the_place t : lo t <= Lam t <= hi t.
Proof.
  pose proof q_in; unfold lo, hi, low, high.
  pose proof (half turn width epsilon e0 w0 t) as h; pose proof (half turn width epsilon e0 w0 (t - 1)) as g.
  change (ladder turn width 0 epsilon) with Lam in h, g; fold q in h, g.
  replace (t - 1 + 1) with t in g by ring; lra.
Qed.

Lemma room t (k : nat) : lo (t - INR k) <= hi (t + INR k).
Proof.
  pose proof (around_the_place (t - INR k)); pose proof (around_the_place (t + INR k)).
  assert (Lam (t - INR k) <= Lam (t + INR k)); [|lra].
  apply ladder_rises; try assumption; pose proof (pos_INR k); lra.
Qed.

Let up := ladder_up turn width lean epsilon e0 w0.
Let down := ladder_down turn width lean epsilon e0 w0.
Let P t a b := between Lam q t a b.

(* The tail that spec/ computes above the place, where s is on step k. *)
Theorem tail_above t k s : lo t <= s -> (forall i : nat, (i < k)%nat -> hi (t + INR i) <= s) -> s <= hi (t + INR k) ->
  is_series (fun i => window Lam q t i (fun l h => over l h s)) (q ^ k * (1 / 2 - (s - Lam (t + INR k)))).
Proof. exact (mass_above Lam q q_in up down t (vanishes_above t) k s). Qed.

Lemma all_windows t : is_series (fun i => window Lam q t i (fun l h => h - l)) 1.
Proof. apply mass_is_one; [apply q_in|apply vanishes_above|apply vanishes_below]. Qed.

Lemma window_nonneg t i f : 0 <= f (lo (t - INR i)) (hi (t + INR i)) -> 0 <= window Lam q t i f.
Proof.
  intros h; pose proof q_in; unfold window; repeat apply Rmult_le_pos; [lra|apply pow_le; lra|exact h].
Qed.

Lemma window_grows t i f g : f (lo (t - INR i)) (hi (t + INR i)) <= g (lo (t - INR i)) (hi (t + INR i)) ->
  window Lam q t i f <= window Lam q t i g.
Proof.
  intros h; pose proof q_in; unfold window; apply Rmult_le_compat_l; [lra|].
  apply Rmult_le_compat_l; [apply pow_le; lra|exact h].
Qed.

Lemma at_most_one t a b : a <= b -> P t a b <= 1.
Proof.
  intros ab; rewrite <- (is_series_unique _ _ (all_windows t)); apply Series_le; [|eexists; apply all_windows].
  intros i; split; [apply window_nonneg, overlap_nonneg|apply window_grows].
  pose proof (room t i); unfold overlap; apply Rmax_lub; [lra|].
  pose proof (Rmin_l (hi (t + INR i)) b); pose proof (Rmax_l (lo (t - INR i)) a); lra.
Qed.

Lemma additive t a b c : a <= b -> b <= c -> P t a b + P t b c = P t a c.
Proof.
  intros ab bc; unfold P, between; rewrite <- Series_plus by (apply between_exists; [apply q_in|assumption]).
  apply Series_ext; intros i; unfold window.
  rewrite !overlap_is by (apply room || lra); ring.
Qed.

Lemma first_windows t K a b : a <= lo (t - INR K) -> hi (t + INR K) <= b ->
  sum_n (fun i => window Lam q t i (fun l h => h - l)) K <= P t a b.
Proof.
  intros al hb; pose proof (room t K).
  assert (ab : a <= b) by lra.
  apply Rle_trans with (sum_n (fun i => window Lam q t i (fun l h => overlap l h a b)) K).
  - rewrite !sum_n_Reals; apply sum_Rle; intros i iK; apply window_grows.
    assert (INR i <= INR K) by (apply le_INR, iK).
    assert (lo (t - INR K) <= lo (t - INR i)) by (apply (low_rises Lam q q_in up); lra).
    assert (hi (t + INR i) <= hi (t + INR K)) by (apply (high_rises Lam q q_in down); lra).
    unfold overlap; rewrite (Rmin_left (hi _)) by lra; rewrite (Rmax_left (lo _)) by lra; apply Rmax_r.
  - apply (is_lim_seq_incr_compare (sum_n (fun i => window Lam q t i (fun l h => overlap l h a b)))).
    + apply Series_correct, between_exists; [apply q_in|exact ab].
    + intros n; rewrite sum_Sn; unfold plus; simpl.
      pose proof (window_nonneg t (S n) (fun l h => overlap l h a b) (overlap_nonneg _ _ _ _)); lra.
Qed.

(* Outputs at places that never fall, and that have no end in either direction. *)
Variable place : Z -> R.
Variable places_rise : forall o, place (o - 1) <= place o.
Let c o := cut turn width lean epsilon (place o).
Variable no_end : forall x, exists n : nat, c (- Z.of_nat n - 1) <= - x /\ x <= c (Z.of_nat n).

Lemma cuts_rise o (m : nat) : c o <= c (o + Z.of_nat m).
Proof.
  induction m as [|m IH]; [rewrite Z.add_0_r; lra|].
  apply Rle_trans with (1 := IH); apply cut_rises; try assumption.
  replace (o + Z.of_nat m)%Z with (o + Z.of_nat (S m) - 1)%Z by lia; apply places_rise.
Qed.

Lemma consecutive t (m i : nat) s : mass_of (output_mass epsilon width lean turn place t) (map (fun i => (Z.of_nat i - s)%Z) (seq i m)) =
  P t (c (Z.of_nat i - s - 1)) (c (Z.of_nat i - s - 1 + Z.of_nat m)).
Proof.
  revert i; induction m as [|m IH]; intros i; simpl.
  - rewrite Z.add_0_r; unfold P, between; rewrite <- (Rmult_0_l (Series (fun _ => 0))), <- Series_scal_l.
    apply Series_ext; intros k; unfold window, overlap.
    rewrite Rmax_left; [ring|].
    pose proof (Rmin_r (high Lam q (t + INR k)) (c (Z.of_nat i - s - 1))); pose proof (Rmax_r (low Lam q (t - INR k)) (c (Z.of_nat i - s - 1))); lra.
  - rewrite IH.
    replace (Z.of_nat (S i) - s - 1)%Z with (Z.of_nat i - s)%Z by lia.
    replace (Z.of_nat i - s - 1 + Z.pos (Pos.of_succ_nat m))%Z with (Z.of_nat i - s + Z.of_nat m)%Z by lia.
    apply additive; [|apply cuts_rise].
    pose proof (cuts_rise (Z.of_nat i - s - 1) 1) as h; replace (Z.of_nat i - s - 1 + Z.of_nat 1)%Z with (Z.of_nat i - s)%Z in h by lia; exact h.
Qed.

Lemma mass_around_zero t n : mass_of (output_mass epsilon width lean turn place t) (around n) =
  P t (c (- Z.of_nat n - 1)) (c (Z.of_nat n)).
Proof.
  unfold around; rewrite (consecutive t (2 * n + 1) 0 (Z.of_nat n)); f_equal; f_equal; lia.
Qed.

Lemma in_order o (m : nat) : c (o - Z.of_nat m) <= c o.
Proof. pose proof (cuts_rise (o - Z.of_nat m) m) as h; replace (o - Z.of_nat m + Z.of_nat m)%Z with o in h by lia; exact h. Qed.

Theorem masses_are_a_law t : is_mass_function (output_mass epsilon width lean turn place t).
Proof.
  assert (nonneg : forall o, 0 <= output_mass epsilon width lean turn place t o).
  { intros o; apply between_nonneg; [apply q_in|apply (in_order o 1)]. }
  assert (wide : forall n : nat, c (- Z.of_nat n - 1) <= c (Z.of_nat n)).
  { intros n; pose proof (cuts_rise (- Z.of_nat n - 1) (2 * n + 1)) as h.
    replace (- Z.of_nat n - 1 + Z.of_nat (2 * n + 1))%Z with (Z.of_nat n) in h by lia; exact h. }
  split; [exact nonneg|split].
  - intros s (F & [once _] & ->).
    assert (all : exists n, forall o, In o F -> In o (around n)).
    { clear once; induction F as [|o F [n h]]; [exists 0%nat; intros o []|].
      exists (Nat.max n (Z.abs_nat o)); intros x [<-|i]; apply in_around; [lia|].
      apply h in i; apply in_around in i; lia. }
    destruct all as [n h].
    apply Rle_trans with (mass_of (output_mass epsilon width lean turn place t) (around n)).
    + apply smaller_mass; [exact nonneg|exact once|intros o i; right; apply h, i].
    + rewrite mass_around_zero; apply at_most_one, wide.
  - intros b most.
    assert (le : forall K, sum_n (fun i => window Lam q t i (fun l h => h - l)) K <= b).
    { intros K; destruct (no_end (Rmax (- lo (t - INR K)) (hi (t + INR K)))) as (n & bottom & top).
      pose proof (Rmax_l (- lo (t - INR K)) (hi (t + INR K))); pose proof (Rmax_r (- lo (t - INR K)) (hi (t + INR K))).
      apply Rle_trans with (P t (c (- Z.of_nat n - 1)) (c (Z.of_nat n))); [apply first_windows; lra|].
      rewrite <- mass_around_zero; apply most; exists (around n); split; [split; [apply around_once|auto]|reflexivity]. }
    exact (is_lim_seq_le _ (fun _ => b) 1 b le (all_windows t) (is_lim_seq_const b)).
Qed.
End Law.
