"""Sentences about an experiment, compared with its numbers and their intervals."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from establish.proofs_check.engine.statements.experiments import (
    InExperiment,
    Measured,
    OfExperiment,
    decisive,
)


class Outcome(StrEnum):
    """What the experiment says of a sentence."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"


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
    comparisons: tuple[Measured, ...]

    @property
    def outcome(self) -> Outcome:
        """Not reproduced as soon as one comparison fails; undecided without any."""
        found = [comparison.holds for comparison in self.comparisons]
        if False in found:
            return Outcome.NOT_REPRODUCED
        return Outcome.UNDECIDED if None in found or not found else Outcome.REPRODUCED

    @property
    def against(self) -> tuple[Measured, ...]:
        """The comparisons that failed."""
        return tuple(c for c in self.comparisons if c.holds is False)

    @property
    def closest(self) -> Measured | None:
        """The comparison that decides, or comes closest to deciding otherwise."""
        return decisive(self.comparisons)


def exactly(of: str, value: float, relation: str, limit: float) -> Measured:
    """A number that has no interval against a limit."""
    return Measured(of, value, value, value, relation, limit)


@dataclass(frozen=True)
class Record:
    """A recorded run: what it is in words, the file's digest, the probability of any wrong interval."""

    experiment: str
    digest: str
    error: str

    def statement(self, finding: Finding, outcome: Outcome) -> OfExperiment:
        """That the finding has this outcome, which is not ``UNDECIDED``, as an object."""
        every = outcome == Outcome.REPRODUCED
        return InExperiment(self.experiment, self.digest, self.error, finding.comparisons, every=every)


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
