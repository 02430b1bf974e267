(* Rule output_by_output, with slack and without: what two releases cost together, of which the second may be picked
   by the output of the first, one beside another that has one law, and a randomized function of an output. For all
   measurable spaces of outputs. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import common comparisons.
Local Open Scope R_scope.

(* Factors c_1, c_2 of at least 1, and slacks from 0 to less than 1. *)
Definition meant (c1 c2 d1 d2 : R) : Prop := 1 <= c1 /\ 1 <= c2 /\ 0 <= d1 < 1 /\ 0 <= d2 < 1.
Inductive way := picking | beside | by_function.

(* Owed of single outputs, where m_i <= c_i q_i; and of the rest, which is at most d_i of each release. *)
Definition per_output (w : way) (level : R -> R -> R -> R -> R) : Prop :=
  forall c1 c2 d1 d2, meant c1 c2 d1 d2 -> forall q1 m1 q2 m2,
  0 <= q1 -> 0 <= m1 <= c1 * q1 -> 0 <= q2 ->
  match w with
  | picking => 0 <= m2 <= c2 * q2 -> m1 * m2 <= level c1 c2 d1 d2 * (q1 * q2)
  | beside => m1 * q2 <= level c1 c2 d1 d2 * (q1 * q2)
  | by_function => 0 <= m2 <= c1 * q2 -> m1 + m2 <= level c1 c2 d1 d2 * (q1 + q2)
  end.
Definition left_over (w : way) (slack : R -> R -> R -> R -> R) : Prop :=
  forall c1 c2 d1 d2, meant c1 c2 d1 d2 -> forall r1 r2, 0 <= r1 <= d1 -> 0 <= r2 <= d2 ->
  match w with picking => r1 + (1 - r1) * r2 | _ => r1 end <= slack c1 c2 d1 d2.

(* Hence the level is at least the factor of all together, and the slack what is left over. *)
Definition factor_of (w : way) (c1 c2 : R) : R := match w with picking => c1 * c2 | _ => c1 end.
Definition rest_of (w : way) (d1 d2 : R) : R := match w with picking => d2 + (1 - d2) * d1 | _ => d1 end.

Lemma level_at_least w level c1 c2 d1 d2 : per_output w level -> meant c1 c2 d1 d2 ->
  factor_of w c1 c2 <= level c1 c2 d1 d2.
Proof.
  intros owed all; pose proof all as (h1 & h2 & _); pose proof (owed c1 c2 d1 d2 all 1 c1 1) as at_1.
  destruct w; simpl in *; [pose proof (at_1 c2)|pose proof (at_1 0)|pose proof (at_1 c1)]; lra.
Qed.
Lemma slack_at_least w slack c1 c2 d1 d2 : left_over w slack -> meant c1 c2 d1 d2 -> rest_of w d1 d2 <= slack c1 c2 d1 d2.
Proof.
  intros owed all; pose proof all as (_ & _ & s1 & s2).
  pose proof (owed c1 c2 d1 d2 all d1 d2); destruct w; simpl in *; lra.
Qed.
(* k <= d + (1 - d) g where k <= a + d and k <= 1, for g the share of a in what is left, 1 at most. *)
Definition share (d a : R) : R := (1 + a / (1 - d) - Rabs (1 - a / (1 - d))) / 2.
Lemma share_is d a : 0 <= d < 1 -> 0 <= a -> 0 <= share d a <= 1 /\ (1 - d) * share d a <= a /\
  forall k, k <= 1 -> k <= a + d -> k <= d + (1 - d) * share d a.
Proof.
  intros d01 a0; assert (q : a = (1 - d) * (a / (1 - d))) by (field; lra).
  assert (0 <= a / (1 - d)) by (apply Rmult_le_pos; [exact a0|left; apply Rinv_0_lt_compat; lra]).
  unfold share, Rabs; destruct Rcase_abs; repeat split; intros; try lra; nra.
Qed.
Lemma share_continuous d a : continuous (share d) a.
Proof.
  unfold share, Rdiv; apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  assert (line : continuous (fun a => a * / (1 - d)) a).
  { apply (continuous_mult (K := R_AbsRing)); [apply continuous_id|apply continuous_const]. }
  apply (continuous_minus (V := R_NormedModule)).
  - apply (continuous_plus (V := R_NormedModule)); [apply continuous_const|exact line].
  - apply abs_continuous, (continuous_minus (V := R_NormedModule)); [apply continuous_const|exact line].
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import boolp classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import lebesgue_measure lebesgue_integral.
From Establish Require Import measures adaptive_composition sequential_composition post_processing layers.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation kernel := (@adaptive_composition.kernel _ _ _ _).
Local Notation randomized := (@randomized _ _ _ _).
Local Notation zero := (Rdefinitions.IZR BinNums.Z0).

(* P(E) <= c Q(E) + delta for every measurable event. *)
Definition at_most_with (c delta : R) d (T : measurableType d) (P Q : set T -> \bar Re) : Prop :=
  forall E, measurable E -> P E <= (c : Re)%:E * Q E + (delta : Re)%:E.
Arguments at_most_with c delta {d T} P Q.

Section Releases.
Variables (d1 d2 : measure_display) (T1 : measurableType d1) (T2 : measurableType d2).
Variables (P Q : {measure set T1 -> \bar Re}) (P1 : P setT = 1) (Q1 : Q setT = 1).

Definition laws (K : T1 -> {measure set T2 -> \bar Re}) : Prop := forall t, K t setT = 1.

(* What each way makes of a release with the laws P and Q. *)
Definition costs (w : way) (c2 delta2 level slack : R) : Prop :=
  match w with
  | picking => forall K L : T1 -> {measure set T2 -> \bar Re}, laws K -> laws L -> kernel K -> kernel L ->
      (forall t, at_most_with c2 delta2 (K t) (L t)) -> at_most_with level slack (both P K) (both Q L)
  | beside => forall S : {measure set T2 -> \bar Re}, S setT = 1 ->
      at_most_with level slack (independently P S) (independently Q S)
  | by_function => forall K : T1 -> {measure set T2 -> \bar Re}, laws K -> randomized K ->
      at_most_with level slack (processed P K) (processed Q K)
  end.

Lemma of_probability (K : T1 -> {measure set T2 -> \bar Re}) (lK : laws K) (E : T1 -> set T2) :
  (forall t, measurable (E t)) -> forall t, K t (E t) = (fine (K t (E t)))%:E /\
  Rle zero (fine (K t (E t))) /\ Rle (fine (K t (E t))) (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).
Proof.
move=> mE t; have le1 : K t (E t) <= 1 by rewrite -(lK t); apply: le_measure; rewrite ?inE.
have fin : K t (E t) \is a fin_num by rewrite ge0_fin_numE //; exact: (Order.POrderTheory.le_lt_trans le1 (ltey _)).
split; first by rewrite fineK.
split; apply/RleP; first exact: fine_ge0.
by rewrite -lee_fin fineK //; exact: le1.
Qed.

Section Picking.
Variables (K L : T1 -> {measure set T2 -> \bar Re}) (lK : laws K) (lL : laws L) (kK : kernel K) (kL : kernel L).
Variables (c1 c2 delta1 delta2 : R) (all : meant c1 c2 delta1 delta2).
Variables (near1 : at_most_with c1 delta1 P Q) (near2 : forall t, at_most_with c2 delta2 (K t) (L t)).

Lemma picked : at_most_with (factor_of picking c1 c2) (rest_of picking delta1 delta2) (both P K) (both Q L).
Proof.
move=> E mE; have sections t : measurable (xsection E t) by exact: (measurable_xsection Re).
have [c10 [c20 [d1_01 d2_01]]] := all.
have pos c : Rle (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)) c -> Rle zero c by move=> h; Lra.lra.
have inK := of_probability lK (fun t => xsection E t) sections.
have inL := of_probability lL (fun t => xsection E t) sections.
pose a t : Re := Rdefinitions.Rmult c2 (fine (L t (xsection E t))).
pose g t : Re := share delta2 (a t).
have a0 t : Rle zero (a t) by apply: RIneq.Rmult_le_pos; [exact: pos|exact: (inL t).2.1].
have g01 t : Rle zero (g t) /\ Rle (g t) (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)) by exact: (share_is _ _ d2_01 (a0 t)).1.
have ma : measurable_fun setT a.
  apply: measurable_funrM; apply: (@measurable_fun_comp _ _ _ _ _ _ fine _ (fun t => L t (xsection E t))); last exact: kL.
  exact: measurable_fun_fine.
have mg : measurable_fun setT g.
  apply: (@measurable_fun_comp _ _ _ _ _ _ (share delta2 : Re -> Re) _ a) => //.
  apply: continuous_measurable_fun => x; apply/continuity_pt_cvg.
  by apply/continuous_to_continuity; exact: share_continuous.
have mean := @mean_at_most _ _ g mg g01 P Q c1 delta1 P1 Q1 (pos _ c10) near1.
pose rest := Rdefinitions.Rminus (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)) delta2.
have rest0 : (0 <= (rest : Re))%R by apply/RleP; have h : Rle zero rest by (rewrite /rest; Lra.lra); exact: h.
have d20 : (0 <= (delta2 : Re))%R by apply/RleP; exact: d2_01.1.
have G0 t : setT t -> 0 <= (g t)%:E by move=> _; rewrite lee_fin; apply/RleP; exact: (g01 t).1.
have mG : measurable_fun setT (fun t => (g t)%:E) by exact/EFin_measurable_fun.
have first : both P K E <= (delta2 : Re)%:E + (rest : Re)%:E * \int[P]_t (g t)%:E.
  rewrite -(@ge0_integralM_EFin _ _ _ P setT measurableT _ G0 mG _ rest0).
  have -> : (delta2 : Re)%:E = \int[P]_t (delta2 : Re)%:E by rewrite (integral_cst P measurableT) P1 mule1.
  rewrite -ge0_integralD //.
  - apply: ge0_le_integral => //.
    + exact: kK.
    + by move=> t _; rewrite adde_ge0 ?mule_ge0 ?lee_fin //; apply/RleP; exact: (g01 t).1.
    + by apply: emeasurable_funD; [exact: measurable_fun_cst|exact: measurable_funeM].
    + move=> t _; rewrite (inK t).1 -EFinM -EFinD lee_fin; apply/RleP.
      apply: (share_is _ _ d2_01 (a0 t)).2.2; first exact: (inK t).2.2.
      by apply/RleP; rewrite -lee_fin; have := near2 t _ (sections t); rewrite (inK t).1 (inL t).1 -EFinM -EFinD.
  - exact: measurable_fun_cst.
  - by move=> t _; rewrite mule_ge0 ?lee_fin //; apply/RleP; exact: (g01 t).1.
  - exact: measurable_funeM.
have last : (rest : Re)%:E * \int[Q]_t (g t)%:E <= (c2 : Re)%:E * both Q L E.
  have c20' : (0 <= (c2 : Re))%R by apply/RleP; exact: pos.
  rewrite -(@ge0_integralM_EFin _ _ _ Q setT measurableT _ G0 mG _ rest0) /both.
  rewrite -(@ge0_integralM_EFin _ _ _ Q setT measurableT (fun t => L t (xsection E t)) (fun t _ => measure_ge0 _ _) (kL mE) _ c20').
  apply: ge0_le_integral => //.
  - by move=> t _; rewrite mule_ge0 ?lee_fin //; apply/RleP; exact: (g01 t).1.
  - exact: measurable_funeM.
  - by move=> t _; rewrite mule_ge0 // lee_fin.
  - by apply: measurable_funeM; exact: kL.
  - move=> t _; rewrite (inL t).1 -!EFinM lee_fin; apply/RleP; exact: (share_is _ _ d2_01 (a0 t)).2.1.
apply: (Order.POrderTheory.le_trans first).
apply: (@Order.POrderTheory.le_trans _ _ ((delta2 : Re)%:E + (rest : Re)%:E * ((c1 : Re)%:E * \int[Q]_t (g t)%:E + (delta1 : Re)%:E))).
  by apply: lee_add => //; apply: lee_wpmul2l; rewrite ?lee_fin.
rewrite muleDr ?fin_num_adde_def // muleCA addeA addeC addeA /= [X in _ <= X]addeC.
have -> : (rest_of picking delta1 delta2 : Re)%:E = (rest : Re)%:E * (delta1 : Re)%:E + (delta2 : Re)%:E.
  by rewrite -EFinM -EFinD; congr (_%:E); rewrite /rest_of /rest Raxioms.Rplus_comm.
apply: lee_add => //; rewrite EFinM -muleA; apply: lee_wpmul2l => //.
by rewrite lee_fin; apply/RleP; exact: pos.
Qed.
End Picking.

Lemma after_function (K : T1 -> {measure set T2 -> \bar Re}) (lK : laws K) (rK : randomized K) (c1 delta1 : R) :
  Rle zero c1 -> at_most_with c1 delta1 P Q -> at_most_with c1 delta1 (processed P K) (processed Q K).
Proof.
move=> c0 near E mE; have inK := of_probability lK (fun=> E) (fun=> mE).
have mk : measurable_fun setT (fun t => fine (K t E)).
  by apply: (@measurable_fun_comp _ _ _ _ _ _ fine _ (fun t => K t E)); [exact: measurable_fun_fine|exact: rK].
have := @mean_at_most _ _ _ mk (fun t => (inK t).2) P Q c1 delta1 P1 Q1 c0 near.
rewrite /processed; congr (_ <= _ * _ + _); by apply: eq_integral => t _; rewrite -(inK t).1.
Qed.

Lemma weaker c delta level slack d (T : measurableType d) (p q : set T -> \bar Re) : (forall E, 0 <= q E) ->
  Rle c level -> Rle delta slack -> at_most_with c delta p q -> at_most_with level slack p q.
Proof.
move=> q0 /RleP cl /RleP ds near E mE; apply: (Order.POrderTheory.le_trans (near E mE)).
by apply: lee_add; [apply: lee_wpmul2r|]; rewrite ?lee_fin.
Qed.

(* [pure]: no slack at all. *)
Theorem output_by_output (w : way) (level slack : R -> R -> R -> R -> R) (pure : bool) : per_output w level ->
  (pure = false -> left_over w slack) -> forall c1 c2 delta1 delta2, meant c1 c2 delta1 delta2 ->
  (pure -> delta1 = zero /\ delta2 = zero) -> at_most_with c1 delta1 P Q ->
  costs w c2 delta2 (level c1 c2 delta1 delta2) (if pure then zero else slack c1 c2 delta1 delta2).
Proof.
move=> single rest c1 c2 delta1 delta2 all none near.
have le := level_at_least _ _ _ _ _ _ single all.
have sl : Rle (rest_of w delta1 delta2) (if pure then zero else slack c1 c2 delta1 delta2).
  case: pure rest none => [_ /(_ isT)[-> ->]|/(_ erefl) owed _]; last exact: slack_at_least owed all.
  by case: w single le => _ _ /=; Lra.lra.
have [c10 [_ [d01 _]]] := all; have c0 : Rle zero c1 by Lra.lra.
case: w single rest le sl => _ _ le sl /=.
- move=> K L lK lL kK kL near2; apply: (weaker _ le sl); last exact: picked.
  by move=> E; apply: integral_ge0 => t _; exact: measure_ge0.
- move=> S S1; apply: (weaker _ le sl).
    by move=> E; apply: integral_ge0 => t _; exact: measure_ge0.
  have kS := @constant_kernel _ _ T1 T2 S S1.
  have self t : at_most_with (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)) zero ((fun _ : T1 => S) t) ((fun _ : T1 => S) t).
    by move=> E mE; rewrite mul1e adde0.
  have one : meant c1 (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)) delta1 zero by rewrite /meant; split; [|split; [|split]]; Lra.lra.
  have := picked (fun=> S1) (fun=> S1) kS kS one near self; rewrite /independently /=.
  by rewrite RIneq.Rmult_1_r RIneq.Rminus_0_r Raxioms.Rmult_1_l Raxioms.Rplus_0_l.
- move=> K lK rK; apply: (weaker _ le sl); last exact: after_function.
  by move=> E; apply: integral_ge0 => t _; exact: measure_ge0.
Qed.
End Releases.
