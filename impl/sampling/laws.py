"""Draws from exactly the ideal laws, rounded to the nearest multiple of a public grid.

An output is a function of the parameters and of the bits only: the quantile, at a uniform p whose binary
expansion is the word at the cell's position in the stream and then the words that extend it, of the law of
the rounded value. A tie, a value in the middle between two multiples, has probability 0. Outputs beyond
±2^52 grid units are moved to ±2^52 grid units.

Centers and scales are :class:`Reals`: one number or one per cell, and every scale > 0. The shape of the
result is theirs: () when all are single numbers. ParameterError for a scale that is not certainly positive,
per-cell arrays of different lengths, and NaN or infinite values; no message shows a value.
"""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.sampling import ideal_laws, spreading, tables
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.growth import Growth
from establish.impl.sampling.location_scale import LocationScale
from establish.impl.sampling.log_laplace import LogLaplace
from establish.impl.sampling.lomax import Lomax
from establish.impl.sampling.quantile_table import QuantileTable
from establish.impl.sampling.reals import UNIT, UP, Reals
from establish.impl.sampling.rounding import draw
from establish.impl.sampling.sampler import Sampler
from establish.impl.sampling.staircase import GrowthStaircase, Lines
from establish.impl.sampling.unbiased_growth import Pieces, UnbiasedGrowthStaircase
from establish.impl.sampling.whole_staircase import WholeStaircase
from establish.spec.arithmetic import ARB
from establish.spec.distributions.two_sided import TwoSided
from establish.spec.distributions.whole_staircase import Ladder
from establish.spec.parameters import ParameterError, positive
from establish.spec.unbiased_growth import UnbiasedScale
from establish.spec.whole_scale import WholeScale


def _shape(**reals: Reals) -> tuple[int, ...]:
    shapes = {x.approximate.shape for x in reals.values()} - {()}
    if len(shapes) > 1:
        names = " and ".join(reals)
        raise ParameterError(f"{names} must have one length, or be single numbers")
    return shapes.pop() if shapes else ()


def _require_positive(name: str, x: Reals) -> None:
    if not (x.approximate > x.error).all():
        raise ParameterError(f"{name} is not allowed: it must be greater than 0 in every cell, and known so")


def _location_scale(
    law: ideal_laws.Rounded, table: QuantileTable, center: Reals, scale: Reals, grid: Grid
) -> LocationScale:
    _require_positive("scale", scale)
    shape = _shape(center=center, scale=scale)
    return LocationScale(law, shape, table, center.scaled(-grid.exponent), scale.scaled(-grid.exponent))


def laplace_sampler(center: Reals, scale: Reals, grid: Grid) -> Sampler:
    law = ideal_laws.rounded_laplace(center, scale, grid)
    return _location_scale(law, tables.laplace(), center, scale, grid)


def gaussian_sampler(center: Reals, scale: Reals, grid: Grid) -> Sampler:
    law = ideal_laws.rounded_gaussian(center, scale, grid)
    return _location_scale(law, tables.gaussian(), center, scale, grid)


def heavy_tailed_sampler(center: Reals, scale: Reals, grid: Grid) -> Sampler:
    law = ideal_laws.rounded_heavy_tailed(center, scale, grid)
    return _location_scale(law, tables.heavy_tailed(), center, scale, grid)


def log_laplace_sampler(count: Reals, gamma: Reals, scale: Reals, grid: Grid) -> Sampler:
    _require_positive("scale", scale)
    shape = _shape(count=count, gamma=gamma, scale=scale)
    start = count.plus(gamma)
    _require_positive("count + gamma", start)
    return LogLaplace(
        ideal_laws.RoundedLogLaplace(count, gamma, scale, grid),
        shape,
        tables.laplace(),
        start.scaled(-grid.exponent),
        gamma.scaled(-grid.exponent),
        scale,
    )


def lomax_sampler(center: Reals, scale: Reals, spread: Reals, grid: Grid) -> Sampler:
    _require_positive("scale", scale)
    _require_positive("spread", spread)
    if spread.approximate.ndim:
        raise ParameterError("spread must be a single number")
    return Lomax(
        ideal_laws.rounded_lomax(center, scale, spread, grid),
        _shape(center=center, scale=scale),
        tables.laplace(),
        center.scaled(-grid.exponent),
        scale.scaled(-grid.exponent),
        spread,
    )


def two_sided_sampler(center: Reals, scale: Reals, law: TwoSided, grid: Grid) -> Sampler:
    _require_positive("scale", scale)
    below, above = spreading.curves(law)
    return spreading.Spreading(
        ideal_laws.rounded_two_sided(center, scale, law, grid),
        _shape(center=center, scale=scale),
        below,
        above,
        center.scaled(-grid.exponent),
        scale.scaled(-grid.exponent),
    )


def growth_laplace_sampler(counts: Floats, alpha: Fraction, epsilon: Fraction) -> Sampler:
    width = Reals.fraction(1 / epsilon)
    law = ideal_laws.growth_laplace(counts, width, alpha)
    return Growth(law, tables.laplace(), counts, alpha, width)


def growth_staircase_sampler(
    counts: Floats, alpha: Fraction, down: Fraction, up: Fraction, epsilon: Fraction
) -> Sampler:
    return GrowthStaircase(
        ideal_laws.growth_staircase(counts, alpha, down, up, epsilon),
        tables.laplace(),
        counts,
        alpha,
        Reals.integers(1),
        Lines.of(down, up, epsilon),
    )


def unbiased_growth_staircase_sampler(counts: Floats, scale: UnbiasedScale) -> Sampler:
    return UnbiasedGrowthStaircase(
        ideal_laws.unbiased_growth_staircase(counts, scale),
        tables.laplace(),
        counts,
        scale.alpha,
        Reals.integers(1),
        Lines.of(scale.down, scale.up, scale.epsilon),
        Pieces.of(replace(scale, c=ARB)),
    )


def whole_staircase_sampler(counts: Floats, scale: WholeScale, ladder: Ladder) -> Sampler:
    law = ideal_laws.OnWholeNumbers(counts, scale, ladder)
    return WholeStaircase(law, counts, scale, ladder)


@lru_cache(maxsize=16)
def _geometric(epsilon: Fraction) -> tuple[QuantileTable, tuple[float, ...]]:
    """The table of Q + δ and the joints of :func:`two_sided_geometric_sampler`, made once."""
    table = tables.laplace()
    offset = Reals.constant(
        lambda: ARB.log(2 / (1 + ARB.exp(ARB.number(-epsilon)))) - ARB.number(epsilon) / 2
    )
    shift, (e0, e1) = float(offset.approximate), table.error
    reach = 2 * abs(shift) + 24
    shifted = replace(
        table,
        coefficients=(table.coefficients[0] + shift, *table.coefficients[1:]),
        error=((e0 + float(offset.error) + (e1 + 3 * UNIT) * reach) * UP, e1),
    )
    passed = 2.0**63 * float(np.exp(min(shift, 0.0)))  # −ln U + δ = 0 at U = e^δ
    return shifted, (passed, -passed) if shift < 0 else ()


def two_sided_geometric_sampler(epsilon: Fraction, size: int) -> LocationScale:
    """|K| ≥ j ⇔ U ≤ P(|K| ≥ j) = 2e^(−εj)/(1 + e^−ε), so |K| is the integer nearest to (Q + δ)/ε.

    Q = −ln U and δ = ln(2/(1 + e^−ε)) − ε/2 > −ε/2; where Q + δ < 0 both it and its size round to 0.
    The table of −ln U takes δ into its c_0 ≤ 24: the float of δ is off by at most e_δ, the new c_0 is
    rounded (u·(24 + |δ|)), and Horner's last sum is larger by |δ| at most (u·|δ|). As Q ≤ (Q + δ) + |δ|,
    E1·Q becomes E1·(Q + δ) + E1·|δ|. All of that is at most e_δ + (E1 + 3u)·(2|δ| + 24) more than before.
    """
    table, joints = _geometric(epsilon)
    law, zero = ideal_laws.TwoSidedGeometric(epsilon), Reals.integers(0)
    return LocationScale(law, (size,), table, zero, Reals.fraction(1 / epsilon), joints)


def _multiples(sampler: Sampler, bits: Bits, grid: Grid) -> Floats:
    values = draw(sampler, bits).values
    return np.multiply(values, grid.unit, out=values) if grid.exponent else values


def laplace(center: Reals, scale: Reals, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """center + scale·η, η ~ Laplace(1): density e^(−|z|)/2 (Haney et al. 2017, Definition 2.4)."""
    return _multiples(laplace_sampler(center, scale, grid), bits, grid)


def gaussian(center: Reals, scale: Reals, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """center + scale·η, η ~ N(0, 1)."""
    return _multiples(gaussian_sampler(center, scale, grid), bits, grid)


def heavy_tailed(center: Reals, scale: Reals, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """center + scale·η, η of density (√2/π)/(1 + z⁴) (Haney et al. 2017, Algorithm 2)."""
    return _multiples(heavy_tailed_sampler(center, scale, grid), bits, grid)


def log_laplace(count: Reals, gamma: Reals, scale: Reals, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """(n + γ)·e^η − γ, η ~ Laplace(scale) (Haney et al. 2017, Algorithm 1); n + γ > 0.

    The value itself is greater than −γ; the nearest multiple of the grid may lie below −γ by half a
    grid unit at most.
    """
    return _multiples(log_laplace_sampler(count, gamma, scale, grid), bits, grid)


def lomax(center: Reals, scale: Reals, spread: Reals, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """center + scale·Z, Z of density ∝ (1 + |z|)^(−1 − 1/spread); ``spread`` is a single number."""
    return _multiples(lomax_sampler(center, scale, spread, grid), bits, grid)


def two_sided(center: Reals, scale: Reals, law: TwoSided, bits: Bits, grid: Grid = Grid.INTEGERS) -> Floats:
    """center + scale·Z, Z with the standard law at the parameters of ``law``."""
    return _multiples(two_sided_sampler(center, scale, law, grid), bits, grid)


def growth_laplace(counts: Floats, alpha: Fraction, epsilon: Fraction, bits: Bits) -> Floats:
    """φ⁻¹(φ(n) + W), W ~ Laplace(1/ε), φ the growth scale of α, for whole counts; in whole numbers."""
    return draw(growth_laplace_sampler(counts, alpha, epsilon), bits).values


def growth_staircase(
    counts: Floats, alpha: Fraction, down: Fraction, up: Fraction, epsilon: Fraction, bits: Bits
) -> Floats:
    """The same for staircase noise with its flat part from −``down`` to ``up``."""
    return draw(growth_staircase_sampler(counts, alpha, down, up, epsilon), bits).values


def unbiased_growth_staircase(counts: Floats, scale: UnbiasedScale, bits: Bits) -> Floats:
    """g(φ(n) + W) for the unbiased scale g, and the staircase noise W that it is made for."""
    return draw(unbiased_growth_staircase_sampler(counts, scale), bits).values


def whole_staircase(counts: Floats, scale: WholeScale, ladder: Ladder, bits: Bits) -> Floats:
    """The staircase law on whole numbers around φ(n), for whole counts.

    The careful way takes long here, and the lists of the first try are made once: it serves a few draws, too.
    """
    return draw(whole_staircase_sampler(counts, scale, ladder), bits, many=1).values


def two_sided_geometric(epsilon: Fraction, size: int, bits: Bits) -> Integers:
    """``size`` integers with P(k) proportional to e^(−ε|k|) (Foote et al. 2019, Definition 2.5).

    Raises ParameterError unless ε > 0 and size ≥ 0.
    """
    if size < 0:
        raise ParameterError(f"size = {size} is not allowed: it must be an integer ≥ 0")
    sampler = two_sided_geometric_sampler(positive("epsilon", epsilon), size)
    return draw(sampler, bits).values.astype(np.int64)
