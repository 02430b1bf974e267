"""The discrete Gaussian: its privacy, its moments, its tail, and what its weights sum to."""

from functools import partial
from typing import Any

from establish import Concentrated, Evidence, OnIntegers, Renyi, SumOnIntegers, Verdict, claim, holds, solver
from establish.proofs_check.engine.rules import (
    below,
    beside_integral,
    gaussian_shift,
    mean_below,
    near_integral,
    one_term,
    second_order,
    shifted,
    single,
    to_second_order,
)
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Integer, Real
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian

entered = partial(claim, origin="unread")
SQUARE = Real("s", above=0)

PRIVACY = Concentrated(
    SQUARE,
    Integer("Δ", least=1),
    law=lambda c, s, far, x: DiscreteGaussian(x, s, c),
    sensitivity=lambda c, s, far: far,
    rho=lambda c, s, far: far * far / (2 * s),
)
"""Whole answers with noise of N_ℤ(0, s) are Δ²/(2s)-zCDP."""

ATTAINED = Renyi(
    SQUARE,
    Integer("x"),
    Integer("y"),
    Integer("a", least=2),
    first=lambda c, s, x, y, a: DiscreteGaussian(x, s, c),
    second=lambda c, s, x, y, a: DiscreteGaussian(y, s, c),
    order=lambda c, s, x, y, a: a,
    most=lambda c, s, x, y, a: a * (x - y) * (x - y) / (2 * s),
    relation="==",
)
"""At every whole order the divergence is that of the normal laws."""


def _moved(c: Any, s: Any, *v: Any) -> Any:
    """a·x + (1 − a)·y, the center of P^a·Q^(1−a)."""
    *_, x, y, a = v
    return a * x + (1 - a) * y


def _raised(c: Any, s: Any, *v: Any) -> Any:
    """a·(a − 1)·(x − y)²/(2s), what stands before."""
    *_, x, y, a = v
    return a * (a - 1) * (x - y) * (x - y) / (2 * s)


def _divergence(statement: Any) -> Evidence:
    centers = (lambda c, *v: v[-3], lambda c, *v: v[-2])
    owed = shifted(statement, lambda c, s, *v: s, _moved, _raised, *centers)
    return gaussian_shift(statement, lambda c, s, *v: s, _moved, _raised, centers, *map(solver.owed, owed))


@entered(
    "canonne2020/concentrated",
    where="Privacy of the discrete Gaussian",
    says="A query with whole answers and sensitivity Δ, with noise of the discrete Gaussian with parameter "
    "σ² = s added, is Δ²/(2σ²)-zCDP.",
    states=PRIVACY,
    tight=ATTAINED,
)
def concentrated() -> Verdict:
    """P^a·Q^(1−a) is e^{a(a−1)(x−y)²/(2s)} times Gaussian weights around a·x + (1 − a)·y, and no sum of such
    weights is larger than that around a whole number. At whole orders it is that sum.
    """
    return holds(_divergence(PRIVACY), _divergence(ATTAINED))


TRANSFORM = OnIntegers(
    SQUARE,
    Real("t"),
    law=lambda c, s, t: DiscreteGaussian(0, s, c),
    exponent=lambda c, s, t, k: t * k,
    relation="<=",
    closed=lambda c, s, t: c.exp(s * t * t / 2),
)
"""E e^{tX} ≤ e^{s·t²/2}."""


def _shifted(statement: Any, center: Any, height: Any) -> Evidence:
    """A mean under the law around 0."""

    def square(c: Any, s: Any, *_: Any) -> Any:
        return s

    owed = shifted(statement, square, center, height, 0)
    return gaussian_shift(statement, square, center, height, (0,), *map(solver.owed, owed))


@shared
def transform() -> Evidence:
    """The exponent t·k moves the center to s·t."""
    return _shifted(TRANSFORM, lambda c, s, t: s * t, lambda c, s, t: s * t * t / 2)


@entered(
    "canonne2020/sub-gaussian",
    where="Moments of the discrete Gaussian",
    says="For X from the discrete Gaussian with σ² = s and all real t, E e^(tX) ≤ e^(t²σ²/2).",
    states=TRANSFORM,
)
def sub_gaussian() -> Verdict:
    """tk − k²/(2s) = −(k − st)²/(2s) + st²/2."""
    return holds(transform())


MEAN = OnIntegers(
    SQUARE, law=lambda c, s: DiscreteGaussian(0, s, c), of=lambda c, s, k: k, degree=1, closed=0
)
VARIANCE = OnIntegers(
    SQUARE,
    law=lambda c, s: DiscreteGaussian(0, s, c),
    of=lambda c, s, k: k * k,
    degree=2,
    relation="<=",
    closed=lambda c, s: s,
)


def _from_transform(statement: Any) -> Evidence:
    def itself(c: Any, s: Any, k: Any) -> Any:
        return k

    _, *rest = to_second_order(statement, TRANSFORM, itself, lambda c, s: s)
    return second_order(statement, TRANSFORM, itself, lambda c, s: s, transform(), *map(solver.owed, rest))


@entered(
    "canonne2020/mean",
    where="Moments of the discrete Gaussian",
    says="The discrete Gaussian around 0 has mean 0.",
    states=MEAN,
)
def mean() -> Verdict:
    """The slope at 0 of e^{st²/2} − E e^{tX} ≥ 0, which is 0 at t = 0."""
    return holds(_from_transform(MEAN))


@entered(
    "canonne2020/variance",
    where="Moments of the discrete Gaussian",
    says="The variance of the discrete Gaussian with parameter σ² is at most σ².",
    states=VARIANCE,
)
def variance() -> Verdict:
    """The second derivative at 0 of e^{st²/2} − E e^{tX} ≥ 0, which is least at t = 0. The mean is 0."""
    return holds(_from_transform(VARIANCE))


TAIL = OnIntegers(
    SQUARE,
    Integer("b", least=0),
    law=lambda c, s, b: DiscreteGaussian(0, s, c),
    of=lambda c, s, b, k: 1 if k >= b else 0,
    relation="<=",
    closed=lambda c, s, b: c.exp(-b * b / (2 * s)),
)
CHERNOFF = OnIntegers(
    SQUARE,
    Integer("b", least=0),
    law=lambda c, s, b: DiscreteGaussian(0, s, c),
    exponent=lambda c, s, b, k: b * (k - b) / s,
    relation="<=",
    closed=lambda c, s, b: c.exp(-b * b / (2 * s)),
)


@entered(
    "canonne2020/tail",
    where="Tail of the discrete Gaussian",
    says="The discrete Gaussian with σ² = s exceeds or equals b ≥ 0 with probability at most e^(−b²/(2σ²)).",
    states=TAIL,
)
def tail() -> Verdict:
    """P(X ≥ b) ≤ E e^{b(X − b)/s}, and the mean is at most e^{−b²/(2s)}, as that of e^{tX} is at t = b/s."""
    larger = _shifted(CHERNOFF, lambda c, s, b: b, lambda c, s, b: -b * b / (2 * s))
    _, less = below(TAIL, CHERNOFF)
    return holds(mean_below(TAIL, CHERNOFF, larger, solver.proves(less)))


ELSEWHERE = OnIntegers(
    SQUARE,
    Real("μ"),
    law=lambda c, s, mu: DiscreteGaussian(0, s, c),
    exponent=lambda c, s, mu, k: (2 * k * mu - mu * mu) / (2 * s),
    relation="<=",
    closed=1,
)
"""Σ e^{−(k − μ)²/(2s)}, divided by the sum at μ = 0."""


@entered(
    "canonne2020/greatest-at-whole",
    where="What the weights sum to",
    says="The sum over the integers of e^(−(k − μ)²/(2σ²)) is at most its value at μ = 0.",
    states=ELSEWHERE,
)
def greatest_at_whole() -> Verdict:
    """The weights around μ, as multiples of those around 0."""
    return holds(_shifted(ELSEWHERE, lambda c, s, mu: mu, 0))


AT_LEAST_ROOT = SumOnIntegers(
    SQUARE,
    law=lambda c, s: DiscreteGaussian(0, s, c),
    relation=">=",
    closed=lambda c, s: c.sqrt(2 * c.pi * s),
)
AT_LEAST_ONE = SumOnIntegers(SQUARE, law=lambda c, s: DiscreteGaussian(0, s, c), relation=">=", closed=1)
AT_MOST = SumOnIntegers(
    SQUARE,
    law=lambda c, s: DiscreteGaussian(0, s, c),
    relation="<=",
    closed=lambda c, s: c.sqrt(2 * c.pi * s) + 1,
)


def _beside(statement: Any) -> Evidence:
    owed = near_integral(statement, lambda c, s: s, 0)
    return beside_integral(statement, lambda c, s: s, 0, *map(solver.owed, owed))


@entered(
    "canonne2020/total-at-least",
    where="What the weights sum to",
    says="The sum over the integers of e^(−k²/(2σ²)) is at least √(2πσ²), and at least 1.",
    states=[AT_LEAST_ROOT, AT_LEAST_ONE],
)
def total_at_least() -> Verdict:
    """The mean over all centers is the integral, and the center 0 has the greatest sum; at k = 0 stands 1."""
    one = one_term(AT_LEAST_ONE, 0, *map(solver.owed, single(AT_LEAST_ONE, 0)))
    return holds(_beside(AT_LEAST_ROOT), one)


@entered(
    "canonne2020/total-at-most",
    where="What the weights sum to",
    says="The sum over the integers of e^(−k²/(2σ²)) is at most √(2πσ²) + 1.",
    states=AT_MOST,
)
def total_at_most() -> Verdict:
    """Rising and falling terms beside their integral."""
    return holds(_beside(AT_MOST))
