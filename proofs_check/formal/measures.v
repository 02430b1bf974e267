(* Mechanisms as families of measures on any measurable space of outputs: what a bound on the probability of
   every event does to integrals, and so to whatever is done with an output afterwards. *)
From Coq Require Reals.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat choice order ssralg ssrnum.
From mathcomp Require Import finset interval boolp classical_sets functions cardinality fsbigop.
From mathcomp Require Import signed constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
Import Order.TTheory GRing.Theory Num.Theory.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.

Definition Re := real_realType.
Local Notation R := Rdefinitions.R.

(* e^epsilon, as an extended real number. *)
Definition factor (epsilon : R) : \bar Re := (Rtrigo_def.exp epsilon : Re)%:E.

Section Mechanisms.
Variables (dataset : Type) (neighbors : dataset -> dataset -> Prop).

(* The law of the output on every dataset. *)
Definition mechanism d (T : measurableType d) := dataset -> {measure set T -> \bar Re}.
(* Every law has total mass 1. *)
Definition has_laws d (T : measurableType d) (M : mechanism T) : Prop := forall D, M D setT = 1.
(* P(M(D) in E) <= e^epsilon P(M(D') in E) for all neighbors and all measurable events. *)
Definition private_law (epsilon : R) d (T : measurableType d) (M : mechanism T) : Prop :=
  forall D D', neighbors D D' -> forall E, measurable E -> M D E <= factor epsilon * M D' E.
End Mechanisms.

Lemma factor_pos epsilon : 0 < factor epsilon.
Proof. by rewrite lte_fin; apply/RltP; exact: Exp_prop.exp_pos. Qed.

Lemma factor_nonneg epsilon : 0 <= factor epsilon.
Proof. exact: (Order.POrderTheory.ltW (factor_pos epsilon)). Qed.

Lemma factor_add e1 e2 : factor (Rdefinitions.Rplus e1 e2) = factor e1 * factor e2.
Proof. by rewrite /factor Exp_prop.exp_plus. Qed.

Lemma factor_zero : factor (Rdefinitions.IZR BinNums.Z0) = 1.
Proof. by rewrite /factor Rtrigo_def.exp_0. Qed.

Section Integrals.
Variables (d : measure_display) (T : measurableType d).

Lemma simple_integral_at_most (P Q : {measure set T -> \bar Re}) (h : {nnsfun T >-> Re}) :
  (forall E, measurable E -> P E <= Q E) -> sintegral P h <= sintegral Q h.
Proof.
move=> le; rewrite !sintegralE; apply: lee_fsum => // r [t _ <-].
by apply: lee_wpmul2l; [rewrite lee_fin|exact: le].
Qed.

Lemma integral_of_smaller (P Q : {measure set T -> \bar Re}) (f : T -> \bar Re) :
  (forall E, measurable E -> P E <= Q E) -> (forall t, 0 <= f t) -> measurable_fun setT f ->
  \int[P]_t f t <= \int[Q]_t f t.
Proof.
move=> le f0 mf; have [g [nd_g gf]] := approximation measurableT mf (fun t _ => f0 t).
have nd t : nondecreasing_seq (g^~ t) by move=> m n /nd_g /lefP; exact.
have cv t : EFin \o g^~ t --> f t by exact: gf.
rewrite (nd_ge0_integral_lim P f0 nd cv) (nd_ge0_integral_lim Q f0 nd cv).
apply: lee_lim; [exact: is_cvg_sintegral|exact: is_cvg_sintegral|].
by apply: nearW => n; exact: simple_integral_at_most.
Qed.

Lemma integral_at_most_factor epsilon (P Q : {measure set T -> \bar Re}) (f : T -> \bar Re) :
  (forall E, measurable E -> P E <= factor epsilon * Q E) ->
  (forall t, 0 <= f t) -> measurable_fun setT f ->
  \int[P]_t f t <= factor epsilon * \int[Q]_t f t.
Proof.
move=> le f0 mf.
have e0 : (0 <= (Rtrigo_def.exp epsilon : Re))%R.
  by apply/RleP; apply: RIneq.Rlt_le; exact: Exp_prop.exp_pos.
have -> : factor epsilon = (NngNum e0)%:num%:E by [].
rewrite -ge0_integral_mscale //.
by apply: integral_of_smaller.
Qed.
End Integrals.
