"""What a sampler is: a law on the integers, and ways to draw from it in floats."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.sampling.escalation import IntegerLaw
from establish.impl.sampling.workspace import Workspace

Cells = slice | NDArray[np.intp]
"""Consecutive cells, or their numbers."""

Words = NDArray[np.uint64]
Positions = Integers


def part(x: Floats, cells: Cells) -> Floats:
    """What ``x`` has for these cells: a single number serves all."""
    return x[cells] if x.ndim else x


class FirstTry(Protocol):
    """A quick way to most outputs."""

    def settle(self, cells: slice, words: Words, values: Floats, work: Workspace) -> NDArray[np.intp]:
        """Put the outputs of these cells, drawn as ``words``, into ``values``.

        Returns the places, counted from 0, whose output is open; what ``values`` holds there means nothing.
        """


class Sampler(Protocol):
    """A law on the integers with a way to evaluate it in floats."""

    @property
    def law(self) -> IntegerLaw: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def evaluate(
        self, cells: Cells, signed: Floats, a: Floats, unit: float, work: Workspace
    ) -> tuple[Floats, Floats]:
        """(t, B) for at most CHUNK cells, in buffers of ``work``.

        signed: the drawn integers v as floats; a = |signed|. The output is the quantile at
        p = (V mod 2^64)/2^64 with V in (v, v + unit). B holds for a ≥ max(FLOOR, 2·unit).
        """

    def chords(self) -> FirstTry | None:
        """The first try for long arrays, where there is one."""
