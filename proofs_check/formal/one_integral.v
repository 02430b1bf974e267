(* There is one integral only. Whatever is additive over adjacent intervals and lies between the least and the largest value of a
   continuous function times the length is its Riemann integral. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Section Same.
Variables (f : R -> R) (L : R -> R -> R).

Definition adds_up : Prop := forall u v w, u <= v -> v <= w -> L u w = L u v + L v w.
Definition lies_between : Prop := forall u v m most, u <= v ->
  (forall t, u <= t <= v -> m <= f t <= most) -> m * (v - u) <= L u v <= most * (v - u).

Theorem only_one : adds_up -> lies_between -> (forall x, continuous f x) ->
  forall a b, a <= b -> L a b = RInt f a b.
Proof.
  intros add between cont.
  assert (ex : forall u v, ex_RInt f u v) by (intros u v; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); auto).
  assert (radd : forall u v w, RInt f u w = RInt f u v + RInt f v w)
    by (intros u v w; symmetry; apply (RInt_Chasles f u v w); apply ex).
  assert (rbetween : forall u v m most, u <= v -> (forall t, u <= t <= v -> m <= f t <= most) ->
    m * (v - u) <= RInt f u v <= most * (v - u)).
  { intros u v m most uv h; split.
    - replace (m * (v - u)) with (RInt (fun _ => m) u v) by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
      apply RInt_le; [exact uv|apply ex_RInt_const|apply ex|intros t k; apply h; lra].
    - replace (most * (v - u)) with (RInt (fun _ => most) u v) by (rewrite RInt_const; unfold scal; simpl; unfold mult; simpl; ring).
      apply RInt_le; [exact uv|apply ex|apply ex_RInt_const|intros t k; apply h; lra]. }
  intros a b ab; pose (base := a - 1); pose (H := fun x => L base x - RInt f base x).
  assert (gap : forall u v c e, base <= u -> u <= v -> (forall t, u <= t <= v -> c - e <= f t <= c + e) ->
    Rabs (H v - H u) <= 2 * e * (v - u)).
  { intros u v c e bu uv h; unfold H; rewrite (add base u v bu uv), (radd base u v).
    pose proof (between u v _ _ uv h); pose proof (rbetween u v _ _ uv h).
    apply Rabs_le; lra. }
  assert (der : forall x, base < x -> is_derive H x 0).
  { intros x bx; apply is_derive_Reals; intros e e0.
    destruct (proj1 (filterlim_locally f (f x)) (cont x) (mkposreal (e / 4) ltac:(lra))) as [d near].
    assert (m0 : 0 < Rmin d (x - base)) by (apply Rmin_glb_lt; [apply d|lra]).
    exists (mkposreal _ m0); intros h h0 small; simpl in small.
    pose proof (Rmin_l d (x - base)); pose proof (Rmin_r d (x - base)).
    assert (close : forall t, Rabs (t - x) < d -> f x - e / 4 <= f t <= f x + e / 4).
    { intros t k; specialize (near t k); apply Rabs_lt_between in near; unfold minus, plus, opp in near; simpl in near; lra. }
    apply Rabs_lt_between in small.
    rewrite Rminus_0_r; unfold Rdiv; rewrite Rabs_mult, Rabs_inv.
    assert (ha : 0 < Rabs h) by (apply Rabs_pos_lt, h0).
    apply Rmult_lt_reg_r with (Rabs h); [exact ha|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_lt_trans with (2 * (e / 4) * Rabs h); [|nra].
    destruct (Rle_dec 0 h) as [p|n].
    - rewrite (Rabs_pos_eq h) by exact p; replace (2 * (e / 4) * h) with (2 * (e / 4) * (x + h - x)) by ring.
      apply (gap x (x + h) (f x)); [lra|lra|intros t k; apply close, Rabs_lt_between; lra].
    - rewrite (Rabs_left h) by lra; replace (2 * (e / 4) * - h) with (2 * (e / 4) * (x - (x + h))) by ring.
      rewrite Rabs_minus_sym; apply (gap (x + h) x (f x)); [lra|lra|intros t k; apply close, Rabs_lt_between; lra]. }
  assert (same : H b = H a).
  { destruct (MVT_gen H a b (fun _ => 0)) as (c & _ & e).
    - intros x k; apply der; rewrite Rmin_left in k by exact ab; unfold base; lra.
    - intros x k; apply derivable_continuous_pt; exists 0; apply is_derive_Reals, der.
      rewrite Rmin_left in k by exact ab; unfold base; lra.
    - lra. }
  unfold H in same; rewrite (add base a b ltac:(unfold base; lra) ab), (radd base a b) in same; lra.
Qed.
End Same.
