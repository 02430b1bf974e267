"""What the white box has seen, and the result that it makes of it."""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf, isclose

from flint import arb

from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.level import Approximate, Gaussian
from establish.proofs_check.audit.question.result import AuditOutcome, AuditResult, Dataset, Pair, TradeOff
from establish.proofs_check.audit.white.divergences import Divergences
from establish.proofs_check.audit.white.intervals import Finding, bounds, pure_event
from establish.proofs_check.audit.white.laws import NotComparableError
from establish.proofs_check.audit.white.loss import Worst
from establish.proofs_check.audit.white.pair import Pair as Laws
from establish.proofs_check.audit.white.ranges import Range, with_line
from establish.proofs_check.engine.methods.enclosure import digits
from establish.proofs_check.engine.verdicts import Grade
from establish.spec.arithmetic import ARB

DIGITS = 16
"""Digits of a loss that are reported; all of them are certain."""


@dataclass
class Search:
    """What has been seen so far, of the pairs of ``tried``.

    worst, upper: the largest loss, divergence or gap, from below and from above, at ``pair`` with
    ``laws``. found: where it lies, for a pure level; finding: an event that shows it, for the others.
    broken: whether any pair breaks the definition. pairs: how many of the ``listed`` ones were looked at.
    stopped: the limit of time that ended the search before the last of the pairs of ``tried``, in seconds.
    settled: whether all of those were looked at; reached, scanned: up to which count others were tried one by
    one, and scanned; skipped: large pairs on which there is no law. everything: the words for all datasets
    and why, where what was tried settles them; only_some: why it does not.
    rounded: whether outputs are rounded, so that ``worst`` is only what events show. exact: whether every
    gap μ so far is known, and not only what events show of it. divergences: those of ``pair`` for a gap μ.
    least, trade_off: the least ε of ``pair`` given δ, from below, and its curve, once the search is over;
    no_curve: why there is none.
    """

    tried: Range
    worst: arb = field(default_factory=lambda: arb(0))
    upper: arb = field(default_factory=lambda: arb(0))
    pair: Pair | None = None
    laws: Laws | None = None
    found: Worst | None = None
    finding: Finding | None = None
    undecided: list[tuple[Dataset, Dataset, str]] = field(default_factory=list)
    pairs: int = 0
    broken: bool = False
    listed: int = 0
    stopped: float = 0.0
    rounded: bool = False
    exact: bool = True
    divergences: Divergences | None = None
    least: arb = field(default_factory=lambda: arb(0))
    trade_off: TradeOff | None = None
    no_curve: str = ""
    settled: bool = False
    reached: int = 0
    scanned: int = 0
    skipped: list[Pair] = field(default_factory=list)
    everything: tuple[str, str] | None = None
    only_some: str = ""

    def doubt(self, d: Dataset, d2: Dataset, why: str) -> None:
        """Note a pair that is not settled."""
        self.undecided.append((d, d2, why))

    @property
    def outcome(self) -> AuditOutcome:
        """What is certain of the definition: a certificate speaks of what was tried."""
        if self.broken:
            return AuditOutcome.VIOLATED
        if self.undecided or self.stopped:
            return AuditOutcome.NO_VIOLATION_FOUND
        all_settled = self.tried.complete or self.everything
        return AuditOutcome.CERTIFIED if all_settled else AuditOutcome.CERTIFIED_IN_RANGE


def result(search: Search, definition: AuditDefinition, seconds: float) -> AuditResult:
    """The result of the whole search."""
    outcome, words = search.outcome, ""
    if outcome in (AuditOutcome.CERTIFIED, AuditOutcome.CERTIFIED_IN_RANGE):
        words = (
            search.everything[0] if search.everything else with_line(search.tried, definition, search.reached)
        )
    notes = [_worst_note(search, definition, *search.pair)] if search.pair else []
    if search.stopped:
        settled = search.pairs - len(search.undecided)
        notes.append(
            f"the audit stopped at its limit of {search.stopped:g} s: {settled} of {search.listed} "
            "pairs are decided; the others are open"
        )
    finding, pair, event, probabilities = search.finding, None, "", None
    if search.broken:
        level = definition.level
        if search.found and search.laws and isinstance(level, Approximate):
            finding = event_beyond(search.laws, search.found, level.epsilon)
        if search.found is not None and search.found.reason:
            notes.append(search.found.reason)
        pair = search.pair
        if finding is not None and pair is not None:
            pair = pair if finding.sign > 0 else (pair[1], pair[0])
            event = str(finding.event)
            probabilities = (bounds(finding.p), bounds(finding.q))
        else:
            event = "no interval shows it; the bound is on densities or on a union of intervals"
    elif search.undecided:
        more = len(search.undecided) - 3
        notes += [
            *(f"{d} and {d2}: {why}" for d, d2, why in search.undecided[:3]),
            *([f"and {more} more pairs"] if more > 0 else []),
        ]
    if search.everything:
        notes.append(f"{search.everything[0]}: {search.everything[1]}")
    if search.only_some and outcome is AuditOutcome.CERTIFIED_IN_RANGE:
        notes.append(
            "no other datasets are certified, because the law is not a formula that can be decided for all "
            f"of them: {search.only_some}"
        )
    if search.skipped:
        notes.append(
            f"{len(search.skipped)} pairs of large datasets could not be tried, as there is no law on one of "
            f"{search.skipped[0]!r}"
        )
    if search.no_curve:
        notes.append(f"there is no trade-off curve: {search.no_curve}")
    least, trade_off = _strongest(search, definition)
    return AuditResult(
        outcome=outcome,
        definition=str(definition),
        universe=_looked_at(search),
        pair=pair,
        event=event,
        probabilities=probabilities,
        epsilon_lower_bound=least,
        confidence=1.0,
        samples=0,
        power=None,
        evidence=Grade.ENCLOSURE,
        seconds=seconds,
        notes=tuple(notes),
        pairs_listed=search.listed,
        pairs_tried=search.pairs,
        trade_off=trade_off,
        claimed=definition.level,
        range=words,
    )


def event_beyond(laws: Laws, found: Worst, epsilon: Fraction) -> Finding | None:
    """An event that shows a loss above ε.

    Where the loss lies far out, or none of the simple ones does, it is the one by which P exceeds e^ε·Q
    most, if that is decided.
    """
    factor = ARB.exp(ARB.number(epsilon))
    simple = pure_event(laws, found, factor)
    if simple is not None and not found.tail:
        return simple
    seen = Divergences(laws)
    for sign in (found.sign, -found.sign):
        with suppress(NotComparableError):
            most = seen.finding((sign, epsilon), lambda one: bool(one.p > factor * one.q))
            if most is not None:
                return most
    return simple


def _looked_at(search: Search) -> str:
    """Which pairs were looked at: a predicate where they are all that satisfy it, else how many they are."""
    told = search.tried.told
    if search.pairs == search.listed and told.startswith("neighbors"):
        seen = f"all {told}: {search.pairs} pairs"
    else:
        of = told if told.startswith("pairs") else f"pairs of {told}"
        seen = f"{search.pairs} of the {search.listed} {of}"
    if search.reached:
        seen += f", counts from 0 to {search.reached} one by one, alone and beside others"
    if search.scanned:
        seen += f"; counts to {search.scanned} only scanned"
    return f"{seen}, every output"


def _worst_note(search: Search, definition: AuditDefinition, d: Dataset, d2: Dataset) -> str:
    name = "loss"
    if isinstance(definition.level, Gaussian):
        name = "gap μ"
    elif definition.level.delta:
        name = f"divergence δ at ε = {definition.level.epsilon}"
    size = digits(search.worst.union(max(search.upper, search.worst)), DIGITS)
    if not search.worst.is_finite():
        size = "infinite"
    if search.rounded:
        return (
            f"outputs are rounded: the {name} before the rounding bounds that after it, of which events "
            f"show {size}"
        )
    if not search.exact:
        return f"{_least_note(search)}, at {d} and {d2}, where events show most"
    open_end = search.found is not None and not (search.found.upper.is_finite() or search.found.infinite)
    least = "at least " * open_end
    return f"the largest {name} is {least}{size}, at {d} and {d2}"


def _least_note(search: Search) -> str:
    """Between which numbers the least μ of the worst pair lies."""
    low, high = (digits(bound, DIGITS) for bound in (search.worst, search.upper))
    if not search.worst.is_finite():
        return "no μ is enough"
    if not (search.upper >= search.worst and search.upper.is_finite()):
        return f"the least μ is at least {low}"
    return f"the least μ lies between {low} and {high}"


def _strongest(search: Search, definition: AuditDefinition) -> tuple[float | str, TradeOff | None]:
    """The largest lower bound of ε, given δ, or of μ, by the worst pair and its curve; the curve with it."""
    level, curve = definition.level, search.trade_off
    kind = "mu" if isinstance(level, Gaussian) else "epsilon"
    given = isinstance(level, Approximate) and level.delta
    least = (
        float(search.least.lower() if given else search.worst.lower()) if search.worst.is_finite() else inf
    )
    if curve is not None:
        curve = replace(curve, **{kind: max(least, getattr(curve, kind))})
        least = getattr(curve, kind) if given or not isclose(getattr(curve, kind), least) else least
    if given or least == inf or not isclose(least, float(search.worst)):
        return least, curve
    return digits(search.worst, DIGITS), curve
