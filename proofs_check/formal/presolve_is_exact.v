(* Presolve is exact, and its duals are lifted to the file's own sums. For every finite system of sums and bounds:
   a sum of one unknown with factor 1 or -1 says no more and no less than its value, and one of two that the first
   is an alias of the second; adding a multiple of one sum to another, which takes an alias out of it, changes no
   table, and what is certified with the new sum is certified with the old ones. Bounds that are learned one after
   another, each from the sums and the bounds in use, lose no table, real or whole; each is certified by its dual
   vector in the original system, as is at least as much as they certify together of any form; and where they
   cross, a dual vector shows that there is no table. *)
From Coq Require Import QArith Qreals Reals Lra Lia Bool.
From Establish Require Import linear_tables dual_vector_bounds lifted_duals.
Open Scope R_scope.

Definition holds (s : system) (i : nat) (x : nat -> R) : Prop := value s (factor s i) x = Q2R (total s i).
Definition one_or_minus_one (a : Q) : Prop := (a == 1 \/ a == - (1))%Q.
(* All other unknowns have the factor 0 in the sum i. *)
Definition has_only (s : system) (i : nat) (those : nat -> Prop) : Prop :=
  forall j, (j < unknowns s)%nat -> ~ those j -> (factor s i j == 0)%Q.
(* c times the sum i is added to the sum k. *)
Definition replaced (s : system) (k i : nat) (c : Q) : system :=
  System (sums s) (unknowns s)
    (fun q j => if Nat.eqb q k then (factor s k j + c * factor s i j)%Q else factor s q j)
    (fun q => if Nat.eqb q k then (total s k + c * total s i)%Q else total s q) (low s) (high s).
Definition on_old_sums (k i : nat) (c : Q) (y : form) : form :=
  fun q => if Nat.eqb q i then (y i + c * y k)%Q else y q.

Definition learned (k : knowledge) (at_side : side) (t : nat) (v : Q) (y : form) : knowledge :=
  fun other j => match at_side, other with
    | lower, lower | upper, upper => if Nat.eqb j t then Some (v, y) else k other j
    | _, _ => k other j
    end.
Definition tighter (at_side : side) (old : option (Q * form)) (v : Q) : Prop :=
  match old with
  | Some (b, _) => match at_side with lower => (b <= v)%Q | upper => (v <= b)%Q end
  | None => True
  end.
(* The bounds that presolve may have in use: those given, and any that a combination y of the sums and the bounds
   in use prove, which is kept with the dual vector that is lifted to the sums. *)
Inductive presolved (s : system) : knowledge -> Prop :=
  | as_given : presolved s (given s)
  | and_learned k at_side t y v : presolved s k -> (t < unknowns s)%nat ->
      proves (in_use s k) at_side (unit_form t) y v -> tighter at_side (k at_side t) v ->
      presolved s (learned k at_side t v (lifted s k at_side (unit_form t) y)).

Lemma square a : one_or_minus_one a -> Q2R a * Q2R a = 1.
Proof. intros [h|h]; apply Qeq_eqR in h; rewrite h, ?Q2R_opp, one_real; ring. Qed.
Lemma real_sum_two n p q f : (p < n)%nat -> (q < n)%nat -> p <> q ->
  (forall j, (j < n)%nat -> j <> p -> j <> q -> f j = 0) -> real_sum n f = f p + f q.
Proof.
  intros lp lq ne zero.
  rewrite (real_sum_ext n f (fun j => (if Nat.eqb j p then f p else 0) + (if Nat.eqb j q then f q else 0))).
  - rewrite real_sum_plus, (real_sum_one n p _ lp), (real_sum_one n q _ lq), !Nat.eqb_refl; [reflexivity| |];
      intros j _ h; [destruct (Nat.eqb_spec j q)|destruct (Nat.eqb_spec j p)]; congruence.
  - intros j l; destruct (Nat.eqb_spec j p) as [e|np], (Nat.eqb_spec j q) as [e'|nq]; subst; try lra; try congruence.
    rewrite (zero j l np nq); ring.
Qed.
Lemma zero_factor s i (j : nat) (x : nat -> R) : (factor s i j == 0)%Q -> Q2R (factor s i j) * x j = 0.
Proof. intros z; apply Qeq_eqR in z; rewrite z, zero_real; ring. Qed.

Lemma fixing s i p : (p < unknowns s)%nat -> one_or_minus_one (factor s i p) -> has_only s i (fun j => j = p) ->
  forall x, holds s i x <-> x p = Q2R (factor s i p) * Q2R (total s i).
Proof.
  intros l unit alone x; pose proof (square _ unit) as sq; unfold holds, value.
  rewrite (real_sum_one _ p _ l) by (intros j lt ne; apply zero_factor, alone; assumption).
  set (a := Q2R (factor s i p)) in *; split; intros h; [rewrite <- h|rewrite h]; rewrite <- Rmult_assoc, sq; ring.
Qed.
Lemma aliasing s i p q : (p < unknowns s)%nat -> (q < unknowns s)%nat -> p <> q ->
  one_or_minus_one (factor s i p) -> one_or_minus_one (factor s i q) -> has_only s i (fun j => j = p \/ j = q) ->
  forall x, holds s i x <->
    x p = - (Q2R (factor s i p) * Q2R (factor s i q)) * x q + Q2R (factor s i p) * Q2R (total s i).
Proof.
  intros lp lq ne unit_p unit_q alone x; pose proof (square _ unit_p) as sq; unfold holds, value.
  rewrite (real_sum_two _ p q _ lp lq ne) by (intros j lt np nq; apply zero_factor, alone; tauto).
  set (a := Q2R (factor s i p)) in *; set (b := Q2R (factor s i q)); split; intros h.
  - rewrite <- h; transitivity ((a * a) * x p); [rewrite sq; ring|ring].
  - rewrite h; transitivity (b * x q - (a * a) * b * x q + (a * a) * Q2R (total s i)); [ring|rewrite sq; ring].
Qed.

Lemma replaced_value s k i c x q : value (replaced s k i c) (factor (replaced s k i c) q) x =
  if Nat.eqb q k then value s (factor s k) x + Q2R c * value s (factor s i) x else value s (factor s q) x.
Proof.
  unfold value; simpl; destruct (Nat.eqb q k); [|reflexivity].
  rewrite <- real_sum_scale, <- real_sum_plus; apply real_sum_ext; intros; rewrite Q2R_plus, Q2R_mult; ring.
Qed.
Lemma replacing s k i c : (k < sums s)%nat -> (i < sums s)%nat -> k <> i ->
  forall x, fits s x <-> fits (replaced s k i c) x.
Proof.
  intros lk li ne x; unfold fits at 2; split; intros [sums_hold bounds]; (split; [|exact bounds]).
  - intros q l; rewrite replaced_value; simpl in *; destruct (Nat.eqb q k); [|apply sums_hold, l].
    rewrite Q2R_plus, Q2R_mult, (sums_hold k lk), (sums_hold i li); reflexivity.
  - assert (at_i : value s (factor s i) x = Q2R (total s i)).
    { pose proof (sums_hold i li) as h; rewrite replaced_value in h; simpl in h.
      destruct (Nat.eqb_spec i k); [congruence|exact h]. }
    intros q l; pose proof (sums_hold q l) as h; rewrite replaced_value in h; simpl in h.
    destruct (Nat.eqb_spec q k) as [->|]; [|exact h].
    rewrite Q2R_plus, Q2R_mult, at_i in h; lra.
Qed.
Lemma combined_over n k i (f : nat -> R) (y : form) c : (k < n)%nat -> (i < n)%nat -> k <> i ->
  real_sum n (fun q => Q2R (y q) * (if Nat.eqb q k then f k + Q2R c * f i else f q))
  = real_sum n (fun q => Q2R (on_old_sums k i c y q) * f q).
Proof.
  intros lk li ne.
  rewrite (real_sum_ext n _ (fun q => Q2R (y q) * f q + (if Nat.eqb q k then Q2R (y k) * (Q2R c * f i) else 0)))
    by (intros q _; destruct (Nat.eqb_spec q k) as [->|]; ring).
  rewrite (real_sum_ext n (fun q => Q2R (on_old_sums k i c y q) * f q)
    (fun q => Q2R (y q) * f q + (if Nat.eqb q i then Q2R c * Q2R (y k) * f i else 0))).
  2: { intros q _; unfold on_old_sums; destruct (Nat.eqb_spec q i) as [->|]; [rewrite Q2R_plus, Q2R_mult|]; ring. }
  rewrite !real_sum_plus; f_equal; rewrite (real_sum_one n k _ lk), (real_sum_one n i _ li), !Nat.eqb_refl; [ring| |];
    intros q _ nq; [destruct (Nat.eqb_spec q i)|destruct (Nat.eqb_spec q k)]; congruence.
Qed.
Lemma replaced_dual s k i c e y b : (k < sums s)%nat -> (i < sums s)%nat -> k <> i ->
  least (replaced s k i c) e y = Some b -> exists d, least s e (on_old_sums k i c y) = Some d /\ Q2R d = Q2R b.
Proof.
  intros lk li ne is; apply least_is_real in is; apply real_least_is.
  assert (totals : Q2R (of_totals (replaced s k i c) y) = Q2R (of_totals s (on_old_sums k i c y))).
  { rewrite !of_totals_is; simpl; rewrite <- (combined_over _ k i (fun q => Q2R (total s q)) y c lk li ne).
    apply real_sum_ext; intros q _; destruct (Nat.eqb q k); [rewrite Q2R_plus, Q2R_mult|]; reflexivity. }
  rewrite <- totals; destruct is as (g & each & eq); exists g; split; [|exact eq]; intros j l.
  specialize (each j l); simpl in each; rewrite remainder_is, of_sums_is in each |- *.
  rewrite <- (combined_over _ k i (fun q => Q2R (factor s q j)) y c lk li ne).
  rewrite (real_sum_ext (sums s) _ (fun q => Q2R (y q) * Q2R (factor (replaced s k i c) q j))); [exact each|].
  intros q _; simpl; destruct (Nat.eqb q k); [rewrite Q2R_plus, Q2R_mult|]; reflexivity.
Qed.

(* What is learned. *)
Lemma no_sums s j : Q2R (of_sums s (fun _ => 0%Q) j) = 0.
Proof. rewrite of_sums_is; apply real_sum_zero; intros; rewrite zero_real; ring. Qed.
Lemma no_totals s : Q2R (of_totals s (fun _ => 0%Q)) = 0.
Proof. rewrite of_totals_is; apply real_sum_zero; intros; rewrite zero_real; ring. Qed.
Lemma bounds_prove_themselves s t b (e : Q) : (t < unknowns s)%nat -> 0 < Q2R e /\ low s t = Some b \/ Q2R e < 0 /\ high s t = Some b ->
  exists c, least s (fun j => if Nat.eqb t j then e else 0%Q) (fun _ => 0%Q) = Some c /\ Q2R c = Q2R e * Q2R b.
Proof.
  intros l bound; apply real_least_is; rewrite no_totals, Rminus_0_r.
  exists (fun j => if Nat.eqb t j then Q2R e * Q2R b else 0); split.
  - intros j _; rewrite remainder_is, no_sums, Rminus_0_r; destruct (Nat.eqb_spec t j) as [<-|].
    + destruct bound as [[e0 at_]|[e0 at_]]; [right; left|right; right]; eauto.
    + left; rewrite zero_real; auto.
  - rewrite (real_sum_one _ t _ l), Nat.eqb_refl; [reflexivity|].
    intros j _ ne; destruct (Nat.eqb_spec t j); congruence.
Qed.
Lemma given_is_sound s : sound s (given s).
Proof.
  intros at_side t v y l; unfold given; destruct at_side; simpl.
  - destruct (low s t) as [b|] eqn:at_; [|discriminate]; simpl; intros e; injection e as <- <-.
    destruct (bounds_prove_themselves s t b 1 l) as (c & found & is); [left; rewrite one_real; split; [lra|exact at_]|].
    exists c; split; [exact found|apply Rle_Qle; rewrite is, one_real; lra].
  - destruct (high s t) as [b|] eqn:at_; [|discriminate]; simpl; intros e; injection e as <- <-.
    destruct (bounds_prove_themselves s t b (- (1)) l) as (c & found & is); [right; rewrite Q2R_opp, one_real; split; [lra|exact at_]|].
    assert (same : exists d, least s (opposite (unit_form t)) (opposite (fun _ => 0%Q)) = Some d /\ Q2R d = Q2R c).
    { apply least_is_real in found; apply real_least_is; rewrite no_totals in found; rewrite of_totals_opposite, no_totals, Ropp_0.
      apply (real_least_ext s) with (2 := found); intros j _; rewrite remainder_opposite, !remainder_is, !no_sums.
      unfold unit_form; destruct (Nat.eqb t j); rewrite ?Q2R_opp, ?zero_real, ?one_real; ring. }
    destruct same as (d & found' & eq); exists (- d)%Q; unfold greatest; rewrite found'; split; [reflexivity|].
    apply Rle_Qle; rewrite Q2R_opp, eq, is, Q2R_opp, one_real; lra.
Qed.
Lemma presolved_is_sound s k : ordered s -> presolved s k -> sound s k.
Proof.
  intros order; induction 1 as [|k at_side t y v _ IH lt proof _]; [apply given_is_sound|].
  assert (new : proves s at_side (unit_form t) (lifted s k at_side (unit_form t) y) v).
  { destruct at_side, proof as (b & is & le).
    - destruct (proj1 (duals_are_lifted s k order IH) _ _ _ is) as (c & found & more).
      exists c; split; [exact found|apply Qle_trans with b; assumption].
    - destruct (proj2 (duals_are_lifted s k order IH) _ _ _ is) as (c & found & more).
      exists c; split; [exact found|apply Qle_trans with b; assumption]. }
  intros other j w z l; unfold learned; destruct at_side, other; try apply IH, l;
    destruct (Nat.eqb_spec j t) as [->|]; try apply IH, l; intros e; injection e as <- <-; exact new.
Qed.
Lemma within s x t y v at_side : fits s x -> (t < unknowns s)%nat -> proves s at_side (unit_form t) y v ->
  match at_side with lower => Q2R v <= x t | upper => x t <= Q2R v end.
Proof.
  intros fit l; rewrite <- (value_of_unit s t x l); destruct at_side; intros (b & is & le); apply Qle_Rle in le.
  - pose proof (least_is_below _ _ _ x _ fit is); lra.
  - pose proof (greatest_is_above _ _ _ x _ fit is); lra.
Qed.
Lemma fits_given s x : fits s x <-> fits (in_use s (given s)) x.
Proof.
  unfold fits; simpl; split; intros [sums_hold bounds]; (split; [exact sums_hold|]); intros j l;
    specialize (bounds j l); unfold given in *; simpl in *; destruct (low s j), (high s j); exact bounds.
Qed.
Lemma presolve_loses_no_table s k : presolved s k -> forall x, fits s x <-> fits (in_use s k) x.
Proof.
  induction 1 as [|k at_side t y v _ IH lt proof narrower]; intros x; [apply fits_given|]; rewrite IH; split.
  - intros fit; pose proof (within _ x _ _ _ _ fit lt proof) as inside; destruct fit as [sums_hold bounds].
    split; [exact sums_hold|]; intros j l; specialize (bounds j l); simpl in *.
    destruct at_side; simpl; destruct (Nat.eqb_spec j t) as [e|]; try subst j; simpl; tauto.
  - intros [sums_hold bounds]; split; [exact sums_hold|]; intros j l; specialize (bounds j l); simpl in *.
    destruct at_side; simpl in bounds; destruct (Nat.eqb_spec j t) as [e|]; try exact bounds; subst j; simpl in bounds.
    + destruct (k lower t) as [[b z]|]; simpl in *; [apply Qle_Rle in narrower; split; [lra|tauto]|tauto].
    + destruct (k upper t) as [[b z]|]; simpl in *; [apply Qle_Rle in narrower; split; [tauto|lra]|tauto].
Qed.
Lemma crossing s k t v w y z : ordered s -> sound s k -> (t < unknowns s)%nat ->
  k lower t = Some (v, y) -> k upper t = Some (w, z) -> (w < v)%Q -> clashes s (fun i => (y i - z i)%Q) = true.
Proof.
  intros order sd l at_low at_high lt.
  destruct (sd _ _ _ _ l at_low) as (b & is & le), (sd _ _ _ _ l at_high) as (c & is' & le').
  unfold greatest in is'; destruct (least s (opposite _) _) as [d|] eqn:found; [|discriminate]; injection is' as <-.
  apply least_is_real in is, found; destruct (real_least_plus s _ _ _ _ order is found) as (u & lu & more).
  assert (sum : exists a, least s (fun _ => 0%Q) (fun i => (y i - z i)%Q) = Some a
    /\ Q2R a = u + (Q2R (of_totals s y) - Q2R (of_totals s z))).
  { assert (apart : forall f : nat -> R, real_sum (sums s) (fun i => Q2R (y i - z i) * f i)
      = real_sum (sums s) (fun i => Q2R (y i) * f i) - real_sum (sums s) (fun i => Q2R (z i) * f i)).
    { intros f; unfold Rminus; rewrite <- (Rmult_1_l (real_sum _ (fun i => Q2R (z i) * f i))), <- Ropp_mult_distr_l_reverse,
        <- real_sum_scale, <- real_sum_plus; apply real_sum_ext; intros; rewrite Q2R_minus; ring. }
    apply real_least_is; rewrite (of_totals_is s (fun i => (y i - z i)%Q)), apart, <- !of_totals_is.
    replace (u + _ - _) with u by ring; apply (real_least_ext s) with (2 := lu); intros j _.
    rewrite remainder_opposite, !remainder_is, (of_sums_is s (fun i => (y i - z i)%Q)), apart, <- !of_sums_is, zero_real; ring. }
  destruct sum as (a & found' & eq); unfold clashes; rewrite found'; apply negb_true_iff.
  destruct (Qle_bool a 0) eqn:no; [|reflexivity]; apply RMicromega.Qle_true in no; rewrite zero_real, eq in no.
  apply Qle_Rle in le, le'; apply Qlt_Rlt in lt; rewrite Q2R_opp in le'; rewrite of_totals_opposite in more; lra.
Qed.

Theorem presolve_is_exact_and_its_duals_are_lifted (s : system) :
  (forall i p, (p < unknowns s)%nat -> one_or_minus_one (factor s i p) -> has_only s i (fun j => j = p) ->
    forall x, holds s i x <-> x p = Q2R (factor s i p) * Q2R (total s i)) /\
  (forall i p q, (p < unknowns s)%nat -> (q < unknowns s)%nat -> p <> q ->
    one_or_minus_one (factor s i p) -> one_or_minus_one (factor s i q) -> has_only s i (fun j => j = p \/ j = q) ->
    forall x, holds s i x <->
      x p = - (Q2R (factor s i p) * Q2R (factor s i q)) * x q + Q2R (factor s i p) * Q2R (total s i)) /\
  (forall k i c, (k < sums s)%nat -> (i < sums s)%nat -> k <> i ->
    (forall x, fits s x <-> fits (replaced s k i c) x) /\
    (forall p, (c == - (factor s k p * factor s i p))%Q -> one_or_minus_one (factor s i p) ->
      (factor (replaced s k i c) k p == 0)%Q) /\
    (forall e y b, least (replaced s k i c) e y = Some b ->
      exists d, least s e (on_old_sums k i c y) = Some d /\ Q2R d = Q2R b)) /\
  (ordered s -> forall k, presolved s k ->
    (forall whole x, table s whole x <-> table (in_use s k) whole x) /\
    sound s k /\
    (forall e y b, least (in_use s k) e y = Some b -> proves s lower e (lifted s k lower e y) b) /\
    (forall e y b, greatest (in_use s k) e y = Some b -> proves s upper e (lifted s k upper e y) b) /\
    (forall t v w y z, (t < unknowns s)%nat -> k lower t = Some (v, y) -> k upper t = Some (w, z) -> (w < v)%Q ->
      clashes s (fun i => (y i - z i)%Q) = true)).
Proof.
  split; [intros i p; apply fixing|split; [intros i p q; apply aliasing|split]].
  - intros k i c lk li ne; split; [apply replacing; assumption|split].
    + intros p is unit; simpl; rewrite Nat.eqb_refl, is.
      destruct unit as [u|u]; rewrite u; ring.
    + intros e y b; apply replaced_dual; assumption.
  - intros order k pk; pose proof (presolved_is_sound s k order pk) as sd.
    destruct (duals_are_lifted s k order sd) as [from_below from_above].
    split; [|split; [exact sd|split; [exact from_below|split; [exact from_above|]]]].
    + intros whole x; unfold table; rewrite (presolve_loses_no_table s k pk x); reflexivity.
    + intros t v w y z l; apply crossing; assumption.
Qed.
