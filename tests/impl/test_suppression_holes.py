"""Fifty tables with a planted hole of each known kind: every one is found, with its true value."""

import random
from collections.abc import Callable
from dataclasses import replace
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


def asked(table: Table, hidden: set[Cell], attacker: Attacker = OUTSIDER, layout: Layout = LAYOUT) -> Problem:
    cells = {name: Entry(None if name in hidden else value, {"true": value}) for name, value in table.items()}
    return problem(cells, layout, attacker)


def known_exactly(found: Problem) -> dict[Cell, object]:
    answers = intervals(found, audit(found, False))
    return {found.cells[one.place]: one.lower for one in answers if one.exact}


@pytest.mark.few(60)
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("seed", range(TABLES))
def test_every_planted_hole_is_found_and_nothing_else(kind, seed):
    table, hidden, holes = kind(random.Random(seed))
    assert known_exactly(asked(table, hidden)) == {name: table[name] for name in holes}


LEAVES = {"p": ("p1", "p2", "p3"), "q": ("q1", "q2")}


@pytest.mark.parametrize("seed", range(TABLES))
def test_a_hole_in_a_hierarchy_is_found_level_by_level(seed, tmp_path):
    # A row's total less q gives p, and p less two of its parts the third; no leaf is alone in its column.
    tree = tmp_path / "tree.hrc"
    tree.write_text("".join(f"{p}\n" + "".join(f"@{c}\n" for c in cs) for p, cs in LEAVES.items()))
    draw = random.Random(seed)
    rows = [f"r{k}" for k in range(4)]
    table = {(r, c): draw.randint(1, 50) for r in rows for cs in LEAVES.values() for c in cs}
    for r in rows:
        for parent, leaves in LEAVES.items():
            table[r, parent] = sum(table[r, c] for c in leaves)
        table[r, "All"] = sum(table[r, p] for p in LEAVES)
    for c in ("All", *LEAVES, *(c for cs in LEAVES.values() for c in cs)):
        table["All", c] = sum(table[r, c] for r in rows)
    one, two = draw.sample(rows[:2], 2)
    holes = set(product((one, two), ("p", draw.choice(LEAVES["p"]))))
    hidden = holes | set(product(rows[2:], LEAVES["q"]))
    layout = replace(LAYOUT, hierarchies=(("c", str(tree)),))
    assert known_exactly(asked(table, hidden, layout=layout)) == {name: table[name] for name in holes}


@pytest.mark.parametrize("seed", range(TABLES))
def test_a_total_that_another_table_adds_up_opens_the_first_table(seed):
    # By industry a rectangle hides two regions' totals and is safe; by size one of the totals is added up.
    draw = random.Random(seed)
    regions, industries, sizes = ("r0", "r1", "r2"), ("i0", "i1", "i2"), ("s0", "s1")
    by_industry = {(r, i): draw.randint(1, 50) for r, i in product(regions, industries)}
    table: dict[Cell, int] = {}
    for r in regions:
        total = sum(by_industry[r, i] for i in industries)
        small = draw.randint(0, total)
        table |= {(r, "All", "All"): total, (r, "All", "s0"): small, (r, "All", "s1"): total - small}
        table |= {(r, i, "All"): by_industry[r, i] for i in industries}
    for i, s in (*product(industries, ("All",)), *product(("All",), (*sizes, "All"))):
        table["All", i, s] = sum(table[r, i, s] for r in regions)
    layout = Layout(by=("r", "i", "s"), value="v", totals={"r": "All", "i": "All", "s": "All"}, true="true")
    hidden = {(r, i, "All") for r, i in product(("r0", "r1"), (draw.choice(industries), "All"))}
    closed = {("r1", "All", s) for s in sizes} | {("r2", "All", s) for s in sizes}
    first = {name: v for name, v in table.items() if name[2] == "All"}
    second = {name: v for name, v in table.items() if name[1] == "All"}
    both = hidden | closed
    assert known_exactly(asked(first, hidden, layout=layout)) == {}
    alone = known_exactly(asked(second, both & second.keys(), layout=layout))
    assert set(alone) == {("r0", "All", "All"), ("r1", "All", "All")}
    found = known_exactly(asked(table, both, layout=layout))
    assert {name: v for name, v in found.items() if name in hidden} == {n: table[n] for n in hidden}


def test_linked_tables_that_are_safe_one_by_one_give_a_cell_away(tmp_path):
    """Eight regions in counties and, across them, in groups; regions of at most three are suppressed. Each
    table leaves two or more unknown parts in every sum; together they give one region: 9 − 6 = 3.
    """
    county = {"county-1": "ABIJ", "county-2": "KLMN"}
    group = {"small": "ABIJKN", "BIG": "LM"}
    n = {"A": 2, "B": 2, "I": 8, "J": 8, "K": 3, "L": 3, "M": 3, "N": 7}
    trees = []
    for name, parts in (("county", county), ("group", group)):
        path = tmp_path / f"{name}.csv"
        lines = [f"{c},{p}" for p, cs in parts.items() for c in cs] + [f"{p},All" for p in parts]
        path.write_text("\n".join(["label,parent", *lines]) + "\n")
        trees.append(("r", str(path)))
    sizes = {**n, **{p: sum(n[c] for c in cs) for p, cs in (*county.items(), *group.items())}}
    sizes["All"] = sum(n.values())
    low = {name for name in n if n[name] <= 3}

    def seen(names: set[str], ways: list[tuple[str, str]]) -> dict[Cell, object]:
        table = {(name,): v for name, v in sizes.items() if name in names}
        layout = Layout(by=("r",), value="v", totals={"r": "All"}, hierarchies=tuple(ways), true="true")
        return known_exactly(asked(table, {(name,) for name in low}, layout=layout))

    assert seen({*n, *county, "All"}, trees[:1]) == {}
    assert seen({*n, *group, "All"}, trees[1:]) == {}
    assert seen(set(sizes), trees) == {("K",): 3}


@needs_highs
def test_shorter_formulas_certify_the_same_and_are_as_short_as_any():
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
def test_the_owner_of_a_single_cell_learns_the_other_corners_and_outsiders_do_not(seed):
    table = totalled(drawn(random.Random(seed)))
    corners = block(range(2), range(2))
    found = asked(table, SAFE | corners)
    assert known_exactly(found) == {}
    own = cell(0, 0)
    assert known_exactly(asked(table, SAFE | corners, Attacker(True, knows=(own,)))) == {
        name: table[name] for name in corners - {own}
    }
    at = {found.cells[place]: k for k, place in enumerate(found.unknown)}
    learned = learned_by_one(forms(found.table.rows, (), len(found.unknown)), [at[own]])
    assert set(learned[at[own]]) == {at[name] for name in corners - {own}}


@pytest.mark.parametrize("seed", range(TABLES))
def test_two_owners_learn_a_third_cell_that_neither_learns_alone(seed):
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
