"""Is a requirement implied at level ε? The two sides of the answer, and the verdict."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from establish.proofs_check.implications.attacks import (
    Attack,
    attack,
    random_priors,
    shrunk,
    two_point_priors,
    weak_priors,
)
from establish.proofs_check.implications.certificate import check_plan
from establish.proofs_check.implications.classes import (
    PairClass,
    one_unknown_classes,
    product_classes,
    sides,
    weak_classes,
)
from establish.proofs_check.implications.space import Space
from establish.proofs_check.implications.witness import recheck
from establish.proofs_check.implications.worst_factor import Worst, worst_factor
from establish.spec.parameters import ParameterError
from establish.spec.requirements import Comparison, Factor, Requirement

Classes = Callable[[Space, Comparison], Iterator[PairClass]]


class Kind(StrEnum):
    """Which attackers are considered."""

    POINT = "point"
    WEAK = "weak"
    INFORMED = "informed"


CLASSES: dict[Kind, Classes] = {
    Kind.POINT: one_unknown_classes,
    Kind.WEAK: weak_classes,
    Kind.INFORMED: product_classes,
}
"""The pair classes that bound all attackers of a kind."""


class Verdict(StrEnum):
    """How the question comes out on the universe."""

    IMPLIED = "implied at level ε"
    LARGER = "implied only at a larger level"
    NEVER = "not implied at any level"
    NOT_HERE = "not implied at level ε"
    UNDECIDED = "undecided"
    VACUOUS = "implied, because nothing is compared"


@dataclass(frozen=True)
class ClassBound:
    """The class of pairs with the largest value among those for which a program was solved."""

    comparison: Comparison
    pairs: PairClass
    worst: Worst[int]


@dataclass(frozen=True)
class Bound:
    """No attacker of the kind exceeds ``factor``.

    classes: how many pair classes there are. programs: for how many a linear program was solved; in
    the others every two datasets are so close that c^distance is within the bound. largest: datasets
    of the two events in the largest program.
    """

    factor: Factor
    classes: int
    programs: int
    largest: tuple[int, int]
    hardest: ClassBound | None


@dataclass(frozen=True)
class Answer:
    """The least level lies between ``attack.factor`` and ``bound.factor``, both re-checked exactly."""

    space: Space
    requirement: Requirement
    c: Fraction
    kind: Kind
    attack: Attack | None
    bound: Bound

    @property
    def verdict(self) -> Verdict:
        if self.attack is None:
            return Verdict.VACUOUS
        if self.bound.factor <= self.c:
            return Verdict.IMPLIED
        if self.attack.factor <= self.c:
            return Verdict.UNDECIDED
        if self.attack.factor == math.inf:
            return Verdict.NEVER
        return Verdict.NOT_HERE if self.bound.factor == math.inf else Verdict.LARGER

    @property
    def exact(self) -> bool:
        """Whether the least level is known, not only bracketed."""
        return self.attack is not None and self.attack.factor == self.bound.factor


def decide(space: Space, requirement: Requirement, c: Fraction, kind: Kind, seed: int = 0) -> Answer:
    """The worst Bayes factor over all private mechanisms and all attackers of the kind.

    c: e^ε, a rational > 1. seed: for the random priors that are tried when bounds do not meet.
    Raises ParameterError for c ≤ 1, CertificateError if an exact re-check fails.
    """
    if c <= 1:
        raise ParameterError(f"c = {c} is not allowed: c = e^ε must be greater than 1")
    comparisons = {
        comparison: list(CLASSES[kind](space, comparison)) for comparison in requirement.representatives()
    }
    best: Attack | None = None
    for comparison, classes in comparisons.items():
        priors = weak_priors(space) if kind == Kind.WEAK else two_point_priors(space, classes)
        for prior in priors:
            best = attack(space, prior, comparison, c, best.factor if best else 0) or best
    bound = _bound(space, comparisons, c, best.factor if best else Fraction(1))
    if kind == Kind.INFORMED and best and best.factor < bound.factor:
        for prior in random_priors(space, seed):
            for comparison in comparisons:
                if found := attack(space, prior, comparison, c, best.factor):
                    best = shrunk(space, found, c)
    if best:
        recheck(space, best, c)
    return Answer(space, requirement, c, kind, best, bound)


def _bound(
    space: Space, comparisons: dict[Comparison, list[PairClass]], c: Fraction, attained: Factor
) -> Bound:
    """The largest value of a class, at least ``attained``; linear programs only where needed."""
    factor, programs, largest = attained, 0, (0, 0)
    hardest: ClassBound | None = None
    for comparison, classes in comparisons.items():
        for pairs in classes:
            first, second = sides(pairs)
            if c ** max(space.distance(i, j) for i in first for j in second) <= factor:
                continue
            worst = worst_factor(first, second, space.distance, c)
            programs += 1
            largest = max(largest, (len(first), len(second)), key=math.prod)
            if isinstance(worst.factor, Fraction):
                check_plan(worst.plan, first, second, space.distance, c, worst.factor)
            if hardest is None or worst.factor > hardest.worst.factor:
                hardest = ClassBound(comparison, pairs, worst)
            factor = max(factor, worst.factor)
    count = sum(map(len, comparisons.values()))
    return Bound(factor, count, programs, largest, hardest)
