"""Events of one output whose probabilities are enclosed from the distribution functions."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.loss import Worst
from establish.proofs_check.audit.white.pair import Pair, simple_rational
from establish.spec.arithmetic import ARB, Number

NOTHING = arb(0)
"""δ = 0."""

PLACES = 12
"""Decimals of the ends of intervals at most; fewer are tried before."""

SMALL = 1000
"""A fraction with at most this denominator is printed as one."""


@dataclass(frozen=True)
class Interval:
    """Outputs from ``low`` to ``high``, ends included (None: no end), except those in ``without``."""

    low: Fraction | None = None
    high: Fraction | None = None
    without: tuple[int | Fraction, ...] = ()

    def __str__(self) -> str:
        if self.low is not None and self.low == self.high:
            return f"output = {_short(self.low)}"
        below = "" if self.low is None else f"{_short(self.low)} ≤ "
        above = "" if self.high is None else f" ≤ {_short(self.high)}"
        excepted = "".join(f", output ≠ {value}" for value in self.without)
        return f"{below}output{above}{excepted}".removeprefix("output, ")

    def probability(self, law: Reading) -> arb:
        """Enclosed by a ball. Call inside :func:`enclosing`."""
        total = arb(0)
        for value, mass in law.atoms:
            if self.holds(value) and value not in self.without:
                total += ARB.number(mass)
        single = self.low is not None and self.low == self.high and not law.whole
        if law.weight != 0 and not single:  # a density gives a single value no probability
            below = arb(0) if self.low is None else _up_to(law, self.low, strictly=True)
            above = arb(1) if self.high is None else _up_to(law, self.high, strictly=False)
            total += ARB.number(law.weight) * (above - below)
        return total

    def holds(self, value: int | Fraction) -> bool:
        """Whether a value lies between the ends."""
        above = self.low is None or value >= self.low
        return above and (self.high is None or value <= self.high)


def _up_to(law: Reading, x: Fraction, strictly: bool) -> Number:
    """The continuous share at or below x; ``strictly`` below it matters for integers only."""
    if law.whole:
        k = -(-x // 1) - 1 if strictly else x // 1
        if law.low is not None and ARB.number(k) < law.low:
            return arb(0)
        if law.high is not None and ARB.number(k) >= law.high:
            return arb(1)
        return law.cdf(k)
    t = law.chart.forward(ARB.number(x))
    if not t.is_finite() or (law.low is not None and t <= law.low):
        return arb(0)  # left of the chart is left of the support
    if law.high is not None and t >= law.high:
        return arb(1)
    return law.cdf(t)


def _short(x: Fraction) -> str:
    """The number itself, as a decimal, a fraction or a float, where one of them is short; else six digits."""
    if x.denominator == 1:
        return str(x.numerator)
    if 10**PLACES % x.denominator == 0:
        return f"{float(x):.15g}"
    if x.denominator <= SMALL:
        return str(x)
    return repr(float(x)) if Fraction(float(x)) == x else f"{float(x):g}"


@dataclass(frozen=True)
class Either:
    """One of several intervals without a common point."""

    events: tuple[Interval, ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.events))

    def probability(self, law: Reading) -> arb:
        """Enclosed by a ball. Call inside :func:`enclosing`."""
        return sum((event.probability(law) for event in self.events), arb(0))


@dataclass(frozen=True)
class Together:
    """Events of some of the numbers of an output, all at once."""

    events: tuple[tuple[int, Interval | Either], ...]

    def __str__(self) -> str:
        words = [str(event).replace("output", f"output[{place}]") for place, event in self.events]
        several = len(words) > 1
        return " and ".join(f"({one})" if several and " or " in one else one for one in words)


@dataclass(frozen=True)
class Finding:
    """An event with the probabilities P of the likelier law and Q of the other.

    sign: +1 when the first law of the pair is the likelier one, −1 for the second.
    """

    event: Interval | Either | Together
    sign: int
    p: arb
    q: arb


def breaking(
    pair: Pair, event: Interval | Either, sign: int, factor: arb, delta: arb = NOTHING
) -> Finding | None:
    """The finding that ``event`` is, if certainly P > factor·Q + δ."""
    seen = observed(pair, event, sign)
    return seen if seen.p > factor * seen.q + delta else None


def observed(pair: Pair, event: Interval | Either, sign: int) -> Finding:
    """The event with its probabilities, that under the first law first for ``sign`` +1."""
    likelier, other = (pair.p, pair.q) if sign > 0 else (pair.q, pair.p)
    return Finding(event, sign, event.probability(likelier), event.probability(other))


def pure_event(pair: Pair, worst: Worst, factor: arb) -> Finding | None:
    """An event that shows a loss above ln ``factor``: the half-line of largest ratio, or an interval.

    None when no candidate does, although a ratio of densities exceeds the factor.
    """
    sign = worst.sign
    if worst.atom is not None:
        at = Fraction(worst.atom)
        return breaking(pair, Interval(at, at), sign, factor)
    simple = [breaking(pair, event, sign, factor) for event in _half_lines(pair, worst)]
    found = [finding for finding in simple if finding is not None]
    for finding in found[1:] if not worst.tail else ():  # in a tail the nearest, which is likeliest
        if finding.p * found[0].q > found[0].p * finding.q:
            found[0] = finding
    if found:
        return found[0]
    close = (breaking(pair, event, sign, factor) for event in _around(pair, worst))
    return next((finding for finding in close if finding is not None), None)


def _place(pair: Pair, worst: Worst, places: int) -> Fraction:
    """The output that attains the loss, as a short decimal."""
    at = arb(0) if worst.at is None else pair.p.chart.back(ARB.number(worst.at))
    return simple_rational(at, places)


def _half_lines(pair: Pair, worst: Worst) -> Iterator[Interval]:
    if worst.infinite and not worst.tail:
        atoms = [value for law in (pair.p, pair.q) for value, _ in law.atoms]
        if atoms:
            yield Interval(without=tuple(dict.fromkeys(atoms)))
        for law in (pair.p, pair.q):
            if law.low is not None:
                yield Interval(None, simple_rational(law.chart.back(law.low)))
            if law.high is not None:
                yield Interval(simple_rational(law.chart.back(law.high)), None)
    points = [
        simple_rational(law.chart.back(ARB.number(at))) for law in (pair.p, pair.q) for at in law.breaks
    ]
    if worst.tail:
        yield from _far(max(map(abs, points)), worst.tail)
        return
    if worst.at is not None:
        points.append(_place(pair, worst, 2))
    for x in dict.fromkeys(points):
        yield Interval(x, None)
        yield Interval(None, x)


def _far(start: Fraction, side: int) -> Iterator[Interval]:
    for k in range(24):
        x = side * (start + 2**k)
        yield Interval(x, None) if side > 0 else Interval(None, x)


def _around(pair: Pair, worst: Worst) -> Iterator[Interval]:
    """Ever shorter intervals around the worst output."""
    for k in range(16):
        center, half = _place(pair, worst, k // 2 + 2), Fraction(2, 2**k)
        if pair.p.whole:
            center, half = Fraction(round(center)), Fraction(0)
        yield Interval(center - half, center + half)


def bounds(probability: arb) -> tuple[float, float]:
    """Floats on either side of a ball, between 0 and 1."""
    low, high = float(probability.lower()), float(probability.upper())
    return max(math.nextafter(low, -1), 0.0), min(math.nextafter(high, 2), 1.0)
