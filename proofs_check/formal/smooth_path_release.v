(* Smooth Path as it is released is a law on every dataset, and private. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge pieces lebesgue_is_riemann growing_parts.
From Establish Require Import log_laplace smooth_sensitivity smooth_scale smooth_staircase smooth_staircase_release.
From Establish Require Import shortest_path path_law path_moves smooth_path.
Open Scope R_scope.

(* A part of a density is h/s times a continuous piece around a center, upwards or downwards. *)
Lemma integral_of_a_part (piece : R -> R) h s center sign a b : 0 < s -> sign = 1 \/ sign = -1 -> (forall x, continuous piece x) ->
  RInt (fun o => h / s * piece (sign * ((o - center) / s))) a b =
  sign * h * RInt piece (sign * ((a - center) / s)) (sign * ((b - center) / s)).
Proof.
  intros s0 one cont.
  assert (lin : forall x, sign * ((x - center) / s) = sign / s * x + - sign * center / s) by (intros; field; lra).
  rewrite !lin, <- (RInt_comp_lin piece) by (apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply cont).
  assert (inside : ex_RInt (fun y => scal (sign / s) (piece (sign / s * y + - sign * center / s))) a b).
  { apply (ex_RInt_comp_lin (V := R_NormedModule) piece), (ex_RInt_continuous (V := R_CompleteNormedModule)); intros; apply cont. }
  symmetry; change (scal (sign * h) (RInt (fun y => scal (sign / s) (piece (sign / s * y + - sign * center / s))) a b) =
    RInt (fun o => h / s * piece (sign * ((o - center) / s))) a b).
  rewrite <- (RInt_scal (V := R_CompleteNormedModule) _ a b (sign * h) inside); apply RInt_ext; intros o _; rewrite lin.
  unfold scal; simpl; unfold mult; simpl; destruct one as [-> | ->]; field; lra.
Qed.

Lemma probability_of_a_part (piece : R -> R) h s center sign a b : 0 < s -> 0 < h -> sign = 1 \/ sign = -1 -> a < b ->
  (forall x, 0 < piece x /\ continuity_pt piece x) -> let part := fun o => h / s * piece (sign * ((o - center) / s)) in
  borel_function part /\ (forall o, 0 <= part o) /\
  has_probability part (fun o => a < o /\ o <= b) (sign * h * RInt piece (sign * ((a - center) / s)) (sign * ((b - center) / s))).
Proof.
  intros s0 h0 one ab each part.
  assert (cont : forall o, continuity_pt part o).
  { intros o; unfold part; apply continuity_pt_mult; [apply continuity_pt_const; intros x y; reflexivity|].
    apply (continuity_pt_comp (fun o => sign * ((o - center) / s)) piece); [unfold Rdiv; reg|apply each]. }
  assert (nonneg : forall o, 0 <= part o) by (intros o; apply Rmult_le_pos; [left; apply Rdiv_lt_0_compat; assumption|left; apply each]).
  split; [apply continuous_is_borel, cont|split; [exact nonneg|]]; unfold has_probability.
  rewrite <- integral_of_a_part by (assumption || intros; apply continuity_pt_filterlim, each).
  apply (@lebesgue_is_riemann part a b); [lra|]; intros o _; split; [apply continuity_pt_filterlim, cont|apply nonneg].
Qed.

Section Release.
Variables alpha epsilon r1 r2 : R.
Variables slides fine turn : nat.
Variable a0 : 0 < alpha.
Variable down0 : 0 <= r1.
Variable up0 : 0 <= r2.
Variable until : slides_until alpha slides r1.
Variable allowed : may_be_fine alpha epsilon r1 fine turn.
Variable thin : 2 * ln (1 + alpha) < epsilon.
Let up := break_above alpha r2.
Let down := break_below alpha slides r1.
Let noise := path_log_density alpha epsilon r1 r2 slides fine turn.

Lemma on_its_step (b : nat -> R) (b0 : 0 <= b O) (apart : forall k, b k + 1 <= b (S k)) z n : b n < z -> z <= b (S n) -> steps_to b z = S n.
Proof.
  intros k l; apply (steps_to_at_most b b0 apart) in l; assert (~ (steps_to b z <= n)%nat) by (rewrite (steps_to_at_most b b0 apart); lra); lia.
Qed.

(* Around every center, at every scale. *)
Theorem path_mass_is_one center s : 0 < s -> is_density (fun o => exp (noise ((o - center) / s) - ln s)).
Proof.
  intros s0; set (f := fun o => exp (noise ((o - center) / s) - ln s)).
  pose proof (above_apart alpha r2 a0 up0) as us; pose proof (below_apart alpha r1 slides a0 down0 until) as ds; fold up in us; fold down in ds.
  assert (u0 : up O = r2) by (unfold up, break_above, spread_up; simpl; ring).
  assert (d0 : down O = r1) by (unfold down, break_below, slide_down; simpl; destruct (le_dec 0 slides); [ring|lia]).
  assert (up_pos : forall k, 0 <= up k) by (induction k as [|k IH]; [lra|specialize (us k); lra]).
  assert (down_pos : forall k, 0 <= down k) by (induction k as [|k IH]; [lra|specialize (ds k); lra]).
  pose proof (whole_path_pos alpha epsilon r1 r2 slides fine turn a0 down0 up0 until thin) as whole.
  set (h := / Series (path_mass alpha epsilon r1 r2 slides fine turn)); assert (h0 : 0 < h) by (apply Rinv_0_lt_compat, whole).
  assert (value : forall o, let z := (o - center) / s in
    f o = h / s * (side_above alpha epsilon r2 fine z * side_below alpha epsilon r1 slides fine turn (- z))).
  { intros o z; unfold f, noise, path_log_density; fold h z; fold (path_kernel alpha epsilon r1 r2 slides fine turn z).
    unfold Rminus; rewrite !exp_plus, exp_Ropp, !exp_ln; [unfold Rdiv; ring|exact s0|apply kernel_pos; assumption|exact h0]. }
  assert (unit : forall o, o = center + s * ((o - center) / s)) by (intros; field; lra).
  assert (at_up : forall x, 1 * ((center + s * x - center) / s) = x) by (intros; field; lra).
  assert (at_down : forall x, -1 * ((- (s * x - center) - center) / s) = x) by (intros; field; lra).
  assert (mf : borel_function f).
  { unfold f; apply (@borel_of exp); [apply continuous_is_borel; intros; apply derivable_continuous_pt, derivable_pt_exp|].
    apply (@borel_sum (fun o => noise ((o - center) / s))).
    - apply (@borel_of noise (fun o => (o - center) / s)); [apply path_borel; assumption|].
      apply continuous_is_borel; intros; unfold Rdiv; reg.
    - apply continuous_is_borel; intros o; apply continuity_pt_const; intros x y; reflexivity. }
  assert (nonneg : forall o, 0 <= f o) by (intros o; left; apply exp_pos).
  assert (flat_a : forall z, z <= 0 -> side_above alpha epsilon r2 fine z = 1) by (intros; eapply flat_above; eassumption).
  assert (flat_b : forall y, y <= 0 -> side_below alpha epsilon r1 slides fine turn y = 1) by (intros; eapply flat_below; eassumption).
  apply (@mass_in_parts f (fun n => s * down n - center) (fun n => center + s * up n)
    (fun n => h * RInt (piece_below alpha epsilon r1 fine turn (S n)) (down n) (down (S n)))
    (fun n => h * RInt (piece_above alpha epsilon r2 fine (S n)) (up n) (up (S n))) (h * (r1 + r2)) 1); try assumption.
  - specialize (up_pos O); specialize (down_pos O); nra.
  - intros n; specialize (ds n); nra.
  - intros n; specialize (us n); nra.
  - intros o; pose proof (unit o) as e; set (z := (o - center) / s) in *.
    pose proof (proj1 (steps_to_is up (up_pos O) us z)) as a; pose proof (proj1 (steps_to_is down (down_pos O) ds (- z))) as b.
    exists (Nat.max (steps_to up z) (steps_to down (- z))).
    assert (z <= up (Nat.max (steps_to up z) (steps_to down (- z)))) by (apply (steps_to_at_most up (up_pos O) us); lia).
    assert (- z <= down (Nat.max (steps_to up z) (steps_to down (- z)))) by (apply (steps_to_at_most down (down_pos O) ds); lia).
    rewrite e; split; nra.
  - replace (h * (r1 + r2)) with (h / s * (center + s * up O - - (s * down O - center))) by (rewrite u0, d0; field; lra).
    apply flat_probability; [apply borel_between|apply length_flat; specialize (up_pos O); specialize (down_pos O); nra|].
    intros o [lo hi]; rewrite value; pose proof (unit o) as e; set (z := (o - center) / s) in *.
    assert (z <= up O /\ - z <= down O) as [zu zd] by (split; nra).
    assert (ka : steps_to up z = O) by (apply none_before_the_flat; [apply up_pos|exact us|exact zu]).
    assert (kb : steps_to down (- z) = O) by (apply none_before_the_flat; [apply down_pos|exact ds|exact zd]).
    unfold side_above, side_below; fold up down; rewrite ka, kb; unfold factor_above, factor_below; rewrite cheapest_first.
    destruct (le_dec 0 fine); [|lia]; unfold dearest; simpl; field; lra.
  - intros n; pose proof (us n) as apart.
    replace (h * RInt _ _ _) with (1 * h * RInt (piece_above alpha epsilon r2 fine (S n)) (1 * ((center + s * up n - center) / s))
      (1 * ((center + s * up (S n) - center) / s))) by (rewrite !at_up; ring).
    destruct (probability_of_a_part (piece_above alpha epsilon r2 fine (S n)) h s center 1 (center + s * up n) (center + s * up (S n)))
      as (_ & _ & has); try assumption; [left; reflexivity|nra|intros x; apply above_is_continuous; assumption|].
    unfold has_probability in *; rewrite <- has; apply same_on_event.
    intros o [lo hi]; rewrite value; pose proof (unit o) as e; set (z := (o - center) / s) in *; rewrite Rmult_1_l.
    rewrite flat_b by (specialize (up_pos n); nra); unfold side_above, piece_above; fold up.
    rewrite (on_its_step up (up_pos O) us z n) by nra; ring.
  - intros n; pose proof (ds n) as apart.
    destruct (probability_of_a_part (piece_below alpha epsilon r1 fine turn (S n)) h s center (-1) (- (s * down (S n) - center)) (- (s * down n - center)))
      as (mp & p0 & has); try assumption; [right; reflexivity|nra|intros x; apply below_is_continuous; assumption|].
    apply with_the_other_end in has; [|exact mp|exact p0|nra].
    replace (h * RInt _ _ _) with (-1 * h * RInt (piece_below alpha epsilon r1 fine turn (S n)) (-1 * ((- (s * down (S n) - center) - center) / s))
      (-1 * ((- (s * down n - center) - center) / s))).
    2: { rewrite !at_down, <- (opp_RInt_swap (V := R_CompleteNormedModule) _ (down n)); [unfold opp; simpl; ring|].
      apply (ex_RInt_continuous (V := R_CompleteNormedModule)); intros x _; apply continuity_pt_filterlim, below_is_continuous; assumption. }
    unfold has_probability in *; rewrite <- has; apply same_on_event.
    intros o [lo hi]; rewrite value; pose proof (unit o) as e; set (z := (o - center) / s) in *.
    rewrite flat_a by (specialize (down_pos n); nra); unfold side_below, piece_below; fold down.
    replace (-1 * z) with (- z) by ring; rewrite (on_its_step down (down_pos O) ds (- z) n) by nra; ring.
  - assert (sum : is_series (fun n => h * path_mass alpha epsilon r1 r2 slides fine turn n) 1).
    { replace 1 with (scal h (Series (path_mass alpha epsilon r1 r2 slides fine turn)) : R) by (unfold scal; simpl; unfold mult; simpl; unfold h; apply Rinv_l; lra).
      apply (is_series_scal (V := R_NormedModule)), Series_correct, path_masses_sum; assumption. }
    eapply is_series_ext; [|exact sum]; intros n; match goal with |- ?a = ?b => change (@eq R a b) end.
    destruct n as [|n]; [reflexivity|]; unfold path_mass; fold up down; ring.
Qed.

Variables (A V : Type).
Definition smooth_path : cell A V -> dataset A V -> R -> R := at_smooth_scale noise alpha.

Theorem smooth_path_is_private :
  (forall q D, is_density (smooth_path q D)) /\
  (forall b, private (strong_neighbors alpha) m_infty epsilon (smooth_path (establishment_cell b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (smooth_path q)).
Proof.
  split; [intros q D; apply path_mass_is_one, smooth_bound_pos|].
  apply private_at_smooth_scale; [exact a0|apply path_borel; assumption|apply path_moves_are_bounded; assumption].
Qed.
End Release.
