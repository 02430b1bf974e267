"""``establish budget``: what a release plan costs, and what a ledger says was spent."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from establish.proofs_check.api.asked import require_there
from establish.proofs_check.commands.engines import EngineName, Master, chosen, opened
from establish.proofs_check.commands.expected import expected, tables
from establish.proofs_check.engine import ledger as verdicts
from establish.proofs_check.engine.misuse import Misuse

if TYPE_CHECKING:
    from establish.impl.budget import Account, Entry, Plan, PlanCost
    from establish.spec.composition import Loss

_SAYS = {
    "interrupted": "it is spent and its outputs wait: repeat the release with --resume",
    "no output": "it is spent and its record is not where it went: moved, or lost for good",
}
"""What an entry without outputs means."""

HELP = """Tell what a release plan costs under what is proved, and what is left under its cap.

\b
Examples:
  establish budget plan.toml
  establish budget plan.toml --json
  establish budget --ledger project.ledger
  establish budget plan.toml --engine spark --master spark://head:7077

\b
The command writes nothing. It reads no confidential data, unless --engine asks for the checks with which
a release of job tables begins; it then tells only whether the tables pass, or what is wrong with them.
The cost is exact, and is compared with the cap of the plan and with what its ledger says was spent.
Where queries give weights, the command prints the μ that each gets of the joint budget.
For each query the command prints the expected error by size of cell; for counts it also prints a bound on
how far this is above the least error that any mechanism can have as cells grow. Where the
number has the size that is told, the error is printed as a share of it, too. For a query that does not name
its mechanism and calibration, the command says which ones a release takes, and why. Without a plan, it lists
the releases in a ledger.
It ends with 0 when the plan is within its cap, with 1 when it is not, with 2 when the file is not a plan.
"""


def budget(
    plan: Annotated[Path | None, typer.Argument(metavar="[PLAN]", help="A release plan in TOML.")] = None,
    ledger: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The ledger of releases, in place of the plan's.")
    ] = None,
    engine: EngineName = None,
    master: Master = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    if plan is not None:
        require_there("PLAN", plan)
        if engine or master:
            _require_answerable(plan, engine, master)
        _plan(plan, ledger, as_json)
    elif engine or master:
        raise Misuse("--engine and --master check the tables of a plan: name the PLAN, too")
    elif ledger is not None:
        from establish.impl.budget import entries_of, read_ledger

        account = read_ledger(ledger)
        if account is None:
            raise Misuse(f"--ledger = {ledger}: there is no ledger")
        _tell_account(ledger, account, entries_of(ledger), as_json)
    else:
        raise Misuse("PLAN or --ledger is missing: establish budget --help shows examples")


def _require_answerable(path: Path, engine: str | None, master: str | None) -> None:
    """Check the tables of the plan on an engine. Raises ParameterError."""
    from establish.impl.budget import read_plan
    from establish.impl.publish.jobs import JobAnswerer
    from establish.proofs_check.api.progress import complaints

    plan = read_plan(path)
    choice = chosen(plan, engine, master)
    with complaints().status("opening the tables") as status, opened(choice) as running:
        JobAnswerer(plan, running).require_answerable(status.update)
    complaints().print(f"checked on {choice.name}: the tables of {path.name} can be released")


def _plan(path: Path, other: Path | None, as_json: bool) -> None:
    from establish.impl.budget import (
        Account,
        OverCap,
        books_of_plan,
        cost,
        read_ledger,
        read_plan,
        require_within,
        spending_of,
    )

    plan = read_plan(path)
    ledger = other or plan.ledger
    found = cost(plan)
    account = read_ledger(ledger)
    complaint = ""
    try:
        require_within(plan, found)
        books = books_of_plan(plan, ledger=other)
        books.require_left(spending_of(plan, found), plan.cap, path.parent)
    except OverCap as error:
        complaint = str(error)
    known = account or Account(plan.definition, plan.cap, (), plan.dataset)
    if as_json:
        _print_json(_record(plan, found, ledger, known, not complaint))
    else:
        _tell_plan(plan, found, ledger, known)
    if complaint:
        from establish.proofs_check.api.progress import complaints

        complaints().print(f"establish: {complaint}")
        raise typer.Exit(1)


def _record(plan: Plan, found: PlanCost, ledger: Path, account: Account, within: bool) -> dict[str, object]:
    recorded = verdicts.recorded()
    return {
        "title": plan.title,
        "plan_sha256": plan.digest,
        **plan.definition.record(),
        "queries": [
            {
                "query": query.query,
                "each": _loss(query.each),
                "times": query.times,
                "cost": _loss(query.loss),
                "rules": query.rules,
            }
            for query in found.queries
        ],
        "total": _loss(found.total),
        "ledger": ledger.name,
        "cap": _loss(account.cap),
        "spent": _loss(account.spent),
        "left_before": _loss(account.left),
        "within_cap": within,
        "expected_errors": expected(plan),
        "joint": _joint(plan),
        "rests_on": [
            {"claim": claim, "verdict": recorded[claim].verdict if claim in recorded else "not recorded"}
            for claim in found.rests_on
        ],
    }


def _joint(plan: Plan) -> dict[str, Any] | None:
    """What queries with weights get of the μ that they share; None where the plan has no such μ."""
    from establish.impl.budget import SumQuery

    if plan.joint is None:
        return None
    return {
        "mu": str(plan.joint.mu),
        "error": plan.joint.error,
        "claim": f"establish/joint-budget-{plan.joint.error}",
        "shares": [
            {"query": query.name, "of": name, "weight": str(weight), "mu": str(query.mu[name])}
            for query in plan.queries
            if isinstance(query, SumQuery)
            for name, weight in query.weights.items()
        ],
    }


def _tell_joint(plan: Plan) -> None:
    from rich.text import Text

    from establish.proofs_check.commands.terminal import output, plain_table

    found = _joint(plan)
    if found is None:
        return
    console = output()
    console.print(
        f"\nμ = {found['mu']} shared by weights, for the least weighted sum of {found['error']} errors in "
        f"units of the noise at μ = 1, for psi on the scale of ψ ({found['claim']})",
        soft_wrap=True,
    )
    table = plain_table()
    for title in ("query", "of", "weight", "μ"):
        table.add_column(title, no_wrap=True)
    for share in found["shares"]:
        mu = f"{float(Fraction(share['mu'])):.6g}"
        table.add_row(*map(Text, (share["query"], share["of"], share["weight"], mu)))
    console.print(table)


def _tell_plan(plan: Plan, found: PlanCost, ledger: Path, account: Account) -> None:
    from rich.text import Text

    from establish.proofs_check.commands.terminal import output, plain_table
    from establish.spec.composition import RULES

    console = output()
    console.print(f"{plan.title}: {plan.definition}", soft_wrap=True)
    table = plain_table()
    for title in ("query", "one count or sum", "times", "cost"):
        table.add_column(title, no_wrap=True)
    for query in found.queries:
        table.add_row(*map(Text, (query.query, str(query.each), str(query.times), str(query.loss))))
    table.add_row(*map(Text, ("all together", "", "", str(found.total))), style="bold")
    console.print(table)
    _tell_left(ledger, account)
    _tell_joint(plan)
    _tell_errors(plan)
    console.print("\nBecause")
    for name in found.rules:
        console.print(f"  {RULES[name].says}", soft_wrap=True)
        console.print(f"    {', '.join(RULES[name].rests_on)}", soft_wrap=True)


def _tell_errors(plan: Plan) -> None:
    from rich.text import Text

    from establish.proofs_check.api.progress import complaints
    from establish.proofs_check.commands.terminal import output, plain_table

    with complaints().status("enclosing what no mechanism can beat"):
        rows = expected(plan)
    if not rows:
        return
    console = output()
    for title, (titles, *lines), note in tables(rows):
        table = plain_table()
        for head in titles:
            table.add_column(head, no_wrap=True)
        for line in lines:
            table.add_row(*map(Text, line))
        console.print(f"\n{title}")
        console.print(table)
        if note:
            console.print(note, soft_wrap=True)
    for row in rows:
        for line in row["why"]:
            console.print(f"query {row['query']}: {line}", soft_wrap=True)


def _tell_left(ledger: Path, account: Account) -> None:
    from establish.proofs_check.commands.terminal import output

    console = output()
    rows: Iterable[tuple[str, Loss | None]] = (
        ("cap", account.cap),
        (f"spent in {ledger.name}", account.spent),
        ("left", account.left),
    )
    for title, loss in rows:
        console.print(f"{title}: {'no cap' if loss is None else loss}", soft_wrap=True)


def _tell_account(path: Path, account: Account, found: list[Entry], as_json: bool) -> None:
    from establish.impl.publish.leftovers import look
    from establish.impl.publish.resumed import state_of

    states = [state_of(entry, path) for entry in found]
    folders = [path.resolve().parent, *(Path(entry.spending.output).parent for entry in found)]
    left = look(dict.fromkeys(folders), path, remove=False)
    if as_json:
        entries = [
            {**entry.spending.record(), "head": entry.checksum, "state": state}
            for entry, state in zip(found, states, strict=True)
        ]
        sums = {"spent": _loss(account.spent), "left": _loss(account.left)}
        unpaid = [str(drafts) for drafts in left.unpaid]
        _print_json({**account.header(), **sums, "entries": entries, "unpaid_drafts": unpaid})
        return
    from rich.text import Text

    from establish.proofs_check.commands.terminal import output, plain_table

    console = output()
    console.print(f"{path.name}: data set {account.dataset}, {account.definition}", soft_wrap=True)
    table = plain_table()
    for title in ("number", "time", "release", "title", "cost", "state"):
        table.add_column(title, no_wrap=True, min_width=32 if title == "release" else None)
    for number, (entry, state) in enumerate(zip(account.entries, states, strict=True), start=1):
        title = f"{entry.title} (seeded: protects nothing)" if entry.seeded else entry.title
        cells = (str(number), entry.time, entry.release, title, str(entry.loss), state)
        table.add_row(*map(Text, cells))
    console.print(table)
    for entered, state in zip(found, states, strict=True):
        if state != "published":
            console.print(f"entry {entered.number}: {_SAYS[state]}", soft_wrap=True)
    for line in left.told(removed=False):
        console.print(line, soft_wrap=True)
    _tell_left(path, account)


def _loss(loss: Loss | None) -> dict[str, str] | None:
    return None if loss is None else {**loss.record(), "text": str(loss)}


def _print_json(record: dict[str, object]) -> None:
    print(json.dumps(record, ensure_ascii=False, indent=2))
