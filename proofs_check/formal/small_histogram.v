(* The protected histogram on whole earnings, decided: which rows are neighbors, and bin counts, as programs that
   Coq computes, and the probability of protected counts at a rational ratio. The theorems say that what is computed
   is what protected_histogram.v is about; a test compares it with spec/. *)
From Coq Require Import QArith Qreals Reals Lra Lia List Bool ZArith.
From Establish Require Import spec_formulas common geometric_law histogram_law protected_histogram.
Import ListNotations.
Open Scope R_scope.

Fixpoint half_openb (open_top : bool) (edges : list Z) : list (Z -> bool) :=
  match edges with
  | [] => []
  | low :: rest =>
      match rest with
      | [] => if open_top then [fun e => (low <=? e)%Z] else []
      | high :: _ => (fun e => (low <=? e)%Z && negb (high <=? e)%Z) :: half_openb open_top rest
      end
  end.
Definition countsb (bins : list (Z -> bool)) (D : list Z) : list Z :=
  map (fun b => Z.of_nat (length (filter b D))) bins.

Lemma at_least_is low e : at_least (IZR low) (IZR e) = (low <=? e)%Z.
Proof.
  unfold at_least; destruct (Rle_dec _ _) as [h|h]; symmetry.
  - apply Z.leb_le, le_IZR, h.
  - apply Z.leb_gt, lt_IZR; lra.
Qed.
Lemma filter_map_length {S T} (f : S -> T) (b : T -> bool) (c : S -> bool) l : (forall x, b (f x) = c x) ->
  length (filter b (map f l)) = length (filter c l).
Proof. intros h; induction l as [|x l IH]; simpl; [reflexivity|rewrite h; destruct (c x); simpl; auto]. Qed.

Theorem counts_are_bin_counts open_top edges D :
  histogram (half_open open_top (map IZR edges)) (map IZR D) = countsb (half_openb open_top edges) D.
Proof.
  unfold histogram, countsb, bin_count; induction edges as [|low rest IH]; [reflexivity|].
  destruct rest as [|high rest].
  - simpl; destruct open_top; simpl; [|reflexivity]; do 2 f_equal; apply filter_map_length, at_least_is.
  - change (map IZR (low :: high :: rest)) with (IZR low :: IZR high :: map IZR rest).
    change (half_open open_top (IZR low :: IZR high :: map IZR rest)) with
      ((fun e => at_least (IZR low) e && negb (at_least (IZR high) e))%bool :: half_open open_top (map IZR (high :: rest))).
    change (half_openb open_top (low :: high :: rest)) with
      ((fun e => (low <=? e)%Z && negb (high <=? e)%Z) :: half_openb open_top (high :: rest)).
    rewrite (map_cons (fun b : bin => Z.of_nat (length (filter b (map IZR D))))), IH, map_cons; do 2 f_equal.
    apply filter_map_length; intros e; rewrite !at_least_is; reflexivity.
Qed.

Definition one_moreb (D D' : list Z) : bool :=
  existsb (fun n => if list_eq_dec Z.eq_dec D (firstn n D' ++ skipn (S n) D') then true else false) (seq 0 (length D')).
Definition presenceb (D D' : list Z) : bool := one_moreb D D' || one_moreb D' D.

Lemma one_moreb_is D D' : one_moreb D D' = true <-> one_row_more (map IZR D) (map IZR D').
Proof.
  assert (inj : forall l l' : list Z, map IZR l = map IZR l' -> l = l').
  { induction l as [|x l IH]; intros [|y l'] e; try discriminate; [reflexivity|].
    simpl in e; injection e as h k; f_equal; [apply eq_IZR, h|apply IH, k]. }
  unfold one_moreb; rewrite existsb_exists; split.
  - intros (n & i & e); destruct (list_eq_dec _ _ _) as [->|]; [|discriminate]; apply in_seq in i.
    destruct (nth_split D' 0%Z (proj2 i)) as (before & after & is & len).
    revert is; generalize (nth n D' 0%Z); intros z is; subst D' n.
    exists (map IZR before), (IZR z), (map IZR after); split; [|rewrite map_app; reflexivity].
    rewrite firstn_app, Nat.sub_diag, firstn_all, app_nil_r, <- map_app; do 2 f_equal.
    change (before ++ z :: after) with (before ++ [z] ++ after).
    rewrite app_assoc, skipn_app, app_length, Nat.add_1_r, Nat.sub_diag.
    rewrite skipn_all2 by (rewrite app_length; simpl; lia); reflexivity.
  - intros (before & e & after & is & is').
    apply map_eq_app in is'; destruct is' as (b & r & -> & hb & hr).
    apply map_eq_cons in hr; destruct hr as (x & a & -> & hx & ha); subst.
    rewrite <- map_app in is; apply inj in is; subst D; exists (length b); split.
    + apply in_seq; rewrite app_length; simpl; lia.
    + destruct (list_eq_dec _ _ _) as [|no]; [reflexivity|exfalso; apply no].
      rewrite firstn_app, Nat.sub_diag, firstn_all, app_nil_r; f_equal.
      change (x :: a) with ([x] ++ a); rewrite app_assoc, skipn_app, app_length, Nat.add_1_r, Nat.sub_diag.
      rewrite skipn_all2 by (rewrite app_length; simpl; lia); reflexivity.
Qed.
Theorem presenceb_is_presence_of_one D D' : presenceb D D' = true <-> presence_of_one (map IZR D) (map IZR D').
Proof. unfold presenceb, presence_of_one; rewrite orb_true_iff, !one_moreb_is; reflexivity. Qed.

Fixpoint powerb (rho : Q) (n : nat) : Q := match n with O => 1%Q | S m => Qred (rho * powerb rho m) end.
Fixpoint joint_massb (rho : Q) (q o : list Z) : Q :=
  match q, o with
  | [], [] => 1%Q
  | x :: q', y :: o' => Qred ((1 - rho) / (1 + rho) * powerb rho (Z.abs_nat (y - x)) * joint_massb rho q' o')
  | _, _ => 0%Q
  end.
Theorem joint_massb_is_joint_mass rho q o : (0 < rho)%Q -> Q2R (joint_massb rho q o) = joint_mass (Q2R rho) q o.
Proof.
  intros r; assert (red : forall x, Q2R (Qred x) = Q2R x) by (intros; apply Qeq_eqR, Qred_correct).
  assert (one : Q2R 1 = 1) by apply RMicromega.Q2R_1; assert (zero : Q2R 0 = 0) by apply RMicromega.Q2R_0.
  assert (power : forall n, Q2R (powerb rho n) = Q2R rho ^ n).
  { induction n as [|n IH]; cbn [powerb pow]; [exact one|rewrite red, Q2R_mult, IH; reflexivity]. }
  assert (not0 : ~ (1 + rho == 0)%Q).
  { intros e; apply Qeq_eqR in e; rewrite Q2R_plus, one, zero in e; apply Qlt_Rlt in r; rewrite zero in r; lra. }
  revert o; induction q as [|x q IH]; intros [|y o]; cbn [joint_massb joint_mass]; auto.
  rewrite red, !Q2R_mult, IH, power, Q2R_div, Q2R_minus, Q2R_plus, one, mass_is by exact not0; reflexivity.
Qed.
