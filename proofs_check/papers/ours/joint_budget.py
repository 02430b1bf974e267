"""Several queries under one μ: budgets in proportion to roots of weights have the least weighted error."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from establish import AtMost, Equal, Every, Real, Verdict, claim, exhaustive, holds, solver, symbolic
from establish.proofs_check.engine.rules import at_a_price, priced
from establish.proofs_check.engine.statements import Comparison, EverySum, Sums
from establish.proofs_check.engine.statements.statement import Formula
from establish.spec.arithmetic import MP, Number, World
from establish.spec.gaussian import normal_error
from establish.spec.joint_budget import POWERS, budget, error, price, shares, weight

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


def of_noise(name: str) -> Comparison:
    """The error of a query is its weight times the mean of |noise|, or of its square, for sd = 1/μ and 1."""
    power = POWERS[name]
    means: dict[str, Formula] = {
        "absolute": lambda c, mu: normal_error(mu, c) / normal_error(c.number(1), c),
        "squared": lambda c, mu: (1 / mu) * (1 / mu),
    }
    mean = means[name]
    return Equal(
        Real("r", above=0),
        Real("μ", above=0),
        left=lambda c, r, mu: error(r, mu, power),
        right=lambda c, r, mu: weight(r, power) * mean(c, mu),
    )


Weights = tuple[str, tuple[Fraction, ...]]


def _weights() -> Iterator[Weights]:
    lists = (("1",), ("1", "8"), ("3", "3", "3"), ("1/7", "2", "100"))
    yield from ((name, tuple(map(Fraction, ws))) for name in POWERS for ws in lists)


def _are_roots(case: Weights) -> bool:
    """Squares add up to 1, and the slope of each error in μ², −p·w/(2·μ^(p+2)), is the same; to 40 digits."""
    name, weights = case
    found, tiny = shares(weights, POWERS[name], MP), MP.number(10) ** -40
    p = {"absolute": 1, "squared": 2}[name]
    slopes = [p * MP.number(w) / (2 * share ** (p + 2)) for w, share in zip(weights, found, strict=True)]
    whole = abs(sum(share * share for share in found) - 1) < tiny
    return bool(whole) and all(abs(slope / slopes[0] - 1) < tiny for slope in slopes)


SHARES = Every("errors and weights", _weights, _are_roots)


@claim(
    "establish/joint-budget-shares",
    where="Several queries under one μ",
    says="The shares of μ that queries with weights get have squares that add up to 1, and one more unit of "
    "μ² would lower the error of each by as much.",
    states=SHARES,
)
def shares_have_equal_slopes() -> Verdict:
    """What the budgets in proportion to the roots must satisfy, for one, two and three queries."""
    return holds(exhaustive.each(SHARES, "absolute and squared errors, four lists of weights"))


Stated = tuple[Sums, Comparison]


def least_by_roots(power: int, stated: Stated) -> Verdict:
    """w/μ^p is convex in μ². With w = r^(p+2) its slope in μ² at the budget t·r is −p/(2·t^(p+2)), the same
    for all queries. So it lies above its tangent there, and the tangents add up to a line in Σ μ².
    """
    together, noise = stated

    def of_unit(c: World, t: Number) -> Number:
        return price(t, power)

    priced_out = at_a_price(together, of_unit, *map(solver.proves, priced(together, of_unit)))
    return holds(priced_out, symbolic.proves(noise))


for _name, _power in POWERS.items():
    _stated = least(_power), of_noise(_name)
    _error, _roots = SAID[_name]
    claim(
        f"establish/joint-budget-{_name}",
        where="Several queries under one μ",
        says=f"The sum of {_error} over any number of queries is least, among all budgets with at most a "
        f"given sum of μ², where the budgets μ are in proportion to the {_roots} of the weights w.",
        states=_stated,
    )(partial(least_by_roots, _power, _stated))
