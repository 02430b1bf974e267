"""Identifiers of any form as the numbers of the rows that list them.

A text is longer than a number, and slower to compare; numbers that are far apart are alone in their words.
So each is compared once: jobs are joined with the tables that list their worker and their workplace, by the
identifiers themselves, and from then on the number of the row there stands in its place. Rows are numbered
without gaps, so that such numbers are counted several to a word (see
:mod:`establish.impl.tabulate.words`). Where tables break the model the identifiers decide what is said.
"""

from collections.abc import Sequence
from dataclasses import replace

from establish.impl.tabulate.engine import ROW, Engine, Expression
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
    jobs = engine.kept(_looked_up(tables.jobs, lists))
    sizes = {
        id: _only_row(engine, table.aggregate(rows=table.count()))["rows"]
        for id, table in {"jobs": tables.jobs, **lists}.items()
    }
    asked = {"rows": jobs.count(), **{f"with_{id}": jobs[id].count() for id in tables_of}}
    if any(count != sizes["jobs"] for count in _only_row(engine, jobs.aggregate(**asked)).values()):
        return None
    if WORKER in lists and not several_jobs and sizes["jobs"] != sizes[WORKER]:
        return None
    if WORKPLACE in lists:
        # some may be without a job, so that their own list must show whether one is there twice
        texts = tables.workplaces[WORKPLACE]
        found = _only_row(engine, tables.workplaces.aggregate(different=texts.nunique()))
        if found["different"] != sizes[WORKPLACE]:
            return None
    numbers = {id: table.mutate(**{id: table[ROW]}) for id, table in lists.items()}
    short = replace(
        tables,
        jobs=jobs,
        workers=numbers.get(WORKER, tables.workers),
        workplaces=numbers.get(WORKPLACE, tables.workplaces),
    )
    return short, sizes


def all_different(texts: Expression, engine: Engine) -> int | None:
    """How many there are, where none is missing and no two have the same hash on DuckDB; else None.

    Texts with different hashes are different; what two with the same hash are is not known here.
    """
    if engine.session is not None:
        return None
    asked = {"rows": texts.as_table().count(), "texts": texts.count()}
    found = _only_row(engine, texts.as_table().aggregate(**asked, different=texts.hash().nunique()))
    return found["rows"] if len(set(found.values())) == 1 else None


def _looked_up(jobs: Expression, lists: dict[str, Expression]) -> Expression:
    """Jobs with the rows of ``lists`` in place of identifiers, null where there is none, and back."""
    found = jobs
    for id, table in lists.items():
        own = table.select(**{f"{id}_text": table[id], f"{id}_row": table[ROW]})
        how = "outer" if id == WORKER else "left"
        found = found.join(own, found[id] == own[f"{id}_text"], how=how)
    return found.select(**{id: found[f"{id}_row" if id in lists else id] for id in (WORKER, WORKPLACE)})


def _only_row(engine: Engine, asked: Expression) -> dict[str, int]:
    """The only row of an aggregate; a sum of nothing is 0."""
    answer = engine.run(asked)
    return {name: int(answer[name][0].as_py() or 0) for name in answer.column_names}
