(* Rules on sums over the integers: one term, means below others, a law's second moment from its transform, and
   what Poisson's formula says of Gaussian weights.

   That sums converge is shown when a statement is made, and belongs to what is stated here. *)
From Coq Require Import Reals Lra Lia ZArith.
From Coquelicot Require Import Coquelicot.
From Establish Require Import common comparisons.
Open Scope R_scope.

(* All integers, each once: n and -(n + 1) for n = 0, 1, ... The sum of f converges absolutely, and is s. *)
Definition in_pairs (f : Z -> R) (n : nat) : R := f (Z.of_nat n) + f (- Z.of_nat (S n))%Z.
Definition sums_to (f : Z -> R) (s : R) : Prop :=
  ex_series (in_pairs (fun k => Rabs (f k))) /\ is_series (in_pairs f) s.

Lemma sums_le f g a b : (forall k, f k <= g k) -> sums_to f a -> sums_to g b -> a <= b.
Proof.
  intros le [_ sf] [_ sg]; apply (is_lim_seq_le _ _ (Finite a) (Finite b) (fun n => sum_n_m_le _ _ 0 n (fun k => Rplus_le_compat _ _ _ _ (le _) (le _))) sf sg).
Qed.

Lemma sums_plus f g a b : sums_to f a -> sums_to g b -> sums_to (fun k => f k + g k) (a + b).
Proof.
  intros [af sf] [ag sg]; split.
  - apply (@ex_series_le R_AbsRing R_CompleteNormedModule _ (fun n => plus (in_pairs (fun k => Rabs (f k)) n) (in_pairs (fun k => Rabs (g k)) n))).
    + intros n; change (Rabs (in_pairs (fun k => Rabs (f k + g k)) n) <= in_pairs (fun k => Rabs (f k)) n + in_pairs (fun k => Rabs (g k)) n).
      unfold in_pairs; rewrite Rabs_pos_eq by (apply Rplus_le_le_0_compat; apply Rabs_pos).
      pose proof (Rabs_triang (f (Z.of_nat n)) (g (Z.of_nat n))).
      pose proof (Rabs_triang (f (- Z.of_nat (S n))%Z) (g (- Z.of_nat (S n))%Z)); lra.
    + exact (ex_series_plus (V := R_NormedModule) _ _ af ag).
  - apply (is_series_ext (fun n => plus (in_pairs f n) (in_pairs g n))); [|exact (is_series_plus _ _ _ _ sf sg)].
    intros n; unfold in_pairs, plus; simpl; ring.
Qed.

Lemma sums_scal c f a : sums_to f a -> sums_to (fun k => c * f k) (c * a).
Proof.
  intros [af sf]; split.
  - apply (ex_series_ext (fun n => scal (Rabs c) (in_pairs (fun k => Rabs (f k)) n))).
    + intros n; unfold in_pairs; rewrite !Rabs_mult; unfold scal; simpl; unfold mult; simpl; ring.
    + exact (ex_series_scal (V := R_NormedModule) (Rabs c) _ af).
  - apply (is_series_ext (fun n => scal c (in_pairs f n))); [|exact (is_series_scal (V := R_NormedModule) c _ _ sf)].
    intros n; unfold in_pairs, scal; simpl; unfold mult; simpl; ring.
Qed.

Lemma sums_ext f g a : (forall k, f k = g k) -> sums_to f a -> sums_to g a.
Proof.
  intros same [af sf]; split; [eapply ex_series_ext; [|exact af]|eapply is_series_ext; [|exact sf]];
    intros n; unfold in_pairs; rewrite !same; reflexivity.
Qed.

(* A sum of terms of which none is negative is at least each of them. *)
Lemma at_least_a_term f a j : (forall k, 0 <= f k) -> sums_to f a -> f j <= a.
Proof.
  intros positive [_ sf].
  assert (pair : forall n, in_pairs f n <= a).
  { intros n; apply (is_lim_seq_le_loc (fun _ => in_pairs f n) (sum_n (in_pairs f)) (in_pairs f n) a).
    - exists n; intros m more.
      assert (none : forall k, 0 <= in_pairs f k) by (intros k; apply Rplus_le_le_0_compat; apply positive).
      apply Rle_trans with (sum_n (in_pairs f) n).
      + destruct n as [|n]; [rewrite sum_O; lra|rewrite sum_Sn; unfold plus; simpl].
        assert (0 <= sum_n (in_pairs f) n); [|lra].
        rewrite <- (Rmult_0_r (INR (S n))), <- (sum_n_const n 0); apply sum_n_m_le; exact none.
      + induction more as [|m _ IH]; [lra|rewrite sum_Sn; unfold plus; simpl; pose proof (none (S m)); lra].
    - apply is_lim_seq_const.
    - exact sf. }
  destruct (Z_le_gt_dec 0 j) as [up|down].
  - pose proof (pair (Z.to_nat j)) as h; unfold in_pairs in h; rewrite Z2Nat.id in h by exact up.
    pose proof (positive (- Z.of_nat (S (Z.to_nat j)))%Z); lra.
  - pose proof (pair (Z.to_nat (- j - 1))) as h; unfold in_pairs in h.
    replace (- Z.of_nat (S (Z.to_nat (- j - 1))))%Z with j in h by lia.
    pose proof (positive (Z.of_nat (Z.to_nat (- j - 1)))); lra.
Qed.

(* What is less than a line that starts at b, near it, is at most b. *)
Lemma at_the_start a b c e : 0 < e -> (forall t, 0 < t < e -> a <= b + c * t) -> a <= b.
Proof.
  intros e0 near; apply Rnot_lt_le; intros above.
  set (t := Rmin (e / 2) ((a - b) / (2 * (Rabs c + 1)))); pose proof (Rabs_pos c) as c0.
  assert (0 < (a - b) / (2 * (Rabs c + 1))) by (apply Rdiv_lt_0_compat; lra).
  assert (t0 : 0 < t) by (apply Rmin_glb_lt; lra).
  assert (te : t < e) by (apply Rle_lt_trans with (1 := Rmin_l _ _); lra).
  assert (small : t * (2 * (Rabs c + 1)) <= a - b).
  { apply Rle_trans with ((a - b) / (2 * (Rabs c + 1)) * (2 * (Rabs c + 1))); [|right; field; lra].
    apply Rmult_le_compat_r; [lra|apply Rmin_r]. }
  pose proof (near t (conj t0 te)); pose proof (Rle_abs c); nra.
Qed.

(* e^y + e^-y is at least 2 + y^2. *)
Lemma two_sides y : 2 + y * y <= exp y + exp (- y).
Proof.
  assert (half : forall z, 0 <= z -> 2 * z <= exp z - exp (- z)).
  { intros z [z0| <-]; [|rewrite Ropp_0; lra].
    destruct (MVT_gen (fun z => exp z - exp (- z)) 0 z (fun z => exp z + exp (- z))) as (c & _ & is).
    - intros t _; auto_derive; [exact I|ring].
    - intros t _; apply continuity_pt_filterlim, (ex_derive_continuous (fun z => exp z - exp (- z))); auto_derive; exact I.
    - rewrite Ropp_0, Rminus_eq_0, Rminus_0_r in is.
      assert (2 <= exp c + exp (- c)); [|nra].
      rewrite exp_Ropp; pose proof (exp_pos c) as p.
      assert (0 <= (exp c - 1) * (exp c - 1) * / exp c)
        by (apply Rmult_le_pos; [apply Rle_0_sqr|left; apply Rinv_0_lt_compat, p]).
      replace ((exp c - 1) * (exp c - 1) * / exp c) with (exp c + / exp c - 2) in * by (field; lra); lra. }
  assert (all : forall z, (2 * z) * (2 * z) <= (exp z - exp (- z)) * (exp z - exp (- z))).
  { intros z; destruct (Rle_dec 0 z) as [h|h].
    - pose proof (half z h); nra.
    - pose proof (half (- z) ltac:(lra)) as k; rewrite Ropp_involutive in k; nra. }
  pose proof (all (y / 2)) as h; pose proof (exp_plus (y / 2) (y / 2)) as p; pose proof (exp_plus (- (y / 2)) (- (y / 2))) as m.
  pose proof (exp_plus (y / 2) (- (y / 2))) as one; rewrite Rplus_opp_r, exp_0 in one.
  replace (y / 2 + y / 2) with y in p by field; replace (- (y / 2) + - (y / 2)) with (- y) in m by field; nra.
Qed.

(* e^u - 1 is at most u / (1 - u). *)
Lemma above_one u : u < 1 -> (exp u - 1) * (1 - u) <= u.
Proof.
  intros h; pose proof (exp_ineq1_le (- u)) as k; pose proof (exp_pos u).
  assert (exp u * (1 - u) <= 1); [|lra].
  apply Rle_trans with (exp u * exp (- u)); [apply Rmult_le_compat_l; lra|].
  rewrite <- exp_plus, Rplus_opp_r, exp_0; lra.
Qed.

Section Means.
Variables (point : Type) (domain : point -> Prop).
Implicit Types (f g l : point -> Z -> R) (bound : point -> R).

(* E f(X) e^(g(X)) has the relation to a bound, for X with chances in proportion to e^l; or, where it is not
   normalized, the sum of f e^(g + l) has. *)
Definition terms f g l x k : R := f x k * exp (g x k + l x k).
Definition finite f g l : Prop := forall x, domain x ->
  (exists n, sums_to (terms f g l x) n) /\ exists d, sums_to (fun k => exp (l x k)) d.
Definition mean_stated (normalized : bool) f g l (r : relation) bound : Prop := forall x, domain x ->
  forall n d, sums_to (terms f g l x) n -> sums_to (fun k => exp (l x k)) d ->
  related r (if normalized then n / d else n) (bound x).

Lemma weights_positive l x d : sums_to (fun k => exp (l x k)) d -> 0 < d.
Proof.
  intros s; apply Rlt_le_trans with (exp (l x 0%Z)); [apply exp_pos|].
  apply (at_least_a_term (fun k => exp (l x k)) d 0); [intros; left; apply exp_pos|exact s].
Qed.

(* Rule one_term. Owed: no factor is negative, and the bound is at most the term at one integer. *)
Theorem one_term f g l bound (at_ : point -> Z) :
  stated (fun p => domain (fst p)) (fun _ => 0) at_most (fun p : point * Z => f (fst p) (snd p)) ->
  stated domain bound at_most (fun x => f x (at_ x) * exp (g x (at_ x) + l x (at_ x))) ->
  mean_stated false f g l at_least bound.
Proof.
  intros none term x inside n d sum _; apply Rle_ge, Rle_trans with (1 := term x inside).
  apply (at_least_a_term (terms f g l x) n (at_ x)); [|exact sum].
  intros k; apply Rmult_le_pos; [exact (none (x, k) inside)|left; apply exp_pos].
Qed.

(* Rule mean_below. Owed: the larger mean is bounded, and at every integer what is averaged is at most the
   larger; both have one domain, law and bound. *)
Theorem mean_below normalized f g f' g' l bound : finite f' g' l -> mean_stated normalized f' g' l at_most bound ->
  stated (fun p => domain (fst p)) (fun p => f (fst p) (snd p) * exp (g (fst p) (snd p))) at_most
    (fun p : point * Z => f' (fst p) (snd p) * exp (g' (fst p) (snd p))) ->
  mean_stated normalized f g l at_most bound.
Proof.
  intros exist larger less x inside n d sum weights; destruct (exist x inside) as [[n' sum'] _].
  apply Rle_trans with (2 := larger x inside n' d sum' weights).
  assert (le : n <= n').
  { apply (fun h => sums_le _ _ n n' h sum sum'); intros k; unfold terms; rewrite !exp_plus, <- !Rmult_assoc.
    apply Rmult_le_compat_r; [left; apply exp_pos|exact (less (x, k) inside)]. }
  destruct normalized; [|exact le]; apply Rmult_le_compat_r; [|exact le].
  left; apply Rinv_0_lt_compat, (weights_positive l x d weights).
Qed.

(* Rule dual_sum. Owed: Poisson's formula for this sum, s > 0, that the weights are Gaussian around 0, and that the
   bound is at least what is said of the first of the further terms. *)
Theorem dual_sum g l bound (s : point -> R) :
  (forall x, domain x -> forall n, sums_to (terms (fun _ _ => 1) g l x) n -> exists t,
    sums_to (fun j => exp (- 2 * PI * PI * s x * (IZR j * IZR j))) t /\ n = sqrt (2 * PI * s x) * t) ->
  stated domain (fun _ => 0) less s ->
  stated domain (fun x => sqrt (2 * PI * s x) * (1 + 2 / (exp (2 * PI * PI * s x) - 1))) at_most bound ->
  mean_stated false (fun _ _ => 1) g l at_most bound.
Proof.
  intros poisson positive enough x inside n d sum _; destruct (poisson x inside n sum) as (t & dual & ->).
  apply Rle_trans with (2 := enough x inside); simpl related; apply Rmult_le_compat_l; [apply sqrt_pos|].
  pose proof (positive x inside) as s0; simpl in s0; pose proof PI_RGT_0 as pi0.
  set (u := 2 * PI * PI * s x) in *; assert (u0 : 0 < u) by (unfold u; pose proof (Rmult_lt_0_compat _ _ pi0 pi0); nra).
  set (q := exp (- u)); assert (q1 : 0 < q < 1).
  { split; [apply exp_pos|]; rewrite <- exp_0; apply exp_increasing; lra. }
  replace (exp u) with (/ q) by (unfold q; rewrite exp_Ropp, Rinv_inv; reflexivity).
  assert (geometric : is_series (fun m => scal (1 + q) (q ^ m)) (scal (1 + q) (/ (1 - q)))).
  { apply (is_series_scal (V := R_NormedModule)), is_series_geom; rewrite Rabs_pos_eq; lra. }
  replace (1 + 2 / (/ q - 1)) with (scal (1 + q) (/ (1 - q))) by (unfold scal; simpl; unfold mult; simpl; field; repeat split; lra).
  destruct dual as [_ dual]; eapply (is_lim_seq_le _ _ (Finite t) (Finite _)); [|exact dual|exact geometric].
  intros m; apply sum_n_m_le; intros i.
  change (in_pairs (fun j => exp (- 2 * PI * PI * s x * (IZR j * IZR j))) i <= (1 + q) * q ^ i); unfold in_pairs.
  assert (power : forall j : nat, q ^ j = exp (- u * INR j)).
  { intros j; unfold q; rewrite <- Rpower_pow by apply exp_pos; unfold Rpower; rewrite ln_exp; f_equal; ring. }
  assert (square : forall j : nat, exp (- 2 * PI * PI * s x * (INR j * INR j)) <= q ^ j).
  { intros j; rewrite power; apply exp_le; replace (- 2 * PI * PI * s x) with (- u) by (unfold u; ring).
    assert (INR j <= INR j * INR j); [|nra].
    destruct j as [|j]; [simpl; lra|]; assert (1 <= INR (S j)) by (rewrite S_INR; pose proof (pos_INR j); lra); nra. }
  pose proof (square i) as here; pose proof (square (S i)) as next.
  rewrite opp_IZR, <- !INR_IZR_INZ.
  replace (- INR (S i) * - INR (S i)) with (INR (S i) * INR (S i)) by ring; simpl pow in next; lra.
Qed.

(* Rule second_order. Owed: E e^(t f(X)) <= e^(s t^2 / 2) at every real t; what is averaged is f^2, and s at most
   the bound; or it is f itself, and 0 the bound. *)
Theorem second_order (squared : bool) f h l (s : point -> R) bound :
  let transform := fun x t => forall n d, sums_to (fun k => exp (h x t k + l x k)) n ->
    sums_to (fun k => exp (l x k)) d -> n / d <= exp (s x * t * t / 2) in
  (forall x t, domain x -> transform x t) ->
  (forall x t, domain x -> exists n, sums_to (fun k => exp (h x t k + l x k)) n) ->
  (forall x t k, domain x -> h x t k = t * f x k) ->
  stated domain (fun x => if squared then s x else 0) (if squared then at_most else equal) bound ->
  mean_stated true (fun x k => if squared then f x k * f x k else f x k) (fun _ _ => 0) l
    (if squared then at_most else equal) bound.
Proof.
  intros transform every converges form enough x inside n d sum weights.
  pose proof (weights_positive l x d weights) as d0.
  assert (N : forall t, exists N, sums_to (fun k => exp (t * f x k) * exp (l x k)) N /\ N <= d * exp (s x * t * t / 2)).
  { intros t; destruct (converges x t inside) as [N is]; exists N; split.
    - eapply sums_ext; [|exact is]; intros k; simpl; rewrite exp_plus, (form x t k inside); reflexivity.
    - pose proof (every x t inside N d is weights) as q; apply (Rmult_le_compat_l d) in q; [|lra].
      replace (d * (N / d)) with N in q by (field; lra); exact q. }
  assert (up : forall t, s x * t * t / 2 < 1 -> (exp (s x * t * t / 2) - 1) * (1 - s x * t * t / 2) <= s x * t * t / 2)
    by (intros t; apply above_one).
  set (e := / (1 + Rabs (s x))); assert (e0 : 0 < e <= 1 /\ Rabs (s x) * e < 1).
  { pose proof (Rabs_pos (s x)); unfold e; split; [split; [apply Rinv_0_lt_compat; lra|]|].
    - rewrite <- Rinv_1 at 2; apply Rinv_le_contravar; lra.
    - apply (Rmult_lt_reg_r (1 + Rabs (s x))); [lra|]; rewrite Rmult_assoc, Rinv_l; lra. }
  assert (small : forall t, 0 < t < e -> s x * t * t / 2 < 1).
  { intros t ht; pose proof (Rle_abs (s x)); pose proof (Rabs_pos (s x)).
    assert (s x * t <= 1) by (apply Rle_trans with (Rabs (s x) * t); [apply Rmult_le_compat_r; lra|nra]); nra. }
  destruct squared; simpl in *.
  - apply Rle_trans with (2 := enough x inside).
    assert (n <= d * s x); [|apply (Rmult_le_reg_r d); [exact d0|]; replace (n / d * d) with n by (field; lra); lra].
    apply (at_the_start n (d * s x) (Rabs (n * s x)) e); [lra|]; intros t ht.
    destruct (N t) as (N1 & S1 & L1), (N (- t)) as (N2 & S2 & L2).
    assert (2 * d + t * t * n <= N1 + N2).
    { eapply sums_le; [|apply sums_plus; [apply (sums_scal 2), weights|apply (sums_scal (t * t)), sum]|exact (sums_plus _ _ _ _ S1 S2)].
      intros k; unfold terms; simpl; rewrite Rplus_0_l; pose proof (two_sides (t * f x k)); pose proof (exp_pos (l x k)).
      replace (- t * f x k) with (- (t * f x k)) by ring; nra. }
    replace (s x * - t * - t) with (s x * t * t) in L2 by ring.
    pose proof (up t (small t ht)) as u; pose proof (small t ht) as less; set (E := exp (s x * t * t / 2)) in *.
    assert (t * t * n * (1 - s x * t * t / 2) <= 2 * d * (s x * t * t / 2)).
    { apply Rle_trans with (2 * d * (E - 1) * (1 - s x * t * t / 2)); [apply Rmult_le_compat_r; lra|].
      rewrite Rmult_assoc; apply Rmult_le_compat_l; lra. }
    assert (n * (1 - s x * t * t / 2) <= d * s x) by (apply (Rmult_le_reg_l (t * t)); [nra|lra]).
    pose proof (Rle_abs (n * s x)); pose proof (Rabs_pos (n * s x)).
    assert (n * s x * (t * t / 2) <= Rabs (n * s x) * t); [|lra].
    apply Rle_trans with (Rabs (n * s x) * (t * t / 2)); [apply Rmult_le_compat_r|apply Rmult_le_compat_l]; nra.
  - assert (side : forall a, a = n \/ a = - n -> a <= 0).
    { intros a sign; apply (at_the_start a 0 (Rabs (n * s x) + Rabs (d * s x)) e); [lra|]; intros t ht.
      set (v := if Req_EM_T a n then t else - t).
      assert (is : v * n = t * a /\ v * v = t * t).
      { unfold v; destruct (Req_EM_T a n) as [-> |no]; [split; ring|]; destruct sign as [| ->]; [contradiction|split; ring]. }
      destruct is as [va vv]; destruct (N v) as (N1 & S1 & L1).
      assert (d + v * n <= N1).
      { eapply sums_le; [|apply sums_plus; [exact weights|apply (sums_scal v), sum]|exact S1].
        intros k; unfold terms; simpl; rewrite Rplus_0_l; pose proof (exp_ineq1_le (v * f x k)); pose proof (exp_pos (l x k)); nra. }
      replace (s x * v * v) with (s x * t * t) in L1 by (rewrite !Rmult_assoc, vv; reflexivity).
      pose proof (up t (small t ht)) as u; pose proof (small t ht) as less; set (E := exp (s x * t * t / 2)) in *.
      assert (t * a * (1 - s x * t * t / 2) <= d * (s x * t * t / 2)).
      { apply Rle_trans with (d * (E - 1) * (1 - s x * t * t / 2)); [apply Rmult_le_compat_r; lra|].
        rewrite Rmult_assoc; apply Rmult_le_compat_l; lra. }
      assert (a * (1 - s x * t * t / 2) <= d * s x * t / 2) by (apply (Rmult_le_reg_l t); lra).
      assert (a * s x <= Rabs (n * s x)).
      { destruct sign as [-> | ->]; [apply Rle_abs|]; rewrite <- Rabs_Ropp, <- Ropp_mult_distr_l_reverse; apply Rle_abs. }
      pose proof (Rle_abs (d * s x)); pose proof (Rabs_pos (n * s x)); pose proof (Rabs_pos (d * s x)).
      assert (a * s x * (t * t / 2) <= Rabs (n * s x) * t).
      { apply Rle_trans with (Rabs (n * s x) * (t * t / 2)); [apply Rmult_le_compat_r|apply Rmult_le_compat_l]; nra. }
      nra. }
    pose proof (side n (or_introl eq_refl)); pose proof (side (- n) (or_intror eq_refl)).
    rewrite <- (enough x inside : 0 = bound x); replace n with 0 by lra; apply Rmult_0_l.
Qed.
End Means.
