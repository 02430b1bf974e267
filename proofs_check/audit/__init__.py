"""Is a mechanism private, and if not, which two datasets show it?

The names are loaded when they are first used, so that the pytest plugin costs a run without audits nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from establish.proofs_check.audit.ask import audit
    from establish.proofs_check.audit.question.custom import custom
    from establish.proofs_check.audit.question.definitions import (
        AuditDefinition,
        dp,
        edge,
        gedp,
        node,
        strong_er_ee,
        weak_er_ee,
    )
    from establish.proofs_check.audit.question.mechanism import AuditError
    from establish.proofs_check.audit.question.result import AuditOutcome, AuditResult

__all__ = [
    "AuditDefinition",
    "AuditError",
    "AuditOutcome",
    "AuditResult",
    "audit",
    "custom",
    "dp",
    "edge",
    "gedp",
    "node",
    "strong_er_ee",
    "weak_er_ee",
]

_HOMES = {
    "ask": "audit",
    "question.custom": "custom",
    "question.definitions": "AuditDefinition dp edge gedp node strong_er_ee weak_er_ee",
    "question.mechanism": "AuditError",
    "question.result": "AuditOutcome AuditResult",
}
"""The module, below this one, in which each name is defined."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
