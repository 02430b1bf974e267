"""What a claim speaks of, in the words by which the list filters."""

from __future__ import annotations

import re

from establish.proofs_check.engine.records import Record

_WORDS = {
    "strong neighbors": r"strong (?:α-)?neighbors|strong \(α|Strong\(",
    "weak neighbors": r"weak (?:α-)?neighbors|weak \(α|Weak\(",
    "neighbors by one job": r"neighbors by one job|edge (?:neighbors|differential|privacy)|Edge\(",
    "neighbors by one establishment": (
        r"neighbors by one establishment|node (?:neighbors|differential|privacy)|Node\("
    ),
    "ψ-neighbors": r"ψ-neighbor|neighbor function|ψ\(x\) − ψ\(y\)",
    "counts over establishment attributes": r"counts? of all workers|establishment attributes",
    "counts over worker attributes": r"count of the workers with a property|matching ones|any property",
    "attackers": r"product prior|every prior|Bayes factor",
    "a finite universe": r"^for every |finite universe",
    "a printed number": r"it rounds to the printed digits",
}
"""The tag, and what its claims say in the text of their objects or in their scope."""

_TAGS = {tag: re.compile(words, re.MULTILINE) for tag, words in _WORDS.items()}

NO_OBJECT = "no statement object"


def scopes(record: Record) -> list[str]:
    """The tags of a claim, by its scope and the text of its objects."""
    text = "\n".join([*record.quantified, record.scope])
    found = [tag for tag, words in _TAGS.items() if words.search(text)]
    return found if record.quantified else [*found, NO_OBJECT]
