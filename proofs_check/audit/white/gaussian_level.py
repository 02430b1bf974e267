"""Whether a pair of laws keeps a Gaussian level μ, from its divergences at all ε ≥ 0.

The level holds when P(S) ≤ G(Q(S)) for every event S, with G(x) = Φ(Φ⁻¹(x) + μ). Write t = e^ε,
δ(t) = sup over S of P(S) − t·Q(S), and δ_μ(t) = sup over x of G(x) − t·x, the divergence of two normal laws
that lie μ deviations apart. The level holds if and only if δ(t) ≤ δ_μ(t) for all t > 0: one way because
P(S) − t·Q(S) ≤ G(Q(S)) − t·Q(S); the other because G is concave, so that G(x) is the least t·x + δ_μ(t),
and P(S) ≤ t·Q(S) + δ(t). For t < 1 an event and its complement give δ(t) = 1 − t + t·δ'(1/t) with δ' of the
laws exchanged, and δ_μ likewise; so t ≥ 1 in both orders is enough.

Both δ and δ_μ are convex in t and do not increase. Between t₁ and t₂ hence δ lies below its chord, and below
δ(t₁), while δ_μ lies above each of its tangents, and above δ_μ(t₂). Intervals are halved until one of the two
comparisons settles each; ``far`` settles all ε beyond the last. Where δ touches δ_μ this does not end.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.white import far
from establish.proofs_check.audit.white.divergences import Divergences
from establish.proofs_check.audit.white.intervals import Finding
from establish.proofs_check.audit.white.loss import singular
from establish.proofs_check.audit.white.pair import Pair
from establish.proofs_check.audit.white.trade_off import gap_between, half_lines, normal_gap
from establish.spec.arithmetic import ARB
from establish.spec.gaussian import privacy_curve

MOST_INTERVALS = 500
"""Intervals of ε for one pair and one level, before it counts as not decided."""

SLACKS = (Fraction(1, 10**9), Fraction(1, 10**6), Fraction(1, 1000), Fraction(1, 10))
"""By which shares more than the least μ that is seen a bound from above is tried."""

FIRST_STEP = Fraction(1)
"""Where the search for a large gap starts, besides ε = 0."""


@dataclass(frozen=True)
class Settled:
    """What is certain of one pair.

    within: whether it keeps μ; None where that is not decided, for the ``reason``. gap: a lower bound of the
    least μ that it keeps, and ``exact`` when it encloses it. finding: an event in words, if one was found
    that breaks μ. seen: the divergences that were enclosed.
    """

    within: bool | None
    gap: arb
    finding: Finding | None = None
    reason: str = ""
    exact: bool = False
    seen: Divergences | None = None


def settle(laws: Pair, mu: Fraction) -> Settled:
    """Call inside :func:`enclosing`. Raises NotComparableError for laws that cannot be laid side by side."""
    normal = normal_gap(laws, mu)
    if normal is not None:
        reason = "the gap is μ to within the enclosure"
        return Settled(normal.within, normal.gap.lower(), normal.finding, reason, True)
    return from_divergences(laws, ARB.number(mu))


def from_divergences(laws: Pair, mu: arb) -> Settled:
    """The same for laws of any kind."""
    if singular(laws) is not None:
        return _by_half_lines(laws, mu, arb(0), "one of them has outputs that the other has not")
    pair = Divergences(laws)
    try:
        ends = {sign: far.start(laws, mu) for sign, laws in pair.orders.items()}
        reason = ""
    except far.UnboundedError as error:
        ends, reason = {}, str(error)
    gap = widest_gap(pair)
    if not gap > mu and ends and all_below(pair, mu, ends):
        return Settled(True, gap, seen=pair)
    widest = pair.widest()
    gap = max(gap, pair.gap(widest))
    if gap > mu:
        finding = pair.finding(widest, lambda one: gap_between(one.p, one.q) > mu)
        return Settled(False, gap, finding, seen=pair)
    if reason:
        return _by_half_lines(laws, mu, gap, reason)
    reason = "it is not decided where the two curves nearly touch"
    return Settled(None, gap, None, reason, seen=pair)


def _by_half_lines(laws: Pair, mu: arb, gap: arb, reason: str) -> Settled:
    """Refuted by a single value or a half-line that shows more than μ, if there is one.

    One that shows every μ goes first. Of an event and its complement it is the less likely one; of several,
    the likeliest.
    """
    gaps = [(gap_between(seen.p, seen.q), seen) for seen in half_lines(laws)]
    breaking = [(shown, seen) for shown, seen in gaps if shown > mu]
    most = max([gap, *(shown for shown, _ in gaps)])
    if not breaking:
        return Settled(None, most, None, reason)

    def clear(one: tuple[arb, Finding]) -> tuple[bool, bool, float]:
        shown, seen = one
        return not shown.is_finite(), bool(2 * seen.q < 1), float(seen.p)

    return Settled(False, most, max(breaking, key=clear)[1])


def widest_gap(pair: Divergences) -> arb:
    """A lower bound of the least μ, by climbing from a few places."""
    for start in ((1, Fraction(0)), (1, FIRST_STEP), (-1, FIRST_STEP)):
        pair.climb(start)
    return max(pair.gap(pair.widest()), arb(0))


def least(pair: Divergences, gap: arb) -> arb:
    """An upper bound of the least μ of a pair, near a lower one; +∞ where none is shown.

    Call inside :func:`enclosing`. Raises NotComparableError.
    """
    if not (gap > 0 and gap.is_finite()):
        return arb.pos_inf()
    for slack in SLACKS:
        mu = (gap * (1 + ARB.number(slack))).upper()
        try:
            ends = {sign: far.start(one, mu) for sign, one in pair.orders.items()}
        except far.UnboundedError:
            continue
        if all_below(pair, mu, ends):
            return mu
    return arb.pos_inf()


@dataclass(frozen=True)
class _Stretch:
    """ε from ``low`` to ``high``, where δ may exceed δ_μ by so much as far as is known."""

    excess: float
    sign: int
    low: Fraction
    high: Fraction

    def __lt__(self, other: _Stretch) -> bool:
        return self.excess > other.excess


def all_below(pair: Divergences, mu: arb, ends: dict[int, Fraction]) -> bool:
    """Whether δ ≤ δ_μ certainly, in every order that has an end, from ε = 0 to it. Call inside
    :func:`enclosing`. The worst stretch is halved first.
    """
    stretches: list[_Stretch] = []
    for sign, end in ends.items():
        _add_open(stretches, pair, mu, (sign, Fraction(0), end))
    for _ in range(MOST_INTERVALS):
        if not stretches:
            return True
        worst = heapq.heappop(stretches)
        middle = (worst.low + worst.high) / 2
        if pair.at((worst.sign, middle)).lower > _delta(middle, mu):
            return False
        _add_open(stretches, pair, mu, (worst.sign, worst.low, middle))
        _add_open(stretches, pair, mu, (worst.sign, middle, worst.high))
    return False


def _delta(epsilon: Fraction, mu: arb) -> arb:
    return arb(privacy_curve(ARB.number(epsilon), mu, ARB))


def _add_open(
    stretches: list[_Stretch], pair: Divergences, mu: arb, between: tuple[int, Fraction, Fraction]
) -> None:
    """Add a stretch that neither comparison settles: chord and tangent, left end and right end."""
    sign, low, high = between
    first, second = pair.at((sign, low)).upper, pair.at((sign, high)).upper
    middle = (low + high) / 2
    contact, slope = ARB.exp(ARB.number(middle)), -far.upper_tail(ARB.number(middle) / mu + mu / 2)
    above = [
        bound - _delta(middle, mu) - slope * (ARB.exp(ARB.number(epsilon)) - contact)
        for bound, epsilon in ((first, low), (second, high))
    ]
    flat = first - _delta(high, mu)
    if first <= 0 or flat <= 0 or all(one <= 0 for one in above):
        return
    excess = min(float(flat), max(map(float, above)))
    heapq.heappush(stretches, _Stretch(excess, sign, low, high))
