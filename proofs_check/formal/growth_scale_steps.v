(* The growth scale of counts: phi (x) is the largest of its pieces over whole j >= 0, and a step to a neighbor
   raises it by 0 to 1. *)
From Coq Require Import Reals Lra Psatz Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets.
Open Scope R_scope.

(* The least whole number that is at least r. *)
Definition ceiling (r : R) : Z := (1 - up (- r))%Z.

Lemma ceiling_is r : r <= IZR (ceiling r) < r + 1.
Proof. unfold ceiling; rewrite minus_IZR; destruct (archimed (- r)); lra. Qed.

Lemma ceiling_at_most r k : (ceiling r <= k)%Z <-> r <= IZR k.
Proof.
  destruct (ceiling_is r) as [lo hi]; split; intros h.
  - apply IZR_le in h; lra.
  - assert (IZR (ceiling r) < IZR (k + 1)) as b by (rewrite plus_IZR; lra).
    apply lt_IZR in b; lia.
Qed.

Section Scale.
Variable alpha : R.
Variable a0 : 0 < alpha.

(* Where the largest piece is: the least whole j >= 0 with x + j >= 1/alpha. *)
Definition joint (x : R) : Z := Z.max 0 (ceiling (1 / alpha - x)).
Definition phi (x : R) : R := growth_piece x (IZR (joint x)) alpha.

Lemma one_over : alpha * (1 / alpha) = 1.
Proof. field; lra. Qed.

Lemma over_pos : 0 < 1 / alpha.
Proof. apply Rdiv_lt_0_compat; lra. Qed.

Lemma log_pos : 0 < ln (1 + alpha).
Proof. apply ln_pos; lra. Qed.

Lemma joint_nonneg x : (0 <= joint x)%Z.
Proof. apply Z.le_max_l. Qed.

Lemma joint_reaches x : 1 / alpha <= x + IZR (joint x).
Proof.
  assert (1 / alpha - x <= IZR (joint x)) by (apply ceiling_at_most, Z.le_max_r); lra.
Qed.

Lemma joint_at_most x k : (joint x <= k)%Z <-> (0 <= k)%Z /\ 1 / alpha - IZR k <= x.
Proof.
  unfold joint; rewrite Z.max_lub_iff, ceiling_at_most; split; intros [h i]; split; auto; lra.
Qed.

Lemma next_piece x j : 0 < x + j ->
  growth_piece x (j + 1) alpha - growth_piece x j alpha = (ln (x + (j + 1)) - ln (x + j)) / ln (1 + alpha) - 1.
Proof.
  intros h; pose proof log_pos; unfold growth_piece; rewrite !ln_mult by lra; field; lra.
Qed.

Lemma pieces_rise x j : 0 < x + j -> x + j <= 1 / alpha -> growth_piece x j alpha <= growth_piece x (j + 1) alpha.
Proof.
  intros h k; pose proof log_pos as l; pose proof one_over as o.
  assert (ax : alpha * (x + j) <= alpha * (1 / alpha)) by (apply Rmult_le_compat_l; lra).
  assert (ln ((1 + alpha) * (x + j)) <= ln (x + (j + 1))) as q
    by (apply ln_le; [apply Rmult_lt_0_compat|]; lra).
  rewrite ln_mult in q by lra.
  pose proof (next_piece x j h) as e.
  assert (1 <= (ln (x + (j + 1)) - ln (x + j)) / ln (1 + alpha)) by (apply Rle_div_r; lra).
  lra.
Qed.

Lemma pieces_fall x j : 1 / alpha <= x + j -> growth_piece x (j + 1) alpha <= growth_piece x j alpha.
Proof.
  intros k; pose proof log_pos as l; pose proof one_over as o; pose proof over_pos as i.
  assert (ax : alpha * (1 / alpha) <= alpha * (x + j)) by (apply Rmult_le_compat_l; lra).
  assert (ln (x + (j + 1)) <= ln ((1 + alpha) * (x + j))) as q by (apply ln_le; lra).
  rewrite ln_mult in q by lra.
  pose proof (next_piece x j ltac:(lra)) as e.
  assert ((ln (x + (j + 1)) - ln (x + j)) / ln (1 + alpha) <= 1) by (apply Rle_div_l; lra).
  lra.
Qed.

(* phi (x) is the largest piece. *)
Lemma largest_piece x j : (0 <= j)%Z -> 0 < x + IZR j -> growth_piece x (IZR j) alpha <= phi x.
Proof.
  intros j0 pos; unfold phi; set (s := joint x).
  destruct (Z.le_ge_cases s j) as [h|h].
  - assert (all : forall n : nat, growth_piece x (IZR (s + Z.of_nat n)) alpha <= growth_piece x (IZR s) alpha).
    { induction n as [|n IH]; [rewrite Z.add_0_r; lra|].
      eapply Rle_trans; [|exact IH].
      replace (s + Z.of_nat (S n))%Z with (s + Z.of_nat n + 1)%Z by lia; rewrite plus_IZR.
      apply pieces_fall; pose proof (joint_reaches x) as r; fold s in r.
      rewrite plus_IZR; pose proof (IZR_le 0 (Z.of_nat n) ltac:(lia)); lra. }
    specialize (all (Z.to_nat (j - s))); replace (s + Z.of_nat (Z.to_nat (j - s)))%Z with j in all by lia; exact all.
  - assert (all : forall n : nat, (Z.of_nat n <= s)%Z -> 0 < x + IZR (s - Z.of_nat n) ->
      growth_piece x (IZR (s - Z.of_nat n)) alpha <= growth_piece x (IZR s) alpha).
    { induction n as [|n IH]; intros le p; [rewrite Z.sub_0_r; lra|].
      assert (e : IZR (s - Z.of_nat n) = IZR (s - Z.of_nat (S n)) + 1)
        by (rewrite <- plus_IZR; f_equal; lia).
      eapply Rle_trans; [|apply IH; [lia|rewrite e; lra]].
      rewrite e; apply pieces_rise; [exact p|].
      destruct (Rle_dec (1 / alpha - IZR (s - Z.of_nat (S n))) x) as [bad|]; [|lra].
      assert (joint x <= s - Z.of_nat (S n))%Z by (apply joint_at_most; split; [lia|exact bad]).
      fold s in H; lia. }
    specialize (all (Z.to_nat (s - j))); replace (s - Z.of_nat (Z.to_nat (s - j)))%Z with j in all by lia.
    apply all; [lia|exact pos].
Qed.

Lemma piece_rises x y j : 0 < x + j -> x <= y -> growth_piece x j alpha <= growth_piece y j alpha.
Proof.
  intros p le; pose proof log_pos as l; unfold growth_piece.
  apply Rplus_le_compat_r, Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, l|].
  apply ln_le; [apply Rmult_lt_0_compat; lra|apply Rmult_le_compat_l; lra].
Qed.

Lemma phi_rises x y : x <= y -> phi x <= phi y.
Proof.
  intros le; pose proof (joint_reaches x); pose proof over_pos.
  eapply Rle_trans; [apply (piece_rises x y); [lra|exact le]|].
  apply largest_piece; [apply joint_nonneg|lra].
Qed.

(* One establishment grows from x to y beside [rest] other workers. *)
Lemma one_establishment_steps rest x y : 0 <= rest -> 0 <= x -> may_grow x y alpha ->
  0 <= phi (y + rest) - phi (x + rest) <= 1.
Proof.
  intros r0 x0 [xy g]; split; [pose proof (phi_rises (x + rest) (y + rest)); lra|].
  set (m := y + rest); set (n := x + rest); set (j := IZR (joint m)).
  pose proof (joint_reaches m) as reach; fold j in reach; pose proof over_pos as i; pose proof log_pos as l.
  assert (j0 : 0 <= j) by (apply IZR_le, joint_nonneg).
  assert (ar : 0 <= alpha * (rest + j)) by (apply Rmult_le_pos; lra).
  destruct g as [g|g].
  - assert (b : m + j <= (1 + alpha) * (n + j)) by (unfold m, n; lra).
    assert (p : 0 < n + j) by (assert (0 < (1 + alpha) * (n + j)) by lra; unfold n in *; nra).
    assert (growth_piece n j alpha <= phi n) by (apply largest_piece; [apply joint_nonneg|exact p]).
    assert (phi m <= growth_piece n j alpha + 1); [|lra].
    change (phi m) with (growth_piece m j alpha); unfold growth_piece.
    assert (ln (alpha * (m + j)) <= ln ((1 + alpha) * (alpha * (n + j)))) as q.
    { apply ln_le; [apply Rmult_lt_0_compat; lra|].
      replace ((1 + alpha) * (alpha * (n + j))) with (alpha * ((1 + alpha) * (n + j))) by ring.
      apply Rmult_le_compat_l; lra. }
    rewrite (ln_mult (1 + alpha)) in q by (try apply Rmult_lt_0_compat; lra).
    replace (ln (alpha * (n + j)) / ln (1 + alpha) - j + 1)
      with ((ln (1 + alpha) + ln (alpha * (n + j))) / ln (1 + alpha) - j) by (field; lra).
    apply Rplus_le_compat_r, Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, l|exact q].
  - assert (b : m + j <= n + (j + 1)) by (unfold m, n; lra).
    assert (e : j + 1 = IZR (joint m + 1)) by (unfold j; rewrite plus_IZR; reflexivity).
    assert (growth_piece n (j + 1) alpha <= phi n).
    { rewrite e; apply largest_piece; [pose proof (joint_nonneg m); lia|rewrite <- e; lra]. }
    assert (phi m <= growth_piece n (j + 1) alpha + 1); [|lra].
    change (phi m) with (growth_piece m j alpha); unfold growth_piece.
    assert (ln (alpha * (m + j)) <= ln (alpha * (n + (j + 1)))) as q
      by (apply ln_le; [apply Rmult_lt_0_compat; lra|apply Rmult_le_compat_l; lra]).
    assert (ln (alpha * (m + j)) / ln (1 + alpha) <= ln (alpha * (n + (j + 1))) / ln (1 + alpha)).
    { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, l|exact q]. }
    lra.
Qed.

Lemma one_step l l' : one_grows alpha l l' -> 0 <= phi (total l') - phi (total l) <= 1.
Proof.
  intros (p & _ & b & x & y & a & -> & -> & g).
  apply Forall_app in p; destruct p as [pb px]; inversion px as [|? ? x0 pa]; subst.
  pose proof (total_nonneg b pb) as b0; pose proof (total_nonneg a pa) as a1.
  pose proof (one_establishment_steps (total b + total a) x y ltac:(lra) x0 g) as k.
  rewrite !total_app; simpl.
  replace (total b + (y + total a)) with (y + (total b + total a)) by ring.
  replace (total b + (x + total a)) with (x + (total b + total a)) by ring.
  exact k.
Qed.

(* The largest growth is one step, from every count. *)
Lemma by_share_is_a_step x : 1 / alpha <= x -> phi ((1 + alpha) * x) = phi x + 1.
Proof.
  intros h; pose proof over_pos as i; pose proof log_pos as l; pose proof one_over as o.
  assert (zero : forall z, 1 / alpha <= z -> joint z = 0%Z).
  { intros z hz; pose proof (joint_nonneg z); assert (joint z <= 0)%Z by (apply joint_at_most; split; [lia|lra]); lia. }
  assert (0 <= alpha * x) by (apply Rmult_le_pos; lra).
  unfold phi; rewrite !zero by lra; unfold growth_piece.
  replace (alpha * ((1 + alpha) * x + 0)) with ((1 + alpha) * (alpha * (x + 0))) by ring.
  rewrite ln_mult by (try apply Rmult_lt_0_compat; lra); field; lra.
Qed.
End Scale.
