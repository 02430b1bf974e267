(* Chains of neighbors and the distance that they induce: the least number of steps, or infinity. It is a metric
   wherever neighbors are neighbors in both orders. *)
From Coq Require Import Lia Classical Wf_nat PeanoNat.

Section Chains.
Variables (dataset : Type) (neighbors : dataset -> dataset -> Prop).

(* A chain of k steps. *)
Inductive chain : nat -> dataset -> dataset -> Prop :=
  | here D : chain 0 D D
  | step k D D1 D' : neighbors D D1 -> chain k D1 D' -> chain (S k) D D'.

Definition distance_is (D D' : dataset) (k : nat) : Prop :=
  chain k D D' /\ forall j, chain j D D' -> k <= j.
Definition infinitely_far (D D' : dataset) : Prop := forall k, ~ chain k D D'.

(* Exactly one distance, which may be infinite; 0 for equal datasets only; symmetric; and the detour by a third
   dataset is no shorter. *)
Definition is_metric : Prop :=
  (forall D D', infinitely_far D D' \/ exists k, distance_is D D' k) /\
  (forall D D' j k, distance_is D D' j -> distance_is D D' k -> j = k) /\
  (forall D D', distance_is D D' 0 <-> D = D') /\
  (forall D D' k, distance_is D D' k -> distance_is D' D k) /\
  (forall D D1 D' j k, distance_is D D1 j -> distance_is D1 D' k ->
    exists m, distance_is D D' m /\ m <= j + k).

Lemma chain_app j k D D1 D' : chain j D D1 -> chain k D1 D' -> chain (j + k) D D'.
Proof. induction 1; [auto|]; intros c; simpl; econstructor; eauto. Qed.

Lemma chain_back k D D' : (forall D D', neighbors D D' -> neighbors D' D) -> chain k D D' -> chain k D' D.
Proof.
  intros sym; induction 1 as [|k D D1 D' n c IH]; [constructor|].
  rewrite <- Nat.add_1_r; apply chain_app with D1; [exact IH|].
  apply step with D; [apply sym, n|constructor].
Qed.

Lemma least_chain k D D' : chain k D D' -> exists m, distance_is D D' m /\ m <= k.
Proof.
  induction k as [k IH] using (well_founded_induction lt_wf); intros c.
  destruct (classic (exists j, chain j D D' /\ j < k)) as [(j & cj & jk)|no].
  - destruct (IH j jk cj) as (m & d & h); exists m; split; [exact d|lia].
  - exists k; split; [split; [exact c|]|lia].
    intros j cj; destruct (Nat.le_gt_cases k j) as [h|h]; [exact h|exfalso; apply no; eauto].
Qed.

Theorem distance_is_a_metric : (forall D D', neighbors D D' -> neighbors D' D) -> is_metric.
Proof.
  intros sym; split; [|split; [|split; [|split]]].
  - intros D D'; destruct (classic (exists k, chain k D D')) as [[k c]|no].
    + right; destruct (least_chain k D D' c) as (m & d & _); eauto.
    + left; intros k c; apply no; eauto.
  - intros D D' j k [c h] [c' h']; specialize (h k c'); specialize (h' j c); lia.
  - intros D D'; split; [intros [c _]; inversion c; reflexivity|intros <-; split; [constructor|lia]].
  - intros D D' k [c h]; split; [apply chain_back; auto|]; intros j cj; apply h, chain_back; auto.
  - intros D D1 D' j k [c _] [c' _]; apply (least_chain (j + k)), chain_app with D1; assumption.
Qed.
End Chains.

Arguments chain {dataset}. Arguments distance_is {dataset}. Arguments infinitely_far {dataset}.
Arguments is_metric {dataset}. Arguments chain_app {dataset neighbors}. Arguments chain_back {dataset neighbors}.
Arguments distance_is_a_metric {dataset neighbors}.
