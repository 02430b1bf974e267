"""Which drawing a refutation gets, or why it has none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.register import imported
from establish.proofs_check.engine.statements.additive import Additive
from establish.proofs_check.engine.statements.cases import EveryCase
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.gaussian import EstablishmentPrivate
from establish.proofs_check.engine.statements.implication import Implication
from establish.proofs_check.engine.statements.indistinguishable import Indistinguishability
from establish.proofs_check.engine.statements.maximum import Maximum
from establish.proofs_check.engine.statements.neighbor_functions import ComparisonOfPsi
from establish.proofs_check.engine.statements.of_order import OfOrder
from establish.proofs_check.engine.statements.parts import ReleasesOfParts
from establish.proofs_check.engine.statements.printed import PrintedNumber
from establish.proofs_check.engine.statements.privacy import Satisfies
from establish.proofs_check.engine.statements.statement import Point, Statement
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.report.drawings import (
    attacks,
    cases,
    constants,
    curves,
    figures,
    growth,
    laws,
    numbers,
    parts,
    readings,
)
from establish.proofs_check.report.drawings.drawing import EMPTY, Drawing, tabulated
from establish.proofs_check.report.drawings.points import point_of
from establish.proofs_check.report.gather import Sheet

NOT_RUN = "No drawing: the check did not run for this report, so it has no evidence to draw."
NO_PICTURE = "No drawing: neither a statement object nor the evidence gives a point or a number to draw."


def drawings(sheet: Sheet) -> tuple[list[Drawing], str]:
    """The drawings of a refuted claim, and where there is none, why."""
    if not sheet.ran:
        return [], NOT_RUN
    stated = imported(sheet.claim).stated
    objects = {statement.text: statement for statement in stated.all}
    found: list[Drawing] = []
    for statement, piece in _distinct(objects, sheet.pieces):
        drawing = _refuted(statement, piece, stated.meant)
        if drawing is not None and any(drawing.svg == each.svg for each in found):
            drawing = replace(drawing, svg=EMPTY, text=f"The picture is the same. {drawing.text}")
        if drawing is not None and drawing not in found:
            found.append(drawing)
    if not found:
        told = constants.broken(sheet.record.counterexample)
        told = told or figures.of_record(sheet.record, sheet.pieces)
        found = [told] if told else []
    both = readings.of_misprint(sheet.record, stated)
    found = [both, *found] if both else found
    return found, "" if found else NO_PICTURE


def _distinct(
    objects: dict[str, Statement], pieces: Sequence[Evidence]
) -> Iterator[tuple[Statement, Evidence]]:
    """The objects that the evidence refutes, each with the piece that does."""
    refuting = (p for p in pieces if p.refutes and p.decides in objects)
    for piece in {piece.says: piece for piece in refuting}.values():
        yield objects[piece.decides], piece


def _refuted(statement: Statement, piece: Evidence, meant: Sequence[Statement]) -> Drawing | None:
    match statement:
        case Maximum():
            return growth.without_maximum(statement, meant)
        case OfOrder():
            return growth.without_constant(statement)
    point = point_of(statement, piece)
    return None if point is None else _drawn(statement, point, piece)


def _drawn(statement: Statement, point: Point, piece: Evidence) -> Drawing | None:
    given: Any = dict(point)
    match statement:
        case PrintedNumber():
            return numbers.drawn(statement, given)
        case Comparison():
            return curves.drawn(statement, given)
        case ComparisonOfPsi():
            psi = given.pop("ψ")
            found = curves.drawn(statement.of(psi), given)
            return found and replace(found, text=f"With ψ = {psi.name}. {found.text}")
        case EveryCase():
            return cases.drawn(statement, point)
        case Implication():
            return attacks.drawn(statement, point)
        case Satisfies():
            return laws.of_mechanism(statement, point)
        case ReleasesOfParts():
            return parts.drawn(statement, point)
        case Indistinguishability():
            return laws.of_pair(statement, point, piece.says)
        case Additive():
            return laws.of_noise(statement, point)
        case EstablishmentPrivate():
            return laws.of_establishments(statement, point)
    return _of_point(statement, point)


def _of_point(statement: Statement, point: Point) -> Drawing:
    """A statement of a kind without a picture of its own: its point as a table, and what it says there."""
    table = tabulated("the point", tuple(point.values()), list(point))
    text = f"The statement is false there, and says: {statement.at(point).shown}."
    return Drawing("point", "The point that refutes it", text, tables=(table,))
