"""``establish release plan``: a whole plan, from confidential tables to published ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.api.asked import require_there
from establish.proofs_check.api.plan import FORMATS, REFUSE
from establish.proofs_check.api.plan import release_plan as released_plan
from establish.proofs_check.commands.engines import EngineName, Master
from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.release import options

if TYPE_CHECKING:
    from establish.proofs_check.api.plan import PlanReleased

HELP = """Release every query of a plan into one folder, within the plan's cap.

\b
Examples:
  establish release plan plan.toml --out published
  establish release plan plan.toml --out published --format csv --force
  establish release plan plan.toml --out published --engine spark --master spark://head:7077

\b
A plan is a TOML file. It names the confidential tables (jobs, workers and workplaces; establishments; or
persons), the queries with their mechanisms and budgets, a cap, and the spending ledger; see establish budget.
The command writes one table for each query, and release.json, into the folder that --out names. It computes
the cost before it reads any data, and records the spending before any table appears.
"""


def release_plan(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="The plan: a .toml file.")],
    out: options.OutFolder,
    format: Annotated[
        str, typer.Option("--format", help=f"The form of the tables: {', '.join(FORMATS)}.")
    ] = FORMATS[0],
    two_jobs: Annotated[
        str,
        typer.Option(
            metavar="refuse|first",
            help="Plans on jobs: a worker with two jobs is refused, or keeps the first by workplace.",
        ),
    ] = REFUSE,
    memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Plans on jobs, duckdb: rows beyond this much are kept on disk; default: 4GB.",
        ),
    ] = None,
    engine: EngineName = None,
    master: Master = None,
    no_fit: Annotated[
        bool, typer.Option("--no-fit", help="Plans on establishments: no table of fitted cells.")
    ] = False,
    nonnegative: Annotated[
        bool, typer.Option("--nonnegative", help="Plans on establishments: fitted cells are ≥ 0.")
    ] = False,
    additive: Annotated[
        str | None,
        typer.Option(
            metavar="real|whole",
            help="Plans on jobs: a second column, whose cells add up, computed from the released counts.",
        ),
    ] = None,
    ledger: options.Ledger = None,
    head: options.Head = None,
    without_ledger: options.WithoutLedger = False,
    sign: options.Sign = None,
    seed: options.Seed = None,
    force: Force = False,
    resume: options.Resume = False,
    as_json: options.AsJson = False,
) -> None:
    asked = {name: of for name, of in locals().items() if name not in ("resume", "as_json")}
    if resume:
        _resume(plan, out, ledger, head, without_ledger, force)
        return
    _tell(released_plan(**asked), as_json)


def _resume(
    source: Path, out: Path, ledger: Path | None, head: Path | None, without_ledger: bool, force: bool
) -> None:
    require_there("PLAN", source)

    from establish.impl.budget.books import books_of_plan
    from establish.impl.budget.plan import read_plan
    from establish.impl.publish.plan import RECORD
    from establish.proofs_check.commands.release.told import complete

    books = books_of_plan(read_plan(source), ledger=ledger, second=head, without=without_ledger)
    complete(books, out / RECORD, force)


def _tell(result: PlanReleased, as_json: bool) -> None:
    from establish.proofs_check.api.progress import complaints
    from establish.proofs_check.commands.release.told import budget, cautions, entry

    plan, released, record = result.plan, result.written, result.record
    replaced = [f"removed, from the previous release: {path}" for path in released.superseded.removed]
    replaced += [
        f"kept, from the previous release, because it was edited: {path}" for path in released.superseded.left
    ]
    replaced += [f"note: {line}" for line in released.told]
    if as_json:
        print(json.dumps(record, ensure_ascii=False, indent=2))
        for line in replaced:
            complaints().print(line)
        return
    print(f"{plan.title}: {len(plan.queries)} queries released")
    loss = ", ".join(f"{symbol} = {value}" for symbol, value in record["loss"].items())
    print(f"cost: {plan.definition.name} with {loss}, {entry(released.receipt, released.books)}")
    for line in budget(released.receipt, released.books):
        print(line)
    for path in (*released.tables, released.record):
        print(f"written: {path}")
    for line in replaced:
        print(line)
    for note in record["notes"]:
        print(f"note: {note}")
    for line in cautions(record):
        print(line)
