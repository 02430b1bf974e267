"""What a release drew, told on request: the word of each cell, and how many bits decided it.

Whoever has a cell's word and its released number has its count, but for rounding: the file is as confidential
as the data. It is written for its owner's eyes only, never into the folder of the release, and a release that
fails leaves none. ``establish.proofs_check.certification.redecided`` decides again what was drawn.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from establish.impl.publish.ready import Ready
from establish.impl.sampling.bits import Bits, PartKeys
from establish.impl.tables.files import place_of
from establish.spec.parameters import ParameterError

HEADER = "cell,bits,word"
WORD = 64
"""Bits of a word."""


class Telling(Bits):
    """A stream that remembers the words it gave, and how many more extended each of them."""

    def _start(self, key: bytes) -> None:
        super()._start(key)
        self._given: list[NDArray[np.uint64]] = []
        self._more: dict[int, int] = {}

    def fill(self, words: NDArray[np.uint64]) -> int:
        first = super().fill(words)
        self._given.append(words.copy())
        return first

    def further(self, position: int) -> Iterator[int]:
        self._more[position] = 0
        for word in super().further(position):
            self._more[position] += 1
            yield word

    def for_parts(self, table: str, cells: int) -> PartKeys:
        raise ParameterError(f"draws of {table} are not told: its parts draw from streams of their own")

    def told(self, cells: int) -> Iterator[tuple[int, int]]:
        """(bits, word) of each cell. Raises ParameterError for a mechanism that draws more or fewer words."""
        words = np.concatenate(self._given) if self._given else np.empty(0, np.uint64)
        if words.size != cells:
            raise ParameterError(f"draws are not told: {cells} cells drew {words.size} words")
        bits = (WORD * (1 + self._more.get(cell, 0)) for cell in range(cells))
        return zip(bits, map(int, words), strict=True)


@contextmanager
def telling(ready: Ready, path: Path | None, in_production: bool) -> Iterator[Ready]:
    """The same release, whose bits remember; at its end what they gave is in ``path``, and after a failure no
    such file is there. Without a path nothing is told.

    in_production: whether that is asked for by name where the release is in production. Raises ParameterError
    for a path that exists, or that lies in the folder of the release.
    """
    if path is None:
        yield ready
        return
    if ready.strict and not in_production:
        raise ParameterError(
            f"draws = {path} is refused in production: whoever has draws has the counts; ask by name with "
            "draws_in_production"
        )
    if place_of(path.parent) == place_of(ready.out.parent):
        raise ParameterError(f"draws = {path} lies in the folder of the release: choose another folder")
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ParameterError(f"draws = {path} cannot be made: {error.strerror}") from None
    bits = Telling.secret() if ready.seed is None else Telling.seeded(ready.seed)
    try:
        with open(file, "w", encoding="ascii") as told:
            yield replace(ready, bits=bits, draws=told)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def write(ready: Ready, cells: int) -> None:
    """What was drawn for each of the cells, where it is told; before anything is spent or published."""
    if ready.draws is not None and isinstance(ready.bits, Telling):
        lines = (f"{cell},{bits},{word:#018x}\n" for cell, (bits, word) in enumerate(ready.bits.told(cells)))
        ready.draws.writelines([f"{HEADER}\n", *lines])


def read(path: Path) -> NDArray[np.uint64]:
    """The words of the cells, in order. Raises ParameterError for a file of another form."""
    header, *lines = path.read_text("ascii").splitlines() or [""]
    try:
        rows = [(int(cell), int(word, 16)) for cell, _, word in (line.split(",") for line in lines)]
    except ValueError:
        rows = []
    if header != HEADER or len(rows) != len(lines) or [cell for cell, _ in rows] != [*range(len(rows))]:
        raise ParameterError(f"draws = {path} is no file of draws: its lines are {HEADER}, in order")
    return np.array([word for _, word in rows], np.uint64)
