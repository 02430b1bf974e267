"""Answers to a plan on job tables: noisy counts of every cell, empty ones included."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from establish.impl.arrays import Integers
from establish.impl.budget.accountant import cost
from establish.impl.budget.mechanisms_of_queries import law_of_counts
from establish.impl.budget.plan import Plan
from establish.impl.budget.queries import CountQuery
from establish.impl.budget.satisfied import CHOSEN, satisfied
from establish.impl.budget.sources import JobTables
from establish.impl.mechanisms.on_counts import ROUNDED
from establish.impl.production import in_production
from establish.impl.publish.additive import ADDITIVE, Released, adjusted, require_additive, weights
from establish.impl.publish.parts import Code, Noise, NoisyParts, noisy
from establish.impl.publish.plan import Advance, Answered
from establish.impl.publish.sidecar import describe, signs
from establish.impl.sampling.bits import Bits
from establish.impl.tables.columns import Coded, Column, Table
from establish.impl.tabulate.cells import Tabulation
from establish.impl.tabulate.domain import Domain
from establish.impl.tabulate.engine import Engine
from establish.impl.tabulate.parts import SIZE
from establish.impl.tabulate.spread import SpreadCells
from establish.impl.tabulate.tables import Rows, TableFiles
from establish.impl.tabulate.tabulate import Tabulator
from establish.spec.parameters import ParameterError

COUNT = "count"
"""The column of noisy counts."""

ADJUSTED = (
    f"Column {ADDITIVE} is computed from column {COUNT} of all tables and from public numbers only, by "
    "weighted least squares: in it, cells add up to the cells of every coarser table exactly. It costs no "
    "privacy."
)


class JobAnswerer:
    """Answers the count queries of a plan, each with its mechanism, on an engine.

    An engine with executors counts, draws and writes there, when the tables are written.

    two_jobs: one of :data:`establish.impl.tabulate.tabulate.TWO_JOBS`. part: how many cells an executor
    draws together. additive: in place of the plan's; see :mod:`establish.impl.publish.additive`. Raises
    ParameterError for a plan of another kind, a mechanism outside its domain, an attribute called "count",
    and tables that cannot be made to add up.
    """

    def __init__(
        self,
        plan: Plan,
        engine: Engine,
        two_jobs: str = "refuse",
        part: int = SIZE,
        additive: str | None = None,
    ) -> None:
        queries = tuple(query for query in plan.queries if isinstance(query, CountQuery))
        if not (isinstance(plan.source, JobTables) and queries):
            raise ParameterError(f"plan {plan.title}: it is not about job tables")
        for query in queries:
            if COUNT in (name.lower() for name in query.by):
                raise ParameterError(f"query {query.name}: by = {COUNT} names the counts: rename it")
        self._source, self._queries = plan.source, queries
        self._definition = plan.definition
        self._laws = [law_of_counts(query, plan.definition) for query in queries]
        self._losses = [charged.loss for charged in cost(plan).queries]
        self._engine, self._two_jobs, self._part = engine, two_jobs, part
        self._production = in_production(plan.production)
        self._additive = plan.additive if additive is None else additive
        if self._additive:
            self._finest = require_additive(self._additive, queries)
            if engine.session is not None:
                raise ParameterError(
                    f"additive = {self._additive} is not possible with spark, whose tables stay on "
                    "executors: use duckdb"
                )

    @property
    def names(self) -> Sequence[str]:
        return [query.name for query in self._queries]

    @property
    def reads(self) -> Sequence[Path]:
        files = [self._source.jobs, self._source.workers, self._source.workplaces]
        return [*files, *(v for v in self._source.establishment.values() if isinstance(v, Path))]

    def require_answerable(self, advance: Advance) -> Rows:
        """Check the tables as a release would, without noise; how many rows they have.

        Raises ParameterError for tables that are not a dataset of the model, and for values that are missing
        or outside their domains.
        """
        tabulator, domain = self._opened(advance)
        for query in self._queries:
            advance(query.name)
            tabulator.require_inside(tabulator.spread(query.by, domain, where=query.where, below=query.theta))
        return tabulator.rows

    def _opened(self, advance: Advance) -> tuple[Tabulator, Domain]:
        """The checked tables, and the domain of their attributes. Raises ParameterError."""
        source = self._source
        files = TableFiles(source.jobs, source.workplaces, source.workers)
        tabulator = Tabulator(files, self._engine, self._two_jobs, advance)
        used = dict.fromkeys(a for query in self._queries for a in (*query.by, *query.where))
        tabulator.require_roles({a: a in source.worker for a in used})
        return tabulator, Domain(source.domain())

    def answer(self, bits: Bits, verdicts: Mapping[str, str], advance: Advance) -> Answered:
        tabulator, domain = self._opened(advance)
        chosen = self._two_jobs == "first"
        tables: list[Table | NoisyParts] = []
        answers = []
        released: list[Released] = []
        for query, law, loss in zip(self._queries, self._laws, self._losses, strict=True):
            advance(query.name)
            cells: Tabulation | SpreadCells
            if self._engine.session is None:
                cells = tabulator.tabulate(query.by, domain, where=query.where, below=query.theta)
                drawn = noisy(law, cells.count, cells.largest, bits)
                released.append(Released(cells.values, cells.codes, drawn))
                tables.append(_table(cells, drawn))
            else:
                cells = tabulator.spread(query.by, domain, where=query.where, below=query.theta)
                keys = bits.for_parts(query.name, len(cells))
                code = Code.here(law.name, production=self._production)
                noise = Noise(query, self._definition, keys, code)
                tables.append(NoisyParts(tabulator, cells, COUNT, noise, self._part))
            answers.append(
                {
                    "query": query.name,
                    "by": list(query.by),
                    "where": {key: list(values) for key, values in query.where.items()},
                    "cells": len(cells),
                    **describe(law, verdicts),
                    "satisfies": [asdict(satisfied(self._definition, loss, chosen=chosen))],
                }
            )
        notes = [ROUNDED, signs(self._laws)]
        if chosen:
            notes.append(CHOSEN)
        about: dict[str, object] = {"two_jobs": self._two_jobs}
        if self._additive:
            advance("weighted least squares")
            by_query, columns = self._adjusted(released)
            for table, column in zip(tables, columns, strict=True):
                assert isinstance(table, dict)
                table[ADDITIVE] = column
            about["additive"] = {"column": ADDITIVE, "numbers": self._additive, "weights": by_query}
            notes.append(ADJUSTED)
        notes += [f"query {query.name}: {line}" for query in self._queries for line in query.why]
        return Answered(tables, answers, {**about, "notes": notes})

    def _adjusted(self, released: Sequence[Released]) -> tuple[dict[str, float], Sequence[Column]]:
        """The weight of each query, and a column for each table. Reads released numbers only."""
        own = weights(self._laws)
        names = [query.name for query in self._queries]
        columns = adjusted(released, own, self._finest, self._additive)
        return dict(zip(names, own, strict=True)), columns


def _table(cells: Tabulation, noisy: Integers) -> dict[str, Column]:
    labels = {name: Coded(cells.values[name], cells.codes[name]) for name in cells.attributes}
    return {**labels, COUNT: noisy}
