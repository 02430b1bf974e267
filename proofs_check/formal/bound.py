"""What the theorems about a claim are bound to: its sentence, objects, definitions, verdict and value.

``bound.json`` is written when a second reader has compared theorem and claim (``establish formal --bind``),
and reviewed like the record of the kernel. A claim that it does not hold is not formal, whatever
theorems.toml says; a claim that repeats another is bound by itself.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from establish.proofs_check.formal.lines import text_of
from establish.proofs_check.formal.theorems import HERE

FILE = HERE / "bound.json"


@dataclass(frozen=True)
class Said:
    """What a claim says now: digests of its sentence, of its objects, and of each definition behind them."""

    sentence: str
    statement: str
    definitions: Mapping[str, str]


@dataclass(frozen=True)
class Bound:
    """What it said when its theorems were compared with it, how it came out, and what they said."""

    said: Said
    outcome: str
    value: str
    theorems: str

    def lost(self, now: Said, theorems: str) -> list[str]:
        """What has changed since. theorems: a digest of what they say now."""
        before, found = self.said, []
        if now.sentence != before.sentence:
            found.append("the claim's sentence has changed")
        if now.statement != before.statement:
            found.append("the claim's statement has changed")
        for name in sorted({*before.definitions, *now.definitions}):
            if before.definitions.get(name) != now.definitions.get(name):
                found.append(f"the definition {name} has changed")
        if theorems != self.theorems:
            found.append("what its theorems say has changed")
        return found


@cache
def all_bound() -> Mapping[str, Bound]:
    """By the id of the claim. What several claims read stands once in the file."""
    data: dict[str, Any] = {"claims": {}, "definitions": {}}
    if FILE.is_file():
        data = json.loads(FILE.read_text("utf-8"))
    read = data["definitions"]
    return {
        id: Bound(
            Said(
                entry["sentence"],
                entry["statement"],
                {name: read[name][k] for name, k in entry["reads"].items()},
            ),
            entry["outcome"],
            entry["value"],
            entry["theorems"],
        )
        for id, entry in data["claims"].items()
    }


def write(claims: Mapping[str, Bound]) -> str:
    """The text from which `all_bound` reads ``claims``: a line for each of them, and for each definition."""
    definitions: dict[str, list[str]] = {}
    entries = {}
    for id, bound in sorted(claims.items()):
        for name, digest in bound.said.definitions.items():
            if digest not in definitions.setdefault(name, []):
                definitions[name].append(digest)
        said = bound.said
        entries[id] = {
            "sentence": said.sentence,
            "statement": said.statement,
            "outcome": bound.outcome,
            "value": bound.value,
            "theorems": bound.theorems,
            "reads": {name: definitions[name].index(digest) for name, digest in said.definitions.items()},
        }
    return text_of({"claims": entries, "definitions": dict(sorted(definitions.items()))})
