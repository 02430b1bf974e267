(* Groups of people with rational ranks and outcomes, decided: their prediction at rank 1/2, their neighbors and their
   local sensitivity, as programs that Coq computes. The theorems say that what is computed is what
   mose_conditional_fails.v is about; a test compares it with spec/. *)
From Coq Require Import QArith Qreals Reals Lra Lia List Bool Permutation.
From Establish Require Import spec_formulas common mose_conditional_fails.
Import ListNotations.
Open Scope R_scope.

Definition personb := (Q * Q)%type.
Definition real_person (p : personb) : person := (Q2R (fst p), Q2R (snd p)).
Definition sumb (f : personb -> Q) (D : list personb) : Q := fold_right (fun p s => Qred (f p + s)) 0%Q D.
Definition sizeb (D : list personb) : Q := inject_Z (Z.of_nat (length D)).
Definition ranksb := sumb fst.
Definition squaresb := sumb (fun p => fst p * fst p)%Q.
Definition spreadb (D : list personb) : Q := Qred (sizeb D * squaresb D - ranksb D * ranksb D).
Definition numeratorb (D : list personb) : Q :=
  Qred (squaresb D * sumb snd D - ranksb D * sumb (fun p => fst p * snd p)%Q D
    + (sizeb D * sumb (fun p => fst p * snd p)%Q D - ranksb D * sumb snd D) * (1 # 2)).
Definition predictionb (D : list personb) : Q := Qred (numeratorb D / spreadb D).
Definition legal_people : list personb :=
  [(0, 0); (0, 1); (1 # 2, 0); (1 # 2, 1); (1, 0); (1, 1)]%Q.
Definition neighborsb (D : list personb) : list (list personb) :=
  map (fun p => p :: D) legal_people
  ++ map (fun n => firstn n D ++ skipn (S n) D) (seq 0 (length D)).
Definition changeb (D D' : list personb) : Q := Qred (Qabs.Qabs (predictionb D' - predictionb D)).
Definition largestb (l : list Q) : Q := fold_right (fun x y => if Qle_bool x y then y else x) 0%Q l.
(* None where some neighbor has no prediction. *)
Definition local_sensitivityb (D : list personb) : option Q :=
  if existsb (fun D' => Qeq_bool (spreadb D') 0) (D :: neighborsb D) then None
  else Some (largestb (map (changeb D) (neighborsb D))).
Definition chib (D : list personb) : option Q := option_map (fun m => Qred (sizeb D * m)) (local_sensitivityb D).

Notation real := (map real_person).
Arguments Q2R : simpl never.
Lemma red x : Q2R (Qred x) = Q2R x. Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma zero : Q2R 0 = 0. Proof. apply RMicromega.Q2R_0. Qed.
Lemma one : Q2R 1 = 1. Proof. apply RMicromega.Q2R_1. Qed.
Lemma half : Q2R (1 # 2) = 1 / 2. Proof. unfold Q2R; simpl; lra. Qed.
Lemma sum_is f g D : (forall p, Q2R (f p) = g (real_person p)) -> Q2R (sumb f D) = sum g (real D).
Proof.
  intros h; unfold sumb, sum; induction D as [|p D IH]; cbn [fold_right map]; [apply zero|].
  rewrite red, Q2R_plus, h, IH; reflexivity.
Qed.
Lemma size_is D : Q2R (sizeb D) = INR (length (real D)).
Proof. unfold sizeb, Q2R, inject_Z; simpl; rewrite map_length, <- INR_IZR_INZ; field. Qed.
Lemma sums_are D : Q2R (ranksb D) = ranks (real D) /\ Q2R (squaresb D) = squares (real D)
  /\ Q2R (sumb snd D) = sum snd (real D)
  /\ Q2R (sumb (fun p => fst p * snd p)%Q D) = sum (fun p => fst p * snd p) (real D).
Proof. repeat split; apply sum_is; intros [r o]; simpl; rewrite ?Q2R_mult; reflexivity. Qed.
Lemma spread_is D : Q2R (spreadb D) = spread (real D).
Proof.
  unfold spreadb, spread; destruct (sums_are D) as (r & s & _).
  rewrite red, Q2R_minus, !Q2R_mult, size_is, r, s; reflexivity.
Qed.
Lemma prediction_is D : spread (real D) <> 0 -> Q2R (predictionb D) = prediction (real D).
Proof.
  intros s0; unfold predictionb, prediction, least_squares_prediction; destruct (sums_are D) as (r & s & o & p).
  assert (not0 : ~ (spreadb D == 0)%Q).
  { intros e; apply Qeq_eqR in e; rewrite spread_is, zero in e; contradiction. }
  rewrite red, Q2R_div, spread_is by exact not0; unfold numeratorb.
  rewrite red, Q2R_plus, !Q2R_mult, !Q2R_minus, !Q2R_mult, size_is, half, r, s, o, p.
  unfold spread in *; field; exact s0.
Qed.

Lemma legal_is p : legal p <-> exists q, In q legal_people /\ real_person q = p.
Proof.
  destruct p as [r o]; unfold legal, legal_people, real_person; simpl; split.
  - intros [[->|[->| ->]] [->| ->]];
      [exists (0, 0)%Q|exists (0, 1)%Q|exists (1 # 2, 0)%Q|exists (1 # 2, 1)%Q|exists (1, 0)%Q|exists (1, 1)%Q];
      simpl; rewrite ?zero, ?one, ?half; (split; [tauto|reflexivity]).
  - intros (q & i & e); intuition (subst q; simpl in e; rewrite ?zero, ?one, ?half in e; injection e as <- <-; auto).
Qed.
Lemma without_one {T} (l : list T) n : (n < length l)%nat -> exists x, Permutation l (x :: firstn n l ++ skipn (S n) l).
Proof.
  intros lt; destruct l as [|d l']; [simpl in lt; lia|]; set (l := d :: l') in *.
  destruct (nth_split l d lt) as (before & after & is & len); exists (nth n l d).
  rewrite is at 1; rewrite <- Permutation_middle; constructor.
  rewrite is, <- len, firstn_app, Nat.sub_diag, firstn_all, app_nil_r.
  change (nth (length before) l d :: after) with ([nth (length before) l d] ++ after).
  rewrite app_assoc, skipn_app, app_length, Nat.add_1_r, Nat.sub_diag, skipn_all2 by (rewrite app_length; simpl; lia).
  reflexivity.
Qed.
Lemma every_way_without {T} (l r : list T) x : Permutation l (x :: r) ->
  exists n, (n < length l)%nat /\ Permutation r (firstn n l ++ skipn (S n) l).
Proof.
  intros h; assert (i : In x l) by (apply (Permutation_in x (Permutation_sym h)); left; reflexivity).
  apply in_split in i; destruct i as (before & after & ->); exists (length before); split; [rewrite app_length; simpl; lia|].
  rewrite <- Permutation_middle in h; apply Permutation_cons_inv in h; rewrite <- h.
  rewrite firstn_app, Nat.sub_diag, firstn_all, app_nil_r.
  change (x :: after) with ([x] ++ after).
  rewrite app_assoc, skipn_app, app_length, Nat.add_1_r, Nat.sub_diag, skipn_all2 by (rewrite app_length; simpl; lia).
  reflexivity.
Qed.

Theorem neighbors_are D D' : (forall p, In p D -> In p legal_people) -> one_person_differs (real D) D' <->
  exists E, In E (neighborsb D) /\ Permutation D' (real E).
Proof.
  intros all; unfold neighborsb, one_person_differs, joins; split.
  - intros [(p & ok & h)|(p & _ & h)].
    + apply legal_is in ok; destruct ok as (q & i & <-); exists (q :: D); split; [|exact h].
      apply in_app_iff; left; apply in_map_iff; eauto.
    + destruct (every_way_without _ _ _ h) as (n & l & same); rewrite map_length in l.
      exists (firstn n D ++ skipn (S n) D); split; [|rewrite map_app, <- firstn_map, <- skipn_map; exact same].
      apply in_app_iff; right; apply in_map_iff; exists n; split; [reflexivity|apply in_seq; lia].
  - intros (E & i & h); apply in_app_iff in i; destruct i as [i|i]; apply in_map_iff in i.
    + destruct i as (q & <- & i); left; exists (real_person q); split; [apply legal_is; eauto|exact h].
    + destruct i as (n & <- & i); apply in_seq in i; right.
      destruct (without_one D n ltac:(lia)) as (x & same); exists (real_person x); split.
      * apply legal_is; exists x; split; [|reflexivity].
        apply all, (Permutation_in x (Permutation_sym same)); left; reflexivity.
      * rewrite h; change (real_person x :: real (firstn n D ++ skipn (S n) D)) with (real (x :: firstn n D ++ skipn (S n) D)).
        apply Permutation_map, same.
Qed.

Lemma change_is D E : spread (real D) <> 0 -> spread (real E) <> 0 ->
  Q2R (changeb D E) = Rabs (prediction (real E) - prediction (real D)).
Proof.
  intros d e; unfold changeb; rewrite red; rewrite <- (prediction_is D d), <- (prediction_is E e), <- Q2R_minus.
  apply Qabs.Qabs_case; intros s; apply Qle_Rle in s; rewrite zero in s; symmetry;
    [apply Rabs_pos_eq, s|rewrite Q2R_opp; apply Rabs_left1, s].
Qed.
Lemma largest_is l : (forall x, In x l -> (x <= largestb l)%Q) /\ (largestb l = 0%Q \/ In (largestb l) l).
Proof.
  induction l as [|a l [most one_of]]; [split; [intros x []|auto]|simpl].
  destruct (Qle_bool a (largestb l)) eqn:c.
  - apply Qle_bool_iff in c; split; [intros x [<-|i]; auto|tauto].
  - assert (le : (largestb l <= a)%Q).
    { apply Qnot_lt_le; intros lt; apply Qlt_le_weak, Qle_bool_iff in lt; congruence. }
    split; [intros x [<-|i]; [apply Qle_refl|apply Qle_trans with (largestb l); auto]|auto].
Qed.

Lemma some_is {T} (a b : T) : Some a = Some b -> a = b.
Proof. congruence. Qed.

Theorem local_sensitivityb_is D : (forall p, In p D -> In p legal_people) ->
  (forall m, local_sensitivityb D = Some m -> local_sensitivity (real D) (Q2R m)) /\
  (local_sensitivityb D = None -> forall m, ~ local_sensitivity (real D) m).
Proof.
  intros all; unfold local_sensitivityb; destruct (existsb _ _) eqn:lost; (split; [|try discriminate]); [discriminate| |].
  - intros _ m (own & near & _); apply existsb_exists in lost; destruct lost as (E & i & z).
    apply RMicromega.Qeq_true in z; rewrite spread_is, zero in z; destruct i as [<-|i]; [contradiction|].
    apply (proj1 (near (real E) (proj2 (neighbors_are D (real E) all) (ex_intro _ E (conj i (Permutation_refl _)))))), z.
  - intros m e; apply some_is in e; subst m.
    assert (there : forall E, In E (D :: neighborsb D) -> spread (real E) <> 0).
    { intros E i z; apply not_true_iff_false in lost; apply lost, existsb_exists; exists E; split; [exact i|].
      apply Qeq_bool_iff, eqR_Qeq; rewrite spread_is, zero; exact z. }
    assert (own : spread (real D) <> 0) by (apply there; left; reflexivity).
    destruct (largest_is (map (changeb D) (neighborsb D))) as [most one_of]; split; [exact own|split].
    + intros D' near; apply (neighbors_are D D' all) in near; destruct near as (E & i & same).
      destruct (permuted _ _ same) as [-> ->]; split; [apply there; right; exact i|].
      rewrite <- change_is by (auto; apply there; right; exact i); apply Qle_Rle, most, in_map, i.
    + assert (some : exists E, In E (neighborsb D) /\ Q2R (changeb D E) = Q2R (largestb (map (changeb D) (neighborsb D)))).
      { destruct one_of as [z|i].
        - exists ((0, 0)%Q :: D); assert (i : In ((0, 0)%Q :: D) (neighborsb D)) by (apply in_app_iff; left; left; reflexivity); split; [exact i|].
          pose proof (most _ (in_map (changeb D) _ _ i)) as le; apply Qle_Rle in le; rewrite z, zero in *.
          rewrite change_is in le |- * by (auto; apply there; right; exact i).
          pose proof (Rabs_pos (prediction (real ((0, 0)%Q :: D)) - prediction (real D))); lra.
        - apply in_map_iff in i; destruct i as (E & e & i); exists E; split; [exact i|rewrite e; reflexivity]. }
      destruct some as (E & i & e); exists (real E); split; [apply neighbors_are; [exact all|exists E; auto]|].
      rewrite <- change_is by (auto; apply there; right; exact i); exact e.
Qed.
Theorem chib_is D : (forall p, In p D -> In p legal_people) -> forall chi, chib D = Some chi -> has_chi (real D) (Q2R chi).
Proof.
  intros all chi; unfold chib; destruct (local_sensitivityb D) as [m|] eqn:is; [|discriminate]; intros e; apply some_is in e; subst chi.
  exists (Q2R m); split; [apply local_sensitivityb_is; assumption|rewrite red, Q2R_mult, size_is; reflexivity].
Qed.
