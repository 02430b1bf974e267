"""``establish evaluate``: the papers' experiments, each by one command."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from establish.proofs_check.api.progress import progress_bar
from establish.proofs_check.commands.folders import require_folder
from establish.proofs_check.commands.terminal import output, table_of
from establish.proofs_check.engine.misuse import Misuse

if TYPE_CHECKING:
    from establish.proofs_check.experiments.evaluation import Evaluation

HELP = """Run the experiments of a paper on synthetic data, or on public data.

\b
Examples:
  establish evaluate haney2017 --out haney --small
  establish evaluate haney2017 --out haney --size national
  establish evaluate haney2017 --out qcew --data 2016.q1.by_area.csv
  establish evaluate webb2025 --out webb
  establish evaluate cost --out cost

\b
PAPER is one of
  haney2017     Section 10: counts against input noise infusion; --data takes files of the Quarterly Census
                of Employment and Wages (QCEW) by area
  webb2025      Section 8 and Appendices B, C and H: employment and wages; --size new-jersey is the larger
                of its two states; --data takes one file of the QCEW
  foote2019     Section 5: percentiles of earnings; --data takes one file of the Post-Secondary Employment
                Outcomes
  schmutte2020  MOSE and the UMETRICS reports, what exported scales give away, and repaired versions
  cost          what protection costs, in one table (this is not from a paper)
The command writes into FOLDER the numbers as Parquet files (results.parquet and others) and as text with six
digits, each figure as SVG and PNG with its numbers as CSV, and run.json, which records what was run. It
prints the tables, and compares each sentence of the paper with what came out, with the interval that decides.
The noise comes from a seed, and mostly from floats: it measures errors and must never be used for a release.

\b
Exit status: 0 done; 2 usage error.
"""

PAPERS = {
    "haney2017": ("small", "sample", "national"),
    "webb2025": ("small", "state", "new-jersey"),
    "foote2019": ("small", "grid"),
    "schmutte2020": ("small", "groups"),
    "cost": ("small", "table"),
}
"""The sizes of each experiment, the least first."""

DEFAULT = {
    "haney2017": "sample",
    "webb2025": "state",
    "foote2019": "grid",
    "schmutte2020": "groups",
    "cost": "table",
}
"""The size that is run unless another is named."""

TAKE_DATA = ("haney2017", "webb2025", "foote2019")
"""The experiments that --data gives public data."""

RUN = "run.json"
"""A folder that holds this was written by this command."""


def evaluate(
    paper: Annotated[str, typer.Argument(metavar="PAPER", help=", ".join(PAPERS))],
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the files go.")],
    small: Annotated[bool, typer.Option("--small", help="The same as --size small.")] = False,
    size: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="How much data: small, or another size of the experiment."),
    ] = None,
    seed: Annotated[int, typer.Option(help="A whole number >= 0; the same seed, the same numbers.")] = 2017,
    trials: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="Independent draws of the noise.")
    ] = None,
    data: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Public data to use instead; repeatable.")
    ] = None,
    distortion: Annotated[
        str | None,
        typer.Option(
            metavar="S,T",
            help="How far factors of noise infusion are from 1, for haney2017; 1/20,1/4 unless given.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace an evaluation that stands in FOLDER.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print run.json and no tables.")] = False,
) -> None:
    chosen = _chosen(paper, size, small, seed, data or [])
    require_folder(out, "an evaluation", (RUN,), force)
    factors = None if distortion is None else _factors(paper, distortion)

    import matplotlib  # noqa: F401  a library that is missing is told before any work
    import pyarrow  # noqa: F401

    from establish.proofs_check.experiments.evaluation import Request

    experiment = import_module(f"establish.proofs_check.experiments.{paper}.evaluation")
    with progress_bar(counted=True) as bar:

        def start(description: str, steps: int) -> Any:
            task = bar.add_task(description, total=steps)
            return lambda: bar.advance(task)

        found = experiment.evaluate(Request(seed, chosen, trials, tuple(data or ()), factors, start))
        task = bar.add_task("writing", total=None)
        record = _write(found, out, paper, chosen, seed, trials, data or [])
        bar.remove_task(task)
    if as_json:
        print(json.dumps(record, ensure_ascii=False, indent=2))
    else:
        _print(found, out)


def _chosen(paper: str, size: str | None, small: bool, seed: int, data: list[Path]) -> str:
    """The size to run. Raises Misuse for what no experiment takes."""
    if paper not in PAPERS:
        raise Misuse(f"PAPER = {paper} is not known: use one of {', '.join(PAPERS)}")
    if seed < 0:
        raise Misuse("--seed must be a whole number >= 0")
    if small and size not in (None, "small"):
        raise Misuse(f"--small and --size {size} contradict each other")
    chosen = size or ("small" if small else DEFAULT[paper])
    if chosen not in PAPERS[paper]:
        raise Misuse(f"--size {chosen} is not known: {paper} has {', '.join(PAPERS[paper])}")
    if data and paper not in TAKE_DATA:
        raise Misuse(f"--data is not used by {paper}: only by {', '.join(TAKE_DATA)}")
    for file in data:
        if not file.is_file():
            raise Misuse(f"--data {file} is not there")
    return chosen


def _factors(paper: str, text: str) -> tuple[Fraction, Fraction]:
    """s and t of noise infusion. Raises Misuse and ParameterError."""
    from establish.spec.mechanisms.noise_infusion import FactorRange

    parts = text.split(",")
    if paper != "haney2017" or len(parts) != 2:
        raise Misuse(f"--distortion {text}: haney2017 alone takes it, as two numbers S,T")
    made = FactorRange(*parts)
    return made.s, made.t


def _write(
    found: Evaluation, out: Path, paper: str, size: str, seed: int, trials: int | None, data: list[Path]
) -> dict[str, Any]:
    from establish.proofs_check.engine.fingerprint import library_versions
    from establish.proofs_check.experiments.findings import told
    from establish.proofs_check.experiments.results import digest, text_of, write_parquet

    out.mkdir(exist_ok=True)
    digests = {}
    for name, rows in found.results.items():
        write_parquet(rows, out / f"{name}.parquet")
        text = text_of(rows)
        (out / f"{name}.csv").write_text(text, encoding="utf-8", newline="")
        digests[f"{name}.csv"] = digest(text)
    figures = found.draw(out)
    record = {
        "paper": paper,
        "size": "data" if data else size,
        "seed": seed,
        "trials": trials,
        "data": [file.name for file in data],
        "about": list(found.about),
        "sha256": digests,
        "figures": [path.name for path in figures],
        "findings": [told(finding) for finding in found.findings],
        "versions": library_versions(),
    }
    text = json.dumps(record, ensure_ascii=False, indent=2)
    (out / RUN).write_text(text + "\n", encoding="utf-8")
    return record


def _print(found: Evaluation, out: Path) -> None:
    console = output()
    for line in found.about:
        console.print(line, soft_wrap=True)
    for table in found.tables:
        console.print()
        console.print(table.title, style="bold")
        console.print(table_of(table.header, table.rows, right=1))
    if found.findings:
        console.print()
        console.print("What the paper says, and what came out here", style="bold")
    for finding in found.findings:
        console.print(f"{finding.outcome:15}{finding.place}: {finding.sentence}", soft_wrap=True)
        console.print(f"{'':15}{finding.reading}", soft_wrap=True)
        if finding.closest is not None:
            failed = len(finding.against)
            several = len(finding.comparisons)
            many = f"{several} comparisons, {failed} against; " if failed and several > 1 else ""
            console.print(f"{'':15}{many}{finding.closest}", soft_wrap=True)
    files = sorted(path.name for path in out.iterdir())
    console.print()
    console.print(f"written: {out}: {', '.join(files)}", soft_wrap=True)
