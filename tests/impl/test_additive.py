"""Counts that add up: a function of the released tables alone, and the least squares solution of them."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish.impl.budget.ledger import entries_of
from establish.impl.publish.additive import STEPS, Released, adjusted
from establish.impl.publish.jobs import JobAnswerer
from establish.impl.publish.plan import release_plan
from establish.impl.synthetic.lodes import write_lodes
from establish.spec.parameters import ParameterError

HEAD = """
title = "Adds up"
additive = "{kind}"
[budget]
definition = "{definition}"
{alpha}
cap = {{ epsilon = 90 }}
[data]
jobs = "jobs.parquet"
workers = "workers.parquet"
workplaces = "workplaces.parquet"
[domain.establishment]
ownership = ["1", "2", "3", "5"]
[domain.worker]
education = ["CD00", "CD01", "CD02", "CD03", "CD04"]
sex = ["CS01", "CS02"]
"""
QUERY = '[[query]]\nname = "{}"\nby = {}\nmechanism = "{}"\nepsilon = {}\n{}\n'

ASKED = {
    "a": (["ownership", "education", "sex"], "1"),
    "b": (["education", "ownership"], "1/2"),
    "c": (["sex"], "2"),
    "d": ([], "1/3"),
}
SIZES = {"ownership": 4, "education": 5, "sex": 2}


def text(kind: str, mechanism: str, definition: str = "edge-dp", alpha: str = "") -> str:
    queries = [
        QUERY.format(name, str(by).replace("'", '"'), mechanism, f'"{epsilon}"', "")
        for name, (by, epsilon) in ASKED.items()
    ]
    return HEAD.format(kind=kind, definition=definition, alpha=alpha) + "".join(queries)


def table(path: Path) -> dict[tuple, tuple]:
    """(count, additive) by the labels of the cell."""
    with duckdb.connect() as db:
        rows = db.execute("FROM read_parquet(?)", [str(path)]).fetchall()
        names = [column[0] for column in db.description]
    assert names[-2:] == ["count", "additive"]
    by = dict(itertools.zip_longest(names[:-2], ()))
    return {frozenset(zip(by, row, strict=False)): row[-2:] for row in rows}


def solved(tables: dict[str, dict], weights: Sequence[float]) -> tuple[list, np.ndarray]:
    """Least squares of the released counts by a dense solver: the finest cells, and their values."""
    cells = list(tables["a"])
    rows, values = [], []
    for found, weight in zip(tables.values(), weights, strict=True):
        for key, (count, _) in found.items():
            rows.append([(key <= cell) * weight**0.5 for cell in cells])
            values.append(count * weight**0.5)
    return cells, np.linalg.lstsq(np.array(rows), np.array(values), rcond=None)[0]


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", list(STEPS))
@pytest.mark.parametrize(
    ("mechanism", "definition", "alpha", "weights"),
    [  # of laplace 1/(2b²) with b = 1/ε, at each ε of ASKED; else equal
        ("laplace", "edge-dp", "", [float(Fraction(e) ** 2 / 2) for _, e in ASKED.values()]),
        ("log-laplace", "weak-er-ee", 'alpha = "1/10"', [1.0] * 4),
    ],
)
def test_the_column_is_the_least_squares_solution_of_the_released_columns(
    plan_of, tmp_path, engine, kind, mechanism, definition, alpha, weights
):
    write_lodes(tmp_path, jobs=800, establishments=60, places=2, seed=3)
    own = text(kind, mechanism, definition, alpha)
    plan = plan_of(own.replace('"1/3"', '"3/2"').replace('"1/2"', '"3"') if alpha else own)
    done = release_plan(plan, JobAnswerer(plan, engine), tmp_path / "out", verdicts={})
    tables = {path.stem: table(path) for path in done.tables}
    cells, expected = solved(tables, weights)
    found = np.array([tables["a"][cell][1] for cell in cells], dtype=float)
    assert np.allclose(found, expected, rtol=1e-9, atol=0.5001 / STEPS[kind])
    for released in tables.values():
        for key, (_, additive) in released.items():
            assert additive == sum(tables["a"][cell][1] for cell in cells if key <= cell)
    assert len(entries_of(plan.ledger)) == 1


@given(st.data())
def test_any_set_of_tables_adds_up_exactly(data):
    sizes = {"x": data.draw(st.integers(1, 4)), "y": data.draw(st.integers(1, 3)), "z": 2}
    kind = data.draw(st.sampled_from(list(STEPS)))
    others = data.draw(st.lists(st.sets(st.sampled_from("xyz")), min_size=1, max_size=4))
    released = []
    for names in [set("xyz"), *others]:
        own = [a for a in data.draw(st.permutations("xyz")) if a in names]
        n = math.prod(sizes[a] for a in own)
        grid = np.indices([sizes[a] for a in own]).reshape(len(own), n).astype(np.int32)
        counts = data.draw(st.lists(st.integers(-(2**52), 2**52), min_size=n, max_size=n))
        values = {a: tuple(map(str, range(sizes[a]))) for a in own}
        released.append(Released(values, dict(zip(own, grid, strict=True)), np.array(counts)))
    weights = data.draw(st.lists(st.floats(1e-6, 1e6), min_size=len(released), max_size=len(released)))
    first, *rest = adjusted(released, weights, 0, kind)
    exact = [Fraction(float(value)) for value in first]
    for one, found in zip(released[1:], rest, strict=True):
        for place, value in enumerate(found):
            inside = np.ones(len(exact), bool)
            for a in one.values:
                inside &= released[0].codes[a] == one.codes[a][place]
            assert Fraction(float(value)) == sum(x for x, i in zip(exact, inside, strict=True) if i)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('["sex"]', '["sex"]\nwhere = { ownership = "1" }'), "query c counts only some jobs"),
        (
            ('["ownership", "education", "sex"]', '["ownership", "sex"]'),
            "needs a query by all of education, ownership, sex",
        ),
    ],
)
def test_what_cannot_add_up_is_refused_before_anything_is_read(plan_of, engine, change, says):
    plan = plan_of(text("real", "laplace").replace(*change, 1))
    with pytest.raises(ParameterError, match=says):
        JobAnswerer(plan, engine)


@pytest.mark.parametrize("kind", ["yes", "Real"])
def test_numbers_of_another_kind_are_refused_in_a_plan_and_in_its_place(plan_of, engine, kind):
    says = f"additive = {kind} is not known: use real or whole"
    with pytest.raises(ParameterError, match=says):
        plan_of(text(kind, "laplace"))
    with pytest.raises(ParameterError, match=says):
        JobAnswerer(plan_of(text("real", "laplace")), engine, additive=kind)


def test_one_table_is_additive_as_it_is(plan_of, engine):
    plan = plan_of(
        HEAD.format(kind="whole", definition="edge-dp", alpha="")
        + QUERY.format("a", '["sex"]', "laplace", 1, "")
    )
    with pytest.raises(ParameterError, match="needs at least two queries"):
        JobAnswerer(plan, engine)
    assert JobAnswerer(plan, engine, additive="").names == ["a"]
