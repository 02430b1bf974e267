"""What the weights of the discrete Gaussian sum to, and what share one of them has."""

from functools import partial
from typing import Any

from establish import Integer, OnIntegers, Real, SumOnIntegers, claim, premise, repeats, rules, solver
from establish.proofs_check.engine.verdicts import Evidence, Verdict, holds
from establish.proofs_check.papers.canonne2020.discrete_gaussian.laws import (
    SQUARE,
    around_zero,
    moved,
    square,
)
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian

entered = partial(claim, origin="unread", where="What the weights sum to")


def root(c: Any, s: Any, *_: Any) -> Any:
    """√(2πs)."""
    return c.sqrt(2 * c.pi * s)


ELSEWHERE = OnIntegers(
    SQUARE,
    Real("μ"),
    law=around_zero,
    exponent=lambda c, s, mu, k: (2 * k * mu - mu * mu) / (2 * s),
    relation="<=",
    closed=1,
)
"""Σ e^{−(k − μ)²/(2s)}, divided by the sum at μ = 0."""


@entered(
    "canonne2020/greatest-at-whole",
    says="The sum over the integers of e^(−(k − μ)²/(2σ²)) is at most its value at μ = 0.",
    states=ELSEWHERE,
)
def greatest_at_whole() -> Verdict:
    """The weights around μ, as multiples of those around 0."""
    return holds(moved(ELSEWHERE, lambda c, s, mu: mu, 0))


AT_WHOLE = OnIntegers(
    SQUARE, Integer("m"), law=around_zero, exponent=lambda c, s, m, k: (2 * k * m - m * m) / (2 * s), closed=1
)


@entered(
    "canonne2020/equal-at-whole",
    says="The sum over the integers of e^(−(k − m)²/(2σ²)) is the same for every whole m.",
    states=AT_WHOLE,
)
def equal_at_whole() -> Verdict:
    """A whole center moves the index."""
    return holds(moved(AT_WHOLE, lambda c, s, m: m, 0))


AT_LEAST_ROOT = SumOnIntegers(SQUARE, law=around_zero, relation=">=", closed=root)
AT_LEAST_ONE = SumOnIntegers(SQUARE, law=around_zero, relation=">=", closed=1)
AT_MOST = SumOnIntegers(SQUARE, law=around_zero, relation="<=", closed=lambda c, s: root(c, s) + 1)
ANYWHERE_AT_MOST = SumOnIntegers(
    SQUARE,
    Real("μ"),
    law=lambda c, s, mu: DiscreteGaussian(mu, s, c),
    beyond=lambda c, s, mu: c.absolute(mu),
    relation="<=",
    closed=lambda c, s, mu: root(c, s) + 1,
)


def beside(statement: Any, center: Any = 0) -> Evidence:
    """A sum beside its integral."""
    owed = rules.near_integral(statement, square, center)
    return rules.beside_integral(statement, square, center, 0, *map(solver.owed, owed))


@entered(
    "canonne2020/total-at-least",
    says="The sum over the integers of e^(−k²/(2σ²)) is at least √(2πσ²), and at least 1.",
    states=[AT_LEAST_ROOT, AT_LEAST_ONE],
)
def total_at_least() -> Verdict:
    """The mean over all centers is the integral, and the center 0 has the greatest sum; at k = 0 stands 1."""
    one = rules.one_term(AT_LEAST_ONE, 0, *map(solver.owed, rules.single(AT_LEAST_ONE, 0)))
    return holds(beside(AT_LEAST_ROOT), one)


@entered(
    "canonne2020/total-at-most",
    says="The sum over the integers of e^(−k²/(2σ²)) is at most √(2πσ²) + 1.",
    states=AT_MOST,
)
def total_at_most() -> Verdict:
    """Rising and falling terms beside their integral."""
    return holds(beside(AT_MOST))


@entered(
    "canonne2020/total-anywhere",
    says="For every real μ the sum over the integers of e^(−(k − μ)²/(2σ²)) is at most √(2πσ²) + 1.",
    states=ANYWHERE_AT_MOST,
)
def total_anywhere() -> Verdict:
    """The integral does not hang on μ."""
    return holds(beside(ANYWHERE_AT_MOST, lambda c, s, mu: mu))


POISSON = rules.by_poisson(SumOnIntegers(SQUARE, law=around_zero, closed=root), square)


@entered(
    "canonne2020/poisson",
    says="The sum over the integers of e^(−k²/(2σ²)) is √(2πσ²) times that of e^(−2π²σ²k²).",
    states=POISSON,
)
def poisson() -> Verdict:
    """Poisson's summation formula, which is cited and not shown here."""
    return holds(
        premise("Poisson summation", POISSON, cites="Stein and Shakarchi 2003, Fourier Analysis, 5.3")
    )


repeats(
    "canonne2020/total-close",
    where="What the weights sum to",
    says="The sum over the integers of e^(−k²/(2σ²)) is at most √(2πσ²)·(1 + 2/(e^(2π²σ²) − 1)).",
    same_as="establish/gaussian-sum",
    origin="unread",
)

PLACE = Integer("x")


def _there(c: Any, s: Any, x: Any, k: Any) -> Any:
    return 1 if k == x else 0


def _weight(c: Any, s: Any, x: Any) -> Any:
    return c.exp(-x * x / (2 * s))


ONE_WEIGHT = SumOnIntegers(SQUARE, PLACE, law=around_zero, of=_there, relation="<=", closed=_weight)
ALL_WEIGHTS = SumOnIntegers(SQUARE, PLACE, law=around_zero, relation=">=", closed=root)
MASS = OnIntegers(
    SQUARE,
    PLACE,
    law=around_zero,
    of=_there,
    relation="<=",
    closed=lambda c, s, x: _weight(c, s, x) / root(c, s),
)


@entered(
    "canonne2020/mass-below-density",
    says="The probability of a whole x is at most the density of the continuous Gaussian at x.",
    states=MASS,
)
def mass_below_density() -> Verdict:
    """One weight, over a sum of at least √(2πσ²)."""

    def there(c: Any, s: Any, x: Any, k: Any) -> Any:
        return _there(c, s, x, k)

    def nothing(c: Any, *_: Any) -> Any:
        return c.number(0)

    owed = rules.steps_of_sum(ONE_WEIGHT, there, nothing, start=lambda c, s, x: x)
    above = rules.telescoped(ONE_WEIGHT, there, nothing, 0, 1, lambda c, s, x: x, *map(solver.owed, owed))
    _, _, *rest = rules.above_and_below(MASS, ONE_WEIGHT, ALL_WEIGHTS)
    return holds(
        rules.quotient(MASS, ONE_WEIGHT, ALL_WEIGHTS, above, beside(ALL_WEIGHTS), *map(solver.owed, rest))
    )
