"""Smooth Gamma: n + (S/a)·Z, Z with density ∝ 1/(1+z⁴) (Haney et al. 2017, Algorithm 2).

S = max(α·x, 1) for the largest establishment count x of the cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.heavy_tailed import GAMMA, HeavyTailed, dilation_constant, sliding_constant
from establish.spec.domains import Defined, Domain
from establish.spec.parameters import nonnegative
from establish.spec.relations.growth import growth_bound

PRINTED_CONSTANT = 1 + GAMMA
"""1 + γ: what Lemma 8.6 charges for sliding and for dilation alike."""


def published_slide(alpha: Number, epsilon: Number, c: World) -> Number:
    """a = ε1/5 with ε1 = ε − 5·ln(1+α), as printed in Algorithm 2; positive iff 1+α < e^(ε/5)."""
    dilation_budget = PRINTED_CONSTANT * c.log(1 + c.number(alpha))
    return (c.number(epsilon) - dilation_budget) / PRINTED_CONSTANT


def tight_slide(alpha: Number, epsilon: Number, c: World) -> Number:
    """a = (ε − 3·ln(1+α))/3^(3/4): the same calibration with the exact constants of the law."""
    dilation_budget = dilation_constant(GAMMA, c) * c.log(1 + c.number(alpha))
    return (c.number(epsilon) - dilation_budget) / sliding_constant(GAMMA, c)


def privacy_loss(numerator: Number, denominator: Number, slide: Number, ratio: Number, c: World) -> Number:
    """ln(q/p) at one output, for p the law of Z and q the law of slide + ratio·Z.

    The output is slide + ratio·w with w = numerator/denominator, in units of the smaller dataset's
    noise; denominator 0 is the limit w = ±∞. Written without division so that it has no pole.
    """
    w4, v4 = c.power(numerator, GAMMA), c.power(denominator, GAMMA)
    z4 = c.power(slide * denominator + ratio * numerator, GAMMA)
    return c.log((v4 + z4) / (v4 + w4)) - c.log(ratio)


def mean_absolute_error(largest: Number, alpha: Number, slide: Number, c: World) -> Number:
    """E|ñ − n| = S/(a·√2), from E|Z| = 1/√2."""
    return growth_bound(largest, alpha, c) / (slide * c.sqrt(c.number(2)))


class SmoothGammaMechanism(Defined):
    """Algorithm 2 as published, for α, ε > 0 with 1+α < e^(ε/5); privacy loss less than 3ε/5.

    Raises ParameterError outside that domain.
    """

    domain = Domain("1 + α < e^(ε/5)")

    def slide(self, c: World = MP) -> Number:
        """a, the admissible slide: the noise scale is S/a."""
        return published_slide(self.alpha, self.epsilon, c)

    def output(self, sizes: Sequence[int | Fraction], c: World = MP) -> HeavyTailed:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        return self.cell_law(sum(sizes), nonnegative("x", max(sizes, default=0)), c)

    def cell_law(self, count: Number, largest: Number, c: World = MP) -> HeavyTailed:
        """The same by the count and the largest establishment count x ≥ 0 of the cell."""
        sensitivity = growth_bound(largest, self.alpha, c)
        return HeavyTailed(c.number(count), sensitivity / self.slide(c), GAMMA, c)


class TightSmoothGammaMechanism(SmoothGammaMechanism):
    """Algorithm 2 calibrated with the exact admissibility constants, for 1+α < e^(ε/3)."""

    domain = Domain("1 + α < e^(ε/3)")

    def slide(self, c: World = MP) -> Number:
        return tight_slide(self.alpha, self.epsilon, c)


class TalkSmoothGammaMechanism(SmoothGammaMechanism):
    """Algorithm 2 as the slides of 2016 print it: S/(ε/16)·Z, for 1+α ≤ e^(ε/4)."""

    domain = Domain("1 + α <= e^(ε/4)")

    def slide(self, c: World = MP) -> Number:
        return c.number(self.epsilon) / 16


def error_of_one(mechanism: SmoothGammaMechanism, count: Fraction) -> Number:
    """E|out − n| for a cell of one establishment of n = count workers."""
    return mean_absolute_error(count, mechanism.alpha, mechanism.slide(), MP)
