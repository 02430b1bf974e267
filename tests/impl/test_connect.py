"""Spark Connect: a server that the test starts, which has the session, and a client without Java."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from establish.impl.synthetic.lodes import write_lodes

PLAN = """
title = "Connected"
[budget]
definition = "edge-dp"
cap = { epsilon = 9 }
[data]
jobs = "jobs.parquet"
workers = "workers.parquet"
workplaces = "workplaces.parquet"
[domain.establishment]
ownership = ["1", "2", "3", "5"]
[domain.worker]
education = ["CD00", "CD01", "CD02", "CD03", "CD04"]
[[query]]
name = "cells"
by = ["ownership", "education"]
mechanism = "laplace"
epsilon = 2
"""

COUNT = """
import sys
from pathlib import Path
from establish.impl.tabulate.cluster import spark_at
with spark_at(sys.argv[1]) as engine:
    jobs = engine.read("--jobs", Path("jobs.csv"))
    print(engine.row(jobs.of(f"SELECT count(DISTINCT workplace) FROM {jobs}"))[0])
"""

PATIENCE = 120.0
"""Seconds in which the server must answer; on a quiet machine it needs five."""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Spark Connect server of one core, in a process group of its own."""
    pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
    for module in ("grpc", "grpc_status", "zstandard"):
        pytest.importorskip(module, reason=f"{module}, of Spark Connect, is not installed")
    if shutil.which("java") is None:
        pytest.skip("Spark needs java, which is not on the path")
    folder, port = tmp_path_factory.mktemp("server"), free_port()
    home = Path(pyspark.__file__).parent
    settings = {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.artifact.isolation.enabled": "false",
    }
    options = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    command = [
        *("java", "-Xmx700m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
        *("--add-opens=java.base/java.nio=ALL-UNNAMED", "-cp", f"{home}/jars/*"),
        *("org.apache.spark.deploy.SparkSubmit", "--master", "local[1]", *options),
        *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"),
    ]
    own = {**os.environ, "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    log = folder / "log"
    with log.open("w") as told:
        process = subprocess.Popen(
            command, stdout=told, stderr=told, cwd=folder, env=own, start_new_session=True
        )
    try:
        end = time.monotonic() + PATIENCE
        while not _answers(port):
            assert process.poll() is None, log.read_text()[-3000:]
            assert time.monotonic() < end, "the server does not answer"
            time.sleep(0.1)
        yield f"sc://127.0.0.1:{port}"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False


def run(folder: Path, *words: str) -> str:
    """What Python prints in a process of its own, which has no Java."""
    own = {key: value for key, value in os.environ.items() if key != "JAVA_HOME"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**own, "PATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(pattern: Path) -> list[tuple]:
    with duckdb.connect() as db:
        return db.execute("FROM read_parquet(?)", [str(pattern)]).fetchall()


@pytest.mark.small_campaign
def test_a_table_is_counted_over_spark_connect(server, tmp_path):
    """One aggregation; the plan below goes all the way."""
    (tmp_path / "jobs.csv").write_text("worker,workplace\n1,u\n2,u\n3,v\n", "utf-8")
    assert run(tmp_path, "-c", COUNT, server) == "2\n"


@pytest.mark.campaign
def test_a_plan_released_over_spark_connect_has_the_numbers_of_duckdb(server, tmp_path):
    write_lodes(tmp_path, jobs=500, establishments=40, places=2, seed=3)
    (tmp_path / "plan.toml").write_text(PLAN)
    words = ("-m", "establish", "release", "plan", "plan.toml", "--seed", "7", "--out")
    run(tmp_path, *words, "here")
    assert "entry 2 of" in run(tmp_path, *words, "there", "--engine", "spark", "--master", server)
    expected = rows(tmp_path / "here" / "cells.parquet")
    assert len(expected) == 20
    assert rows(tmp_path / "there" / "cells.parquet" / "*.parquet") == expected
