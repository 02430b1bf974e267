"""Expected errors of what pnc answers by establishment with ``remainder = true``, and of these with the first
answers.

How much of μ the sum leaves to an establishment depends on its bound u and on the largest bound u* of its
group. Errors are told at a value that is equal to its bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from establish.spec.arithmetic import MP, Number

if TYPE_CHECKING:
    from establish.impl.budget.queries import SumQuery
    from establish.spec.composition import Attribute, Gedp

TIMES = {"at u*/10": 10, "at u*": 1}
"""Where errors are told, and how many times u the bound u* is there."""


@dataclass(frozen=True)
class SecondAnswers:
    """Standard deviations of the estimates of one measure, by size.

    query: from which they come: pnc, or the query by establishment whose answers are pooled with those of
    pnc. table: its name, or which answers are pooled. at: of TIMES.
    """

    query: SumQuery
    table: str
    measure: str
    at: str
    errors: dict[int, float]


def second_answers(query: SumQuery, definition: Gedp, sizes: Sequence[int]) -> Iterator[SecondAnswers]:
    """What a query by pnc with the remainder answers by establishment: its last table."""
    for measure in query.mu:
        attribute = definition.by_name[measure]
        for at, times in TIMES.items():
            found = {n: _deviation(attribute, n, _left(query, attribute, n, times)) for n in sizes}
            yield SecondAnswers(query, query.tables[-1], measure, at, found)


def pooled_answers(
    queries: Sequence[SumQuery], definition: Gedp, sizes: Sequence[int]
) -> Iterator[SecondAnswers]:
    """Of first and second answers together, as the fitted table begins with them."""
    for measure in definition.by_name:
        about = [query for query in queries if measure in query.mu]
        again = [query for query in about if query.remainder]
        first = next((query for query in about if query.identity and query.mechanism == "psi"), None)
        if first is None or not again:
            continue
        table = " + ".join((first.name, *(query.tables[-1] for query in again)))
        for at, times in TIMES.items():
            found = {n: _together(first, again, definition.by_name[measure], n, times) for n in sizes}
            yield SecondAnswers(first, table, measure, at, found)


def _left(query: SumQuery, attribute: Attribute, bound: int, times: int) -> Number:
    """μ_e, what is left to an establishment with this bound where the largest is ``times`` that."""
    from establish.spec.composition.neighbor_functions import function_of
    from establish.spec.mechanisms.probably_no_clipping import sensitivity
    from establish.spec.mechanisms.remainder import left

    psi, gamma = function_of(attribute), MP.number(attribute.gamma)
    own, most = (sensitivity(psi, reached, gamma, MP) for reached in (bound, times * bound))
    return MP.number(query.mu[attribute.name]) * MP.sqrt(left(own, most, MP))


def _together(
    first: SumQuery, again: Sequence[SumQuery], attribute: Attribute, bound: int, times: int
) -> float:
    from establish.spec.mechanisms.remainder import pooled, pooling

    budget = MP.number(first.mu[attribute.name])
    for query in again:
        second = _left(query, attribute, bound, times)
        budget = 1 / MP.sqrt(pooled(budget, second, pooling(budget, second)))
    return _deviation(attribute, bound, budget)


def _deviation(attribute: Attribute, value: int, budget: Number) -> float:
    """Of the estimate from ω with this budget."""
    from establish.impl.microdata.neighbor_functions import neighbor_function

    psi = neighbor_function(attribute.psi, attribute.shift)
    return psi.deviation(value, float(MP.number(attribute.gamma) / budget))
