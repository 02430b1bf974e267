"""A printed number beside the value that it should round."""

from __future__ import annotations

from fractions import Fraction

from establish.proofs_check.engine.statements.printed import PrintedNumber
from establish.proofs_check.report.drawings.drawing import Drawing
from establish.proofs_check.report.drawings.shapes import number_line
from establish.spec.arithmetic import ARB, enclosing

BITS = 128


def drawn(statement: PrintedNumber, point: dict[str, Fraction]) -> Drawing:
    """A number line with the printed number, what rounds to it, and the value."""
    with enclosing(BITS):
        value = ARB.number(statement.value(ARB))
        digits = value.str(12, radius=False)
        true = float(value.mid())
    number, half = statement.number, statement.unit / 2
    places = len(str(statement.unit.denominator)) - 1
    printed = f"{float(number):.{places}f}"
    low, high = float(number - half), float(number + half)
    svg = number_line(
        [(f"printed: {printed}", float(number), "square"), (f"value: {digits}", true, "circle")], (low, high)
    )
    text = (
        f"Printed is {printed} (square). The value is {digits} (disk). What rounds to the printed digits "
        f"lies between {low:.12g} and {high:.12g} (hatched bar), and the value does not."
    )
    return Drawing("number line", "Printed number and value", text, svg)
