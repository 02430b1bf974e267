"""Settle a pair whose laws are put together: see ``composed``."""

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.question.level import Approximate, Gaussian, Level
from establish.proofs_check.audit.question.result import Pair as Datasets
from establish.proofs_check.audit.white import composed_gaussian, excess
from establish.proofs_check.audit.white.composed import surviving, total_at_most, total_loss
from establish.proofs_check.audit.white.intervals import NOTHING, Finding, Interval, Together, pure_event
from establish.proofs_check.audit.white.loss import exactly_at_most, worst_loss
from establish.proofs_check.audit.white.pair import Pair
from establish.proofs_check.audit.white.trade_off import gap_between
from establish.proofs_check.audit.white.white_report import Search
from establish.spec.arithmetic import ARB

NEARLY = (1.0 - 1e-9, 0.999, 0.99, 0.9, 0.5)
"""Shares of a part's loss that an event of it must show; the first that one shows."""


def settle(
    search: Search, pairs: Sequence[Pair], steps: Sequence[Fraction | None], datasets: Datasets, level: Level
) -> None:
    """Note in ``search`` what is certain of one pair.

    steps: by part to what the output is rounded, None for not at all. A certificate rests on the laws
    before the rounding, a violation on events that it leaves intact.
    """
    step = steps[0] if len(steps) == 1 else None
    why = "it is not decided for the parts together"
    finding: Finding | None = None
    if isinstance(level, Gaussian):
        settled = composed_gaussian.settle(pairs, level.mu)
        within, worst, finding = settled.within, settled.gap, settled.finding
        why, search.exact = settled.reason, search.exact and settled.exact
    else:
        within, worst = _approximate(pairs, level) if level.delta else _pure(pairs, level)
        if within is False and not (any(steps) or level.delta):
            finding = _together(pairs, ARB.exp(ARB.number(level.epsilon)))
    if any(steps):  # what is certain of the rounded outputs is what an event shows
        search.rounded = True
        finding = _most(pairs[0], step, level) if step is not None and within is not True else None
        worst = arb(0) if finding is None else _shown_by(finding, level)
        if within is False:
            why = "the law before the rounding breaks it, and no event that was tried survives"
            within = None
        if worst > _bound(level):
            within = False
        else:
            finding = None
    if worst > search.worst or search.pair is None:
        search.worst, search.pair, search.finding = worst, datasets, finding
        search.laws = search.divergences = None
    if within is False:
        search.broken = True
        if finding is not None:
            search.pair, search.finding = datasets, finding
            search.laws = search.divergences = None
    elif within is None:
        search.doubt(*datasets, why)


def _bound(level: Level) -> arb:
    """What :func:`_shown_by` must not exceed."""
    if isinstance(level, Gaussian):
        return ARB.number(level.mu)
    return ARB.number(level.delta or level.epsilon)


def _shown_by(finding: Finding, level: Level) -> arb:
    """What an event shows: a gap μ, an excess δ at ε, or a loss, from below."""
    if isinstance(level, Gaussian):
        return gap_between(finding.p, finding.q)
    if level.delta:
        return (finding.p - ARB.exp(ARB.number(level.epsilon)) * finding.q).lower()
    least, most = finding.p.lower(), finding.q.upper()
    if not (least > 0 and most > 0):
        return arb.pos_inf() if least > 0 else arb(0)
    return ARB.log(least / most).lower()


def _most(pair: Pair, step: Fraction, level: Level) -> Finding | None:
    """The event that shows most of those that rounding leaves intact, if there are any."""
    events = surviving(pair, step)
    return max(events, key=lambda finding: float(_shown_by(finding, level)), default=None)


def _pure(pairs: Sequence[Pair], level: Approximate) -> tuple[bool | None, arb]:
    total = total_loss(pairs)
    limit = ARB.number(level.epsilon)
    if total.lower > limit:
        return False, total.lower
    within = bool(total.upper < limit) or total_at_most(pairs, level.epsilon)
    return within or None, total.lower


def _approximate(pairs: Sequence[Pair], level: Approximate) -> tuple[bool | None, arb]:
    """One part may move by (ε, δ) when the others do not move; all of them when ε alone is kept."""
    moving = [pair for pair in pairs if not exactly_at_most(pair, Fraction(0))]
    if len(moving) > 1:
        return total_at_most(pairs, level.epsilon) or None, NOTHING
    delta, worst = ARB.number(level.delta), arb(0)
    within: bool | None = True
    for pair in moving:
        for one in (pair, pair.swapped()):
            found = excess.excess(one, level.epsilon, delta / 10**12)
            worst = max(worst, found.lower.lower())
            if found.lower > delta:
                within = False
            elif within and not found.upper <= delta:
                within = None
    return within, worst


def _together(pairs: Sequence[Pair], factor: arb) -> Finding | None:
    """Events of the parts whose product breaks P ≤ factor·Q, if they are found."""
    sign = total_loss(pairs).sign
    events: list[tuple[int, Interval]] = []
    p, q = arb(1), arb(1)
    for place, pair in enumerate(pairs):
        worst = worst_loss(pair, signs=(sign,))
        if not worst.lower > 0:
            continue
        shown = (
            pure_event(pair, worst, ARB.exp(worst.lower * share) if not worst.infinite else factor)
            for share in map(ARB.number, map(Fraction, NEARLY))
        )
        finding = next((one for one in shown if one is not None), None)
        if finding is None or not isinstance(finding.event, Interval):
            return None
        events.append((place, finding.event))
        p, q = p * finding.p, q * finding.q
    if not p > factor * q:
        return None
    return Finding(Together(tuple(events)), sign, p, q)
