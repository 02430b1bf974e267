(* Rule one_by_one: from the record of one establishment to those of a firm. Phi is any function that increases on
   the real line and on which events of probability 0 and 1 may be tested, the normal one among them. *)
From Coq Require Import Reals Lra Lia.
From Establish Require Import comparisons chains.
Open Scope R_scope.

Section Firms.
Variables (dataset event : Type) (Phi : R -> R).
(* The quantile of the probability of an event rises by at most mu. *)
Definition quantile_rises (mu : R) (P Q : event -> R) : Prop :=
  forall E z, P E <= Phi z -> Q E <= Phi (z + mu).

(* Owed: the statement for one establishment, at its level, for steps in both orders; 1 <= times (1); and times (l)
   + 1 <= times (l + 1) at every real l of at least 1. The level is not negative. *)
Theorem one_by_one (step : dataset -> dataset -> Prop) (M : dataset -> event -> R) (level : R) (times : R -> R) :
  (forall x y, x <= y -> Phi x <= Phi y) -> 0 <= level ->
  (forall D D', step D D' -> quantile_rises level (M D) (M D')) ->
  1 <= times 1 -> stated (fun l => 1 <= l) (fun l => times l + 1) at_most (fun l => times (l + 1)) ->
  forall l D D', (1 <= l)%nat -> chain step l D D' -> quantile_rises (times (INR l) * level) (M D) (M D').
Proof.
  intros up l0 one first further l D D' some joined.
  assert (many : forall k, (1 <= k)%nat -> INR k <= times (INR k)).
  { intros k k1; induction k as [|k IH]; [lia|]; destruct k as [|k]; [simpl; exact first|].
    assert (k1' : 1 <= INR (S k)) by (rewrite S_INR; pose proof (pos_INR k); lra).
    assert (f : times (INR (S k)) + 1 <= times (INR (S k) + 1)) by exact (further (INR (S k)) k1').
    rewrite (S_INR (S k)); specialize (IH ltac:(lia)); lra. }
  assert (h : quantile_rises (INR l * level) (M D) (M D')).
  { clear some; induction joined as [D|k D D1 D' near joined IH]; intros E z below.
    - simpl; rewrite Rmult_0_l, Rplus_0_r; exact below.
    - rewrite S_INR; replace (z + (INR k + 1) * level) with (z + level + INR k * level) by ring.
      apply IH, (one D D1 near), below. }
  intros E z below; apply Rle_trans with (1 := h E z below), up.
  pose proof (many l some); nra.
Qed.
End Firms.
