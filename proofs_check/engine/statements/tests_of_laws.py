"""Whether a bound on events is one on randomized tests, with an adversary over small laws."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise, product
from typing import Any

from establish.proofs_check.engine.statements.statement import Point, Statement, StatementError, Truth

Bend = tuple[Fraction, Fraction]
"""A point of a function that is linear between such points."""

Shares = tuple[Fraction, ...]
"""The probabilities of the outputs, or those with which a test rejects at each."""


def _bends(*points: tuple[Any, Any]) -> tuple[Bend, ...]:
    return tuple((Fraction(x), Fraction(y)) for x, y in points)


BOUNDS = (
    _bends(("0", "0"), ("1", "1")),
    _bends(("0", "0"), ("1/2", "1"), ("1", "1")),
    _bends(("0", "1/4"), ("1/2", "3/4"), ("1", "1")),
    _bends(("0", "1/2"), ("1", "5/4")),
    _bends(("0", "1/2"), ("1/4", "1/2"), ("1/2", "3/4"), ("1", "1")),
)
"""Functions f by their bends: non-decreasing, with f(x) ≥ x; the last one is not concave."""

PARTS, MORE_PARTS, OUTPUTS = 4, 6, 3
"""Laws of so many outputs, in multiples of 1/PARTS; in a thorough search of 1/MORE_PARTS as well."""

TESTS = tuple(product(map(Fraction, ("0", "1/2", "1")), repeat=OUTPUTS))


@dataclass(frozen=True)
class EventsAndTests(Statement):
    """Q(S) ≤ f(P(S)) for all events S exactly when 1 − E_Q φ ≥ 1 − f(E_P φ) for all tests φ.

    For every non-decreasing, continuous f with f(x) ≥ x and all laws P, Q. concave: whether f must be.
    """

    concave: bool = True

    @property
    def text(self) -> str:
        kind = "continuous, concave" if self.concave else "continuous"
        return (
            f"for every {kind}, non-decreasing f on [0, 1] with f(x) ≥ x and all laws P, Q on one space: "
            "Q(S) ≤ f(P(S)) for every event S if and only if for every test φ with values in [0, 1] the "
            "error 1 − E_Q φ is at least 1 − f(E_P φ)"
        )

    def at(self, point: Point) -> Truth:
        """At the bends of ``f``, the probabilities ``P`` and ``Q`` and a test ``φ`` by output: whether the
        test obeys where all events do. Raises StatementError outside the domain.
        """
        through, *shares = self.taken(point, "f", "P", "Q", "φ")
        bends = _bends(*through)
        p, q, test = (tuple(map(Fraction, each)) for each in shares)
        if not self._admits(bends) or sum(p) != 1 or sum(q) != 1 or min(p + q) < 0:
            raise self.refused(f"{dict(point)} lies outside the domain")
        broken = _obey_as_events(bends, p, q) and not _obeys(bends, p, q, test)
        return Truth(not broken, _told(bends, p, q, test), exact=True)

    def _admits(self, bends: Sequence[Bend]) -> bool:
        slopes = [(d - b) / (c - a) for (a, b), (c, d) in pairwise(bends)]
        rises = all(slope >= 0 for slope in slopes) and all(y >= x for x, y in bends)
        return rises and (not self.concave or all(a >= b for a, b in pairwise(slopes)))

    searched = ("{} tests", f"{{}} tests of pairs of laws on {OUTPUTS} outputs")

    def refutations(self, effort: int) -> Iterator[str]:
        shares = self.deepened(effort, (PARTS,), (MORE_PARTS,))
        pairs = [pair for parts in shares for pair in product(list(_laws(parts)), repeat=2)]
        for bends in filter(self._admits, BOUNDS):
            for p, q in pairs:
                for test in TESTS if _obey_as_events(bends, p, q) else ():
                    yield "" if _obeys(bends, p, q, test) else _told(bends, p, q, test)

    def planted(self) -> Iterator[tuple[str, Statement]]:
        if self.concave:
            yield "without concavity", replace(self, concave=False)


def _laws(parts: int) -> Iterator[Shares]:
    for cuts in combinations(range(parts + OUTPUTS - 1), OUTPUTS - 1):
        ends = (-1, *cuts, parts + OUTPUTS - 1)
        yield tuple(Fraction(high - low - 1, parts) for low, high in pairwise(ends))


def _between(bends: Sequence[Bend], x: Fraction) -> Fraction:
    """The function through the bends, at x."""
    for (a, b), (c, d) in pairwise(bends):
        if a <= x <= c:
            return b + (d - b) * (x - a) / (c - a)
    raise StatementError(f"{x} lies outside of the bends")


def _mean(law: Shares, test: Shares) -> Fraction:
    return sum((x * y for x, y in zip(law, test, strict=True)), Fraction(0))


def _obeys(bends: Sequence[Bend], p: Shares, q: Shares, test: Shares) -> bool:
    return _mean(q, test) <= _between(bends, _mean(p, test))


def _obey_as_events(bends: Sequence[Bend], p: Shares, q: Shares) -> bool:
    events = product((Fraction(0), Fraction(1)), repeat=len(p))
    return all(_obeys(bends, p, q, event) for event in events)


def _told(bends: Sequence[Bend], p: Shares, q: Shares, test: Shares) -> str:
    through = "; ".join(f"({x}, {y})" for x, y in bends)
    return "f through {} · P {} · Q {} · φ {}".format(
        through, *(", ".join(map(str, one)) for one in (p, q, test))
    )
