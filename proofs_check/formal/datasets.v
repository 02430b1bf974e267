(* Employer-employee data: establishments with public attributes and a workforce, neighbors, and counts. *)
From Coq Require Import Reals Lra Lia List.
From Establish Require Import spec_formulas common.
Import ListNotations.
Open Scope R_scope.

Section Data.
Variables (A V : Type).  (* public attributes of an establishment; attributes of a worker *)

Record worker := Worker { name : nat; attributes : V }.
Record establishment := Establishment { public : A; workforce : list worker }.
Definition dataset := list establishment.

(* The number of workers of [e] whose attributes have the property [p]. *)
Definition matching (p : V -> bool) (e : establishment) : R :=
  INR (length (filter (fun w => p (attributes w)) (workforce e))).
Definition everyone (v : V) : bool := true.
Definition size (e : establishment) : R := matching everyone e.

(* Both establishments have the same public attributes, no worker is listed twice, and every worker of [e],
   with its attributes, is one of [e']. *)
Definition extends (e e' : establishment) : Prop :=
  public e = public e' /\ NoDup (workforce e) /\ NoDup (workforce e') /\
  incl (workforce e) (workforce e').

(* Haney et al. 2017, Definition 7.1: the number of workers grows by at most a share alpha, or by one. *)
Definition grows_strongly (alpha : R) (e e' : establishment) : Prop :=
  extends e e' /\ may_grow (size e) (size e') alpha.
(* Definition 7.3: so does the number of workers with any property of their attributes. *)
Definition grows_weakly (alpha : R) (e e' : establishment) : Prop :=
  extends e e' /\ forall p, may_grow (matching p e) (matching p e') alpha.
(* Edge neighbors: one job, with its worker, is added. *)
Definition gains_one_job (e e' : establishment) : Prop :=
  extends e e' /\ length (workforce e') = S (length (workforce e)).

(* One establishment changes, in one direction or in the other; all others stay. *)
Definition one_changes (change : establishment -> establishment -> Prop) (D D' : dataset) : Prop :=
  exists before e e' after,
    D = before ++ e :: after /\ D' = before ++ e' :: after /\ change e e'.
Definition either_way (change : establishment -> establishment -> Prop) (D D' : dataset) : Prop :=
  one_changes change D D' \/ one_changes change D' D.

Definition strong_neighbors (alpha : R) := either_way (grows_strongly alpha).
Definition weak_neighbors (alpha : R) := either_way (grows_weakly alpha).
Definition edge_neighbors := either_way gains_one_job.
(* Node neighbors: one establishment has any other workforce. *)
Definition replaces_workforce (e e' : establishment) : Prop := public e = public e'.
Definition node_neighbors := either_way replaces_workforce.

(* A cell selects workers by the attributes of their establishment and their own. *)
Definition cell := A -> V -> bool.
Definition establishment_cell (b : A -> bool) : cell := fun a _ => b a.
Definition contribution (q : cell) (e : establishment) : R := matching (q (public e)) e.
Definition contributions (q : cell) (D : dataset) : list R := map (contribution q) D.
Definition total (counts : list R) : R := fold_right Rplus 0 counts.
Definition largest (counts : list R) : R := fold_right Rmax 0 counts.
Definition count (q : cell) (D : dataset) : R := total (contributions q D).

(* One number of a list grows as Definition 7.1 allows. *)
Definition one_grows (alpha : R) (l l' : list R) : Prop :=
  Forall (fun x => 0 <= x) l /\ Forall (fun x => 0 <= x) l' /\
  exists before x y after, l = before ++ x :: after /\ l' = before ++ y :: after /\ may_grow x y alpha.

Lemma matching_nonneg p e : 0 <= matching p e.
Proof. apply pos_INR. Qed.

Lemma contributions_nonneg q D : Forall (fun x => 0 <= x) (contributions q D).
Proof. apply Forall_map, Forall_forall; intros e _; apply matching_nonneg. Qed.

Lemma matching_of_constant b e :
  matching (fun _ => b) e = if b then size e else 0.
Proof.
  unfold size, matching, everyone; destruct b; [reflexivity|].
  induction (workforce e) as [|w l IH]; [reflexivity|exact IH].
Qed.

Lemma may_grow_zero alpha : may_grow 0 0 alpha.
Proof. unfold may_grow; lra. Qed.

Lemma one_changes_contributions (change : establishment -> establishment -> Prop) alpha q D D' :
  (forall e e', change e e' -> may_grow (contribution q e) (contribution q e') alpha) ->
  one_changes change D D' -> one_grows alpha (contributions q D) (contributions q D').
Proof.
  intros grows (b & e & e' & a & -> & -> & h).
  split; [apply contributions_nonneg|split; [apply contributions_nonneg|]].
  exists (contributions q b), (contribution q e), (contribution q e'), (contributions q a).
  unfold contributions; rewrite !map_app; simpl; auto.
Qed.

Lemma strong_contributions alpha b D D' : one_changes (grows_strongly alpha) D D' ->
  one_grows alpha (contributions (establishment_cell b) D) (contributions (establishment_cell b) D').
Proof.
  apply one_changes_contributions; intros e e' [[same _] g].
  unfold contribution, establishment_cell; rewrite !matching_of_constant, <- same.
  destruct (b (public e)); [exact g|apply may_grow_zero].
Qed.

Lemma weak_contributions alpha q D D' : one_changes (grows_weakly alpha) D D' ->
  one_grows alpha (contributions q D) (contributions q D').
Proof.
  apply one_changes_contributions; intros e e' [[same _] g].
  unfold contribution; rewrite <- same; apply g.
Qed.

Lemma filter_length_incl {T} (p : T -> bool) l l' : NoDup l -> incl l l' ->
  (length (filter p l) <= length (filter p l'))%nat.
Proof.
  intros nodup inside; apply NoDup_incl_length; [apply NoDup_filter, nodup|].
  intros x; rewrite !filter_In; intros [h k]; split; [apply inside, h|exact k].
Qed.

Lemma split_length {T} (p : T -> bool) l :
  (length (filter p l) + length (filter (fun x => negb (p x)) l) = length l)%nat.
Proof. induction l as [|x l IH]; simpl; [reflexivity|destruct (p x); simpl; lia]. Qed.

Lemma filter_no_longer {T} (p : T -> bool) l : (length (filter p l) <= length l)%nat.
Proof. rewrite <- (split_length p l); lia. Qed.

(* Weak neighbors are strong ones: the property that everybody has. *)
Lemma weak_growth_is_strong alpha e e' : grows_weakly alpha e e' -> grows_strongly alpha e e'.
Proof. intros [h g]; split; [exact h|apply g]. Qed.

Lemma total_app l l' : total (l ++ l') = total l + total l'.
Proof. induction l as [|x l IH]; simpl; [ring|rewrite IH; ring]. Qed.
Lemma total_nonneg l : Forall (fun x => 0 <= x) l -> 0 <= total l.
Proof. induction 1; simpl; lra. Qed.
Lemma largest_nonneg l : 0 <= largest l.
Proof. induction l as [|x l IH]; simpl; [lra|apply Rle_trans with (1 := IH), Rmax_r]. Qed.
Lemma largest_app l l' : largest (l ++ l') = Rmax (largest l) (largest l').
Proof.
  induction l as [|x l IH]; simpl; [symmetry; apply Rmax_right, largest_nonneg|].
  rewrite IH; apply Rmax_assoc.
Qed.
Lemma count_nonneg q D : 0 <= count q D.
Proof. apply total_nonneg, contributions_nonneg. Qed.
End Data.

Arguments public {A V}. Arguments workforce {A V}. Arguments Establishment {A V}.
Arguments name {V}. Arguments attributes {V}. Arguments Worker {V}.
Arguments count {A V}. Arguments contributions {A V}. Arguments establishment_cell {A V}.
Arguments strong_neighbors {A V}. Arguments weak_neighbors {A V}. Arguments edge_neighbors {A V}.
Arguments node_neighbors {A V}.
