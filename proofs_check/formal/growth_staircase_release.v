(* Growth-Staircase as it is released, phi^-1 (phi (n) + W) with a staircase law W of mass 1; and the variant without bias,
   g (phi (n) + W), where g is given by finitely many continuous pieces, and does not look at the data. *)
From Coq Require Import Reals Lra Lia ZArith List.
From Coquelicot Require Import Coquelicot.
From Establish Require Import spec_formulas common datasets bridge pieces growing_parts growth_scale_steps.
From Establish Require Import lipschitz_on_a_scale growth_scale_release growth_scale_inverse growth_staircase staircase_law.
Import ListNotations.
Open Scope R_scope.

(* The first piece whose end is not below y, and the last one beyond all ends. *)
Fixpoint by_ends (ends : list R) (pieces : list (R -> R)) (last : R -> R) (y : R) : R :=
  match ends, pieces with
  | e :: ends, piece :: pieces => if Rle_dec y e then piece y else by_ends ends pieces last y
  | _, _ => last y
  end.

Lemma by_ends_borel ends pieces last : (forall f, In f pieces -> borel_function f) -> borel_function last ->
  borel_function (by_ends ends pieces last).
Proof.
  intros bp bl; revert pieces bp; induction ends as [|e ends IH]; intros [|piece pieces] bp; try exact bl.
  simpl; apply (@borel_by_two_pieces _ piece (by_ends ends pieces last) (fun y => y <= e)).
  - apply borel_to.
  - apply bp; left; reflexivity.
  - apply IH; intros f h; apply bp; right; exact h.
  - intros y; destruct (Rle_dec y e) as [h|h]; tauto.
Qed.

(* A + B y + C e^(L y), as in spec/. *)
Definition one_piece (L : R) (abc : R * R * R) (y : R) : R :=
  let '(a, b, c) := abc in unbiased_piece_value y a b c L.

Lemma one_piece_borel L abc : borel_function (one_piece L abc).
Proof.
  destruct abc as [[a b] c]; apply continuous_is_borel; intros y; unfold one_piece, unbiased_piece_value; reg.
Qed.

Definition unbiased_outputs (alpha : R) (ends : list R) (pieces : list (R * R * R)) (last : R * R * R) : R -> R :=
  by_ends ends (map (one_piece (ln (1 + alpha))) pieces) (one_piece (ln (1 + alpha)) last).

Section Release.
Variables (A V : Type).

Lemma from_staircase_noise alpha epsilon down up g : 0 < alpha -> 0 < epsilon -> 0 <= down -> 0 <= up -> borel_function g ->
  let law := around_the_place (A := A) (V := V) (staircase_noise down up epsilon) alpha in
  (forall (q : cell A V) D, is_density (law q D)) /\
  (forall b, computed_private (strong_neighbors alpha) epsilon (law (establishment_cell b)) g) /\
  (forall q, computed_private (weak_neighbors alpha) epsilon (law q) g).
Proof.
  intros a0 e0 d0 u0 bg law; split.
  - intros q D; apply staircase_has_mass_one; assumption.
  - apply computed_from_the_scale; [exact a0|apply staircase_slides; lra|apply staircase_borel|exact bg].
Qed.

Theorem growth_staircase_release_is_private alpha epsilon down up : 0 < alpha -> 0 < epsilon -> 0 <= down -> 0 <= up ->
  let law := around_the_place (A := A) (V := V) (staircase_noise down up epsilon) alpha in
  (forall (q : cell A V) D, is_density (law q D)) /\
  (forall b, computed_private (strong_neighbors alpha) epsilon (law (establishment_cell b)) (phi_inverse alpha)) /\
  (forall q, computed_private (weak_neighbors alpha) epsilon (law q) (phi_inverse alpha)).
Proof. intros; apply from_staircase_noise; try assumption; apply inverse_borel. Qed.

(* Whatever the pieces of g are. *)
Theorem unbiased_release_is_private alpha epsilon down up ends pieces last :
  0 < alpha -> 0 < epsilon -> 0 <= down -> 0 <= up ->
  let law := around_the_place (A := A) (V := V) (staircase_noise down up epsilon) alpha in
  let g := unbiased_outputs alpha ends pieces last in
  (forall (q : cell A V) D, is_density (law q D)) /\
  (forall b, computed_private (strong_neighbors alpha) epsilon (law (establishment_cell b)) g) /\
  (forall q, computed_private (weak_neighbors alpha) epsilon (law q) g).
Proof.
  intros; apply from_staircase_noise; try assumption; apply by_ends_borel; [|apply one_piece_borel].
  intros f h; apply in_map_iff in h; destruct h as (abc & <- & _); apply one_piece_borel.
Qed.
End Release.
