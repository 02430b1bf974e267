"""Evidence, and the verdicts that evidence can carry.

A method returns :class:`Evidence`: what it set out to show, how, and whether it showed it. A verdict is
built from evidence and stands only if every piece was established; otherwise the claim is *unsettled*,
which ``establish check`` reports as a difference from the ledger. So a verdict can never be stronger
than what ran.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from establish.proofs_check.engine.shown import preformatted, titled


class Outcome(StrEnum):
    """What is true of a printed statement."""

    HOLDS = "holds"
    HOLDS_LOOSELY = "holds_loosely"
    FAILS = "fails"
    ILL_POSED = "ill_posed"
    MISPRINT = "misprint"
    NOT_CHECKABLE = "not_checkable"
    UNSETTLED = "unsettled"


NOT_RUN = "not_run"
"""In place of a verdict: the check needs a library that is not installed."""


def true(verdict: str) -> bool:
    """Whether a verdict, with or without its grade, is one that a mechanism may rest on."""
    return verdict.partition(" ")[0] in (Outcome.HOLDS, Outcome.HOLDS_LOOSELY)


class Grade(StrEnum):
    """How strong the evidence is, strongest first.

    ``steps``: every piece was shown, and prose that no machine reads joins them to the statement.
    """

    FORMAL = "formal"
    PROOF = "proof"
    STEPS = "steps"
    ENCLOSURE = "enclosure"
    EXHAUSTIVE = "exhaustive"
    STATISTICAL = "statistical"


def weakest(grades: Iterable[Grade]) -> Grade | None:
    """The weakest of some grades; None of none."""
    return max(grades, key=list(Grade).index, default=None)


PREMISE = "premise "
"""What stands before the name of a lemma that is cited, and shown nowhere here."""


@dataclass(frozen=True)
class Made:
    """Of what a piece of evidence was made, which `establish export` writes.

    statement: the object that it decides. premises: what it was derived from. given: what else its method or
    rule was given, a point by names or formulas by names.
    """

    statement: Any
    premises: tuple[Evidence, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises StatementError where it is not shown that what the statement speaks of is finite."""
        self.statement.require_value()


@dataclass(frozen=True)
class Evidence:
    """One thing that a method tried to show.

    ``established`` is True when it was shown, False when it was refuted, None when the method could not
    decide. ``witness`` is the refuting point; ``scope`` is the universe or the error probability that the
    grade must be read with. An ``aside`` adds a detail, such as the minimality of a counterexample: it must
    be established too, but the verdict's grade does not rest on it. ``decides`` is the text, and
    ``identity`` the digest, of the statement object that a method was given and showed as a whole, or
    refuted at a point when ``refutes`` is set; both are empty for a piece that an author worded. ``made``
    tells of what it was made, in the process that made it: a settlement does not keep it.
    Only the methods and rules of the engine make evidence that decides something, or that is ``proof``.
    """

    says: str
    established: bool | None
    grade: Grade
    method: str
    witness: str = ""
    scope: str = ""
    aside: bool = False
    decides: str = ""
    refutes: bool = False
    identity: str = ""
    made: Made | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("says", "method", "witness", "scope", "decides", "identity"):
            _text(name, getattr(self, name))
        if not isinstance(self.grade, Grade):
            raise TypeError(f"grade = {self.grade!r} must be a Grade, such as Grade.PROOF")
        if self.grade in (Grade.EXHAUSTIVE, Grade.STATISTICAL) and not self.scope:
            raise ValueError(f"{self.grade} evidence must state its scope: {self.says}")
        if self.grade is Grade.FORMAL:
            raise TypeError("no evidence is formal: a proof assistant's record alone makes a claim formal")
        if (self.grade is Grade.PROOF or self.decides) and not _made_here():
            raise TypeError(
                f"evidence that is made by hand decides nothing and is {Grade.STEPS} at most: give what a "
                f"method or a rule of the engine returns, such as solver.proves(...): {self.says}"
            )


ENGINE = str(Path(__file__).parent)
"""The folder of what may make evidence that counts."""


def _made_here() -> bool:
    """Whether code of the engine makes the evidence: what called its constructor, or `dataclasses.replace`.

    It keeps slips out, and hands that mean no harm. Python cannot keep out those that do: whoever can run a
    check can write into any object, and only what another program checks again is out of their reach.
    """
    frame = sys._getframe(2)  # the constructor, which dataclasses wrote
    while frame.f_back is not None and frame.f_code.co_filename in ("<string>", dataclasses.__file__):
        frame = frame.f_back
    return frame.f_code.co_filename.startswith(ENGINE)


def _text(name: str, value: object) -> None:
    """Refuse what is no text: a value is printed and recorded as it is written."""
    if not isinstance(value, str):
        raise TypeError(f'{name} = {value!r} must be a text, such as "3/2" or "n > 0"')


def require_evidence(given: object) -> None:
    """Raises TypeError for anything but Evidence itself: a class of one's own would not look at its parts."""
    if type(given) is not Evidence:
        raise TypeError(f"{given!r} is not evidence: give what a method returns, solver.proves(...)")


def aside(evidence: Evidence) -> Evidence:
    """The same evidence, for a detail beside the verdict."""
    require_evidence(evidence)
    return replace(evidence, aside=True)


def settled_only(evidence: Evidence) -> Evidence:
    """The same evidence without what it was made of, which no other process could read."""
    return replace(evidence, made=None)


class UnsettledError(Exception):
    """The evidence at hand does not carry the verdict that a check wanted to return."""


@dataclass(frozen=True)
class Verdict:
    """The settled answer to one claim; build it with the functions below.

    value: tight constant or corrected value (15 significant digits or an exact rational).
    counterexample: the exact arithmetic, in plain numbers.
    condition: what is missing, which reading is meant, or the universe the verdict speaks of.
    """

    outcome: Outcome
    evidence: tuple[Evidence, ...]
    value: str = ""
    counterexample: str = ""
    condition: str = ""

    def __post_init__(self) -> None:
        """Raises UnsettledError unless all evidence was established, and some carries the verdict."""
        for piece in self.evidence:
            require_evidence(piece)
            _require_established(piece)
        if self.outcome not in WITHOUT_EVIDENCE and all(piece.aside for piece in self.evidence):
            raise UnsettledError(f"no evidence was given for {self.outcome}")

    @property
    def grade(self) -> Grade | None:
        """The weakest grade among what carries the verdict; None when there is nothing to check.

        It says how strong the pieces are. What they say of the statement is graded in ``grades``.
        """
        return weakest(e.grade for e in self.evidence if not e.aside)

    @property
    def method(self) -> str:
        """The methods used, each once, in order."""
        return " + ".join(dict.fromkeys(e.method for e in self.evidence))

    def __repr__(self) -> str:
        by = f" by {self.method}" if self.evidence else ""
        fields = {"value": self.value, "counterexample": self.counterexample, "condition": self.condition}
        return titled(f"Verdict: {self.outcome}{by}", fields)

    def _repr_html_(self) -> str:
        return preformatted(repr(self))


WITHOUT_EVIDENCE = (Outcome.NOT_CHECKABLE, Outcome.UNSETTLED)
"""The verdicts that say nothing of what is true."""


def _require_established(piece: Evidence) -> None:
    if piece.established is True:
        return
    state, says = "not decided", piece.says
    if piece.established is False:
        state, says = ("true", piece.decides) if piece.refutes else ("refuted", says)
    at = f" at {piece.witness}" if piece.witness else ""
    raise UnsettledError(f"{state}{at} ({piece.method}): {says}")


def _stands(outcome: Outcome, evidence: tuple[Evidence, ...], **fields: str) -> Verdict:
    for piece in evidence:
        require_evidence(piece)
    for name, value in fields.items():
        _text(name, value)
    scopes = [e.scope for e in evidence if e.scope and (not e.aside or PREMISE in e.method)]
    condition = "; ".join(dict.fromkeys([c for c in [fields.pop("condition", "")] if c] + scopes))
    return Verdict(outcome, evidence, condition=condition, **fields)


def holds(*evidence: Evidence, value: str = "", condition: str = "") -> Verdict:
    """The statement is true as printed, and no stronger constant is at stake."""
    return _stands(Outcome.HOLDS, evidence, value=value, condition=condition)


def holds_loosely(*evidence: Evidence, value: str, counterexample: str = "", condition: str = "") -> Verdict:
    """True, but ``value`` is the tight constant and it is better than the printed one."""
    return _stands(
        Outcome.HOLDS_LOOSELY, evidence, value=value, counterexample=counterexample, condition=condition
    )


def fails(*evidence: Evidence, counterexample: str, value: str = "", condition: str = "") -> Verdict:
    """False: the evidence shows that ``counterexample`` breaks it; ``value`` is what is true instead."""
    return _stands(Outcome.FAILS, evidence, counterexample=counterexample, value=value, condition=condition)


def ill_posed(*evidence: Evidence, condition: str, counterexample: str = "", value: str = "") -> Verdict:
    """Without ``condition`` the statement is undefined or false; with it the evidence shows it true."""
    return _stands(
        Outcome.ILL_POSED, evidence, condition=condition, counterexample=counterexample, value=value
    )


def misprint(
    *evidence: Evidence, reading: str, reading_is: Outcome, counterexample: str, value: str = ""
) -> Verdict:
    """The printed text is wrong at ``counterexample``; ``reading`` is meant, and it is ``reading_is``."""
    _text("reading", reading)
    if not isinstance(reading_is, Outcome):
        raise TypeError(f"reading_is = {reading_is!r} must be an outcome, such as Outcome.HOLDS")
    return _stands(
        Outcome.MISPRINT,
        evidence,
        condition=f"read: {reading} ({reading_is})",
        counterexample=counterexample,
        value=value,
    )


def not_checkable(missing: str) -> Verdict:
    """Nothing can be computed: ``missing`` says what would be needed."""
    _text("missing", missing)
    return Verdict(Outcome.NOT_CHECKABLE, (), condition=missing)
