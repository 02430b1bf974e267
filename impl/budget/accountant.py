"""What a plan costs, exactly and before any data are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from establish.impl.budget.caps import OverCap, over
from establish.impl.budget.mechanisms_of_queries import law_of_counts, law_of_earnings
from establish.impl.budget.plan import Plan
from establish.impl.budget.queries import CountQuery, EarningsQuery, Query, SumQuery
from establish.impl.budget.sources import JobTables, Persons
from establish.spec.composition import (
    RULES,
    Approximate,
    Charge,
    Definition,
    DifferentialPrivacy,
    ErEe,
    Gaussian,
    Loss,
    Marginal,
    cost_of_marginal,
    cost_of_sums,
    in_sequence,
)
from establish.spec.parameters import ParameterError

MOST_SETS = 250_000
"""Sets of queries whose costs are added up and compared: a few seconds."""


@dataclass(frozen=True)
class QueryCost:
    """What one query costs: ``times`` times what ``each`` count costs, by ``rules``."""

    query: str
    each: Loss
    times: int
    loss: Loss
    rules: tuple[str, ...]


@dataclass(frozen=True)
class PlanCost:
    """What a plan costs: its queries, and together. rules: names in RULES, without repetition."""

    queries: tuple[QueryCost, ...]
    total: Loss
    rules: tuple[str, ...]

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The ids of the claims that prove it."""
        return tuple(dict.fromkeys(claim for rule in self.rules for claim in RULES[rule].rests_on))


def cost(plan: Plan) -> PlanCost:
    """The cost of every query and of all of them under the plan's definition.

    Queries on disjoint sets of establishments (by ``where``) cost the largest of them, all others their
    sum. Raises ParameterError where no mechanism or composition is proved for what the plan asks, never
    for the cap: see :func:`require_within`.
    """
    queries = tuple(_of_query(query, plan) for query in plan.queries)
    total = _total(plan, [query.loss for query in queries])
    named = [*_sequence(plan.definition), *(rule for query in queries for rule in query.rules)]
    return PlanCost(queries, total, tuple(dict.fromkeys(named)))


def require_within(plan: Plan, found: PlanCost) -> None:
    """Raises OverCap when the plan alone costs more than its cap."""
    if not found.total.within(plan.cap):
        raise OverCap(over(f"plan {plan.title} costs", found.total, plan.cap))


def _sequence(definition: Definition) -> tuple[str, ...]:
    if isinstance(definition, DifferentialPrivacy):
        return ("sequence-dp",)
    return ("sequence-er-ee",) if isinstance(definition, ErEe) else ("sequence-gedp",)


def _of_query(query: Query, plan: Plan) -> QueryCost:
    try:
        charge = _charge(query, plan)
    except ParameterError as error:
        raise ParameterError(f"query {query.name}: {error}") from None
    return QueryCost(query.name, charge.each, charge.times, charge.loss, charge.rules)


def _charge(query: Query, plan: Plan) -> Charge:
    definition = plan.definition
    if isinstance(query, SumQuery):
        return cost_of_sums(definition, {name: Gaussian.of(mu) for name, mu in query.mu.items()})
    if isinstance(query, EarningsQuery):
        assert isinstance(plan.source, Persons)
        law_of_earnings(query, cells_given=plan.source.cells is not None)
        return cost_of_marginal(definition, Approximate(query.epsilon), Marginal())
    assert isinstance(plan.source, JobTables)
    law_of_counts(query, definition)
    each = Approximate(query.epsilon, query.delta)
    return cost_of_marginal(definition, each, query.marginal(plan.source))


def _total(plan: Plan, losses: list[Loss]) -> Loss:
    """The largest sum of the losses of queries that one establishment can be in."""
    if not isinstance(plan.source, JobTables):
        return in_sequence(losses)
    filters = [
        {key: values for key, values in query.where.items() if key in plan.source.establishment}
        for query in plan.queries
        if isinstance(query, CountQuery)
    ]
    sums = [in_sequence(losses[i] for i in sorted(own)) for own in _together(filters) if own]
    total = sums[0]
    for other in sums[1:]:
        total = total.either(other)
    return total


def _together(filters: Sequence[Mapping[str, tuple[str, ...]]]) -> set[frozenset[int]]:
    """The sets of filters that one establishment can pass, by their places: the largest among them."""
    found = {frozenset(range(len(filters)))}
    for key in dict.fromkeys(key for own in filters for key in own):
        named = {value for own in filters for value in own.get(key, ())}
        passed = {
            frozenset(i for i, own in enumerate(filters) if key not in own or value in own[key])
            for value in named  # those that pass any other value pass these as well
        }
        before, found = found, set()
        for now in passed:
            found |= {own & now for own in before}
            if len(found) > MOST_SETS:
                raise ParameterError(
                    f"the filters (where) of the queries overlap in more than {MOST_SETS} ways: use "
                    "fewer queries, or filters that name the same values"
                )
    return found
