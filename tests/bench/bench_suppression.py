"""Time and peak memory of audits of suppressed tables, each in a process of its own; verification too.

python tests/bench/bench_suppression.py             all tables
python tests/bench/bench_suppression.py grid-40     one of them
python tests/bench/bench_suppression.py curve       random grids of growing size
python tests/bench/bench_suppression.py grid-550    any square grid or cube of random values

Beside grids and cubes HiGHS solves the same linear programs in the same process: in floats, one program for
each end that no solution has reached, without a proof. Where it would take minutes it is left out.

Three tables have the pattern of public files of the Quarterly Census of Employment and Wages, which are
looked for in the folder that ESTABLISH_DATA names, or in ``shared/data`` beside the checkout; without them
these are left out. Only ``rhode-island`` has published values; all others are invented.
"""

import csv
import gzip
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from bench_cost import BESIDE

from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import read_cells
from establish.impl.suppression.certificate import certificate_file
from establish.impl.suppression.engines import HighsEngine, highs
from establish.impl.suppression.layout import Layout, attacker
from establish.impl.suppression.programs import Program
from establish.impl.suppression.sums import Problem, problem
from establish.impl.suppression.verdicts import intervals
from establish.impl.suppression.verify import verify

HOME = Path(os.environ.get("ESTABLISH_DATA", Path(__file__).parents[3] / "shared" / "data"))
RHODE_ISLAND = HOME / "qcew_2016q1_rhode_island_all_agglvl.csv.gz"
COUNTIES = HOME / "qcew_2016q1_us_county_sector_ownership_agglvl74.csv.gz"
NAICS_LEVELS = {f"{area}{digit}" for area in "57" for digit in "145678"}
ALL = "All"
Row = tuple[str, ...]


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def written(folder: Path, by: Row, rows: Iterator[Row]) -> Path:
    path = folder / "cells.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([(*by, "value", "status"), *rows])
    return path


def totalled(inner: dict[Row, int], above: list[dict[str, str]]) -> dict[Row, int]:
    """The cells with all their totals, one hierarchy for each label."""
    cells = dict(inner)
    for at, parents in enumerate(above):
        added: dict[Row, int] = {}
        for cell, value in cells.items():
            label = cell[at]
            while label in parents:
                label = parents[label]
                whole = (*cell[:at], label, *cell[at + 1 :])
                added[whole] = added.get(whole, 0) + value
        cells |= added
    return cells


def flat(dimensions: int) -> Layout:
    """The layout of :func:`grid`."""
    by = tuple(f"d{k}" for k in range(dimensions))
    return Layout(by=by, value="value", status="status", totals=dict.fromkeys(by, ALL))


def grid(folder: Path, sizes: Row, hidden: float, seed: int) -> tuple[Path, Layout]:
    """Random values, each inner cell hidden with one probability."""
    draw = random.Random(seed)
    labels = [[str(k) for k in range(int(size))] for size in sizes]
    inner = {cell: draw.randint(0, 100) for cell in product(*labels)}
    cells = totalled(inner, [dict.fromkeys(names, ALL) for names in labels])
    rows = (
        (*cell, str(value), "m" if cell in inner and draw.random() < hidden else "")
        for cell, value in cells.items()
    )
    layout = flat(len(sizes))
    return written(folder, layout.by, rows), layout


def rhode_island(folder: Path) -> tuple[Path, Layout]:
    """Private employment in the third month, by county and NAICS."""
    by = ("area", "industry")
    rows = (
        (row["area_fips"], row["industry_code"], row["month3_emplvl"], row["disclosure_code"])
        for row in rows_of(RHODE_ISLAND)
        if row["own_code"] == "5" and row["agglvl_code"] in NAICS_LEVELS
    )
    totals = {"area": "44000", "industry": "10"}
    layout = Layout(
        by=by, value="value", status="status", dash="zero", totals=totals,
        hierarchies=(("industry", "naics"),),
    )  # fmt: skip
    return written(folder, by, rows), layout


def counties(folder: Path, by_ownership: bool) -> tuple[Path, Layout]:
    """The real pattern of county × sector (× ownership), with invented values and all totals."""
    draw = random.Random(7)
    inner: dict[Row, int] = {}
    hidden = set()
    for row in rows_of(COUNTIES):
        if by_ownership or row["own_code"] == "5":
            cell = (row["area_fips"], row["industry_code"], row["own_code"])[: 2 + by_ownership]
            inner[cell] = int(draw.expovariate(1 / 300))
            hidden |= {cell} if row["disclosure_code"] == "N" else set()
    states = {cell[0]: cell[0][:2] for cell in inner}
    states |= dict.fromkeys(list(states.values()), ALL)
    flat = [dict.fromkeys({cell[at] for cell in inner}, ALL) for at in range(1, 2 + by_ownership)]
    by = ("area", "industry", "owner")[: 2 + by_ownership]
    cells = totalled(inner, [states, *flat])
    rows = ((*c, str(value), "N" if c in hidden else "") for c, value in cells.items())
    layout = Layout(
        by=by, value="value", status="status", totals=dict.fromkeys(by, ALL),
        hierarchies=(("area", "prefix"),),
    )  # fmt: skip
    return written(folder, by, rows), layout


def naics_tree(folder: Path, areas: int, hidden: float) -> tuple[Path, Layout]:
    """A tree of industries of five levels by areas: totals of industries may be hidden too."""
    draw = random.Random(9)
    leaves = [
        f"{a}{b}{c}{d}{e}" for a in range(11, 31) for b in "123" for c in "12" for d in "123" for e in "12"
    ]
    parents = {code[:k]: code[: k - 1] if k > 2 else ALL for code in leaves for k in range(2, 7)}
    names = [f"c{k:02}" for k in range(areas)]
    inner = {
        (name, leaf): int(draw.expovariate(1 / 40))
        for name in names
        for leaf in leaves
        if draw.random() < 0.6
    }
    cells = totalled(inner, [dict.fromkeys(names, ALL), parents])
    # Totals over areas and upper industries are hidden too, so that everything hangs together.
    rows = (
        (*c, str(value), "m" if c[1] != ALL and draw.random() < hidden else "") for c, value in cells.items()
    )
    layout = Layout(
        by=("area", "industry"), value="value", status="status",
        totals={"area": ALL, "industry": ALL}, hierarchies=(("industry", "prefix"),),
    )  # fmt: skip
    return written(folder, layout.by, rows), layout


TABLES = {
    "rhode-island": rhode_island,
    "us-counties": lambda folder: counties(folder, False),
    "us-counties-by-owner": lambda folder: counties(folder, True),
    "naics-by-60-areas": lambda folder: naics_tree(folder, 60, 0.7),
}
SHAPES = {"grid": 2, "cube": 3}
CUBES = ("cube-12", "cube-14", "cube-16")
CURVE = ("grid-30", "grid-55", "grid-100", "grid-170", "grid-300")


def memory() -> float:
    """The peak of this process, in MB."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


def measured(name: str, words: str) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        shape, _, size = name.partition("-")
        if shape in SHAPES:
            path, layout = grid(folder, (size,) * SHAPES[shape], 0.3, 1)
        else:
            path, layout = TABLES[name](folder)
        start, cpu = time.perf_counter(), time.process_time()
        known = attacker(words)
        asked = problem(read_cells([path], layout), layout, known)
        answer = audit(asked, known.integers)
        seconds, used = time.perf_counter() - start, time.process_time() - cpu
        peak = memory()
        found = intervals(asked, answer)
        beside = floats(asked) if shape in SHAPES and asked.listed < BESIDE else None
        start, cpu_again = time.perf_counter(), time.process_time()
        proof = folder / "certificate"
        with certificate_file(proof, [path], layout, known, asked) as sink:
            audit(asked, known.integers, [sink])
        again, used_again = time.perf_counter() - start, time.process_time() - cpu_again
        start, cpu_checked = time.perf_counter(), time.process_time()
        checked = verify(proof, [path])[1]
        return {
            "table": name, "cells": asked.listed, "suppressed": len(found), "sums": len(asked.sums),
            "largest": answer.largest, "left": answer.left, "programs": answer.programs,
            "audit s": round(seconds, 1), "audit CPU s": round(used, 2), "MB": round(peak),
            "HiGHS in floats CPU s": beside, "ratio": beside and round(used / beside, 2),
            "with certificate s": round(again, 1), "with certificate CPU s": round(used_again, 1),
            "verify s": round(time.perf_counter() - start, 1),
            "verify CPU s": round(time.process_time() - cpu_checked, 1),
            "certificate MB": round(proof.stat().st_size / 1e6, 1),
            "attained %": round(100 * sum(one.attained for one in found) / len(found), 2),
            "proved": f"{sum(checked.proved.values())} of {2 * len(asked.unknown)}",
        }  # fmt: skip


def floats(asked: Problem) -> float:
    """Processor seconds of HiGHS for both ends of every unknown."""
    start, table, module = time.process_time(), asked.table, highs()
    assert module is not None
    solver = HighsEngine(Program(table.rows, table.right, table.lower, table.upper), module)
    count = len(table.lower)
    least, greatest = np.full(count, np.inf), np.full(count, -np.inf)
    for sign in (1, -1):
        for k in range(count):
            if sign < 0 or least[k] > 1e-9:
                point = solver.least({k: sign}).point
                np.minimum(least, point, out=least)
                np.maximum(greatest, point, out=greatest)
    return round(time.process_time() - start, 2)


def in_own_process(name: str) -> dict[str, Any]:
    command = [sys.executable, __file__, "--one", name, os.environ.get("ATTACKER", "nonnegative")]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return found


def main() -> None:
    if len(sys.argv) == 4 and sys.argv[1] == "--one":
        print(json.dumps(measured(sys.argv[2], sys.argv[3])))
        return
    if sys.argv[1:2] == ["--write"]:
        folder, side, dimensions, share = sys.argv[2:]
        grid(Path(folder), (side,) * int(dimensions), float(share), 1)
        return
    if sys.argv[1:2] == ["--floats"]:
        layout = flat(int(sys.argv[3]))
        cells = read_cells([Path(sys.argv[2]) / "cells.csv"], layout)
        floats(problem(cells, layout, attacker("nonnegative")))
        return
    if highs() is None:
        print("highspy, of the extra suppress, is not installed")
        return
    names = sys.argv[1:] or [*TABLES, *CURVE, *CUBES]
    names = list(CURVE) if names == ["curve"] else names
    points: list[tuple[int, float]] = []
    for name in names:
        if name in ("rhode-island", "us-counties", "us-counties-by-owner") and not HOME.is_dir():
            print(f"{name}: {HOME} is not there")
            continue
        found = in_own_process(name)
        print(", ".join(f"{key} {value}" for key, value in found.items()), flush=True)
        if name in CURVE:
            points.append((found["suppressed"], found["audit CPU s"]))
    if len(points) > 1:
        tell_curve(points)


def tell_curve(points: list[tuple[int, float]]) -> None:
    """Processor time against suppressed cells, and the power with which it grows from point to point."""
    most = max(seconds for _, seconds in points)
    before = None
    for cells, seconds in points:
        power = ""
        if before is not None and min(seconds, before[1]) > 0:
            grown = math.log(seconds / before[1]) / math.log(cells / before[0])
            power = f"  cells^{grown:.2f}"
        print(f"{cells:7} {seconds:8.2f} s {'#' * round(50 * seconds / most)}{power}")
        before = cells, seconds


if __name__ == "__main__":
    main()
