(* Comparisons of two formulas on a domain, as the checks of the claims state them, and the rules by which one
   follows from others: what a rule owes stands in its theorem as a hypothesis, and nothing else does.

   A point is a value for each variable. A domain, a case and a side condition are predicates of points, a side
   is a real number at every point. That sides are defined on the domain is owed beside every rule. *)
From Coq Require Import Reals Lra List ZArith PeanoNat.
Import ListNotations.
Open Scope R_scope.

Inductive relation := less | at_most | equal | different | at_least | more.

Definition related (r : relation) (a b : R) : Prop :=
  match r with
  | less => a < b | at_most => a <= b | equal => a = b | different => a <> b | at_least => a >= b | more => a > b
  end.

(* For all points of the domain: left relation right. *)
Definition stated {point : Type} (domain : point -> Prop) (left : point -> R) (r : relation) (right : point -> R)
    : Prop := forall x, domain x -> related r (left x) (right x).

(* < or <=, to which rules of order are confined. *)
Definition is_order (r : relation) : Prop := r = less \/ r = at_most.

Section Rules.
Variables (point : Type) (domain : point -> Prop).
Implicit Types (left right : point -> R).

(* Rule chain. Owed: every step from the left side through the middle terms to the right side, the last of them
   with the relation of the statement and the others with <=. *)
Fixpoint linked left (middle : list (point -> R)) r right : Prop :=
  match middle with
  | [] => stated domain left r right
  | term :: rest => stated domain left at_most term /\ linked term rest r right
  end.

Theorem chain left middle r right : is_order r -> linked left middle r right -> stated domain left r right.
Proof.
  intros order; revert left; induction middle as [|term rest IH]; simpl; intros left; [easy|].
  intros [first others] x inside; specialize (first x inside); specialize (IH term others x inside).
  destruct order as [-> | ->]; simpl in *; lra.
Qed.

(* Rule increasing. Owed: the statement with the function applied to both sides; for the logarithm that both
   sides are positive, for the square that neither is negative. *)
Inductive increasing_function := by_exp | by_log | by_square.
Definition applied f (value : R) : R :=
  match f with by_exp => exp value | by_log => ln value | by_square => value * value end.
Definition signs f left right : Prop :=
  let zero := fun _ => 0 in
  match f with
  | by_exp => True
  | by_log => stated domain zero less left /\ stated domain zero less right
  | by_square => stated domain zero at_most left /\ stated domain zero at_most right
  end.

Theorem increasing f left r right : is_order r ->
  stated domain (fun x => applied f (left x)) r (fun x => applied f (right x)) -> signs f left right ->
  stated domain left r right.
Proof.
  intros order moved sign x inside; specialize (moved x inside); destruct f; simpl in *.
  - destruct order as [-> | ->]; simpl in *; [apply exp_lt_inv; exact moved|].
    destruct moved as [h|h]; [left; apply exp_lt_inv; exact h|right; apply exp_inv; exact h].
  - destruct sign as [l r']; specialize (l x inside); specialize (r' x inside); simpl in *.
    destruct order as [-> | ->]; simpl in *; [apply ln_lt_inv; assumption|].
    destruct moved as [h|h]; [left; apply ln_lt_inv; assumption|right; apply ln_inv; assumption].
  - destruct sign as [l r']; specialize (l x inside); specialize (r' x inside); simpl in *.
    destruct order as [-> | ->]; simpl in *; nra.
Qed.

(* Rule by_gap. Owed: right - left = gap, and 0 against the gap with the relation of the statement. *)
Theorem by_gap left r right (gap : point -> R) : is_order r ->
  stated domain (fun x => right x - left x) equal gap -> stated domain (fun _ => 0) r gap ->
  stated domain left r right.
Proof.
  intros order same sign x inside; specialize (same x inside); specialize (sign x inside).
  destruct order as [-> | ->]; simpl in *; lra.
Qed.

(* Rule cover. Shown by the solver: every point of the domain meets all conditions of some case. Owed: the
   statement restricted to each case. *)
Definition meets (x : point) (case : list (point -> Prop)) : Prop := Forall (fun condition => condition x) case.

Theorem cover left r right (cases : list (list (point -> Prop))) :
  (forall x, domain x -> Exists (meets x) cases) ->
  Forall (fun case => stated (fun x => domain x /\ meets x case) left r right) cases ->
  stated domain left r right.
Proof.
  intros covered owed x inside; destruct (proj1 (Exists_exists _ _) (covered x inside)) as (case & among & met).
  exact (proj1 (Forall_forall _ _) owed case among x (conj inside met)).
Qed.

(* Rule whole_number. The value is a whole number at every point of the domain, as a sum of whole variables with
   whole factors is. Owed: the statement where it is at most 0, and where it is at least 1. *)
Theorem whole_number left r right (value : point -> R) :
  (forall x, domain x -> exists n : Z, value x = IZR n) ->
  stated (fun x => domain x /\ related at_most (value x) 0) left r right ->
  stated (fun x => domain x /\ related at_least (value x) 1) left r right -> stated domain left r right.
Proof.
  intros whole low high x inside; destruct (whole x inside) as [n is].
  destruct (Z_le_gt_dec n 0) as [h|h]; [apply low|apply high]; split; trivial; simpl; rewrite is.
  - apply IZR_le; exact h.
  - apply Rle_ge, IZR_le; auto with zarith.
Qed.

(* Rule substitute. Owed: the general statement, and that the values lie in its domain. The sides are those of
   the general statement at the values. *)
Theorem substitute (point' : Type) (domain' : point' -> Prop) (left' right' : point' -> R)
    (values : point -> point') left r right :
  stated domain' left' r right' -> (forall x, domain x -> domain' (values x)) ->
  (forall x, domain x -> left x = left' (values x)) -> (forall x, domain x -> right x = right' (values x)) ->
  stated domain left r right.
Proof.
  intros general within same_left same_right x inside.
  rewrite (same_left x inside), (same_right x inside); exact (general _ (within x inside)).
Qed.

(* Rule instances. Owed: the general statements, each about points of its own. Shown by the solver: at every
   point of the domain the statement follows from what they say at the values, wherever these lie in their
   domains. *)
Theorem instances (index : Type) (point' : index -> Type) (domain' : forall i, point' i -> Prop)
    (left' right' : forall i, point' i -> R) (r' : index -> relation) (values : forall i, point -> point' i)
    left r right :
  (forall i, stated (domain' i) (left' i) (r' i) (right' i)) ->
  (forall x, domain x ->
    (forall i, domain' i (values i x) -> related (r' i) (left' i (values i x)) (right' i (values i x))) ->
    related r (left x) (right x)) ->
  stated domain left r right.
Proof. intros general follows x inside; apply follows; [exact inside|]; intros i; apply general. Qed.

(* Rule with_constant. Owed: the inequality with one constant that is a formula of the parameters. *)
Theorem with_constant left right (constant : R) :
  stated domain left at_most (fun x => constant * right x) ->
  exists c, stated domain left at_most (fun x => c * right x).
Proof. intros h; exists constant; exact h. Qed.

(* Rule no_constant. Owed: for every whole C of at least 1 the point of the path lies in the domain, right is not
   negative there, and left exceeds C times right. Then no constant is enough. *)
Theorem no_constant left right (path : nat -> point) :
  (forall n, (1 <= n)%nat -> domain (path n)) ->
  (forall n, (1 <= n)%nat -> 0 <= right (path n)) ->
  (forall n, (1 <= n)%nat -> INR n * right (path n) < left (path n)) ->
  ~ exists c, stated domain left at_most (fun x => c * right x).
Proof.
  intros within sign exceeds [c enough].
  destruct (archimed (Rabs c)) as [above _].
  destruct (IZN (up (Rabs c))) as [n is]; [apply le_IZR; pose proof (Rabs_pos c); lra|].
  rewrite is, <- INR_IZR_INZ in above; pose proof (Rle_abs c) as c_le.
  pose proof (enough _ (within (S n) (le_n_S _ _ (Nat.le_0_l _)))) as h; simpl related in h.
  specialize (exceeds (S n) (le_n_S _ _ (Nat.le_0_l _))); specialize (sign (S n) (le_n_S _ _ (Nat.le_0_l _))).
  rewrite S_INR in exceeds; nra.
Qed.

(* Rule no_maximum. A point is [before], the values of all variables but the last, with a value of the last. The
   domain is not empty. Owed: another value lies in the domain, and the formula is larger there. *)
Theorem no_maximum (before value : Type) (inside : before -> value -> Prop) (of : before -> value -> R)
    (following : before -> value -> value) :
  (exists b v, inside b v) ->
  stated (fun p => inside (fst p) (snd p)) (fun p => of (fst p) (snd p)) less
    (fun p => of (fst p) (following (fst p) (snd p))) ->
  (forall b v, inside b v -> inside b (following b v)) ->
  ~ forall b, (exists v, inside b v) -> exists v, inside b v /\ forall w, inside b w -> of b w <= of b v.
Proof.
  intros (b & v & some) larger within largest; destruct (largest b (ex_intro _ v some)) as (m & here & most).
  pose proof (larger (b, m) here) as h; pose proof (most _ (within b m here)); simpl in *; lra.
Qed.
End Rules.
