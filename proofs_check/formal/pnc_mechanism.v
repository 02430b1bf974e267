(* The probably-no-clipping mechanism of Webb et al. 2025, Definition 6.8, for given upper bounds: with psi(0) in its
   sensitivity it satisfies mu-GEDP (Theorem 6.9 as it is meant), for either way to clip and for more noise; with the
   printed 0 it does not. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common neighbor_functions establishment_values.
From Establish Require Import measures gaussian_close normal_vectors gaussian_mechanisms pnc_sensitivity_fails.
Import ListNotations.
Open Scope R_scope.

(* The least value that is close to u and allowed: psi^-1(max(psi(0), psi(u) - gamma)) where psi is real at 0, and
   psi^-1(psi(u) - gamma) where it is not. *)
Definition lower_end (psi : R -> R) (gamma u low : R) : Prop := 0 <= low /\ psi low = Rmax (psi 0) (psi u - gamma).
Definition lower_end_above_0 (psi : R -> R) (gamma u low : R) : Prop := 0 < low /\ psi low = psi u - gamma.

(* What both say of the values at most u that are close to it. *)
Definition reaches (psi : R -> R) (dom : R -> Prop) (gamma u low : R) : Prop :=
  low <= u /\ forall v, dom v -> v <= u -> psi u - psi v <= gamma -> low <= v.

Lemma lower_end_reaches psi gamma u low : neighbor_function psi -> 0 <= gamma -> 0 <= u -> lower_end psi gamma u low ->
  reaches psi (fun x => 0 <= x) gamma u low.
Proof.
  intros (up & _) g0 u0 (l0 & e).
  assert (at0 : forall v, 0 <= v -> psi 0 <= psi v).
  { intros v [h| <-]; [left; apply up; lra|right; reflexivity]. }
  split.
  - apply Rnot_lt_le; intros h; pose proof (up u low ltac:(lra)); pose proof (at0 u u0).
    unfold Rmax in e; destruct (Rle_dec _ _); lra.
  - intros v v0 vu near; apply Rnot_lt_le; intros h; pose proof (up v low ltac:(lra)); pose proof (at0 v v0).
    unfold Rmax in e; destruct (Rle_dec _ _); lra.
Qed.
Lemma lower_end_above_0_reaches psi gamma u low : neighbor_function_above_0 psi -> 0 <= gamma -> 0 < u ->
  lower_end_above_0 psi gamma u low -> reaches psi (fun x => 0 < x) gamma u low.
Proof.
  intros (up & _) g0 u0 (l0 & e); split.
  - apply Rnot_lt_le; intros h; pose proof (up u low ltac:(lra)); lra.
  - intros v v0 vu near; apply Rnot_lt_le; intros h; pose proof (up v low ltac:(lra)); lra.
Qed.

Lemma clipped_values_stay_close psi dom gamma u low cap x y : bends psi dom -> reaches psi dom gamma u low ->
  dom x -> dom y -> dom cap -> cap <= u -> Rabs (psi x - psi y) <= gamma ->
  Rabs (Rmin x cap - Rmin y cap) <= u - low.
Proof.
  intros shape (_ & reach) dx dy dc cu near.
  pose proof shape as (up & _ & stays).
  assert (one : forall x y, dom x -> dom y -> y <= x -> psi x - psi y <= gamma -> Rmin x cap - Rmin y cap <= u - low).
  { clear x y dx dy near; intros x y dx dy yx h.
    assert (le : forall u v, dom u -> u <= v -> psi u <= psi v).
    { intros s t ds [k| ->]; [left; apply up; assumption|right; reflexivity]. }
    set (a := Rmin x cap); set (b := Rmin y cap).
    assert (facts : dom b /\ dom a /\ b <= a /\ a <= cap /\ psi a - psi b <= gamma).
    { unfold a, b, Rmin; destruct (Rle_dec x cap), (Rle_dec y cap); repeat split; auto; try lra.
      - pose proof (le y cap dy ltac:(lra)); pose proof (le cap x dc ltac:(lra)); lra.
      - replace (psi cap - psi cap) with 0 by ring; pose proof (le y x dy yx); lra. }
    destruct facts as (db & da & ba & ac & hab).
    pose proof (shift_brings_closer psi dom b a (u - a) shape db da ltac:(lra)) as s.
    replace (a + (u - a)) with u in s by ring.
    pose proof (le b a db ba); rewrite (Rabs_left1 (psi b - psi a)) in s by lra.
    pose proof (Rle_abs (- (psi (b + (u - a)) - psi u))) as t; rewrite Rabs_Ropp in t.
    pose proof (reach (b + (u - a)) (stays b (b + (u - a)) db ltac:(lra)) ltac:(lra) ltac:(lra)); lra. }
  pose proof (Rle_abs (psi x - psi y)); pose proof (Rle_abs (- (psi x - psi y))) as k; rewrite Rabs_Ropp in k.
  assert (mono : forall s t, s <= t -> Rmin s cap <= Rmin t cap).
  { intros s t st; apply Rmin_glb; [apply Rle_trans with (1 := Rmin_l s cap), st|apply Rmin_r]. }
  destruct (Rle_dec y x) as [yx|xy].
  - rewrite Rabs_pos_eq; [apply one; auto; lra|pose proof (mono y x yx); lra].
  - rewrite Rabs_left1; [|pose proof (mono x y ltac:(lra)); lra].
    replace (- (Rmin x cap - Rmin y cap)) with (Rmin y cap - Rmin x cap) by ring; apply one; auto; lra.
Qed.

Section Clipping.
Variables (A I : Type) (group : A -> nat) (bound : A -> nonnegreal).

(* The largest upper bound of the establishments in group j. *)
Definition largest_bound (D : list (entry A I)) (j : nat) : R :=
  fold_right (fun e m => if Nat.eqb (group (about e)) j then Rmax (bound (about e)) m else m) 0 D.

Lemma largest_bound_nonneg D j : 0 <= largest_bound D j.
Proof.
  induction D as [|e D IH]; simpl; [lra|]; destruct (Nat.eqb _ j); [|exact IH].
  apply Rle_trans with (1 := IH), Rmax_r.
Qed.
Lemma bound_at_most D j e : In e D -> group (about e) = j -> bound (about e) <= largest_bound D j.
Proof.
  intros is_in own; induction D as [|e' D IH]; [contradiction|]; simpl.
  destruct is_in as [->|is_in].
  - rewrite own, Nat.eqb_refl; apply Rmax_l.
  - destruct (Nat.eqb _ j); [apply Rle_trans with (1 := IH is_in), Rmax_r|apply IH, is_in].
Qed.
Lemma largest_bound_app D D' j : largest_bound (D ++ D') j = fold_right (fun e m => if Nat.eqb (group (about e)) j then Rmax (bound (about e)) m else m) (largest_bound D' j) D.
Proof. induction D as [|e D IH]; simpl; [reflexivity|rewrite IH; reflexivity]. Qed.
Lemma same_bounds near D D' j : value_close_neighbors near D D' -> largest_bound D j = largest_bound D' j.
Proof.
  intros (b & e & e' & r & -> & -> & same & _); rewrite !largest_bound_app; simpl; rewrite same; reflexivity.
Qed.

(* Definition 6.8 for attribute i, with lower ends [low]: the sums of groups 0 to k of values that are clipped at the
   largest bound of the group, or at their own, and noise of its sensitivity over nu. *)
Definition pnc_at_largest (low : R -> R) (k : nat) (i : I) (nu : R) (D : list (entry A I)) :=
  gaussian_answers k (fun j => sum_over group i (fun _ x => Rmin x (largest_bound D j)) D j)
    (fun j => (largest_bound D j - low (largest_bound D j)) / nu).
Definition pnc_at_own (low : R -> R) (k : nat) (i : I) (nu : R) (D : list (entry A I)) :=
  gaussian_answers k (fun j => sum_over group i (fun a x => Rmin x (bound a)) D j)
    (fun j => (largest_bound D j - low (largest_bound D j)) / nu).

Lemma clipped_answers_close near low k (i : I) nu mu (cap : nat -> A -> R) D D' :
  0 < nu -> nu <= mu -> value_close_neighbors near D D' ->
  (forall j a, 0 <= cap j a) ->
  (forall e j, In e D -> group (about e) = j -> forall x y, near i x y ->
    let u := largest_bound D j in
    Rmin x (cap j (about e)) = Rmin y (cap j (about e)) \/
    Rabs (Rmin x (cap j (about e)) - Rmin y (cap j (about e))) <= u - low u) ->
  gaussian_close mu
    (gaussian_answers k (fun j => sum_over group i (fun a x => Rmin x (cap j a)) D j)
      (fun j => (largest_bound D j - low (largest_bound D j)) / nu))
    (gaussian_answers k (fun j => sum_over group i (fun a x => Rmin x (cap j a)) D' j)
      (fun j => (largest_bound D j - low (largest_bound D j)) / nu)).
Proof.
  intros n0 le (b & e & e' & r & -> & -> & same & close) c0 stay.
  set (D := b ++ e :: r) in *; set (j0 := group (about e)).
  set (gap := Rmin (value e i) (cap j0 (about e)) - Rmin (value e' i) (cap j0 (about e))).
  assert (change : forall j, sum_over group i (fun a x => Rmin x (cap j a)) (b ++ e' :: r) j
    - sum_over group i (fun a x => Rmin x (cap j a)) D j = if Nat.eqb j0 j then - gap else 0).
  { intros j; unfold D; rewrite !sum_over_app; simpl; rewrite <- same; fold j0.
    destruct (Nat.eqb j0 j) eqn:h; [apply Nat.eqb_eq in h; subst j; unfold gap; ring|ring]. }
  set (d := fun j => if Nat.eqb j0 j then (if Req_EM_T gap 0 then 0 else mu) else 0).
  assert (d0 : forall j, 0 <= d j <= mu) by (intros j; unfold d; destruct (Nat.eqb j0 j), (Req_EM_T gap 0); lra).
  apply (@gaussian_answers_close k _ _ _ d); [|lra|].
  - intros j _; split; [apply d0|]; rewrite change; unfold d.
    destruct (Nat.eqb j0 j) eqn:h; [|rewrite Rabs_R0; lra].
    apply Nat.eqb_eq in h; subst j; rewrite Rabs_Ropp.
    destruct (Req_EM_T gap 0) as [->|ne]; [rewrite Rabs_R0; lra|].
    destruct (stay e j0 ltac:(unfold D; apply in_elt) eq_refl _ _ (close i)) as [z|most].
    + exfalso; apply ne; unfold gap; rewrite z; ring.
    + fold gap in most; set (s := largest_bound D j0 - low (largest_bound D j0)) in *.
      pose proof (Rabs_pos gap).
      apply Rle_trans with (1 := most); replace s with (nu * (s / nu)) at 1 by (field; lra).
      apply Rmult_le_compat_r; [|exact le].
      apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat, n0].
  - apply sum_to_one with j0; [apply pow2_ge_0| |].
    + intros l ne; unfold d; replace (Nat.eqb j0 l) with false by (symmetry; apply Nat.eqb_neq; congruence); ring.
    + apply pow_incr; apply d0.
Qed.

Section Private.
Variables (low : R -> R) (k : nat) (i : I) (nu mu : R).
Variables (n0 : 0 < nu) (le : nu <= mu).

Lemma either_way (near : I -> R -> R -> Prop) :
  (forall u cap x y, 0 <= cap -> cap <= u -> near i x y ->
    Rmin x cap = Rmin y cap \/ Rabs (Rmin x cap - Rmin y cap) <= u - low u) ->
  gaussian_private (value_close_neighbors near) mu (pnc_at_largest low k i nu) /\
  gaussian_private (value_close_neighbors near) mu (pnc_at_own low k i nu).
Proof.
  intros stay; split; intros D D' h; unfold pnc_at_largest, pnc_at_own.
  - assert (e : (fun j => largest_bound D' j) = (fun j => largest_bound D j))
      by (apply FunctionalExtensionality.functional_extensionality; intros j; symmetry; apply (same_bounds near), h).
    change (largest_bound D' = largest_bound D) in e; rewrite e.
    apply (clipped_answers_close near low k i nu mu (fun j _ => largest_bound D j) D D' n0 le h).
    + intros; apply largest_bound_nonneg.
    + intros e1 j _ _ x y xy; apply stay; [apply largest_bound_nonneg|lra|exact xy].
  - assert (e : (fun j => largest_bound D' j) = (fun j => largest_bound D j))
      by (apply FunctionalExtensionality.functional_extensionality; intros j; symmetry; apply (same_bounds near), h).
    change (largest_bound D' = largest_bound D) in e; rewrite e.
    apply (clipped_answers_close near low k i nu mu (fun _ a => bound a) D D' n0 le h).
    + intros; apply cond_nonneg.
    + intros e1 j is_in own x y xy; apply stay; [apply cond_nonneg|apply bound_at_most; assumption|exact xy].
Qed.
End Private.
End Clipping.
Arguments pnc_at_largest {A I}. Arguments pnc_at_own {A I}. Arguments largest_bound {A I}.

Theorem pnc_is_private A I (group : A -> nat) (bound : A -> nonnegreal) (psi : I -> R -> R) (gamma : I -> R) (low : R -> R)
    (k : nat) (i : I) (nu mu : R) : 0 < gamma i -> 0 < nu -> nu <= mu ->
  (neighbor_function (psi i) -> (forall u, 0 <= u -> lower_end (psi i) (gamma i) u (low u)) ->
    gaussian_private (psi_neighbors psi gamma) mu (pnc_at_largest group bound low k i nu) /\
    gaussian_private (psi_neighbors psi gamma) mu (pnc_at_own group bound low k i nu)) /\
  (neighbor_function_above_0 (psi i) -> (forall u, 0 < u -> lower_end_above_0 (psi i) (gamma i) u (low u)) ->
    gaussian_private (psi_neighbors_above_0 psi gamma) mu (pnc_at_largest group bound low k i nu) /\
    gaussian_private (psi_neighbors_above_0 psi gamma) mu (pnc_at_own group bound low k i nu)).
Proof.
  intros g0 n0 le; split; intros f ends; apply (either_way A I group bound low k i nu mu n0 le).
  - intros u cap x y c0 cu (x0 & y0 & near); right.
    apply clipped_values_stay_close with (psi i) (fun x => 0 <= x) (gamma i); auto; [apply bends_from_0, f|].
    apply lower_end_reaches; [exact f|lra|lra|apply ends; lra].
  - intros u cap x y c0 cu [(-> & ->)|(x0 & y0 & near)]; [left; reflexivity|].
    destruct c0 as [c0| <-]; [right|left; rewrite !Rmin_right by lra; reflexivity].
    apply clipped_values_stay_close with (psi i) (fun x => 0 < x) (gamma i); auto; [apply bends_above_0, f|].
    apply lower_end_above_0_reaches; [exact f|lra|lra|apply ends; lra].
Qed.

(* Definition 6.8 as printed, for one establishment with bound u: psi(x) = ln(x + 1/2). *)
Definition printed_pnc (gamma mu : R) (u : R) (D : list (entry unit unit)) :=
  gaussian_answers 0 (fun j => sum_over (fun _ => O) tt (fun _ x => Rmin x u) D j)
    (fun _ => pnc_published_sensitivity u gamma / mu).

Definition alone (x : R) (x0 : 0 <= x) : list (entry unit unit) := [Entry tt (fun _ => mknonnegreal x x0)].

(* At gamma = 1, mu = 1 and u = 3/4 the neighbors with values 0 and 3/4 cost 3. *)
Theorem theorem_6_9_is_false :
  neighbor_function logarithm_half_value /\
  ~ gaussian_private (psi_neighbors (fun _ => logarithm_half_value) (fun _ => 1)) 1 (printed_pnc 1 1 (3 / 4)) /\
  forall level, gaussian_private (psi_neighbors (fun _ => logarithm_half_value) (fun _ => 1)) level (printed_pnc 1 1 (3 / 4)) ->
    3 <= level.
Proof.
  assert (least : forall level, gaussian_private (psi_neighbors (fun _ => logarithm_half_value) (fun _ => 1)) level (printed_pnc 1 1 (3 / 4)) ->
    3 <= level).
  { intros level private.
    destruct printed_sensitivity_is_too_small as (_ & is & _).
    assert (z : 0 <= 0) by lra; assert (t : 0 <= 3 / 4) by lra.
    assert (h : psi_neighbors (fun _ => logarithm_half_value) (fun _ => 1) (alone 0 z) (alone (3 / 4) t)).
    { exists [], (Entry tt (fun _ => mknonnegreal 0 z)), (Entry tt (fun _ => mknonnegreal (3 / 4) t)), [].
      repeat split; simpl; try lra; apply values_0_and_3_4_are_close. }
    pose proof (private _ _ h) as c; unfold printed_pnc in c.
    apply (@one_answer_attains _ _ (fun _ => pnc_published_sensitivity (3 / 4) 1 / 1)) in c; [|rewrite is; lra].
    cbv beta in c; rewrite is in c; unfold alone in c; simpl in c.
    rewrite Rmin_left in c by lra; rewrite Rmin_left in c by lra.
    rewrite Rabs_pos_eq in c by lra; lra. }
  split; [exact psi_is_a_neighbor_function|split; [|exact least]].
  intros private; pose proof (least 1 private); lra.
Qed.
