"""Group-by sums over public attributes and their levels, exact in integers.

A public attribute is held as codes into its few distinct labels, so that a level of a hierarchy (the
first digits of an industry code) is formed on the labels, never on the establishments.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.spec.parameters import ParameterError

Index = Integers | NDArray[np.int32]

LEVEL = re.compile(r"(?P<prefixed>.+)\[:(?P<digits>[1-9]\d?)\]|sector\((?P<sector>.+)\)")
"""How a derived level is written: ``naics[:5]``, ``sector(naics)``."""

SECTORS = {
    **dict.fromkeys(("31", "32", "33"), "31-33"),
    **dict.fromkeys(("44", "45"), "44-45"),
    **dict.fromkeys(("48", "49"), "48-49"),
}
"""The NAICS sectors that have more than one two-digit prefix (Census Bureau, NAICS 2022)."""


@dataclass(frozen=True)
class Codes:
    """A public attribute: establishment e has the label ``labels[codes[e]]``."""

    codes: Index
    labels: NDArray[np.object_]

    def mapped(self, of_label: Callable[[str], str]) -> Codes:
        """The level whose label is ``of_label`` of this one's."""
        labels, inverse = np.unique(
            np.array([of_label(label) for label in self.labels], dtype=object), return_inverse=True
        )
        return Codes(inverse.astype(np.int32)[self.codes], labels)


@dataclass(frozen=True)
class Groups:
    """The groups that establishments form, numbered in the order of their labels.

    index: the group of each establishment, 0 to number − 1, none empty. labels: one array of
    ``number`` labels per level that forms the groups; the total has no level and one group.
    """

    index: Index
    number: int
    labels: tuple[NDArray[np.generic], ...]

    def summed(self, values: Floats) -> Floats:
        """The sum of one number per establishment over each group."""
        totals = np.bincount(self.index, weights=values, minlength=self.number)
        return totals.astype(np.float64, copy=False)


def base_of(level: str) -> str:
    """The attribute that a level is derived from: ``naics`` for ``naics[:5]``, else itself."""
    parts = LEVEL.fullmatch(level)
    return level if parts is None else parts["prefixed"] or parts["sector"]


def level_of(attribute: Codes, level: str) -> Codes:
    """``attribute`` at a level: ``name[:k]`` its first k characters, ``sector(name)`` its NAICS sector.

    A label shorter than k is its own prefix.
    """
    parts = LEVEL.fullmatch(level)
    if parts is None:
        return attribute
    if parts["sector"]:
        return attribute.mapped(lambda label: SECTORS.get(label[:2], label[:2]))
    digits = int(parts["digits"])
    return attribute.mapped(lambda label: label[:digits])


def groups(levels: Sequence[Codes], establishments: int) -> Groups:
    """The groups with one label per level; one group of all where there is no level.

    Raises ParameterError when the levels have 2^62 combinations of labels or more.
    """
    shape = tuple(len(level.labels) for level in levels)
    combinations = math.prod(shape)
    if combinations >= 2**62:
        raise ParameterError("by has too many combinations of labels: use fewer or coarser levels")
    key = np.zeros(establishments, dtype=np.int64)
    for level in levels:
        key *= len(level.labels)
        key += level.codes
    if combinations <= 4 * establishments + 2**20:
        seen = np.zeros(combinations, dtype=np.bool_)
        seen[key] = True
        present = np.flatnonzero(seen)
        index: Index = (np.cumsum(seen, dtype=np.int32) - 1)[key]
    else:
        present, index = np.unique(key, return_inverse=True)
    places = np.unravel_index(present, shape) if shape else ()
    labels = (level.labels[place] for level, place in zip(levels, places, strict=True))
    return Groups(index, present.size, tuple(labels))


def sums(formed: Groups, values: Integers) -> Integers:
    """The sum of ``values`` in each group, exactly.

    values: whole numbers ≥ 0 whose total is at most 2^53, so that no float sum of some is rounded.
    """
    totals = np.bincount(formed.index, weights=values, minlength=formed.number)
    return totals.astype(np.int64)


def largest(formed: Groups, values: Integers) -> Integers:
    """The largest of ``values`` ≥ 0 in each group."""
    most = np.zeros(formed.number, dtype=np.int64)
    np.maximum.at(most, formed.index, values)
    return most
