"""What an audit means: a verdict per cell, and how many cells have which."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from establish.impl.suppression.audit import Answer
from establish.impl.suppression.sums import Problem

EXACT, NARROW, SHORT = "exact", "narrow", "underprotected"
UNDECIDED, PROTECTED, OPEN = "undecided", "protected", "wide"
"""Verdicts, worst first. Without required levels a cell that is not narrow is only called wide. Undecided is
a cell whose certified bounds and whose tables that were found would be judged differently."""

Ends = tuple[Fraction | None, Fraction | None]
"""A lower and an upper end, None for none."""


@dataclass(frozen=True)
class Interval:
    """A suppressed cell as the attacker sees it, in units of the table; None for no bound.

    lower and upper are certified; inner holds the least and the greatest value that a table was found with.
    """

    place: int
    lower: Fraction | None
    upper: Fraction | None
    inner: Ends

    @property
    def outer(self) -> Ends:
        """The certified ends."""
        return self.lower, self.upper

    @property
    def attained(self) -> bool:
        """Whether both ends are."""
        return self.inner == self.outer

    @property
    def exact(self) -> bool:
        """Whether the attacker knows the value."""
        return self.lower is not None and self.lower == self.upper


def narrower(ends: Ends, percent: Fraction) -> bool:
    """Whether the width is less than ``percent`` of the middle."""
    low, high = ends
    return low is not None and high is not None and 200 * (high - low) < percent * abs(high + low)


@dataclass(frozen=True)
class Level:
    """What a cell needs: its true value, how far below and above it an attacker is left, and how wide."""

    true: Fraction
    below: Fraction
    above: Fraction
    width: Fraction = Fraction(0)

    def met(self, ends: Ends) -> bool:
        """Whether values from one end to the other leave the attacker so far."""
        low, high = ends
        return (
            (low is None or low <= self.true - self.below)
            and (high is None or high >= self.true + self.above)
            and (low is None or high is None or high - low >= self.width)
        )

    def left(self, interval: Interval) -> bool:
        """Whether tables that were found do."""
        return self.met(interval.inner)


def intervals(problem: Problem, answer: Answer) -> list[Interval]:
    """Every unknown cell that the table lists. Totals that it leaves out are not among them."""
    found = []
    for at, place in enumerate(problem.unknown):
        low, high = answer.ends[0][at], answer.ends[1][at]
        if low is None or high is None:
            raise AssertionError(f"unknown {at} has no answer")
        if place < problem.listed:
            found.append(Interval(place, low.bound, high.bound, (low.inner, high.inner)))
    return found


def verdict(interval: Interval, narrow: Fraction, level: Level | None) -> str:
    """The worst word that is true of the cell."""
    if interval.exact:
        return EXACT
    if level is not None:
        return PROTECTED if level.left(interval) else UNDECIDED if level.met(interval.outer) else SHORT
    if narrower(interval.outer, narrow):
        return NARROW
    low, high = interval.inner
    alone = low is not None and low == high
    return UNDECIDED if alone or narrower(interval.inner, narrow) else OPEN


WORDS = (EXACT, NARROW, SHORT, UNDECIDED, PROTECTED, OPEN)


def worst(verdicts: Iterable[str]) -> str:
    """The first of WORDS among them."""
    return min(verdicts, key=WORDS.index)


def counts(verdicts: Sequence[str]) -> dict[str, int]:
    """How many cells have which verdict, worst first."""
    found = Counter(verdicts)
    return {word: found[word] for word in WORDS if found[word]}


def text(number: Fraction | None) -> str | None:
    """A decimal where there is a finite one, else p/q; None for no bound."""
    if number is None:
        return None
    rest, twos, fives = number.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest > 1:
        return str(number)
    places = max(twos, fives)
    if not places:
        return str(number.numerator)
    digits = str(abs(number.numerator) * 10**places // number.denominator).rjust(places + 1, "0")
    return ("-" if number < 0 else "") + digits[:-places] + "." + digits[-places:]


def distinct(problem: Problem, places: Collection[int]) -> int:
    """How many cells there are when a total with one part, and its part, count once."""
    leader = {place: place for place in places}

    def lead(place: int) -> int:
        while leader[place] != place:
            place = leader[place]
        return place

    for found in problem.sums:
        pair = [place for place, _ in found.terms]
        if len(pair) == 2 and all(place in leader for place in pair):
            leader[lead(pair[0])] = lead(pair[1])
    return len({lead(place) for place in leader})


def record(problem: Problem, by: Sequence[str], interval: Interval, attacker: str) -> dict[str, object]:
    """One cell as plain data. attacker: in words, as the answer holds against no other."""
    cell: Mapping[str, str] = dict(zip(by, problem.cells[interval.place], strict=True))
    found: dict[str, object] = {
        "cell": cell,
        "lower": text(interval.lower),
        "upper": text(interval.upper),
        "exact": interval.exact,
        "certified": True,
        "attained": interval.attained,
        "attacker": attacker,
    }
    if not interval.attained:
        found["reached"] = [text(end) for end in interval.inner]
    return found
