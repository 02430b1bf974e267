"""What an audit found, in plain values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import ROUND_FLOOR, Context
from enum import StrEnum
from fractions import Fraction
from typing import Any, cast

from establish.proofs_check.audit.question.level import Approximate, Level
from establish.proofs_check.engine.shown import preformatted, titled
from establish.proofs_check.engine.verdicts import Grade
from establish.proofs_check.outputs.questions import Audited
from establish.proofs_check.outputs.questions import TradeOff as Curve

Dataset = Any
"""What the audited mechanism reads: an integer count, or a tuple (see the definitions)."""

Pair = tuple[Dataset, Dataset]
"""Two neighbors."""

Interval = tuple[float, float]
"""Lower and upper bound of a probability."""


CAUTION = "Finding no violation is not evidence of privacy."
"""Said by every audit that found nothing."""

NOT_BEYOND = "Nothing is certified about other datasets."
"""Said by every certificate that speaks of some datasets only."""

SHOWN_DIGITS, LAST_BITS = 6, 2.0**-50
"""So many digits of a bound are printed, rounded down, but for this share of it."""


def total(d: Dataset) -> float:
    """The sum of all sizes and values of a dataset; a record counts 1."""
    if isinstance(d, tuple):
        kinds = set(map(type, d))
        if kinds == {str}:
            return float(len(d))
        if kinds == {int}:
            return float(sum(map(abs, d)))
        return float(sum(map(total, d)))
    return abs(float(d)) if isinstance(d, (int, float, Fraction)) else 1.0


class AuditOutcome(StrEnum):
    """What an audit can say of a mechanism and a definition."""

    CERTIFIED = "certified"
    """White box only: no neighbors break the definition."""
    CERTIFIED_IN_RANGE = "certified_in_range"
    """White box only: none of the neighbors that were tried break it; ``range`` says which they are."""
    VIOLATED = "violated"
    """``pair`` and ``event`` break the definition."""
    NO_VIOLATION_FOUND = "no_violation_found"
    """The search found nothing; ``power`` says what it would have found. No evidence of privacy."""
    TOO_WEAK = "too_weak"
    """The search found nothing, and would have missed large violations on pairs of its list."""


@dataclass(frozen=True)
class TradeOff:
    """How well tests tell the outputs on one dataset from those on its neighbor.

    test: whose errors these are. errors: by nested event, bounds of type I, the probability of the event
    under pair[1], and of type II, that of its complement under pair[0]; the trade-off curve of the two laws
    lies nowhere above. outputs: of each dataset, not seen before the events were fixed; 0 where the laws
    are given, and the curve runs through the bounds, which are enclosures. mu: the least μ of Gaussian
    privacy that is consistent with the errors; epsilon: the least ε, given the claimed δ (0 for GEDP);
    profile: pairs of an ε and the least δ at it, the claimed ε among them. All bounds hold together.
    """

    pair: Pair
    test: str
    outputs: int
    errors: tuple[tuple[Interval, Interval], ...]
    mu: float
    epsilon: float
    profile: tuple[tuple[float, float], ...]

    def to_json(self) -> Curve:
        """The curve as JSON values."""
        return {
            "pair": _plain(self.pair),
            "test": self.test,
            "outputs": self.outputs,
            "type_1": [one for one, _ in self.errors],
            "type_2": [two for _, two in self.errors],
            "mu": self.mu,
            "epsilon": self.epsilon,
            "profile": list(self.profile),
        }


@dataclass(frozen=True)
class AuditResult:
    """The answer to one audit.

    definition, universe: what was asked, and among which datasets, in words.
    pair, event: the witness; Pr[M(pair[0]) ∈ event] is too large beside Pr[M(pair[1]) ∈ event].
    probabilities: bounds of these two probabilities, in the order of ``pair``.
    epsilon_lower_bound: the least ε (given δ), or for GEDP the least μ, that is consistent with all that was
    found, the curve included; a decimal string where a float would not be exact enough. claimed: the level
    that was asked about; range: the datasets of which a certificate speaks, in words, or up to where it was
    only scanned.
    confidence: the probability, before the audit, that no statement in this result is wrong; 1 for a
    white box. power: the smallest ε or μ of a violation that would have been found with probability
    0.99 on the worst of the tried pairs; None where this has no meaning. evidence: the grade.
    seconds: of computation. notes: what else the user should know, one sentence each.
    pairs_listed, pairs_tried: unordered neighbors that were to be tried, and that were. detection: the
    probability that 1.5 times the claimed level would have been found on a pair of the list, one that
    was not tried counting as 0; detection_worst: on the worst of the tried ones. enough_samples: about
    how many outputs an audit of the whole list needs that is not too weak. None without sampling, and
    for a violation. tried: which counts were tried one by one, besides these pairs. scanned: which counts,
    sizes and shares were looked along for jumps, and not tried but for the pairs at which the output jumps.
    One sentence each.
    """

    outcome: AuditOutcome
    definition: str
    universe: str
    pair: Pair | None
    event: str
    probabilities: tuple[Interval, Interval] | None
    epsilon_lower_bound: float | str
    confidence: float
    samples: int
    power: float | None
    evidence: Grade
    seconds: float
    notes: tuple[str, ...] = field(default=())
    pairs_listed: int = 0
    pairs_tried: int = 0
    detection: float | None = None
    detection_worst: float | None = None
    enough_samples: int | None = None
    trade_off: TradeOff | None = None
    claimed: Level | None = None
    range: str = ""
    tried: tuple[str, ...] = ()
    scanned: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """The outcome in words, with the range of a certificate."""
        if self.outcome is AuditOutcome.CERTIFIED:
            return f"certified {self.range}".strip()
        if self.outcome is AuditOutcome.CERTIFIED_IN_RANGE:
            return f"certified {self.range} only"
        return HEADLINES[self.outcome]

    @property
    def bound(self) -> str:
        """What is known of the claimed parameter, in one sentence: the strongest bound."""
        if self.claimed is None:
            return ""
        level, least = self.claimed, self.epsilon_lower_bound
        claimed = f"(claimed: {level.epsilon if isinstance(level, Approximate) else level.mu})"
        given = f" at δ = {level.delta}" if isinstance(level, Approximate) and level.delta else ""
        if self.bounds_nothing:
            why = "no event was tested" if self.probabilities is None else _alike(bool(given))
            return f"nothing is known about {level.parameter}{given}: {why} {claimed}"
        if least == math.inf:
            return f"no finite {level.parameter} is enough{given} {claimed}"
        unsure = f", wrong with probability at most {1 - self.confidence:.1g}" * (self.confidence < 1)
        size = least if isinstance(least, str) else at_least(least)
        return f"{level.parameter} is at least {size}{given} {claimed}{unsure}"

    @property
    def limited(self) -> bool:
        """Whether less was settled than was asked: the search was too weak, or some datasets were not tried
        or not decided where laws are certified."""
        left = (AuditOutcome.CERTIFIED_IN_RANGE, AuditOutcome.TOO_WEAK)
        open_law = self.outcome is AuditOutcome.NO_VIOLATION_FOUND and self.evidence is not Grade.STATISTICAL
        return self.outcome in left or open_law

    @property
    def too_weak(self) -> bool:
        """Whether nothing was found, and little would have been."""
        return self.outcome is AuditOutcome.TOO_WEAK

    @property
    def caution(self) -> str:
        """What must not be concluded, in one line; empty for a violation or a certificate of all datasets."""
        if self.outcome is AuditOutcome.CERTIFIED_IN_RANGE:
            return NOT_BEYOND
        found_nothing = (AuditOutcome.NO_VIOLATION_FOUND, AuditOutcome.TOO_WEAK)
        return CAUTION if self.outcome in found_nothing else ""

    @property
    def violated(self) -> bool:
        """Whether a violation was found."""
        return self.outcome is AuditOutcome.VIOLATED

    @property
    def bounds_nothing(self) -> bool:
        """Whether outputs leave it open that the event needs any level at all."""
        return self.evidence is Grade.STATISTICAL and not self.epsilon_lower_bound

    def __repr__(self) -> str:
        pair = "" if self.pair is None else f"D = {self.pair[0]!r}, D' = {self.pair[1]!r}"
        fields = {"bound": self.bound, "pair": pair, "event": self.event, "caution": self.caution}
        return titled(f"{self.headline}: {self.definition}", fields)

    def _repr_html_(self) -> str:
        return preformatted(repr(self))

    def to_json(self) -> Audited:
        """The result as JSON values; a fraction becomes a string."""
        values = {name: _plain(getattr(self, name)) for name in Audited.__annotations__}
        values["seconds"] = round(self.seconds, 3)
        values["claimed"] = None if self.claimed is None else str(self.claimed)
        values["trade_off"] = None if self.trade_off is None else self.trade_off.to_json()
        return cast(Audited, values)


HEADLINES = {
    AuditOutcome.VIOLATED: "violated",
    AuditOutcome.NO_VIOLATION_FOUND: "no violation found",
    AuditOutcome.TOO_WEAK: "too weak: no violation found, but large ones would have been missed",
}
"""The outcomes as they are printed, but for those of certificates."""


def at_least(bound: float) -> str:
    """A lower bound by its first digits, rounded down, so that what is printed is a bound, too: up to the
    last bits of the float, which are no more certain than that."""
    floor = Context(SHOWN_DIGITS, ROUND_FLOOR).create_decimal_from_float(bound * (1 + LAST_BITS))
    return f"{float(floor):.{SHOWN_DIGITS}g}"


def _alike(delta: bool) -> str:
    if delta:
        return "within these bounds the probabilities may differ by δ alone"
    return "within these bounds the two probabilities may be equal"


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Sequence):
        return [_plain(entry) for entry in value]
    return repr(value)
