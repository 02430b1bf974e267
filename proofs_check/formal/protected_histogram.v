(* The protected histogram (Foote et al. 2019, Proposition 4.1). The counts of disjoint bins, each with two-sided
   geometric noise of ratio e^(-epsilon), are epsilon-private together when one row is added or removed, for every
   event and for whatever is read off them. They lose exactly epsilon, as each of them does alone. *)
From Coq Require Import Reals Lra Lia List ZArith Sorted.
From Establish Require Import spec_formulas common countable geometric_law histogram_law.
Import ListNotations.
Open Scope R_scope.

(* The earnings of one cell, a row each. *)
Definition rows := list R.
Definition one_row_more (D D' : rows) : Prop :=
  exists before e after, D = before ++ after /\ D' = before ++ e :: after.
Definition presence_of_one (D D' : rows) : Prop := one_row_more D D' \/ one_row_more D' D.
Definition one_row_changes (D D' : rows) : Prop :=
  exists before e e' after, D = before ++ e :: after /\ D' = before ++ e' :: after.

(* A bin says which earnings it holds. *)
Definition bin := R -> bool.
Definition bin_count (b : bin) (D : rows) : Z := Z.of_nat (length (filter b D)).
Definition histogram (bins : list bin) (D : rows) : list Z := map (fun b => bin_count b D) bins.
(* No earnings lie in two bins. *)
Definition disjoint (bins : list bin) : Prop := forall e, (length (filter (fun b => b e) bins) <= 1)%nat.

(* The half-open bins between increasing edges; the last edge begins one more that is open at the top, or none. *)
Definition at_least (low e : R) : bool := if Rle_dec low e then true else false.
Fixpoint half_open (open_top : bool) (edges : list R) : list bin :=
  match edges with
  | [] => []
  | low :: rest =>
      match rest with
      | [] => if open_top then [at_least low] else []
      | high :: _ => (fun e => at_least low e && negb (at_least high e))%bool :: half_open open_top rest
      end
  end.

Theorem bins_between_edges_are_disjoint (open_top : bool) (edges : list R) :
  StronglySorted Rlt edges -> disjoint (half_open open_top edges).
Proof.
  intros sorted e.
  assert (below : forall edges, (forall x, In x edges -> e < x) ->
    filter (fun b : bin => b e) (half_open open_top edges) = []).
  { induction edges0 as [|low rest IH]; intros less; [reflexivity|].
    assert (no : at_least low e = false).
    { unfold at_least; destruct (Rle_dec low e); [specialize (less low (or_introl eq_refl)); lra|reflexivity]. }
    destruct rest as [|high rest]; [simpl; destruct open_top; simpl; rewrite ?no; reflexivity|].
    change (half_open open_top (low :: high :: rest)) with
      ((fun e => at_least low e && negb (at_least high e))%bool :: half_open open_top (high :: rest)).
    simpl filter at 1; rewrite no; simpl; apply IH; intros x i; apply less; right; exact i. }
  induction sorted as [|low rest sorted IH all]; [simpl; lia|].
  destruct rest as [|high rest]; [simpl; destruct open_top; simpl; [destruct (at_least low e); simpl; lia|lia]|].
  change (half_open open_top (low :: high :: rest)) with
    ((fun e => at_least low e && negb (at_least high e))%bool :: half_open open_top (high :: rest)).
  remember (half_open open_top (high :: rest)) as others eqn:is; simpl.
  destruct (at_least low e && negb (at_least high e))%bool eqn:here; [|exact IH].
  rewrite is, below; [simpl; lia|].
  apply Bool.andb_true_iff in here; destruct here as [_ here]; apply Bool.negb_true_iff in here.
  unfold at_least in here; destruct (Rle_dec high e) as [|no]; [discriminate|].
  inversion sorted as [|? ? _ more]; subst; intros x [<-|i]; [lra|].
  rewrite Forall_forall in more; specialize (more x i); lra.
Qed.

Lemma bin_count_more b before e after :
  bin_count b (before ++ e :: after) = (bin_count b (before ++ after) + if b e then 1 else 0)%Z.
Proof. unfold bin_count; rewrite !filter_app, !app_length; simpl; destruct (b e); simpl; lia. Qed.

(* The sensitivity of a bin count is 1, for a row more or less and for a row changed. *)
Theorem bin_count_has_sensitivity_one (b : bin) :
  (forall D D', presence_of_one D D' \/ one_row_changes D D' ->
    (Z.abs (bin_count b D - bin_count b D') <= 1)%Z) /\
  (forall e, b e = true -> exists D D', presence_of_one D D' /\ Z.abs (bin_count b D - bin_count b D') = 1%Z) /\
  (forall e e', b e = true -> b e' = false ->
    exists D D', one_row_changes D D' /\ Z.abs (bin_count b D - bin_count b D') = 1%Z).
Proof.
  split; [|split].
  - intros D D' [[(x & e & y & -> & ->)|(x & e & y & -> & ->)]|(x & e & e' & y & -> & ->)];
      rewrite !bin_count_more; destruct (b e); try destruct (b e'); lia.
  - intros e h; exists [], [e]; split; [left; exists [], e, []; auto|].
    unfold bin_count; simpl; rewrite h; reflexivity.
  - intros e e' h h'; exists [e], [e']; split; [exists [], e, e', []; auto|].
    unfold bin_count; simpl; rewrite h, h'; reflexivity.
Qed.

Lemma l1_back q q' : l1 q q' = l1 q' q.
Proof. revert q'; induction q as [|x q IH]; intros [|y q']; simpl; auto; rewrite IH; lia. Qed.

Lemma histograms_apart bins D D' : disjoint bins -> presence_of_one D D' ->
  (l1 (histogram bins D) (histogram bins D') <= 1)%nat.
Proof.
  intros apart near.
  assert (one : forall before e after,
    l1 (histogram bins (before ++ after)) (histogram bins (before ++ e :: after))
    = length (filter (fun b => b e) bins)).
  { intros x e y; clear apart; induction bins as [|b bins IH]; [reflexivity|].
    change (l1 (histogram (b :: bins) (x ++ y)) (histogram (b :: bins) (x ++ e :: y))) with
      (Z.abs_nat (bin_count b (x ++ y) - bin_count b (x ++ e :: y))
        + l1 (histogram bins (x ++ y)) (histogram bins (x ++ e :: y)))%nat.
    rewrite IH, bin_count_more; simpl; destruct (b e); simpl; lia. }
  destruct near as [(x & e & y & -> & ->)|(x & e & y & -> & ->)]; [|rewrite l1_back]; rewrite one; apply apart.
Qed.

(* The protected counts: the mass of every list of outputs. *)
Definition protected (bins : list bin) (epsilon : R) (D : rows) : list Z -> R :=
  joint_mass (exp (- epsilon)) (histogram bins D).

Lemma ratio_range epsilon : 0 < epsilon -> 0 < exp (- epsilon) < 1.
Proof. intros e0; split; [apply exp_pos|rewrite <- exp_0; apply exp_increasing; lra]. Qed.

Lemma protected_private bins epsilon : disjoint bins -> 0 < epsilon ->
  events_private presence_of_one epsilon (protected bins epsilon).
Proof.
  intros apart e0; pose proof (ratio_range epsilon e0) as r; apply bound_at_every_answer; intros D D' o near.
  pose proof (histograms_apart bins D D' apart near) as close; unfold protected.
  pose proof (counts_move (exp (- epsilon)) (histogram bins D) (histogram bins D') o r) as move.
  unfold histogram at 1 2 in move; rewrite !map_length in move; specialize (move eq_refl).
  pose proof (joint_nonneg (exp (- epsilon)) (histogram bins D) o r) as nonneg.
  assert (least : exp (- epsilon) <= exp (- epsilon) ^ l1 (histogram bins D) (histogram bins D')).
  { destruct (l1 (histogram bins D) (histogram bins D')) as [|[|k]]; [simpl; lra|simpl; lra|lia]. }
  apply Rmult_le_reg_l with (exp (- epsilon)); [apply exp_pos|].
  rewrite <- Rmult_assoc, <- exp_plus, Rplus_opp_l, exp_0, Rmult_1_l.
  eapply Rle_trans; [|exact move]; rewrite Rmult_comm; apply Rmult_le_compat_l; assumption.
Qed.

Lemma protected_least bins epsilon b e loss : 0 < epsilon -> In b bins -> b e = true -> disjoint bins ->
  events_private presence_of_one loss (protected bins epsilon) -> epsilon <= loss.
Proof.
  intros e0 i inside apart priv; pose proof (ratio_range epsilon e0) as r.
  pose proof (bound_of_every_answer _ _ _ _ _ (fun D o => joint_nonneg _ (histogram bins D) o r) priv
    [e] [] (histogram bins [e]) (or_intror (ex_intro _ [] (ex_intro _ e (ex_intro _ [] (conj eq_refl eq_refl)))))) as le.
  apply exp_le_inv; unfold protected in le.
  assert (at_self : forall q, joint_mass (exp (- epsilon)) q q = geometric_mass 0 (exp (- epsilon)) ^ length q).
  { induction q as [|x q IH]; simpl; [reflexivity|rewrite IH, Z.sub_diag; reflexivity]. }
  assert (m0 : 0 < geometric_mass 0 (exp (- epsilon))) by (apply mass_pos, r).
  assert (shift : forall l : list bin, joint_mass (exp (- epsilon)) (histogram l []) (histogram l [e])
    = geometric_mass 0 (exp (- epsilon)) ^ length l * exp (- epsilon) ^ length (filter (fun b => b e) l)).
  { induction l as [|c l IH]; simpl; [ring|]; rewrite IH; unfold bin_count; simpl.
    destruct (c e); simpl; rewrite !mass_is; simpl; ring. }
  assert (one : length (filter (fun b => b e) bins) = 1%nat).
  { specialize (apart e); assert (In b (filter (fun b => b e) bins)) by (apply filter_In; auto).
    destruct (filter (fun b => b e) bins) as [|c [|c' l]]; simpl in *; [contradiction|reflexivity|lia]. }
  rewrite at_self, shift, one in le; unfold histogram in le; rewrite map_length in le.
  pose proof (pow_lt _ (length bins) m0) as p.
  assert (k : 1 <= exp loss * exp (- epsilon)).
  { apply Rmult_le_reg_l with (geometric_mass 0 (exp (- epsilon)) ^ length bins); [exact p|].
    rewrite Rmult_1_r; eapply Rle_trans; [exact le|right].
    rewrite pow_1, <- !Rmult_assoc, (Rmult_comm (exp loss)); reflexivity. }
  apply Rmult_le_reg_r with (exp (- epsilon)); [apply exp_pos|].
  rewrite <- exp_plus, Rplus_opp_r, exp_0; exact k.
Qed.

Theorem histogram_is_private (bins : list bin) (epsilon : R) : disjoint bins -> 0 < epsilon ->
  let at_level := fun loss => events_private presence_of_one loss (protected bins epsilon) in
  (forall D, is_mass_function (protected bins epsilon D)) /\
  at_level epsilon /\
  (forall b e, In b bins -> b e = true -> forall loss, at_level loss <-> epsilon <= loss) /\
  (forall b, In b bins -> forall e, b e = true ->
    forall loss, events_private presence_of_one loss (protected [b] epsilon) <-> epsilon <= loss) /\
  (forall (X : Type) (f : list Z -> X) D D', presence_of_one D D' -> forall (E : X -> Prop) p p',
    event_probability (protected bins epsilon D) (fun o => E (f o)) p ->
    event_probability (protected bins epsilon D') (fun o => E (f o)) p' -> p <= exp epsilon * p').
Proof.
  intros apart e0 at_level.
  assert (up : forall l loss, disjoint l -> epsilon <= loss ->
    events_private presence_of_one loss (protected l epsilon)).
  { intros l loss dl le; apply bound_at_every_answer; intros D D' o near.
    eapply Rle_trans; [apply (bound_of_every_answer _ _ _ _ _
      (fun D o => joint_nonneg _ (histogram l D) o (ratio_range epsilon e0)) (protected_private l epsilon dl e0)
      D D' o near)|].
    apply Rmult_le_compat_r; [apply joint_nonneg, ratio_range, e0|apply exp_le, le]. }
  assert (alone : forall b, disjoint [b]) by (intros b e; simpl; destruct (b e); simpl; lia).
  split; [intros D; apply masses_add_up_to_one, ratio_range, e0|].
  split; [apply up; [exact apart|lra]|split; [|split]].
  - intros b e i h loss; split; [apply (protected_least bins epsilon b e loss e0 i h apart)|apply up, apart].
  - intros b _ e h loss; split; [|apply up, alone].
    apply (protected_least [b] epsilon b e loss e0 (or_introl eq_refl) h (alone b)).
  - intros X f D D' near E; apply (protected_private bins epsilon apart e0 D D' near).
Qed.
