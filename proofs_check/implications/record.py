"""An answer as JSON: everything that a re-check needs, in exact numbers."""

from collections.abc import Mapping
from fractions import Fraction

from establish.proofs_check.implications import words
from establish.proofs_check.implications.attacks import Attack
from establish.proofs_check.implications.certificate import CertificateError, chain_length
from establish.proofs_check.implications.decide import Answer
from establish.proofs_check.implications.levels import multiple_of_epsilon
from establish.proofs_check.implications.space import Space
from establish.proofs_check.implications.story import Question, odds
from establish.proofs_check.implications.witness import labels_of
from establish.proofs_check.outputs.questions import Bound, Implied, Level, Shipment, Witness
from establish.spec.requirements import Factor
from establish.spec.universe import Place


def record(question: Question, answer: Answer) -> Implied:
    """The question, the verdict, the witness with its dual plan, and the bound over all attackers.

    Raises CertificateError when a chain of the plan is not one of neighbors.
    """
    universe = answer.space.universe
    return {
        "definition": question.definition.name,
        "alpha": str(question.alpha),
        "c": str(answer.c),
        "requirement": answer.requirement.name,
        "priors": str(answer.kind),
        "universe": {
            "workers": list(universe.worker_ids),
            "establishments": [w.id for w in universe.workplaces],
            "attribute_values": [" ".join(value) for value in universe.domain],
            "datasets": universe.size,
        },
        "verdict": str(answer.verdict),
        "evidence": "exhaustive",
        "at_least": _level(answer.attack.factor, answer.c) if answer.attack else None,
        "at_most": _level(answer.bound.factor, answer.c),
        "witness": _witness(answer, answer.attack) if answer.attack else None,
        "bound": _bound(answer),
    }


def _level(value: Factor, c: Fraction) -> Level:
    multiple = multiple_of_epsilon(value, c)
    return {"factor": str(value), "times_epsilon": (multiple.low, multiple.high)}


def _place(where: Place) -> list[str] | None:
    return None if where is None else [where[0], *where[1]]


def _witness(answer: Answer, found: Attack) -> Witness:
    space = answer.space
    before, after = odds(answer, found)
    return {
        "prior": {
            worker: [{"place": _place(at), "probability": str(p)} for at, p in belief.items()]
            for worker, belief in found.prior.beliefs.items()
        },
        "first": str(found.comparison.first),
        "second": str(found.comparison.second),
        "odds_before": str(before),
        "odds_after": str(after),
        "factor": str(found.factor),
        "factor_in_c": words.in_c(space, found),
        "labels": {words.dataset(space.datasets[at]): k for at, k in labels_of(space, found).items()},
        "plan": _plan(space, found.worst.plan),
    }


def _bound(answer: Answer) -> Bound:
    bound = answer.bound
    entry: Bound = {
        "factor": str(bound.factor),
        "classes": bound.classes,
        "linear_programs": bound.programs,
        "largest_program": list(bound.largest),
    }
    if bound.hardest:
        name, hardest = answer.space.datasets, bound.hardest
        entry["hardest_class"] = {
            "first": str(hardest.comparison.first),
            "second": str(hardest.comparison.second),
            "value": str(hardest.worst.factor),
            "pairs": [(words.dataset(name[i]), words.dataset(name[j])) for i, j in hardest.pairs],
            "plan": _plan(answer.space, hardest.worst.plan),
        }
    return entry


def _plan(space: Space, plan: Mapping[tuple[int, int], Fraction]) -> list[Shipment]:
    """What is shipped, with the chain of neighbors that allows it, each step looked at."""
    rows: list[Shipment] = []
    for (i, j), amount in plan.items():
        chain = [space.datasets[at] for at in space.chain(i, j)]
        if chain_length(space.relation, chain) != space.distance(i, j):
            raise CertificateError("a chain of the plan is longer than its distance")
        rows.append({"amount": str(amount), "chain": [words.dataset(d) for d in chain]})
    return rows
