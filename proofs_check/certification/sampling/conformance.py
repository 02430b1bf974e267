"""Seeded draws of the samplers against the exact probabilities of the rounded laws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from establish.impl.sampling import laws
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.impl.sampling.reals import Reals
from establish.proofs_check.engine.verdicts import Evidence, Grade
from establish.spec.arithmetic import MP, Number
from establish.spec.distributions import gaussian
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.distributions.laplace import Laplace
from establish.spec.distributions.log_laplace import LogLaplace
from establish.spec.distributions.lomax import Lomax

DRAWS = 4_000_000
"""Draws of each law."""

SEED = 20_170_514
"""Any seed does; it is fixed so that a result can be repeated."""

ERROR = 1e-9
"""The probability that a correct sampler is refuted."""

GRID = Grid(-1)
"""Outputs are rounded to halves."""

CENTER, SCALE = Fraction(13, 5), Fraction(7, 3)
"""Of the laws with a center and a scale."""

COUNT, GAMMA, SPREAD = 20, Fraction(10), Fraction(1, 3)
"""Of the log-Laplace law: n, γ and λ."""

EPSILON = Fraction(1, 3)
"""Of the two-sided geometric law."""


@dataclass(frozen=True)
class _Case:
    """A sampler with fixed parameters, and P(output ≤ (k + 1/2)·unit) from the specification."""

    draw: Callable[[Bits, int], NDArray[np.float64]]
    cdf: Callable[[Number], Number]
    unit: Fraction
    window: range


def _fixed(value: int, size: int) -> Reals:
    return Reals.integers(np.full(size, value))


def _location_scale(
    sampler: Callable[..., NDArray[np.float64]],
) -> Callable[[Bits, int], NDArray[np.float64]]:
    return lambda bits, size: sampler(
        Reals.fraction(CENTER), Reals.floats(np.ones(size)).times(Reals.fraction(SCALE)), bits, GRID
    )


def _cases() -> dict[str, _Case]:
    center, scale, half = MP.number(CENTER), MP.number(SCALE), Fraction(1, 2)
    around = range(-40, 52)
    count, gamma = MP.number(COUNT), MP.number(GAMMA)
    log_laplace = LogLaplace(count, gamma, MP.number(SPREAD))
    ratio = MP.exp(-MP.number(EPSILON))
    return {
        "laplace": _Case(_location_scale(laws.laplace), Laplace(center, scale).cdf, half, around),
        "gaussian": _Case(
            _location_scale(laws.gaussian),
            lambda x: gaussian.cdf((MP.number(x) - center) / scale, MP),
            half,
            around,
        ),
        "heavy_tailed": _Case(
            _location_scale(laws.heavy_tailed), HeavyTailed(center, scale).cdf, half, around
        ),
        "log_laplace": _Case(
            lambda bits, size: laws.log_laplace(
                _fixed(COUNT, size), Reals.fraction(GAMMA), Reals.fraction(SPREAD), bits, GRID
            ),
            lambda x: log_laplace.cdf(x) if x > -GAMMA else MP.number(0),
            half,
            range(-18, 200),
        ),
        "lomax": _Case(
            _location_scale(
                lambda center, scale, bits, grid: laws.lomax(
                    center, scale, Reals.fraction(SPREAD), bits, grid
                )
            ),
            Lomax(center, scale, 1 + 1 / MP.number(SPREAD), MP.number(1)).cdf,
            half,
            around,
        ),
        "two_sided_geometric": _Case(
            lambda bits, size: laws.two_sided_geometric(EPSILON, size, bits).astype(np.float64),
            lambda x: Geometric(0, ratio).cdf(int(x - Fraction(1, 2))),
            Fraction(1),
            range(-30, 31),
        ),
    }


LAWS = ("laplace", "gaussian", "heavy_tailed", "log_laplace", "lomax", "two_sided_geometric")
"""What :func:`conformance` takes."""


def allowed(draws: int, p: float, error: float) -> float:
    """The t with P(|N − draws·p| > t) ≤ error for N ~ Binomial(draws, p).

    Bernstein: the probability is at most 2·exp(−t²/(2(v + t/3))) with v = draws·p(1−p); with
    L = ln(2/error) equality holds at t = L/3 + √(L²/9 + 2vL).
    """
    level, variance = log(2 / error), draws * p * (1 - p)
    return level / 3 + sqrt(level**2 / 9 + 2 * variance * level)


def agrees(values: NDArray[np.float64], case: _Case, says: str) -> Evidence:
    """Evidence that the sample has the case's probabilities: at each value, and beyond both ends."""
    k = np.rint(values / float(case.unit)).astype(np.int64)
    first, last = case.window.start, case.window.stop - 1
    bins = np.bincount(np.clip(k, first, last) - first, minlength=len(case.window))
    edges = [case.cdf((j + Fraction(1, 2)) * case.unit) for j in case.window[:-1]]
    masses = [float(b - a) for a, b in zip([0, *edges], [*edges, 1], strict=True)]
    share = ERROR / len(masses)
    scope = (
        f"{values.size} draws in {len(masses)} bins; a correct sampler is refuted with probability "
        f"at most {ERROR:g}"
    )
    for j, (found, p) in enumerate(zip(bins.tolist(), masses, strict=True)):
        limit = allowed(values.size, p, share)
        if abs(found - values.size * p) > limit:
            witness = f"{found} draws at {(first + j) * case.unit}, not {values.size * p:.1f} ± {limit:.1f}"
            return Evidence(says, False, Grade.STATISTICAL, "statistical", witness, scope)
    return Evidence(says, True, Grade.STATISTICAL, "statistical", "", scope)


def conformance(law: str) -> Evidence:
    """Evidence that seeded draws of ``law``, one of LAWS, follow the exactly rounded ideal law.

    The first and the last bin collect all that lies beyond. Raises KeyError for another name.
    """
    case = _cases()[law]
    values = case.draw(Bits.seeded(SEED), DRAWS)
    return agrees(values, case, f"draws of {law} follow the ideal law rounded to the grid")
