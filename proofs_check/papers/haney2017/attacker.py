"""Attackers of Section 4.2 who know all but a few records, and the mechanism that tells them most."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from establish.proofs_check.engine.methods import exact
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.indistinguishability import Distribution
from establish.spec.priors import two_point_prior
from establish.spec.privacy import PrivacyDefinition
from establish.spec.relations.relation import NeighborRelation
from establish.spec.requirements import Comparison, bayes_factor
from establish.spec.tables import Tables, Worker, Workplace
from establish.spec.universe import Place, Universe

C = Fraction(2)
"""e^ε in every example here; the witnesses work for every c > 1, with the same powers."""


def universe(workers: int, workplaces: Sequence[str], values: Sequence[str] = ()) -> Universe:
    """Potential workers w1, w2, ...; one worker attribute with the given values, or none."""
    domain = tuple((value,) for value in values) or ((),)
    ids = tuple(f"w{i + 1}" for i in range(workers))
    return Universe(tuple(Workplace(id) for id in workplaces), ids, domain)


def dataset(space: Universe, *places: Place) -> Tables:
    """The dataset in which w1, w2, ... are at the given places (None: not employed)."""
    employed = [(id, at) for id, at in zip(space.worker_ids, places, strict=True) if at]
    return Tables(
        space.workplaces,
        tuple(Worker(id, values) for id, (_, values) in employed),
        tuple((id, workplace) for id, (workplace, _) in employed),
    )


def at(workplace: str, value: str = "") -> Place:
    """The place of a worker at ``workplace`` with an attribute value, if there is one."""
    return workplace, (value,) if value else ()


def steps_between(relation: NeighborRelation[Tables], d: Tables, d2: Tables) -> int:
    """The number of neighbors from d to d2. Raises ValueError when there is no chain."""
    return int(relation.distance(d, d2))


def telling_likelihood(
    relation: NeighborRelation[Tables], d: Tables, c: Fraction = C
) -> dict[Tables, Fraction]:
    """c^(−distance to d): the likelihood of an output that speaks for d as loudly as c allows."""
    return {
        other: c**-steps for steps, sphere in enumerate(relation.spheres(d)) for other in sphere
    }


def answer(likelihood: Fraction, c: Fraction = C) -> Distribution:
    """A private yes-or-no answer: 'yes' has (c−1)/c times a likelihood of at most 1.

    For neighbors p ≤ c·p' this is private: 1 − s·p ≤ c·(1 − s·p') is s·(c·p' − p) ≤ c − 1.
    """
    yes = (c - 1) / c * likelihood
    return {"yes": yes, "no": 1 - yes}


def learns(
    relation: NeighborRelation[Tables], d: Tables, d2: Tables, comparison: Comparison, power: int
) -> tuple[Evidence, Evidence]:
    """Evidence that a private answer gives ``comparison`` the Bayes factor c^power.

    The attacker knows every record in which d and d2 agree and gives 1/2 to either value of the others.
    """
    likelihood = telling_likelihood(relation, d)
    definition = PrivacyDefinition(relation, C)
    violation = definition.violation(lambda x: answer(likelihood.get(x, Fraction(0))))
    factor = bayes_factor(two_point_prior(_space(relation), d, d2), likelihood, comparison)
    return (
        exact.compare(
            0 if violation is None else 1,
            "==",
            0,
            f"neighbors in the universe that break e^ε = {C} for the answer 'yes' or 'no'",
        ),
        exact.compare(
            Fraction(factor), "==", C**power, f"Bayes factor after 'yes' of: {comparison}"
        ),
    )


def _space(relation: NeighborRelation[Tables]) -> Universe:
    space = getattr(relation, "universe", None)
    if not isinstance(space, Universe):
        raise TypeError(f"{relation!r} is not a relation on full tables")
    return space
