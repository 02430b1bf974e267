(* Lebesgue's integral of a density over an interval on which it is continuous is Riemann's: the probabilities of
   bridge.v and the integrals of Coquelicot are the same numbers. *)
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From Establish Require Import one_integral bridge.
Local Notation continuous_at := Coquelicot.Continuity.continuous.
Local Notation riemann := Coquelicot.RInt.RInt.
Lemma attains (f : R -> R) (u v : R) : (u <= v)%R -> (forall x, continuous_at f x) ->
  exists least most, forall t, (u <= t <= v)%R -> (least <= f t <= most)%R.
Proof.
  intros uv cont.
  assert (c : forall t, (u <= t <= v)%R -> continuity_pt f t) by (intros t _; apply continuity_pt_filterlim, cont).
  destruct (continuity_ab_min f u v uv c) as (lo & least & _).
  destruct (continuity_ab_maj f u v uv c) as (hi & most & _).
  exists (f lo), (f hi); intros t ht; split; [apply least|apply most]; exact ht.
Qed.

(* f between u and v, and constant outside. *)
Definition held (f : R -> R) (u v o : R) : R := f (Rmax u (Rmin v o)).
Lemma held_inside f u v o : (u <= o <= v)%R -> held f u v o = f o.
Proof. intros h; unfold held; rewrite Rmin_right, Rmax_right by lra; reflexivity. Qed.
Lemma clamp_inside u v o : (u <= v)%R -> (u <= Rmax u (Rmin v o) <= v)%R.
Proof. intros h; split; [apply Rmax_l|apply Rmax_lub; [exact h|apply Rmin_l]]. Qed.
Lemma held_continuous f u v : (u <= v)%R -> (forall o, (u <= o <= v)%R -> continuous_at f o) ->
  forall o, continuous_at (held f u v) o.
Proof.
  intros uv cont o; apply (continuous_comp (fun o => Rmax u (Rmin v o)) f); [|apply cont, clamp_inside, uv].
  apply (filterlim_locally (fun o => Rmax u (Rmin v o))); intros e; exists e; intros y near.
  apply Rabs_lt_between in near; unfold minus, plus, opp in near; simpl in near.
  apply Rabs_lt_between; unfold minus, plus, opp; simpl.
  unfold Rmax, Rmin; repeat destruct (Rle_dec _ _); lra.
Qed.
Lemma held_integral f u v : (u <= v)%R -> riemann (held f u v) u v = riemann f u v.
Proof.
  intros uv; apply RInt_ext; intros o h; rewrite Rmin_left, Rmax_right in h by exact uv.
  apply held_inside; lra.
Qed.

Lemma to_continuity (f : R -> R) x : continuous_at f x -> continuity_pt f x.
Proof. intros h; apply continuity_pt_filterlim, h. Qed.

From mathcomp Require Import ssreflect ssrfun ssrbool eqtype order ssralg ssrnum.
From mathcomp Require Import interval classical_sets constructive_ereal.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype measure.
From mathcomp.analysis Require Import lebesgue_measure lebesgue_integral.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.

Definition between (a b : R) (o : R) : Prop := Rdefinitions.Rlt a o /\ Rdefinitions.Rle o b.

Section Continuous.
Variable f : R -> R.
Variable cont : forall x, continuous_at f x.
Variable nonneg : forall x, Rdefinitions.Rle (Rdefinitions.IZR BinNums.Z0) (f x).

Lemma between_is (a b : R) : (between a b : set Re) = [set` `](a : Re), (b : Re)]].
Proof.
apply/seteqP; split=> o /=; rewrite in_itv /=.
- by move=> [/RltP h /RleP k]; rewrite h k.
- by move=> /andP[/RltP h /RleP k].
Qed.
Lemma measurable_between (a b : R) : measurable (between a b : set Re).
Proof. by rewrite between_is; exact: measurable_itv. Qed.
Lemma length_of (a b : R) : Rdefinitions.Rle a b ->
  @lebesgue_measure real_realType (between a b) = (Rdefinitions.Rminus b a : Re)%:E.
Proof.
move=> ab; rewrite between_is.
transitivity (@hlength real_realType [set` `](a : Re), (b : Re)]]); first exact: lebesgue_measure_itv.
rewrite hlength_itv /= lte_fin; case: ifP => //.
move=> /negbT; rewrite -Order.TotalTheory.leNgt => /RleP ba.
by have -> : Rdefinitions.Rminus b a = Rdefinitions.IZR BinNums.Z0 by Lra.lra.
Qed.
Lemma measurable_f (E : set Re) : measurable E -> measurable_fun E (fun o : Re => (f o : Re)%:E).
Proof.
move=> mE; apply/EFin_measurable_fun; apply: measurable_funS (measurableT) _ _ => //.
apply: continuous_measurable_fun => x; apply/continuity_pt_cvg.
exact: to_continuity.
Qed.
Lemma nonneg_f (o : Re) : 0 <= (f o : Re)%:E.
Proof. by rewrite lee_fin; apply/RleP; exact: nonneg. Qed.

Lemma mass_bounds (u v m most : R) : Rdefinitions.Rle u v ->
  Rdefinitions.Rle (Rdefinitions.IZR BinNums.Z0) m ->
  (forall t, Rdefinitions.Rle u t /\ Rdefinitions.Rle t v -> Rdefinitions.Rle m (f t) /\ Rdefinitions.Rle (f t) most) ->
  (Rdefinitions.Rmult m (Rdefinitions.Rminus v u) : Re)%:E <= probability f (between u v) /\
  probability f (between u v) <= (Rdefinitions.Rmult most (Rdefinitions.Rminus v u) : Re)%:E.
Proof.
move=> uv m0 h; have mE := measurable_between u v; rewrite /probability; split.
- have -> : (Rdefinitions.Rmult m (Rdefinitions.Rminus v u) : Re)%:E =
    (m : Re)%:E * @lebesgue_measure real_realType (between u v).
    exact: (congr1 (mule (m : Re)%:E) (esym (length_of uv))).
  rewrite -integral_cst //.
  apply: ge0_le_integral => //.
  + by move=> o _; rewrite lee_fin; apply/RleP.
  + exact: measurable_fun_cst.
  + by move=> o _; exact: nonneg_f.
  + exact: measurable_f.
  + by move=> o [l r]; rewrite lee_fin; apply/RleP; apply: (proj1 (h o _)); split=> //; exact: RIneq.Rlt_le.
- have -> : (Rdefinitions.Rmult most (Rdefinitions.Rminus v u) : Re)%:E =
    (most : Re)%:E * @lebesgue_measure real_realType (between u v).
    exact: (congr1 (mule (most : Re)%:E) (esym (length_of uv))).
  rewrite -integral_cst //.
  apply: ge0_le_integral => //.
  + by move=> o _; exact: nonneg_f.
  + exact: measurable_f.
  + move=> o [l r]; rewrite lee_fin; apply/RleP.
    have [p q] := h o (conj (RIneq.Rlt_le _ _ l) r); exact: (RIneq.Rle_trans _ _ _ m0 (RIneq.Rle_trans _ _ _ p q)).
  + exact: measurable_fun_cst.
  + by move=> o [l r]; rewrite lee_fin; apply/RleP; apply: (proj2 (h o _)); split=> //; exact: RIneq.Rlt_le.
Qed.

Lemma mass_finite (u v : R) : Rdefinitions.Rle u v -> probability f (between u v) \is a fin_num.
Proof.
move=> uv; have [least [most h]] := attains f u v uv cont.
have [_ up] := @mass_bounds u v (Rdefinitions.IZR BinNums.Z0) most uv (RIneq.Rle_refl _) (fun t ht => conj (nonneg t) (proj2 (h t ht))).
rewrite ge0_fin_numE; first exact: (Order.POrderTheory.le_lt_trans up (ltey _)).
by apply: integral_ge0 => o _; exact: nonneg_f.
Qed.

Lemma mass_adds (u v w : R) : Rdefinitions.Rle u v -> Rdefinitions.Rle v w ->
  probability f (between u w) = probability f (between u v) + probability f (between v w).
Proof.
move=> uv vw; have -> : (between u w : set Re) = between u v `|` between v w.
  apply/seteqP; split=> o /=.
  - move=> [l r]; case: (RIneq.Rle_lt_dec o v) => h; [left|right]; split=> //.
  - by move=> [[l r]|[l r]]; split=> //; Lra.lra.
rewrite /probability integral_setU //.
- exact: measurable_between.
- exact: measurable_between.
- by apply: measurable_f; apply: measurableU; exact: measurable_between.
- by move=> o _; exact: nonneg_f.
- by apply/disj_set2P; apply/seteqP; split=> // o [[l r] [l' r']]; Lra.lra.
Qed.

Lemma continuous_everywhere (a b : R) : Rdefinitions.Rle a b ->
  probability f (between a b) = (riemann f a b : Re)%:E.
Proof.
move=> ab.
rewrite -(@only_one f (fun u v => fine (probability f (between u v)))) //; first by rewrite fineK //; exact: mass_finite.
- move=> u v w uv vw; by rewrite (mass_adds uv vw) (fineD (mass_finite uv) (mass_finite vw)).
- move=> u v m most uv h.
  have fin := mass_finite uv.
  have nn : 0 <= probability f (between u v) by apply: integral_ge0 => o _; exact: nonneg_f.
  split.
  + case: (RIneq.Rle_lt_dec (Rdefinitions.IZR BinNums.Z0) m) => m0.
    * have [lo _] := mass_bounds uv m0 h; move: lo; rewrite -(fineK fin) lee_fin => /RleP; exact.
    * apply: (RIneq.Rle_trans _ (Rdefinitions.IZR BinNums.Z0)); first by nra.
      by move: nn; rewrite -{1}(fineK fin) lee_fin => /RleP.
  + have h' t (ht : Rdefinitions.Rle u t /\ Rdefinitions.Rle t v) :
       Rdefinitions.Rle (Rdefinitions.IZR BinNums.Z0) (f t) /\ Rdefinitions.Rle (f t) most.
      by split; [exact: nonneg|exact: (proj2 (h t ht))].
    have [_ hi] := @mass_bounds u v _ most uv (RIneq.Rle_refl _) h'.
    by move: hi; rewrite -{1}(fineK fin) lee_fin => /RleP.
Qed.
End Continuous.

Theorem lebesgue_is_riemann (f : R -> R) (a b : R) : Rdefinitions.Rle a b ->
  (forall o, Rdefinitions.Rle a o /\ Rdefinitions.Rle o b ->
    continuous_at f o /\ Rdefinitions.Rle (Rdefinitions.IZR BinNums.Z0) (f o)) ->
  probability f (between a b) = (riemann f a b : Re)%:E.
Proof.
move=> ab h; rewrite -(held_integral f a b ab) -continuous_everywhere //.
- apply: eq_integral => o /set_mem [l r]; rewrite held_inside //; split=> //; exact: RIneq.Rlt_le.
- by apply: held_continuous => // o ho; exact: (proj1 (h o ho)).
- by move=> o; exact: (proj2 (h _ (clamp_inside a b o ab))).
Qed.
