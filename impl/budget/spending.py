"""What a ledger holds: its definition and cap, and what each release spent."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from establish.spec.composition import (
    Approximate,
    Definition,
    Gaussian,
    Gedp,
    Loss,
    PerRecord,
    PerRecordConcentrated,
    counted,
    in_sequence,
    read_definition,
    read_loss,
)
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.budget.accountant import PlanCost
    from establish.impl.budget.plan import Plan

KIND = "establish budget ledger, version 2"
"""The first line of a ledger says what it is."""


@dataclass(frozen=True)
class Spending:
    """One release: what it is called, the plan's digest, and its loss under its definition.

    plan: of a single table, the digest of what was asked. release: a random identity, which the release's
    records repeat. seeded: whether its noise can be reproduced, so that it protects nothing whatever the
    loss says. dataset: the name of the data set whose budget is spent. output: where its record goes, for
    the ledger alone. signed_by: the fingerprint of the key that signs its record and its heads, if one does.
    Nothing here comes from confidential data.
    """

    title: str
    plan: str
    definition: Definition
    queries: Mapping[str, Loss]
    loss: Loss
    release: str = field(default_factory=lambda: secrets.token_hex(16))
    time: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    seeded: bool = False
    dataset: str = ""
    output: str = ""
    signed_by: str = ""

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
            "dataset": self.dataset,
            **({"signed_by": self.signed_by} if self.signed_by else {}),
        }

    def line(self) -> dict[str, object]:
        """For the ledger."""
        return {**self.record(), "output": self.output}


def spending_of(plan: Plan, cost: PlanCost, *, seeded: bool = False, output: str = "") -> Spending:
    """A release of ``plan``, with a new identity."""
    queries = {query.query: query.loss for query in cost.queries}
    return Spending(
        plan.title,
        plan.digest,
        plan.definition,
        queries,
        cost.total,
        seeded=seeded,
        dataset=plan.dataset,
        output=output,
    )


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
            str(fields["dataset"]),
            str(fields["output"]),
            str(fields.get("signed_by", "")),
        )
    except (KeyError, TypeError, AttributeError):
        raise ParameterError("it is not the entry of a release") from None


@dataclass(frozen=True)
class Account:
    """A ledger as it was read: the definition that its budget is kept for, its cap, its entries.

    cap: None while no release with a cap was entered. dataset: whose budget this is.
    """

    definition: Definition
    cap: Loss | None
    entries: tuple[Spending, ...] = ()
    dataset: str = ""

    @property
    def spent(self) -> Loss:
        """The loss of all entries together, under the ledger's definition."""
        losses = [counted(entry.loss, entry.definition, self.definition) for entry in self.entries]
        return in_sequence([self._nothing, *losses])

    @property
    def left(self) -> Loss | None:
        """What is left under the cap; None without one."""
        return None if self.cap is None else self.cap.left(self.spent)

    @property
    def _nothing(self) -> Loss:
        return nothing_under(self.definition)

    def after(self, entry: Spending) -> Loss:
        """The loss with one more entry. Raises ParameterError when it does not compose."""
        return self.spent.plus(counted(entry.loss, entry.definition, self.definition))

    def header(self) -> dict[str, object]:
        """The first line, for JSON."""
        cap = None if self.cap is None else self.cap.record()
        return {"ledger": KIND, "dataset": self.dataset, **self.definition.record(), "cap": cap}


def nothing_under(definition: Definition) -> Loss:
    """The loss of no release."""
    if isinstance(definition, PerRecordConcentrated):
        return PerRecord()
    return Gaussian.of(0) if isinstance(definition, Gedp) else Approximate(Fraction(0))


def read_account(header: Mapping[str, Any], entries: tuple[Spending, ...], later_cap: Loss | None) -> Account:
    """From the first line, and the cap that a later entry fixed where that line has none.

    Raises ParameterError when it is not that of a ledger.
    """
    if header.get("ledger") != KIND:
        raise ParameterError(f"its first line does not say {KIND!r}")
    cap, definition = header.get("cap"), read_definition(header)
    allowed = later_cap if cap is None else read_cap(cap, definition)
    return Account(definition, allowed, entries, str(header.get("dataset")))


def read_cap(cap: object, definition: Definition) -> Loss:
    """A ledger's cap. Raises ParameterError for what is none, or not under this definition."""
    if not isinstance(cap, dict):
        raise ParameterError(f"cap = {cap!r} is not a loss, which has epsilon and delta, mu_squared, or rho")
    found = read_loss(cap)
    if type(found) is not type(nothing_under(definition)):
        raise ParameterError(f"cap = ({found}) is not a loss under {definition.name}")
    return found
