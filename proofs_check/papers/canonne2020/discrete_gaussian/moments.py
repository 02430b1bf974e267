"""The transform, mean and variance of the discrete Gaussian."""

from functools import partial
from typing import Any

from establish import Evidence, Integer, OnIntegers, Real, Verdict, claim, holds, solver
from establish.proofs_check.engine.rules import second_order, to_second_order
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.papers.canonne2020.discrete_gaussian.laws import (
    SQUARE,
    around_zero,
    moved,
    square,
)
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian

entered = partial(claim, origin="unread", where="Moments of the discrete Gaussian")

TRANSFORM = OnIntegers(
    SQUARE,
    Real("t"),
    law=around_zero,
    exponent=lambda c, s, t, k: t * k,
    relation="<=",
    closed=lambda c, s, t: c.exp(s * t * t / 2),
)
"""E e^{tX} ≤ e^{s·t²/2}."""


@shared
def transform() -> Evidence:
    """The exponent t·k moves the center to s·t."""
    return moved(TRANSFORM, lambda c, s, t: s * t, lambda c, s, t: s * t * t / 2)


@entered(
    "canonne2020/sub-gaussian",
    says="For X from the discrete Gaussian with σ² = s and all real t, E e^(tX) ≤ e^(t²σ²/2).",
    states=TRANSFORM,
)
def sub_gaussian() -> Verdict:
    """tk − k²/(2s) = −(k − st)²/(2s) + st²/2."""
    return holds(transform())


AT_WHOLE = OnIntegers(
    SQUARE,
    Integer("m"),
    law=around_zero,
    exponent=lambda c, s, m, k: m * k / s,
    closed=lambda c, s, m: c.exp(m * m / (2 * s)),
)


@entered(
    "canonne2020/transform-attained",
    says="Where t·σ² is a whole number m, E e^(tX) = e^(t²σ²/2).",
    states=AT_WHOLE,
)
def transform_attained() -> Verdict:
    """The center moves to the whole m, where the weights have the same sum."""
    return holds(moved(AT_WHOLE, lambda c, s, m: m, lambda c, s, m: m * m / (2 * s)))


def _itself(c: Any, s: Any, k: Any) -> Any:
    return k


MEAN = OnIntegers(SQUARE, law=around_zero, of=_itself, degree=1, closed=0)
VARIANCE = OnIntegers(
    SQUARE, law=around_zero, of=lambda c, s, k: k * k, degree=2, relation="<=", closed=square
)


def _from_transform(statement: Any, bound: Any, of: Any, shown: Evidence) -> Evidence:
    _, *rest = to_second_order(statement, bound, of, square)
    return second_order(statement, bound, of, square, shown, *map(solver.owed, rest))


@entered("canonne2020/mean", says="The discrete Gaussian around 0 has mean 0.", states=MEAN)
def mean() -> Verdict:
    """The slope at 0 of e^{st²/2} − E e^{tX} ≥ 0, which is 0 at t = 0."""
    return holds(_from_transform(MEAN, TRANSFORM, _itself, transform()))


@entered(
    "canonne2020/variance",
    says="The variance of the discrete Gaussian with parameter σ² is at most σ².",
    states=VARIANCE,
)
def variance() -> Verdict:
    """The second derivative at 0 of e^{st²/2} − E e^{tX} ≥ 0, which is least at t = 0. The mean is 0."""
    return holds(_from_transform(VARIANCE, TRANSFORM, _itself, transform()))


CENTER = Integer("m")


def _around(c: Any, s: Any, m: Any, *_: Any) -> DiscreteGaussian:
    return DiscreteGaussian(m, s, c)


def _apart(c: Any, s: Any, m: Any, k: Any) -> Any:
    return k - m


AROUND = OnIntegers(
    SQUARE,
    CENTER,
    Real("t"),
    law=_around,
    exponent=lambda c, s, m, t, k: t * (k - m),
    relation="<=",
    closed=lambda c, s, m, t: c.exp(s * t * t / 2),
)
MEAN_AROUND = OnIntegers(
    SQUARE, CENTER, law=_around, of=_apart, degree=1, size=lambda c, s, m: 1 + c.absolute(m), closed=0
)
VARIANCE_AROUND = OnIntegers(
    SQUARE,
    CENTER,
    law=_around,
    of=lambda c, s, m, k: (k - m) * (k - m),
    degree=2,
    size=lambda c, s, m: c.power(1 + c.absolute(m), 2),
    relation="<=",
    closed=square,
)


@shared
def _transform_around() -> Evidence:
    return moved(AROUND, lambda c, s, m, t: m + s * t, lambda c, s, m, t: s * t * t / 2, lambda c, s, m, t: m)


@entered(
    "canonne2020/mean-around",
    says="The discrete Gaussian around a whole number has that number as its mean.",
    states=MEAN_AROUND,
)
def mean_around() -> Verdict:
    """The slope at 0 of e^{st²/2} − E e^{t(X − m)} ≥ 0."""
    return holds(_from_transform(MEAN_AROUND, AROUND, _apart, _transform_around()))


@entered(
    "canonne2020/variance-around",
    says="The variance of the discrete Gaussian around a whole number is at most σ² as well.",
    states=VARIANCE_AROUND,
)
def variance_around() -> Verdict:
    """The second derivative at 0 of e^{st²/2} − E e^{t(X − m)} ≥ 0, and the mean of X − m is 0."""
    return holds(_from_transform(VARIANCE_AROUND, AROUND, _apart, _transform_around()))
