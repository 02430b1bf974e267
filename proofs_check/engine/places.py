"""The numbered statements that a place names: "Definitions 7.1 and 7.2" names two, "(4.6)" an equation."""

import re
from collections.abc import Iterator

SHORT = {
    "alg": "algorithm",
    "app": "appendix",
    "cor": "corollary",
    "def": "definition",
    "eq": "equation",
    "eqn": "equation",
    "ex": "example",
    "fig": "figure",
    "fn": "footnote",
    "lem": "lemma",
    "prop": "proposition",
    "sec": "section",
    "tab": "table",
    "thm": "theorem",
}
"""How kinds of statements are shortened, with a point or without."""

KINDS = (*SHORT.values(), "case", "claim", "fact", "finding", "item", "option", "remark", "step")

_NUMBER = r"(?:\d+|[A-Z])(?:\.\d+)*(?!\w)"
_JOINT = r"(?:,| and|, and| to|[-–])\s*"
_BARE_LIST = rf"\({_NUMBER}\)(?:{_JOINT}\({_NUMBER}\))*"
_LIST = rf"{_NUMBER}(?:{_JOINT}{_NUMBER})*|{_BARE_LIST}"
_KIND = "|".join(sorted({*KINDS, *SHORT}, key=len, reverse=True))
_NAMED = re.compile(rf"(?<!\w)(?i:({_KIND})s?)\.?\s*({_LIST})")
_BARE = re.compile(rf"(?:(?<=[\s;,])|^){_BARE_LIST}")


def statements(place: str) -> frozenset[tuple[str, str]]:
    """Kind and number of every statement that ``place`` names; each of a list, and those of a range."""
    found = {
        (SHORT.get(kind.lower(), kind.lower()), number)
        for kind, numbers in _NAMED.findall(place)
        for number in _each(numbers)
    }
    rest = _NAMED.sub("-", place)
    return frozenset(found | {("equation", n) for m in _BARE.finditer(rest) for n in _each(m[0])})


def statement(place: str) -> tuple[str, str] | None:
    """The one statement that ``place`` is, and nothing more; None when it says anything else."""
    asked = place.strip()
    named = statements(asked)
    whole = _NAMED.fullmatch(asked) or _BARE.fullmatch(asked)
    return next(iter(named)) if whole and len(named) == 1 else None


def _each(numbers: str) -> Iterator[str]:
    before = ""
    for joint, number in re.findall(rf"(to|[-–])?\s*\(?({_NUMBER})", numbers):
        head, _, last = number.rpartition(".")
        if joint and before.rpartition(".")[0] == head and last.isdigit():
            first = int(before.rpartition(".")[2])
            yield from (f"{head}.{k}" if head else f"{k}" for k in range(first + 1, int(last)))
        yield number
        before = number
