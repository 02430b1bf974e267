"""Multiplicative noise: what a ratio, a share, a known value and a repeated publication reveal."""

from __future__ import annotations

from establish.proofs_check.engine.methods import exact, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import AtMost, Equal, Real
from establish.proofs_check.engine.verdicts import Verdict, aside, holds
from establish.spec.disclosure_limitation.multiplicative_noise import MultiplicativeNoise, noisy
from establish.spec.mechanisms.noise_infusion import FactorRange

FACTOR = Real("f", above=0)

RATIO = Equal(
    FACTOR, Real("x", least=0), Real("y", above=0),
    left=lambda c, f, x, y: noisy(f, x) / noisy(f, y),
    right=lambda c, f, x, y: x / y,
)  # fmt: skip
"""Of two values with one factor: wages per job, or growth from one year to the next."""

SHARE = Equal(
    FACTOR, Real("x", least=0), Real("rest", above=0),
    left=lambda c, f, x, rest: noisy(f, x) / (noisy(f, x) + noisy(f, rest)),
    right=lambda c, f, x, rest: x / (x + rest),
)  # fmt: skip
"""Of a part in the whole of one establishment."""

KNOWN = Equal(
    FACTOR, Real("x", least=0), Real("y", above=0),
    left=lambda c, f, x, y: noisy(f, x) / (noisy(f, y) / y),
    right=lambda c, f, x, y: x,
)  # fmt: skip
"""Who knows y has the factor, and with it every other value."""

LOW = AtMost(
    Real("high", above=0), Real("f", above=0, most=lambda c, high: high), Real("x", least=0),
    left=lambda c, high, f, x: noisy(f, x) / high,
    right=lambda c, high, f, x: x,
)  # fmt: skip
"""Each publication bounds the value from below by the largest factor."""

HIGH = AtMost(
    Real("low", above=0), Real("f", least=lambda c, low: low), Real("x", least=0),
    left=lambda c, low, f, x: x,
    right=lambda c, low, f, x: noisy(f, x) / low,
)  # fmt: skip
"""And from above by the smallest."""


@claim(
    "establish/noise-ratio-exact",
    where="Multiplicative noise: one factor for all values of an establishment",
    says="The ratio of two published values with one factor, the share of a part, and every value once one "
    "is known, are exactly the true ones.",
    states=(RATIO, SHARE, KNOWN),
)
def a_common_factor_cancels() -> Verdict:
    """(f·x)/(f·y) = x/y, and f = (f·y)/y."""
    return holds(solver.proves(RATIO), solver.proves(SHARE), solver.proves(KNOWN))


@claim(
    "establish/noise-repeated",
    where="Multiplicative noise: the same value published again with a new factor",
    says="A value lies in what the intervals of all its publications share, published/high to published/low "
    "for each range of factors; publications at opposite ends of the factors leave a single value.",
    states=(LOW, HIGH),
)
def publications_share_what_they_leave_open() -> Verdict:
    """f ≤ high gives f·x/high ≤ x, and f ≥ low gives x ≤ f·x/low. For factors 5 to 10% from 1, 22 leaves
    [20, 20.95] and [23.2, 24.4], and 18 leaves [16.4, 17.1] and [18.9, 20]: both leave 20 alone.
    """
    noise = MultiplicativeNoise(FactorRange("1/20", "1/10"))
    found = noise.repeated([22, 18])
    return holds(
        solver.proves(LOW),
        solver.proves(HIGH),
        aside(exact.compare(len(found), "==", 1, "intervals that 22 and 18 leave")),
        aside(exact.compare(found[0][0], "==", 20, "its lower end")),
        aside(exact.compare(found[0][1], "==", 20, "its upper end")),
    )
