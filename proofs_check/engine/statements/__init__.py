"""Statements as objects: written once over ``establish.spec``, printed, searched and settled as they are."""

from __future__ import annotations

from establish.proofs_check.engine.statements.additive import Additive, AddsNoise, TotalError
from establish.proofs_check.engine.statements.cases import Every, EveryCase
from establish.proofs_check.engine.statements.comparison import (
    AtMost,
    Below,
    Compares,
    Comparison,
    Equal,
)
from establish.proofs_check.engine.statements.divergence import Divergence, Diverges
from establish.proofs_check.engine.statements.domain import Condition, given
from establish.proofs_check.engine.statements.indistinguishable import (
    Indistinguishability,
    Indistinguishable,
)
from establish.proofs_check.engine.statements.moments import Moment
from establish.proofs_check.engine.statements.of_order import Bounded, OfOrder
from establish.proofs_check.engine.statements.printed import Printed
from establish.proofs_check.engine.statements.privacy import Private, Satisfies
from establish.proofs_check.engine.statements.statement import (
    Search,
    Statement,
    StatementError,
    Truth,
)
from establish.proofs_check.engine.statements.variables import Integer, Rational, Real

__all__ = [
    "Additive",
    "AddsNoise",
    "AtMost",
    "Below",
    "Bounded",
    "Compares",
    "Comparison",
    "Condition",
    "Divergence",
    "Diverges",
    "Equal",
    "Every",
    "EveryCase",
    "Indistinguishability",
    "Indistinguishable",
    "Integer",
    "Moment",
    "OfOrder",
    "Printed",
    "Private",
    "Rational",
    "Real",
    "Satisfies",
    "Search",
    "Statement",
    "StatementError",
    "TotalError",
    "Truth",
    "given",
]
