"""Protected percentiles for every released cell of the 2018 Post-Secondary Employment Outcomes.

Individuals are rebuilt from counts and quartiles.
"""

import csv
import math
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pytest
from numpy.typing import NDArray

from establish.impl.earnings import bins
from establish.impl.earnings.accuracy import Mean, mean_of, relative_accuracy, true_percentiles
from establish.impl.earnings.chosen_by_size import ChosenBySize
from establish.impl.earnings.histogram_percentiles import HistogramPercentiles
from establish.impl.earnings.percentiles import Percentiles
from establish.impl.earnings.rebuild import rebuilt
from establish.impl.sampling.bits import Bits
from establish.spec.arithmetic import MP
from establish.spec.earnings.histogram import total_noise_mass

SHARES = bins.percentages((25, 50, 75))
REPETITIONS = 6


Individuals = tuple[NDArray[np.int64], NDArray[np.float64]]


@pytest.fixture(scope="module")
def released(public_data: Callable[[str], Path]) -> list[dict[str, str]]:
    path = public_data("pseo_2018_beta_graduate_earnings_all.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["cell_suppressed"] == "0"]


@pytest.fixture(scope="module")
def individuals(released: list[dict[str, str]]) -> Individuals:
    quartiles = [[float(row[f"p{p}_earnings"]) for row in released] for p in (25, 50, 75)]
    return rebuilt([int(row["cellcount"]) for row in released], *quartiles)


def accuracy(individuals: Individuals, draw: Callable[[], Percentiles]) -> Mean:
    cells, earnings = individuals
    true = true_percentiles(cells, earnings, int(cells.max()) + 1, SHARES)
    return mean_of(np.array([relative_accuracy(draw(), true).mean() for _ in range(REPETITIONS)]))


def drawn_by(
    mechanism: HistogramPercentiles | ChosenBySize, individuals: Individuals
) -> Callable[[], Percentiles]:
    cells, earnings = individuals
    bits = Bits.seeded(20180324)
    return lambda: mechanism.release(cells, earnings, int(cells.max()) + 1, bits).percentiles


def test_the_rebuilt_cells_have_the_counts_and_the_quartiles_of_the_released_ones(released, individuals):
    cells, earnings = individuals
    assert len(released) == 9417
    assert np.bincount(cells).tolist() == [int(row["cellcount"]) for row in released]
    assert np.all(np.diff(earnings)[np.diff(cells) == 0] >= 0)
    true = true_percentiles(cells, earnings, 9417, SHARES)
    for place, p in enumerate((25, 50, 75)):
        quartile = np.array([float(row[f"p{p}_earnings"]) for row in released])
        # A rank of (N+1)/4 lies between two individuals, whose earnings are interpolated.
        assert np.abs(true[:, place] / quartile - 1).max() < 0.03
        assert np.abs(true[:, place] / quartile - 1).mean() < 0.001


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("histogram-percentiles", []),
        ("histogram-percentiles", ["--post-process", "isotonic"]),
        ("chosen-by-size", []),
    ],
)
def test_all_cells_are_released_at_once_by_the_command(
    name, options, released, individuals, tmp_path, succeeds, rows_of
):
    cells, earnings = individuals
    source, out = tmp_path / "graduates.parquet", tmp_path / "protected.csv"
    columns = ("institution_id", "deglevl_code", "degcip_4dig", "grad_cohort", "year_postgrad")
    labels = {name: np.array([row[name] for row in released], dtype=object) for name in columns}
    with duckdb.connect() as db:
        db.register("people", {"cell": cells, "earnings": earnings})
        db.register("cells", {"cell": np.arange(len(released)), **labels})
        db.execute(
            f"COPY (SELECT {', '.join(columns)}, earnings FROM people JOIN cells USING (cell)) "
            f"TO '{source}' (FORMAT parquet)"
        )
    by = [item for column in columns for item in ("--cell", column)]
    given = ("--mechanism", name, *options, "--epsilon", 1, "--earnings", "earnings", "--seed", 11)
    start = time.perf_counter()
    succeeds("release", "earnings", source, *given, *by, "--out", out)
    print(
        f"{name}: {time.perf_counter() - start:.1f} s for {cells.size} individuals in {len(released)} cells"
    )
    rows = rows_of(out)
    key = {tuple(row[name] for name in columns): int(row["cellcount"]) for row in released}
    assert len(key) == len(rows) == 9417
    if name == "chosen-by-size":  # none only where all counts of a cell are 0 or less
        assert sum(row["status"] == "released" for row in rows) > 9_000
        return
    # The counts have the noise of 21 bins together. By the inequality of Dvoretzky, Kiefer, Wolfowitz and
    # Massart their distribution function is farther than t from its law with probability 2·e^(−2nt²).
    found = [int(row["count"]) - key[tuple(row[name] for name in columns)] for row in rows]
    reach, ratio = np.arange(-60, 61), MP.exp(-MP.number(1))
    law = np.cumsum([float(total_noise_mass(int(k), 21, ratio, MP)) for k in reach])
    seen = np.searchsorted(np.sort(found), reach, side="right") / len(found)
    limit = math.sqrt(math.log(2 / 1e-9) / (2 * len(found)))
    assert np.abs(seen - law).max() <= limit
    assert np.abs(seen - np.roll(law, 1))[1:].max() > limit, "counts that are one off are noticed"


@pytest.mark.small_campaign
def test_log_normal_bins_are_more_accurate_than_even_ones(individuals):
    for epsilon in ("1/2", "2"):
        log_normal, even = (
            accuracy(individuals, drawn_by(HistogramPercentiles(epsilon, edges, SHARES), individuals))
            for edges in (bins.log_normal(), bins.even())
        )
        assert log_normal.limits[0] > even.limits[1] + 0.03


@pytest.mark.small_campaign
def test_the_public_rule_is_more_accurate_at_the_same_privacy(individuals):
    for epsilon, least in (("1/10", 0.1), ("1/2", 0.02), ("1", 0.005)):
        paper, ours = (
            accuracy(individuals, drawn_by(mechanism, individuals))
            for mechanism in (
                HistogramPercentiles(epsilon, bins.log_normal(), SHARES),
                ChosenBySize(epsilon, SHARES),
            )
        )
        assert ours.limits[0] > paper.limits[1] + least
