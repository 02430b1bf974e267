(* Vectors of independent normal answers, as measures on the product of lines: how close two of them are
   (Webb et al. 2025, Theorem 6.3). *)
From Coq Require Import Reals Lra List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common normal_law normal_measure gaussian_real.
Local Open Scope R_scope.

(* x_0 + ... + x_k. *)
Fixpoint sum_to (k : nat) (x : nat -> R) : R :=
  match k with O => x O | S k => x O + sum_to k (fun j => x (S j)) end.

Lemma sum_to_le k x y : (forall j, (j <= k)%nat -> x j <= y j) -> sum_to k x <= sum_to k y.
Proof.
  revert x y; induction k as [|k IH]; intros x y h; simpl; [apply h; auto|].
  apply Rplus_le_compat; [apply h, Nat.le_0_l|apply IH; intros j jk; apply h, le_n_S, jk].
Qed.
Lemma sum_to_nonneg k x : (forall j, (j <= k)%nat -> 0 <= x j) -> 0 <= sum_to k x.
Proof.
  revert x; induction k as [|k IH]; intros x h; simpl; [apply h; auto|].
  apply Rplus_le_le_0_compat; [apply h, Nat.le_0_l|apply IH; intros j jk; apply h, le_n_S, jk].
Qed.
Lemma sum_to_scal k x c : sum_to k (fun j => c * x j) = c * sum_to k x.
Proof. revert x; induction k as [|k IH]; intros x; simpl; [reflexivity|rewrite IH; ring]. Qed.
Lemma sum_to_one k x j v : 0 <= v -> (forall l, l <> j -> x l = 0) -> x j <= v -> sum_to k x <= v.
Proof.
  revert x j v; induction k as [|k IH]; intros x j v v0 others own; simpl.
  - destruct j as [|j]; [exact own|rewrite others by discriminate; exact v0].
  - destruct j as [|j].
    + assert (z : sum_to k (fun l => x (S l)) <= 0) by (apply IH with O; [lra|intros; apply others; discriminate|rewrite others by discriminate; lra]).
      lra.
    + rewrite (others O) by discriminate.
      assert (sum_to k (fun l => x (S l)) <= v); [|lra].
      apply IH with j; [exact v0|intros l h; apply others; congruence|exact own].
Qed.
Lemma sum_to_one_zero k x : (forall l, x l = 0) -> sum_to k x = 0.
Proof. revert x; induction k as [|k IH]; intros x h; simpl; rewrite h; [reflexivity|rewrite IH; [ring|intros; apply h]]. Qed.

Lemma first_leg d s mu : 0 <= d -> 0 <= s -> 0 <= mu -> d ^ 2 + s <= mu ^ 2 -> gaussian_composed d (sqrt s) <= mu.
Proof.
  intros d0 s0 m0 h; unfold gaussian_composed; rewrite Rplus_0_l, pow2_sqrt by exact s0.
  rewrite <- (sqrt_pow2 mu) by exact m0; apply sqrt_le_1; [pose proof (pow2_ge_0 d); lra|apply pow2_ge_0|exact h].
Qed.
Lemma one_leg d mu : 0 <= d -> 0 <= mu -> d ^ 2 <= mu ^ 2 -> d <= mu.
Proof. intros; apply Rnot_lt_le; intros k; nra. Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import bridge measures adaptive_composition sequential_composition gaussian_close.
From Establish Require Import gaussian_composition gaussian_releases.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation Rmult := Rdefinitions.Rmult.
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).
Local Notation one := (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).

(* The law of mean + sd Z with standard normal Z; without noise where sd is not above 0. *)
Definition gaussian_law (mean sd : R) : {measure set (Real.sort Re) -> \bar Re} :=
  if RIneq.Rlt_dec zero sd then [the measure _ _ of normal mean sd] else [the measure _ _ of \d_(mean : Real.sort Re)].

Lemma gaussian_law_mass mean sd : gaussian_law mean sd setT = 1.
Proof.
rewrite /gaussian_law; case: (RIneq.Rlt_dec zero sd) => h; first exact: normal_has_mass_one.
by rewrite /= diracE in_setT.
Qed.

Lemma gaussian_laws_close (m m' sd d : R) : Rle zero d ->
  Rle (Rbasic_fun.Rabs (Rdefinitions.Rminus m' m)) (Rmult d sd) ->
  gaussian_close d (gaussian_law m sd) (gaussian_law m' sd).
Proof.
move=> d0 near; rewrite /gaussian_law; case: (RIneq.Rlt_dec zero sd) => h; first exact: shifted_normals.
have le : Rle (Rmult d sd) zero by have := RIneq.Rnot_lt_le _ _ h; Psatz.nra.
have same : m' = m.
  have := Rbasic_fun.Rle_abs (Rdefinitions.Rminus m' m).
  have := Rbasic_fun.Rle_abs (Rdefinitions.Ropp (Rdefinitions.Rminus m' m)).
  by rewrite Rbasic_fun.Rabs_Ropp; Lra.lra.
rewrite same => E mE z first; apply: (Order.POrderTheory.le_trans first).
by rewrite lee_fin; apply/RleP; rewrite raised_is; apply: cdf_rises; Lra.lra.
Qed.

(* A measurable space of outputs, and a law of mass 1 on it. *)
Record space := Space { display : measure_display; carrier : measurableType display }.
Record law (S : space) := Law { law_of : {measure set (carrier S) -> \bar Re}; law_mass : law_of setT = 1 }.
Definition line : space := Space [the measurableType _ of Real.sort Re].
Definition pair (S S' : space) : space := Space [the measurableType _ of (carrier S * carrier S')%type].
(* Lists of 1 + k numbers. *)
Fixpoint vectors (k : nat) : space := if k is k'.+1 then pair line (vectors k') else line.

Definition independent (S S' : space) (P : law S) (Q : law S') : law (pair S S') :=
  @Law (pair S S') [the measure _ _ of in_turn (law_of P) (@constant_kernel _ _ (carrier S) _ (law_of Q) (law_mass Q))]
    (@in_turn_mass _ _ _ _ _ _ _ (law_mass P) (fun _ => law_mass Q)).

(* 1 + k independent normal answers. *)
Fixpoint gaussian_laws (k : nat) (means sds : nat -> R) : law (vectors k) :=
  match k return law (vectors k) with
  | O => @Law line (gaussian_law (means O) (sds O)) (gaussian_law_mass _ _)
  | k'.+1 => independent (@Law line (gaussian_law (means O) (sds O)) (gaussian_law_mass _ _))
      (gaussian_laws k' (fun j => means j.+1) (fun j => sds j.+1))
  end.
(* The probability of a measurable set of vectors. *)
Definition gaussian_answers (k : nat) (means sds : nat -> R) : set (carrier (vectors k)) -> \bar Re :=
  law_of (gaussian_laws k means sds).

Theorem gaussian_answers_close (k : nat) (m m' sds d : nat -> R) :
  (forall j, Peano.le j k -> Rle zero (d j) /\ Rle (Rbasic_fun.Rabs (Rdefinitions.Rminus (m' j) (m j))) (Rmult (d j) (sds j))) ->
  forall mu, Rle zero mu -> Rle (sum_to k (fun j => Rpow_def.pow (d j) 2)) (Rpow_def.pow mu 2) ->
  gaussian_close mu (gaussian_answers k m sds) (gaussian_answers k m' sds).
Proof.
elim: k m m' sds d => [|k IH] m m' sds d near mu mu0 sq.
- have [d0 h] := near 0%N (PeanoNat.Nat.le_0_l _); rewrite /gaussian_answers /=.
  apply: (close_monotone (one_leg _ _ d0 mu0 sq)); exact: gaussian_laws_close.
- have [d0 h] := near 0%N (PeanoNat.Nat.le_0_l _).
  have rest0 : Rle zero (sum_to k (fun j => Rpow_def.pow (d j.+1) 2)).
    by apply: sum_to_nonneg => j _; exact: pow2_ge_0.
  set s := sum_to k _ in rest0.
  have IH' : gaussian_close (R_sqrt.sqrt s) (gaussian_answers k (fun j => m j.+1) (fun j => sds j.+1))
      (gaussian_answers k (fun j => m' j.+1) (fun j => sds j.+1)).
    apply: (IH _ _ _ (fun j => d j.+1)); first by move=> j jk; apply: near; exact: le_n_S.
    - exact: R_sqrt.sqrt_pos.
    - by rewrite pow2_sqrt //; exact: RIneq.Rle_refl.
  have leg : Rle (gaussian_composed (d 0%N) (R_sqrt.sqrt s)) mu by exact: first_leg.
  apply: (close_monotone leg) => E mE z first.
  pose Q := law_of (gaussian_laws k (fun j => m j.+1) (fun j => sds j.+1)).
  pose Q' := law_of (gaussian_laws k (fun j => m' j.+1) (fun j => sds j.+1)).
  have Q1 : Q setT = 1 by exact: law_mass.
  have Q1' : Q' setT = 1 by exact: law_mass.
  have sections t : measurable (xsection E t) by exact: (measurable_xsection Re).
  have bounds (N : {measure set (carrier (vectors k)) -> \bar Re}) (N1 : N setT = 1) t :
      0 <= N (xsection E t) /\ N (xsection E t) <= 1.
    by split; [exact: measure_ge0|rewrite -N1; apply: le_measure; rewrite ?inE].
  have later t y : Q (xsection E t) <= rate y -> Q' (xsection E t) <= (gaussian_raised y (R_sqrt.sqrt s) : Real.sort Re)%:E.
    exact: IH'.
  exact: (@tests_compose _ _ (gaussian_law (m 0%N) (sds 0%N)) (gaussian_law (m' 0%N) (sds 0%N))
    (fun t => Q (xsection E t)) (fun t => Q' (xsection E t)) (d 0%N) (R_sqrt.sqrt s)
    (gaussian_law_mass _ _) (gaussian_law_mass _ _) (@constant_kernel _ _ _ _ Q Q1 E mE) (@constant_kernel _ _ _ _ Q' Q1' E mE)
    (bounds Q Q1) (bounds Q' Q1') d0 (@gaussian_laws_close _ _ _ _ d0 h) later z first).
Qed.

(* One answer: no smaller level will do. *)
Lemma one_answer_attains (m m' sds : nat -> R) mu : Rlt zero (sds 0%N) ->
  gaussian_close mu (gaussian_answers 0 m sds) (gaussian_answers 0 m' sds) ->
  Rle (Rbasic_fun.Rabs (Rdefinitions.Rminus (m' 0%N) (m 0%N))) (Rmult mu (sds 0%N)).
Proof.
move=> s0; rewrite /gaussian_answers /= /gaussian_law; case: (RIneq.Rlt_dec zero (sds 0%N)) => // h.
exact: shift_is_attained.
Qed.
