"""The gap of an event, Φ⁻¹(P(S)) − Φ⁻¹(Q(S)), which a Gaussian level μ bounds for all events S.

For two normal laws of one standard deviation σ the largest gap is |m − m'|/σ, attained by half-lines
(Neyman–Pearson). For other laws see ``gaussian_level``.
"""

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.white.intervals import Finding, Interval, observed
from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.pair import Pair, simple_rational
from establish.spec.arithmetic import ARB, Number, World

REACH = 24
"""Half-lines are tried up to 2^REACH from the breaks."""


@dataclass(frozen=True)
class Gap:
    """The largest gap of two normal laws of one deviation, which ``finding`` attains.

    within: whether it is certainly at most μ, equality included; None if not decided.
    """

    gap: arb
    within: bool | None
    finding: Finding


def probit(p: arb) -> arb:
    """Φ⁻¹(p), for 0 < p < 1; ±∞ at the ends and beyond them.

    A ball must lie on one side of each end; where a bound is meant, its lower or upper end is passed.
    """
    if not p > 0:
        return arb.neg_inf()
    return -(2 * p).erfcinv() * ARB.sqrt(arb(2)) if p < 1 else arb.pos_inf()


def gap_between(p: arb, q: arb) -> arb:
    """A lower bound of Φ⁻¹(P(S)) − Φ⁻¹(Q(S)) for probabilities in these balls; −∞ where none is known."""
    least, most = probit(p.lower()), probit(q.upper())
    if not (least > arb.neg_inf() and most < arb.pos_inf()):
        return arb.neg_inf()
    return (least - most).lower()


def normal_gap(pair: Pair, mu: Fraction) -> Gap | None:
    """The largest gap, where both laws are certainly normal and of one deviation.

    Call inside :func:`enclosing`. Raises NotComparableError for laws in different coordinates.
    """
    pair.require_one_chart()
    if not (pair.p.normal and pair.q.normal and pair.sign_of(_deviations) == 0):
        return None
    (first, deviation), (second, _) = pair.p.normal, pair.q.normal
    signs = [pair.sign_in(_beyond(mu, sign)) for sign in (1, -1)]
    within = None if None in signs else all(sign in (-1, 0) for sign in signs)
    middle = simple_rational(
        pair.p.chart.back((ARB.number(first) + second) / 2), _decimals(ARB.number(deviation))
    )
    above = bool(ARB.number(first) > second)
    finding = observed(pair, Interval(middle, None), 1 if above else -1)
    return Gap(abs(ARB.number(first) - second) / deviation, within, finding)


def _decimals(deviation: arb) -> int:
    """So many decimals, four at least, that a number moves by little beside the deviation."""
    return max(4, 4 - math.floor(math.log10(max(float(deviation.mid()), sys.float_info.min))))


def _deviations(p: Reading, q: Reading) -> Number:
    return (p.normal or (0, 0))[1] - (q.normal or (0, 0))[1]


def _beyond(mu: Fraction, sign: int) -> Callable[[Reading, Reading, World], Number]:
    def excess(p: Reading, q: Reading, c: World) -> Number:
        (first, deviation), (second, _) = p.normal or (0, 1), q.normal or (0, 1)
        return sign * (first - second) - c.number(mu) * deviation

    return excess


def half_lines(pair: Pair) -> Iterator[Finding]:
    """Single values and half-lines in both orders, also far out, where a loss without bound shows."""
    laws = (pair.p, pair.q)
    starts = [simple_rational(law.chart.back(ARB.number(at))) for law in laws for at in law.breaks]
    ends = [law.chart.back(ARB.number(at)) for law in laws for at in (law.low, law.high) if at is not None]
    atoms = [Fraction(value) for law in laws for value, _ in law.atoms]
    points = {*starts, *atoms, *(simple_rational(end, places) for end in ends for places in (2, 12))}
    if any(law.weight != 0 for law in laws):
        for k in range(-2, REACH):
            step = Fraction(2) ** k
            points |= {max(starts) + step, min(starts) - step}
    dense = Interval(without=tuple(dict.fromkeys(atoms)))
    events = [Interval(value, value) for value in atoms] + ([dense] if atoms else [])
    for at in sorted(points):
        events += [Interval(at, None), Interval(None, at)]
    for event in events:
        yield from (observed(pair, event, sign) for sign in (1, -1))
