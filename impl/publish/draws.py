"""What a release drew, told on request: the word of each cell, and how many bits decided it.

Whoever has a cell's word and its released number has its count, but for rounding: the file is as confidential
as the data. It is written for its owner's eyes only, never into the folder of the release, and a release that
fails leaves none. ``establish.proofs_check.certification.redecided`` decides again what was drawn.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from establish.impl.budget.books import Books
from establish.impl.mechanisms import Mechanism
from establish.impl.production import require_no_link
from establish.impl.publish.cells import opened
from establish.impl.publish.counts import Release, release_cells
from establish.impl.publish.ready import Ready, ready_for
from establish.impl.sampling.bits import Bits, PartKeys
from establish.impl.tables.column_roles import Asked
from establish.impl.tables.files import place_of
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.signing import Signer

HEADER = "cell,bits,word"
WORD = 64
"""Bits of a word."""

LINE = re.compile(r"([0-9]{1,12}),([0-9]{1,6}),(0x[0-9a-f]{16})")


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

    def told(self) -> Iterator[str]:
        """A line for each word that was given, in order."""
        words = np.concatenate(self._given).tolist() if self._given else []
        for cell, word in enumerate(words):
            yield f"{cell},{WORD * (1 + self._more.get(cell, 0))},{word:#018x}\n"


def release_and_tell(
    source: Path,
    out: Path,
    mechanism: Mechanism,
    *,
    draws: Path,
    asked: Asked,
    in_production: bool = False,
    seed: int | None = None,
    force: bool = False,
    books: Books | None = None,
    sign: Signer | None = None,
    **options: Any,
) -> Release:
    """The release of ``asked``, as :func:`release_table` makes it, and its draws in the file ``draws``.

    in_production: allows that where the release is in production, where it is refused otherwise. options: of
    :func:`release_cells`. The others are those of :func:`release_table`. Raises as they do, and
    ParameterError where ``draws`` exists or lies in the folder of ``out``.
    """
    ready = ready_for(source, out, seed=seed, force=force, books=books, sign=sign)
    with _telling(ready, draws, in_production) as told, opened(source, asked, strict=ready.strict) as cells:
        return release_cells(told, cells, mechanism, **options)


@contextmanager
def _telling(ready: Ready, path: Path, in_production: bool) -> Iterator[Ready]:
    """The same release, whose bits remember: afterwards what they gave is in the file; after a failure there
    is none.
    """
    if ready.strict and not in_production:
        raise ParameterError(
            f"draws = {path} is refused in production, as who has draws has the counts: allow it by "
            "in_production"
        )
    if ready.strict:
        require_no_link(path)
    if place_of(path).is_relative_to(place_of(ready.out.parent)):
        raise ParameterError(f"draws = {path} lies in the folder of the release: choose another folder")
    if place_of(path) in map(place_of, ready.books.files):
        raise ParameterError(f"draws = {path} belongs to the ledger: choose another name")
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise ParameterError(f"draws = {path} cannot be made: {error.strerror}") from None
    bits = Telling.secret() if ready.seed is None else Telling.seeded(ready.seed)
    assert isinstance(bits, Telling), "made by the class that was asked"
    try:
        with open(file, "w", encoding="ascii") as told:
            yield replace(ready, bits=bits)
            told.writelines([f"{HEADER}\n", *bits.told()])
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def read(path: Path) -> NDArray[np.uint64]:
    """The words of the cells, in order. Raises ParameterError for a file of another form."""
    try:
        header, *lines = path.read_text("ascii").splitlines() or [""]
    except OSError as error:
        raise ParameterError(f"draws = {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        header, lines = "", []
    found = [LINE.fullmatch(line) for line in lines]
    if header != HEADER or [one and int(one[1]) for one in found] != [*range(len(lines))]:
        raise ParameterError(f"draws = {path} is no file of draws: its lines are {HEADER}, in order")
    return np.array([int(one[3], 16) for one in found if one], np.uint64)
