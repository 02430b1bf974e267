"""What an audit found, in plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.verdicts import Grade

Dataset = Any
"""What the audited mechanism reads: an integer count, or a tuple (see the definitions)."""

Pair = tuple[Dataset, Dataset]
"""Two neighbors."""

Interval = tuple[float, float]
"""Lower and upper bound of a probability."""


class AuditOutcome(StrEnum):
    """What an audit can say of a mechanism and a definition."""

    CERTIFIED = "certified"
    """White box only: no neighbors in the universe break the definition."""
    VIOLATED = "violated"
    """``pair`` and ``event`` break the definition."""
    NO_VIOLATION_FOUND = "no_violation_found"
    """The search found nothing; ``power`` says what it would have found."""


@dataclass(frozen=True)
class AuditResult:
    """The answer to one audit.

    definition, universe: what was asked, and among which datasets, in words.
    pair, event: the witness; Pr[M(pair[0]) ∈ event] is too large beside Pr[M(pair[1]) ∈ event].
    probabilities: bounds of these two probabilities, in the order of ``pair``.
    epsilon_lower_bound: the least ε (given δ), or for GEDP the least μ, that is consistent with what was
    found; a decimal string where a float would not be exact enough.
    confidence: the probability, before the audit, that no statement in this result is wrong; 1 for a
    white box. power: the smallest ε or μ of a violation that would have been found with probability
    0.99; None where this has no meaning. evidence: the grade. seconds: of computation.
    notes: what else the user should know, one sentence each.
    """

    outcome: AuditOutcome
    definition: str
    universe: str
    pair: Pair | None
    event: str
    probabilities: tuple[Interval, Interval] | None
    epsilon_lower_bound: float | str
    confidence: float
    samples: int
    power: float | None
    evidence: Grade
    seconds: float
    notes: tuple[str, ...] = field(default=())

    @property
    def violated(self) -> bool:
        """Whether a violation was found."""
        return self.outcome is AuditOutcome.VIOLATED

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values, without the notes; a fraction becomes a string."""
        return {
            "outcome": str(self.outcome),
            "definition": self.definition,
            "universe": self.universe,
            "pair": _plain(self.pair),
            "event": self.event,
            "probabilities": _plain(self.probabilities),
            "epsilon_lower_bound": self.epsilon_lower_bound,
            "confidence": self.confidence,
            "samples": self.samples,
            "power": self.power,
            "evidence": str(self.evidence),
            "seconds": round(self.seconds, 3),
        }


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Sequence):
        return [_plain(entry) for entry in value]
    return repr(value)
