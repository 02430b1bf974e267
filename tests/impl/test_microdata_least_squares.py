"""Least squares over a hierarchy against the specification, in exact fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from establish.impl.microdata import least_squares as running
from establish.impl.microdata.group_by import Codes, Groups, groups
from establish.impl.microdata.least_squares import Answered, finest, least_squares, parents
from establish.spec import least_squares as spec
from establish.spec.parameters import ParameterError

Row = tuple[list[int], Fraction, Fraction]


def rows_of(answered: list[Answered], cells: int) -> list[Row]:
    """Every answer as its 0/1 row over establishments, its value and its variance, exactly."""
    return [
        (
            [int(query.formed.index[e] == group) for e in range(cells)],
            Fraction(float(query.values[group])),
            Fraction(float(query.variances[group])),
        )
        for query in answered
        for group in range(query.formed.number)
    ]


def exact_minimum(answered: list[Answered], cells: int, free: list[int] | None = None) -> list[Fraction]:
    """The specification's x, with x = 0 outside ``free``."""
    rows, answers, variances = zip(*rows_of(answered, cells), strict=True)
    kept = list(range(cells)) if free is None else free
    if not kept:
        return [Fraction(0)] * cells
    own = [[row[cell] for cell in kept] for row in rows]
    found = dict(zip(kept, spec.estimate(own, answers, variances), strict=True))
    return [found.get(cell, Fraction(0)) for cell in range(cells)]


def exact_minimum_over_nonnegative(answered: list[Answered], cells: int) -> list[Fraction]:
    """The best of the minima with some cells held at 0, over all choices: it is one of them."""
    tried = []
    for held in product((False, True), repeat=cells):
        x = exact_minimum(answered, cells, [cell for cell in range(cells) if not held[cell]])
        if min(x) >= 0:
            tried.append((spec.objective(*zip(*rows_of(answered, cells), strict=True), x), x))
    return min(tried)[1]


def hierarchy(seed: int, cells: int) -> list[Answered]:
    """By establishment, county × industry, county, industry and in all: county and industry cross."""
    rng = np.random.default_rng(seed)
    county, industry = (
        Codes(rng.integers(0, k, cells), np.array([str(i) for i in range(k)], dtype=object)) for k in (2, 3)
    )
    formed = [
        Groups(np.arange(cells), cells, ()),
        *(groups(by, cells) for by in ([county, industry], [county], [industry], [])),
    ]
    return [Answered(one, rng.normal(2, 4, one.number), rng.uniform(0.1, 9, one.number)) for one in formed]


@pytest.mark.parametrize("seed", range(8))
def test_the_estimate_is_the_exact_minimum(seed):
    answered = hierarchy(seed, 9)
    exact = [float(x) for x in exact_minimum(answered, 9)]
    assert least_squares(answered).tolist() == pytest.approx(exact, rel=1e-10, abs=1e-10)


def test_a_nested_hierarchy_needs_no_linear_system(monkeypatch):
    monkeypatch.setattr(running, "_joint", None)
    answered = [query for place, query in enumerate(hierarchy(5, 9)) if place != 3]
    exact = [float(x) for x in exact_minimum(answered, 9)]
    assert least_squares(answered).tolist() == pytest.approx(exact, rel=1e-10, abs=1e-10)
    with pytest.raises(TypeError):
        least_squares(hierarchy(5, 9))


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_queries_does_not_matter(seed):
    answered = hierarchy(seed, 9)
    assert least_squares(answered[::-1]) == pytest.approx(least_squares(answered))


@pytest.mark.few(3)
@pytest.mark.parametrize("patience", [0, 3])
@pytest.mark.parametrize("seed", range(6))
def test_over_nonnegative_cells_it_is_the_best_of_all_choices_of_zeros(seed, patience, monkeypatch):
    monkeypatch.setattr(running, "PATIENCE", patience)
    answered = hierarchy(seed, 6)
    exact = [float(x) for x in exact_minimum_over_nonnegative(answered, 6)]
    found = least_squares(answered, nonnegative=True)
    assert found.tolist() == pytest.approx(exact, rel=1e-9, abs=1e-9)
    assert (found >= 0).all()


def test_a_fit_that_does_not_settle_is_refused(monkeypatch):
    seed = next(seed for seed in range(6) if least_squares(hierarchy(seed, 6)).min() < 0)
    monkeypatch.setattr(running, "ROUNDS", 1)
    with pytest.raises(ParameterError, match="did not converge within 1 rounds"):
        least_squares(hierarchy(seed, 6), nonnegative=True)


def test_negative_estimates_do_occur_without_the_option():
    assert min(float(least_squares(hierarchy(seed, 6)).min()) for seed in range(6)) < 0


def test_known_equal_variances_give_the_mean():
    """Case 1 of Section 7: three answers about one establishment."""
    one = Groups(np.zeros(1, np.int64), 1, ())
    answered = [Answered(one, np.array([value]), np.array([2.0])) for value in (3.0, 4.0, 11.0)]
    assert least_squares(answered)[0] == pytest.approx(6.0)


def test_one_query_alone_is_its_own_estimate():
    answered = hierarchy(1, 5)[:1]
    assert least_squares(answered).tolist() == answered[0].values.tolist()
    assert least_squares(answered, nonnegative=True).min() >= 0


def test_queries_that_cross_need_one_that_refines_both():
    _, cells, county, industry, _ = (one.formed for one in hierarchy(3, 9))
    assert parents(cells, county) is not None
    assert parents(county, industry) is None
    assert finest([county, cells, industry]) == 1
    with pytest.raises(ParameterError, match="one query must refine all others"):
        finest([county, industry])
    with pytest.raises(ParameterError, match="one query must refine all others"):
        finest([])


@pytest.mark.parametrize(
    ("values", "variances", "message"),
    [
        ([1.0], [1.0, 1.0], "one number for each group"),
        ([1.0, np.nan], [1.0, 1.0], "finite"),
        ([1.0, 2.0], [1.0, np.inf], "finite"),
        ([1.0, 2.0], [1.0, 0.0], "greater than 0"),
        ([1.0, 2.0], [1.0, -1.0], "greater than 0"),
    ],
)
def test_answers_without_a_usable_variance_are_refused(values, variances, message):
    formed = Groups(np.arange(2), 2, ())
    with pytest.raises(ParameterError, match=message):
        Answered(formed, np.array(values), np.array(variances))
