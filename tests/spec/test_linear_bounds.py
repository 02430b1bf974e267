"""What a dual vector certifies, what a table and a direction are, and the exact simplex method's proofs."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.disclosure_limitation.protection import NKRule, PQRule, rule
from establish.spec.disclosure_limitation.simplex import maximum, optimum
from establish.spec.parameters import ParameterError

# x + y = 10, y + z = 7, all between 0 and 8, z without an upper bound.
TABLE = LinearTable([{0: 1, 1: 1}, {1: 1, 2: 1}], [10, 7], [0, 0, 0], [8, 8, None])


def test_a_dual_vector_certifies_what_its_sums_and_bounds_give():
    # x = 10 − y = 10 − (7 − z) = 3 + z ≥ 3, from the first sum less the second.
    assert TABLE.remainder({0: 1}, {0: 1, 1: -1}) == {2: 1}
    assert TABLE.least({0: 1}, {0: 1, 1: -1}) == 3
    assert TABLE.least({0: 1}, {0: 1}) == 2  # 10 − y, y ≤ 8
    assert TABLE.least({0: 1}, {}) == 0
    assert TABLE.greatest({0: 1}, {}) == 8
    assert TABLE.greatest({0: 1}, {0: 1, 1: -1}) is None  # 3 + z, z unbounded
    assert TABLE.greatest({2: 1}, {0: -1, 1: 1}) == 5  # z = x − 3 ≤ 5


def test_tables_and_directions_are_seen_true_and_false():
    assert TABLE.is_table([3, 7, 0])
    assert not TABLE.is_table([3, 7, 1])
    assert not TABLE.is_table([9, 1, 6]), "x is above its bound"
    free = LinearTable([{0: 1, 1: -1}], [0], [0, 0], [None, None])
    assert free.is_direction({0: 1, 1: 1})
    assert not free.is_direction({0: -1, 1: -1}), "0 stops it"
    assert not free.is_direction({0: 1})


def test_clashes_are_seen_true_and_false():
    assert LinearTable([{0: 1}], [-1], [0], [None]).clashes({0: -1})
    assert not TABLE.clashes({0: 1})
    halves = LinearTable([{0: 2}], [1], [0], [1])
    assert halves.clashes_in_integers({0: Fraction(1, 2)})
    assert not halves.clashes_in_integers({0: 1})
    assert not halves.clashes_in_integers({0: Fraction(1, 4)}), "the factor of x is not whole"


entries = st.integers(-3, 3)


@given(
    st.lists(st.tuples(entries, entries, entries), min_size=1, max_size=3),
    st.tuples(*[st.integers(0, 4)] * 3),
    st.tuples(entries, entries, entries),
)
def test_the_simplex_method_proves_its_optimum(rows, point, cost):
    right = [Fraction(sum(a * x for a, x in zip(row, point, strict=True))) for row in rows]
    matrix = [[Fraction(v) for v in row] for row in rows]
    aim = [Fraction(v) for v in cost]
    found = optimum(aim, matrix, right)
    assert maximum(aim, matrix, right) == (None if found is None else found.value)
    if found is None:
        return
    assert all(x >= 0 for x in found.point)
    for row, total in zip(matrix, right, strict=True):
        assert sum(a * x for a, x in zip(row, found.point, strict=True)) == total
    assert sum(c * x for c, x in zip(aim, found.point, strict=True)) == found.value
    for k in range(3):
        assert sum(y * row[k] for y, row in zip(found.dual, matrix, strict=True)) >= aim[k]
    assert sum(y * b for y, b in zip(found.dual, right, strict=True)) == found.value


def test_protection_levels_are_those_of_a_calculation_by_hand():
    # 80 + 15 + 5 = 100: p = 10 asks for 8 and 5 is there; q = 50 doubles what p asks for.
    assert PQRule(Fraction(10)).level(100, [80, 15]) == 3
    assert PQRule(Fraction(10), Fraction(50)).level(100, [80, 15]) == 11
    assert PQRule(Fraction(5)).level(100, [80, 15]) == 0
    # One contributor above 75% of the total: 80/0.75 = 106 2/3.
    assert NKRule(1, Fraction(75)).level(100, [80]) == Fraction(20, 3)
    assert NKRule(2, Fraction(95)).level(100, [80, 15]) == 0


def test_rules_are_read_and_others_refused():
    assert rule("p:10") == PQRule(Fraction(10))
    assert rule("pq:10,50") == PQRule(Fraction(10), Fraction(50))
    assert rule("nk:2,85") == NKRule(2, Fraction(85))
    for text in ("p", "p:0", "p:200", "pq:60,50", "nk:0,85", "nk:1,100", "x:1"):
        with pytest.raises(ParameterError):
            rule(text)
    with pytest.raises(ParameterError, match="exceed the total"):
        PQRule(Fraction(10)).level(100, [80, 30])


@pytest.mark.parametrize(
    ("text", "total", "given", "level"),
    [
        ("nk:3,85", 100, [60, 20], None),
        ("p:10", 100, [80], None),
        ("p:10", 100, [], None),
        ("pq:10,50", 100, [80], None),
        ("p:10", 80, [80], 8),  # one contributor, so that there is no second
        ("p:10", 100, [100, 0], 10),
        ("pq:10,50", 0, [], 0),
        ("nk:2,80", 80, [80], 20),
    ],
)
def test_fewer_contributions_than_a_rule_reads_are_enough_where_they_are_all(text, total, given, level):
    if level is None:
        with pytest.raises(ParameterError, match=r"needs the [23] largest contributions"):
            rule(text).level(total, given)
    else:
        assert rule(text).level(total, given) == level
