"""``establish tabulate``: the cells of a marginal query, from Job, Worker and Workplace tables."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from establish.proofs_check.api.asked import require_there
from establish.proofs_check.api.engines import opened
from establish.proofs_check.api.progress import complaints
from establish.proofs_check.commands.engines import EngineName, Master
from establish.proofs_check.commands.options import Force
from establish.spec.parameters import ParameterError

HELP = """Count jobs by cell from Job, Worker and Workplace tables, and check the tables.

\b
Examples:
  establish tabulate --jobs jobs.parquet --workplaces workplaces.parquet \\
      --by place,sector,ownership
  establish tabulate --jobs jobs.parquet --workplaces workplaces.parquet \\
      --workers workers.parquet --by place,sector,ownership,sex,education \\
      --domain domain.toml --out cells.parquet --confidential
  establish tabulate --jobs jobs.parquet --workplaces workplaces.parquet \\
      --workers workers.parquet --by place,sex --where education=CD03,CD04 \\
      --where sector=61,62 --domain domain.toml
  establish tabulate --jobs jobs.parquet --workplaces workplaces.parquet --by place \\
      --engine spark --master spark://head:7077

\b
jobs has the columns worker and workplace, workers has worker and private attributes, workplaces
has workplace and public attributes; each is CSV, gzipped CSV, Parquet, or a folder of Parquet files.
The domain lists every value of the worker attributes, under [domain]: sex = ["F", "M"]. It may also list
workplace attributes; for the others, the cells are the combinations found in workplaces, which are public.
Empty cells are included. With --where, only jobs whose worker or workplace has one of the values are counted;
the domain must list the values of those worker attributes too. No count is ever printed. True counts are
written only with --out and --confidential; establishment sizes are never written.
"""


def tabulate(
    jobs: Annotated[Path, typer.Option(metavar="FILE", help="worker, workplace.")],
    workplaces: Annotated[Path, typer.Option(metavar="FILE", help="workplace, attributes.")],
    by: Annotated[str, typer.Option(metavar="LIST", help="Attributes: place,sector,sex.")],
    workers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="worker, attributes; needed for these only.")
    ] = None,
    domain: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="The values of attributes.")
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="ATTRIBUTE=LIST", help="Count these only: sex=F,M; repeatable."),
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write labels and true counts.")] = None,
    confidential: Annotated[
        bool, typer.Option("--confidential", help="Confirm that --out may hold true counts.")
    ] = False,
    two_jobs: Annotated[
        str,
        typer.Option(
            metavar="refuse|first",
            help="A worker with two jobs: refuse, or keep the first by workplace identifier.",
        ),
    ] = "refuse",
    threads: Annotated[
        int | None, typer.Option(metavar="N", help="Use at most so many; all cores by default.")
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", help="Memory for the tables; the rest is kept on disk: 400MB, 4GB; default: 4GB."
        ),
    ] = None,
    temporary: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="The folder for what exceeds the memory.")
    ] = None,
    engine: EngineName = None,
    master: Master = None,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    for name, table in (("--jobs", jobs), ("--workplaces", workplaces), ("--workers", workers)):
        if table is not None:
            require_there(name, table, folder=True)

    from establish.impl.budget.engines import EngineChoice
    from establish.impl.tabulate import Domain, SpreadCells, TableFiles, Tabulation, Tabulator
    from establish.impl.tabulate.write import require_out, write_counts, write_counts_in_parts

    choice = EngineChoice().over(engine, master)
    attributes = _listed(by)
    filters = _filters(where or [])
    files = TableFiles(jobs, workplaces, workers)
    if out is not None:
        if not confidential:
            raise ParameterError(f"--out = {out} would hold true counts: add --confidential if that is meant")
        require_out(out, attributes, files, domain, force, spread=choice.is_spark)
    elif confidential:
        raise ParameterError("--confidential is about --out: give both, or none")
    listed = None if domain is None else Domain.read(domain)
    start = time.perf_counter()
    with (
        complaints().status("opening the tables") as status,
        opened(choice, threads=threads, memory=memory, temporary=temporary) as running,
    ):
        tabulator = Tabulator(files, running, two_jobs, progress=status.update)
        cells: Tabulation | SpreadCells
        if choice.is_spark:
            cells = tabulator.spread(attributes, listed, where=filters)
            if out is None:
                tabulator.require_inside(cells)
            else:
                write_counts_in_parts(out, tabulator, cells)
        else:
            cells = tabulator.tabulate(attributes, listed, where=filters)
            if out is not None:
                status.update("writing")
                write_counts(out, cells)
    seconds = time.perf_counter() - start
    if as_json:
        summary = {
            "by": attributes,
            "where": filters,
            "cells": len(cells),
            "workplaces": tabulator.rows.workplaces,
            "two_jobs": two_jobs,
            "seconds": round(seconds, 3),
            "confidential_file": None if out is None else str(out),
        }
        print(json.dumps(summary, ensure_ascii=False, indent=2))
    else:
        print(f"{len(cells)} cells of {' × '.join(attributes) or 'all jobs'}")
        print(f"{tabulator.rows.workplaces} workplaces; {seconds:.2f} s")
    if out is not None:
        complaints().print(
            f"CONFIDENTIAL: {out} holds true counts. Only you can read it (mode 0600). Do not publish "
            "or copy it: establish release plan adds the noise."
        )


def _listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]


def _filters(given: Sequence[str]) -> dict[str, list[str]]:
    """Attribute → values. Raises ParameterError for a text that is no filter, and for a second one."""
    found: dict[str, list[str]] = {}
    for text in given:
        attribute, _, values = text.partition("=")
        attribute = attribute.strip()
        if not attribute or not _listed(values):
            raise ParameterError(f"--where = {text} is not a filter: write it as sex=F,M")
        if attribute in found:
            raise ParameterError(f"--where = {text}: {attribute} has a filter, list all its values")
        found[attribute] = _listed(values)
    return found
