"""Attackers of Section 4.2 who know all but a few records, and the mechanism that tells them most."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from establish import Evidence, Universe, exact
from establish.proofs_check.engine.statements import Implication
from establish.spec import telling
from establish.spec.priors import two_point_prior
from establish.spec.privacy import PrivacyDefinition
from establish.spec.relations.relation import NeighborRelation
from establish.spec.requirements import Comparison, bayes_factor
from establish.spec.tables import Tables, Worker, Workplace
from establish.spec.universe import Place

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


telling_likelihood = partial(telling.telling_likelihood, c=C)
"""The loudest likelihood in favor of a dataset, at e^ε = C."""

answer = partial(telling.answer, c=C)
"""A private yes-or-no answer of a likelihood, at e^ε = C."""


def told_at(
    relation: NeighborRelation[Tables],
    d: Tables,
    d2: Tables,
    comparison: Comparison,
    alpha: int | Fraction = 1,
) -> dict[str, Any]:
    """The point of an implication at which a private answer speaks for d, against d2."""
    space, loud = _space(relation), telling_likelihood(relation, d)
    return {
        "α": alpha,
        "c": C,
        "universe": space,
        "likelihood": {x: answer(loud.get(x, Fraction(0)))["yes"] for x in relation.datasets()},
        "prior": two_point_prior(space, d, d2),
        "comparison": comparison,
    }


def learns(
    relation: NeighborRelation[Tables],
    d: Tables,
    d2: Tables,
    comparison: Comparison,
    power: int,
    *,
    breaks: Implication | None = None,
    alpha: int | Fraction = 1,
) -> tuple[Evidence, Evidence]:
    """Evidence that a private answer gives ``comparison`` the Bayes factor c^power.

    The attacker knows every record in which d and d2 agree and gives 1/2 to either value of the others.
    breaks: the statement at the share α that is refuted by that, if one is.
    """
    point = told_at(relation, d, d2, comparison, alpha)
    likelihood = point["likelihood"]
    factor = bayes_factor(point["prior"], likelihood, comparison)
    if breaks is not None:
        private = exact.refuted(breaks, **point)
    else:
        definition = PrivacyDefinition(relation, C)
        violation = definition.violation(lambda x: {"yes": likelihood[x], "no": 1 - likelihood[x]})
        private = exact.compare(
            0 if violation is None else 1,
            "==",
            0,
            f"neighbors in the universe that break e^ε = {C} for the answer 'yes' or 'no'",
        )
    return (
        private,
        exact.compare(Fraction(factor), "==", C**power, f"Bayes factor after 'yes' of: {comparison}"),
    )


def _space(relation: NeighborRelation[Tables]) -> Universe:
    space = getattr(relation, "universe", None)
    if not isinstance(space, Universe):
        raise TypeError(f"{relation!r} is not a relation on full tables")
    return space
