"""Patterns of suppressions, judged by another solver of intervals than the one that made them."""

import random
import subprocess
import sys
from fractions import Fraction
from itertools import product

import pytest

from establish.impl.suppression.cells import Entry
from establish.impl.suppression.engines import highs
from establish.impl.suppression.layout import Attacker, Layout
from establish.impl.suppression.plan import plan
from establish.impl.suppression.verdicts import Level
from establish.spec.disclosure_limitation.suppression import SuppressedTable
from establish.spec.parameters import ParameterError

pytestmark = pytest.mark.skipif(highs() is None, reason="highspy is not installed")
LAYOUT = Layout(by=("r", "c"), value="v", totals={"r": "All", "c": "All"})
OUTSIDER = Attacker(nonnegative=True)


def square(size: int, seed: int) -> dict[tuple[str, str], int]:
    draw = random.Random(seed)
    cells = {(f"r{i}", f"c{j}"): draw.randint(0, 60) for i, j in product(range(size), repeat=2)}
    for i in range(size):
        cells[f"r{i}", "All"] = sum(cells[f"r{i}", f"c{j}"] for j in range(size))
    for j in range(size):
        cells["All", f"c{j}"] = sum(cells[f"r{i}", f"c{j}"] for i in range(size))
    cells["All", "All"] = sum(cells[f"r{i}", "All"] for i in range(size))
    return cells


def sums(size: int):
    labels = [f"{{}}{k}" for k in range(size)]
    for label in [*(f"r{k}" for k in range(size)), "All"]:
        yield (label, "All"), [(label, name.format("c")) for name in labels]
    for label in [*(f"c{k}" for k in range(size)), "All"]:
        yield ("All", label), [(name.format("r"), label) for name in labels]


def test_the_solver_prints_nothing_where_json_may_be_printed():
    """In a process of its own: what the library writes is flushed at its end."""
    code = """
from establish.impl.suppression.engines import highs, silent
made = silent(highs())
made.addVar(0, 1)
made.run()
print("{}")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("{}\n", "")


@pytest.mark.parametrize("seed", range(8))
def test_every_sensitive_cell_is_left_its_level_by_the_exact_intervals_of_spec(seed):
    size = 4
    values = square(size, seed)
    names = list(values)
    draw = random.Random(100 + seed)
    inner = [k for k, name in enumerate(names) if "All" not in name and values[name] > 4]
    levels = {
        k: Level(Fraction(values[names[k]]), Fraction(values[names[k]], 3), Fraction(values[names[k]], 2))
        for k in draw.sample(inner, 3)
    }
    cells = {name: Entry(value) for name, value in values.items()}
    found = plan(cells, LAYOUT, OUTSIDER, levels, [Fraction(v) for v in values.values()])
    assert found.primary == set(levels)
    hidden = {names[k] for k in found.primary | found.complementary}
    table = SuppressedTable(sums(size), {n: v for n, v in values.items() if n not in hidden})
    for k, level in levels.items():
        low, high = table.interval(names[k])
        assert low <= level.true - level.below
        assert high is None or high >= level.true + level.above
    assert found.price == sum(values[name] for name in hidden)


def test_one_cell_of_a_square_needs_three_others():
    # The least pattern in a 3 × 3 table is a rectangle; with equal prices three complementary cells.
    values = dict.fromkeys(product(("r0", "r1", "r2"), ("c0", "c1", "c2")), 20)
    for label in ("r0", "r1", "r2"):
        values[label, "All"] = 60
    for label in ("c0", "c1", "c2"):
        values["All", label] = 60
    values["All", "All"] = 180
    cells = {name: Entry(value) for name, value in values.items()}
    level = {0: Level(Fraction(20), Fraction(5), Fraction(5))}
    assert len(plan(cells, LAYOUT, OUTSIDER, level, [Fraction(1)] * len(cells)).complementary) == 3


def test_no_complementary_cell_is_needless():
    for seed in range(8):
        values = square(4, seed)
        names = list(values)
        inner = [k for k, name in enumerate(names) if "All" not in name and values[name] > 4]
        places = random.Random(200 + seed).sample(inner, 3)
        levels = {
            k: Level(Fraction(values[names[k]]), Fraction(2), Fraction(values[names[k]], 2)) for k in places
        }
        cells = {name: Entry(value) for name, value in values.items()}
        found = plan(cells, LAYOUT, OUTSIDER, levels, [Fraction(v) for v in values.values()])
        for published in found.complementary:
            hidden = {names[k] for k in found.primary | found.complementary} - {names[published]}
            table = SuppressedTable(sums(4), {n: v for n, v in values.items() if n not in hidden})
            ends = {k: table.interval(names[k]) for k in levels}
            assert not all(levels[k].met(ends[k]) for k in levels)


def test_a_cell_that_nothing_can_protect_is_refused_by_name():
    # All other inner cells are 0: a change of r0·c0 upwards would need one of them below 0.
    values = {("r0", "c0"): 9, ("r0", "c1"): 0, ("r0", "All"): 9, ("All", "c0"): 9, ("All", "c1"): 0}
    values["All", "All"] = 9
    cells = {name: Entry(value) for name, value in values.items()}
    level = {0: Level(Fraction(9), Fraction(10), Fraction(1))}
    with pytest.raises(ParameterError, match="r=r0, c=c0 cannot be protected"):
        plan(cells, LAYOUT, OUTSIDER, level, [Fraction(1)] * len(cells))
