"""What ``establish audit`` prints: the witness, or what would have been found."""

from collections.abc import Iterator, Sequence

from establish.proofs_check.audit.black.power import STRONG
from establish.proofs_check.audit.grey.grey_box import Replays
from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.level import Gaussian, Level
from establish.proofs_check.audit.question.result import AuditResult, Interval, TradeOff, at_least
from establish.proofs_check.engine.verdicts import Grade
from establish.proofs_check.outputs.questions import Replayed

MOST_SHOWN = 5
"""So many faults and remarks of a replay are printed."""


def tell(result: AuditResult, definition: AuditDefinition) -> Iterator[str]:
    """The result in lines for a reader."""
    level = definition.level
    yield f"{result.headline}: {result.definition}"
    yield f"  bound     {result.bound}"
    yield f"  among     {result.universe}"
    yield f"  tried     {result.pairs_tried} of the {result.pairs_listed} pairs on the list"
    for sentence in result.tried:
        yield f"  tried     {sentence}"
    yield from scanned(result.scanned)
    if result.pair is not None:
        closest = "" if result.violated else "  (the closest to a violation)"
        yield f"  dataset   D  = {result.pair[0]!r}{closest}"
        yield f"            D' = {result.pair[1]!r}"
        yield f"  event     {result.event}"
    if result.probabilities is not None:
        yield f"  Pr[M(D)  ∈ event]   {_shown(result.probabilities[0])}"
        yield f"  Pr[M(D') ∈ event]   {_shown(result.probabilities[1])}"
    yield f"  evidence  {_evidence(result)}"
    if result.trade_off is not None:
        yield from _trade_off(result.trade_off, level)
    if not result.violated and result.evidence is Grade.STATISTICAL:
        yield from _power(result, level.parameter, level.bound)
    yield f"  work      {result.samples} outputs, {result.seconds:.2f} s"
    for note in result.notes:
        yield f"  note      {note}"
    if result.caution:
        yield f"  caution   {result.caution}"


def scanned(words: Sequence[str]) -> Iterator[str]:
    """What was looked along, and not tried."""
    for sentence in words:
        yield f"  scanned   {sentence}"


def tell_replays(done: Replays, definition: AuditDefinition) -> Iterator[str]:
    """What the grey box saw, in lines for a reader."""
    headline = "fault found" if done.faults else "no fault found"
    yield f"{headline}: {definition}"
    replayed = f"{len(done.results)} of the {done.listed} pairs on the list"
    yield f"  replayed  {replayed}, with the same draws on both datasets"
    yield from scanned(done.scanned)
    losses = [(one.loss, one.pair) for one in done.results if one.loss is not None]
    if losses:
        loss, pair = max(losses, key=lambda entry: entry[0])
        words = f"{definition.level.parameter} = {loss:.6g}, the largest of these pairs"
        yield f"  costs     {words}, at {pair[0]!r} and {pair[1]!r}"
    yield f"  unpriced  {len(done.results) - len(losses)} pairs, because their noise is not simply added"
    for pair, fault in done.faults[:MOST_SHOWN]:
        yield f"  fault     {pair[0]!r} and {pair[1]!r}: {fault}"
    remarks = dict.fromkeys(remark for one in done.results for remark in one.remarks)
    for remark in [*remarks][:MOST_SHOWN]:
        yield f"  remark    {remark}"
    more = max(len(remarks), len(done.faults)) - MOST_SHOWN
    if more > 0:
        yield f"  and       {more} more (--json lists all of them)"
    yield "  caution   A replay samples almost nothing: finding no fault is not evidence of privacy."


def grey_json(done: Replays, definition: AuditDefinition) -> list[Replayed]:
    """The same for machines: one entry per pair."""
    return [
        {
            "definition": str(definition),
            "pair": (repr(one.pair[0]), repr(one.pair[1])),
            "faults": list(one.faults),
            "remarks": list(one.remarks),
            "loss": one.loss,
            "draws": one.draws,
        }
        for one in done.results
    ]


def _shown(bounds: Interval) -> str:
    return f"between {bounds[0]:.6g} and {bounds[1]:.6g}"


def _evidence(result: AuditResult) -> str:
    if result.evidence is Grade.STATISTICAL:
        error = 1 - result.confidence
        return f"{result.evidence}, wrong with probability at most {error:.1g}"
    return str(result.evidence)


def _trade_off(curve: TradeOff, level: Level) -> Iterator[str]:
    """What the curve leaves of each definition."""
    delta = 0 if isinstance(level, Gaussian) else level.delta
    given = f"at δ = {delta}" if delta else "without δ"
    seen = "enclosed"
    if curve.outputs:
        seen = f"{curve.outputs} outputs of each dataset, all bounds hold together"
    yield f"  curve     {curve.test}, {seen}:"
    yield f"            μ is at least {at_least(curve.mu)}, and ε {given} at least {at_least(curve.epsilon)}"
    least = ", ".join(f"{at_least(delta)} at ε = {epsilon:g}" for epsilon, delta in curve.profile if delta)
    yield f"            δ is at least {least or '0 at every ε'}"


def _power(result: AuditResult, parameter: str, bound: float) -> Iterator[str]:
    """What would have been found on the tried pairs and on the whole list."""
    least = "no violation"
    if result.power is not None:
        least = f"{parameter} = {result.power:.4g}"
    yield (
        f"  power     {least} would have been found with probability 0.99 on any of the "
        f"{result.pairs_tried} pairs tried, if the output is like shifted noise"
    )
    yield (
        f"            {parameter} = {STRONG * bound:.4g}, {STRONG:g} times the claim, would have been found "
        f"with probability {result.detection_worst or 0:.2g} or more on each of them, and "
        f"{result.detection or 0:.2g} on the {result.pairs_listed} on the list"
    )
    if result.too_weak:
        needed = result.enough_samples
        many = "more than 10^15" if needed is None else f"about {needed:,}"
        rate = result.samples / max(result.seconds, 1e-9)
        time_needed = "" if needed is None else f", {needed / rate:,.0f} s at this speed"
        yield f"  needs     {many} outputs{time_needed}"
