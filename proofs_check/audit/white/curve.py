"""The trade-off curve of two laws that are given, enclosed at the errors of tests that lie on it.

For an ε the event of largest P(S) − e^ε·Q(S) is a best test: it accepts S, with type I error Q(S) and type
II error 1 − P(S), and no test with that type I error has a smaller one. The errors x and y of any test obey

    1 − y − e^ε·x ≤ δ(ε)   and, with the laws exchanged,   1 − x − e^ε·y ≤ δ'(ε),

so that upper bounds of δ and δ' bound the curve from below, and events bound it from above.
"""

import math
from collections.abc import Iterator
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.question.level import COMMON, Approximate, Level
from establish.proofs_check.audit.question.result import Interval, Pair, TradeOff
from establish.proofs_check.audit.white.divergences import Divergences, Place
from establish.proofs_check.audit.white.intervals import bounds
from establish.spec.arithmetic import ARB

EVENTS = 12
"""Tests in either order of the laws, besides those for the ε at which the least δ is told."""

SMALL = Fraction(1, 1000)
"""Tests are chosen up to an ε from which on the divergence is less than this share of what it is at 0."""

HALVINGS = 20
"""Steps of a bisection for the least ε."""

LEAST, MOST = Fraction(1, 1024), Fraction(64)
"""Between which numbers that ε is looked for, by doubling."""


def trade_off(pair: Pair, seen: Divergences, level: Level, least: arb) -> TradeOff | None:
    """The curve of a pair of datasets, whose laws are those of ``seen`` in that order; None for equal laws.

    least: an ε that the pair needs at least, given the claimed δ (0 for a Gaussian level). Call inside
    :func:`enclosing`. Raises NotComparableError for laws that cannot be laid side by side.
    """
    delta, told = Fraction(0), {Fraction(epsilon) for epsilon in COMMON}
    if isinstance(level, Approximate):
        delta, told = level.delta, told | {level.epsilon}
    reach = _reach(seen)
    grid = told | {reach * k / EVENTS for k in range(EVENTS)}
    places = [(sign, epsilon) for sign in (1, -1) for epsilon in sorted(grid)]
    tests = [place for place in places if seen.at(place).p > 0]
    if not tests:
        return None
    errors = {_errors(seen, place) for place in [*tests, seen.widest()]}
    return TradeOff(
        pair=pair,
        test=f"{len(errors)} best tests",
        outputs=0,
        errors=tuple(sorted(errors)),
        mu=_down(seen.gap(seen.widest())),
        epsilon=_down(max([least, *(_loss(seen, place, delta) for place in seen.known)])),
        profile=tuple(
            (float(epsilon), _down(max(seen.at((sign, epsilon)).lower for sign in (1, -1))))
            for epsilon in sorted(told)
        ),
    )


def least_epsilon(seen: Divergences, level: Approximate) -> arb:
    """The largest ε of a bisection at which δ > 0 is certainly not enough, in either order; 0 for none."""
    low, high = Fraction(0), max(2 * level.epsilon, Fraction(1))
    delta = ARB.number(level.delta)

    def refuted(epsilon: Fraction) -> bool:
        return any(seen.at((sign, epsilon)).lower > delta for sign in (1, -1))

    while high < MOST and refuted(high):
        low, high = high, 2 * high
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return ARB.number(low)


def _reach(seen: Divergences) -> Fraction:
    """An ε from which on little is left of the divergences."""
    least = seen.at((1, Fraction(0))).upper * ARB.number(SMALL)

    def little(epsilon: Fraction) -> bool:
        return all(seen.at((sign, epsilon)).upper <= least for sign in (1, -1))

    reach = Fraction(1)
    while reach < MOST and not little(reach):
        reach *= 2
    while reach > LEAST and little(reach / 2):
        reach /= 2
    return reach


def _errors(seen: Divergences, place: Place) -> tuple[Interval, Interval]:
    """Type I and type II error of a best test, and how small the second may be for the first."""
    found = seen.at(place)
    one, two = (found.q, 1 - found.p) if place[0] > 0 else (1 - found.p, found.q)
    least = max([arb(0), *_least_errors(seen, one.upper())])
    return bounds(one), (bounds(least)[0], bounds(two)[1])


def _least_errors(seen: Divergences, x: arb) -> Iterator[arb]:
    """Lower bounds of the type II error of every test whose type I error is at most x."""
    for (sign, epsilon), found in seen.known.items():
        factor = ARB.exp(ARB.number(epsilon))
        least = 1 - found.upper - factor * x if sign > 0 else (1 - found.upper - x) / factor
        yield least.lower()


def _loss(seen: Divergences, place: Place, delta: Fraction) -> arb:
    """The ε that the event at a place needs for this δ; 0 where it needs none."""
    found = seen.at(place)
    least, most = (found.p - ARB.number(delta)).lower(), found.q.upper()
    if not least > 0:
        return arb(0)
    return max(ARB.log(least / most).lower(), arb(0)) if most > 0 else arb.pos_inf()


def _down(bound: arb) -> float:
    """A float at most as large, and not below 0."""
    return max(math.nextafter(float(bound.lower()), -math.inf), 0.0) if bound.is_finite() else math.inf
