"""One bound on the Bayes factor for all attackers of a kind at once.

Let A and B be the compared events. The Bayes factor is at most t for a prior θ exactly if

    Σ over (D, D') in A × B of θ(D)θ(D') (p(D) − t p(D')) ≤ 0  for every mechanism p.

Sort the pairs (D, D') into classes on which θ(D)θ(D') is the same whatever the attacker believes. If in
each class Σ p(D) ≤ t Σ p(D') for every mechanism, the whole sum is at most 0 for every attacker of that
kind. Each class is a linear program of its own; the largest of their values is the bound.

All product priors: θ(D)θ(D') is a product over workers, so it stays the same when D and D' swap the
records of some workers. A class is given by the unordered pair of records of each worker.

Definition 4.1 needs less: beliefs about the other workers are independent of the compared record, so
Σ θ p over A and over B run over the same records of the others, and each of these is a class.

Weak attackers: θ(D) depends on how many workers each establishment has, not on who they are or which
values they have. A class is given by the number of workers of each establishment in D and D' together.

All but one worker known: D and D' differ in that worker only, and each pair is a class.

Renaming workers maps classes to classes with the same value, so one order of each is enough.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product

from establish.proofs_check.implications.space import Space, World
from establish.spec.requirements import Comparison, RecordIs

Pair = tuple[int, int]
"""Numbers of a dataset of the first event and one of the second."""

PairClass = list[Pair]
"""Pairs with the same prior weight, whatever the attacker of the kind believes."""


def one_unknown_classes(space: Space, comparison: Comparison) -> Iterator[PairClass]:
    """The pairs of datasets that differ in the record of one worker."""
    second = space.where(comparison.second)
    for i in sorted(space.where(comparison.first)):
        world = space.worlds[i]
        for worker, place in product(range(len(world)), range(len(space.places))):
            j = space.index[(*world[:worker], place, *world[worker + 1 :])]
            if j != i and j in second:
                yield [(i, j)]


def product_classes(space: Space, comparison: Comparison) -> Iterator[PairClass]:
    """The classes for all product priors, those with few uncertain workers first."""
    if isinstance(comparison.first, RecordIs):
        yield from one_unknown_classes(space, comparison)
        return
    first, second = space.where(comparison.first), space.where(comparison.second)
    unordered = list(combinations_with_replacement(range(len(space.places)), 2))
    workers = len(space.universe.worker_ids)
    keys = list(combinations_with_replacement(unordered, workers))
    for key in sorted(keys, key=_uncertainty):
        pairs = [
            (i, j)
            for world, other in _orientations(key)
            if (i := space.index[world]) in first and (j := space.index[other]) in second
        ]
        if pairs:
            yield pairs


def _uncertainty(key: tuple[Pair, ...]) -> tuple[int, int]:
    """How many workers differ, and how many are employed."""
    return sum(a != b for a, b in key), sum((a > 0) + (b > 0) for a, b in key)


def _orientations(key: tuple[Pair, ...]) -> Iterator[tuple[World, World]]:
    """Every way to give one record of each pair to the first dataset, the other to the second."""
    for chosen in product(*({(a, b), (b, a)} for a, b in key)):
        yield tuple(a for a, _ in chosen), tuple(b for _, b in chosen)


def weak_classes(space: Space, comparison: Comparison) -> Iterator[PairClass]:
    """The classes for weak attackers."""
    by_total: dict[tuple[tuple[str, int], ...], PairClass] = defaultdict(list)
    second = [(j, _sizes(space, j)) for j in sorted(space.where(comparison.second))]
    for i in sorted(space.where(comparison.first)):
        mine = _sizes(space, i)
        for j, other in second:
            by_total[tuple(sorted((mine + other).items()))].append((i, j))
    yield from by_total.values()


def _sizes(space: Space, at: int) -> Counter[str]:
    return Counter(workplace for _, workplace in space.datasets[at].jobs)


def sides(pairs: PairClass) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """How often each dataset stands first, and second, as shares of the class."""
    first, second = Counter(i for i, _ in pairs), Counter(j for _, j in pairs)
    size = len(pairs)
    return (
        {i: Fraction(times, size) for i, times in first.items()},
        {j: Fraction(times, size) for j, times in second.items()},
    )
