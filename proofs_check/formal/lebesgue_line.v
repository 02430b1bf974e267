(* Over the whole line too Lebesgue's integral of a continuous density that is nowhere negative is Coquelicot's
   improper one: a density of mass 1 gives all outputs together the probability 1. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import one_integral bridge lebesgue_is_riemann.
Local Notation continuous_at := Coquelicot.Continuity.continuous.
Local Notation riemann := Coquelicot.RInt.RInt.
Local Notation integrates_to f v := (is_RInt_gen f (Rbar_locally m_infty) (Rbar_locally p_infty) v).

Lemma parts_of_the_line (f : R -> R) (v : R) : (forall x, continuous_at f x) -> (forall x, (0 <= f x)%R) ->
  integrates_to f v ->
  (forall e, (0 < e)%R -> exists n, forall a b, (a < - n)%R -> (n < b)%R -> (Rabs (riemann f a b - v) < e)%R) /\
  (forall a b, (a <= b)%R -> (riemann f a b <= v)%R).
Proof.
  intros cont nonneg gen.
  assert (ex : forall u v, ex_RInt f u v) by (intros; apply (ex_RInt_continuous (V := R_CompleteNormedModule)); auto).
  assert (far : forall e, (0 < e)%R -> exists n, forall a b, (a < - n)%R -> (n < b)%R -> (Rabs (riemann f a b - v) < e)%R).
  { intros e e0.
    destruct (gen (fun y => Rabs (y - v) < e)%R) as [Q S [M hq] [N hs] both].
    - exists (mkposreal e e0); intros y k; exact k.
    - exists (Rmax (- M) N); intros a b ha hb.
      pose proof (Rmax_l (- M) N); pose proof (Rmax_r (- M) N).
      destruct (both a b) as (y & is & k); [apply hq; lra|apply hs; lra|].
      simpl in is; rewrite (is_RInt_unique _ _ _ _ is); exact k. }
  split; [exact far|intros a b ab; apply Rnot_lt_le; intros more].
  destruct (far (riemann f a b - v)%R ltac:(lra)) as [n h].
  pose (a' := (Rmin a (- n) - 1)%R); pose (b' := (Rmax b n + 1)%R).
  pose proof (Rmin_l a (- n)); pose proof (Rmin_r a (- n)); pose proof (Rmax_l b n); pose proof (Rmax_r b n).
  specialize (h a' b' ltac:(unfold a'; lra) ltac:(unfold b'; lra)).
  assert (grow : (riemann f a b <= riemann f a' b')%R).
  { rewrite <- (RInt_Chasles f a' a b' (ex _ _) (ex _ _)), <- (RInt_Chasles f a b b' (ex _ _) (ex _ _)).
    assert (0 <= riemann f a' a)%R by (apply RInt_ge_0; [unfold a'; lra|apply ex|auto]).
    assert (0 <= riemann f b b')%R by (apply RInt_ge_0; [unfold b'; lra|apply ex|auto]).
    unfold plus; simpl; lra. }
  apply Rabs_lt_between in h; lra.
Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval classical_sets functions constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.

(* From -n to n. *)
Definition middle (n : nat) : set Re := between (Rdefinitions.Ropp (Raxioms.INR n)) (Raxioms.INR n).

Lemma middle_grows (m n : nat) : (m <= n)%N -> middle m `<=` middle n.
Proof.
move=> mn o; rewrite /middle /between /=; have le := RIneq.le_INR _ _ (elimT ssrnat.leP mn).
by move=> [l r]; split; Lra.lra.
Qed.
Lemma in_the_middle (o : R) : exists N, forall n, (N <= n)%N -> middle n o.
Proof.
have [N h] : exists N : nat, Rdefinitions.Rlt (Rbasic_fun.Rabs o) (Raxioms.INR N).
  have [l _] := Raxioms.archimed (Rbasic_fun.Rabs o).
  exists (BinInt.Z.to_nat (Rdefinitions.up (Rbasic_fun.Rabs o))); rewrite RIneq.INR_IZR_INZ Znat.Z2Nat.id //.
  by apply: RIneq.le_IZR; have := Rbasic_fun.Rabs_pos o; Lra.lra.
exists N => n Nn; refine (@middle_grows N n Nn o _); have [l r] := Rbasic_fun.Rabs_def2 _ _ h.
by split; [|exact: RIneq.Rlt_le].
Qed.

Theorem line_is_improper (f : R -> R) (v : R) : (forall x, continuous_at f x) ->
  (forall x, Rdefinitions.Rle (Rdefinitions.IZR BinNums.Z0) (f x)) ->
  integrates_to f v -> probability f (fun _ => True) = (v : Re)%:E.
Proof.
move=> cont nonneg gen; have [far most] := parts_of_the_line f v cont nonneg gen.
have f0 (o : Re) : 0 <= (f o : Re)%:E by rewrite lee_fin; apply/RleP; exact: nonneg.
have mf (E : set Re) : measurable E -> measurable_fun E (fun o : Re => (f o : Re)%:E).
  exact: (measurable_f cont).
have part (a b : R) : Rdefinitions.Rle a b -> probability f (between a b) = (riemann f a b : Re)%:E.
  by move=> ab; apply: lebesgue_is_riemann => // o _; split.
have order (n : nat) : Rdefinitions.Rle (Rdefinitions.Ropp (Raxioms.INR n)) (Raxioms.INR n).
  by have := RIneq.pos_INR n; Lra.lra.
pose g (n : nat) := (fun o : Re => (f o : Re)%:E) \_ (middle n).
have mm n : measurable (middle n) by exact: measurable_between.
have gn n : \int[@lebesgue_measure real_realType]_o g n o = (riemann f (Rdefinitions.Ropp (Raxioms.INR n)) (Raxioms.INR n) : Re)%:E.
  by rewrite -integral_mkcond; exact: (part _ _ (order n)).
have mg n : measurable_fun setT (g n).
  by apply/(@measurable_restrict _ _ _ _ (middle n) setT) => //; exact: mf.
have g0 n o : 0 <= g n o by rewrite /g /patch; case: ifP.
have glim o : lim (g ^~ o) = (f o : Re)%:E.
  apply/cvg_lim => //; apply: cvg_near_cst; have [N h] := in_the_middle o.
  by exists N => // n /= Nn; rewrite /g /patch mem_set //; exact: h.
have whole : probability f (fun _ => True) = lim (fun n => \int[@lebesgue_measure real_realType]_o g n o).
  rewrite /probability -monotone_convergence //.
  - by apply: eq_integral => o _; rewrite glim.
  - move=> o _ m n mn; rewrite /g /patch; case: ifP => [/set_mem h|_]; last by case: ifP.
    by rewrite mem_set //; exact: (@middle_grows _ _ mn o h).
have up : probability f (fun _ => True) <= (v : Re)%:E.
  rewrite whole; apply: lime_le.
  - apply: ereal_nondecreasing_is_cvg => m n mn; apply: ge0_le_integral => //.
    + exact: mg.
    + exact: mg.
    + move=> o _; rewrite /g /patch; case: ifP => [/set_mem h|_]; last by case: ifP.
      by rewrite mem_set //; exact: (@middle_grows _ _ mn o h).
  - by apply: nearW => n; rewrite gn lee_fin; apply/RleP; apply: most; exact: order.
have fin : probability f (fun _ => True) \is a fin_num.
  rewrite ge0_fin_numE; first exact: (Order.POrderTheory.le_lt_trans up (ltey _)).
  by apply: integral_ge0 => o _; exact: f0.
apply/eqP; rewrite Order.POrderTheory.eq_le up /= -(fineK fin) lee_fin; apply/RleP.
apply: RIneq.Rnot_lt_le => small.
have [n h] := far (Rdefinitions.Rminus v (fine (probability f (fun _ => True)))) (RIneq.Rlt_Rminus _ _ small).
pose b := Rdefinitions.Rplus (Rbasic_fun.Rabs n) (Rdefinitions.IZR (BinNums.Zpos BinNums.xH)).
set p := (fine (probability f (fun _ => True)) : R) in small h.
have nb : Rdefinitions.Rlt n b by have := Rbasic_fun.Rle_abs n; rewrite /b; Lra.lra.
have b0 : Rdefinitions.Rle (Rdefinitions.Ropp b) b by have := Rbasic_fun.Rabs_pos n; rewrite /b; Lra.lra.
have nb' : Rdefinitions.Rlt (Rdefinitions.Ropp b) (Rdefinitions.Ropp n) by Lra.lra.
have := h (Rdefinitions.Ropp b) b nb' nb.
move=> /Rbasic_fun.Rabs_def2[_ near].
have : probability f (between (Rdefinitions.Ropp b) b) <= probability f (fun _ => True).
  apply: subset_integral; [exact: measurable_between|exact: measurableT|exact: (mf _ measurableT)|by move=> o _; exact: f0|by []].
rewrite (part _ _ b0) -(fineK fin) lee_fin -/p => /RleP below; Lra.lra.
Qed.
