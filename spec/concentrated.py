"""Zero-concentrated privacy of finite mechanisms, as a predicate over the neighbors of a relation."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from establish.spec.arithmetic import ARB, enclosing
from establish.spec.indistinguishability import Distribution, checked
from establish.spec.parameters import ParameterError, Rational, exact
from establish.spec.privacy import Mechanism
from establish.spec.relations.relation import D, NeighborRelation

R = TypeVar("R")
"""A record."""


def moment(p: Distribution, q: Distribution, order: int) -> Fraction | float:
    """Σ P(o)^a·Q(o)^(1−a) = e^{(a − 1)·D_a(P‖Q)} at a whole order a ≥ 2; math.inf where P has more outputs.

    Raises ParameterError for another order, or something that is not a distribution.
    """
    if not isinstance(order, int) or order < 2:
        raise ParameterError(f"order = {order!r} is not allowed: it must be a whole number of at least 2")
    shared = {o: (Fraction(a), Fraction(checked(q).get(o, 0))) for o, a in checked(p).items() if a}
    if not all(b for _, b in shared.values()):
        return math.inf
    return sum((a**order / b ** (order - 1) for a, b in shared.values()), Fraction(0))


@dataclass(frozen=True)
class DivergenceViolation(Generic[D]):
    """Neighbors and an order at which the divergence is above order·ρ."""

    first: D
    second: D
    order: int


def _level(rho: Rational) -> Fraction:
    """ρ as a rational. Raises ParameterError below 0."""
    level = exact("rho", rho)
    if level < 0:
        raise ParameterError(f"rho = {rho} is not allowed: it must be at least 0")
    return level


class ZeroConcentrated(Generic[D]):
    """D_a(M(D)‖M(D')) ≤ a·ρ for all neighbors D, D' and every order a > 1.

    relation: who are neighbors. rho: a rational ≥ 0. Raises ParameterError for another.
    """

    def __init__(self, relation: NeighborRelation[D], rho: Rational) -> None:
        self.relation = relation
        self._rho = _level(rho)

    def rho(self, first: D, second: D) -> Fraction:
        """ρ between two neighbors."""
        return self._rho

    def violation(
        self, mechanism: Mechanism[D], orders: Iterable[int], datasets: Iterable[D] | None = None
    ) -> DivergenceViolation[D] | None:
        """The first neighbors among ``datasets``, and the first of the whole ``orders``, that break it
        certainly; or None, which speaks of these datasets and orders only.

        datasets: all of the relation's universe by default.
        """
        among = list(self.relation.datasets() if datasets is None else datasets)
        outputs = {d: mechanism(d) for d in among}
        tried = list(orders)
        for d in among:
            for d2 in self.relation.neighbors(d):
                for order in tried if d2 in outputs else ():
                    if _broken(outputs[d], outputs[d2], order, self.rho(d, d2)):
                        return DivergenceViolation(d, d2, order)
        return None


def _broken(p: Distribution, q: Distribution, order: int, rho: Fraction) -> bool:
    found = moment(p, q, order)
    if isinstance(found, float):
        return True
    with enclosing():
        return bool(ARB.number(found) > ARB.exp(ARB.number(order * (order - 1) * rho)))


class PerRecordConcentrated(ZeroConcentrated[D], Generic[D, R]):
    """D_a(M(D)‖M(D')) ≤ a·P(r) for all neighbors D, D' that differ in the record r, and every order a > 1
    (Seeman, Sexton, Pujol and Machanavajjhala 2024).

    relation: who are neighbors. record: the record in which two neighbors differ. policy: P, which is public
    and gives a rational ≥ 0 for each record; ParameterError is raised where it does not.
    """

    def __init__(
        self, relation: NeighborRelation[D], record: Callable[[D, D], R], policy: Callable[[R], Rational]
    ) -> None:
        self.relation, self.record, self.policy = relation, record, policy

    def rho(self, first: D, second: D) -> Fraction:
        return _level(self.policy(self.record(first, second)))
