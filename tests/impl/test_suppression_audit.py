"""Audits of small systems, held against brute force, the exact simplex method and hand-made cases."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import ceil, floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from establish.impl.suppression import engines, whole_numbers
from establish.impl.suppression.audit import Answer, Contradiction, audit
from establish.impl.suppression.presolve import Presolved
from establish.impl.suppression.programs import Ratios
from establish.impl.suppression.search import Unsettled
from establish.impl.suppression.sums import Problem, Sum
from establish.impl.suppression.vertices import Checker
from establish.spec.disclosure_limitation.linear_bounds import LinearTable
from establish.spec.disclosure_limitation.suppression import SuppressedTable

needs_highs = pytest.mark.skipif(
    engines.highs() is None, reason="highspy, of the extra suppress, is not installed"
)


def asked(table: LinearTable) -> Problem:
    """The system alone, its unknowns named by their numbers."""
    names = [str(k) for k in range(len(table.lower))]
    sums = [Sum(((0, 1),))] * len(table.rows)
    cells = [(name,) for name in names]
    return Problem(names, cells, len(names), sums, {}, range(len(names)), table, 1)


def ends(answer: Answer) -> list[tuple[Fraction | None, Fraction | None]]:
    for side in answer.ends:
        assert all(end is not None and end.attained for end in side)
    return [(low.bound, high.bound) for low, high in zip(*answer.ends, strict=True)]


def nonnegative(rows, right, count, most=None):
    return LinearTable(rows, right, [0] * count, [most] * count)


class Witnesses:
    """A sink that believes nothing: all that it is given is evaluated in the definitions."""

    def __init__(self, table: LinearTable, integers: bool) -> None:
        self.table_, self.integers = table, integers
        self.events: list[tuple] = []
        self.first: dict[int, object] = {}

    def table(self, changes):
        self.events.append(("table", dict(changes)))
        for place, value in changes.items():
            self.first.setdefault(place, value)

    def end(self, place, side, bound, dual, inner):
        self.events.append(("end", place, side, bound, dict(dual), inner))

    def direction(self, changes):
        assert self.table_.is_direction(changes)
        self.moves = changes

    def unbounded(self, place, side):
        assert self.moves[place] * (1 if side else -1) > 0

    def check(self) -> None:
        now = dict(self.first)
        for kind, *rest in self.events:
            if kind == "table":
                now |= rest[0]
                assert self.table_.is_table([now[k] for k in range(len(now))])
                continue
            place, side, bound, dual, inner = rest
            own = (self.table_.greatest if side else self.table_.least)({place: 1}, dual)
            assert own is not None
            assert bound == (own if not self.integers else floor(own) if side else ceil(own))
            assert now[place] == inner


@st.composite
def systems(draw: Callable) -> LinearTable:
    """Up to six unknowns between −1 and 4, up to four sums; a fifth of them are made contradictory."""
    count = draw(st.integers(1, 6))
    lower = draw(st.lists(st.integers(-1, 1), min_size=count, max_size=count))
    upper = [low + draw(st.integers(0, 3)) for low in lower]
    factor = st.sampled_from([0, 0, 1, 1, -1, 2])
    rows = [
        {k: v for k, v in enumerate(draw(st.tuples(*[factor] * count))) if v}
        for _ in range(draw(st.integers(0, 4)))
    ]
    values = [draw(st.integers(low, high)) for low, high in zip(lower, upper, strict=True)]
    right = [sum(v * values[k] for k, v in row.items()) for row in rows]
    if right and draw(st.integers(0, 4)) == 0:
        right[0] += draw(st.integers(-2, 2))
    return LinearTable(rows, right, lower, upper)


def whole_tables(table: LinearTable) -> list[tuple[int, ...]]:
    box = [range(low, high + 1) for low, high in zip(table.lower, table.upper, strict=True)]
    return [values for values in product(*box) if table.is_table(values)]


def require_true(table: LinearTable) -> None:
    """Both attackers, against all whole tables there are."""
    fitting = whole_tables(table)
    for integers in (False, True):
        sink = Witnesses(table, integers)
        try:
            answer = audit(asked(table), integers, [sink])
        except Contradiction as contradiction:
            assert fitting == []
            clash = contradiction.dual
            assert table.clashes(clash) or (integers and table.clashes_in_integers(clash))
            continue
        except Unsettled:
            assert integers
            assert fitting == []
            continue
        sink.check()
        for k in range(len(table.lower)):
            low, high = answer.ends[0][k], answer.ends[1][k]
            if integers:
                assert (low.inner, high.inner) == (
                    min(values[k] for values in fitting),
                    max(values[k] for values in fitting),
                )
                assert low.bound <= low.inner <= high.inner <= high.bound
            else:
                assert low.attained
                assert high.attained
                assert all(low.bound <= values[k] <= high.bound for values in fitting)


@needs_highs
@given(systems())
def test_intervals_are_those_of_all_whole_tables_in_the_box(table):
    require_true(table)


@pytest.mark.small_campaign
@given(systems())
@settings(max_examples=150)
def test_so_are_those_of_the_exact_simplex_method(table):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "highs", lambda: None)
        patch.setattr(whole_numbers, "highs", lambda: None)
        require_true(table)


@st.composite
def margins(draw: Callable) -> tuple[list, dict]:
    """A two-way table with totals, some inner cells and row totals hidden."""
    rows, columns = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    value = {(i, j): draw(st.integers(0, 9)) for i in range(rows) for j in range(columns)}
    sums = []
    for i in range(rows):
        value[i, "*"] = sum(value[i, j] for j in range(columns))
        sums.append(((i, "*"), [(i, j) for j in range(columns)]))
    for j in [*range(columns), "*"]:
        value["*", j] = sum(value[i, j] for i in range(rows))
        sums.append((("*", j), [(i, j) for i in range(rows)]))
    hidden = draw(st.sets(st.sampled_from(sorted(value, key=str)), min_size=1, max_size=9))
    return sums, {cell: v for cell, v in value.items() if cell not in hidden}


@given(margins())
def test_intervals_are_those_of_the_suppressed_table(case):
    sums, published = case
    table = SuppressedTable(sums, published)
    names = list(table.suppressed)
    place = {name: k for k, name in enumerate(names)}
    rows, right = [], []
    for whole, parts in sums:
        terms = [(whole, 1), *((part, -1) for part in parts)]
        rows.append({place[name]: factor for name, factor in terms if name in place})
        right.append(-sum(f * published[name] for name, f in terms if name not in place))
    found = ends(audit(asked(nonnegative(rows, right, len(names))), False))
    assert found == [table.interval(name) for name in names]


# a + b + d = b + c + d = a + c + d = 3: with d = 0 and a = b = c the real attacker reaches 3/2.
TRIANGLE = [{0: 1, 1: 1, 3: 1}, {1: 1, 2: 1, 3: 1}, {0: 1, 2: 1, 3: 1}]


def test_a_real_attacker_reaches_three_halves_where_a_whole_one_stops_at_one():
    table = nonnegative(TRIANGLE, [3, 3, 3], 4)
    assert ends(audit(asked(table), False))[0] == (0, Fraction(3, 2))
    whole = audit(asked(table), True)
    assert [(side[0].bound, side[0].attained) for side in whole.ends] == [(0, True), (1, True)]
    # d = 3 − 2a is odd, which no dual vector says: an enclosure, and not called an interval.
    assert (whole.ends[0][3].bound, whole.ends[0][3].inner) == (0, 1)
    assert not whole.ends[0][3].attained


def test_an_odd_triangle_has_a_real_table_and_no_whole_one():
    table = nonnegative([{0: 1, 1: 1}, {1: 1, 2: 1}, {0: 1, 2: 1}], [1, 1, 1], 3)
    assert ends(audit(asked(table), False)) == [(Fraction(1, 2), Fraction(1, 2))] * 3
    with pytest.raises(Contradiction) as found:
        audit(asked(table), True)
    assert table.clashes_in_integers(found.value.dual)
    assert not table.clashes(found.value.dual)


def test_an_attacker_on_sums_alone_learns_a_determined_cell_and_nothing_of_others():
    # x + y = 7 and x + y + z = 9: z = 2, and x may be anything.
    table = LinearTable([{0: 1, 1: 1}, {0: 1, 1: 1, 2: 1}], [7, 9], [None] * 3, [None] * 3)
    sink = Witnesses(table, False)
    answer = audit(asked(table), False, [sink])
    sink.check()
    assert ends(answer) == [(None, None), (None, None), (2, 2)]


def test_a_hidden_total_leaves_its_parts_without_an_upper_bound():
    table = nonnegative([{0: 1, 1: -1, 2: -1}], [5], 3)  # total − x − y = 5
    assert ends(audit(asked(table), False)) == [(5, None), (0, None), (0, None)]


def test_a_float_that_is_not_four_does_not_hide_an_exact_four():
    # Weights of tenths: 10·x = 40 + (y − y'), y = y' by another sum; 3.9999999999999996 < 4 in floats.
    table = nonnegative([{0: 10, 1: -1, 2: 1}, {1: 1, 2: -1}, {1: 1, 3: 1}], [40, 0, 10**15], 4)
    assert ends(audit(asked(table), False))[0] == (4, 4)


def test_values_beyond_the_exact_range_of_floats_are_exact():
    big = 10**17 + 1
    table = nonnegative([{0: 1, 1: 1}, {1: 1, 2: 1}, {0: 1, 3: 1, 2: 1}], [big, big, big + 3], 4)
    found = ends(audit(asked(table), False))
    assert found[0] == found[2] == (0, (big + 3) // 2)
    assert found[3] == (3 - big if big < 3 else 0, big + 3)


@needs_highs
def test_a_wide_table_has_the_intervals_of_its_margins_by_few_programs():
    # Every inner cell is hidden: it is at most the smaller of its margins; at least what the others leave.
    values = np.random.default_rng(5).integers(0, 50, (10, 60))
    values[3, 7] = 10**5
    across, down = values.sum(1).tolist(), values.sum(0).tolist()
    rows = [{60 * i + j: 1 for j in range(60)} for i in range(10)]
    rows += [{60 * i + j: 1 for i in range(10)} for j in range(60)]
    answer = audit(asked(nonnegative(rows, across + down, 600)), False)
    total = sum(across)
    assert ends(answer) == [(max(0, a + d - total), min(a, d)) for a in across for d in down]
    assert answer.programs < 300  # both ends of 600 unknowns


def test_contradictory_sums_are_named():
    # a + b = 1, c + d = 1, but a + c = 2 and b + d = 1.
    rows = [{0: 1, 1: 1}, {2: 1, 3: 1}, {0: 1, 2: 1}, {1: 1, 3: 1}, {4: 1, 5: 1}]
    table = nonnegative(rows, [1, 1, 2, 1, 8], 6)
    with pytest.raises(Contradiction) as found:
        audit(asked(table), False)
    assert table.clashes(found.value.dual)
    assert set(found.value.dual) == {0, 1, 2, 3}


def test_a_contradiction_that_no_presolve_sees_is_found_by_the_solver():
    rows = [{0: 1, 1: 1, 2: 1}, {2: 1, 3: 1, 4: 1}, {0: 1, 1: 1, 3: 1, 4: 1}, {0: 1, 2: 1, 5: -1}]
    table = nonnegative(rows, [4, 4, 9, 0], 6)  # the first two say at most 8
    with pytest.raises(Contradiction) as found:
        audit(asked(table), False)
    assert table.clashes(found.value.dual)


def test_a_point_outside_the_bounds_or_sums_is_no_table():
    # a + b + c = 6, each at most 4: no presolve step applies, so all three are kept.
    checker = Checker(Presolved(nonnegative([{0: 1, 1: 1, 2: 1}], [6], 3, most=4)), [0, 1, 2], [])
    for point, fits in (([4, 2, 0], True), ([5, 1, 0], False), ([-1, 4, 3], False), ([4, 1, 0], False)):
        assert checker.is_table(Ratios(np.array(point), 1)) == fits
        assert checker.is_table(Ratios(2 * np.array(point), 2)) == fits
