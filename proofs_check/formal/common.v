(* Small facts about exp, ln and absolute values that many proofs use. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Lemma ln_le x y : 0 < x -> x <= y -> ln x <= ln y.
Proof. intros x0 [h | ->]; [left; apply ln_increasing; assumption | right; reflexivity]. Qed.

Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros [h | ->]; [left; apply exp_increasing; exact h | right; reflexivity]. Qed.

Lemma exp_le_inv x y : exp x <= exp y -> x <= y.
Proof. intros [h | h]; [left; apply exp_lt_inv; exact h | right; apply exp_inv; exact h]. Qed.

Lemma ln_pos x : 1 < x -> 0 < ln x.
Proof. intros h; rewrite <- ln_1; apply ln_increasing; lra. Qed.

Lemma ln_nonneg x : 1 <= x -> 0 <= ln x.
Proof. intros h; rewrite <- ln_1; apply ln_le; lra. Qed.

Lemma abs_at_most x b : - b <= x -> x <= b -> Rabs x <= b.
Proof. intros; apply Rabs_le; lra. Qed.

(* |a - c| - |b - c| <= |a - b|. *)
Lemma abs_shift a b c : Rabs (a - c) - Rabs (b - c) <= Rabs (a - b).
Proof.
  pose proof (Rabs_triang (a - b) (b - c)) as t.
  replace (a - b + (b - c)) with (a - c) in t by ring; lra.
Qed.

Lemma abs_fourth z : (Rabs z) ^ 4 = z ^ 4.
Proof.
  rewrite RPow_abs; apply Rabs_pos_eq.
  replace (z ^ 4) with ((z * z) * (z * z)) by ring; apply Rle_0_sqr.
Qed.

Lemma fourth_nonneg z : 0 <= z ^ 4.
Proof. replace (z ^ 4) with ((z * z) * (z * z)) by ring; apply Rle_0_sqr. Qed.

(* exp (x) <= exp (c) * exp (y) when x - y <= c: how bounds on log densities become bounds on densities. *)
Lemma exp_ratio x y c : x - y <= c -> exp x <= exp c * exp y.
Proof. intros h; rewrite <- exp_plus; apply exp_le; lra. Qed.

Lemma continuous_to_continuity f x : continuous f x <-> continuity_pt f x.
Proof. split; intros h; apply continuity_pt_filterlim; exact h. Qed.

Lemma exp_continuous (f : R -> R) x : continuous f x -> continuous (fun t => exp (f t)) x.
Proof.
  intros h; apply (continuous_comp f exp); [exact h|].
  apply continuous_to_continuity, derivable_continuous_pt, derivable_pt_exp.
Qed.

Lemma abs_continuous (f : R -> R) x : continuous f x -> continuous (fun t => Rabs (f t)) x.
Proof.
  intros h; apply (continuous_comp f Rabs); [exact h|].
  apply continuous_to_continuity, Rcontinuity_abs.
Qed.

Lemma ln_continuous (f : R -> R) x : 0 < f x -> continuous f x -> continuous (fun t => ln (f t)) x.
Proof.
  intros p h; apply (continuous_comp f ln); [exact h|].
  apply continuous_to_continuity, derivable_continuous_pt.
  exists (/ (f x)); apply derivable_pt_lim_ln; exact p.
Qed.

