"""The sentences of a source, and what becomes of each: a table beside its claims, without its text.

A sentence is known by its fingerprint: the first 16 hexadecimal digits of the SHA-256 of its words (NFKC,
lower case, letters and digits alone, joined by single blanks). Whoever has the source finds every sentence
again; others read the table, which names the place, the fate and the claims of each.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from establish.proofs_check.engine.tables import rows_of

COLUMNS = ("place", "fingerprint", "fate", "of", "why")
"""The header of a table. of: the claims, definition or convention that a fate names."""

Fate = Literal["claim", "definition", "convention", "narrative", "not checkable", "structure", "open"]
"""claim: claims judge it. definition: an object of ``spec/`` is it. convention: it is a named convention of
the source. narrative: it states no fact about a definition, mechanism, theorem or number. not checkable: it
states one that nothing public decides. structure: a heading, name, address, reference or mark. open: nothing
judges it yet.
"""

FATES: tuple[str, ...] = get_args(Fate)
NEEDS_OBJECT = ("claim", "definition", "convention")
NEEDS_REASON = ("not checkable",)

_TELLING = re.compile(
    r"[<>≤≥=]|\d|\b(?:all|any|every|only|never|at most|at least|private|privacy|always|no)\b", re.IGNORECASE
)
_CITED = re.compile(r"\[[\d,;–\- ]+\]")
_ENDS = re.compile(
    r"(?<=[.?!])(?:[\"')\]]|<sup>\d+</sup>)*\s+(?=[A-Z(\[\"$*])|(?<=[a-z)\]}][.?!])(?=[A-Z][a-z])"
)
_NO_END = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|resp|Fig|Eq|Sec|Def|Thm|App|Dr|al|etc|Ex|No|pp|St|U\.S|[A-Z])\.)$"
)


class CoverageError(Exception):
    """A table of sentences is none, or does not fit its source."""


def words_of(text: str) -> str:
    """The words that a fingerprint is taken of."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return " ".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def fingerprint(text: str) -> str:
    return hashlib.sha256(words_of(text).encode()).hexdigest()[:16]


def sentences(text: str) -> Iterator[str]:
    """The sentences, formulas, headings and rows of a text in their order, each once.

    A line is broken where a sentence ends; a line of its own is a unit of its own, however short.
    """
    seen: set[str] = set()
    for line in text.splitlines():
        parts: list[str] = []
        for part in _ENDS.split(line.strip()):
            if parts and _NO_END.search(parts[-1]):
                parts[-1] += " " + part
            else:
                parts.append(part)
        for part in parts:
            key = words_of(part)
            if key and key not in seen:
                seen.add(key)
                yield part


def is_telling(text: str) -> bool:
    """Whether a sentence has a number, a comparison or a word such as "any", "never" or "private" in it."""
    return bool(_TELLING.search(_CITED.sub("", text)))


@dataclass(frozen=True)
class Sentence:
    """One line of a table. of: what its fate names, in order. why: the reason where a fate needs one."""

    place: str
    fingerprint: str
    fate: str
    of: tuple[str, ...]
    why: str


@cache
def parse(text: str, source: str) -> tuple[Sentence, ...]:
    """The table in ``text``. Raises CoverageError, with the row, for what cannot be."""
    found: dict[str, Sentence] = {}
    start, row = f"{source}: the table of sentences must start with", f"{source}, row {{}} of its sentences:"
    for at, (place, print_, fate, of, why) in rows_of(text, COLUMNS, CoverageError, start, row):
        if not re.fullmatch("[0-9a-f]{16}", print_):
            raise CoverageError(f"{at} fingerprint {print_!r} is not 16 hexadecimal digits")
        if print_ in found:
            raise CoverageError(f"{at} fingerprint {print_} stands twice")
        if fate not in FATES:
            raise CoverageError(f"{at} fate {fate!r} is not one of {', '.join(FATES)}")
        if bool(of) != (fate in NEEDS_OBJECT):
            raise CoverageError(f"{at} a {fate} {'names nothing' if not of else 'names ' + of}")
        if fate in NEEDS_REASON and not why:
            raise CoverageError(f"{at} {fate} without a reason")
        found[print_] = Sentence(place, print_, fate, tuple(of.split()), why)
    return tuple(found.values())


def of_source(source: str) -> tuple[Sentence, ...]:
    """The sentences of a source; none where it has no table yet."""
    file = files("establish.proofs_check").joinpath("papers", source, "sentences.csv")
    return parse(file.read_text("utf-8"), source) if file.is_file() else ()


def compared(source: str, text: str) -> dict[str, list[str]]:
    """What of a text the table lacks, what of the table the text lacks, and narrative without a reason."""
    known = {sentence.fingerprint: sentence for sentence in of_source(source)}
    printed = {fingerprint(part): part for part in sentences(text)}
    return {
        "missing": [part for print_, part in printed.items() if print_ not in known],
        "not in the text": [print_ for print_ in known if print_ not in printed],
        "no reason": [
            part
            for print_, part in printed.items()
            if (row := known.get(print_)) and row.fate == "narrative" and is_telling(part) and not row.why
        ],
    }
