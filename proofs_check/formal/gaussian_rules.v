(* Rules on Gaussian privacy: adaptive releases, answers in sequence, releases under two neighbor functions, one answer
   of a group, and normal noise in every coordinate. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common comparisons neighbor_functions establishment_values.
From mathcomp.analysis Require Import measure.
From Establish Require Import measures gaussian_close gaussian_releases normal_vectors.
Import ListNotations.
Open Scope R_scope.

(* What is spent after releases with these budgets, one after another from 0 on, and what they cost together. *)
Definition total (added : R -> R -> R) (root : R -> R) (budgets : list R) : R := root (fold_left added budgets 0).

(* For all releases in turn, each with its own budget whatever the outputs before it were: together they satisfy the
   most that any outputs cost. [choice]: whether the budgets may depend on earlier outputs. *)
Definition composes (choice : bool) (added : R -> R -> R) (root : R -> R) : Prop :=
  forall (dataset : Type) (neighbors : dataset -> dataset -> Prop) d (T : measurableType d) (M : mechanism dataset T)
    (spent : T -> list R) (mu : R), released neighbors M spent ->
  (choice = false -> exists budgets, forall outputs, spent outputs = budgets) ->
  (forall outputs, total added root (spent outputs) <= mu) -> gaussian_private neighbors mu M.

Lemma budgets_are_not_negative dataset (neighbors : dataset -> dataset -> Prop) d (T : measurableType d)
    (M : mechanism dataset T) (spent : T -> list R) : released neighbors M spent -> forall o mu, In mu (spent o) -> 0 <= mu.
Proof.
  induction 1 as [d T M b b0 _ _|d1 d2 T1 T2 M b K k spent b0 _ _ _ IH]; intros o mu among.
  - destruct among as [<- |[]]; exact b0.
  - destruct among as [<- |among]; [exact b0|exact (IH _ _ _ among)].
Qed.

(* Rule adaptive_normals. Owed: one release more adds the square of its budget to what is spent, whatever that is, and
   the root of the square of a budget is the budget. *)
Theorem adaptive_normals (choice : bool) (added : R -> R -> R) (root : R -> R) :
  stated (fun v => 0 <= fst v /\ 0 <= snd v) (fun v => added (fst v) (snd v) - fst v) equal (fun v => snd v * snd v) ->
  stated (fun mu => 0 <= mu) (fun mu => root (mu * mu)) equal (fun mu => mu) ->
  composes choice added root.
Proof.
  intros adds rooted dataset neighbors d T M spent mu turn _ most.
  assert (sums : forall budgets s, (forall b, In b budgets -> 0 <= b) -> 0 <= s -> fold_left added budgets s = s + squares budgets).
  { induction budgets as [|b l IH]; intros s positive s0; simpl; [ring|].
    pose proof (adds (s, b) (conj s0 (positive b (or_introl eq_refl)))) as h; simpl in h.
    rewrite IH; [lra|intros c among; apply positive; right; exact among|nra]. }
  assert (within : forall o, sqrt (squares (spent o)) <= mu).
  { intros o; apply Rle_trans with (2 := most o); right; unfold total.
    rewrite sums by (try exact (budgets_are_not_negative _ _ _ _ _ _ turn o); lra).
    pose proof (rooted (sqrt (squares (spent o))) (sqrt_pos _)) as h; simpl in h.
    rewrite sqrt_sqrt in h by apply squares_nonneg; rewrite Rplus_0_l; symmetry; exact h. }
  assert (mu0 : 0 <= mu) by (apply Rle_trans with (2 := within classical_sets.point), sqrt_pos).
  apply (adaptive_releases turn); [exact mu0|]; intros o.
  rewrite <- (pow2_sqrt (squares (spent o))) by apply squares_nonneg; apply pow_incr; split; [apply sqrt_pos|apply within].
Qed.

(* Rule in_sequence. Owed: every answer satisfies its own budget, whatever the answers before it were; the level is at
   least the total of the budgets; and the statement on composition. *)
Theorem in_sequence (choice : bool) (added : R -> R -> R) (root : R -> R) (parameters dataset : Type) (domain : parameters -> Prop)
    (neighbors : parameters -> dataset -> dataset -> Prop) d (T : measurableType d) (M : parameters -> mechanism dataset T)
    (budgets : parameters -> list R) (level : parameters -> R) :
  (forall p, domain p -> released (neighbors p) (M p) (fun _ => budgets p)) ->
  stated domain (fun p => total added root (budgets p)) at_most level ->
  composes choice added root ->
  forall p, domain p -> gaussian_private (neighbors p) (level p) (M p).
Proof.
  intros alone enough composition p inside; apply (composition _ _ _ _ _ _ _ (alone p inside)); [exists (budgets p); reflexivity|].
  intros _; exact (enough p inside).
Qed.

(* Rule neighbors_of_both. Intervals: all values y with |psi(x) - psi(y)| <= gamma. Owed: the level is at least the total
   of both budgets, and the statement on composition. The second release has coins of its own, and may look at the output
   of the first. *)
Theorem neighbors_of_both (choice : bool) (added : R -> R -> R) (root : R -> R) (level : R -> R -> R) :
  stated (fun v => 0 < fst v /\ 0 < snd v) (fun v => total added root [fst v; snd v]) at_most
    (fun v => level (fst v) (snd v)) -> composes choice added root ->
  forall (A I : Type) (psi_a psi_b psi : I -> R -> R) (gamma_a gamma_b gamma : I -> R) mu_a mu_b,
  (forall i x y, close (psi i) (gamma i) x y -> close (psi_a i) (gamma_a i) x y /\ close (psi_b i) (gamma_b i) x y) ->
  0 < mu_a -> 0 < mu_b ->
  forall d1 d2 (T1 : measurableType d1) (T2 : measurableType d2) (M_a : mechanism (list (entry A I)) T1)
    (M_b : T1 -> mechanism (list (entry A I)) T2) (k : forall D, @adaptive_composition.kernel _ _ T1 T2 (fun t => M_b t D)),
  let near psi gamma := value_close_neighbors (fun i : I => close (psi i) (gamma i)) in
  has_laws M_a -> (forall t, has_laws (M_b t)) ->
  gaussian_private (near psi_a gamma_a) mu_a M_a ->
  (forall t, gaussian_private (near psi_b gamma_b) mu_b (M_b t)) ->
  gaussian_private (near psi gamma) (level mu_a mu_b) (fun D => in_turn (M_a D) (k D)).
Proof.
  intros enough composition A I psi_a psi_b psi gamma_a gamma_b gamma mu_a mu_b inside a0 b0 d1 d2 T1 T2 M_a M_b k near
    law_a law_b private_a private_b.
  assert (narrower : forall D D', near psi gamma D D' -> near psi_a gamma_a D D' /\ near psi_b gamma_b D D').
  { intros D D' (b & e & e' & r & is & is' & same & all); split; exists b, e, e', r; (do 3 (split; [assumption|]));
      intros a; apply (inside a _ _ (all a)). }
  assert (first : gaussian_private (near psi gamma) mu_a M_a) by (intros D D' h; apply private_a, narrower, h).
  assert (later : forall t, released (near psi gamma) (M_b t) (fun _ => [mu_b])).
  { intros t; apply one_release; [lra|apply law_b|intros D D' h; apply private_b, narrower, h]. }
  apply (composition _ _ _ _ _ _ _ (@another_release _ (near psi gamma) _ _ T1 T2 M_a mu_a (fun D t => M_b t D) k
    (fun _ _ => [mu_b]) (Rlt_le _ _ a0) law_a first later)); [exists [mu_a; mu_b]; reflexivity|].
  intros _; exact (enough (mu_a, mu_b) (conj a0 b0)).
Qed.

(* Rule shifted_normals. A mechanism of one answer for each group 0 to k has, in the group of an establishment that
   changes from x to y, means that are as far apart as [mean] says, and the standard deviation [sd], of x or y, of what
   the others add up to, and of upper bounds; elsewhere the same law. Owed: means and standard deviations of close
   values. *)
Section Shifted.
Variables (A I bounds : Type) (group : A -> nat) (i : I) (near : I -> R -> R -> Prop) (k : nat).
Variables (mean sd : R -> R -> bounds -> R) (means sds : list (entry A I) -> nat -> R).

Definition read_by_groups : Prop := forall D D', value_close_neighbors near D D' ->
  exists x y rest u j, near i x y /\ 0 <= rest /\ means D' j - means D j = mean y rest u - mean x rest u /\
    sds D j = sd x rest u /\ sds D' j = sd y rest u /\
    forall l, l <> j -> means D l = means D' l /\ sds D l = sds D' l.

Theorem shifted_normals (level : R) : 0 <= level -> read_by_groups ->
  stated (fun v : R * R * R * bounds => let '(x, y, rest, u) := v in near i x y /\ 0 <= rest)
    (fun v => let '(x, y, rest, u) := v in Rabs (mean x rest u - mean y rest u)) at_most
    (fun v => let '(x, y, rest, u) := v in level * sd x rest u) ->
  stated (fun v : R * R * R * bounds => let '(x, y, rest, u) := v in near i x y /\ 0 <= rest)
    (fun v => let '(x, y, rest, u) := v in sd x rest u) equal (fun v => let '(x, y, rest, u) := v in sd y rest u) ->
  gaussian_private (value_close_neighbors near) level (fun D => gaussian_answers k (means D) (sds D)).
Proof.
  intros l0 reads shift same D D' h; destruct (reads D D' h) as (x & y & rest & u & j & xy & r0 & gap & sd1 & sd2 & others).
  pose proof (shift (x, y, rest, u) (conj xy r0)) as s; pose proof (same (x, y, rest, u) (conj xy r0)) as e; simpl in s, e.
  assert (one_sd : sds D' = sds D).
  { apply FunctionalExtensionality.functional_extensionality; intros l.
    destruct (Nat.eq_dec l j) as [-> |ne]; [rewrite sd1, sd2; symmetry; exact e|symmetry; apply others, ne]. }
  rewrite one_sd; set (far := fun l => if Nat.eqb l j then level else 0).
  assert (range : forall l, 0 <= far l <= level) by (intros l; unfold far; destruct (Nat.eqb l j); lra).
  apply (@gaussian_answers_close k _ _ (sds D) far); [|exact l0|].
  - intros l _; split; [apply range|]; unfold far; destruct (Nat.eqb l j) eqn:is.
    + apply Nat.eqb_eq in is; subst l; rewrite gap, sd1, Rabs_minus_sym; exact s.
    + apply Nat.eqb_neq in is; destruct (others l is) as [-> _]; rewrite Rminus_eq_0, Rabs_R0; lra.
  - apply sum_to_one with j; [apply pow2_ge_0| |apply pow_incr, range].
    intros l ne; unfold far; rewrite (proj2 (Nat.eqb_neq l j) ne); ring.
Qed.
End Shifted.

(* Rule rotated_normals. Owed: every distance up to the sensitivity is at most level times standard deviation, which is
   positive. *)
Theorem rotated_normals (parameters : Type) (domain : parameters -> Prop) (sensitivity sd level : parameters -> R) :
  stated (fun v => domain (fst v) /\ 0 <= snd v <= sensitivity (fst v)) (fun v => snd v) at_most
    (fun v => level (fst v) * sd (fst v)) -> stated domain (fun _ => 0) less sd ->
  forall p (k : nat) (x y : nat -> R), domain p -> sqrt (sum_to k (fun j => (x j - y j) ^ 2)) <= sensitivity p ->
  gaussian_close (level p) (gaussian_answers k x (fun _ => sd p)) (gaussian_answers k y (fun _ => sd p)).
Proof.
  intros enough positive p k x y inside near; set (s := sum_to k _) in near.
  assert (s0 : 0 <= s) by (apply sum_to_nonneg; intros; apply pow2_ge_0).
  pose proof (enough (p, sqrt s) (conj inside (conj (sqrt_pos s) near))) as most; simpl in most.
  pose proof (positive p inside : 0 < sd p) as sd0.
  assert (l0 : 0 <= level p) by (pose proof (sqrt_pos s); apply Rnot_lt_le; intros h; nra).
  apply (@gaussian_answers_close k x y (fun _ => sd p) (fun j => Rabs (y j - x j) / sd p)); [|exact l0|].
  - intros j _; split; [|right; field; lra].
    apply Rmult_le_pos; [apply Rabs_pos|left; apply Rinv_0_lt_compat, sd0].
  - apply Rle_trans with ((/ sd p) ^ 2 * s).
    + unfold s; rewrite <- sum_to_scal; apply sum_to_le; intros j _; unfold Rdiv.
      rewrite Rpow_mult_distr, pow2_abs, Rmult_comm; right; ring.
    + apply Rmult_le_reg_l with (sd p ^ 2); [nra|]; rewrite <- Rmult_assoc, <- Rpow_mult_distr, Rinv_r, pow1, Rmult_1_l by lra.
      rewrite <- (pow2_sqrt s) by exact s0; rewrite <- Rpow_mult_distr; apply pow_incr; split; [apply sqrt_pos|lra].
Qed.
