"""Every attacker, on small tables of whole numbers, against all tables that fit what it knows."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from establish.impl.suppression.attacker_bounds import known_bounds
from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import Entry, read_cells
from establish.impl.suppression.layout import Layout, attacker
from establish.impl.suppression.owner_audits import seen_by_owners
from establish.impl.suppression.search import Unsettled
from establish.impl.suppression.sums import Problem, problem
from establish.impl.suppression.verdicts import Interval, Level, intervals, verdict
from establish.spec.parameters import ParameterError

LAYOUT = Layout(
    by=("r", "c"), value="v", totals={"r": "All", "c": "All"}, true="t", count="n", lower="l", upper="u",
)  # fmt: skip
ROWS, COLUMNS = ("r0", "r1"), ("c0", "c1", "c2")
INNER = list(product(ROWS, COLUMNS))
CELLS = [*product((*ROWS, "All"), (*COLUMNS, "All"))]
MOST = 4

Table = dict[tuple[str, str], int]


def totalled(values: tuple[int, ...]) -> Table:
    inner = dict(zip(INNER, values, strict=True))
    return {
        (r, c): sum(v for (i, j), v in inner.items() if r in (i, "All") and c in (j, "All")) for r, c in CELLS
    }


@cache
def every() -> list[Table]:
    """Every table with inner values from 0 to MOST: 15,625."""
    return [totalled(values) for values in product(range(MOST + 1), repeat=len(INNER))]


@cache
def by_cell() -> np.ndarray:
    """The same, a row for each table and a column for each of CELLS."""
    return np.array([[table[cell] for cell in CELLS] for table in every()])


def those(fits: Callable[[tuple[str, str], int], bool]) -> list[Table]:
    """The tables of which every cell's value fits; each value of a cell is asked about once."""
    left = np.ones(len(every()), dtype=bool)
    for column, cell in zip(by_cell().T, CELLS, strict=True):
        left &= np.isin(column, [v for v in range(column.max() + 1) if fits(cell, v)])
    return [every()[at] for at in np.flatnonzero(left)]


def require_ends(asked: Problem, found: list[Interval], fitting: list[Table]) -> None:
    """The ends that tables attain are those of all that fit, and the certified ones lie no further in."""
    for one in found:
        values = [table[asked.cells[one.place]] for table in fitting]
        assert one.inner == (min(values), max(values))
        assert one.lower <= min(values) <= max(values) <= one.upper


FULL = "nonnegative,integers"


def known_by(words: str, true: Table, draw: Callable) -> tuple[str, dict, Callable]:
    """What an attacker knows of each cell: the words, further columns, and whether a value may be it."""
    extra: dict = {cell: {"t": v} for cell, v in true.items()}
    if words == "bounds":
        for cell, v in true.items():
            if draw(st.booleans()):
                extra[cell] |= {"l": v - draw(st.integers(0, 2)), "u": v + draw(st.integers(0, 2))}

        def fits(cell, v):
            return extra[cell].get("l", v) <= v <= extra[cell].get("u", v)
    elif words == "counts":
        for cell, v in true.items():
            extra[cell] |= {"n": 0 if v == 0 and draw(st.booleans()) else draw(st.integers(1, 3))}

        def fits(cell, v):
            return v == 0 or extra[cell]["n"] > 0
    elif words == "box":

        def fits(cell, v):
            return min(true.values()) <= v <= max(true.values())
    elif words.startswith("within"):
        percent = Fraction(words.partition(":")[2])

        def fits(cell, v):
            # Rounded outward: a whole number next to the end may be the value too.
            return abs(v - true[cell]) < true[cell] * percent / 100 + 1 and (
                v == true[cell] or true[cell] > 0
            )
    else:

        def fits(cell, v):
            return True

    return FULL if words == "nothing" else f"{FULL},{words}", extra, fits


WORDS = ("nothing", "bounds", "counts", "box", "within:20", "within:50")


@given(st.data(), st.sampled_from(WORDS))
@settings(max_examples=settings().max_examples // 2)
def test_an_attacker_sees_what_all_tables_that_fit_leave_open(data, words):
    true = data.draw(st.sampled_from(every()))
    # Hidden are cells whose row or column total keeps them at MOST: brute force has no other table.
    small = [(r, c) for r, c in INNER if min(true[r, "All"], true["All", c]) <= MOST]
    assume(small)
    hidden = data.draw(st.sets(st.sampled_from(small), min_size=1))
    text, extra, fits = known_by(words, true, data.draw)
    cells = {cell: Entry(None if cell in hidden else true[cell], extra[cell]) for cell in CELLS}
    asked = problem(cells, LAYOUT, attacker(text))
    try:
        found = intervals(asked, audit(asked, True))
    except Unsettled:
        pytest.fail("the true table fits")
    fitting = those(lambda cell, v: fits(cell, v) if cell in hidden else v == true[cell])
    assert true in fitting
    assert len(found) == len(hidden)
    require_ends(asked, found, fitting)


@pytest.mark.few(2)
@pytest.mark.parametrize("words", ["nearest:3", "random:2", "controlled:2"])
@given(st.data())
@settings(max_examples=25)
def test_a_rounded_table_leaves_open_the_tables_that_round_to_it(words, data):
    kind, _, base = words.partition(":")
    step = int(base)  # a value that is published as one step is at most MOST

    def may_be(value: int) -> set[int]:
        if kind == "nearest":
            return {(value + 1) // step * step}
        return {value // step * step, -(-value // step) * step}

    small = those(lambda cell, v: cell not in INNER or min(may_be(v)) <= step)
    true = data.draw(st.sampled_from(small))
    published = {
        cell: data.draw(st.sampled_from([p for p in sorted(may_be(v)) if cell not in INNER or p <= step]))
        for cell, v in true.items()
    }
    cells = {cell: Entry(value) for cell, value in published.items()}
    asked = problem(cells, LAYOUT, attacker(f"{FULL},{words}"))
    found = intervals(asked, audit(asked, True))
    require_ends(asked, found, those(lambda cell, v: published[cell] in may_be(v)))


@given(st.data())
@settings(max_examples=60)
def test_an_owner_sees_what_tables_with_its_value_leave_open(data):
    true = data.draw(
        st.sampled_from(those(lambda cell, v: cell[1] != "All" or cell[0] == "All" or v <= MOST))
    )
    hidden = data.draw(st.sets(st.sampled_from(INNER), min_size=2, max_size=6))
    cells = {c: Entry(None if c in hidden else true[c], {"t": true[c], "n": 1}) for c in CELLS}
    asked = problem(cells, LAYOUT, attacker(FULL))
    open_ = [one.place for one in intervals(asked, audit(asked, True)) if not one.exact]
    owners = {place: true[asked.cells[place]] for place in open_}
    fitting = those(lambda cell, v: cell in hidden or v == true[cell])
    for owner, seen in seen_by_owners(asked, owners, True):
        own = asked.cells[owner]
        require_ends(asked, seen, [t for t in fitting if t[own] == true[own]])
    pair = data.draw(st.sampled_from(sorted(product(hidden, repeat=2))))
    both = problem(cells, LAYOUT, attacker(FULL, pair))
    mine = [t for t in fitting if all(t[own] == true[own] for own in pair)]
    require_ends(both, intervals(both, audit(both, True)), mine)


def test_the_attacker_on_sums_alone_knows_no_sign():
    true = totalled((1, 2, 3, 4, 0, 1))
    cells = {c: Entry(None if c in INNER[:2] else v, {}) for c, v in true.items()}
    asked = problem(cells, LAYOUT, attacker("sums"))
    ends = [(one.lower, one.upper) for one in intervals(asked, audit(asked, False))]
    assert ends == [(1, 1), (2, 2)]  # columns with one unknown each
    cells = {c: Entry(None if c in INNER else v, {}) for c, v in true.items()}
    asked = problem(cells, LAYOUT, attacker("sums"))
    ends = [(one.lower, one.upper) for one in intervals(asked, audit(asked, False))]
    assert ends == [(None, None)] * 6


def test_a_rounding_to_neighbors_is_of_whole_values():
    with pytest.raises(ParameterError, match="needs integers"):
        attacker("nonnegative,random:5")


@pytest.mark.parametrize(
    ("words", "value", "extra", "ends"),
    [
        pytest.param("sums", None, {}, (None, None), id="nothing"),
        pytest.param("nonnegative", None, {}, (0, None), id="no sign"),
        pytest.param("nonnegative,counts", None, {"n": 0}, (0, 0), id="no establishment has nothing"),
        pytest.param("nonnegative,counts", None, {"n": 2}, (0, None), id="two establishments"),
        pytest.param("nonnegative,counts", None, {}, (0, None), id="a number that is not given"),
        pytest.param("nonnegative,bounds", None, {"l": 30, "u": 70}, (30, 70), id="both bounds"),
        pytest.param("nonnegative,bounds", None, {"u": 70}, (0, 70), id="an upper bound alone"),
        pytest.param("nonnegative,box", None, {}, (10, 90), id="between the extremes of the table"),
        pytest.param("nonnegative,within:20", None, {"t": 40}, (32, 48), id="within a share, up and down"),
        pytest.param("within:50", None, {"t": -40}, (-60, -20), id="within a share of a loss"),
        pytest.param("nonnegative,within:10", None, {"t": 45}, (40, 50), id="a share is to whole values"),
        pytest.param("nonnegative,bounds,within:20", None, {"t": 40, "l": 35, "u": 99}, (35, 48), id="best"),
        pytest.param("nonnegative,integers,random:5", 40, {}, (36, 44), id="rounded to a neighbor"),
        pytest.param("nonnegative,nearest:10", 40, {}, (35, 45), id="rounded to the nearest"),
    ],
)  # fmt: skip
def test_what_an_attacker_knows_of_one_cell(words, value, extra, ends):
    box = (10, 90) if "box" in words else None
    assert known_bounds("c", Entry(value, extra), LAYOUT, attacker(words), box) == ends


ROUND = (40, 60)


@pytest.mark.parametrize(
    ("outer", "inner", "with_level", "without"),
    [
        (ROUND, ROUND, "protected", "wide"),
        (ROUND, (40, 54), "undecided", "wide"),
        (ROUND, (49, 51), "undecided", "undecided"),
        (ROUND, (50, 50), "undecided", "undecided"),
        ((40, 54), (40, 54), "underprotected", "wide"),
        ((49, 51), (49, 51), "underprotected", "narrow"),
        ((50, 50), (50, 50), "exact", "exact"),
    ],
)
def test_a_cell_is_protected_by_tables_that_were_found_and_not_by_bounds_alone(
    outer, inner, with_level, without
):
    seen = Interval(0, *outer, inner)
    assert verdict(seen, Fraction(10), Level(Fraction(50), Fraction(5), Fraction(5))) == with_level
    assert verdict(seen, Fraction(10), None) == without


def test_a_width_is_met_when_it_is_reached_and_narrow_only_below_the_share():
    level = Level(Fraction(50), Fraction(0), Fraction(0), width=Fraction(20))
    assert [level.met(ends) for ends in (ROUND, (41, 60))] == [True, False]
    assert [verdict(Interval(0, *ROUND, ROUND), Fraction(p), None) for p in (40, 41)] == ["wide", "narrow"]


def test_what_two_tables_say_of_one_cell_is_put_together(tmp_path):
    paths = [tmp_path / "one.csv", tmp_path / "two.csv"]
    paths[0].write_text("r,jobs,least\nx,,3\n", "utf-8")
    paths[1].write_text("r,jobs,most\nx,,9\n", "utf-8")
    (found,) = read_cells(paths, Layout(("r",), "jobs", lower="least", upper="most")).values()
    assert found.extra == {"least": 3, "most": 9}
