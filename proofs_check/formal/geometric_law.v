(* The two-sided geometric law (Foote et al. 2019, Definition 2.5). The difference of two independent geometric
   variables with success probability p has the mass (1 - rho)/(1 + rho) rho^|k| at k, for rho = 1 - p; these
   masses are those of spec/, and add up to 1. *)
From Coq Require Import Reals Lra Lia List ZArith FinFun.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common countable.
Import ListNotations.
Open Scope R_scope.

(* P(X = n): n failures before the first success. *)
Definition geometric (p : R) (n : Z) : R := if Z.ltb n 0 then 0 else p * (1 - p) ^ Z.to_nat n.

Lemma mass_is k rho : geometric_mass k rho = (1 - rho) / (1 + rho) * rho ^ Z.abs_nat k.
Proof.
  unfold geometric_mass; f_equal; rewrite <- Zabs2Nat.id_abs, pow_powerRZ; reflexivity.
Qed.

Lemma mass_pos k rho : 0 < rho < 1 -> 0 < geometric_mass k rho.
Proof.
  intros h; rewrite mass_is; apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra|apply pow_lt; lra].
Qed.

Lemma series_from (rho : R) (m : nat) : 0 < rho < 1 ->
  is_series (fun j => rho ^ (j + m) * rho ^ j) (rho ^ m / (1 - rho * rho)).
Proof.
  intros h; apply (is_series_ext (fun j => scal (rho ^ m) ((rho * rho) ^ j))).
  - intros j; unfold scal; simpl; unfold mult; simpl; rewrite Rpow_mult_distr, pow_add; ring.
  - replace (rho ^ m / (1 - rho * rho)) with (scal (rho ^ m) (/ (1 - rho * rho))) by reflexivity.
    apply (is_series_scal (V := R_NormedModule) (rho ^ m)), is_series_geom; rewrite Rabs_pos_eq; nra.
Qed.

(* P(X - Y = k) = sum over j >= 0 of P(X = k + j) P(Y = j), for independent X and Y. *)
Theorem difference_of_geometrics (p : R) (k : Z) : 0 < p < 1 ->
  is_series (fun j : nat => geometric p (k + Z.of_nat j) * geometric p (Z.of_nat j)) (geometric_mass k (1 - p)).
Proof.
  intros h; set (rho := 1 - p); assert (r : 0 < rho < 1) by (unfold rho; lra).
  assert (at_j : forall j : nat, geometric p (Z.of_nat j) = p * rho ^ j).
  { intros j; unfold geometric; destruct (Z.ltb_spec (Z.of_nat j) 0); [lia|rewrite Nat2Z.id; reflexivity]. }
  replace (geometric_mass k rho) with (p * p * (rho ^ Z.abs_nat k / (1 - rho * rho))).
  2: { rewrite mass_is; replace p with (1 - rho) by (unfold rho; ring); field; split; nra. }
  destruct (Z.le_gt_cases 0 k) as [pos|neg].
  - apply (is_series_ext (fun j => scal (p * p) (rho ^ (j + Z.abs_nat k) * rho ^ j))).
    + intros j; rewrite at_j; unfold geometric; destruct (Z.ltb_spec (k + Z.of_nat j) 0); [lia|].
      replace (Z.to_nat (k + Z.of_nat j)) with (j + Z.abs_nat k)%nat by lia.
      unfold scal; simpl; unfold mult; simpl; fold rho; ring.
    + apply (is_series_scal (V := R_NormedModule) (p * p)), series_from, r.
  - set (m := Z.abs_nat k).
    apply (is_series_decr_n _ m).
    + unfold m; lia.
    + match goal with |- is_series _ ?l => replace l with (scal (p * p) (rho ^ m / (1 - rho * rho)) : R) end.
      * apply (is_series_ext (fun j => scal (p * p) (rho ^ (j + m) * rho ^ j))).
        -- intros j; rewrite at_j; unfold geometric.
           destruct (Z.ltb_spec (k + Z.of_nat (m + j)) 0); [unfold m in *; lia|].
           replace (Z.to_nat (k + Z.of_nat (m + j))) with j by (unfold m; lia).
           rewrite (Nat.add_comm m j); unfold scal; simpl; unfold mult; simpl; fold rho; ring.
        -- apply (is_series_scal (V := R_NormedModule) (p * p)), series_from, r.
      * rewrite (sum_n_ext_loc _ (fun _ => 0)).
        -- rewrite sum_n_const; unfold plus, opp, scal; simpl; unfold mult; simpl.
           match goal with |- ?a = ?b => change (@eq R a b) end; ring.
        -- intros j hj; unfold geometric at 1; destruct (Z.ltb_spec (k + Z.of_nat j) 0); [apply Rmult_0_l|unfold m in *; lia].
Qed.

(* The integers from -n to n. *)
Definition around (n : nat) : list Z := map (fun i => (Z.of_nat i - Z.of_nat n)%Z) (seq 0 (2 * n + 1)).

Lemma in_around n z : In z (around n) <-> (Z.abs_nat z <= n)%nat.
Proof.
  unfold around; rewrite in_map_iff; split.
  - intros (i & <- & h); apply in_seq in h; lia.
  - intros h; exists (Z.to_nat (z + Z.of_nat n)); split; [lia|apply in_seq; lia].
Qed.

Lemma around_once n : NoDup (around n).
Proof.
  apply Injective_map_NoDup; [intros i j h; lia|apply seq_NoDup].
Qed.

Lemma mass_around rho n : 0 < rho < 1 ->
  mass_of (fun k => geometric_mass k rho) (around n) = 1 - 2 * rho ^ (n + 1) / (1 + rho).
Proof.
  intros r.
  assert (both : forall f : Z -> R, mass_of f (around n) =
    fold_right (fun i s => f (Z.of_nat i - Z.of_nat n)%Z + s) 0 (seq 0 (2 * n + 1))).
  { intros f; unfold around; induction (seq 0 (2 * n + 1)); simpl; [reflexivity|rewrite IHl; reflexivity]. }
  rewrite both.
  assert (up : forall m j, fold_right (fun i s => geometric_mass (Z.of_nat i - Z.of_nat n) rho + s) 0
    (seq (n + j) m) = (rho ^ j - rho ^ (j + m)) / (1 + rho)).
  { induction m as [|m IH]; intros j; [simpl; rewrite Nat.add_0_r; field; lra|].
    simpl seq; simpl fold_right; rewrite <- Nat.add_succ_r, IH, mass_is.
    replace (Z.abs_nat (Z.of_nat (n + j) - Z.of_nat n)) with j by lia.
    replace (j + S m)%nat with (S j + m)%nat by lia; simpl; field; lra. }
  assert (down : forall m, (m <= n)%nat -> fold_right (fun i s => geometric_mass (Z.of_nat i - Z.of_nat n) rho + s) 0
    (seq (n - m) m) = (rho - rho ^ S m) / (1 + rho)).
  { induction m as [|m IH]; intros le; [simpl; field; lra|].
    simpl seq; simpl fold_right; replace (S (n - S m)) with (n - m)%nat by lia; rewrite IH, mass_is by lia.
    replace (Z.abs_nat (Z.of_nat (n - S m) - Z.of_nat n)) with (S m) by lia; simpl; field; lra. }
  replace (2 * n + 1)%nat with (n + (n + 1))%nat by lia; rewrite seq_app, fold_right_app.
  rewrite Nat.add_0_l; replace (seq n (n + 1)) with (seq (n + 0) (n + 1)) by (rewrite Nat.add_0_r; reflexivity).
  rewrite up.
  assert (shift : forall l x, fold_right (fun i s => geometric_mass (Z.of_nat i - Z.of_nat n) rho + s) x l
    = fold_right (fun i s => geometric_mass (Z.of_nat i - Z.of_nat n) rho + s) 0 l + x).
  { induction l as [|i l IH]; intros x; simpl; [ring|rewrite IH; ring]. }
  rewrite shift; replace (seq 0 n) with (seq (n - n) n) by (f_equal; lia); rewrite down by lia.
  simpl; rewrite !pow_add; simpl; field; lra.
Qed.
