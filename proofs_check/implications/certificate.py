"""The exact re-check of both sides of a Bayes factor, without the solver that found them."""

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeVar

from establish.spec.priors import ProductPrior
from establish.spec.relations.relation import NeighborRelation
from establish.spec.requirements import Comparison, Factor, bayes_factor
from establish.spec.tables import Tables

N = TypeVar("N")


class CertificateError(Exception):
    """A witness or a bound does not show what it claims to show."""


def check_plan(
    plan: Mapping[tuple[N, N], Fraction],
    first: Mapping[N, Fraction],
    second: Mapping[N, Fraction],
    steps: Callable[[N, N], int | float],
    c: Fraction,
    bound: Fraction,
) -> None:
    """Refuse a plan that does not prove Σ first·p ≤ bound Σ second·p for every private mechanism p.

    steps: an upper bound on the distance. Raises CertificateError naming the condition that fails.
    """
    rows, loads = dict.fromkeys(first, Fraction(0)), dict.fromkeys(second, Fraction(0))
    for (i, j), amount in plan.items():
        if amount < 0:
            raise CertificateError(f"the plan ships {amount} < 0")
        if i not in rows or j not in loads or steps(i, j) == math.inf:
            raise CertificateError("the plan ships between datasets that it may not use")
        rows[i] += amount
        loads[j] += amount * c ** int(steps(i, j))
    if any(rows[i] != weight for i, weight in first.items()):
        raise CertificateError("the plan does not split the first event")
    if any(loads[j] > bound * weight for j, weight in second.items()):
        raise CertificateError(f"the plan does not prove the factor {bound}")


def chain_length(relation: NeighborRelation[Tables], chain: Sequence[Tables]) -> int:
    """The number of steps of a chain. Raises CertificateError when a step is not one of neighbors."""
    for d, d2 in pairwise(chain):
        if not relation.related(d, d2):
            raise CertificateError("a step of a chain leads to a dataset that is not a neighbor")
    return len(chain) - 1


def likelihoods(labels: Mapping[Tables, int | None], c: Fraction) -> dict[Tables, Fraction]:
    """p(D) = c^k(D), and 0 where the label is None, scaled so that the largest is 1."""
    most = max(k for k in labels.values() if k is not None)
    return {d: Fraction(0) if k is None else c ** (k - most) for d, k in labels.items()}


def check_likelihood(
    relation: NeighborRelation[Tables], likelihood: Mapping[Tables, Fraction], c: Fraction
) -> None:
    """Refuse likelihoods of one output that are not private on all datasets of the universe.

    Raises CertificateError when p(D) > c p(D') for neighbors, or p(D) < 0.
    """
    for d in relation.datasets():
        if likelihood[d] < 0:
            raise CertificateError("a likelihood is negative")
        for d2 in relation.neighbors(d):
            if likelihood[d] > c * likelihood[d2]:
                raise CertificateError("neighbors have likelihoods further apart than c")


def check_witness(
    relation: NeighborRelation[Tables],
    c: Fraction,
    prior: ProductPrior,
    comparison: Comparison,
    likelihood: Mapping[Tables, Fraction],
    factor: Factor,
) -> None:
    """Refuse likelihoods that are not private, or do not give the claimed Bayes factor."""
    check_likelihood(relation, likelihood, c)
    if bayes_factor(prior, likelihood, comparison) != factor:
        raise CertificateError(f"the Bayes factor is not {factor}")
