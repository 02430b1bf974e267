"""Fifty tables with a planted hole of each known kind: every one is found, with its true value."""

import random
from collections.abc import Callable
from itertools import combinations, product

import pytest

from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import Entry
from establish.impl.suppression.engines import highs
from establish.impl.suppression.formulas import Formulas
from establish.impl.suppression.layout import Attacker, Cell, Layout
from establish.impl.suppression.owners import forms, learned_by_one, learned_by_two, neighbors
from establish.impl.suppression.short_formulas import Shortening
from establish.impl.suppression.sums import Problem, problem
from establish.impl.suppression.verdicts import intervals

needs_highs = pytest.mark.skipif(highs() is None, reason="highspy is not installed")
SIZE = 6
TABLES = 50
LAYOUT = Layout(by=("r", "c"), value="v", totals={"r": "All", "c": "All"}, true="true")
OUTSIDER = Attacker(nonnegative=True)
Table = dict[Cell, int]
Hole = tuple[Table, set[Cell], set[Cell]]
"""A table, the cells that are hidden, and those of them that can be recovered."""


def cell(row: int, column: int) -> Cell:
    return f"r{row}", f"c{column}"


def totalled(inner: Table) -> Table:
    table = dict(inner)
    for k in range(SIZE):
        table[f"r{k}", "All"] = sum(inner[cell(k, j)] for j in range(SIZE))
        table["All", f"c{k}"] = sum(inner[cell(i, k)] for i in range(SIZE))
    table["All", "All"] = sum(inner.values())
    return table


def drawn(draw: random.Random) -> Table:
    return {cell(i, j): draw.randint(1, 50) for i, j in product(range(SIZE), repeat=2)}


def block(rows: range, columns: range) -> set[Cell]:
    return {cell(i, j) for i, j in product(rows, columns)}


SAFE = block(range(4, 6), range(4, 6))
"""Four cells that hide each other, in every table."""


def lone(draw: random.Random) -> Hole:
    """The only unknown of a row."""
    one = cell(draw.randrange(4), draw.randrange(4))
    return totalled(drawn(draw)), SAFE | {one}, {one}


def chain(draw: random.Random) -> Hole:
    """Each of three is the only unknown once its neighbor is known."""
    (i, k), (j, m) = draw.sample(range(4), 2), draw.sample(range(4), 2)
    links = {cell(i, j), cell(i, m), cell(k, m)}
    return totalled(drawn(draw)), SAFE | links, links


def zeros(draw: random.Random) -> Hole:
    """Hidden zeros whose published neighbors make up the whole total, in a rectangle without a lone one."""
    inner = drawn(draw)
    (i, k), (j, m) = draw.sample(range(4), 2), draw.sample(range(4), 2)
    inner |= {cell(i, j): 0, cell(i, m): 0}
    corners = {cell(i, j), cell(i, m), cell(k, j), cell(k, m)}
    return totalled(inner), SAFE | corners, corners


def combination(draw: random.Random) -> Hole:
    """Two rows less two columns give a cell, though no row or column has a lone unknown."""
    one = cell(draw.randrange(2), draw.randrange(2, 4))
    hidden = block(range(2), range(2)) | block(range(2, 4), range(2, 4)) | {one}
    return totalled(drawn(draw)), SAFE | hidden, {one}


KINDS: tuple[Callable[[random.Random], Hole], ...] = (lone, chain, zeros, combination)


def asked(table: Table, hidden: set[Cell], attacker: Attacker = OUTSIDER) -> Problem:
    cells = {
        name: Entry(None if name in hidden else value, {"true": value})
        for name, value in table.items()
    }
    return problem(cells, LAYOUT, attacker)


def known_exactly(found: Problem) -> dict[Cell, object]:
    answers = intervals(found, audit(found, False))
    return {found.cells[one.place]: one.lower for one in answers if one.exact}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("seed", range(TABLES))
def test_every_planted_hole_is_found_and_nothing_else(kind, seed: int) -> None:
    table, hidden, holes = kind(random.Random(seed))
    assert known_exactly(asked(table, hidden)) == {name: table[name] for name in holes}


@needs_highs
def test_shorter_formulas_certify_the_same_and_are_as_short_as_any() -> None:
    before = after = least = 0
    for seed in range(6):
        table, hidden, _ = combination(random.Random(seed))
        found, formulas = asked(table, hidden), Formulas()
        audit(found, False, [formulas])
        shortening = Shortening(found.table)
        for (place, side), dual in formulas.duals.items():
            certified = (found.table.least, found.table.greatest)[side]
            short = shortening.shorter(place, side, dual)
            assert certified({place: 1}, short) == certified({place: 1}, dual)
            before, after = before + len(dual), after + len(short)
            if len(short) > 2:  # no two sums with factors ±1 would do
                least += 1
                pairs = combinations(range(len(found.sums)), 2)
                for (i, j), s, t in product(pairs, (1, -1), (1, -1)):
                    assert certified({place: 1}, {i: s, j: t}) != certified({place: 1}, dual)
    assert after < before
    assert least > 0


@pytest.mark.parametrize("seed", range(TABLES))
def test_the_owner_of_a_single_cell_learns_the_other_corners_and_outsiders_do_not(
    seed: int,
) -> None:
    table = totalled(drawn(random.Random(seed)))
    corners = block(range(2), range(2))
    found = asked(table, SAFE | corners)
    assert known_exactly(found) == {}
    own = cell(0, 0)
    assert known_exactly(asked(table, SAFE | corners, Attacker(True, knows=(own,)))) == {
        name: table[name] for name in corners - {own}
    }
    at = {found.cells[place]: k for k, place in enumerate(found.unknown)}
    shapes = forms(found.table.rows, (), len(found.unknown))
    learned = learned_by_one(shapes, [at[own]])
    assert set(learned[at[own]]) == {at[name] for name in corners - {own}}


@pytest.mark.parametrize("seed", range(TABLES))
def test_two_owners_learn_a_third_cell_that_neither_learns_alone(seed: int) -> None:
    # Three unknowns in each of two rows: a row's third is its total less two owners' cells.
    table = totalled(drawn(random.Random(seed)))
    hidden = block(range(2), range(3))
    found = asked(table, hidden)
    at = {found.cells[place]: k for k, place in enumerate(found.unknown)}
    owners = [at[cell(0, 0)], at[cell(0, 1)]]
    shapes = forms(found.table.rows, (), len(found.unknown))
    third = {at[cell(0, 2)], at[cell(1, 2)]}
    alone = {place for places in learned_by_one(shapes, owners).values() for place in places}
    assert alone == {at[cell(1, 0)], at[cell(1, 1)]}
    pairs = neighbors(found.table.rows, owners)
    assert pairs == [tuple(sorted(owners))]
    assert set(learned_by_two(shapes, pairs)[pairs[0]]) == third
    both = Attacker(True, knows=(cell(0, 0), cell(0, 1)))
    assert set(known_exactly(asked(table, hidden, both))) == hidden - {cell(0, 0), cell(0, 1)}
