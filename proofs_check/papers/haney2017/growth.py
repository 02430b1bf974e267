"""The growth bound of Definition 7.1 and max(αx, 1), read by the solver."""

import z3

from establish.spec.relations.growth import growth_conditions


def grows(x: z3.ArithRef, y: z3.ArithRef, alpha: z3.ArithRef) -> z3.BoolRef:
    """x ≤ y ≤ max((1+α)x, x+1): the conditions of the specification itself."""
    conditions = growth_conditions(x, y, alpha)
    return z3.And(conditions.not_less, z3.Or(conditions.by_share, conditions.by_one))


def bound(x: z3.ArithRef, alpha: z3.ArithRef) -> z3.ArithRef:
    """max(αx, 1)."""
    return z3.If(alpha * x >= 1, alpha * x, z3.RealVal(1))
