"""A plan released on a cluster of one master and two workers, of which one is killed in the middle.

python cluster.py FOLDER prints what was seen, as JSON. A process of its own, because one process has one
session of Spark.
"""

import contextlib
import hashlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from establish.impl.budget.ledger import entries_of
from establish.impl.budget.plan import Plan, read_plan
from establish.impl.publish.jobs import JobAnswerer
from establish.impl.publish.plan import Answered, release_plan
from establish.impl.synthetic.lodes import write_lodes
from establish.impl.tabulate import embedded
from establish.impl.tabulate.cluster import spark_at
from establish.impl.tabulate.parts import Finish

PLAN = """
title = "On a cluster"

[budget]
definition = "edge-dp"
cap = { epsilon = 6 }
ledger = "jobs.ledger"

[engine]
name = "spark"

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

PART = 4
"""Cells of a part: the 20 cells have five."""

WAITING = 2
"""The part whose first attempt waits to be killed."""

MEMORY = "512m"
QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dspark.master.rest.enabled=false")
"""For processes that live some seconds."""
PATIENCE = 120.0


@dataclass(frozen=True)
class Watched:
    """Draws as ``noise`` does, notes what every attempt drew, and lets one attempt wait."""

    noise: Finish
    notes: str

    def __call__(
        self, part: int, first: int, counts: NDArray[np.int64], largest: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        drawn = self.noise(part, first, counts, largest)
        note = Path(self.notes, f"{part}.{secrets.token_hex(4)}")
        note.write_text(hashlib.sha256(drawn.tobytes()).hexdigest())
        if part == WAITING:
            with contextlib.suppress(FileExistsError):
                descriptor = os.open(Path(self.notes, "waiting.draft"), os.O_CREAT | os.O_EXCL | os.O_WRONLY)
                os.write(descriptor, os.getcwd().encode())
                os.close(descriptor)
                os.link(Path(self.notes, "waiting.draft"), Path(self.notes, "waiting"))
                time.sleep(PATIENCE)
        return drawn


class WatchedAnswerer(JobAnswerer):
    """Its tables are drawn by :class:`Watched`."""

    notes = ""

    def answer(self, *args) -> Answered:
        found = super().answer(*args)
        tables = [replace(table, noise=Watched(table.noise, self.notes)) for table in found.tables]
        return replace(found, tables=tables)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def started(folder: Path, *words: str) -> subprocess.Popen:
    """A daemon of Spark in a process group of its own."""
    import pyspark

    home = Path(pyspark.__file__).parent
    command = ["java", f"-Xmx{MEMORY}", *QUICK, "-cp", f"{folder}:{home}/jars/*", *words]
    own = {**os.environ, "SPARK_HOME": str(home), "SPARK_SCALA_VERSION": "2.13"}
    with (folder / "daemons.log").open("a") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env=own, start_new_session=True)


def configure(folder: Path, memory: str, options: tuple[str, ...]) -> None:
    """Spark's own settings for the session that this process opens next. options: of driver and executors."""
    defaults = {
        "spark.executor.memory": memory,
        "spark.executor.cores": "1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.executor.extraJavaOptions": " ".join(options),
        "spark.driver.extraJavaOptions": " ".join(options),
        "spark.driver.memory": MEMORY,
    }
    (folder / "spark-defaults.conf").write_text("".join(f"{k} {v}\n" for k, v in defaults.items()))
    (folder / "log4j2.properties").write_text("rootLogger.level = warn\n")
    os.environ["SPARK_CONF_DIR"] = str(folder)
    os.environ["PYSPARK_PYTHON"] = sys.executable


@contextlib.contextmanager
def cluster(folder: Path, memory: str = "900m") -> Iterator[tuple[str, dict[Path, subprocess.Popen]]]:
    """The master's address, and the two workers by their folders."""
    port = free_port()
    deploy, own = "org.apache.spark.deploy", ("--host", "127.0.0.1", "--webui-port", "0")
    running = [started(folder, f"{deploy}.master.Master", *own, "--port", str(port))]
    address, workers = f"spark://127.0.0.1:{port}", {}
    try:
        for name in ("one", "two"):
            place = folder / name
            size = ("--cores", "1", "--memory", memory, "--work-dir", str(place))
            worker = started(folder, f"{deploy}.worker.Worker", *own, *size, address)
            running.append(worker)
            workers[place] = worker
        until(lambda: reached(port))
        yield address, workers
    finally:
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def reached(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False


def until(happened) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError("it did not happen")
        time.sleep(0.05)


def rows(table: Path) -> list[tuple]:
    pattern = f"{table}/*.parquet" if table.is_dir() else str(table)
    return duckdb.execute("FROM read_parquet(?)", [pattern]).fetchall()


def kill_the_one_that_waits(
    notes: Path, workers: dict[Path, subprocess.Popen], out: Path, plan: Plan, seen: dict
) -> None:
    until((notes / "waiting").exists)
    place = Path((notes / "waiting").read_text())
    seen["visible before the entry"] = (out / "cells.parquet").exists()
    seen["entries then"] = len(entries_of(plan.ledger))
    (worker,) = (process for folder, process in workers.items() if folder in place.parents)
    os.killpg(worker.pid, signal.SIGKILL)
    seen["killed"] = True


def main(folder: Path) -> dict:
    write_lodes(folder, jobs=2000, establishments=100, places=4, seed=3)
    (folder / "plan.toml").write_text(PLAN)
    configure(folder, MEMORY, QUICK[:2])
    plan, seen, notes = read_plan(folder / "plan.toml"), {}, folder / "notes"
    notes.mkdir()
    with embedded(threads=1) as duck:
        expected = release_plan(plan, JobAnswerer(plan, duck), folder / "duckdb", seed=7, verdicts={})
    with cluster(folder) as (address, workers), spark_at(address) as engine:
        same = JobAnswerer(plan, engine, part=PART)
        found = release_plan(plan, same, folder / "spark", seed=7, verdicts={})
        seen["parts"] = len(list(found.tables[0].iterdir()))
        seen["same numbers"] = rows(expected.tables[0]) == rows(found.tables[0])
        watched = WatchedAnswerer(plan, engine, part=PART)
        watched.notes = str(notes)
        out = folder / "killed"
        killer = threading.Thread(target=kill_the_one_that_waits, args=(notes, workers, out, plan, seen))
        killer.start()
        done = release_plan(plan, watched, out, verdicts={})
        killer.join()
        seen["cells"] = len(rows(done.tables[0]))
        seen["entries"] = len(entries_of(plan.ledger))
        seen["files"] = sorted(path.name for path in done.tables[0].iterdir())
        seen["left over"] = [path.name for path in out.iterdir() if path.name.startswith(".")]
    drawn: dict[str, list[str]] = {}
    for note in notes.glob("*.*"):
        drawn.setdefault(note.name.split(".")[0], []).append(note.read_text())
    seen["attempts at the part"] = len(drawn[str(WAITING)])
    seen["draws of a part"] = max(len(set(digests)) for digests in drawn.values())
    return seen


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
