"""One settled claim as people and machines read it: the rows of the table and of ``--json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from establish.proofs_check.engine.register import Claim, file_of
from establish.proofs_check.engine.settlement import Settlement


@dataclass(frozen=True)
class Record:
    """A claim and how it came out.

    verdict: an Outcome. evidence: the weakest Grade, empty when nothing could be checked.
    condition: what the verdict depends on or, for an unsettled claim, the reason and the line.
    seconds: what the check took when it ran, which may have been in an earlier run.
    """

    id: str
    source: str
    location: str
    statement: str
    verdict: str
    evidence: str
    value: str
    counterexample: str
    condition: str
    method: str
    seconds: float

    @staticmethod
    def of(claim: Claim, settlement: Settlement) -> Record:
        """The record of ``claim`` when its check gave ``settlement``."""
        verdict = settlement.verdict
        condition = verdict.condition
        if settlement.line:
            condition += f" ({Path(file_of(claim.check)).name}, line {settlement.line})"
        return Record(
            id=claim.id,
            source=claim.source,
            location=claim.location,
            statement=claim.statement,
            verdict=str(verdict.outcome),
            evidence=str(verdict.grade or ""),
            value=verdict.value,
            counterexample=verdict.counterexample,
            condition=condition,
            method=verdict.method,
            seconds=settlement.seconds,
        )

    def to_json(self) -> dict[str, Any]:
        """The record as a dict with exactly the field names as keys, in their order."""
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Record:
        """The record that `to_json` wrote. Raises ValueError when a key is missing or unknown."""
        expected = {field.name for field in fields(Record)}
        if set(data) != expected:
            raise ValueError(f"a record has the keys {sorted(expected)}, not {sorted(data)}")
        return Record(**data)
