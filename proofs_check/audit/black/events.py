"""Events: sets of outputs that can be said in words."""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.audit.question.level import Floats
from establish.proofs_check.audit.question.outcomes import FIRST_SIGN, said, signs


@dataclass(frozen=True)
class Feature:
    """One number computed from each output. cost: how hard it is to say, 0 for the output itself."""

    words: str
    of: Callable[[Floats], Floats]
    cost: int = 0
    skip: int = 0
    """So many outputs of the learning half went into the feature itself."""
    rows: int = sys.maxsize
    """So many outputs it is learned from, and scored on, at most."""
    sides: tuple[str, str] = ("", "")
    """For a feature that is 0 or 1: what the two mean."""


@dataclass(frozen=True)
class Range:
    """low ≤ feature < high, or outside of it; an infinite end is left out.

    What is no number (see ``outcomes``) lies in no range without an upper end, but for that of all such.
    """

    feature: Feature
    low: float
    high: float
    inside: bool = True

    @property
    def one_sided(self) -> bool:
        """Whether it is a threshold."""
        return self.inside and math.isfinite(self.low) != math.isfinite(self.high)

    @property
    def single(self) -> bool:
        """Whether it is one value."""
        return self.high == math.nextafter(self.low, math.inf)

    @property
    def cost(self) -> int:
        ends = math.isfinite(self.low) + math.isfinite(self.high)
        form = 0 if ends == 1 else 1 if self.single else 2
        return 4 * self.feature.cost + form + (not self.inside)

    def holds(self, outputs: Floats) -> NDArray[np.bool_]:
        return self.within(self.feature.of(outputs))

    def within(self, value: Floats) -> NDArray[np.bool_]:
        """The same, from the values of the feature."""
        within: NDArray[np.bool_] = self.low <= value
        if math.isfinite(self.high):
            within &= value < self.high
        elif self.low < FIRST_SIGN:
            within &= ~signs(value)
        return within if self.inside else ~within

    def __str__(self) -> str:
        name = self.feature.words
        if self.low == FIRST_SIGN or (self.low, self.high) == (-math.inf, FIRST_SIGN):
            return f"{name} is {'a' if (self.high == FIRST_SIGN) == self.inside else 'no'} number"
        if any(self.feature.sides):
            return self.feature.sides[(self.low <= 1 < self.high) == self.inside]
        if self.single:
            return f"{name} {'=' if self.inside else '≠'} {number(self.low)}"
        if not math.isfinite(self.low):
            return f"{name} {_above(self.high, '<', '≤') if self.inside else _above(self.high)}"
        if not math.isfinite(self.high):
            return f"{name} {_above(self.low) if self.inside else _above(self.low, '<', '≤')}"
        text = f"{number(self.low)} ≤ {name}"
        if self.high != FIRST_SIGN:
            text += f" < {number(self.high)}"
        return text if self.inside else f"not {text}"


@dataclass(frozen=True)
class Among:
    """The feature has one of finitely many values."""

    feature: Feature
    values: tuple[float, ...]

    @property
    def cost(self) -> int:
        return 4 * self.feature.cost + 4

    def holds(self, outputs: Floats) -> NDArray[np.bool_]:
        return self.within(self.feature.of(outputs))

    def within(self, value: Floats) -> NDArray[np.bool_]:
        """The same, from the values of the feature."""
        return np.isin(value, self.values)

    def share(self, ordered: Floats) -> float:
        """The share of the values of the feature, in ascending order, that are among these."""
        starts = np.searchsorted(ordered, self.values, side="left")
        ends = np.searchsorted(ordered, self.values, side="right")
        return float((ends - starts).sum() / ordered.size)

    def __str__(self) -> str:
        shown = ", ".join(map(number, self.values[:8]))
        more = f", … ({len(self.values)} values)" if len(self.values) > 8 else ""
        return f"{self.feature.words} in {{{shown}{more}}}"


@dataclass(frozen=True)
class Both:
    """Several events at once."""

    parts: tuple[Range, ...]

    @property
    def cost(self) -> int:
        return 3 + sum(part.cost for part in self.parts)

    def holds(self, outputs: Floats) -> NDArray[np.bool_]:
        within = [part.holds(outputs) for part in self.parts]
        return np.asarray(np.logical_and.reduce(within), dtype=np.bool_)

    def __str__(self) -> str:
        return " and ".join(map(str, self.parts))


Event = Range | Among | Both
"""A set of outputs; ``cost`` says how complicated it is, since simpler ones make better witnesses."""


def number(value: float) -> str:
    """``value`` to nine digits; integers without a point; what is no number in words."""
    if words := said(value):
        return words
    whole = math.isfinite(value) and abs(value) < 1e15 and value == int(value)
    return str(int(value)) if whole else f"{value:.9g}"


def _above(end: float, at: str = "≥", beyond: str = ">") -> str:
    """``≥ end``; where ``end`` is the float after a shorter number, that number with the other sign."""
    before = math.nextafter(end, -math.inf)
    if len(repr(before)) < len(repr(end)):
        return f"{beyond} {number(before)}"
    return f"{at} {number(end)}"
