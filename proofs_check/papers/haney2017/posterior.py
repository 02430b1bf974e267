"""Informed attackers who are certain about most workers, and what an output tells them."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import isinf, prod
from typing import TypeVar

from establish import Evidence, Universe, exact
from establish.spec.priors import Belief, ProductPrior
from establish.spec.requirements import Comparison, Event, Factor, bayes_factor
from establish.spec.tables import Attributes, Tables, Worker, Workplace
from establish.spec.universe import Place

HALF = Fraction(1, 2)

Output = TypeVar("Output")


def sure(place: Place) -> Belief:
    """The attacker knows the record."""
    return {place: 1}


def either(first: Place, second: Place) -> Belief:
    """Two possible records, each with probability 1/2."""
    return {first: HALF, second: HALF}


class InformedPrior(ProductPrior):
    """A product prior whose support is listed without walking through the whole universe.

    workplaces: the ids of the public workplaces. beliefs: one per worker, who are called w1, w2, ….
    domain: the worker attributes. Raises ParameterError as ProductPrior does.
    """

    def __init__(
        self, workplaces: Sequence[str], beliefs: Sequence[Belief], domain: Sequence[Attributes] = ((),)
    ) -> None:
        named = {f"w{number}": belief for number, belief in enumerate(beliefs, 1)}
        places = tuple(Workplace(id) for id in workplaces)
        super().__init__(Universe(places, tuple(named), tuple(domain)), named)

    def support(self) -> dict[Tables, Fraction]:
        weights: dict[Tables, Fraction] = {}
        for records in product(*self.beliefs.values()):
            chosen = list(zip(self.beliefs, records, strict=True))
            employed = [(worker, place) for worker, place in chosen if place is not None]
            tables = Tables(
                self.universe.workplaces,
                tuple(Worker(worker, values) for worker, (_, values) in employed),
                tuple((worker, workplace) for worker, (workplace, _) in employed),
            )
            beliefs = (Fraction(self.beliefs[worker][place]) for worker, place in chosen)
            weights[tables] = prod(beliefs, start=Fraction(1))
        return weights


def factor(
    prior: ProductPrior, likelihood: Callable[[Tables], Fraction], first: Event, second: Event
) -> Factor:
    """The Bayes factor in favor of ``first`` after an output of that likelihood."""
    likelihoods = {d: likelihood(d) for d in prior.support()}
    return bayes_factor(prior, likelihoods, Comparison(first, second))


Law = Callable[[Tables], Mapping[Output, Fraction]]
"""The exact law of the output on a dataset."""


def factors(prior: ProductPrior, law: Law[Output], first: Event, second: Event) -> list[Factor]:
    """The Bayes factor of every output that is possible when ``first`` is true."""
    outputs = dict.fromkeys(o for d in prior.support() if first(d) for o in law(d))

    def of(output: Output) -> Factor:
        return factor(prior, lambda d: law(d).get(output, Fraction(0)), first, second)

    return [of(output) for output in outputs]


def certain_conclusion(
    says: str, prior: ProductPrior, law: Law[Output], first: Event, second: Event
) -> Evidence:
    """Evidence that every output which is possible under ``first`` is impossible under ``second``."""
    finite = sum(not isinf(value) for value in factors(prior, law, first, second))
    return exact.compare(finite, "==", 0, f"{says}: outputs with a finite Bayes factor")
