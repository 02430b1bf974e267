"""What an attacker believes: independent beliefs about every worker (Haney et al. 2017, Section 4.2)."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import product
from typing import TypeVar

from establish.spec.parameters import ParameterError, Rational, exact
from establish.spec.tables import Tables
from establish.spec.universe import Place, Universe

T = TypeVar("T")

Belief = Mapping[Place, Rational]
"""The probability of each place of one worker; a place that is not listed has probability 0."""


def possible_places(universe: Universe) -> tuple[Place, ...]:
    """Every value of one worker's record: absent (None), or a workplace with attribute values.

    The paper's domain (ℰ ∪ ⊥) × A₁ × … gives attributes to absent workers too. No dataset shows them,
    and beliefs about workers are independent, so they change no Bayes factor: absent is one value.
    """
    return None, *product((w.id for w in universe.workplaces), universe.domain)


def place_of(d: Tables, worker: str) -> Place:
    """Where ``worker`` is in d and with which attributes; None when not employed."""
    for record in d.worker_full():
        if record.worker.id == worker:
            return record.workplace.id, record.worker.attributes
    return None


class ProductPrior:
    """θ = ∏ π_w: one belief per worker of the universe, no knowledge that correlates workers.

    Raises ParameterError for a worker of the universe without a belief or a belief about another
    worker, a place outside the universe, a negative probability, or probabilities whose sum is not 1.
    """

    def __init__(self, universe: Universe, beliefs: Mapping[str, Belief]) -> None:
        if set(beliefs) != set(universe.worker_ids):
            raise ParameterError(
                f"beliefs about {sorted(beliefs)} do not match the workers {universe.worker_ids}"
            )
        self.universe = universe
        places = possible_places(universe)
        self.beliefs = {
            w: _checked(f"belief about {w!r}", beliefs[w], places, "a place") for w in universe.worker_ids
        }

    def probability(self, d: Tables) -> Fraction:
        """θ(D), the probability of one dataset of the universe."""
        result = Fraction(1)
        for worker, belief in self.beliefs.items():
            result *= belief.get(place_of(d, worker), Fraction(0))
        return result

    def support(self) -> dict[Tables, Fraction]:
        """Every dataset of the universe with positive probability, and that probability."""
        weights = ((d, self.probability(d)) for d in self.universe.datasets())
        return {d: weight for d, weight in weights if weight}


class JointPrior:
    """Any belief about the whole dataset, also by which workers come and go together.

    Raises ParameterError for a dataset outside the universe, a negative probability, or probabilities whose
    sum is not 1.
    """

    def __init__(self, universe: Universe, belief: Mapping[Tables, Rational]) -> None:
        self.universe = universe
        self.belief = _checked("belief", belief, set(universe.datasets()), "a dataset")

    def support(self) -> dict[Tables, Fraction]:
        """Every dataset with positive probability, and that probability."""
        return self.belief


def _checked(
    name: str, belief: Mapping[T, Rational], possible: Collection[T], kind: str
) -> dict[T, Fraction]:
    unknown = [value for value in belief if value not in possible]
    if unknown:
        raise ParameterError(f"{name}: {unknown[0]!r} is not {kind} of the universe")
    weights = {value: exact(name, weight) for value, weight in belief.items()}
    for value, weight in weights.items():
        if weight < 0:
            raise ParameterError(f"{name}: probability {weight} of {value!r} is below 0")
    total = sum(weights.values())
    if total != 1:
        raise ParameterError(f"{name}: probabilities sum to {total}, they must sum to 1")
    return {value: weight for value, weight in weights.items() if weight}


def weak_prior(universe: Universe, employment: Mapping[str | None, Rational]) -> ProductPrior:
    """A weak attacker: every worker alike, attributes uniform and independent of the employer.

    employment: the probability of each workplace id, and of None for not employed.
    Raises ParameterError as :class:`ProductPrior` does.
    """
    values = universe.domain
    belief: dict[Place, Rational] = {}
    for workplace, weight in employment.items():
        share = exact("employment", weight)
        if workplace is None:
            belief[None] = share
        else:
            belief |= {(workplace, value): share / len(values) for value in values}
    return ProductPrior(universe, dict.fromkeys(universe.worker_ids, belief))


def two_point_prior(universe: Universe, d: Tables, d2: Tables) -> ProductPrior:
    """Knows every worker whose record is the same in d and d2; gives 1/2 to each record of the others.

    When one worker differs, this attacker knows all workers but one.
    """
    beliefs: dict[str, Belief] = {}
    for worker in universe.worker_ids:
        either = dict.fromkeys((place_of(d, worker), place_of(d2, worker)))
        beliefs[worker] = dict.fromkeys(either, Fraction(1, len(either)))
    return ProductPrior(universe, beliefs)
