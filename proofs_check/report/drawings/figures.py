"""The figures that a verdict itself gives: numbers that its evidence compares, intervals, a printed entry.

They serve claims whose refutation is not one point of a statement object. Nothing is computed here: every
number is read from the record or the evidence of the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.verdicts import Evidence, Outcome
from establish.proofs_check.report.drawings.drawing import Drawing
from establish.proofs_check.report.drawings.shapes import compared, number_line, ranges

MOST = 4
"""Comparisons that are drawn at most."""

_N = r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?:/\d+)?"
_COMPARED = re.compile(
    rf"(?P<words>.+?): (?:not so: )?(?:[^;]*; )?(?P<left>{_N}) (?P<relation>[<>≤≥]=?) (?P<right>{_N})$"
)
_MARGIN = re.compile(rf"(?P<words>.+): average difference (?P<middle>{_N}), margin (?P<half>{_N})$")
_RANGE = re.compile(rf"(?P<words>[^;±]*?)(?P<middle>{_N}) ± (?P<half>{_N})(?P<more> \([^)]*\))?")
_ENTRY = re.compile(rf" is (?P<number>{_N})\.$")
_VALUE = re.compile(rf"(?P<words>[^:]*: )?(?P<middle>{_N})(?: ± (?P<half>{_N}))?$")
_DECIMAL = re.compile(r"\d+\.\d{2,}|\d+/\d+")


def of_record(record: Record, pieces: Sequence[Evidence]) -> Drawing | None:
    """A drawing of what the verdict's own words and evidence give as numbers; None where they give none."""
    return _entry(record) or _intervals(record, pieces) or _comparisons(record, pieces)


def _entry(record: Record) -> Drawing | None:
    """A misprinted number, what the printed settings give, and what those give that are meant."""
    printed = _ENTRY.search(record.statement)
    given, meant = _VALUE.match(record.counterexample), _VALUE.match(record.value)
    if record.verdict != Outcome.MISPRINT or not (printed and given and meant):
        return None
    number = printed["number"]
    half = Fraction(1, 2 * 10 ** len(number.partition(".")[2]))
    low, high = (float(Fraction(number) + side * half) for side in (-1, 1))
    svg = number_line(
        [
            (f"printed: {number}", float(number), "square"),
            (f"as meant: {meant['middle']}", float(meant["middle"]), "circle"),
            (f"as set: {given['middle']}", float(given["middle"]), "circle"),
        ],
        (low, high),
    )
    text = (
        f"Printed is {number} (square); what rounds to it lies between {low:.12g} and {high:.12g}. With the "
        f"settings that the text gives, {record.counterexample} (disk 'as set'). As meant it is "
        f"{record.value}: {record.condition.partition(';')[0]}."
    )
    return Drawing("number line", "The entry as printed and as meant", text, svg)


def _intervals(record: Record, pieces: Sequence[Evidence]) -> Drawing | None:
    """Average differences with their margins, from the evidence, else from the counterexample."""
    rows = [
        (f"{at['words']}: {at['middle']} ± {at['half']}", float(at["middle"]), float(at["half"]))
        for piece in pieces
        if not piece.aside and (at := _MARGIN.match(piece.says))
    ]
    tested = bool(rows)
    if not rows:
        rows = list(_told(record.counterexample))
    if not rows:
        return None
    said = ". ".join(words for words, _, _ in rows)
    counted = "; each counts from the bound that its words name, and is positive where they hold"
    text = (
        f"Averages of differences (thick strokes) with their margins (hatched) beside 0 (dashes)"
        f"{counted if tested else ''}: {said}."
    )
    return Drawing("intervals", "Averages and their margins", text, ranges(rows, "difference"))


def _told(text: str) -> Iterator[tuple[str, float, float]]:
    for at in _RANGE.finditer(text):
        words = f"{at['words'].strip(' ;')} {at['middle']} ± {at['half']}{at['more'] or ''}"
        yield words.strip(), float(at["middle"]), float(at["half"])


def _comparisons(record: Record, pieces: Sequence[Evidence]) -> Drawing | None:
    """Bars for both sides of what the evidence compares: what the counterexample names, or differs most."""
    found = [at for piece in pieces if not piece.decides and (at := _COMPARED.match(piece.says))]
    found = [at for at in found if min(_number(at["left"]), _number(at["right"])) >= 0]
    named = [at for at in found if _is_named(at, f"{record.counterexample} {record.value}")]
    found = (named or sorted(found, key=_likeness))[:MOST]
    if not found:
        return None
    rows = []
    for at in found:
        other = at["words"].rpartition(" against ")[2] if " against " in at["words"] else ""
        left, right = _number(at["left"]), _number(at["right"])
        rows.append((at["words"], ((_label("", at["left"]), left), (_label(other, at["right"]), right))))
    said = ". ".join(f"{at['words']}: {at['left']} {at['relation']} {at['right']}" for at in found)
    text = f"Each pair of bars has a scale of its own; the hatched bar is the first number. {said}."
    return Drawing("comparison", "What the evidence compares", text, compared(rows))


def _number(text: str) -> float:
    return float(Fraction(text))


def _likeness(at: re.Match[str]) -> float:
    """The smaller number over the larger one."""
    left, right = _number(at["left"]), _number(at["right"])
    return min(left, right) / (max(left, right) or 1.0)


def _label(words: str, number: str) -> str:
    shown = number if "/" in number or len(number) < 10 else f"{float(number):.8g}"
    return f"{shown} ({words})" if words else shown


def _is_named(at: re.Match[str], text: str) -> bool:
    """Whether one of both numbers stands in a text, where it may be cut short."""
    for told in _DECIMAL.findall(text):
        for side in (at["left"], at["right"]):
            if side == told or ("." in told and side.startswith(told)):
                return True
    return False
