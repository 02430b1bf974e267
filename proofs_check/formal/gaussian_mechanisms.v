(* The mechanisms of Webb et al. 2025 whose answers are vectors of sums, one for every group, with independent normal
   noise: the Estab-Gaussian mechanism (Theorem 6.3), the psi-mechanism (Theorem 6.5), and the probably-no-clipping
   mechanism with psi(0) in Definition 6.8. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common neighbor_functions establishment_values.
From Establish Require Import measures gaussian_close normal_vectors.
Import ListNotations.
Open Scope R_scope.

(* |q_j(D) - q_j(D')|^2, summed over the answers, is at most Delta^2 for all neighbors. *)
Definition sensitivity_at_most {data} (neighbors : data -> data -> Prop) (k : nat) (q : data -> nat -> R) (Delta : R) : Prop :=
  forall D D', neighbors D D' -> sum_to k (fun j => (q D j - q D' j) ^ 2) <= Delta ^ 2.

Lemma share_of_sum k (x : nat -> R) j : (forall l, 0 <= x l) -> (j <= k)%nat -> x j <= sum_to k x.
Proof.
  revert x j; induction k as [|k IH]; intros x j x0 jk; simpl.
  - inversion jk; right; reflexivity.
  - destruct j as [|j].
    + pose proof (sum_to_nonneg k (fun j => x (S j)) (fun j _ => x0 (S j))); lra.
    + pose proof (IH (fun j => x (S j)) j (fun l => x0 (S l)) (le_S_n _ _ jk)); pose proof (x0 O); lra.
Qed.

(* Noise of standard deviation Delta/mu on every answer, for any relation between datasets. *)
Theorem gaussian_mechanism_is_private data (neighbors : data -> data -> Prop) (k : nat) (q : data -> nat -> R) (Delta mu : R) :
  0 <= Delta -> 0 < mu -> sensitivity_at_most neighbors k q Delta ->
  gaussian_private neighbors mu (fun D => gaussian_answers k (q D) (fun _ => Delta / mu)).
Proof.
  intros D0 m0 sens D D' near.
  specialize (sens D D' near).
  set (gap := fun j => Rabs (q D' j - q D j)).
  assert (gap2 : forall j, gap j ^ 2 = (q D j - q D' j) ^ 2).
  { intros j; unfold gap; rewrite <- Rsqr_pow2, <- Rsqr_abs, Rsqr_pow2; ring. }
  destruct D0 as [D0|D0].
  - apply (@gaussian_answers_close k (q D) (q D') (fun _ => Delta / mu) (fun j => gap j * (mu / Delta))); [|lra|].
    + intros j _; pose proof (Rabs_pos (q D' j - q D j)); split.
      * apply Rmult_le_pos; [apply Rabs_pos|apply Rlt_le, Rdiv_lt_0_compat; lra].
      * right; fold (gap j); field; lra.
    + apply Rle_trans with ((mu / Delta) ^ 2 * sum_to k (fun j => (q D j - q D' j) ^ 2)).
      * rewrite <- sum_to_scal; apply sum_to_le; intros j _; rewrite Rpow_mult_distr, gap2; right; ring.
      * apply Rle_trans with ((mu / Delta) ^ 2 * Delta ^ 2).
        { apply Rmult_le_compat_l; [apply pow2_ge_0|exact sens]. }
        right; field; lra.
  - apply (@gaussian_answers_close k (q D) (q D') (fun _ => Delta / mu) (fun _ => 0)); [|lra|].
    + intros j jk; split; [lra|]; right; rewrite Rmult_0_l.
      assert (z : (q D j - q D' j) ^ 2 = 0).
      { apply Rle_antisym; [|apply pow2_ge_0].
        pose proof (share_of_sum k (fun j => (q D j - q D' j) ^ 2) j (fun l => pow2_ge_0 _) jk ) as h.
        simpl in h; rewrite <- D0 in sens; simpl in *; lra. }
      assert (e : q D j - q D' j = 0) by (simpl in z; nra).
      replace (q D' j - q D j) with 0 by lra; apply Rabs_R0.
    + rewrite (sum_to_one_zero k); [apply pow2_ge_0|intros; simpl; ring].
Qed.

Section Sums.
Variables (A I : Type) (group : A -> nat) (psi : I -> R -> R) (gamma : I -> R).

(* All attributes may change at once, each by its own distance. *)
Definition psi_neighbors : list (entry A I) -> list (entry A I) -> Prop :=
  value_close_neighbors (fun i => close (psi i) (gamma i)).
Definition psi_neighbors_above_0 : list (entry A I) -> list (entry A I) -> Prop :=
  value_close_neighbors (fun i => close_above_0 (psi i) (gamma i)).

(* Definition 6.4 for attribute i: psi of the sum of every group from 0 to k, with noise. *)
Definition psi_mechanism (k : nat) (i : I) (mu : R) (D : list (entry A I)) :=
  gaussian_answers k (fun j => psi i (group_sum group i D j)) (fun _ => psi_mechanism_sd (gamma i) mu).

Lemma transformed_sums_are_close (near : I -> R -> R -> Prop) (low : R -> Prop) i k :
  0 <= gamma i -> bends (psi i) low ->
  (forall x y, near i x y -> x = y \/ low x /\ low y /\ Rabs (psi i x - psi i y) <= gamma i) ->
  sensitivity_at_most (value_close_neighbors near) k (fun (D : list (entry A I)) j => psi i (group_sum group i D j)) (gamma i).
Proof.
  intros g0 shape is_near D D' h.
  destruct (one_group_changes A I group i near (fun _ x => x) D D' (fun _ x => cond_nonneg x) h)
    as (a & x & y & j & close & _ & others & rest & r0 & own & own').
  apply sum_to_one with j; [apply pow2_ge_0| |].
  - intros l ne; unfold group_sum; rewrite (others l ne); ring.
  - unfold group_sum; rewrite own, own'.
    rewrite <- (Rsqr_pow2 (_ - _)), Rsqr_abs, Rsqr_pow2; apply pow_incr; split; [apply Rabs_pos|].
    destruct (is_near x y close) as [->|(lx & ly & le)].
    + rewrite Rminus_eq_0, Rabs_R0; exact g0.
    + apply Rle_trans with (1 := shift_brings_closer _ _ _ _ rest shape lx ly r0), le.
Qed.

Theorem psi_mechanism_is_private (k : nat) (i : I) (mu : R) : 0 < gamma i -> 0 < mu ->
  (neighbor_function (psi i) -> gaussian_private psi_neighbors mu (psi_mechanism k i mu)) /\
  (neighbor_function_above_0 (psi i) -> gaussian_private psi_neighbors_above_0 mu (psi_mechanism k i mu)).
Proof.
  intros g0 m0; split; intros f.
  - apply gaussian_mechanism_is_private; [lra|exact m0|].
    apply transformed_sums_are_close with (fun x => 0 <= x); [lra|apply bends_from_0, f|].
    intros x y (x0 & y0 & h); right; auto.
  - apply gaussian_mechanism_is_private; [lra|exact m0|].
    apply transformed_sums_are_close with (fun x => 0 < x); [lra|apply bends_above_0, f|].
    intros x y [(-> & ->)|(x0 & y0 & h)]; [left; reflexivity|right; auto].
Qed.
End Sums.
Arguments psi_neighbors {A I}. Arguments psi_neighbors_above_0 {A I}. Arguments psi_mechanism {A I}.

(* An establishment that is alone in group 0 needs the whole mu. *)
Theorem psi_mechanism_needs_mu A I (group : A -> nat) (psi : I -> R -> R) (gamma : I -> R) (i : I) (e e' : entry A I) mu nu :
  0 < gamma i -> 0 < mu -> group (about e) = O -> about e = about e' ->
  (forall l, close (psi l) (gamma l) (value e l) (value e' l)) ->
  Rabs (psi i (value e' i) - psi i (value e i)) = gamma i ->
  gaussian_private (psi_neighbors psi gamma) nu (psi_mechanism group psi gamma 0 i mu) -> mu <= nu.
Proof.
  intros g0 m0 at0 same near whole private.
  assert (h : psi_neighbors psi gamma [e] [e']) by (exists [], e, e', []; auto).
  assert (s0 : 0 < psi_mechanism_sd (gamma i) mu) by (apply Rdiv_lt_0_compat; assumption).
  pose proof (@one_answer_attains _ _ (fun _ => psi_mechanism_sd (gamma i) mu) nu s0 (private _ _ h)) as least.
  unfold group_sum in least; simpl in least; rewrite <- same, at0 in least; simpl in least.
  rewrite !Rplus_0_r, whole in least; unfold psi_mechanism_sd in least.
  apply Rmult_le_reg_r with (gamma i / mu); [exact s0|].
  replace (mu * (gamma i / mu)) with (gamma i) by (field; lra); exact least.
Qed.
