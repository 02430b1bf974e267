"""The laws on integers that the samplers draw from, read in Arb from the formulas of the specification."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import flint

from establish.impl.arrays import Floats
from establish.impl.sampling.escalation import ROUNDS
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.reals import Reals
from establish.spec import growth_scale
from establish.spec.arithmetic import ARB, Number
from establish.spec.distributions import gaussian, geometric, heavy_tailed, laplace, lomax
from establish.spec.distributions.on_growth_scale import Counts
from establish.spec.distributions.staircase import Staircase
from establish.spec.distributions.two_sided import TwoSided
from establish.spec.distributions.whole_staircase import Ladder, WholeStaircase
from establish.spec.unbiased_growth import UnbiasedScale
from establish.spec.whole_scale import WholeScale

Cumulative = tuple[flint.arb, flint.arb]


def _laplace(z: Number) -> Number:
    return laplace.cdf(z, ARB.number(0), ARB.number(1), ARB)


def _gaussian(z: Number) -> Number:
    return gaussian.cdf(z, ARB)


def _heavy_tailed(z: Number) -> Number:
    return heavy_tailed.cdf(z, 4, ARB)


def _between(cdf: Callable[[Number], Number], z: flint.arb) -> Cumulative:
    """Bounds of the increasing ``cdf`` on the ball z, from its end points: they hold for any ball."""
    low, high = z.lower(), z.upper()
    if low == high:
        value = cdf(low)
        return value.lower(), value.upper()
    return cdf(low).lower(), cdf(high).upper()


def _upper_boundary(k: int, grid: Grid) -> flint.arb:
    """(k + 1/2) grid units, exactly: what rounds to k or less lies below."""
    return flint.arb((2 * k + 1, grid.exponent - 1))


@dataclass(frozen=True)
class Rounded:
    """center + scale·Z rounded to the nearest multiple of the grid; Z has the distribution ``cdf``.

    A tie has probability 0, because Z has a density.
    """

    cdf: Callable[[Number], Number]
    center: Reals
    scale: Reals
    grid: Grid

    def cumulative(self, i: int, k: int) -> Cumulative:
        """P(center + scale·Z ≤ (k + 1/2)·2^exponent)."""
        z = (_upper_boundary(k, self.grid) - self.center.exact(i)) / self.scale.exact(i)
        return _between(self.cdf, z)


@dataclass(frozen=True)
class RoundedLogLaplace:
    """(n + γ)·e^η − γ rounded to the nearest multiple of the grid; η ~ Laplace(scale)."""

    count: Reals
    gamma: Reals
    scale: Reals
    grid: Grid

    def cumulative(self, i: int, k: int) -> Cumulative:
        """P(η ≤ ln((x + γ)/(n + γ))) for x = (k + 1/2)·2^exponent; 0 for x ≤ −γ."""
        gamma, scale = self.gamma.exact(i), self.scale.exact(i)
        above = _upper_boundary(k, self.grid) + gamma
        start = self.count.exact(i) + gamma
        low, high = ((end / start).log() / scale for end in (above.lower(), above.upper()))
        zero = flint.arb(0)
        below = zero if above.lower() <= 0 else _between(_laplace, low)[0]
        return below, zero if above.upper() <= 0 else _between(_laplace, high)[1]


@dataclass(frozen=True)
class RoundedGrowth:
    """The output at φ(n) + width·W in whole numbers, φ the growth scale of α; W has the distribution ``cdf``.

    position: where on the growth scale the output is a given number; it reads the ambient precision.
    """

    cdf: Callable[[Number], Number]
    counts: Floats
    width: Reals
    alpha: Fraction
    position: Callable[[Fraction], Number]

    def cumulative(self, i: int, k: int) -> Cumulative:
        """P(φ(n) + width·W ≤ the position of k + 1/2)."""
        y = self.position(Fraction(2 * k + 1, 2))
        center = growth_scale.scale(Fraction(int(self.counts[i])), self.alpha, ARB)
        return _between(self.cdf, (y - center) / self.width.exact(i))


@dataclass(frozen=True)
class OnWholeNumbers:
    """The staircase law on whole numbers around φ(n), φ and Λ those of ``scale`` and ``ladder``."""

    counts: Floats
    scale: WholeScale
    ladder: Ladder

    def cumulative(self, i: int, k: int) -> Cumulative:
        """P(output ≤ k)."""
        center = self.scale.at(Fraction(int(self.counts[i])), ARB)
        below, _ = WholeStaircase(center, self.ladder, self.scale, ARB).tails(k)
        return below.lower(), below.upper()


@dataclass(frozen=True)
class TwoSidedGeometric:
    """P(K = k) proportional to e^(−ε|k|), on all integers."""

    epsilon: Fraction

    def cumulative(self, i: int, k: int) -> Cumulative:
        """P(K ≤ k)."""
        value = geometric.cdf(k, ARB.exp(ARB.number(-self.epsilon)), ARB)
        return value.lower(), value.upper()


def rounded_laplace(center: Reals, scale: Reals, grid: Grid) -> Rounded:
    return Rounded(_laplace, center, scale, grid)


def rounded_gaussian(center: Reals, scale: Reals, grid: Grid) -> Rounded:
    return Rounded(_gaussian, center, scale, grid)


def rounded_heavy_tailed(center: Reals, scale: Reals, grid: Grid) -> Rounded:
    return Rounded(_heavy_tailed, center, scale, grid)


def rounded_lomax(center: Reals, scale: Reals, spread: Reals, grid: Grid) -> Rounded:
    """center + scale·Z with P(|Z| > z) = (1 + z)^(−1/spread), for one number ``spread``."""

    def cdf(z: Number) -> Number:
        return lomax.cdf(z, 1 + 1 / spread.exact(0), ARB.number(1), ARB)

    return Rounded(cdf, center, scale, grid)


def rounded_two_sided(center: Reals, scale: Reals, law: TwoSided, grid: Grid) -> Rounded:
    """center + scale·Z for the standard ``law`` Z, whose parameters are exact; read once per precision."""

    @lru_cache(maxsize=ROUNDS)
    def read(precision: int) -> TwoSided:
        return replace(law, center=ARB.number(0), scale=ARB.number(1), c=ARB)

    def cdf(z: Number) -> Number:
        return read(flint.ctx.prec).cdf(z)

    return Rounded(cdf, center, scale, grid)


def growth_laplace(counts: Floats, width: Reals, alpha: Fraction) -> RoundedGrowth:
    return RoundedGrowth(_laplace, counts, width, alpha, Counts(alpha, ARB).position)


def growth_staircase(
    counts: Floats, alpha: Fraction, down: Fraction, up: Fraction, epsilon: Fraction
) -> RoundedGrowth:
    def cdf(w: Number) -> Number:
        return Staircase(ARB.number(0), down, up, epsilon, ARB).cdf(w)

    return RoundedGrowth(cdf, counts, Reals.integers(1), alpha, Counts(alpha, ARB).position)


def unbiased_growth_staircase(counts: Floats, scale: UnbiasedScale) -> RoundedGrowth:
    """The same with the outputs of ``scale``, which is made anew for every precision."""

    def position(x: Fraction) -> Number:
        return replace(scale, c=ARB).position(x)

    ideal = growth_staircase(counts, scale.alpha, scale.down, scale.up, scale.epsilon)
    return replace(ideal, position=position)
