(* A move to a neighbor changes Smooth Path's density by at most e^epsilon, less or more the stretch of the move. *)
From Coq Require Import Reals Lra Psatz Lia ZArith.
From Establish Require Import spec_formulas common smooth_staircase smooth_staircase_release shortest_path path_law.
Open Scope R_scope.

Section Moves.
Variables alpha epsilon r1 r2 : R.
Variables slides fine turn : nat.
Variable a0 : 0 < alpha.
Variable down0 : 0 <= r1.
Variable up0 : 0 <= r2.
Variable until : slides_until alpha slides r1.
Variable allowed : may_be_fine alpha epsilon r1 fine turn.
Let g := 1 + alpha.
Let e := exp epsilon.
Let up := break_above alpha r2.
Let down := break_below alpha slides r1.

Lemma power_of_cost n : INR n * ln (1 + alpha) <= epsilon -> g ^ n <= e.
Proof.
  intros h; unfold g, e; rewrite <- (exp_ln (1 + alpha)) at 1 by lra; rewrite pow_of_exp; apply exp_le; lra.
Qed.

Lemma twice_beyond_the_turn : g * g ^ S turn <= e.
Proof. change (g ^ S (S turn) <= e); apply power_of_cost; rewrite !S_INR; destruct allowed as [h _]; lra. Qed.

Lemma fine_power : g ^ fine <= e.
Proof.
  destruct allowed as (_ & _ & [z|(_ & h & _)]); [rewrite z|apply power_of_cost, h].
  pose proof twice_beyond_the_turn; pose proof (power_pos alpha a0 (S turn)) as p; fold g in p; simpl; unfold g in *; nra.
Qed.

Lemma above_apart k : up k + 1 <= up (S k).
Proof. apply (up_apart up alpha a0), above_spreads; assumption. Qed.

Lemma below_apart k : down k + 1 <= down (S k).
Proof. apply (down_apart down alpha), below_spreads; assumption. Qed.

Let ends_up := steps_to_at_most up (proj1 (above_spreads alpha a0 r2 up0)) above_apart.
Let ends_down := steps_to_at_most down (proj1 (below_spreads alpha a0 slides r1 down0 until)) below_apart.

Lemma fine_slides : (fine <= slides)%nat.
Proof.
  destruct allowed as (_ & _ & [z|(_ & _ & h)]); [lia|]; pose proof until as [reach _]; apply INR_le; lra.
Qed.

Lemma fine_break k : (k <= fine)%nat -> down k = r1 + INR k.
Proof.
  intros h; pose proof fine_slides; unfold down, break_below, slide_down; destruct (le_dec k slides); [reflexivity|lia].
Qed.

(* y lies on step k, and not before. *)
Definition lies_on (b : nat -> R) (k : nat) (y : R) : Prop := y <= b k /\ (k = O \/ b (Nat.pred k) < y).

Lemma lies_on_its_step (b : nat -> R) (ends : forall z k, (steps_to b z <= k)%nat <-> z <= b k) y : lies_on b (steps_to b y) y.
Proof.
  split; [apply ends; lia|]; destruct (steps_to b y) as [|k] eqn:h; [left; reflexivity|right]; simpl.
  destruct (Rlt_dec (b k) y) as [|n]; [assumption|]; exfalso; assert (y <= b k) as m by lra; apply ends in m; lia.
Qed.

Lemma step_below k y : lies_on down k y -> (k <= fine)%nat -> on_step r1 k y.
Proof.
  intros [to from] h; rewrite fine_break in to by exact h; split; [exact to|].
  destruct k as [|k]; [left; reflexivity|right]; destruct from as [|from]; [discriminate|]; simpl in from.
  rewrite fine_break in from by lia; rewrite S_INR; lra.
Qed.

Lemma beyond_fine_steps k y : lies_on down k y -> (fine < k)%nat -> r1 + INR fine < y.
Proof.
  intros [_ [->|from]] h; [lia|]; rewrite <- fine_break by lia; apply Rle_lt_trans with (2 := from).
  replace (Nat.pred k) with (fine + (Nat.pred k - fine))%nat by lia; pose proof (pos_INR (Nat.pred k - fine)).
  pose proof (breaks_rise down below_apart fine (Nat.pred k - fine)); lra.
Qed.

Let below := factor_below alpha r1 fine turn.
Let above := factor_above alpha r2 fine.

Lemma below_from_one k y : lies_on down k y -> 1 <= below k y.
Proof.
  intros h; unfold below, factor_below; destruct (le_dec k fine) as [l|l].
  - apply cheapest_from_one; [exact a0|exact down0|apply step_below; assumption].
  - apply power_pos, a0.
Qed.

Lemma fine_at_most k y : lies_on down k y -> (k <= fine)%nat -> 0 <= cheapest alpha r1 k y <= g ^ Nat.min k (S turn).
Proof.
  intros h l; pose proof (step_below k y h l) as s; pose proof (cheapest_from_one alpha a0 r1 down0 k y s).
  pose proof (cheapest_reaches alpha a0 r1 down0 k y) as r; split; [lra|].
  destruct (Nat.min_spec k (S turn)) as [[lt ->]|[le ->]]; [apply r|].
  destruct allowed as (_ & _ & [z|(t & _)]); [lia|].
  destruct s as [_ [z|from]]; [lia|]; apply (turned alpha a0 r1 down0 turn k y); [exact t|lia|exact from|lra|exact r].
Qed.

(* On the same step, and from one to the next, the factor grows by so much at most. *)
Lemma below_varies k k' y y' : lies_on down k y -> lies_on down k' y' -> (k <= k' <= S k)%nat -> below k' y' <= g ^ S turn * below k y.
Proof.
  intros h h' kk; pose proof (below_from_one k y h) as one; pose proof (power_pos alpha a0 (S turn)) as big; fold g in big.
  assert (rise : forall n m, (n <= m)%nat -> g ^ n <= g ^ m) by (intros; apply powers_rise; assumption).
  assert (near : forall x, x <= g ^ S turn -> x <= g ^ S turn * below k y) by (intros; nra).
  unfold below at 1, factor_below; destruct (le_dec k' fine) as [l|l].
  - apply near; destruct (fine_at_most k' y' h' l) as [_ m]; apply Rle_trans with (1 := m), rise; lia.
  - destruct (le_dec k fine) as [f|f].
    + apply near; replace k' with (S fine) by lia; apply rise; lia.
    + unfold below, factor_below; destruct (le_dec k fine); [lia|]; fold g; rewrite <- pow_add; apply rise; lia.
Qed.

Lemma out_by_a_stretch k y y' d m : lies_on down k y -> lies_on down (S k) y' -> m * y' = y + d -> 0 <= d <= 1 -> 1 <= m <= g ->
  m * below k y <= below (S k) y'.
Proof.
  intros h h' is db mb; unfold below, factor_below; fold g.
  destruct (le_dec (S k) fine) as [l|l].
  { destruct (le_dec k fine); [|lia].
    pose proof (cheapest_pos alpha a0 r1 k y); apply (cheapest_is alpha a0 r1 down0); [nra|].
    apply (one_move_further alpha a0 r1 down0 k y y' d); try assumption; apply step_below; assumption || lia. }
  destruct (le_dec k fine) as [f|f].
  - assert (k = fine) as -> by lia; destruct (fine_at_most fine y h (le_n _)) as [p0 most].
    replace (Nat.min fine turn + (S fine - fine))%nat with (S (Nat.min fine turn)) by lia.
    destruct (le_lt_dec fine turn) as [le|lt].
    + rewrite !Nat.min_l in * by lia; simpl pow; apply Rmult_le_compat; lra.
    + rewrite Nat.min_r by lia.
      destruct allowed as (_ & _ & [z|(t & _)]); [lia|].
      pose proof (beyond_fine_steps (S fine) y' h' ltac:(lia)) as from.
      pose proof (step_below fine y h (le_n _)) as s.
      assert (there : on_step r1 (S fine) y').
      { split; [|right; rewrite S_INR; lra].
        destruct s as [to _]; rewrite S_INR; assert (y' <= y + 1); [|lra].
        assert (0 < y') by (pose proof (pos_INR fine); lra); assert (1 * y' <= m * y') by (apply Rmult_le_compat_r; lra); lra. }
      pose proof (one_move_further alpha a0 r1 down0 fine y y' d m s there is db mb) as reach.
      apply (turned alpha a0 r1 down0 turn (S fine) y'); [exact t|lia|rewrite S_INR; lra|nra|exact reach].
  - replace (Nat.min fine turn + (S k - fine))%nat with (S (Nat.min fine turn + (k - fine))) by lia; simpl pow.
    apply Rmult_le_compat_r; [|lra]; apply pow_le; unfold g; lra.
Qed.

Lemma out_by_a_slide k y y' : lies_on down k y -> lies_on down (S k) y' -> ((S k <= fine)%nat -> y' <= y + 1) ->
  below k y <= below (S k) y'.
Proof.
  intros h h' near; unfold below, factor_below; fold g.
  destruct (le_dec (S k) fine) as [l|l].
  { destruct (le_dec k fine); [|lia].
    pose proof (cheapest_pos alpha a0 r1 k y); apply (cheapest_is alpha a0 r1 down0); [nra|].
    apply (one_slide_further alpha a0 r1 down0 k y); [apply step_below; assumption || lia|apply step_below; assumption|apply near, l]. }
  destruct (le_dec k fine) as [f|f]; [|apply powers_rise; [exact a0|lia]].
  assert (k = fine) as -> by lia; destruct (fine_at_most fine y h (le_n _)) as [_ most].
  apply Rle_trans with (1 := most), powers_rise; [exact a0|lia].
Qed.

Lemma break_is k : up k = reached_above alpha r2 k.
Proof. reflexivity. Qed.

Lemma above_bounds k z : z <= up k -> / e <= above k z <= 1.
Proof.
  intros h; unfold above, factor_above; assert (e1 : 1 <= e) by (pose proof fine_power; pose proof (power_pos alpha a0 fine) as p; fold g in p; lra).
  destruct (le_dec k fine) as [l|l]; [|split; [rewrite <- Rinv_1; apply Rinv_le_contravar|]; lra].
  destruct (dearest_reaches alpha a0 r2 up0 k z h) as [q1 _].
  pose proof (dearest_at_most alpha a0 r2 up0 k z h) as q2; pose proof (powers_rise alpha a0 k fine l) as r; pose proof fine_power; fold g in q2, r.
  split; [apply Rinv_le_contravar; lra|rewrite <- Rinv_1; apply Rinv_le_contravar; lra].
Qed.

Lemma above_falls k z z' : z <= z' -> z' <= up k -> above k z' <= above k z.
Proof.
  intros h to; unfold above, factor_above; destruct (le_dec k fine) as [l|l]; [|lra].
  destruct (dearest_reaches alpha a0 r2 up0 k z ltac:(fold (up k); rewrite <- break_is; lra)) as [q1 _].
  apply Rinv_le_contravar; [lra|apply dearest_rises; assumption].
Qed.

Lemma up_by_a_move k z d m : z <= up k -> m * z + d <= up (S k) -> 0 <= d <= 1 -> 1 <= m <= g -> above k z <= m * above (S k) (m * z + d).
Proof.
  intros h to db mb; pose proof (above_bounds k z h) as b; unfold above, factor_above in *.
  destruct (le_dec (S k) fine) as [l|l]; [|nra]; destruct (le_dec k fine); [|lia].
  pose proof (dearest_reaches alpha a0 r2 up0 k z h) as [q1 _]; pose proof (dearest_reaches alpha a0 r2 up0 (S k) _ to) as [q2 _].
  pose proof (proj2 (dearest_is alpha a0 r2 up0 (S k) _ (m * dearest alpha r2 k z) to) (one_move_up alpha a0 r2 up0 k z d m h db mb)) as le.
  set (q := dearest alpha r2 k z) in *; set (q' := dearest alpha r2 (S k) (m * z + d)) in *.
  apply (Rmult_le_reg_l (q * q')); [nra|]; replace (q * q' * / q) with q' by (field; lra); replace (q * q' * (m * / q')) with (m * q) by (field; lra); exact le.
Qed.

(* On the flat part, and on the other side. *)
Lemma flat_below y : y <= 0 -> steps_to down y = O /\ side_below alpha epsilon r1 slides fine turn y = 1.
Proof.
  intros h; assert (k : steps_to down y = O) by (assert (y <= down O) as m by (rewrite fine_break by lia; simpl; lra); apply ends_down in m; lia).
  split; [exact k|]; unfold side_below; fold down; rewrite k; unfold factor_below; rewrite cheapest_first; simpl; destruct (le_dec 0 fine); [ring|lia].
Qed.

Lemma flat_above z : z <= 0 -> steps_to up z = O /\ side_above alpha epsilon r2 fine z = 1.
Proof.
  intros h; assert (k : steps_to up z = O).
  { assert (z <= up O) as m by (unfold up, break_above, spread_up; simpl; lra); apply ends_up in m; lia. }
  split; [exact k|]; unfold side_above; fold up; rewrite k; unfold factor_above, dearest; simpl; destruct (le_dec 0 fine); [field|lia].
Qed.

Theorem kernel_moves w m d : 0 <= d <= 1 -> 1 <= m <= 1 + alpha * d ->
  let kernel := path_kernel alpha epsilon r1 r2 slides fine turn in
  kernel w <= e * (m * kernel (m * w + d)) /\ m * kernel (m * w + d) <= e * kernel w.
Proof.
  intros db [m1 md]; assert (mb : 1 <= m <= g) by (unfold g; nra); set (z := m * w + d); unfold path_kernel.
  assert (E0 : 0 < exp (- epsilon)) by apply exp_pos.
  assert (Ee : e * exp (- epsilon) = 1) by (unfold e; rewrite <- exp_plus, Rplus_opp_r, exp_0; reflexivity).
  pose proof twice_beyond_the_turn as big; pose proof (power_pos alpha a0 (S turn)) as P; fold g in P; set (G := g ^ S turn) in *.
  assert (e1 : m <= e /\ 1 <= e) by nra.
  set (E := exp (- epsilon)) in *.
  assert (Ge : g * G * E <= 1) by (rewrite <- Ee; apply Rmult_le_compat_r; lra).
  assert (pw : forall k, 0 < E ^ k) by (intros k; apply pow_lt, E0).
  destruct (Rle_dec 0 w) as [pos|neg].
  - (* Above: outwards on the way there. *)
    assert (wz : w <= z) by (unfold z; nra).
    destruct (flat_below (- w) ltac:(lra)) as [_ ->]; destruct (flat_below (- z) ltac:(lra)) as [_ ->]; rewrite !Rmult_1_r.
    unfold side_above; fold up E above; pose proof (lies_on_its_step up ends_up w) as [hw _]; pose proof (lies_on_its_step up ends_up z) as [hz _].
    assert (more : (steps_to up w <= steps_to up z)%nat) by (apply ends_up; lra).
    assert (few : (steps_to up z <= S (steps_to up w))%nat).
    { apply ends_up; pose proof (proj2 (above_spreads alpha a0 r2 up0) (steps_to up w)) as s; fold up in s; unfold z, g in *; nra. }
    set (k := steps_to up w) in *; set (l := steps_to up z) in *; specialize (pw k).
    pose proof (above_bounds k w hw) as [lo hi]; pose proof (above_bounds l z hz) as [lo' hi'].
    assert (ie : / e = E) by (apply Rmult_eq_reg_l with e; [rewrite Rinv_r; lra|lra]); rewrite ie in *.
    assert (l = k \/ l = S k) as [same|next] by lia.
    + rewrite same in *; pose proof (above_falls k w z wz hz) as falls.
      replace (e * (m * (E ^ k * above k z))) with (E ^ k * (e * m * above k z)) by ring.
      replace (m * (E ^ k * above k z)) with (E ^ k * (m * above k z)) by ring; replace (e * (E ^ k * above k w)) with (E ^ k * (e * above k w)) by ring.
      split; apply Rmult_le_compat_l; try lra.
      * apply Rle_trans with (e * m * E); [nra|apply Rmult_le_compat_l; nra].
      * apply Rmult_le_compat; lra.
    + rewrite next in *; pose proof (up_by_a_move k w d m hw hz db mb) as further; fold z in further; simpl pow.
      replace (e * (m * (E * E ^ k * above (S k) z))) with (E ^ k * (e * E * (m * above (S k) z))) by ring; rewrite Ee, Rmult_1_l.
      replace (m * (E * E ^ k * above (S k) z)) with (E ^ k * (m * E * above (S k) z)) by ring; replace (e * (E ^ k * above k w)) with (E ^ k * (e * above k w)) by ring.
      split; apply Rmult_le_compat_l; try lra.
      apply Rle_trans with (1 * above (S k) z); [apply Rmult_le_compat_r; [lra|nra]|]; apply Rle_trans with (e * E); [lra|apply Rmult_le_compat_l; lra].
  - (* Below: inwards on the way there, or out by a stretch. *)
    destruct (flat_above w ltac:(lra)) as [_ ->]; rewrite Rmult_1_l.
    assert (back : m * - w = - z + d) by (unfold z; ring).
    pose proof (lies_on_its_step down ends_down (- w)) as hw; pose proof (lies_on_its_step down ends_down (- z)) as hz.
    assert (in_ : (steps_to down (- w) <= S (steps_to down (- z)))%nat).
    { apply ends_down; pose proof (below_apart (steps_to down (- z))); destruct hz as [hz _]; unfold z in *; nra. }
    assert (low : - z <= - w \/ - z <= g * - w - 1).
    { unfold z, g; destruct (Rle_dec (alpha * - w) 1) as [h|h]; [left|right].
      - assert (d * (alpha * - w) <= d * 1) by (apply Rmult_le_compat_l; lra); nra.
      - assert ((1 - d) * 1 <= (1 - d) * (alpha * - w)) by (apply Rmult_le_compat_l; lra); nra. }
    assert (out : (steps_to down (- z) <= S (steps_to down (- w)))%nat).
    { apply ends_down; pose proof (below_apart (steps_to down (- w))); destruct hw as [hw _].
      pose proof (proj2 (proj2 (below_spreads alpha a0 slides r1 down0 until) (steps_to down (- w)))) as s'; fold down in s'; unfold g in *; nra. }
    assert (near : forall k, (S k <= fine)%nat -> steps_to down (- w) = k -> - z <= - w + 1).
    { intros k kf ek; rewrite ek in hw; destruct hw as [hw _]; rewrite fine_break in hw by lia.
      destruct allowed as (_ & _ & [f|(_ & _ & f)]); [lia|].
      assert (INR k <= INR fine) by (apply le_INR; lia).
      assert (alpha * - w <= 2) by (apply Rle_trans with (alpha * (2 / alpha)); [apply Rmult_le_compat_l; lra|right; field; lra]).
      unfold z; nra. }
    unfold side_below; fold down E below.
    set (k := steps_to down (- w)) in *; set (l := steps_to down (- z)) in *.
    pose proof (below_from_one k (- w) hw) as one; pose proof (below_from_one l (- z) hz) as one'.
    destruct (Rle_dec z 0) as [under|over].
    + destruct (flat_above z under) as [_ ->]; rewrite Rmult_1_l.
      assert (l = k \/ l = S k \/ k = S l) as [same|[next|before]] by lia.
      * rewrite same in *; pose proof (below_varies k k (- w) (- z) hw hz ltac:(lia)) as a; pose proof (below_varies k k (- z) (- w) hz hw ltac:(lia)) as b.
        fold G in a, b; specialize (pw k); assert (Gm : m * G <= e /\ G <= e) by nra.
        replace (e * (m * (E ^ k * below k (- z)))) with (E ^ k * (e * m * below k (- z))) by ring.
        replace (m * (E ^ k * below k (- z))) with (E ^ k * (m * below k (- z))) by ring; replace (e * (E ^ k * below k (- w))) with (E ^ k * (e * below k (- w))) by ring.
        split; apply Rmult_le_compat_l; try lra.
        -- apply Rle_trans with (1 := b), Rmult_le_compat_r; nra.
        -- apply Rle_trans with (m * (G * below k (- w))); [apply Rmult_le_compat_l; lra|rewrite <- Rmult_assoc; apply Rmult_le_compat_r; lra].
      * rewrite next in *; pose proof (below_varies k (S k) (- w) (- z) hw hz ltac:(lia)) as a; fold G in a; specialize (pw k); simpl pow.
        pose proof (out_by_a_slide k (- w) (- z) hw hz (fun h => near k h eq_refl)) as b.
        replace (e * (m * (E * E ^ k * below (S k) (- z)))) with (E ^ k * (m * (e * E * below (S k) (- z)))) by ring; rewrite Ee, Rmult_1_l.
        replace (m * (E * E ^ k * below (S k) (- z))) with (E ^ k * (m * E * below (S k) (- z))) by ring; replace (e * (E ^ k * below k (- w))) with (E ^ k * (e * below k (- w))) by ring.
        split; apply Rmult_le_compat_l; try nra.
        apply Rle_trans with (m * E * (G * below k (- w))); [apply Rmult_le_compat_l; nra|].
        replace (m * E * (G * below k (- w))) with (m * G * E * below k (- w)) by ring; apply Rmult_le_compat_r; [lra|].
        apply Rle_trans with (g * G * E); [|lra]; apply Rmult_le_compat_r; [lra|apply Rmult_le_compat_r; lra].
      * rewrite before in *; pose proof (below_varies l (S l) (- z) (- w) hz hw ltac:(lia)) as a; fold G in a; specialize (pw l); simpl pow.
        pose proof (out_by_a_stretch l (- z) (- w) d m hz hw back db mb) as b.
        replace (e * (E * E ^ l * below (S l) (- w))) with (E ^ l * (e * E * below (S l) (- w))) by ring; rewrite Ee, Rmult_1_l.
        replace (m * (E ^ l * below l (- z))) with (E ^ l * (m * below l (- z))) by ring; replace (e * (E ^ l * (m * below l (- z)))) with (E ^ l * (e * (m * below l (- z)))) by ring.
        replace (E * E ^ l * below (S l) (- w)) with (E ^ l * (E * below (S l) (- w))) by ring.
        split; apply Rmult_le_compat_l; try nra.
        apply Rle_trans with (E * (G * below l (- z))); [apply Rmult_le_compat_l; lra|].
        rewrite <- !Rmult_assoc; apply Rmult_le_compat_r; [lra|]; assert (1 * (G * E) <= g * (G * E)) by (apply Rmult_le_compat_r; nra); nra.
    + destruct (flat_below (- z) ltac:(lra)) as [l0 flat]; unfold side_below in flat; fold down E below in flat; fold l in flat.
      rewrite flat, Rmult_1_r; fold l in l0; rewrite l0 in *; unfold side_above; fold up E above.
      assert (zu : z <= 1) by (unfold z; nra).
      pose proof (lies_on_its_step up ends_up z) as [hz' _]; assert (first : (steps_to up z <= 1)%nat).
      { apply ends_up; pose proof (above_apart 0) as a; unfold up, break_above, spread_up in *; simpl in *; lra. }
      assert (height : E <= E ^ steps_to up z * above (steps_to up z) z <= 1).
      { assert (steps_to up z = 0 \/ steps_to up z = 1)%nat as [i|i] by lia; rewrite i in *.
        - unfold above, factor_above, dearest; simpl; destruct (le_dec 0 fine); [|lia]; rewrite Rinv_1; nra.
        - assert (above 1 z = 1) as ->; [|simpl; nra].
          unfold above, factor_above; destruct (le_dec 1 fine); [|reflexivity].
          assert (dearest alpha r2 1 z <= 1).
          { apply (dearest_is alpha a0 r2 up0 1 z 1 hz'); split; [lra|]; intros j j1; replace j with 0%nat by lia.
            rewrite reached_first by exact a0; pose proof (later_pos 1 0); lra. }
          destruct (dearest_reaches alpha a0 r2 up0 1 z hz') as [q _]; assert (dearest alpha r2 1 z = 1) as -> by lra; apply Rinv_1. }
      set (h := E ^ steps_to up z * above (steps_to up z) z) in *.
      assert (eh : 1 <= e * h) by (rewrite <- Ee; apply Rmult_le_compat_l; lra).
      assert (there : 1 <= e * (m * h)) by (replace (e * (m * h)) with (m * (e * h)) by ring; nra).
      assert (k = 0 \/ k = 1)%nat as [i|i] by lia; rewrite i in *.
      * unfold below, factor_below; rewrite cheapest_first; simpl; destruct (le_dec 0 fine); [|lia]; split; nra.
      * pose proof (below_varies 0 1 (- z) (- w) hz hw ltac:(lia)) as a; pose proof (out_by_a_stretch 0 (- z) (- w) d m hz hw back db mb) as b; fold G in a.
        assert (below 0 (- z) = 1) as c by (unfold below, factor_below; rewrite cheapest_first; destruct (le_dec 0 fine); [reflexivity|lia]); rewrite c in *.
        simpl pow; rewrite Rmult_1_r; replace (e * (E * below 1 (- w))) with (e * E * below 1 (- w)) by ring; rewrite Ee; split; nra.
Qed.
End Moves.
