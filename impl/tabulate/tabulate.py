"""Marginal queries over Job, Worker and Workplace tables (Haney et al. 2017, Section 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from establish.impl.tabulate.cells import Frame, Labels, Tabulation
from establish.impl.tabulate.checks import require_valid
from establish.impl.tabulate.domain import MAX_CELLS, Domain
from establish.impl.tabulate.engine import Engine, embedded
from establish.impl.tabulate.plan import (
    CELL,
    CODE,
    Listed,
    combinations,
    names_of,
    occupied_cells,
    positions,
    sizes,
    with_first_job,
)
from establish.impl.tabulate.tables import OpenTables, Rows, TableFiles
from establish.spec.parameters import ParameterError

TWO_JOBS = ("refuse", "first")
"""A worker with two jobs: refuse the tables, or keep the job at the smallest workplace identifier."""


def tabulate(
    files: TableFiles,
    by: Sequence[str],
    domain: Domain | None = None,
    *,
    two_jobs: str = "refuse",
    engine: Engine | None = None,
) -> Tabulation:
    """One query, see :class:`Tabulator`, by default on an embedded DuckDB with its defaults."""
    if engine is None:
        with embedded() as duckdb:
            return Tabulator(files, duckdb, two_jobs).tabulate(by, domain)
    return Tabulator(files, engine, two_jobs).tabulate(by, domain)


class Tabulator:
    """Tables that were checked once, to be tabulated any number of times.

    two_jobs: one of TWO_JOBS; identifiers compare as numbers, or as texts by Unicode code point.
    progress: called with what is being done. ``rows`` says how many rows were read.

    Raises ParameterError for files that cannot be read and tables that are not a dataset of the
    model; see :func:`establish.impl.tabulate.checks.require_valid`.
    """

    def __init__(
        self,
        files: TableFiles,
        engine: Engine,
        two_jobs: str = "refuse",
        progress: Callable[[str], None] = lambda stage: None,
    ) -> None:
        if two_jobs not in TWO_JOBS:
            raise ParameterError(f"two_jobs = {two_jobs} is not known: use {' or '.join(TWO_JOBS)}")
        self._engine = engine
        self._progress = progress
        tables = OpenTables.open(files, engine)
        progress("checking the tables")
        self.rows: Rows = require_valid(tables, engine, several_jobs=two_jobs == "first")
        if two_jobs == "first":
            tables = replace(tables, jobs=with_first_job(tables.jobs))
        self._tables = tables

    def tabulate(
        self, by: Sequence[str], domain: Domain | None = None, limit: int = MAX_CELLS
    ) -> Tabulation:
        """The cells of the marginal query by the attributes ``by``; none gives one cell, all jobs.

        domain: the values of every worker attribute among ``by``, because which of them occur is
        confidential, and of workplace attributes, if wanted. Workplace attributes are public: those
        that the domain leaves out take the combinations that exist in the table of workplaces, with
        or without jobs there. An empty cell is a cell. limit: the most cells allowed.

        Raises ParameterError for an unknown attribute, a worker attribute without a domain, a
        value that is missing or outside the domain, and too many cells.
        """
        of_workers, of_workplaces = self._tables.split(by)
        listed = {a: v for a, v in (domain.values if domain else {}).items() if a in by}
        for attribute in of_workers:
            if attribute not in listed:
                raise ParameterError(
                    f"by = {attribute} is an attribute of workers: the domain must list its values, "
                    "because which of them occur is confidential"
                )
        private = {a: listed[a] for a in of_workers}
        public = {a: v for a, v in listed.items() if a in of_workplaces}
        tables = self._tables
        self._progress("listing the cells")
        existing = self._existing(of_workplaces)
        frame = Frame(private, public, existing, limit)
        numbered = {
            name: [column.texts[row] for row in column.rows]
            for name, column in zip(names_of(of_workplaces), existing.values(), strict=True)
        }
        self._progress("counting")
        answer = self._engine.run(
            occupied_cells(
                sizes(tables.jobs, tables.workers, private),
                tables.workplaces,
                of_workplaces,
                numbered | {CELL: frame.positions(existing)},
            )
        )
        code = answer[CODE].to_numpy()
        if (code >= frame.width).any():
            self._refuse_outside(private)
        cell = answer[CELL].to_numpy() * frame.width + code
        codes = frame.codes()

        def column(name: str) -> NDArray[np.int64]:
            values = np.zeros(len(frame), dtype=np.int64)
            values[cell] = answer[name].to_numpy()
            return values

        return Tabulation(
            tuple(by),
            MappingProxyType({a: frame.values[a] for a in by}),
            MappingProxyType({a: codes[a] for a in by}),
            column("count"),
            column("establishments"),
            column("largest"),
        )

    def _existing(self, attributes: Sequence[str]) -> dict[str, Labels]:
        """The combinations of workplace labels that exist. Raises ParameterError for a missing one."""
        if not attributes:
            return {}
        answer = self._engine.run(combinations(self._tables.workplaces, attributes))
        found = {}
        for name, attribute in zip(names_of(attributes), attributes, strict=True):
            column = answer[name]
            if column.null_count:
                raise ParameterError(f"column {attribute} has a missing value")
            coded = column.combine_chunks().dictionary_encode()
            found[attribute] = Labels(
                tuple(coded.dictionary.to_pylist()), coded.indices.to_numpy().astype(np.int64)
            )
        return found

    def _refuse_outside(self, private: Listed) -> None:
        """Say which attribute has a value that is missing or outside the domain."""
        found = positions(self._tables.workers, private)
        answer = self._engine.run(
            found.aggregate(
                **{a: found[f"position{n}"].isnull().any() for n, a in enumerate(private)}
            )
        )
        bad = [a for a in private if answer[a][0].as_py()]
        raise ParameterError(
            f"column {' and '.join(bad)} of workers has a value that is missing or outside its domain"
        )
