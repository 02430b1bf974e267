"""The formulas of a claim's statements as a page draws them."""

from __future__ import annotations

from markupsafe import Markup

from establish.proofs_check.engine.register import imported
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.report.gather import Sheet
from establish.proofs_check.terms.mathml import sentence_mathml


def drawn_formulas(sheet: Sheet) -> dict[str, tuple[list[Markup], Markup]]:
    """By the text of a statement: what is given, and the conclusion, as MathML.

    Only of statements that are one inequality or identity, and short enough to read.
    """
    comparisons = (each for each in imported(sheet.claim).stated.all if isinstance(each, Comparison))
    found = ((each.text, sentence_mathml(each.sentence)) for each in comparisons)
    return {text: ([*map(Markup, made[0])], Markup(made[1])) for text, made in found if made}
