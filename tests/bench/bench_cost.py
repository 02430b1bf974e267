"""Measure how the cost of commands grows with their input, and write docs/pages/reference/cost.md.

Processor seconds and peak memory are those of whole processes, start-up included. Polars with numpy's unsafe
noise stands beside a release of counts where it is installed: it reads, adds noise and writes, and checks
nothing. DuckDB stands beside earnings and plans: it computes the same without noise, and checks nothing.
"""

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parents[2] / "docs/pages/reference/cost.md"
ROWS = (10_000, 100_000, 1_000_000)
LARGER = 5_000_000
"""Rows of the largest Parquet file."""

PERSONS = (10_000, 100_000, 1_000_000)
JOBS = (30_000, 300_000, 3_000_000)
ALPHAS = ("1/10", "1/1000", "1/1000000")
LAW = ("--alpha", "1/10", "--epsilon", "2", "--mechanism", "smooth-path", "--count", "jobs")

PYTHON = (sys.executable, "-c")
ESTABLISH = (str(Path(sys.executable).with_name("establish")),)
RELEASE = (*ESTABLISH, "release")

MAKE = """
from sys import argv
import duckdb
rows, path = argv[1:]
county, code = (f"lpad(CAST({x} AS VARCHAR), 7, '0')" for x in ("range % 3000", "range"))
fields = f"{county} AS county, {code} AS code, CAST(hash(range) % 100 AS INTEGER) AS jobs"
duckdb.execute(f"COPY (SELECT {fields} FROM range({rows})) TO '{path}'")
"""
POLARS = """
from sys import argv
import numpy as np
import polars as pl
source, out = argv[1:]
text = {"county": pl.String, "code": pl.String}
frame = pl.read_csv(source, schema_overrides=text) if source.endswith("csv") else pl.read_parquet(source)
noisy = np.rint(frame["jobs"].to_numpy() + np.random.default_rng().laplace(0, 1, frame.height)).astype(int)
frame = frame.with_columns(pl.Series("jobs", noisy))
frame.write_csv(out) if out.endswith("csv") else frame.write_parquet(out)
"""
PEOPLE = """
from sys import argv
import duckdb
rows, path = argv[1:]
cells = "range % 3000 AS county, range % 20 AS sector, 'P' || range AS person"
amounts = "CAST(exp(10 + hash(range) % 1000 / 500) AS INTEGER) AS earnings"
duckdb.execute(f"COPY (SELECT {cells}, {amounts} FROM range({rows})) TO '{path}'")
"""
QUARTILES = """
from sys import argv
import duckdb
source, out = argv[1:]
found = "SELECT county, sector, count(*), quantile_cont(earnings, [.25, .5, .75])"
found += f" FROM '{source}' GROUP BY ALL"
duckdb.execute(f"COPY ({found} ORDER BY ALL) TO '{out}'")
"""
CELLS = """
from sys import argv
import duckdb
home, out = argv[1:]
base = f"'{home}/jobs.parquet' JOIN '{home}/workplaces.parquet' USING (workplace)"
base += f" JOIN '{home}/workers.parquet' USING (worker)"
for number, more in enumerate(("", "", ", sex, education")):
    by = "place, sector, ownership" + more
    where = "sex = 'CS02' AND education = 'CD04'" if number == 1 else "true"
    each = f"SELECT {by}, workplace, count(*) AS n FROM {base} WHERE {where} GROUP BY ALL"
    found = f"SELECT {by}, sum(n), max(n) FROM ({each}) GROUP BY ALL ORDER BY ALL"
    duckdb.execute(f"COPY ({found}) TO '{out}-{number}.parquet'")
"""
CHOICE = """
from fractions import Fraction
from sys import argv
from establish.impl.mechanisms.least_error import chosen
chosen(Fraction(argv[1]), Fraction(1), largest=False)
"""


def cost(command: list[str]) -> tuple[float, float]:
    """Processor seconds and megabytes at most, of the command as a process of its own: the cheaper of two
    runs, as the first of an installation compiles the modules that it imports.
    """
    return min(_cost(command), _cost(command))


def _cost(command: list[str]) -> tuple[float, float]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=kept
    )
    assert process.stderr is not None
    told = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(told)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def python(script: str, *words: str) -> None:
    """Run the script in a process of its own, quietly."""
    subprocess.run([*PYTHON, script, *words], check=True, stdout=subprocess.DEVNULL)


def row(what: str, own: tuple[float, float], peer: tuple[float, float] | None) -> str:
    """A row of a table, which is printed, too."""
    told = f"| {what} | {shown(own)} | {shown(peer)} | {f'{own[0] / peer[0]:.1f}' if peer else '-'} |"
    print(told, flush=True)
    return told


def shown(found: tuple[float, float] | None) -> str:
    return "- | -" if found is None else f"{found[0]:.2f} | {found[1]:.0f}"


def releases(folder: Path) -> list[str]:
    """Rows of the table of releases."""
    told = []
    for ending, sizes in (("csv", ROWS), ("parquet", (*ROWS, LARGER))):
        for rows in sizes:
            source, out = folder / f"cells.{ending}", folder / f"out.{ending}"
            python(MAKE, str(rows), str(source))
            options = [*LAW, "--keep", "county", "--keep", "code", "--without-ledger", "--force"]
            own = cost([*RELEASE, "counts", str(source), *options, "--out", str(out)])
            peer = None
            if find_spec("polars") is not None:
                peer = cost([*PYTHON, POLARS, str(source), str(out)])
            told.append(row(f"{ending} | {rows:,}", own, peer))
    return told


def earnings(folder: Path) -> list[str]:
    """Rows of the table of earnings."""
    told, source, out = [], folder / "people.csv", folder / "out.csv"
    columns = ("--earnings", "earnings", "--cell", "county", "--cell", "sector", "--person", "person")
    law = ("--epsilon", "1", "--mechanism", "histogram-percentiles", "--without-ledger", "--force")
    for persons in PERSONS:
        python(PEOPLE, str(persons), str(source))
        own = cost([*RELEASE, "earnings", str(source), *columns, *law, "--out", str(out)])
        told.append(row(f"{persons:,}", own, cost([*PYTHON, QUARTILES, str(source), str(out)])))
    return told


def plans(folder: Path) -> list[str]:
    """Rows of the table of plans: Workloads 1 to 3 of Haney et al. 2017, 3,000 places."""
    told = []
    for jobs in JOBS:
        home = folder / f"jobs-{jobs}"
        sizes = ("--jobs", str(jobs), "--establishments", str(jobs // 20), "--seed", "1")
        _cost([*ESTABLISH, "synthesize-jobs", str(home), *sizes])
        out = ("--out", str(home / "published"), "--without-ledger", "--force")
        own = cost([*RELEASE, "plan", str(home / "plan.toml"), *out])
        told.append(row(f"{jobs:,}", own, cost([*PYTHON, CELLS, str(home), str(home / "cells")])))
    return told


def choices() -> list[str]:
    """Rows of the table of default choices."""
    start = cost([*PYTHON, "import establish.impl.mechanisms.least_error"])
    told = [f"| start-up alone | {shown(start)} |"]
    told += [f"| {alpha} | {shown(cost([sys.executable, '-c', CHOICE, alpha]))} |" for alpha in ALPHAS]
    print(*told, sep="\n", flush=True)
    return told


def page(release: list[str], people: list[str], jobs: list[str], choice: list[str]) -> str:
    return "\n".join(
        [
            "# What commands cost",
            "",
            f"`make bench` writes this page. It was measured on {os.cpu_count()} processor cores, with numpy "
            f"{np.__version__}. Each figure is one whole process, start-up included: processor seconds, and "
            "the most memory in megabytes, of the cheaper of two runs: the first one after an installation "
            "may compile modules. Seconds differ from machine to machine; ratios differ less.",
            "",
            "## `establish release counts`",
            "",
            "The table has two columns of codes and one of counts. Beside it, Polars reads the table, adds "
            "numpy's noise and writes it. That noise is not safe, and nothing is checked: a release also "
            "compares all rows and labels. There is no ledger here; with one, the rows are digested, too.",
            "",
            "| file | rows | seconds | MB | Polars seconds | Polars MB | ratio of seconds |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *release,
            "",
            "## `establish release earnings`",
            "",
            "Quartiles by histogram-percentiles at ε = 1 in 3,000 cells, persons checked. Beside it, DuckDB "
            "computes the true quartiles. The default may take equal gaps in a cell: each draws exactly from "
            "a law of its own, which takes about a tenth of a second more a cell.",
            "",
            "| persons | seconds | MB | DuckDB seconds | DuckDB MB | ratio of seconds |",
            "| --- | --- | --- | --- | --- | --- |",
            *people,
            "",
            "## `establish release plan`",
            "",
            "Workloads 1 to 3 of Haney et al. 2017 at 3,000 places: 2.4 million cells, empty ones too. "
            "Beside it, DuckDB counts the cells that are not empty, without noise.",
            "",
            "| jobs | seconds | MB | DuckDB seconds | DuckDB MB | ratio of seconds |",
            "| --- | --- | --- | --- | --- | --- |",
            *jobs,
            "",
            "## The choice of a mechanism",
            "",
            "Where no mechanism is named, the expected errors of all are computed. Their sums over steps are "
            "in closed form, so a small α costs no more than a large one.",
            "",
            "| α at ε = 1 | seconds | MB |",
            "| --- | --- | --- |",
            *choice,
            "",
            "Not measured here yet: audits, suppression, and what happens when memory runs out.",
            "",
        ]
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        tables = releases(home), earnings(home), plans(home), choices()
    PAGE.write_text(page(*tables), "utf-8")
    print(f"written: {PAGE}")


if __name__ == "__main__":
    main()
