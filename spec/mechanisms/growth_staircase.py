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
from establish.spec.domains import UNCHOSEN, Domain
from establish.spec.mechanisms.on_growth_scale import OnGrowthScaleMechanism
from establish.spec.parameters import ParameterError
from establish.spec.unbiased_growth import UnbiasedScale, geometric, numbered, own_places

GRID = 2**40
"""The ends of the flat part are multiples of 1/GRID."""

BELOW_CONSTANT = "E|noisy − n|/n < 1 as n grows (the constant 0 has 1)"
"""The part of a domain in which staircases on the growth scale are of use."""

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

    Raises ParameterError unless its error, as n grows, is below 1/α, that of the constant 0.
    """
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


def _upwards(start: Number, n: Number, alpha: Fraction, q: Number) -> Number:
    """Σ q^k·(A_k − n) over k ≥ 0, A_k the area from start + k to start + k + 1.

    Below 0, φ⁻¹(y + 1) = φ⁻¹(y) + 1: areas rise by 1. From 0 on they rise by the factor 1 + α.
    """
    k = max(0, floor(-start) + 1)
    total = (_area(start, start + 1, alpha) - n) * geometric(q, k) + numbered(q, k) if k else MP.number(0)
    at = start + k
    return total + q**k * (_area(at, at + 1, alpha) / (1 - q * (1 + MP.number(alpha))) - n / (1 - q))


def _downwards(start: Number, steps: int, n: Number, alpha: Fraction, q: Number) -> Number:
    """Σ q^k·(n − A_k) over 0 ≤ k < steps, A_k the area from start − k − 1 to start − k."""
    at = start - 1
    k = min(steps, max(0, floor(at) + 1))
    total = MP.number(0)
    if k:
        total += n * geometric(q, k) - _area(at, start, alpha) * geometric(q / (1 + MP.number(alpha)), k)
    if steps > k:
        lacking = n - _area(at - k, start - k, alpha)
        total += q**k * (lacking * geometric(q, steps - k) + numbered(q, steps - k))
    return total


def mean_errors(
    count: Fraction, alpha: Fraction, epsilon: Fraction, down: Fraction, up: Fraction
) -> tuple[Number, Number]:
    """E(out − n)⁺ and E(n − out)⁺ where negative outputs become 0; ε > ln(1+α).

    The density is constant on each step, φ⁻¹ has an integral in closed form, and so have the sums over steps.
    """
    center, zero = (growth_scale.scale(x, alpha, MP) for x in (count, Fraction(0)))
    n, q = MP.number(count), MP.exp(-MP.number(epsilon))
    up_end, down_end = center + MP.number(up), center - MP.number(down)
    above = _area(center, up_end, alpha) - n * (up_end - center) + q * _upwards(up_end, n, alpha, q)
    below = n * (center - down_end) - _area(max(down_end, zero), center, alpha)
    steps = max(0, floor(down_end - zero))
    below += q * _downwards(down_end, steps, n, alpha, q)
    below += q ** (steps + 1) * (n / (1 - q) - _area(zero, down_end - steps, alpha))
    flat = height(down, up, epsilon, MP)
    return flat * above, flat * below


class GrowthStaircaseMechanism(OnGrowthScaleMechanism):
    """φ⁻¹(φ(n) + W) in its domain; privacy loss exactly ε. Raises ParameterError elsewhere."""

    name = "growth-staircase"
    domain = Domain("ln(1 + α) < ε", besides=(BELOW_CONSTANT,))

    down: Fraction = UNCHOSEN
    up: Fraction = UNCHOSEN

    def choose(self) -> None:
        self.down, self.up = required_flat_part(self.name, self.alpha, self.epsilon)

    def noisy(self, center: Number, c: World = MP) -> Staircase:
        """The law of φ(out) where φ(n) is ``center``."""
        return Staircase(center, self.down, self.up, self.epsilon, c)


class UnbiasedGrowthStaircaseMechanism(GrowthStaircaseMechanism):
    """g(φ(n) + W) with the scale g that makes E out = n for every whole n; privacy loss exactly ε.

    Where the scale exists and increases. Raises ParameterError elsewhere.
    """

    name = "growth-staircase-unbiased"
    domain = Domain("α <= 1, 2·ln(1 + α) < ε", besides=(BELOW_CONSTANT, "g increases"))

    def choose(self) -> None:
        super().choose()
        low, high = own_places(self.alpha, self.down, self.up)
        with enclosing():
            defined = low < high and self.outputs(ARB).increases()
        if not defined:
            raise ParameterError(
                f"{self.name} needs outputs that increase with φ(n) + W, which they do not at "
                f"alpha = {self.alpha}, epsilon = {self.epsilon}: raise epsilon or lower alpha; "
                "growth-staircase would serve"
            )

    def outputs(self, c: Any = MP) -> UnbiasedScale:
        return _unbiased_scale(self.alpha, self.epsilon, self.down, self.up, c, precision())

    def mean_absolute_error(self, count: Fraction) -> Number:
        """E|out − n| for a whole n: twice E(out − n)⁺, as E out = n.

        Steps below the first break of the scale, where it is a line, are a series in closed form, and so are
        those beyond its last break, where it is C·(1+α)^y.
        """
        center, scale = growth_scale.scale(count, self.alpha, MP), self.outputs(MP)
        at, n, q = scale.position(count), MP.number(count), MP.exp(-MP.number(self.epsilon))
        flat, top, breaks = center - self.down, center + self.up, [MP.number(y) for y in scale.breaks]
        first = max(0, ceil(at - top))
        run = max(0, floor(breaks[0] - top) - first)
        last = max(first + run, ceil(breaks[-1] - top))
        places = [*breaks, *(flat - j for j in range(max(0, ceil(flat - at))))]
        places += [top + j for j in (*range(first + 1), *range(first + run, last + 1))]
        total = MP.number(0)
        for end in sorted(y for y in places if y > at):
            if at == top + first and run:
                rises = scale.pieces[0].slope * numbered(q, run)
                steps = (scale.area(at, at + 1) - n) * geometric(q, run) + rises
                total, at = total + q ** (first + 1) * steps, end
                continue
            middle = (at + end) / 2
            density = q ** max(0, ceil(flat - middle), ceil(middle - top))
            total, at = total + density * (scale.area(at, end) - n * (end - at)), end
        α = MP.number(self.alpha)
        rest = scale.value(at) * α / MP.log(1 + α) / (1 - q * (1 + α)) - n / (1 - q)
        return 2 * height(self.down, self.up, self.epsilon, MP) * (total + q ** (last + 1) * rest)


@lru_cache(maxsize=64)
def _unbiased_scale(
    alpha: Fraction, epsilon: Fraction, down: Fraction, up: Fraction, c: Any, bits: tuple[int, int]
) -> UnbiasedScale:
    """Kept with what was computed of it in the world c, at ``bits``, its `precision`."""
    return UnbiasedScale(alpha, epsilon, down, up, c)


def error_of_one(mechanism: GrowthStaircaseMechanism, count: Fraction) -> Number:
    """E|out − n| for n = count, where negative outputs become 0."""
    return sum(mean_errors(count, mechanism.alpha, mechanism.epsilon, mechanism.down, mechanism.up))
