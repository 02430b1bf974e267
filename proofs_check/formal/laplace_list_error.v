(* The expected L1 error of Laplace noise on a list of answers is their number times the scale (Haney et al. 2017,
   Section 2): each answer gets noise of its own, and the expectation is the integral over one output after
   another. For no answers it is 0. *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common improper laplace_normalized laplace_moments.
Import ListNotations.
Open Scope R_scope.

(* v is the expectation of f(outputs), where the outputs are independent, each with Laplace noise around its
   answer: the inner integrals exist at every outer output. *)
Fixpoint expects (scale : R) (answers : list R) (f : list R -> R) (v : R) : Prop :=
  match answers with
  | [] => v = f []
  | q :: rest => exists inner, (forall o, expects scale rest (fun outputs => f (o :: outputs)) (inner o)) /\
      integrates_to (fun o => inner o * laplace_density q scale o) v
  end.
(* The L1 distance of outputs and answers. *)
Fixpoint l1_error (answers outputs : list R) : R :=
  match answers, outputs with
  | q :: rest, o :: others => Rabs (o - q) + l1_error rest others
  | _, _ => 0
  end.

Lemma one_expectation scale answers f v w : expects scale answers f v -> expects scale answers f w -> v = w.
Proof.
  revert f v w; induction answers as [|q rest IH]; intros f v w; simpl; [congruence|].
  intros (g & each & is) (h & each' & is'); assert (same_inner : forall o, g o = h o)
    by (intros o; apply (IH _ _ _ (each o) (each' o))).
  apply (same _ (fun o => h o * laplace_density q scale o)) in is; [|intros o; rewrite same_inner; reflexivity].
  unfold integrates_to in is, is'.
  rewrite <- (is_RInt_gen_unique _ _ is), <- (is_RInt_gen_unique _ _ is'); reflexivity.
Qed.

Lemma same_expectation scale answers f g v : (forall o, f o = g o) -> expects scale answers f v -> expects scale answers g v.
Proof.
  revert f g v; induction answers as [|q rest IH]; intros f g v same_f; simpl; [rewrite same_f; auto|].
  intros (inner & each & is); exists inner; split; [intros o; apply (IH (fun outputs => f (o :: outputs))); auto|exact is].
Qed.

Lemma error_and_more scale answers c : 0 < scale ->
  expects scale answers (fun outputs => c + l1_error answers outputs) (c + INR (length answers) * scale).
Proof.
  intros s0; revert c; induction answers as [|q rest IH]; intros c; [simpl; ring|].
  exists (fun o => c + Rabs (o - q) + INR (length rest) * scale); split.
  - intros o; simpl; specialize (IH (c + Rabs (o - q))); revert IH.
    generalize (c + Rabs (o - q) + INR (length rest) * scale).
    intros v; apply same_expectation; intros outputs; ring.
  - pose proof (added _ (fun o => (c + INR (length rest) * scale) * laplace_density q scale o) _ _
      (deviation_is_scale q scale s0) (scaled (laplace_density q scale) 1 _ (mass_is_one q scale s0))) as h.
    change (length (q :: rest)) with (S (length rest)); rewrite S_INR.
    replace (c + (INR (length rest) + 1) * scale) with (scale + (c + INR (length rest) * scale) * 1) by ring.
    revert h; apply same; intros o; ring.
Qed.

Theorem expected_l1_error (scale : R) (answers : list R) : 0 < scale ->
  forall v, expects scale answers (l1_error answers) v <-> v = INR (length answers) * scale.
Proof.
  intros s0 v.
  assert (is : expects scale answers (l1_error answers) (INR (length answers) * scale)).
  { pose proof (error_and_more scale answers 0 s0) as h; rewrite Rplus_0_l in h; revert h; generalize (INR (length answers) * scale).
    intros w; apply same_expectation; intros outputs; ring. }
  split; [intros e; apply (one_expectation _ _ _ _ _ e is)|intros ->; exact is].
Qed.
