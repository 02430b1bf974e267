(* Rules on_growth_scale and on_growth_staircase: noise around the place of a count on the growth scale, where neighbors
   are at most one unit apart, for strong and weak neighbors. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common comparisons datasets bridge log_laplace.
From Establish Require Import pieces growth_scale_steps growth_scale_release growth_staircase.
Open Scope R_scope.

Section Rules.
Variables (A V parameters : Type) (domain : parameters -> Prop) (alpha level : parameters -> R).
Variable growth : forall p, domain p -> 0 < alpha p.

(* The density at o of what lies on the scale as [noise] around the place of the count: ln of it, and of the slope. *)
Definition released (noise : parameters -> R -> R -> R) p (q : cell A V) (D : dataset A V) (o : R) : R :=
  exp (noise p (phi (alpha p) (count q D)) (phi (alpha p) o) + growth_slope (alpha p) o).
Definition for_both p (M : cell A V -> dataset A V -> R -> R) : Prop :=
  (forall b, private (strong_neighbors (alpha p)) m_infty (level p) (M (establishment_cell b))) /\
  (forall q, private (weak_neighbors (alpha p)) m_infty (level p) (M q)).

(* Owed of the noise around any m: a slide by 0 to 1 costs at most the level at every w, in both directions. What is
   owed of the pieces of the scale is a theorem. *)
Theorem on_growth_scale (noise : parameters -> R -> R -> R) :
  stated (fun v : parameters * R * R * R => let '(p, m, d, w) := v in domain p /\ 0 <= d <= 1)
    (fun v => let '(p, m, d, w) := v in noise p m w - noise p (m + d) w) at_most
    (fun v => let '(p, m, d, w) := v in level p) ->
  stated (fun v : parameters * R * R * R => let '(p, m, d, w) := v in domain p /\ 0 <= d <= 1)
    (fun v => let '(p, m, d, w) := v in noise p (m + d) w - noise p m w) at_most
    (fun v => let '(p, m, d, w) := v in level p) ->
  (forall p m, domain p -> borel_function (noise p m)) ->
  forall p, domain p -> for_both p (released noise p).
Proof.
  intros there back borel p inside; pose proof (growth p inside) as a0.
  assert (law : forall q D, lawful m_infty (released noise p q D)).
  { intros q D; apply borel_is_lawful; [|intros o; left; apply exp_pos].
    apply (@borel_of exp).
    { apply continuous_is_borel; intros; apply derivable_continuous_pt, derivable_pt_exp. }
    apply (@borel_sum (fun o => noise p (phi (alpha p) (count q D)) (phi (alpha p) o))).
    - apply (@borel_of (noise p (phi (alpha p) (count q D)))); [apply borel, inside|apply phi_borel, a0].
    - apply slope_borel, a0. }
  assert (loss : forall l l' o, one_grows (alpha p) l l' ->
    noise p (phi (alpha p) (total l)) (phi (alpha p) o) - noise p (phi (alpha p) (total l')) (phi (alpha p) o) <= level p /\
    noise p (phi (alpha p) (total l')) (phi (alpha p) o) - noise p (phi (alpha p) (total l)) (phi (alpha p) o) <= level p).
  { intros l l' o h; pose proof (one_step (alpha p) a0 l l' h) as d.
    pose proof (there (p, phi (alpha p) (total l), phi (alpha p) (total l') - phi (alpha p) (total l), phi (alpha p) o) (conj inside d)) as t.
    pose proof (back (p, phi (alpha p) (total l), phi (alpha p) (total l') - phi (alpha p) (total l), phi (alpha p) o) (conj inside d)) as b.
    simpl in t, b; rewrite Rplus_minus in t, b; split; assumption. }
  split; [intros b|intros q]; (apply bound_at_every_output; [apply law|]); intros D D' o near _; apply exp_ratio; unfold count.
  - destruct (strong_lists A V (alpha p) b D D' near) as [h|h]; destruct (loss _ _ o h); lra.
  - destruct (weak_lists A V (alpha p) q D D' near) as [h|h]; destruct (loss _ _ o h); lra.
Qed.

(* Owed of a staircase with the ends r1 and r2 of its flat part: within -r1 - k and r2 + k a slide by 0 to 1 stays within
   k + 1 more steps, in both directions; every step is lower by epsilon; epsilon is at most the level. *)
Theorem on_growth_staircase (r1 r2 epsilon : parameters -> R) (step : R -> R -> R -> R -> R) :
  (forall down up k d w, 0 <= k -> 0 <= d <= 1 -> - down - k <= w <= up + k ->
    - down - (k + 1) <= w - d <= up + (k + 1) /\ - down - (k + 1) <= w + d <= up + (k + 1)) ->
  (forall e down up k, 0 < e -> 0 <= down -> 0 <= up -> 0 <= k -> step k down up e - step (k + 1) down up e = e) ->
  stated domain epsilon at_most level ->
  (forall p, domain p -> 0 < epsilon p /\ 0 <= r1 p /\ 0 <= r2 p) ->
  forall p, domain p -> for_both p (released (fun p m w => step (IZR (steps (r1 p) (r2 p) (w - m))) (r1 p) (r2 p) (epsilon p)) p).
Proof.
  intros slid lower enough known.
  assert (falls : forall p, domain p -> forall k n, (0 <= k)%Z -> (k <= n + 1)%Z -> (0 <= n)%Z ->
    step (IZR n) (r1 p) (r2 p) (epsilon p) - step (IZR k) (r1 p) (r2 p) (epsilon p) <= epsilon p).
  { intros p inside k n k0 near n0; destruct (known p inside) as (e0 & d0 & u0).
    set (f := fun k => step (IZR k) (r1 p) (r2 p) (epsilon p)); fold (f n); fold (f k).
    assert (one : forall j, (0 <= j)%Z -> f j - f (j + 1)%Z = epsilon p).
    { intros j j0; unfold f; rewrite plus_IZR; apply lower; try assumption; apply (IZR_le 0), j0. }
    assert (down : forall i : nat, f (k + Z.of_nat i)%Z <= f k).
    { induction i as [|i IH]; [rewrite Z.add_0_r; lra|]; pose proof (one (k + Z.of_nat i)%Z ltac:(lia)).
      replace (k + Z.of_nat (S i))%Z with (k + Z.of_nat i + 1)%Z by lia; lra. }
    destruct (Z_le_gt_dec k n) as [h|h].
    - pose proof (down (Z.to_nat (n - k))) as i; rewrite Z2Nat.id in i by lia; replace (k + (n - k))%Z with n in i by lia; lra.
    - replace k with (n + 1)%Z by lia; rewrite one by exact n0; lra. }
  assert (nonneg : forall down up w, (0 <= steps down up w)%Z) by (intros; unfold steps; lia).
  assert (close : forall down up w d, 0 <= d <= 1 ->
    (steps down up (w - d) <= steps down up w + 1)%Z /\ (steps down up w <= steps down up (w - d) + 1)%Z).
  { intros down up w d h; split; apply steps_at_most; rewrite plus_IZR; (split; [pose proof (nonneg down up w); pose proof (nonneg down up (w - d)); lia|]).
    - destruct (proj1 (steps_at_most down up w _) (Z.le_refl _)) as (k0 & lo & hi); apply (IZR_le 0) in k0.
      destruct (slid down up _ d w k0 h (conj lo hi)); lra.
    - destruct (proj1 (steps_at_most down up (w - d) _) (Z.le_refl _)) as (k0 & lo & hi); apply (IZR_le 0) in k0.
      destruct (slid down up _ d (w - d) k0 h (conj lo hi)); lra. }
  apply on_growth_scale.
  - intros [[[p m] d] w] [inside h]; simpl; apply Rle_trans with (2 := enough p inside).
    replace (w - (m + d)) with (w - m - d) by ring; apply falls; try apply nonneg; [exact inside|apply close, h].
  - intros [[[p m] d] w] [inside h]; simpl; apply Rle_trans with (2 := enough p inside).
    replace (w - (m + d)) with (w - m - d) by ring; apply falls; try apply nonneg; [exact inside|apply close, h].
  - intros p m inside; apply (@borel_of (fun w => step (IZR (steps (r1 p) (r2 p) w)) (r1 p) (r2 p) (epsilon p)) (fun w => w - m)).
    + apply (@borel_by_pieces _ (steps (r1 p) (r2 p)) (fun k _ => step (IZR k) (r1 p) (r2 p) (epsilon p)) (fun _ => m_infty)).
      * apply steps_borel.
      * intros k w _; apply continuity_pt_const; intros x y; reflexivity.
      * intros w; exact I.
      * intros w; reflexivity.
    + apply continuous_is_borel; intros; reg.
Qed.
End Rules.
