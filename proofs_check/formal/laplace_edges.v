(* Under edge privacy the count of any cell, so also the employment of one establishment, may be released
   with Laplace noise of scale 1/epsilon (Haney et al. 2017, Section 6). It loses exactly epsilon. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace laplace_loss.
Import ListNotations.
Open Scope R_scope.

Section Edges.
Variables (A V : Type).

Lemma one_job_more (q : cell A V) e e' : gains_one_job A V e e' ->
  0 <= contribution A V q e' - contribution A V q e <= 1.
Proof.
  intros [[same [nd [nd' inside]]] more]; unfold contribution, matching; rewrite <- same.
  set (p := fun w : worker V => q (public e) (attributes w)).
  assert (le : (length (filter p (workforce e)) <= length (filter p (workforce e')))%nat)
    by (apply filter_length_incl; assumption).
  assert (le' : (length (filter (fun w => negb (p w)) (workforce e))
    <= length (filter (fun w => negb (p w)) (workforce e')))%nat)
    by (apply filter_length_incl; assumption).
  pose proof (split_length p (workforce e)); pose proof (split_length p (workforce e')).
  split; [apply le_INR in le; lra|].
  assert (k : (length (filter p (workforce e')) <= S (length (filter p (workforce e))))%nat) by lia.
  apply le_INR in k; rewrite S_INR in k; lra.
Qed.

Lemma one_step (q : cell A V) D D' : one_changes A V (gains_one_job A V) D D' ->
  0 <= count q D' - count q D <= 1.
Proof.
  intros (b & e & e' & a & -> & -> & h); apply (one_job_more q) in h.
  unfold count, contributions; rewrite !map_app, !total_app; simpl; lra.
Qed.

Lemma counts_close (q : cell A V) D D' : edge_neighbors D D' -> Rabs (count q D - count q D') <= 1.
Proof. intros [h|h]; apply (one_step q) in h; apply abs_at_most; lra. Qed.

Theorem one_count (q : cell A V) (epsilon : R) : 0 < epsilon ->
  let at_level := fun loss => private edge_neighbors m_infty loss
    (fun D o => exp (laplace_log_density o (count q D) (laplace_noise_scale 1 epsilon))) in
  at_level epsilon /\
  forall a v, q a v = true -> forall loss, at_level loss <-> epsilon <= loss.
Proof.
  intros e0 at_level.
  assert (s0 : 0 < laplace_noise_scale 1 epsilon) by (apply Rdiv_lt_0_compat; lra).
  assert (is : 1 / laplace_noise_scale 1 epsilon = epsilon) by (unfold laplace_noise_scale; field; lra).
  assert (up : forall loss, epsilon <= loss -> at_level loss).
  { intros loss le; apply laplace_private with (sensitivity := 1); [exact s0|lra|].
    apply counts_close. }
  split; [apply up; lra|intros a v inside loss; split; [intros priv|apply up]].
  assert (one : count q (single_one A V a v) = 1).
  { unfold count, contributions, single_one, contribution, matching; simpl; rewrite inside; simpl; ring. }
  assert (zero : count q (empty_one A V a) = 0).
  { unfold count, contributions, empty_one, contribution, matching; simpl; ring. }
  rewrite <- is; replace 1 with (count q (single_one A V a v) - count q (empty_one A V a)) at 1 by lra.
  apply (laplace_least _ edge_neighbors (count q)); [exact s0| |lra|exact priv].
  right; exists [], (Establishment a []), (Establishment a [Worker 0 v]), [].
  split; [reflexivity|split; [reflexivity|split; [apply single_extends_empty|reflexivity]]].
Qed.
End Edges.
