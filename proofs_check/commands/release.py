"""``establish release``: a table of counts with formally private noise in place of the counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from establish.impl.earnings import mechanisms as of_earnings
from establish.impl.earnings.bins import percentages
from establish.impl.mechanisms import NAMES, Mechanism, mechanism
from establish.impl.publish.counts import Release, release_table
from establish.impl.publish.earnings import EXACT, release_earnings
from establish.impl.publish.sidecar import ROUNDED, Described
from establish.proofs_check.commands.cautions import cautions
from establish.proofs_check.commands.release_plan import FORMATS, release_from_plan
from establish.proofs_check.engine import ledger
from establish.spec.parameters import ParameterError

T = TypeVar("T")

ALL_NAMES = (*NAMES, *of_earnings.NAMES)
"""What ``--mechanism`` accepts."""

HELP = """Release counts with noise, protected percentiles of earnings, or a whole plan.

\b
Examples:
  establish release cells.csv --mechanism log-laplace --alpha 1/10 --epsilon 2 \\
      --count jobs --out noisy.csv
  establish release cells.parquet --mechanism smooth-laplace --alpha 0.1 --epsilon 2 \\
      --delta 1/1000 --count jobs --largest largest --where "sector <> 'Total'" --out noisy.parquet
  establish release people.csv --mechanism histogram-percentiles --epsilon 1 \\
      --earnings earnings --cell college --cell year --out percentiles.csv
  establish release people.csv --mechanism chosen-by-size --epsilon 1/2 \\
      --earnings earnings --cell college --cell year --out percentiles.csv
  establish release plan.toml --out published

\b
INPUT and --out are CSV, gzipped CSV or Parquet, by their ending; one row is one cell, and an
establishment may be in one row only. Beside --out, a .json file says what was done, what it
satisfies and what that rests on. No true count is ever written or printed.
With histogram-percentiles and chosen-by-size one row of INPUT is one person, and one row of --out is
one cell. chosen-by-size picks bins for each cell by ε and its noisy total; it is better for ε <= 1.

\b
A plan in TOML names confidential tables (jobs, workers and workplaces; establishments; or persons), the
queries with the mechanism and budget of each, a cap, and the ledger of what was spent: see establish
budget. --out is then a folder: one table for each query, and release.json. The plan is costed before
anything is read, and its entry is in the ledger before a table appears.
"""

PLAN = "a plan"
"""What is named in complaints about options beside a plan."""


def release(
    source: Annotated[
        Path,
        typer.Argument(metavar="INPUT", help="A table of true counts or of persons, or a plan."),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The table, or the plan's folder.")],
    mechanism_name: Annotated[
        str | None,
        typer.Option("--mechanism", metavar="NAME", help=f"One of {', '.join(ALL_NAMES)}."),
    ] = None,
    epsilon: Annotated[str | None, typer.Option(help="ε > 0, exact: 2, 0.5 or 1/2.")] = None,
    count: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of true counts.")
    ] = None,
    alpha: Annotated[
        str | None, typer.Option(help="α > 0, exact; laplace does not use it.")
    ] = None,
    delta: Annotated[str | None, typer.Option(help="0 < δ < 1, for smooth-laplace.")] = None,
    largest: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="The column of each cell's largest establishment; without it the count is used.",
        ),
    ] = None,
    calibration: Annotated[
        str | None,
        typer.Option(help="published (the default), or tight: the least noise that is proved."),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="Release only these rows; it cannot name the counts."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Keep a column that could hold numbers; repeatable."),
    ] = None,
    earnings: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="A person's earnings in dollars.")
    ] = None,
    cell: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column that forms the cells; repeatable."),
    ] = None,
    cells: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="All cells, so that absent ones are released as well."),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Refuse INPUT when a person has two rows."),
    ] = None,
    percentiles: Annotated[
        str | None, typer.Option(metavar="LIST", help="Percentiles; 25,50,75 by default.")
    ] = None,
    bins: Annotated[
        str | None,
        typer.Option(help="log-normal (the default), even, or end points as 10000,25000,60000."),
    ] = None,
    post_process: Annotated[
        str | None,
        typer.Option(
            "--post-process",
            metavar="NAME",
            help="What histogram-percentiles does to protected counts: none, clamp or isotonic.",
        ),
    ] = None,
    ending: Annotated[
        str | None,
        typer.Option("--format", help=f"Of a plan's tables: {', '.join(FORMATS)} (parquet)."),
    ] = None,
    two_jobs: Annotated[
        str | None,
        typer.Option(
            metavar="refuse|first",
            help="Plans on jobs: a worker with two jobs is refused, or keeps the first by workplace.",
        ),
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="Plans on jobs: beyond it, work on disk (1GB)."),
    ] = None,
    no_fit: Annotated[
        bool,
        typer.Option("--no-fit", help="Plans on establishments: no table of fitted cells."),
    ] = False,
    nonnegative: Annotated[
        bool,
        typer.Option("--nonnegative", help="Plans on establishments: fitted cells are ≥ 0."),
    ] = False,
    seed: Annotated[
        int | None, typer.Option(help="Reproducible noise, for tests only: it is not secret.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing output.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the record that is written beside --out.")
    ] = False,
) -> None:
    verdicts = {claim: entry.verdict for claim, entry in ledger.recorded().items()}
    for_counts = {
        "--count": count,
        "--alpha": alpha,
        "--delta": delta,
        "--largest": largest,
        "--calibration": calibration,
        "--where": where,
        "--keep": keep,
    }
    for_earnings = {
        "--earnings": earnings,
        "--cell": cell,
        "--cells": cells,
        "--person": person,
        "--percentiles": percentiles,
        "--bins": bins,
        "--post-process": post_process,
    }
    for_plans = {
        "--format": ending,
        "--two-jobs": two_jobs,
        "--memory": memory,
        "--no-fit": no_fit or None,
        "--nonnegative": nonnegative or None,
    }
    if source.suffix.lower() == ".toml":
        _forbid(PLAN, {"--mechanism": mechanism_name, "--epsilon": epsilon})
        _forbid(PLAN, for_counts)
        _forbid(PLAN, for_earnings)
        release_from_plan(
            source,
            out,
            ending=ending or FORMATS[0],
            two_jobs=two_jobs or "refuse",
            memory=memory or "1GB",
            fit=not no_fit,
            nonnegative=nonnegative,
            seed=seed,
            force=force,
            as_json=as_json,
            verdicts=verdicts,
        )
        return
    mechanism_name = _needed("a table", "--mechanism", mechanism_name)
    epsilon = _needed("a table", "--epsilon", epsilon)
    _forbid("a table", for_plans)
    if mechanism_name not in ALL_NAMES:
        raise ParameterError(
            f"mechanism = {mechanism_name} is not known: use one of {', '.join(ALL_NAMES)}"
        )
    if mechanism_name in of_earnings.NAMES:
        _forbid(mechanism_name, for_counts)
        chosen = of_earnings.earnings_mechanism(
            mechanism_name,
            epsilon,
            percentages((percentiles or "25,50,75").split(",")),
            bins=bins,
            post_process=post_process,
            cells_given=cells is not None,
        )
        released = release_earnings(
            source,
            out,
            chosen,
            earnings=_needed(mechanism_name, "--earnings", earnings),
            cells=_needed(mechanism_name, "--cell", cell or None),
            domain=cells,
            person=person,
            seed=seed,
            force=force,
            verdicts=verdicts,
        )
        _tell(released, chosen, as_json, "cells", [f"note: {EXACT}"])
        return
    law = mechanism(
        mechanism_name,
        epsilon=epsilon,
        alpha=alpha,
        delta=delta,
        calibration=calibration or "published",
    )
    _forbid(mechanism_name, for_earnings)
    released = release_table(
        source,
        out,
        law,
        count=_needed(mechanism_name, "--count", count),
        largest=largest,
        where=where,
        keep=keep or (),
        seed=seed,
        force=force,
        verdicts=verdicts,
    )
    alpha_unused = alpha is not None and "alpha" not in law.parameters
    _tell(released, law, as_json, "rows", _notes(released, law, alpha_unused))


def _forbid(mechanism_name: str, options: Mapping[str, object]) -> None:
    for option, value in options.items():
        if value not in (None, []):
            raise ParameterError(f"{option} is not used by {mechanism_name}: leave it out")


def _needed(mechanism_name: str, option: str, value: T | None) -> T:
    if value is None:
        raise ParameterError(f"{option} is missing: {mechanism_name} needs it")
    return value


def _tell(
    released: Release, law: Described, as_json: bool, unit: str, notes: Sequence[str]
) -> None:
    if as_json:
        print(released.sidecar.read_text("utf-8"), end="")
        return
    print(f"{released.rows} {unit} released by {law.name} ({law.calibration} calibration)")
    for guarantee in law.guarantees:
        print(f"satisfies: {guarantee.definition}, for {guarantee.applies_to}")
    print(f"scope: {law.guarantees[0].scope}")
    print(f"expected error: {law.expected_error['mean absolute error']}")
    print(f"written: {released.table}")
    print(f"written: {released.sidecar}")
    for note in (*notes, *cautions(released.record)):
        print(note)


def _notes(released: Release, law: Mechanism, alpha_unused: bool) -> list[str]:
    notes = []
    if alpha_unused:
        notes.append(f"note: {law.name} does not use α")
    if released.left_out:
        notes.append(
            f"left out, because they could hold counts: {', '.join(released.left_out)}; "
            "keep one with --keep COLUMN"
        )
    return [*notes, f"note: {ROUNDED}"]
