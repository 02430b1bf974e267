"""Several queries under one μ: budgets in proportion to roots of weights have the least weighted error."""

from __future__ import annotations

from functools import partial

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.rules import term_by_term
from establish.proofs_check.engine.statements import (
    AtMost,
    Comparison,
    EverySum,
    Real,
    Sums,
    given,
)
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.joint_budget import POWERS, budget, error, price

SAID = {"absolute": ("w/μ", "cube roots"), "squared": ("w/μ²", "fourth roots")}
"""The error of a query of weight w and budget μ, and the roots of the weights, as they are printed."""


def any_number(power: int) -> Sums:
    """t: the factor of the budgets t·r; r: the root of a weight; μ: any budget of that query instead."""
    return EverySum(
        AtMost(
            Real("t", above=0),
            Real("r", above=0),
            Real("μ", above=0),
            left=lambda c, t, r, mu: (
                error(r, budget(r, t), power) + price(t, power) * (budget(r, t) ** 2 - mu**2)
            ),
            right=lambda c, t, r, mu: error(r, mu, power),
        ),
        shared=("t",),
    )


def two_queries(power: int) -> Comparison:
    """r, s: the roots of the weights; μ, ν: any budgets that together cost no more than t·r and t·s."""
    return AtMost(
        *(Real(name, above=0) for name in ("t", "r", "s", "μ", "ν")),
        given=[
            given(
                lambda c, t, r, s, mu, nu: mu**2 + nu**2,
                "<=",
                lambda c, t, r, s, mu, nu: budget(r, t) ** 2 + budget(s, t) ** 2,
            )
        ],
        left=lambda c, t, r, s, mu, nu: (
            error(r, budget(r, t), power) + error(s, budget(s, t), power)
        ),
        right=lambda c, t, r, s, mu, nu: error(r, mu, power) + error(s, nu, power),
    )


Stated = tuple[Sums, Comparison]


def least_by_roots(stated: Stated) -> Verdict:
    """w/μ^p is convex in μ². With w = r^(p+2) its slope in μ² at the budget t·r is −p/(2·t^(p+2)), the same
    for all queries. So it lies above its tangent there, and the tangents add up to a line in Σ μ².
    """
    together, two = stated
    return holds(term_by_term(together, solver.proves(together.term)), solver.proves(two))


for _name, _power in POWERS.items():
    _stated = any_number(_power), two_queries(_power)
    _error, _roots = SAID[_name]
    claim(
        f"establish/joint-budget-{_name}",
        where="Several queries under one μ",
        says=f"The sum of {_error} over any number of queries is least, at a given sum of μ², where "
        f"the budgets μ are in proportion to the {_roots} of the weights w: other budgets have at least that "
        "sum, less a price for each unit of μ² that they cost more. For two queries it is stated without it.",
        states=_stated,
        origin="ours",
    )(partial(least_by_roots, _stated))
