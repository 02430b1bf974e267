"""How strong a verdict is, computed from what its evidence decides and never written by an author.

A piece of evidence decides a statement when a method was given the object itself, and showed or refuted it
as a whole, or when a registered rule derived it from such pieces: their digests are the same. A claim is
graded by the pieces that decide its own objects; where they do not, it is unsettled. Of a claim without
objects prose joins the pieces, and the grade is ``steps`` at most.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

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
        from establish.proofs_check.engine.typed import tells  # loads what computes

        value = _shown(stated.tight, verdict.evidence)[0] if tells(stated.tight, verdict.value) else None
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


def beside(verdict: Verdict, stated: Stated) -> str:
    """What a verdict refutes or tells beside its objects, or empty: another statement while it refutes none
    of them, or another point than those of its evidence.
    """
    refuting = [piece for piece in verdict.evidence if piece.refutes and not piece.aside]
    known = {each.identity for each in stated.all}
    if verdict.outcome in NEGATIVE and known and refuting and not known & {p.identity for p in refuting}:
        return f"its evidence refutes another statement: {refuting[0].decides}"
    from establish.proofs_check.engine.typed import elsewhere

    points = [piece.made.given if piece.made else {} for piece in refuting]  # of a rule's, there is none
    told = [elsewhere(verdict.counterexample, point) for point in points]
    if told and all(told):
        return f"its counterexample is another point than that of its evidence, {told[0]}"
    return ""


def accepted(grades: Grades, covers: Collection[str]) -> Grades:
    """The grades of a settled verdict, raised to ``formal`` where a kernel accepted what it says.

    covers: the parts of it, ``sentence`` and perhaps ``value``, for exactly the present text of the claim.
    """
    if "sentence" not in covers or grades.statement is None:
        return grades
    value = Grade.FORMAL if grades.value and "value" in covers else grades.value
    return replace(grades, statement=Grade.FORMAL, value=value, prose="")


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
        return None, f"no evidence decides: {missing[0]}"
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
