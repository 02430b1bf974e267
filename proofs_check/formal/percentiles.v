(* Percentiles from protected counts, as a program over the integers and the rationals: clamping, the monotone fit
   of cumulative counts, and reading a percentile off. A test compares what Coq computes with spec/. *)
From Coq Require Import ZArith QArith List.
Import ListNotations.
Open Scope Z_scope.

(* Protected counts, one for each bin. *)
Definition counts := list Z.
Definition clamped (q : counts) : counts := map (Z.max 0) q.

Fixpoint accumulate (sum : Z) (q : counts) : list Z :=
  match q with [] => [] | x :: rest => (sum + x) :: accumulate (sum + x) rest end.
Definition cumulative (q : counts) : list Z := accumulate 0 q.

(* The nondecreasing list nearest in least squares, by pooling: blocks of (total, size), the last one first; a
   value joins the block before it while that one's mean is larger. *)
Definition blocks := list (Z * Z).
Fixpoint pool (earlier : blocks) (total size : Z) : blocks :=
  match earlier with
  | (t, s) :: rest => if t * size >? total * s then pool rest (total + t) (size + s) else (total, size) :: earlier
  | [] => [(total, size)]
  end.
Definition mean (block : Z * Z) : Q := inject_Z (fst block) / inject_Z (snd block).
Definition isotonic (values : list Z) : list Q :=
  flat_map (fun block => repeat (mean block) (Z.to_nat (snd block)))
    (rev (fold_left (fun earlier x => pool earlier x 1) values [])).
Definition atleast_zero (x : Q) : Q := if Qle_bool x 0 then 0%Q else x.
Definition monotone_cumulative (q : counts) : list Q := map atleast_zero (isotonic (cumulative q)).

(* A percentile, or why there is none. *)
Inductive reading := percentile (value : Q) | zero_total | negative_total.

(* Where the interpolation of [values], from [before] at the edge [low], first reaches the level. *)
Fixpoint reached (level low before : Q) (edges values : list Q) : Q :=
  match edges, values with
  | high :: more, value :: rest =>
      if Qle_bool level value then low + (high - low) * (level - before) / (value - before)
      else reached level high value more rest
  | _, _ => low
  end%Q.
Definition read_off (edges : list Q) (share : Q) (values : list Q) : reading :=
  let level := (share * last values 0)%Q in
  if Qle_bool level 0 then if Qeq_bool level 0 then zero_total else negative_total
  else match edges with low :: more => percentile (reached level low 0 more values) | [] => zero_total end.

Definition clamped_percentile (edges : list Q) (share : Q) (q : counts) : reading :=
  read_off edges share (map inject_Z (cumulative (clamped q))).
Definition fitted_percentile (edges : list Q) (share : Q) (q : counts) : reading :=
  read_off edges share (monotone_cumulative q).
