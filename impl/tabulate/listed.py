"""Identifiers of any form as the numbers of the rows that list them.

A text is longer than a number, and slower to compare; numbers that are far apart are alone in their words.
So each is compared once: jobs are joined with the tables that list their worker and their workplace, by the
identifiers themselves, and from then on the number of the row there stands in its place. Rows are numbered
without gaps, so that such numbers are counted several to a word (see
:mod:`establish.impl.tabulate.words`). Where tables break the model the identifiers decide what is said.
"""

from collections.abc import Sequence
from dataclasses import replace

from establish.impl.tabulate.engine import ROW, WHOLE, DuckDB, Engine, Relation
from establish.impl.tabulate.tables import WORKER, WORKPLACE, OpenTables


def listed(
    tables: OpenTables, ids: Sequence[str], engine: Engine, several_jobs: bool
) -> tuple[OpenTables, dict[str, int]] | None:
    """The tables with rows in place of the identifiers ``ids``, and how many rows jobs and their lists have.

    ids: some of worker and workplace; one stays as it is where the engine cannot number the rows of the table
    that lists it. None where all do, and unless all is as the model wants it: every job's identifier is
    listed, once; no workplace is missing or listed twice; every worker that is listed has a job, and one only
    unless ``several_jobs``.

    The join keeps jobs whose identifiers are not listed, and workers without a job, with gaps. So as many
    rows as jobs, without a gap, mean that each job has found one worker and one workplace, and each worker a
    job, at least; where jobs are as many as workers, exactly one.
    """
    tables_of = {WORKPLACE: tables.workplaces, WORKER: tables.workers}
    lists = {
        id: table
        for id, table in tables_of.items()
        if id in ids and table is not None and ROW in table.columns
    }
    if not lists:
        return None
    assert isinstance(engine, DuckDB), "no other numbers rows"
    jobs = engine.kept(_looked_up(tables.jobs, lists))
    sizes = {
        id: _counts(engine, table, "count(*)")[0] for id, table in {"jobs": tables.jobs, **lists}.items()
    }
    found = _counts(engine, jobs, "count(*)", *(f"count({id})" for id in tables_of))
    if any(count != sizes["jobs"] for count in found):
        return None
    if WORKER in lists and not several_jobs and sizes["jobs"] != sizes[WORKER]:
        return None
    # Some may be without a job, so that their own list must show whether one is there twice.
    different = f"count(DISTINCT {WORKPLACE})"
    if WORKPLACE in lists and _counts(engine, tables.workplaces, different) != [sizes[WORKPLACE]]:
        return None
    numbers = {id: table.changed({id: ROW}, {id: WHOLE}) for id, table in lists.items()}
    short = replace(
        tables,
        jobs=jobs,
        workers=numbers.get(WORKER, tables.workers),
        workplaces=numbers.get(WORKPLACE, tables.workplaces),
    )
    return short, sizes


def all_different(table: Relation, id: str, engine: Engine) -> int | None:
    """How many identifiers there are, where none is missing and no two have the same hash on DuckDB; else
    None.

    Texts with different hashes are different; what two with the same hash are is not known here.
    """
    if engine.session is not None:
        return None
    found = _counts(engine, table, "count(*)", f"count({id})", f"count(DISTINCT hash({id}))")
    return found[0] if len(set(found)) == 1 else None


def _looked_up(jobs: Relation, lists: dict[str, Relation]) -> Relation:
    """Jobs with the rows of ``lists`` in place of identifiers, null where there is none, and back."""
    fields = (f"of_{id}.{ROW} AS {id}" if id in lists else f"jobs.{id}" for id in (WORKER, WORKPLACE))
    joins = (
        f"{'FULL OUTER' if id == WORKER else 'LEFT'} JOIN {table} AS of_{id} ON jobs.{id} = of_{id}.{id}"
        for id, table in lists.items()
    )
    kinds = {**jobs.kinds, **dict.fromkeys(lists, WHOLE)}
    return jobs.of(f"SELECT {', '.join(fields)} FROM {jobs} AS jobs {' '.join(joins)}", kinds)


def _counts(engine: Engine, table: Relation, *asked: str) -> list[int]:
    """Numbers that aggregates of a table are."""
    return [*engine.row(table.of(f"SELECT {', '.join(asked)} FROM {table}"))]
