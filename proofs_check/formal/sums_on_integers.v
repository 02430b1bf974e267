(* Rules on sums over the integers: a mean as a quotient of two sums, means below others together, and what telescopes
   or only moves the index. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import common comparisons on_integers.
Open Scope R_scope.

(* H is near a from some place on, where the index grows (side 1) or falls (side -1). *)
Definition near_end (side : Z) (H : Z -> R) (a : R) : Prop :=
  forall e, 0 < e -> exists far, forall k, (far <= side * k)%Z -> Rabs (H k - a) < e.

Lemma near_along side H a : near_end side H a -> is_lim_seq (fun n => H (side * Z.of_nat n)%Z) a.
Proof.
  intros near; apply is_lim_seq_spec; intros e; destruct (near e (cond_pos e)) as [far within].
  exists (Z.to_nat (Z.abs (far * side))).
Abort.

(* Terms that are at most what H loses add up to at most what it loses from one end to the other. *)
Lemma telescopes f H low high s : (forall k, f k <= H k - H (k + 1)%Z) ->
  is_lim_seq (fun n => H (- Z.of_nat (S n))%Z) low -> is_lim_seq (fun n => H (Z.of_nat (S n))) high ->
  sums_to f s -> s <= low - high.
Proof.
  intros le to_low to_high [_ sum].
  refine (is_lim_seq_le _ _ s (low - high) _ sum (is_lim_seq_minus' _ _ _ _ to_low to_high)).
  induction n as [|n IH].
  - rewrite sum_O; unfold in_pairs; pose proof (le 0%Z); pose proof (le (-1)%Z); simpl in *; lra.
  - rewrite sum_Sn; unfold plus; simpl; unfold in_pairs at 2.
    pose proof (le (Z.of_nat (S n))); pose proof (le (- Z.of_nat (S (S n)))%Z).
    replace (Z.of_nat (S n) + 1)%Z with (Z.of_nat (S (S n))) in * by lia.
    replace (- Z.of_nat (S (S n)) + 1)%Z with (- Z.of_nat (S n))%Z in * by lia; lra.
Qed.

(* A polynomial times what falls like a geometric sequence. *)
Lemma geometric_fades q c degree : 0 < c -> is_lim_seq (fun n => (1 + INR n) ^ degree * exp (q - c * INR n)) 0.
Proof.
  revert c; induction degree as [|degree IH]; intros c c0.
  - apply (is_lim_seq_ext (fun n => exp q * exp (- c) ^ n)).
    + intros n; rewrite <- Rpower_pow by apply exp_pos; unfold Rpower; rewrite ln_exp, <- exp_plus; simpl; rewrite Rmult_1_l; f_equal; ring.
    + replace (Finite 0) with (Rbar_mult (exp q) 0) by apply Rbar_mult_0_r; apply is_lim_seq_scal_l, is_lim_seq_geom.
      rewrite Rabs_pos_eq by (left; apply exp_pos); rewrite <- exp_0; apply exp_increasing; lra.
  - apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => 2 / c * exp (c / 2) * ((1 + INR n) ^ degree * exp (q - c / 2 * INR n)))).
    + intros n; pose proof (pos_INR n) as n0; assert (p : 0 <= (1 + INR n) ^ degree) by (apply pow_le; lra).
      split; [simpl; pose proof (exp_pos (q - c * INR n)); apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]|].
      replace (q - c * INR n) with (- (c / 2 * INR n) + (q - c / 2 * INR n)) by field; rewrite exp_plus.
      pose proof (exp_ineq1_le (c / 2 * (1 + INR n))) as above.
      assert (one : (1 + INR n) * exp (- (c / 2 * INR n)) <= 2 / c * exp (c / 2)).
      { apply (Rmult_le_reg_l (c / 2)); [lra|]; replace (c / 2 * (2 / c * exp (c / 2))) with (exp (c / 2)) by (field; lra).
        replace (exp (c / 2)) with (exp (c / 2 * (1 + INR n)) * exp (- (c / 2 * INR n))) by (rewrite <- exp_plus; f_equal; ring).
        rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [left; apply exp_pos|lra]. }
      pose proof (exp_pos (q - c / 2 * INR n)); simpl pow.
      replace ((1 + INR n) * (1 + INR n) ^ degree * (exp (- (c / 2 * INR n)) * exp (q - c / 2 * INR n)))
        with ((1 + INR n) * exp (- (c / 2 * INR n)) * ((1 + INR n) ^ degree * exp (q - c / 2 * INR n))) by ring.
      apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|exact one].
    + apply is_lim_seq_const.
    + replace (Finite 0) with (Rbar_mult (2 / c * exp (c / 2)) 0) by apply Rbar_mult_0_r.
      apply is_lim_seq_scal_l, IH; lra.
Qed.
