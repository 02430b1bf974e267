"""The statements of a claim as a page draws them: formulas as MathML, words as words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from markupsafe import Markup, escape

from establish.proofs_check.engine.register import imported
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.engine.statements.terms import MARK, Term, kept
from establish.proofs_check.report.gather import Sheet
from establish.proofs_check.terms.mathml import exponential_mathml, sentence_mathml, term_mathml
from establish.proofs_check.terms.trees import NotATerm

_MARK = MARK.format(r"(\d+)")
_MARKED = re.compile(_MARK)
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


def marked(statement: Statement) -> tuple[str, list[Term]]:
    """The text of a statement with marks in the places of its formulas, and these."""
    with kept() as terms:
        return _fresh(statement).text, terms


def plain(text: str, terms: Sequence[Term]) -> str:
    """A text with marks, in which the formulas are text again."""
    return _MARKED.sub(lambda at: terms[int(at[1])].text, text)


def _fresh(value: Any) -> Any:
    """A statement without the texts that it remembers, and so those that it holds."""
    if not isinstance(value, Statement):
        return value
    found = object.__new__(type(value))
    for each in fields(value):  # type: ignore[arg-type]  # all statements are dataclasses
        object.__setattr__(found, each.name, _fresh(getattr(value, each.name)))
    return found


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
