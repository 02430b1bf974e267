"""Statements as objects: written once over ``establish.spec``, printed, searched and settled as they are.

Each is loaded when it is first used, so that a command that needs none starts at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from establish.proofs_check.engine.statements.cases import Every, EveryCase
    from establish.proofs_check.engine.statements.comparison import (
        AtMost,
        Below,
        Compares,
        Comparison,
        Equal,
    )
    from establish.proofs_check.engine.statements.domain import Condition, given
    from establish.proofs_check.engine.statements.implication import Implication, Implies
    from establish.proofs_check.engine.statements.moments import Moment
    from establish.proofs_check.engine.statements.printed import Printed
    from establish.proofs_check.engine.statements.privacy import Private, Satisfies
    from establish.proofs_check.engine.statements.statement import (
        Search,
        Statement,
        StatementError,
        Truth,
    )
    from establish.proofs_check.engine.statements.variables import Integer, Rational, Real

_HOMES = {
    "cases": "Every EveryCase",
    "comparison": "AtMost Below Compares Comparison Equal",
    "domain": "Condition given",
    "implication": "Implication Implies",
    "moments": "Moment",
    "printed": "Printed",
    "privacy": "Private Satisfies",
    "statement": "Search Statement StatementError Truth",
    "variables": "Integer Rational Real",
}
"""The module of this package in which each public name is defined."""

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "AtMost",
    "Below",
    "Compares",
    "Comparison",
    "Condition",
    "Equal",
    "Every",
    "EveryCase",
    "Implication",
    "Implies",
    "Integer",
    "Moment",
    "Printed",
    "Private",
    "Rational",
    "Real",
    "Satisfies",
    "Search",
    "Statement",
    "StatementError",
    "Truth",
    "given",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
