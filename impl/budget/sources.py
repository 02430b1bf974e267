"""Where a plan's confidential data are, and the public domain of its attributes."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from establish.impl.budget.section import Section
from establish.spec.parameters import ParameterError

Values = tuple[str, ...] | Path
"""The public values of an attribute: listed, or in a public file with a column of its name."""


@dataclass(frozen=True)
class JobTables:
    """Jobs, workers and workplaces (Haney et al. 2017, Section 2), with the domain of each attribute.

    establishment: values of the public establishment attributes. worker: values of the worker
    attributes, always listed, because the cost of a query depends on how many there are.
    """

    jobs: Path
    workers: Path
    workplaces: Path
    establishment: Mapping[str, Values]
    worker: Mapping[str, tuple[str, ...]]

    def domain(self) -> dict[str, tuple[str, ...]]:
        """All values of every attribute; reads the public files. Raises ParameterError."""
        places = {name: _all_values(name, values) for name, values in self.establishment.items()}
        return {**places, **self.worker}

    @property
    def attributes(self) -> tuple[str, ...]:
        return (*self.establishment, *self.worker)


@dataclass(frozen=True)
class Establishments:
    """One row per establishment: public attributes, and confidential columns that are summed.

    id: the column that identifies the establishment. The list of establishments with their public
    attributes is public (Webb et al. 2025, Section 3).
    """

    table: Path
    id: str


@dataclass(frozen=True)
class Persons:
    """One row per record of earnings. cells: a public file that lists every cell, if there is one."""

    table: Path
    earnings: str
    person: str | None
    cells: Path | None


Source = JobTables | Establishments | Persons


def confidential_files(source: Source) -> tuple[Path, ...]:
    """The files of confidential data; beside the first lie what remembers its budget."""
    if isinstance(source, JobTables):
        return (source.jobs, source.workers, source.workplaces)
    return (source.table,)


def read_source(data: Section, domain: Section | None, folder: Path) -> Source:
    """The [data] and [domain] of a plan; paths are relative to ``folder``. Raises ParameterError."""
    kinds = [key for key in ("jobs", "establishments", "persons") if key in data]
    if len(kinds) != 1:
        raise ParameterError(
            "[data] must name one of jobs (with workers and workplaces), establishments, or persons"
        )
    if kinds == ["jobs"]:
        jobs, workers, workplaces = (data.path(key, folder) for key in ("jobs", "workers", "workplaces"))
        if domain is None:
            raise ParameterError("[domain] is missing: it lists the values of every attribute")
        found: Source = JobTables(jobs, workers, workplaces, *_domain(domain, folder))
    else:
        if domain is not None:
            raise ParameterError("[domain] is used with jobs only: leave it out")
        if kinds == ["establishments"]:
            found = Establishments(data.path("establishments", folder), data.text("id"))
        else:
            found = Persons(
                data.path("persons", folder),
                data.text("earnings"),
                data.text_or("person", "") or None,
                data.path("cells", folder) if "cells" in data else None,
            )
    data.end()
    return found


def _domain(domain: Section, folder: Path) -> tuple[dict[str, Values], dict[str, tuple[str, ...]]]:
    establishment, worker = domain.section("establishment"), domain.section_or_empty("worker")
    domain.end()
    places = {name: _values(establishment, name, folder) for name in establishment.names()}
    people = {name: _listed(worker, name) for name in worker.names()}
    for name in places:
        if name in people:
            raise ParameterError(f"[domain]: {name} is both an establishment and a worker attribute")
    return places, people


def _values(section: Section, name: str, folder: Path) -> Values:
    if section.holds_text(name):
        return section.path(name, folder)
    return _listed(section, name)


def _all_values(name: str, values: Values) -> tuple[str, ...]:
    """Raises ParameterError for a file that lists no value, one twice, or has no such column."""
    if not isinstance(values, Path):
        return values
    try:
        with values.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error):
        raise ParameterError(f"[domain.establishment]: {name} = {values} cannot be read") from None
    found = tuple(row.get(name) or "" for row in rows)
    if not found or "" in found or len(set(found)) < len(found):
        raise ParameterError(
            f"[domain.establishment]: {name} = {values} must have a column {name} of distinct values"
        )
    return found


def _listed(section: Section, name: str) -> tuple[str, ...]:
    values = section.texts(name)
    if not values:
        raise ParameterError(f"{section.place}: {name} has no values")
    return values
