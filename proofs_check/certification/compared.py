"""What runs beside what it should be: the same, or numbers that agree to 9 digits."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.verdicts import Evidence

Triple = tuple[str, Any, Any]
"""What is compared, what was found, and what it should be."""


def close(found: Any, meant: Any, slack: float = 0.0) -> bool:
    """Equality, of floats to 9 digits but for ``slack``, one by one in lists."""
    if isinstance(found, list | tuple) and isinstance(meant, list | tuple):
        pairs = zip(found, meant, strict=False)
        return len(found) == len(meant) and all(close(a, b, slack) for a, b in pairs)
    if isinstance(found, float) and meant is not None:
        return bool(found == meant or abs(found - meant) <= abs(meant) * 1e-9 + slack)
    return bool(found == meant)


def agree(
    triples: Iterable[Triple], says: str, scope: str, same: Callable[[Any, Any], bool] = operator.eq
) -> Evidence:
    """Evidence that everything found is as it should be."""
    return exhaustive.for_all(triples, lambda triple: bool(same(*triple[1:])), says, scope)
