"""How strong a verdict is, computed from what its evidence decides and never written by an author.

A piece of evidence decides a statement when a method was given the object itself, and showed or refuted it
as a whole, or when a registered rule derived it from such pieces: their digests are the same. A claim is
graded by the pieces that decide its own objects. Where they do not, prose joins them, and the grade is
``steps`` at most.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.engine.verdicts import Evidence, Grade, Outcome, Verdict, weakest

POSITIVE = (Outcome.HOLDS, Outcome.HOLDS_LOOSELY)
"""The verdicts by which the printed statement is true."""

NEGATIVE = (Outcome.FAILS, Outcome.ILL_POSED, Outcome.MISPRINT)
"""The verdicts by which it is not, as it stands."""


@dataclass(frozen=True)
class Stated:
    """The objects of a claim: what is printed, the value that is tight, and what is meant instead.

    ``meant`` is the statement under the condition that was missing, or the reading of a misprint.
    """

    printed: tuple[Statement, ...] = ()
    tight: tuple[Statement, ...] = ()
    meant: tuple[Statement, ...] = ()

    @property
    def all(self) -> tuple[Statement, ...]:
        return self.printed + self.tight + self.meant


@dataclass(frozen=True)
class Grades:
    """The grade of the verdict on the statement, of its value and of its condition; empty where none.

    prose: what joins the pieces where the statement is not decided as a whole.
    """

    statement: Grade | None
    value: Grade | None = None
    condition: Grade | None = None
    prose: str = ""


UNSTATED = Stated()
"""The objects of a claim that has none."""

UNGRADED = Grades(None)
"""The grades of a verdict without evidence."""


def graded(verdict: Verdict, stated: Stated) -> Grades:
    """How strong ``verdict`` is on a claim with these objects."""
    if not verdict.evidence:
        return UNGRADED
    pieces = [piece for piece in verdict.evidence if not piece.aside]
    joined = weakest([Grade.STEPS, *(piece.grade for piece in pieces)])
    if verdict.outcome in POSITIVE:
        found, prose = _shown(stated.printed, verdict.evidence)
    else:
        found, prose = _refuted(stated.printed, verdict.evidence)
    value = condition = None
    if verdict.value:
        value = _shown(stated.tight, verdict.evidence)[0] if _tells(stated.tight, verdict.value) else None
        value = value or joined
    if verdict.outcome in (Outcome.ILL_POSED, Outcome.MISPRINT):
        condition = _shown(stated.meant, verdict.evidence)[0] or joined
    return Grades(found or joined, value, condition, prose)


def contradicted(verdict: Verdict, stated: Stated) -> str:
    """The printed statement of which the evidence shows the opposite of what the verdict says; or empty."""
    if verdict.outcome in POSITIVE:
        refuted = {piece.identity for piece in verdict.evidence if piece.refutes}
        return next((each.text for each in stated.printed if each.identity in refuted), "")
    shown = {piece.identity for piece in verdict.evidence if piece.identity and not piece.refutes}
    if verdict.outcome in NEGATIVE and stated.printed and {s.identity for s in stated.printed} <= shown:
        return stated.printed[0].text
    return ""


def accepted(grades: Grades, covers: Collection[str]) -> Grades:
    """The grades of a settled verdict, raised to ``formal`` where a kernel accepted what it says.

    covers: the parts of it, ``sentence`` and perhaps ``value``, for exactly the present text of the claim.
    """
    if "sentence" not in covers or grades.statement is None:
        return grades
    value = Grade.FORMAL if grades.value and "value" in covers else grades.value
    return replace(grades, statement=Grade.FORMAL, value=value, prose="")


_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ALONE = re.compile(rf"([-−]?)({_NUMBER.pattern})(?:/({_NUMBER.pattern}))?")
"""A value that is one number."""
_SIGNED = re.compile(rf"((?<![\w.)])[-−])?({_NUMBER.pattern})(?:/({_NUMBER.pattern}))?")
"""A number of a text, with the sign that belongs to it alone."""
_QUOTIENT = re.compile(rf"({_NUMBER.pattern})/({_NUMBER.pattern})")


def _tells(statements: Iterable[Statement], value: str) -> bool:
    """Whether every number of a value stands in the objects that say that it is tight.

    A value is typed beside its object: with a number that the object does not have, nobody computed it. What
    its words say is not compared; of a value that is one number, its sign is, and what it is divided by.
    """
    texts = [each.text for each in statements]
    if alone := _ALONE.fullmatch(value):
        wanted, digits = _signed(*alone.groups()), "0" if alone[3] else alone[2]
        signed = (_signed(*found) for text in texts for found in _SIGNED.findall(text))
        return any(abs(wanted - number) <= _rounding(digits) for number in signed)
    known = {number for text in texts for number in _numbers_in(text)}
    return all(
        any(abs(Fraction(written) - number) <= _rounding(written) for number in known)
        for written in _NUMBER.findall(value)
    )


def _signed(sign: str, number: str, divisor: str | None) -> Fraction:
    """A number with its sign, divided unless the divisor is none or 0."""
    found = Fraction(number) / (Fraction(divisor or 1) or 1)
    return -found if sign else found


def _numbers_in(text: str) -> Iterator[Fraction]:
    """The numbers of a text, and the quotients of two."""
    yield from map(Fraction, _NUMBER.findall(text))
    yield from (Fraction(a) / Fraction(b) for a, b in _QUOTIENT.findall(text) if Fraction(b))


def _rounding(written: str) -> Fraction:
    """Half a unit of the last digit of a decimal; 0 for a whole number, which is exact."""
    digits = len(written.partition(".")[2])
    return Fraction(1, 2 * 10**digits) if digits else Fraction(0)


def _shown(statements: Iterable[Statement], evidence: Iterable[Evidence]) -> tuple[Grade | None, str]:
    """The weakest grade at which all were shown, or what is missing."""
    shown = {
        piece.identity: piece.grade
        for piece in sorted(evidence, key=lambda e: -list(Grade).index(e.grade))
        if piece.identity and not piece.refutes
    }
    wanted = list(statements)
    if not wanted:
        return None, "no statement object ties the pieces to the sentence"
    missing = [statement.text for statement in wanted if statement.identity not in shown]
    if missing:
        return None, f"prose joins the pieces to: {missing[0]}"
    return weakest(shown[statement.identity] for statement in wanted), ""


def _refuted(statements: Iterable[Statement], evidence: Iterable[Evidence]) -> tuple[Grade | None, str]:
    """The strongest grade at which one of them was refuted at a point."""
    wanted = {statement.identity for statement in statements}
    if not wanted:
        return None, "no statement object was evaluated at the counterexample"
    grades = [piece.grade for piece in evidence if piece.refutes and piece.identity in wanted]
    if not grades:
        return None, "the counterexample is not a point of the statement"
    return min(grades, key=list(Grade).index), ""
