"""JJ files, the form in which Tau-Argus and sdcTable exchange suppression problems.

A line ``0``; the number of cells; a line ``index value weight status lb ub lpl upl spl`` for each, with
its true value; the number of sums; a line ``rhs n : index (factor) index (factor) ...`` for each.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from establish.impl.suppression.attacker_bounds import true_value
from establish.impl.suppression.cells import Cells, Entry, Number
from establish.impl.suppression.confidential import private_file
from establish.impl.suppression.layout import PUBLISHED, SUPPRESSED, Layout
from establish.impl.suppression.sums import Problem, Sum
from establish.impl.suppression.verdicts import Level
from establish.impl.tables.dialects import why_unreadable
from establish.spec.parameters import ParameterError, exact

JJ = Layout(
    by=("cell",), value="value", status="status", dash="", true="value", lower="lb", upper="ub", lpl="lpl",
    upl="upl", spl="spl",
)  # fmt: skip
"""The layout of the cells of such a file: one label, the index."""

_SUM = re.compile(r"(\S+)\s+(\d+)\s*:\s*(.*)")
_TERM = re.compile(r"(\d+)\s*\(\s*([+-]?\d+)\s*\)")


def read_jj(path: Path) -> tuple[Cells, list[Sum]]:
    """The cells by their index, and the sums. Raises ParameterError that names the line that is wrong."""
    try:
        lines = [line.strip() for line in path.read_text("utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise ParameterError(f"TABLE = {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ParameterError(f"TABLE: {why_unreadable(path, separated=False)}") from None
    at = 1
    try:
        cells: Cells = {}
        for line in lines[2 : 2 + int(lines[1])]:
            at += 1
            index, value, _, status, lb, ub, lpl, upl, spl = line.split()
            _require(status in (*PUBLISHED, *SUPPRESSED) and (index,) not in cells)
            numbers = {"value": value, "lb": lb, "ub": ub, "lpl": lpl, "upl": upl, "spl": spl}
            extra = {name: _number(text) for name, text in numbers.items()}
            cells[(index,)] = Entry(None if status in SUPPRESSED else extra["value"], extra)
        at += 1
        _require(len(cells) == int(lines[1]) and len(lines) == at + 1 + int(lines[at]))
        place = {index: k for k, (index,) in enumerate(cells)}
        sums = []
        for line in lines[at + 1 :]:
            at += 1
            sums.append(_sum(line, place))
    except (ValueError, KeyError, IndexError):
        raise ParameterError(f"TABLE = {path}: line {at + 1} is not one of a JJ file") from None
    return cells, sums


def _sum(line: str, place: Mapping[str, int]) -> Sum:
    found = _SUM.fullmatch(line)
    _require(found is not None)
    assert found is not None
    terms = _TERM.findall(found[3])
    _require(len(terms) == int(found[2]) and _TERM.sub("", found[3]).strip() == "")
    places = [(place[index], int(factor)) for index, factor in terms]
    _require(len(dict(places)) == len(places) > 0)
    return Sum(tuple(places), _number(found[1]))


def _require(met: bool) -> None:
    if not met:
        raise ValueError


def _number(text: str) -> Number:
    value = exact("value", text)
    return value.numerator if value.denominator == 1 else value


def write_jj(path: Path, problem: Problem, cells: Cells, layout: Layout, levels: Mapping[int, Level]) -> None:
    """The problem as such a file, of mode 600: it holds the true value of every cell.

    Bounds are those of the columns of the layout, else 0 and ten times the largest value. Raises
    ParameterError for a cell without a true value, or when the table leaves out a total.
    """
    if len(problem.cells) > problem.listed:
        raise ParameterError("a JJ file needs every total: the table leaves some out")
    true = [Fraction(true_value(layout.named(cell), entry, layout)) for cell, entry in cells.items()]
    most = 10 * max(abs(value) for value in true)
    with private_file("--jj", path) as file:
        file.write(f"0\n{len(cells)}\n")
        for place, (entry, value) in enumerate(zip(cells.values(), true, strict=True)):
            level = levels.get(place, Level(Fraction(0), Fraction(0), Fraction(0)))
            status = "s" if entry.value is not None else "u" if place in levels else "m"
            low, high = entry.extra.get(layout.lower, 0), entry.extra.get(layout.upper, most)
            numbers = (low, high, level.below, level.above, level.width)
            file.write(f"{place} {value} {value} {status} {' '.join(map(str, numbers))}\n")
        file.write(f"{len(problem.sums)}\n")
        for found in problem.sums:
            terms = " ".join(f"{place} ({factor})" for place, factor in found.terms)
            file.write(f"{found.right} {len(found.terms)} : {terms}\n")
