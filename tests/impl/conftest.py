"""The engines that tabulate, and plans of a few lines."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from establish.impl.budget.plan import Plan, read_plan
from establish.impl.sampling.bits import Bits
from establish.impl.tabulate import Engine, embedded, spark


class PlantedBits(Bits):
    """Words that a test chooses; each is extended by ``after`` again and again."""

    def __init__(self, words: Sequence[int], after: int = 0x9E37_79B9_7F4A_7C15) -> None:
        super().__init__(bytes(32), is_secret=False)
        self._chosen, self._after, self._at = np.array(words, np.uint64), after, 0

    def fill(self, words: NDArray[np.uint64]) -> int:
        first, self._at = self._at, self._at + words.size
        words[...] = self._chosen[first : self._at]
        return first

    def further(self, position: int) -> Iterator[int]:
        while True:
            yield self._after


@pytest.fixture(scope="session")
def planted() -> type[PlantedBits]:
    return PlantedBits


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
