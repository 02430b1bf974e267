"""Patterns of suppressions on random microdata, priced and audited: ours beside those of pytauargus.

python tests/bench/bench_suppression_patterns.py 20

The sensitive cells and the levels that they need are those of pytauargus (p% rule with p = 10); a cell costs
its value. First come tables of growing size with few sensitive cells: time and price.
A pattern is short where the exact audit, for an outsider who knows that values are at least 0,
finds a sensitive cell with less than its level. pytauargus protects against owners of single cells as well.
"""

import csv
import importlib
import os
import random
import sys
import tempfile
import time
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench_cost import SIZES

from establish.impl.suppression.audit import audit
from establish.impl.suppression.cells import Entry
from establish.impl.suppression.layout import Attacker, Layout
from establish.impl.suppression.plan import plan
from establish.impl.suppression.sums import problem
from establish.impl.suppression.verdicts import Level, intervals

LAYOUT = Layout(by=("r", "c"), value="v", totals={"r": "Total", "c": "Total"})
OUTSIDER = Attacker(nonnegative=True)
METHODS = {"optimal": "OPT(.,5)", "modular": "MOD(.,5,1,1,1)"}


def protected(seed: int, method: str) -> Any:
    draw = random.Random(seed)
    rows, columns = (draw.randint(4, 8) for _ in range(2))
    records = [
        (f"r{draw.randrange(rows)}", f"c{draw.randrange(columns)}", 1 + int(20 * draw.paretovariate(1.2)))
        for _ in range(12 * rows * columns)
    ]
    return protected_by(records, method)


def protected_by(records: list[tuple[str, str, int]], method: str) -> Any:
    pandas, pytauargus = map(importlib.import_module, ("pandas", "pytauargus"))
    data = pandas.DataFrame(records, columns=["r", "c", "v"])
    done = pytauargus.protect(
        data, ["r", "c"], response="v", safety_rules="P(10,1)", suppress=METHODS[method]
    )
    return done.tables[0].dataframe()


def asked_of(frame: Any) -> tuple[list[tuple[str, str]], dict[tuple[str, str], int], dict[int, Level]]:
    """The cells, their values, and the levels of the sensitive ones, by place."""
    rows = list(frame.itertuples(index=False))
    names = [(row.r, row.c) for row in rows]
    levels = {
        k: Level(Fraction(int(row.v)), Fraction(int(row.lower)), Fraction(int(row.upper)))
        for k, row in enumerate(rows)
        if row.status == "U"
    }
    return names, {name: int(row.v) for name, row in zip(names, rows, strict=True)}, levels


def lumpy(size: int) -> list[tuple[str, str, int]]:
    """Contributions to the cells of a square table, of which SIZES says how many are sensitive."""
    draw = random.Random(size)
    inner = [(f"r{i}", f"c{j}") for i in range(size) for j in range(size)]
    sensitive = set(draw.sample(inner, SIZES[size]))
    return [
        (*cell, value)
        for cell in inner
        for value in (
            (draw.randint(500, 1000), 5, 9)
            if cell in sensitive
            else (draw.randint(10, 100) for _ in range(5))
        )
    ]


def write(folder: Path, size: int) -> None:
    """The table of ``lumpy`` as cells, with the two largest contributions to each, and as contributions."""
    found: dict[tuple[str, str], list[int]] = {}
    for r, c, value in lumpy(size):
        for cell in ((r, c), (r, "Total"), ("Total", c), ("Total", "Total")):
            found.setdefault(cell, []).append(value)
    cells = [(*cell, sum(parts), *sorted(parts)[:-3:-1]) for cell, parts in found.items()]
    tables: dict[str, list[tuple[object, ...]]] = {
        "cells.csv": [("r", "c", "v", "first", "second"), *cells],
        "parts.csv": [("r", "c", "v"), *lumpy(size)],
    }
    for name, rows in tables.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)


def sizes() -> None:
    """Print a table: cells, sensitive ones; CPU seconds and price, of ours and of pytauargus' OPT."""
    for size in SIZES:
        start = time.process_time()
        frame = protected_by(lumpy(size), "optimal")
        beside = time.process_time() - start
        _, value, levels = asked_of(frame)
        start = time.process_time()
        cells = {name: Entry(v) for name, v in value.items()}
        found = plan(cells, LAYOUT, OUTSIDER, levels, [Fraction(v) for v in value.values()])
        ours = time.process_time() - start
        price = int(frame.v[frame.status.isin(["U", "M"])].sum())
        told = f"| {len(cells)} | {len(levels)} | {ours:.2f} | {found.price} | {beside:.2f} | {price} |"
        print(told, flush=True)


def main(tables: int) -> None:
    price = dict.fromkeys(("ours", *METHODS), Fraction(0))
    short = dict.fromkeys(("ours", *METHODS), 0)
    sensitive = 0
    for seed in range(tables):
        frames = {method: protected(seed, method) for method in METHODS}
        names, value, levels = asked_of(frames["optimal"])
        if not levels:
            continue
        sensitive += len(levels)
        cells = {name: Entry(v) for name, v in value.items()}
        prices = [Fraction(v) for v in value.values()]
        hidden = {"ours": plan(cells, LAYOUT, OUTSIDER, levels, prices)}
        chosen = {"ours": {*hidden["ours"].primary, *hidden["ours"].complementary}}
        for method, frame in frames.items():
            status = {(row.r, row.c): row.status for row in frame.itertuples(index=False)}
            chosen[method] = {k for k, name in enumerate(names) if status[name] in ("U", "M")}
        for method, places in chosen.items():
            price[method] += sum((prices[k] for k in places), Fraction(0))
            left = {name: Entry(None if k in places else v) for k, (name, v) in enumerate(value.items())}
            asked = problem(left, replace(LAYOUT), OUTSIDER)
            found = {one.place: one for one in intervals(asked, audit(asked, False))}
            short[method] += sum(not level.left(found[k]) for k, level in levels.items())
    print(f"{tables} tables, {sensitive} sensitive cells")
    for method in price:
        print(f"{method}: price {int(price[method])}, {short[method]} sensitive cells short of their level")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write(Path(sys.argv[2]), int(sys.argv[3]))
        sys.exit()
    if None in (find_spec("pytauargus"), find_spec("highspy"), find_spec("pandas")):
        print("pytauargus, pandas and highspy are needed")
        sys.exit()
    os.chdir(tempfile.mkdtemp())  # where pytauargus leaves its logs
    print("| cells | sensitive | plan CPU s | price | pytauargus OPT CPU s | price |")
    sizes()
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
