(* An attained table is a witness. For every finite system of sums and bounds and every unknown: a bound that a dual
   vector certifies and a table attains is the end of the interval, for real values and for whole ones; where the
   table has another value, the end lies between the two. Where both ends are attained and values are real, the
   values that cannot be ruled out are all those from one end to the other, and no others; where both ends are the
   same, the value is known. *)
From Coq Require Import QArith Qreals Qround Reals Lra Lia Bool.
From Establish Require Import linear_tables dual_vector_bounds whole_bound.
Open Scope R_scope.

(* The values of the unknown t that an attacker cannot rule out. *)
Definition possible (s : system) (whole : bool) (t : nat) (v : R) : Prop :=
  exists x, table s whole x /\ x t = v.
(* The end of the interval on one side: possible, and nothing possible is beyond. *)
Definition is_end (s : system) (whole : bool) (at_side : side) (t : nat) (v : R) : Prop :=
  possible s whole t v /\
  forall u, possible s whole t u -> match at_side with lower => v <= u | upper => u <= v end.

Lemma mixtures_fit s x u w : 0 <= w <= 1 -> fits s x -> fits s u -> fits s (fun j => (1 - w) * x j + w * u j).
Proof.
  intros range [sums_x bounds_x] [sums_u bounds_u]; split.
  - intros i l; transitivity ((1 - w) * value s (factor s i) x + w * value s (factor s i) u).
    + unfold value; rewrite <- !real_sum_scale, <- real_sum_plus; apply real_sum_ext; intros; ring.
    + rewrite sums_x, sums_u by exact l; ring.
  - intros j l; destruct (bounds_x j l) as [a b], (bounds_u j l) as [a' b']; unfold not_below, not_above in *; split.
    + destruct (low s j) as [c|]; [|exact I].
      pose proof (Rmult_le_compat_l (1 - w) _ _ ltac:(lra) a); pose proof (Rmult_le_compat_l w _ _ ltac:(lra) a'); lra.
    + destruct (high s j) as [c|]; [|exact I].
      pose proof (Rmult_le_compat_l (1 - w) _ _ ltac:(lra) b); pose proof (Rmult_le_compat_l w _ _ ltac:(lra) b'); lra.
Qed.

Lemma between_is_possible s t b c v : possible s false t b -> possible s false t c -> b <= v <= c ->
  possible s false t v.
Proof.
  intros (x & [fx _] & at_b) (u & [fu _] & at_c) [lo hi]; destruct (Req_dec b c) as [eq|ne].
  - exists x; split; [split; [exact fx|discriminate]|lra].
  - pose (w := (v - b) / (c - b)); exists (fun j => (1 - w) * x j + w * u j).
    assert (range : 0 <= w <= 1).
    { split; unfold w; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
      apply Rmult_le_reg_r with (c - b); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
    split; [split; [apply mixtures_fit; assumption|discriminate]|].
    rewrite at_b, at_c; unfold w; field; lra.
Qed.

Theorem an_attained_bound_is_the_end (s : system) (t : nat) : (t < unknowns s)%nat ->
  (forall whole at_side y b, certified s whole at_side t y = Some b ->
    (possible s whole t (Q2R b) -> is_end s whole at_side t (Q2R b)) /\
    (forall v, possible s whole t v ->
      match at_side with
      | lower => Q2R b <= v /\ forall e, is_end s whole lower t e -> Q2R b <= e <= v
      | upper => v <= Q2R b /\ forall e, is_end s whole upper t e -> v <= e <= Q2R b
      end)) /\
  (forall b c y z, certified s false lower t y = Some b -> certified s false upper t z = Some c ->
    possible s false t (Q2R b) -> possible s false t (Q2R c) ->
    forall v, possible s false t v <-> Q2R b <= v <= Q2R c) /\
  (forall whole b y z, certified s whole lower t y = Some b -> certified s whole upper t z = Some b ->
    forall v, possible s whole t v -> v = Q2R b).
Proof.
  intros l.
  assert (holds : forall whole at_side y b v, certified s whole at_side t y = Some b -> possible s whole t v ->
    match at_side with lower => Q2R b <= v | upper => v <= Q2R b end).
  { intros whole at_side y b v is (x & tx & <-); apply (certified_holds s whole at_side t y); assumption. }
  split; [|split].
  - intros whole at_side y b is; split.
    + intros attained; split; [exact attained|intros u; apply (holds whole at_side y b u is)].
    + intros v pv; pose proof (holds whole at_side y b v is pv) as beyond; destruct at_side.
      * split; [exact beyond|intros e [pe no_less]]; split; [apply (holds whole lower y b e is pe)|apply no_less, pv].
      * split; [exact beyond|intros e [pe no_more]]; split; [apply no_more, pv|apply (holds whole upper y b e is pe)].
  - intros b c y z is_low is_high at_low at_high v; split.
    + intros pv; split; [apply (holds false lower y b v is_low pv)|apply (holds false upper z c v is_high pv)].
    + apply between_is_possible; assumption.
  - intros whole b y z is_low is_high v pv.
    pose proof (holds whole lower y b v is_low pv); pose proof (holds whole upper z b v is_high pv); simpl in *; lra.
Qed.
