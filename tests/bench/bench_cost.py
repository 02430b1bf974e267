"""Measure how the cost of commands grows with their input, and write docs/pages/reference/cost.md.

Processor seconds and peak memory are those of whole processes, start-up included. Polars with numpy's unsafe
noise stands beside a release where it is installed: it reads, adds noise and writes, and checks nothing.
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
ALPHAS = ("1/10", "1/1000", "1/1000000")
LAW = ("--alpha", "1/10", "--epsilon", "2", "--mechanism", "smooth-path", "--count", "jobs")

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
CHOICE = """
from fractions import Fraction
from sys import argv
from establish.impl.mechanisms.least_error import chosen
chosen(Fraction(argv[1]), Fraction(1), largest=False)
"""


def cost(command: list[str]) -> tuple[float, float]:
    """Processor seconds and megabytes at most, of the command as a process of its own."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    told = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(told)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def shown(found: tuple[float, float] | None) -> str:
    return "- | -" if found is None else f"{found[0]:.2f} | {found[1]:.0f}"


def releases(folder: Path) -> list[str]:
    """Rows of the table of releases."""
    told = []
    script = [str(Path(sys.executable).with_name("establish")), "release", "counts"]
    for ending in ("csv", "parquet"):
        for rows in ROWS:
            source, out = folder / f"cells.{ending}", folder / f"out.{ending}"
            subprocess.run([sys.executable, "-c", MAKE, str(rows), str(source)], check=True)
            options = [*LAW, "--keep", "county", "--keep", "code", "--without-ledger", "--force"]
            own = cost([*script, str(source), *options, "--out", str(out)])
            peer = None
            if find_spec("polars") is not None:
                peer = cost([sys.executable, "-c", POLARS, str(source), str(out)])
            ratio = f"{own[0] / peer[0]:.1f}" if peer else "-"
            told.append(f"| {ending} | {rows:,} | {shown(own)} | {shown(peer)} | {ratio} |")
            print(told[-1], flush=True)
    return told


def choices() -> list[str]:
    """Rows of the table of default choices."""
    start = cost([sys.executable, "-c", "import establish.impl.mechanisms.least_error"])
    told = [f"| start-up alone | {shown(start)} |"]
    told += [f"| {alpha} | {shown(cost([sys.executable, '-c', CHOICE, alpha]))} |" for alpha in ALPHAS]
    print(*told, sep="\n", flush=True)
    return told


def page(release: list[str], choice: list[str]) -> str:
    return "\n".join(
        [
            "# What commands cost",
            "",
            f"`make bench` writes this page. It was measured on {os.cpu_count()} processor cores, with numpy "
            f"{np.__version__}. Each figure is one whole process, start-up included: processor seconds, and "
            "the most memory in megabytes. Seconds differ from machine to machine; ratios differ less.",
            "",
            "## `establish release counts`",
            "",
            "The table has two columns of codes and one of counts. Beside it, Polars reads the table, adds "
            "numpy's noise and writes it. That noise is not safe, and nothing is checked: a release also "
            "compares all rows and labels, and digests the rows for the ledger.",
            "",
            "| file | rows | seconds | MB | Polars seconds | Polars MB | ratio of seconds |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *release,
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
            "Not measured here yet: earnings, plans, suppression, and what happens when memory runs out.",
            "",
        ]
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        release = releases(Path(folder))
    PAGE.write_text(page(release, choices()), "utf-8")
    print(f"written: {PAGE}")


if __name__ == "__main__":
    main()
