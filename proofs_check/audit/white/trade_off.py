"""The Gaussian level: how far Φ⁻¹(P(S)) and Φ⁻¹(Q(S)) lie apart over all events S.

For two normal laws of one standard deviation σ the largest gap is |m − m'|/σ, attained by half-lines
(Neyman–Pearson). For other laws half-lines are tried, which may refute a level but never certify it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.white.intervals import Finding, Interval
from establish.proofs_check.audit.white.laws import Reading
from establish.proofs_check.audit.white.pair import Pair, simple_rational
from establish.spec.arithmetic import ARB, Number, World

REACH = 24
"""Half-lines are tried up to 2^REACH from the breaks."""


@dataclass(frozen=True)
class Gap:
    """gap: enclosed, exact for normal laws (``exact``), otherwise what ``finding`` shows.

    within: whether the gap is certainly at most μ, equality included; None if not decided.
    """

    gap: arb
    exact: bool
    within: bool | None
    finding: Finding | None


def probit(p: arb) -> arb:
    """Φ⁻¹(p), for 0 < p < 1; ±∞ at the ends and beyond them."""
    if not p > 0:
        return arb.neg_inf()
    return -(2 * p).erfcinv() * ARB.sqrt(arb(2)) if p < 1 else arb.pos_inf()


def gap(pair: Pair, mu: Fraction) -> Gap:
    """What is known of the gap. Call inside :func:`enclosing`. Raises NotComparableError."""
    pair.require_one_chart()
    if pair.p.normal and pair.q.normal and pair.sign_of(_deviations) == 0:
        (first, deviation), (second, _) = pair.p.normal, pair.q.normal
        exact = abs(ARB.number(first) - second) / deviation
        signs = [pair.sign_in(_beyond(mu, sign)) for sign in (1, -1)]
        within = None if None in signs else all(sign in (-1, 0) for sign in signs)
        middle = simple_rational(pair.p.chart.back((ARB.number(first) + second) / 2), 4)
        above = bool(ARB.number(first) > second)
        return Gap(exact, True, within, _finding(pair, Interval(middle, None), 1 if above else -1))
    found = _half_lines(pair)
    gaps = [_gap_of(finding) for finding in found]
    widest = max(range(len(found)), key=gaps.__getitem__)
    within = False if gaps[widest] > ARB.number(mu) else None
    return Gap(gaps[widest], False, within, found[widest])


def _deviations(p: Reading, q: Reading) -> Number:
    return (p.normal or (0, 0))[1] - (q.normal or (0, 0))[1]


def _beyond(mu: Fraction, sign: int) -> Callable[[Reading, Reading, World], Number]:
    def excess(p: Reading, q: Reading, c: World) -> Number:
        (first, deviation), (second, _) = p.normal or (0, 1), q.normal or (0, 1)
        return sign * (first - second) - c.number(mu) * deviation

    return excess


def _finding(pair: Pair, event: Interval, sign: int) -> Finding:
    likelier, other = (pair.p, pair.q) if sign > 0 else (pair.q, pair.p)
    return Finding(event, sign, event.probability(likelier), event.probability(other))


def _gap_of(finding: Finding) -> arb:
    difference = probit(finding.p) - probit(finding.q)
    return difference.lower() if not difference.is_nan() else arb.neg_inf()


def _half_lines(pair: Pair) -> list[Finding]:
    starts = [
        simple_rational(law.chart.back(ARB.number(at)))
        for law in (pair.p, pair.q)
        for at in law.breaks
    ]
    atoms = [Fraction(value) for law in (pair.p, pair.q) for value, _ in law.atoms]
    points = {*starts, *atoms}
    if pair.p.weight != 0 or pair.q.weight != 0:
        for k in range(-2, REACH):
            step = Fraction(2) ** k
            points |= {max(starts) + step, min(starts) - step}
    events = [Interval(value, value) for value in atoms]
    for at in sorted(points):
        events += [Interval(at, None), Interval(None, at)]
    return [_finding(pair, event, sign) for event in events for sign in (1, -1)]
