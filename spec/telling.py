"""Answers that tell as much of one dataset as a privacy definition allows."""

from fractions import Fraction
from typing import TypeVar

from establish.spec.indistinguishability import Distribution
from establish.spec.relations.relation import NeighborRelation

D = TypeVar("D")


def telling_likelihood(relation: NeighborRelation[D], d: D, c: Fraction) -> dict[D, Fraction]:
    """c^(−distance to d): the likelihood of an output that speaks for d as loudly as c = e^ε allows."""
    return {other: c**-steps for steps, sphere in enumerate(relation.spheres(d)) for other in sphere}


def answer(likelihood: Fraction, c: Fraction) -> Distribution:
    """A private yes-or-no answer: 'yes' has (c−1)/c times a likelihood of at most 1.

    For neighbors p ≤ c·p' this is private: 1 − s·p ≤ c·(1 − s·p') is s·(c·p' − p) ≤ c − 1.
    """
    yes = (c - 1) / c * likelihood
    return {"yes": yes, "no": 1 - yes}
