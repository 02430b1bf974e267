(* Rules on sums over the integers: a mean as a quotient of two sums, means below others together, and what telescopes
   or only moves the index. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import common comparisons on_integers.
Open Scope R_scope.

(* H is near 0 wherever the index is far from 0, on a part of the integers. *)
Definition fades (part : Z -> Prop) (H : Z -> R) : Prop :=
  forall e, 0 < e -> exists far, forall k, (far <= Z.abs k)%Z -> part k -> Rabs (H k) < e.
Definition anywhere (k : Z) : Prop := True.

Lemma fades_along (part : Z -> Prop) H u m : fades part H -> (forall n, (m <= n)%nat -> part (u n)) ->
  (forall n, (Z.of_nat n <= Z.abs (u n))%Z) -> is_lim_seq (fun n => H (u n)) 0.
Proof.
  intros fade there out; apply is_lim_seq_spec; intros e; destruct (fade e (cond_pos e)) as [far within].
  exists (Z.to_nat far + m)%nat; intros n h; rewrite Rminus_0_r; apply within; [pose proof (out n)|apply there]; lia.
Qed.

Lemma fades_times (part : Z -> Prop) H F c : fades anywhere H -> (forall k, part k -> Rabs (F k) <= c * H k) -> fades part F.
Proof.
  intros fade most e e0; pose proof (Rabs_pos c); destruct (fade (e / (Rabs c + 1)) ltac:(apply Rdiv_lt_0_compat; lra)) as [far within].
  exists far; intros k h inside; apply Rle_lt_trans with (1 := most k inside); apply Rle_lt_trans with (1 := Rle_abs _).
  rewrite Rabs_mult; pose proof (within k h I) as b; pose proof (Rabs_pos (H k)).
  apply (Rmult_lt_compat_r (Rabs c + 1)) in b; [|lra]; replace (e / (Rabs c + 1) * (Rabs c + 1)) with e in b by (field; lra); lra.
Qed.

Lemma fades_moved F H c j : fades anywhere F -> fades anywhere H -> fades anywhere (fun k => H k + c * F (k + j)%Z).
Proof.
  intros own other e e0; pose proof (Rabs_pos c).
  destruct (other (e / 2) ltac:(lra)) as [far near], (own (e / 2 / (Rabs c + 1)) ltac:(apply Rdiv_lt_0_compat; lra)) as [far' near'].
  exists (Z.max far (far' + Z.abs j)); intros k h _; apply Rle_lt_trans with (1 := Rabs_triang _ _); rewrite Rabs_mult.
  pose proof (near k ltac:(lia) I); pose proof (near' (k + j)%Z ltac:(lia) I) as b; pose proof (Rabs_pos (F (k + j)%Z)).
  apply (Rmult_lt_compat_r (Rabs c + 1)) in b; [|lra]; replace (e / 2 / (Rabs c + 1) * (Rabs c + 1)) with (e / 2) in b by (field; lra); lra.
Qed.

(* Terms that are at most what H loses add up to at most what it loses from one end to the other. *)
Lemma telescopes f H (low high : R) s : (forall k, f k <= H k - H (k + 1)%Z) ->
  is_lim_seq (fun n => H (- Z.of_nat (S n))%Z) low -> is_lim_seq (fun n => H (Z.of_nat (S n))) high ->
  sums_to f s -> s <= low - high.
Proof.
  intros le to_low to_high [_ sum].
  refine (is_lim_seq_le _ _ s (low - high) _ sum (is_lim_seq_minus' _ _ _ _ to_low to_high)).
  induction n as [|n IH].
  - rewrite sum_O; unfold in_pairs; pose proof (le 0%Z); pose proof (le (-1)%Z); simpl in *; lra.
  - rewrite sum_Sn; change (sum_n (in_pairs f) n + (f (Z.of_nat (S n)) + f (- Z.of_nat (S (S n)))%Z)
      <= H (- Z.of_nat (S (S n)))%Z - H (Z.of_nat (S (S n)))).
    pose proof (le (Z.of_nat (S n))); pose proof (le (- Z.of_nat (S (S n)))%Z).
    replace (Z.of_nat (S n) + 1)%Z with (Z.of_nat (S (S n))) in * by lia.
    replace (- Z.of_nat (S (S n)) + 1)%Z with (- Z.of_nat (S n))%Z in * by lia.
    apply Rle_trans with (1 := Rplus_le_compat_r _ _ _ IH); lra.
Qed.

(* A polynomial times what falls like a geometric sequence. *)
Lemma geometric_fades q c degree : 0 < c -> is_lim_seq (fun n => (1 + INR n) ^ degree * exp (q - c * INR n)) 0.
Proof.
  revert c; induction degree as [|degree IH]; intros c c0.
  - apply (is_lim_seq_ext (fun n => exp q * exp (- c) ^ n)).
    + intros n; rewrite <- Rpower_pow by apply exp_pos; unfold Rpower; rewrite ln_exp, <- exp_plus; simpl; rewrite Rmult_1_l; f_equal; ring.
    + replace (Finite 0) with (Rbar_mult (exp q) 0) by apply Rbar_mult_0_r; apply is_lim_seq_scal_l, is_lim_seq_geom.
      rewrite Rabs_pos_eq by (left; apply exp_pos); rewrite <- exp_0; apply exp_increasing; lra.
  - apply (is_lim_seq_le_le (fun _ => 0) _ (fun n => 2 / c * exp (c / 2) * ((1 + INR n) ^ degree * exp (q - c / 2 * INR n)))).
    + intros n; pose proof (pos_INR n) as n0; assert (p : 0 <= (1 + INR n) ^ degree) by (apply pow_le; lra).
      split; [simpl; pose proof (exp_pos (q - c * INR n)); apply Rmult_le_pos; [apply Rmult_le_pos; lra|lra]|].
      replace (q - c * INR n) with (- (c / 2 * INR n) + (q - c / 2 * INR n)) by field; rewrite exp_plus.
      pose proof (exp_ineq1_le (c / 2 * (1 + INR n))) as above.
      assert (one : (1 + INR n) * exp (- (c / 2 * INR n)) <= 2 / c * exp (c / 2)).
      { apply (Rmult_le_reg_l (c / 2)); [lra|]; replace (c / 2 * (2 / c * exp (c / 2))) with (exp (c / 2)) by (field; lra).
        replace (exp (c / 2)) with (exp (c / 2 * (1 + INR n)) * exp (- (c / 2 * INR n))) by (rewrite <- exp_plus; f_equal; ring).
        rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [left; apply exp_pos|lra]. }
      pose proof (exp_pos (q - c / 2 * INR n)); simpl pow.
      replace ((1 + INR n) * (1 + INR n) ^ degree * (exp (- (c / 2 * INR n)) * exp (q - c / 2 * INR n)))
        with ((1 + INR n) * exp (- (c / 2 * INR n)) * ((1 + INR n) ^ degree * exp (q - c / 2 * INR n))) by ring.
      apply Rmult_le_compat_r; [apply Rmult_le_pos; lra|exact one].
    + apply is_lim_seq_const.
    + replace (Finite 0) with (Rbar_mult (2 / c * exp (c / 2)) 0) by apply Rbar_mult_0_r.
      apply is_lim_seq_scal_l, IH; lra.
Qed.

(* A logarithm is concave far from 0, by which a statement shows that the sum of what it is of is finite. *)
Definition concave (l : Z -> R) : Prop :=
  exists far, forall k, (far < Z.abs k)%Z -> l (k - 1)%Z + l (k + 1)%Z <= 2 * l k.

Lemma concave_fades (a : nat -> R) far degree : (forall n, (far <= n)%nat -> a n + a (S (S n)) <= 2 * a (S n)) ->
  is_lim_seq (fun n => exp (a n)) 0 -> is_lim_seq (fun n => (1 + INR n) ^ degree * exp (a n)) 0.
Proof.
  intros bent fade.
  assert (step : exists m, (far <= m)%nat /\ a (S m) < a m).
  { apply is_lim_seq_spec in fade; destruct (fade (mkposreal _ (exp_pos (a far)))) as [N below]; simpl in below.
    assert (some : forall j, (exists m, (far <= m)%nat /\ a (S m) < a m) \/ a far <= a (far + j)%nat).
    { induction j as [|j [down|up]]; [right; rewrite Nat.add_0_r; lra|left; exact down|].
      destruct (Rlt_dec (a (S (far + j))) (a (far + j)%nat)); [left; exists (far + j)%nat; split; [lia|assumption]|].
      right; rewrite Nat.add_succ_r; lra. }
    destruct (some N) as [down|up]; [exact down|exfalso]; pose proof (below (far + N)%nat ltac:(lia)) as b.
    rewrite Rminus_0_r, Rabs_pos_eq in b by (left; apply exp_pos); apply exp_le in up; lra. }
  destruct step as (m & from & down); set (c := a m - a (S m)).
  assert (falls : forall j, a (S (m + j)) <= a (m + j)%nat - c /\ a (m + j)%nat <= a m - c * INR j).
  { induction j as [|j [less line]]; [rewrite Nat.add_0_r; simpl; unfold c; lra|].
    pose proof (bent (m + j)%nat ltac:(lia)); rewrite Nat.add_succ_r, S_INR; lra. }
  apply (is_lim_seq_le_le_loc (fun _ => 0) _ (fun n => (1 + INR n) ^ degree * exp (a m + c * INR m - c * INR n)));
    [|apply is_lim_seq_const|apply geometric_fades; unfold c; lra].
  exists m; intros n h; assert (p : 0 <= (1 + INR n) ^ degree) by (apply pow_le; pose proof (pos_INR n); lra).
  split; [apply Rmult_le_pos; [exact p|left; apply exp_pos]|apply Rmult_le_compat_l, exp_le; [exact p|]].
  destruct (falls (n - m)%nat) as [_ line]; rewrite minus_INR in line by exact h.
  replace (m + (n - m))%nat with n in line by lia; lra.
Qed.

(* Weights of a finite sum fade, also times a polynomial. *)
Lemma weights_fade l d degree : concave l -> sums_to (fun k => exp (l k)) d ->
  fades anywhere (fun k => (1 + Rabs (IZR k)) ^ degree * exp (l k)).
Proof.
  intros [far bent] [sum _].
  assert (both : forall u : nat -> Z, (forall n, u n = Z.of_nat n) \/ (forall n, u n = - Z.of_nat n)%Z ->
    is_lim_seq (fun n => (1 + INR n) ^ degree * exp (l (u n))) 0).
  { intros u side; apply (concave_fades (fun n => l (u n)) (Z.to_nat far + 1)).
    - intros n h; pose proof (bent (u (S n)) ltac:(destruct side as [e|e]; rewrite e; lia)) as k.
      destruct side as [e|e]; rewrite !e in *.
      + replace (Z.of_nat (S n) - 1)%Z with (Z.of_nat n) in k by lia; replace (Z.of_nat (S n) + 1)%Z with (Z.of_nat (S (S n))) in k by lia; exact k.
      + replace (- Z.of_nat (S n) + 1)%Z with (- Z.of_nat n)%Z in k by lia; replace (- Z.of_nat (S n) - 1)%Z with (- Z.of_nat (S (S n)))%Z in k by lia; lra.
    - apply ex_series_lim_0 in sum.
      assert (part : forall v : nat -> Z, (forall n, v n = Z.of_nat n \/ v n = - Z.of_nat (S n))%Z -> is_lim_seq (fun n => exp (l (v n))) 0).
      { intros v is; refine (is_lim_seq_le_le _ _ _ 0 _ (is_lim_seq_const 0) sum); intros n; unfold in_pairs.
        rewrite !Rabs_pos_eq by (left; apply exp_pos).
        pose proof (exp_pos (l (Z.of_nat n))); pose proof (exp_pos (l (- Z.of_nat (S n))%Z)); destruct (is n) as [-> | ->]; lra. }
      destruct side as [e|e]; [apply part; intros n; left; apply e|].
      apply is_lim_seq_incr_1, part; intros n; right; apply e. }
  intros e e0.
  pose proof (both Z.of_nat (or_introl (fun n => eq_refl))) as up; pose proof (both (fun n => - Z.of_nat n)%Z (or_intror (fun n => eq_refl))) as down.
  apply is_lim_seq_spec in up; apply is_lim_seq_spec in down.
  destruct (up (mkposreal e e0)) as [N high], (down (mkposreal e e0)) as [M low]; simpl in high, low.
  exists (Z.of_nat (N + M)); intros k h _; rewrite <- abs_IZR.
  replace (IZR (Z.abs k)) with (INR (Z.abs_nat k)) by (rewrite INR_IZR_INZ; f_equal; lia).
  destruct (Z_le_gt_dec 0 k).
  - pose proof (high (Z.abs_nat k) ltac:(lia)) as b; rewrite Rminus_0_r in b; replace (Z.of_nat (Z.abs_nat k)) with k in b by lia; exact b.
  - pose proof (low (Z.abs_nat k) ltac:(lia)) as b; rewrite Rminus_0_r in b; replace (- Z.of_nat (Z.abs_nat k))%Z with k in b by lia; exact b.
Qed.

Section Rules.
Variables (point : Type) (domain : point -> Prop).
Implicit Types (f g l right left : point -> Z -> R) (bound : point -> R).
Local Notation mean := (mean_stated point domain).

Definition compares (r : relation) : Prop := r = at_most \/ r = equal \/ r = at_least.
Definition other_way (r : relation) : relation := match r with at_most => at_least | at_least => at_most | _ => r end.

(* Rule quotient. Owed: of the sum of what is averaged; of the sum of the weights, the other way round; the signs of both
   bounds; and their quotient beside the bound. Each sum may be that of another law and exponent with the same product. *)
Theorem quotient f g l ga la gb lb r above below bound : compares r ->
  finite point domain f ga la -> (forall x k, domain x -> ga x k + la x k = g x k + l x k) ->
  finite point domain (fun _ _ => 1) gb lb -> (forall x k, domain x -> gb x k + lb x k = l x k) ->
  mean false f ga la r above -> mean false (fun _ _ => 1) gb lb (other_way r) below ->
  stated domain (fun _ => 0) at_most above -> stated domain (fun _ => 0) less below ->
  stated domain (fun x => above x / below x) r bound -> mean true f g l r bound.
Proof.
  intros some exist_a same_a exist_b same_b over under sign positive enough x inside n d sum weights.
  pose proof (weights_positive point l x d weights) as d0; pose proof (sign x inside : 0 <= above x) as a0.
  pose proof (positive x inside : 0 < below x) as b0; pose proof (enough x inside) as e.
  destruct (exist_a x inside) as [_ [da wa]], (exist_b x inside) as [_ [db wb]].
  assert (A : related r n (above x)).
  { apply (over x inside n da); [|exact wa]; refine (sums_ext _ _ _ _ sum); intros k; unfold terms; rewrite (same_a x k inside); reflexivity. }
  assert (B : related (other_way r) d (below x)).
  { apply (under x inside d db); [|exact wb]; refine (sums_ext _ _ _ _ weights); intros k; unfold terms; rewrite (same_b x k inside); ring. }
  assert (cross : n * below x <= d * above x -> n / d <= above x / below x).
  { intros h; apply (Rmult_le_reg_r d); [exact d0|]; apply (Rmult_le_reg_r (below x)); [exact b0|].
    replace (n / d * d * below x) with (n * below x) by (field; lra).
    replace (above x / below x * d * below x) with (d * above x) by (field; lra); exact h. }
  assert (cross' : d * above x <= n * below x -> above x / below x <= n / d).
  { intros h; apply (Rmult_le_reg_r d); [exact d0|]; apply (Rmult_le_reg_r (below x)); [exact b0|].
    replace (n / d * d * below x) with (n * below x) by (field; lra).
    replace (above x / below x * d * below x) with (d * above x) by (field; lra); exact h. }
  destruct some as [-> |[-> | ->]]; simpl in *.
  - apply Rle_trans with (2 := e), cross; nra.
  - rewrite A, B; exact e.
  - apply Rle_ge, Rle_trans with (1 := Rge_le _ _ e), cross'; nra.
Qed.

(* Rule means_below. Owed: each of the larger means with its bound; at every integer what is averaged is at most what
   they average together; and so are the bounds. All have one domain and law. *)
Definition larger_mean : Type := (point -> Z -> R) * (point -> Z -> R) * (point -> R).
Theorem means_below normalized f g l bound (larger : list larger_mean) :
  let together (value : larger_mean -> R) := fold_right (fun m s => value m + s) 0 larger in
  List.Forall (fun m => let '(f', g', bound') := m in finite point domain f' g' l /\ mean normalized f' g' l at_most bound') larger ->
  stated (fun p => domain (fst p)) (fun p => f (fst p) (snd p) * exp (g (fst p) (snd p))) at_most
    (fun p => together (fun '(f', g', _) => f' (fst p) (snd p) * exp (g' (fst p) (snd p)))) ->
  stated domain (fun x => together (fun '(_, _, bound') => bound' x)) at_most bound ->
  mean normalized f g l at_most bound.
Proof.
  intros together means less enough x inside n d sum weights; apply Rle_trans with (2 := enough x inside).
  pose proof (weights_positive point l x d weights) as d0; set (share := if normalized then / d else 1).
  assert (share0 : 0 <= share) by (unfold share; destruct normalized; [left; apply Rinv_0_lt_compat, d0|lra]).
  assert (is : forall s, (if normalized then s / d else s) = s * share) by (intros s; unfold share; destruct normalized; unfold Rdiv; ring).
  assert (all : exists N, sums_to (fun k => together (fun '(f', g', _) => f' x k * exp (g' x k)) * exp (l x k)) N /\
    N * share <= together (fun '(_, _, bound') => bound' x)).
  { clear less enough; unfold together; induction means as [|[[f' g'] b'] rest [exist most] _ (N & IH & below)]; simpl.
    - exists (0 * d); split; [exact (sums_scal 0 _ _ weights)|lra].
    - destruct (exist x inside) as [[s one] _]; exists (s + N); split.
      + refine (sums_ext _ _ _ _ (sums_plus _ _ _ _ one IH)); intros k; unfold terms; rewrite exp_plus; ring.
      + pose proof (most x inside s d one weights) as h; simpl in h; rewrite is in h; lra. }
  destruct all as (N & whole & below); simpl; rewrite is; apply Rle_trans with (2 := below), Rmult_le_compat_r; [exact share0|].
  refine (sums_le _ _ _ _ _ sum whole); intros k; unfold terms; rewrite exp_plus, <- Rmult_assoc.
  apply Rmult_le_compat_r; [left; apply exp_pos|exact (less (x, k) inside)].
Qed.

(* How a statement shows that its sum is finite. *)
Definition shown g l : Prop := forall x, domain x ->
  concave (fun k => g x k + l x k) /\ exists d, sums_to (fun k => exp (g x k + l x k)) d.

(* |f(k)| <= size (1 + |k|)^degree on a part of the integers. *)
Definition small (part : point * Z -> Prop) f (size : point -> R) (degree : nat) : Prop :=
  stated part (fun v => Rabs (f (fst v) (snd v))) at_most (fun v => size (fst v) * (1 + Rabs (IZR (snd v))) ^ degree).

Lemma small_fades part f size degree g l x : small part f size degree -> shown g l -> domain x ->
  fades (fun k => part (x, k)) (fun k => f x k * exp (g x k + l x k)).
Proof.
  intros most show inside; destruct (show x inside) as [bent [d sum]].
  apply fades_times with (1 := weights_fade _ d degree bent sum) (c := size x); intros k there.
  rewrite Rabs_mult, (Rabs_pos_eq (exp _)), <- Rmult_assoc by (left; apply exp_pos).
  apply Rmult_le_compat_r; [left; apply exp_pos|exact (most (x, k) there)].
Qed.

(* Rule moved_index. Owed: the terms are what [of] times e^[exponent] loses when the index moves by [by_], times the weights;
   it is small; and the bound is 0. *)
Theorem moved_index normalized f g l of exponent (by_ : point -> Z) (size : point -> R) degree bound : shown g l ->
  let w x k := g x k + l x k in
  let everywhere v := domain (fst v) in
  stated everywhere (fun v => f (fst v) (snd v)) equal (fun v => let there := (snd v + by_ (fst v))%Z in
    of (fst v) (snd v) * exp (exponent (fst v) (snd v))
    - of (fst v) there * exp (exponent (fst v) there + w (fst v) there - w (fst v) (snd v))) ->
  small everywhere (fun x k => of x k * exp (exponent x k)) size degree ->
  stated domain bound equal (fun _ => 0) -> mean normalized f g l equal bound.
Proof.
  intros show w everywhere lost most zero x inside n d sum _; rewrite (zero x inside : bound x = 0).
  pose (F k := of x k * exp (exponent x k) * exp (w x k)).
  assert (fade : fades anywhere F).
  { intros e e0; destruct (small_fades _ _ _ _ _ _ x most show inside e e0) as [far near]; exists far; intros k h _; exact (near k h inside). }
  assert (telescope : forall j, exists H, fades anywhere H /\ forall k, F k - F (k + j)%Z = H k - H (k + 1)%Z).
  { apply Z.bi_induction; [intros a b ->; reflexivity| |].
    - exists (fun _ => 0); split; [intros e e0; exists 0%Z; intros k _ _; rewrite Rabs_R0; exact e0|intros k; rewrite Z.add_0_r; ring].
    - intros j; split; intros (H & small_ & is).
      + exists (fun k => H k + 1 * F (k + j)%Z); split; [apply fades_moved; assumption|]; intros k; pose proof (is k).
        replace (k + Z.succ j)%Z with (k + 1 + j)%Z by lia; lra.
      + exists (fun k => H k + -1 * F (k + j)%Z); split; [apply fades_moved; assumption|]; intros k; pose proof (is k).
        replace (k + Z.succ j)%Z with (k + 1 + j)%Z in * by lia; lra. }
  destruct (telescope (by_ x)) as (H & small_ & is).
  assert (step : forall k, terms point f g l x k = H k - H (k + 1)%Z).
  { intros k; rewrite <- is; unfold terms; fold (w x k); rewrite (lost (x, k) inside : f x k = _); unfold F; simpl.
    unfold Rminus at 2; rewrite !exp_plus, exp_Ropp; field; apply Rgt_not_eq, exp_pos. }
  assert (ends : forall u : nat -> Z, (forall i, Z.of_nat i <= Z.abs (u i))%Z -> is_lim_seq (fun i => H (u i)) 0)
    by (intros u; apply (fades_along anywhere) with (m := 0%nat); [exact small_|intros; exact I]).
  assert (up : n <= 0 - 0)
    by (refine (telescopes _ H _ _ n _ (ends _ _) (ends _ _) sum); [intros k; right; apply step|intros; lia|intros; lia]).
  assert (down : -1 * n <= - 0 - - 0)
    by (refine (telescopes _ (fun k => - H k) _ _ _ _ (proj1 (is_lim_seq_opp _ _) (ends _ _)) (proj1 (is_lim_seq_opp _ _) (ends _ _))
          (sums_scal (-1) _ _ sum)); [intros k; rewrite step; lra|intros; lia|intros; lia]).
  replace n with 0 by lra; destruct normalized; simpl; unfold Rdiv; ring.
Qed.

(* Rule telescoped. Owed: each term from the start on is what [right] loses, and each before it what [left] does, where
   both are taken times the weights; both are small there; and what they are at the start, beside the bound. *)
Theorem telescoped f g l right left (start : point -> Z) (size : point -> R) degree r bound : compares r -> shown g l ->
  let w x k := g x k + l x k in
  let from v := domain (fst v) /\ (start (fst v) <= snd v)%Z in
  let before v := domain (fst v) /\ (snd v <= start (fst v) - 1)%Z in
  stated from (fun v => f (fst v) (snd v)) r (fun v => right (fst v) (snd v)
    - right (fst v) (snd v + 1)%Z * exp (w (fst v) (snd v + 1)%Z - w (fst v) (snd v))) ->
  stated before (fun v => f (fst v) (snd v)) r (fun v => left (fst v) (snd v)
    - left (fst v) (snd v - 1)%Z * exp (w (fst v) (snd v - 1)%Z - w (fst v) (snd v))) ->
  small from right size degree -> small before left size degree ->
  stated domain (fun x => right x (start x) * exp (w x (start x)) + left x (start x - 1)%Z * exp (w x (start x - 1)%Z)) r bound ->
  mean false f g l r bound.
Proof.
  intros some show w from before up down small_r small_l ends x inside n d sum _; set (m := start x).
  pose (F k := right x k * exp (w x k)); pose (L k := left x k * exp (w x k)).
  pose (H k := if Z_le_dec m k then F k else F m + L (m - 1)%Z - L (k - 1)%Z).
  assert (loses : forall a b (k j : Z), a - b * exp (w x j - w x k) = (a * exp (w x k) - b * exp (w x j)) * / exp (w x k)).
  { intros a b k j; unfold Rminus at 2; rewrite exp_plus, exp_Ropp; field; apply Rgt_not_eq, exp_pos. }
  assert (step : forall k, related r (terms point f g l x k) (H k - H (k + 1)%Z)).
  { intros k; pose proof (exp_pos (w x k)) as p; unfold terms; fold (w x k); rewrite Rmult_comm.
    assert (e : related r (f x k) ((H k - H (k + 1)%Z) * / exp (w x k))).
    { unfold H; destruct (Z_le_dec m k) as [h|h], (Z_le_dec m (k + 1)) as [h'|h']; try lia.
      - unfold F; rewrite <- loses; exact (up (x, k) (conj inside h)).
      - replace (k + 1)%Z with m by lia; replace (F m + L (m - 1)%Z - L (k - 1)%Z - F m) with (L k - L (k - 1)%Z) by (replace (m - 1)%Z with k by lia; ring).
        unfold L; rewrite <- loses; apply (down (x, k)); split; [exact inside|cbn [fst snd]; fold m; lia].
      - replace (k + 1 - 1)%Z with k by lia; replace (F m + L (m - 1)%Z - L (k - 1)%Z - (F m + L (m - 1)%Z - L k)) with (L k - L (k - 1)%Z) by ring.
        unfold L; rewrite <- loses; apply (down (x, k)); split; [exact inside|cbn [fst snd]; fold m; lia]. }
    replace (H k - H (k + 1)%Z) with (exp (w x k) * ((H k - H (k + 1)%Z) * / exp (w x k))) by (field; lra).
    destruct some as [-> |[-> | ->]]; simpl in *; nra. }
  assert (high : is_lim_seq (fun i => H (Z.of_nat (S i))) 0).
  { apply (is_lim_seq_ext_loc (fun i => F (Z.of_nat (S i)))).
    - exists (Z.to_nat m); intros i h; unfold H; destruct (Z_le_dec m (Z.of_nat (S i))); [reflexivity|lia].
    - refine (fades_along _ _ _ (Z.to_nat m) (small_fades _ _ _ _ _ _ x small_r show inside) _ _); intros i; [intros h; split; cbn [fst snd]; fold m|]; lia || assumption. }
  assert (low : is_lim_seq (fun i => H (- Z.of_nat (S i))%Z) (F m + L (m - 1)%Z)).
  { apply (is_lim_seq_ext_loc (fun i => F m + L (m - 1)%Z - L (- Z.of_nat (S i) - 1)%Z)).
    - exists (Z.to_nat (- m)); intros i h; unfold H; destruct (Z_le_dec m (- Z.of_nat (S i))); [lia|reflexivity].
    - replace (Finite (F m + L (m - 1)%Z)) with (Finite (F m + L (m - 1)%Z - 0)) by (rewrite Rminus_0_r; reflexivity).
      apply is_lim_seq_minus'; [apply is_lim_seq_const|].
      refine (fades_along _ _ (fun i => - Z.of_nat (S i) - 1)%Z (Z.to_nat (- m)) (small_fades _ _ _ _ _ _ x small_l show inside) _ _); intros i; [intros h; split; cbn [fst snd]; fold m|]; lia || assumption. }
  pose proof (ends x inside) as e; fold m in e; fold (F m) (L (m - 1)%Z) in e.
  assert (most : r <> at_least -> n <= F m + L (m - 1)%Z).
  { intros no; replace (F m + L (m - 1)%Z) with (F m + L (m - 1)%Z - 0) by ring.
    refine (telescopes _ H _ _ n _ low high sum); intros k; pose proof (step k) as h.
    destruct some as [-> |[-> | ->]]; simpl in h; [lra|lra|contradiction]. }
  assert (least : r <> at_most -> F m + L (m - 1)%Z <= n).
  { intros no; enough (h : -1 * n <= - (F m + L (m - 1)%Z) - - 0) by lra.
    refine (telescopes _ (fun k => - H k) _ _ _ _ (proj1 (is_lim_seq_opp _ _) low) (proj1 (is_lim_seq_opp _ _) high) (sums_scal (-1) _ _ sum)).
    intros k; pose proof (step k) as h; destruct some as [-> |[-> | ->]]; simpl in h; [contradiction|lra|lra]. }
  destruct some as [-> |[-> | ->]]; simpl in *.
  - apply Rle_trans with (2 := e), most; discriminate.
  - rewrite <- e; apply Rle_antisym; [apply most|apply least]; discriminate.
  - apply Rle_ge, Rle_trans with (1 := Rge_le _ _ e), least; discriminate.
Qed.
End Rules.
