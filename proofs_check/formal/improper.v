(* Integrals over the whole line, from a primitive and its limits. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import common.
Open Scope R_scope.

Definition minus_infinity := Rbar_locally m_infty.
Definition plus_infinity := Rbar_locally p_infty.
(* f has the improper integral [value] over the line. *)
Definition integrates_to (f : R -> R) (value : R) : Prop :=
  is_RInt_gen f minus_infinity plus_infinity value.

Lemma from_primitive (f F : R -> R) low high value :
  (forall a b, is_RInt f a b (F b - F a)) ->
  filterlim F minus_infinity (locally low) -> filterlim F plus_infinity (locally high) ->
  value = high - low -> integrates_to f value.
Proof.
  intros prim l h ->; unfold integrates_to, is_RInt_gen, filterlimi, filter_le, filtermapi; intros P HP.
  assert (k : filterlim (fun ab : R * R => plus (F (snd ab)) (opp (F (fst ab))))
    (filter_prod minus_infinity plus_infinity) (locally (plus high (opp low)))).
  { eapply filterlim_comp_2; [| |apply (filterlim_plus (V := R_NormedModule))].
    - apply (filterlim_comp _ _ _ snd F _ plus_infinity); [apply filterlim_snd|exact h].
    - apply (filterlim_comp _ _ _ (fun ab : R * R => F (fst ab)) opp _ (locally low)).
      + apply (filterlim_comp _ _ _ fst F _ minus_infinity); [apply filterlim_fst|exact l].
      + apply (filterlim_opp (V := R_NormedModule)). }
  specialize (k P HP); unfold filtermap in k; eapply filter_imp; [|exact k].
  intros [a b] in_P; exists (F b - F a); split; [apply prim|exact in_P].
Qed.

(* A primitive on either side of a point is one on the line. *)
Lemma on_both_sides (f F : R -> R) n :
  (forall a, a <= n -> is_RInt f a n (F n - F a)) -> (forall b, n <= b -> is_RInt f n b (F b - F n)) ->
  forall a b, is_RInt f a b (F b - F a).
Proof.
  intros left_of right_of.
  assert (all : forall a, is_RInt f a n (F n - F a)).
  { intros a; destruct (Rle_dec a n) as [h|h]; [apply left_of, h|].
    replace (F n - F a) with (opp (F a - F n)) by (unfold opp; simpl; ring).
    apply (is_RInt_swap (V := R_NormedModule)), right_of; lra. }
  intros a b; replace (F b - F a) with (plus (F n - F a) (opp (F n - F b)))
    by (unfold plus, opp; simpl; ring).
  apply (is_RInt_Chasles (V := R_NormedModule)) with n; [apply all|].
  apply (is_RInt_swap (V := R_NormedModule)), all.
Qed.

(* A derivative at every point between the ends, with equality to f there. *)
Lemma from_derivative (f g F : R -> R) a b : a <= b ->
  (forall o, a <= o <= b -> is_derive F o (g o)) -> (forall o, a <= o <= b -> continuous g o) ->
  (forall o, a < o < b -> f o = g o) -> is_RInt f a b (F b - F a).
Proof.
  intros ab der cont same; apply (is_RInt_ext g).
  - intros o [h k]; rewrite Rmin_left in h by exact ab; rewrite Rmax_right in k by exact ab.
    symmetry; apply same; lra.
  - apply (is_RInt_derive F); intros o; rewrite Rmin_left, Rmax_right by exact ab; auto.
Qed.

Lemma exp_to_zero (k n : R) : 0 < k -> filterlim (fun o => exp (k * (o - n))) minus_infinity (locally 0).
Proof.
  intros k0; apply (filterlim_comp _ _ _ (fun o => k * (o - n)) exp _ (Rbar_locally m_infty)).
  - change (is_lim (fun o => k * (o - n)) m_infty m_infty).
    replace m_infty with (Rbar_mult k (Rbar_plus m_infty (- n))) at 2.
    + apply is_lim_scal_l, (is_lim_minus _ _ _ m_infty n); [apply is_lim_id|apply is_lim_const|reflexivity].
    + simpl; destruct (Rle_dec 0 k) as [h|h]; [|lra]. destruct (Rle_lt_or_eq_dec 0 k h); [reflexivity|lra].
  - apply is_lim_exp_m.
Qed.

Lemma exp_to_zero_right (k n : R) : 0 < k ->
  filterlim (fun o => exp (- (k * (o - n)))) plus_infinity (locally 0).
Proof.
  intros k0.
  apply (filterlim_ext (fun o => exp (k * (- o - (- n))))); [intros o; f_equal; ring|].
  apply (filterlim_comp _ _ _ Ropp (fun o => exp (k * (o - - n))) _ minus_infinity); [|apply exp_to_zero, k0].
  change (is_lim (fun o => - o) p_infty (Rbar_opp p_infty)); apply is_lim_opp, is_lim_id.
Qed.

Lemma atan_to_right : filterlim atan plus_infinity (locally (PI / 2)).
Proof.
  apply (filterlim_ext_loc (fun x => PI / 2 - atan (/ x))).
  - exists 0; intros x h; pose proof (atan_inv x h); lra.
  - replace (PI / 2) with (PI / 2 - atan 0) at 1 by (rewrite atan_0; ring).
    apply (filterlim_comp _ _ _ (fun x => / x) (fun y => PI / 2 - atan y) _ (locally 0)).
    + replace (locally 0) with (Rbar_locally (Rbar_inv p_infty)) by reflexivity.
      change (is_lim (fun x => / x) p_infty (Rbar_inv p_infty)); apply is_lim_inv; [apply is_lim_id|discriminate].
    + apply (continuous_minus (V := R_NormedModule) (fun _ => PI / 2) atan); [apply continuous_const|].
      apply continuous_to_continuity, derivable_continuous_pt, derivable_pt_atan.
Qed.

(* A primitive on either side of n that meets itself there. *)
Lemma from_two_sides (f gl gr Fl Fr : R -> R) n low high value :
  (forall o, is_derive Fl o (gl o)) -> (forall o, continuous gl o) ->
  (forall o, is_derive Fr o (gr o)) -> (forall o, continuous gr o) -> Fl n = Fr n ->
  (forall o, o < n -> f o = gl o) -> (forall o, n < o -> f o = gr o) ->
  filterlim Fl minus_infinity (locally low) -> filterlim Fr plus_infinity (locally high) ->
  value = high - low -> integrates_to f value.
Proof.
  intros dl cl dr cr meet fl fr to_low to_high is.
  pose (F := fun o => if Rle_dec n o then Fr o else Fl o).
  assert (Fn : F n = Fr n) by (unfold F; destruct (Rle_dec n n); [reflexivity|lra]).
  apply (from_primitive f F low high value); [apply on_both_sides with n| | |exact is].
  - intros a h; replace (F n - F a) with (Fl n - Fl a).
    2: { rewrite Fn, meet; f_equal; unfold F; destruct (Rle_dec n a); [replace a with n by lra; exact meet|reflexivity]. }
    apply (from_derivative f gl Fl a n h); intros; auto; apply fl; lra.
  - intros b h; rewrite Fn; unfold F; destruct (Rle_dec n b); [|lra].
    apply (from_derivative f gr Fr n b h); intros; auto; apply fr; lra.
  - apply (filterlim_ext_loc Fl); [|exact to_low].
    exists n; intros o h; unfold F; destruct (Rle_dec n o); [lra|reflexivity].
  - apply (filterlim_ext_loc Fr); [|exact to_high].
    exists n; intros o h; unfold F; destruct (Rle_dec n o); [reflexivity|lra].
Qed.

Lemma scaled f v c : integrates_to f v -> integrates_to (fun eta => c * f eta) (c * v).
Proof. intros h; exact (is_RInt_gen_scal (V := R_NormedModule) f c v h). Qed.
Lemma added f g v w : integrates_to f v -> integrates_to g w -> integrates_to (fun eta => f eta + g eta) (v + w).
Proof. intros hf hg; exact (is_RInt_gen_plus (V := R_NormedModule) f g v w hf hg). Qed.
Lemma same f g v : (forall eta, f eta = g eta) -> integrates_to f v -> integrates_to g v.
Proof.
  intros h; apply (is_RInt_gen_ext (V := R_NormedModule) f g v), filter_forall; intros ab eta _; apply h.
Qed.
