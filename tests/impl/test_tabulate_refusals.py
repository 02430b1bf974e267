"""Tables that are not a dataset of the model are refused, and no message holds what they hold."""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from establish.impl.tabulate import Domain, Engine, TableFiles, Tabulator, embedded
from establish.impl.tabulate.tables import Rows
from establish.spec.parameters import ParameterError

Columns = Mapping[str, list[object]]

SECRET_WORKER, SECRET_PLACE, SECRET_VALUE = 918273, 645537, "Zx7731"
JOBS: Columns = {"worker": [1, 2, SECRET_WORKER], "workplace": [10, SECRET_PLACE, SECRET_PLACE]}
WORKPLACES: Columns = {
    "workplace": [10, SECRET_PLACE, 30],
    "place": ["a", "b", "c"],
    "sector": ["x", "x", "y"],
}
WORKERS: Columns = {"worker": [1, 2, SECRET_WORKER], "sex": ["F", "M", "M"], "age": ["30", "30", "50"]}
DOMAIN = {"sex": ("F", "M"), "age": ("30", "50")}


def write(folder: Path, **tables: Columns) -> TableFiles:
    given = {"jobs": JOBS, "workplaces": WORKPLACES, "workers": WORKERS} | tables
    paths = {name: folder / f"{name}.parquet" for name in given}
    for name, columns in given.items():
        pq.write_table(pa.table(dict(columns)), paths[name])
    return TableFiles(paths["jobs"], paths["workplaces"], paths["workers"])


def refused(
    engine: Engine,
    files: TableFiles,
    by: tuple[str, ...] = ("place", "sex", "age"),
    domain: Mapping[str, tuple[str, ...]] = DOMAIN,
    limit: int = 1000,
    **filters: object,
) -> str:
    with pytest.raises(ParameterError) as refusal:
        Tabulator(files, engine).tabulate(by, Domain(domain), limit, **filters)  # type: ignore[arg-type]  # wrong on purpose
    message = str(refusal.value)
    for secret in (SECRET_WORKER, SECRET_PLACE, SECRET_VALUE):
        assert str(secret) not in message
    return message


def with_row(columns: Columns, *row: object) -> Columns:
    return {name: [*values, new] for (name, values), new in zip(columns.items(), row, strict=True)}


def as_text(columns: Columns) -> Columns:
    return {name: list(map(str, values)) for name, values in columns.items()}


def test_the_tables_that_the_refusals_start_from_are_accepted(engine, tmp_path):
    tabulator = Tabulator(write(tmp_path), engine)
    assert tabulator.rows == Rows(jobs=3, workplaces=3, workers=3)
    cells = tabulator.tabulate(["place", "sex", "age"], Domain(DOMAIN), limit=12)
    assert len(cells) == 3 * 2 * 2
    assert cells.count.sum() == 3


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        ("jobs", with_row(JOBS, SECRET_WORKER, 10), "a worker has two jobs"),
        ("jobs", with_row(JOBS, SECRET_WORKER, SECRET_PLACE), "a worker has two jobs"),
        ("jobs", with_row(JOBS, SECRET_WORKER + 1, 10), "jobs has a worker that workers does not"),
        ("jobs", with_row(JOBS, 4, SECRET_PLACE + 1), "jobs has a workplace that workplaces does"),
        ("jobs", with_row(JOBS, None, SECRET_PLACE), "column worker of jobs has a missing value"),
        ("jobs", with_row(JOBS, 4, None), "column workplace of jobs has a missing value"),
        ("jobs", {"worker": [1, 2], "workplace": [10, SECRET_PLACE]}, "workers has a worker without a job"),
        ("workers", with_row(WORKERS, SECRET_WORKER, "F", "30"), "workers lists a worker twice"),
        ("workers", with_row(WORKERS, None, "F", "30"), "column worker of workers has a missing"),
        ("workplaces", with_row(WORKPLACES, SECRET_PLACE, "b", "x"), "workplaces lists a workplace twice"),
        (
            "workplaces",
            with_row(WORKPLACES, None, "b", "x"),
            "column workplace of workplaces has a missing value",
        ),
        ("workplaces", WORKPLACES | {"place": ["a", None, "c"]}, "column place has a missing value"),
        ("workplaces", WORKPLACES | {"place": ["a", "", "c"]}, "column place has a missing value"),
        (
            "workers",
            WORKERS | {"sex": ["F", "M", SECRET_VALUE]},
            "column sex of workers has a value that is missing or outside its domain",
        ),
        (
            "workers",
            WORKERS | {"age": ["30", None, "50"]},
            "column age of workers has a value that is missing or outside its domain",
        ),
        (
            "workers",
            WORKERS | {"sex": ["F", "", "M"], "age": ["30", "50", SECRET_VALUE]},
            "column sex and age of workers",
        ),
        ("workers", WORKERS | {"age": [30.5, 1.0, 2.0]}, "column age holds DOUBLE"),
        ("workers", WORKERS | {"worker": ["1", "2", "3"]}, "worker is text in one of jobs and"),
        ("workplaces", WORKPLACES | {"workplace": ["1", "2", "3"]}, "workplace is text in one of"),
        ("workers", WORKERS | {"worker": [1.0, 2.0, 3.0]}, "column worker of workers holds DOUBLE"),
        ("workers", {"sex": ["F"]}, "the table of workers has no column worker; it has sex"),
        ("jobs", {"worker": [1]}, "the table of jobs has no column workplace; it has worker"),
        (
            "workers",
            WORKERS | {"place": ["a", "b", "c"]},
            "by = place is a column of workers and of workplaces",
        ),
    ],
)
def test_a_table_outside_the_model_is_refused(engine, tmp_path, table, columns, message):
    assert message in refused(engine, write(tmp_path, **{table: columns}))


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("by", "domain", "limit", "message"),
    [
        (("place", "county"), DOMAIN, 99, "by = county is not an attribute; there are place, sector"),
        (("worker",), DOMAIN, 99, "by = worker is not an attribute"),
        (("place", "place"), DOMAIN, 99, "by = place is listed twice"),
        (("sex",), {}, 99, "by = sex is an attribute of workers: the domain must list"),
        (("place",), {"place": ("a", "b")}, 99, "column place has a value outside its domain"),
        (("place", "sex", "age"), DOMAIN, 11, "the domain has 12 cells, more than 11"),
        (("place", "sector"), {"sector": ("x", "y")}, 5, "has 6 cells, more than 5"),
        (
            ("place", "sector"),
            {"place": ("a", "b", "c"), "sector": ("x", "y", *map(str, range(10**4)))},
            10**4,
            "the domain has 30006 cells, more than 10000",
        ),
    ],
)
def test_a_query_that_cannot_be_answered_is_refused(engine, tmp_path, by, domain, limit, message):
    assert message in refused(engine, write(tmp_path), by, domain, limit)


@pytest.mark.parametrize(
    ("table", "columns", "message"),
    [
        ("workplaces", WORKPLACES, "too many values to number"),
        # 5 attributes of 10,001 values: 10001^5 combinations at one cell of workplaces.
        ("workers", WORKERS, "the domain has 100050010001000050001 cells, more than 1000"),
    ],
)
def test_a_domain_of_more_combinations_than_64_bits_is_refused(engine, tmp_path, table, columns, message):
    wide: Columns = {f"a{n}": ["x", "x", "x"] for n in range(5)}
    files = write(tmp_path, **{table: {**columns, **wide}})
    domain = {name: ("x", *map(str, range(10**4))) for name in wide}
    assert message in refused(engine, files, tuple(wide), domain)


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("filters", "message"),
    [
        ({"where": {"county": ("1",)}}, "where = county is not an attribute; there are place"),
        ({"where": {"race": ("1",)}}, "where = race is an attribute of workers: the domain must"),
        ({"where": {"sex": ("F", "X")}}, "where sex = X is not in the domain of sex"),
        ({"where": {"sector": ("x", "z")}}, "where sector = z is not in the domain of sector"),
        ({"where": {"place": ()}}, "where place has no values: list at least one"),
        ({"where": {"place": ("a", "a")}}, "where place lists a value twice"),
        ({"where": {"place": ("a", "")}}, "where place holds ''"),
        ({"where": {"place": "ab"}}, "where place is the text 'ab': give a list of values"),
        ({"where": {"place": ("z",)}, "limit": 3}, "the domain has 4 cells, more than 3"),
        ({"below": 0}, "below = 0 is not allowed: an integer of at least 1"),
        ({"below": -3}, "below = -3 is not allowed"),
        ({"below": True}, "below = True is not allowed"),
        ({"below": 2.5}, "below = 2.5 is not allowed"),
    ],
)
def test_a_filter_that_is_none_is_refused(engine, tmp_path, filters, message):
    files = write(tmp_path, workers={**WORKERS, "race": ["1", "1", "1"]})
    domain = {**DOMAIN, "sector": ("x", "y")}
    assert message in refused(engine, files, domain=domain, **filters)  # type: ignore[arg-type]  # the same


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("by", "filters"),
    [
        (("sex",), {"where": {"sex": ("F",)}}),
        (("sex",), {"where": {"age": ("30",)}}),
        (("place",), {"where": {"sex": ("F",)}}),
        (("place", "sex"), {"where": {"place": ("a", "c")}}),
        (("sex",), {"where": {"place": ("a",)}}),
        (("sex",), {"below": 2}),
    ],
)
def test_a_value_outside_the_domain_is_refused_of_workers_who_do_not_count_too(engine, tmp_path, by, filters):
    # The third worker is 50 and has one of two jobs at the second workplace, which is in place b.
    files = write(tmp_path, workers=WORKERS | {"sex": ["F", "M", SECRET_VALUE]})
    message = "column sex of workers has a value that is missing or outside its domain"
    assert message in refused(engine, files, by, **filters)  # type: ignore[arg-type]  # any filter


def test_a_filter_on_another_attribute_hides_no_such_value_where_queries_share_no_join(
    engine, tmp_path, monkeypatch
):
    monkeypatch.setattr(sys.modules[Tabulator.__module__], "MOST_SHARED", 1)  # as on Spark
    files = write(tmp_path, workers=WORKERS | {"sex": ["F", "M", SECRET_VALUE]})  # the third is 50
    assert "column sex of workers has" in refused(engine, files, ("sex",), where={"age": ("30",)})


@pytest.mark.parametrize(
    ("sectors", "message"),
    [
        (["x", "y", "z"], "column sector has a value outside its domain"),
        (["x", "y", None], "column sector has a missing value"),
    ],
)
def test_a_filter_needs_a_value_of_every_workplace(engine, tmp_path, sectors, message):
    files = write(tmp_path, workplaces=WORKPLACES | {"sector": sectors})
    domain = {"sector": ("x", "y")}
    assert message in refused(engine, files, ("place",), domain, where={"sector": ("x",)})


def test_existing_combinations_are_fewer_than_all(engine, tmp_path):
    tabulator = Tabulator(write(tmp_path), engine)
    assert len(tabulator.tabulate(["place", "sector"], limit=3)) == 3
    every = Domain({"place": ("a", "b", "c"), "sector": ("x", "y")})
    assert len(tabulator.tabulate(["place", "sector"], every, limit=6)) == 6


def test_an_unknown_choice_among_jobs_is_refused(engine, tmp_path):
    with pytest.raises(ParameterError, match="two_jobs = last is not known: use refuse or first"):
        Tabulator(write(tmp_path), engine, "last")


def padded(id: int) -> str:
    """A prefix and 6 digits, different for all of IDS."""
    return f"W{id % 10**6:06d}"


Ids = list[int]

CHANGES: dict[str, Callable[[Ids, Ids], tuple[Ids, Ids]]] = {
    "none": lambda ids, others: (ids, ids),
    "a worker more": lambda ids, others: (ids, [*ids, 71]),
    "a worker less": lambda ids, others: (ids, ids[1:]),
    "a worker twice": lambda ids, others: (ids, [*ids, ids[0]]),
    "a second job": lambda ids, others: ([*ids, ids[0]], ids),
    "other workers": lambda ids, others: (ids, others),
}
"""Of those who have jobs and of those who are listed, who are the same."""

IDS = st.lists(
    st.integers(-70, 70) | st.sampled_from([2**62, -(2**63), 2**63 - 1]), min_size=1, max_size=12, unique=True
)


@pytest.mark.few(1)
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
@settings(
    max_examples=settings().max_examples // 20, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ids=IDS, others=IDS, id=st.sampled_from([int, str, padded]))
def test_exactly_the_datasets_of_the_model_are_accepted(engine, tmp_path, change, ids, others, id):
    jobs, workers = change(ids, others)
    held, listed = Counter(jobs), Counter(workers)
    valid = held == listed and set(held.values()) <= {1}

    def column(ids: Ids) -> pa.Array:
        return pa.array(map(id, ids), pa.int64() if id is int else pa.string())

    files = write(
        tmp_path,
        jobs={"worker": column(jobs), "workplace": pa.array([10] * len(jobs), pa.int64())},
        workers={"worker": column(workers)},
    )
    try:
        tabulator = Tabulator(files, engine)
    except ParameterError:
        assert not valid
    else:
        assert valid
        assert tabulator.rows == Rows(len(jobs), 3, len(workers))
        assert tabulator.tabulate(["place"]).count.tolist() == [len(jobs), 0, 0]


def test_tables_without_a_job_and_a_worker_are_accepted(engine, tmp_path):
    nobody = pa.array([], pa.int64())
    files = write(tmp_path, jobs={"worker": nobody, "workplace": nobody}, workers={"worker": nobody})
    assert Tabulator(files, engine).tabulate(["place"]).count.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.parquet", None, "--jobs = {} is not a file"),
        ("jobs.xlsx", b"", "has an unknown extension"),
        ("bad.parquet", b"Zx7731", "cannot be read as .parquet"),
        ("jobs.csv", b"worker,workplace\n1,10\nZx7731\n", "cannot be read as .csv"),
        # The first lines are read when the table is opened, the last when it is counted.
        (
            "late.csv",
            b"worker,workplace\n" + b"1,10\n" * 50_000 + b"Zx7731\n",
            "duckdb could not finish (InvalidInputException)",
        ),
        ("folder", None, "is a folder without .parquet files"),
        ("jobs.csv", b"", "{} is empty: its first line must name the columns"),
        ("jobs.csv", b"worker,workplace,Worker\n1,10,2\n", "columns 1 and 3 have the same name"),
        ("loop.parquet", None, "--jobs = {} is not a file"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(engine, tmp_path, name, content, message):
    jobs = tmp_path / name
    if name == "folder":
        jobs.mkdir()
    if name == "loop.parquet":
        jobs.symlink_to(jobs)
    if content is not None:
        jobs.write_bytes(content)
    files = write(tmp_path, workplaces=as_text(WORKPLACES), workers=as_text(WORKERS))
    found = refused(engine, TableFiles(jobs, files.workplaces, files.workers))
    assert message.format(jobs) in found


@pytest.mark.parametrize(
    ("beside", "columns", "message"),
    [
        ("2024/more.parquet", JOBS, "holds 2024, which is not read"),
        ("more.parquet/part.parquet", JOBS, "holds more.parquet, which is not read"),
        ("more.PARQUET", JOBS, "holds more.PARQUET, which is not read"),
        ("more.csv", JOBS, "holds more.csv, which is not read"),
        ("_more.parquet", JOBS, "holds _more.parquet, which is not read"),
        (
            "more.parquet",
            {**JOBS, "workplace": [10.0, 30.4, 30.6]},
            "more.parquet has other columns or types",
        ),
        ("more.parquet", {**JOBS, "sector": ["x", "y", "y"]}, "more.parquet has other columns or types"),
    ],
)
def test_no_part_of_a_folder_is_left_out_or_read_as_another_type(engine, tmp_path, beside, columns, message):
    files = write(tmp_path, workplaces=as_text(WORKPLACES), workers=as_text(WORKERS))
    jobs = tmp_path / "jobs"
    more = jobs / beside
    more.parent.mkdir(parents=True)
    pq.write_table(pa.table(dict(JOBS)), jobs / "first.parquet")
    pq.write_table(pa.table(dict(columns)), more)
    assert message in refused(engine, TableFiles(jobs, files.workplaces, files.workers))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"sex": ()}, "domain of sex has no values"),
        ({"sex": ("F", "F")}, "domain of sex lists a value twice"),
        ({"sex": ("F", "")}, "domain of sex holds ''"),
        ({"sex": ("F", 1.5)}, "domain of sex holds 1.5"),
    ],
)
def test_a_domain_that_is_none_is_refused(values, message):
    with pytest.raises(ParameterError, match=message):
        Domain(values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sex = ['F']", "has no table \\[domain\\]"),
        ("[domain]\nsex = 'F'", "sex must be a list of values"),
        ("[domain]\nsex = [true]", "domain of sex holds True"),
        ("[domain\n", "is not TOML"),
        (None, "cannot be read: No such file"),
    ],
)
def test_a_file_that_holds_no_domain_is_refused(tmp_path, text, message):
    path = tmp_path / "domain.toml"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(ParameterError, match=message):
        Domain.read(path)


def test_whole_numbers_of_a_domain_file_are_texts(tmp_path):
    path = tmp_path / "domain.toml"
    path.write_text('[domain]\nage = [30, 9]\nsex = ["F"]\n', "utf-8")
    assert dict(Domain.read(path).values) == {"age": ("30", "9"), "sex": ("F",)}


def test_settings_of_the_engine_are_checked(tmp_path):
    with pytest.raises(ParameterError, match="threads = 0"), embedded(threads=0):
        pass
    with pytest.raises(ParameterError, match="memory = much is not an amount"), embedded(memory="much"):
        pass
    with (
        pytest.raises(ParameterError, match="temporary folder cannot be made"),
        embedded(folder=tmp_path / "none"),
    ):
        pass


def test_intermediate_results_are_the_users_alone_and_go_away(tmp_path):
    with embedded(folder=tmp_path):
        (room,) = tmp_path.iterdir()
        assert room.stat().st_mode & 0o777 == 0o700
    assert not list(tmp_path.iterdir())
