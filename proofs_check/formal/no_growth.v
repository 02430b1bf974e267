(* At alpha = 0 strong neighbors differ in the presence of at most one worker, as edge neighbors do
   (Haney et al. 2017, Section 7.2). *)
From Coq Require Import Reals Lra Lia List.
From Establish Require Import spec_formulas common datasets.
Open Scope R_scope.

Lemma size_is_length (A V : Type) (e : establishment A V) : size A V e = INR (length (workforce e)).
Proof.
  unfold size, matching, everyone; f_equal; f_equal.
  induction (workforce e) as [|w l IH]; [reflexivity|simpl; rewrite IH; reflexivity].
Qed.

Theorem one_worker_more (A V : Type) (e e' : establishment A V) :
  grows_strongly A V 0 e e' <->
  extends A V e e' /\ (length (workforce e') = length (workforce e) \/ gains_one_job A V e e').
Proof.
  unfold grows_strongly, gains_one_job, may_grow; rewrite !size_is_length, <- S_INR.
  split; intros [ex h]; (split; [exact ex|]).
  - destruct h as [lo [hi|hi]].
    + left; apply INR_eq; lra.
    + apply INR_le in lo, hi. assert (k : length (workforce e') = length (workforce e)
        \/ length (workforce e') = S (length (workforce e))) by lia.
      destruct k; [left|right]; auto.
  - rewrite S_INR; destruct h as [-> | [_ ->]]; [lra|rewrite S_INR; lra].
Qed.
