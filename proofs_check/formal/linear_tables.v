(* Tables of sums, as an attacker on cell suppression sees them: unknown values that satisfy published sums and
   bounds. What a dual vector certifies of a form in the unknowns, and what a direction shows, are programs over
   the rationals, which a test compares with spec/; tables have real values, or whole ones. *)
From Coq Require Import QArith Qreals Qround Reals Lra Lia Bool.
Open Scope R_scope.

(* The sum i of the unknowns j, each with its factor, is total i; no bound is None. Only the numbers of sums and
   of unknowns that are given count. *)
Record system := System {
  sums : nat;
  unknowns : nat;
  factor : nat -> nat -> Q;
  total : nat -> Q;
  low : nat -> option Q;
  high : nat -> option Q }.

Definition form := nat -> Q.
Definition unit_form (t : nat) : form := fun j => if Nat.eqb t j then 1%Q else 0%Q.
Definition opposite (e : form) : form := fun j => (- e j)%Q.

Fixpoint real_sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => real_sum m f + f m end.
Fixpoint exact_sum (n : nat) (f : nat -> Q) : Q :=
  match n with O => 0%Q | S m => Qred (exact_sum m f + f m) end.

(* What an attacker cannot rule out. *)
Definition value (s : system) (e : form) (x : nat -> R) : R :=
  real_sum (unknowns s) (fun j => Q2R (e j) * x j).
Definition not_below (bound : option Q) (v : R) : Prop :=
  match bound with Some b => Q2R b <= v | None => True end.
Definition not_above (bound : option Q) (v : R) : Prop :=
  match bound with Some b => v <= Q2R b | None => True end.
Definition fits (s : system) (x : nat -> R) : Prop :=
  (forall i, (i < sums s)%nat -> value s (factor s i) x = Q2R (total s i)) /\
  (forall j, (j < unknowns s)%nat -> not_below (low s j) (x j) /\ not_above (high s j) (x j)).
Definition is_whole (v : R) : Prop := exists k : Z, v = IZR k.
(* whole: whether the attacker knows that values are whole numbers. *)
Definition table (s : system) (whole : bool) (x : nat -> R) : Prop :=
  fits s x /\ (whole = true -> forall j, (j < unknowns s)%nat -> is_whole (x j)).

(* What a dual vector certifies: e = y A + r, so that e x = y b + r x. *)
Definition of_sums (s : system) (y : form) (j : nat) : Q := exact_sum (sums s) (fun i => y i * factor s i j)%Q.
Definition of_totals (s : system) (y : form) : Q := exact_sum (sums s) (fun i => y i * total s i)%Q.
Definition remainder (s : system) (e y : form) : form := fun j => Qred (e j - of_sums s y j).
Definition term (r : Q) (low high : option Q) : option Q :=
  if Qeq_bool r 0 then Some 0%Q
  else match (if Qle_bool 0 r then low else high) with Some b => Some (r * b)%Q | None => None end.
Fixpoint bounded_sum (n : nat) (f : nat -> option Q) : option Q :=
  match n with
  | O => Some 0%Q
  | S m => match bounded_sum m f, f m with Some p, Some q => Some (Qred (p + q)) | _, _ => None end
  end.
Definition least (s : system) (e y : form) : option Q :=
  match bounded_sum (unknowns s) (fun j => term (remainder s e y j) (low s j) (high s j)) with
  | Some rest => Some (Qred (of_totals s y + rest))
  | None => None
  end.
Definition greatest (s : system) (e y : form) : option Q :=
  option_map Qopp (least s (opposite e) (opposite y)).

(* The same from either side; rounded inward where values are whole. *)
Inductive side := lower | upper.
Definition inward (whole : bool) (at_side : side) (b : Q) : Q :=
  if whole then inject_Z (match at_side with lower => Qceiling b | upper => Qfloor b end) else b.
Definition certified (s : system) (whole : bool) (at_side : side) (t : nat) (y : form) : option Q :=
  option_map (inward whole at_side)
    (match at_side with lower => least s (unit_form t) y | upper => greatest s (unit_form t) y end).

(* A vector along which tables may be moved for ever. *)
Fixpoint every (n : nat) (f : nat -> bool) : bool :=
  match n with O => true | S m => every m f && f m end.
Definition is_direction (s : system) (d : form) : bool :=
  every (sums s) (fun i => Qeq_bool (exact_sum (unknowns s) (fun j => factor s i j * d j)%Q) 0)
  && every (unknowns s) (fun j => Qeq_bool (d j) 0
    || match (if Qle_bool 0 (d j) then high s j else low s j) with Some _ => false | None => true end).
Definition is_integer (q : Q) : bool := Z.eqb (Z.modulo (Qnum q) (Zpos (Qden q))) 0.
Definition clashes (s : system) (y : form) : bool :=
  match least s (fun _ => 0%Q) y with Some b => negb (Qle_bool b 0) | None => false end.
Definition clashes_in_integers (s : system) (y : form) : bool :=
  every (unknowns s) (fun j => is_integer (of_sums s y j)) && negb (is_integer (of_totals s y)).
Definition exactly_fits (s : system) (whole : bool) (x : form) : bool :=
  every (sums s) (fun i => Qeq_bool (exact_sum (unknowns s) (fun j => factor s i j * x j)%Q) (total s i))
  && every (unknowns s) (fun j =>
    match low s j with Some b => Qle_bool b (x j) | None => true end
    && match high s j with Some b => Qle_bool (x j) b | None => true end
    && (negb whole || is_integer (x j))).

(* Sums. *)
Arguments Q2R : simpl never.
Arguments Qred : simpl never.
Lemma real_sum_ext n f g : (forall j, (j < n)%nat -> f j = g j) -> real_sum n f = real_sum n g.
Proof. induction n as [|n IH]; intros h; simpl; [reflexivity|rewrite IH, h by auto; reflexivity]. Qed.
Lemma real_sum_plus n f g : real_sum n (fun j => f j + g j) = real_sum n f + real_sum n g.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.
Lemma real_sum_scale n c f : real_sum n (fun j => c * f j) = c * real_sum n f.
Proof. induction n as [|n IH]; simpl; [ring|rewrite IH; ring]. Qed.
Lemma real_sum_zero n f : (forall j, (j < n)%nat -> f j = 0) -> real_sum n f = 0.
Proof. induction n as [|n IH]; intros h; simpl; [reflexivity|rewrite IH, h by auto; ring]. Qed.
Lemma real_sum_le n f g : (forall j, (j < n)%nat -> f j <= g j) -> real_sum n f <= real_sum n g.
Proof. induction n as [|n IH]; intros h; simpl; [lra|apply Rplus_le_compat; auto]. Qed.
Lemma real_sum_exchange n m (f : nat -> nat -> R) :
  real_sum n (fun i => real_sum m (fun j => f i j)) = real_sum m (fun j => real_sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; simpl; [rewrite real_sum_zero; auto|].
  rewrite IH, <- real_sum_plus; reflexivity.
Qed.
Lemma real_sum_one n t f : (t < n)%nat -> (forall j, (j < n)%nat -> j <> t -> f j = 0) -> real_sum n f = f t.
Proof.
  induction n as [|n IH]; intros lt h; [lia|simpl; destruct (Nat.eq_dec t n) as [->|ne]].
  - rewrite real_sum_zero; [ring|intros j l; apply h; lia].
  - rewrite IH, (h n) by (auto; lia); ring.
Qed.

Lemma red_real q : Q2R (Qred q) = Q2R q.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma zero_real : Q2R 0 = 0.
Proof. apply RMicromega.Q2R_0. Qed.
Lemma one_real : Q2R 1 = 1.
Proof. apply RMicromega.Q2R_1. Qed.
Lemma integer_real k : Q2R (inject_Z k) = IZR k.
Proof. unfold Q2R, inject_Z; simpl; field. Qed.

Lemma exact_sum_is n f : Q2R (exact_sum n f) = real_sum n (fun j => Q2R (f j)).
Proof. induction n as [|n IH]; simpl; [apply zero_real|rewrite red_real, Q2R_plus, IH; reflexivity]. Qed.
Lemma of_sums_is s y j :
  Q2R (of_sums s y j) = real_sum (sums s) (fun i => Q2R (y i) * Q2R (factor s i j)).
Proof. unfold of_sums; rewrite exact_sum_is; apply real_sum_ext; intros; apply Q2R_mult. Qed.
Lemma of_totals_is s y : Q2R (of_totals s y) = real_sum (sums s) (fun i => Q2R (y i) * Q2R (total s i)).
Proof. unfold of_totals; rewrite exact_sum_is; apply real_sum_ext; intros; apply Q2R_mult. Qed.
Lemma remainder_is s e y j : Q2R (remainder s e y j) = Q2R (e j) - Q2R (of_sums s y j).
Proof. unfold remainder; rewrite red_real, Q2R_minus; reflexivity. Qed.

Lemma value_of_unit s t x : (t < unknowns s)%nat -> value s (unit_form t) x = x t.
Proof.
  intros l; unfold value, unit_form; rewrite (real_sum_one _ t); [|exact l|].
  - rewrite Nat.eqb_refl, one_real; ring.
  - intros j _ ne; destruct (Nat.eqb_spec t j); [congruence|rewrite zero_real; ring].
Qed.
Lemma value_opposite s e x : value s (opposite e) x = - value s e x.
Proof.
  unfold value, opposite; rewrite <- (Rmult_1_l (real_sum _ (fun j => Q2R (e j) * x j))), <- Ropp_mult_distr_l_reverse, <- real_sum_scale.
  apply real_sum_ext; intros; rewrite Q2R_opp; ring.
Qed.

(* Where the sums hold, a combination of them holds. *)
Lemma sums_combined s x y : (forall i, (i < sums s)%nat -> value s (factor s i) x = Q2R (total s i)) ->
  real_sum (unknowns s) (fun j => Q2R (of_sums s y j) * x j) = Q2R (of_totals s y).
Proof.
  intros h; rewrite of_totals_is.
  rewrite (real_sum_ext _ _ (fun j => real_sum (sums s) (fun i => Q2R (y i) * Q2R (factor s i j) * x j))).
  2: { intros j _; rewrite of_sums_is, Rmult_comm, <- real_sum_scale; apply real_sum_ext; intros; ring. }
  rewrite <- real_sum_exchange; apply real_sum_ext; intros i l; rewrite <- (h i l); unfold value.
  rewrite <- real_sum_scale; apply real_sum_ext; intros; ring.
Qed.
Lemma value_split s e y x : (forall i, (i < sums s)%nat -> value s (factor s i) x = Q2R (total s i)) ->
  value s e x = Q2R (of_totals s y) + value s (remainder s e y) x.
Proof.
  intros h; rewrite <- (sums_combined s x y h); unfold value; rewrite <- real_sum_plus.
  apply real_sum_ext; intros j _; rewrite remainder_is; ring.
Qed.

(* The bounded sum of terms. *)
Lemma bounded_sum_some n f b : bounded_sum n f = Some b ->
  exists g, (forall j, (j < n)%nat -> f j = Some (g j)) /\ Q2R b = real_sum n (fun j => Q2R (g j)).
Proof.
  revert b; induction n as [|n IH]; intros b; simpl.
  - intros e; injection e as <-; exists (fun _ => 0%Q); split; [lia|apply zero_real].
  - destruct (bounded_sum n f) as [p|]; [|discriminate]; destruct (f n) as [q|] eqn:at_n; [|discriminate].
    intros e; injection e as <-; destruct (IH p eq_refl) as (g & all & is).
    exists (fun j => if Nat.eqb j n then q else g j); split.
    + intros j l; destruct (Nat.eqb_spec j n) as [->|]; [exact at_n|apply all; lia].
    + rewrite red_real, Q2R_plus, Nat.eqb_refl, is; f_equal; apply real_sum_ext.
      intros j l; destruct (Nat.eqb_spec j n); [lia|reflexivity].
Qed.
Lemma bounded_sum_all n f g : (forall j, (j < n)%nat -> f j = Some (g j)) ->
  exists b, bounded_sum n f = Some b /\ Q2R b = real_sum n (fun j => Q2R (g j)).
Proof.
  induction n as [|n IH]; intros h; simpl; [exists 0%Q; split; [reflexivity|apply zero_real]|].
  destruct IH as (b & -> & is); [intros; apply h; lia|]; rewrite (h n) by lia.
  eexists; split; [reflexivity|rewrite red_real, Q2R_plus, is; reflexivity].
Qed.
Lemma term_below r l h q v : term r l h = Some q -> not_below l v -> not_above h v -> Q2R q <= Q2R r * v.
Proof.
  unfold term; intros e nb na; destruct (Qeq_bool r 0) eqn:z.
  - injection e as <-; apply RMicromega.Qeq_true in z; rewrite z, zero_real; lra.
  - destruct (Qle_bool 0 r) eqn:sign.
    + destruct l as [b|]; [|discriminate]; injection e as <-; rewrite Q2R_mult; simpl in nb.
      apply RMicromega.Qle_true in sign; rewrite zero_real in sign; apply Rmult_le_compat_l; assumption.
    + destruct h as [b|]; [|discriminate]; injection e as <-; rewrite Q2R_mult; simpl in na.
      assert (neg : (r <= 0)%Q).
      { apply Qnot_lt_le; intros lt; apply Qlt_le_weak, Qle_bool_iff in lt; congruence. }
      apply Qle_Rle in neg; rewrite zero_real in neg.
      replace (Q2R r * Q2R b) with (- (- Q2R r * Q2R b)) by ring; replace (Q2R r * v) with (- (- Q2R r * v)) by ring.
      apply Ropp_le_contravar, Rmult_le_compat_l; [lra|assumption].
Qed.
