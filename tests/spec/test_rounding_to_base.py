"""Rounding to a base, and how likely the tables behind it are, by hand and by enumeration."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.disclosure_limitation.rounding_to_base import (
    likelihood,
    posterior,
    random_rounding,
    room,
    table_likelihood,
)
from establish.spec.disclosure_limitation.whole_tables import whole_tables
from establish.spec.parameters import ParameterError


@pytest.mark.parametrize("base", [2, 3, 5, 10])
def test_random_rounding_is_unbiased_and_its_likelihood_is_its_law(base):
    for value in range(-2 * base, 3 * base):
        law = random_rounding(value, base)
        assert sum(law.values()) == 1
        assert sum(shown * share for shown, share in law.items()) == value
        for shown in range(-4 * base, 5 * base):
            assert likelihood(shown, value, base) == law.get(shown, 0)


def test_how_far_a_value_may_be_is_attained_and_never_exceeded():
    for base in (2, 3, 4, 5):
        values = range(-20, 21)
        apart = [abs(v - shown) for v in values for shown in random_rounding(v, base)]
        assert max(apart) == room(base, "random") == room(base, "controlled") == base - 1
        nearest = [min(v % base, -v % base) for v in values]
        assert base // 2 == max(nearest)
        assert max(nearest) <= room(base, "nearest")


@st.composite
def systems(draw: Callable) -> LinearTable:
    count = draw(st.integers(1, 4))
    lower = draw(st.lists(st.integers(-1, 1), min_size=count, max_size=count))
    upper = [low + draw(st.integers(0, 3)) for low in lower]
    factor = st.sampled_from([0, 1, -1, 2])
    rows = [
        {k: v for k, v in enumerate(draw(st.tuples(*[factor] * count))) if v}
        for _ in range(draw(st.integers(0, 3)))
    ]
    return LinearTable(rows, [draw(st.integers(-2, 4)) for _ in rows], lower, upper)


@given(systems())
@settings(max_examples=200)
def test_whole_tables_are_all_there_are_each_once(table):
    box = [range(low, high + 1) for low, high in zip(table.lower, table.upper, strict=True)]
    assert list(whole_tables(table)) == [v for v in product(*box) if table.is_table(v)]


def test_the_posterior_is_the_likelihood_of_tables_with_a_value():
    # 15 = 5 + 5 at base 5 in a table of two parts; worked out over all pairs.
    table = LinearTable([{0: 1, 1: -1, 2: -1}], [0], [0] * 3, [20] * 3)
    weight = {(a, b): table_likelihood((15, 5, 5), (a + b, a, b), 5) for a, b in product(range(10), repeat=2)}
    total = sum(weight.values())
    found = posterior(table, (15, 5, 5), 5, 1000)
    assert found is not None
    for value in range(21):
        share = sum((w for (a, b), w in weight.items() if a + b == value), Fraction(0)) / total
        assert found[0].get(value, 0) == share
        share = sum((w for (a, b), w in weight.items() if a == value), Fraction(0)) / total
        assert found[1].get(value, 0) == share
    assert posterior(table, (15, 5, 5), 5, 10) is None


def test_a_cell_that_is_not_published_has_no_likelihood_of_its_own():
    assert table_likelihood((5, None), (4, 77), 5) == Fraction(4, 5)


def test_bad_parameters_are_refused():
    with pytest.raises(ParameterError, match="base = 1"):
        random_rounding(3, 1)
    with pytest.raises(ParameterError, match="rule = up"):
        room(5, "up")
    with pytest.raises(ParameterError, match="both bounds"):
        list(whole_tables(LinearTable([], [], [0], [None])))
    with pytest.raises(ParameterError, match="no whole table"):
        posterior(LinearTable([], [], [0], [0]), (5,), 5, 9)
