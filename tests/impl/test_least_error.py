"""The rule that chooses a mechanism reads public information only, and its errors are those of the draws."""

from math import log, sqrt

import numpy as np
import pytest

from establish.impl.mechanisms.defaults import settled
from establish.impl.mechanisms.growth_laplace import SIZES
from establish.impl.mechanisms.least_error import chosen, rated
from establish.impl.publish.cells import opened
from establish.impl.sampling.bits import Bits
from establish.impl.tables.column_roles import Asked
from establish.spec.parameters import ParameterError


@pytest.mark.parametrize(
    ("alpha", "epsilon", "largest", "name"),
    [
        ("1/10", 2, False, "whole-staircase"),
        ("1/10", 2, True, "smooth-path"),
        ("1/10", "1/5", True, "smooth-lomax"),
        ("1/5", "1/4", False, "growth-laplace"),
        ("1/10", "1/20", True, "growth-laplace"),
    ],
)
def test_the_least_expected_error_wins(alpha, epsilon, largest, name):
    choice = chosen(alpha, epsilon, largest=largest)
    assert choice.mechanism.name == name
    assert choice.why.startswith(f"{name} (tight) is the default for these α, ε and δ when ")


def test_cells_of_one_establishment_need_no_noise_by_the_largest():
    one = chosen("1/10", 2, largest=True, one=True)
    assert one.mechanism.name == "whole-staircase"
    assert "when no cell has more than one establishment" in one.why


def test_a_public_number_of_establishments_chooses(tmp_path):
    """The first table is of single establishments, by a public column; in the second one cell has two."""
    for firms, name in (("1,0", "whole-staircase"), ("1,2", "smooth-path")):
        first, second = firms.split(",")
        path = tmp_path / "cells.csv"
        text = f"place,jobs,largest,firms\na,7,7,{first}\nb,9,9,{second}\n"
        path.write_text(text, encoding="utf-8")
        with opened(path, Asked("jobs", "largest", establishments="firms")) as cells:
            one = cells.one_establishment_each()
        found = settled(None, None, alpha="1/10", epsilon=2, largest=True, one=one)
        assert (found.name, found.calibration) == (name, "tight")


def test_published_calibrations_are_chosen_among_when_they_are_wanted():
    assert chosen("1/10", 2, largest=False, calibration="published").mechanism.name == "log-laplace"
    names = {r.mechanism.name for r in rated("1/10", 2, "1/100", "published")}
    assert names == {"log-laplace", "smooth-gamma", "smooth-laplace"}


def test_parameters_that_are_not_allowed_are_refused():
    with pytest.raises(ParameterError, match="α = 0 is not allowed"):
        chosen(0, 2, largest=False)


@pytest.mark.few(1)
@pytest.mark.parametrize("place", [2, 3])
def test_the_stated_errors_are_those_of_the_draws(place):
    """Errors lie between 0 and B = 20·S but for outputs that the law gives with probability below 1e-12: by
    Hoeffding the mean of N is off by more than B·√(ln(2/1e-9)/(2N)) with probability 1e-9; rounding moves an
    error by 1/2 at most.
    """
    draws, count = 200_000, SIZES[place]
    unit = max(count / 10, 1)
    for one in rated("1/10", 2):
        noisy = one.mechanism.release(np.full(draws, count), Bits.seeded(15))
        found = np.minimum(np.abs(noisy - count), 20 * unit).mean()
        slack = 20 * unit * sqrt(log(2 / 1e-9) / (2 * draws)) + 0.5 + 0.01 * unit
        assert abs(found - one.errors[place] * unit) <= slack, one.mechanism.name
