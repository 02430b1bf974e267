"""Answers to a plan on records of earnings: protected counts and percentiles of every query's cells."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from establish.impl.budget.mechanisms_of_queries import law_of_earnings
from establish.impl.budget.plan import Plan
from establish.impl.budget.queries import EarningsQuery
from establish.impl.budget.sources import Persons
from establish.impl.publish.earnings import NOTES, UNCHECKED, protected_cells, require_public
from establish.impl.publish.plan import Advance, Answered
from establish.impl.publish.sidecar import describe
from establish.impl.sampling.bits import Bits
from establish.impl.tables.persons import RecordTable
from establish.spec.composition import DifferentialPrivacy
from establish.spec.parameters import ParameterError


class EarningsAnswerer:
    """Answers the earnings queries of a plan, a table each.

    Raises ParameterError for a plan of another kind, and for a mechanism outside its domain.
    """

    def __init__(self, plan: Plan) -> None:
        queries = tuple(query for query in plan.queries if isinstance(query, EarningsQuery))
        definition, source = plan.definition, plan.source
        if not (isinstance(definition, DifferentialPrivacy) and isinstance(source, Persons)):
            raise ParameterError(f"plan {plan.title}: it is not about records of earnings")
        if source.cells is not None:
            require_public(source.cells, source.table)
        self._queries, self._source, self._records = queries, source, definition.records
        given = source.cells is not None
        self._laws = [law_of_earnings(query, cells_given=given) for query in queries]
        if given and len({query.by for query in queries}) > 1:
            raise ParameterError(
                f"plan {plan.title}: cells = {source.cells} lists the cells of one choice of columns, and "
                "the queries have several: leave it out or plan them apart"
            )

    @property
    def names(self) -> Sequence[str]:
        return [query.name for query in self._queries]

    @property
    def reads(self) -> Sequence[Path]:
        cells = self._source.cells
        return [self._source.table, *([] if cells is None else [cells])]

    def answer(self, bits: Bits, verdicts: Mapping[str, str], advance: Advance) -> Answered:
        source = self._source
        advance("reading")
        tables, answers = [], []
        with RecordTable(source.table) as records:
            for query, law in zip(self._queries, self._laws, strict=True):
                advance(query.name)
                table = protected_cells(
                    records, law, source.earnings, query.by, source.person, source.cells, bits, self._records
                )
                tables.append(table)
                answers.append(
                    {
                        "query": query.name,
                        "by": list(query.by),
                        "cells": int(table["count"].size),
                        **describe(law, verdicts),
                    }
                )
        about = {
            "cells": "from the data" if source.cells is None else f"listed in {source.cells.name}",
            "person_column": source.person or UNCHECKED,
            "records_per_person": self._records,
        }
        chosen = [f"query {query.name}: {line}" for query in self._queries for line in query.why]
        return Answered(tables, answers, {**about, "notes": [*NOTES, *chosen]})
