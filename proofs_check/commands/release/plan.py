"""``establish release plan``: a whole plan, from confidential tables to published ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.api.asked import require_there
from establish.proofs_check.commands.engines import EngineName, Master, chosen, opened
from establish.proofs_check.commands.options import Force
from establish.proofs_check.commands.release.options import (
    AsJson,
    Head,
    Ledger,
    OutFolder,
    Resume,
    Seed,
    Sign,
    WithoutLedger,
)
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.budget.engines import EngineChoice
    from establish.impl.budget.plan import Plan
    from establish.impl.publish.plan import Answerer, PlanRelease

FORMATS = ("parquet", "csv", "csv.gz", "xlsx")
"""What ``--format`` accepts: the ending of the tables."""

REFUSE = "refuse"
"""What ``--two-jobs`` says unless another is named."""

HELP = """Release a whole plan: every query that it names, under its cap, into one folder.

\b
Examples:
  establish release plan plan.toml --out published
  establish release plan plan.toml --out published --format csv --force
  establish release plan plan.toml --out published --engine spark --master spark://head:7077

\b
A plan in TOML names confidential tables (jobs, workers and workplaces; establishments; or persons), the
queries with the mechanism and budget of each, a cap, and the ledger of what was spent: see establish
budget. --out is a folder: one table for each query, and release.json. The plan is costed before
anything is read, and its entry is in the ledger before a table appears.
"""


def release_plan(
    source: Annotated[Path, typer.Argument(metavar="PLAN", help="The plan: a .toml file.")],
    out: OutFolder,
    ending: Annotated[
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
    ledger: Ledger = None,
    head: Head = None,
    without_ledger: WithoutLedger = False,
    sign: Sign = None,
    seed: Seed = None,
    force: Force = False,
    resume: Resume = False,
    as_json: AsJson = False,
) -> None:
    if ending not in FORMATS:
        raise ParameterError(f"--format = {ending} is not allowed: use {', '.join(FORMATS)}")
    require_there("PLAN", source)

    from establish.impl.budget.books import books_of_plan
    from establish.impl.budget.plan import read_plan
    from establish.impl.publish import plan as publish
    from establish.impl.signing import signer
    from establish.proofs_check.api.progress import complaints
    from establish.proofs_check.api.release import recorded_verdicts

    plan, known = read_plan(source), recorded_verdicts()
    choice = chosen(plan, engine, master)
    if choice.is_spark and ending != FORMATS[0]:
        raise ParameterError(
            f"--format = {ending} is not possible with spark: it writes folders of Parquet files"
        )
    books = books_of_plan(plan, ledger=ledger, second=head, without=without_ledger)
    if resume:
        from establish.proofs_check.commands.release.resume import complete

        complete(books, out / publish.RECORD, force)
        return
    _require_true(plan, known)
    with (
        complaints().status("reading the plan") as status,
        _answerer(plan, choice, two_jobs, memory, not no_fit, nonnegative, additive) as answerer,
    ):
        released = publish.release_plan(
            plan,
            answerer,
            out,
            ending=f".{ending}",
            seed=seed,
            force=force,
            books=books,
            sign=None if sign is None else signer(sign),
            verdicts=known,
            advance=lambda stage: status.update(stage),
        )
    _tell(plan, released, as_json)


def _require_true(plan: Plan, verdicts: Mapping[str, str]) -> None:
    """Raise CertificateError unless every claim that the plan's cost rests on is recorded as true."""
    from establish.impl.budget.accountant import cost
    from establish.impl.certificate import CertificateError
    from establish.proofs_check.certification.certify import true

    for claim in cost(plan).rests_on:
        found = verdicts.get(claim, "not recorded")
        if not true(found):
            raise CertificateError(f"the cost of plan {plan.title} rests on {claim}, which is {found}")


@contextmanager
def _answerer(
    plan: Plan,
    choice: EngineChoice,
    two_jobs: str,
    memory: str | None,
    fit: bool,
    nonnegative: bool,
    additive: str | None,
) -> Iterator[Answerer]:
    """What answers the plan; libraries that only one kind of plan needs are loaded for it alone."""
    from establish.impl.budget.sources import Establishments, JobTables

    of_jobs = {
        f"--two-jobs = {two_jobs}": two_jobs != REFUSE,
        f"--memory = {memory}": memory is not None,
        f"--additive = {additive}": additive is not None,
    }
    of_establishments = {"--no-fit": not fit, "--nonnegative": nonnegative}
    for kind, own, options in (
        (JobTables, "jobs", of_jobs),
        (Establishments, "establishments", of_establishments),
    ):
        for option, given in options.items():
            if given and not isinstance(plan.source, kind):
                raise ParameterError(f"{option} is about plans on {own}: leave it out")
    if nonnegative and not fit:
        raise ParameterError("--nonnegative is for the fitted cells that --no-fit leaves out: use one")
    if isinstance(plan.source, JobTables):
        from establish.impl.publish.jobs import JobAnswerer

        with opened(choice, memory=memory) as engine:
            yield JobAnswerer(plan, engine, two_jobs, additive=additive)
    elif isinstance(plan.source, Establishments):
        from establish.impl.publish.establishments import MicrodataAnswerer

        yield MicrodataAnswerer(plan, fit=fit, nonnegative=nonnegative)
    else:
        from establish.impl.publish.persons import EarningsAnswerer

        yield EarningsAnswerer(plan)


def _tell(plan: Plan, released: PlanRelease, as_json: bool) -> None:
    from establish.proofs_check.api.progress import complaints
    from establish.proofs_check.commands.cautions import cautions
    from establish.proofs_check.commands.release.told import budget, entry

    record = json.loads(released.record.read_text("utf-8"))
    replaced = [f"removed, of the release before: {path}" for path in released.superseded.removed]
    replaced += [
        f"left, of the release before, because it was changed: {path}" for path in released.superseded.left
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
