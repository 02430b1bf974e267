(* Smooth Path as it is released: n + S Z, where the density of Z is the law of path_law.v times the height by which the masses
   of its steps add up to 1. It is a law on every dataset, and private. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge pieces lebesgue_is_riemann growing_parts.
From Establish Require Import log_laplace smooth_sensitivity smooth_scale smooth_staircase smooth_staircase_release.
From Establish Require Import shortest_path path_law path_moves.
Open Scope R_scope.

Section Law.
Variables alpha epsilon r1 r2 : R.
Variables slides fine turn : nat.

(* On step k, above and below. *)
Definition piece_above (k : nat) (z : R) : R := exp (- epsilon) ^ k * factor_above alpha r2 fine k z.
Definition piece_below (k : nat) (y : R) : R := exp (- epsilon) ^ k * factor_below alpha r1 fine turn k y.
(* The mass of step k on both sides, in units of the height; of the flat part for k = 0. *)
Definition path_mass (k : nat) : R :=
  match k with
  | O => r1 + r2
  | S j => RInt (piece_above k) (break_above alpha r2 j) (break_above alpha r2 k)
           + RInt (piece_below k) (break_below alpha slides r1 j) (break_below alpha slides r1 k)
  end.
(* ln of the density of Z. *)
Definition path_log_density (z : R) : R :=
  ln (/ Series path_mass) + ln (path_kernel alpha epsilon r1 r2 slides fine turn z).

Variable a0 : 0 < alpha.
Variable down0 : 0 <= r1.
Variable up0 : 0 <= r2.
Variable until : slides_until alpha slides r1.
Variable allowed : may_be_fine alpha epsilon r1 fine turn.
Variable thin : 2 * ln (1 + alpha) < epsilon.
Let up := break_above alpha r2.
Let down := break_below alpha slides r1.
Let up_step : forall k, up k + 1 <= up (S k) := above_apart alpha r2 a0 up0.
Let down_step : forall k, down k + 1 <= down (S k) := below_apart alpha r1 slides a0 down0 until.
Let up_first : 0 <= up O := proj1 (above_spreads alpha a0 r2 up0).
Let down_first : 0 <= down O := proj1 (below_spreads alpha a0 slides r1 down0 until).
Let ends_up := steps_to_at_most up up_first up_step.
Let ends_down := steps_to_at_most down down_first down_step.

Lemma largest_continuous (f : nat -> R -> R) k bound : (forall j x, continuity_pt (f j) x) ->
  forall x, continuity_pt (fun x => largest_of (fun j => f j x) k bound) x.
Proof.
  intros each x; induction k as [|k IH]; simpl; [apply continuity_pt_const; intros u v; reflexivity|].
  apply (continuity_pt_ext (fun x => (f k x + largest_of (fun j => f j x) k bound + Rabs (f k x - largest_of (fun j => f j x) k bound)) / 2)).
  { intros y; unfold Rmax; destruct (Rle_dec _ _); [rewrite Rabs_left1 by lra|rewrite Rabs_pos_eq by lra]; lra. }
  apply continuity_pt_mult; [|apply continuity_pt_const; intros u v; reflexivity].
  apply continuity_pt_plus; [apply continuity_pt_plus; [apply each|exact IH]|].
  apply (continuity_pt_comp (fun x => f k x - largest_of (fun j => f j x) k bound) Rabs); [apply continuity_pt_minus; [apply each|exact IH]|apply Rcontinuity_abs].
Qed.

Lemma inverse_continuous (f : R -> R) : (forall x, 0 < f x) -> (forall x, continuity_pt f x) -> forall x, continuity_pt (fun x => / f x) x.
Proof. intros pos c x; apply continuity_pt_inv; [apply c|specialize (pos x); lra]. Qed.

Lemma dearest_pos k z : 1 <= dearest alpha r2 k z.
Proof. unfold dearest; apply (proj1 (largest_is _ k 1 _) (Rle_refl _)). Qed.

Lemma above_is_continuous k : forall z, 0 < piece_above k z /\ continuity_pt (piece_above k) z.
Proof.
  intros z; assert (E : 0 < exp (- epsilon) ^ k) by (apply pow_lt, exp_pos); unfold piece_above, factor_above.
  destruct (le_dec k fine); [|split; [lra|apply continuity_pt_const; intros u v; reflexivity]].
  split; [apply Rmult_lt_0_compat; [exact E|apply Rinv_0_lt_compat; pose proof (dearest_pos k z); lra]|].
  apply continuity_pt_mult; [apply continuity_pt_const; intros u v; reflexivity|].
  apply inverse_continuous; [intros x; pose proof (dearest_pos k x); lra|]; apply largest_continuous; intros j x.
  destruct (Rle_dec _ _); [apply continuity_pt_const; intros u v; reflexivity|unfold Rdiv; reg].
Qed.

Lemma below_is_continuous k : forall y, 0 < piece_below k y /\ continuity_pt (piece_below k) y.
Proof.
  intros y; assert (E : 0 < exp (- epsilon) ^ k) by (apply pow_lt, exp_pos); unfold piece_below, factor_below.
  assert (pos : forall x, 0 < cheapest alpha r1 k x) by (intros; apply cheapest_pos; exact a0).
  destruct (le_dec k fine).
  - split; [apply Rmult_lt_0_compat; [exact E|apply pos]|].
    apply continuity_pt_mult; [apply continuity_pt_const; intros u v; reflexivity|].
    apply inverse_continuous; [|apply largest_continuous; intros j x; unfold Rdiv; reg].
    intros x; rewrite <- (Rinv_inv (largest_of _ _ _)); apply Rinv_0_lt_compat, pos.
  - split; [apply Rmult_lt_0_compat; [exact E|apply pow_lt; lra]|apply continuity_pt_const; intros u v; reflexivity].
Qed.

Let kernel := path_kernel alpha epsilon r1 r2 slides fine turn.

Lemma kernel_pos z : 0 < kernel z.
Proof. apply Rmult_lt_0_compat; [apply above_is_continuous|apply below_is_continuous]. Qed.

Lemma in_pieces_borel (f : nat -> R -> R) (b : nat -> R) (sign : R) : sign = 1 \/ sign = -1 ->
  0 <= b O -> (forall k, b k + 1 <= b (S k)) -> (forall k z, 0 < f k z /\ continuity_pt (f k) z) ->
  borel_function (fun z => ln (f (steps_to b (sign * z)) (sign * z))).
Proof.
  intros s b0 apart each.
  apply (@borel_by_pieces _ (fun z => Z.of_nat (steps_to b (sign * z))) (fun k z => ln (f (Z.to_nat k) (sign * z))) (fun _ => m_infty)).
  - apply steps_to_borel; assumption.
  - intros k z _; apply (continuity_pt_comp (fun z => f (Z.to_nat k) (sign * z)) ln).
    + apply (continuity_pt_comp (fun z => sign * z) (f (Z.to_nat k))); [reg|apply each].
    + apply derivable_continuous_pt; exists (/ f (Z.to_nat k) (sign * z)); apply derivable_pt_lim_ln, each.
  - intros z; exact I.
  - intros z; rewrite Nat2Z.id; reflexivity.
Qed.

Lemma path_borel : borel_function path_log_density.
Proof.
  pose proof (in_pieces_borel piece_above up 1 (or_introl eq_refl) up_first up_step above_is_continuous) as ba.
  pose proof (in_pieces_borel piece_below down (-1) (or_intror eq_refl) down_first down_step below_is_continuous) as bb.
  assert (const : borel_function (fun _ => ln (/ Series path_mass)))
    by (apply continuous_is_borel; intros z; apply continuity_pt_const; intros x y; reflexivity).
  pose proof (borel_sum const (borel_sum ba bb)) as all.
  intros E mE; rewrite (@same_set _ (fun z => E (ln (/ Series path_mass) + (ln (piece_above (steps_to up (1 * z)) (1 * z)) +
    ln (piece_below (steps_to down (-1 * z)) (-1 * z)))))); [exact (all E mE)|].
  intros z; unfold path_log_density, path_kernel; rewrite Rmult_1_l; replace (-1 * z) with (- z) by ring.
  rewrite ln_mult; [reflexivity|apply above_is_continuous|apply below_is_continuous].
Qed.

Theorem path_moves_are_bounded : bounded_moves path_log_density alpha epsilon.
Proof.
  intros w m d db mb; destruct (kernel_moves alpha epsilon r1 r2 slides fine turn a0 down0 up0 until allowed w m d db mb) as [there back].
  fold kernel in there, back; pose proof (kernel_pos w) as pw; pose proof (kernel_pos (m * w + d)) as pz.
  pose proof (exp_pos epsilon) as e0; assert (m0 : 0 < m) by lra; unfold path_log_density; fold kernel.
  assert (mz : 0 < m * kernel (m * w + d)) by (apply Rmult_lt_0_compat; assumption).
  apply ln_le in there; [|exact pw]; apply ln_le in back; [|exact mz].
  rewrite (ln_mult _ _ e0 mz), (ln_mult _ _ m0 pz), ln_exp in there; rewrite (ln_mult _ _ e0 pw), (ln_mult _ _ m0 pz), ln_exp in back; lra.
Qed.

Lemma above_most k z : piece_above k z <= exp (- epsilon) ^ k.
Proof.
  assert (E : 0 < exp (- epsilon) ^ k) by (apply pow_lt, exp_pos); unfold piece_above, factor_above.
  destruct (le_dec k fine); [|lra]; rewrite <- (Rmult_1_r (exp (- epsilon) ^ k)) at 2.
  apply Rmult_le_compat_l; [lra|]; pose proof (dearest_pos k z); rewrite <- Rinv_1; apply Rinv_le_contravar; lra.
Qed.

Lemma below_most k y : piece_below k y <= (exp (- epsilon) * (1 + alpha)) ^ k.
Proof.
  assert (E : 0 < exp (- epsilon) ^ k) by (apply pow_lt, exp_pos); unfold piece_below, factor_below; rewrite Rpow_mult_distr.
  apply Rmult_le_compat_l; [lra|]; destruct (le_dec k fine).
  - apply (cheapest_reaches alpha a0 r1 down0 k y).
  - apply powers_rise; [exact a0|lia].
Qed.

Let integrable (f : R -> R) (c : forall x, 0 < f x /\ continuity_pt f x) a b : ex_RInt f a b.
Proof. apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros x _; apply continuity_pt_filterlim, c. Qed.

Lemma part_bounds (f : R -> R) (c : forall x, 0 < f x /\ continuity_pt f x) most a b : a < b -> (forall x, f x <= most) ->
  0 < RInt f a b <= most * (b - a).
Proof.
  intros ab le; split.
  - apply RInt_gt_0; [exact ab|intros x _; apply c|intros x _; apply continuity_pt_filterlim, c].
  - replace (most * (b - a)) with (RInt (fun _ => most) a b) by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
    apply RInt_le; [lra|apply integrable, c|apply ex_RInt_const|intros; apply le].
Qed.

Lemma path_mass_pos k : 0 <= path_mass k /\ 0 < path_mass (S k).
Proof.
  assert (each : forall j, 0 < path_mass (S j)).
  { intros j; simpl; pose proof (up_step j) as u; pose proof (down_step j) as d.
    pose proof (part_bounds _ (above_is_continuous (S j)) _ (up j) (up (S j)) ltac:(lra) (above_most (S j))).
    pose proof (part_bounds _ (below_is_continuous (S j)) _ (down j) (down (S j)) ltac:(lra) (below_most (S j))).
    fold up down; lra. }
  split; [destruct k; [simpl; lra|left; apply each]|apply each].
Qed.

Lemma path_masses_sum : ex_series path_mass.
Proof.
  destruct (within_costs alpha epsilon a0 thin) as (l & uc & dc).
  set (B := Rmax (r1 + 1 / alpha) (r2 + 1 / alpha)).
  assert (grow : forall x k, x <= B -> x * (1 + alpha) ^ k <= B * (1 + alpha) ^ k)
    by (intros x k h; apply Rmult_le_compat_r; [apply pow_le; lra|exact h]).
  apply (ex_series_le (V := R_CompleteNormedModule) _ (step_mass up down (staircase_up_drop alpha epsilon) (staircase_down_drop alpha epsilon))).
  - intros k; change (norm ?x) with (Rabs x); rewrite Rabs_pos_eq by apply path_mass_pos; unfold step_mass.
    destruct k as [|k].
    { simpl; rewrite !Rmult_0_r, exp_0; right; unfold up, down, break_above, break_below, spread_up, slide_down; simpl.
      destruct (le_dec 0 slides); [ring|lia]. }
    pose proof (up_step k); pose proof (down_step k).
    pose proof (part_bounds _ (above_is_continuous (S k)) _ (up k) (up (S k)) ltac:(lra) (above_most (S k))) as [_ u].
    pose proof (part_bounds _ (below_is_continuous (S k)) _ (down k) (down (S k)) ltac:(lra) (below_most (S k))) as [_ d].
    assert (eu : exp (- staircase_up_drop alpha epsilon * INR (S k)) = exp (- epsilon) ^ S k)
      by (rewrite pow_of_exp; reflexivity).
    assert (ed : exp (- staircase_down_drop alpha epsilon * INR (S k)) = (exp (- epsilon) * (1 + alpha)) ^ S k).
    { rewrite <- (exp_ln (1 + alpha)) at 1 by lra; rewrite <- exp_plus, pow_of_exp; f_equal; unfold staircase_down_drop; ring. }
    rewrite eu, ed; unfold path_mass; fold up down; lra.
  - apply (masses_sum _ _ _ _ alpha B a0); try apply above_spreads; try apply below_spreads; try assumption; try lra.
    + intros k; apply Rle_trans with (2 := grow _ k (Rmax_r _ _)), above_at_most; assumption.
    + intros k; apply Rle_trans with (2 := grow _ k (Rmax_l _ _)), below_at_most; assumption.
Qed.

Lemma whole_path_pos : 0 < Series path_mass.
Proof.
  rewrite (Series_incr_1 path_mass path_masses_sum).
  assert (rest : ex_series (fun k => path_mass (S k))) by (apply (ex_series_incr_1 path_mass), path_masses_sum).
  rewrite (Series_incr_1 (fun k => path_mass (S k)) rest).
  assert (more : 0 <= Series (fun k => path_mass (S (S k)))).
  { rewrite <- (Rmult_0_l (Series (fun k => path_mass (S (S k))))), <- Series_scal_l; apply Series_le.
    - intros k; pose proof (path_mass_pos (S (S k))); lra.
    - apply (ex_series_incr_1 (fun k => path_mass (S k))), rest. }
  pose proof (path_mass_pos 0); lra.
Qed.
End Law.
