"""Appendix A.4: shares of Algorithm 7 near zero, and how skewed they are."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import factorial

from establish import Verdict, claim, enclosure, exact, exhaustive, holds_loosely, ill_posed, solver, symbolic
from establish.proofs_check.engine.methods.enclosure import digits
from establish.proofs_check.engine.statements import Below, Compares, Equal, Every, Moment, Real
from establish.proofs_check.engine.verdicts import aside
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.distributions.gamma import Gamma
from establish.spec.synthetic.microdata import SHAPE

F = Fraction


def _below(x: Fraction, shape: int = SHAPE, d: int = 10) -> enclosure.Constant:
    """P(W < x) for the mean share W ~ Beta(shape, shape·(d − 1))."""

    def probability(c: World) -> Number:
        return c.beta_share(c.number(x), c.number(shape), c.number(shape * (d - 1)))

    return probability


POSITIVE_PARTS = Every(
    "whole parts",
    lambda: (parts for d in (1, 2, 3, 4) for parts in product(range(4), repeat=d) if sum(parts)),
    lambda parts: 0 not in parts,
)
FORCED_ZEROS = Every(
    "whole parts",
    lambda: (parts for d in (1, 2, 3, 4) for parts in product(range(4), repeat=d)),
    lambda parts: parts.count(0) >= len(parts) - sum(parts),
)
"""At least d − A of d whole parts of A are 0, whatever the law."""

OFTEN_AT_ONE = Compares(left=lambda c: _below(F(1, 10))(c), relation=">", right=F(1, 2))
SELDOM_AT_FIVE = Below(left=lambda c: _below(F(1, 50))(c), right=F(1, 10**4))


@claim(
    "webb2025/alg-7-zero",
    where="Appendix A.4",
    says="The parameters keep values from being so close to zero that they are often rounded down to zero.",
    states=POSITIVE_PARTS,
    meant=SELDOM_AT_FIVE,
    tight=(FORCED_ZEROS, OFTEN_AT_ONE, SELDOM_AT_FIVE),
    origin="implied",
)
def small_cells_have_zeros_whatever_the_parameters() -> Verdict:
    """d positive whole numbers add up to at least d. So in a cell of A < d jobs at least d − A establishments
    get 0 under any law, and at A = d rounding down leaves a zero unless all parts are exactly 1. The
    parameters matter for larger cells: the mean share W ~ Beta(10, 10(d − 1)).
    """
    with enclosing():
        one, five = (digits(_below(F(1, 10 * size))(ARB), 6) for size in (1, 5))
    return ill_posed(
        exact.refuted(POSITIVE_PARTS, case=(0, 1)),
        exhaustive.each(FORCED_ZEROS, "d = 1…4, parts 0…3"),
        exact.decided(OFTEN_AT_ONE),
        exact.decided(SELDOM_AT_FIVE),
        condition="several jobs per establishment",
        counterexample="2 establishments, 1 job: one of them has 0 jobs whatever the shares",
        value=f"at d = 10 a mean share below one job: probability {one} at one job each, {five} at five",
    )


NEAR_ZERO = (
    Compares(left=lambda c: _below(F(1, 100), 1)(c), relation=">", right=F(86, 1000)),
    Below(left=lambda c: _below(F(1, 100))(c), right=F(1, 10**6)),
)
"""P(W < 1%) at d = 10: above 8.6% at shape 1, below a millionth at shape 10."""


_GAMMA = Real("k", above=0), Real("θ", above=0)
CENTRAL_MOMENTS = tuple(
    Moment(
        *_GAMMA,
        law=lambda c, k, theta: Gamma(k, 1 / theta, c),
        of=lambda c, k, theta, x, power=power: c.power(x - k * theta, power),
        closed=closed,
        low=lambda c, k, theta: c.number(0),
        depends=True,
    )
    for power, closed in (
        (2, lambda c, k, theta: k * theta * theta),
        (3, lambda c, k, theta: 2 * k * theta * theta * theta),
    )
)


def _skewness(c: World, k: Number, theta: Number) -> Number:
    """The third central moment over the second to the power 3/2."""
    return 2 * k * theta * theta * theta / c.power(k * theta * theta, F(3, 2))


SKEWNESS = Equal(*_GAMMA, left=_skewness, right=lambda c, k, theta: 2 / c.sqrt(k))
RIGHT_SKEW = Below(*_GAMMA, left=0, right=_skewness)
ADJUSTED = Below(
    *_GAMMA,
    Real("h", above=lambda c, k, theta: k),
    left=lambda c, k, theta, h: _skewness(c, h, theta),
    right=lambda c, k, theta, h: _skewness(c, k, theta),
)
"""It is positive, and the shape adjusts it."""


@claim(
    "webb2025/alg-7-skew",
    where="Appendix A.4",
    says="The Gamma law has a right skew that its shape and scale parameters adjust.",
    states=(*CENTRAL_MOMENTS, RIGHT_SKEW, ADJUSTED),
    tight=(*CENTRAL_MOMENTS, SKEWNESS),
)
def skew_depends_on_the_shape_only() -> Verdict:
    """Skewness 2/√k > 0, 0.632 at k = 10, whatever the scale. It is a mild skew: the chance that a
    concentration exceeds three times its mean is P(Poisson(30) < 10) = e^−30·Σ_{i<10} 30^i/i! < 1e-5, that
    is, one or two of 200,000 establishments. In a cell of two, shares are symmetric: skewness 0.
    """
    terms = sum(F(30**i, factorial(i)) for i in range(10))
    return holds_loosely(
        *map(symbolic.integrates, CENTRAL_MOMENTS),
        symbolic.proves(SKEWNESS),
        solver.proves(RIGHT_SKEW),
        solver.proves(ADJUSTED),
        aside(
            enclosure.compare(
                lambda c: c.exp(c.number(-30)) * c.number(terms),
                "<",
                enclosure.rational(F(1, 10**5)),
                "P(a_j > 3·E a_j) at shape 10",
            )
        ),
        value="skewness 2/√shape, whatever the scale",
    )
