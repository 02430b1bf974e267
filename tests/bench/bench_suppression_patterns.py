"""Patterns of suppressions on random microdata, priced and audited: ours beside those of pytauargus.

python tests/bench/bench_suppression_patterns.py 20

The sensitive cells and the levels that they need are those of pytauargus (p% rule with p = 10); a cell costs
its value. A pattern is short where the exact audit, for an outsider who knows that values are at least 0,
finds a sensitive cell with less than its level. pytauargus protects against owners of single cells as well.
"""

import importlib
import os
import random
import sys
import tempfile
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

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
    pandas, pytauargus = map(importlib.import_module, ("pandas", "pytauargus"))
    draw = random.Random(seed)
    rows, columns = (draw.randint(4, 8) for _ in range(2))
    records = [
        (f"r{draw.randrange(rows)}", f"c{draw.randrange(columns)}", 1 + int(20 * draw.paretovariate(1.2)))
        for _ in range(12 * rows * columns)
    ]
    data = pandas.DataFrame(records, columns=["r", "c", "v"])
    done = pytauargus.protect(
        data, ["r", "c"], response="v", safety_rules="P(10,1)", suppress=METHODS[method]
    )
    return done.tables[0].dataframe()


def main(tables: int) -> None:
    price = dict.fromkeys(("ours", *METHODS), Fraction(0))
    short = dict.fromkeys(("ours", *METHODS), 0)
    sensitive = 0
    for seed in range(tables):
        frames = {method: protected(seed, method) for method in METHODS}
        rows = list(frames["optimal"].itertuples(index=False))
        names = [(row.r, row.c) for row in rows]
        value = {name: int(row.v) for name, row in zip(names, rows, strict=True)}
        levels = {
            k: Level(Fraction(int(row.v)), Fraction(int(row.lower)), Fraction(int(row.upper)))
            for k, row in enumerate(rows)
            if row.status == "U"
        }
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
    if None in (find_spec("pytauargus"), find_spec("highspy"), find_spec("pandas")):
        print("pytauargus, pandas and highspy are needed")
        sys.exit()
    os.chdir(tempfile.mkdtemp())  # where pytauargus leaves its logs
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
