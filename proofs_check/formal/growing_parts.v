(* The probability of all outputs, from events that grow and reach every output; and of densities in steps, of which
   each is flat between two numbers. *)
From Coq Require Reals.
From Coq Require Import BinNums.
From Coquelicot Require Hierarchy Lim_seq Series.
From mathcomp Require Import ssreflect ssrfun ssrbool eqtype ssrnat order ssralg ssrnum.
From mathcomp Require Import interval classical_sets constructive_ereal boolp functions.
From mathcomp.analysis Require Import Rstruct reals ereal topology normedtype sequences measure.
From mathcomp.analysis Require Import numfun lebesgue_measure lebesgue_integral.
From Establish Require Import bridge pieces.
Set Implicit Arguments.
Local Open Scope classical_set_scope.
Local Open Scope ring_scope.
Local Open Scope ereal_scope.
Local Notation Re := (Real.sort real_realType).
Local Notation R := Rdefinitions.R.
Local Notation Rle := Rdefinitions.Rle.
Local Notation Rlt := Rdefinitions.Rlt.
Local Notation Rmult := Rdefinitions.Rmult.
Local Notation Rplus := Rdefinitions.Rplus.
Local Notation Rminus := Rdefinitions.Rminus.
Local Notation zero := (Rdefinitions.IZR Z0).

(* The event has the probability v, a real number. *)
Definition has_probability (density : R -> R) (event : R -> Prop) (v : R) : Prop :=
  probability density event = (v : Re)%:E.
(* All outputs together have the probability 1. *)
Definition is_density (density : R -> R) : Prop := has_probability density (fun _ => True) (Rdefinitions.IZR (Zpos xH)).

Lemma same_on_event (f g : R -> R) (event : R -> Prop) : (forall o, event o -> f o = g o) ->
  probability f event = probability g event.
Proof. by move=> same; apply: eq_integral => o /set_mem h; rewrite same. Qed.

Section Density.
Variable f : R -> R.
Variable mf : borel_function f.
Variable nonneg : forall o, Rle zero (f o).

Let f0 (o : Re) : 0 <= (f o : Re)%:E.
Proof. by rewrite lee_fin; apply/RleP; exact: nonneg. Qed.

Let measurable_on (E : set Re) : measurable E -> measurable_fun E (fun o : Re => (f o : Re)%:E).
Proof.
move=> mE; apply/EFin_measurable_fun; apply: measurable_funS (measurableT) _ _ => //.
exact/borel_is_measurable.
Qed.

Lemma flat_probability (event : R -> Prop) (value size : R) : borel event ->
  @lebesgue_measure real_realType (event : set Re) = (size : Re)%:E ->
  (forall o, event o -> f o = value) -> has_probability f event (Rmult value size).
Proof.
move=> mE len flat; rewrite /has_probability /probability.
transitivity (\int[@lebesgue_measure real_realType]_(o in (event : set Re)) (cst (value : Re)%:E) o).
  by apply: eq_integral => o /set_mem /flat ->.
transitivity ((value : Re)%:E * @lebesgue_measure real_realType (event : set Re)).
  exact: (@integral_cst _ _ _ (@lebesgue_measure real_realType) (event : set Re) mE ((value : Re)%:E)).
exact: (congr1 (mule (value : Re)%:E) len).
Qed.

Lemma one_more_part (first second all : R -> Prop) (p q : R) : borel first -> borel second ->
  (forall o, all o <-> first o \/ second o) -> (forall o, first o -> second o -> False) ->
  has_probability f first p -> has_probability f second q -> has_probability f all (Rplus p q).
Proof.
move=> m1 m2 parts apart h1 h2; rewrite /has_probability /probability.
have -> : (all : set Re) = (first : set Re) `|` (second : set Re) by apply: same_set => o; rewrite parts.
have mU : measurable ((first : set Re) `|` (second : set Re)) by exact: measurableU.
rewrite integral_setU //.
- by rewrite EFinD -h1 -h2.
- exact: measurable_on.
- by apply/disj_set2P; apply/seteqP; split=> // o [a b]; exact: (apart o a b).
Qed.

Theorem reached_by_growing_events (upto : nat -> R -> Prop) (p : nat -> R) (v : R) :
  (forall n, borel (upto n)) -> (forall n o, upto n o -> upto n.+1 o) -> (forall o, exists n, upto n o) ->
  (forall n, has_probability f (upto n) (p n)) -> Lim_seq.is_lim_seq p (Rbar.Finite v) ->
  has_probability f (fun _ => True) v.
Proof.
move=> mu grows reach has tends.
have grow m n : (m <= n)%N -> (upto m : set Re) `<=` upto n.
  move=> mn o h; rewrite -(subnKC mn); elim: (n - m)%N => [|k IH]; first by rewrite addn0.
  by rewrite addnS; exact: grows.
have rise m n : (m <= n)%N -> Rle (p m) (p n).
  move=> mn; apply/RleP; rewrite -lee_fin -(has m) -(has n); apply: subset_integral => //.
  - exact: mu.
  - exact: mu.
  - by apply: measurable_on; exact: mu.
  - exact: grow.
pose g (n : nat) := (fun o : Re => (f o : Re)%:E) \_ (upto n : set Re).
have gn n : \int[@lebesgue_measure real_realType]_o g n o = (p n : Re)%:E by rewrite -integral_mkcond; exact: has.
have mg n : measurable_fun setT (g n).
  have mn : measurable (upto n : set Re) by exact: mu.
  by apply/(@measurable_restrict _ _ _ _ (upto n : set Re) setT) => //; exact: measurable_on.
have g0 n o : 0 <= g n o by rewrite /g /patch; case: ifP.
have gs o m n : (m <= n)%N -> g m o <= g n o.
  move=> mn; rewrite /g /patch; case: ifP => [/set_mem h|_]; last by case: ifP.
  by rewrite mem_set //; exact: (grow m n mn).
have glim (o : R) : lim (g ^~ o) = (f o : Re)%:E.
  apply/cvg_lim => //; apply: cvg_near_cst; have [N h] := reach o.
  by exists N => // n /= Nn; rewrite /g /patch mem_set //; exact: (grow N n Nn).
have whole : probability f (fun _ => True) = lim (fun n => \int[@lebesgue_measure real_realType]_o g n o).
  rewrite /probability -monotone_convergence //.
  - by apply: eq_integral => o _; rewrite glim.
  - by move=> o _ m n; exact: (gs o m n).
have conv : cvg (fun n => \int[@lebesgue_measure real_realType]_o g n o).
  by apply: ereal_nondecreasing_is_cvg => m n mn; rewrite !gn lee_fin; apply/RleP; exact: rise.
have most n : Rle (p n) v.
  apply: (Lim_seq.is_lim_seq_incr_compare p v tends) => k; exact: rise.
have up : probability f (fun _ => True) <= (v : Re)%:E.
  by rewrite whole; apply: lime_le => //; apply: nearW => n; rewrite gn lee_fin; apply/RleP.
have fin : probability f (fun _ => True) \is a fin_num.
  rewrite ge0_fin_numE; first exact: (Order.POrderTheory.le_lt_trans up (ltey _)).
  by apply: integral_ge0 => o _; exact: f0.
apply/eqP; rewrite Order.POrderTheory.eq_le up /= -(fineK fin) lee_fin; apply/RleP.
have least n : Rle (p n) (fine (probability f (fun _ => True)) : R).
  apply/RleP; rewrite -lee_fin (fineK fin) -(has n); apply: subset_integral => //.
  - exact: mu.
  - exact: measurableT.
  - by apply: measurable_on; exact: measurableT.
exact: (Lim_seq.is_lim_seq_le p (fun _ => _) (Rbar.Finite v) (Rbar.Finite _) least tends (Lim_seq.is_lim_seq_const _)).
Qed.
End Density.

(* Between a and b, with the end that lies further from the middle. *)
Lemma length_below (a b : R) : Rle a b ->
  borel (fun o => Rle a o /\ Rlt o b) /\
  @lebesgue_measure real_realType (fun o : Re => Rle a o /\ Rlt o b) = (Rminus b a : Re)%:E.
Proof.
move=> ab; pose E : set Re := [set` `[(a : Re), (b : Re)[ ].
have -> : (fun o : Re => Rle a o /\ Rlt o b) = E.
  apply: same_set => o; rewrite /E /= in_itv /=; split=> [[/RleP h /RltP k]|/andP[/RleP h /RltP k]] //.
  by rewrite h k.
split; first exact: measurable_itv.
transitivity (@hlength real_realType E); first exact: lebesgue_measure_itv.
rewrite hlength_itv /= lte_fin; case: ifP => // /negbT; rewrite -Order.TotalTheory.leNgt => /RleP ba.
by have -> : Rminus b a = zero by Lra.lra.
Qed.

Lemma length_above (a b : R) : Rle a b ->
  borel (fun o => Rlt a o /\ Rle o b) /\
  @lebesgue_measure real_realType (fun o : Re => Rlt a o /\ Rle o b) = (Rminus b a : Re)%:E.
Proof.
move=> ab; pose E : set Re := [set` `](a : Re), (b : Re)] ].
have -> : (fun o : Re => Rlt a o /\ Rle o b) = E.
  apply: same_set => o; rewrite /E /= in_itv /=; split=> [[/RltP h /RleP k]|/andP[/RltP h /RleP k]] //.
  by rewrite h k.
split; first exact: measurable_itv.
transitivity (@hlength real_realType E); first exact: lebesgue_measure_itv.
rewrite hlength_itv /= lte_fin; case: ifP => // /negbT; rewrite -Order.TotalTheory.leNgt => /RleP ba.
by have -> : Rminus b a = zero by Lra.lra.
Qed.

Lemma length_flat (a b : R) : Rle a b ->
  @lebesgue_measure real_realType (fun o : Re => Rle a o /\ Rle o b) = (Rminus b a : Re)%:E.
Proof.
move=> ab; pose E : set Re := [set` `[(a : Re), (b : Re)] ].
have -> : (fun o : Re => Rle a o /\ Rle o b) = E.
  apply: same_set => o; rewrite /E /= in_itv /=; split=> [[/RleP h /RleP k]|/andP[/RleP h /RleP k]] //.
  by rewrite h k.
transitivity (@hlength real_realType E); first exact: lebesgue_measure_itv.
rewrite hlength_itv /= lte_fin; case: ifP => // /negbT; rewrite -Order.TotalTheory.leNgt => /RleP ba.
by have -> : Rminus b a = zero by Lra.lra.
Qed.

(* Single outputs have no probability: the other end may belong to a part. *)
Lemma with_the_other_end (f : R -> R) (a b v : R) : borel_function f -> (forall o, Rle zero (f o)) -> Rlt a b ->
  has_probability f (fun o => Rlt a o /\ Rle o b) v -> has_probability f (fun o => Rle a o /\ Rlt o b) v.
Proof.
move=> mf nonneg ab all; pose inner o := Rlt a o /\ Rlt o b.
have mi : borel inner.
  pose E : set Re := [set` `](a : Re), (b : Re)[ ].
  have -> : inner = E; last exact: measurable_itv.
  apply: same_set => o; rewrite /E /inner /= in_itv /=; split=> [[/RltP h /RltP k]|/andP[/RltP h /RltP k]] //.
  by rewrite h k.
have point c : has_probability f (fun o => Rle c o /\ Rle o c) zero.
  have -> : zero = Rmult (f c) (Rminus c c) by Lra.lra.
  apply: flat_probability => //; first exact: borel_between.
  - by apply: length_flat; exact: RIneq.Rle_refl.
  - by move=> o [h k]; rewrite (RIneq.Rle_antisym _ _ k h).
have [m _] := length_above (RIneq.Rlt_le _ _ ab).
have small : probability f inner <= (v : Re)%:E.
  rewrite -all; apply: subset_integral => //.
  - by apply/EFin_measurable_fun; apply: measurable_funS (measurableT) _ _ => //; exact/borel_is_measurable.
  - by move=> o _; rewrite lee_fin; apply/RleP.
  - by move=> o [h k]; split=> //; exact: RIneq.Rlt_le.
have fin : probability f inner \is a fin_num.
  rewrite ge0_fin_numE; first exact: (Order.POrderTheory.le_lt_trans small (ltey _)).
  by apply: integral_ge0 => o _; rewrite lee_fin; apply/RleP.
pose u : R := fine (probability f inner).
have hu : has_probability f inner u by rewrite /has_probability /u fineK.
have up := @one_more_part f mf nonneg inner _ (fun o => Rlt a o /\ Rle o b) u zero mi (@borel_between b b) _ _ hu (point b).
have : has_probability f (fun o => Rlt a o /\ Rle o b) (Rplus u zero) by apply: up => o; rewrite /inner; Lra.lra.
rewrite /has_probability all => -[->]; have -> : Rplus u zero = Rplus zero u by Lra.lra.
by apply: (@one_more_part f mf nonneg _ inner _ zero u (@borel_between a a) mi _ _ (point a) hu) => o; rewrite /inner; Lra.lra.
Qed.

(* From a middle part, between -down 0 and up 0, outwards: the parts on each side from one end to the next. *)
Theorem mass_in_parts (f : R -> R) (down up left right : nat -> R) (middle v : R) :
  borel_function f -> (forall o, Rle zero (f o)) ->
  Rle (Rdefinitions.Ropp (down O)) (up O) -> (forall n, Rle (down n) (down n.+1)) -> (forall n, Rle (up n) (up n.+1)) ->
  (forall o, exists n, Rle (Rdefinitions.Ropp (down n)) o /\ Rle o (up n)) ->
  has_probability f (fun o => Rle (Rdefinitions.Ropp (down O)) o /\ Rle o (up O)) middle ->
  (forall n, has_probability f (fun o => Rlt (up n) o /\ Rle o (up n.+1)) (right n)) ->
  (forall n, has_probability f (fun o => Rle (Rdefinitions.Ropp (down n.+1)) o /\ Rlt o (Rdefinitions.Ropp (down n))) (left n)) ->
  @Series.is_series Hierarchy.R_AbsRing Hierarchy.R_NormedModule (fun n => if n is m.+1 then Rplus (right m) (left m) else middle) v ->
  has_probability f (fun _ => True) v.
Proof.
move=> mf nonneg o0 down_grows up_grows reach center rights lefts series.
pose part n := if n is m.+1 then Rplus (right m) (left m) else middle.
have order n : Rle (Rdefinitions.Ropp (down n)) (up n).
  by elim: n => [//|n IH]; have := down_grows n; have := up_grows n; Lra.lra.
apply: (@reached_by_growing_events f mf nonneg
  (fun n o => Rle (Rdefinitions.Ropp (down n)) o /\ Rle o (up n)) (@Hierarchy.sum_n Hierarchy.R_AbelianGroup part) v _ _ reach _ series).
- by move=> n; exact: borel_between.
- by move=> n o; have := down_grows n; have := up_grows n; Lra.lra.
elim=> [|n IH]; first by rewrite Hierarchy.sum_O.
have [mr _] := length_above (up_grows n).
have lo : Rle (Rdefinitions.Ropp (down n.+1)) (Rdefinitions.Ropp (down n)) by have := down_grows n; Lra.lra.
have [ml _] := length_below lo.
rewrite Hierarchy.sum_Sn.
have on := order n; have dg := down_grows n; have ug := up_grows n.
have both := @one_more_part f mf nonneg _ _ (fun o => Rle (Rdefinitions.Ropp (down n)) o /\ Rle o (up n.+1)) _ _
  (@borel_between _ _) mr _ _ IH (rights n).
have all := @one_more_part f mf nonneg _ _ (fun o => Rle (Rdefinitions.Ropp (down n.+1)) o /\ Rle o (up n.+1)) _ _
  (@borel_between _ _) ml _ _ (both _ _) (lefts n).
have -> : @Hierarchy.plus Hierarchy.R_AbelianGroup (@Hierarchy.sum_n Hierarchy.R_AbelianGroup part n) (part n.+1) =
  Rplus (Rplus (@Hierarchy.sum_n Hierarchy.R_AbelianGroup part n) (right n)) (left n) by rewrite /Hierarchy.plus /part /=; Lra.lra.
apply: all.
- by move=> o; case: (RIneq.Rle_lt_dec o (up n)); Lra.lra.
- by move=> o; Lra.lra.
- by move=> o; case: (RIneq.Rle_lt_dec (Rdefinitions.Ropp (down n)) o); Lra.lra.
- by move=> o; Lra.lra.
Qed.

(* A density that is flat between the ends -down 0 and up 0, and then on each side from one end to the next. *)
Theorem mass_in_steps (f : R -> R) (down up below over : nat -> R) (v : R) :
  borel_function f -> (forall o, Rle zero (f o)) ->
  Rle (Rdefinitions.Ropp (down O)) (up O) -> (forall n, Rle (down n) (down n.+1)) -> (forall n, Rle (up n) (up n.+1)) ->
  (forall o, exists n, Rle (Rdefinitions.Ropp (down n)) o /\ Rle o (up n)) ->
  over O = below O ->
  (forall o, Rle (Rdefinitions.Ropp (down O)) o -> Rle o (up O) -> f o = over O) ->
  (forall n o, Rlt (up n) o -> Rle o (up n.+1) -> f o = over n.+1) ->
  (forall n o, Rle (Rdefinitions.Ropp (down n.+1)) o -> Rlt o (Rdefinitions.Ropp (down n)) -> f o = below n.+1) ->
  @Series.is_series Hierarchy.R_AbsRing Hierarchy.R_NormedModule (fun n => Rplus (Rmult (over n) (Rminus (up n) (if n is m.+1 then up m else zero)))
    (Rmult (below n) (Rminus (down n) (if n is m.+1 then down m else zero)))) v ->
  has_probability f (fun _ => True) v.
Proof.
move=> mf nonneg o0 down_grows up_grows reach same flat right left series.
apply: (@mass_in_parts f down up (fun n => Rmult (below n.+1) (Rminus (down n.+1) (down n)))
  (fun n => Rmult (over n.+1) (Rminus (up n.+1) (up n))) (Rmult (over O) (Rminus (up O) (Rdefinitions.Ropp (down O)))) v) => //.
- apply: flat_probability => //; first exact: borel_between.
  + exact: length_flat.
  + by move=> o [h k]; exact: flat.
- by move=> n; have [m l] := length_above (up_grows n); apply: flat_probability => // o [h k]; exact: right.
- move=> n; have lo : Rle (Rdefinitions.Ropp (down n.+1)) (Rdefinitions.Ropp (down n)) by have := down_grows n; Lra.lra.
  have [m l] := length_below lo.
  have -> : Rminus (down n.+1) (down n) = Rminus (Rdefinitions.Ropp (down n)) (Rdefinitions.Ropp (down n.+1)) by Lra.lra.
  by apply: flat_probability => // o [h k]; exact: left.
- by apply: Series.is_series_ext series => -[|n] //=; rewrite -?same; Lra.lra.
Qed.
