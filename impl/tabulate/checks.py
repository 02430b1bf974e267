"""What the model asks of the tables, as plans whose answers are a few truth values.

Identifiers are compared a word of 32 at a time (see :mod:`establish.impl.tabulate.words`), each a
bit of it. A word has as many bits as rows exactly when no identifier occurs twice, so one short
aggregation finds repetitions, and one join of words finds what the other table lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import ibis

from establish.impl.tabulate import words
from establish.impl.tabulate.engine import Engine, Expression
from establish.impl.tabulate.hashed import hashed
from establish.impl.tabulate.numbered import numbered
from establish.impl.tabulate.tables import WORKER, WORKPLACE, OpenTables, Rows
from establish.spec.parameters import ParameterError

_K = 5
"""2^5 = 32 identifiers to a word: the next power of two would reach the sign of 64 bits."""


@dataclass(frozen=True)
class Found:
    """What is in the column of identifiers of a table, and what the other one lacks."""

    rows: int
    missing: bool
    twice: bool
    only_here: bool


def require_valid(
    tables: OpenTables, engine: Engine, several_jobs: bool
) -> tuple[OpenTables, Rows]:
    """The tables, identifiers as whole numbers where they can be, and how many rows they have.

    several_jobs: whether a worker may have several jobs; workplaces then keep their identifiers,
    whose order chooses among the jobs.

    Raises ParameterError when they are not a dataset of the model. Refused: a missing identifier, a
    workplace or worker that is listed twice, a job at an unknown workplace or of an unknown worker, a
    worker without a job (Haney et al. 2017, Section 3.1). The message never says which, nor how many.
    """
    if several_jobs:
        jobs, workplaces = _found_in(tables, WORKPLACE, engine)
    else:
        tables, jobs, workplaces = _compared(tables, WORKPLACE, engine, several_jobs)
    _refuse(jobs.missing, "column workplace of jobs has a missing value")
    _refuse(workplaces.missing, "column workplace of workplaces has a missing value")
    _refuse(workplaces.twice, "the table of workplaces lists a workplace twice")
    _refuse(jobs.only_here, "the table of jobs has a workplace that workplaces does not list")
    tables, held, workers = _compared(tables, WORKER, engine, several_jobs)
    _refuse(held.missing, "column worker of jobs has a missing value")
    if tables.workers is not None:
        _refuse(workers.missing, "column worker of workers has a missing value")
        _refuse(workers.twice, "the table of workers lists a worker twice")
        _refuse(held.only_here, "the table of jobs has a worker that workers does not list")
        _refuse(workers.only_here, "the table of workers has a worker without a job")
    _refuse(
        held.twice and not several_jobs,
        "a worker has two jobs, and the model assumes one: choose beforehand, or ask for the job "
        "at the first workplace (two_jobs = first)",
    )
    rows = Rows(jobs.rows, workplaces.rows, None if tables.workers is None else workers.rows)
    return tables, rows


def _refuse(broken: bool, message: str) -> None:
    if broken:
        raise ParameterError(message)


def _bits(ids: Expression) -> Expression:
    """One row per word: its bits, how many rows it has, whether it is missing."""
    bit = words.shifted(ibis.literal(1), words.place(ids, _K))
    rows = ids.as_table().select(word=words.word(ids, _K), bit=bit)
    grouped = rows.group_by("word").aggregate(bits=words.joined(rows.bit), size=rows.count())
    return grouped.mutate(missing=grouped.word.isnull())


def _compared(
    tables: OpenTables, id: str, engine: Engine, several_jobs: bool
) -> tuple[OpenTables, Found, Found]:
    """What is in jobs and in the other table with ``id``, as numbers if none is missing then."""
    short = numbered(tables, id, engine)
    if short is tables:
        found = hashed(tables, id, engine, several_jobs)
        if found is not None:
            scattered, *rows = found
            jobs, other = (Found(size, False, False, False) for size in rows)
            return scattered, jobs, other
    jobs, other = _found_in(short, id, engine)
    if short is tables or not (jobs.missing or other.missing):
        return short, jobs, other
    return tables, *_found_in(tables, id, engine)


def _found_in(tables: OpenTables, id: str, engine: Engine) -> tuple[Found, Found]:
    other = tables.workplaces if id == WORKPLACE else tables.workers
    first = _bits(tables.jobs[id])
    second = _bits((tables.jobs if other is None else other)[id]).rename("{name}2")
    both = first.join(second, first.word == second.word2, how="outer")
    here, there = both.bits.fill_null(0), both.bits2.fill_null(0)
    answer = engine.run(
        both.aggregate(
            rows=both["size"].sum(),
            missing=both.missing.any(),
            twice=(words.ones(both.bits) != both["size"]).any(),
            only_here=((here & there) != here).any(),
            rows2=both.size2.sum(),
            missing2=both.missing2.any(),
            twice2=(words.ones(both.bits2) != both.size2).any(),
            only_here2=((here & there) != there).any(),
        )
    )
    # Without any row an aggregate is null, and nothing is wrong.
    values = [column[0].as_py() or 0 for column in answer.columns]
    return _found(values[:4]), _found(values[4:])


def _found(values: Sequence[int | bool]) -> Found:
    rows, missing, twice, only_here = values
    return Found(int(rows), bool(missing), bool(twice), bool(only_here))
