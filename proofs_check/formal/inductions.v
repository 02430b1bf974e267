(* Rules over a whole number and over shares: induction with a factor, and one tangent for all shares. *)
From Coq Require Import Reals Lra Lia List.
Import ListNotations.
From Establish Require Import comparisons.
Open Scope R_scope.

(* Rule by_induction, over the numbers from [least] on; a point is a value of the others with a number. Owed: the
   statement at the least number; a factor that is not negative; and factor * gap (n) <= gap (n + 1). *)
Theorem by_induction (others : Type) (domain : others -> Prop) (least : Z) (left right factor : others -> R -> R) :
  let gap o n := right o n - left o n in
  let every v := domain (fst v) /\ exists n : Z, (least <= n)%Z /\ snd v = IZR n in
  forall (base : stated domain (fun o => left o (IZR least)) at_most (fun o => right o (IZR least)))
    (allowed : stated every (fun _ => 0) at_most (fun v => factor (fst v) (snd v)))
    (step : stated every (fun v => factor (fst v) (snd v) * gap (fst v) (snd v)) at_most
      (fun v => gap (fst v) (snd v + 1))),
  stated every (fun v => left (fst v) (snd v)) at_most (fun v => right (fst v) (snd v)).
Proof.
  intros gap every base allowed step [o x] [inside (n & low & is)]; simpl in *; subst x.
  assert (h : 0 <= gap o (IZR n)); [|unfold gap in h; lra].
  replace n with (least + Z.of_nat (Z.to_nat (n - least)))%Z by lia.
  induction (Z.to_nat (n - least)) as [|k IH].
  - rewrite Z.add_0_r; pose proof (base o inside) as b; simpl in b; unfold gap; lra.
  - pose (m := (least + Z.of_nat k)%Z); fold m in IH.
    assert (here : every (o, IZR m)) by (split; [exact inside|exists m; split; [unfold m; lia|reflexivity]]).
    replace (least + Z.of_nat (S k))%Z with (m + 1)%Z by (unfold m; lia); rewrite plus_IZR.
    assert (f0 : 0 <= factor o (IZR m)) by exact (allowed (o, IZR m) here).
    assert (up : factor o (IZR m) * gap o (IZR m) <= gap o (IZR m + 1)) by exact (step (o, IZR m) here).
    apply Rle_trans with (2 := up), Rmult_le_pos; assumption.
Qed.

(* The factor must not be negative: with -1 the gap may fall from 1 to -1. *)
Lemma a_negative_factor_breaks_it : exists gap : R -> R,
  0 <= gap 0 /\ -1 * gap 0 <= gap (0 + 1) /\ gap 1 < 0.
Proof.
  exists (fun n => if Rle_lt_dec n 0 then 1 else -1); repeat split;
    repeat match goal with |- context [Rle_lt_dec ?a ?b] => destruct (Rle_lt_dec a b) end; lra.
Qed.

(* Rule by_tangent. Owed, with a = 1/M and M any real number of at least 2: term (a) + slope * (p - a) <= term (p)
   for every share p. *)
Theorem by_tangent (parameters : Type) (domain : parameters -> Prop) (term slope : parameters -> R -> R) :
  stated (fun v => domain (fst (fst v)) /\ 2 <= snd (fst v) /\ 0 <= snd v <= 1)
    (fun v => term (fst (fst v)) (1 / snd (fst v)) + slope (fst (fst v)) (snd (fst v)) * (snd v - 1 / snd (fst v)))
    at_most (fun v => term (fst (fst v)) (snd v)) ->
  forall v shares, domain v -> (2 <= length shares)%nat -> Forall (fun p => 0 <= p) shares ->
  fold_right Rplus 0 shares = 1 ->
  fold_right Rplus 0 (map (term v) shares) >= INR (length shares) * term v (1 / INR (length shares)).
Proof.
  intros owed v shares inside two positive one.
  pose (count := INR (length shares)); fold count.
  assert (c2 : 2 <= count) by (apply (le_INR 2); exact two).
  assert (most : Forall (fun p => 0 <= p <= 1) shares).
  { rewrite <- one; clear - positive; induction positive as [|p l p0 rest IH]; constructor; simpl.
    - assert (0 <= fold_right Rplus 0 l) by (clear - rest; induction rest; simpl; lra); lra.
    - apply Forall_impl with (2 := IH); intros q; lra. }
  assert (h : forall l, Forall (fun p => 0 <= p <= 1) l ->
    INR (length l) * term v (1 / count) + slope v count * (fold_right Rplus 0 l - INR (length l) / count)
    <= fold_right Rplus 0 (map (term v) l)).
  { induction 1 as [|p l p01 _ IH]; [simpl; lra|].
    assert (here : term v (1 / count) + slope v count * (p - 1 / count) <= term v p)
      by exact (owed ((v, count), p) (conj inside (conj c2 p01))).
    simpl length; rewrite S_INR; simpl fold_right; unfold Rdiv in *; lra. }
  specialize (h shares most); fold count in h; rewrite one in h.
  replace (1 - count / count) with 0 in h by (field; lra); lra.
Qed.
