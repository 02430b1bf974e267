"""What every Laplace argument here rests on: sliding a Laplace law costs the length of the slide."""

from __future__ import annotations

import z3

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.verdicts import Evidence


def magnitude(x: z3.ArithRef) -> z3.ArithRef:
    """|x| for the solver."""
    return z3.If(x >= 0, x, -x)


def slide_costs_its_length() -> Evidence:
    """ln of the ratio of two Laplace densities of scale 1 is |x−b| − |x−a|: at most |a−b|, attained at a."""
    x, a, b = z3.Reals("x a b")
    loss = magnitude(x - b) - magnitude(x - a)
    return solver.for_all(
        [],
        z3.And(loss <= magnitude(a - b), z3.Implies(x == a, loss == magnitude(a - b))),
        "sup over x of |x−b| − |x−a| is |a−b|, attained at x = a",
    )
