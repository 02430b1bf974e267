"""Every cell of a tabulation is the one that the specification counts, by its own loops."""

import csv
import itertools
import random
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from establish import ParameterError, Universe
from establish.impl.tabulate import Domain, TableFiles, Tabulation, Tabulator, tabulate
from establish.spec.cells import MarginalQuery
from establish.spec.tables import Tables, Worker, Workplace

OF_WORKERS = {"sex": ("F", "M"), "age": ("30", "9", "100")}
OF_WORKPLACES = {"place": ("b", "a", "ü"), "sector": ("31-33", "044")}
"""Attribute → values, in an order that is not that of text."""

# Neighbors in a word of 8, 16 or 32 numbers, across its border, negative, and far apart.
WORKER_IDS = ("-33", "-1", "0", "7", "8", "31", "32", "63", "64", "1099511627775")
UNIVERSE = Universe(
    workplaces=tuple(
        Workplace(id, attributes)
        for id, attributes in zip(
            ("-5", "3", "40", "41"), (("a", "31-33"), ("b", "044"), ("a", "31-33"), ("ü", "044")), strict=True
        )
    ),
    worker_ids=WORKER_IDS,
    domain=tuple(itertools.product(*OF_WORKERS.values())),
)


def padded(text: str) -> str:
    """A prefix and 13 digits, of identifiers within ±10^12."""
    return f"ü-{int(text) + 10**12:013d}"


Id = Callable[[str], object]
"""How an identifier of the universe is written: int, str or padded."""


def columns_of(tables: Tables, id: Id) -> dict[str, dict[str, list[object]]]:
    """Table name → column → values."""

    def attributes(records: Sequence[Worker | Workplace], names: Sequence[str]) -> dict:
        return {name: [r.attributes[n] for r in records] for n, name in enumerate(names)}

    return {
        "jobs": {
            "worker": [id(worker) for worker, _ in tables.jobs],
            "workplace": [id(workplace) for _, workplace in tables.jobs],
        },
        "workers": {
            "worker": [id(w.id) for w in tables.workers],
            **attributes(tables.workers, list(OF_WORKERS)),
        },
        "workplaces": {
            "workplace": [id(w.id) for w in tables.workplaces],
            **attributes(tables.workplaces, list(OF_WORKPLACES)),
        },
    }


def write(folder: Path, tables: Tables, id: Id = int, ending: str = ".parquet") -> TableFiles:
    """The tables as Parquet or CSV files."""
    paths = {}
    for name, columns in columns_of(tables, id).items():
        paths[name] = folder / f"{name}{ending}"
        if ending == ".csv":
            with paths[name].open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(columns)
                writer.writerows(zip(*columns.values(), strict=True))
            continue
        typed = {
            column: pa.array(
                values, pa.int64() if id is int and column in ("worker", "workplace") else pa.string()
            )
            for column, values in columns.items()
        }
        pq.write_table(pa.table(typed), paths[name])
    return TableFiles(paths["jobs"], paths["workplaces"], paths["workers"])


Where = Mapping[str, Sequence[str]]


def counted(tables: Tables, where: Where, below: int | None) -> Tables:
    """The tables without the jobs and workplaces that filters leave out, record by record."""

    def matches(record: Worker | Workplace, names: Sequence[str]) -> bool:
        values = dict(zip(names, record.attributes, strict=True))
        return all(values[a] in where[a] for a in names if a in where)

    workplaces = [w for w in tables.workplaces if matches(w, list(OF_WORKPLACES))]
    held = [
        (worker, workplace.id)
        for workplace in workplaces
        for worker in tables.workforce(workplace.id)
        if below is None or len(tables.workforce(workplace.id)) < below
        if matches(worker, list(OF_WORKERS))
    ]
    return Tables(tuple(workplaces), tuple(w for w, _ in held), tuple((w.id, place) for w, place in held))


def assert_as_specified(
    cells: Tabulation,
    tables: Tables,
    listed: Sequence[str],
    where: Where = MappingProxyType({}),
    below: int | None = None,
) -> None:
    """Names, counts, largest and establishments against the specification's marginal query."""
    tables = counted(tables, where, below)
    by = cells.attributes
    private = [a for a in by if a in OF_WORKERS]
    public = [a for a in by if a in OF_WORKPLACES]

    def values(attribute: str) -> tuple[str, ...]:
        every = (OF_WORKERS | OF_WORKPLACES)[attribute]
        return tuple(value for value in every if value in where.get(attribute, every))

    for attribute in (*private, *(a for a in public if a in listed)):
        assert cells.values[attribute] == values(attribute)
    query = MarginalQuery(
        {list(OF_WORKERS).index(a): values(a) for a in private},
        {list(OF_WORKPLACES).index(a): values(a) for a in public},
    )
    free = [a for a in public if a not in listed]
    places = [list(OF_WORKPLACES).index(a) for a in free]
    existing = {tuple(w.attributes[n] for n in places) for w in tables.workplaces}

    def exists(name: tuple[str, ...]) -> bool:
        named = dict(zip(private + public, name, strict=True))
        return not free or tuple(named[a] for a in free) in existing

    expected = {name for name in query.cells() if exists(name)}
    labels = [cells.labels(a) for a in private + public]
    names = list(zip(*labels, strict=True)) if by else [()] * len(cells)
    assert len(names) == len(cells) == len(expected)
    assert set(names) == expected
    for position, name in enumerate(names):
        cell = query.cell(tables, name)
        assert cells.count[position] == cell.count
        assert cells.largest[position] == cell.largest
        assert cells.establishments[position] == sum(size > 0 for size in cell.sizes)


ATTRIBUTES = st.permutations([*OF_WORKERS, *OF_WORKPLACES]).flatmap(
    lambda order: st.integers(0, 4).map(lambda size: order[:size])
)


@settings(
    max_examples=settings().max_examples // 8, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    tables=UNIVERSE.strategy(),
    by=ATTRIBUTES,
    listed=st.sets(st.sampled_from(list(OF_WORKPLACES))),
    id=st.sampled_from([int, str, padded]),
    ending=st.sampled_from([".parquet", ".csv"]),
)
def test_cells_are_those_of_the_specification(engine, tables, by, listed, id, ending):
    domain = Domain(OF_WORKERS | {a: OF_WORKPLACES[a] for a in listed})
    with tempfile.TemporaryDirectory() as folder:
        files = write(Path(folder), tables, id, ending)
        assert_as_specified(Tabulator(files, engine).tabulate(by, domain), tables, sorted(listed))


FILTERS = st.fixed_dictionaries(
    {},
    optional={
        attribute: st.lists(st.sampled_from(values), min_size=1, unique=True)
        for attribute, values in (OF_WORKERS | OF_WORKPLACES).items()
    },
)


@pytest.mark.small_campaign
@settings(
    max_examples=settings().max_examples // 8, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    tables=UNIVERSE.strategy(),
    by=ATTRIBUTES,
    listed=st.sets(st.sampled_from(list(OF_WORKPLACES))),
    where=FILTERS,
    below=st.none() | st.integers(1, 8),
)
def test_what_filters_leave_out_is_not_in_the_tables_of_the_specification(
    engine, tables, by, listed, where, below
):
    domain = Domain(OF_WORKERS | {a: OF_WORKPLACES[a] for a in listed})
    with tempfile.TemporaryDirectory() as folder:
        tabulator = Tabulator(write(Path(folder), tables), engine)
        cells = tabulator.tabulate(by, domain, where=where, below=below)
        assert_as_specified(cells, tables, sorted(listed), where, below)


@settings(
    max_examples=settings().max_examples // 8, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    tables=UNIVERSE.strategy(),
    queries=st.lists(st.tuples(ATTRIBUTES, FILTERS, st.none() | st.integers(1, 8)), min_size=2, max_size=4),
)
def test_queries_that_share_a_join_have_the_cells_that_each_has_alone(engine, tables, queries):
    domain = Domain(OF_WORKERS)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        files = write(Path(folder), tables)
        sharing = Tabulator(files, engine)
        shared = [sharing.tabulate(by, domain, where=where, below=below) for by, where, below in queries]
        patch.setattr(sys.modules[Tabulator.__module__], "MOST_SHARED", 1)
        alone = Tabulator(files, engine)
        for cells, (by, where, below) in zip(shared, queries, strict=True):
            own = alone.tabulate(by, domain, where=where, below=below)
            for column in ("count", "establishments", "largest"):
                assert np.array_equal(getattr(cells, column), getattr(own, column))


def test_two_domains_of_the_same_attributes_share_no_join(engine, tmp_path):
    tabulator = Tabulator(write(tmp_path, employed([("F", "9"), ("F", "9"), ("M", "9")])), engine)
    for values in (("F", "M"), ("M", "F"), ("M", "X", "F")):
        cells = tabulator.tabulate(["sex"], Domain({**OF_WORKERS, "sex": values}))
        counted = dict(zip(cells.labels("sex"), cells.count, strict=True))
        assert counted == {**dict.fromkeys(values, 0), "F": 2, "M": 1}


def employed(*workforces: Sequence[tuple[str, str]]) -> Tables:
    """Workers of these sexes and ages at the first, the second, … workplace of the universe."""
    workers: list[Worker] = []
    jobs: list[tuple[str, str]] = []
    for workplace, workforce in zip(UNIVERSE.workplaces, workforces, strict=False):
        for attributes in workforce:
            workers.append(Worker(str(len(workers)), attributes))
            jobs.append((workers[-1].id, workplace.id))
    return Tables(UNIVERSE.workplaces, tuple(workers), tuple(jobs))


def test_the_largest_establishment_is_the_one_with_the_most_matching_jobs(engine, tmp_path):
    # Place a has workplaces −5 (5 jobs, 1 of a woman of 9 or 30) and 40 (4 jobs, 3 of them: 2 + 1).
    tables = employed(
        [("F", "30"), ("F", "100"), ("M", "30"), ("M", "9"), ("M", "9")],
        [],
        [("F", "30"), ("F", "30"), ("F", "9"), ("M", "9")],
    )
    tabulator = Tabulator(write(tmp_path, tables), engine)
    where = {"age": ("9", "30"), "place": ("a",)}
    cells = tabulator.tabulate(["sex"], Domain(OF_WORKERS), where={"sex": ("F",)} | where)
    assert list(zip(cells.labels("sex"), cells.count, cells.largest, strict=True)) == [("F", 4, 3)]
    assert cells.establishments.tolist() == [2]


@pytest.mark.parametrize(("below", "counts"), [(3, [0, 0]), (4, [1, 0]), (5, [1, 3])])
def test_an_establishment_is_left_out_by_all_its_jobs_and_not_by_those_that_match(
    engine, tmp_path, below, counts
):
    # Workplace −5 (place a) has 3 jobs, 1 of a woman; workplace 3 (place b) has 4, 3 of women.
    tables = employed(
        [("F", "30"), ("M", "30"), ("M", "9")], [("F", "30"), ("F", "30"), ("F", "9"), ("M", "9")]
    )
    tabulator = Tabulator(write(tmp_path, tables), engine)
    domain = Domain(OF_WORKERS | {"place": ("a", "b", "ü")})
    where = {"sex": ("F",), "place": ("b", "a")}
    cells = tabulator.tabulate(["place"], domain, where=where, below=below)
    assert cells.labels("place").tolist() == ["a", "b"]
    assert cells.count.tolist() == counts


def test_a_value_that_no_workplace_has_leaves_no_existing_cell(engine, tmp_path):
    tabulator = Tabulator(write(tmp_path, large()), engine)
    assert len(tabulator.tabulate(["place"], where={"sector": ("11",)})) == 0
    listed = Domain({"place": OF_WORKPLACES["place"]})
    assert tabulator.tabulate(["place"], listed, where={"sector": ("11",)}).count.tolist() == [0] * 3
    assert tabulator.tabulate([], where={"sector": ("11",)}).count.tolist() == [0]


def test_tables_without_a_row_have_no_existing_cell(engine, tmp_path):
    tabulator = Tabulator(write(tmp_path, Tables((), (), ())), engine)
    assert len(tabulator.tabulate(["place", "sex"], Domain(OF_WORKERS))) == 0
    assert tabulator.tabulate(["sex"], Domain(OF_WORKERS)).count.tolist() == [0, 0]


def large(seed: int = 7) -> Tables:
    """300 workers whose ids are partly dense, at the workplaces of the universe."""
    chosen = random.Random(seed)
    ids = [str(id) for id in (*range(100), *chosen.sample(range(-(10**12), 10**12), 200))]
    places = [w.id for w in UNIVERSE.workplaces]
    return Tables(
        UNIVERSE.workplaces,
        tuple(Worker(id, chosen.choice(UNIVERSE.domain)) for id in ids),
        tuple((id, chosen.choice(places)) for id in ids),
    )


def in_parts(files: TableFiles) -> TableFiles:
    """The same tables with the jobs in a folder of five files."""
    jobs = pq.read_table(files.jobs)
    parts = files.jobs.with_name("parts [1]")
    parts.mkdir()
    for start in range(0, len(jobs), 70):
        pq.write_table(jobs.slice(start, 70), parts / f"{start:05d}.parquet")
    return TableFiles(parts, files.workplaces, files.workers)


def test_a_folder_of_parquet_files_is_one_table(engine, tmp_path):
    tables = large()
    files = in_parts(write(tmp_path, tables))
    cells = Tabulator(files, engine).tabulate(["sex", "place"], Domain(OF_WORKERS))
    assert_as_specified(cells, tables, [])


def test_what_lies_beside_a_folder_of_parquet_files_by_spark_is_no_part_of_it(engine, tmp_path):
    tables = large()
    files = in_parts(write(tmp_path, tables))
    (files.jobs / "_SUCCESS").touch()
    (files.jobs / ".00000.parquet.crc").write_bytes(b"crc")
    cells = Tabulator(files, engine).tabulate(["sex", "place"], Domain(OF_WORKERS))
    assert_as_specified(cells, tables, [])


@pytest.mark.parametrize("ending", [".parquet", ".csv"])
def test_the_name_of_a_folder_is_no_value_of_a_column(engine, tmp_path, ending):
    tables = large()
    folder = tmp_path / "sex=M" / "place=1"
    folder.mkdir(parents=True)
    cells = Tabulator(write(folder, tables, ending=ending), engine).tabulate(
        ["sex", "place"], Domain(OF_WORKERS)
    )
    assert_as_specified(cells, tables, [])


def test_attributes_may_be_whole_numbers_or_truth_values(engine, tmp_path):
    files = TableFiles(*(tmp_path / f"{name}.parquet" for name in ("j", "p", "w")))
    pq.write_table(pa.table({"worker": [1, 2, 3], "workplace": ["x", "y", "y"]}), files.jobs)
    pq.write_table(pa.table({"workplace": ["x", "y"], "open": [True, False]}), files.workplaces)
    pq.write_table(pa.table({"worker": [1, 2, 3], "age": [30, 9, 9]}), files.workers)
    cells = Tabulator(files, engine).tabulate(["open", "age"], Domain({"age": ("9", "30")}))
    assert list(zip(cells.labels("open"), cells.labels("age"), cells.count, strict=True)) == [
        ("false", "9", 2),
        ("false", "30", 0),
        ("true", "9", 0),
        ("true", "30", 1),
    ]


@pytest.mark.parametrize("left_out", [(), ("M",)])
def test_a_code_that_needs_every_bit_of_a_word_survives(engine, tmp_path, left_out):
    # 2^16 − 1 combinations and the code for none need 16 bits: 2 identifiers to a word. The code of
    # what a filter leaves out needs one bit more.
    values = tuple(str(n) for n in range(2**16 - 1))
    files = TableFiles(*(tmp_path / f"{name}.parquet" for name in ("j", "p", "w")))
    jobs = ["65534", "0", "65533", "65534", *left_out]
    ids, places = list(range(len(jobs))), [9, 9, 9, 8, 8]
    pq.write_table(pa.table({"worker": ids, "workplace": places[: len(jobs)]}), files.jobs)
    pq.write_table(pa.table({"workplace": [8, 9]}), files.workplaces)
    pq.write_table(pa.table({"worker": ids, "job": jobs}), files.workers)
    cells = Tabulator(files, engine).tabulate(
        ["job"], Domain({"job": (*values, *left_out)}), where={"job": values} if left_out else {}
    )
    filled = {str(cells.labels("job")[n]): int(cells.count[n]) for n in cells.count.nonzero()[0]}
    assert filled == {"0": 1, "65533": 1, "65534": 2}
    assert cells.largest[65534] == 1


def test_workers_are_needed_for_their_attributes_only(tmp_path):
    tables = large()
    files = write(tmp_path, tables)
    cells = tabulate(TableFiles(files.jobs, files.workplaces), ["sector", "place"])
    assert_as_specified(cells, tables, [])


def test_of_two_jobs_the_one_at_the_smallest_workplace_is_kept(engine, tmp_path):
    tables = large()
    files = write(tmp_path, tables)
    jobs = pq.read_table(files.jobs).to_pydict()
    # Everyone also gets a job at workplace 3: it is kept unless the own one is at −5.
    jobs["worker"] += jobs["worker"]
    jobs["workplace"] += [3] * len(tables.workers)
    pq.write_table(pa.table(jobs), files.jobs)
    moved = tuple((w, place if int(place) < 3 else "3") for w, place in tables.jobs)
    cells = Tabulator(files, engine, "first").tabulate(["place", "sex"], Domain(OF_WORKERS))
    assert_as_specified(cells, Tables(tables.workplaces, tables.workers, moved), [])
    with pytest.raises(ParameterError, match="a worker has two jobs"):
        Tabulator(files, engine)


def test_a_tabulation_does_not_show_its_numbers(engine, tmp_path):
    cells = Tabulator(write(tmp_path, large()), engine).tabulate(["place"])
    assert repr(cells) == (
        "Tabulation(attributes=('place',), values=mappingproxy({'place': ('a', 'b', 'ü')}))"
    )


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("ending", "id"),
    [
        (".parquet", int),
        pytest.param(".csv", str, marks=pytest.mark.campaign),
        pytest.param(".parquet", padded, marks=pytest.mark.campaign),
    ],
)
def test_the_same_plan_gives_the_same_cells_on_spark(on_spark, tmp_path, ending, id):
    tables = large()
    files = write(tmp_path, tables, id, ending)
    if ending == ".parquet":
        files = in_parts(files)
    tabulator = Tabulator(files, on_spark)
    assert (tabulator.rows.jobs, tabulator.rows.workplaces, tabulator.rows.workers) == (300, 4, 300)
    cells = tabulator.tabulate(["sex", "place", "age"], Domain(OF_WORKERS))
    assert_as_specified(cells, tables, [])
    # The largest workplace is left out, the three others are not.
    below = max(len(tables.workforce(w.id)) for w in tables.workplaces)
    where = {"sex": ("M",), "age": ("100", "9"), "sector": ("31-33", "044")}
    cells = tabulator.tabulate(["place", "sex"], Domain(OF_WORKERS), where=where, below=below)
    assert_as_specified(cells, tables, [], where, below)
    assert 0 < cells.count.sum() < 300


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_spark_refuses_and_chooses_like_duckdb(on_spark, tmp_path):
    tables = large()
    files = write(tmp_path, tables)
    jobs = pq.read_table(files.jobs).to_pydict()
    jobs["worker"].append(31)
    jobs["workplace"].append(-5)
    pq.write_table(pa.table(jobs), files.jobs)
    with pytest.raises(ParameterError, match="a worker has two jobs"):
        Tabulator(files, on_spark)
    moved = tuple((w, "-5" if w == "31" else place) for w, place in tables.jobs)
    cells = Tabulator(files, on_spark, "first").tabulate(["place"], Domain({"place": OF_WORKPLACES["place"]}))
    assert_as_specified(cells, Tables(tables.workplaces, tables.workers, moved), ["place"])
