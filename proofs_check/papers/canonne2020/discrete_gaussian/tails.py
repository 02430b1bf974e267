"""How seldom the discrete Gaussian lies far from its center."""

from functools import partial
from typing import Any

from establish import Integer, OnIntegers, Real, Verdict, claim, holds, rules, solver
from establish.proofs_check.papers.canonne2020.discrete_gaussian.laws import (
    SQUARE,
    around_zero,
    moved,
    square,
)

entered = partial(claim, origin="unread", where="Tail of the discrete Gaussian")


def _from(c: Any, s: Any, b: Any, k: Any) -> Any:
    return 1 if k >= b else 0


def _chernoff(c: Any, s: Any, b: Any) -> Any:
    return c.exp(-b * b / (2 * s))


def _above(b: Any) -> tuple[Any, Any]:
    """P(X ≥ b), and the exponential that lies above it."""
    return (
        OnIntegers(SQUARE, b, law=around_zero, of=_from, relation="<=", closed=_chernoff),
        OnIntegers(
            SQUARE,
            b,
            law=around_zero,
            exponent=lambda c, s, b, k: b * (k - b) / s,
            relation="<=",
            closed=_chernoff,
        ),
    )


TAIL, CHERNOFF = _above(Integer("b", least=0))
REAL_TAIL, REAL_CHERNOFF = _above(Real("b", least=0))


def _by_exponential(tail: Any, exponential: Any) -> Any:
    larger = moved(exponential, lambda c, s, b: b, lambda c, s, b: -b * b / (2 * s))
    _, less = rules.below(tail, exponential)
    return rules.mean_below(tail, exponential, larger, solver.proves(less))


@entered(
    "canonne2020/tail",
    says="The discrete Gaussian with σ² = s exceeds or equals a whole b ≥ 0 with probability at most "
    "e^(−b²/(2σ²)).",
    states=TAIL,
)
def tail() -> Verdict:
    """P(X ≥ b) ≤ E e^{b(X − b)/s}, and the mean is at most e^{−b²/(2s)}, as that of e^{tX} is at t = b/s."""
    return holds(_by_exponential(TAIL, CHERNOFF))


@entered(
    "canonne2020/tail-at-reals",
    says="For every real b ≥ 0 the discrete Gaussian exceeds or equals b with probability at most "
    "e^(−b²/(2σ²)).",
    states=REAL_TAIL,
)
def tail_at_reals() -> Verdict:
    """The same exponential."""
    return holds(_by_exponential(REAL_TAIL, REAL_CHERNOFF))


BOTH = OnIntegers(
    SQUARE,
    Real("b", least=0),
    law=around_zero,
    of=lambda c, s, b, k: 1 if c.absolute(k) >= b else 0,
    relation="<=",
    closed=lambda c, s, b: 2 * c.exp(-b * b / (2 * s)),
)
OTHER = OnIntegers(
    SQUARE,
    Real("b", least=0),
    law=around_zero,
    exponent=lambda c, s, b, k: -b * (k + b) / s,
    relation="<=",
    closed=_chernoff,
)


@entered(
    "canonne2020/two-sided-tail",
    says="For every real b ≥ 0, |X| ≥ b has probability at most 2·e^(−b²/(2σ²)).",
    states=BOTH,
)
def two_sided_tail() -> Verdict:
    """One exponential for each side."""
    right = moved(REAL_CHERNOFF, lambda c, s, b: b, lambda c, s, b: -b * b / (2 * s))
    left = moved(OTHER, lambda c, s, b: -b, lambda c, s, b: -b * b / (2 * s))
    _, _, *owed = rules.below_together(BOTH, REAL_CHERNOFF, OTHER)
    return holds(rules.means_below(BOTH, (REAL_CHERNOFF, OTHER), right, left, *map(solver.owed, owed)))


BESIDE_NORMAL = OnIntegers(
    SQUARE,
    Integer("m", least=1),
    law=around_zero,
    of=_from,
    relation="<=",
    closed=lambda c, s, m: (1 - c.erf((m - 1) / c.sqrt(2 * s))) / 2,
)


@entered(
    "canonne2020/tail-beside-normal",
    says="For a whole m ≥ 1 the discrete Gaussian exceeds or equals m with a probability that is at most "
    "that of the continuous one, with the same σ², to exceed or equal m − 1.",
    states=BESIDE_NORMAL,
)
def tail_beside_normal() -> Verdict:
    """Each term is at most the integral over the unit before it, and all terms are at least √(2πσ²)."""
    owed = rules.tail_and_integral(BESIDE_NORMAL, square, lambda c, s, m: m)
    return holds(
        rules.tail_beside_integral(BESIDE_NORMAL, square, lambda c, s, m: m, *map(solver.owed, owed))
    )
