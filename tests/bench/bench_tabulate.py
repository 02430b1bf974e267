"""Time and peak memory of tabulations, each in a process of its own, on LODES-like tables.

python tests/bench/bench_tabulate.py            10.9 million jobs, three states
python tests/bench/bench_tabulate.py nation     130 million jobs (4 GB in the temporary folder)

Each with identifiers that are whole numbers, with the same ones as whole numbers that are far apart, as texts
of a prefix and digits, as UUIDs of no order, and as SHA-256 in 64 digits.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from establish.impl.synthetic.lodes import WORKER_DOMAIN, write_lodes
from establish.impl.tabulate import TableFiles, Tabulator, embedded

STATES = {"jobs": 10_900_000, "establishments": 527_000, "places": 3_000}
NATION = {"jobs": 130_000_000, "establishments": 6_300_000, "places": 30_000}
QUERIES = ("place,sector,ownership", "place,sector,ownership,sex,education")
UUID = "CAST(CAST(md5('{0}' || {0}) AS UUID) AS VARCHAR)"
FAR = "CAST({0}::HUGEINT * 618033988749894849 % 1000000000000000000 AS BIGINT)"
"""Different for different numbers, as the factor has no divisor in common with the modulus."""
OTHERS = {
    "far": {id: FAR.format(id) for id in ("worker", "workplace")},
    "texts": {"worker": "printf('W%09d', worker)", "workplace": "printf('E%07d', workplace)"},
    "uuids": {id: UUID.format(id) for id in ("worker", "workplace")},
    "hashes": {id: f"sha256('{id}' || {id})" for id in ("worker", "workplace")},
}
IDS = {"jobs": ("worker", "workplace"), "workplaces": ("workplace",), "workers": ("worker",)}
REPETITIONS = 3
MIB = 2**20


def write_with_others(source: Path, folder: Path) -> None:
    """The same tables, their identifiers as the folder is called in OTHERS."""
    folder.mkdir()
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = false")
        for name, ids in IDS.items():
            texts = ", ".join(f"{OTHERS[folder.name][id]} AS {id}" for id in ids)
            connection.execute(
                f"COPY (SELECT * REPLACE ({texts}) FROM '{source}/{name}.parquet') "
                f"TO '{folder}/{name}.parquet'"
            )


def memory(field: str) -> int:
    """Bytes that Linux has for this process: VmRSS now, VmHWM at the peak since it started."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


def processor() -> float:
    times = os.times()
    return times.user + times.system


def measured(folder: Path, limit: str, by: str) -> dict[str, float]:
    """One query in this process, checks of the tables included."""
    files = TableFiles(*(folder / f"{n}.parquet" for n in ("jobs", "workplaces", "workers")))
    base, start, cpu = memory("VmRSS"), time.perf_counter(), processor()
    with embedded(memory=limit) as engine:
        tabulator = Tabulator(files, engine)
        checked = time.perf_counter()
        cells = tabulator.tabulate(by.split(","), WORKER_DOMAIN)
    seconds = time.perf_counter() - start
    return {
        "cells": len(cells),
        "checks": checked - start,
        "seconds": seconds,
        "cpu": processor() - cpu,
        "memory": (memory("VmHWM") - base) / MIB,
        "base": base / MIB,
    }


def report(folder: Path, limits: tuple[str, ...]) -> None:
    for by in QUERIES:
        for limit in limits:
            command = [sys.executable, __file__, "measure", str(folder), limit, by]
            runs = [
                json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
                for _ in range(REPETITIONS)
            ]
            best = min(runs, key=lambda run: run["seconds"])
            print(
                f"{folder.name:7s} {by:38s} {best['cells']:8d} cells, limit {limit:>5s}: "
                f"{best['seconds']:6.2f} s ({best['checks']:.2f} s checks, {best['cpu']:.2f} s processor), "
                f"{max(run['memory'] for run in runs):5.0f} MiB over {best['base']:.0f}",
                flush=True,
            )


def main() -> None:
    if sys.argv[1:2] == ["measure"]:
        print(json.dumps(measured(Path(sys.argv[2]), *sys.argv[3:])))
        return
    nation = sys.argv[1:] == ["nation"]
    sizes, limits = (NATION, ("3GB",)) if nation else (STATES, ("300MB", "4GB"))
    with tempfile.TemporaryDirectory() as temporary:
        numbers, *others = (Path(temporary, name) for name in ("numbers", *OTHERS))
        start = time.perf_counter()
        write_lodes(numbers, **sizes, seed=20110401)
        for other in others:
            write_with_others(numbers, other)
        print(
            f"{sizes['jobs']} jobs in {sizes['establishments']} establishments, generated in "
            f"{time.perf_counter() - start:.0f} s; best of {REPETITIONS}, {os.cpu_count()} cores, "
            f"load {os.getloadavg()[0]:.1f}"
        )
        for folder in (numbers, *others):
            report(folder, limits)


main()
