(* A small universe, decided: the neighbors of establishment_values.v for the neighbor function sqrt, on lists of
   establishments whose values are squares of natural numbers, as Booleans that Coq computes. The theorem says that what
   is computed is the relation; a test compares the computed table with the relation of spec/. *)
From Coq Require Import Reals Lra Lia List Bool Arith.
From Coquelicot Require Import Coquelicot.
From Establish Require Import special_functions spec_formulas common neighbor_functions establishment_values.
Import ListNotations.
Open Scope R_scope.

(* Roots m and n with |m - n| <= g. *)
Definition nearb (g m n : nat) : bool := (m <=? n + g)%nat && (n <=? m + g)%nat.
Fixpoint sameb (l l' : list nat) : bool :=
  match l, l' with
  | [], [] => true
  | m :: l, n :: l' => (m =? n)%nat && sameb l l'
  | _, _ => false
  end.
Fixpoint one_nearb (g : nat) (l l' : list nat) : bool :=
  match l, l' with
  | m :: l, n :: l' => (nearb g m n && sameb l l') || ((m =? n)%nat && one_nearb g l l')
  | _, _ => false
  end.

Lemma square_nonneg (n : nat) : 0 <= INR n ^ 2.
Proof. apply pow2_ge_0. Qed.
Definition square (n : nat) : entry unit unit := Entry tt (fun _ => mknonnegreal (INR n ^ 2) (square_nonneg n)).

Lemma root_of_square n : root_value (INR n ^ 2) = INR n.
Proof.
  unfold root_value; rewrite pow_1; apply sqrt_pow2, pos_INR.
Qed.
Lemma square_injective m n : square m = square n -> m = n.
Proof.
  intros h; apply (f_equal (fun e => root_value (value e tt))) in h; simpl in h.
  change (root_value (INR m ^ 2) = root_value (INR n ^ 2)) in h; rewrite !root_of_square in h; apply INR_eq, h.
Qed.
Lemma sameb_is l l' : sameb l l' = true <-> l = l'.
Proof.
  revert l'; induction l as [|m l IH]; intros [|n l']; simpl; try (split; congruence).
  rewrite andb_true_iff, Nat.eqb_eq, IH; split; [intros [-> ->]; reflexivity|intros h; inversion h; auto].
Qed.
Lemma map_square l l' : map square l = map square l' -> l = l'.
Proof.
  revert l'; induction l as [|m l IH]; intros [|n l'] h; simpl in h; try discriminate; [reflexivity|].
  inversion h as [[hm hl]]; f_equal; [apply square_injective; unfold square; f_equal; exact hm|apply IH, hl].
Qed.
Lemma nearb_is g m n : nearb g m n = true <-> close root_value (INR g) (INR m ^ 2) (INR n ^ 2).
Proof.
  unfold nearb, close; rewrite !root_of_square, andb_true_iff, !Nat.leb_le.
  assert (h : (m <= n + g /\ n <= m + g)%nat <-> (INR m <= INR n + INR g /\ INR n <= INR m + INR g)).
  { rewrite <- !plus_INR; split; intros [a b]; split; first [apply le_INR; assumption|apply INR_le; assumption]. }
  rewrite h; split.
  - intros [a b]; split; [apply pow2_ge_0|split; [apply pow2_ge_0|apply Rabs_le; lra]].
  - intros (_ & _ & k); pose proof (Rle_abs (INR m - INR n)); pose proof (Rle_abs (- (INR m - INR n))) as k'.
    rewrite Rabs_Ropp in k'; lra.
Qed.

Theorem one_nearb_is_the_relation g l l' : one_nearb g l l' = true <->
  value_close_neighbors (fun _ : unit => close root_value (INR g)) (map square l) (map square l').
Proof.
  split.
  - revert l'; induction l as [|m l IH]; intros [|n l'] h; simpl in h; try discriminate.
    apply orb_true_iff in h; destruct h as [h|h]; apply andb_true_iff in h; destruct h as [h k].
    + apply sameb_is in k; subst l'; exists [], (square m), (square n), (map square l).
      split; [reflexivity|split; [reflexivity|split; [reflexivity|intros i; apply nearb_is, h]]].
    + apply Nat.eqb_eq in h; subst n; destruct (IH l' k) as (b & e & e' & a & hl & hl' & same & near).
      exists (square m :: b), e, e', a; simpl; rewrite hl, hl'; auto.
  - intros (b & e & e' & a & hl & hl' & _ & near); revert l l' hl hl'.
    induction b as [|f b IH]; intros [|m l] [|n l'] hl hl'; simpl in *; try discriminate.
    + pose proof (f_equal (hd (square 0)) hl) as hm; pose proof (f_equal (@tl _) hl) as hr.
      pose proof (f_equal (hd (square 0)) hl') as hn; pose proof (f_equal (@tl _) hl') as hr'.
      cbn [hd tl] in hm, hr, hn, hr'; apply orb_true_iff; left; apply andb_true_iff; split.
      * apply nearb_is; rewrite <- hm, <- hn in near; exact (near tt).
      * apply sameb_is, map_square; rewrite hr, hr'; reflexivity.
    + pose proof (f_equal (hd (square 0)) hl) as hm; pose proof (f_equal (@tl _) hl) as hr.
      pose proof (f_equal (hd (square 0)) hl') as hn; pose proof (f_equal (@tl _) hl') as hr'.
      cbn [hd tl] in hm, hr, hn, hr'; apply orb_true_iff; right; apply andb_true_iff; split.
      * apply Nat.eqb_eq, square_injective; rewrite hm, hn; reflexivity.
      * apply IH; assumption.
Qed.

(* All lists of k roots below n, and the numbers of the pairs that are related, in this order. *)
Fixpoint rooted (n k : nat) : list (list nat) :=
  match k with O => [[]] | S k => flat_map (fun m => map (cons m) (rooted n k)) (seq 0 n) end.
Definition related_values (g n k : nat) : list nat :=
  map fst (filter (fun x : nat * (list nat * list nat) => one_nearb g (fst (snd x)) (snd (snd x)))
    (let pairs := list_prod (rooted n k) (rooted n k) in combine (seq 0 (length pairs)) pairs)).
