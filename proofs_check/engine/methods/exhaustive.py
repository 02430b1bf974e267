"""Every case of a stated finite universe."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from establish.proofs_check.engine.verdicts import Evidence, Grade

Case = TypeVar("Case")


def for_all(
    cases: Iterable[Case], predicate: Callable[[Case], bool], says: str, universe: str
) -> Evidence:
    """Evidence that the predicate is true in every case; the first false case is the witness.

    List the cases smallest first, so that the witness is minimal. An empty universe proves nothing.
    """
    count = 0
    for case in cases:
        count += 1
        if not predicate(case):
            return Evidence(says, False, Grade.EXHAUSTIVE, "exhaustive", repr(case), universe)
    scope = f"universe: {universe} ({count} cases)"
    return Evidence(says, True if count else None, Grade.EXHAUSTIVE, "exhaustive", "", scope)
