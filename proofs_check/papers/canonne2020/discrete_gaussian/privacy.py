"""The discrete Gaussian as noise on whole answers: concentrated privacy, and δ at a level."""

from functools import partial
from typing import Any

from establish import Concentrated, Equal, Evidence, OnIntegers, Renyi, Verdict, claim, holds, solver
from establish.proofs_check.engine.rules import index_moved, moved_index
from establish.proofs_check.engine.statements import Integer, Real
from establish.proofs_check.papers.canonne2020.discrete_gaussian.laws import SQUARE, around_zero, moved
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian

entered = partial(claim, origin="unread", where="Privacy of the discrete Gaussian")
FAR = Integer("Δ", least=1)

PRIVACY = Concentrated(
    SQUARE,
    FAR,
    law=lambda c, s, far, x: DiscreteGaussian(x, s, c),
    sensitivity=lambda c, s, far: far,
    rho=lambda c, s, far: far * far / (2 * s),
)
"""Whole answers with noise of N_ℤ(0, s) are Δ²/(2s)-zCDP."""

AT_EPSILON = Concentrated(
    Real("ε", above=0),
    FAR,
    law=lambda c, e, far, x: DiscreteGaussian(x, far * far / (e * e), c),
    sensitivity=lambda c, e, far: far,
    rho=lambda c, e, far: e * e / 2,
)

_of_the_normal_laws = partial(
    Renyi,
    SQUARE,
    Integer("x"),
    Integer("y"),
    first=lambda c, s, x, y, a: DiscreteGaussian(x, s, c),
    second=lambda c, s, x, y, a: DiscreteGaussian(y, s, c),
    order=lambda c, s, x, y, a: a,
    most=lambda c, s, x, y, a: a * (x - y) * (x - y) / (2 * s),
)
ATTAINED = _of_the_normal_laws(Integer("a", least=2), relation="==")
AT_ANY_ORDER = _of_the_normal_laws(Real("a", above=1))
"""At every whole order the divergence is that of the normal laws, and at any other no more."""


def _moved(c: Any, s: Any, *v: Any) -> Any:
    """a·x + (1 − a)·y, the center of P^a·Q^(1−a)."""
    *_, x, y, a = v
    return a * x + (1 - a) * y


def _raised(c: Any, s: Any, *v: Any) -> Any:
    """a·(a − 1)·(x − y)²/(2s), what stands before."""
    *_, x, y, a = v
    return a * (a - 1) * (x - y) * (x - y) / (2 * s)


def _divergence(statement: Any, of: Any = lambda c, s, *_: s) -> Evidence:
    def raised(c: Any, *v: Any) -> Any:
        return _raised(c, of(c, *v), *v)

    return moved(statement, _moved, raised, lambda c, *v: v[-3], lambda c, *v: v[-2], of=of)


@entered(
    "canonne2020/concentrated",
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


@entered(
    "canonne2020/divergence",
    says="The Rényi divergence of every order a > 1 between the laws around two whole numbers x and y is at "
    "most a·(x − y)²/(2σ²).",
    states=AT_ANY_ORDER,
    tight=ATTAINED,
)
def divergence() -> Verdict:
    """The same sum, for two answers."""
    return holds(_divergence(AT_ANY_ORDER), _divergence(ATTAINED))


@entered(
    "canonne2020/at-epsilon",
    says="With σ² = Δ²/ε² the discrete Gaussian gives ε²/2-zCDP to a query with whole answers and "
    "sensitivity Δ.",
    states=AT_EPSILON,
)
def at_epsilon() -> Verdict:
    """Δ²/(2σ²) is ε²/2."""
    return holds(_divergence(AT_EPSILON, lambda c, e, far, *_: far * far / (e * e)))


LOSS = Equal(
    SQUARE,
    Integer("x"),
    Integer("y"),
    Integer("k"),
    left=lambda c, s, x, y, k: (
        DiscreteGaussian(x, s, c).log_weight(k) - DiscreteGaussian(y, s, c).log_weight(k)
    ),
    right=lambda c, s, x, y, k: ((x - y) * (k - y) - (x - y) * (x - y) / 2) / s,
)


@entered(
    "canonne2020/privacy-loss",
    says="The privacy loss at an output k, the difference of the log-probabilities under two whole answers x "
    "and y, is ((x − y)(k − y) − (x − y)²/2)/σ²: their weights have one sum.",
    states=LOSS,
)
def privacy_loss() -> Verdict:
    """Two squares with whole centers."""
    return holds(solver.proves(LOSS))


LEVEL = Real("ε", least=0)


DELTA = OnIntegers(
    SQUARE,
    LEVEL,
    FAR,
    law=around_zero,
    of=lambda c, s, e, far, k: (
        c.maximum(0, 1 - c.exp(e - (2 * k * far + far * far) / (2 * s)))
        - (1 if k > e * s / far - far / 2 else 0)
        + (c.exp(e) if k > e * s / far + far / 2 else 0)
    ),
    size=lambda c, s, e, far: 2 + 2 * c.exp(e),
    closed=0,
)
"""δ, the mean under P around 0 of max(0, 1 − e^ε·Q(k)/P(k)) for Q around −Δ, less the two probabilities."""


@entered(
    "canonne2020/delta",
    says="For two whole answers that lie Δ apart, the least δ at a level ε ≥ 0 is P(X > εσ²/Δ − Δ/2) − "
    "e^ε·P(X > εσ²/Δ + Δ/2), with X from the discrete Gaussian around 0.",
    states=DELTA,
)
def delta() -> Verdict:
    """Above the threshold t, e^ε·Q(k) is e^ε·P(k + Δ), so that its sum is e^ε·P(X > t + Δ)."""

    def above(c: Any, s: Any, e: Any, far: Any, k: Any) -> Any:
        return c.number(1) if k > e * s / far + far / 2 else c.number(0)

    def size(c: Any, s: Any, e: Any, far: Any) -> Any:
        return c.exp(e)

    parts = (above, lambda c, s, e, far, k: e, lambda c, s, e, far: far, 0, size)
    owed = index_moved(DELTA, *parts)
    shown = (solver.proves(one, lambda c, *_: c.exp(c.number(0))) for one in owed)
    return holds(moved_index(DELTA, *parts, *shown))
