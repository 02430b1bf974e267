"""The record of a release as somebody else's file: read strictly, nothing in it believed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from establish.impl.lock_file import FORMAT
from establish.spec.parameters import ParameterError

UNRECORDED = "not recorded"
"""What stands for the verdict of a claim where none was known."""


class NoRecord(Exception):
    """It is not what a release writes."""


UNREADABLE = (ParameterError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What a record that is none makes of who reads its parameters."""


@dataclass(frozen=True)
class Use:
    """One use of a mechanism. said: all that the record says of it. query: empty for a single table."""

    query: str
    mechanism: str
    claims: tuple[str, ...]
    satisfies: tuple[str, ...]
    said: Mapping[str, Any]

    @property
    def title(self) -> str:
        return f"{self.query}, {self.mechanism}" if self.query else self.mechanism


@dataclass(frozen=True)
class Stamp:
    """What was said of a certificate; the rest is empty unless it was current.

    format: of the certificate; 2 named whole files. code: sha256 of all definitions that ran. sources: sha256
    by file, as format 2 has it.
    """

    current: bool
    identity: str = ""
    format: int = FORMAT
    code: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Record:
    """tables: sha256 by file name. claims: those of the plan's composition. content: the whole."""

    tables: Mapping[str, str]
    stamps: Mapping[str, Stamp]
    uses: tuple[Use, ...]
    claims: tuple[str, ...]
    content: Mapping[str, Any]

    @property
    def is_of_plan(self) -> bool:
        return "answers" in self.content

    def verdicts(self) -> Iterator[tuple[str, object]]:
        """Every claim that the record rests on, with what it says came out."""
        for part in (*(use.said for use in self.uses), self.content):
            for entry in part.get("rests_on", ()):
                yield entry["claim"], entry.get("verdict", UNRECORDED)

    def claimed(self) -> Iterator[str]:
        """What the release is said to satisfy, a sentence each."""
        if self.is_of_plan:
            loss = ", ".join(f"{symbol} = {value}" for symbol, value in self.content["loss"].items())
            yield f"{self.content['definition']} with {loss} for the whole plan"
        for use in self.uses:
            yield from (f"{use.title}: {sentence}" for sentence in use.satisfies)


def read_record(content: Mapping[str, Any]) -> Record:
    """Raises NoRecord when something is missing or of another type."""
    try:
        of_plan = "answers" in content
        uses = tuple(_use(use) for use in (content["answers"] if of_plan else [content]))
        if not uses:
            raise KeyError
        if of_plan:
            _texts(content["loss"]), _text(content["definition"])
        return Record(
            _texts(content["tables"]),
            {use.mechanism: _stamp(content["certificates"][use.mechanism]) for use in uses},
            uses,
            _claims(content) if of_plan else (),
            content,
        )
    except (KeyError, TypeError, AttributeError):
        raise NoRecord("the record names its tables, code and claims") from None


def _use(use: Mapping[str, Any]) -> Use:
    said = (f"{_text(g['definition'])}, for {_text(g['applies_to'])}" for g in use["satisfies"])
    query = _text(use["query"]) if "query" in use else ""
    return Use(query, _text(use["mechanism"]), _claims(use), tuple(said), use)


def _claims(use: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(_text(entry["claim"]) for entry in use["rests_on"])


def _stamp(stamp: Mapping[str, Any]) -> Stamp:
    if stamp.get("status") != "current":
        return Stamp(False)
    identity, version = _text(stamp["identity"]), stamp.get("format", 2)
    if version == 2:
        return Stamp(True, identity, version, sources=_texts(stamp["sources"]))
    return Stamp(True, identity, _number(version), _text(stamp["code"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _texts(value: Mapping[str, Any]) -> dict[str, str]:
    return {_text(key): _text(own) for key, own in value.items()}
