"""Measure how the cost of commands grows with their input, and write docs/pages/reference/cost.md.

Processor seconds and peak memory are those of whole processes, start-up included. Polars with numpy's unsafe
noise stands beside a release of counts where it is installed: it reads, adds noise and writes, and checks
nothing. DuckDB stands beside earnings and plans: it computes the same without noise, and checks nothing.
Beside audits of suppressed tables HiGHS solves the linear programs in floats, without proof; beside plans of
suppression stands pytauargus, where it is installed.

python tests/bench/bench_cost.py          writes the page
python tests/bench/bench_cost.py longer   prints rows of larger audits only
"""

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
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

AUDITS = (
    *((side, 2, 0.3) for side in (30, 100, 300)),
    *((100, 2, hidden) for hidden in (0.03, 0.1, 0.6)),
    *((side, 3, 0.3) for side in (8, 12, 16)),
    (6, 4, 0.3),
)
"""Sides, dimensions, and the share of inner cells that is hidden."""

BESIDE = 12_000
"""Cells above which HiGHS is not asked: for 40,000 it takes over a minute."""

SIZES = {32: 20, 60: 30, 100: 25}
"""Sensitive cells by the rows, and columns, of a table for plans of suppression."""

LONGER = ((550, 2, 0.3), (20, 3, 0.3))
LIMITS = (300, 600)
"""Megabytes of address space."""

PYTHON = (sys.executable, "-c")
ESTABLISH = (str(Path(sys.executable).with_name("establish")),)
RELEASE = (*ESTABLISH, "release")
SUPPRESSED, PATTERNS = (
    (sys.executable, str(Path(__file__).with_name(f"bench_suppression{more}.py")))
    for more in ("", "_patterns")
)

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
PROTECT = """
from os import chdir
from pathlib import Path
from sys import argv
import pandas, pytauargus
chdir(Path(argv[1]).parent)  # where it leaves its logs
data = pandas.read_csv(argv[1])
pytauargus.protect(data, ["r", "c"], response="v", safety_rules="P(10,1)", suppress="OPT(.,5)")
"""


def cost(command: list[str]) -> tuple[float, float]:
    """Processor seconds and megabytes at most, of the command as a process of its own: the cheaper of two
    runs, as the first of an installation compiles the modules that it imports.

    Linux counts the memory of the process that starts another as that one's: this module imports little.
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
    if process.returncode and told:  # status 1 without a word is an answer: a cell is known
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


def audits(folder: Path, tables: Sequence[tuple[int, int, float]]) -> list[str]:
    """Rows of the table of audits of suppressed tables."""
    told = []
    for side, dimensions, share in tables:
        command = audit(folder, side, dimensions, share)
        with (folder / "cells.csv").open(encoding="utf-8", newline="") as file:
            statuses = [line["status"] for line in csv.DictReader(file)]
        peer = None
        if len(statuses) < BESIDE and find_spec("highspy") is not None:
            peer = _cost([*SUPPRESSED, "--floats", str(folder), str(dimensions)])
        told.append(
            row(f"{side}^{dimensions} | {len(statuses):,} | {statuses.count('m'):,}", cost(command), peer)
        )
    return told


def audit(folder: Path, side: int, dimensions: int, share: float) -> list[str]:
    """The command, after its table is written."""
    subprocess.run([*SUPPRESSED, "--write", str(folder), str(side), str(dimensions), str(share)], check=True)
    by = [f"d{k}" for k in range(dimensions)]
    totals = [word for name in by for word in ("--total", f"{name}=All")]
    columns = ("--by", ",".join(by), "--value", "value", "--status", "status")
    return [*ESTABLISH, "suppress", "audit", str(folder / "cells.csv"), *columns, *totals]


def patterns(folder: Path) -> list[str]:
    """Rows of the table of plans of suppression: square tables, the p% rule with p = 10."""
    told, source, parts = [], folder / "cells.csv", folder / "parts.csv"
    columns = ("--by", "r,c", "--value", "v", "--total", "r=Total", "--total", "c=Total")
    rule = ("--rule", "p:10", "--contributions", "first,second", "--force")
    for size, sensitive in SIZES.items():
        subprocess.run([*PATTERNS, "--write", str(folder), str(size)], check=True)
        own = cost(
            [*ESTABLISH, "suppress", "plan", str(source), *columns, *rule, "--out", str(folder / "out.csv")]
        )
        peer = None if find_spec("pytauargus") is None else cost([*PYTHON, PROTECT, str(parts)])
        told.append(row(f"{(size + 1) ** 2:,} | {sensitive}", own, peer))
    return told


def shortages(folder: Path) -> list[str]:
    """Rows of the table of what an audit says that may not take the memory it needs."""
    told, command = [], audit(folder, 550, 2, 0.3)
    for most in LIMITS:
        shell = ("sh", "-c", f'ulimit -v {1000 * most}; exec "$@"', "sh")
        done = subprocess.run([*shell, *command], capture_output=True, text=True, check=False)
        told.append(f"| {most} | {done.returncode} | {' '.join(done.stderr.split()) or 'its answer'} |")
    print(*told, sep="\n", flush=True)
    return told


def page(
    release: list[str], people: list[str], jobs: list[str], choice: list[str], audit: list[str],
    pattern: list[str], shortage: list[str],
) -> str:  # fmt: skip
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
            "## `establish suppress audit`",
            "",
            "Square tables, cubes and one of four dimensions with all totals; of inner cells a share, most "
            "often 30%, is hidden at random. Both ends of every interval are certified and attained. Beside "
            "it, HiGHS solves a linear program for each end that no solution has reached, in floats and "
            f"without proof; above {BESIDE:,} cells that takes minutes, and is left out. "
            "`python tests/bench/bench_cost.py longer` measures larger tables.",
            "",
            "| table | cells | hidden | seconds | MB | HiGHS seconds | HiGHS MB | ratio of seconds |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
            *audit,
            "",
            "## `establish suppress plan`",
            "",
            "Square tables with few sensitive cells by the p% rule, p = 10. A full audit ends each plan. "
            "Beside it, OPT of pytauargus, which also protects against owners of single cells.",
            "",
            "| cells | sensitive | seconds | MB | pytauargus seconds | pytauargus MB | ratio of seconds |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *pattern,
            "",
            "## When memory runs out",
            "",
            "An audit or a plan takes no more memory than is free when it starts, on the machine, in its "
            "container and by `ulimit -v`. Where it needs more, it ends with one line and status 2, before "
            "the system ends it. Below, the audit of a table of 550^2 under `ulimit -v`. Other commands end "
            "with one line where Python or the database notices; a limit within which the libraries do not "
            "fit is refused at once.",
            "",
            "| MB of address space | status | what it says |",
            "| --- | --- | --- |",
            *shortage,
            "",
        ]
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        if sys.argv[1:] == ["longer"]:
            audits(home, LONGER)
            return
        tables = (
            releases(home), earnings(home), plans(home), choices(), audits(home, AUDITS), patterns(home),
            shortages(home),
        )  # fmt: skip
    PAGE.write_text(page(*tables), "utf-8")
    print(f"written: {PAGE}")


if __name__ == "__main__":
    main()
