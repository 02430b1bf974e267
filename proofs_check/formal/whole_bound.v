(* Whole numbers. For every finite system of sums and bounds, every dual vector and every table of whole values: a
   certified bound of a form with whole factors may be rounded to the next whole number inward, up from below and
   down from above. A dual vector whose combination of the sums has whole factors and a total that is not whole
   shows that there is no whole table. *)
From Coq Require Import QArith Qreals Qround Reals Lra Lia Bool.
From Establish Require Import linear_tables dual_vector_bounds.
Open Scope R_scope.

Lemma is_integer_is q : is_integer q = true <-> is_whole (Q2R q).
Proof.
  unfold is_integer, is_whole, Q2R; destruct q as [a b]; simpl; rewrite Z.eqb_eq.
  assert (b0 : IZR (Zpos b) <> 0) by (apply IZR_neq; discriminate).
  split.
  - intros m; exists (Z.div a (Zpos b)); apply Z.div_exact in m; [|discriminate].
    rewrite m at 1; rewrite mult_IZR; field; exact b0.
  - intros (k & is); assert (e : IZR a = IZR (k * Zpos b)).
    { rewrite mult_IZR, <- is; field; exact b0. }
    apply eq_IZR in e; rewrite e; apply Z.mod_mul; discriminate.
Qed.
Lemma whole_sum n f : (forall j, (j < n)%nat -> is_whole (f j)) -> is_whole (real_sum n f).
Proof.
  induction n as [|n IH]; intros h; simpl; [exists 0%Z; reflexivity|].
  destruct IH as [k ->]; [auto|]; destruct (h n) as [m ->]; [lia|]; exists (k + m)%Z; rewrite plus_IZR; reflexivity.
Qed.
Lemma whole_product u v : is_whole u -> is_whole v -> is_whole (u * v).
Proof. intros [k ->] [m ->]; exists (k * m)%Z; rewrite mult_IZR; reflexivity. Qed.
Lemma ceiling_below b k : Q2R b <= IZR k -> Q2R (inject_Z (Qceiling b)) <= IZR k.
Proof.
  intros h; rewrite integer_real; apply IZR_le; rewrite <- (Qceiling_Z k).
  apply Qceiling_resp_le, Rle_Qle; rewrite integer_real; exact h.
Qed.
Lemma floor_above b k : IZR k <= Q2R b -> IZR k <= Q2R (inject_Z (Qfloor b)).
Proof.
  intros h; rewrite integer_real; apply IZR_le; rewrite <- (Qfloor_Z k).
  apply Qfloor_resp_le, Rle_Qle; rewrite integer_real; exact h.
Qed.

Definition whole_form (s : system) (e : form) : Prop :=
  forall j, (j < unknowns s)%nat -> is_integer (e j) = true.

Theorem whole_bounds_are_rounded_inward (s : system) (y : form) (x : nat -> R) : table s true x ->
  (forall e, whole_form s e ->
    is_whole (value s e x) /\
    (forall b, least s e y = Some b -> Q2R b <= Q2R (inject_Z (Qceiling b)) <= value s e x) /\
    (forall b, greatest s e y = Some b -> value s e x <= Q2R (inject_Z (Qfloor b)) <= Q2R b)) /\
  clashes_in_integers s y = false.
Proof.
  intros [fit whole]; specialize (whole eq_refl).
  assert (values : forall e, whole_form s e -> is_whole (value s e x)).
  { intros e we; apply whole_sum; intros j l; apply whole_product; [apply is_integer_is, we, l|apply whole, l]. }
  split.
  - intros e we; destruct (values e we) as [k is]; split; [exists k; exact is|split]; intros b found.
    + split; [apply Qle_Rle, Qle_ceiling|rewrite is; apply ceiling_below].
      rewrite <- is; apply (least_is_below _ _ y); assumption.
    + split; [rewrite is; apply floor_above|apply Qle_Rle, Qfloor_le].
      rewrite <- is; apply (greatest_is_above _ _ y); assumption.
  - apply not_true_is_false; unfold clashes_in_integers; rewrite andb_true_iff, negb_true_iff.
    intros [factors broken]; apply not_true_iff_false in broken; apply broken, is_integer_is.
    destruct fit as [sums_hold _]; rewrite <- (sums_combined s x y sums_hold).
    apply whole_sum; intros j l; apply whole_product; [|apply whole, l].
    apply is_integer_is; clear - factors l; induction (unknowns s) as [|n IH]; [lia|].
    simpl in factors; apply andb_true_iff in factors; destruct factors as [before last].
    destruct (Nat.eq_dec j n) as [->|]; [exact last|apply IH; [exact before|lia]].
Qed.

(* What is certified of one unknown, from either side, holds in every table. *)
Lemma certified_holds s whole at_side t y b x : (t < unknowns s)%nat -> table s whole x ->
  certified s whole at_side t y = Some b ->
  match at_side with lower => Q2R b <= x t | upper => x t <= Q2R b end.
Proof.
  intros l tx; unfold certified; rewrite <- (value_of_unit s t x l); pose proof tx as [fit _].
  assert (wf : whole_form s (unit_form t)).
  { intros j _; unfold unit_form; destruct (Nat.eqb t j); reflexivity. }
  destruct at_side; [destruct (least _ _ _) as [c|] eqn:is|destruct (greatest _ _ _) as [c|] eqn:is];
    try discriminate; simpl; intros e; injection e as <-; destruct whole; simpl.
  - apply (whole_bounds_are_rounded_inward s y x tx); assumption.
  - apply (least_is_below _ _ y); assumption.
  - apply (whole_bounds_are_rounded_inward s y x tx); assumption.
  - apply (greatest_is_above _ _ y); assumption.
Qed.
