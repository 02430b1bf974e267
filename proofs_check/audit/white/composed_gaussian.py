"""The Gaussian level of a tuple of independent parts.

Normal parts of equal deviations have the level √(Σ μ_i²) exactly. Of other parts each has a least μ_i, and
the tuple keeps √(Σ μ_i²) (Dong, Roth, Su 2022, Corollary 3.3), though perhaps less: it is refuted by events
of one part, or of all of them at once.
"""

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.white import gaussian_level
from establish.proofs_check.audit.white.divergences import Divergences
from establish.proofs_check.audit.white.gaussian_level import Settled
from establish.proofs_check.audit.white.intervals import PLACES, Finding, Together
from establish.proofs_check.audit.white.loss import exactly_at_most
from establish.proofs_check.audit.white.pair import Pair, simplest
from establish.proofs_check.audit.white.trade_off import Gap, gap_between, normal_gap
from establish.spec.arithmetic import ARB, SYM


def settle(pairs: Sequence[Pair], mu: Fraction) -> Settled:
    """What is certain of the parts together. Call inside :func:`enclosing`. Raises NotComparableError."""
    moving = {n: pair for n, pair in enumerate(pairs) if not exactly_at_most(pair, Fraction(0))}
    normal = {n: normal_gap(pair, mu) for n, pair in moving.items()}
    gaps = [gap for gap in normal.values() if gap is not None]
    if len(gaps) == len(moving):
        return _normal(list(moving.values()), gaps, mu)
    limit = ARB.number(mu)
    alone = {n: gaussian_level.from_divergences(pair, limit) for n, pair in moving.items()}
    for n, told in alone.items():
        if told.within is False or len(moving) == 1:
            return _of_part(n, told)
    seen = {n: told.seen for n, told in alone.items() if told.seen is not None}
    if len(seen) < len(alone):
        reason = next(told.reason for told in alone.values() if told.seen is None)
        return Settled(None, max(told.gap for told in alone.values()), None, reason)
    return _several(seen, alone, normal, limit)


def _of_part(place: int, told: Settled) -> Settled:
    """What is known of the whole where one part decides."""
    finding = told.finding
    if finding is not None and not isinstance(finding.event, Together):
        event = Together(((place, finding.event),))
        finding = Finding(event, finding.sign, finding.p, finding.q)
    return Settled(told.within, told.gap, finding, told.reason)


def _several(
    seen: dict[int, Divergences], alone: dict[int, Settled], normal: dict[int, Gap | None], mu: arb
) -> Settled:
    """Certified by the squares of the parts' least μ, refuted by an event of all parts at once."""
    squares = arb(0)
    for n, pair in seen.items():
        exact = normal[n]
        part = gaussian_level.least(pair, alone[n].gap) if exact is None else exact.gap
        squares += part * part
    together = [_at_once(seen, sign, places) for places in (4, PLACES) for sign in (1, -1)]
    gaps = [gap_between(one.p, one.q) for one in together]
    most = max([*gaps, *(told.gap for told in alone.values())])
    for gap, finding in zip(gaps, together, strict=True):
        if gap > mu:
            return Settled(False, most, finding)
    if squares < mu * mu:
        return Settled(True, most)
    return Settled(None, most, None, "it is not decided for the parts together")


def _at_once(seen: dict[int, Divergences], sign: int, places: int) -> Finding:
    """The events of the parts whose gaps are widest in one order of the datasets, at once."""
    p, q, events = arb(1), arb(1), []
    for n, pair in seen.items():
        finding = pair.widest_event(sign, places)
        p, q = p * finding.p, q * finding.q
        assert not isinstance(finding.event, Together), "it is an event of one part"
        events.append((n, finding.event))
    return Finding(Together(tuple(events)), sign, p, q)


def _normal(pairs: Sequence[Pair], gaps: Sequence[Gap], mu: Fraction) -> Settled:
    """Exact, equality included."""
    squares = sum((one.gap * one.gap for one in gaps), arb(0))
    limit, worst = ARB.number(mu * mu), ARB.sqrt(squares).lower()
    if squares > limit:
        return Settled(False, worst, exact=True)
    if squares < limit:
        return Settled(True, worst, exact=True)
    exact = SYM.number(-(mu**2))
    for pair in pairs:
        if pair.symbolic is None:
            break
        (first, deviation), (second, _) = (law.normal or (0, 1) for law in pair.symbolic)
        exact += ((first - second) / deviation) ** 2
    else:
        if simplest(exact) == 0:
            return Settled(True, worst, exact=True)
    return Settled(None, worst, None, "the gap is μ to within the enclosure", exact=True)
