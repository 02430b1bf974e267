(* Ends at infinity. For every finite system of sums and bounds, every table and every vector along which all sums
   are 0 and which no bound stops: the table may move along it for ever. So an unknown that the vector moves up has
   tables above every number, and one that it moves down has tables below every number; where values are whole,
   whole tables. *)
From Coq Require Import QArith Qreals Qround Reals Lra Lia Bool.
From Establish Require Import linear_tables whole_bound.
Open Scope R_scope.

Lemma every_is n f : every n f = true <-> forall j, (j < n)%nat -> f j = true.
Proof.
  induction n as [|n IH]; simpl; [split; [intros; lia|auto]|].
  rewrite andb_true_iff, IH; split; [intros [h k] j l; destruct (Nat.eq_dec j n) as [->|]; [exact k|apply h; lia]|].
  intros h; split; [intros; apply h; lia|apply h; lia].
Qed.

Lemma moved_fits s d x c : is_direction s d = true -> fits s x -> 0 <= c -> fits s (fun j => x j + c * Q2R (d j)).
Proof.
  unfold is_direction; rewrite andb_true_iff, !every_is; intros [sums_stay free] [sums_hold bounds] c0; split.
  - intros i l; rewrite <- (sums_hold i l); unfold value.
    rewrite (real_sum_ext _ _ (fun j => Q2R (factor s i j) * x j + c * Q2R (factor s i j * d j)%Q))
      by (intros; rewrite Q2R_mult; ring).
    rewrite real_sum_plus, real_sum_scale, <- exact_sum_is.
    rewrite (RMicromega.Qeq_true _ _ (sums_stay i l)), zero_real; ring.
  - intros j l; destruct (bounds j l) as [a b]; specialize (free j l); apply orb_true_iff in free.
    destruct free as [z|free].
    { apply RMicromega.Qeq_true in z; rewrite z, zero_real, Rmult_0_r, Rplus_0_r; auto. }
    destruct (Qle_bool 0 (d j)) eqn:sign; unfold not_below, not_above in *.
    + destruct (high s j); [discriminate|]; split; [|exact I]; destruct (low s j); [|exact I].
      apply RMicromega.Qle_true in sign; rewrite zero_real in sign; pose proof (Rmult_le_pos _ _ c0 sign); lra.
    + destruct (low s j); [discriminate|]; split; [exact I|]; destruct (high s j); [|exact I].
      assert (neg : (d j <= 0)%Q).
      { apply Qnot_lt_le; intros lt; apply Qlt_le_weak, Qle_bool_iff in lt; congruence. }
      apply Qle_Rle in neg; rewrite zero_real in neg; pose proof (Rmult_le_pos c (- Q2R (d j)) c0 ltac:(lra)); lra.
Qed.

(* A whole number above 0 that makes all steps whole. *)
Lemma common_denominator n (d : form) : exists k : Z, (0 < k)%Z /\
  forall j, (j < n)%nat -> is_whole (IZR k * Q2R (d j)).
Proof.
  induction n as [|n (k & k0 & h)]; [exists 1%Z; split; [lia|intros; lia]|].
  exists (k * Zpos (Qden (d n)))%Z; split; [lia|intros j l]; rewrite mult_IZR.
  destruct (Nat.eq_dec j n) as [->|].
  - exists (k * Qnum (d n))%Z; rewrite mult_IZR; unfold Q2R; field; apply IZR_neq; discriminate.
  - rewrite Rmult_assoc, (Rmult_comm (IZR (Zpos _))), <- Rmult_assoc.
    apply whole_product; [apply h; lia|eexists; reflexivity].
Qed.
Lemma moved_table s whole d x m : is_direction s d = true -> table s whole x ->
  exists u c, table s whole u /\ m <= c /\ 0 <= c /\ forall j, u j = x j + c * Q2R (d j).
Proof.
  intros dir [fit wx]; destruct (common_denominator (unknowns s) d) as (k & k0 & steps).
  pose (c := IZR (k * Z.max 0 (up m))); exists (fun j => x j + c * Q2R (d j)), c.
  assert (c0 : 0 <= c) by (apply IZR_le; nia).
  split; [split; [apply moved_fits; assumption|]|split; [|split; [exact c0|reflexivity]]].
  - intros w j l; unfold c; rewrite mult_IZR, (Rmult_comm (IZR k)), Rmult_assoc.
    destruct (wx w j l) as [a ->], (steps j l) as [b ->]; exists (a + Z.max 0 (up m) * b)%Z.
    rewrite plus_IZR, mult_IZR; ring.
  - apply Rle_trans with (IZR (up m)); [left; apply archimed|apply IZR_le; nia].
Qed.

Theorem a_direction_has_no_end (s : system) (d : form) : is_direction s d = true ->
  (forall x c, fits s x -> 0 <= c -> fits s (fun j => x j + c * Q2R (d j))) /\
  (forall whole x, table s whole x -> forall t v,
    (0 < Q2R (d t) -> exists u, table s whole u /\ v < u t) /\
    (Q2R (d t) < 0 -> exists u, table s whole u /\ u t < v)).
Proof.
  intros dir; split; [intros x c; apply moved_fits, dir|].
  intros whole x tx t v.
  pose proof (moved_table s whole d x ((Rabs (v - x t) + 1) / Rabs (Q2R (d t))) dir tx) as (u & c & tu & far & c0 & is).
  assert (move : forall r, 0 < r -> Rabs (Q2R (d t)) = r -> Rabs (v - x t) + 1 <= c * r).
  { intros r r0 abs; rewrite abs in far; apply Rmult_le_compat_r with (r := r) in far; [|lra].
    unfold Rdiv in far; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in far by lra; exact far. }
  split; intros sign; exists u; (split; [exact tu|]); rewrite is.
  - specialize (move _ sign (Rabs_pos_eq _ (Rlt_le _ _ sign))); pose proof (Rle_abs (v - x t)); lra.
  - specialize (move (- Q2R (d t)) ltac:(lra) (Rabs_left _ sign)); pose proof (Rle_abs (- (v - x t))) as h.
    rewrite Rabs_Ropp in h; lra.
Qed.
