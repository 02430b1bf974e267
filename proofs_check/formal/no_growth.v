(* At alpha = 0 neighbors, strong or weak, differ in the presence of one worker, as edge neighbors do; or not at
   all, but for the order in which workers are listed (Haney et al. 2017, Section 7.2). *)
From Coq Require Import Reals Lra Lia List.
From Establish Require Import spec_formulas common datasets.
Open Scope R_scope.

Lemma size_is_length (A V : Type) (e : establishment A V) : size A V e = INR (length (workforce e)).
Proof.
  unfold size, matching, everyone; f_equal; f_equal.
  induction (workforce e) as [|w l IH]; [reflexivity|simpl; rewrite IH; reflexivity].
Qed.

Section NoGrowth.
Variables (A V : Type).

(* The same attributes and the same workers, in whatever order. *)
Definition same_workers (e e' : establishment A V) : Prop :=
  public e = public e' /\ NoDup (workforce e) /\ NoDup (workforce e') /\
  forall w, In w (workforce e) <-> In w (workforce e').
Definition same_but_for_order := either_way A V same_workers.

Lemma matching_same p e e' : same_workers e e' -> matching A V p e = matching A V p e'.
Proof.
  intros (_ & n & n' & same); unfold matching; f_equal.
  apply PeanoNat.Nat.le_antisymm; apply filter_length_incl; try assumption; intros w; apply same.
Qed.

Lemma matching_one_more p e e' : gains_one_job A V e e' ->
  matching A V p e <= matching A V p e' <= matching A V p e + 1.
Proof.
  intros [(_ & n & n' & i) more]; unfold matching.
  set (f := fun w : worker V => p (attributes w)).
  pose proof (filter_length_incl f _ _ n i) as le.
  pose proof (filter_length_incl (fun w => negb (f w)) _ _ n i) as le'.
  pose proof (split_length f (workforce e)); pose proof (split_length f (workforce e')).
  rewrite <- S_INR; split; apply le_INR; lia.
Qed.

Lemma strong_growth e e' :
  grows_strongly A V 0 e e' <-> gains_one_job A V e e' \/ same_workers e e'.
Proof.
  split.
  - intros [ex h]; destruct ex as (pub & n & n' & i); unfold may_grow in h; rewrite !size_is_length in h.
    assert (k : (length (workforce e) <= length (workforce e'))%nat) by (apply INR_le; lra).
    assert (k' : (length (workforce e') <= S (length (workforce e)))%nat).
    { apply INR_le; rewrite S_INR; destruct h as [_ [h|h]]; pose proof (pos_INR (length (workforce e))); lra. }
    destruct (PeanoNat.Nat.eq_dec (length (workforce e')) (S (length (workforce e)))) as [one|no].
    + left; split; [repeat split; assumption|exact one].
    + right; split; [exact pub|split; [exact n|split; [exact n'|]]].
      intros w; split; [apply i|apply NoDup_length_incl; [exact n|lia|exact i]].
  - intros [h|h]; (split; [|unfold may_grow]).
    + apply h.
    + pose proof (matching_one_more (everyone V) e e' h); unfold size; lra.
    + destruct h as (pub & n & n' & same); repeat split; try assumption; intros w; apply same.
    + unfold size; rewrite (matching_same _ _ _ h); lra.
Qed.

Lemma weak_growth e e' :
  grows_weakly A V 0 e e' <-> gains_one_job A V e e' \/ same_workers e e'.
Proof.
  split; [intros h; apply strong_growth, weak_growth_is_strong, h|].
  intros k; pose proof (proj2 (strong_growth e e') k) as [ex _]; split; [exact ex|intros p].
  unfold may_grow; destruct k as [k|k]; [pose proof (matching_one_more p e e' k)|rewrite (matching_same p _ _ k)]; lra.
Qed.

Lemma one_of_two (c c1 c2 : establishment A V -> establishment A V -> Prop) :
  (forall e e', c e e' <-> c1 e e' \/ c2 e e') ->
  forall D D', either_way A V c D D' <-> either_way A V c1 D D' \/ either_way A V c2 D D'.
Proof.
  intros h D D'; unfold either_way, one_changes; split.
  - intros [(b & e & e' & a & x & y & k)|(b & e & e' & a & x & y & k)]; apply h in k; destruct k;
      [left; left|right; left|left; right|right; right]; exists b, e, e', a; auto.
  - intros [[(b & e & e' & a & x & y & k)|(b & e & e' & a & x & y & k)]
      |[(b & e & e' & a & x & y & k)|(b & e & e' & a & x & y & k)]];
      [left|right|left|right]; exists b, e, e', a; repeat split; auto; apply h; auto.
Qed.

Theorem one_worker_more (D D' : dataset A V) :
  (strong_neighbors 0 D D' <-> edge_neighbors D D' \/ same_but_for_order D D') /\
  (weak_neighbors 0 D D' <-> edge_neighbors D D' \/ same_but_for_order D D').
Proof.
  split; apply one_of_two; [apply strong_growth|apply weak_growth].
Qed.
End NoGrowth.
