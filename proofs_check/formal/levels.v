(* Rules on levels of privacy: a larger level, fewer neighbors, one point of the parameters, chains of neighbors,
   and releases one after the other. The law of an output is the probability of every event. *)
From Coq Require Import Reals Lra Lia.
From Establish Require Import comparisons chains.
Open Scope R_scope.

(* P(E) <= c Q(E) + delta for every event. *)
Definition indistinguishable {event : Type} (c delta : R) (P Q : event -> R) : Prop :=
  forall E, P E <= c * Q E + delta.

(* Private at all parameters of a domain, with level epsilon and delta as formulas of the parameters. *)
Definition satisfies {parameters dataset event : Type} (domain : parameters -> Prop)
    (neighbors : parameters -> dataset -> dataset -> Prop) (level delta : parameters -> R)
    (M : parameters -> dataset -> event -> R) : Prop :=
  forall p D D', domain p -> neighbors p D D' ->
  indistinguishable (exp (level p)) (delta p) (M p D) (M p D').

(* Rule weakened. Owed: the statement for more neighbors at its own level, and that this level is at most the
   other. Probabilities are not negative. *)
Theorem weakened (parameters dataset event : Type) (domain : parameters -> Prop)
    (neighbors more : parameters -> dataset -> dataset -> Prop) (level stronger delta : parameters -> R)
    (M : parameters -> dataset -> event -> R) :
  (forall p D E, 0 <= M p D E) -> (forall p D D', neighbors p D D' -> more p D D') ->
  satisfies domain more stronger delta M -> stated domain stronger at_most level ->
  satisfies domain neighbors level delta M.
Proof.
  intros positive fewer private levels p D D' d near E.
  pose proof (private p D D' d (fewer p D D' near) E) as h; specialize (levels p d); simpl in levels.
  assert (exp (stronger p) <= exp (level p)).
  { destruct levels as [l|l]; [left; apply exp_increasing; exact l|right; rewrite l; reflexivity]. }
  pose proof (positive p D' E); nra.
Qed.

(* Rule fixed_at. Shown: the point lies in the domain. Owed: the statement at all parameters. *)
Theorem fixed_at (parameters dataset event : Type) (domain : parameters -> Prop)
    (neighbors : parameters -> dataset -> dataset -> Prop) (level delta : parameters -> R)
    (M : parameters -> dataset -> event -> R) (point : parameters) :
  domain point -> satisfies domain neighbors level delta M ->
  satisfies (fun _ : unit => True) (fun _ => neighbors point) (fun _ => level point) (fun _ => delta point)
    (fun _ => M point).
Proof. intros inside private p D D' _ near; exact (private point D D' inside near). Qed.

(* Rule along_chain. The values of delta that are meant are 0 alone, with slack 0, or all below 1. Owed: level
   and slack of one step, and how a further step changes them, at every real d of at least 1. *)
Theorem along_chain (dataset event : Type) (neighbors : dataset -> dataset -> Prop) (meant : R -> Prop)
    (level slack : R -> R -> R -> R) :
  let start v := 1 < fst v /\ meant (snd v) in
  let longer v := start (fst v) /\ 1 <= snd v in
  forall (level_of_one : stated start (fun v => level (fst v) (snd v) 1) equal (fun v => fst v))
    (level_of_more : stated longer (fun v => level (fst (fst v)) (snd (fst v)) (snd v + 1)) equal
      (fun v => fst (fst v) * level (fst (fst v)) (snd (fst v)) (snd v)))
    (slack_of_one : stated start (fun v => slack (fst v) (snd v) 1) equal (fun v => snd v))
    (slack_of_more : stated longer (fun v => slack (fst (fst v)) (snd (fst v)) (snd v + 1)) equal
      (fun v => fst (fst v) * slack (fst (fst v)) (snd (fst v)) (snd v) + snd (fst v))),
  forall c delta, 1 < c -> meant delta -> forall M : dataset -> event -> R,
  (forall D D', neighbors D D' -> indistinguishable c delta (M D) (M D')) ->
  forall d D D', (1 <= d)%nat -> chain neighbors d D D' ->
  indistinguishable (level c delta (INR d)) (slack c delta (INR d)) (M D) (M D').
Proof.
  intros start longer l1 lm s1 sm c delta c1 dm M private d D D' some joined.
  assert (here : start (c, delta)) by (split; assumption).
  induction joined as [D|k D D1 D' near joined IH]; [lia|]; intros E.
  pose proof (private D D1 near E) as step; destruct k as [|k].
  - inversion joined; subst; simpl INR.
    rewrite (l1 (c, delta) here : level c delta 1 = c), (s1 (c, delta) here : slack c delta 1 = delta); exact step.
  - assert (k1 : 1 <= INR (S k)) by (rewrite S_INR; pose proof (pos_INR k); lra).
    assert (there : longer ((c, delta), INR (S k))) by (split; assumption).
    assert (lk : level c delta (INR (S k) + 1) = c * level c delta (INR (S k))) by exact (lm _ there).
    assert (sk : slack c delta (INR (S k) + 1) = c * slack c delta (INR (S k)) + delta) by exact (sm _ there).
    rewrite (S_INR (S k)), lk, sk; pose proof (IH ltac:(lia) E) as rest.
    apply Rle_trans with (1 := step).
    apply (Rmult_le_compat_l c) in rest; [lra|lra].
Qed.

(* Rule one_after_another. Releases on two datasets, of which it is known by what factor they are told apart, and
   how two of independent coins make one. Owed: that two cost the product of their factors (the statement PAIR);
   the level of one release, and how a further one changes it, at every real d of at least 1. *)
Theorem one_after_another (release : Type) (costs : R -> release -> Prop) (both : release -> release -> release)
    (level : R -> R -> R) :
  forall (pair : forall a b M N, 1 <= a -> 1 <= b -> costs a M -> costs b N -> costs (a * b) (both M N))
    (level_of_one : stated (fun c => 1 <= c) (fun c => level c 1) equal (fun c => c))
    (level_of_more : stated (fun v => 1 <= fst v /\ 1 <= snd v) (fun v => level (fst v) (snd v + 1)) equal
      (fun v => level (fst v) (snd v) * fst v)),
  let in_turn M := nat_rect (fun _ => release) (M 0%nat) (fun n before => both before (M (S n))) in
  forall c (M : nat -> release), 1 <= c -> (forall n, costs c (M n)) ->
  forall d, costs (level c (INR (S d))) (in_turn M d).
Proof.
  intros pair one more in_turn c M c1 each d.
  assert (h : 1 <= level c (INR (S d)) /\ costs (level c (INR (S d))) (in_turn M d)); [|apply h].
  induction d as [|d [l IH]].
  - simpl INR; rewrite (one c c1 : level c 1 = c); split; [exact c1|apply each].
  - assert (d1 : 1 <= INR (S d)) by (rewrite S_INR; pose proof (pos_INR d); lra).
    assert (m : level c (INR (S d) + 1) = level c (INR (S d)) * c) by exact (more (c, INR (S d)) (conj c1 d1)).
    rewrite (S_INR (S d)), m; split; [nra|]; apply pair; auto.
Qed.
