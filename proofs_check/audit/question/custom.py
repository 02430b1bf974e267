"""A neighbor relation of the user's own."""

from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from establish.proofs_check.audit.question.definitions import AuditDefinition, approximate
from establish.proofs_check.audit.question.level import Gaussian, Level
from establish.proofs_check.audit.question.result import Pair
from establish.spec.parameters import ParameterError, Rational, positive
from establish.spec.relations.relation import NeighborRelation

MOST_DRAWN = 200
"""So many pairs are drawn from a strategy."""


def custom(
    neighbors: NeighborRelation[Any] | st.SearchStrategy[Pair] | Iterable[Pair],
    epsilon: Rational | None = None,
    delta: Rational = 0,
    *,
    mu: Rational | None = None,
    name: str = "custom",
) -> AuditDefinition:
    """A neighbor relation of your own, at level (ε, δ) or μ.

    neighbors: a NeighborRelation on a finite universe, a Hypothesis strategy of pairs, of which
    MOST_DRAWN are drawn, or the pairs themselves, finitely many. All are tried, in their order.
    Datasets must be hashable. Raises ParameterError when not exactly one of epsilon and mu is given,
    or there are no pairs.
    """
    if (epsilon is None) == (mu is None):
        raise ParameterError("custom needs either epsilon (with delta) or mu")
    level: Level = Gaussian(positive("mu", mu)) if mu is not None else approximate(epsilon, delta)
    pairs = tuple(_listed(neighbors))
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ParameterError(f"neighbors: {pair!r} is not a pair of datasets: write (D, D')")
    if not pairs:
        raise ParameterError(f"neighbors of {name}: there are no pairs")
    known = {*pairs, *((second, first) for first, second in pairs)}
    return AuditDefinition(
        f"{name} neighbors, {level}",
        level,
        "a dataset of your own relation",
        lambda d, d2: (d, d2) in known,
        lambda most: pairs,
        given=pairs,
        all_given=not isinstance(neighbors, st.SearchStrategy),
    )


def _listed(neighbors: Any) -> Iterator[Pair]:
    if isinstance(neighbors, NeighborRelation):
        for d in neighbors.datasets():
            for d2 in neighbors.neighbors(d):
                yield d, d2
    elif isinstance(neighbors, st.SearchStrategy):
        drawn: dict[Pair, None] = {}

        @settings(max_examples=MOST_DRAWN, database=None, derandomize=True, phases=[Phase.generate])
        @given(neighbors)
        def draw(pair: Pair) -> None:
            drawn[pair] = None

        draw()
        yield from drawn
    elif isinstance(neighbors, Iterable):
        yield from neighbors
    else:
        raise ParameterError(
            f"neighbors = {neighbors!r} is not allowed: give a relation, a strategy, or pairs"
        )
