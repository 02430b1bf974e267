"""What Spark cannot do, or has not, is told in one line before any table is read."""

import shutil
import socket
import sys
from pathlib import Path

import pytest

from establish.impl.budget.engines import EngineChoice
from establish.impl.tabulate import cluster
from establish.spec.parameters import ParameterError

pytest.importorskip("pyspark", reason="pyspark is not installed")


@pytest.fixture
def options(tmp_path: Path) -> list[str]:
    (tmp_path / "jobs.csv").write_text("worker,workplace\n1,1\n", "utf-8")
    (tmp_path / "workplaces.csv").write_text("workplace,place\n1,a\n", "utf-8")
    paths = ("--jobs", tmp_path / "jobs.csv", "--workplaces", tmp_path / "workplaces.csv")
    return ["tabulate", *map(str, paths), "--by", "place"]


def closed_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--engine", "dask"), "engine = dask is not known: use duckdb or spark"),
        (("--master", "local[2]"), "master = local[2] is about spark, and the engine is duckdb"),
        (("--engine", "duckdb", "--master", "sc://h"), "master = sc://h is about spark"),
        (("--engine", "spark", "--memory", "1GB"), "--memory = 1GB is about duckdb"),
        (("--engine", "spark", "--threads", "2"), "--threads = 2 is about duckdb"),
        (
            ("--engine", "spark", "--out", "{}/o.csv", "--confidential"),
            "spark writes a folder of Parquet files",
        ),
        (
            ("--engine", "spark", "--out", "{}/there.parquet", "--confidential", "--force"),
            "there.parquet exists: choose another",
        ),
        *(
            (("--engine", "spark", "--master", master), f"--master = {master} is not a master")
            for master in ("yarn", "local[0]", "local[", "spark://h", "sc://", "http://h:1", "sc:h")
        ),
    ],
)
def test_misuse_is_one_line(tmp_path, more, message, options, refusal):
    (tmp_path / "there.parquet").write_text("old", "utf-8")
    assert message in refusal(*options, *(text.format(tmp_path) for text in more))


@pytest.mark.parametrize("form", ["spark://127.0.0.1:{}", "sc://127.0.0.1:{}", "sc://127.0.0.1:{}/;x=1"])
def test_a_master_that_does_not_answer_is_named(form, options, refusal):
    pytest.importorskip("grpc", reason="the client of Spark Connect is not installed")
    if form.startswith("spark:") and shutil.which("java") is None:
        pytest.skip("PySpark needs java for this master, which is not on the path")
    port = closed_port()
    err = refusal(*options, "--engine", "spark", "--master", form.format(port))
    assert f"cannot be reached: 127.0.0.1:{port} says Connection refused" in err


def test_without_java_a_classic_master_is_refused(monkeypatch, options, refusal):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "")
    assert "needs Java 17 or later" in refusal(*options, "--engine", "spark")


def test_the_library_that_is_missing_is_named_with_its_extra(monkeypatch, options, refusal):
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    err = refusal(*options, "--engine", "spark", "--master", "sc://127.0.0.1")
    assert "needs grpc, which is not installed: pip install '.[spark]'" in err
    monkeypatch.setitem(sys.modules, "pyspark", None)
    err = refusal(*options, "--engine", "spark")
    assert "this needs pyspark, which is not installed: pip install '.[spark]'" in err


PLAN = """
title = "T"
{}
[budget]
definition = "edge-dp"
cap = {{ epsilon = 1 }}
[data]
jobs = "jobs.csv"
workers = "workers.csv"
workplaces = "workplaces.csv"
[domain.establishment]
place = ["a"]
[[query]]
name = "q"
by = ["place"]
mechanism = "laplace"
epsilon = 1
"""


def test_a_plan_names_its_engine_and_the_command_line_another(plan_of):
    assert plan_of(PLAN.format("")).engine == EngineChoice()
    plan = plan_of(PLAN.format('[engine]\nname = "spark"\nmaster = "sc://head"'))
    assert plan.engine == EngineChoice("spark", "sc://head")
    assert plan.engine.over(None, None) == plan.engine
    assert plan.engine.over(None, "local[2]") == EngineChoice("spark", "local[2]")
    assert plan.engine.over("duckdb", None) == EngineChoice("duckdb")
    assert plan.engine.over("spark", None) == plan.engine


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("[engine]", "name is missing"),
        ('[engine]\nname = "dask"', "engine = dask is not known"),
        ('[engine]\nname = "duckdb"\nmaster = "sc://h"', "master = sc://h is about spark"),
        ('[engine]\nname = "spark"\ncores = 2', "cores is not known here"),
    ],
)
def test_a_plan_with_another_engine_is_refused(plan_of, engine, message):
    with pytest.raises(ParameterError, match=message):
        plan_of(PLAN.format(engine))


def test_a_plan_on_spark_is_written_in_parquet_only(tmp_path, refusal):
    (tmp_path / "plan.toml").write_text(PLAN.format('[engine]\nname = "spark"'), "utf-8")
    command = ["release", "plan", tmp_path / "plan.toml", "--out", tmp_path / "o"]
    assert "--format = csv is not possible with spark" in refusal(*command, "--format", "csv")


def test_budget_checks_tables_of_a_plan_only(refusal, tmp_path):
    err = refusal("budget", "--ledger", tmp_path / "l", "--engine", "spark")
    assert "--engine and --master check the tables of a plan" in err
