"""The statements of a claim as a page draws them: formulas as MathML, words as words."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from establish.proofs_check.engine.register import imported
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.marked import marked, plain
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.engine.statements.terms import MARK, Term
from establish.proofs_check.report.gather import Sheet
from establish.proofs_check.terms.mathml import exponential_mathml, sentence_mathml, term_mathml
from establish.proofs_check.terms.trees import NotATerm

_MARK = MARK.format(r"(\d+)")
_FORMULA = re.compile(rf"e\^\({_MARK}\)|{_MARK}")
_INDEX = re.compile(r"(?<![\w.])([^\W\d_](?:&#39;)?)_(\w)(?!\w)")
_POWER = re.compile(r"(?<=[^\W\d_])\^(\w)(?!\w)")
_CONCLUSION = re.compile(r"(?<=event S: )")


def drawn_formulas(sheet: Sheet) -> dict[str, tuple[list[Markup], Markup]]:
    """By the text of a statement that is one inequality or identity, and short enough to read: what is given,
    and the conclusion, as MathML.
    """
    comparisons = (each for each in imported(sheet.claim).stated.all if isinstance(each, Comparison))
    found = ((each.text, sentence_mathml(each.sentence)) for each in comparisons)
    return {text: ([*map(Markup, made[0])], Markup(made[1])) for text, made in found if made}


def typeset_statements(sheet: Sheet) -> dict[str, Markup]:
    """By the text of a statement of another kind: the same text, in which each formula is MathML."""
    others = (each for each in imported(sheet.claim).stated.all if not isinstance(each, Comparison))
    return {each.text: drawn for each in others if "<math" in (drawn := typeset(each))}


def typeset(statement: Statement) -> Markup:
    """The text of a statement with every formula drawn from its own term, and letters with an index or a
    power as such. A formula that is too long, or of functions that have no picture, stays text; so does a
    statement whose text is another one where its formulas are marked.
    """
    text, terms = marked(statement)
    if plain(text, terms) != statement.text:
        return _words(statement.text)
    parts: list[Markup] = []
    end = 0
    for at in _FORMULA.finditer(text):
        parts += [_words(text[end : at.start()]), _formula(terms[int(at[1] or at[2])], bool(at[1]))]
        end = at.end()
    return Markup("").join([*parts, _words(text[end:])])


def _formula(term: Term, raised: bool) -> Markup:
    try:
        made = (exponential_mathml if raised else term_mathml)(term.tree)
    except NotATerm:
        made = None
    plain = f"e^({term.text})" if raised else term.text
    return escape(plain) if made is None else Markup(made)


def _words(text: str) -> Markup:
    html = _POWER.sub(r"<sup>\1</sup>", _INDEX.sub(r"\1<sub>\2</sub>", str(escape(text))))
    return Markup(_CONCLUSION.sub("<br>", html))
