"""Audit a mechanism that can only be run: search for a violation, and test what was found.

The search learns, pair by pair, events on one half of its outputs and scores them on the other half.
A violation is reported only after fresh outputs, drawn when pair and event were fixed, show it by
Clopper–Pearson bounds. All such tests of one audit share an error probability of 1e-9.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from establish.proofs_check.audit.black import power as detectable
from establish.proofs_check.audit.black.confidence import ERROR, ErrorBudget
from establish.proofs_check.audit.black.confirm import Candidate, Tested, fresh_test
from establish.proofs_check.audit.black.low_bits import tell_apart
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.black.search import FEWEST, Searched, search
from establish.proofs_check.audit.black.shrink import shrink
from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite
from establish.proofs_check.audit.question.level import Approximate
from establish.proofs_check.audit.question.mechanism import (
    CALL_SECONDS,
    PROBES,
    AuditError,
    Mechanism,
    OutOfTimeError,
    remarks,
)
from establish.proofs_check.audit.question.result import AuditOutcome, AuditResult, Dataset, Pair
from establish.proofs_check.engine.verdicts import Grade

SAMPLES = 20_000_000
"""Outputs that an audit draws at most, unless asked otherwise."""

SECONDS = 60.0
"""Seconds that an audit takes at most, unless asked otherwise."""

SEARCHING = 0.5
"""The share of the time that the search may take, before what it found is tested."""

TIMING_SECONDS = 0.05
"""So long the mechanism is timed before the number of outputs is fixed."""

SHARPER = 64
"""So many times the outputs that confirmed a witness go into its final bounds, at most."""

OVERHEAD = 0.6
"""The share of the time that may be spent inside the mechanism."""


def audit_black_box(
    target: Any,
    definition: AuditDefinition,
    *,
    samples: int = SAMPLES,
    seconds: float = SECONDS,
    seed: int = 0,
    universe: Finite = None,
    low_bits: bool = False,
    progress: Callable[[float], None] = lambda share: None,
) -> AuditResult:
    """Search for a violation of ``definition`` by the mechanism ``target``.

    samples: outputs to draw in all. seconds: when to stop at the latest. seed: everything random
    follows from it, as long as the mechanism keeps to ``rng`` and time does not run out. universe:
    try all neighbors in it instead of the definition's own pairs. low_bits: count what the last bits
    of floating-point outputs reveal. progress: called with the share of the work that is done.
    Raises AuditError when the mechanism cannot be audited, ParameterError for the other arguments.
    """
    if samples < 8 * FEWEST or not seconds > 0:
        raise AuditError(
            f"samples = {samples}, seconds = {seconds} are not allowed: "
            f"at least {8 * FEWEST} samples and more than 0 seconds"
        )
    start = time.monotonic()
    mechanism = Mechanism(target, min(CALL_SECONDS, seconds), start + seconds)
    run = _Run(mechanism, definition, samples, seed, low_bits, start, seconds, progress)
    return run.result(_unordered(definition, universe))


def _unordered(definition: AuditDefinition, universe: Finite) -> list[Pair]:
    """Each pair in one order: the search looks at both."""
    pairs = definition.pairs() if universe is None else definition.pairs_in(universe)
    kept: dict[Pair, None] = {}
    for first, second in pairs:
        if (second, first) not in kept:
            kept[first, second] = None
    if not kept:
        raise AuditError(f"{definition}: there are no neighbors to try")
    return list(kept)


class _Run:
    """One audit."""

    def __init__(
        self,
        mechanism: Mechanism,
        definition: AuditDefinition,
        samples: int,
        seed: int,
        low_bits: bool,
        start: float,
        seconds: float,
        progress: Callable[[float], None],
    ) -> None:
        self.mechanism, self.definition, self.seed = mechanism, definition, seed
        self.samples = Samples(mechanism, np.random.default_rng(seed), low_bits)
        self.draws, self.low_bits = samples, low_bits
        self.start, self.seconds, self.progress = start, seconds, progress
        self.budget = ErrorBudget()
        self.notes: list[str] = []
        self.tested: list[Tested] = []
        self.searched = Searched()
        self.reached = False

    def result(self, pairs: Sequence[Pair]) -> AuditResult:
        found: Tested | None = None
        try:
            self.notes += remarks(self.mechanism, pairs[0][0], self.seed)
            self._fit_to_time(pairs[-1][0])
            found = self._found(pairs)
            if not self.low_bits:
                self.notes += tell_apart(self.samples, pairs[:3], self.definition.level)
        except OutOfTimeError:
            self.notes.append(f"the audit stopped at its limit of {self.seconds:g} s")
        if found is None:
            found = next((entry for entry in self.tested if entry.violated), None)
        if found is None:
            return self._nothing(pairs)
        return self._result(AuditOutcome.VIOLATED, found, pairs, None)

    def _fit_to_time(self, dataset: Dataset) -> None:
        """Halve the number of outputs until the mechanism is fast enough for it."""
        asked = self.draws
        took, size = 0.0, PROBES
        while took < TIMING_SECONDS and size < asked // 50:
            start = time.monotonic()
            self.mechanism.draw(dataset, size, np.random.default_rng(self.seed))
            took, size = time.monotonic() - start, 4 * size
        while (
            self.draws > 8 * FEWEST and self.draws > OVERHEAD * self.seconds * self.mechanism.rate
        ):
            self.draws //= 2
        if self.draws < asked:
            self.notes.append(f"{self.draws} outputs instead of {asked}, to keep to the time limit")

    def _found(self, pairs: Sequence[Pair]) -> Tested | None:
        self.searched = search(
            pairs,
            self.definition.level,
            self.samples,
            self.draws // 2,
            self._searching,
            self._clear,
            self.start + SEARCHING * self.seconds,
        )
        if not any(entry.violated for entry in self.tested):
            self._test_finalists()
        first = next((entry for entry in self.tested if entry.violated), None)
        if first is None:
            return None
        until = min(self.start + self.seconds, time.monotonic() + 0.3 * self.seconds)
        smallest = shrink(first, pairs, self.definition, self.samples, self.budget, until)
        return self._sharpened(smallest)

    def _test_finalists(self) -> None:
        finalists = self.searched.finalists
        for done, finalist in enumerate(finalists):
            self.progress(0.5 + 0.4 * done / len(finalists))
            if self._violates(finalist, self._share):
                return
        self.reached = self.searched.complete
        if self.searched.closest:
            self._violates(self.searched.closest, self._share)

    @property
    def _share(self) -> int:
        """Fresh outputs of each dataset for one finalist."""
        return max(self.draws // 4 // (len(self.searched.finalists) + 1), 1)

    def _sharpened(self, found: Tested) -> Tested:
        """The same witness with narrower bounds, from more outputs."""
        most = max(min(SHARPER * found.size, self.draws // 8), found.size)
        if time.monotonic() + 3 * most / self.mechanism.rate > self.start + self.seconds:
            return found
        level, candidate = self.definition.level, found.candidate
        again = fresh_test(candidate, level, self.samples, self.budget, most, first=most)
        return again if again and again.violated else found

    def _searching(self, share: float) -> None:
        self.progress(0.5 * share)

    def _clear(self, candidate: Candidate) -> bool:
        return self._violates(candidate, max(self.draws // 50, 4096))

    def _violates(self, candidate: Candidate, most: int) -> bool:
        tested = fresh_test(candidate, self.definition.level, self.samples, self.budget, most)
        if tested:
            self.tested.append(tested)
        return tested is not None and tested.violated

    def _nothing(self, pairs: Sequence[Pair]) -> AuditResult:
        closest = max(self.tested, key=lambda entry: entry.least, default=None)
        found = None
        if self.reached:
            found = detectable.power(self.definition.level, self.searched.rounds, self._share)
        return self._result(AuditOutcome.NO_VIOLATION_FOUND, closest, pairs, found)

    def _result(
        self,
        outcome: AuditOutcome,
        tested: Tested | None,
        pairs: Sequence[Pair],
        power: float | None,
    ) -> AuditResult:
        level = self.definition.level
        if tested and isinstance(level, Approximate) and level.delta:
            p, q = tested.probabilities
            least = level.least_delta(p[0], q[1])
            self.notes.append(
                f"at ε = {level.epsilon} the least δ consistent with it is {least:.6g}"
            )
        self.progress(1.0)
        return AuditResult(
            outcome=outcome,
            definition=str(self.definition),
            universe=f"{len(pairs)} pairs of neighbors; a dataset is {self.definition.form}",
            pair=tested.candidate.pair if tested else None,
            event=str(tested.candidate.event) if tested else "",
            probabilities=tested.probabilities if tested else None,
            epsilon_lower_bound=tested.least if tested else 0.0,
            confidence=1 - ERROR,
            samples=self.mechanism.drawn,
            power=power,
            evidence=Grade.STATISTICAL,
            seconds=time.monotonic() - self.start,
            notes=tuple(self.notes),
        )
