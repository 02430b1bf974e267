"""Rounding to a base: its mean, and how likely a value is."""

from itertools import product

from establish import Equal, Every, Real, Verdict, aside, claim, exhaustive, holds, solver
from establish.spec.disclosure_limitation.rounding_to_base import likelihood, random_rounding, upward

UNBIASED = Equal(
    Real("b", above=0), Real("q"), Real("r", least=0, below=lambda c, b, q: b),
    left=lambda c, b, q, r: (1 - upward(r, b)) * (q * b) + upward(r, b) * (q * b + b),
    right=lambda c, b, q, r: q * b + r,
)  # fmt: skip
"""The mean of what is published for q·b + r."""

BELOW = Equal(
    Real("b", above=0), Real("r", least=0, below=lambda c, b: b),
    left=lambda c, b, r: 1 - c.absolute(r - b) / b,
    right=lambda c, b, r: upward(r, b),
)  # fmt: skip
"""The upper multiple is b away from the lower one: its likelihood is the probability to go up."""

ABOVE = Equal(
    Real("b", above=0), Real("r", least=0, below=lambda c, b: b),
    left=lambda c, b, r: 1 - c.absolute(r) / b,
    right=lambda c, b, r: 1 - upward(r, b),
)  # fmt: skip
"""And that of the lower multiple the probability to go down."""

LAW = Every(
    "base, value and multiple",
    cases=lambda: product(range(2, 8), range(-20, 21), range(-42, 43)),
    holds=lambda case: (
        likelihood(case[2], case[1], case[0]) == random_rounding(case[1], case[0]).get(case[2], 0)
    ),
)
"""The likelihood is the law, read the other way."""


@claim(
    "establish/random-rounding-mean",
    where="Rounding: random rounding to a base",
    says="Random rounding of q·b + r to q·b, or with probability r/b to (q + 1)·b, has the mean q·b + r.",
    states=UNBIASED,
)
def random_rounding_is_unbiased() -> Verdict:
    """(1 − r/b)·q·b + (r/b)·(q·b + b) = q·b + r."""
    return holds(solver.proves(UNBIASED))


@claim(
    "establish/random-rounding-likelihood",
    where="Rounding: what a published multiple says",
    says="The likelihood of a value x given a published multiple R of b is 1 − |x − R|/b within b of R.",
    states=(BELOW, ABOVE),
)
def the_likelihood_is_a_tent() -> Verdict:
    """With x = q·b + r the multiple below is r away and the one above b − r."""
    return holds(
        solver.proves(BELOW),
        solver.proves(ABOVE),
        aside(exhaustive.each(LAW, "bases 2 to 7, values −20 to 20, multiples −42 to 42")),
        value="max(0, 1 − |x − R|/b)",
    )
