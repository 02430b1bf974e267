"""Statements that every mechanism of a privacy definition meets a requirement."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from typing import Any

from establish.proofs_check.engine.statements.statement import Point, Statement, StatementError, Truth, where
from establish.proofs_check.engine.statements.wording import said
from establish.spec.parameters import ParameterError, Rational
from establish.spec.priors import JointPrior, ProductPrior, two_point_prior, weak_prior
from establish.spec.privacy import PrivacyDefinition
from establish.spec.relations.relation import NeighborRelation
from establish.spec.requirements import Comparison, Requirement, bayes_factor, number_of
from establish.spec.tables import Tables, Workplace
from establish.spec.telling import answer, telling_likelihood
from establish.spec.universe import Universe

ATTACKERS = {
    "informed": "every product prior",
    "weak": "every prior by which all workers are alike, attributes uniform and independent of employers",
    "correlated": "every prior, also one by which workers are correlated",
}
"""The classes of attackers (Section 4.2 of Haney et al. 2017), in words."""

NAMES = ("α", "c", "universe", "likelihood", "prior", "comparison")
"""What a point gives."""

LEVEL = Fraction(2)
"""c = e^ε at which the adversary searches."""


@dataclass(frozen=True)
class Implication(Statement):
    """Bayes factors of at most c^multiple from every mechanism whose neighbors differ by at most c = e^ε.

    neighbors, requirement: of a universe and α. employers: the universes that are meant, or None for all.
    """

    definition: str
    neighbors: Callable[[Universe, Fraction], NeighborRelation[Tables]]
    requirement: Callable[[Universe, Fraction], Requirement]
    attackers: str
    multiple: int
    employers: int | None

    @property
    def text(self) -> str:
        only = f" with at most {self.employers} employer(s)" if self.employers is not None else ""
        neighbors, requirement = map(said, self.formulas)
        return (
            f"for all α > 0, c = e^ε > 1, finite universes{only}, mechanisms of {self.definition} at (α, ε) "
            f"({neighbors}), their outputs, {ATTACKERS[self.attackers]}, and pairs of events that "
            f"are compared ({requirement}): the Bayes factor is at most c^{self.multiple}"
        )

    def at(self, point: Point) -> Truth:
        """The statement at a mechanism with the outputs 'yes' and 'no'.

        The point gives NAMES; ``likelihood`` is the probability of 'yes' of every dataset of the universe.
        Raises StatementError for a mechanism, an attacker or a comparison that the statement does not mean.
        """
        alpha, c, universe, told, prior, compared = self.taken(point, *NAMES)
        alpha, c = Fraction(alpha), Fraction(c)
        self._require(universe, alpha, prior, compared)
        definition = PrivacyDefinition(self.neighbors(universe, alpha), c)
        broken = definition.violation(
            lambda d: {"yes": told.get(d, Fraction(0)), "no": 1 - told.get(d, Fraction(0))}
        )
        if broken is not None:
            raise self.refused(f"outside the domain: no mechanism of {self.definition}")
        factor, bound = bayes_factor(prior, told, compared), c**self.multiple
        workers = number_of(len(universe.worker_ids), "worker")
        size = f"{workers}, {number_of(len(universe.workplaces), 'employer')}"
        return Truth(
            factor <= bound,
            f"α = {alpha}, e^ε = {c}, {size}, {compared}: {factor} against c^{self.multiple} = {bound}",
            exact=True,
        )

    def _require(
        self, universe: Universe, alpha: Fraction, prior: ProductPrior | JointPrior, compared: Comparison
    ) -> None:
        if self.employers is not None and len(universe.workplaces) > self.employers:
            raise self.refused(f"outside the domain: {len(universe.workplaces)} employers")
        if prior.universe != universe or not MEANT[self.attackers](prior):
            raise self.refused("outside the domain: not an attacker of this statement")
        if compared not in self.requirement(universe, alpha).comparisons():
            raise self.refused(f"outside the domain: {compared} is not compared")

    searched = ("{} answers",)

    def refutations(self, effort: int) -> Iterator[str]:
        return (self.at(point).refutes for point in islice(self._points(), effort))

    def _points(self) -> Iterator[dict[str, Any]]:
        """The loudest private answer for each dataset of small universes, and what attackers conclude."""
        for workers, places, values in ((1, 2, 1), (2, 1, 1), (2, 1, 2), (2, 2, 1), (3, 1, 1)):
            if self.employers is not None and places > self.employers:
                continue
            domain = tuple((v,) for v in "XY"[:values]) if values > 1 else ((),)
            ids = tuple(f"w{i + 1}" for i in range(workers))
            universe = Universe(tuple(map(Workplace, "ef"[:places])), ids, domain)
            for alpha in (Fraction(1), Fraction(3, 2)):
                yield from self._answers(universe, alpha)

    def _answers(self, universe: Universe, alpha: Fraction) -> Iterator[dict[str, Any]]:
        relation = self.neighbors(universe, alpha)
        compared = list(self.requirement(universe, alpha).comparisons())
        datasets = list(universe.datasets())
        for d in datasets:
            told = {
                x: answer(loudness, LEVEL)["yes"]
                for x, loudness in telling_likelihood(relation, d, LEVEL).items()
            }
            for other, comparison in product(datasets, compared):
                if comparison.first(d) and comparison.second(other):
                    for prior in self._priors(universe, d, other):
                        yield dict(zip(NAMES, (alpha, LEVEL, universe, told, prior, comparison), strict=True))

    def _priors(self, universe: Universe, d: Tables, other: Tables) -> Iterator[ProductPrior | JointPrior]:
        if self.attackers == "informed":
            yield two_point_prior(universe, d, other)
            return
        if self.attackers == "correlated":
            yield JointPrior(universe, dict.fromkeys((d, other), Fraction(1, 2)))
            return
        places = (None, *(w.id for w in universe.workplaces))
        yield weak_prior(universe, dict.fromkeys(places, Fraction(1, len(places))))

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield "one ε less", replace(self, multiple=self.multiple - 1)


def _is_weak(prior: ProductPrior | JointPrior) -> bool:
    if not isinstance(prior, ProductPrior):
        return False
    beliefs = list(prior.beliefs.values())
    employment: dict[str | None, Rational] = {
        w.id: sum((p for at, p in beliefs[0].items() if at and at[0] == w.id), Fraction(0))
        for w in prior.universe.workplaces
    }
    employment[None] = beliefs[0].get(None, Fraction(0))
    try:
        alike = weak_prior(prior.universe, employment)
    except ParameterError:
        return False
    return all(belief == alike.beliefs[w] for w, belief in prior.beliefs.items())


MEANT: dict[str, Callable[[ProductPrior | JointPrior], bool]] = {
    "informed": lambda prior: isinstance(prior, ProductPrior),
    "weak": _is_weak,
    "correlated": lambda prior: True,
}
"""Which priors are of a class of ATTACKERS."""


def Implies(
    definition: str,
    *,
    neighbors: Callable[[Universe, Fraction], NeighborRelation[Tables]],
    requirement: Callable[[Universe, Fraction], Requirement],
    attackers: str = "informed",
    multiple: int = 1,
    employers: int | None = None,
) -> Implication:
    """A definition implies a requirement at ``multiple`` times its ε.

    Raises StatementError for functions that read more than ``establish.spec``, attackers that are none of
    ATTACKERS, and a universe on which they cannot be evaluated.
    """
    if attackers not in ATTACKERS:
        raise StatementError(f"attackers = {attackers!r} is not one of {', '.join(ATTACKERS)}")
    made = Implication(definition, neighbors, requirement, attackers, multiple, employers).of_spec()
    if next(made._points(), None) is None:
        raise StatementError(f"{where(neighbors)}: nothing is compared in small universes")
    return made
