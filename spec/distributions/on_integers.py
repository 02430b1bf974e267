"""Laws on the integers by weights that need not sum to 1, and their sums with all that is left out enclosed.

A weight is e^{l(k)}, and beyond some |k| l is concave: l(k − 1) + l(k + 1) ≤ 2·l(k). There the ratio of a
weight to the one before never rises on the way out. Where |f(k)| ≤ size·(1 + |k|)^d and the ratio, times
(1 + 1/(1 + |k|))^d, is at most q < 1 at k, all from k on adds at most size·(1 + |k|)^d·e^{l(k)}/(1 − q).
"""

from collections.abc import Callable
from typing import Any

import flint

from establish.spec.arithmetic import MP, Number, World, precision

LogWeight = Callable[[int], Number]
"""l(k), concave beyond some |k|."""

FARTHEST = 100_000
"""How far from 0 a sum is followed."""


def total(
    log_weight: LogWeight,
    c: World,
    of: Callable[[int], Number] | None = None,
    degree: int = 0,
    size: Any = 1,
    beyond: int = 0,
    farthest: int = FARTHEST,
) -> Number:
    """Σ over all integers k of f(k)·e^{l(k)}: in ARB a ball that holds it, in MP to the working precision.

    of: f, 1 where it is not given, with |f(k)| ≤ size·(1 + |k|)^degree for |k| ≥ beyond. l is concave at
    all k with |k| > beyond ≥ 0. That bound and the concavity are the caller's: they are not looked at here.
    Raises ArithmeticError where the weights do not certainly fall before k = ±farthest.
    """
    smallest = c.number(2 ** precision()[0 if c is MP else 1])
    found, weights, left_out = c.number(0), c.number(0), c.number(0)
    for side in (1, -1):
        k = 0 if side == 1 else -1
        weight = c.exp(log_weight(k))
        while True:
            following = c.exp(log_weight(k + side))
            far = abs(k) >= beyond and following < weight
            tail = _tail(weight, following, abs(k), degree, c) if far else None
            if tail is not None and tail * smallest < weights:
                left_out += tail
                break
            found += weight if of is None else c.number(of(k)) * weight
            weights += weight
            k, weight = k + side, following
            if abs(k) > farthest:
                raise ArithmeticError(f"the weights do not fall fast enough before k = {k}")
    return found if c is MP else found + (c.number(size) * left_out) * _unit()


def _unit() -> Number:
    """The ball from −1 to 1."""
    return flint.arb(0, 1)


def _tail(weight: Number, following: Number, away: int, degree: int, c: World) -> Number | None:
    """What Σ (1 + |k|)^d·e^{l(k)} adds from the index of ``weight`` outwards, at most; None if not known."""
    ratio = following / weight * c.power(c.number(away + 2) / (away + 1), degree)
    if not ratio < 1:
        return None
    return c.power(c.number(away + 1), degree) * weight / (1 - ratio)


class OnIntegers:
    """A law on ℤ with P(X = k) ∝ e^{l(k)}, l concave, in the world ``c``. Every integer is an atom."""

    c: World

    def log_weight(self, k: Any) -> Number:
        """l(k)."""
        raise NotImplementedError

    def total(self) -> Number:
        """Σ e^{l(k)}, which makes the weights probabilities."""
        return total(self.log_weight, self.c)

    def mass(self, k: int) -> Number:
        """P(X = k)."""
        return self.c.exp(self.log_weight(k)) / self.total()

    def mean(self, of: Callable[[int], Number], degree: int = 0, size: Any = 1) -> Number:
        """E f(X), for |f(k)| ≤ size·(1 + |k|)^degree."""
        return total(self.log_weight, self.c, of, degree, size) / self.total()


def renyi(first: OnIntegers, second: OnIntegers, order: Number) -> Number:
    """D_a(P‖Q) for a > 1, both laws in one world; a·l_P + (1 − a)·l_Q must be concave, too."""
    c, a = first.c, first.c.number(order)
    joint = total(lambda k: mixed(a, first.log_weight(k), second.log_weight(k)), c)
    return divergence(a, joint, first.total(), second.total(), c)


def mixed(order: Number, first: Number, second: Number) -> Number:
    """a·l_P + (1 − a)·l_Q, the logarithm of what D_a sums."""
    return order * first + (1 - order) * second


def divergence(order: Number, joint: Number, first: Number, second: Number, c: World) -> Number:
    """D_a(P‖Q) = ln(Σ P(k)^a·Q(k)^(1−a))/(a − 1), by the sums of the mixed weights and of either law's."""
    return (c.log(joint) - mixed(order, c.log(first), c.log(second))) / (order - 1)


def hockey_stick(first: OnIntegers, second: OnIntegers, level: Number) -> Number:
    """Σ max(0, P(k) − e^level·Q(k)), the least δ at a level ≥ 0, both laws in one world."""
    c, factor = first.c, first.c.exp(first.c.number(level)) * first.total() / second.total()

    def excess(k: int) -> Number:
        return c.maximum(c.number(0), 1 - factor * c.exp(second.log_weight(k) - first.log_weight(k)))

    return first.mean(excess)
