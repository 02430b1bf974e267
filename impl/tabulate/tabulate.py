"""Marginal queries over Job, Worker and Workplace tables (Haney et al. 2017, Section 3)."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

from establish.impl.arrays import Integers
from establish.impl.tabulate.cells import Frame, Labels, Numbering, Tabulation, require_at_most
from establish.impl.tabulate.checks import require_valid
from establish.impl.tabulate.domain import MAX_CELLS, Domain
from establish.impl.tabulate.engine import DuckDB, Engine, Relation, embedded
from establish.impl.tabulate.parts import SIZE, Finish, ValuesOutside, write_parts
from establish.impl.tabulate.plan import (
    CELL,
    CODE,
    LEFT_OUT,
    Digits,
    combinations,
    digits_of,
    located_by_combination,
    located_by_digits,
    names_of,
    occupied_cells,
    recoded,
    sizes,
    with_first_job,
)
from establish.impl.tabulate.query import Query, Where
from establish.impl.tabulate.spread import MAX_SPREAD, SpreadCells
from establish.impl.tabulate.tables import WORKER, WORKPLACE, OpenTables, Rows, TableFiles
from establish.spec.parameters import ParameterError

NO_FILTER: Where = MappingProxyType({})

TWO_JOBS = ("refuse", "first")
"""A worker with two jobs: refuse the tables, or keep the job at the smallest workplace identifier."""


MOST_SHARED = 4095
"""Combinations of worker values up to which queries share a join: 12 bits, five to a word."""


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
    progress: called with what is being done. ``rows`` says how many rows were read;
    those of jobs and workers are confidential.

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
        self.rows: Rows
        tables, self.rows = require_valid(tables, engine, several_jobs=two_jobs == "first")
        if two_jobs == "first":
            tables = replace(tables, jobs=with_first_job(tables.jobs))
        self._tables = tables
        self._shared: dict[tuple[tuple[str, tuple[str, ...]], ...], Relation] = {}
        self._existing = cache(self._find_existing)

    def require_roles(self, of_workers: Mapping[str, bool]) -> None:
        """Raises ParameterError unless exactly the attributes that are said to be are those of workers.

        An attribute of workers that passed for one of workplaces would be charged too little.
        """
        private, _ = self._tables.split("[domain]", list(of_workers))
        for attribute, said in of_workers.items():
            if said != (attribute in private):
                table, section = ("workplaces", "establishment") if said else ("workers", "worker")
                raise ParameterError(
                    f"[domain]: {attribute} is a column of {table}: list it under [domain.{section}]"
                )

    def tabulate(
        self,
        by: Sequence[str],
        domain: Domain | None = None,
        limit: int = MAX_CELLS,
        *,
        where: Where = NO_FILTER,
        below: int | None = None,
    ) -> Tabulation:
        """The cells of the marginal query by the attributes ``by``; none gives one cell, all jobs.

        domain: the values of every worker attribute among ``by`` and ``where``, because which of
        them occur is confidential, and of workplace attributes, if wanted. Workplace attributes are
        public: those that the domain leaves out take the combinations that exist in the table of
        workplaces, with or without jobs there. An empty cell is a cell. limit: the most cells
        allowed.

        where: attribute → values; only jobs whose worker or workplace has one of them count. An
        attribute of ``by`` has cells for these values only, in the order of the domain; any other
        is summed out, so that ``largest`` is of the establishments' matching jobs. Existing
        combinations are then those of the workplaces that match. below: only establishments with
        fewer jobs count, whatever their matching jobs (truncation by the size of the workforce,
        Haney et al. 2017, Sections 6 and 10).

        Raises ParameterError for an unknown attribute, a worker attribute without a domain, a
        value that is missing or outside the domain, in the tables (whether its job counts or not)
        or in ``where``, values of ``where`` that are none or listed twice, below < 1, and too many
        cells.
        """
        query = self._query(by, domain, where, below)
        self._progress("listing the cells")
        numbering, located = self._by_combination(query, limit)
        digits = query.digits(query.of_workers)
        self._progress("counting")
        answer = self._engine.columns(occupied_cells(self._sizes(query, digits), located, below))
        cell, code = answer[CELL], answer[CODE]
        if (code == numbering.width).any():
            self._refuse_outside(digits)
        counted = (cell != LEFT_OUT) & (code < numbering.width)
        position = (cell * numbering.width + code)[counted]
        codes = numbering.codes()

        def column(name: str) -> Integers:
            values = np.zeros(len(numbering), dtype=np.int64)
            values[position] = answer[name][counted]
            return values

        return Tabulation(
            tuple(by),
            MappingProxyType({a: numbering.values[a] for a in by}),
            MappingProxyType({a: codes[a] for a in by}),
            column("count"),
            column("establishments"),
            column("largest"),
        )

    def spread(
        self,
        by: Sequence[str],
        domain: Domain | None = None,
        limit: int = MAX_SPREAD,
        *,
        where: Where = NO_FILTER,
        below: int | None = None,
    ) -> SpreadCells:
        """The same cells with the same numbers, left on the executors of an engine that has them.

        The arguments are those of :meth:`tabulate`. Where the domain lists all attributes, one row of truth
        values comes to this process; else the combinations of public labels do, too. Raises ParameterError;
        that a worker's value is outside its domain is found by who asks for the rows.
        """
        query = self._query(by, domain, where, below)
        self._progress("listing the cells")
        every = set(query.of_workplaces) <= set(query.domains)
        locate = self._by_digits if every else self._by_combination
        numbering, located = locate(query, limit)
        digits = query.digits(query.of_workers)
        occupied = occupied_cells(self._sizes(query, digits), located, below)
        return SpreadCells(tuple(by), numbering, self._engine, occupied, digits)

    def require_inside(self, cells: SpreadCells) -> None:
        """Count, and raise ParameterError when a worker's value is missing or outside its domain."""
        self._progress("counting")
        width = cells.numbering.width
        found = f"SELECT bool_or({CODE} = {width}) FROM {cells.occupied}"
        if self._engine.row(cells.occupied.of(found))[0]:
            self._refuse_outside(cells.digits)

    def write_parts(
        self, cells: SpreadCells, folder: Path, column: str, finish: Finish, size: int = SIZE
    ) -> None:
        """As :func:`establish.impl.tabulate.parts.write_parts`, naming the attributes that are outside."""
        self._progress("counting and writing")
        try:
            write_parts(cells, folder, column, finish, size)
        except ValuesOutside:
            self._refuse_outside(cells.digits)
            raise

    def _query(self, by: Sequence[str], domain: Domain | None, where: Where, below: int | None) -> Query:
        if below is not None and (type(below) is not int or below < 1):
            raise ParameterError(f"below = {below} is not allowed: an integer of at least 1")
        return Query.of(self._tables, by, domain, where)

    def _sizes(self, query: Query, digits: Digits) -> Relation:
        """See :func:`sizes`. Where DuckDB counts, queries on the same domain of workers share a join."""
        attributes = tuple(sorted(digits))
        every = {a: {value: n for n, value in enumerate(query.domains[a])} for a in attributes}
        if not (isinstance(self._engine, DuckDB) and 1 < math.prod(map(len, every.values())) <= MOST_SHARED):
            return sizes(self._tables, digits)
        domain = tuple((a, query.domains[a]) for a in attributes)
        if domain not in self._shared:
            self._shared[domain] = self._engine.kept(sizes(self._tables, every))
        return recoded(self._shared[domain], every, digits)

    def _by_combination(self, query: Query, limit: int) -> tuple[Numbering, Relation]:
        """Cells from the combinations of workplace labels that exist, and where each workplace is."""
        existing = self._existing(query.of_workplaces)
        chosen = query.chosen(existing)
        shown = {a: labels.at(chosen) for a, labels in existing.items() if a in query.by}
        frame = Frame(
            query.cell_values(query.of_workers), query.cell_values(query.of_workplaces), shown, limit
        )
        numbers = np.full(chosen.size, LEFT_OUT, dtype=np.int64)
        numbers[chosen] = frame.positions(shown)
        numbered = {
            name: [column.texts[row] for row in column.rows]
            for name, column in zip(names_of(query.of_workplaces), existing.values(), strict=True)
        }
        located = located_by_combination(
            self._tables.workplaces, query.of_workplaces, numbered | {CELL: numbers}
        )
        return frame.numbering, located

    def _by_digits(self, query: Query, limit: int) -> tuple[Numbering, Relation]:
        """The same where the domain lists every attribute, from its lists alone."""
        digits = query.digits(query.of_workplaces)
        self._require_listed(digits)
        numbering = Numbering(query.cell_values(query.of_workplaces), query.cell_values(query.of_workers))
        require_at_most(limit, len(numbering))
        located = located_by_digits(self._tables.workplaces, digits, numbering.weights)
        return numbering, located

    def _require_listed(self, digits: Digits) -> None:
        """Raises ParameterError for a workplace attribute with a value missing, or outside its domain."""
        if not digits:
            return
        found = digits_of(self._tables.workplaces, WORKPLACE, digits)
        missing, outside = (self._any_null(found, column, digits) for column in ("value", "digit"))
        for attribute in digits:
            if attribute in missing:
                raise ParameterError(f"column {attribute} has a missing value")
            if attribute in outside:
                raise ParameterError(f"column {attribute} has a value outside its domain")

    def _find_existing(self, attributes: tuple[str, ...]) -> dict[str, Labels]:
        """The combinations of workplace labels that exist. Raises ParameterError for a missing one."""
        if not attributes:
            return {}
        answer = self._engine.columns(combinations(self._tables.workplaces, attributes))
        found = {}
        for name, attribute in zip(names_of(attributes), attributes, strict=True):
            texts = answer[name]
            places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
            if None in places:
                raise ParameterError(f"column {attribute} has a missing value")
            rows = np.fromiter(map(places.__getitem__, texts), np.int64, texts.size)
            found[attribute] = Labels(tuple(places), rows)
        return found

    def _refuse_outside(self, digits: Digits) -> None:
        """Say which attribute has a value that is missing or outside the domain."""
        assert self._tables.workers is not None, "attributes of workers stand in their table"
        found = digits_of(self._tables.workers, WORKER, digits)
        bad = self._any_null(found, "digit", digits)
        raise ParameterError(
            f"column {' and '.join(bad)} of workers has a value that is missing or outside its domain"
        )

    def _any_null(self, table: Relation, column: str, digits: Digits) -> list[str]:
        """The attributes whose column of that name, before its number, has no value somewhere."""
        fields = (f"bool_or({column}{n} IS NULL)" for n in range(len(digits)))
        found = self._engine.row(table.of(f"SELECT {', '.join(fields)} FROM {table}"))
        return [attribute for attribute, some in zip(digits, found, strict=True) if some]
