"""What a release of one table prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from establish.impl.publish.counts import Release
from establish.impl.publish.sidecar import Described
from establish.proofs_check.commands.cautions import cautions
from establish.proofs_check.engine import ledger


def verdicts() -> Mapping[str, str]:
    """The recorded verdict of every claim, for the record of a release."""
    return {claim: entry.verdict for claim, entry in ledger.recorded().items()}


def tell(released: Release, law: Described, as_json: bool, unit: str, notes: Sequence[str]) -> None:
    """Print the record, or in a few lines what was released, what it satisfies and where it is."""
    if as_json:
        print(released.sidecar.read_text("utf-8"), end="")
        return
    print(f"{released.rows} {unit} released by {law.name} ({law.calibration} calibration)")
    for guarantee in law.guarantees:
        print(f"satisfies: {guarantee.definition}, for {guarantee.applies_to}")
    print(f"scope: {law.guarantees[0].scope}")
    print(f"expected error: {law.expected_error['mean absolute error']}")
    print(f"written: {released.table}")
    print(f"written: {released.sidecar}")
    for note in (*notes, *cautions(released.record)):
        print(note)
