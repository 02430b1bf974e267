(* Duals are lifted. What bounds in use certify, each of which a dual vector certifies in the original system, is
   certified in the original system too, by the dual vector to which theirs are added. The certificates of forms
   are a superadditive function of the form: this is all that the proof uses. *)
From Coq Require Import QArith Qreals Reals Lra Lia Bool.
From Establish Require Import linear_tables dual_vector_bounds.
Open Scope R_scope.

(* What is known of each unknown from each side: a bound, and the dual vector that certifies it. *)
Definition knowledge := side -> nat -> option (Q * form).
Definition given (s : system) : knowledge := fun at_side t =>
  option_map (fun b => (b, fun _ => 0%Q)) (match at_side with lower => low s t | upper => high s t end).
(* The system with the bounds in use. *)
Definition in_use (s : system) (k : knowledge) : system :=
  System (sums s) (unknowns s) (factor s) (total s)
    (fun j => option_map fst (k lower j)) (fun j => option_map fst (k upper j)).
(* y, and for each unknown that it leaves the dual vector of the bound that is used of it. *)
Definition used_dual (k : knowledge) (r : Q) (j : nat) : form :=
  match (if Qle_bool 0 r then k lower j else k upper j) with Some (_, p) => p | None => fun _ => 0%Q end.
Definition lifted_from_below (s : system) (k : knowledge) (e y : form) : form := fun i =>
  (y i + exact_sum (unknowns s) (fun j => remainder s e y j * used_dual k (remainder s e y j) j i))%Q.
Definition lifted (s : system) (k : knowledge) (at_side : side) (e y : form) : form :=
  match at_side with
  | lower => lifted_from_below s k e y
  | upper => opposite (lifted_from_below s k (opposite e) (opposite y))
  end.

(* The bound [v] of the form [e], or a stronger one, is certified by [y]. *)
Definition proves (s : system) (at_side : side) (e y : form) (v : Q) : Prop :=
  match at_side with
  | lower => exists b, least s e y = Some b /\ (v <= b)%Q
  | upper => exists b, greatest s e y = Some b /\ (b <= v)%Q
  end.
Definition sound (s : system) (k : knowledge) : Prop :=
  forall at_side t v y, (t < unknowns s)%nat -> k at_side t = Some (v, y) -> proves s at_side (unit_form t) y v.
(* No bounds that are given cross. *)
Definition ordered (s : system) : Prop :=
  forall j l h, (j < unknowns s)%nat -> low s j = Some l -> high s j = Some h -> (l <= h)%Q.

(* The same on real coefficients. *)
Definition real_term (r : R) (l h : option Q) (v : R) : Prop :=
  (r = 0 /\ v = 0) \/ (0 < r /\ exists b, l = Some b /\ v = r * Q2R b) \/ (r < 0 /\ exists b, h = Some b /\ v = r * Q2R b).
Definition real_least (s : system) (r : nat -> R) (v : R) : Prop :=
  exists g, (forall j, (j < unknowns s)%nat -> real_term (r j) (low s j) (high s j) (g j)) /\
    v = real_sum (unknowns s) g.

Lemma sign_of r : Qeq_bool r 0 = false -> if Qle_bool 0 r then 0 < Q2R r else Q2R r < 0.
Proof.
  intros z; apply RMicromega.Qeq_false in z; rewrite zero_real in z; destruct (Qle_bool 0 r) eqn:sign.
  - apply RMicromega.Qle_true in sign; rewrite zero_real in sign; lra.
  - assert (neg : (r <= 0)%Q).
    { apply Qnot_lt_le; intros lt; apply Qlt_le_weak, Qle_bool_iff in lt; congruence. }
    apply Qle_Rle in neg; rewrite zero_real in neg; lra.
Qed.
Lemma term_is_real r l h q : term r l h = Some q -> real_term (Q2R r) l h (Q2R q).
Proof.
  unfold term; destruct (Qeq_bool r 0) eqn:z.
  - intros e; injection e as <-; apply RMicromega.Qeq_true in z; left; rewrite z, zero_real; auto.
  - pose proof (sign_of r z) as sign; destruct (Qle_bool 0 r).
    + destruct l as [b|]; [|discriminate]; intros e; injection e as <-; right; left; rewrite Q2R_mult; eauto.
    + destruct h as [b|]; [|discriminate]; intros e; injection e as <-; right; right; rewrite Q2R_mult; eauto.
Qed.
Lemma real_term_is r l h v : real_term (Q2R r) l h v -> exists q, term r l h = Some q /\ Q2R q = v.
Proof.
  unfold term; destruct (Qeq_bool r 0) eqn:z.
  - apply RMicromega.Qeq_true in z; rewrite zero_real in z.
    intros [[_ ->]|[[? _]|[? _]]]; try lra; exists 0%Q; split; [reflexivity|apply zero_real].
  - pose proof (sign_of r z) as sign; destruct (Qle_bool 0 r);
      intros [[? _]|[[? (b & -> & ->)]|[? (b & -> & ->)]]]; try lra;
      eexists; split; try reflexivity; apply Q2R_mult.
Qed.
Lemma least_is_real s e y b : least s e y = Some b ->
  real_least s (fun j => Q2R (remainder s e y j)) (Q2R b - Q2R (of_totals s y)).
Proof.
  unfold least; destruct (bounded_sum _ _) as [rest|] eqn:of_rest; [|discriminate]; intros is; injection is as <-.
  apply bounded_sum_some in of_rest; destruct of_rest as (g & each & is); exists (fun j => Q2R (g j)); split.
  - intros j l; apply term_is_real, each, l.
  - rewrite red_real, Q2R_plus, <- is; ring.
Qed.
Lemma real_least_is s e y v : real_least s (fun j => Q2R (remainder s e y j)) (v - Q2R (of_totals s y)) ->
  exists b, least s e y = Some b /\ Q2R b = v.
Proof.
  intros (g & each & is).
  pose (q := fun j => match term (remainder s e y j) (low s j) (high s j) with Some q => q | None => 0%Q end).
  assert (all : forall j, (j < unknowns s)%nat ->
    term (remainder s e y j) (low s j) (high s j) = Some (q j) /\ Q2R (q j) = g j).
  { intros j l; unfold q; destruct (real_term_is _ _ _ _ (each j l)) as (c & -> & e'); auto. }
  destruct (bounded_sum_all (unknowns s) _ q (fun j l => proj1 (all j l))) as (b & found & sum).
  unfold least; rewrite found; eexists; split; [reflexivity|]; rewrite red_real, Q2R_plus, sum.
  rewrite (real_sum_ext _ _ g) by (intros j l; apply all, l); lra.
Qed.

Lemma real_least_ext s r r' v : (forall j, (j < unknowns s)%nat -> r j = r' j) -> real_least s r v -> real_least s r' v.
Proof. intros same (g & each & is); exists g; split; [intros j l; rewrite <- same by exact l; apply each, l|exact is]. Qed.
Lemma real_least_zero s : real_least s (fun _ => 0) 0.
Proof.
  exists (fun _ => 0); split; [intros; left; auto|symmetry; apply real_sum_zero; auto].
Qed.
Lemma real_least_scale s r v c : 0 < c -> real_least s r v -> real_least s (fun j => c * r j) (c * v).
Proof.
  intros c0 (g & each & ->); exists (fun j => c * g j); split; [|rewrite real_sum_scale; reflexivity].
  intros j l; destruct (each j l) as [[z is]|[[z (b & at_ & is)]|[z (b & at_ & is)]]].
  - left; rewrite z, is; split; ring.
  - right; left; split; [apply Rmult_lt_0_compat; assumption|exists b; split; [exact at_|rewrite is; ring]].
  - right; right; split; [|exists b; split; [exact at_|rewrite is; ring]].
    pose proof (Rmult_lt_0_compat c (- r j) c0 ltac:(lra)); lra.
Qed.
Lemma real_term_plus r r' l h v v' : (forall a b, l = Some a -> h = Some b -> (a <= b)%Q) ->
  real_term r l h v -> real_term r' l h v' -> exists w, real_term (r + r') l h w /\ v + v' <= w.
Proof.
  intros order [[z ->]|[[z (b & at_ & ->)]|[z (b & at_ & ->)]]] [[z' ->]|[[z' (b' & at' & ->)]|[z' (b' & at' & ->)]]].
  1: exists 0; split; [left; split; lra|lra].
  1: exists ((r + r') * Q2R b'); split; [right; left; split; [lra|eauto]|rewrite z; lra].
  1: exists ((r + r') * Q2R b'); split; [right; right; split; [lra|eauto]|rewrite z; lra].
  1: exists ((r + r') * Q2R b); split; [right; left; split; [lra|eauto]|rewrite z'; lra].
  1: assert (b' = b) by congruence; subst b'; exists ((r + r') * Q2R b); split; [right; left; split; [lra|eauto]|lra].
  2: exists ((r + r') * Q2R b); split; [right; right; split; [lra|eauto]|rewrite z'; lra].
  3: assert (b' = b) by congruence; subst b'; exists ((r + r') * Q2R b); split; [right; right; split; [lra|eauto]|lra].
  - pose proof (order _ _ at_ at') as le; apply Qle_Rle in le; destruct (Rtotal_order (r + r') 0) as [n|[n|n]].
    + exists ((r + r') * Q2R b'); split; [right; right; eauto|nra].
    + exists 0; split; [left; auto|nra].
    + exists ((r + r') * Q2R b); split; [right; left; eauto|nra].
  - pose proof (order _ _ at' at_) as le; apply Qle_Rle in le; destruct (Rtotal_order (r + r') 0) as [n|[n|n]].
    + exists ((r + r') * Q2R b); split; [right; right; eauto|nra].
    + exists 0; split; [left; auto|nra].
    + exists ((r + r') * Q2R b'); split; [right; left; eauto|nra].
Qed.
Lemma choice n (P : nat -> R -> Prop) : (forall j, (j < n)%nat -> exists v, P j v) ->
  exists g, forall j, (j < n)%nat -> P j (g j).
Proof.
  induction n as [|n IH]; intros h; [exists (fun _ => 0); intros; lia|].
  destruct IH as (g & all); [intros; apply h; lia|]; destruct (h n ltac:(lia)) as (v & at_n).
  exists (fun j => if Nat.eqb j n then v else g j); intros j l.
  destruct (Nat.eqb_spec j n) as [->|]; [exact at_n|apply all; lia].
Qed.
Lemma real_least_plus s r r' v v' : ordered s -> real_least s r v -> real_least s r' v' ->
  exists w, real_least s (fun j => r j + r' j) w /\ v + v' <= w.
Proof.
  intros order (g & each & ->) (g' & each' & ->).
  destruct (choice (unknowns s) (fun j w => real_term (r j + r' j) (low s j) (high s j) w /\ g j + g' j <= w)) as (f & all).
  { intros j l; apply real_term_plus; [intros a b; apply order, l|apply each, l|apply each', l]. }
  exists (real_sum (unknowns s) f); split; [exists f; split; [intros j l; apply all, l|reflexivity]|].
  rewrite <- real_sum_plus; apply real_sum_le; intros j l; apply all, l.
Qed.
Lemma real_least_many s m (c : nat -> nat -> R) (w : nat -> R) : ordered s ->
  (forall j, (j < m)%nat -> exists v, real_least s (c j) v /\ w j <= v) ->
  exists v, real_least s (fun k => real_sum m (fun j => c j k)) v /\ real_sum m w <= v.
Proof.
  intros order; induction m as [|m IH]; intros h; [exists 0; split; [apply real_least_zero|simpl; lra]|].
  destruct IH as (v & lv & le); [intros; apply h; lia|]; destruct (h m ltac:(lia)) as (v' & lv' & le').
  destruct (real_least_plus s _ _ _ _ order lv lv') as (u & lu & more); exists u; split; [exact lu|simpl; lra].
Qed.

Lemma remainder_opposite s e y j : Q2R (remainder s (opposite e) (opposite y) j) = - Q2R (remainder s e y j).
Proof.
  rewrite !remainder_is, !of_sums_is; unfold opposite; rewrite Q2R_opp.
  rewrite (real_sum_ext _ (fun i => Q2R (- y i) * Q2R (factor s i j)) (fun i => -1 * (Q2R (y i) * Q2R (factor s i j))))
    by (intros; rewrite Q2R_opp; ring).
  rewrite real_sum_scale; ring.
Qed.
Lemma of_totals_opposite s y : Q2R (of_totals s (opposite y)) = - Q2R (of_totals s y).
Proof.
  rewrite !of_totals_is, <- (Rmult_1_l (real_sum _ (fun i => Q2R (y i) * _))), <- Ropp_mult_distr_l_reverse, <- real_sum_scale.
  apply real_sum_ext; intros i _; unfold opposite; rewrite Q2R_opp; ring.
Qed.
Lemma unit_form_real t j : Q2R (unit_form t j) = if Nat.eqb t j then 1 else 0.
Proof. unfold unit_form; destruct (Nat.eqb t j); [apply one_real|apply zero_real]. Qed.

(* What one unknown that is left contributes. *)
Lemma one_part s k r j b : sound s k -> (j < unknowns s)%nat ->
  real_term (Q2R r) (low (in_use s k) j) (high (in_use s k) j) b ->
  exists v, real_least s (fun i => Q2R r * Q2R (remainder s (unit_form j) (used_dual k r j) i)) v /\
    b - Q2R r * Q2R (of_totals s (used_dual k r j)) <= v.
Proof.
  intros sd lt [[z ->]|[[z (c & at_ & ->)]|[z (c & at_ & ->)]]].
  - exists 0; split; [|rewrite z; lra].
    apply (real_least_ext s (fun _ => 0)); [intros; rewrite z; ring|apply real_least_zero].
  - assert (sign : Qle_bool 0 r = true) by (apply Qle_bool_iff, Rle_Qle; rewrite zero_real; lra).
    unfold used_dual; rewrite sign; simpl in at_; destruct (k lower j) as [[v y]|] eqn:known; [|discriminate].
    injection at_ as ->; destruct (sd lower j c y lt known) as (d & is & le); apply Qle_Rle in le.
    exists (Q2R r * (Q2R d - Q2R (of_totals s y))); split; [apply real_least_scale, least_is_real; assumption|].
    pose proof (Rmult_le_compat_l (Q2R r) _ _ (Rlt_le _ _ z) le); lra.
  - assert (sign : Qle_bool 0 r = false).
    { destruct (Qle_bool 0 r) eqn:e; [|reflexivity]; apply RMicromega.Qle_true in e; rewrite zero_real in e; lra. }
    unfold used_dual; rewrite sign; simpl in at_; destruct (k upper j) as [[v y]|] eqn:known; [|discriminate].
    injection at_ as ->; destruct (sd upper j c y lt known) as (d & is & le); apply Qle_Rle in le.
    unfold greatest in is; destruct (least s _ _) as [a|] eqn:found; [|discriminate]; injection is as <-.
    apply least_is_real, (real_least_scale s _ _ (- Q2R r) ltac:(lra)) in found.
    rewrite of_totals_opposite in found; rewrite Q2R_opp in le.
    exists (- Q2R r * (Q2R a - - Q2R (of_totals s y))); split.
    + apply (real_least_ext s) with (2 := found); intros i l; rewrite remainder_opposite; ring.
    + pose proof (Rmult_le_compat_l (- Q2R r) _ _ ltac:(lra) le); lra.
Qed.

Lemma lifting_from_below s k e y b : ordered s -> sound s k -> least (in_use s k) e y = Some b ->
  proves s lower e (lifted_from_below s k e y) b.
Proof.
  intros order sd is; apply least_is_real in is; destruct is as (g & each & is).
  change (remainder (in_use s k) e y) with (remainder s e y) in each.
  change (of_totals (in_use s k) y) with (of_totals s y) in is; change (unknowns (in_use s k)) with (unknowns s) in *.
  set (r := remainder s e y) in *; pose (p := fun j => used_dual k (r j) j).
  destruct (real_least_many s (unknowns s) (fun j i => Q2R (r j) * Q2R (remainder s (unit_form j) (p j) i))
    (fun j => g j - Q2R (r j) * Q2R (of_totals s (p j))) order) as (v & lv & le).
  { intros j l; apply one_part; auto. }
  assert (lift : forall i, Q2R (lifted_from_below s k e y i)
    = Q2R (y i) + real_sum (unknowns s) (fun j => Q2R (r j) * Q2R (p j i))).
  { intros i; unfold lifted_from_below; rewrite Q2R_plus, exact_sum_is; f_equal.
    apply real_sum_ext; intros; rewrite Q2R_mult; reflexivity. }
  assert (totals : Q2R (of_totals s (lifted_from_below s k e y))
    = Q2R (of_totals s y) + real_sum (unknowns s) (fun j => Q2R (r j) * Q2R (of_totals s (p j)))).
  { rewrite !of_totals_is.
    rewrite (real_sum_ext (unknowns s) _ (fun j => real_sum (sums s) (fun i => Q2R (r j) * (Q2R (p j i) * Q2R (total s i))))).
    2: { intros j _; rewrite of_totals_is, real_sum_scale; reflexivity. }
    rewrite <- real_sum_exchange, <- real_sum_plus; apply real_sum_ext; intros i _; rewrite lift, Rmult_plus_distr_r; f_equal.
    rewrite Rmult_comm, <- real_sum_scale; apply real_sum_ext; intros; ring. }
  assert (rest : forall i, (i < unknowns s)%nat ->
    real_sum (unknowns s) (fun j => Q2R (r j) * Q2R (remainder s (unit_form j) (p j) i))
    = Q2R (remainder s e (lifted_from_below s k e y) i)).
  { intros i l; rewrite remainder_is, of_sums_is.
    rewrite (real_sum_ext (sums s) _ (fun q => Q2R (y q) * Q2R (factor s q i)
      + real_sum (unknowns s) (fun j => Q2R (r j) * (Q2R (p j q) * Q2R (factor s q i))))).
    2: { intros q _; rewrite lift, Rmult_plus_distr_r; f_equal.
         rewrite Rmult_comm, <- real_sum_scale; apply real_sum_ext; intros; ring. }
    rewrite real_sum_plus, real_sum_exchange, <- of_sums_is.
    transitivity (Q2R (r i) - real_sum (unknowns s) (fun j => Q2R (r j) * Q2R (of_sums s (p j) i))).
    - rewrite <- (Rmult_1_l (real_sum _ (fun j => Q2R (r j) * Q2R (of_sums s (p j) i)))).
      unfold Rminus; rewrite <- Ropp_mult_distr_l_reverse, <- real_sum_scale.
      transitivity (real_sum (unknowns s) (fun j => Q2R (r j) * Q2R (unit_form j i))
        + real_sum (unknowns s) (fun j => -1 * (Q2R (r j) * Q2R (of_sums s (p j) i)))).
      + rewrite <- real_sum_plus; apply real_sum_ext; intros j _; rewrite remainder_is; ring.
      + f_equal; rewrite (real_sum_one _ i _ l); [rewrite unit_form_real, Nat.eqb_refl; ring|].
        intros j _ ne; rewrite unit_form_real; destruct (Nat.eqb_spec j i); [contradiction|ring].
    - unfold r at 1; rewrite remainder_is; unfold Rminus; rewrite Ropp_plus_distr, Rplus_assoc; do 3 f_equal.
      apply real_sum_ext; intros j _; rewrite of_sums_is, <- real_sum_scale; reflexivity. }
  apply (real_least_ext s _ _ _ rest) in lv.
  destruct (real_least_is s e (lifted_from_below s k e y) (v + Q2R (of_totals s (lifted_from_below s k e y)))) as (c & found & eq).
  { replace (v + _ - _) with v by ring; exact lv. }
  exists c; split; [exact found|]; apply Rle_Qle; rewrite eq, totals.
  assert (split_up : real_sum (unknowns s) (fun j => g j - Q2R (r j) * Q2R (of_totals s (p j)))
    = real_sum (unknowns s) g - real_sum (unknowns s) (fun j => Q2R (r j) * Q2R (of_totals s (p j)))).
  { unfold Rminus at 2; rewrite <- (Rmult_1_l (real_sum _ (fun j => Q2R (r j) * _))), <- Ropp_mult_distr_l_reverse, <- real_sum_scale.
    rewrite <- real_sum_plus; apply real_sum_ext; intros; ring. }
  rewrite split_up in le; lra.
Qed.

Theorem duals_are_lifted (s : system) (k : knowledge) : ordered s -> sound s k ->
  (forall e y b, least (in_use s k) e y = Some b -> proves s lower e (lifted s k lower e y) b) /\
  (forall e y b, greatest (in_use s k) e y = Some b -> proves s upper e (lifted s k upper e y) b).
Proof.
  intros order sd; split; intros e y b; [apply lifting_from_below; assumption|].
  unfold greatest at 1; destruct (least (in_use s k) _ _) as [c|] eqn:is; [|discriminate].
  simpl; intros eq; injection eq as <-; destruct (lifting_from_below s k _ _ c order sd is) as (d & found & le).
  set (z := lifted_from_below s k (opposite e) (opposite y)) in *.
  assert (twice : exists d', least s (opposite e) (opposite (opposite z)) = Some d' /\ Q2R d' = Q2R d).
  { apply least_is_real in found; apply real_least_is; rewrite !of_totals_opposite, Ropp_involutive.
    apply (real_least_ext s) with (2 := found); intros j _; rewrite !remainder_is, !of_sums_is; f_equal.
    apply real_sum_ext; intros; unfold opposite; rewrite !Q2R_opp, Ropp_involutive; reflexivity. }
  destruct twice as (d' & found' & eq); exists (- d')%Q; unfold greatest.
  change (opposite (opposite z)) with (opposite (fun i => - z i)%Q) in found'; unfold opposite in found' |- *.
  rewrite found'; split; [reflexivity|]; apply Qle_Rle in le; apply Rle_Qle; rewrite !Q2R_opp; lra.
Qed.
