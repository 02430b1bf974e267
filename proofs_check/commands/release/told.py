"""What releases print: those of a table, and what all of them have to say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.impl.publish.sidecar import FROM_ENTROPY
from establish.proofs_check.api.progress import complaints

if TYPE_CHECKING:
    from establish.impl.budget.books import Books
    from establish.impl.budget.ledger import Receipt
    from establish.proofs_check.api.released import Released


def entry(receipt: Receipt | None, books: Books) -> str:
    """Where a release was entered."""
    return "not in a ledger" if receipt is None else f"entry {receipt.number} of {books.ledger}"


def budget(receipt: Receipt | None, books: Books) -> list[str]:
    """What the data set has spent now, a line, if anybody adds it up."""
    if receipt is None:
        return []
    account = receipt.account
    left = "No cap is set" if account.left is None else f"({account.left}) is left"
    spent = f"spent ({account.spent}) of data set {books.dataset} under {account.definition.name}"
    return [f"budget: {spent} ({entry(receipt, books)}). {left}."]


def cautions(record: Mapping[str, Any]) -> list[str]:
    """What whoever releases must see, and not only find in the record: noise that protects nobody as stated.

    None for a release that may be published.
    """
    stamps = record["certificates"].items()
    lines = [f"CAUTION: {name}: {s['status']}" for name, s in stamps if s["status"] != "current"]
    if record["seed"] != FROM_ENTROPY:
        lines.append(f"CAUTION: the noise is {record['seed']}: do not publish this")
    if not isinstance(record["ledger"], Mapping):
        lines.append(f"CAUTION: ledger: {record['ledger']}")
    return lines


def complete(books: Books, record: Path, force: bool) -> None:
    """Complete a release that was interrupted after its entry, whichever command made it, and say which entry
    it is. Raises ParameterError when nothing waits.
    """
    from establish.impl.publish.resumed import resume

    resumed = resume(books, record, force=force)
    entry = resumed.entry
    print(f"completed entry {entry.number} of {books.ledger} with the noise already drawn")
    print(f"written: {record}")
    for line in resumed.left.told(removed=True):
        print(f"note: {line}")


def tell(result: Released, as_json: bool, unit: str) -> None:
    """Print the record, or in a few lines what was released, what it satisfies and where it is."""
    released, law = result.written, result.mechanism
    if as_json:
        print(released.sidecar.read_text("utf-8"), end="")
        for line in released.told:
            complaints().print(f"note: {line}")
        return
    print(f"{released.rows} {unit} released by {law.name} ({law.calibration} calibration)")
    satisfied, errors = released.record["satisfies"], released.record["expected_error"]
    assert isinstance(satisfied, list)
    assert isinstance(errors, Mapping)
    for guarantee in satisfied:
        print(f"satisfies: {guarantee['definition']}, for {guarantee['applies_to']}")
    print(f"scope: {satisfied[0]['scope']}" if satisfied else "satisfies: no definition that is proved")
    print(f"expected error: {errors['mean absolute error']}")
    print(f"written: {released.table}")
    print(f"written: {released.sidecar}")
    for line in budget(released.receipt, released.books):
        print(line)
    told = [f"note: {line}" for line in released.told]
    for note in (*told, *result.notes, *cautions(released.record)):
        print(note)
