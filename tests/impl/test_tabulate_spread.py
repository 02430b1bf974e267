"""Cells that stay where they were counted: the same ones, each part written once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from establish.impl.synthetic.lodes import WORKER_DOMAIN, place_names, write_lodes
from establish.impl.tabulate import Domain, Engine, TableFiles, Tabulator
from establish.impl.tabulate.cells import Numbering
from establish.impl.tabulate.parts import PartWriter, TrueCounts
from establish.proofs_check.certification.releases import InThisProcess
from establish.spec.parameters import ParameterError

PLACES = 5
LISTED = {"place": place_names(PLACES), "ownership": ("5", "3", "2", "1"), **WORKER_DOMAIN.values}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> TableFiles:
    folder = tmp_path_factory.mktemp("jobs")
    return write_lodes(folder, jobs=3000, establishments=200, places=PLACES, seed=3)


QUERIES = [
    (("place", "ownership", "sex"), LISTED, {"education": ["CD03", "CD04"]}, None),
    (("sex", "sector", "place"), WORKER_DOMAIN.values, {"sector": ["61", "62"]}, 30),
    (("education",), LISTED, {"ownership": ["5"], "place": place_names(PLACES)[1:3]}, None),
    ((), LISTED, {}, 10),
    (("sex",), {"sex": (*WORKER_DOMAIN.values["sex"], *"ABCDEF")}, {}, None),
]
"""Attributes, what is listed, filters, and the sizes that are truncated."""


@pytest.fixture(params=["this process", "spark"])
def executors(request: pytest.FixtureRequest) -> Engine:
    if request.param == "spark":
        return request.getfixturevalue("on_spark")
    return InThisProcess(request.getfixturevalue("engine"))


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_executors_write_the_cells_that_one_process_counts(tables, engine, executors, tmp_path):
    here, there = Tabulator(tables, engine), Tabulator(tables, executors)
    for number, (by, listed, where, below) in enumerate(QUERIES):
        domain = Domain(listed)
        expected = here.tabulate(by, domain, where=where, below=below)
        cells = there.spread(by, domain, where=where, below=below)
        assert len(cells) == len(expected)
        there.require_inside(cells)
        out = tmp_path / f"{number}.parquet"
        there.write_parts(cells, out, "count", TrueCounts(), size=7)
        assert len(list(out.iterdir())) == -(-len(expected) // 7)
        with duckdb.connect() as db:
            found = db.execute("FROM read_parquet(?)", [f"{out}/*.parquet"]).fetchnumpy()
        assert list(found) == [*by, "count"]
        assert found["count"].tolist() == expected.count.tolist()
        for attribute in by:
            assert found[attribute].tolist() == expected.labels(attribute).tolist()


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("attribute", "values", "message"),
    [
        ("sex", ("CS01",), "column sex of workers has a value that is missing or outside"),
        ("place", place_names(PLACES)[1:], "column place has a value outside its domain"),
    ],
)
def test_a_value_outside_its_domain_is_refused_on_executors_too(
    tables, executors, tmp_path, attribute, values, message
):
    tabulator = Tabulator(tables, executors)
    domain = Domain({**LISTED, attribute: tuple(values)})

    def attempted() -> None:
        cells = tabulator.spread(["place", "sex"], domain)
        tabulator.write_parts(cells, tmp_path / "o.parquet", "count", TrueCounts(), size=7)

    with pytest.raises(ParameterError, match=message):
        attempted()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda part: part.unlink(), "o.parquet has 7 parts here, of 8: --out must lie on a file system"),
        (lambda part: part.write_text("x"), "part-000007.parquet is not as its executor wrote it"),
    ],
)
def test_parts_that_are_not_here_as_executors_wrote_them_are_refused(
    tables, engine, tmp_path, spoil: Callable[[Path], object], message
):
    class Elsewhere(InThisProcess):
        def by_part(self, *asked):
            told = super().by_part(*asked)
            spoil(tmp_path / "o.parquet" / "part-000007.parquet")
            return told

    tabulator = Tabulator(tables, Elsewhere(engine))
    cells = tabulator.spread(["place", "ownership", "sex"], Domain(LISTED))  # 5 · 4 · 2 of them
    with pytest.raises(ParameterError, match=message):
        tabulator.write_parts(cells, tmp_path / "o.parquet", "count", TrueCounts(), size=5)


@dataclass(frozen=True)
class Plus:
    """Not noise: another number for every part."""

    shift: int

    def __call__(self, part: int, first: int, counts: np.ndarray, largest: np.ndarray):
        return counts + self.shift + part


def rows(part: int, held: Mapping[int, int]) -> pa.Table:
    """As an executor gets them: occupied cells by number, and the row that says that there is the part."""
    numbers = [*held, None]
    counts = pa.array([*held.values(), None], pa.int64())
    return pa.table(
        {
            "part": pa.array([part] * len(numbers), pa.int64()),
            "number": pa.array(numbers, pa.int64()),
            "count": counts,
            "largest": counts,
        }
    )


def writer(folder: Path, shift: int = 0) -> PartWriter:
    for name in ("table", "attempts"):
        (folder / name).mkdir(exist_ok=True)
    numbering = Numbering({"place": ("b", "a")}, {"sex": ("F", "M", "X")})
    places = str(folder / "table"), str(folder / "attempts")
    return PartWriter(numbering, ("sex", "place"), "count", 4, *places, Plus(shift))


def test_a_part_holds_all_its_cells_the_last_one_fewer(tmp_path):
    own = writer(tmp_path)
    for part, held in ((0, {1: 5, 3: 7}), (1, {})):
        (told,) = own.write(rows(part, held)).to_pylist()
        assert (told["part"], told["refused"]) == (part, "")
    with duckdb.connect() as db:
        found = db.execute("FROM read_parquet(?)", [f"{tmp_path}/table/*.parquet"]).fetchall()
    first = [("F", "b", 0), ("M", "b", 5), ("X", "b", 0), ("F", "a", 7)]
    assert found == [*first, ("M", "a", 1), ("X", "a", 1)]
    assert list((tmp_path / "attempts").iterdir()) == []


def test_an_attempt_that_finds_its_part_written_compares_and_refuses_what_differs(tmp_path):
    (first,) = writer(tmp_path).write(rows(0, {1: 5})).to_pylist()
    (again,) = writer(tmp_path).write(rows(0, {1: 5})).to_pylist()
    assert again == first
    for other, held in ((1, {1: 5}), (0, {1: 6})):
        (refused,) = writer(tmp_path, other).write(rows(0, held)).to_pylist()
        assert "two attempts at part-000000.parquet are not the same" in refused["refused"]
    (kept,) = (tmp_path / "table").iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert list((tmp_path / "attempts").iterdir()) == []


def test_an_executor_that_cannot_write_says_so_and_shows_no_value(tmp_path):
    own = writer(tmp_path)
    (tmp_path / "attempts").rmdir()
    (told,) = own.write(rows(0, {1: 5})).to_pylist()
    assert told["refused"] == (f"an executor cannot write to {tmp_path}/table: No such file or directory")


sizes = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 4), max_size=3)


@given(sizes, st.integers(1, 5), st.data())
def test_the_cells_of_a_range_are_those_of_all(workplaces, width, data):
    def values(size: int) -> tuple[str, ...]:
        return tuple(map(str, range(size)))

    places = {a: values(n) for a, n in workplaces.items()}
    every = Numbering(places, {"w": values(width)})
    chosen = data.draw(st.sets(st.integers(0, len(every) // width - 1)))
    for numbering in (every, Numbering(places, every.of_workers, np.array(sorted(chosen), int))):
        whole = numbering.codes()
        first, last = sorted(data.draw(st.integers(0, len(numbering))) for _ in range(2))
        part = numbering.codes(first, last)
        assert {a: c.tolist() for a, c in part.items()} == {
            a: c[first:last].tolist() for a, c in whole.items()
        }
        assert all(c.size == len(numbering) for c in whole.values())
