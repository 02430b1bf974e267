"""What a ledger holds: its definition and cap, and what each release spent."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from establish.impl.budget.accountant import PlanCost
from establish.impl.budget.plan import Plan
from establish.spec.composition import (
    Definition,
    Loss,
    counted,
    in_sequence,
    read_definition,
    read_loss,
)
from establish.spec.parameters import ParameterError

KIND = "establish budget ledger, version 1"
"""The first line of a ledger says what it is."""


@dataclass(frozen=True)
class Spending:
    """One release: what it is called, the plan's digest, and its loss under its definition.

    release: a random identity, which the release's records repeat. seeded: whether its noise can be
    reproduced, so that it protects nothing whatever the loss says. Nothing here comes from confidential
    data.
    """

    title: str
    plan: str
    definition: Definition
    queries: Mapping[str, Loss]
    loss: Loss
    release: str = field(default_factory=lambda: secrets.token_hex(16))
    time: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    seeded: bool = False

    def record(self) -> dict[str, object]:
        """For JSON."""
        return {
            "release": self.release,
            "time": self.time,
            "title": self.title,
            "plan": self.plan,
            **self.definition.record(),
            "queries": {name: loss.record() for name, loss in self.queries.items()},
            "loss": self.loss.record(),
            "seeded": self.seeded,
        }


def spending_of(plan: Plan, cost: PlanCost, *, seeded: bool = False) -> Spending:
    """A release of ``plan``, with a new identity."""
    queries = {query.query: query.loss for query in cost.queries}
    return Spending(plan.title, plan.digest, plan.definition, queries, cost.total, seeded=seeded)


def read_spending(fields: Mapping[str, Any]) -> Spending:
    """From what :meth:`Spending.record` wrote. Raises ParameterError for anything else."""
    try:
        return Spending(
            str(fields["title"]),
            str(fields["plan"]),
            read_definition(fields),
            {str(name): read_loss(loss) for name, loss in fields["queries"].items()},
            read_loss(fields["loss"]),
            str(fields["release"]),
            str(fields["time"]),
            fields["seeded"] is True,
        )
    except (KeyError, TypeError, AttributeError):
        raise ParameterError("it is not the entry of a release") from None


@dataclass(frozen=True)
class Account:
    """A ledger as it was read: the definition that its budget is kept for, its cap, its entries."""

    definition: Definition
    cap: Loss
    entries: tuple[Spending, ...] = ()

    @property
    def spent(self) -> Loss:
        """The loss of all entries together, under the ledger's definition."""
        losses = [counted(entry.loss, entry.definition, self.definition) for entry in self.entries]
        return in_sequence([self.cap.times(0), *losses])

    @property
    def left(self) -> Loss:
        """What is left under the cap."""
        return self.cap.left(self.spent)

    def after(self, entry: Spending) -> Loss:
        """The loss with one more entry. Raises ParameterError when it does not compose."""
        return self.spent.plus(counted(entry.loss, entry.definition, self.definition))

    def header(self) -> dict[str, object]:
        """The first line, for JSON."""
        return {"ledger": KIND, **self.definition.record(), "cap": self.cap.record()}


def read_account(header: Mapping[str, Any], entries: tuple[Spending, ...]) -> Account:
    """From the first line. Raises ParameterError when it is not that of a ledger."""
    if header.get("ledger") != KIND or not isinstance(header.get("cap"), dict):
        raise ParameterError(f"its first line does not say {KIND!r}")
    return Account(read_definition(header), read_loss(header["cap"]), entries)
