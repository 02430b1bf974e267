"""The algorithms of Section 5 on a whole grid of bins, budgets, percentiles and cell sizes.

Everything is a relative accuracy between 0 and 1 per cell (see simulate), all percentiles of a cell read off
one protected histogram. Log-normal and even bins of a cell get the same noise, which leaves the mean of each
as it is and brings their difference closer to its mean.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.engine.verdicts import Evidence, Grade
from establish.proofs_check.papers.foote2019.simulations.log_normal_cells import ERROR, SEED, WINDOWS
from establish.proofs_check.papers.foote2019.simulations.sampled_cells import (
    Counts,
    Floats,
    accuracy,
    average_and_margin,
    cells_of,
    even_bins,
    heavy_tailed_noise,
    log_normal_bins,
    percentiles,
    protected,
    smooth,
    true_percentile,
    windows,
)

Singles = NDArray[np.float32]

SIZES = {7: 40_000, 31: 40_000, 99: 40_000, 499: 30_000}
"""How many cells of each size are drawn."""

BINS = (10, 15, 20, 25, 30)
BUDGETS = (0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
SHARES = (0.25, 0.5, 0.75)


@dataclass(frozen=True, order=True)
class Point:
    """One combination of the grid: cell size, number of bins, ε and percentile (as a share)."""

    size: int
    bins: int
    epsilon: float
    share: float

    def __str__(self) -> str:
        return f"N = {self.size}, {self.bins} bins, ε = {self.epsilon:g}, X = {100 * self.share:g}"


def points() -> Iterator[Point]:
    """Every combination."""
    return (Point(*values) for values in product(SIZES, BINS, BUDGETS, SHARES))


class Sampled:
    """The accuracies of all algorithms on the cells of one size; one row per percentile of SHARES."""

    def __init__(self, size: int) -> None:
        rng = np.random.default_rng([SEED, 5, size])
        cells = cells_of(size, SIZES[size], rng)
        self.true = np.stack([true_percentile(cells, share) for share in SHARES])
        self.log_normal: dict[tuple[int, float], Singles] = {}
        self.even: dict[tuple[int, float], Singles] = {}
        for bins in BINS:
            schemes = log_normal_bins(bins), even_bins(bins)
            counts = [scheme.counts(cells) for scheme in schemes]
            for epsilon in BUDGETS:
                noise = protected(np.zeros_like(counts[0]), epsilon, rng)
                kept = (self.log_normal, self.even)
                for into, scheme, count in zip(kept, schemes, counts, strict=True):
                    into[bins, epsilon] = self._read(scheme.edges, count + noise)
        widths = [windows(cells, share, WINDOWS) for share in SHARES]
        self.smooth = {e: self._smooth(widths, e, rng) for e in BUDGETS}
        self.thirds = {e: self._smooth(widths, e / len(SHARES), rng) for e in BUDGETS}

    def _read(self, edges: Floats, noisy: Counts) -> Singles:
        found = percentiles(edges, noisy, SHARES)
        rows = [accuracy(values, true) for values, true in zip(found, self.true, strict=True)]
        return np.stack(rows).astype(np.float32)

    def _smooth(self, widths: list[Floats], epsilon: float, rng: np.random.Generator) -> Singles:
        """With ε_x = ``epsilon`` for each percentile and the corrected noise 16·S*/ε_x."""
        rows = [
            accuracy(true + 16 * smooth(width, epsilon) / epsilon * heavy_tailed_noise(true.size, rng), true)
            for width, true in zip(widths, self.true, strict=True)
        ]
        return np.stack(rows).astype(np.float32)

    def summed(self, accuracies: Singles) -> Floats:
        """1 − the sum of the three errors over the sum of the true values, per cell (Figure 6)."""
        lost = (1 - accuracies) * self.true
        return np.asarray(1 - lost.sum(axis=0) / self.true.sum(axis=0))


@cache
def sampled(size: int) -> Sampled:
    """The cells of one size, drawn once in a process."""
    return Sampled(size)


FAMILY = 2 * len(SIZES) * len(BINS) * len(BUDGETS) * len(SHARES)
"""The most comparisons that a claim makes: two at every point of the grid."""


def limits(differences: Floats) -> tuple[float, float]:
    """The average, and how far from the mean of a law on [−1, 1] it may be.

    On both sides together with the probability ERROR/FAMILY: all comparisons of a claim lie within their
    limits but with probability ERROR. So a region and a level may be chosen after the comparisons of the
    whole grid have been seen.
    """
    return average_and_margin(differences, ERROR / FAMILY / 2)


def sign(differences: Floats) -> int:
    """1 or −1 when the mean is positive or negative, wrong with probability ERROR/FAMILY; else 0."""
    average, margin = limits(differences)
    return int(average > margin) - int(average < -margin)


Signs = dict[Point, int]
"""1 where the first algorithm is certainly more accurate on average, −1 where the second is, else 0."""


def signs(
    of: Iterator[Point] | list[Point], first: Callable[[Point], Floats], second: Callable[[Point], Floats]
) -> Signs:
    """The comparison of two algorithms at every point."""
    return {point: sign(first(point) - second(point)) for point in of}


def everywhere(found: Signs, expected: int, says: str) -> Evidence:
    """Evidence that every comparison came out as ``expected``, 1 or −1; undecided when one did not."""
    other = [str(point) for point, value in found.items() if value != expected]
    scope = (
        f"{len(found)} comparisons on log-normal cells, accuracy at least 0; some one of all that were "
        f"made on the grid ({FAMILY} at most) is wrong with probability at most {ERROR:g}"
    )
    established = None if other or not found else True
    return Evidence(says, established, Grade.STATISTICAL, "statistical", "; ".join(other[:5]), scope)


def tally(found: Signs) -> str:
    """How often the first is better, the second is, and neither is decided."""
    counts = [sum(value == wanted for value in found.values()) for wanted in (1, -1, 0)]
    return "{} better, {} worse, {} undecided".format(*counts)


def row(point: Point) -> int:
    """The row of the point's percentile."""
    return SHARES.index(point.share)


def by_log_normal(point: Point) -> Floats:
    """Accuracy with log-normal bins."""
    return np.asarray(sampled(point.size).log_normal[point.bins, point.epsilon][row(point)], float)


def by_even(point: Point) -> Floats:
    """Accuracy with even bins up to TOP."""
    return np.asarray(sampled(point.size).even[point.bins, point.epsilon][row(point)], float)


def by_smooth(point: Point) -> Floats:
    """Accuracy with smooth sensitivity, all of ε for this percentile."""
    return np.asarray(sampled(point.size).smooth[point.epsilon][row(point)], float)


def by_thirds(point: Point) -> Floats:
    """Accuracy with smooth sensitivity, ε/3 for this percentile."""
    return np.asarray(sampled(point.size).thirds[point.epsilon][row(point)], float)
