(* Rule slide_then_dilate: Theorem 8.4 of Haney et al. 2017 for noise of every dimension and a smooth bound that may
   be 0. A law is the probability of every event of a class that slides and dilations do not leave. *)
From Coq Require Import Reals Lra List FunctionalExtensionality.
Import ListNotations.
From Establish Require Import common comparisons.
Open Scope R_scope.

Section Noise.
(* Vectors with a number for every coordinate; finitely many coordinates, each of them listed once. *)
Variables (coordinate : Type) (coordinates : list coordinate).
Variable all : forall i, In i coordinates.
Definition vector := coordinate -> R.
Definition length_of (v : vector) : R := fold_right (fun i s => Rabs (v i) + s) 0 coordinates.

Lemma length_scaled c v : length_of (fun i => v i * c) = length_of v * Rabs c.
Proof. clear all; unfold length_of; induction coordinates as [|i l IH]; simpl; [ring|rewrite IH, Rabs_mult; ring]. Qed.
Lemma length_nonneg v : 0 <= length_of v.
Proof. clear all; unfold length_of; induction coordinates as [|i l IH]; simpl; [lra|pose proof (Rabs_pos (v i)); lra]. Qed.
Lemma no_length v : length_of v <= 0 -> forall i, v i = 0.
Proof.
  intros none i; pose proof (all i) as here; unfold length_of in none.
  assert (each : forall l, fold_right (fun i s => Rabs (v i) + s) 0 l <= 0 -> In i l -> Rabs (v i) <= 0).
  { induction l as [|j l IH]; simpl; [intros _ []|]; intros le at_.
    assert (0 <= fold_right (fun i s => Rabs (v i) + s) 0 l).
    { clear - v; induction l as [|k l IH]; simpl; [lra|pose proof (Rabs_pos (v k)); lra]. }
    pose proof (Rabs_pos (v j)); destruct at_ as [-> |at_]; [lra|apply IH; [lra|exact at_]]. }
  pose proof (each coordinates none here); pose proof (Rabs_pos (v i)).
  destruct (Req_dec (v i) 0) as [z|no]; [exact z|pose proof (Rabs_pos_lt _ no); lra].
Qed.

Variables (event : (vector -> Prop) -> Prop) (Z : (vector -> Prop) -> R).
Variable law : forall E, event E -> 0 <= Z E.
Variable moved : forall E (q : vector) c, event E -> event (fun z => E (fun i => q i + c * z i)).

(* (a, b)-admissible at the factors c1 and c2: the events A + D with |D| <= a, and e^l A with |l| <= b. *)
Definition admissible (a b c1 c2 : R) : Prop :=
  (forall A (D : vector), event A -> length_of D <= a -> Z A <= c1 * Z (fun z => A (fun i => z i - D i))) /\
  (forall A l, event A -> Rabs l <= b -> Z A <= c2 * Z (fun z => A (fun i => exp (- l) * z i))).

(* The noise's event in which q + S/slide Z lies in T. *)
Definition answer_in (slide : R) (q : vector) (S : R) (T : vector -> Prop) (z : vector) : Prop :=
  T (fun i => q i + S / slide * z i).

(* Owed: slides are positive, and short enough; scales of neighbors are near; both together lead to the other
   answer; and the costs multiply to the level at most. *)
Theorem slide_then_dilate (slide level : R -> R -> R) :
  stated (fun v => 0 < fst v /\ 0 <= snd v) (fun _ => 0) less (fun v => slide (fst v) (snd v)) ->
  (forall a b s gap, 0 < a -> 0 <= b -> 0 < s -> 0 <= gap <= s -> gap * slide a b / s <= a) ->
  (forall a b sx sy, 0 < a -> 0 <= b -> 0 < sx -> 0 < sy -> sy <= exp b * sx -> sx <= exp b * sy ->
    ln (sx / sy) <= b /\ - ln (sx / sy) <= b) ->
  (forall a b sx sy qx qy o, 0 < a -> 0 <= b -> 0 < sx -> 0 < sy ->
    ((o - qx) * (slide a b / sx) + (qx - qy) * (slide a b / sx)) * (sx / sy) = (o - qy) * (slide a b / sy)) ->
  (forall c1 c2 p2 p1 p0, 1 <= c1 -> 1 <= c2 -> 0 <= p2 -> 0 <= p1 <= c2 * p2 -> 0 <= p0 <= c1 * p1 ->
    p0 <= level c1 c2 * p2) ->
  forall a b c1 c2 (dataset : Type) (neighbors : dataset -> dataset -> Prop) (q : dataset -> vector) (S : dataset -> R),
  0 < a -> 0 <= b -> 1 <= c1 -> 1 <= c2 -> admissible a b c1 c2 -> (forall D, 0 <= S D) ->
  (forall D D', neighbors D D' -> length_of (fun i => q D i - q D' i) <= S D /\
    S D <= exp b * S D' /\ S D' <= exp b * S D) ->
  forall D D', neighbors D D' -> forall T, event T ->
  Z (answer_in (slide a b) (q D) (S D) T) <= level c1 c2 * Z (answer_in (slide a b) (q D') (S D') T).
Proof.
  intros positive short scales same costs a b c1 c2 dataset neighbors q S a0 b0 c10 c20 [slides dilates] S0 smooth D D' near T eT.
  destruct (smooth D D' near) as (change & down & up); pose proof (positive (a, b) (conj a0 b0)) as u0; simpl in u0.
  assert (ev : forall q s, event (answer_in (slide a b) q s T)) by (intros; apply moved, eT).
  destruct (Rle_lt_or_eq_dec _ _ (S0 D)) as [s0|none].
  - assert (s0' : 0 < S D') by (apply Rnot_le_lt; intros h; pose proof (exp_pos b); nra).
    set (unit := slide a b / S D); assert (un0 : 0 < unit) by (apply Rdiv_lt_0_compat; assumption).
    set (between := fun z : vector => answer_in (slide a b) (q D) (S D) T (fun i => z i - (q D i - q D' i) * unit)).
    assert (first : Z (answer_in (slide a b) (q D) (S D) T) <= c1 * Z between).
    { apply slides; [apply ev|]; rewrite length_scaled, (Rabs_pos_eq unit) by lra.
      pose proof (short a b (S D) _ a0 b0 s0 (conj (length_nonneg _) change)) as h; unfold unit; lra. }
    assert (is_between : between = answer_in (slide a b) (q D') (S D) T).
    { unfold between, answer_in; apply functional_extensionality; intros z; f_equal.
      apply functional_extensionality; intros i; unfold unit; field; lra. }
    assert (second : Z between <= c2 * Z (answer_in (slide a b) (q D') (S D') T)).
    { destruct (scales a b (S D) (S D') a0 b0 s0 s0' up down) as [l h].
      pose proof (dilates between (ln (S D / S D')) ltac:(rewrite is_between; apply ev) ltac:(apply abs_at_most; lra)) as k.
      apply Rle_trans with (1 := k), Req_le; do 2 f_equal; rewrite is_between; unfold answer_in.
      apply functional_extensionality; intros z; f_equal; apply functional_extensionality; intros i.
      rewrite exp_Ropp, exp_ln by (apply Rdiv_lt_0_compat; assumption); field; lra. }
    apply (costs c1 c2 _ (Z between)); try assumption; try (apply law, ev); split; try assumption.
    + rewrite is_between; apply law, ev.
    + apply law, ev.
  - assert (none' : S D' = 0) by (pose proof (exp_pos b); pose proof (S0 D'); rewrite <- none in up; lra).
    rewrite <- none in change; assert (one : q D = q D').
    { apply functional_extensionality; intros i; pose proof (no_length _ change i); simpl in *; lra. }
    rewrite <- none, none', one; apply (costs c1 c2 _ (Z (answer_in (slide a b) (q D') 0 T)) _); try assumption;
      try (apply law, ev); split; try (apply law, ev); pose proof (law _ (ev (q D') 0)); nra.
Qed.

(* Theorem 8.4 itself: q + (S/a) Z, at c1 = e^epsilon_1 and c2 = e^epsilon_2. *)
Theorem admissible_noise (a b c1 c2 : R) (dataset : Type) (neighbors : dataset -> dataset -> Prop)
    (q : dataset -> vector) (S : dataset -> R) : 0 < a -> 0 <= b -> 1 <= c1 -> 1 <= c2 -> admissible a b c1 c2 ->
  (forall D, 0 <= S D) ->
  (forall D D', neighbors D D' -> length_of (fun i => q D i - q D' i) <= S D /\
    S D <= exp b * S D' /\ S D' <= exp b * S D) ->
  forall D D', neighbors D D' -> forall T, event T ->
  Z (answer_in a (q D) (S D) T) <= c1 * c2 * Z (answer_in a (q D') (S D') T).
Proof.
  apply (slide_then_dilate (fun a _ => a) (fun c1 c2 => c1 * c2)).
  - intros v [a0 _]; exact a0.
  - intros a' _ s gap a0 _ s0 [_ le]; unfold Rdiv; rewrite (Rmult_comm gap), Rmult_assoc.
    rewrite <- (Rmult_1_r a') at 2; apply Rmult_le_compat_l; [lra|].
    apply (Rmult_le_reg_r s); [exact s0|]; rewrite Rmult_assoc, Rinv_l; lra.
  - intros _ b' sx sy _ b0 sx0 sy0 up down.
    assert (exp b' <> 0) by (pose proof (exp_pos b'); lra).
    pose proof (ln_le _ _ sx0 down) as h; pose proof (ln_le _ _ sy0 up) as k.
    rewrite ln_mult, ln_exp in h, k by (try apply exp_pos; assumption); unfold Rdiv; rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; assumption); lra.
  - intros a' b' sx sy qx qy o a0 _ sx0 sy0; field; lra.
  - intros c1' c2' p2 p1 p0 c10 c20 p20 p1r p0r; nra.
Qed.
End Noise.
