"""The engines that tabulate."""

import shutil
from collections.abc import Iterator

import pytest

from establish.impl.tabulate import Engine, embedded, spark


@pytest.fixture(scope="module")
def duckdb() -> Iterator[Engine]:
    with embedded(threads=1, memory="200MB") as engine:
        yield engine


@pytest.fixture(scope="module")
def on_spark() -> Iterator[Engine]:
    pyspark = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("PySpark needs java, which is not on the path")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
    }
    builder = pyspark.SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    yield spark(session)
    session.stop()
