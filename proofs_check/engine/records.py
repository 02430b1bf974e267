"""One settled claim as people and machines read it: the rows of the table and of ``--json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from establish.proofs_check.engine.formal_evidence import formal_of
from establish.proofs_check.engine.grades import accepted
from establish.proofs_check.engine.readings import compared
from establish.proofs_check.engine.register import Claim
from establish.proofs_check.engine.settlement import Settlement
from establish.proofs_check.engine.shown import preformatted, titled
from establish.proofs_check.engine.trust import trusted
from establish.proofs_check.engine.verdicts import NOT_RUN
from establish.proofs_check.engine.written import written


@dataclass(frozen=True)
class Record:
    """A claim and how it came out.

    verdict: an Outcome, or NOT_RUN. evidence: the Grade of the verdict on the statement, empty when nothing
    could be checked; value_evidence and condition_evidence: those of the value and of the condition, where
    there are any; prose: what joins the pieces of evidence where the statement is not decided as a whole.
    origin: printed, corrected or ours. compared: what a second reader found the objects of a printed claim to
    be beside its sentence, as `engine.readings.compared` tells it. quantified: the text of every statement
    object. adversary: what was searched against those that are said to be true. trusts: the parties that the
    verdict rests on, as `engine.trust` names them.
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
    origin: str = "printed"
    compared: str = ""
    scope: str = ""
    value_evidence: str = ""
    condition_evidence: str = ""
    prose: str = ""
    quantified: list[str] = field(default_factory=list)
    adversary: list[dict[str, Any]] = field(default_factory=list)
    trusts: list[str] = field(default_factory=list)

    @staticmethod
    def of(claim: Claim, settlement: Settlement) -> Record:
        """The record of ``claim`` when its check gave ``settlement``."""
        verdict = settlement.verdict
        entry = formal_of(claim)
        same = entry is not None and (entry.outcome, entry.value) == (str(verdict.outcome), verdict.value)
        grades = accepted(settlement.grades, entry.covers if entry and same else ())
        condition = verdict.condition
        if settlement.line:
            condition += f" ({Path(written(claim.check).file).name}, line {settlement.line})"
        return Record(
            id=claim.id,
            source=claim.source,
            location=claim.location,
            statement=claim.statement,
            verdict=NOT_RUN if settlement.lacks else str(verdict.outcome),
            evidence=str(grades.statement or ""),
            value=verdict.value,
            counterexample=verdict.counterexample,
            condition=condition,
            method=verdict.method,
            seconds=settlement.seconds,
            origin=claim.origin,
            compared=compared(claim, str(verdict.outcome)),
            scope=claim.scope,
            value_evidence=str(grades.value or ""),
            condition_evidence=str(grades.condition or ""),
            prose=grades.prose,
            quantified=list(claim.quantified),
            adversary=[asdict(search) for search in settlement.searches],
            trusts=trusted(settlement, entry if same else None),
        )

    def __repr__(self) -> str:
        grade = f" (evidence: {self.evidence})" if self.evidence else ""
        fields = {"value": self.value, "counterexample": self.counterexample, "condition": self.condition}
        return titled(f"{self.id}: {self.verdict}{grade}", {"says": self.statement, **fields})

    def _repr_html_(self) -> str:
        return preformatted(repr(self))

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
