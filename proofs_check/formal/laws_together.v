(* Laws on countably many answers, put together: one after the other, under other names, and finite ones. *)
From Coq Require Import Reals Lra Lia List.
From Establish Require Import countable histogram_law.
Import ListNotations.
Open Scope R_scope.

(* Finite parts never hold more than 1, and come as near to it as one likes. *)
Lemma mass_function_by {T} (P : T -> R) : is_mass_function P <-> (forall a, 0 <= P a) /\
  (forall F, NoDup F -> mass_of P F <= 1) /\ forall eta, 0 < eta -> exists F, NoDup F /\ 1 - eta <= mass_of P F.
Proof.
  split.
  - intros [nonneg [most least]]; split; [exact nonneg|split].
    + intros F n; apply most; exists F; split; [split; [exact n|auto]|reflexivity].
    + intros eta e0; apply Classical_Prop.NNPP; intros none.
      assert (1 <= 1 - eta); [|lra]; apply least; intros s (F & [n _] & ->).
      apply Rnot_lt_le; intros more; apply none; exists F; split; [exact n|lra].
  - intros (nonneg & most & least); split; [exact nonneg|split].
    + intros s (F & [n _] & ->); apply most, n.
    + intros b bound; apply Rnot_lt_le; intros less; destruct (least ((1 - b) / 2) ltac:(lra)) as (F & n & near).
      assert (mass_of P F <= b) by (apply bound; exists F; split; [split; [exact n|auto]|reflexivity]); lra.
Qed.

Lemma mass_times {T} c (P : T -> R) F : mass_of (fun a => c * P a) F = c * mass_of P F.
Proof. induction F as [|a F IH]; simpl; [ring|rewrite IH; ring]. Qed.

Lemma mass_map {S T} (f : S -> T) (P : T -> R) F : mass_of P (map f F) = mass_of (fun a => P (f a)) F.
Proof. induction F as [|a F IH]; simpl; [reflexivity|rewrite IH; reflexivity]. Qed.

Lemma mass_ext {T} (P Q : T -> R) F : (forall a, In a F -> P a = Q a) -> mass_of P F = mass_of Q F.
Proof.
  intros same; induction F as [|a F IH]; simpl; [reflexivity|].
  rewrite (same a (or_introl eq_refl)), IH; [reflexivity|intros b i; apply same; right; exact i].
Qed.

Lemma same_law {T} (P Q : T -> R) : (forall a, P a = Q a) -> is_mass_function P -> is_mass_function Q.
Proof.
  intros same p; apply mass_function_by in p; destruct p as (p0 & most & least); apply mass_function_by; split; [|split].
  - intros a; rewrite <- same; apply p0.
  - intros F n; rewrite <- (mass_ext P Q F (fun a _ => same a)); apply most, n.
  - intros eta e0; destruct (least eta e0) as (F & n & near); exists F; rewrite <- (mass_ext P Q F (fun a _ => same a)); auto.
Qed.

Lemma certain {T} (P : T -> R) a : P a = 1 -> (forall b, 0 <= P b) -> (forall b, a = b \/ P b = 0) -> is_mass_function P.
Proof.
  intros one nonneg else0; apply mass_function_by; split; [exact nonneg|split].
  - intros F n; apply Rle_trans with (mass_of P [a]); [|simpl; lra].
    apply smaller_mass; [exact nonneg|exact n|]; intros b _; destruct (else0 b); [right; left|left]; assumption.
  - intros eta e0; exists [a]; split; [repeat constructor; intros []|simpl; lra].
Qed.

Section After.
Variables (S T : Type) (eq_dec : forall x y : S, {x = y} + {x <> y}) (P : S -> R) (Q : S -> T -> R).

(* An answer, and another one whose law depends on it. *)
Definition then_drawn (o : S * T) : R := P (fst o) * Q (fst o) (snd o).

Definition seconds (a : S) (F : list (S * T)) : list T :=
  map snd (filter (fun o => if eq_dec a (fst o) then true else false) F).

Lemma seconds_once a F : NoDup F -> NoDup (seconds a F).
Proof.
  intros n; unfold seconds; induction n as [|[a' b] F out n IH]; simpl; [constructor|].
  destruct (eq_dec a a') as [<-|]; simpl; [|exact IH]; constructor; [|exact IH].
  intros i; apply in_map_iff in i; destruct i as ([a2 b2] & e & i); simpl in e; subst b2.
  apply filter_In in i; destruct i as [i is]; simpl in is; destruct (eq_dec a a2) as [<-|]; [contradiction|discriminate].
Qed.

Lemma by_seconds L F : NoDup L -> (forall o, In o F -> In (fst o) L) ->
  mass_of then_drawn F = mass_of (fun a => P a * mass_of (Q a) (seconds a F)) L.
Proof.
  intros once; induction F as [|[a b] F IH]; intros among; simpl.
  - rewrite (mass_ext _ (fun _ => 0 * 0)), mass_times; [ring|intros; unfold seconds; simpl; ring].
  - rewrite IH by (intros o i; apply among; right; exact i); clear IH.
    specialize (among _ (or_introl eq_refl)); simpl in among; unfold seconds, then_drawn; simpl.
    induction once as [|a' L out once IH]; simpl in *; [contradiction|].
    destruct (eq_dec a' a) as [e|ne]; simpl.
    + subst a'; symmetry; rewrite (mass_ext _ (fun x => P x * mass_of (Q x) (map snd (filter (fun o => if eq_dec x (fst o) then true else false) F))) L);
        [ring|].
      intros x i; destruct (eq_dec x a) as [->|]; [contradiction|reflexivity].
    + destruct among as [e|i]; [contradiction|]; rewrite <- (IH i); ring.
Qed.

Theorem one_after_the_other : is_mass_function P -> (forall a, is_mass_function (Q a)) -> is_mass_function then_drawn.
Proof.
  intros p q; apply mass_function_by in p; destruct p as (p0 & most & least).
  assert (q' := fun a => proj1 (mass_function_by (Q a)) (q a)); clear q.
  apply mass_function_by; split; [|split].
  - intros [a b]; apply Rmult_le_pos; [apply p0|apply (q' a)].
  - intros F n; rewrite (by_seconds (nodup eq_dec (map fst F)) F) by
      (try apply NoDup_nodup; intros o i; apply nodup_In, in_map, i).
    apply Rle_trans with (2 := most _ (NoDup_nodup eq_dec (map fst F))).
    apply Rle_trans with (1 * mass_of P (nodup eq_dec (map fst F))); [|lra]; apply mass_scaled; intros a.
    rewrite Rmult_comm; apply Rmult_le_compat_r; [apply p0|apply (q' a), seconds_once, n].
  - intros eta e0; destruct (least (eta / 2) ltac:(lra)) as (L & once & near).
    assert (all : exists F, NoDup F /\ (forall o, In o F -> In (fst o) L) /\ (1 - eta / 2) * mass_of P L <= mass_of then_drawn F).
    { clear near; induction once as [|a L out once (F & n & among & IH)].
      - exists []; split; [constructor|split; [intros o []|simpl; lra]].
      - destruct (q' a) as (_ & _ & more); destruct (more (eta / 2) ltac:(lra)) as (G & nG & nearG).
        exists (map (pair a) G ++ F); split; [|split].
        + assert (apart : forall b, ~ In (a, b) F) by (intros b i; apply out, (among _ i)).
          clear nearG; induction nG as [|b G outG nG IHG]; simpl; [exact n|constructor; [|exact IHG]].
          rewrite in_app_iff, in_map_iff; intros [(b' & e & i)|i]; [injection e as ->; contradiction|exact (apart b i)].
        + intros o i; apply in_app_iff in i; destruct i as [i|i]; [left|right; apply among, i].
          apply in_map_iff in i; destruct i as (b & <- & _); reflexivity.
        + rewrite mass_app, mass_map; unfold then_drawn at 1; simpl; rewrite mass_times.
          pose proof (Rmult_le_compat_l _ _ _ (p0 a) nearG); lra. }
    destruct all as (F & n & _ & le); exists F; split; [exact n|].
    assert (mass_of P L <= 1) by (apply most, once); nra.
Qed.
End After.

(* The same law where answers have other names. *)
Definition named {S T} (back : T -> option S) (P : S -> R) (t : T) : R := match back t with Some s => P s | None => 0 end.

Theorem named_is_law {S T} (name : S -> T) (back : T -> option S) (P : S -> R) :
  (forall s, back (name s) = Some s) -> (forall t s, back t = Some s -> name s = t) ->
  is_mass_function P -> is_mass_function (named back P).
Proof.
  intros there again p; apply mass_function_by in p; destruct p as (p0 & most & least); apply mass_function_by.
  split; [|split].
  - intros t; unfold named; destruct (back t); [apply p0|lra].
  - intros F n; assert (found : exists G, NoDup G /\ (forall s, In s G -> In (name s) F) /\ mass_of (named back P) F = mass_of P G).
    { induction n as [|t F out n (G & nG & among & IH)]; [exists []; repeat split; [constructor|intros s []]|].
      destruct (back t) as [s|] eqn:is.
      - exists (s :: G); split; [constructor; [|exact nG]|split].
        + intros i; apply out; rewrite <- (again _ _ is); apply among, i.
        + intros s' [<-|i]; [left; symmetry; apply again, is|right; apply among, i].
        + simpl; rewrite IH; unfold named; rewrite is; reflexivity.
      - exists G; split; [exact nG|split; [intros s i; right; apply among, i|]].
        simpl; rewrite IH; unfold named; rewrite is; ring. }
    destruct found as (G & nG & _ & ->); apply most, nG.
  - intros eta e0; destruct (least eta e0) as (F & n & near); exists (map name F); split.
    + clear near; induction n as [|s F out n IH]; simpl; constructor; [|exact IH].
      intros i; apply in_map_iff in i; destruct i as (s' & e & i); apply out.
      assert (Some s' = Some s) as same by (rewrite <- (there s), <- (there s'), e; reflexivity); injection same as <-; exact i.
    + rewrite mass_map, (mass_ext _ P); [exact near|intros s _; unfold named; rewrite there; reflexivity].
Qed.

(* Places 0 to n - 1 of a list, and their chances. *)
Definition on_places (n : nat) (P : nat -> R) : Prop :=
  (forall i, 0 <= P i) /\ (forall i, (n <= i)%nat -> P i = 0) /\ mass_of P (seq 0 n) = 1.

Lemma places_are_a_law n P : on_places n P -> is_mass_function P.
Proof.
  intros (p0 & beyond & one); apply mass_function_by; split; [exact p0|split].
  - intros F nF; rewrite <- one; apply smaller_mass; [exact p0|exact nF|].
    intros i _; destruct (Nat.lt_ge_cases i n) as [h|h]; [right; apply in_seq; lia|left; apply beyond, h].
  - intros eta e0; exists (seq 0 n); split; [apply seq_NoDup|lra].
Qed.

(* Drawn by another draw: a finite mixture. *)
Definition mixed {S} (chances : list (S * R)) (f : S -> R) : R := fold_right (fun c t => snd c * f (fst c) + t) 0 chances.
Definition are_chances {S} (chances : list (S * R)) : Prop :=
  (forall c, In c chances -> 0 <= snd c) /\ mixed chances (fun _ => 1) = 1.

Lemma mixed_at_most {S} (chances : list (S * R)) f g k : (forall c, In c chances -> 0 <= snd c) ->
  (forall s, f s <= k * g s) -> mixed chances f <= k * mixed chances g.
Proof.
  intros pos le; induction chances as [|c l IH]; simpl; [lra|].
  pose proof (Rmult_le_compat_l _ _ _ (pos c (or_introl eq_refl)) (le (fst c))).
  assert (mixed l f <= k * mixed l g) by (apply IH; intros c' i; apply pos; right; exact i); lra.
Qed.

Lemma mixed_constant {S} (chances : list (S * R)) v : are_chances chances -> mixed chances (fun _ => v) = v.
Proof.
  intros [_ one]; transitivity (v * mixed chances (fun _ => 1)); [clear one|rewrite one; ring].
  induction chances as [|c l IH]; simpl; [ring|rewrite IH; ring].
Qed.

Lemma mixed_places {S} n (chances : list (S * R)) (P : S -> nat -> R) : are_chances chances -> (forall s, on_places n (P s)) ->
  on_places n (fun i => mixed chances (fun s => P s i)).
Proof.
  intros are each; destruct are as [pos one]; split; [|split].
  - intros i; clear one; induction chances as [|c l IH]; simpl; [lra|]; apply Rplus_le_le_0_compat.
    + apply Rmult_le_pos; [apply pos; left; reflexivity|apply (each (fst c))].
    + apply IH; intros c' h; apply pos; right; exact h.
  - intros i h; clear pos one; induction chances as [|c l IH]; simpl; [reflexivity|].
    rewrite IH; destruct (each (fst c)) as (_ & z & _); rewrite (z i h); ring.
  - rewrite <- one; clear pos one; induction chances as [|c l IH]; simpl.
    + induction (seq 0 n) as [|i k IHk]; simpl; [reflexivity|rewrite IHk; ring].
    + rewrite <- IH; destruct (each (fst c)) as (_ & _ & w); rewrite <- w at 1; clear.
      induction (seq 0 n) as [|i k IHk]; simpl; [ring|rewrite IHk; ring].
Qed.
