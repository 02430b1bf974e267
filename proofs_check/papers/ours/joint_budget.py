"""Several queries under one μ: budgets in proportion to roots of weights have the least weighted error."""

from __future__ import annotations

from functools import partial

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import at_a_price, priced
from establish.proofs_check.engine.statements import AtMost, EverySum, Real, Sums
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.arithmetic import Number, World
from establish.spec.joint_budget import POWERS, budget, error, price

SAID = {"absolute": ("w/μ", "cube roots"), "squared": ("w/μ²", "fourth roots")}
"""The error of a query of weight w and budget μ, and the roots of the weights, as they are printed."""


def least(power: int) -> Sums:
    """t: the factor of the budgets t·r; r: the root of a weight; μ: any budget of that query instead."""
    return EverySum(
        AtMost(
            Real("t", above=0),
            Real("r", above=0),
            Real("μ", above=0),
            left=lambda c, t, r, mu: error(r, budget(r, t), power),
            right=lambda c, t, r, mu: error(r, mu, power),
        ),
        shared=("t",),
        under=(lambda c, t, r, mu: mu**2, lambda c, t, r, mu: budget(r, t) ** 2),
    )


def least_by_roots(power: int, stated: Sums) -> Verdict:
    """w/μ^p is convex in μ². With w = r^(p+2) its slope in μ² at the budget t·r is −p/(2·t^(p+2)), the same
    for all queries. So it lies above its tangent there, and the tangents add up to a line in Σ μ².
    """

    def of_unit(c: World, t: Number) -> Number:
        return price(t, power)

    return holds(at_a_price(stated, of_unit, *map(solver.proves, priced(stated, of_unit))))


for _name, _power in POWERS.items():
    _stated = least(_power)
    _error, _roots = SAID[_name]
    claim(
        f"establish/joint-budget-{_name}",
        where="Several queries under one μ",
        says=f"The sum of {_error} over any number of queries is least, among all budgets with at most a "
        f"given sum of μ², where the budgets μ are in proportion to the {_roots} of the weights w.",
        states=_stated,
        origin="ours",
    )(partial(least_by_roots, _power, _stated))
