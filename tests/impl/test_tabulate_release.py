"""From a plan and job tables to published counts: the true cells, the noise that is stated, nothing else."""

import json
import re
import shutil
from importlib.resources import files
from pathlib import Path

import duckdb
import numpy as np
import pytest

from establish import ParameterError, SmoothGamma, SmoothLaplace, TruncatedLaplace
from establish.impl.budget.ledger import read_ledger
from establish.impl.budget.plan import Plan, read_plan
from establish.impl.budget.satisfied import CHOSEN
from establish.impl.publish.jobs import JobAnswerer
from establish.impl.publish.plan import RECORD, PlanRelease, release_plan
from establish.impl.sampling.bits import Bits
from establish.impl.synthetic.lodes import place_names, write_lodes
from establish.impl.tabulate import Domain, Engine, TableFiles, Tabulator

PLACES = 6
PLAN = (files("establish.impl") / "sample" / "plan_workloads.toml").read_text("utf-8")

NODE_PLAN = """
title = "Truncated"

[budget]
definition = "node-dp"
cap = { epsilon = 3 }
ledger = "node.ledger"

[data]
jobs = "jobs.parquet"
workers = "workers.parquet"
workplaces = "workplaces.parquet"

[domain.establishment]
ownership = ["1", "2", "3", "5"]

[[query]]
name = "by-ownership"
by = ["ownership"]
mechanism = "truncated-laplace"
epsilon = 2
theta = 20
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> TableFiles:
    folder = tmp_path_factory.mktemp("jobs")
    return write_lodes(folder, jobs=4000, establishments=300, places=PLACES, seed=3)


def project(folder: Path, tables: TableFiles, text: str = PLAN) -> Plan:
    for path in (tables.jobs, tables.workers, tables.workplaces):
        assert path is not None
        shutil.copy(path, folder)
    (folder / "places.csv").write_text("\n".join(["place", *place_names(PLACES)]) + "\n")
    (folder / "plan.toml").write_text(text, encoding="utf-8")
    return read_plan(folder / "plan.toml")


def release(
    plan: Plan, engine: Engine, out: Path, seed: int | None = 1, two_jobs: str = "refuse"
) -> PlanRelease:
    answerer = JobAnswerer(plan, engine, two_jobs)
    return release_plan(plan, answerer, out, ending=".parquet", seed=seed, verdicts={})


def rows(path: Path) -> dict[str, np.ndarray]:
    with duckdb.connect() as db:
        return db.execute("FROM read_parquet(?)", [str(path)]).fetchnumpy()


def test_each_workload_is_its_true_counts_with_the_noise_of_its_mechanism(tmp_path, tables, engine):
    plan = project(tmp_path, tables)
    done = release(plan, engine, tmp_path / "out")
    assert [path.name for path in done.tables] == [f"workload-{k}.parquet" for k in (1, 2, 3)]
    source = plan.source
    tabulator = Tabulator(tables, engine)
    domain = Domain(source.domain())  # type: ignore[union-attr]  # a plan on jobs
    bits = Bits.seeded(1)
    gamma = SmoothGamma("1/10", 2, "tight")
    laplace = SmoothLaplace("1/10", 2, "1/20000", "tight")
    place = ("place", "sector", "ownership")
    college = ("CD01", "CD02", "CD03", "CD04")
    cases = (
        (place, {}, gamma, PLACES * 20 * 4),
        (place, {"sex": ("CS02",), "education": ("CD04",)}, gamma, PLACES * 20 * 4),
        ((*place, "sex", "education"), {"education": college}, laplace, PLACES * 20 * 4 * 2 * 4),
    )
    for path, (by, where, law, cells) in zip(done.tables, cases, strict=True):
        true = tabulator.tabulate(by, domain, where=where)
        written = rows(path)
        assert list(written) == [*by, "count"]
        assert written["count"].size == len(true) == cells
        assert written["count"].tolist() == law.release(true.count, bits, true.largest).tolist()
        for attribute in by:
            assert written[attribute].tolist() == true.labels(attribute).tolist()


def test_the_record_tells_the_cost_and_nothing_that_is_confidential(tmp_path, tables, engine):
    plan = project(tmp_path, tables)
    done = release(plan, engine, tmp_path / "out", seed=None)
    record = json.loads(done.record.read_text("utf-8"))
    assert record["loss"] == {"epsilon": "20", "delta": "1/2500"}
    assert [answer["cells"] for answer in record["answers"]] == [480, 480, 3840]
    assert record["release"] == done.receipt.release
    assert set(record["tables"]) == {path.name for path in done.tables}
    text = done.record.read_text("utf-8") + plan.ledger.read_text("utf-8")
    assert '"establishments"' not in text
    assert '"largest"' not in text
    assert not re.search(r"\b4000\b", text)  # the number of jobs
    account = read_ledger(plan.ledger)
    assert account is not None
    assert len(account.entries) == 1
    with pytest.raises(ParameterError, match="but the cap is"):
        release(plan, engine, tmp_path / "again")
    assert not (tmp_path / "again").exists()


def satisfied(done: PlanRelease) -> list[list[tuple[str, str]]]:
    record = json.loads(done.record.read_text("utf-8"))
    return [
        [(one["definition"], one["applies_to"]) for one in answer["satisfies"]]
        for answer in record["answers"]
    ]


def test_a_query_is_said_to_satisfy_what_it_was_charged_and_nothing_stronger(tmp_path, tables, engine):
    """Counts of some workers are private for weak neighbors only, and 8 cells of them cost 8 times one."""
    plan = project(tmp_path, tables)
    together = "all cells of the query together"
    assert satisfied(release(plan, engine, tmp_path / "out")) == [
        [("weak ER-EE privacy with α = 1/10, ε = 2", together)],
        [("weak ER-EE privacy with α = 1/10, ε = 2", together)],
        [("weak ER-EE privacy with α = 1/10, ε = 16, δ = 1/2500", together)],
    ]


def test_a_choice_among_the_jobs_of_a_worker_is_part_of_what_is_said(tmp_path, tables, engine):
    done = release(project(tmp_path, tables, NODE_PLAN), engine, tmp_path / "out", two_jobs="first")
    ((said,),) = satisfied(done)
    assert said[1] == ("all cells of the query together, each worker keeping the job at the first workplace")
    assert CHOSEN in json.loads(done.record.read_text("utf-8"))["notes"]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            'ownership = ["1", "2", "3", "5"]',
            'ownership = ["1", "2", "3", "5"]\nsex = ["CS01", "CS02"]',
            r"sex is a column of workers: list it under \[domain.worker\]",
        ),
        (
            "[domain.establishment]\nownership",
            "[domain.establishment]\n[domain.worker]\nownership",
            r"ownership is a column of workplaces: list it under \[domain.establishment\]",
        ),
    ],
)
def test_an_attribute_is_charged_as_what_it_is(tmp_path, tables, engine, old, new, says):
    """As an establishment attribute, sex would cost half, and nothing would stop strong privacy."""
    text = NODE_PLAN.replace("epsilon = 3", "epsilon = 9").replace(old, new)
    if "sex" in new:
        text = text.replace('by = ["ownership"]', 'by = ["ownership", "sex"]')
    with pytest.raises(ParameterError, match=says):
        release(project(tmp_path, tables, text), engine, tmp_path / "out")
    assert not (tmp_path / "node.ledger").exists()


def test_a_public_list_that_the_plan_reads_is_not_written_over(tmp_path, tables, engine):
    plan = project(tmp_path, tables, PLAN.replace('name = "workload-1"', 'name = "places"'))
    with pytest.raises(ParameterError, match=r"places.csv is a file that the plan uses"):
        release_plan(plan, JobAnswerer(plan, engine), tmp_path, ending=".csv", force=True, verdicts={})


def test_truncated_counts_leave_out_whole_establishments(tmp_path, tables, engine):
    done = release(project(tmp_path, tables, NODE_PLAN), engine, tmp_path / "out")
    with duckdb.connect() as db:
        true = db.execute(
            "WITH sizes AS (SELECT workplace, count(*) AS size FROM read_parquet($1) GROUP BY ALL) "
            "SELECT ownership, coalesce(sum(size) FILTER (size < 20), 0)::BIGINT FROM read_parquet($2) "
            "LEFT JOIN sizes USING (workplace) GROUP BY ownership ORDER BY ownership",
            [str(tables.jobs), str(tables.workplaces)],
        ).fetchall()
    counts = dict(true)
    expected = [counts.get(code, 0) for code in ("1", "2", "3", "5")]
    assert sum(expected) < 4000
    noisy = TruncatedLaplace(2, 20, calibration="tight").noisy(np.array(expected), Bits.seeded(1))
    assert rows(done.tables[0])["count"].tolist() == noisy.tolist()
    assert (tmp_path / "out" / RECORD) == done.record


def test_a_second_job_of_a_worker_is_refused_with_nothing_spent(tmp_path, tables, engine):
    plan = project(tmp_path, tables)
    twice = tmp_path / "twice.parquet"
    with duckdb.connect() as db:
        db.execute(
            "COPY (FROM read_parquet($1) UNION ALL FROM read_parquet($1) WHERE worker = 7) "
            f"TO '{twice}' (FORMAT parquet)",
            [str(tables.jobs)],
        )
    (tmp_path / "jobs.parquet").unlink()
    twice.rename(tmp_path / "jobs.parquet")
    with pytest.raises(ParameterError, match=r"two jobs|second job|one job"):
        release(plan, engine, tmp_path / "out")
    assert not plan.ledger.exists()
    assert not (tmp_path / "out").exists()


def test_an_attribute_called_count_is_refused_before_anything_is_read(tmp_path, tables, engine):
    plan = project(tmp_path, tables, NODE_PLAN.replace("ownership", "count"))
    with pytest.raises(ParameterError, match=r"by = count names the counts"):
        JobAnswerer(plan, engine)
