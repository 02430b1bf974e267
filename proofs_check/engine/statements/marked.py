"""The formulas that stand in the text of a statement, each with the place at which it stands."""

import re
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from establish.proofs_check.engine.statements.statement import Statement
from establish.proofs_check.engine.statements.terms import MARK, Term, kept

_MARKED = re.compile(MARK.format(r"(\d+)"))


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
