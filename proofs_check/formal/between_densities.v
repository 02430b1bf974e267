(* Rules on divergences between two laws with densities: from a moment, of two normal laws, from one threshold, and from
   every loss. Integrals over the line are improper ones; p and q are the logarithms of the densities. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common comparisons improper normal_law.
Open Scope R_scope.

(* D_a = ln (integral of P^a Q^(1 - a)) / (a - 1), integral of max(0, P - e^level Q), and sup ln (P / Q). *)
Definition renyi (p q : R -> R) (a : R) (r : relation) (bound : R) : Prop := exists v,
  integrates_to (fun o => exp (a * p o + (1 - a) * q o)) v /\ related r (ln v / (a - 1)) bound.
Definition hockey_stick (p q : R -> R) (level : R) (r : relation) (bound : R) : Prop := exists v,
  integrates_to (fun o => Rmax 0 (exp (p o) - exp level * exp (q o))) v /\ related r v bound.
Definition greatest (p q : R -> R) (r : relation) (bound : R) : Prop := exists v,
  is_lub (fun z => exists o, z = p o - q o) v /\ related r v bound.
Definition normal (mean sd o : R) : R := gaussian_log_density o mean sd.

Lemma over_positive r a b c : 0 < c -> related r a (c * b) -> related r (a / c) b.
Proof.
  intros c0; replace a with (c * (a / c)) at 1 by (field; lra); generalize (a / c); intros y.
  destruct r; simpl; intros h; nra.
Qed.

Lemma between_normals m m' s a r bound : 1 < a -> 0 < s -> related r (a * gaussian_concentration m m' s) bound ->
  renyi (normal m s) (normal m' s) a r bound.
Proof.
  intros a1 s0 beside; set (k := a * gaussian_concentration m m' s) in *; exists (exp ((a - 1) * k) * 1); split.
  - apply (same (fun o => exp ((a - 1) * k) * normal_density (a * m + (1 - a) * m') s o)).
    + intros o; unfold normal, normal_density, gaussian_log_density, k, gaussian_concentration; rewrite <- exp_plus; f_equal; field; lra.
    + apply scaled, mass_is_one, s0.
  - rewrite Rmult_1_r, ln_exp; replace ((a - 1) * k / (a - 1)) with k by (field; lra); exact beside.
Qed.

Section Divergences.
Variables (point : Type) (domain : point -> Prop).
Implicit Types (p q : point -> R -> R) (order level closed moment mean sd threshold : point -> R).

(* Rule renyi_by_moment. Owed: the mean under Q of (P / Q)^a is the moment, which is positive; the order is above 1; and
   ln of the moment beside the bound. *)
Theorem renyi_by_moment p q order r closed moment :
  (forall x, domain x -> integrates_to (fun o => exp (order x * (p x o - q x o)) * exp (q x o)) (moment x)) ->
  stated domain (fun _ => 1) less order -> stated domain (fun _ => 0) less moment ->
  stated domain (fun x => ln (moment x)) r (fun x => (order x - 1) * closed x) ->
  forall x, domain x -> renyi (p x) (q x) (order x) r (closed x).
Proof.
  intros is above _ beside x inside; exists (moment x); split.
  - refine (same _ _ _ _ (is x inside)); intros o; rewrite <- exp_plus; f_equal; ring.
  - apply over_positive; [pose proof (above x inside); simpl in *; lra|exact (beside x inside)].
Qed.

(* Rule renyi_of_normals. Owed: the order is above 1, both standard deviations are one positive number, and
   a (m - m')^2 / (2 s^2) beside the bound. *)
Theorem renyi_of_normals mean sd mean' sd' order r closed :
  stated domain (fun _ => 1) less order -> stated domain (fun _ => 0) less sd -> stated domain sd equal sd' ->
  stated domain (fun x => order x * gaussian_concentration (mean x) (mean' x) (sd x)) r closed ->
  forall x, domain x -> renyi (normal (mean x) (sd x)) (normal (mean' x) (sd' x)) (order x) r (closed x).
Proof.
  intros above positive one beside x inside; rewrite <- (one x inside : sd x = sd' x).
  exact (between_normals _ _ _ _ _ _ (above x inside) (positive x inside) (beside x inside)).
Qed.

(* Rule one_threshold. The laws have the masses 1 - F and 1 - G beyond a place. Owed: the loss is at most the level up to
   the threshold, and at least the level from there on; and what the laws have beyond it, beside the bound. *)
Theorem one_threshold p q (F G : point -> R -> R) level r closed threshold :
  (forall x t, domain x -> is_RInt_gen (fun o => exp (p x o)) (at_point t) plus_infinity (1 - F x t)) ->
  (forall x t, domain x -> is_RInt_gen (fun o => exp (q x o)) (at_point t) plus_infinity (1 - G x t)) ->
  stated (fun v => domain (fst v) /\ snd v <= threshold (fst v)) (fun v => p (fst v) (snd v) - q (fst v) (snd v)) at_most
    (fun v => level (fst v)) ->
  stated (fun v => domain (fst v) /\ threshold (fst v) <= snd v) (fun v => level (fst v)) at_most
    (fun v => p (fst v) (snd v) - q (fst v) (snd v)) ->
  stated domain (fun x => 1 - F x (threshold x) - exp (level x) * (1 - G x (threshold x))) r closed ->
  forall x, domain x -> hockey_stick (p x) (q x) (level x) r (closed x).
Proof.
  intros own other before beyond beside x inside; unfold hockey_stick; set (t := threshold x) in *; set (e := exp (level x)) in *.
  exists (1 - F x t - e * (1 - G x t)); split; [|exact (beside x inside)].
  assert (sides : forall o, related (if Rle_dec o t then at_most else at_least) (exp (p x o)) (e * exp (q x o))).
  { intros o; unfold e; rewrite <- exp_plus; destruct (Rle_dec o t) as [h|h].
    - pose proof (before (x, o) (conj inside h)) as k; apply exp_le; simpl in k; lra.
    - pose proof (beyond (x, o) (conj inside (Rlt_le _ _ (Rnot_le_lt _ _ h)))) as k; apply Rle_ge, exp_le; simpl in k; lra. }
  replace (1 - F x t - e * (1 - G x t)) with (plus 0 (minus (1 - F x t) (scal e (1 - G x t))))
    by (unfold plus, minus, plus, opp, scal; simpl; unfold mult; simpl; ring).
  apply (is_RInt_gen_Chasles (V := R_NormedModule) _ t).
  - intros P near; exists (fun a => a < t) (fun b => b = t); [exists t; auto|reflexivity|]; intros a b low ->.
    exists 0; split; [|exact (locally_singleton _ _ near)]; simpl.
    pose proof (is_RInt_const (V := R_NormedModule) a t 0) as none; change (is_RInt (fun _ : R => 0) a t ((t - a) * 0)) in none.
    rewrite Rmult_0_r in none; refine (is_RInt_ext _ _ _ _ _ _ none).
    intros o; rewrite Rmax_right by lra; intros [_ high]; pose proof (sides o) as h.
    destruct (Rle_dec o t); [|lra]; rewrite Rmax_left; simpl in h; lra.
  - apply (is_RInt_gen_ext (V := R_NormedModule) (fun o => minus (exp (p x o)) (scal e (exp (q x o))))).
    + exists (fun a => a = t) (fun b => t < b); [reflexivity|exists t; auto|]; intros a b -> high o; simpl.
      rewrite Rmin_left by lra; intros [low _]; pose proof (sides o) as h.
      destruct (Rle_dec o t); [lra|]; rewrite Rmax_right; [reflexivity|simpl in h; lra].
    + apply (is_RInt_gen_minus (V := R_NormedModule)); [exact (own x t inside)|].
      exact (is_RInt_gen_scal (V := R_NormedModule) _ e _ (other x t inside)).
Qed.

(* Rule greatest_loss. Owed: the loss is at most the bound at every outcome. *)
Theorem greatest_loss p q closed :
  stated (fun v => domain (fst v)) (fun v => p (fst v) (snd v) - q (fst v) (snd v)) at_most (fun v => closed (fst v)) ->
  forall x, domain x -> greatest (p x) (q x) at_most (closed x).
Proof.
  intros every x inside; set (losses := fun z => exists o, z = p x o - q x o).
  assert (bound : is_upper_bound losses (closed x)) by (intros z [o ->]; exact (every (x, o) inside)).
  destruct (completeness losses (ex_intro _ _ bound) (ex_intro _ _ (ex_intro _ 0 eq_refl))) as [v lub].
  exists v; split; [exact lub|apply lub, bound].
Qed.
End Divergences.
