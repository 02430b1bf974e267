"""The exact way to an output: more bits and more precision until the rounding is decided."""

from collections.abc import Iterator
from threading import Lock
from typing import Protocol

import flint

from establish.impl.sampling.grid import REACH
from establish.spec.arithmetic import enclosing

ROUNDS = 13
"""Precision doubles from 128 bits in each round. A law read from true reals is undecided after r words
with probability about (width of a step of the law) × 2^−64r: this many never come."""


_ONE_AT_A_TIME = Lock()
"""Arb's precision belongs to the process, not to a thread."""


class IntegerLaw(Protocol):
    """For each cell i, a law on the integers k: grid units, or counts."""

    def cumulative(self, i: int, k: int) -> tuple[flint.arb, flint.arb]:
        """Exact numbers below and above P(K ≤ k), tight at the ambient precision; NaN for unknown."""


def quantile(law: IntegerLaw, i: int, word: int, further: Iterator[int], guess: int) -> int:
    """The k with P(K < k) < p ≤ P(K ≤ k), moved into ±REACH, for cell i.

    p in (0, 1) has the binary expansion ``word`` (64 bits), then those of ``further``. Starts at
    ``guess``, doubles its steps until k is bracketed, then bisects. A comparison that a ball leaves
    open, or that is NaN, waits for the next round; what was decided stays decided. Raises
    ArithmeticError when 13 rounds leave it open, which real numbers that do not get tighter do.
    """
    low, high = -REACH - 1, REACH
    numerator, width = word, 64
    k, step, last = guess, 1, 0
    for extra in range(ROUNDS):
        if extra:
            numerator, width = (numerator << 64) | next(further), width + 64
        with _ONE_AT_A_TIME, enclosing(128 << extra):
            p_below, p_above = flint.arb((numerator, -width)), flint.arb((numerator + 1, -width))
            while high - low > 1:
                k = min(max(k, low + 1), high - 1)
                below, above = law.cumulative(i, k)
                if p_above <= below:
                    high, direction = k, -1
                elif p_below >= above:
                    low, direction = k, 1
                else:
                    break
                bracketed = last == -direction or step == 0
                step, last = (0 if bracketed else 2 * step), direction
                k = (low + high) // 2 if bracketed else k + direction * step // 2
            else:
                return high
    raise ArithmeticError(
        f"an output was not decided with {64 * ROUNDS} bits: its center or scale is not known exactly"
    )
