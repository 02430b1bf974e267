(* Rule in_one_part: releases of disjoint parts of the data, of independent coins, cost what one of them does, with slack
   and without, for any number of parts: of the establishments by their public attributes, for strong, weak, edge and
   node neighbors, and of the workers by their own attributes, for neighbors by one job. *)
From Coq Require Import Reals Lra Lia List.
From Establish Require Import common datasets no_growth.
Import ListNotations.

Section Parts.
Variables (A V : Type).
Local Notation data := (dataset A V).
Local Notation change := (establishment A V -> establishment A V -> Prop).

(* The establishments of part j, and the workers of kind j in all establishments. *)
Definition establishments_of (part : A -> nat) (j : nat) (D : data) : data :=
  filter (fun e => Nat.eqb (part (public e)) j) D.
Definition workers_of (kind : V -> nat) (j : nat) (D : data) : data :=
  map (fun e => Establishment (public e) (filter (fun w => Nat.eqb (kind (attributes w)) j) (workforce e))) D.

(* Neighbors differ in one part only: there they are neighbors, or the same but for the order of workers. *)
Definition in_one (neighbors : data -> data -> Prop) (parts : nat -> data -> data) : Prop :=
  forall D D', neighbors D D' -> exists i,
  (neighbors (parts i D) (parts i D') \/ same_but_for_order A V (parts i D) (parts i D') \/ parts i D = parts i D') /\
  forall j, j <> i -> same_but_for_order A V (parts j D) (parts j D') \/ parts j D = parts j D'.

Lemma either_order (one : data -> data -> Prop) (parts : nat -> data -> data) :
  (forall D D', one D D' -> exists i,
    (one (parts i D) (parts i D') \/ one_changes A V (same_workers A V) (parts i D) (parts i D') \/ parts i D = parts i D') /\
    forall j, j <> i -> one_changes A V (same_workers A V) (parts j D) (parts j D') \/ parts j D = parts j D') ->
  in_one (fun D D' => one D D' \/ one D' D) parts.
Proof.
  intros single D D' [h|h]; destruct (single _ _ h) as (i & own & others); exists i; split.
  - destruct own as [k|[k|k]]; [left; left; exact k|right; left; left; exact k|right; right; exact k].
  - intros j ne; destruct (others j ne) as [k|k]; [left; left; exact k|right; exact k].
  - destruct own as [k|[k|k]]; [left; right; exact k|right; left; right; exact k|right; right; symmetry; exact k].
  - intros j ne; destruct (others j ne) as [k|k]; [left; right; exact k|right; symmetry; exact k].
Qed.

Lemma of_establishments (c : change) (part : A -> nat) : (forall e e', c e e' -> public e = public e') ->
  in_one (either_way A V c) (establishments_of part).
Proof.
  intros same; apply either_order; intros D D' (b & e & e' & a & -> & -> & h); exists (part (public e)).
  unfold establishments_of; split.
  - left; exists (filter (fun x => Nat.eqb (part (public x)) (part (public e))) b), e, e',
      (filter (fun x => Nat.eqb (part (public x)) (part (public e))) a).
    rewrite !filter_app; simpl; rewrite <- (same _ _ h), Nat.eqb_refl; auto.
  - intros j ne; right; rewrite !filter_app; simpl; rewrite <- (same _ _ h).
    replace (Nat.eqb (part (public e)) j) with false by (symmetry; apply Nat.eqb_neq; congruence); reflexivity.
Qed.

Lemma of_workers (kind : V -> nat) : in_one edge_neighbors (workers_of kind).
Proof.
  apply either_order; intros D D' (b & e & e' & a & -> & -> & h).
  set (own := fun j (x : establishment A V) => Establishment (public x) (filter (fun w => Nat.eqb (kind (attributes w)) j) (workforce x))).
  assert (grown : forall p : V -> bool, (length (filter (fun w => p (attributes w)) (workforce e)) <=
      length (filter (fun w => p (attributes w)) (workforce e')) <= S (length (filter (fun w => p (attributes w)) (workforce e))))%nat).
  { intros p; destruct (matching_one_more A V p e e' h) as [lo hi]; unfold matching in *; rewrite <- S_INR in hi.
    split; apply INR_le; assumption. }
  pose proof h as [(pub & n & n' & inside) more].
  assert (part : forall j, extends A V (own j e) (own j e')).
  { intros j; split; [exact pub|split; [apply NoDup_filter, n|split; [apply NoDup_filter, n'|]]].
    intros w; simpl; rewrite !filter_In; intros [at_ is]; split; [apply inside, at_|exact is]. }
  assert (changes : forall (c : change) j, c (own j e) (own j e') ->
    one_changes A V c (workers_of kind j (b ++ e :: a)) (workers_of kind j (b ++ e' :: a))).
  { intros c j k; exists (map (own j) b), (own j e), (own j e'), (map (own j) a).
    unfold workers_of; rewrite !map_app; simpl; auto. }
  assert (either : forall j, gains_one_job A V (own j e) (own j e') \/ same_workers A V (own j e) (own j e')).
  { intros j; pose proof (grown (fun v => Nat.eqb (kind v) j)) as g.
    destruct (Nat.eq_dec (length (workforce (own j e'))) (S (length (workforce (own j e))))) as [one|no].
    - left; split; [apply part|exact one].
    - right; destruct (part j) as (p & m & m' & i); split; [exact p|split; [exact m|split; [exact m'|]]].
      intros w; split; [apply i|]; apply NoDup_length_incl; [exact m|simpl in *; lia|exact i]. }
  assert (apart : forall i j, i <> j -> gains_one_job A V (own i e) (own i e') -> same_workers A V (own j e) (own j e')).
  { intros i j ne [_ one]; destruct (either j) as [[_ two]|k]; [exfalso|exact k].
    pose proof (grown (fun v => Nat.eqb (kind v) i || Nat.eqb (kind v) j)%bool) as g.
    assert (both : forall l : list (worker V), length (filter (fun w => (Nat.eqb (kind (attributes w)) i || Nat.eqb (kind (attributes w)) j)%bool) l) =
      (length (filter (fun w => Nat.eqb (kind (attributes w)) i) l) + length (filter (fun w => Nat.eqb (kind (attributes w)) j) l))%nat).
    { induction l as [|w l IH]; [reflexivity|]; simpl.
      destruct (Nat.eqb_spec (kind (attributes w)) i), (Nat.eqb_spec (kind (attributes w)) j); simpl; try lia. }
    rewrite !both in g; simpl in *; lia. }
  (* Where nobody joins a part, any will do. *)
  assert (some : (exists i, gains_one_job A V (own i e) (own i e')) \/ forall i, same_workers A V (own i e) (own i e')).
  { destruct (List.Exists_dec (fun w => gains_one_job A V (own (kind (attributes w)) e) (own (kind (attributes w)) e')) (workforce e')) as [found|none].
    - intros w; destruct (Nat.eq_dec (length (workforce (own (kind (attributes w)) e'))) (S (length (workforce (own (kind (attributes w)) e))))) as [y|no].
      + left; split; [apply part|exact y].
      + right; intros [_ y]; contradiction.
    - left; apply List.Exists_exists in found; destruct found as (w & _ & k); exists (kind (attributes w)); exact k.
    - right; intros i; destruct (either i) as [k|k]; [|exact k]; exfalso; apply none.
      destruct k as [ex one]; destruct (filter (fun w => Nat.eqb (kind (attributes w)) i) (workforce e')) as [|w l] eqn:is.
      + simpl in one; rewrite is in one; discriminate.
      + apply List.Exists_exists; exists w.
        assert (at_ : In w (filter (fun w => Nat.eqb (kind (attributes w)) i) (workforce e'))) by (rewrite is; left; reflexivity).
        apply filter_In in at_; destruct at_ as [at_ k]; apply Nat.eqb_eq in k; split; [exact at_|subst i; split; assumption]. }
  destruct some as [[i k]|all].
  - exists i; split; [left; apply changes, k|intros j ne; left; apply changes, (apart i j); congruence || assumption].
  - exists O; split; [right; left; apply changes, all|intros j _; left; apply changes, all].
Qed.
End Parts.
Arguments establishments_of {A V}. Arguments workers_of {A V}. Arguments in_one {A V}.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import measures adaptive_composition sequential_composition gaussian_releases normal_vectors.
From Establish Require Import releases_together.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).

(* 1 + k releases of independent coins. *)
Fixpoint spaces (k : nat) (S : nat -> space) : space :=
  if k is k'.+1 then pair (S 0%N) (spaces k' (fun j => S j.+1)) else S 0%N.
Fixpoint together (k : nat) (S : nat -> space) (L : forall j, law (S j)) : law (spaces k S) :=
  match k return law (spaces k S) with
  | O => L 0%N
  | k'.+1 => independent (L 0%N) (together k' (fun j => S j.+1) (fun j => L j.+1))
  end.
Definition chance (S : space) (L : law S) : set (carrier S) -> \bar Re := law_of L.
Definition same_law (S : space) (L L' : law S) : Prop := forall E, measurable E -> chance L E = chance L' E.

(* What [in_one_part] owes: the cost of one release beside another one that has one law. *)
Definition beside_the_others (c delta level slack : R) : Prop :=
  forall (S S' : space) (P Q : law S) (other : law S'), at_most_with c delta (chance P) (chance Q) ->
  at_most_with level slack (chance (independent P other)) (chance (independent Q other)).

Section Costs.
Variables (c delta level slack : R).
Variables (c1 : Rle one c) (d0 : Rle zero delta) (l0 : Rle zero level) (owed : beside_the_others c delta level slack).

Lemma chance_of_pair (S S' : space) (P : law S) (Q : law S') E :
  chance (independent P Q) E = \int[law_of P]_t chance Q (xsection E t).
Proof. by []. Qed.

Lemma section_measurable (S S' : space) (E : set (carrier (pair S S'))) t : measurable E -> measurable (xsection E t).
Proof. by move=> mE; exact: (measurable_xsection Re). Qed.

(* One release by itself: beside another one that tells nothing. *)
Lemma alone (S : space) (P Q : law S) : at_most_with c delta (chance P) (chance Q) -> at_most_with level slack (chance P) (chance Q).
Proof.
move=> near E mE; have mS : measurable (E `*` setT : set (carrier (pair S S))) by exact: measurableM.
have same (L : law S) : chance (independent L P) (E `*` setT) = chance L E.
  transitivity (\int[law_of L]_t (\1_E t)%:E); last by rewrite (@integral_indic _ _ _ _ setT measurableT _ mE) setIT.
  rewrite chance_of_pair; apply: eq_integral => t _; rewrite /chance indicE; case: (boolP (t \in E)) => tE.
  - by rewrite (_ : xsection _ t = setT) ?law_mass //; apply/seteqP; split=> // u _; rewrite /xsection /= inE; split=> //; rewrite -inE.
  - rewrite (_ : xsection _ t = set0) ?measure0 //; apply/seteqP; split=> // u; rewrite /xsection /= inE => -[h _].
    by move/negP: tE; apply; rewrite inE.
by have := @owed S S P Q P near _ mS; rewrite !same.
Qed.

Lemma same_pair (S S' : space) (P P' : law S) (Q Q' : law S') : same_law P P' -> same_law Q Q' ->
  same_law (independent P Q) (independent P' Q').
Proof.
move=> sP sQ E mE; rewrite !chance_of_pair.
rewrite (eq_measure_integral (law_of P')); last by move=> A mA _; exact: sP.
by apply: eq_integral => t _; apply: sQ; exact: section_measurable.
Qed.

Lemma same_together k (S : nat -> space) (L L' : forall j, law (S j)) : (forall j, same_law (L j) (L' j)) ->
  same_law (together k S L) (together k S L').
Proof. by elim: k S L L' => [|k IH] S L L' same /=; [exact: same|apply: same_pair; [exact: same|exact: IH]]. Qed.

(* What holds after every first output holds of both. *)
Lemma integrated (S S' : space) (P : law S) (Q Q' : law S') (E : set (carrier (pair S S'))) : measurable E ->
  at_most_with level slack (chance Q) (chance Q') ->
  \int[law_of P]_t chance Q (xsection E t) <= (level : Re)%:E * \int[law_of P]_t chance Q' (xsection E t) + (slack : Re)%:E.
Proof.
move=> mE near; have k (L : law S') := @constant_kernel _ _ (carrier S) _ (law_of L) (law_mass L) E mE.
have level0 : (0 <= (level : Re))%R by apply/RleP.
have slack0 : 0 <= (slack : Re)%:E by have := near set0 measurable0; rewrite /chance !measure0 mule0 add0e.
have pos (L : law S') t : setT t -> 0 <= chance L (xsection E t) by move=> _; exact: measure_ge0.
rewrite -(@ge0_integralM_EFin _ _ _ (law_of P) setT measurableT _ (pos Q') (k Q') _ level0).
have -> : (slack : Re)%:E = \int[law_of P]_t (slack : Re)%:E by rewrite (integral_cst (law_of P) measurableT) law_mass mule1.
rewrite -ge0_integralD //.
- apply: ge0_le_integral => //.
  + exact: (k Q).
  + by move=> t _; rewrite adde_ge0 // mule_ge0 ?lee_fin //; exact: pos.
  + by apply: emeasurable_funD; [apply: measurable_funeM; exact: (k Q')|exact: measurable_fun_cst].
  + by move=> t _; apply: near; exact: section_measurable.
- by move=> t _; rewrite mule_ge0 ?lee_fin //; exact: pos.
- by apply: measurable_funeM; exact: (k Q').
- exact: measurable_fun_cst.
Qed.

Lemma itself (S : space) (P Q : law S) : same_law P Q -> at_most_with c delta (chance P) (chance Q).
Proof.
move=> same E mE; rewrite (same E mE) -[leLHS]adde0 -[X in X + _]mul1e.
apply: lee_add; last by rewrite lee_fin; apply/RleP.
by apply: lee_wpmul2r; [exact: measure_ge0|rewrite lee_fin; apply/RleP].
Qed.

Lemma one_of_them k (S : nat -> space) (L L' : forall j, law (S j)) i : at_most_with c delta (chance (L i)) (chance (L' i)) ->
  (forall j, j <> i -> same_law (L j) (L' j)) -> at_most_with level slack (chance (together k S L)) (chance (together k S L')).
Proof.
elim: k S L L' i => [|k IH] S L L' i near others /=.
- by case: i near others => [|i] near others; apply: alone => //; apply: itself; exact: others.
- case: i near others => [|i] near others.
  + have rest := @same_together k (fun j => S j.+1) (fun j => L j.+1) (fun j => L' j.+1) (fun j => others j.+1 (fun e => match e with end)).
    have swap := @same_pair _ _ (L 0%N) (L 0%N) _ _ (fun E mE => erefl) rest.
    have cost := @owed _ _ (L 0%N) (L' 0%N) (together k (fun j => S j.+1) (fun j => L' j.+1)) near.
    by move=> E mE; have := cost E mE; rewrite -(swap E mE).
  + have later := IH (fun j => S j.+1) (fun j => L j.+1) (fun j => L' j.+1) i near (fun j ne => others j.+1 (fun e => ne (f_equal predn e))).
    have first := others 0%N (fun e => match e with end).
    have swap := @same_pair _ _ _ _ (together k (fun j => S j.+1) (fun j => L j.+1)) _ first (fun E mE => erefl).
    move=> E mE; rewrite (swap E mE) !chance_of_pair; exact: integrated.
Qed.

(* Rule in_one_part. Owed: the cost of one release beside another of one law. The order of workers does not matter to a
   release, and each is private for such neighbors on its part. The level is not negative. *)
Theorem in_one_part (A V : Type) (neighbors : dataset A V -> dataset A V -> Prop)
    (parts : nat -> dataset A V -> dataset A V) (k : nat) (S : nat -> space) (M : forall j, dataset A V -> law (S j)) :
  in_one neighbors parts ->
  (forall j D D', same_but_for_order A V D D' -> same_law (M j D) (M j D')) ->
  (forall j D D', neighbors D D' -> at_most_with c delta (chance (M j D)) (chance (M j D'))) ->
  forall D D', neighbors D D' -> at_most_with level slack
    (chance (together k S (fun j => M j (parts j D)))) (chance (together k S (fun j => M j (parts j D')))).
Proof.
move=> one blind private D D' near; have [i [own others]] := one D D' near.
apply: (@one_of_them k S _ _ i).
- case: own => [h|[h|->]]; [exact: private|apply: itself; exact: blind|exact: itself].
- by move=> j ne; case: (others j ne) => [h|->] //; exact: blind.
Qed.
End Costs.

(* The divisions that are meant. *)
Theorem divisions (A V : Type) (alpha : R) (part : A -> nat) (kind : V -> nat) :
  in_one (strong_neighbors alpha) (establishments_of (V := V) part) /\
  in_one (weak_neighbors alpha) (establishments_of (V := V) part) /\
  in_one edge_neighbors (establishments_of (V := V) part) /\
  in_one node_neighbors (establishments_of (V := V) part) /\ in_one edge_neighbors (workers_of (A := A) kind).
Proof.
split; [|split; [|split; [|split]]].
- by apply: of_establishments => e e' [] [].
- by apply: of_establishments => e e' [] [].
- by apply: of_establishments => e e' [] [].
- by apply: of_establishments => e e'.
- exact: of_workers.
Qed.
