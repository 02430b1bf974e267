"""What a process does that settles claims for the runner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from establish.proofs_check.engine.register import Claim, claims, claims_of_file
from establish.proofs_check.engine.settlement import Settlement, settle_claim

_known: dict[str, Claim] = {}
"""Every claim that this process may be asked to settle."""


def load(files: tuple[Path, ...]) -> None:
    """Register the claims of the sources and of the reviewer's ``files``."""
    _known.update(claims())
    for file in files:
        _known.update(claims_of_file(file))


def settle_ids(ids: Sequence[str], effort: int) -> list[Settlement]:
    """How the claims ``ids`` come out, in their order; what their checks share is computed once."""
    return [settle_claim(_known[id], effort) for id in ids]
