(* Any dual vector bounds. For every finite system of sums and bounds, every vector y of rational factors of the
   sums, whatever it is, and every real table that satisfies the sums and bounds: each form in the unknowns, and
   each unknown, lies between the numbers that y certifies. Where all bounds are given there are such numbers, and
   they are y b plus, for each unknown, the smaller or the larger of its remainder times either bound. A vector
   that certifies that 0 is above 0 shows that there is no table. *)
From Coq Require Import QArith Qreals Reals Lra Lia Bool.
From Establish Require Import linear_tables.
Open Scope R_scope.

Lemma least_is_below s e y x b : fits s x -> least s e y = Some b -> Q2R b <= value s e x.
Proof.
  intros [sums_hold bounds] is; unfold least in is.
  destruct (bounded_sum _ _) as [rest|] eqn:of_rest; [|discriminate]; injection is as <-.
  apply bounded_sum_some in of_rest; destruct of_rest as (g & each & is).
  rewrite red_real, Q2R_plus, is, (value_split s e y x sums_hold); apply Rplus_le_compat_l.
  apply real_sum_le; intros j l; destruct (bounds j l); apply (term_below _ (low s j) (high s j)); auto.
Qed.

Lemma greatest_is_above s e y x b : fits s x -> greatest s e y = Some b -> value s e x <= Q2R b.
Proof.
  intros fit; unfold greatest; destruct (least s (opposite e) (opposite y)) as [c|] eqn:is; [|discriminate].
  simpl; intros eq; injection eq as <-; apply (least_is_below _ _ _ x _ fit) in is.
  rewrite value_opposite in is; rewrite Q2R_opp; lra.
Qed.

Lemma term_is_smaller r l h : (l <= h)%Q -> exists q, term r (Some l) (Some h) = Some q /\
  Q2R q = Rmin (Q2R r * Q2R l) (Q2R r * Q2R h).
Proof.
  intros le; apply Qle_Rle in le; unfold term; destruct (Qeq_bool r 0) eqn:z.
  - exists 0%Q; split; [reflexivity|]; apply RMicromega.Qeq_true in z; rewrite z, zero_real, !Rmult_0_l.
    unfold Rmin; destruct (Rle_dec 0 0); reflexivity.
  - destruct (Qle_bool 0 r) eqn:sign; eexists; split; try reflexivity; rewrite Q2R_mult.
    + apply RMicromega.Qle_true in sign; rewrite zero_real in sign.
      rewrite Rmin_left; [reflexivity|apply Rmult_le_compat_l; assumption].
    + assert (neg : (r <= 0)%Q).
      { apply Qnot_lt_le; intros lt; apply Qlt_le_weak, Qle_bool_iff in lt; congruence. }
      apply Qle_Rle in neg; rewrite zero_real in neg.
      rewrite Rmin_right; [reflexivity|].
      pose proof (Rmult_le_compat_l (- Q2R r) _ _ ltac:(lra) le); lra.
Qed.

Lemma least_in_a_box s e y (l h : nat -> Q) :
  (forall j, (j < unknowns s)%nat -> low s j = Some (l j) /\ high s j = Some (h j) /\ (l j <= h j)%Q) ->
  exists b, least s e y = Some b /\ Q2R b = Q2R (of_totals s y) + real_sum (unknowns s) (fun j =>
    Rmin (Q2R (remainder s e y j) * Q2R (l j)) (Q2R (remainder s e y j) * Q2R (h j))).
Proof.
  intros box; pose (g := fun j => match term (remainder s e y j) (low s j) (high s j) with Some q => q | None => 0%Q end).
  assert (each : forall j, (j < unknowns s)%nat -> term (remainder s e y j) (low s j) (high s j) = Some (g j)
    /\ Q2R (g j) = Rmin (Q2R (remainder s e y j) * Q2R (l j)) (Q2R (remainder s e y j) * Q2R (h j))).
  { intros j lt; unfold g; destruct (box j lt) as (-> & -> & le).
    destruct (term_is_smaller (remainder s e y j) _ _ le) as (q & -> & is); auto. }
  destruct (bounded_sum_all (unknowns s) _ g (fun j lt => proj1 (each j lt))) as (b & found & is).
  unfold least; rewrite found; eexists; split; [reflexivity|].
  rewrite red_real, Q2R_plus, is; f_equal; apply real_sum_ext; intros j lt; apply each, lt.
Qed.

Lemma greatest_in_a_box s e y (l h : nat -> Q) :
  (forall j, (j < unknowns s)%nat -> low s j = Some (l j) /\ high s j = Some (h j) /\ (l j <= h j)%Q) ->
  exists b, greatest s e y = Some b /\ Q2R b = Q2R (of_totals s y) + real_sum (unknowns s) (fun j =>
    Rmax (Q2R (remainder s e y j) * Q2R (l j)) (Q2R (remainder s e y j) * Q2R (h j))).
Proof.
  intros box; destruct (least_in_a_box s (opposite e) (opposite y) l h box) as (b & found & is).
  unfold greatest; rewrite found; eexists; split; [reflexivity|]; rewrite Q2R_opp, is, Ropp_plus_distr; f_equal.
  - rewrite !of_totals_is, <- (Rmult_1_l (real_sum _ _)), <- Ropp_mult_distr_l_reverse, <- real_sum_scale.
    apply real_sum_ext; intros i _; unfold opposite; rewrite Q2R_opp; ring.
  - rewrite <- (Rmult_1_l (real_sum _ _)), <- Ropp_mult_distr_l_reverse, <- real_sum_scale.
    apply real_sum_ext; intros j _.
    assert (turned : Q2R (remainder s (opposite e) (opposite y) j) = - Q2R (remainder s e y j)).
    { rewrite !remainder_is, !of_sums_is; unfold opposite; rewrite Q2R_opp.
      rewrite (real_sum_ext _ (fun i => Q2R (- y i) * Q2R (factor s i j)) (fun i => -1 * (Q2R (y i) * Q2R (factor s i j))))
        by (intros; rewrite Q2R_opp; ring).
      rewrite real_sum_scale; ring. }
    rewrite turned; set (r := Q2R _); unfold Rmin, Rmax.
    destruct (Rle_dec _ _), (Rle_dec _ _); lra.
Qed.

Theorem any_dual_vector_bounds (s : system) (y : form) :
  (forall x, fits s x ->
    (forall e b, least s e y = Some b -> Q2R b <= value s e x) /\
    (forall e b, greatest s e y = Some b -> value s e x <= Q2R b) /\
    (forall t b, (t < unknowns s)%nat -> least s (unit_form t) y = Some b -> Q2R b <= x t) /\
    (forall t b, (t < unknowns s)%nat -> greatest s (unit_form t) y = Some b -> x t <= Q2R b)) /\
  (forall l h : nat -> Q,
    (forall j, (j < unknowns s)%nat -> low s j = Some (l j) /\ high s j = Some (h j) /\ (l j <= h j)%Q) ->
    forall e, exists b c, least s e y = Some b /\ greatest s e y = Some c /\
      let between pick := Q2R (of_totals s y) + real_sum (unknowns s) (fun j =>
        pick (Q2R (remainder s e y j) * Q2R (l j)) (Q2R (remainder s e y j) * Q2R (h j))) in
      Q2R b = between Rmin /\ Q2R c = between Rmax) /\
  (clashes s y = true -> forall x, ~ fits s x).
Proof.
  split; [|split].
  - intros x fit; split; [|split; [|split]].
    + intros e b; apply least_is_below, fit.
    + intros e b; apply greatest_is_above, fit.
    + intros t b lt is; rewrite <- (value_of_unit s t x lt); apply (least_is_below _ _ y); assumption.
    + intros t b lt is; rewrite <- (value_of_unit s t x lt); apply (greatest_is_above _ _ y); assumption.
  - intros l h box e; destruct (least_in_a_box s e y l h box) as (b & found & is).
    destruct (greatest_in_a_box s e y l h box) as (c & found' & is'); exists b, c; auto.
  - unfold clashes; destruct (least _ _ y) as [b|] eqn:is; [|discriminate]; intros above x fit.
    apply (least_is_below _ _ _ x _ fit) in is; unfold value in is.
    rewrite real_sum_zero, <- zero_real in is by (intros; rewrite zero_real; ring).
    apply Rle_Qle, Qle_bool_iff in is; rewrite is in above; discriminate.
Qed.
