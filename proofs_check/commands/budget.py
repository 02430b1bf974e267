"""``establish budget``: what a release plan costs, and what a ledger says was spent."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from establish.proofs_check.commands.engines import EngineName, Master

if TYPE_CHECKING:
    from establish.impl.budget.plan import Plan
    from establish.proofs_check.api.budget import LedgerBudget, PlanBudget

_SAYS = {
    "interrupted": "its budget is spent and its outputs are ready: run the release again with --resume",
    "no output": "its budget is spent, but its record was moved or deleted",
}
"""What an entry without outputs means."""

HELP = """Show what a release plan costs, and how much of its cap is left.

\b
Examples:
  establish budget plan.toml
  establish budget plan.toml --json
  establish budget --ledger project.ledger
  establish budget plan.toml --engine spark --master spark://head:7077

\b
The command writes nothing. It reads confidential data only with --engine, which runs the checks that a
release of job tables starts with; it then reports only whether the tables pass, or what is wrong with them.

\b
The cost is exact. The command compares it with the plan's cap and with what the ledger says was spent. For
queries with weights, it prints each query's share μ of the joint budget. For each query it prints the
expected error by cell size, also relative to the size where that is defined. For counts it adds a bound on
how far this error is above the least error of any mechanism as cells grow. For a query that names no
mechanism or calibration, it shows which one a release would use, and why. Without a plan, it lists the
releases in a ledger.

\b
Exit status: 0 the plan is within its cap; 1 it exceeds the cap; 2 usage error, or the file is not a plan.
"""


def budget(
    plan: Annotated[Path | None, typer.Argument(metavar="[PLAN]", help="A release plan in TOML.")] = None,
    ledger: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The spending ledger, in place of the plan's.")
    ] = None,
    engine: EngineName = None,
    master: Master = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    from establish.proofs_check.api import budget as api
    from establish.proofs_check.api.progress import complaints

    found = api.budget(plan, ledger=ledger, engine=engine, master=master)
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False, indent=2))
    elif isinstance(found, api.PlanBudget):
        _tell_plan(found)
    else:
        _tell_account(found)
    if isinstance(found, api.PlanBudget) and not found.within:
        complaints().print(f"establish: {found.complaint}")
        raise typer.Exit(1)


def _tell_left(found: PlanBudget | LedgerBudget) -> None:
    from establish.proofs_check.api.budget import told_left
    from establish.proofs_check.commands.terminal import output

    for line in told_left(found.ledger, found.account):
        output().print(line, soft_wrap=True)


def _tell_joint(plan: Plan) -> None:
    from establish.proofs_check.api.budget import joint_shares
    from establish.proofs_check.commands.terminal import output, table_of

    found = joint_shares(plan)
    if found is None:
        return
    console = output()
    console.print(
        f"\nμ = {found['mu']} is shared by weight to minimize the weighted sum of {found['error']} errors, "
        f"in units of the noise at μ = 1 (for psi, on the scale of ψ; {found['claim']})",
        soft_wrap=True,
    )
    rows = (
        (share["query"], share["of"], share["weight"], f"{float(Fraction(share['mu'])):.6g}")
        for share in found["shares"]
    )
    console.print(table_of(("query", "of", "weight", "μ"), rows))


def _tell_plan(told: PlanBudget) -> None:
    from establish.proofs_check.commands.terminal import output, table_of
    from establish.spec.composition import RULES

    plan, found, console = told.plan, told.found, output()
    console.print(f"{plan.title}: {plan.definition}", soft_wrap=True)
    rows = ((query.query, str(query.each), str(query.times), str(query.loss)) for query in found.queries)
    table = table_of(("query", "one count or sum", "times", "cost"), rows)
    table.add_row("total", "", "", str(found.total), style="bold")
    console.print(table)
    _tell_left(told)
    _tell_joint(plan)
    _tell_errors(plan)
    console.print("\nWhy the costs add up this way")
    for name in found.rules:
        console.print(f"  {RULES[name].says}", soft_wrap=True)
        console.print(f"    {', '.join(RULES[name].rests_on)}", soft_wrap=True)


def _tell_errors(plan: Plan) -> None:
    from establish.proofs_check.api.expected import expected, tables
    from establish.proofs_check.api.progress import complaints
    from establish.proofs_check.commands.terminal import output, table_of

    with complaints().status("computing the least error of any mechanism"):
        rows = expected(plan)
    if not rows:
        return
    console = output()
    for title, (titles, *lines), note in tables(rows):
        console.print(f"\n{title}")
        console.print(table_of(titles, lines))
        if note:
            console.print(note, soft_wrap=True)
    for row in rows:
        for line in row["why"]:
            console.print(f"query {row['query']}: {line}", soft_wrap=True)


def _tell_account(found: LedgerBudget) -> None:
    from establish.proofs_check.commands.terminal import output, table_of

    console, account = output(), found.account
    console.print(f"{found.ledger.name}: data set {account.dataset}, {account.definition}", soft_wrap=True)
    rows = []
    for number, (entry, state) in enumerate(zip(account.entries, found.states, strict=True), start=1):
        title = f"{entry.title} (seeded: protects nothing)" if entry.seeded else entry.title
        rows.append((str(number), entry.time, entry.release, title, str(entry.loss), state))
    table = table_of(("number", "time", "release", "title", "cost", "state"), rows)
    table.columns[2].min_width = 32
    console.print(table)
    for entered, state in zip(found.entries, found.states, strict=True):
        if state != "published":
            console.print(f"entry {entered.number}: {_SAYS[state]}", soft_wrap=True)
    for line in found.left.told(removed=False):
        console.print(line, soft_wrap=True)
    _tell_left(found)
