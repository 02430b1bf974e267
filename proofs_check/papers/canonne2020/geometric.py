"""The discrete Laplace law: what its weights sum to, its moments, its tail, and its privacy."""

from functools import partial
from typing import Any

from establish import AtMost, Evidence, OnIntegers, SumOnIntegers, Verdict, claim, holds, solver, symbolic
from establish.proofs_check.engine.rules import above_and_below, quotient, steps_of_sum, telescoped
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Equal, Integer, Real
from establish.spec.distributions.geometric import Geometric, mean_absolute, ratio_of, variance, weights_total

entered = partial(claim, origin="unread", where="The discrete Laplace law")
SCALE = Real("t", above=0)


def around_zero(c: Any, t: Any, *_: Any) -> Geometric:
    """P(k) ∝ e^{−|k|/t}."""
    return Geometric(0, ratio_of(t, c), c)


def total(c: Any, t: Any, *_: Any) -> Any:
    """(e^{1/t} + 1)/(e^{1/t} − 1) as a fraction in r = e^{−1/t}."""
    return weights_total(ratio_of(t, c))


def share(c: Any, t: Any, *_: Any) -> Any:
    """1/(1 − r), the sum of r^k from 0 on."""
    return 1 / (1 - ratio_of(t, c))


def nothing(c: Any, *_: Any) -> Any:
    """A side of a sum on which every term is 0."""
    return c.number(0)


def owed(statement: Any) -> Evidence:
    """By the solver, which is told that e^0 is 1 and e^x increases."""
    return solver.proves(statement, lambda c, *_: c.exp(c.number(0)))


def summed(statement: Any, right: Any, left: Any, degree: int, size: Any, start: Any = 0) -> Evidence:
    """A sum whose terms telescope on both sides of ``start``."""
    steps = steps_of_sum(statement, right, left, degree, size, start)
    return telescoped(statement, right, left, degree, size, start, *map(owed, steps))


TOTAL = SumOnIntegers(SCALE, law=around_zero, closed=total)


@shared
def all_weights() -> Evidence:
    """r^k = r^k/(1 − r) − r^{k+1}/(1 − r)."""
    return summed(TOTAL, share, share, 0, share)


@entered(
    "canonne2020/laplace-total",
    says="The sum over the integers of e^(−|k|/t) is (e^(1/t) + 1)/(e^(1/t) − 1), written with e^(−1/t).",
    states=TOTAL,
)
def laplace_total() -> Verdict:
    """Two geometric sums."""
    return holds(all_weights())


def _averaged(of: Any, degree: int, above: Any, closed: Any) -> tuple[Any, Any]:
    """The sum of f with the weights, and its mean."""
    return (
        SumOnIntegers(SCALE, law=around_zero, of=of, degree=degree, closed=above),
        OnIntegers(SCALE, law=around_zero, of=of, degree=degree, closed=closed),
    )


def _mean(sum_of: Any, mean: Any, found: Evidence) -> Evidence:
    _, _, *rest = above_and_below(mean, sum_of, TOTAL)
    return quotient(mean, sum_of, TOTAL, found, all_weights(), *map(owed, rest))


def _from_there_on(c: Any, t: Any, k: Any) -> Any:
    """Σ j·r^j for j ≥ k, over r^k."""
    return k / (1 - ratio_of(t, c)) + ratio_of(t, c) / c.power(1 - ratio_of(t, c), 2)


def _size(c: Any, t: Any) -> Any:
    return 2 / c.power(1 - ratio_of(t, c), 2)


SIZES, ABSOLUTE = _averaged(
    lambda c, t, k: c.absolute(k),
    1,
    lambda c, t: 2 * ratio_of(t, c) / c.power(1 - ratio_of(t, c), 2),
    lambda c, t: mean_absolute(ratio_of(t, c)),
)


@entered(
    "canonne2020/laplace-absolute",
    says="The mean absolute value of the discrete Laplace law is 2·e^(−1/t)/(1 − e^(−2/t)).",
    states=ABSOLUTE,
)
def laplace_absolute() -> Verdict:
    """k·r^k telescopes with k/(1 − r) + r/(1 − r)²."""
    beyond = summed(SIZES, _from_there_on, lambda c, t, k: _from_there_on(c, t, -k), 1, _size)
    return holds(_mean(SIZES, ABSOLUTE, beyond))


SQUARES, VARIANCE = _averaged(
    lambda c, t, k: k * k,
    2,
    lambda c, t: 2 * ratio_of(t, c) * (1 + ratio_of(t, c)) / c.power(1 - ratio_of(t, c), 3),
    lambda c, t: variance(ratio_of(t, c)),
)


@entered(
    "canonne2020/laplace-variance",
    says="The variance of the discrete Laplace law is 2·e^(1/t)/(e^(1/t) − 1)², written with e^(−1/t).",
    states=VARIANCE,
)
def laplace_variance() -> Verdict:
    """k²·r^k telescopes with k²/(1 − r) + 2rk/(1 − r)² + r(1 + r)/(1 − r)³."""

    def right(c: Any, t: Any, k: Any) -> Any:
        r = ratio_of(t, c)
        return k * k / (1 - r) + 2 * r * k / c.power(1 - r, 2) + r * (1 + r) / c.power(1 - r, 3)

    def size(c: Any, t: Any) -> Any:
        return 2 / c.power(1 - ratio_of(t, c), 3)

    return holds(_mean(SQUARES, VARIANCE, summed(SQUARES, right, lambda c, t, k: right(c, t, -k), 2, size)))


ITSELF, MEAN = _averaged(lambda c, t, k: k, 1, 0, 0)


@entered("canonne2020/laplace-mean", says="The discrete Laplace law around 0 has mean 0.", states=MEAN)
def laplace_mean() -> Verdict:
    """Both sides telescope with opposite signs."""
    beyond = summed(ITSELF, _from_there_on, lambda c, t, k: -_from_there_on(c, t, -k), 1, _size)
    return holds(_mean(ITSELF, MEAN, beyond))


def _from(c: Any, t: Any, b: Any, k: Any) -> Any:
    return 1 if k >= b else 0


WHOLE = Integer("b", least=0)
ABOVE = SumOnIntegers(
    SCALE, WHOLE, law=around_zero, of=_from, closed=lambda c, t, b: c.exp(-b / t) / (1 - ratio_of(t, c))
)
WEIGHTS = SumOnIntegers(SCALE, WHOLE, law=around_zero, closed=total)
TAIL = OnIntegers(
    SCALE, WHOLE, law=around_zero, of=_from, closed=lambda c, t, b: c.exp(-b / t) / (1 + ratio_of(t, c))
)
COMPLEMENT = Equal(
    SCALE,
    WHOLE,
    Integer("x"),
    left=lambda c, t, b, x: 1 - Geometric(x, ratio_of(t, c), c).cdf(x + b),
    right=lambda c, t, b, x: c.exp(-(b + 1) / t) / (1 + ratio_of(t, c)),
)
"""The distribution function, around any center, leaves that beyond it."""


@entered(
    "canonne2020/laplace-tail",
    says="The discrete Laplace law exceeds or equals a whole b ≥ 0 with probability e^(−b/t)/(1 + e^(−1/t)).",
    states=(TAIL, COMPLEMENT),
)
def laplace_tail() -> Verdict:
    """From b on r^k telescopes, and before there is nothing."""
    tail = summed(ABOVE, share, nothing, 0, share, start=lambda c, t, b: b)
    weights = summed(WEIGHTS, share, share, 0, share)
    _, _, *owing = above_and_below(TAIL, ABOVE, WEIGHTS)
    return holds(
        quotient(TAIL, ABOVE, WEIGHTS, tail, weights, *map(owed, owing)), symbolic.proves(COMPLEMENT)
    )


LOSS = AtMost(
    SCALE,
    Integer("x"),
    Integer("y"),
    Integer("k"),
    left=lambda c, t, x, y, k: (
        Geometric(x, ratio_of(t, c), c).log_weight(k) - Geometric(y, ratio_of(t, c), c).log_weight(k)
    ),
    right=lambda c, t, x, y, k: c.absolute(x - y) / t,
)


@entered(
    "canonne2020/laplace-private",
    says="Discrete Laplace noise with e^(−|k|/t) on answers x and y is (|x − y|/t)-differentially private: "
    "no log-probability differs by more, as the weights around x and y have one sum.",
    states=LOSS,
)
def laplace_private() -> Verdict:
    """|k − y| − |k − x| ≤ |x − y|."""
    return holds(solver.proves(LOSS))
