"""Rows that are no disjoint cells: what is counted in two of them would be released twice for one ε."""

import re
import shlex
from collections.abc import Sequence
from unicodedata import normalize

from establish.impl.arrays import Floats
from establish.impl.tables.formulas import STARTS
from establish.impl.tables.table import Table
from establish.impl.tables.texts import CODES
from establish.spec.disclosure_limitation.code_systems import CODE_SYSTEMS, CodeSystem
from establish.spec.parameters import ParameterError

_TOTAL = re.compile(
    r"(grand |sub-? ?)?totals?\b.*|.*\btotals?|(all|both)\b.*|overall|sum|aggregate|statewide|nationwide|"
    r"national|united states|u\.?s\.?(a\.?)?"
)
_SUSPECT = (
    rf"(?i)^[{STARTS}]|total|[^\x01-\x7f]|"
    r"^[\x01- ]*(all|both|overall|sum|aggregate|(state|nation)wide|national|united|u\.?s)"
)
"""Found in every label that is a total, as far as :func:`is_total` tells, or begins as a formula does."""

FEW = 1000
"""So many rows tell of most columns that they hold no codes."""

MOST_TOLD = 8
"""So many codes are told at most."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def is_total(label: str) -> bool:
    """Whether a label reads like that of a total, such as ``Total``, ``All industries`` or ``U.S. total``."""
    if label.isdigit():  # as most codes are
        return False
    return _TOTAL.fullmatch(" ".join(label.casefold().split())) is not None


def require_unlike(table: Table, labels: Sequence[str]) -> None:
    """Raise ParameterError where two rows have the same labels, as one cell in two rows has."""
    pair = table.said.alike(labels)
    if pair is None:
        for column in labels:
            _require_one_form(table, column)
        return
    first, second = pair
    if not labels:
        raise ParameterError(
            f"rows {first} and {second} have no label, so no budget is spent: with --keep COLUMN, name the "
            "columns that tell the cells apart"
        )
    raise ParameterError(
        f"rows {first} and {second} have the same labels ({', '.join(labels)}; capitals and spaces make no "
        "difference), so one cell would be released twice for one ε; no budget is spent: remove one row, add "
        "the two up, or keep a column that tells them apart with --keep COLUMN"
    )


def _require_one_form(table: Table, column: str) -> None:
    """Raise ParameterError where two labels differ in the form of letters alone, as A and the wide Ａ do."""
    odd = {text for text in suspect(table, column) if normalize("NFKC", text) != normalize("NFC", text)}
    plain = {_shape(text): text for text in odd and table.said.distinct(column) if text not in odd}
    for text in sorted(odd):
        if (same := plain.setdefault(_shape(text), text)) != text:
            raise ParameterError(
                f"column {column} has the labels {same} and {text}, which are one label in two forms of "
                "letters, so one cell could be released twice for one ε; no budget is spent: write both alike"
            )


def _shape(text: str) -> str:
    return " ".join(normalize("NFKC", text).casefold().split())


def suspect(table: Table, column: str) -> Sequence[str]:
    """The labels that may be totals, or formulas: few, which are found in one pass."""
    return [] if table.said.all_are(column, CODES) else table.said.distinct(column, _SUSPECT)


def codes_with_parts(labels: Sequence[str]) -> list[str]:
    """The labels that are codes of which others are a part, where all are codes of one public system."""
    for system in CODE_SYSTEMS.values():
        codes = _codes(system, labels)
        wholes = {whole for code in codes.values() for whole in _above(system, code)}
        found = sorted(label for label, code in codes.items() if code in wholes)
        if found:
            return found
    return []


def _codes(system: CodeSystem, labels: Sequence[str]) -> dict[str, str]:
    """The codes that the labels write; none where one is no code of the system."""
    try:
        return {label: system.read(label.strip()) for label in labels}
    except ParameterError:
        return {}


def _above(system: CodeSystem, code: str) -> list[str]:
    """All codes that a code is part of."""
    found: list[str] = []
    above = system.above(code)
    while above is not None:
        found.append(above)
        above = system.above(above)
    return found


def require_no_total(table: Table, labels: Sequence[str], where: str | None) -> None:
    """Raise ParameterError where a column has a total beside other labels, with what to type.

    A total is a label that reads like one, or a code of which other labels are a part.
    """
    found: dict[str, list[str]] = {}
    longest: dict[str, int] = {}
    for column in labels:
        totals = sorted(filter(is_total, suspect(table, column)))
        few = [text for text in table.said.codes(column, first=FEW) if text and text not in totals]
        if few and not totals and not any(_codes(system, few) for system in CODE_SYSTEMS.values()):
            continue
        every = table.said.codes(column)
        longest[column] = max(map(len, every), default=0)
        totals += codes_with_parts([text for text in every if text and text not in totals])
        if totals and len(totals) < len(every):
            found[column] = totals
    if not found:
        return
    told = "; ".join(f"{column} = {_first(texts)}" for column, texts in found.items())
    parts = [f"({where})"] if where else []
    for column, texts in found.items():
        parts += _without(column, texts, longest[column], is_text=table.said.is_text(column))
    raise ParameterError(
        f"a total beside its parts ({told}) would count establishments twice for one ε; no budget is spent: "
        f"leave totals out with --where {_typed(' AND '.join(parts))} and release them separately, at their "
        "own cost, or pass --disjoint if they are not totals"
    )


def _first(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - MOST_TOLD:,} more" if len(texts) > MOST_TOLD else ""
    return ", ".join(texts[:MOST_TOLD]) + more


def _without(column: str, texts: Sequence[str], longest: int, *, is_text: bool) -> list[str]:
    """Conditions that leave these labels out: each by name, or many by their length."""
    name, shorter = _identifier(column), max(map(len, texts))
    if len(texts) > MOST_TOLD and shorter < longest:
        return [f"length({name}) > {shorter}" if is_text else f"{name} >= {10**shorter}"]
    quoted = (text.replace("'", "''") for text in texts)
    return [f"{name} IS DISTINCT FROM '{text}'" for text in quoted]


def sums(table: Table, labels: Sequence[str], counts: Floats) -> list[str]:
    """For whoever releases, and nobody else: rows that hold as many as those that differ in one label.

    That is no reason to refuse them: whether a table is released must not follow its counts.
    """
    told = []
    for column in labels:
        row = table.said.sum_of_others([other for other in labels if other != column], counts)
        if row is not None:
            told.append(
                f"row {row} equals the sum of the rows that differ from it only in {column}: if it is their "
                "total, the privacy loss of this release is twice what its record says"
            )
    return told


def _typed(condition: str) -> str:
    """The condition in quotes of the shell, those that are easier to read where they do."""
    return shlex.quote(condition) if re.search(r'["$`\\!]', condition) else f'"{condition}"'


def _identifier(column: str) -> str:
    return column if _NAME.fullmatch(column) else '"' + column.replace('"', '""') + '"'
