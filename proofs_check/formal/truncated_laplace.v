(* Truncated Laplace (Haney et al. 2017, Section 6). Establishments with theta workers or more are left out;
   the count of any cell over the others has sensitivity theta - 1 under node neighbors, which change the
   whole workforce of one establishment. With Laplace noise of scale theta/epsilon it is epsilon-private; it
   loses (theta - 1)/theta epsilon, and noise of scale (theta - 1)/epsilon would do. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge laplace_loss.
Import ListNotations.
Open Scope R_scope.

Section Truncated.
Variables (A V : Type) (theta : nat) (q : cell A V).

Definition is_small (e : establishment A V) : bool := Nat.ltb (length (workforce e)) theta.
(* The matching workers of the establishments that are kept. *)
Definition truncated_count (D : dataset A V) : R := count q (filter is_small D).

Definition kept (e : establishment A V) : R := if is_small e then contribution A V q e else 0.

Lemma truncated_is_sum D : truncated_count D = total (map kept D).
Proof.
  unfold truncated_count, count, contributions, kept; induction D as [|e D IH]; simpl; [reflexivity|].
  destruct (is_small e); simpl; rewrite IH; [reflexivity|ring].
Qed.

Lemma kept_range e : (1 <= theta)%nat -> 0 <= kept e <= INR theta - 1.
Proof.
  intros t1; unfold kept, is_small; pose proof (le_INR _ _ t1) as t; simpl in t.
  destruct (Nat.ltb_spec (length (workforce e)) theta) as [h|h]; [|lra].
  unfold contribution, matching.
  pose proof (filter_no_longer (fun w => q (public e) (attributes w)) (workforce e)) as k.
  set (n := length (filter (fun w => q (public e) (attributes w)) (workforce e))) in *.
  assert (nt : (n + 1 <= theta)%nat) by (clearbody n; lia).
  apply le_INR in nt; rewrite plus_INR in nt; simpl in nt.
  pose proof (pos_INR n); lra.
Qed.

Theorem truncated_close D D' : (1 <= theta)%nat -> node_neighbors D D' ->
  Rabs (truncated_count D - truncated_count D') <= INR theta - 1.
Proof.
  intros t1 [h|h]; destruct h as (b & e & e' & a & -> & -> & _); rewrite !truncated_is_sum, !map_app, !total_app;
    simpl; pose proof (kept_range e t1); pose proof (kept_range e' t1); apply abs_at_most; lra.
Qed.

Theorem one_count (epsilon : R) : (1 <= theta)%nat -> 0 < epsilon ->
  let at_level := fun scale loss => private node_neighbors m_infty loss
    (fun D o => exp (laplace_log_density o (truncated_count D) scale)) in
  at_level (truncated_laplace_noise_scale (INR theta) epsilon) epsilon /\
  at_level (truncated_laplace_noise_scale (INR theta) epsilon) ((INR theta - 1) / INR theta * epsilon) /\
  ((2 <= theta)%nat -> at_level (truncated_laplace_tight_noise_scale (INR theta - 1) epsilon) epsilon).
Proof.
  intros t1 e0 at_level; pose proof (le_INR _ _ t1) as t; simpl in t.
  assert (s0 : 0 < truncated_laplace_noise_scale (INR theta) epsilon) by (apply Rdiv_lt_0_compat; lra).
  assert (is : (INR theta - 1) / truncated_laplace_noise_scale (INR theta) epsilon
    = (INR theta - 1) / INR theta * epsilon) by (unfold truncated_laplace_noise_scale; field; lra).
  assert (less : (INR theta - 1) / INR theta * epsilon <= epsilon).
  { rewrite <- (Rmult_1_l epsilon) at 2; apply Rmult_le_compat_r; [lra|].
    apply Rmult_le_reg_r with (INR theta); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
  split; [|split].
  - apply laplace_private with (sensitivity := INR theta - 1); [exact s0|lra|].
    intros D D' near; apply truncated_close; assumption.
  - apply laplace_private with (sensitivity := INR theta - 1); [exact s0|lra|].
    intros D D' near; apply truncated_close; assumption.
  - intros t2; pose proof (le_INR _ _ t2) as t'; simpl in t'.
    apply laplace_private with (sensitivity := INR theta - 1).
    + apply Rdiv_lt_0_compat; lra.
    + right; unfold truncated_laplace_tight_noise_scale; field; lra.
    + intros D D' near; apply truncated_close; assumption.
Qed.

(* The sensitivity is attained: an establishment with theta - 1 workers in the cell, and the empty one. *)
Theorem sensitivity_is_attained (a : A) (v : V) : (1 <= theta)%nat -> q a v = true ->
  exists D D', node_neighbors D D' /\ truncated_count D - truncated_count D' = INR theta - 1.
Proof.
  intros t1 inside.
  exists [Establishment a (map (fun i => Worker i v) (seq 0 (theta - 1)))], [Establishment a []].
  split.
  - left; exists [], (Establishment a (map (fun i => Worker i v) (seq 0 (theta - 1)))), (Establishment a []), [].
    repeat split.
  - rewrite !truncated_is_sum; unfold kept, is_small, contribution, matching; simpl.
    rewrite map_length, seq_length.
    destruct (Nat.ltb_spec (theta - 1) theta) as [_|h]; [|lia].
    destruct (Nat.ltb_spec 0 theta) as [_|h]; [|lia]. simpl.
    assert (all : forall l, filter (fun w : worker V => q a (attributes w)) (map (fun i => Worker i v) l)
      = map (fun i => Worker i v) l).
    { induction l as [|i l IH]; simpl; [reflexivity|rewrite inside, IH; reflexivity]. }
    rewrite all, map_length, seq_length, minus_INR by assumption; simpl; ring.
Qed.
End Truncated.
