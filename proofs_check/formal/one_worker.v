(* Rule leave_and_join: what a definition of privacy says of the record of one worker, by the dataset without it. *)
From Coq Require Import Reals Lra Lia List.
Import ListNotations.
From Establish Require Import spec_formulas common datasets.
Open Scope R_scope.

Section Joining.
Variables (A V : Type).
(* The worker is not yet there, and joins the establishment. *)
Definition joins (w : worker V) (e : establishment A V) : establishment A V :=
  Establishment (public e) (w :: workforce e).
Definition may_join (w : worker V) (e : establishment A V) : Prop := NoDup (w :: workforce e).

Lemma one_job w e : may_join w e -> gains_one_job A V e (joins w e).
Proof.
  intros new; split; [|reflexivity]; split; [reflexivity|split; [inversion new; assumption|split; [exact new|]]].
  intros x h; right; exact h.
Qed.

Lemma at_most_one_more w e p : matching A V p e <= matching A V p (joins w e) <= matching A V p e + 1.
Proof. unfold matching; simpl; destruct (p (attributes w)); simpl length; rewrite ?S_INR; lra. Qed.

(* One worker more is a step of every kind, as the growth by one is in the definitions: what the rule owes of it
   needs no hypothesis. *)
Theorem a_worker_who_joins alpha w before e after : may_join w e ->
  let D := before ++ e :: after in let D' := before ++ joins w e :: after in
  strong_neighbors (V := V) alpha D D' /\ weak_neighbors alpha D D' /\ edge_neighbors D D' /\ node_neighbors D D'.
Proof.
  intros new D D'; assert (job := one_job w e new).
  assert (grows : forall p, may_grow (matching A V p e) (matching A V p (joins w e)) alpha).
  { intros p; pose proof (at_most_one_more w e p); unfold may_grow; lra. }
  assert (at_ : forall change : establishment A V -> establishment A V -> Prop, change e (joins w e) ->
    either_way A V change D D') by (intros change h; left; exists before, e, (joins w e), after; auto).
  repeat split; apply at_.
  - split; [apply job|apply grows].
  - split; [apply job|apply grows].
  - exact job.
  - reflexivity.
Qed.
End Joining.

Section Records.
Variables (others value : Type) (many : list others) (belief : others -> R).
(* The likelihood of one output, with a value of the record, and without the worker, beside the others. *)
Variables (with_ : value -> others -> R) (absent : others -> R) (c : R) (multiple : nat).
Definition mean (f : others -> R) : R := fold_right (fun o s => belief o * f o + s) 0 many.

Variable c1 : 1 <= c.
Variable beliefs : forall o, 0 <= belief o.
Variable likelihoods : forall v o, 0 <= with_ v o /\ 0 <= absent o.
(* One step costs at most c: the datasets are neighbors. *)
Variable steps : forall v o, with_ v o <= c * absent o /\ absent o <= c * with_ v o.

Lemma mean_le f g k : (forall o, f o <= k * g o) -> mean f <= k * mean g.
Proof.
  intros le; unfold mean; induction many as [|o l IH]; simpl; [lra|].
  pose proof (Rmult_le_compat_l (belief o) _ _ (beliefs o) (le o)); lra.
Qed.

(* Two values of a record. Owed: two steps cost at most the level. *)
Theorem between_values :
  (forall b none a, 0 <= b -> 0 <= none <= c * b -> 0 <= a <= c * none -> a <= c ^ multiple * b) ->
  forall v w, mean (with_ v) <= c ^ multiple * mean (with_ w).
Proof.
  intros owed v w; apply mean_le; intros o; destruct (likelihoods v o), (likelihoods w o), (steps v o), (steps w o).
  apply (owed _ (absent o)); auto.
Qed.

(* Presence, a mixture of values with weights, against absence. Owed: of two values, in both directions. *)
Definition mixed (weights : list (value * R)) (o : others) : R :=
  fold_right (fun p s => snd p * with_ (fst p) o + s) 0 weights.
Definition weight (weights : list (value * R)) : R := fold_right (fun p s => snd p + s) 0 weights.

Theorem presence_and_absence (weights : list (value * R)) :
  (forall t u none a b, 0 < t -> 0 <= u -> 0 <= none -> 0 <= a <= c * none -> 0 <= b <= c * none ->
    t * a + u * b <= c ^ multiple * ((t + u) * none)) ->
  (forall t u a b none, 0 < t -> 0 <= u -> 0 <= a -> 0 <= b -> 0 <= none <= c * a -> none <= c * b ->
    (t + u) * none <= c ^ multiple * (t * a + u * b)) ->
  Forall (fun p => 0 <= snd p) weights ->
  mean (mixed weights) <= c ^ multiple * (weight weights * mean absent) /\
  weight weights * mean absent <= c ^ multiple * mean (mixed weights).
Proof.
  intros there back positive.
  assert (one : forall v o, with_ v o <= c ^ multiple * absent o /\ absent o <= c ^ multiple * with_ v o).
  { intros v o; destruct (likelihoods v o), (steps v o).
    pose proof (there 1 0 (absent o) (with_ v o) 0 ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as h.
    pose proof (back 1 0 (with_ v o) (with_ v o) (absent o) ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as k.
    assert (0 <= c * absent o) by (apply Rmult_le_pos; lra).
    specialize (h ltac:(lra)); specialize (k ltac:(lra) ltac:(lra)); lra. }
  assert (all : forall o, mixed weights o <= c ^ multiple * (weight weights * absent o) /\
    weight weights * absent o <= c ^ multiple * mixed weights o).
  { intros o; unfold mixed, weight; induction positive as [|[v t] l t0 _ [IH1 IH2]]; simpl in *; [lra|].
    destruct (one v o) as [h k].
    apply (Rmult_le_compat_l t) in h; [|exact t0]; apply (Rmult_le_compat_l t) in k; [|exact t0]; lra. }
  assert (s : forall g, mean (fun o => weight weights * g o) = weight weights * mean g).
  { intros g; unfold mean; induction many as [|o l IH]; simpl; [ring|rewrite IH; ring]. }
  rewrite <- s; split; apply mean_le; intros o; apply all.
Qed.
End Records.
