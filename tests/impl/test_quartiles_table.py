"""The recorded table of errors of quartiles: it is whole, its errors are known, and a page quotes it."""

import csv
import gzip
import math
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
import quartiles

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/pages/how_to/release_earnings.md").read_text(encoding="utf-8")
NUMBERS = ("p25", "p50", "p75", "mean")

Cell = tuple[str, str, str]
"""A shape, N and ε."""


@dataclass(frozen=True)
class Row:
    """held: whether the shape was held back. errors: by name a mean absolute error and its standard error."""

    held: bool
    draws: int
    errors: dict[str, tuple[float, float]]
    over_the_best: float


def read() -> dict[Cell, dict[str, Row]]:
    table: dict[Cell, dict[str, Row]] = defaultdict(dict)
    with gzip.open(ROOT / "tests" / "bench" / "quartiles.csv.gz", "rt", encoding="utf-8") as file:
        for line in csv.DictReader(file, delimiter=";"):
            own = table[line["shape"], line["N"], line["epsilon"]]
            assert line["mechanism"] not in own
            own[line["mechanism"]] = Row(
                {"yes": True, "no": False}[line["held back"]],
                int(line["draws"]),
                {name: (float(line[f"{name} MAE"]), float(line[f"{name} SE"])) for name in NUMBERS},
                float(line["over the best"]),
            )
    return table


TABLE = read()


def ratio(cell: Cell) -> tuple[float, float]:
    """Our mean error over that of the best other mechanism, and its standard error to the first order."""
    ours = TABLE[cell][quartiles.OURS].errors["mean"]
    others = (row for name, row in TABLE[cell].items() if name != quartiles.OURS)
    best = min(row.errors["mean"] for row in others)
    return ours[0] / best[0], ours[0] / best[0] * math.hypot(ours[1] / ours[0], best[1] / best[0])


def test_the_table_has_every_cell_and_every_mechanism_once():
    assert set(TABLE) == {
        (shape, str(size), epsilon)
        for shape in quartiles.SHAPES
        for size in quartiles.SIZES
        for epsilon in quartiles.EPSILONS
    }
    for (shape, *_), rows in TABLE.items():
        assert list(rows) == list(quartiles.MECHANISMS)
        assert {row.held for row in rows.values()} == {shape not in quartiles.TUNED}


def test_no_standard_error_is_above_2_percent_of_its_error():
    assert quartiles.MOST == 0.02
    for rows in TABLE.values():
        for row in rows.values():
            assert row.draws >= quartiles.DRAWS
            # Numbers are printed with six digits.
            assert all(error <= 0.02 * mean * (1 + 1e-5) for mean, error in row.errors.values())


def test_ratios_to_the_best_are_those_of_the_errors():
    for rows in TABLE.values():
        best = min(row.errors["mean"][0] for name, row in rows.items() if name != quartiles.OURS)
        for row in rows.values():
            found = row.errors["mean"][0] / best
            assert row.over_the_best == pytest.approx(found, abs=0.0005 + 2e-5 * found)


@pytest.mark.parametrize(
    ("cell", "mechanism"),
    [
        (("log-normal", "30", "1/10"), "log-normal, clamp"),
        (("pseo-1", "30", "1/4"), "chosen-by-size"),
        (("shifted", "1000", "2"), "JointExp"),
    ],
)
def test_a_row_can_be_drawn_again(cell, mechanism):
    """The second of these took more draws than the first ones."""
    row, (shape, size, epsilon) = TABLE[cell][mechanism], cell
    cells = [quartiles.made(shape, int(size), number) for number in range(quartiles.DATASETS)]
    found = quartiles.error_of(mechanism, cells, quartiles.Fraction(epsilon), row.draws)
    assert (row.draws > quartiles.DRAWS) == (mechanism == "chosen-by-size")
    for printed, drawn in zip(row.errors.values(), found.pairs, strict=True):
        assert printed == pytest.approx(drawn, rel=1e-5)


def test_draws_are_added_until_the_errors_are_known():
    cells = [quartiles.made("low", 100, 0)]
    few = quartiles.error_of("log-normal, none", cells, quartiles.Fraction(1), 20)
    more = quartiles.enough("log-normal, none", cells, quartiles.Fraction(1), 20, 0.04)
    assert few.relative > 0.04 >= more.relative
    assert few.draws == 20 < more.draws


def test_the_documentation_quotes_the_table():
    ratios = {cell: ratio(cell) for cell in TABLE}
    for held, words in ((True, "{} of {} cells of the shapes held back"), (False, "{} of {} of the others")):
        own = [r for cell, (r, _) in ratios.items() if TABLE[cell][quartiles.OURS].held == held]
        assert words.format(sum(r <= 1.1 for r in own), len(own)) in PAGE
    large = max(r for (_, size, _), (r, _) in ratios.items() if int(size) >= 300)
    assert large <= 1.1
    assert f"at most {math.ceil(large * 100) / 100:.2f} times the best" in PAGE
    beyond = {cell for cell, (r, _) in ratios.items() if r > 1.1}
    assert {size for _, size, _ in beyond} == {"30", "100"}
    assert {epsilon for *_, epsilon in beyond} == {"2", "4"}
    worst = max(ratios, key=lambda cell: ratios[cell])
    told = re.search(r"(1\.\d+) \(standard error (0\.\d+)\) at (\d+) records and ε = (\d)", PAGE)
    assert told is not None
    assert told.groups() == (f"{ratios[worst][0]:.3f}", f"{ratios[worst][1]:.3f}", *worst[1:])


@pytest.mark.campaign  # forty times the draws of the cell with the largest ratio
def test_the_documentation_quotes_what_more_draws_give():
    told = re.search(r"forty times as many draws there give (1\.\d+) \((0\.\d+)\)", PAGE)
    assert told is not None
    cells = [quartiles.made("pseo-3", 30, number) for number in range(quartiles.DATASETS)]
    ours, best = (
        quartiles.error_of(name, cells, quartiles.Fraction(2), 40 * quartiles.DRAWS)
        for name in (quartiles.OURS, "log-normal, clamp")
    )
    found = ours.mean / best.mean
    error = found * math.hypot(ours.error / ours.mean, best.error / best.mean)
    assert told.groups() == (f"{found:.3f}", f"{error:.3f}")
