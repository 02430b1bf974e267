(* The growth scale of whole numbers: a cell that grows as its establishments may moves by 0 to 1. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets.
Import ListNotations.
Open Scope R_scope.

Lemma ln_tangent u : 0 < u -> 1 - / u <= ln u.
Proof.
  intros p; pose proof (exp_ineq1_le (- ln u)) as h; rewrite exp_Ropp, exp_ln in h by exact p; lra.
Qed.

Section Scale.
Variables (alpha : R) (last : nat).
Variable a0 : 0 < alpha.
(* M: from there on gaps are those of the logarithm. *)
Variable late : whole_takeover alpha <= INR last.
Let L := ln (1 + alpha).

(* max(1, floor(alpha m)). *)
Definition shares (m : nat) : Z := Z.max 1 (Int_part (alpha * INR m)).
Definition gap_after (m : nat) : R :=
  if lt_dec m last then whole_gap (IZR (shares m)) else (ln (INR m + 1) - ln (INR m)) / ln (1 + alpha).
Fixpoint whole (n : nat) : R := match n with O => 0 | S m => whole m + gap_after m end.

Lemma L_pos : 0 < L.
Proof. apply ln_pos; lra. Qed.

Lemma L_below : L < alpha.
Proof.
  unfold L; apply Rlt_le_trans with (ln (exp alpha)); [|rewrite ln_exp; lra].
  apply ln_increasing; [lra|apply exp_ineq1; lra].
Qed.

Lemma from_pos : 0 < whole_takeover_from alpha.
Proof.
  pose proof L_pos; pose proof L_below; unfold whole_takeover_from; fold L; apply Rdiv_lt_0_compat; lra.
Qed.

Lemma takeover_is : whole_takeover alpha = (1 + alpha) * whole_takeover_from alpha.
Proof. reflexivity. Qed.

Lemma shares_pos m : 1 <= IZR (shares m).
Proof. apply IZR_le, Z.le_max_l. Qed.

Lemma shares_rise m n : (m <= n)%nat -> IZR (shares m) <= IZR (shares n).
Proof.
  intros h; apply IZR_le; unfold shares; apply Z.max_le_compat_l.
  apply le_INR in h; assert (alpha * INR m <= alpha * INR n) by (apply Rmult_le_compat_l; lra).
  destruct (base_Int_part (alpha * INR m)); destruct (base_Int_part (alpha * INR n)).
  assert (IZR (Int_part (alpha * INR m)) < IZR (Int_part (alpha * INR n) + 1)) as k by (rewrite plus_IZR; lra).
  apply lt_IZR in k; lia.
Qed.

(* From the takeover on no gap is longer than that of the logarithm. *)
Lemma late_gap m : whole_takeover_from alpha <= INR m -> 1 <= alpha * INR m /\
  gap_after m <= (ln (INR m + 1) - ln (INR m)) / L.
Proof.
  intros h; pose proof L_pos as l; pose proof L_below as b; pose proof from_pos as f.
  assert (key : L * (INR m + 1) <= alpha * INR m - 1).
  { unfold whole_takeover_from in h; fold L in h; apply Rle_div_l in h; [nra|lra]. }
  assert (pos : 0 < L * (INR m + 1)) by (apply Rmult_lt_0_compat; lra).
  split; [lra|].
  unfold gap_after; destruct (lt_dec m last) as [early|]; [|right; reflexivity].
  pose proof (ln_tangent ((INR m + 1) / INR m) ltac:(apply Rdiv_lt_0_compat; lra)) as t.
  rewrite ln_div in t by lra.
  replace (/ ((INR m + 1) / INR m)) with (INR m / (INR m + 1)) in t by (field; lra).
  assert (e : 1 - INR m / (INR m + 1) = 1 / (INR m + 1)) by (field; lra).
  assert (s : alpha * INR m - 1 <= IZR (shares m)).
  { destruct (base_Int_part (alpha * INR m)); pose proof (IZR_le _ _ (Z.le_max_r 1 (Int_part (alpha * INR m)))).
    unfold shares; lra. }
  unfold whole_gap; apply Rle_trans with (1 / (L * (INR m + 1))).
  - apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; lra.
  - replace (1 / (L * (INR m + 1))) with (1 / (INR m + 1) / L) by (field; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, l|lra].
Qed.

Lemma gap_nonneg m : 0 <= gap_after m.
Proof.
  unfold gap_after; destruct (lt_dec m last) as [early|lately].
  - unfold whole_gap; pose proof (shares_pos m); left; apply Rdiv_lt_0_compat; lra.
  - pose proof L_pos as l; pose proof from_pos as f; rewrite takeover_is in late.
    assert (whole_takeover_from alpha <= INR m).
    { assert (INR last <= INR m) by (apply le_INR; lia); nra. }
    assert (ln (INR m) <= ln (INR m + 1)) by (apply ln_le; lra).
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, l].
Qed.

Lemma whole_rises n k : whole n <= whole (n + k).
Proof.
  induction k as [|k IH]; [rewrite Nat.add_0_r; lra|].
  rewrite Nat.add_succ_r; simpl; pose proof (gap_nonneg (n + k)); lra.
Qed.

Lemma early_steps n k : (n + k <= last)%nat -> whole (n + k) - whole n <= INR k / IZR (shares n).
Proof.
  pose proof (shares_pos n) as p; induction k as [|k IH]; intros h.
  - rewrite Nat.add_0_r; simpl; unfold Rdiv; lra.
  - rewrite Nat.add_succ_r, S_INR; simpl; specialize (IH ltac:(lia)).
    assert (gap_after (n + k) <= 1 / IZR (shares n)).
    { unfold gap_after; destruct (lt_dec (n + k) last); [|lia]; unfold whole_gap.
      apply Rmult_le_compat_l; [lra|]; apply Rinv_le_contravar; [lra|apply shares_rise; lia]. }
    unfold Rdiv in *; lra.
Qed.

Lemma late_steps n k : whole_takeover_from alpha <= INR n -> whole (n + k) - whole n <= (ln (INR (n + k)) - ln (INR n)) / L.
Proof.
  intros h; pose proof L_pos as l; induction k as [|k IH].
  - rewrite Nat.add_0_r; unfold Rdiv; lra.
  - rewrite Nat.add_succ_r, S_INR; simpl.
    destruct (late_gap (n + k)) as [_ g]; [rewrite plus_INR; pose proof (pos_INR k); lra|].
    unfold Rdiv in *; lra.
Qed.

(* From n workers to at most n + max(1, floor(alpha n)). *)
Theorem one_step_at_most n k : (Z.of_nat k <= shares n)%Z -> whole (n + k) - whole n <= 1.
Proof.
  intros within; pose proof (shares_pos n) as p; pose proof L_pos as l; pose proof from_pos as f.
  assert (share : INR k <= IZR (shares n)) by (rewrite INR_IZR_INZ; apply IZR_le, within).
  destruct (le_dec (n + k) last) as [early|beyond].
  - eapply Rle_trans; [apply early_steps, early|]; apply Rle_div_l; lra.
  - assert (past : INR last + 1 <= INR (n + k)) by (rewrite <- S_INR; apply le_INR; lia).
    rewrite takeover_is in late; rewrite plus_INR in past.
    assert (alternatives : INR k <= alpha * INR n \/ INR k <= 1).
    { unfold shares in share; destruct (Z.max_spec 1 (Int_part (alpha * INR n))) as [[_ e]|[_ e]]; rewrite e in share.
      - left; destruct (base_Int_part (alpha * INR n)); lra.
      - right; exact share. }
    assert (an : 0 <= alpha * INR n) by (apply Rmult_le_pos; [lra|apply pos_INR]).
    assert (from : whole_takeover_from alpha <= INR n) by (destruct alternatives; nra).
    destruct (late_gap n from) as [some _].
    assert (kn : INR k <= alpha * INR n) by (destruct alternatives; lra).
    eapply Rle_trans; [apply late_steps, from|]; apply Rle_div_l; [exact l|].
    assert (ln (INR (n + k)) <= ln ((1 + alpha) * INR n)) as q
      by (pose proof (pos_INR k); apply ln_le; rewrite plus_INR; lra).
    rewrite ln_mult in q by lra; unfold L in *; lra.
Qed.
End Scale.

(* The workers of a cell. *)
Section Cells.
Variables (A V : Type).
Definition heads (q : cell A V) (e : establishment A V) : nat :=
  length (filter (fun w => q (public e) (attributes w)) (workforce e)).
Definition workers (q : cell A V) (D : dataset A V) : nat := fold_right Nat.add O (map (heads q) D).

Theorem workers_are_counted q D : count q D = INR (workers q D).
Proof.
  unfold count, contributions, workers; induction D as [|e D IH]; [reflexivity|].
  simpl; rewrite plus_INR, <- IH; reflexivity.
Qed.

Lemma workers_app q D D' : workers q (D ++ D') = (workers q D + workers q D')%nat.
Proof. unfold workers; induction D as [|e D IH]; simpl; [reflexivity|rewrite IH; lia]. Qed.

(* A cell grows by at most max(1, floor(alpha n)). *)
Lemma cell_grows alpha (rest x y : nat) : 0 < alpha -> may_grow (INR x) (INR y) alpha ->
  exists k, (rest + y = rest + x + k)%nat /\ (Z.of_nat k <= shares alpha (rest + x))%Z.
Proof.
  intros a0 [le g]; apply INR_le in le; exists (y - x)%nat; split; [lia|].
  destruct g as [g|g].
  - apply Z.le_trans with (2 := Z.le_max_r _ _).
    assert (h : INR (y - x) <= alpha * INR (rest + x)).
    { rewrite minus_INR, plus_INR by exact le; pose proof (pos_INR rest).
      assert (0 <= alpha * INR rest) by (apply Rmult_le_pos; lra); lra. }
    destruct (base_Int_part (alpha * INR (rest + x))) as [_ b].
    rewrite INR_IZR_INZ in h.
    assert (IZR (Z.of_nat (y - x)) < IZR (Int_part (alpha * INR (rest + x)) + 1)) as c by (rewrite plus_IZR; lra).
    apply lt_IZR in c; lia.
  - apply Z.le_trans with (2 := Z.le_max_l _ _).
    rewrite <- S_INR in g; apply INR_le in g; lia.
Qed.

Lemma one_change_steps alpha last q (change : establishment A V -> establishment A V -> Prop) D D' :
  0 < alpha -> whole_takeover alpha <= INR last ->
  (forall e e', change e e' -> may_grow (contribution A V q e) (contribution A V q e') alpha) ->
  one_changes A V change D D' -> 0 <= whole alpha last (workers q D') - whole alpha last (workers q D) <= 1.
Proof.
  intros a0 late grows (b & e & e' & a & -> & -> & h); apply grows in h.
  change (may_grow (INR (heads q e)) (INR (heads q e')) alpha) in h.
  destruct (cell_grows alpha (workers q b + workers q a) _ _ a0 h) as (k & sum & most).
  rewrite !workers_app.
  change (workers q (e :: a)) with (heads q e + workers q a)%nat; change (workers q (e' :: a)) with (heads q e' + workers q a)%nat.
  replace (workers q b + (heads q e + workers q a))%nat with (workers q b + workers q a + heads q e)%nat by lia.
  replace (workers q b + (heads q e' + workers q a))%nat with (workers q b + workers q a + heads q e + k)%nat by lia.
  set (n := (workers q b + workers q a + heads q e)%nat) in *.
  pose proof (whole_rises alpha last a0 late n k); pose proof (one_step_at_most alpha last a0 late n k most); split; lra.
Qed.

Definition whole_place alpha last (q : cell A V) (D : dataset A V) : R := whole alpha last (workers q D).

Theorem strong_whole_apart alpha last b : 0 < alpha -> whole_takeover alpha <= INR last ->
  forall D D', strong_neighbors alpha D D' ->
  Rabs (whole_place alpha last (establishment_cell b) D - whole_place alpha last (establishment_cell b) D') <= 1.
Proof.
  intros a0 late D D' near.
  assert (grows : forall e e', grows_strongly A V alpha e e' ->
    may_grow (contribution A V (establishment_cell b) e) (contribution A V (establishment_cell b) e') alpha).
  { intros e e' [[same _] g]; unfold contribution, establishment_cell.
    rewrite !matching_of_constant, <- same; destruct (b (public e)); [exact g|apply may_grow_zero]. }
  destruct near as [h|h]; pose proof (one_change_steps alpha last _ _ _ _ a0 late grows h);
    unfold whole_place; apply Rabs_le; lra.
Qed.

Theorem weak_whole_apart alpha last q : 0 < alpha -> whole_takeover alpha <= INR last ->
  forall D D', weak_neighbors alpha D D' -> Rabs (whole_place alpha last q D - whole_place alpha last q D') <= 1.
Proof.
  intros a0 late D D' near.
  assert (grows : forall e e', grows_weakly A V alpha e e' ->
    may_grow (contribution A V q e) (contribution A V q e') alpha).
  { intros e e' [[same _] g]; unfold contribution; rewrite <- same; apply g. }
  destruct near as [h|h]; pose proof (one_change_steps alpha last _ _ _ _ a0 late grows h);
    unfold whole_place; apply Rabs_le; lra.
Qed.
End Cells.

Arguments workers {A V}. Arguments whole_place {A V}.
