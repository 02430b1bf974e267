"""Settle a pair whose laws are put together: see ``composed``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from establish.proofs_check.audit.question.level import Approximate, Gaussian, Level
from establish.proofs_check.audit.question.result import Pair as Datasets
from establish.proofs_check.audit.white import excess, trade_off
from establish.proofs_check.audit.white.composed import surviving, total_at_most, total_loss
from establish.proofs_check.audit.white.intervals import (
    NOTHING,
    Finding,
    Interval,
    Together,
    pure_event,
)
from establish.proofs_check.audit.white.loss import exactly_at_most, worst_loss
from establish.proofs_check.audit.white.pair import Pair, simplest
from establish.proofs_check.audit.white.white_report import Search
from establish.spec.arithmetic import ARB, SYM

NEARLY = (1.0 - 1e-9, 0.999, 0.99, 0.9, 0.5)
"""Shares of a part's loss that an event of it must show; the first that one shows."""


def settle(
    search: Search,
    pairs: Sequence[Pair],
    steps: Sequence[Fraction | None],
    datasets: Datasets,
    level: Level,
) -> None:
    """Note in ``search`` what is certain of one pair.

    steps: by part to what the output is rounded, None for not at all. A certificate rests on the laws
    before the rounding, a violation on events that it leaves intact.
    """
    step = steps[0] if len(steps) == 1 else None
    plain = not any(steps)
    if isinstance(level, Gaussian):
        within, worst = _gaussian(pairs, level.mu)
    else:
        within, worst = _approximate(pairs, level) if level.delta else _pure(pairs, level)
    broken = within is False and plain
    finding: Finding | None = None
    if within is False and isinstance(level, Approximate):
        factor = ARB.exp(ARB.number(level.epsilon))
        if step is not None:
            finding = surviving(pairs[0], step, factor, ARB.number(level.delta))
            broken = finding is not None
        elif plain and not level.delta:
            finding = _together(pairs, factor)
    if not plain:  # what is certain of the rounded outputs is what an event shows
        search.rounded = True
        worst = arb(0)
        if finding is not None and isinstance(level, Approximate) and not level.delta:
            worst = ARB.log(finding.p / finding.q).lower()
    if worst > search.worst or search.pair is None:
        search.worst, search.pair, search.finding = worst, datasets, finding
    if broken:
        search.broken = True
        if finding is not None:
            search.pair, search.finding = datasets, finding
    elif within is not True:
        why = "the law before the rounding breaks it, and no event that was tried survives"
        if plain:
            why = "it is not decided for the parts together"
        search.doubt(*datasets, why)


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


def _gaussian(pairs: Sequence[Pair], mu: Fraction) -> tuple[bool | None, arb]:
    """Independent normal parts of equal deviations: gaps add up by their squares."""
    squares = arb(0)
    for pair in pairs:
        gap = trade_off.normal_gap(pair, mu)
        if gap is None:
            return None, arb(0)
        squares += gap.gap**2
    limit, worst = ARB.number(mu) ** 2, ARB.sqrt(squares).lower()
    if squares > limit:
        return False, worst
    if squares < limit:
        return True, worst
    exact = SYM.number(-(mu**2))
    for pair in pairs:
        if pair.symbolic is None:
            return None, worst
        (first, deviation), (second, _) = (law.normal or (0, 1) for law in pair.symbolic)
        exact += ((first - second) / deviation) ** 2
    return (True if simplest(exact) == 0 else None), worst


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
