"""The certificate of an audit, as a file: one fact per line, checked by ``verify.py`` alone.

The first line says how the table was read, against which attacker, and the SHA-256 of the files. Then, as
JSON: ``["table", {cell: value}]``, first of all unknown cells, then of those that change;
``["end", {sum: factor}, side, cell, bound, reached]``; ``["direction", {cell: change}, [[side, cell], ...]]``
for ends at infinity. Cells and sums are numbered in the order in which the table, and the checker, meet them.
The last line is the SHA-256 of all before it.
"""

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

from establish.impl.suppression.confidential import private_file
from establish.impl.suppression.layout import Attacker, Layout
from establish.impl.suppression.presolve import LOWER
from establish.impl.suppression.search import Exact
from establish.impl.suppression.sums import Problem
from establish.spec.disclosure_limitation.linear_bounds import Vector

VERSION = 1


class CertificateWriter:
    """Takes the answers of an audit as they are found: a ``Sink``."""

    def __init__(self, problem: Problem, draft: TextIO) -> None:
        self._problem, self._draft = problem, draft
        self._first: dict[int, Exact] = {}
        self._change: Mapping[int, Exact] = {}
        self._ends: list[tuple[str, int]] = []

    def table(self, changes: Mapping[int, Exact]) -> None:
        # An unknown that is set for the first time has this value from the start.
        later = {place: value for place, value in changes.items() if place in self._first}
        for place, value in changes.items():
            self._first.setdefault(place, value)
        self._flush()
        if later:
            self._fact("table", self._values(later))

    def end(self, place: int, side: int, bound: Exact, dual: Vector, inner: Exact) -> None:
        self._flush()
        cell = self._problem.unknown[place]
        ends = [_text(Fraction(v) / self._problem.scale) for v in (bound, inner)]
        factors = {row: _text(Fraction(factor)) for row, factor in dual.items()}
        self._fact("end", factors, _side(side), cell, *ends)

    def direction(self, changes: Mapping[int, Exact]) -> None:
        self._flush()
        self._change = changes

    def unbounded(self, place: int, side: int) -> None:
        self._ends.append((_side(side), self._problem.unknown[place]))

    def first(self) -> str:
        """The line of the table with which every unknown starts. To be called last."""
        self._flush()
        return _line("table", self._values(self._first))

    def _values(self, changes: Mapping[int, Exact]) -> dict[int, Any]:
        scale, unknown = self._problem.scale, self._problem.unknown
        return {unknown[p]: _text(Fraction(v) / scale) for p, v in changes.items()}

    def _flush(self) -> None:
        if self._ends:
            unknown = self._problem.unknown
            change = {unknown[p]: _text(Fraction(v)) for p, v in self._change.items()}
            self._fact("direction", change, self._ends)
            self._ends = []

    def _fact(self, *fact: object) -> None:
        self._draft.write(_line(*fact))


@contextmanager
def certificate_file(
    path: Path, inputs: Sequence[Path], layout: Layout, attacker: Attacker, problem: Problem
) -> Iterator[CertificateWriter]:
    """A writer; the file of mode 600 is there when the block ends well."""
    with (
        private_file("--certificates", path) as file,
        tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n") as draft,
    ):
        writer = CertificateWriter(problem, draft)
        yield writer
        digest = hashlib.sha256()
        head = {
            "format": VERSION,
            "layout": layout.record(),
            "attacker": attacker.record(),
            "inputs": [hashlib.sha256(p.read_bytes()).hexdigest() for p in inputs],
        }
        first = writer.first()
        draft.seek(0)
        for line in (json.dumps(head, ensure_ascii=False) + "\n", first):
            digest.update(line.encode())
            file.write(line)
        for line in draft:
            digest.update(line.encode())
            file.write(line)
        file.write(digest.hexdigest() + "\n")


def _line(*fact: object) -> str:
    return json.dumps(fact, separators=(",", ":")) + "\n"


def _side(side: int) -> str:
    return "lower" if side == LOWER else "upper"


def _text(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else str(value)
