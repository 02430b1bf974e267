"""Smooth Staircase: n + S·Z, Z with a staircase law whose steps spread, S = max(α·x, 1); ours.

x is the largest establishment count of the cell. A neighbor moves the center by d·S and multiplies the scale
by m, 0 ≤ d ≤ 1 ≤ m ≤ 1 + α·d. Steps spread so that a move crosses one of them at most (or, across the flat,
one on each side), which costs at most ε whatever m is. The staircase of Geng and Viswanath 2014 is the limit
for α → 0. The ends of the flat part are those of the least E|Z|; Z is a little biased, but for the even law.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import floor

from establish.spec.arithmetic import DIGITS, MP, Number, World
from establish.spec.distributions import spreading_staircase as law_of
from establish.spec.distributions.spreading_staircase import SpreadingStaircase
from establish.spec.domains import UNCHOSEN, Defined, Domain
from establish.spec.parameters import nonnegative
from establish.spec.relations.growth import growth_bound

GRID = 2**40
"""The ends of the flat part are multiples of 1/GRID."""


@cache
def flat_part(alpha: Fraction, epsilon: Fraction, even: bool = False) -> tuple[Fraction, Fraction]:
    """(r1, r2) of the least E|Z|, to multiples of 1/GRID, at least 0; ε > 3·ln(1+α).

    On either side mass and first moment have derivatives in r that are linear in r, so that given a value V
    of E|Z| the best r solves moment' = V·mass'; that V falls to the least one from one round to the next.
    """
    found = Fraction(1, 2), Fraction(1, 2)
    with MP.mp.workdps(DIGITS):
        for _ in range(60):
            law = SpreadingStaircase(MP.number(0), MP.number(1), alpha, epsilon, *found, even=even)
            v, (below, above) = law.mean_absolute(), law.sides
            before, found = found, (_best(below, v), _best(above, v))
            if found == before:
                break
    return found


def _best(side: law_of.Side, v: Number) -> Fraction:
    """r with moment'(r) = v·mass'(r), where both are taken at the side's number of slides.

    With q the ratio, g = 1+α and K slides, mass' = 1 + q^K·(g−1)q/(1−qg) and moment' = r + Σ q^k
    + q^K·[(r + K + shift)·(g²−1)q/(1−qg²) − shift·(g−1)q/(1−qg)].
    """
    q, g, last = side.ratio, side.growth, side.ratio**side.slides
    thin, wide = (g - 1) * q / (1 - q * g), (g * g - 1) * q / (1 - q * g * g)
    slid = q * (1 - last) / (1 - q)
    mass = 1 + last * thin
    rest = slid + last * ((side.slides + side.shift) * wide - side.shift * thin)
    r = (v * mass - rest) / (1 + last * wide)
    return max(Fraction(floor(r * GRID), GRID), Fraction(0))


class SmoothStaircaseMechanism(Defined):
    """n + S·Z, where E|Z| is finite on both sides; privacy loss exactly ε. Raises ParameterError elsewhere.

    down, up: r1 and r2, chosen by α and ε; the privacy loss is the same for all of at least 0.
    """

    domain = Domain("3·ln(1 + α) < ε")
    down: Fraction = UNCHOSEN
    up: Fraction = UNCHOSEN
    even = False

    def choose(self) -> None:
        self.down, self.up = flat_part(self.alpha, self.epsilon, self.even)

    def up_drop(self, c: World) -> Number:
        """What a step upwards costs."""
        return law_of.up_drop(self.alpha, self.epsilon, c)

    def down_drop(self, c: World) -> Number:
        """What a step downwards costs."""
        return law_of.down_drop(self.alpha, self.epsilon, c)

    def output(self, sizes: Sequence[int | Fraction], c: World = MP) -> SpreadingStaircase:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        return self.cell_law(sum(sizes), nonnegative("x", max(sizes, default=0)), c)

    def cell_law(self, count: Number, largest: Number, c: World = MP) -> SpreadingStaircase:
        """The same by the count and the largest establishment count x ≥ 0 of the cell."""
        scale = growth_bound(largest, self.alpha, c)
        ends = self.down, self.up
        given = self.alpha, self.epsilon, *ends, c, self.even
        return SpreadingStaircase(c.number(count), scale, *given)

    def mean_absolute_error(self, largest: Number, c: World = MP) -> Number:
        """E|out − n| = S·E|Z|."""
        law = self.cell_law(0, largest, c)
        return law.scale * law.mean_absolute()

    def loss_of_first_worker(self, c: World = MP) -> Number:
        """ln of the ratio of the densities where an empty cell that hires one worker loses most: there the
        output lies on the first step above for the empty cell, and on the flat part for the other.
        """
        wide, half = self.down + self.up >= 1, Fraction(1, 2)
        output = self.up + half if wide else 1 + half * (self.up - self.down)
        empty, one = (self.cell_law(n, n, c).log_density(output) for n in (0, 1))
        return one - empty

    def bias(self, largest: Number, c: World = MP) -> Number:
        """E out − n = S·E Z."""
        law = self.cell_law(0, largest, c)
        return law.scale * law.mean()


class UnbiasedSmoothStaircaseMechanism(SmoothStaircaseMechanism):
    """The same with the even law, so that E out = n."""

    even = True

    def up_drop(self, c: World) -> Number:
        return self.down_drop(c)
