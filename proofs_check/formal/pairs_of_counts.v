(* Rules pointwise and smooth: from densities of two neighboring counts to every event and all datasets.

   Neighbors are read as pairs of counts: one establishment of a cell grows from x to y, beside others that add up to
   [rest], the largest of which has [most]. That they all are such pairs is a theorem here. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
From Establish Require Import spec_formulas common datasets bridge pieces log_laplace laplace_edges.
Open Scope R_scope.

(* From x to y at most, as the relation allows. At alpha = 0 it is one worker. *)
Definition step_to (alpha x y : R) : Prop := 0 <= x /\ x <= y <= Rmax ((1 + alpha) * x) (x + 1).

Lemma one_step_is_a_pair alpha l l' : one_grows alpha l l' -> exists x y most rest, step_to alpha x y /\
  0 <= most <= rest /\ total l = x + rest /\ total l' = y + rest /\ largest l = Rmax x most /\ largest l' = Rmax y most.
Proof.
  intros (pos & _ & b & x & y & a & -> & -> & [xy g]).
  apply Forall_app in pos; destruct pos as [pb pa]; inversion pa as [|? ? x0 pa']; subst.
  assert (sums : forall l, List.Forall (fun x : R => 0 <= x) l -> 0 <= largest l <= total l).
  { induction 1 as [|u l u0 _ IH]; simpl; [lra|]; split; [apply Rle_trans with (2 := Rmax_l _ _), u0|apply Rmax_lub; lra]. }
  pose proof (sums b pb); pose proof (sums a pa').
  exists x, y, (Rmax (largest b) (largest a)), (total b + total a).
  rewrite !total_app, !largest_app; simpl; repeat split; try lra.
  - destruct g; [apply Rle_trans with (2 := Rmax_l _ _)|apply Rle_trans with (2 := Rmax_r _ _)]; assumption.
  - apply Rle_trans with (2 := Rmax_l _ _); lra.
  - apply Rmax_lub; lra.
  - rewrite !Rmax_assoc, (Rmax_comm (largest b)); reflexivity.
  - rewrite !Rmax_assoc, (Rmax_comm (largest b)); reflexivity.
Qed.

Section Rules.
Variables (A V parameters : Type) (domain : parameters -> Prop) (alpha level : parameters -> R).

Lemma edge_lists (q : cell A V) D D' : edge_neighbors D D' ->
  one_grows 0 (contributions q D) (contributions q D') \/ one_grows 0 (contributions q D') (contributions q D).
Proof.
  assert (one : forall D D', one_changes A V (gains_one_job A V) D D' -> one_grows 0 (contributions q D) (contributions q D')).
  { intros E E'; apply one_changes_contributions; intros e e' h; pose proof (one_job_more A V q e e' h); unfold may_grow; lra. }
  intros [h|h]; [left|right]; apply one, h.
Qed.

(* For every relation and query class in which a cell's counts are such pairs. *)
Definition for_neighbors (p : parameters) (low : Rbar) (M : cell A V -> dataset A V -> R -> R) : Prop :=
  (forall b, private (strong_neighbors (alpha p)) low (level p) (M (establishment_cell b))) /\
  (forall q, private (weak_neighbors (alpha p)) low (level p) (M q)) /\
  (alpha p = 0 -> forall q, private edge_neighbors low (level p) (M q)).

Lemma from_pairs p low (M : cell A V -> dataset A V -> R -> R) (log_density : list R -> R -> R) :
  (forall q D o, M q D o = exp (log_density (contributions q D) o)) -> (forall q D, lawful low (M q D)) ->
  (forall l l' o, one_grows (alpha p) l l' -> above low o -> log_density l o - log_density l' o <= level p /\
    log_density l' o - log_density l o <= level p) -> for_neighbors p low M.
Proof.
  intros is law loss.
  assert (both : forall (neighbors : dataset A V -> dataset A V -> Prop) q,
    (forall D D', neighbors D D' -> one_grows (alpha p) (contributions q D) (contributions q D') \/
      one_grows (alpha p) (contributions q D') (contributions q D)) -> private neighbors low (level p) (M q)).
  { intros neighbors q pairs; apply bound_at_every_output; [apply law|].
    intros D D' o near up; rewrite !is; apply exp_ratio; destruct (pairs D D' near) as [h|h]; destruct (loss _ _ o h up); assumption. }
  split; [intros b; apply both, strong_lists|split; [intros q; apply both, weak_lists|]].
  intros none q; apply both; rewrite none; apply edge_lists.
Qed.

(* Rule pointwise: the law is that of the total, with the log-density [law] above [low]. Owed: ln p - ln q <= level
   at every output, in both directions; and that the least value of outputs is the same for both. *)
Theorem pointwise (law : parameters -> R -> R -> R) (low : parameters -> R -> Rbar) :
  (forall p x y rest o, domain p -> step_to (alpha p) x y -> 0 <= rest -> above (low p (x + rest)) o ->
    law p (x + rest) o - law p (y + rest) o <= level p) ->
  (forall p x y rest o, domain p -> step_to (alpha p) x y -> 0 <= rest -> above (low p (x + rest)) o ->
    law p (y + rest) o - law p (x + rest) o <= level p) ->
  (forall p x y rest, domain p -> step_to (alpha p) x y -> 0 <= rest -> low p (x + rest) = low p (y + rest)) ->
  (forall p n, domain p -> 0 <= n -> lawful (low p n) (fun o => exp (law p n o))) ->
  forall p, domain p -> for_neighbors p (low p 0) (fun q D o => exp (law p (count q D) o)).
Proof.
  intros there back same lawful p inside.
  assert (one : forall n, 0 <= n -> low p n = low p 0).
  { assert (close : forall n t, 0 <= n -> 0 <= t <= 1 -> low p (n + t) = low p n).
    { intros n t n0 t1; pose proof (same p 0 t n inside) as h; rewrite Rplus_0_l, (Rplus_comm t) in h; symmetry; apply h; [|exact n0].
      unfold step_to; pose proof (Rmax_r ((1 + alpha p) * 0) (0 + 1)); lra. }
    assert (whole : forall k t, 0 <= t <= 1 -> low p (INR k + t) = low p 0).
    { induction k as [|k IH]; intros t t1.
      - simpl; rewrite (close 0 t) by lra; reflexivity.
      - rewrite close by (try apply pos_INR; lra); rewrite S_INR; apply IH; lra. }
    intros n n0; destruct (nfloor_ex n n0) as [k [low_ up]].
    replace n with (INR k + (n - INR k)) by ring; apply whole; lra. }
  apply (from_pairs p (low p 0) _ (fun l o => law p (total l) o)).
  - reflexivity.
  - intros q D; rewrite <- (one (count q D)) by apply count_nonneg; apply lawful; [exact inside|apply count_nonneg].
  - intros l l' o grows up; destruct (one_step_is_a_pair _ _ _ grows) as (x & y & most & rest & s & mr & -> & -> & _).
    assert (here : above (low p (x + rest)) o) by (rewrite one; [exact up|destruct s; lra]).
    split; [apply there|apply back]; try assumption; lra.
Qed.

(* Rule smooth: the law is center + scale Z, where Z has the log-density [z], and center and scale are those of the
   total and of the largest count. Owed: in units of the scale, the larger of two neighbors lies 0 to [slide] further
   up, and has 1 to [stretch] times the scale, which is positive; and no such slide and stretch loses more than the
   level at any output, in both directions. *)
Theorem smooth (z : parameters -> R -> R) (center scale : parameters -> R -> R -> R) (slide stretch : parameters -> R) :
  let pair p x y most rest := domain p /\ step_to (alpha p) x y /\ 0 <= most <= rest in
  let at_ (f : parameters -> R -> R -> R) p x most rest := f p (x + rest) (Rmax x most) in
  (forall p x y most rest, pair p x y most rest -> 0 < at_ scale p x most rest) ->
  (forall p x y most rest, pair p x y most rest ->
    0 <= at_ center p y most rest - at_ center p x most rest <= slide p * at_ scale p x most rest) ->
  (forall p x y most rest, pair p x y most rest ->
    at_ scale p x most rest <= at_ scale p y most rest <= stretch p * at_ scale p x most rest) ->
  (forall p d m w, domain p -> 0 <= d <= slide p -> 1 <= m <= stretch p -> z p (m * w + d) - (z p w - ln m) <= level p) ->
  (forall p d m w, domain p -> 0 <= d <= slide p -> 1 <= m <= stretch p -> z p w - ln m - z p (m * w + d) <= level p) ->
  (forall p, domain p -> borel_function (z p)) ->
  forall p, domain p -> for_neighbors p m_infty (fun q D o =>
    let s := scale p (count q D) (largest (contributions q D)) in
    exp (z p ((o - center p (count q D) (largest (contributions q D))) / s) - ln s)).
Proof.
  intros pair at_ positive moved stretched there back borel p inside.
  apply (from_pairs p m_infty _ (fun l o => z p ((o - center p (total l) (largest l)) / scale p (total l) (largest l))
    - ln (scale p (total l) (largest l)))).
  - reflexivity.
  - intros q D; set (n := count q D); set (big := largest (contributions q D)).
    apply borel_is_lawful; [|intros o; left; apply exp_pos].
    apply (@borel_of exp).
    { apply continuous_is_borel; intros; apply derivable_continuous_pt, derivable_pt_exp. }
    apply (@borel_sum (fun o => z p ((o - center p n big) / scale p n big)) (fun _ => - ln (scale p n big))).
    + apply (@borel_of (z p)); [apply borel, inside|apply continuous_is_borel; intros; reg].
    + apply continuous_is_borel; intros; reg.
  - intros l l' o grows _; destruct (one_step_is_a_pair _ _ _ grows) as (x & y & most & rest & s & mr & -> & -> & -> & ->).
    assert (here : pair p x y most rest) by (split; [exact inside|split; assumption]).
    pose proof (positive _ _ _ _ _ here) as s0; pose proof (moved _ _ _ _ _ here) as c; pose proof (stretched _ _ _ _ _ here) as t.
    unfold at_ in *; set (s1 := scale p (x + rest) (Rmax x most)) in *; set (s2 := scale p (y + rest) (Rmax y most)) in *.
    set (c1 := center p (x + rest) (Rmax x most)) in *; set (c2 := center p (y + rest) (Rmax y most)) in *.
    assert (d : 0 <= (c2 - c1) / s1 <= slide p).
    { split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, s0]|].
      apply (Rmult_le_reg_r s1); [exact s0|]; replace ((c2 - c1) / s1 * s1) with (c2 - c1) by (field; lra); lra. }
    assert (m : 1 <= s2 / s1 <= stretch p).
    { split; apply (Rmult_le_reg_r s1); try exact s0; replace (s2 / s1 * s1) with s2 by (field; lra); lra. }
    assert (same : s2 / s1 * ((o - c2) / s2) + (c2 - c1) / s1 = (o - c1) / s1) by (field; lra).
    assert (logs : ln (s2 / s1) = ln s2 - ln s1) by (apply ln_div; lra).
    pose proof (there p _ _ ((o - c2) / s2) inside d m) as h; pose proof (back p _ _ ((o - c2) / s2) inside d m) as k.
    rewrite same, logs in h, k; lra.
Qed.
End Rules.
