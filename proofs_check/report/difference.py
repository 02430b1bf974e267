"""What another ledger records otherwise."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from establish.proofs_check.engine.ledger import Ledger, entry_of
from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.verdicts import NOT_RUN

Row = tuple[str, str, str, str]
"""The id, what kind of difference it is, what stands there, and what stands here."""


def differing(
    other: Ledger, records: Sequence[Record], compared: Collection[str], *, whole: bool
) -> list[Row]:
    """The records whose ids are in ``compared`` and that ``other`` has otherwise.

    whole: the records are all of the register, so that what ``other`` has besides is a difference, too. A
    claim that was not run is not compared.
    """
    found: list[Row] = []
    for record in records:
        if record.id not in compared or record.verdict == NOT_RUN:
            continue
        there, here = other.get(record.id), entry_of(record)
        if there is None:
            found.append((record.id, "only here", "", str(here)))
        elif there != here:
            found.append((record.id, _kind(there.verdict, here.verdict), str(there), str(here)))
    known = {record.id for record in records}
    if whole:
        found += [(id, "only there", str(other[id]), "") for id in other if id not in known]
    return found


def _kind(there: str, here: str) -> str:
    return "another verdict" if there != here else "another grade or value"
