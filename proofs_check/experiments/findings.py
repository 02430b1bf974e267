"""Sentences about an experiment, compared with its numbers and their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from math import isnan
from typing import NamedTuple


class Outcome(StrEnum):
    """What the experiment says of a sentence."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Comparison:
    """One number of the experiment against a limit. low, high: the interval of its expectation."""

    of: str
    value: float
    low: float
    high: float
    relation: str
    limit: float

    @property
    def holds(self) -> bool | None:
        """True or False where the interval lies on one side of the limit; None where it does not."""
        if isnan(self.low) or isnan(self.high):
            return None
        below, above = self.high <= self.limit, self.low >= self.limit
        if self.relation == ">=":
            below, above = above, below
        return True if below else False if above else None

    def __str__(self) -> str:
        return (
            f"{self.of}: {self.value:.4g} in [{self.low:.4g}, {self.high:.4g}], claimed "
            f"{self.relation} {self.limit:.4g}"
        )


class Sentence(NamedTuple):
    """Where a source says something, what it says, and what that is read as."""

    place: str
    sentence: str
    reading: str


@dataclass(frozen=True)
class Finding:
    """A sentence, what it is read as, and the comparisons that it consists of."""

    key: str
    place: str
    sentence: str
    reading: str
    comparisons: tuple[Comparison, ...]

    @property
    def outcome(self) -> Outcome:
        """Not reproduced as soon as one comparison fails; undecided without any."""
        found = [comparison.holds for comparison in self.comparisons]
        if False in found:
            return Outcome.NOT_REPRODUCED
        return Outcome.UNDECIDED if None in found or not found else Outcome.REPRODUCED

    @property
    def against(self) -> tuple[Comparison, ...]:
        """The comparisons that failed."""
        return tuple(c for c in self.comparisons if c.holds is False)

    @property
    def closest(self) -> Comparison | None:
        """The failed comparison farthest beyond its limit, else an undecided one, else that nearest to it."""
        if self.against:
            return max(self.against, key=_distance)
        undecided = [c for c in self.comparisons if c.holds is None]
        return min(undecided or self.comparisons, key=_distance, default=None)


def _distance(comparison: Comparison) -> float:
    """How far the number is from its limit, relative to the limit."""
    return abs(comparison.value - comparison.limit) / max(abs(comparison.limit), 1e-12)


def told(finding: Finding) -> dict[str, object]:
    """The finding for a file: what was compared is counted, and the deciding comparison is in words."""
    return {
        "key": finding.key,
        "place": finding.place,
        "sentence": finding.sentence,
        "reading": finding.reading,
        "outcome": str(finding.outcome),
        "comparisons": len(finding.comparisons),
        "against": len(finding.against),
        "closest": None if finding.closest is None else str(finding.closest),
    }
