"""Section 5 of Foote et al. 2019: accuracy of protected percentiles, and how sure each comparison is.

Histograms with log-normal and with even bins, and smooth sensitivity (corrected) with all of ε for each
percentile or with a third. A cell without percentiles counts as accuracy 0, as an output of 0 would. The
mechanisms draw exactly, from a seed. Every mean is over cells, which stay fixed, and over draws of the noise.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt
from pathlib import Path

import numpy as np
import scipy

from establish.impl.arrays import Floats, Integers
from establish.impl.earnings import bins
from establish.impl.earnings.accuracy import relative_accuracy, true_percentiles
from establish.impl.earnings.histogram import histogram, protected
from establish.impl.earnings.percentiles import Percentiles, percentiles
from establish.impl.earnings.rebuild import rebuilt
from establish.impl.earnings.smooth_percentile import centers_and_scales
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.parameters import ParameterError

PERCENTILES = (25, 50, 75)

SHARES = bins.percentages(PERCENTILES)

ENDS = float(bins.BOTTOM), float(bins.TOP)
"""The public range, to which smooth sensitivity is cut off."""

CLASSES = {"all": (0, 10**9), "below 50": (0, 49), "50-99": (50, 99), "100-499": (100, 499)} | {
    "from 500": (500, 10**9)
}
"""Sizes of cells, by name."""

SCHEMES = ("log-normal", "even", "smooth", "smooth, ε/3")
"""``smooth`` spends ε on each percentile alone, as the figures do; ``ε/3`` on all three together."""

ERROR = 1e-9
"""Each comparison is wrong with this probability at most, by Student's law for the means over cells."""


@dataclass(frozen=True)
class Grid:
    """The combinations that are run."""

    bins: tuple[int, ...]
    epsilons: tuple[Fraction, ...]
    draws: int


@dataclass(frozen=True, eq=False)
class Cells:
    """Individuals by cell, sorted by earnings within each."""

    cell: Integers
    earnings: Floats
    sizes: Integers
    true: Floats

    @classmethod
    def of(cls, cell: Integers, earnings: Floats) -> Cells:
        sizes = np.bincount(cell)
        return cls(cell, earnings, sizes, true_percentiles(cell, earnings, sizes.size, SHARES))


@dataclass(frozen=True)
class AccuracyRow:
    """A mean relative accuracy, with its standard error over draws. bins: 0 for smooth sensitivity.

    percentile: 0 for all three together, 1 − Σ errors / Σ true values.
    """

    scheme: str
    bins: int
    epsilon: float
    percentile: int
    cells: str
    accuracy: float
    se: float
    draws: int


@dataclass(frozen=True)
class ComparisonRow:
    """Log-normal bins against another scheme: the difference of mean accuracies, and who is better."""

    against: str
    bins: int
    epsilon: float
    percentile: int
    cells: str
    difference: float
    low: float
    high: float
    better: str


def made_up(number: int, seed: int) -> Cells:
    """Cells of 30 and more, log-normal in size and earnings, medians spread around the national one."""
    rng = np.random.default_rng([seed, 8])
    sizes = 30 + np.floor(np.exp(rng.normal(4.0, 1.0, number))).astype(np.int64)
    cell = np.repeat(np.arange(number), sizes)
    middle = rng.normal(bins.STATED_MEAN, 0.3, number)
    drawn = np.exp(rng.normal(middle[cell], 0.7)).clip(*ENDS)
    return Cells.of(cell, drawn[np.lexsort((drawn, cell))])


COLUMNS = ("cellcount", "p25_earnings", "p50_earnings", "p75_earnings", "cell_suppressed")


def read(file: Path, most: int) -> Cells:
    """The first released cells of the Post-Secondary Employment Outcomes, with individuals rebuilt.

    Raises ParameterError for a file of another layout.
    """
    try:
        with file.open(encoding="utf-8", newline="") as lines:
            reader = csv.DictReader(lines)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            rows = [row for row in reader if not missing and row["cell_suppressed"] == "0"]
        counts = [int(row["cellcount"]) for row in rows]
        quartiles = [[float(row[name]) for row in rows] for name in COLUMNS[1:4]]
    except (ValueError, csv.Error):
        raise ParameterError(f"--data {file} is not a table of cells with quartiles") from None
    if missing:
        raise ParameterError(f"--data {file} has no column {missing[0]}")
    if not rows:
        raise ParameterError(f"--data {file} has no released cell")
    step = max(1, len(counts) // most)
    cell, earnings = rebuilt(counts[::step], *(q[::step] for q in quartiles))
    return Cells.of(cell, earnings.clip(*ENDS))


def steps(grid: Grid) -> int:
    """How often ``run`` tells that it has come further."""
    return len(grid.epsilons) * (len(grid.bins) + 1)


def run(
    cells: Cells, grid: Grid, *, seed: int, progress: Callable[[], None] = lambda: None
) -> tuple[list[AccuracyRow], list[ComparisonRow]]:
    """The same for the same cells, grid and seed."""
    bits = Bits.seeded(seed)
    rows: list[AccuracyRow] = []
    comparisons: list[ComparisonRow] = []
    counts = {
        count: {
            name: (edges, histogram(cells.cell, cells.earnings, cells.sizes.size, edges))
            for name, edges in (("log-normal", bins.log_normal(count)), ("even", bins.even(count)))
        }
        for count in grid.bins
    }
    for epsilon in grid.epsilons:
        smooth = {name: _smooth(cells, epsilon / part, grid.draws, bits) for name, part in SPLITS}
        for name, measured in smooth.items():
            rows += _rows(name, 0, epsilon, cells, measured)
        progress()
        for count in grid.bins:
            found = {
                name: [
                    relative_accuracy(percentiles(protected(own, epsilon, bits), edges, SHARES), cells.true)
                    for _ in range(grid.draws)
                ]
                for name, (edges, own) in counts[count].items()
            }
            for name, own_rows in found.items():
                rows += _rows(name, count, epsilon, cells, own_rows)
            first = found["log-normal"]
            for name, second in {"even": found["even"], **smooth}.items():
                comparisons += _compared(name, count, epsilon, cells, first, second)
            progress()
    return rows, comparisons


SPLITS = (("smooth", 1), ("smooth, ε/3", len(PERCENTILES)))
"""What ε is divided by for each percentile."""


def _smooth(cells: Cells, epsilon: Fraction, draws: int, bits: Bits) -> list[Floats]:
    """Accuracies with ε for each percentile, one array of cells by percentiles a draw."""
    parts = np.split(cells.earnings, np.cumsum(cells.sizes)[:-1])
    budgets = (float(epsilon),) * len(SHARES)
    pairs = [centers_and_scales(part, SHARES, budgets, ENDS) for part in parts]
    centers, scales = (np.array(side) for side in zip(*pairs, strict=True))
    flat = Reals.floats(centers.ravel()), Reals.floats(scales.ravel())
    every = np.ones(cells.sizes.size, dtype=np.bool_)
    return [
        relative_accuracy(
            Percentiles(every, sampling.heavy_tailed(*flat, bits).reshape(centers.shape).clip(*ENDS)),
            cells.true,
        )
        for _ in range(draws)
    ]


def _means(cells: Cells, measured: list[Floats]) -> Iterator[tuple[int, str, Floats]]:
    """By percentile (0 for all) and class: the mean accuracy over cells, one number a draw."""
    for name, (low, high) in CLASSES.items():
        inside = (cells.sizes >= low) & (cells.sizes <= high)
        if not inside.any():
            continue
        found = np.array([accuracy[inside] for accuracy in measured])
        weights = cells.true[inside] / cells.true[inside].sum(axis=1, keepdims=True)
        yield 0, name, (found * weights).sum(axis=2).mean(axis=1)
        for place, percentile in enumerate(PERCENTILES):
            yield percentile, name, found[:, :, place].mean(axis=1)


def _rows(
    scheme: str, count: int, epsilon: Fraction, cells: Cells, measured: list[Floats]
) -> Iterator[AccuracyRow]:
    for percentile, name, means in _means(cells, measured):
        se = float(means.std(ddof=1)) / sqrt(means.size) if means.size > 1 else inf
        yield AccuracyRow(
            scheme, count, float(epsilon), percentile, name, float(means.mean()), se, means.size
        )


def _compared(
    against: str, count: int, epsilon: Fraction, cells: Cells, first: list[Floats], second: list[Floats]
) -> Iterator[ComparisonRow]:
    pairs = zip(_means(cells, first), _means(cells, second), strict=True)
    for (percentile, name, one), (_, _, other) in pairs:
        gains, n = one - other, one.size
        value = float(gains.mean())
        reach = inf
        if n > 1:
            reach = float(scipy.stats.t.isf(ERROR / 2, n - 1)) * float(gains.std(ddof=1)) / sqrt(n)
        better = "log-normal" if value > reach else against if value < -reach else "undecided"
        yield ComparisonRow(
            against, count, float(epsilon), percentile, name, value, value - reach, value + reach, better
        )
