(* Log-Laplace at every output: with shift 1/alpha, a step of growth moves the logarithm of the shifted count
   by at most ln(1 + alpha), and the density by at most the factor exp(ln(1 + alpha)/scale). *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets.
Open Scope R_scope.

Lemma shift_pos alpha : 0 < alpha -> 0 < log_laplace_shift alpha.
Proof. intros; unfold log_laplace_shift; apply Rdiv_lt_0_compat; lra. Qed.

(* One establishment grows from x to y beside [rest] other workers. *)
Lemma one_establishment alpha rest x y : 0 < alpha -> 0 <= rest -> 0 <= x -> may_grow x y alpha ->
  0 <= ln (y + rest + log_laplace_shift alpha) - ln (x + rest + log_laplace_shift alpha)
    <= ln (1 + alpha).
Proof.
  intros a0 r0 x0 [xy g]; pose proof (shift_pos alpha a0) as i; unfold log_laplace_shift in *.
  assert (ai : alpha * (1 / alpha) = 1) by (field; lra).
  assert (ar : 0 <= alpha * rest) by (apply Rmult_le_pos; lra).
  assert (ax : 0 <= alpha * x) by (apply Rmult_le_pos; lra).
  assert (b : y + rest + 1 / alpha <= (1 + alpha) * (x + rest + 1 / alpha)).
  { replace ((1 + alpha) * (x + rest + 1 / alpha))
      with (x + rest + 1 / alpha + alpha * x + alpha * rest + alpha * (1 / alpha)) by ring.
    rewrite ai; destruct g; lra. }
  split.
  - assert (ln (x + rest + 1 / alpha) <= ln (y + rest + 1 / alpha)) by (apply ln_le; lra). lra.
  - assert (h : ln (y + rest + 1 / alpha) <= ln ((1 + alpha) * (x + rest + 1 / alpha)))
      by (apply ln_le; lra).
    rewrite ln_mult in h; lra.
Qed.

Lemma one_step alpha l l' : 0 < alpha -> one_grows alpha l l' ->
  0 <= ln (total l' + log_laplace_shift alpha) - ln (total l + log_laplace_shift alpha)
    <= ln (1 + alpha).
Proof.
  intros a0 (p & p' & b & x & y & a & -> & -> & g).
  apply Forall_app in p; destruct p as [pb px]; inversion px as [|? ? x0 pa]; subst.
  pose proof (total_nonneg b pb) as b0; pose proof (total_nonneg a pa) as a1.
  pose proof (one_establishment alpha (total b + total a) x y a0 ltac:(lra) x0 g) as k.
  rewrite !total_app; simpl.
  replace (total b + (y + total a)) with (y + (total b + total a)) by ring.
  replace (total b + (x + total a)) with (x + (total b + total a)) by ring.
  exact k.
Qed.

(* The density at two counts, whatever the scale. *)
Lemma counts_apart o n m shift scale : 0 < n + shift -> 0 < m + shift -> 0 < scale -> 0 < o + shift ->
  log_laplace_log_density o n shift scale - log_laplace_log_density o m shift scale
  <= Rabs (ln (m + shift) - ln (n + shift)) / scale.
Proof.
  intros; unfold log_laplace_log_density; rewrite !Rminus_0_r, !ln_div by lra.
  set (u := ln (o + shift)); set (v := ln (n + shift)); set (w := ln (m + shift)).
  replace (_ - _) with ((Rabs (u - w) - Rabs (u - v)) / scale) by (field; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  rewrite (Rabs_minus_sym u w), (Rabs_minus_sym u v), (Rabs_minus_sym w v).
  pose proof (abs_shift w v u) as k; rewrite (Rabs_minus_sym v w); lra.
Qed.

Lemma density_continuous n shift scale o : 0 < n + shift -> 0 < scale -> - shift < o ->
  continuity_pt (fun o => exp (log_laplace_log_density o n shift scale)) o.
Proof.
  intros; apply continuous_to_continuity, exp_continuous; unfold log_laplace_log_density.
  assert (id : continuous (fun o => o + shift) o)
    by (apply continuous_to_continuity; reg).
  assert (div : continuous (fun o => (o + shift) / (n + shift)) o).
  { apply (continuous_mult (K := R_AbsRing) (fun t => t + shift)); [exact id|apply continuous_const]. }
  apply (continuous_minus (V := R_NormedModule)); [|apply ln_continuous; [lra|exact id]].
  apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_opp (V := R_NormedModule)), abs_continuous.
  apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
  apply ln_continuous; [apply Rdiv_lt_0_compat; lra|exact div].
Qed.

(* The mechanism on lists of counts: neighbors in either direction. *)
Lemma loss_at_every_output alpha scale loss l l' o : 0 < alpha -> 0 < scale ->
  ln (1 + alpha) / scale <= loss -> one_grows alpha l l' \/ one_grows alpha l' l ->
  - log_laplace_shift alpha < o ->
  exp (log_laplace_log_density o (total l) (log_laplace_shift alpha) scale)
  <= exp loss * exp (log_laplace_log_density o (total l') (log_laplace_shift alpha) scale).
Proof.
  intros a0 s0 le near above; apply exp_ratio.
  pose proof (shift_pos alpha a0) as i.
  assert (nonneg : 0 <= total l /\ 0 <= total l').
  { destruct near as [(p & q & _)|(p & q & _)]; split; apply total_nonneg; assumption. }
  eapply Rle_trans; [apply counts_apart; lra|]. eapply Rle_trans; [|exact le].
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  destruct near as [h|h]; apply (one_step alpha _ _ a0) in h.
  - rewrite Rabs_pos_eq; lra.
  - rewrite Rabs_minus_sym, Rabs_pos_eq; lra.
Qed.

(* From an empty establishment to one with a single worker the bound is attained at outputs of 1 and more. *)
Lemma loss_is_attained alpha scale o : 0 < alpha -> 0 < scale -> 1 <= o ->
  exp (log_laplace_log_density o 1 (log_laplace_shift alpha) scale)
  = exp (ln (1 + alpha) / scale) *
    exp (log_laplace_log_density o 0 (log_laplace_shift alpha) scale).
Proof.
  intros a0 s0 o1; pose proof (shift_pos alpha a0) as i; rewrite <- exp_plus; f_equal.
  unfold log_laplace_log_density; rewrite !Rminus_0_r, !ln_div by lra.
  assert (grown : ln (1 + log_laplace_shift alpha) = ln (1 + alpha) + ln (0 + log_laplace_shift alpha)).
  { rewrite <- ln_mult by lra; f_equal; unfold log_laplace_shift; field; lra. }
  assert (ln (0 + log_laplace_shift alpha) <= ln (1 + log_laplace_shift alpha)) by (apply ln_le; lra).
  assert (ln (1 + log_laplace_shift alpha) <= ln (o + log_laplace_shift alpha)) by (apply ln_le; lra).
  rewrite !Rabs_pos_eq by lra; rewrite grown; field; lra.
Qed.
