(* Smooth Staircase as it is released: with the breaks and the costs of steps in spec/ it is private, and with the height by
   which its masses add up to 1 it is a law; and so is the even one, whose steps are the same on both sides. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge log_laplace smooth_sensitivity.
From Establish Require Import pieces growing_parts smooth_staircase.
Open Scope R_scope.

Lemma pow_of_exp x n : exp x ^ n = exp (x * INR n).
Proof.
  induction n as [|n IH]; [simpl; rewrite Rmult_0_r, exp_0; reflexivity|].
  simpl pow; rewrite IH, <- exp_plus, S_INR; f_equal; ring.
Qed.

Section Breaks.
Variable alpha : R.
Variable a0 : 0 < alpha.

(* b_k, above a flat part that ends at r. *)
Definition break_above (r : R) (k : nat) : R := spread_up r ((1 + alpha) ^ k) alpha.
(* c_k, below a flat part that ends at -r: the first [slides] of them are 1 apart. *)
Definition break_below (slides : nat) (r : R) (k : nat) : R :=
  if le_dec k slides then slide_down r (INR k)
  else spread_down (slide_down r (INR slides)) ((1 + alpha) ^ (k - slides)) alpha.
(* They slide as long as they may: until they reach 2/alpha. *)
Definition slides_until (slides : nat) (r : R) : Prop :=
  2 / alpha <= r + INR slides /\ (slides = O \/ r + INR slides - 1 <= 2 / alpha).

Lemma over_alpha : 0 < / alpha.
Proof. apply Rinv_0_lt_compat; lra. Qed.

Lemma above_spreads r : 0 <= r -> spread_above alpha (break_above r).
Proof.
  intros r0; unfold spread_above, break_above, spread_up; split; [simpl; lra|].
  intros k; simpl pow; right; field; lra.
Qed.

Lemma even_spreads r : 0 <= r -> spread_below alpha (break_above r).
Proof.
  intros r0; destruct (above_spreads r r0) as [s0 s]; split; [exact s0|].
  assert (p : forall k, 0 <= break_above r k) by (induction k as [|k IH]; [exact s0|specialize (s k); nra]).
  intros k; specialize (s k); specialize (p k); split; nra.
Qed.

Lemma below_spreads slides r : 0 <= r -> slides_until slides r -> spread_below alpha (break_below slides r).
Proof.
  intros r0 [reach most]; unfold spread_below; split.
  { unfold break_below; destruct (le_dec 0 slides); [unfold slide_down; simpl; lra|lia]. }
  assert (at_turn : break_below slides r slides = r + INR slides).
  { unfold break_below, slide_down; destruct (le_dec slides slides); [reflexivity|lia]. }
  assert (far : forall j, break_below slides r (slides + j) = (1 + alpha) ^ j * (r + INR slides - 1 / alpha) + 1 / alpha).
  { intros [|j]; [rewrite Nat.add_0_r, at_turn; simpl; ring|].
    unfold break_below; destruct (le_dec (slides + S j) slides); [lia|].
    replace (slides + S j - slides)%nat with (S j) by lia; reflexivity. }
  assert (half : 2 / alpha = 1 / alpha + 1 / alpha) by (field; lra).
  assert (aa : alpha * (1 / alpha) = 1) by (field; lra).
  intros k; destruct (le_lt_dec slides k) as [late|early].
  - replace k with (slides + (k - slides))%nat by lia; set (j := (k - slides)%nat).
    replace (S (slides + j)) with (slides + S j)%nat by lia; rewrite !far; simpl pow.
    assert (p : 1 <= (1 + alpha) ^ j) by (apply pow_R1_Rle; lra).
    set (g := (1 + alpha) ^ j) in *; set (x := r + INR slides - 1 / alpha) in *.
    assert (ax : 1 <= alpha * x) by (unfold x; assert (alpha * (1 / alpha + 1 / alpha) <= alpha * (r + INR slides)) by (apply Rmult_le_compat_l; lra); lra).
    split; [nra|].
    replace ((1 + alpha) * (g * x + 1 / alpha) - 1) with ((1 + alpha) * g * x + 1 / alpha + (alpha * (1 / alpha) - 1)) by ring; lra.
  - assert (s1 : INR k + 1 <= INR slides) by (rewrite <- S_INR; apply le_INR; lia).
    destruct most as [z|most]; [lia|].
    unfold break_below, slide_down; destruct (le_dec k slides); [|lia]; destruct (le_dec (S k) slides); [|lia].
    rewrite S_INR; split; [lra|].
    assert (alpha * (r + INR k) <= alpha * (1 / alpha + 1 / alpha)) by (apply Rmult_le_compat_l; lra); lra.
Qed.

(* All breaks are within a geometric growth. *)
Lemma above_at_most r k : 0 <= r -> 0 <= break_above r k <= (r + 1 / alpha) * (1 + alpha) ^ k.
Proof.
  intros r0; pose proof over_alpha; assert (p : 1 <= (1 + alpha) ^ k) by (apply pow_R1_Rle; lra).
  unfold break_above, spread_up; split; [|lra]; assert (0 <= r * (1 + alpha) ^ k) by (apply Rmult_le_pos; lra).
  unfold Rdiv; nra.
Qed.

Lemma below_at_most slides r k : 0 <= r -> slides_until slides r ->
  0 <= break_below slides r k <= (r + 1 / alpha) * (1 + alpha) ^ k.
Proof.
  intros r0 until; split; [apply (down_nonneg (break_below slides r) alpha), below_spreads; assumption|].
  pose proof over_alpha as i; destruct until as [reach _].
  assert (aa : alpha * (1 / alpha) = 1) by (field; lra).
  assert (slid : forall n, r + INR n + 1 / alpha <= (r + 1 / alpha) * (1 + alpha) ^ n).
  { induction n as [|n IH]; [simpl; lra|]; rewrite S_INR; simpl pow; pose proof (pos_INR n).
    assert (p : 1 <= (1 + alpha) ^ n) by (apply pow_R1_Rle; lra).
    set (g := (1 + alpha) ^ n) in *.
    assert (alpha * (1 / alpha) * 1 <= alpha * ((r + 1 / alpha) * g)).
    { rewrite Rmult_assoc; apply Rmult_le_compat_l; [lra|]; unfold Rdiv in *; nra. }
    replace ((r + 1 / alpha) * ((1 + alpha) * g)) with ((r + 1 / alpha) * g + alpha * ((r + 1 / alpha) * g)) by ring; lra. }
  unfold break_below; destruct (le_dec k slides) as [h|h].
  - unfold slide_down; specialize (slid k); unfold Rdiv in *; lra.
  - unfold spread_down, slide_down; specialize (slid slides); replace k with (slides + (k - slides))%nat at 2 by lia; rewrite pow_add.
    assert (p : 1 <= (1 + alpha) ^ (k - slides)) by (apply pow_R1_Rle; lra).
    set (g := (1 + alpha) ^ (k - slides)) in *; set (h' := (1 + alpha) ^ slides) in *.
    assert (g * (r + INR slides + 1 / alpha) <= g * ((r + 1 / alpha) * h')) by (apply Rmult_le_compat_l; lra).
    unfold Rdiv in *; nra.
Qed.
End Breaks.

Section Mass.
Variables (up down : nat -> R) (up_cost down_cost alpha bound : R).
Variable a0 : 0 < alpha.
Variable above : spread_above alpha up.
Variable below : spread_below alpha down.
Variable up_most : forall k, up k <= bound * (1 + alpha) ^ k.
Variable down_most : forall k, down k <= bound * (1 + alpha) ^ k.
Variable up_falls : ln (1 + alpha) < up_cost.
Variable down_falls : ln (1 + alpha) < down_cost.

(* The mass of step n on both sides, in units of the height; of the flat part for n = 0. *)
Definition step_mass (n : nat) : R :=
  exp (- up_cost * INR n) * (up n - match n with O => 0 | S m => up m end)
  + exp (- down_cost * INR n) * (down n - match n with O => 0 | S m => down m end).

Let up_step k : up k + 1 <= up (S k).
Proof. exact (up_apart up alpha a0 above k). Qed.
Let down_step k : down k + 1 <= down (S k).
Proof. exact (down_apart down alpha below k). Qed.

Lemma step_mass_pos n : 0 <= step_mass n.
Proof.
  unfold step_mass; pose proof (proj1 above); pose proof (proj1 below).
  destruct n as [|n]; [|specialize (up_step n); specialize (down_step n)];
    (apply Rplus_le_le_0_compat; apply Rmult_le_pos; [left; apply exp_pos|lra|left; apply exp_pos|lra]).
Qed.

Lemma masses_sum : ex_series step_mass.
Proof.
  set (least := Rmin up_cost down_cost).
  assert (lu : least <= up_cost) by apply Rmin_l; assert (ld : least <= down_cost) by apply Rmin_r.
  assert (falls : ln (1 + alpha) < least) by (apply Rmin_glb_lt; assumption).
  set (q := exp (ln (1 + alpha) - least)).
  assert (qb : 0 < q < 1).
  { split; [apply exp_pos|]; apply Rlt_le_trans with (exp 0); [apply exp_increasing; lra|rewrite exp_0; lra]. }
  assert (b0 : 0 <= bound).
  { pose proof (proj1 above) as u0; pose proof (up_most 0) as h; simpl in h; lra. }
  assert (each : forall cost x n, least <= cost -> 0 <= x -> x <= bound * (1 + alpha) ^ n ->
    exp (- cost * INR n) * x <= bound * q ^ n).
  { intros cost x n lc x0 xm.
    assert (qn : q ^ n = exp (- least * INR n) * (1 + alpha) ^ n).
    { rewrite <- (exp_ln (1 + alpha)) at 1 by lra; unfold q; rewrite !pow_of_exp, <- exp_plus; f_equal; ring. }
    rewrite qn; replace (bound * (exp (- least * INR n) * (1 + alpha) ^ n)) with (exp (- least * INR n) * (bound * (1 + alpha) ^ n)) by ring.
    apply Rmult_le_compat; [left; apply exp_pos|exact x0|apply exp_le; pose proof (pos_INR n); nra|exact xm]. }
  apply (ex_series_le (V := R_CompleteNormedModule) _ (fun n => 2 * bound * q ^ n)).
  - intros n; change (norm ?x) with (Rabs x); rewrite Rabs_pos_eq by apply step_mass_pos; unfold step_mass.
    pose proof (proj1 above) as u0; pose proof (proj1 below) as d0.
    assert (up_nonneg : forall k, 0 <= up k) by (induction k as [|k IH]; [exact u0|specialize (up_step k); lra]).
    pose proof (down_nonneg down alpha below) as down_nonneg.
    assert (parts : 0 <= up n - match n with O => 0 | S m => up m end <= bound * (1 + alpha) ^ n
      /\ 0 <= down n - match n with O => 0 | S m => down m end <= bound * (1 + alpha) ^ n).
    { pose proof (up_most n); pose proof (down_most n).
      destruct n as [|n]; [lra|]; specialize (up_step n); specialize (down_step n); specialize (up_nonneg n); specialize (down_nonneg n); lra. }
    destruct parts as [[u1 u2] [v1 v2]].
    pose proof (each up_cost _ n lu u1 u2); pose proof (each down_cost _ n ld v1 v2); lra.
  - exists (scal (2 * bound) (/ (1 - q))); apply (is_series_scal (V := R_NormedModule)), is_series_geom; rewrite Rabs_pos_eq; lra.
Qed.

Lemma whole_mass_pos : 0 < Series step_mass.
Proof.
  pose proof masses_sum as sum; rewrite (Series_incr_1 step_mass sum).
  assert (rest : ex_series (fun k => step_mass (S k))) by (apply (ex_series_incr_1 step_mass), sum).
  rewrite (Series_incr_1 (fun k => step_mass (S k)) rest).
  assert (more : 0 <= Series (fun k => step_mass (S (S k)))).
  { rewrite <- (Rmult_0_l (Series (fun k => step_mass (S (S k))))), <- Series_scal_l; apply Series_le.
    - intros k; pose proof (step_mass_pos (S (S k))); lra.
    - apply (ex_series_incr_1 (fun k => step_mass (S k))), rest. }
  pose proof (step_mass_pos 0); assert (0 < step_mass 1); [|lra].
  unfold step_mass; specialize (up_step 0); specialize (down_step 0).
  apply Rplus_lt_0_compat; (apply Rmult_lt_0_compat; [apply exp_pos|lra]).
Qed.

(* Around every center, at every scale. *)
Theorem spreading_mass center s : 0 < s ->
  is_density (fun o => exp (spreading_log_density up down up_cost down_cost (/ Series step_mass) ((o - center) / s) - ln s)).
Proof.
  intros s0; pose proof whole_mass_pos as w; pose proof (proj1 above) as u0; pose proof (proj1 below) as d0.
  set (h := / Series step_mass); assert (h0 : 0 < h) by (apply Rinv_0_lt_compat, w).
  assert (ru := steps_to_at_most up u0 up_step); assert (rd := steps_to_at_most down d0 down_step).
  set (f := fun o => exp (spreading_log_density up down up_cost down_cost h ((o - center) / s) - ln s)).
  assert (value : forall o i j, steps_to up ((o - center) / s) = i -> steps_to down (- ((o - center) / s)) = j ->
    f o = h / s * (exp (- up_cost * INR i) * exp (- down_cost * INR j))).
  { intros o i j ei ej; unfold f, spreading_log_density; rewrite ei, ej.
    replace (ln h - up_cost * INR i - down_cost * INR j - ln s)
      with (ln h + (- up_cost * INR i + - down_cost * INR j) + - ln s) by ring.
    rewrite !exp_plus, exp_Ropp, !exp_ln by assumption; unfold Rdiv; ring. }
  assert (unit : forall o x, (o <= center + s * x <-> (o - center) / s <= x) /\ (center + s * x < o <-> x < (o - center) / s)).
  { intros o x; assert (e : o = center + s * ((o - center) / s)) by (field; lra); set (z := (o - center) / s) in *; split; split; intros k; rewrite ?e in *; nra. }
  assert (mirror : forall o x, (- (s * x - center) <= o <-> - ((o - center) / s) <= x) /\ (o < - (s * x - center) <-> x < - ((o - center) / s))).
  { intros o x; assert (e : o = center + s * ((o - center) / s)) by (field; lra); set (z := (o - center) / s) in *; split; split; intros k; rewrite ?e in *; nra. }
  assert (flat_up : forall z, z <= 0 -> steps_to up z = O) by (intros z k; apply (none_before_the_flat up u0 up_step); lra).
  assert (flat_down : forall z, z <= 0 -> steps_to down z = O) by (intros z k; apply (none_before_the_flat down d0 down_step); lra).
  assert (exactly : forall b (rb : forall z k, (steps_to b z <= k)%nat <-> z <= b k) z n, b n < z -> z <= b (S n) -> steps_to b z = S n).
  { intros b rb z n k l; apply rb in l; assert (~ (steps_to b z <= n)%nat) by (rewrite rb; lra); lia. }
  apply (@mass_in_steps f (fun n => s * down n - center) (fun n => center + s * up n)
    (fun n => h / s * exp (- down_cost * INR n)) (fun n => h / s * exp (- up_cost * INR n)) 1).
  - unfold f; apply (@borel_of exp); [apply continuous_is_borel; intros; apply derivable_continuous_pt, derivable_pt_exp|].
    apply (@borel_sum (fun o => spreading_log_density up down up_cost down_cost h ((o - center) / s))).
    + apply (@borel_of (spreading_log_density up down up_cost down_cost h) (fun o => (o - center) / s));
        [apply (spreading_borel up down up_cost down_cost h alpha); assumption|].
      apply continuous_is_borel; intros; unfold Rdiv; reg.
    + apply continuous_is_borel; intros o; apply continuity_pt_const; intros x y; reflexivity.
  - intros o; left; apply exp_pos.
  - nra.
  - intros n; pose proof (down_step n); nra.
  - intros n; pose proof (up_step n); nra.
  - intros o; set (z := (o - center) / s).
    exists (Nat.max (steps_to up z) (steps_to down (- z))); split; [apply mirror; fold z; apply rd|apply unit; fold z; apply ru]; lia.
  - simpl INR; rewrite !Rmult_0_r; reflexivity.
  - intros o k l; apply mirror in k; apply unit in l; apply rd in k; apply ru in l.
    rewrite (value o O O) by lia; simpl INR; rewrite !Rmult_0_r, exp_0; ring.
  - intros n o k l; apply unit in k, l.
    assert (p : 0 <= up n) by (clear - u0 up_step; induction n as [|n IH]; [exact u0|specialize (up_step n); lra]).
    rewrite (value o (S n) O); [simpl (INR 0); rewrite (Rmult_0_r (- down_cost)), exp_0; ring| |].
    + apply exactly; [exact ru|exact k|exact l].
    + apply flat_down; lra.
  - intros n o k l; apply mirror in k, l.
    pose proof (down_nonneg down alpha below n) as p.
    rewrite (value o O (S n)); [simpl (INR 0); rewrite (Rmult_0_r (- up_cost)), exp_0; ring| |].
    + apply flat_up; lra.
    + apply exactly; [exact rd|exact l|exact k].
  - assert (sum : is_series (fun n => h * step_mass n) 1).
    { replace 1 with (scal h (Series step_mass) : R) by (unfold scal; simpl; unfold mult; simpl; unfold h; apply Rinv_l; lra).
      apply (is_series_scal (V := R_NormedModule)), Series_correct, masses_sum. }
    (* The center falls out of the flat part, and between breaks. *)
    eapply is_series_ext; [|exact sum]; intros n; match goal with |- ?a = ?b => change (@eq R a b) end.
    unfold step_mass; destruct n as [|n]; simpl INR; rewrite ?Rmult_0_r, ?exp_0; field; lra.
Qed.
End Mass.

Section Release.
Variables (A V : Type).

(* Of a flat part from -r1 to r2, with the steps of spec/ below and above; and on both sides with those of above. *)
Definition smooth_staircase_of (alpha epsilon r1 r2 : R) (slides : nat) : cell A V -> dataset A V -> R -> R :=
  let up := break_above alpha r2 in let down := break_below alpha slides r1 in
  let up_cost := staircase_up_drop alpha epsilon in let down_cost := staircase_down_drop alpha epsilon in
  smooth_staircase up down up_cost down_cost (/ Series (step_mass up down up_cost down_cost)) alpha.
Definition even_smooth_staircase_of (alpha epsilon r1 r2 : R) : cell A V -> dataset A V -> R -> R :=
  let up := break_above alpha r2 in let down := break_above alpha r1 in let cost := staircase_down_drop alpha epsilon in
  smooth_staircase up down cost cost (/ Series (step_mass up down cost cost)) alpha.

Lemma within_costs alpha epsilon : 0 < alpha -> 2 * ln (1 + alpha) < epsilon ->
  0 < ln (1 + alpha) /\ ln (1 + alpha) < staircase_up_drop alpha epsilon <= epsilon /\
  ln (1 + alpha) < staircase_down_drop alpha epsilon <= epsilon - ln (1 + alpha).
Proof. intros a0 e; pose proof (ln_pos (1 + alpha) ltac:(lra)); unfold staircase_up_drop, staircase_down_drop; lra. Qed.

Theorem smooth_staircase_is_private alpha epsilon r1 r2 slides : 0 < alpha -> 2 * ln (1 + alpha) < epsilon ->
  0 <= r1 -> 0 <= r2 -> slides_until alpha slides r1 ->
  let release := smooth_staircase_of alpha epsilon r1 r2 slides in
  (forall q D, is_density (release q D)) /\
  (forall b, private (strong_neighbors alpha) m_infty epsilon (release (establishment_cell b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (release q)).
Proof.
  intros a0 e0 d0 u0 until release; destruct (within_costs alpha epsilon a0 e0) as (l & uc & dc); split.
  - intros q D; set (B := Rmax (r1 + 1 / alpha) (r2 + 1 / alpha)).
    assert (grow : forall x k, x <= B -> x * (1 + alpha) ^ k <= B * (1 + alpha) ^ k)
      by (intros x k h; apply Rmult_le_compat_r; [apply pow_le; lra|exact h]).
    apply (spreading_mass _ _ _ _ alpha B a0); try apply above_spreads; try apply below_spreads; try assumption; try lra.
    + intros k; apply Rle_trans with (2 := grow _ k (Rmax_r _ _)), above_at_most; assumption.
    + intros k; apply Rle_trans with (2 := grow _ k (Rmax_l _ _)), below_at_most; assumption.
    + apply smooth_bound_pos.
  - apply private_with_spread_breaks; try apply above_spreads; try apply below_spreads; try assumption; lra.
Qed.

Theorem even_smooth_staircase_is_private alpha epsilon r1 r2 : 0 < alpha -> 2 * ln (1 + alpha) < epsilon ->
  0 <= r1 -> 0 <= r2 -> let release := even_smooth_staircase_of alpha epsilon r1 r2 in
  (forall q D, is_density (release q D)) /\
  (forall b, private (strong_neighbors alpha) m_infty epsilon (release (establishment_cell b))) /\
  (forall q, private (weak_neighbors alpha) m_infty epsilon (release q)).
Proof.
  intros a0 e0 d0 u0 release; destruct (within_costs alpha epsilon a0 e0) as (l & uc & dc); split.
  - intros q D; set (B := Rmax (r1 + 1 / alpha) (r2 + 1 / alpha)).
    assert (grow : forall x k, x <= B -> x * (1 + alpha) ^ k <= B * (1 + alpha) ^ k)
      by (intros x k h; apply Rmult_le_compat_r; [apply pow_le; lra|exact h]).
    apply (spreading_mass _ _ _ _ alpha B a0); try apply above_spreads; try apply even_spreads; try assumption; try lra.
    + intros k; apply Rle_trans with (2 := grow _ k (Rmax_r _ _)), above_at_most; assumption.
    + intros k; apply Rle_trans with (2 := grow _ k (Rmax_l _ _)), above_at_most; assumption.
    + apply smooth_bound_pos.
  - apply private_with_spread_breaks; try apply above_spreads; try apply even_spreads; try assumption; lra.
Qed.
End Release.
