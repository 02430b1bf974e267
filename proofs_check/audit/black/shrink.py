"""A simpler witness: smaller datasets first, then an event that is easier to say."""

import time
from collections.abc import Callable, Iterator, Sequence

from establish.proofs_check.audit.black.confidence import ErrorBudget
from establish.proofs_check.audit.black.confirm import Tested, fresh_test
from establish.proofs_check.audit.black.samples import Samples
from establish.proofs_check.audit.black.search import candidates
from establish.proofs_check.audit.question.candidates import order
from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.result import Dataset, Pair

ATTEMPTS = 64
"""So many smaller pairs are tried."""

TESTS = 3
"""So many events on each of them are tested."""

PROMISING = 3.0
"""Standard errors from which a smaller pair or a simpler event is tested on fresh outputs."""

FEWEST_LEARNED, MOST_LEARNED = 512, 1 << 17
"""Outputs that a smaller pair is learned from, at least and at most."""

ONE_BY_ONE = 64
"""Of datasets of more establishments, one of each kind is cut down or left out, or half of all."""


def shrink(
    found: Tested,
    pairs: Sequence[Pair],
    definition: AuditDefinition,
    samples: Samples,
    budget: ErrorBudget,
    until: float,
    allowed: int,
) -> Tested:
    """A witness that is at most as large, confirmed on fresh outputs of its own.

    until: when to stop, by ``time.monotonic()``; allowed: the outputs that may be drawn by then, those
    drawn so far included.
    """
    size = max(FEWEST_LEARNED, min(2 * found.proved, MOST_LEARNED))
    cost = 2 * size + 4 * found.proved
    tried: set[Pair] = set()
    attempts = ATTEMPTS
    improving = True
    while improving and attempts:
        improving = False
        for pair in _smaller(found.candidate.pair, pairs, definition.related):
            spent = samples.mechanism.drawn + cost > allowed
            if pair in tried or not attempts or spent or time.monotonic() > until:
                continue
            tried |= {pair, (pair[1], pair[0])}
            attempts -= 1
            better = _confirmed(pair, definition, samples, budget, size, 4 * found.proved)
            if better:
                found, improving = better, True
                break
    if samples.mechanism.drawn + cost > allowed:
        return found
    simplest = _confirmed(found.candidate.pair, definition, samples, budget, size, 4 * found.proved, found)
    return simplest or found


def _confirmed(
    pair: Pair,
    definition: AuditDefinition,
    samples: Samples,
    budget: ErrorBudget,
    size: int,
    most: int,
    known: Tested | None = None,
) -> Tested | None:
    """The simplest promising event on the pair that a test confirms, simpler than ``known``."""
    learned = candidates(pair, definition.level, samples, size)
    good = [c for c in learned if c.score >= max(PROMISING, learned[0].score / 3)]
    if known:
        good = [c for c in good if c.event.cost < known.candidate.event.cost]
    for candidate in sorted(good, key=lambda c: (c.event.cost, -c.score))[:TESTS]:
        result = fresh_test(
            candidate, definition.level, samples, budget, min(most, samples.mechanism.left // 2)
        )
        if result and result.violated:
            return result
    return None


def _smaller(
    pair: Pair, pairs: Sequence[Pair], related: Callable[[Dataset, Dataset], bool]
) -> Iterator[Pair]:
    """Smaller pairs: the witness with an establishment cut down or left out, then those of the audit."""
    limit = order(pair)
    for other in [*sorted(_cut_down(pair), key=order), *sorted(pairs, key=order)]:
        if order(other) < limit and order(other[::-1]) < limit and related(*other):
            yield other


def _cut_down(pair: Pair) -> Iterator[Pair]:
    """Only what differs, and the pair with one establishment less, or smaller."""
    first, second = pair
    yield from _both_less(first, second)
    if not (isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second)):
        return
    apart = [e for e, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(apart) < len(first):
        yield tuple(first[e] for e in apart), tuple(second[e] for e in apart)
    places: Sequence[int] = range(len(first))
    if len(first) > ONE_BY_ONE:
        kept = sorted({*apart, *[e for e in places if first[e] == second[e]][::2]})
        yield tuple(first[e] for e in kept), tuple(second[e] for e in kept)
        places = sorted({both: e for e, both in enumerate(zip(first, second, strict=True))}.values())
    for e in places:
        a, b = first[e], second[e]
        if a == b:
            if len(first) > 1:
                yield _without(first, e), _without(second, e)
            for less in _less(a):
                yield _with(first, e, less), _with(second, e, less)
        else:
            for less, less2 in _both_less(a, b):
                yield _with(first, e, less), _with(second, e, less2)


def _with(d: Dataset, e: int, entry: object) -> Dataset:
    return (*d[:e], entry, *d[e + 1 :])


def _without(d: Dataset, e: int) -> Dataset:
    return (*d[:e], *d[e + 1 :])


def _both_less(a: object, b: object) -> Iterator[tuple[int, int]]:
    """Two sizes that differ, halved or one less each."""
    if isinstance(a, int) and isinstance(b, int):
        low, gap = min(a, b), abs(a - b)
        for less, step in ((low // 2, max(gap // 2, 1)), (low - low // 4, gap), (low - 1, gap)):
            if less >= 0:
                yield (less, less + step) if a < b else (less + step, less)


def _less(entry: object) -> Iterator[object]:
    if isinstance(entry, int) and entry > 0:
        yield from dict.fromkeys((0, entry // 2))
    elif isinstance(entry, float) and entry > 1:
        yield entry / 2
    elif isinstance(entry, tuple) and any(entry):
        yield tuple(part // 2 if isinstance(part, int) else part / 2 for part in entry)
