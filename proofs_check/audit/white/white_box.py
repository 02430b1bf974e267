"""The white box: certify or refute a mechanism whose law is given, over a finite universe.

For all neighbors of the universe and all outputs, the privacy loss (pure), the hockey-stick divergence
(with δ) or the trade-off (μ) is enclosed. ``certified`` is exhaustive over the universe and an enclosure
over the outputs; ``violated`` comes with an event and both probabilities from the distribution
functions. Nothing is sampled.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import Any

from flint import arb

from establish.proofs_check.audit.question.definitions import AuditDefinition, Finite
from establish.proofs_check.audit.question.level import Approximate, Gaussian, Level
from establish.proofs_check.audit.question.mechanism import AuditError
from establish.proofs_check.audit.question.result import AuditResult, Dataset, Pair
from establish.proofs_check.audit.question.timer import TooSlowError, time_limit
from establish.proofs_check.audit.white import curve, excess, gaussian_level
from establish.proofs_check.audit.white.composed import before_rounding, split
from establish.proofs_check.audit.white.composed_pairs import settle
from establish.proofs_check.audit.white.divergences import TOLERANCE, Divergences
from establish.proofs_check.audit.white.intervals import breaking
from establish.proofs_check.audit.white.laws import NotComparableError
from establish.proofs_check.audit.white.loss import exactly_at_most, worst_loss
from establish.proofs_check.audit.white.pair import Pair as Laws
from establish.proofs_check.audit.white.spec_laws import Law
from establish.proofs_check.audit.white.white_report import Search, event_beyond, result
from establish.proofs_check.engine.methods.enclosure import digits
from establish.proofs_check.engine.statements.lasting import what_varies
from establish.spec.arithmetic import ARB, World, enclosing
from establish.spec.parameters import ParameterError
from establish.spec.relations.universes import ShapeUniverse, SizeUniverse

MOST_SIZE = 15
"""The default universe has sizes up to this; two establishments, or one with worker attributes."""

MOST_COUNT = 50
"""The default universe has counts up to this."""

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
    if universe is None and pairs is None:
        universe = default_universe(definition)
    listed = definition.listed(universe, pairs)
    if not listed:
        raise ParameterError(f"universe = {universe} holds no neighbors")
    search = Search(listed=len(listed))
    settled = False
    with enclosing():
        try:
            with time_limit(seconds) if math.isfinite(seconds) else nullcontext():
                _settle(search, listed, law, definition.level, start + seconds, progress)
                settled = True
                _look_closer(search, definition.level)
        except TooSlowError:
            search.stopped = 0.0 if settled else seconds
        return result(search, definition, universe, time.perf_counter() - start)


def _settle(
    search: Search,
    listed: Sequence[Pair],
    law: Callable[[Dataset, World], Law],
    level: Level,
    until: float,
    progress: Callable[[float], None],
) -> None:
    """Look at one pair after the other; TooSlowError when the time is over, by ``perf_counter()``."""
    for d, d2 in listed:
        if time.perf_counter() > until:
            raise TooSlowError
        progress(search.pairs / len(listed))
        try:
            together = [before_rounding(*part) for part in split(_law_at(law, d), _law_at(law, d2))]
            steps = [step for _, _, step in together]
            pairs = [Laws(first, second) for first, second, _ in together]
            laws = pairs[0]
            if len(pairs) > 1 or any(steps):
                settle(search, pairs, steps, (d, d2), level)
            elif isinstance(level, Gaussian):
                _gaussian(search, laws, (d, d2), level.mu)
            elif level.delta:
                _approximate(search, laws, (d, d2), level)
            else:
                _pure(search, laws, (d, d2), level.epsilon)
        except NotComparableError as error:
            search.doubt(d, d2, str(error))
        search.pairs += 1
        if search.found is not None and search.found.infinite:
            break


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


def _law_at(law: Callable[[Dataset, World], Law], d: Dataset) -> Callable[[World], Law]:
    given = _exact(d)

    def at(c: World) -> Law:
        try:
            return law(given, c)
        except (ParameterError, NotComparableError, TooSlowError):
            raise
        except Exception as error:
            raise AuditError(f"law raised {type(error).__name__} on {d!r}: {error}") from error

    return at


def _exact(d: Dataset) -> Dataset:
    """The dataset with every float as the Fraction that it is."""
    if isinstance(d, tuple):
        return tuple(map(_exact, d))
    return Fraction(d) if isinstance(d, float) else d


def default_universe(definition: AuditDefinition) -> Finite:
    """A small universe for a definition of establishments, counts or records.

    Sizes up to MOST_SIZE of two establishments; counts by worker attribute up to 4 of one; up to 4
    records; counts up to MOST_COUNT. None, which means the definition's own pairs, for the others.
    """
    if definition.within is None or "psi" in definition.parameters:
        return None
    if "attributes" in definition.parameters:
        attributes = definition.parameters["attributes"]
        return ShapeUniverse(1, attributes, 4) if attributes else SizeUniverse(2, MOST_SIZE)
    return 4 if "records" in definition.parameters else MOST_COUNT


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
