"""``establish tabulate``: the cells of a marginal query, from Job, Worker and Workplace tables."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from establish.impl.tabulate import TWO_JOBS, Domain, TableFiles, Tabulator, embedded
from establish.impl.tabulate.engine import DEFAULT_MEMORY
from establish.impl.tabulate.write import require_out, write_counts
from establish.proofs_check.commands.terminal import complaints
from establish.spec.parameters import ParameterError

HELP = """Count jobs by cell from Job, Worker and Workplace tables, and check the tables.

\b
Examples:
  establish tabulate --jobs jobs.parquet --workplaces workplaces.parquet \\
      --by place,sector,ownership
  establish tabulate --jobs jobs.parquet --workplaces workplaces.parquet \\
      --workers workers.parquet --by place,sector,ownership,sex,education \\
      --domain domain.toml --out cells.parquet --confidential

\b
jobs has the columns worker and workplace, workers has worker and private attributes, workplaces
has workplace and public attributes; each is CSV, gzipped CSV, Parquet, or a folder of Parquet files.
The domain lists every value of the worker attributes, under [domain]: sex = ["F", "M"]. Workplace
attributes may be listed too; those that are not take the combinations in workplaces, which are
public. A cell without jobs is a cell. No count is ever printed; true counts are written only with
--out and --confidential, and the sizes of establishments never.
"""


def tabulate(
    jobs: Annotated[Path, typer.Option(metavar="FILE", help="worker, workplace.")],
    workplaces: Annotated[Path, typer.Option(metavar="FILE", help="workplace, attributes.")],
    by: Annotated[str, typer.Option(metavar="LIST", help="Attributes: place,sector,sex.")],
    workers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="worker, attributes; needed for these only."),
    ] = None,
    domain: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="The values of attributes.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write labels and true counts.")
    ] = None,
    confidential: Annotated[
        bool, typer.Option("--confidential", help="Yes, --out may hold true counts.")
    ] = False,
    two_jobs: Annotated[
        str,
        typer.Option(
            metavar="|".join(TWO_JOBS),
            help="A worker with two jobs: refuse, or keep the first by workplace identifier.",
        ),
    ] = TWO_JOBS[0],
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="At most so many; all cores by default.")
    ] = None,
    memory: Annotated[
        str, typer.Option(metavar="SIZE", help="Beyond it, work on disk: 400MB, 4GB.")
    ] = DEFAULT_MEMORY,
    temporary: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where work goes that exceeds the memory."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing output.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    attributes = [name.strip() for name in by.split(",") if name.strip()]
    files = TableFiles(jobs, workplaces, workers)
    if out is not None:
        if not confidential:
            raise ParameterError(
                f"--out = {out} would hold true counts: add --confidential if that is meant"
            )
        require_out(out, attributes, files, force)
    elif confidential:
        raise ParameterError("--confidential is about --out: give both, or none")
    listed = None if domain is None else Domain.read(domain)
    start = time.perf_counter()
    with (
        complaints().status("opening the tables") as status,
        embedded(threads, memory, temporary) as engine,
    ):
        tabulator = Tabulator(files, engine, two_jobs, progress=status.update)
        cells = tabulator.tabulate(attributes, listed)
        if out is not None:
            status.update("writing")
            write_counts(out, cells)
    seconds = time.perf_counter() - start
    read = {
        "jobs": tabulator.rows.jobs,
        "workers": tabulator.rows.workers,
        "workplaces": tabulator.rows.workplaces,
    }
    if as_json:
        summary = {
            "by": attributes,
            "cells": len(cells),
            "rows_read": read,
            "two_jobs": two_jobs,
            "seconds": round(seconds, 3),
            "confidential_file": None if out is None else str(out),
        }
        print(json.dumps(summary, ensure_ascii=False, indent=2))
    else:
        rows = ", ".join(f"{name} {n}" for name, n in read.items() if n is not None)
        print(f"{len(cells)} cells of {' × '.join(attributes) or 'all jobs'}")
        print(f"rows read: {rows}; {seconds:.2f} s")
    if out is not None:
        complaints().print(
            f"CONFIDENTIAL: {out} holds true counts. Only you can read it (mode 0600). Do not publish "
            "or copy it: establish release adds the noise."
        )
