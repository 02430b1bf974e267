"""The privacy definitions that a mechanism can be audited for.

Each knows its neighbor relation on audit datasets, its level, and the pairs of neighbors that are worth
trying. Datasets are small plain values:

- edge, node, strong and weak ER-EE: the establishment sizes of one cell, ``(12, 3)``; with
  ``attributes=k``, the counts of each establishment by value of a worker attribute, ``((7, 5), (3, 0))``;
- GEDP: the establishment values, ``(12.0, 3.5)``; with several γ, a tuple of values each;
- DP: an integer count, ``12``; with ``records=...``, a sorted tuple of records.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from establish.proofs_check.audit.question import candidates, lines
from establish.proofs_check.audit.question.level import Approximate, Gaussian, Level
from establish.proofs_check.audit.question.lines import Line
from establish.proofs_check.audit.question.result import Dataset, Pair
from establish.spec.indistinguishability import failure
from establish.spec.neighbor_functions.named import Given, distance_parameters
from establish.spec.parameters import ParameterError, Rational, exact, positive
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.psi import Psi
from establish.spec.relations.record import AddOrRemove, Substitute, UnitCount
from establish.spec.relations.relation import NeighborRelation
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import ShapeUniverse, SizeUniverse
from establish.spec.relations.weak import Weak

SIZE_BUDGET = 2**32
"""Audits try datasets of at most so many workers (values, records) in all, unless asked otherwise."""

MOST_ATTRIBUTES, MOST_ATTRIBUTES_WEAK = 1000, 12
"""So many values of a worker attribute at most; weak neighbors are compared on every set of values."""

LARGEST = Fraction(10) ** 300
"""No parameter of an audit is larger: floats are."""

Finite = Any
"""A finite universe that a definition can be enumerated in, for example SizeUniverse(2, 30)."""

NEIGHBORS = ("add-remove", "substitution")
"""How one record may change in differential privacy."""


@dataclass(frozen=True)
class AuditDefinition:
    """A neighbor relation on audit datasets, and how indistinguishable neighbors must be.

    name: the definition with its parameters. form: what a dataset is. related: the exact predicate.
    candidates: pairs worth trying up to a size. within: the relation inside a finite universe, or
    None when the definition cannot be enumerated. parameters: exact, by name. given: the pairs that the
    user lists, all of which are tried, whatever their size; they stand in place of candidates. all_given:
    whether these are all neighbors that there are. lines: datasets in a row, to be looked along for jumps.
    """

    name: str
    level: Level
    form: str
    related: Callable[[Dataset, Dataset], bool]
    candidates: Callable[[int], Iterable[Pair]]
    within: Callable[[Finite], NeighborRelation[Any]] | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    given: tuple[Pair, ...] = ()
    all_given: bool = False
    lines: Callable[[], Iterable[Line]] = tuple

    def __str__(self) -> str:
        return self.name

    def pairs(self, size_budget: int = SIZE_BUDGET) -> Iterator[Pair]:
        """The pairs that were given, or neighbors of total size at most ``size_budget``.

        The first are in the order in which they were given, the others in that of how often faults
        are met there (see ``boundaries``); each pair comes in both orders.
        """
        seen: set[Pair] = set()
        for first, second in self.given or self.candidates(size_budget):
            both = ((first, second), (second, first))
            fits = bool(self.given) or candidates.size(both[0]) <= size_budget
            if fits and seen.isdisjoint(both):
                seen.add(both[0])
                yield from both

    def listed(self, universe: Finite = None, pairs: Iterable[Pair] | None = None) -> list[Pair]:
        """What an audit tries, each pair in one order: these pairs, a universe's, or its own.

        Raises ParameterError for a pair whose datasets are not neighbors, or for a universe with pairs.
        """
        if pairs is not None and universe is not None:
            raise ParameterError("pairs and universe are given: give one of them")
        chosen = self.pairs() if universe is None else self.pairs_in(universe)
        if pairs is not None:
            chosen = map(self._neighbors, pairs)
        kept: dict[Pair, None] = {}
        for first, second in chosen:
            if (second, first) not in kept:
                kept[first, second] = None
        return list(kept)

    def _neighbors(self, pair: Pair) -> Pair:
        try:
            first, second = pair
            related = first != second and self.related(first, second)
        except (TypeError, ValueError, AttributeError, IndexError):
            raise ParameterError(
                f"pairs: {pair!r} is not a pair of datasets; a dataset is {self.form}"
            ) from None
        if not related:
            raise ParameterError(f"pairs: {first!r} and {second!r} are not neighbors: {self.name}")
        return first, second

    def pairs_in(self, universe: Finite) -> Iterator[Pair]:
        """All neighbors in a finite universe, each pair in both orders.

        Raises ParameterError when the definition cannot be enumerated.
        """
        if self.within is None:
            raise ParameterError(f"{self.name} has no finite universe: leave `universe` out")
        relation = self.within(universe)
        for first in relation.datasets():
            for second in relation.neighbors(first):
                yield first, second


def dp(
    epsilon: Rational,
    delta: Rational = 0,
    neighbors: str = "add-remove",
    records: Sequence[str] | None = None,
) -> AuditDefinition:
    """(ε, δ)-differential privacy (Haney et al. 2017, Definition 2.2).

    Without ``records`` a dataset is a count of records, which changes by 1 under both neighbor
    relations. With the domain of records, at least two for a substitution, a dataset is a sorted tuple
    of them. Raises ParameterError for a parameter outside its domain.
    """
    if neighbors not in NEIGHBORS:
        raise ParameterError(f"neighbors = {neighbors} is not known: use {' or '.join(NEIGHBORS)}")
    level, chosen = approximate(epsilon, delta), AddOrRemove
    name = f"({_levels(level)})-differential privacy, {neighbors}"
    if records is None:
        return AuditDefinition(
            name,
            level,
            "an integer count of records",
            UnitCount(0).related,
            candidates.counts,
            UnitCount,
            lines=lines.counts,
        )
    domain = tuple(records)
    if neighbors == "substitution":
        if len(set(domain)) < 2:
            raise ParameterError(f"records = {domain!r}: a substitution needs two different records")
        chosen = Substitute  # type: ignore[assignment]  # both take (domain, most)
    relation = chosen(domain, 0)
    return AuditDefinition(
        name,
        level,
        f"a sorted tuple of records from {domain!r}",
        relation.related,
        lambda most: candidates.records(domain, most, relation.related),
        lambda most: chosen(domain, most),
        {"records": domain},
        lines=lambda: lines.records(domain, neighbors == "substitution"),
    )


def edge(epsilon: Rational, delta: Rational = 0, attributes: int | None = None) -> AuditDefinition:
    """(ε, δ)-edge differential privacy: one job more or fewer (Haney et al. 2017, Section 6)."""
    return _establishments("edge differential privacy", Edge, epsilon, delta, attributes)


def node(epsilon: Rational, delta: Rational = 0, attributes: int | None = None) -> AuditDefinition:
    """(ε, δ)-node differential privacy: any other workforce (Haney et al. 2017, Section 6)."""
    return _establishments("node differential privacy", Node, epsilon, delta, attributes)


def strong_er_ee(
    alpha: Rational, epsilon: Rational, delta: Rational = 0, attributes: int | None = None
) -> AuditDefinition:
    """(α, ε[, δ])-ER-EE privacy (Haney et al. 2017, Definitions 7.1, 7.2 and 9.1)."""
    return _establishments("ER-EE privacy", Strong, epsilon, delta, attributes, alpha)


def weak_er_ee(
    alpha: Rational, epsilon: Rational, delta: Rational = 0, attributes: int | None = None
) -> AuditDefinition:
    """Weak (α, ε[, δ])-ER-EE privacy (Haney et al. 2017, Definitions 7.3, 7.4 and 9.1)."""
    return _establishments("weak ER-EE privacy", Weak, epsilon, delta, attributes, alpha)


def gedp(
    mu: Rational, psi: Given | Sequence[Given] = "sqrt", gamma: Rational | Sequence[Rational] = 1
) -> AuditDefinition:
    """μ-Gaussian establishment DP (Webb et al. 2025, Definitions 5.1, 5.5 and 5.6).

    psi: sqrt, log, identity, sqrt(x+a), log(x+a), a sympy expression, a function from Arb ball to Arb
    ball, or one of these per attribute. gamma: one distance parameter, or one per attribute. Raises
    ParameterError for a parameter outside its domain.
    """
    level, relation = Gaussian(_positive("mu", mu)), Psi(psi, gamma)
    for distance in distance_parameters(gamma):
        _require_float("gamma", distance, gamma)
    functions, gammas = zip(*relation.attributes, strict=True)
    names = ", ".join(dict.fromkeys(function.name for function in functions))
    shown = ", ".join(map(str, gammas))
    form = "a tuple of establishment values"
    if relation.several:
        form = f"a tuple of establishments, each a tuple of {len(gammas)} values"
    return AuditDefinition(
        f"{level.mu}-GEDP, ψ = {names}, γ = {shown}",
        level,
        form,
        relation.related,
        lambda most: candidates.values(relation, most),
        lambda grid: Psi(psi, gamma, grid),
        {"mu": level.mu, "psi": functions, "gamma": gammas},
        lines=lambda: lines.values(relation),
    )


def _require_float(name: str, number: Fraction, value: Any) -> Fraction:
    if number > LARGEST:
        raise ParameterError(f"{name} = {value!s:.40} is not allowed: an audit takes at most 1e300")
    return number


def _positive(name: str, value: Rational) -> Fraction:
    return _require_float(name, positive(name, value), value)


def approximate(epsilon: Rational | None, delta: Rational) -> Approximate:
    """The level (ε, δ). Raises ParameterError for ε ≤ 0 or missing, or δ outside [0, 1)."""
    if epsilon is None:
        raise ParameterError("epsilon is missing")
    return Approximate(_positive("epsilon", epsilon), failure(exact("delta", delta)))


def _levels(level: Approximate, *first: Fraction) -> str:
    delta = (level.delta,) if level.delta else ()
    return ", ".join(map(str, (*first, level.epsilon, *delta)))


def _establishments(
    title: str,
    relation: Any,
    epsilon: Rational,
    delta: Rational,
    attributes: int | None,
    alpha: Rational | None = None,
) -> AuditDefinition:
    level = approximate(epsilon, delta)
    share = () if alpha is None else (_positive("alpha", alpha),)
    most = MOST_ATTRIBUTES_WEAK if relation is Weak else MOST_ATTRIBUTES
    if attributes is not None and not 1 <= attributes <= most:
        raise ParameterError(f"attributes = {attributes} is not allowed: it is at least 1 and at most {most}")
    if attributes is None:
        form, at = ("a tuple of establishment sizes of one cell", relation(SizeUniverse(1, 0), *share))
    else:
        form = f"a tuple of establishments, each the {attributes} counts by worker attribute"
        at = relation(ShapeUniverse(1, attributes, 0), *share)
    return AuditDefinition(
        f"{'weak ' if title.startswith('weak') else ''}({_levels(level, *share)})-"
        f"{title.removeprefix('weak ')}",
        level,
        form,
        at.related,
        lambda most: candidates.establishments(at.related, share, attributes, most),
        lambda universe: relation(universe, *share),
        {"attributes": attributes} | ({"alpha": share[0]} if share else {}),
        lines=lambda: lines.establishments(attributes),
    )
