"""Where programs of agencies treat neighbors differently, in the order of how often faults are met there.

The order is a judgment: empty cells and small counts first, since every table has them and special cases
are written for them; then the thresholds and size classes of publication rules; then growth, where
formal definitions differ; dominance and p% rules; top codes; and the ends of integer types last.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

THRESHOLDS = (3, 5, 10, 20, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000)
"""Totals at which cells are suppressed, rounded otherwise, or change their size class."""

SMALL = (0, 1, 2, 3, 4, 6, 7, 8, 9)
"""Totals from which one worker more is tried, besides the thresholds."""

BESIDE = ((10,), (10, 10), (100, 50), (5, 5, 5), (5,) * 4, (5,) * 9)
"""What an establishment opens beside: rules ask for 2, 3, 4, 5 or 10 establishments in a cell."""

SHARES = tuple(Fraction(percent, 100) for percent in (50, 60, 70, 75, 80, 85, 90))
"""Shares in a total, of the largest establishment or the two largest, at which dominance rules suppress."""

LARGEST = (100, 100)
"""The two largest establishments where their share moves: what the others hold goes across its limit."""

LARGEST_THREE, SMALLEST = (201, 200, 200), 20
"""The same for the three largest, beside one that is small. They hold none of the tried shares exactly, so
that one step passes both "at least" and "more than"."""

THREE = SHARES[3:]
"""Shares at which rules for the three largest suppress: of fewer, four equal establishments have more."""

PERCENTS = (5, 10, 15, 20, 25, 30)
"""p% rules: what the others hold, beside the two largest, in percent of the largest."""

MAGNITUDES = (10, 100, 1000, 10_000)
"""Sizes from which an establishment grows by a share, besides the smallest ones."""

TOP_CODES = (100_000, 1_000_000)
"""Sizes beyond which values are cut off or replaced by a class."""

TYPES = (2**7, 2**8, 2**15, 2**16, 2**24, 2**31)
"""Numbers at which 8, 16 and 32 bits end, signed and unsigned, and whole numbers in single precision."""


SCALED = (ceil(Fraction(2**31, 1000)), ceil(Fraction(2**31, 100)))
"""The first totals whose thousandfold and hundredfold take more than 31 bits and a sign: numbers that are
kept with three and with two decimals."""


class Step(NamedTuple):
    """One establishment goes from ``before`` to ``after`` workers beside ``others``; why it is tried."""

    before: int
    after: int
    others: tuple[int, ...]
    why: str


def steps(share: tuple[Fraction, ...], most: int) -> Iterator[Step]:
    """Steps worth trying up to a total of about ``most``; share: (α,), or () where there is none."""
    yield from _first_workers()
    yield from _thresholds(most)
    yield from _growth(share, most)
    yield from _dominance()
    for top in TOP_CODES:
        for more in _growths(top, share):
            yield Step(top, top + more, (), "a top code")
    for end in (*TYPES, *SCALED):
        yield Step(end - 1, end, (), "the end of an integer type")
    # Beyond 2^24 every other whole number is a single precision float, and ties go to the even one.
    yield Step(2**24 + 1, 2**24 + 2, (), "the end of an integer type")


def _first_workers() -> Iterator[Step]:
    beside: tuple[tuple[int, ...], ...] = ((), (0,), (1,), (100,), (0, 0))
    for others in beside:
        yield Step(0, 1, others, "an empty establishment gets its first worker")
    for before in SMALL[1:]:
        yield Step(before, before + 1, (), "a small count")
    yield Step(1, 2, (1,), "a small count")
    for others in BESIDE:
        yield Step(0, 1, others, "one non-empty establishment more")


def _thresholds(most: int) -> Iterator[Step]:
    for total in THRESHOLDS:
        if total <= most:
            yield Step(total - 1, total, (), "a threshold of totals or a size class")
    for total in THRESHOLDS:
        if total <= most:
            rest = total // 2
            yield Step(total - 1 - rest, total - rest, (rest,), "a threshold of totals")
            yield Step(total, total + 1, (), "a threshold that is passed")


def _growths(size: int, share: tuple[Fraction, ...]) -> tuple[int, ...]:
    """By how many workers an establishment grows: by its share, half of it, and one."""
    if not share:
        return tuple(sorted({1, size // 2, 9 * size} - {0}))
    return tuple(sorted({1, floor(share[0] * size) // 2, floor(share[0] * size)} - {0}, reverse=True))


def _growth(share: tuple[Fraction, ...], most: int) -> Iterator[Step]:
    first = ceil(1 / share[0]) if share else 9
    for size in sorted({first - 1, first, first + 1, 2 * first - 1, 2 * first, *MAGNITUDES} - {0}):
        if size > most:
            continue
        for more in _growths(size, share):
            yield Step(size, size + more, (), "growth of one establishment")
        largest = _growths(size, share)[0]
        for other in (1, size + largest, 10 * (size + largest)):
            yield Step(size, size + largest, (other,), "growth beside another establishment")
        if not share:
            yield Step(0, size, (), "an establishment opens")


def _dominance() -> Iterator[Step]:
    rest = (50, 50)  # of three establishments, since rules ask for so many first
    for limit in SHARES:
        largest = ceil(limit * sum(rest) / (1 - limit))
        yield Step(largest - 1, largest, rest, "a dominance rule")
        yield Step(largest, largest + 1, rest, "a dominance rule")
    for limit in SHARES:
        third = (1 - limit) * sum(LARGEST) / limit
        if third <= min(LARGEST):
            for before in range(ceil(third) - 1, floor(third) + 1):
                yield Step(before, before + 1, LARGEST, "a dominance rule of the two largest")
    for limit in THREE:
        others = floor((1 - limit) * sum(LARGEST_THREE) / limit)
        yield Step(
            others - SMALLEST,
            others - SMALLEST + 1,
            (*LARGEST_THREE, SMALLEST),
            "a dominance rule of the three largest",
        )
    for percent in PERCENTS:
        yield Step(percent - 1, percent, (100, 50), "a p% rule")
