"""Section 5 of Foote et al. 2019: accuracies of protected percentiles, and which comparisons are certain."""

from fractions import Fraction

import pytest

from establish.proofs_check.experiments.foote2019.evaluation import findings
from establish.proofs_check.experiments.foote2019.percentile_accuracy import (
    COLUMNS,
    SCHEMES,
    AccuracyRow,
    ComparisonRow,
    Grid,
    made_up,
    read,
    run,
)
from establish.spec.parameters import ParameterError

GRID = Grid((10, 30), (Fraction(1, 2), Fraction(3)), 4)


@pytest.fixture(scope="module")
def accuracies() -> tuple[list[AccuracyRow], list[ComparisonRow]]:
    return run(made_up(25, 1), GRID, seed=1)


def test_accuracy_rises_with_epsilon_and_smooth_sensitivity_is_behind(accuracies):
    rows, comparisons = accuracies
    of = {
        (r.scheme, r.epsilon): r.accuracy
        for r in rows
        if (r.percentile, r.cells) == (50, "all") and r.bins in (0, 10)
    }
    for scheme in SCHEMES:
        assert of[scheme, 0.5] < of[scheme, 3.0] <= 1
    assert of["smooth, ε/3", 3.0] < of["smooth", 3.0] < of["log-normal", 3.0]
    assert {c.against for c in comparisons} == set(SCHEMES[1:])
    assert {f.key for f in findings(rows, comparisons)} == {"even", "smooth", "cell-size", "bins"}


def test_an_experiment_on_earnings_is_the_same_for_the_same_seed(accuracies):
    assert run(made_up(25, 1), GRID, seed=1) == accuracies


def test_a_comparison_is_certain_only_beyond_its_interval(accuracies):
    _, comparisons = accuracies
    for c in comparisons:
        expected = "log-normal" if c.low > 0 else c.against if c.high < 0 else "undecided"
        assert c.better == expected


def test_outcomes_files_of_another_layout_are_refused(tmp_path):
    path = tmp_path / "cells.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="has no column cellcount"):
        read(path, 10)
    head = ",".join(COLUMNS)
    path.write_text(f"{head}\n40,x,2,3,0\n", encoding="utf-8")
    with pytest.raises(ParameterError, match="is not a table"):
        read(path, 10)
    path.write_text(f"{head}\n40,20000,30000,50000,0\n41,20000,30000,50000,1\n", encoding="utf-8")
    cells = read(path, 10)
    assert cells.sizes.tolist() == [40]
    assert cells.true[0] == pytest.approx([20000, 30000, 50000], rel=0.02)
