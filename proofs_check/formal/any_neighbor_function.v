(* Rule any_psi: what follows from four properties of a function is true of every neighbor function. Definition
   5.1 says three of them; that the function has an inverse from its value at 0 on follows, as its fourth
   condition, convexity in ln x, makes it unbounded. *)
From Coq Require Import Reals Lra.
From Establish Require Import comparisons neighbor_functions.
Open Scope R_scope.

(* All that is told of the function about which the owed statement is. *)
Definition told (psi : R -> R) : Prop :=
  (forall x y, 0 <= x < y -> psi x < psi y) /\
  (forall x y t, 0 <= x -> 0 <= y -> 0 <= t <= 1 ->
    t * psi x + (1 - t) * psi y <= psi (t * x + (1 - t) * y)) /\
  (forall x y t, 0 <= t <= 1 ->
    psi (exp (t * x + (1 - t) * y)) <= t * psi (exp x) + (1 - t) * psi (exp y)) /\
  (forall v, psi 0 <= v -> exists x, 0 <= x /\ psi x = v).
(* The same of a function that is real above 0 only and falls without end towards 0. *)
Definition told_above_0 (psi : R -> R) : Prop :=
  (forall x y, 0 < x < y -> psi x < psi y) /\
  (forall x y t, 0 < x -> 0 < y -> 0 <= t <= 1 ->
    t * psi x + (1 - t) * psi y <= psi (t * x + (1 - t) * y)) /\
  (forall x y t, 0 <= t <= 1 ->
    psi (exp (t * x + (1 - t) * y)) <= t * psi (exp x) + (1 - t) * psi (exp y)) /\
  (forall v, exists x, 0 < x /\ psi x = v).

Lemma above_any_number psi : (forall x y, 0 < x < y -> psi x < psi y) ->
  (forall x y t, 0 <= t <= 1 ->
    psi (exp (t * x + (1 - t) * y)) <= t * psi (exp x) + (1 - t) * psi (exp y)) ->
  forall v, exists x, 0 < x /\ v <= psi x.
Proof.
  intros up convex v.
  assert (rise : psi (exp 0) < psi (exp 1)) by (apply up; split; [apply exp_pos|apply exp_increasing; lra]).
  pose (d := psi (exp 1) - psi (exp 0)); assert (d0 : 0 < d) by (unfold d; lra).
  pose (s := Rmax 1 ((v - psi (exp 0)) / d)).
  assert (s1 : 1 <= s) by apply Rmax_l.
  assert (far : (v - psi (exp 0)) / d <= s) by apply Rmax_r.
  exists (exp s); split; [apply exp_pos|].
  assert (t01 : 0 <= / s <= 1).
  { split; [left; apply Rinv_0_lt_compat; lra|]; rewrite <- Rinv_1; apply Rinv_le_contravar; lra. }
  pose proof (convex s 0 (/ s) t01) as c.
  replace (/ s * s + (1 - / s) * 0) with 1 in c by (field; lra).
  apply (Rmult_le_compat_l s) in c; [|lra].
  replace (s * (/ s * psi (exp s) + (1 - / s) * psi (exp 0))) with (psi (exp s) + (s - 1) * psi (exp 0)) in c
    by (field; lra).
  apply (Rmult_le_compat_r d) in far; [|lra].
  replace ((v - psi (exp 0)) / d * d) with (v - psi (exp 0)) in far by (field; lra).
  unfold d in far; nra.
Qed.

(* Between two values of an increasing and continuous function it takes every value. *)
Lemma every_value_between (psi : R -> R) (low : R -> Prop) a b v :
  (forall x, low x -> forall e, 0 < e -> exists d, 0 < d /\
    forall y, low y -> Rabs (y - x) < d -> Rabs (psi y - psi x) < e) ->
  (forall x, a <= x -> low x) -> a <= b -> psi a <= v <= psi b -> exists x, a <= x /\ psi x = v.
Proof.
  intros continuous from ab [va vb].
  pose (f := fun x => psi (Rmax a x) - v).
  assert (cf : continuity f).
  { intros x e e0; destruct (continuous (Rmax a x) (from _ (Rmax_l a x)) e e0) as (d & d0 & near).
    exists d; split; [exact d0|]; intros y [_ close]; simpl in *; unfold R_dist in *; unfold f.
    replace (psi (Rmax a y) - v - (psi (Rmax a x) - v)) with (psi (Rmax a y) - psi (Rmax a x)) by ring.
    apply near; [apply from, Rmax_l|]; apply Rle_lt_trans with (2 := close).
    unfold Rmax; destruct (Rle_dec a y), (Rle_dec a x); unfold Rabs;
      repeat destruct Rcase_abs; lra. }
  destruct (IVT_cor f a b cf ab) as (x & [ax _] & zero).
  - unfold f; rewrite (Rmax_left a a), (Rmax_right a b) by lra; nra.
  - exists x; split; [exact ax|]; unfold f in zero; rewrite (Rmax_right a x ax) in zero; lra.
Qed.

(* The comparison is a property of the function. Owed: it for every function of which this is told. *)
Theorem any_psi (comparison : (R -> R) -> Prop) :
  ((forall psi, told psi -> comparison psi) -> forall psi, neighbor_function psi -> comparison psi) /\
  ((forall psi, told_above_0 psi -> comparison psi) ->
    forall psi, neighbor_function_above_0 psi -> (forall v, exists x, 0 < x /\ psi x <= v) -> comparison psi).
Proof.
  split; intros owed psi f; [destruct f as (up & cont & bend & convex)|
    intros falls; destruct f as (up & cont & bend & convex)]; apply owed.
  - split; [exact up|split; [exact bend|split; [exact convex|]]]; intros v v0.
    destruct (above_any_number psi) with (v := v) as (b & b0 & high); [intros; apply up; lra|exact convex|].
    apply (every_value_between psi (fun x => 0 <= x) 0 b v); auto; lra.
  - split; [exact up|split; [exact bend|split; [exact convex|]]]; intros v.
    destruct (above_any_number psi up convex v) as (b & b0 & high); destruct (falls v) as (a & a0 & below).
    destruct (Rle_lt_dec a b) as [ab|ba].
    + destruct (every_value_between psi (fun x => 0 < x) a b v) as (x & ax & is); auto; [intros; lra|].
      exists x; split; [lra|exact is].
    + pose proof (up b a (conj b0 ba)); exfalso; lra.
Qed.
