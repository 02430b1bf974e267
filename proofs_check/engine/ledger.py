"""The ledger: how every claim of the sources is known to come out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from establish.proofs_check.engine.tables import rows_of, text_of
from establish.proofs_check.engine.verdicts import NOT_RUN, Outcome

if TYPE_CHECKING:
    from establish.proofs_check.engine.records import Record

COLUMNS = ("id", "verdict", "evidence", "value", "value_evidence", "condition_evidence", "origin")
"""The header of the ledger's file."""


class LedgerError(Exception):
    """The ledger's file is not a ledger, or is not where it is looked for."""


@dataclass(frozen=True)
class Entry:
    """One line: the recorded verdict, its value, their grades and its condition's, as they are printed."""

    id: str
    verdict: str
    evidence: str
    value: str
    value_evidence: str = ""
    condition_evidence: str = ""
    origin: str = "printed"

    def __str__(self) -> str:
        words = [f"{self.verdict} ({self.evidence})" if self.evidence else self.verdict]
        if self.value:
            graded = f" ({self.value_evidence})" if self.value_evidence else ""
            words.append(f"value {self.value}{graded}")
        if self.condition_evidence:
            words.append(f"condition ({self.condition_evidence})")
        return ", ".join([*words, *([self.origin] if self.origin != "printed" else [])])


Ledger = Mapping[str, Entry]


@cache
def parse(text: str) -> Ledger:
    """The ledger in ``text``. Raises LedgerError for a wrong header, line or repeated id."""
    entries: dict[str, Entry] = {}
    start = "the ledger must start with the columns"
    for _, row in rows_of(text, COLUMNS, LedgerError, start, "ledger row {} has"):
        if row[0] in entries:
            raise LedgerError(f"the ledger records {row[0]} twice")
        entries[row[0]] = Entry(*row)
    return MappingProxyType(entries)


def write(ledger: Ledger) -> str:
    """The text from which `parse` reads ``ledger``, in its order."""
    return text_of(COLUMNS, map(astuple, ledger.values()))


def recorded() -> Ledger:
    """The ledger that this installation carries."""
    return parse(files("establish.proofs_check").joinpath("ledger.csv").read_text("utf-8"))


def entry_of(record: Record) -> Entry:
    """The line that would record how ``record`` came out."""
    return Entry(**{column: getattr(record, column) for column in COLUMNS})


def compare(record: Record, ledger: Ledger) -> str | None:
    """None when ``record`` is as the ledger says, or was not run; otherwise the difference in words."""
    if record.verdict == NOT_RUN:
        return None
    known = ledger.get(record.id)
    came_out = entry_of(record)
    if known == came_out:
        return None
    reason = f": {record.condition}" if record.verdict == Outcome.UNSETTLED else ""
    before = "not recorded" if known is None else f"recorded: {known}"
    return f"{before}; came out: {came_out}{reason}"


def unregistered(ledger: Ledger, registered: Iterable[str]) -> dict[str, str]:
    """The difference in words for every line of ``ledger`` whose claim is not registered."""
    return {
        id: f"recorded: {ledger[id]}; no claim of this id is registered"
        for id in sorted(set(ledger) - set(registered))
    }


def rewritten(ledger: Ledger, records: Iterable[Record], registered: Iterable[str]) -> Ledger:
    """``ledger`` with the outcomes of ``records``, for the ``registered`` ids only, in their order.

    An unsettled record is left out: nothing was settled that could be recorded. The line of one that was
    not run stays.
    """
    new = {record.id: entry_of(record) for record in records if record.verdict != NOT_RUN}
    lines = {id: new.get(id, ledger.get(id)) for id in registered}
    return {id: line for id, line in lines.items() if line is not None and line.verdict != Outcome.UNSETTLED}


def of_checkout(folder: Path) -> Path:
    """The ledger's file in the checkout ``folder``. Raises LedgerError when it is none."""
    file = folder / "proofs_check" / "ledger.csv"
    if not file.is_file():
        raise LedgerError(f"{folder} is not a checkout of establish: it has no {file.name}")
    return file
