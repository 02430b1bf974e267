"""The growth bound of Definition 7.1 and max(αx, 1), read by the solver."""

import z3

from establish import Evidence, solver
from establish.spec.relations.growth import growth_conditions


def grows(x: z3.ArithRef, y: z3.ArithRef, alpha: z3.ArithRef) -> z3.BoolRef:
    """x ≤ y ≤ max((1+α)x, x+1): the conditions of the specification itself."""
    conditions = growth_conditions(x, y, alpha)
    return z3.And(conditions.not_less, z3.Or(conditions.by_share, conditions.by_one))


def bound(x: z3.ArithRef, alpha: z3.ArithRef) -> z3.ArithRef:
    """max(αx, 1)."""
    return z3.If(alpha * x >= 1, alpha * x, z3.RealVal(1))


def neighbors_in_noise_units() -> Evidence:
    """Two neighbors shift the count by at most S and change S by a factor in [1, 1+α].

    An establishment of size s ≤ x (x the cell's largest) grows by k ≤ max(αs, 1), over all reals.
    """
    alpha, s, x, k = z3.Reals("alpha s x k")
    top = z3.If(x >= s + k, x, s + k)
    return solver.for_all(
        [alpha > 0, s >= 0, x >= s, k >= 0, grows(s, s + k, alpha)],
        z3.And(
            k <= bound(x, alpha),
            bound(x, alpha) <= bound(top, alpha),
            bound(top, alpha) <= (1 + alpha) * bound(x, alpha),
        ),
        "n' − n ≤ S and S ≤ S' ≤ (1+α)·S for S = max(αx, 1)",
    )
