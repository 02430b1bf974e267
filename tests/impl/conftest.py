"""The engines that tabulate, and plans of a few lines."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from establish.impl.budget.plan import Plan, read_plan
from establish.impl.tabulate import Engine, embedded, spark


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with embedded(threads=1, memory="200MB") as duckdb:
        yield duckdb


@pytest.fixture(scope="session")
def on_spark() -> Iterator[Engine]:
    pyspark = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("PySpark needs java, which is not on the path")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        # Each query runs once: compiling it thoroughly takes longer than what it does.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = pyspark.SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield spark(session)
    session.stop()


@pytest.fixture
def plan_of(tmp_path: Path) -> Callable[[str], Plan]:
    """Reads a plan from a text."""

    def read(text: str) -> Plan:
        path = tmp_path / "plan.toml"
        path.write_text(text, encoding="utf-8")
        return read_plan(path)

    return read
