"""The white box: certify or refute a mechanism whose law is given, over a finite universe.

For all neighbors of the universe and all outputs, the privacy loss (pure), the hockey-stick divergence
(with δ) or the trade-off (μ) is enclosed. ``certified`` is exhaustive over the universe and an enclosure
over the outputs; ``violated`` comes with an event and both probabilities from the distribution
functions. Nothing is sampled.
"""

import math
import time
from collections.abc import Callable, Hashable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import arb

from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite
from establish.proofs_check.audit.question.level import Approximate, Gaussian, Level
from establish.proofs_check.audit.question.mechanism import AuditError
from establish.proofs_check.audit.question.result import AuditOutcome, AuditResult, Dataset, Pair
from establish.proofs_check.audit.question.timer import TooSlowError, time_limit
from establish.proofs_check.audit.white import curve, excess, gaussian_level
from establish.proofs_check.audit.white.alike import LawIn, key
from establish.proofs_check.audit.white.all_sizes import settle_all
from establish.proofs_check.audit.white.composed import before_rounding, split
from establish.proofs_check.audit.white.composed_pairs import settle
from establish.proofs_check.audit.white.divergences import TOLERANCE, Divergences
from establish.proofs_check.audit.white.intervals import breaking
from establish.proofs_check.audit.white.laws import NotComparableError
from establish.proofs_check.audit.white.loss import exactly_at_most, worst_loss
from establish.proofs_check.audit.white.pair import Pair as Laws
from establish.proofs_check.audit.white.ranges import LINE, SCANNED, line, range_of, scanned
from establish.proofs_check.audit.white.scan import EVERY, Marks
from establish.proofs_check.audit.white.spec_laws import Law
from establish.proofs_check.audit.white.white_report import Search, event_beyond, result
from establish.proofs_check.engine.methods.enclosure import digits
from establish.proofs_check.engine.statements.lasting import what_varies
from establish.spec.arithmetic import ARB, World, enclosing
from establish.spec.parameters import ParameterError

LINE_SHARE, SCAN_SHARE = 0.4, 0.6
"""The shares of the time after which counts are tried one by one, or scanned, no further."""

QUICK = 64
"""Bits of a scan."""

DELTA_TOLERANCE = Fraction(1, 10**12)
"""To which share of the allowed δ a divergence is enclosed."""


def law_of(mechanism: Any) -> Callable[[Dataset, World], Law] | None:
    """The mechanism's law(dataset, c), or output(dataset, c) as in ``establish.spec``; else None."""
    law = getattr(mechanism, "law", None) or getattr(mechanism, "output", None)
    return law if callable(law) else None


def certify(
    mechanism: Any,
    definition: AuditDefinition,
    universe: Finite | None = None,
    pairs: Iterable[Pair] | None = None,
    seconds: float = math.inf,
    progress: Callable[[float], None] = lambda share: None,
) -> AuditResult:
    """Certify or refute ``definition`` for the mechanism on all neighbors of ``universe``.

    mechanism: an object with law(dataset, c) → a law (see ``laws.py``), a tuple of laws of independent
    outputs, or what ``made_laws`` and ``composed`` make of them, read in ARB, and in SYM where
    balls cannot decide equality. universe: what the definition is enumerated in, for example
    SizeUniverse(2, 15), an integer for counts, a grid of values for GEDP; see
    :func:`default_universe`; pairs: these instead. Floats in a dataset reach the law as the Fractions
    that they are. seconds: when to stop; the result then says which pairs are settled, and is no
    certificate. What balls cannot decide ends as ``no_violation_found``, with the gap in a note.

    Raises ParameterError for a mechanism without a law, or a universe without neighbors, and AuditError
    where law(dataset, c) raises, or changes something so that it may answer otherwise the next time.
    """
    law = law_of(mechanism)
    if law is None:
        raise ParameterError("the white box needs law(dataset, c): see establish.proofs_check.audit")
    if varies := what_varies(law):
        raise AuditError(f"law(dataset, c) must be the same whenever it is asked, but {varies}")
    start = time.perf_counter()
    tried = range_of(definition, universe, pairs)
    if not tried.pairs:
        raise ParameterError(f"universe = {universe} holds no neighbors")
    search = Search(tried, listed=len(tried.pairs))
    run = _Run(search, law, definition, start, seconds, progress)
    try:
        with enclosing(), time_limit(seconds) if math.isfinite(seconds) else nullcontext():
            run.settle(tried.pairs)
            search.settled = True
            if tried.lines and not run.all_of_them():
                run.follow()
                run.scan()
            _look_closer(search, definition.level)
    except TooSlowError:
        search.stopped = 0.0 if search.settled else seconds
    with enclosing():
        return result(search, definition, time.perf_counter() - start)


@dataclass
class _Run:
    """One audit of a law. known: what was left open by pairs of each key that is settled."""

    search: Search
    law: Callable[[Dataset, World], Law]
    definition: AuditDefinition
    start: float
    seconds: float
    progress: Callable[[float], None]
    known: dict[Hashable, tuple[str, ...]] = field(default_factory=dict)
    began: float = field(default_factory=time.process_time)

    def settle(self, pairs: Iterable[Pair]) -> None:
        """Look at one pair after the other; TooSlowError when the time is over."""
        for pair in pairs:
            if time.perf_counter() > self.start + self.seconds:
                raise TooSlowError
            if not self.search.settled:
                self.progress(self.search.pairs / self.search.listed)
            self._settle_as_known(pair)
            self.search.pairs += 1
            if self.search.found is not None and self.search.found.infinite:
                break

    def all_of_them(self) -> bool:
        """Whether what was tried settles every dataset, as the law is a formula in the count."""
        search = self.search
        if search.outcome is not AuditOutcome.CERTIFIED_IN_RANGE:
            return False
        skipped = {d for pair in search.skipped for d in pair}
        datasets = [d for pair in search.tried.pairs for d in pair if d not in skipped]
        try:
            search.everything = settle_all(lambda d, c: self._at(d)(c), self.definition, datasets, self.law)
        except (NotComparableError, ParameterError) as error:
            search.only_some = getattr(error, "short", str(error))
        return bool(search.everything)

    def follow(self) -> None:
        """Try counts one by one, as far as the time allows."""
        for count in range(LINE):
            if self.search.broken or self._worked() > LINE_SHARE:
                return
            pairs = list(line(self.definition, count))
            self.search.listed += len(pairs)
            self.settle(pairs)
            self.search.reached = count + 1

    def scan(self) -> None:
        """Look along a line for pairs that deserve it, and settle those."""
        marks = Marks(self.definition.level)
        for count in range(self.search.reached, SCANNED):
            if self.search.broken or self._worked() > SCAN_SHARE:
                break
            with enclosing(QUICK):
                for number, (d, d2) in enumerate(scanned(self.definition, count)):
                    marks.see(number, (d, d2), (self._at(d), self._at(d2)), count % EVERY == 0)
            self.search.scanned = count + 1
        named = marks.named()
        self.search.listed += len(named)
        self.settle(named)

    def _worked(self) -> float:
        """The share of the time by the processor's clock: the load of the machine changes no range."""
        return (time.process_time() - self.began) / self.seconds

    def _at(self, d: Dataset) -> LawIn:
        return _law_at(self.law, d)

    def _settle_as_known(self, pair: Pair) -> None:
        """Settle a pair, unless another with its key is."""
        d, d2 = pair
        search, before, same = self.search, len(self.search.undecided), None
        try:
            same = key(self._at(d), self._at(d2))
            if same is None or same not in self.known:
                self._settle(d, d2)
        except NotComparableError as error:
            search.doubt(d, d2, str(error))
        except ParameterError as error:
            if not search.pairs:  # what fails from the beginning is misuse
                raise
            if pair in search.tried.optional:
                search.skipped.append(pair)
            else:
                search.doubt(d, d2, f"the law cannot be read there: {getattr(error, 'short', error)}")
        if same is None:
            return
        if same in self.known:
            for why in self.known[same]:
                search.doubt(d, d2, why)
        else:
            self.known[same] = tuple(why for _, _, why in search.undecided[before:])

    def _settle(self, d: Dataset, d2: Dataset) -> None:
        together = [before_rounding(*part) for part in split(self._at(d), self._at(d2))]
        steps = [step for _, _, step in together]
        pairs = [Laws(first, second) for first, second, _ in together]
        level = self.definition.level
        if len(pairs) > 1 or any(steps):
            settle(self.search, pairs, steps, (d, d2), level)
        elif isinstance(level, Gaussian):
            _gaussian(self.search, pairs[0], (d, d2), level.mu)
        elif level.delta:
            _approximate(self.search, pairs[0], (d, d2), level)
        else:
            _pure(self.search, pairs[0], (d, d2), level.epsilon)


def _look_closer(search: Search, level: Level) -> None:
    """The least level of the worst pair and its trade-off curve, where its laws are single ones."""
    if search.laws is None or search.pair is None:
        parts = "outputs are rounded" if search.rounded else "an output has several parts"
        search.no_curve = f"{parts}, and it is enclosed for one law by itself" * bool(search.pair)
        return
    search.no_curve = "the audit ended before it was enclosed"
    seen = search.divergences or Divergences(search.laws)
    least = arb(0)
    try:
        if search.divergences is not None:
            search.upper = gaussian_level.least(seen, search.worst)
        elif isinstance(level, Approximate) and level.delta:
            seen = Divergences(search.laws, min(TOLERANCE, level.delta / 1000))
            least = search.least = curve.least_epsilon(seen, level)
        elif isinstance(level, Approximate):
            if search.undecided and not search.broken:
                _refute(search, search.laws, level.epsilon)
            least = search.worst if search.worst.is_finite() else least
        search.trade_off = curve.trade_off(search.pair, seen, level, least)
        search.no_curve = "" if search.trade_off else "no test tells the two laws apart"
    except NotComparableError as error:
        search.no_curve = str(error)


def _refute(search: Search, laws: Laws, epsilon: Fraction) -> None:
    """Where the loss of the worst pair is not enclosed, an event may show that it exceeds ε."""
    finding = event_beyond(laws, search.found, epsilon) if search.found else None
    if finding is not None:
        search.broken = True
        search.worst = ARB.log(finding.p.lower() / finding.q.upper()).lower()


class LawError(AuditError):
    """law(dataset, c) raised. short: on what and with which exception, without its message."""

    def __init__(self, error: Exception, d: Dataset) -> None:
        self.short = f"law raised {type(error).__name__} on {d!r}"
        super().__init__(f"{self.short}: {error}")


def _law_at(law: Callable[[Dataset, World], Law], d: Dataset) -> LawIn:
    given = _exact(d)

    def at(c: World) -> Law:
        try:
            return law(given, c)
        except (ParameterError, NotComparableError, TooSlowError):
            raise
        except Exception as error:
            raise LawError(error, d) from error

    return at


def _exact(d: Dataset) -> Dataset:
    """The dataset with every float as the Fraction that it is."""
    if isinstance(d, tuple):
        return d if d and isinstance(d[0], str) else tuple(map(_exact, d))
    return Fraction(d) if isinstance(d, float) else d


def _pure(search: Search, laws: Laws, pair: Pair, epsilon: Fraction) -> None:
    worst = worst_loss(laws, search.worst)
    if worst.infinite or worst.lower > search.worst or search.pair is None:
        search.worst, search.pair = worst.lower, pair
        search.laws, search.found = laws, worst
    if worst.lower > ARB.number(epsilon):
        search.broken = True
    elif not worst.upper < ARB.number(epsilon) and not exactly_at_most(laws, epsilon):
        gap = f"the loss is ε to within {digits(worst.upper - worst.lower, 3)}"
        search.doubt(*pair, worst.reason or gap)


def _approximate(search: Search, laws: Laws, pair: Pair, level: Approximate) -> None:
    delta, factor = ARB.number(level.delta), ARB.exp(ARB.number(level.epsilon))
    tolerance = delta * ARB.number(DELTA_TOLERANCE)
    for sign, one in ((1, laws), (-1, laws.swapped())):
        found = excess.excess(one, level.epsilon, tolerance)
        ordered = pair if sign > 0 else (pair[1], pair[0])
        if found.lower > search.worst or search.pair is None:
            search.worst, search.upper = found.lower, found.upper
            search.pair, search.laws = ordered, one
            shown = (breaking(one, event, 1, factor, delta) for event in found.events())
            search.finding = next((finding for finding in shown if finding is not None), None)
        if found.lower > delta:
            search.broken = True
        elif not found.upper <= delta:
            gap = f"{digits(found.lower, 6)} ≤ δ ≤ {digits(found.upper, 6)}"
            search.doubt(*ordered, f"the divergence is only enclosed in {gap}")


def _gaussian(search: Search, laws: Laws, pair: Pair, mu: Fraction) -> None:
    settled = gaussian_level.settle(laws, mu)
    search.exact = search.exact and settled.exact
    if settled.gap > search.worst or search.pair is None:
        search.worst, search.pair, search.laws = settled.gap, pair, laws
        search.finding, search.divergences = settled.finding, settled.seen
    if settled.within is False:
        search.broken = True
    elif settled.within is None:
        search.doubt(*pair, settled.reason)
