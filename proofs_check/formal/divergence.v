(* Rule does_not_fall: an expectation is infinite where, beyond a place, what is integrated is above a positive
   constant. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import comparisons.
Open Scope R_scope.

(* Owed: the floor is positive, and below f times the density from [start] on; f is at least [least] everywhere.
   The density is a law's: not negative, and of mass 1 at most on every interval; and both are integrable there. *)
Theorem does_not_fall (f density : R -> R) (start floor least : R) :
  (forall a b, ex_RInt (fun t => f t * density t) a b) -> (forall a b, ex_RInt density a b) ->
  (forall t, 0 <= density t) -> (forall a b, a <= b -> RInt density a b <= 1) ->
  0 < floor -> stated (fun t => start <= t) (fun _ => floor) at_most (fun t => f t * density t) ->
  stated (fun _ => True) (fun _ => least) at_most f ->
  forall most, exists far, forall a b, a <= start -> far <= b ->
  most <= RInt (fun t => f t * density t) a b.
Proof.
  intros exf exd positive mass floor0 above bounded most.
  exists (start + (Rabs most + Rabs least) / floor); intros a b before beyond.
  assert (0 <= (Rabs most + Rabs least) / floor).
  { apply Rmult_le_pos; [pose proof (Rabs_pos most); pose proof (Rabs_pos least); lra|].
    left; apply Rinv_0_lt_compat, floor0. }
  rewrite <- (RInt_Chasles _ a start b) by apply exf; unfold plus; simpl.
  assert (left_ : - Rabs least <= RInt (fun t => f t * density t) a start).
  { apply Rle_trans with (RInt (fun t => - Rabs least * density t) a start).
    - assert (e : RInt (fun t => - Rabs least * density t) a start = - Rabs least * RInt density a start)
        by exact (RInt_scal (V := R_CompleteNormedModule) density a start (- Rabs least) (exd a start)).
      rewrite e; pose proof (mass a start before) as m; pose proof (Rabs_pos least).
      assert (0 <= RInt density a start) by (apply RInt_ge_0; [exact before|apply exd|intros; apply positive]).
      nra.
    - apply RInt_le; [exact before| |apply exf|].
      { exact (ex_RInt_scal (V := R_NormedModule) density a start _ (exd a start)). }
      intros t _; pose proof (bounded t I) as l; simpl in l; pose proof (positive t).
      apply Rmult_le_compat_r; [assumption|]; unfold Rabs; destruct Rcase_abs; lra. }
  assert (right_ : floor * (b - start) <= RInt (fun t => f t * density t) start b).
  { rewrite Rmult_comm; replace ((b - start) * floor) with (RInt (fun _ => floor) start b)
      by (rewrite RInt_const; reflexivity).
    apply RInt_le; [lra|apply ex_RInt_const|apply exf|]; intros t [l _]; apply (above t); left; exact l. }
  assert (enough : Rabs most + Rabs least <= floor * (b - start)).
  { replace (Rabs most + Rabs least) with (floor * ((Rabs most + Rabs least) / floor)) by (field; lra).
    apply Rmult_le_compat_l; lra. }
  pose proof (Rle_abs most); lra.
Qed.
