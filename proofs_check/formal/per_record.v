(* Rules on privacy by record: a mechanism's law of a cell hangs on the total alone, and a record is a part of it. *)
From Coq Require Import Reals Lra Lia ZArith.
From Establish Require Import spec_formulas comparisons between_densities.
Open Scope R_scope.

Section Records.
Variables (parameters law : Type) (domain : parameters -> Prop) (policy : parameters -> R -> R).

(* D_a(M(q + x) || M(q)) and D_a(M(q) || M(q + x)) are at most a policy(x), for all whole totals q and records x and
   all orders a > 1. [below a P Q b]: D_a(P || Q) is at most b. *)
Definition private_by_record (below : R -> law -> law -> R -> Prop) (M : parameters -> R -> law) : Prop :=
  forall p (q x : Z) a, domain p -> (0 <= q)%Z -> (0 <= x)%Z -> 1 < a ->
  below a (M p (IZR (q + x))) (M p (IZR q)) (a * policy p (IZR x)) /\
  below a (M p (IZR q)) (M p (IZR (q + x))) (a * policy p (IZR x)).

(* Rule divergence_of_totals. Owed: D_a at most a policy(|r|) between the laws around all whole q + r and q. What a
   divergence is does not matter. *)
Theorem divergence_of_totals (below : R -> law -> law -> R -> Prop) M :
  (forall p (q r : Z) a, domain p -> 1 < a -> below a (M p (IZR (q + r))) (M p (IZR q)) (a * policy p (Rabs (IZR r)))) ->
  private_by_record below M.
Proof.
  intros around p q x a inside _ x0 a1; apply IZR_le in x0; split.
  - pose proof (around p q x a inside a1) as h; rewrite (Rabs_pos_eq _ x0) in h; exact h.
  - pose proof (around p (q + x)%Z (- x)%Z a inside a1) as h; rewrite opp_IZR, Rabs_Ropp, (Rabs_pos_eq _ x0) in h.
    replace (q + x + - x)%Z with q in h by lia; exact h.
Qed.
End Records.

(* The same of normal laws with this mean and standard deviation, D_a by integrals over the line. *)
Definition private_by_normals (parameters : Type) (domain : parameters -> Prop) (policy mean sd : parameters -> R -> R) : Prop :=
  private_by_record parameters (R -> R) domain policy (fun a P Q b => renyi P Q a at_most b) (fun p t => normal (mean p t) (sd p t)).

(* Rule normal_divergence. Owed, for all real totals q and records x of at least 0: one positive standard deviation, and
   (m(q + x) - m(q))^2 / (2 s^2) at most policy(x). *)
Theorem normal_divergence (parameters : Type) (domain : parameters -> Prop) (policy mean sd : parameters -> R -> R) :
  let all (v : parameters * R * R) := domain (fst (fst v)) /\ 0 <= snd (fst v) /\ 0 <= snd v in
  let less_ (value : parameters -> R -> R) (v : parameters * R * R) := value (fst (fst v)) (snd (fst v)) in
  let more_ (value : parameters -> R -> R) (v : parameters * R * R) := value (fst (fst v)) (snd (fst v) + snd v) in
  stated all (fun _ => 0) less (less_ sd) -> stated all (more_ sd) equal (less_ sd) ->
  stated all (fun v => gaussian_concentration (more_ mean v) (less_ mean v) (more_ sd v)) at_most
    (fun v => policy (fst (fst v)) (snd v)) ->
  private_by_normals parameters domain policy mean sd.
Proof.
  intros all less_ more_ positive one enough p q x a inside q0 x0 a1; apply IZR_le in q0; apply IZR_le in x0.
  assert (here : all (p, IZR q, IZR x)) by (repeat split; assumption).
  pose proof (positive _ here) as s0; pose proof (one _ here) as s; pose proof (enough _ here) as k; cbn [related fst snd] in s0, s, k;
  unfold less_, more_ in s0, s, k; cbn [fst snd] in s0, s, k.
  cbv beta; rewrite plus_IZR, s; rewrite s in k; split; apply between_normals; try assumption; apply Rmult_le_compat_l; try lra.
  replace (gaussian_concentration (mean p (IZR q)) (mean p (IZR q + IZR x)) (sd p (IZR q)))
    with (gaussian_concentration (mean p (IZR q + IZR x)) (mean p (IZR q)) (sd p (IZR q))); [exact k|].
  unfold gaussian_concentration; f_equal; ring.
Qed.
