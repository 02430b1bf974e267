"""Whole-Staircase: a staircase law on whole numbers around φ(n), φ the growth scale of whole numbers; ours.

Counts well below 2/α, where steps are whole workers, get all but the noise of the two-sided geometric law,
and large ones that of the staircase law whose flat part is as wide as that of Growth-Staircase.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import final

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.staircase import ratio
from establish.spec.distributions.whole_staircase import Ladder, WholeStaircase
from establish.spec.domains import Defined, Domain
from establish.spec.growth_scale import ends
from establish.spec.mechanisms.growth_staircase import BELOW_CONSTANT, required_flat_part
from establish.spec.whole_scale import HALF, WholeScale, whole_scale


class WholeStaircaseMechanism(Defined):
    """The least whole number o with s ≤ cut(φ(o + 1/2)), s drawn around φ(n); privacy loss exactly ε.

    The scale has about 2/α blocks. Beyond ε = 50, e^(−ε) is small beside the digits of errors, and the flat
    part beside 1/GRID. Raises ParameterError outside the domain.
    """

    name = "whole-staircase"
    domain = Domain("ln(1 + α) < ε, α >= 1/1000, ε <= 50", besides=(BELOW_CONSTANT,))

    def choose(self) -> None:
        down, up = required_flat_part(self.name, self.alpha, self.epsilon)
        self.width, self.lean = down + up, max(Fraction(0), down - up) / 2

    @cached_property
    def scale(self) -> WholeScale:
        """φ."""
        return whole_scale(self.alpha)

    @cached_property
    def ladder(self) -> Ladder:
        """Λ: it turns one step before gaps are shorter than 1."""
        return Ladder(ceil(2 / self.alpha) - 1, self.width, self.lean, self.epsilon)

    @final
    def output(self, sizes: Sequence[int], c: World = MP) -> WholeStaircase:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        return WholeStaircase(self.scale.at(Fraction(sum(sizes)), c), self.ladder, self.scale, c)


def mean_errors(mechanism: WholeStaircaseMechanism, count: int) -> tuple[Number, Number]:
    """E(out − n)⁺ and E(n − out)⁺ where negative outputs become 0, to 20 digits.

    They are the sums of P(out > o) over o ≥ n and of P(out ≤ o) over 0 ≤ o < n, step by step of the law.
    """
    scale, ladder = mechanism.scale, mechanism.ladder
    center, drop = scale.at(Fraction(count), MP), ratio(mechanism.epsilon, MP)
    q, half = MP.exp(-MP.number(mechanism.epsilon)), MP.number(HALF)

    def tail(side: int) -> Number:
        total, mass, start, k = MP.number(0), MP.number(1), count, 0
        while start or side > 0:
            here, further = (ladder.at(center + side * (k + d), MP) for d in (0, 1))
            end = _numbers(scale, ladder, here + side * half - (further - here) * drop, side)
            end = max(start, end) if side > 0 else min(start, end)
            share = abs(end - start) * (half + side * here) - _cuts(scale, ladder, start, end)
            part = mass * share
            total += part
            if k and part < total * MP.number(10) ** -21:
                break
            start, mass, k = end, mass * q, k + 1
        return total

    return tail(1), tail(-1)


def _numbers(scale: WholeScale, ladder: Ladder, s: Number, side: int) -> int:
    """How many whole o ≥ 0 have cut(φ(o + 1/2)) ≤ s, above; below, how many have it < s."""

    def beyond(o: int) -> bool:
        cut = ladder.cut(scale.at(o + HALF, MP), MP)
        return bool(cut > s if side > 0 else cut >= s)

    number = scale.numbers_below(ends(ladder.place(s))[0])
    while number and beyond(number - 1):
        number -= 1
    while not beyond(number):
        number += 1
    return number


def _cuts(scale: WholeScale, ladder: Ladder, start: int, end: int) -> Number:
    """The sum of cut(φ(o + 1/2)) over start ≤ o < end; less that from end on, where start > end."""
    if start > end:
        return -_cuts(scale, ladder, end, start)
    total, o = MP.number(0), start
    while o < end:
        t = ends(scale.at(o + HALF, MP))[0]
        j = floor(t)
        low, slope, jump = ladder.cut_piece(j, MP)
        last = j + HALF if t - j < HALF else j + 1
        stop = o + 1 if t - j == HALF else scale.numbers_below(Fraction(last))
        stop = min(max(stop, o + 1), end)
        middle = 0 if t - j < HALF else jump / 2 if t - j == HALF else jump
        places = scale.total(stop, MP) - scale.total(o, MP)
        total += (stop - o) * (low - slope * j + middle) + slope * places
        o = stop
    return total


def error_of_one(mechanism: WholeStaircaseMechanism, count: Fraction) -> Number:
    """E|out − n| for n = count, where negative outputs become 0, to 20 digits."""
    return sum(mean_errors(mechanism, int(count)))
