(* The shortest path from a flat part: how far k moves reach at what cost, and what one move more adds.

   Below, k moves at the cost k epsilon - ln p reach the distance y where p y <= r1 + the sum of min ((1+alpha)^i, p) for i < k;
   above, at k epsilon + ln q they reach z <= q r2 + the same sum for q. The sum is the least of lines in p, one for each j; so
   1/p for the largest p that reaches y is the largest of lines in y, and the least q that reaches z that of lines in z. *)
From Coq Require Import Reals Lra Psatz Lia.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common.
Open Scope R_scope.

(* The largest of a bound and the first k values. *)
Fixpoint largest_of (f : nat -> R) (k : nat) (bound : R) : R :=
  match k with O => bound | S j => Rmax (f j) (largest_of f j bound) end.

Lemma largest_is f k bound : (forall x, largest_of f k bound <= x <-> bound <= x /\ forall j, (j < k)%nat -> f j <= x).
Proof.
  induction k as [|k IH]; intros x; simpl; [split; [intros h; split; [exact h|lia]|tauto]|split].
  - intros h; pose proof (Rmax_l (f k) (largest_of f k bound)); pose proof (Rmax_r (f k) (largest_of f k bound)).
    destruct (proj1 (IH x) ltac:(lra)) as [b all]; split; [exact b|]; intros j jk.
    destruct (Nat.eq_dec j k) as [-> |]; [lra|apply all; lia].
  - intros [b all]; apply Rmax_lub; [apply all; lia|]; apply IH; split; [exact b|intros j jk; apply all; lia].
Qed.

Section Path.
Variable alpha : R.
Variable a0 : 0 < alpha.
Let g := 1 + alpha.

(* The sum of (1+alpha)^i for i <= j. *)
Definition reached (j : nat) : R := path_total ((1 + alpha) ^ j) alpha.
(* How many of k moves come after the first j+1. *)
Definition later (k j : nat) : R := INR (k - 1 - j).
(* p on step k below, and q on step k above, where a line of slope 0 says nothing. *)
Definition cheapest (r1 : R) (k : nat) (y : R) : R :=
  / largest_of (fun j => (y - later k j) / (r1 + reached j)) k (/ (1 + alpha) ^ k).
Definition dearest (r2 : R) (k : nat) (z : R) : R :=
  largest_of (fun j => if Rle_dec (r2 + later k j) 0 then 1 else (z - reached j) / (r2 + later k j)) k 1.

Lemma power_pos k : 1 <= g ^ k.
Proof. apply pow_R1_Rle; unfold g; lra. Qed.

Lemma powers_rise i j : (i <= j)%nat -> g ^ i <= g ^ j.
Proof. intros h; apply Rle_pow; [unfold g; lra|exact h]. Qed.

Lemma reached_first : reached 0 = 1.
Proof. unfold reached, path_total; simpl; field; lra. Qed.

Lemma reached_next j : reached (S j) = reached j + g ^ S j.
Proof. unfold reached, path_total, g; simpl; field; lra. Qed.

Lemma reached_grows j : reached (S j) = 1 + g * reached j.
Proof. unfold reached, path_total, g; simpl; field; lra. Qed.

Lemma reached_turn j : alpha * reached j = g ^ S j - 1.
Proof. unfold reached, path_total, g; simpl; field; lra. Qed.

Lemma reached_least j : INR j + 1 <= reached j.
Proof.
  induction j as [|j IH]; [rewrite reached_first; simpl; lra|].
  rewrite reached_next, S_INR; pose proof (power_pos (S j)); lra.
Qed.

(* A price between the powers j and j+1 is at most that of every later move, and at least that of every earlier one. *)
Lemma between_powers p i j : g ^ j <= p <= g ^ S j -> p * (INR i - INR j) <= reached i - reached j.
Proof.
  intros [lo hi]; destruct (le_lt_dec j i) as [h|h].
  - replace i with (j + (i - j))%nat by lia; induction (i - j)%nat as [|n IH]; [rewrite Nat.add_0_r; lra|].
    rewrite Nat.add_succ_r, reached_next, S_INR; pose proof (powers_rise (S j) (S (j + n)) ltac:(lia)); lra.
  - replace j with (i + (j - i))%nat in * by lia; set (n := (j - i)%nat) in *; clearbody n; clear h hi.
    assert (all : forall l, (l <= n)%nat -> p * (INR i - INR (i + l)) <= reached i - reached (i + l)).
    { induction l as [|l IH]; intros ln; [rewrite Nat.add_0_r; lra|].
      rewrite Nat.add_succ_r, reached_next, S_INR; pose proof (powers_rise (S (i + l)) (i + n) ltac:(lia)).
      specialize (IH ltac:(lia)); lra. }
    apply all; lia.
Qed.

Lemma later_is k j : (j < k)%nat -> later k j = INR k - 1 - INR j.
Proof. intros h; unfold later; rewrite !minus_INR by lia; simpl; lra. Qed.

Lemma later_next k j : later (S k) (S j) = later k j.
Proof. unfold later; f_equal; lia. Qed.

Lemma later_pos k j : 0 <= later k j.
Proof. apply pos_INR. Qed.

Section Below.
Variable r1 : R.
Variable r0 : 0 <= r1.
(* Step k ends at the distance r1 + k. *)
Definition on_step (k : nat) (y : R) : Prop := y <= r1 + INR k /\ (k = O \/ r1 + INR k - 1 < y).
Definition reaches_below (k : nat) (p y : R) : Prop :=
  p <= g ^ k /\ forall j, (j < k)%nat -> p * (y - later k j) <= r1 + reached j.

Lemma size_pos j : 1 <= r1 + reached j.
Proof. pose proof (reached_least j); pose proof (pos_INR j); lra. Qed.

Lemma cheapest_pos k y : 0 < cheapest r1 k y.
Proof.
  unfold cheapest; apply Rinv_0_lt_compat; pose proof (power_pos k) as p; fold g; assert (0 < / g ^ k) by (apply Rinv_0_lt_compat; lra).
  pose proof (proj1 (largest_is (fun j => (y - later k j) / (r1 + reached j)) k (/ g ^ k) _) (Rle_refl _)) as [b _]; lra.
Qed.

Lemma cheapest_is k y p : 0 < p -> (p <= cheapest r1 k y <-> reaches_below k p y).
Proof.
  intros p0; pose proof (cheapest_pos k y) as c0; pose proof (power_pos k) as P.
  assert (turn : p <= cheapest r1 k y <-> / cheapest r1 k y <= / p).
  { split; intros h; [apply Rinv_le_contravar; lra|].
    rewrite <- (Rinv_inv p), <- (Rinv_inv (cheapest r1 k y)); apply Rinv_le_contravar; [apply Rinv_0_lt_compat, c0|exact h]. }
  rewrite turn; unfold cheapest; rewrite Rinv_inv, largest_is; fold g; unfold reaches_below.
  assert (each : forall j, (y - later k j) / (r1 + reached j) <= / p <-> p * (y - later k j) <= r1 + reached j).
  { intros j; pose proof (size_pos j) as s; split; intros h.
    - apply (Rmult_le_compat_r (r1 + reached j)) in h; [|lra]; unfold Rdiv in h; rewrite Rmult_assoc, Rinv_l, Rmult_1_r in h by lra.
      apply (Rmult_le_compat_l p) in h; [|lra]; rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l in h by lra; exact h.
    - apply Rle_div_l; [lra|]; apply (Rmult_le_reg_l p); [exact p0|]; rewrite <- Rmult_assoc, Rinv_r by lra; lra. }
  split; intros [a b]; split.
  - rewrite <- (Rinv_inv p), <- (Rinv_inv (g ^ k)); apply Rinv_le_contravar; [apply Rinv_0_lt_compat; lra|exact a].
  - intros j jk; apply each, b, jk.
  - apply Rinv_le_contravar; lra.
  - intros j jk; apply each, b, jk.
Qed.

Lemma cheapest_first y : cheapest r1 0 y = 1.
Proof. unfold cheapest; simpl; rewrite Rinv_1; apply Rinv_1. Qed.

Lemma cheapest_reaches k y : reaches_below k (cheapest r1 k y) y.
Proof. apply cheapest_is; [apply cheapest_pos|lra]. Qed.

Lemma cheapest_from_one k y : on_step k y -> 1 <= cheapest r1 k y.
Proof.
  intros [to _]; apply cheapest_is; [lra|]; split; [apply power_pos|].
  intros j jk; rewrite later_is by exact jk; pose proof (reached_least j); lra.
Qed.

(* The move back: it stretches by m and slides by d. *)
Lemma one_move_further k y y' d m : on_step k y -> on_step (S k) y' -> m * y' = y + d -> 0 <= d <= 1 -> 1 <= m <= g ->
  reaches_below (S k) (m * cheapest r1 k y) y'.
Proof.
  intros here there is db mb; destruct (cheapest_reaches k y) as [top all].
  pose proof (cheapest_from_one k y here) as p1; set (p := cheapest r1 k y) in *; split.
  - simpl pow; apply Rmult_le_compat; lra.
  - assert (far : forall x, m * p * (y' - x) = p * (y + d) - m * p * x) by (intros x; rewrite <- is; ring).
    intros j jk; rewrite far.
    assert (mp : p <= m * p) by nra; assert (pd : p * d <= p * 1) by (apply Rmult_le_compat_l; lra).
    destruct (Nat.eq_dec j k) as [-> |jn].
    + replace (later (S k) k) with 0 by (unfold later; rewrite (ltac:(lia) : (S k - 1 - k)%nat = 0%nat); reflexivity).
      destruct k as [|k].
      * assert (y <= r1) by (destruct here as [t _]; simpl in t; lra); simpl in top.
        rewrite reached_first; assert (p = 1) by lra; nra.
      * specialize (all k ltac:(lia)); rewrite later_is in all by lia; rewrite S_INR in all; rewrite reached_next; lra.
    + specialize (all j ltac:(lia)).
      assert (e : later (S k) j = later k j + 1) by (rewrite !later_is, S_INR by lia; ring).
      pose proof (later_pos k j); rewrite e; assert (p * (later k j + 1) <= m * p * (later k j + 1)) by (apply Rmult_le_compat_r; lra); lra.
Qed.

(* The move there: at most 1 further out. *)
Lemma one_slide_further k y y' : on_step k y -> on_step (S k) y' -> y' <= y + 1 -> reaches_below (S k) (cheapest r1 k y) y'.
Proof.
  intros here there near.
  assert (to : on_step (S k) (y + 1)) by (destruct here as [a b], there as [c e]; unfold on_step; rewrite S_INR in *; split; [lra|right; destruct e; [lia|lra]]).
  pose proof (one_move_further k y (y + 1) 1 1 here to ltac:(ring) ltac:(lra) ltac:(unfold g; lra)) as [top all].
  rewrite Rmult_1_l in *; split; [exact top|]; intros j jk; specialize (all j jk).
  pose proof (cheapest_from_one k y here); nra.
Qed.

(* From the turn on p stays below a power. *)
Lemma turned t k y p : 1 - / g ^ S t <= alpha * INR t -> (t < k)%nat -> (r1 + INR k - 1 < y) -> 0 <= p ->
  reaches_below k p y -> p <= g ^ S t.
Proof.
  intros turn tk from p0 [_ all]; specialize (all t tk); rewrite later_is in all by exact tk.
  pose proof (power_pos (S t)) as P; pose proof (reached_turn t) as s; set (G := g ^ S t) in *.
  assert (steep : G - 1 <= alpha * (G * INR t)).
  { replace (G - 1) with (G * (1 - / G)) by (field; lra); replace (alpha * (G * INR t)) with (G * (alpha * INR t)) by ring.
    apply Rmult_le_compat_l; lra. }
  assert (sum : reached t <= G * INR t) by (apply (Rmult_le_reg_l alpha); lra).
  pose proof (pos_INR t); destruct (Rle_dec p G) as [|more]; [assumption|].
  assert (0 < INR t \/ t = O) as [tp|z] by (destruct t; [right; reflexivity|left; apply lt_0_INR; lia]).
  - assert (p * (r1 + INR t) <= p * (y - (INR k - 1 - INR t))) by (apply Rmult_le_compat_l; lra).
    assert (G * (r1 + INR t) < p * (r1 + INR t)) by (apply Rmult_lt_compat_r; lra); nra.
  - subst t; rewrite reached_first in sum; simpl in sum; lra.
Qed.
End Below.

Section Above.
Variable r2 : R.
Variable r0 : 0 <= r2.
(* Where step k ends. *)
Definition reached_above (k : nat) : R := spread_up r2 (g ^ k) alpha.
Definition reaches_above (k : nat) (q z : R) : Prop :=
  1 <= q /\ forall j, (j < k)%nat -> z <= reached j + q * (r2 + later k j).

Lemma end_of_step k : reached_above (S k) = g ^ S k * r2 + reached k.
Proof. unfold reached_above, reached, spread_up, path_total, g; simpl; field; lra. Qed.

Lemma dearest_is k z q : z <= reached_above k -> (dearest r2 k z <= q <-> reaches_above k q z).
Proof.
  intros to; unfold dearest; rewrite largest_is; unfold reaches_above.
  split; intros [a b]; (split; [exact a|]); intros j jk; specialize (b j jk);
    pose proof (later_pos k j) as l0; (destruct (Rle_dec (r2 + later k j) 0) as [none|some]); try assumption.
  - assert (e : r2 + later k j = 0) by lra; rewrite e, Rmult_0_r.
    assert (l : INR k - 1 - INR j = 0) by (rewrite <- later_is by exact jk; lra).
    assert (k = S j) as -> by (apply INR_eq; rewrite S_INR; lra); rewrite end_of_step in to; replace r2 with 0 in to by lra; lra.
  - apply (Rmult_le_compat_r (r2 + later k j)) in b; [|lra]; unfold Rdiv in b; rewrite Rmult_assoc, Rinv_l in b by lra; lra.
  - apply (Rmult_le_reg_r (r2 + later k j)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra.
Qed.

Lemma dearest_reaches k z : z <= reached_above k -> reaches_above k (dearest r2 k z) z.
Proof. intros h; apply (dearest_is k z _ h); lra. Qed.

Lemma dearest_at_most k z : z <= reached_above k -> dearest r2 k z <= g ^ k.
Proof.
  intros h; apply (dearest_is k z _ h); split; [apply power_pos|]; intros j jk.
  destruct k as [|k]; [lia|]; rewrite end_of_step in h; rewrite later_is, S_INR by exact jk.
  pose proof (between_powers (g ^ S k) j k ltac:(split; [apply powers_rise; lia|lra])) as b; lra.
Qed.

Lemma dearest_rises k z z' : z <= z' -> z' <= reached_above k -> dearest r2 k z <= dearest r2 k z'.
Proof.
  intros h to; apply dearest_is; [lra|]; destruct (dearest_reaches k z' to) as [a b]; split; [exact a|].
  intros j jk; specialize (b j jk); lra.
Qed.

(* The move there: it stretches by m and slides by d. *)
Lemma one_move_up k z d m : z <= reached_above k -> 0 <= d <= 1 -> 1 <= m <= g ->
  reaches_above (S k) (m * dearest r2 k z) (m * z + d).
Proof.
  intros to db mb; destruct (dearest_reaches k z to) as [q1 all]; set (q := dearest r2 k z) in *.
  split; [nra|]; intros [|j] jk.
  - rewrite reached_first; assert (z <= q * (r2 + later (S k) 0)); [|nra].
    destruct k as [|k].
    + assert (e : reached_above 0 = r2) by (unfold reached_above, spread_up; simpl; ring); rewrite e in to.
      unfold later; simpl; nra.
    + specialize (all O ltac:(lia)); rewrite reached_first in all.
      assert (e : later (S (S k)) 0 = later (S k) 0 + 1) by (rewrite !later_is, (S_INR (S k)) by lia; ring); rewrite e; lra.
  - specialize (all j ltac:(lia)); rewrite later_next, reached_grows; set (x := r2 + later k j) in *.
    assert (m * z <= m * (reached j + q * x)) by (apply Rmult_le_compat_l; lra).
    pose proof (reached_least j); pose proof (pos_INR j).
    assert (m * reached j <= g * reached j) by (apply Rmult_le_compat_r; lra); lra.
Qed.
End Above.
End Path.
