"""The bounds that an attacker knows of one cell, before any sum is used."""

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from establish.impl.suppression.cells import Entry, Number
from establish.impl.suppression.layout import Attacker, Layout
from establish.spec.disclosure_limitation.rounding_to_base import room
from establish.spec.parameters import ParameterError

End = Number | None
"""A bound, None for none."""


def true_value(named: str, entry: Entry, layout: Layout, rounded: bool = False) -> Number:
    """The published value, else the one in the column of true values. ParameterError for neither.

    rounded: whether published values are rounded, so that they are not the true ones.
    """
    value = entry.extra.get(layout.true) if rounded or entry.value is None else entry.value
    if value is None:
        raise ParameterError(f"the cell {named} has no true value, which is needed here")
    return value


def box_of(
    names: Sequence[str], entries: Sequence[Entry], layout: Layout, rounded: bool
) -> tuple[Number, Number]:
    """The smallest and the largest true value of the table. rounded: see :func:`true_value`."""
    pairs = zip(names, entries, strict=True)
    values = [true_value(named, entry, layout, rounded) for named, entry in pairs]
    return min(values), max(values)


def known_bounds(
    named: str, entry: Entry, layout: Layout, attacker: Attacker, box: tuple[Number, Number] | None
) -> tuple[End, End]:
    """The tightest lower and upper bound that the attacker knows of one cell. ParameterError where no value
    is between them.
    """
    low: list[Number] = [0] if attacker.nonnegative else []
    high: list[Number] = []
    if attacker.counts and entry.extra.get(layout.count, 1) == 0:
        low, high = [*low, 0], [0]
    if attacker.bounds:
        low += [entry.extra[layout.lower]] if layout.lower in entry.extra else []
        high += [entry.extra[layout.upper]] if layout.upper in entry.extra else []
    if box is not None:
        low, high = [*low, box[0]], [*high, box[1]]
    if attacker.within is not None:
        true = Fraction(true_value(named, entry, layout, attacker.rounded))
        room = abs(true) * attacker.within / 100
        whole = true.denominator == 1
        low.append(floor(true - room) if whole else true - room)
        high.append(ceil(true + room) if whole else true + room)
    if attacker.base and entry.value is not None:
        near = _unrounded(named, entry.value, attacker)
        low, high = [*low, near[0]], [*high, near[1]]
    both = max(low, default=None), min(high, default=None)
    ends = _inward(both) if attacker.integers else both
    if ends[0] is not None and ends[1] is not None and ends[0] > ends[1]:
        raise ParameterError(f"what the attacker knows of the cell {named} excludes every value")
    return ends


def _inward(ends: tuple[End, End]) -> tuple[End, End]:
    """The whole numbers between two bounds: no whole value is excluded."""
    low, high = ends
    return None if low is None else ceil(low), None if high is None else floor(high)


def _unrounded(named: str, value: Number, attacker: Attacker) -> tuple[Number, Number]:
    if value % attacker.base:
        raise ParameterError(f"the cell {named} is not a multiple of {attacker.base}")
    far = room(attacker.base, attacker.rounding)
    return value - far, value + far
