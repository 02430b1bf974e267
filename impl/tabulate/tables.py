"""The three tables as they stand in files, their columns checked, no row read yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from establish.impl.tables.files import is_whole
from establish.impl.tables.names import shown_names
from establish.impl.tabulate.engine import ROW, TEXT, WHOLE, Engine, Relation
from establish.spec.parameters import ParameterError

WORKER, WORKPLACE = "worker", "workplace"
"""The identifier columns."""


@dataclass(frozen=True)
class TableFiles:
    """Where the tables of Haney et al. 2017, Section 3.1, are.

    jobs: columns worker and workplace. workplaces: workplace, and public attributes. workers:
    worker, and private attributes; needed for those only, and checked against jobs when given. Each
    is a CSV, gzipped CSV or Parquet file, or a folder of Parquet files; other columns are ignored.
    Identifiers are text or whole numbers, attributes text, whole numbers or true/false.
    """

    jobs: Path
    workplaces: Path
    workers: Path | None = None


@dataclass(frozen=True)
class Rows:
    """How many rows each table has; no workers when their table was not given."""

    jobs: int
    workplaces: int
    workers: int | None


@dataclass(frozen=True)
class OpenTables:
    """The tables as they stand in files. Identifiers are text or int64; an empty text is missing."""

    jobs: Relation
    workplaces: Relation
    workers: Relation | None

    @classmethod
    def open(cls, files: TableFiles, engine: Engine) -> OpenTables:
        """Raises ParameterError for a file that cannot be read, or one without its identifiers."""
        jobs = _identified("jobs", engine.read("--jobs", files.jobs), (WORKER, WORKPLACE))
        places = _identified("workplaces", engine.read("--workplaces", files.workplaces), (WORKPLACE,))
        _require_same_kind("workplaces", WORKPLACE, places, jobs)
        workers = None
        if files.workers is not None:
            workers = _identified("workers", engine.read("--workers", files.workers), (WORKER,))
            _require_same_kind("workers", WORKER, workers, jobs)
        ids = {id: jobs.kinds[id] for id in (WORKER, WORKPLACE)}
        return cls(jobs.of(f"SELECT {WORKER}, {WORKPLACE} FROM {jobs}", ids), places, workers)

    def split(self, argument: str, names: Sequence[str]) -> tuple[list[str], list[str]]:
        """The attributes of workers, and those of workplaces, among ``names``.

        argument: what gives them, for messages. Raises ParameterError for one that is listed twice,
        in neither table or in both.
        """
        of_workers: list[str] = []
        of_workplaces: list[str] = []
        private = _attributes(self.workers, WORKER)
        public = _attributes(self.workplaces, WORKPLACE)
        for attribute in names:
            if attribute in private and attribute in public:
                raise ParameterError(
                    f"{argument} = {attribute} is a column of workers and of workplaces: rename one"
                )
            if attribute not in private and attribute not in public:
                known = ", ".join([*public, *private])
                hint = "" if self.workers is not None else " (and the workers' table is not given)"
                raise ParameterError(f"{argument} = {attribute} is not an attribute; there are {known}{hint}")
            if attribute in of_workers or attribute in of_workplaces:
                raise ParameterError(f"{argument} = {attribute} is listed twice")
            (of_workers if attribute in private else of_workplaces).append(attribute)
        return of_workers, of_workplaces


def labels(table: Relation, attributes: Sequence[str], names: Sequence[str]) -> list[str]:
    """Each attribute as text under its name in a plan, in SQL; an empty text is missing.

    Raises ParameterError for a column of numbers with fractions, dates or the like.
    """
    for attribute in attributes:
        kind = table.kinds[attribute]
        if not (kind in (TEXT, "BOOLEAN") or is_whole(kind)):
            raise ParameterError(
                f"column {attribute} holds {kind}: an attribute is text, a whole number or true/false"
            )
    return [
        f"nullif(CAST({table.named(attribute)} AS STRING), '') AS {name}"
        for attribute, name in zip(attributes, names, strict=True)
    ]


def _attributes(table: Relation | None, id: str) -> list[str]:
    return [] if table is None else [name for name in _columns(table) if name != id]


def _columns(table: Relation) -> list[str]:
    """Those of the user."""
    return [name for name in table.columns if name != ROW]


def _identified(name: str, table: Relation, ids: Sequence[str]) -> Relation:
    for id in ids:
        if id not in table.columns:
            raise ParameterError(
                f"the table of {name} has no column {id}; it has {shown_names(_columns(table))}"
            )
        kind = table.kinds[id]
        if kind != TEXT and (kind == "UBIGINT" or not is_whole(kind)):
            raise ParameterError(
                f"column {id} of {name} holds {kind}: an identifier is text or a whole number"
            )
    clean = {id: f"nullif({id}, '')" if table.is_text(id) else f"CAST({id} AS BIGINT)" for id in ids}
    return table.changed(clean, {id: TEXT if table.is_text(id) else WHOLE for id in ids})


def _require_same_kind(name: str, id: str, table: Relation, jobs: Relation) -> None:
    if table.is_text(id) != jobs.is_text(id):
        raise ParameterError(
            f"column {id} is text in one of jobs and {name} and a number in the other: write both alike"
        )
