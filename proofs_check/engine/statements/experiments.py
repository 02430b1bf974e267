"""Statements about the expectations of an experiment, of which recorded intervals are known.

An experiment draws data and noise from a seed; its numbers are recorded, with the digest of the file. The
statement is true or false of the expectations, and the recorded intervals tell which, but with the stated
probability.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from math import isnan, nextafter

from establish.proofs_check.engine.statements.statement import Point, Statement, StatementError, Truth

NAMED = 4
"""Quantities that a text names for each limit; the others are counted, and enter by their digest."""

PROBABILITY = re.compile(r"\d+(\.\d+)?(e-\d+)?", re.ASCII)
"""How an error probability is written."""

_SIDES = {"<=": "at most", ">=": "at least"}


@dataclass(frozen=True)
class Measured:
    """One expectation of an experiment against a limit. low, high: its interval; value: the estimate."""

    of: str
    value: float
    low: float
    high: float
    relation: str
    limit: float

    @property
    def holds(self) -> bool | None:
        """True where the whole interval keeps the limit, False where it lies beyond, None otherwise."""
        if isnan(self.low) or isnan(self.high):
            return None
        if self.relation == "<=":
            return True if self.high <= self.limit else False if self.low > self.limit else None
        return True if self.low >= self.limit else False if self.high < self.limit else None

    def __str__(self) -> str:
        return (
            f"{self.of}: {self.value:.4g} in [{self.low:.4g}, {self.high:.4g}], claimed "
            f"{self.relation} {self.limit:.4g}"
        )

    def beyond(self) -> Measured:
        """The same with a limit that the whole interval violates."""
        down = self.relation == "<="
        limit = nextafter(self.low, -float("inf")) if down else nextafter(self.high, float("inf"))
        return replace(self, limit=limit)


def decisive(quantities: Sequence[Measured]) -> Measured | None:
    """The one that is farthest beyond its limit, else an undecided one, else that nearest to its limit."""
    against = [one for one in quantities if one.holds is False]
    if against:
        return max(against, key=_distance)
    undecided = [one for one in quantities if one.holds is None]
    return min(undecided or quantities, key=_distance, default=None)


def _distance(one: Measured) -> float:
    """How far the estimate is from its limit, relative to the limit."""
    return abs(one.value - one.limit) / max(abs(one.limit), 1e-12)


@dataclass(frozen=True)
class OfExperiment(Statement):
    """Each expectation keeps its limit; or, unless ``every``, at least one does not. Made by `InExperiment`.

    experiment: what was run, in words. digest: SHA-256 of the recorded numbers. error: the probability that
    any interval is wrong.
    """

    experiment: str
    digest: str
    error: str
    quantities: tuple[Measured, ...]
    every: bool

    @property
    def text(self) -> str:
        found = []
        by_limit = groupby(self.quantities, key=lambda one: (one.relation, one.limit))
        for (relation, limit), several in by_limit:
            names = [one.of for one in several]
            others = f"; and {len(names) - NAMED} others" if len(names) > NAMED else ""
            listed = "; ".join(names[:NAMED])
            found.append(f"{_SIDES[relation]} {limit:g} ({listed}{others})")
        content = "\n".join(f"{one.of} {one.relation} {one.limit!r}" for one in self.quantities)
        listing = sha256(content.encode("utf-8")).hexdigest()
        number = len(self.quantities)
        expectations = "the expectation is" if number == 1 else f"all {number} expectations are"
        says = f"{expectations} {', '.join(found)}"
        return (
            f"in {self.experiment}, recorded with SHA-256 {self.digest[:16]}…: "
            f"{'' if self.every else 'it is not so that '}{says}; list {listing[:16]}…"
        )

    def at(self, point: Point) -> Truth:
        """The whole statement at the empty point; at a ``quantity``, by its name, that expectation alone."""
        if not point:
            found = [one.holds for one in self.quantities]
            all_hold = False if False in found else None if None in found else True
            value = all_hold if self.every or all_hold is None else not all_hold
            beyond = found.count(False)
            shown = f"of {len(found)} expectations {beyond} are beyond their limits"
            return Truth(value, f"{shown}, {found.count(None)} undecided", exact=False)
        named = [one for one in self.quantities if one.of == point.get("quantity")]
        if set(point) != {"quantity"} or not named:
            raise self.refused(f"a point names a quantity of the experiment, not {dict(point)}")
        return Truth(named[0].holds, str(named[0]), exact=False)

    def counterexample(self, effort: int) -> tuple[str, str]:
        """All intervals are looked at, whatever the effort."""
        tried = f"{len(self.quantities)} recorded intervals"
        truth = self.at({})
        if truth.value is not False:
            return tried, ""
        against = next((str(one) for one in self.quantities if one.holds is False), "")
        return tried, against or truth.shown

    def planted(self) -> Iterator[tuple[str, Statement]]:
        if self.every:
            tightest = min(range(len(self.quantities)), key=self._slack)
            moved = [one.beyond() if place == tightest else one for place, one in enumerate(self.quantities)]
            limit = moved[tightest].limit
            yield (
                f"one limit moved to {limit:.6g}, beyond its interval",
                replace(self, quantities=tuple(moved)),
            )
        yield "the opposite finding", replace(self, every=not self.every)

    def _slack(self, place: int) -> float:
        """How far an interval is from its limit, relative to its own ends."""
        one = self.quantities[place]
        near = one.high if one.relation == "<=" else one.low
        return abs(near - one.limit) / max(abs(near), abs(one.limit), 1e-300)


def InExperiment(
    experiment: str, digest: str, error: str, quantities: Iterable[Measured], *, every: bool = True
) -> OfExperiment:
    """Each expectation of a recorded experiment keeps its limit; not ``every``: at least one does not.

    experiment: what was run, with its seed and size. digest: SHA-256 of the recorded numbers, in full. error:
    the probability that any of the intervals is wrong, such as ``"1e-9"``. quantities: at least one, each
    with an interval low ≤ high, a relation "<=" or ">=" and a name of its own for each limit. Its planted
    neighbors have one limit moved beyond its interval, or are the opposite finding. Raises StatementError.
    """
    found = tuple(quantities)
    if not found:
        raise StatementError(f"{experiment}: a statement about no quantity says nothing")
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise StatementError(f"{experiment}: digest = {digest!r} is not 64 hexadecimal digits")
    if not (PROBABILITY.fullmatch(error) and 0 < float(error) < 1):
        raise StatementError(f"{experiment}: error = {error!r} is no probability, such as '1e-9'")
    for one in found:
        if one.relation not in _SIDES:
            raise StatementError(f"{one.of}: relation = {one.relation!r} is not '<=' or '>='")
        if one.low > one.high or isnan(one.limit):
            raise StatementError(f"{one}: an interval has low ≤ high, and a limit is a number")
    if len({(one.of, one.relation, one.limit) for one in found}) < len(found):
        raise StatementError(f"{experiment}: a quantity is listed twice")
    return OfExperiment(experiment, digest, error, found, every)
