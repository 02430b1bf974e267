"""Growth-Staircase: φ⁻¹(φ(n) + W) with a staircase law W and the growth scale φ; ours.

The staircase of Geng and Viswanath 2014 on the growth scale, with a flat part that is not symmetric: its ends
−r1 and r2 are those of the least E|out − n|/n as n grows, as far as they are at least 0. A variant carries
φ(n) + W to outputs by another scale, so that E out = n for every whole n.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from math import ceil, floor
from typing import Any

from establish.spec import growth_scale
from establish.spec.arithmetic import ARB, DIGITS, MP, Number, World, enclosing, precision
from establish.spec.distributions.staircase import Staircase, height
from establish.spec.mechanisms.on_growth_scale import OnGrowthScaleMechanism
from establish.spec.parameters import ParameterError, Rational, positive
from establish.spec.unbiased_growth import UnbiasedScale, own_places

GRID = 2**40
"""The ends of the flat part are multiples of 1/GRID."""

NEAR_CONSTANT = 1 - MP.number(Fraction(1, 2**40))
"""From a larger multiple of 1/α, the error of the constant 0, the search for the least error starts here."""


def large_error(alpha: Number, epsilon: Number, down: Number, up: Number, c: World) -> Number:
    """E|(1+α)^W − 1|/α, the limit of E|out − n|/(αn) as n grows, for r1, r2 ≥ 0 and ε > ln(1+α).

    Each step is an exponential integral, and the steps on a side are a geometric series.
    """
    α, ε, down, up = (c.number(value) for value in (alpha, epsilon, down, up))
    growth, q = c.log(1 + α), c.exp(-ε)
    rise, fall = c.exp(growth * up), c.exp(-growth * down)
    flat = (rise - 1) / growth - up + down - (1 - fall) / growth
    above = rise * α / growth * q / (1 - q * (1 + α))
    below = fall * α / growth * q / (1 + α - q)
    return height(down, up, epsilon, c) * (flat + above - below) / α


def mean_growth(alpha: Number, epsilon: Number, down: Number, up: Number, c: World) -> Number:
    """E (1+α)^W, for r1, r2 ≥ 0 and ε > ln(1+α)."""
    α, ε, down, up = (c.number(value) for value in (alpha, epsilon, down, up))
    growth, q = c.log(1 + α), c.exp(-ε)
    rise, fall = c.exp(growth * up), c.exp(-growth * down)
    steps = rise * q / (1 - q * (1 + α)) + fall * q / (1 + α - q)
    return height(down, up, epsilon, c) * (rise - fall + steps * α) / growth


def large_unbiased_error(alpha: Number, epsilon: Number, down: Number, up: Number, c: World) -> Number:
    """E|(1+α)^W/M − 1|/α with M = E (1+α)^W, where ln M/ln(1+α) is on the flat part: twice the part above."""
    α, ε, down, up = (c.number(value) for value in (alpha, epsilon, down, up))
    growth, q, m = c.log(1 + α), c.exp(-ε), mean_growth(alpha, epsilon, down, up, c)
    start = c.log(m) / growth
    flat = (c.exp(growth * up) / m - 1) / growth - (up - start)
    above = c.exp(growth * up) * α / growth * q / (1 - q * (1 + α)) / m - q / (1 - q)
    return 2 * height(down, up, epsilon, c) * (flat + above) / α


@cache
def flat_part(alpha: Fraction, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """(r1, r2) of the least large_error among those of at least 0, to multiples of 1/GRID; ε > ln(1+α).

    Given a value V of the error, the best ends solve e^(L·r2)·A = 1 + αV and e^(−L·r1)·B = 1 − αV with
    A = (1−q)/(1−q(1+α)) and B = (1+α)(1−q)/(1+α−q); that V falls to the least one from one round to the next.
    """
    with MP.mp.workdps(DIGITS):
        α, q = MP.number(alpha), MP.exp(-MP.number(epsilon))
        growth = MP.log(1 + α)
        upper, lower = (1 - q) / (1 - q * (1 + α)), (1 + α) * (1 - q) / (1 + α - q)
        down, up = MP.number(0), MP.number(0)
        for _ in range(60):
            before = down, up
            v = min(large_error(alpha, epsilon, down, up, MP), NEAR_CONSTANT / α)
            up = max(MP.number(0), MP.log((1 + α * v) / upper) / growth)
            down = max(MP.number(0), -MP.log((1 - α * v) / lower) / growth)
            if before == (down, up):
                break
        first, second = (Fraction(floor(end * GRID), GRID) for end in (down, up))
        return first, second


def required_flat_part(name: str, alpha: Fraction, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """`flat_part` for the mechanism of that name.

    Raises ParameterError unless ε > ln(1+α) and its error, as n grows, is below 1/α, that of the constant 0.
    """
    if not MP.log(1 + MP.number(alpha)) < MP.number(epsilon):
        raise ParameterError(
            f"epsilon = {epsilon} is too small for alpha = {alpha}: {name} needs ln(1+α) < ε"
        )
    ends = flat_part(alpha, epsilon)
    error, constant = large_error(alpha, epsilon, *ends, MP), 1 / MP.number(alpha)
    if error >= constant:
        raise ParameterError(
            f"{name} needs an error below 1/α, that of the constant 0, but it has "
            f"{MP.mp.nstr(error, 5)} and 1/α = {MP.mp.nstr(constant, 5)} (alpha = {alpha}, epsilon = "
            f"{epsilon}), in units of α·n: raise epsilon or lower alpha; growth-laplace would serve"
        )
    return ends


def _area(start: Number, end: Number, alpha: Fraction) -> Number:
    """∫ φ⁻¹(y) dy from start to end, joint by joint: piece j holds from −j to 1 − j, piece 0 from 0 on."""
    growth, total, at = MP.log(1 + MP.number(alpha)), MP.number(0), start
    while at < end:
        j = max(0, ceil(-at))
        stop = min(end, MP.number(1 - j)) if j else end
        low, high = (MP.exp(growth * (y + j)) for y in (at, stop))
        total += (high - low) / (growth * MP.number(alpha)) - j * (stop - at)
        at = stop
    return total


def mean_errors(
    count: Fraction, alpha: Fraction, epsilon: Fraction, down: Fraction, up: Fraction
) -> tuple[Number, Number]:
    """E(out − n)⁺ and E(n − out)⁺ where negative outputs become 0, to 20 digits; ε > ln(1+α).

    The density is constant on each step, and φ⁻¹ has an integral in closed form; the steps beyond those that
    matter to 20 digits are left out.
    """
    center, zero = (growth_scale.scale(x, alpha, MP) for x in (count, Fraction(0)))
    n, q = MP.number(count), MP.exp(-MP.number(epsilon))
    flat = height(down, up, epsilon, MP)
    above = below = MP.number(0)
    at, width, mass = center, MP.number(up), flat
    while True:
        part = mass * (_area(at, at + width, alpha) - n * width)
        above += part
        if mass < flat and part < above * MP.number(10) ** -21:
            break
        at, width, mass = at + width, MP.number(1), mass * q
    at, width, mass = center, MP.number(down), flat
    while at > zero and mass > flat * MP.number(10) ** -25:
        low = max(at - width, zero)
        below += mass * (n * width - _area(low, at, alpha))
        at, width, mass = at - width, MP.number(1), mass * q
    if at <= zero:
        below += n * mass / (1 - q)
    return above, below


class GrowthStaircaseMechanism(OnGrowthScaleMechanism):
    """φ⁻¹(φ(n) + W) for α > 0 and ε > ln(1+α); privacy loss exactly ε. Raises ParameterError elsewhere."""

    name = "growth-staircase"

    def __init__(self, alpha: Rational, epsilon: Rational) -> None:
        self.alpha = positive("alpha", alpha)
        self.epsilon = positive("epsilon", epsilon)
        self.down, self.up = required_flat_part(self.name, self.alpha, self.epsilon)

    def noisy(self, center: Number, c: World = MP) -> Staircase:
        """The law of φ(out) where φ(n) is ``center``."""
        return Staircase(center, self.down, self.up, self.epsilon, c)


class UnbiasedGrowthStaircaseMechanism(GrowthStaircaseMechanism):
    """g(φ(n) + W) with the scale g that makes E out = n for every whole n; privacy loss exactly ε.

    For α ≤ 1 and ε > 2·ln(1+α), where the scale exists and increases. Raises ParameterError elsewhere.
    """

    name = "growth-staircase-unbiased"

    def __init__(self, alpha: Rational, epsilon: Rational) -> None:
        super().__init__(alpha, epsilon)
        if self.alpha > 1 or not 2 * MP.log(1 + MP.number(self.alpha)) < MP.number(self.epsilon):
            raise ParameterError(
                f"{self.name} needs α <= 1 and 2·ln(1+α) < ε, but alpha = "
                f"{alpha} and epsilon = {epsilon}; growth-staircase would serve"
            )
        low, high = own_places(self.alpha, self.down, self.up)
        with enclosing():
            defined = low < high and self.outputs(ARB).increases()
        if not defined:
            raise ParameterError(
                f"{self.name} needs outputs that increase with φ(n) + W, which they do not at "
                f"alpha = {alpha}, epsilon = {epsilon}: raise epsilon or lower alpha; growth-staircase would "
                "serve"
            )

    def outputs(self, c: Any = MP) -> UnbiasedScale:
        return _unbiased_scale(self.alpha, self.epsilon, self.down, self.up, c, precision())

    def mean_absolute_error(self, count: Fraction) -> Number:
        """E|out − n| for a whole n: twice E(out − n)⁺, as E out = n.

        Beyond the last break of the scale it is C·(1+α)^y, and the steps are geometric series.
        """
        center, scale = growth_scale.scale(count, self.alpha, MP), self.outputs(MP)
        at, law, n = scale.position(count), self.noisy(center), MP.number(count)
        last = max(at, MP.number(scale.breaks[-1]))
        k = max(0, ceil(last - center - self.up))
        steps = [center - self.down - j for j in range(max(0, ceil(center - self.down - at)))]
        steps += [center + self.up + j for j in range(k + 1)]
        total = MP.number(0)
        for end in sorted(x for x in [*steps, *map(MP.number, scale.breaks)] if x > at):
            density = MP.exp(law.log_density((at + end) / 2))
            total, at = total + density * (scale.area(at, end) - n * (end - at)), end
        α, q = MP.number(self.alpha), MP.exp(-MP.number(self.epsilon))
        rest = scale.value(at) * α / MP.log(1 + α) / (1 - q * (1 + α)) - n / (1 - q)
        return 2 * (total + height(self.down, self.up, self.epsilon, MP) * q ** (k + 1) * rest)


@lru_cache(maxsize=64)
def _unbiased_scale(
    alpha: Fraction, epsilon: Fraction, down: Fraction, up: Fraction, c: Any, bits: tuple[int, int]
) -> UnbiasedScale:
    """Kept with what was computed of it in the world c, at ``bits``, its `precision`."""
    return UnbiasedScale(alpha, epsilon, down, up, c)
