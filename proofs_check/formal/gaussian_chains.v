(* Rule along_gaussian_chain: Gaussian privacy between datasets that a chain of neighbors joins. *)
From Coq Require Import Reals Lra.
From Establish Require Import comparisons chains.
From mathcomp.analysis Require Import measure.
From Establish Require Import measures gaussian_close gaussian_releases.
Open Scope R_scope.

(* Owed: the level of one step is at least mu, and each step adds mu to it, at every real d of at least 1. *)
Theorem along_gaussian_chain (dataset : Type) (neighbors : dataset -> dataset -> Prop) (level : R -> R -> R) :
  stated (fun mu => 0 <= mu) (fun mu => mu) at_most (fun mu => level mu 1) ->
  stated (fun v => 0 <= fst v /\ 1 <= snd v) (fun v => level (fst v) (snd v) + fst v) at_most
    (fun v => level (fst v) (snd v + 1)) ->
  forall mu, 0 <= mu -> forall s (T : measurableType s) (M : mechanism dataset T), gaussian_private neighbors mu M ->
  forall d D D', chain neighbors (S d) D D' -> gaussian_close (level mu (INR (S d))) (M D) (M D').
Proof.
  intros one more mu mu0 s T M private d D D' joined.
  refine (close_monotone _ (@mu_is_added _ _ mu _ _ M private _ _ _ joined)); clear joined.
  induction d as [|d IH]; [pose proof (one mu mu0) as h; simpl in *; lra|].
  assert (d1 : 1 <= INR (S d)) by (rewrite S_INR; pose proof (pos_INR d); lra).
  rewrite (S_INR (S d)); apply Rle_trans with (2 := more (mu, INR (S d)) (conj mu0 d1)); cbn [fst snd]; lra.
Qed.
