"""Attackers, and the worst that any private mechanism tells each of them."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from establish.proofs_check.implications.classes import PairClass
from establish.proofs_check.implications.space import Space
from establish.proofs_check.implications.worst_factor import Worst, worst_factor
from establish.spec.priors import Belief, ProductPrior, two_point_prior, weak_prior
from establish.spec.requirements import Comparison, Factor

RANDOM_PRIORS = 60
"""How many random product priors the search tries per comparison."""


@dataclass(frozen=True)
class Attack:
    """One attacker, what they compare, and the mechanism that tells them most."""

    prior: ProductPrior
    comparison: Comparison
    worst: Worst[int]

    @property
    def factor(self) -> Factor:
        return self.worst.factor


def attack(
    space: Space, prior: ProductPrior, comparison: Comparison, c: Fraction, beyond: Factor = 0
) -> Attack | None:
    """The worst case of this attacker; None when it is not defined, or certainly not ``beyond``."""
    weights = space.weights(prior)
    first = space.given(weights, comparison.first)
    second = space.given(weights, comparison.second)
    if not first or not second:
        return None
    if beyond:
        farthest = max(space.distance(i, j) for i in first for j in second)
        if c**farthest <= beyond:
            return None
    worst = worst_factor(first, second, space.distance, c)
    return Attack(prior, comparison, worst) if worst.factor > beyond else None


def two_point_priors(space: Space, classes: Iterable[PairClass]) -> Iterator[ProductPrior]:
    """One attacker per class, who knows of each worker the two records that the class names."""
    for pairs in classes:
        i, j = pairs[0]
        yield two_point_prior(space.universe, space.datasets[i], space.datasets[j])


def random_priors(space: Space, seed: int) -> Iterator[ProductPrior]:
    """Product priors with small random weights, from a seed."""
    draw = random.Random(seed)
    for _ in range(RANDOM_PRIORS):
        beliefs: dict[str, Belief] = {}
        for worker in space.universe.worker_ids:
            chosen = draw.sample(space.places, draw.randint(1, len(space.places)))
            weights = [draw.randint(1, 4) for _ in chosen]
            beliefs[worker] = {
                place: Fraction(weight, sum(weights)) for place, weight in zip(chosen, weights, strict=True)
            }
        yield ProductPrior(space.universe, beliefs)


def weak_priors(space: Space, most: int = 2) -> Iterator[ProductPrior]:
    """Weak attackers: relative weights 0 … most of being absent and of each other establishment.

    Given the size of the first establishment, the probability of working there plays no part.
    """
    ids = [w.id for w in space.universe.workplaces]
    seen = set()
    for others in product(range(most + 1), repeat=len(ids)):
        if sum(others) == 0:
            continue
        rest = tuple(Fraction(weight, 2 * sum(others)) for weight in others)
        if rest not in seen:
            seen.add(rest)
            employment = dict(zip((None, *ids[1:]), rest, strict=True))
            yield weak_prior(space.universe, {ids[0]: Fraction(1, 2), **employment})


def shrunk(space: Space, found: Attack, c: Fraction) -> Attack:
    """The same factor or more with simpler beliefs: certainty, or two records with 1/2 each."""
    best = found
    for worker in space.universe.worker_ids:
        places = list(best.prior.beliefs[worker])
        simpler: list[Belief] = [{place: 1} for place in places]
        simpler += [
            {a: Fraction(1, 2), b: Fraction(1, 2)} for at, a in enumerate(places) for b in places[at + 1 :]
        ]
        for belief in simpler:
            prior = ProductPrior(space.universe, {**best.prior.beliefs, worker: belief})
            other = attack(space, prior, found.comparison, c)
            if other and other.factor >= best.factor:
                best = other
                break
    return best
