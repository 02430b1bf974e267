"""Print the relative accuracy of protected percentiles on rebuilt and on simulated cells, and seconds.

The first table is on the released cells of the 2018 Post-Secondary Employment Outcomes, with individuals
rebuilt from counts and quartiles (establish.impl.earnings.rebuild). The second is on simulated cells: sizes
as there, earnings log-normal with medians spread around the national one; the rule's constants were not
chosen on them. Every number is a mean over cells, three percentiles and REPETITIONS draws of the noise,
with Student's 95% confidence limits; a cell without percentiles counts as 0, as an output of 0 would.
"""

import csv
import math
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from establish.impl.earnings import bins
from establish.impl.earnings import smooth_percentile as smooth
from establish.impl.earnings.accuracy import mean_of, relative_accuracy, true_percentiles
from establish.impl.earnings.chosen_by_size import ChosenBySize
from establish.impl.earnings.histogram import histogram, protected
from establish.impl.earnings.histogram_percentiles import HistogramPercentiles
from establish.impl.earnings.percentiles import Percentiles, percentiles
from establish.impl.earnings.post_processing import clamped, monotone_percentiles
from establish.impl.earnings.quantile_tree import Candidates, quantile_tree
from establish.impl.earnings.rebuild import rebuilt
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals

FILE = "pseo_2018_beta_graduate_earnings_all.csv"
HOME = Path(os.environ.get("ESTABLISH_DATA", Path(__file__).parents[3] / "shared" / "data"))
EPSILONS = ("0.1", "0.3", "0.5", "1", "2", "3")
REPETITIONS = 20
SHARES = bins.percentages((25, 50, 75))
CLASSES = ((30, 49), (50, 99), (100, 199), (200, 499), (500, 10**9))

Draw = Callable[[Bits], Percentiles]


@dataclass(frozen=True)
class Cells:
    """Individuals by cell, and what is compared with."""

    cells: NDArray[np.int64]
    earnings: NDArray[np.float64]
    sizes: NDArray[np.int64]
    true: NDArray[np.float64]

    @classmethod
    def of(cls, cells: NDArray[np.int64], earnings: NDArray[np.float64]) -> "Cells":
        sizes = np.bincount(cells)
        return cls(cells, earnings, sizes, true_percentiles(cells, earnings, sizes.size, SHARES))

    def counts(self, edges: bins.Bins) -> NDArray[np.int64]:
        return histogram(self.cells, self.earnings, self.sizes.size, edges)


def released_cells() -> Cells:
    with (HOME / FILE).open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["cell_suppressed"] == "0"]
    quartiles = [[float(row[f"p{p}_earnings"]) for row in rows] for p in (25, 50, 75)]
    return Cells.of(*rebuilt([int(row["cellcount"]) for row in rows], *quartiles))


def simulated(sizes: NDArray[np.int64]) -> Cells:
    rng = np.random.default_rng(2020)
    cells = np.repeat(np.arange(sizes.size), sizes)
    middle = rng.normal(bins.STATED_MEAN, 0.3, sizes.size)
    earnings = np.exp(rng.normal(middle[cells], 0.7)).clip(bins.BOTTOM)
    return Cells.of(cells, earnings[np.lexsort((earnings, cells))])


def smooth_draw(on: Cells, epsilon: float) -> Draw:
    """Smooth sensitivity, corrected, ε/3 for each percentile; cut off at the public range."""
    ends = (float(bins.BOTTOM), float(bins.TOP))
    parts = np.split(on.earnings.clip(*ends), np.cumsum(on.sizes)[:-1])
    budgets = smooth.split(epsilon, SHARES)
    pairs = [smooth.centers_and_scales(part, SHARES, budgets, ends) for part in parts]
    centers, scales = (np.array(side) for side in zip(*pairs, strict=True))

    def draw(bits: Bits) -> Percentiles:
        flat = Reals.floats(centers.reshape(-1)), Reals.floats(scales.reshape(-1))
        values = sampling.heavy_tailed(*flat, bits).reshape(centers.shape).clip(*ends)
        return Percentiles(np.ones(on.sizes.size, dtype=np.bool_), values)

    return draw


def draws(on: Cells, epsilon: str, smooth_too: bool) -> dict[str, Draw]:
    ε = Fraction(epsilon)
    printed, flat = bins.log_normal(), bins.even()
    counts, even_counts = on.counts(printed), on.counts(flat)
    candidates, chosen = Candidates.log_normal(), ChosenBySize(epsilon, SHARES)
    below = candidates.below(on.cells, on.earnings, on.sizes.size)
    paper = HistogramPercentiles(epsilon, printed, SHARES)
    even = HistogramPercentiles(epsilon, flat, SHARES)
    every = np.ones(on.sizes.size, dtype=np.bool_)
    return {
        **({"smooth": smooth_draw(on, float(ε))} if smooth_too else {}),
        "even": lambda bits: even.of_counts(even_counts, bits).percentiles,
        "paper": lambda bits: paper.of_counts(counts, bits).percentiles,
        "clamped": lambda bits: percentiles(clamped(protected(counts, ε, bits)), printed, SHARES),
        "monotone": lambda bits: monotone_percentiles(protected(counts, ε, bits), printed, SHARES),
        "tree": lambda bits: Percentiles(every, quantile_tree(below, on.sizes, candidates, SHARES, ε, bits)),
        "by size": lambda bits: chosen.release(on.cells, on.earnings, on.sizes.size, bits).percentiles,
    }


def groups(on: Cells) -> dict[str, NDArray[np.bool_]]:
    inside = {
        f"{low}-{high}" if high < 10**9 else f"{low}+": (on.sizes >= low) & (on.sizes <= high)
        for low, high in CLASSES
    }
    return {**inside, "all": np.ones(on.sizes.size, dtype=np.bool_)}


def line(label: str, of_cells: list[NDArray[np.float64]], chosen: dict[str, NDArray[np.bool_]]) -> str:
    """Percent, and the half width of the 95% limits."""
    texts = []
    for rows in chosen.values():
        mean = mean_of(np.array([accuracy[rows].mean() for accuracy in of_cells]))
        texts.append(f"{100 * mean.value:7.2f} ±{100 * (mean.limits[1] - mean.value):.2f}")
    return f"{label:16s}" + " ".join(f"{text:>14s}" for text in texts)


def table(title: str, on: Cells, smooth_too: bool) -> None:
    chosen = groups(on)
    print(f"\n{title}: {on.sizes.size} cells, {on.cells.size} individuals; relative accuracy in %")
    names = [f"{name} ({rows.sum()})" for name, rows in chosen.items()]
    print(" " * 16 + " ".join(f"{name:>14s}" for name in names))
    bits = Bits.seeded(20190320)
    for epsilon in EPSILONS:
        measured = {}
        for name, draw in draws(on, epsilon, smooth_too).items():
            measured[name] = [relative_accuracy(draw(bits), on.true) for _ in range(REPETITIONS)]
            print(line(f"ε={epsilon} {name}", measured[name], chosen), flush=True)
        gain = [a - b for a, b in zip(measured["by size"], measured["paper"], strict=True)]
        print(line(f"ε={epsilon} gain", gain, chosen), flush=True)


def main() -> None:
    if not (HOME / FILE).is_file():
        print(f"{FILE} is not in {HOME}; set ESTABLISH_DATA to its folder")
        sys.exit(0)
    real = released_cells()
    start = time.perf_counter()
    released = HistogramPercentiles(1, bins.log_normal(), SHARES).release(
        real.cells, real.earnings, real.sizes.size, Bits.secret()
    )
    seconds = time.perf_counter() - start
    assert math.isfinite(released.percentiles.of_defined.sum())
    print(f"histogram-percentiles on {real.sizes.size} cells at once: {seconds:.2f} s")
    table("rebuilt from released cells", real, smooth_too=True)
    table("simulated", simulated(real.sizes), smooth_too=False)


main()
