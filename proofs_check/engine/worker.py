"""What a process does that settles claims for the runner."""

from collections.abc import Sequence
from pathlib import Path

from establish.proofs_check.engine.register import Claim, claims, claims_of_file
from establish.proofs_check.engine.settlement import Settlement, settle_claim

_own: dict[str, Claim] = {}
"""The claims of the reviewer's files."""


def load(files: tuple[Path, ...]) -> None:
    """Register the claims of the reviewer's ``files``."""
    for file in files:
        _own.update(claims_of_file(file))


def settle_ids(ids: Sequence[str], effort: int) -> list[Settlement]:
    """How the claims ``ids`` come out, in their order; what their checks share is computed once.

    The papers are imported where one of the claims is theirs.
    """
    known = _own if _own.keys() >= set(ids) else {**claims(), **_own}
    return [settle_claim(known[id], effort) for id in ids]
