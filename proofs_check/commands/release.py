"""``establish release``: a table of counts with formally private noise in place of the counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from establish.impl.mechanisms import NAMES, Mechanism, mechanism
from establish.impl.release import Release, release_table
from establish.impl.sidecar import FLOATING_POINT
from establish.proofs_check import ledger

HELP = """Release a table of counts with noise in place of the counts.

\b
Examples:
  establish release cells.csv --mechanism log-laplace --alpha 1/10 --epsilon 2 \\
      --count jobs --out noisy.csv
  establish release cells.parquet --mechanism smooth-laplace --alpha 0.1 --epsilon 2 \\
      --delta 1/1000 --count jobs --largest largest --where "sector <> 'Total'" --out noisy.parquet

\b
INPUT and --out are CSV, gzipped CSV or Parquet, by their ending; one row is one cell, and an
establishment may be in one row only. Beside --out, a .json file says what was done, what it
satisfies and what that rests on. No true count is ever written or printed.
"""


def release(
    source: Annotated[Path, typer.Argument(metavar="INPUT", help="The table of true counts.")],
    mechanism_name: Annotated[
        str, typer.Option("--mechanism", metavar="NAME", help=f"One of {', '.join(NAMES)}.")
    ],
    epsilon: Annotated[str, typer.Option(help="ε > 0, exact: 2, 0.5 or 1/2.")],
    count: Annotated[str, typer.Option(metavar="COLUMN", help="The column of true counts.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The table to write.")],
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
        str, typer.Option(help="published, or tight: the least noise that is proved.")
    ] = "published",
    where: Annotated[
        str | None,
        typer.Option(metavar="SQL", help="Release only these rows; it cannot name the counts."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Keep a column that could hold numbers; repeatable."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Reproducible noise, for tests only: it is not secret.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing output.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the record that is written beside --out.")
    ] = False,
) -> None:
    law = mechanism(
        mechanism_name, epsilon=epsilon, alpha=alpha, delta=delta, calibration=calibration
    )
    released = release_table(
        source,
        out,
        law,
        count=count,
        largest=largest,
        where=where,
        keep=keep or (),
        seed=seed,
        force=force,
        verdicts={claim: entry.verdict for claim, entry in ledger.recorded().items()},
    )
    if as_json:
        print(json.dumps(released.record, ensure_ascii=False, indent=2))
    else:
        _tell(released, law, alpha_unused=alpha is not None and "alpha" not in law.parameters)


def _tell(released: Release, law: Mechanism, alpha_unused: bool) -> None:
    print(f"{released.rows} rows released by {law.name} ({law.calibration} calibration)")
    for guarantee in law.guarantees:
        print(f"satisfies: {guarantee.definition}, for {guarantee.applies_to}")
    print(f"scope: {law.guarantees[0].scope}")
    print(f"expected error: {law.expected_error['mean absolute error']}")
    print(f"written: {released.table}")
    print(f"written: {released.sidecar}")
    if alpha_unused:
        print(f"note: {law.name} does not use α")
    if released.left_out:
        print(
            f"left out, because they could hold counts: {', '.join(released.left_out)}; "
            "keep one with --keep COLUMN"
        )
    print(f"note: {FLOATING_POINT}")
