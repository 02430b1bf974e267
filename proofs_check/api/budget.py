"""What a release plan costs, and what a ledger says was spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.proofs_check.api.asked import require_there
from establish.proofs_check.api.engines import chosen, opened
from establish.proofs_check.api.expected import expected
from establish.proofs_check.api.progress import complaints
from establish.proofs_check.api.python import FilePath, optional_path
from establish.proofs_check.api.told import Shown
from establish.proofs_check.engine import ledger as verdicts
from establish.proofs_check.engine.misuse import Misuse

if TYPE_CHECKING:
    from establish.impl.budget.accountant import PlanCost
    from establish.impl.budget.ledger import Entry
    from establish.impl.budget.plan import Plan
    from establish.impl.budget.spending import Account
    from establish.impl.publish.leftovers import Leftovers
    from establish.spec.composition import Loss


@dataclass(frozen=True, repr=False)
class PlanBudget(Shown):
    """What a plan costs and what is left of its cap.

    found: the cost, with what it rests on. ledger, account: what was spent before. complaint: why the plan
    is not within its cap; empty where it is.
    """

    plan: Plan
    found: PlanCost
    ledger: Path
    account: Account
    complaint: str

    @property
    def within(self) -> bool:
        """Whether the plan is within its cap."""
        return not self.complaint

    def to_json(self) -> dict[str, object]:
        """As ``establish budget PLAN --json`` prints it, with the expected errors of every query."""
        return _record(self.plan, self.found, self.ledger, self.account, self.within)

    def _left(self) -> Iterator[str]:
        yield f"PlanBudget: {self.plan.title}: {self.plan.definition}"
        yield f"cost: {self.found.total} for {len(self.found.queries)} queries"
        yield from told_left(self.ledger, self.account)
        if self.complaint:
            yield self.complaint

    def __repr__(self) -> str:
        *first, last = self._left()
        return "\n".join([*first[:4], last])


@dataclass(frozen=True, repr=False)
class LedgerBudget(Shown):
    """What a ledger says. entries, states: its releases, and whether each is published, or waits.

    left: drafts of releases that were killed.
    """

    ledger: Path
    account: Account
    entries: Sequence[Entry]
    states: Sequence[str]
    left: Leftovers

    def to_json(self) -> dict[str, object]:
        """As ``establish budget --ledger FILE --json`` prints it."""
        entries = [
            {**entry.spending.record(), "head": entry.checksum, "state": state}
            for entry, state in zip(self.entries, self.states, strict=True)
        ]
        sums = {"spent": loss_record(self.account.spent), "left": loss_record(self.account.left)}
        unpaid = [str(drafts) for drafts in self.left.unpaid]
        return {**self.account.header(), **sums, "entries": entries, "unpaid_drafts": unpaid}

    def __repr__(self) -> str:
        head = f"LedgerBudget: data set {self.account.dataset}, {self.account.definition}"
        releases = f"{len(self.entries)} releases in {self.ledger.name}"
        return "\n".join([head, releases, *told_left(self.ledger, self.account)])


def budget(
    plan: FilePath | None = None,
    *,
    ledger: FilePath | None = None,
    engine: str | None = None,
    master: str | None = None,
) -> PlanBudget | LedgerBudget:
    """What a plan costs under what is proved; without a plan, what a ledger says was spent.

    plan: a file in TOML. ledger: in place of the plan's. engine, master: check on an engine that the tables
    of a plan on jobs can be released. Reads no confidential data but for that, and writes nothing. Raises
    ParameterError, and Misuse where both are missing.
    """
    source, own = optional_path("PLAN", plan), optional_path("--ledger", ledger)
    if source is not None:
        require_there("PLAN", source)
        if engine or master:
            _require_answerable(source, engine, master)
        return _of_plan(source, own)
    if engine or master:
        raise Misuse("--engine and --master check the tables of a plan: name the PLAN, too")
    if own is not None:
        return _of_ledger(own)
    raise Misuse("PLAN or --ledger is missing: establish budget --help shows examples")


def _of_plan(path: Path, other: Path | None) -> PlanBudget:
    from establish.impl.budget.accountant import cost, require_within
    from establish.impl.budget.books import books_of_plan
    from establish.impl.budget.caps import OverCap
    from establish.impl.budget.ledger import read_ledger
    from establish.impl.budget.plan import read_plan
    from establish.impl.budget.spending import Account, spending_of

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
    return PlanBudget(plan, found, ledger, known, complaint)


def _of_ledger(path: Path) -> LedgerBudget:
    from establish.impl.budget.ledger import entries_of, read_ledger
    from establish.impl.publish.leftovers import look
    from establish.impl.publish.resumed import state_of

    account = read_ledger(path)
    if account is None:
        raise Misuse(f"--ledger = {path}: there is no ledger")
    found = entries_of(path)
    states = [state_of(entry, path) for entry in found]
    folders = [path.resolve().parent, *(Path(entry.spending.output).parent for entry in found)]
    left = look(dict.fromkeys(folders), path, remove=False)
    return LedgerBudget(path, account, found, states, left)


def _require_answerable(path: Path, engine: str | None, master: str | None) -> None:
    """Check the tables of the plan on an engine. Raises ParameterError."""
    from establish.impl.budget.plan import read_plan
    from establish.impl.publish.jobs import JobAnswerer

    plan = read_plan(path)
    choice = chosen(plan, engine, master)
    with complaints().status("opening the tables") as status, opened(choice) as running:
        JobAnswerer(plan, running).require_answerable(status.update)
    complaints().print(f"checked on {choice.name}: the tables of {path.name} can be released")


def _record(plan: Plan, found: PlanCost, ledger: Path, account: Account, within: bool) -> dict[str, object]:
    recorded = verdicts.recorded()
    return {
        "title": plan.title,
        "plan_sha256": plan.digest,
        **plan.definition.record(),
        "queries": [
            {
                "query": query.query,
                "each": loss_record(query.each),
                "times": query.times,
                "cost": loss_record(query.loss),
                "rules": query.rules,
            }
            for query in found.queries
        ],
        "total": loss_record(found.total),
        "ledger": ledger.name,
        "cap": loss_record(account.cap),
        "spent": loss_record(account.spent),
        "left_before": loss_record(account.left),
        "within_cap": within,
        "expected_errors": expected(plan),
        "joint": joint_shares(plan),
        "rests_on": [
            {"claim": claim, "verdict": recorded[claim].verdict if claim in recorded else "not recorded"}
            for claim in found.rests_on
        ],
    }


def joint_shares(plan: Plan) -> dict[str, Any] | None:
    """What queries with weights get of the μ that they share; None where the plan has no such μ."""
    from establish.impl.budget.queries import SumQuery

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


def told_left(ledger: Path, account: Account) -> Iterator[str]:
    """The cap, what was spent of it, and what is left."""
    rows: tuple[tuple[str, Loss | None], ...] = (
        ("cap", account.cap),
        (f"spent in {ledger.name}", account.spent),
        ("left", account.left),
    )
    for title, loss in rows:
        yield f"{title}: {'no cap' if loss is None else loss}"


def loss_record(loss: Loss | None) -> dict[str, object] | None:
    """A loss as JSON has it."""
    return None if loss is None else {**dict[str, object](loss.record()), "text": str(loss)}
