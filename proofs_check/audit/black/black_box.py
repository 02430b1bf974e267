"""Audit a mechanism that can only be run: search for a violation, and test what was found.

The search learns, pair by pair, events on one half of its outputs and scores them on the other half.
A violation is reported only after fresh outputs, drawn when pair and event were fixed, prove it by a
bet that may stop at any time. All such tests of one audit share an error probability of 1e-9.
"""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from establish.proofs_check.audit.black import close_calls
from establish.proofs_check.audit.black import power as detectable
from establish.proofs_check.audit.black.confidence import ERROR, ErrorBudget
from establish.proofs_check.audit.black.confirm import Candidate, Tested, Trial, fresh_test, run
from establish.proofs_check.audit.black.curve import Measured, accused, measure, strongest, told
from establish.proofs_check.audit.black.every import every_count
from establish.proofs_check.audit.black.low_bits import tell_apart
from establish.proofs_check.audit.black.plan import FEWEST, Plan, fitting, searched, stage
from establish.proofs_check.audit.black.samples import MOST_KEPT, OneByOneError, Samples
from establish.proofs_check.audit.black.search import Stage, search
from establish.proofs_check.audit.black.sharpen import sharpest
from establish.proofs_check.audit.black.shrink import shrink
from establish.proofs_check.audit.question.candidates import size
from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite
from establish.proofs_check.audit.question.level import Approximate
from establish.proofs_check.audit.question.mechanism import (
    CALL_SECONDS,
    MAY_REFUSE,
    AuditError,
    Mechanism,
    OutOfOutputsError,
    OutOfTimeError,
)
from establish.proofs_check.audit.question.randomness import PROBES, remarks
from establish.proofs_check.audit.question.result import AuditOutcome, AuditResult, Dataset, Pair
from establish.proofs_check.audit.scan.scan import limits, scan
from establish.proofs_check.engine.verdicts import Grade
from establish.spec.parameters import ParameterError
from establish.spec.relations.universes import is_count

SAMPLES = 20_000_000
"""Outputs that an audit draws at most, unless asked otherwise."""

SECONDS = 60.0
"""Seconds that an audit takes at most, unless asked otherwise."""

FEWEST_SAMPLES = 1000
"""No audit has fewer outputs."""

TIMING = (0.05, 0.001)
"""So long the mechanism is timed before the first stage is planned, with at most this share of the outputs at
a time."""

LOOKED_AT = 4
"""On so many datasets it is looked at where the mechanism's randomness comes from."""

OVERHEAD = 0.6
"""The share of the time that may be spent inside the mechanism."""

SEARCHING = 0.75
"""The share of the time after which what was found so far is tested."""

LONGEST = 0.8
"""A stage may take this share of the time that is left, judged by the stage before."""

MANY, SCANNED, SCANNED_BY_FEW, NAMED_BY_FEW = 1_000_000, (0.15, 0.3), (0.05, 0.3), 6
"""From so many outputs on a scan takes the first shares of outputs and time. Fewer are for the list: the scan
takes the second shares and names so many pairs at most, and not every count is tried."""

TRIED = (0.05, 0.1)
"""The shares of outputs and time for every count up to several hundred."""

SELDOM = 0.01
"""Promising events of at most this probability are tested first in each stage."""

PROMISING, MUCH_LARGER = 3.0, 4
"""What a bet must promise to win, in logarithms, to be tried before a stage that is so much larger; what
it must have won to get the outputs that are kept for the curve."""

SHRINKING = (0.3, 200_000)
"""The share of the time that may go into a simpler witness, and the outputs where few were drawn."""

SHARPENING, MOST_SEEN = (0.1, 0.3), 4_000_000
"""For the sharpest bound, the shares of what is left that events are learned from, and compared on."""

CURVE_OUTPUTS, CURVE_SHARE = (10_000, 200_000), 4
"""For a trade-off curve, outputs of each dataset: one for so many that were drawn, within these bounds."""

CURVE_SECONDS = (0.05, 0.1)
"""The share of the time that is kept for the curve, before which the search ends, and what it may take."""

MOST_TOLD = 5
"""Of so many kinds of outputs that are no number the first dataset is told."""

DEVIATIONS = 7.0
"""Standard errors between an estimate and its bound at the error of one test, 1e-9/400/2."""


def audit_black_box(
    target: Any,
    definition: AuditDefinition,
    *,
    samples: int = SAMPLES,
    seconds: float = SECONDS,
    seed: int = 0,
    jobs: int | None = None,
    universe: Finite = None,
    pairs: Iterable[Pair] | None = None,
    low_bits: bool = False,
    sharpest: bool = False,
    progress: Callable[[float], None] = lambda share: None,
) -> AuditResult:
    """Search for a violation of ``definition`` by the mechanism ``target``.

    samples: outputs to draw in all, at most. seconds: when to stop at the latest. seed: everything
    random follows from it, as long as the mechanism keeps to ``rng`` and time is not short; with infinite
    ``seconds`` nothing depends on the speed of the machine. jobs: so many processes call a mechanism that
    is not vectorized; the result is the same for any number of them. Each has a copy of the mechanism, so
    that one whose randomness is seen to come from elsewhere than ``rng`` is called in this process only.
    universe: try all neighbors in it instead of the definition's own pairs; pairs: try these.
    low_bits: count what the last bits of floating-point outputs reveal. sharpest: when a violation
    was found, spend all that is left on the bound for it. progress: called with the share of the work
    that is done. Raises AuditError when the mechanism cannot be audited, ParameterError for the other
    arguments.
    """
    counted = isinstance(samples, Real) and isinstance(seconds, Real)
    if not counted or samples < FEWEST_SAMPLES or not seconds > 0:
        raise AuditError(
            f"samples = {samples!r}, seconds = {seconds!r} are not allowed: "
            f"at least {FEWEST_SAMPLES} samples and more than 0 seconds"
        )
    if not is_count(seed):
        raise ParameterError(f"seed = {seed!r} is not allowed: it is a whole number of at least 0")
    listed = definition.listed(universe, pairs)
    if not listed:
        raise AuditError(f"{definition}: there are no neighbors to try")
    start = time.monotonic()
    mechanism = Mechanism(target, min(CALL_SECONDS, seconds), start + seconds, samples, jobs)
    run = _Run(mechanism, definition, listed, seed, low_bits, sharpest, seconds, progress)
    if universe is None and pairs is None and not definition.given:
        run.looks_along = True
        run.may_fail = frozenset(pair for pair in listed if size(pair) > MAY_REFUSE)
        mechanism.refuses_from = MAY_REFUSE
    try:
        return run.result()
    finally:
        mechanism.close()


class _Run:
    """One audit."""

    def __init__(
        self,
        mechanism: Mechanism,
        definition: AuditDefinition,
        pairs: Sequence[Pair],
        seed: int,
        low_bits: bool,
        sharpest: bool,
        seconds: float,
        progress: Callable[[float], None],
    ) -> None:
        self.mechanism, self.definition, self.seed = mechanism, definition, seed
        self.samples = Samples(mechanism, np.random.default_rng(seed), low_bits)
        self.pairs, self.low_bits, self.sharpest = pairs, low_bits, sharpest
        self.first_pairs = pairs[:3]
        self.datasets = len({d for pair in pairs for d in pair})
        self.start, self.seconds, self.progress = time.monotonic(), seconds, progress
        self.until = mechanism.deadline = self.start + (1 - CURVE_SECONDS[0]) * seconds
        self.allowed, mechanism.allowed = mechanism.allowed, searched(mechanism.allowed)
        self.budget = ErrorBudget()
        self.notes: list[str] = []
        self.tested: list[Tested] = []
        self.stages: list[Stage] = []
        self.tried: set[Pair] = set()
        self.may_fail: frozenset[Pair] = frozenset()
        self.looks_along = False
        self.scanned: tuple[str, ...] = ()
        self.tried_counts: tuple[str, ...] = ()
        self.trials: dict[frozenset[Dataset], list[Trial]] = {}
        self.skipped: dict[Pair, str] = {}

    def result(self) -> AuditResult:
        found: Tested | None = None
        try:
            self.notes += remarks(self.mechanism, self._some_datasets(), self.seed)
            self.mechanism.require_some([pair[1] for pair in self.pairs], np.random.default_rng(self.seed))
            self._time()
            self._scan()
            found = self._found()
            if self.stages and not self.low_bits:
                self.notes += tell_apart(self.samples, self.first_pairs, self.definition.level)
        except (OutOfOutputsError, OneByOneError):
            pass
        except OutOfTimeError:
            self.notes.append(f"the audit stopped at its limit of {self.seconds:g} s")
        if found is None:
            found = next((entry for entry in self.tested if entry.violated), None)
        found, curve = self._curve(found)
        if self.mechanism.alike:
            self.notes.append(
                "every call gave the same output, whatever the dataset: the audit saw one path of the "
                "mechanism, and nothing of any other"
            )
        elif not self.mechanism.varies:
            self.notes.append(
                f"the output does not depend on rng: it was the same on each dataset in all "
                f"{self.mechanism.drawn} calls"
            )
        return self._result(found, curve)

    def _some_datasets(self) -> list[Any]:
        usual = [pair for pair in self.pairs if pair not in self.may_fail] or self.pairs
        step = max(1, len(usual) // LOOKED_AT)
        return [self.pairs[0][0], *(pair[1] for pair in usual[::step])][:LOOKED_AT]

    def _skip(self, pair: Pair, error: AuditError) -> bool:
        """A mechanism may refuse sizes that only our own list has; its user is told."""
        if pair not in self.may_fail:
            return False
        self.skipped[pair] = str(error)
        return True

    def _scan(self) -> None:
        """Pairs at which the output jumps come first; nothing is scanned beside pairs that the user gave."""
        if not self.looks_along:
            return
        few = self.mechanism.allowed < MANY
        outputs, until = limits(self.mechanism.allowed, self.seconds, SCANNED_BY_FEW if few else SCANNED)
        seen = scan(self.mechanism, self.definition, outputs, until, self.seed, self._searching)
        outputs, until = limits(self.mechanism.left, self.seconds, TRIED)
        outputs = 0 if few else outputs
        every = every_count(self.definition, self.samples, outputs, until, self._searching)
        self.scanned, self.tried_counts = seen.words, every.words
        known = {pair for one in self.pairs for pair in (one, one[::-1])}
        named = [pair for pair in dict.fromkeys((*seen.pairs, *every.pairs)) if pair not in known]
        named = named[:NAMED_BY_FEW] if few else named
        self.pairs = [*named, *self.pairs]
        self.may_fail |= {pair for pair in named if size(pair) > MAY_REFUSE}
        self.datasets = len({d for pair in self.pairs for d in pair})

    def _time(self) -> None:
        """Learn how fast the mechanism is, from few outputs."""
        took, many = 0.0, PROBES
        while took < TIMING[0] and many < TIMING[1] * self.mechanism.left:
            start = time.monotonic()
            self.mechanism.draw(self.pairs[0][1], many, np.random.default_rng(self.seed))
            took, many = time.monotonic() - start, 4 * many

    def _found(self) -> Tested | None:
        """Stage after stage, as outputs and time allow, until a violation is proved."""
        while plan := self._next():
            start = time.monotonic()
            done = search(
                [pair for pair in self.pairs[: plan.left[0]] if pair not in self.skipped],
                self.definition.level,
                self.samples,
                plan,
                self.tried,
                self._searching,
                lambda one: self._violates([one], plan.tested),
                self._skip,
                self.start + SEARCHING * self.seconds,
            )
            if done:
                self._test(done, plan.tested)
                if done.complete:
                    self.stages.append(done)
            first = next((entry for entry in self.tested if entry.violated), None)
            if first:
                return self._better(first)
            if not (done and done.complete) or plan.left[0] < len(self.pairs):
                break
            self._took = time.monotonic() - start
        self._spend_the_rest()
        return next((entry for entry in self.tested if entry.violated), None)

    def _next(self) -> Plan | None:
        """The next stage: of all pairs; the first one, where that is too much, of the first pairs."""
        time_left = self.until - time.monotonic()
        allowed = min(self.mechanism.left, OVERHEAD * time_left * self.mechanism.rate)
        if not self.stages:
            plan = fitting(len(self.pairs), self.datasets, allowed, 0, keeps=False)
            return plan or self._for_the_first(allowed)
        if self._took > 0:
            allowed = min(allowed, LONGEST * time_left / self._took * self.stages[-1].plan.cost)
        return self._next_after(self.stages[-1].plan.sizes[0], allowed)

    def _next_after(self, before: int, allowed: float = math.inf) -> Plan | None:
        allowed = min(allowed, 2 * self._affordable)
        width = self.samples.width(self.pairs[0][0])
        keeps = before * self.datasets * width <= MOST_KEPT
        return fitting(len(self.pairs), self.datasets, allowed, before, keeps)

    def _for_the_first(self, allowed: float) -> Plan | None:
        low, high = 0, len(self.pairs)
        while low < high:
            middle = (low + high + 1) // 2
            datasets = len({d for pair in self.pairs[:middle] for d in pair})
            low, high = (
                (middle, high) if stage(middle, datasets, FEWEST).cost <= allowed else (low, middle - 1)
            )
        if not low:
            return None
        return stage(low, len({d for pair in self.pairs[:low] for d in pair}), FEWEST)

    def _test(self, done: Stage, most: int) -> None:
        """What is seldom goes first; candidates on one pair share their outputs.

        Before a much larger stage only what promises something is tested, as outputs are short.
        """
        promising = [one for one in done.rare if one.promise * most >= PROMISING]
        before, far = done.plan.sizes[0], done.far[:1]
        after = self._next_after(before)
        if done.complete and after and after.sizes[0] >= MUCH_LARGER * before:
            for group in _by_pair((*promising, *far)):
                if self._violates(group, most, True):
                    return
            return
        seldom = [one for one in promising if one.shares[0] <= SELDOM]
        closest = [done.closest] if done.closest else []
        groups = _by_pair((*seldom, *done.finalists, *far, *closest))
        kept = min(most, detectable.bet(self.definition.level), self._each(2 * len(groups)))
        done.first = done.tested = most
        for left, group in zip(range(len(groups) - 1, -1, -1), groups, strict=True):
            size, aside = min(most, self._each(left + 1)), kept * left
            done.first = min(done.first, size)
            done.tested = min(done.tested, max(size, self._affordable - aside))
            if self._violates(group, size, aside=aside):
                return

    def _each(self, many: int) -> int:
        """Outputs of each dataset for so many pairs."""
        return self.mechanism.left // 2 // max(many, 1)

    def _spend_the_rest(self) -> None:
        """What is left is too little for another stage, and goes to the pairs where most was won.

        Where that is much, what was kept for the curve goes there, too.
        """
        for trials in sorted(self.trials.values(), key=_most_won, reverse=True):
            if _most_won(trials) >= PROMISING:
                self.mechanism.allowed = self.allowed
            if found := run(trials, self.samples, self._affordable):
                self.tested.append(found)
                return

    def _violates(
        self, group: Sequence[Candidate], most: int, keep_promises: bool = False, aside: int = 0
    ) -> bool:
        """Test candidates on one pair, and those that were tested on it before and have hope.

        aside: outputs of each dataset that are kept for others.
        """
        pair = frozenset(group[0].pair)
        trials = [one for one in self.trials.get(pair, ()) if not one.hopeless]
        known = {one.candidate.name for one in trials if one.candidate.name}
        for candidate in group:
            if candidate.name not in known and self.budget.left:
                error = self.budget.spend()
                trials.append(Trial(candidate, self.definition.level, error))
        self.trials[pair] = trials
        found = run(trials, self.samples, most, keep_promises=keep_promises) if most > 0 else None
        while not found:
            available = self._affordable - aside
            more = max((one.goes_on(available) for one in trials), default=0)
            if not more:
                break
            found = run(trials, self.samples, more)
        shown = found or max((one.tested() for one in trials), key=lambda one: one.least, default=None)
        self.tested += [shown] if shown else []
        return found is not None

    @property
    def _affordable(self) -> int:
        """Outputs of each dataset of a pair that may still be drawn in time."""
        time_left = OVERHEAD * (self.until - time.monotonic())
        return max(0, int(min(self.mechanism.left, time_left * self.mechanism.rate)) // 2)

    def _better(self, found: Tested) -> Tested:
        """A simpler witness, and where that is wanted a sharper bound for it."""
        until = min(self.until, time.monotonic() + SHRINKING[0] * self.seconds)
        spent = self.mechanism.drawn
        allowed = spent + min(max(spent, SHRINKING[1]), self.mechanism.left)
        self.tested.append(found)
        found = shrink(found, self.pairs, self.definition, self.samples, self.budget, until, allowed)
        self.tested.insert(0, found)
        if not self.sharpest:
            return found
        most = self._affordable
        learned, scored = (min(int(share * most), MOST_SEEN) for share in SHARPENING)
        level, pair = self.definition.level, found.candidate.pair
        best = sharpest(pair, level, self.samples, most, (DEVIATIONS,), learned, scored)
        candidate = max((found.candidate, *best), key=lambda one: one.least)
        again = fresh_test(candidate, level, self.samples, self.budget, self._affordable, sharpest=True)
        return again if again and again.least > found.least else found

    def _searching(self, share: float) -> None:
        drawn = self.mechanism.drawn / self.mechanism.allowed
        took = (time.monotonic() - self.start) / self.seconds
        self.progress(min(max(drawn, took), 1.0))

    def _curve(self, found: Tested | None) -> tuple[Tested | None, Measured | None]:
        """The curve on the pair that is shown, and the violation, which may be the curve's own."""
        shown = self._shown(found)
        until = time.monotonic() + CURVE_SECONDS[1] * self.seconds
        self.until = self.mechanism.deadline = min(self.start + self.seconds, until)
        self.mechanism.allowed = self.allowed
        wanted = max(CURVE_OUTPUTS[0], self.mechanism.drawn // CURVE_SHARE)
        outputs = min(CURVE_OUTPUTS[1], wanted, self._affordable)
        if shown is None or not self.budget.left:
            return found, None
        level, pair = self.definition.level, shown.candidate.pair
        try:
            curve = measure(pair, level, self.samples, outputs, self.budget.spend())
        except (OutOfOutputsError, OutOfTimeError, OneByOneError):
            return found, None
        if found is None and curve is not None:
            found = accused(curve, level)
        return found, curve

    def _shown(self, found: Tested | None) -> Tested | None:
        """The violation, or else the event that came closest to one."""
        return found or max(self.tested, key=_closeness, default=None)

    def _result(self, found: Tested | None, curve: Measured | None) -> AuditResult:
        level, listed, tried = self.definition.level, len(self.pairs), len(self.tried)
        shown = self._shown(found)
        outcome, strength, worst, overall, needed = AuditOutcome.VIOLATED, None, None, None, None
        if not found:
            strength = detectable.power(level, self.stages)
            worst = detectable.detected(level, self.stages, detectable.STRONG * level.bound)
            overall = worst * tried / listed
            weak, drawn = overall < detectable.ENOUGH, self.mechanism.drawn
            needed = detectable.enough(level, self.stages, listed, self.datasets, drawn if weak else 0)
            if not weak:  # those of this audit were enough
                needed = min(needed or drawn, drawn)
            outcome = AuditOutcome.TOO_WEAK if weak else AuditOutcome.NO_VIOLATION_FOUND
            if isinstance(level, Approximate) and level.delta:
                rate = self.mechanism.drawn / max(time.monotonic() - self.start, 1e-9)
                self.notes.append(close_calls.told(level, rate))
        for words, dataset in [*self.mechanism.failures.items()][:MOST_TOLD]:
            self.notes.append(f"on {dataset!r} the output was {words}: it counts like any other output")
        if self.skipped:
            first, said = next(iter(self.skipped.items()))
            self.notes.append(
                f"{len(self.skipped)} pairs of large datasets could not be tried; on {first!r} {said}"
            )
        self.progress(1.0)
        least, trade_off = strongest(shown, told(level, shown, curve), level) if shown else (0.0, None)
        return AuditResult(
            outcome=outcome,
            definition=str(self.definition),
            universe=f"{listed} pairs of neighbors; a dataset is {self.definition.form}",
            pair=shown.candidate.pair if shown else None,
            event=str(shown.candidate.event) if shown else "",
            probabilities=shown.probabilities if shown else None,
            epsilon_lower_bound=least,
            confidence=1 - ERROR,
            samples=self.mechanism.drawn,
            power=strength,
            evidence=Grade.STATISTICAL,
            seconds=time.monotonic() - self.start,
            notes=tuple(self.notes),
            pairs_listed=listed,
            pairs_tried=tried,
            detection=overall,
            detection_worst=worst,
            enough_samples=needed,
            tried=self.tried_counts,
            scanned=self.scanned,
            trade_off=trade_off,
            claimed=level,
        )


def _by_pair(candidates: Iterable[Candidate]) -> list[list[Candidate]]:
    """One group for each pair; of those with the same shares one, they say the same in other words."""
    groups: dict[Any, dict[Any, Candidate]] = {}
    for one in candidates:
        group = groups.setdefault(frozenset(one.pair), {})
        group.setdefault((one.pair, one.shares, one.rows), one)
    return [list(group.values()) for group in groups.values()]


def _closeness(one: Tested) -> tuple[float, float]:
    """By what is proved, and where nothing is, by what was seen when the event was chosen."""
    return one.least, one.candidate.score


def _most_won(trials: Sequence[Trial]) -> float:
    return max((one.won for one in trials), default=0.0)
