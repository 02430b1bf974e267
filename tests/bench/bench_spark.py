"""A whole plan on Spark beside DuckDB: time, memory of the driver, rows that it sees, bytes shuffled.

python tests/bench/bench_spark.py               3 and 10 million jobs, on a cluster that it starts itself
python tests/bench/bench_spark.py 30000000      that many

Workloads 1 to 3 of Haney et al. 2017, seeded, so that both engines must release the same numbers. The cluster
is one master and two workers of one core each on this machine, so that times say how cost grows, and not how
fast a cluster is.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "impl"))
from cluster import cluster, configure, rows

from establish.impl.budget.books import books_of_plan
from establish.impl.budget.plan import read_plan
from establish.impl.publish.jobs import JobAnswerer
from establish.impl.publish.plan import release_plan
from establish.impl.synthetic.lodes import place_names, write_lodes
from establish.impl.tabulate.cluster import spark_at
from establish.impl.tabulate.engine import embedded

SIZES = (3_000_000, 10_000_000)
PLACES = 3000
MEMORY = "1500m"
"""Of each executor."""

MIB = 2**20


def peak(process: int | str) -> float:
    """MiB that Linux has held for a process at most."""
    lines = Path(f"/proc/{process}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


def child_of(process: int) -> int:
    """The virtual machine that this process started for its driver."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            state = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(state[1]) == process and "java" in os.readlink(folder / "exe"):
                return int(folder.name)
    raise LookupError("there is no driver")


def shuffled(session: object) -> tuple[int, int]:
    """Bytes that executors wrote for others to read, and bytes of results that came to the driver."""
    store = session.sparkContext._jsc.sc().statusStore()
    executors = store.executorList(False)
    written = sum(executors.apply(n).totalShuffleWrite() for n in range(executors.size()))
    stages = store.stageList(None, False, False, *store_defaults(store))
    return written, sum(stages.apply(n).resultSize() for n in range(stages.size()))


def store_defaults(store: object) -> tuple[object, object]:
    return getattr(store, "stageList$default$4")(), getattr(store, "stageList$default$5")()


def released(folder: Path, engine: str) -> dict[str, float]:
    """One release in this process."""
    plan, out = read_plan(folder / "plan.toml"), folder / engine
    base, start = peak("self"), time.perf_counter()
    measured: dict[str, float] = {}

    def release(running: object) -> None:
        books = books_of_plan(plan, without=True)
        release_plan(plan, JobAnswerer(plan, running), out, seed=1, verdicts={}, books=books)

    if engine == "duckdb":
        with embedded(threads=2) as running:
            release(running)
            measured["seconds"] = time.perf_counter() - start
    else:
        configure(folder, MEMORY, ("-XX:+UseSerialGC",))
        with cluster(folder, "2g") as (address, _), spark_at(address) as running:
            opened = time.perf_counter()
            measured["opening"] = opened - start
            release(running)
            measured["seconds"] = time.perf_counter() - opened
            measured["driver"] = peak(child_of(os.getpid()))
            written, results = shuffled(running.session)
            measured["shuffled"], measured["results"] = written / MIB, results / MIB
    return measured | {"memory": peak("self") - base}


def main() -> None:
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(released(Path(sys.argv[2]), sys.argv[3])))
        return
    if find_spec("pyspark") is None or shutil.which("java") is None:
        print("Spark is not measured: it needs the extra spark, and java on the path")
        return
    for jobs in [int(text) for text in sys.argv[1:]] or SIZES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            write_lodes(folder, jobs=jobs, establishments=jobs // 20, places=PLACES, seed=1)
            (folder / "places.csv").write_text("\n".join(["place", *place_names(PLACES)]) + "\n")
            shutil.copy(str(files("establish.impl") / "sample" / "plan_workloads.toml"), folder / "plan.toml")
            for engine in ("duckdb", "spark"):
                command = [sys.executable, __file__, "measure", str(folder), engine]
                done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
                told = {k: round(v, 1) for k, v in json.loads(done.stdout).items()}
                print(f"{jobs} jobs, {engine}, load {os.getloadavg()[0]:.1f}: {told}", flush=True)
            tables = [f"workload-{n}.parquet" for n in (1, 2, 3)]
            same = [rows(folder / "duckdb" / t) == rows(folder / "spark" / t) for t in tables]
            print(f"{jobs} jobs: the same numbers: {same}", flush=True)


if __name__ == "__main__":
    main()
