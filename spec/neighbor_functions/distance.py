"""How many neighbor steps lie between two values, records or firms under ψ-closeness.

On real data m steps suffice exactly when |ψ(x) − ψ(y)| ≤ mγ, because ψ is continuous (Webb et al. 2025,
Remark 5.8). On whole numbers the steps must land on whole numbers: more may be needed, or none may do.
m steps cost mμ. An establishment moves in all attributes at once; a firm moves one establishment per step.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from establish.spec.neighbor_functions.functions import NeighborFunction
from establish.spec.parameters import Rational, nonnegative

Closeness = tuple[NeighborFunction, Rational]
"""ψ_i and γ_i of one attribute (Remark 5.4: each attribute may have its own)."""


def close_records(
    attributes: Sequence[Closeness], record: Sequence[Rational], other: Sequence[Rational]
) -> bool:
    """Whether |ψ_i(x_i) − ψ_i(y_i)| ≤ γ_i in every attribute. ValueError for a wrong number of them."""
    triples = zip(attributes, record, other, strict=True)
    return all(psi.close(x, y, gamma) for (psi, gamma), x, y in triples)


def steps(psi: NeighborFunction, gamma: Rational, x: Rational, y: Rational) -> int | float:
    """The least m with |ψ(x) − ψ(y)| ≤ mγ, for real x, y ≥ 0; math.inf where there is none.

    There is none between different values at γ = 0, and none from 0 where ψ(0) = −∞. Raises
    ParameterError for x, y or γ below 0.
    """
    bound, low, high = nonnegative("gamma", gamma), *sorted(map(_value, (x, y)))
    if low == high:
        return 0
    if bound == 0 or (low == 0 and not psi.real_at_zero):
        return math.inf
    return 1 + _last(lambda m: not psi.close(low, high, m * bound))


def record_steps(
    attributes: Sequence[Closeness], record: Sequence[Rational], other: Sequence[Rational]
) -> int | float:
    """Steps between two real records of one establishment: the most that an attribute needs."""
    triples = zip(attributes, record, other, strict=True)
    return max(steps(psi, gamma, x, y) for (psi, gamma), x, y in triples)


def firm_steps(
    attributes: Sequence[Closeness], firm: Sequence[Sequence[Rational]], other: Sequence[Sequence[Rational]]
) -> int | float:
    """Steps between two states of a firm, a record for each establishment (Section 5.4.1): their sum."""
    return sum(record_steps(attributes, r, r2) for r, r2 in zip(firm, other, strict=True))


def _value(x: Rational) -> Fraction:
    return nonnegative("x", x)


def _last(true_at: Callable[[int], bool]) -> int:
    """The last n ≥ 0 at which a predicate that is true up to some n, and false after it, is true."""
    low, high = 0, 1
    while true_at(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if true_at(middle) else (low, middle)
    return low
