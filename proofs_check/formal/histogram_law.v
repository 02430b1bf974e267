(* The law of protected counts: every count gets two-sided geometric noise of its own. The masses of all lists of
   outputs add up to 1, and counts at L1 distance d have masses within the factor rho^(-d) of one another. *)
From Coq Require Import Reals Lra Lia List ZArith FinFun.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common countable geometric_law.
Import ListNotations.
Open Scope R_scope.

(* The probability of the protected counts o for the true counts q. *)
Fixpoint joint_mass (rho : R) (q o : list Z) : R :=
  match q, o with
  | [], [] => 1
  | x :: q', y :: o' => geometric_mass (y - x) rho * joint_mass rho q' o'
  | _, _ => 0
  end.
(* The L1 distance of two lists of counts. *)
Fixpoint l1 (q q' : list Z) : nat :=
  match q, q' with
  | x :: r, x' :: r' => Z.abs_nat (x - x') + l1 r r'
  | _, _ => 0
  end.

Lemma joint_nonneg rho q o : 0 < rho < 1 -> 0 <= joint_mass rho q o.
Proof.
  intros r; revert o; induction q as [|x q IH]; intros [|y o]; simpl; try lra.
  apply Rmult_le_pos; [left; apply mass_pos, r|apply IH].
Qed.

(* Outputs at most n away from each count. *)
Fixpoint box (n : nat) (q : list Z) : list (list Z) :=
  match q with
  | [] => [[]]
  | x :: q' => flat_map (fun y => map (cons (x + y)%Z) (box n q')) (around n)
  end.

Lemma in_box n q o : In o (box n q) <-> Forall2 (fun x y => (Z.abs_nat (y - x) <= n)%nat) q o.
Proof.
  revert o; induction q as [|x q IH]; intros o; simpl.
  - split; [intros [<-|[]]; constructor|intros h; inversion h; auto].
  - rewrite in_flat_map; split.
    + intros (y & hy & h); apply in_map_iff in h; destruct h as (o' & <- & h'); apply in_around in hy.
      constructor; [replace (x + y - x)%Z with y by ring; exact hy|apply IH, h'].
    + intros h; inversion h as [|? y ? o' hy h']; subst; exists (y - x)%Z; split; [apply in_around, hy|].
      apply in_map_iff; exists o'; split; [f_equal; ring|apply IH, h'].
Qed.

Lemma flat_map_once {S T} (f : S -> list T) l : NoDup l -> (forall y, NoDup (f y)) ->
  (forall y z a, In a (f y) -> In a (f z) -> y = z) -> NoDup (flat_map f l).
Proof.
  intros n each inj; induction n as [|y l out n IH]; simpl; [constructor|].
  assert (app : forall k, NoDup k -> (forall a, In a k -> In a (f y)) -> NoDup (k ++ flat_map f l)).
  { induction 1 as [|a k no _ IHk]; intros sub; simpl; [exact IH|constructor].
    - rewrite in_app_iff; intros [i|i]; [contradiction|].
      apply in_flat_map in i; destruct i as (z & iz & ia).
      rewrite (inj y z a (sub a (or_introl eq_refl)) ia) in out; contradiction.
    - apply IHk; intros b ib; apply sub; right; exact ib. }
  apply app; [apply each|auto].
Qed.

Lemma box_once n q : NoDup (box n q).
Proof.
  induction q as [|x q IH]; simpl; [repeat constructor; simpl; auto|].
  apply flat_map_once; [apply around_once| |].
  - intros y; apply Injective_map_NoDup; [intros a b h; injection h; auto|exact IH].
  - intros y z a iy iz; apply in_map_iff in iy; apply in_map_iff in iz.
    destruct iy as (k & <- & _), iz as (k' & e & _); injection e; lia.
Qed.

Lemma mass_app {T} (P : T -> R) F G : mass_of P (F ++ G) = mass_of P F + mass_of P G.
Proof. induction F as [|a F IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma mass_of_box rho n q :
  mass_of (joint_mass rho q) (box n q) = (mass_of (fun k => geometric_mass k rho) (around n)) ^ length q.
Proof.
  induction q as [|x q IH]; simpl; [ring|].
  rewrite <- IH; generalize (around n); intros l; induction l as [|y l IHl]; simpl; [ring|].
  rewrite mass_app, IHl, Rmult_plus_distr_r; f_equal.
  clear IH IHl; induction (box n q) as [|o k IHk]; simpl; [ring|].
  rewrite IHk; replace (x + y - x)%Z with y by ring; ring.
Qed.

Lemma smaller_mass {T} (P : T -> R) F : (forall a, 0 <= P a) -> NoDup F -> forall G,
  (forall a, In a F -> P a = 0 \/ In a G) -> mass_of P F <= mass_of P G.
Proof.
  intros nonneg n; induction n as [|a F out n IH]; intros G sub; [apply mass_nonneg, nonneg|].
  simpl; destruct (sub a (or_introl eq_refl)) as [z|i].
  - rewrite z, Rplus_0_l; apply IH; intros b ib; apply sub; right; exact ib.
  - apply in_split in i; destruct i as (G1 & G2 & ->).
    rewrite mass_app; simpl; apply Rle_trans with (P a + mass_of P (G1 ++ G2)); [|rewrite mass_app; lra].
    apply Rplus_le_compat_l, IH; intros b ib; destruct (sub b (or_intror ib)) as [z|j]; [left; exact z|right].
    apply in_app_iff in j; apply in_app_iff; simpl in j.
    destruct j as [j|[<-|j]]; [left; exact j|contradiction|right; exact j].
Qed.

Lemma in_some_box rho q o : joint_mass rho q o = 0 \/ exists n, In o (box n q).
Proof.
  assert (more : forall q o n m, (n <= m)%nat -> In o (box n q) -> In o (box m q)).
  { intros p w n m le; rewrite !in_box; induction 1; constructor; [lia|assumption]. }
  revert o; induction q as [|x q IH]; intros [|y o]; simpl; auto.
  - right; exists 0%nat; auto.
  - destruct (IH o) as [->|[n h]]; [left; ring|right].
    pose (m := Nat.max n (Z.abs_nat (y - x))); exists m; apply (in_box m (x :: q)).
    constructor; [unfold m; lia|apply in_box, (more q o n m); [unfold m; lia|exact h]].
Qed.

Lemma finite_in_box rho q F : exists n, forall o, In o F -> joint_mass rho q o = 0 \/ In o (box n q).
Proof.
  assert (more : forall o n m, (n <= m)%nat -> In o (box n q) -> In o (box m q)).
  { intros o n m le; rewrite !in_box; induction 1; constructor; [lia|assumption]. }
  induction F as [|o F [n h]]; [exists 0%nat; intros o []|].
  destruct (in_some_box rho q o) as [z|[k i]].
  - exists n; intros a [<-|j]; auto.
  - exists (Nat.max n k); intros a [<-|j]; [right; apply (more o k); [lia|exact i]|].
    destruct (h a j) as [z|j']; [left; exact z|right; apply (more a n); [lia|exact j']].
Qed.

Theorem masses_add_up_to_one rho q : 0 < rho < 1 -> is_mass_function (joint_mass rho q).
Proof.
  intros r; split; [intros o; apply joint_nonneg, r|split].
  - intros s (F & [n _] & ->); destruct (finite_in_box rho q F) as [k h].
    apply Rle_trans with (1 := smaller_mass _ F (fun o => joint_nonneg rho q o r) n _ h).
    rewrite mass_of_box, mass_around by exact r.
    assert (p : 0 < rho ^ (k + 1)) by (apply pow_lt; lra).
    assert (le : rho ^ (k + 1) <= rho).
    { assert (rho ^ k <= 1) by (rewrite <- (pow1 k); apply pow_incr; lra).
      rewrite Nat.add_1_r; simpl; pose proof (Rmult_le_compat_l rho (rho ^ k) 1); lra. }
    apply Rle_trans with (1 ^ length q); [apply pow_incr; split|right; apply pow1].
    + apply Rmult_le_reg_r with (1 + rho); [lra|].
      replace ((1 - 2 * rho ^ (k + 1) / (1 + rho)) * (1 + rho)) with (1 + rho - 2 * rho ^ (k + 1)) by (field; apply Rgt_not_eq; lra).
      rewrite Rmult_0_l; lra.
    + assert (0 < 2 * rho ^ (k + 1) / (1 + rho)) by (apply Rdiv_lt_0_compat; lra); lra.
  - intros b most.
    assert (le : forall n, (1 - 2 * rho ^ (n + 1) / (1 + rho)) ^ length q <= b).
    { intros n; rewrite <- mass_around by exact r; rewrite <- mass_of_box.
      apply most; exists (box n q); split; [split; [apply box_once|auto]|reflexivity]. }
    assert (one : is_lim_seq (fun n => 1 - 2 * rho ^ (n + 1) / (1 + rho)) 1).
    { replace (Finite 1) with (Rbar_plus 1 (Rbar_mult (- (2 * rho / (1 + rho))) 0)) by (simpl; f_equal; ring).
      apply (is_lim_seq_ext (fun n => 1 + - (2 * rho / (1 + rho)) * rho ^ n)).
      - intros n; rewrite Nat.add_1_r; simpl; field; lra.
      - apply is_lim_seq_plus'; [apply is_lim_seq_const|].
        apply (is_lim_seq_scal_l (fun n => rho ^ n) _ 0), is_lim_seq_geom; rewrite Rabs_pos_eq; lra. }
    assert (pow_one : forall m, is_lim_seq (fun n => (1 - 2 * rho ^ (n + 1) / (1 + rho)) ^ m) 1).
    { induction m as [|m IH]; simpl; [apply is_lim_seq_const|].
      replace (Finite 1) with (Finite (1 * 1)) by (f_equal; ring); apply is_lim_seq_mult'; assumption. }
    apply (is_lim_seq_le _ (fun _ => b) 1 b le (pow_one (length q)) (is_lim_seq_const b)).
Qed.

Lemma one_count_moves rho x x' y : 0 < rho < 1 ->
  geometric_mass (y - x) rho * rho ^ Z.abs_nat (x - x') <= geometric_mass (y - x') rho.
Proof.
  intros r; rewrite !mass_is, Rmult_assoc, <- pow_add.
  apply Rmult_le_compat_l; [left; apply Rdiv_lt_0_compat; lra|].
  replace (Z.abs_nat (y - x) + Z.abs_nat (x - x'))%nat
    with (Z.abs_nat (y - x') + (Z.abs_nat (y - x) + Z.abs_nat (x - x') - Z.abs_nat (y - x')))%nat by lia.
  rewrite pow_add; rewrite <- (Rmult_1_r (rho ^ Z.abs_nat (y - x'))) at 2.
  apply Rmult_le_compat_l; [left; apply pow_lt; lra|].
  rewrite <- (pow1 (Z.abs_nat (y - x) + Z.abs_nat (x - x') - Z.abs_nat (y - x'))); apply pow_incr; lra.
Qed.

Lemma counts_move rho q q' o : 0 < rho < 1 -> length q = length q' ->
  joint_mass rho q o * rho ^ l1 q q' <= joint_mass rho q' o.
Proof.
  intros r; revert q' o; induction q as [|x q IH]; intros [|x' q'] o len; try discriminate.
  - destruct o; simpl; lra.
  - destruct o as [|y o]; simpl; [lra|].
    injection len as len; specialize (IH q' o len); pose proof (one_count_moves rho x x' y r).
    rewrite pow_add.
    replace (geometric_mass (y - x) rho * joint_mass rho q o * (rho ^ Z.abs_nat (x - x') * rho ^ l1 q q'))
      with ((geometric_mass (y - x) rho * rho ^ Z.abs_nat (x - x')) * (joint_mass rho q o * rho ^ l1 q q')) by ring.
    apply Rmult_le_compat; try assumption.
    + apply Rmult_le_pos; [left; apply mass_pos, r|left; apply pow_lt; lra].
    + apply Rmult_le_pos; [apply joint_nonneg, r|left; apply pow_lt; lra].
Qed.
