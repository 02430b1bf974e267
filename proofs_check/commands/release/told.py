"""What a release of one table prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from establish.proofs_check.api.progress import complaints
from establish.proofs_check.commands.cautions import cautions

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
