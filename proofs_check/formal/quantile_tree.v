(* Several quantiles by a recursive draw: the middle share first, then those below it from what lies below the drawn
   candidate, and those above it from the rest. One individual more costs epsilon a level, however many draws it has. *)
From Coq Require Import Reals Lra Lia List ZArith Sorted.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common discrete countable histogram_law protected_histogram equal_gaps.
From Establish Require Import laws_together.
Import ListNotations.
Open Scope R_scope.

(* Shares as they are drawn, each relative to the part of the list that it is drawn from. *)
Inductive shares := no_share | middle (lower : shares) (share : R) (upper : shares).
Fixpoint levels (s : shares) : nat := match s with no_share => 0 | middle l _ u => S (Nat.max (levels l) (levels u)) end.
Fixpoint size (s : shares) : nat := match s with no_share => 0 | middle l _ u => S (size l + size u) end.
Fixpoint between_0_and_1 (s : shares) : Prop :=
  match s with no_share => True | middle l p u => 0 < p < 1 /\ between_0_and_1 l /\ between_0_and_1 u end.

(* The list is cut at its middle share, at most [deep] times. *)
Fixpoint halved (deep : nat) (given : list R) : shares :=
  match deep, given with
  | S less, _ :: _ =>
      let at_ := (length given / 2)%nat in let p := nth at_ given 0 in
      middle (halved less (map (fun s => s / p) (firstn at_ given))) p
        (halved less (map (fun s => (s - p) / (1 - p)) (skipn (S at_) given)))
  | _, _ => no_share
  end.

(* The places of the candidates that are drawn. *)
Inductive places := nowhere | drawn_at (lower : places) (place : nat) (upper : places).
Lemma places_eq_dec (a b : places) : {a = b} + {a <> b}.
Proof. repeat decide equality. Qed.

Section Tree.
(* Candidates by their places, with public weights. *)
Variables (candidate weight : nat -> R) (epsilon : R).
Variable public : forall i, 0 < weight i.
Variable level : 0 <= epsilon.

(* How far a candidate's rank is from the share's. *)
Definition off (share : R) (D : rows) (i : nat) : R := quantile_distance (less D (candidate i)) (INR (length D)) share.
(* One draw, from the places low to high. *)
Definition draw (share : R) (low high : nat) (D : rows) (i : nat) : R :=
  if (Nat.leb low i && Nat.leb i high)%bool then chosen rows nat (seq low (S high - low)) weight (off share) epsilon D i else 0.

Fixpoint tree (s : shares) (low high : nat) (D : rows) (o : places) : R :=
  match s, o with
  | no_share, nowhere => 1
  | middle l p u, drawn_at a i b => draw p low high D i *
      (tree l low i (filter (fun e => negb (at_least (candidate i) e)) D) a * tree u i high (filter (at_least (candidate i)) D) b)
  | _, _ => 0
  end.

Lemma off_moves share D D' i : 0 < share < 1 -> presence_of_one D D' -> Rabs (off share D i - off share D' i) <= 1.
Proof.
  intros p near; unfold off, quantile_distance.
  assert (m : 0 < Rmax share (1 - share)) by (apply Rlt_le_trans with (2 := Rmax_l share (1 - share)); lra).
  pose proof (Rmax_l share (1 - share)); pose proof (Rmax_r share (1 - share)); set (top := Rmax share (1 - share)) in *.
  assert (one : forall b e a, Rabs (Rabs (less (b ++ e :: a) (candidate i) - share * INR (length (b ++ e :: a))) / top -
      Rabs (less (b ++ a) (candidate i) - share * INR (length (b ++ a))) / top) <= 1).
  { intros b e a; rewrite one_more_less, one_more_in_all; unfold Rdiv; rewrite <- Rmult_minus_distr_r, Rabs_mult, (Rabs_pos_eq (/ top));
      [|left; apply Rinv_0_lt_compat, m].
    apply Rmult_le_reg_r with top; [exact m|]; rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_1_l by lra.
    eapply Rle_trans; [apply Rabs_triang_inv2|]; destruct (at_least (candidate i) e);
      [replace (_ - _) with (- share) by ring|replace (_ - _) with (1 - share) by ring]; apply Rabs_le; lra. }
  destruct near as [(b & e & a & -> & ->)|(b & e & a & -> & ->)]; [rewrite Rabs_minus_sym|]; apply one.
Qed.

Lemma is_back D D' : presence_of_one D D' -> presence_of_one D' D.
Proof. intros [h|h]; [right|left]; exact h. Qed.

Theorem one_draw_costs_its_budget share low high : 0 < share < 1 -> (low <= high)%nat ->
  (forall D, is_mass_function (draw share low high D)) /\ answers_private rows nat presence_of_one epsilon (draw share low high).
Proof.
  intros p le; assert (some : seq low (S high - low) <> []) by (replace (S high - low)%nat with (S (high - low)) by lia; discriminate).
  split.
  - intros D; apply (places_are_a_law (S high)); unfold draw; split; [|split].
    + intros i; destruct (_ && _)%bool; [|lra]; apply (chosen_is_law _ _ _ _ _ some public epsilon D).
    + intros i h; destruct (Nat.leb_spec i high); [lia|rewrite Bool.andb_false_r; reflexivity].
    + replace (S high) with (low + (S high - low))%nat at 1 by lia; rewrite seq_app, mass_app.
      destruct (chosen_is_law _ _ _ _ (off share) some public epsilon D) as [_ one].
      change (mass_of (chosen rows nat (seq low (S high - low)) weight (off share) epsilon D) (seq low (S high - low)) = 1) in one.
      rewrite (mass_ext _ (fun _ => 0 * 0) (seq 0 low)), mass_times, Rmult_0_l, Rplus_0_l.
      * etransitivity; [|exact one]; apply mass_ext; intros i h; apply in_seq in h.
        destruct (Nat.leb_spec low i), (Nat.leb_spec i high); try lia; reflexivity.
      * intros i h; apply in_seq in h; destruct (Nat.leb_spec low i); [lia|simpl; ring].
  - intros D D' near i; unfold draw; destruct (_ && _)%bool; [|lra].
    destruct (chosen_private _ _ _ _ (off share) presence_of_one some public epsilon level) as [private _].
    + intros; apply off_moves; assumption.
    + apply private, near.
Qed.

Lemma draw_nonneg share low high D i : 0 <= draw share low high D i.
Proof.
  unfold draw; destruct (Nat.leb_spec low i), (Nat.leb_spec i high); cbn [andb]; try lra.
  assert (some : seq low (S high - low) <> []) by (replace (S high - low)%nat with (S (high - low)) by lia; discriminate).
  apply (chosen_is_law _ _ _ _ _ some public epsilon D).
Qed.

Lemma tree_nonneg s low high D o : 0 <= tree s low high D o.
Proof.
  revert low high D o; induction s as [|l IHl p u IHu]; intros low high D [|a i b]; simpl; try lra.
  apply Rmult_le_pos; [apply draw_nonneg|apply Rmult_le_pos; auto].
Qed.

Lemma tree_law s low high D : between_0_and_1 s -> (low <= high)%nat -> is_mass_function (tree s low high D).
Proof.
  revert low high D; induction s as [|l IHl p u IHu]; intros low high D inside le.
  - apply (certain _ nowhere); [reflexivity|apply tree_nonneg|intros [|a i b]; auto].
  - destruct inside as (p01 & il & iu).
    (* Elsewhere than at places that are drawn any law will do. *)
    set (at_ := fun i => Nat.max low (Nat.min i high)).
    set (rest := fun i => then_drawn places places
      (tree l low (at_ i) (filter (fun e => negb (at_least (candidate i) e)) D))
      (fun _ => tree u (at_ i) high (filter (at_least (candidate i)) D))).
    apply (same_law (named (fun o => match o with drawn_at a i b => Some (i, (a, b)) | nowhere => None end)
      (then_drawn nat (places * places) (draw p low high D) rest))).
    + intros [|a i b]; [reflexivity|]; unfold named, then_drawn, rest, at_, then_drawn; cbn [fst snd tree]; unfold draw.
      destruct (Nat.leb_spec low i), (Nat.leb_spec i high); cbn [andb]; try (rewrite !Rmult_0_l; reflexivity).
      replace (Nat.max low (Nat.min i high)) with i by lia; reflexivity.
    + apply (named_is_law (fun o => drawn_at (fst (snd o)) (fst o) (snd (snd o)))).
      * intros [i [a b]]; reflexivity.
      * intros [|a i b] [i' [a' b']] h; [discriminate|injection h as <- <- <-; reflexivity].
      * apply one_after_the_other; [exact Nat.eq_dec|apply one_draw_costs_its_budget; assumption|].
        intros i; apply one_after_the_other; [exact places_eq_dec|apply IHl; [exact il|unfold at_; lia]|].
        intros _; apply IHu; [exact iu|unfold at_; lia].
Qed.

Lemma in_one_part (cut : R -> bool) D D' : presence_of_one D D' ->
  presence_of_one (filter cut D) (filter cut D') /\ filter (fun e => negb (cut e)) D = filter (fun e => negb (cut e)) D' \/
  presence_of_one (filter (fun e => negb (cut e)) D) (filter (fun e => negb (cut e)) D') /\ filter cut D = filter cut D'.
Proof.
  assert (one : forall b e a, one_row_more (filter cut (b ++ a)) (filter cut (b ++ e :: a)) /\
      filter (fun e => negb (cut e)) (b ++ a) = filter (fun e => negb (cut e)) (b ++ e :: a) \/
      one_row_more (filter (fun e => negb (cut e)) (b ++ a)) (filter (fun e => negb (cut e)) (b ++ e :: a)) /\
      filter cut (b ++ a) = filter cut (b ++ e :: a)).
  { intros b e a; rewrite !filter_app; simpl; destruct (cut e); simpl; [left|right]; (split; [|reflexivity]);
      [exists (filter cut b), e, (filter cut a)|
       exists (filter (fun e => negb (cut e)) b), e, (filter (fun e => negb (cut e)) a)]; auto. }
  intros [(b & e & a & -> & ->)|(b & e & a & -> & ->)]; destruct (one b e a) as [[h s]|[h s]];
    [left|right|left|right]; (split; [first [left; exact h|right; exact h]|congruence]).
Qed.

Lemma tree_moves s low high D D' o : between_0_and_1 s -> (low <= high)%nat -> presence_of_one D D' ->
  tree s low high D o <= exp (INR (levels s) * epsilon) * tree s low high D' o.
Proof.
  revert low high D D' o; induction s as [|l IHl p u IHu]; intros low high D D' [|a i b] inside le near; try (simpl; rewrite ?Rmult_0_l, ?exp_0; lra).
  destruct inside as (p01 & il & iu); cbn [tree levels].
  destruct (one_draw_costs_its_budget p low high p01 le) as [_ private]; pose proof (private D D' near i) as first.
  destruct (Nat.le_gt_cases low i) as [li|no]; [destruct (Nat.le_gt_cases i high) as [ih|no]|].
  2, 3: unfold draw; destruct (Nat.leb_spec low i), (Nat.leb_spec i high); try lia; simpl; rewrite !Rmult_0_l; lra.
  rewrite S_INR, Rmult_plus_distr_r, Rmult_1_l, Rplus_comm, exp_plus.
  set (top := INR (Nat.max (levels l) (levels u)) * epsilon); set (cut := at_least (candidate i)).
  assert (k1 : 1 <= exp top) by (rewrite <- exp_0; apply exp_le; apply Rmult_le_pos; [apply pos_INR|exact level]).
  assert (up : forall n, (n <= Nat.max (levels l) (levels u))%nat -> exp (INR n * epsilon) <= exp top).
  { intros n h; apply exp_le, Rmult_le_compat_r; [exact level|apply le_INR, h]. }
  assert (parts : tree l low i (filter (fun e => negb (cut e)) D) a * tree u i high (filter cut D) b <=
      exp top * (tree l low i (filter (fun e => negb (cut e)) D') a * tree u i high (filter cut D') b)).
  { destruct (in_one_part cut D D' near) as [[h same]|[h same]]; rewrite same.
    - pose proof (IHu i high _ _ b iu ih h) as le_u; pose proof (up (levels u) ltac:(lia)).
      pose proof (tree_nonneg u i high (filter cut D') b); pose proof (tree_nonneg l low i (filter (fun e => negb (cut e)) D') a).
      rewrite (Rmult_comm (exp top)), Rmult_assoc; apply Rmult_le_compat_l; [assumption|nra].
    - pose proof (IHl low i _ _ a il li h) as le_l; pose proof (up (levels l) ltac:(lia)).
      pose proof (tree_nonneg u i high (filter cut D') b); pose proof (tree_nonneg l low i (filter (fun e => negb (cut e)) D') a).
      rewrite <- Rmult_assoc; apply Rmult_le_compat_r; [assumption|nra]. }
  apply Rle_trans with (exp epsilon * draw p low high D' i *
    (exp top * (tree l low i (filter (fun e => negb (cut e)) D') a * tree u i high (filter cut D') b))).
  - apply Rmult_le_compat; [apply draw_nonneg|apply Rmult_le_pos; apply tree_nonneg|exact first|exact parts].
  - right; ring.
Qed.
End Tree.

(* Cut [deep] times, a list of less than 2^deep shares has them all, each in its part. *)
Lemma all_are_drawn deep : forall given, (length given < 2 ^ deep)%nat -> size (halved deep given) = length given.
Proof.
  induction deep as [|deep IH]; intros [|p given] h; try reflexivity; [simpl in h; lia|].
  cbn [halved size]; set (l := p :: given) in *; set (n := length l) in *; assert (n <> 0)%nat by discriminate.
  pose proof (Nat.div_mod n 2 ltac:(lia)); pose proof (Nat.mod_upper_bound n 2 ltac:(lia)); rewrite Nat.pow_succ_r' in h.
  rewrite !IH; rewrite !map_length, ?firstn_length, ?skipn_length; fold n; lia.
Qed.

Lemma levels_at_most deep : forall given, (levels (halved deep given) <= deep)%nat.
Proof.
  induction deep as [|deep IH]; intros [|p given]; try (simpl; lia); cbn [halved levels].
  apply le_n_S, Nat.max_lub; apply IH.
Qed.

Lemma sorted_around (l : list R) p u : StronglySorted Rlt (l ++ p :: u) ->
  StronglySorted Rlt l /\ StronglySorted Rlt u /\ (forall x, In x l -> x < p) /\ (forall x, In x u -> p < x).
Proof.
  induction l as [|x l IH]; simpl; intros h; inversion h as [|? ? s all]; subst; rewrite Forall_forall in all.
  - repeat split; [constructor|exact s|intros x []|exact all].
  - destruct (IH s) as (sl & su & below & above); repeat split; [constructor|exact su| |exact above].
    + exact sl.
    + rewrite Forall_forall; intros y i; apply all, in_or_app; left; exact i.
    + intros y [<-|i]; [apply all, in_or_app; right; left; reflexivity|apply below, i].
Qed.

Lemma sorted_map (f : R -> R) l : (forall x y, x < y -> f x < f y) -> StronglySorted Rlt l -> StronglySorted Rlt (map f l).
Proof.
  intros up; induction 1 as [|x l s IH all]; simpl; constructor; [exact IH|].
  rewrite Forall_forall in *; intros y i; apply in_map_iff in i; destruct i as (z & <- & i); apply up, all, i.
Qed.

Lemma around_nth (l : list R) : forall m, (m < length l)%nat -> l = firstn m l ++ nth m l 0 :: skipn (S m) l.
Proof.
  induction l as [|x l IH]; intros [|m] h; simpl in h; try lia; [reflexivity|].
  cbn [firstn nth skipn app]; f_equal; apply IH; lia.
Qed.

Lemma relative_shares deep : forall given, StronglySorted Rlt given -> (forall s, In s given -> 0 < s < 1) ->
  between_0_and_1 (halved deep given).
Proof.
  induction deep as [|deep IH]; intros [|p0 given] sorted inside; try exact I; cbn [halved between_0_and_1].
  set (l := p0 :: given) in *; set (m := (length l / 2)%nat).
  assert (less : (m < length l)%nat) by (apply Nat.div_lt; simpl; lia).
  pose proof (around_nth l m less) as split_.
  set (p := nth m l 0) in *; rewrite split_ in sorted; destruct (sorted_around _ _ _ sorted) as (sl & su & below & above).
  assert (p01 : 0 < p < 1) by (apply inside, nth_In, less).
  assert (in_l : forall x, In x (firstn m l) -> 0 < x < 1) by (intros x i; apply inside; rewrite split_; apply in_or_app; auto).
  assert (in_u : forall x, In x (skipn (S m) l) -> 0 < x < 1) by (intros x i; apply inside; rewrite split_; apply in_or_app; right; right; exact i).
  split; [exact p01|split; apply IH].
  - apply sorted_map; [|exact sl]; intros x y h; apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra.
  - intros s i; apply in_map_iff in i; destruct i as (x & <- & i); specialize (in_l x i); specialize (below x i).
    split; [apply Rdiv_lt_0_compat; lra|apply Rlt_div_l; lra].
  - apply sorted_map; [|exact su]; intros x y h; apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra.
  - intros s i; apply in_map_iff in i; destruct i as (x & <- & i); specialize (in_u x i); specialize (above x i).
    split; [apply Rdiv_lt_0_compat; lra|apply Rlt_div_l; lra].
Qed.

(* All shares are drawn, in at most [deep] levels; it costs [deep] times epsilon, twice that where earnings change. *)
Theorem quantile_tree_costs_its_levels (candidate weight : nat -> R) (epsilon : R) (deep low high : nat) (given : list R) :
  (forall i, 0 < weight i) -> 0 <= epsilon -> (low <= high)%nat ->
  StronglySorted Rlt given -> (forall s, In s given -> 0 < s < 1) -> (length given < 2 ^ deep)%nat ->
  let law := tree candidate weight epsilon (halved deep given) low high in
  size (halved deep given) = length given /\ (forall D, is_mass_function (law D)) /\
  answers_private rows places presence_of_one (INR deep * epsilon) law /\
  events_private presence_of_one (INR deep * epsilon) law /\ events_private one_row_changes (2 * (INR deep * epsilon)) law.
Proof.
  intros public level le sorted inside enough law; pose proof (relative_shares deep given sorted inside) as within.
  assert (private : answers_private rows places presence_of_one (INR deep * epsilon) law).
  { intros D D' near o; eapply Rle_trans; [exact (tree_moves candidate weight epsilon public level _ low high D D' o within le near)|].
    apply Rmult_le_compat_r; [apply tree_nonneg; exact public|].
    apply exp_le, Rmult_le_compat_r; [exact level|apply le_INR, levels_at_most]. }
  split; [apply all_are_drawn, enough|split; [|split; [exact private|split; apply bound_at_every_answer]]].
  - intros D; apply tree_law; try assumption; lra.
  - intros D D' o near; apply private, near.
  - intros D D' o (b & e & e' & a & -> & ->).
    replace (2 * (INR deep * epsilon)) with (INR deep * epsilon + INR deep * epsilon) by ring; rewrite exp_plus, Rmult_assoc.
    eapply Rle_trans; [apply (private _ (b ++ a)); right; exists b, e, a; auto|].
    apply Rmult_le_compat_l; [left; apply exp_pos|apply private; left; exists b, e', a; auto].
Qed.
