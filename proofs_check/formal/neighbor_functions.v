(* Neighbor functions (Webb et al. 2025, Definition 5.1), which values are close under one, and what concavity says of
   sums and of clipped values. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

(* Definition 5.1, for functions of x >= 0: strictly increasing, continuous, concave, and convex in ln x. At 0
   continuous from the right, as everywhere in x >= 0. *)
Definition neighbor_function (psi : R -> R) : Prop :=
  (forall x y, 0 <= x < y -> psi x < psi y) /\
  (forall x, 0 <= x -> forall e, 0 < e -> exists d, 0 < d /\
    forall y, 0 <= y -> Rabs (y - x) < d -> Rabs (psi y - psi x) < e) /\
  (forall x y t, 0 <= x -> 0 <= y -> 0 <= t <= 1 ->
    t * psi x + (1 - t) * psi y <= psi (t * x + (1 - t) * y)) /\
  (forall x y t, 0 <= t <= 1 ->
    psi (exp (t * x + (1 - t) * y)) <= t * psi (exp x) + (1 - t) * psi (exp y)).
(* Values x, y >= 0 that the definition of neighbors allows to replace each other. *)
Definition close (psi : R -> R) (gamma x y : R) : Prop :=
  0 <= x /\ 0 <= y /\ Rabs (psi x - psi y) <= gamma.

(* The same for functions that are real above 0 only, such as ln, where 0 is close to itself alone. *)
Definition neighbor_function_above_0 (psi : R -> R) : Prop :=
  (forall x y, 0 < x < y -> psi x < psi y) /\
  (forall x, 0 < x -> forall e, 0 < e -> exists d, 0 < d /\
    forall y, 0 < y -> Rabs (y - x) < d -> Rabs (psi y - psi x) < e) /\
  (forall x y t, 0 < x -> 0 < y -> 0 <= t <= 1 ->
    t * psi x + (1 - t) * psi y <= psi (t * x + (1 - t) * y)) /\
  (forall x y t, 0 <= t <= 1 ->
    psi (exp (t * x + (1 - t) * y)) <= t * psi (exp x) + (1 - t) * psi (exp y)).
Definition close_above_0 (psi : R -> R) (gamma x y : R) : Prop :=
  (x = 0 /\ y = 0) \/ (0 < x /\ 0 < y /\ Rabs (psi x - psi y) <= gamma).

(* Increasing and concave from some point on. *)
Definition bends (psi : R -> R) (low : R -> Prop) : Prop :=
  (forall x y, low x -> x < y -> psi x < psi y) /\
  (forall x y t, low x -> low y -> 0 <= t <= 1 -> t * psi x + (1 - t) * psi y <= psi (t * x + (1 - t) * y)) /\
  (forall x y, low x -> x <= y -> low y).

Lemma bends_from_0 psi : neighbor_function psi -> bends psi (fun x => 0 <= x).
Proof. intros (up & _ & bend & _); repeat split; intros; auto; lra. Qed.
Lemma bends_above_0 psi : neighbor_function_above_0 psi -> bends psi (fun x => 0 < x).
Proof. intros (up & _ & bend & _); repeat split; intros; auto; lra. Qed.

(* A common shift brings values closer. *)
Lemma shift_brings_closer psi low x y rest : bends psi low -> low x -> low y -> 0 <= rest ->
  Rabs (psi (x + rest) - psi (y + rest)) <= Rabs (psi x - psi y).
Proof.
  intros (up & bend & stays) lx ly r0.
  assert (le : forall u v, low u -> u <= v -> psi u <= psi v).
  { intros u v lu [h| ->]; [left; apply up; assumption|right; reflexivity]. }
  assert (one : forall u v, low u -> u <= v -> psi (v + rest) - psi (u + rest) <= psi v - psi u).
  { intros u v lu uv; destruct (Req_dec (v + rest) u) as [e|ne].
    { assert (v = u) by lra; assert (rest = 0) by lra; subst; rewrite !Rplus_0_r; lra. }
    assert (d : 0 < v + rest - u) by lra.
    pose (w := (v - u) / (v + rest - u)).
    assert (w01 : 0 <= w <= 1).
    { unfold w; split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]|].
      apply Rmult_le_reg_r with (v + rest - u); [exact d|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra. }
    assert (lv : low (v + rest)) by (apply stays with u; [exact lu|lra]).
    pose proof (bend u (v + rest) w lu lv w01) as h1.
    pose proof (bend u (v + rest) (1 - w) lu lv ltac:(lra)) as h2.
    replace (w * u + (1 - w) * (v + rest)) with (u + rest) in h1 by (unfold w; field; lra).
    replace ((1 - w) * u + (1 - (1 - w)) * (v + rest)) with v in h2 by (unfold w; field; lra).
    lra. }
  destruct (Rle_dec x y) as [xy|yx].
  - pose proof (one x y lx xy); pose proof (le x y lx xy).
    assert (low (x + rest)) by (apply stays with x; [exact lx|lra]).
    pose proof (le (x + rest) (y + rest) H1 ltac:(lra)).
    rewrite (Rabs_left1 (psi x - psi y)), Rabs_left1 by lra; lra.
  - pose proof (one y x ly ltac:(lra)); pose proof (le y x ly ltac:(lra)).
    assert (low (y + rest)) by (apply stays with y; [exact ly|lra]).
    pose proof (le (y + rest) (x + rest) H1 ltac:(lra)).
    rewrite (Rabs_pos_eq (psi x - psi y)), Rabs_pos_eq by lra; lra.
Qed.

(* Theorem 5.3 (2). *)
Theorem increments_shrink psi : neighbor_function psi -> forall x y t, 0 <= x < y -> 0 <= t ->
  Rabs (psi (y + t) - psi (x + t)) <= Rabs (psi y - psi x).
Proof.
  intros f x y t xy t0; apply shift_brings_closer with (fun x => 0 <= x); [apply bends_from_0, f|lra|lra|exact t0].
Qed.
(* The same where psi is real above 0 only. *)
Theorem increments_shrink_above_0 psi : neighbor_function_above_0 psi -> forall x y t, 0 < x < y -> 0 <= t ->
  Rabs (psi (y + t) - psi (x + t)) <= Rabs (psi y - psi x).
Proof.
  intros f x y t xy t0; apply shift_brings_closer with (fun x => 0 < x); [apply bends_above_0, f|lra|lra|exact t0].
Qed.
