(* Functions that formulas of spec/ use and that Coq's libraries lack. *)
From Coq Require Import Reals.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(* 2/sqrt(pi) times the integral of e^(-t^2) from 0 to x. *)
Definition erf (x : R) : R := 2 / sqrt PI * RInt (fun t => exp (- t ^ 2)) 0 x.
