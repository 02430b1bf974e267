(* Smooth Staircase: n + S Z, where the density of Z falls in steps that spread. The breaks are those of spec/, above and
   below, or on both sides those of above; whatever a step costs within the bounds, neighbors lose at most epsilon. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace smooth_sensitivity.
From Establish Require Import pieces growth_scale_steps smooth_scale.
Open Scope R_scope.

(* The first k from [from] on with z <= b k, if there is one within [fuel] more. *)
Fixpoint first_break (b : nat -> R) (z : R) (fuel from : nat) : nat :=
  match fuel with
  | O => from
  | S rest => if Rle_dec z (b from) then from else first_break b z rest (S from)
  end.
(* How many steps lie between the flat part and z, on the side where z is positive. *)
Definition steps_to (b : nat -> R) (z : R) : nat := first_break b z (Z.to_nat (ceiling z)) 0.

Section Breaks.
Variable b : nat -> R.
Variable b0 : 0 <= b O.
Variable apart : forall k, b k + 1 <= b (S k).

Lemma breaks_rise k n : b k + INR n <= b (k + n)%nat.
Proof.
  induction n as [|n IH]; [rewrite Nat.add_0_r; simpl; lra|].
  rewrite Nat.add_succ_r, S_INR; specialize (apart (k + n)); lra.
Qed.

Lemma first_is_first z fuel from : z <= b (from + fuel)%nat -> (forall i, (i < from)%nat -> b i < z) ->
  z <= b (first_break b z fuel from) /\ forall i, (i < first_break b z fuel from)%nat -> b i < z.
Proof.
  revert from; induction fuel as [|fuel IH]; intros from last before; simpl.
  - rewrite Nat.add_0_r in last; split; [exact last|exact before].
  - destruct (Rle_dec z (b from)) as [h|h]; [split; [exact h|exact before]|].
    apply IH; [replace (S from + fuel)%nat with (from + S fuel)%nat by lia; exact last|].
    intros i ik; destruct (Nat.eq_dec i from) as [-> |]; [lra|apply before; lia].
Qed.

Lemma steps_to_is z : z <= b (steps_to b z) /\ forall i, (i < steps_to b z)%nat -> b i < z.
Proof.
  apply first_is_first; [|intros i h; lia]; simpl.
  pose proof (breaks_rise 0 (Z.to_nat (ceiling z))) as r; destruct (ceiling_is z) as [c _]; simpl in r.
  destruct (Z_le_dec 0 (ceiling z)) as [p|n].
  - rewrite INR_IZR_INZ, Z2Nat.id in r by exact p; lra.
  - pose proof (pos_INR (Z.to_nat (ceiling z))).
    assert (IZR (ceiling z) <= 0) by (apply IZR_le; lia); lra.
Qed.

Lemma steps_to_at_most z k : (steps_to b z <= k)%nat <-> z <= b k.
Proof.
  destruct (steps_to_is z) as [here before]; split; intros h.
  - pose proof (breaks_rise (steps_to b z) (k - steps_to b z)) as r; pose proof (pos_INR (k - steps_to b z)).
    replace (steps_to b z + (k - steps_to b z))%nat with k in r by lia; lra.
  - destruct (le_lt_dec (steps_to b z) k) as [|lt]; [assumption|apply before in lt; lra].
Qed.

Lemma none_before_the_flat z : z <= b O -> steps_to b z = O.
Proof. intros h; apply steps_to_at_most in h; lia. Qed.
End Breaks.

(* What the proof asks of the breaks: a slide by 1, and a stretch by the growth with it, crosses one above and one below. *)
Definition spread_above (alpha : R) (b : nat -> R) : Prop := 0 <= b O /\ forall k, (1 + alpha) * b k + 1 <= b (S k).
Definition spread_below (alpha : R) (c : nat -> R) : Prop :=
  0 <= c O /\ forall k, c k + 1 <= c (S k) /\ (1 + alpha) * c k - 1 <= c (S k).

Section Law.
Variables (up down : nat -> R) (up_cost down_cost : R).
(* ln of the density of Z, whose flat part has the height [height]. *)
Definition spreading_log_density (height z : R) : R :=
  ln height - up_cost * INR (steps_to up z) - down_cost * INR (steps_to down (- z)).

Variables alpha epsilon : R.
Variable a0 : 0 < alpha.
Variable above : spread_above alpha up.
Variable below : spread_below alpha down.
Variable up_costs : 0 <= up_cost <= epsilon.
Variable down_costs : 0 <= down_cost <= epsilon - ln (1 + alpha).

Lemma up_apart k : up k + 1 <= up (S k).
Proof.
  destruct above as [u0 s]; assert (0 <= up k); [|specialize (s k); nra].
  induction k as [|k IH]; [exact u0|specialize (s k); nra].
Qed.

Lemma down_nonneg k : 0 <= down k.
Proof. destruct below as [d0 s]; induction k as [|k IH]; [exact d0|destruct (s k); lra]. Qed.

Lemma down_apart k : down k + 1 <= down (S k).
Proof. apply (proj2 below k). Qed.

Let reaches_up := steps_to_at_most up (proj1 above) up_apart.
Let reaches_down := steps_to_at_most down (proj1 below) down_apart.

(* z = m w + d: what an output is in units of the smaller scale, and of the larger one. *)
Theorem move_costs height w m d : 0 <= d <= 1 -> 1 <= m <= 1 + alpha * d ->
  - epsilon <= spreading_log_density height (m * w + d) - spreading_log_density height w + ln m <= epsilon.
Proof.
  intros db [m1 md]; pose proof (proj1 above) as u0; pose proof (proj1 below) as c0.
  assert (m2 : m <= 1 + alpha) by nra.
  assert (lm : 0 <= ln m <= ln (1 + alpha)) by (split; [apply ln_nonneg; lra|apply ln_le; lra]).
  unfold spreading_log_density; set (z := m * w + d).
  destruct (Rle_dec 0 w) as [pos|neg].
  - assert (zw : w <= z) by (unfold z; nra).
    assert (zu : z <= (1 + alpha) * w + 1) by (unfold z; nra).
    rewrite (none_before_the_flat down c0 down_apart (- z)), (none_before_the_flat down c0 down_apart (- w)) by lra.
    assert (more : (steps_to up w <= steps_to up z)%nat) by (apply reaches_up; pose proof (proj1 (reaches_up z _) (le_n _)); lra).
    assert (few : (steps_to up z <= S (steps_to up w))%nat).
    { apply reaches_up; pose proof (proj1 (reaches_up w _) (le_n _)) as h; pose proof (proj2 above (steps_to up w)); nra. }
    apply le_INR in more, few; rewrite S_INR in few; simpl INR.
    assert (0 <= up_cost * (INR (steps_to up z) - INR (steps_to up w)) <= up_cost * 1)
      by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_l; lra]); lra.
  - assert (zw : z <= w + 1) by (unfold z; nra).
    assert (low : - z <= - w \/ - z <= (1 + alpha) * - w - 1).
    { unfold z; destruct (Rle_dec (alpha * - w) 1) as [h|h]; [left|right].
      - assert (d * (alpha * - w) <= d * 1) by (apply Rmult_le_compat_l; lra); nra.
      - assert ((1 - d) * 1 <= (1 - d) * (alpha * - w)) by (apply Rmult_le_compat_l; lra); nra. }
    rewrite (none_before_the_flat up u0 up_apart w) by lra.
    assert (more : (steps_to down (- w) <= S (steps_to down (- z)))%nat).
    { apply reaches_down; pose proof (proj1 (reaches_down (- z) _) (le_n _)); pose proof (down_apart (steps_to down (- z))); lra. }
    assert (few : (steps_to down (- z) <= S (steps_to down (- w)))%nat).
    { apply reaches_down; pose proof (proj1 (reaches_down (- w) _) (le_n _)); destruct (proj2 below (steps_to down (- w))).
      destruct low; [lra|nra]. }
    assert (one : (steps_to up z <= 1)%nat) by (apply reaches_up; pose proof (up_apart 0); lra).
    destruct (steps_to up z) as [|[|k]] eqn:e; [| |lia].
    + apply le_INR in more, few; rewrite S_INR in more, few; simpl INR.
      assert (down_cost * (INR (steps_to down (- w)) - INR (steps_to down (- z))) <= down_cost * 1)
        by (apply Rmult_le_compat_l; lra).
      assert (down_cost * -1 <= down_cost * (INR (steps_to down (- w)) - INR (steps_to down (- z))))
        by (apply Rmult_le_compat_l; lra); lra.
    + assert (z0 : 0 < z).
      { destruct (Rle_dec z 0) as [h|h]; [|lra].
        rewrite (none_before_the_flat up u0 up_apart z) in e by lra; discriminate. }
      rewrite (none_before_the_flat down c0 down_apart (- z)) in * by lra; apply le_INR in more; simpl INR in *.
      pose proof (pos_INR (steps_to down (- w))).
      assert (0 <= down_cost * INR (steps_to down (- w)) <= down_cost * 1)
        by (split; [apply Rmult_le_pos; lra|apply Rmult_le_compat_l; lra]); lra.
Qed.
End Law.

Section SmoothStaircase.
Variables (A V : Type) (up down : nat -> R) (up_cost down_cost height : R).
(* The density of n + S Z on D. *)
Definition smooth_staircase (alpha : R) : cell A V -> dataset A V -> R -> R :=
  at_smooth_scale (spreading_log_density up down up_cost down_cost height) alpha.

Lemma steps_to_borel b sign : 0 <= b O -> (forall k, b k + 1 <= b (S k)) ->
  sign = 1 \/ sign = -1 -> forall k, borel (fun z => (Z.of_nat (steps_to b (sign * z)) <= k)%Z).
Proof.
  intros b0 apart s k; destruct (Z_le_dec 0 k) as [k0|k0].
  - assert (e : forall z, (Z.of_nat (steps_to b (sign * z)) <= k)%Z <-> sign * z <= b (Z.to_nat k)).
    { intros z; rewrite <- (steps_to_at_most b b0 apart); split; lia. }
    destruct s as [-> | ->].
    + rewrite (@same_set _ (fun z => z <= b (Z.to_nat k))); [apply borel_to|intros z; rewrite e; lra].
    + rewrite (@same_set _ (fun z => - b (Z.to_nat k) <= z)); [apply borel_from|intros z; rewrite e; lra].
  - rewrite (@same_set _ (fun _ => False)); [apply borel_nothing|intros z; lia].
Qed.

Lemma spreading_borel alpha : spread_above alpha up -> spread_below alpha down -> 0 < alpha ->
  borel_function (spreading_log_density up down up_cost down_cost height).
Proof.
  intros above below a0; pose proof (up_apart up alpha a0 above) as ua; pose proof (down_apart down alpha below) as da.
  assert (each : forall b sign cost, 0 <= b O -> (forall k, b k + 1 <= b (S k)) -> sign = 1 \/ sign = -1 ->
    borel_function (fun z => - cost * INR (steps_to b (sign * z)))).
  { intros b sign cost b0 apart s.
    apply (@borel_by_pieces _ (fun z => Z.of_nat (steps_to b (sign * z))) (fun k _ => - cost * IZR k) (fun _ => m_infty)).
    - apply steps_to_borel; assumption.
    - intros k z _; apply continuity_pt_const; intros x y; reflexivity.
    - intros z; exact I.
    - intros z; rewrite INR_IZR_INZ; reflexivity. }
  pose proof (each up 1 up_cost (proj1 above) ua (or_introl eq_refl)) as bu.
  pose proof (each down (-1) down_cost (proj1 below) da (or_intror eq_refl)) as bd.
  assert (const : borel_function (fun _ => ln height))
    by (apply continuous_is_borel; intros z; apply continuity_pt_const; intros x y; reflexivity).
  pose proof (borel_sum (borel_sum const bu) bd) as all.
  intros E mE; rewrite (@same_set _ (fun z => E (ln height + - up_cost * INR (steps_to up (1 * z)) +
    - down_cost * INR (steps_to down (-1 * z))))); [exact (all E mE)|].
  intros z; unfold spreading_log_density; rewrite Rmult_1_l; replace (-1 * z) with (- z) by ring.
  replace (ln height - up_cost * INR (steps_to up z) - down_cost * INR (steps_to down (- z)))
    with (ln height + - up_cost * INR (steps_to up z) + - down_cost * INR (steps_to down (- z))) by ring; reflexivity.
Qed.

Theorem private_with_spread_breaks alpha epsilon : 0 < alpha -> spread_above alpha up -> spread_below alpha down ->
  0 <= up_cost <= epsilon -> 0 <= down_cost <= epsilon - ln (1 + alpha) ->
  (forall b, private (strong_neighbors alpha) m_infty epsilon (smooth_staircase alpha (establishment_cell b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (smooth_staircase alpha q)).
Proof.
  intros a0 above below uc dc; apply private_at_smooth_scale; [exact a0|apply (spreading_borel alpha); assumption|].
  intros w m d; apply move_costs; assumption.
Qed.
End SmoothStaircase.

Arguments smooth_staircase {A V}.
