"""Text identifiers of any form as numbers of 63 bits, where it is verified that no two of them collide.

A text is longer than a number, and slower to compare. Its hash is as good as itself once two things are
known: in the table that lists every identifier all hashes are different, and every job's text is equal
to the text there with the same hash. Then equal hashes mean equal texts, in both tables. Where anything else
is found, two texts with one hash or tables that break the model, the texts decide.

One join by hash tells both of workers: the rows whose texts are equal are as many as jobs, and they hold as
many different hashes as workers are listed. So no two that are listed have one hash, each job has found at
most one worker, and as many have found theirs as there are jobs.
"""

from __future__ import annotations

from dataclasses import replace

import ibis

from establish.impl.tabulate.engine import Engine, Expression
from establish.impl.tabulate.tables import WORKPLACE, OpenTables


def hashed(
    tables: OpenTables, id: str, engine: Engine, several_jobs: bool
) -> tuple[OpenTables, int, int] | None:
    """The tables with hashes for text identifiers, and the rows of jobs and of the table that lists them.

    id: worker or workplace. None unless all is as the model wants it and no two hashes collide: every job's
    identifier is listed, none is listed twice or missing; every worker that is listed has a job, and one
    only unless ``several_jobs``. None, too, where another engine than DuckDB hashes.
    """
    other = tables.workplaces if id == WORKPLACE else tables.workers
    if engine.session is not None or other is None or not other[id].type().is_string():
        return None
    held, known = _hashes(tables.jobs, id), _hashes(other, id)
    of_jobs = _count(engine, held.aggregate(rows=held.count()))["rows"]
    listed = _count(engine, known.aggregate(rows=known.count()))["rows"]
    listing = known.rename({"text2": "text", "hash2": "hash"})
    both = held.join(listing, held.hash == listing.hash2)
    equal = both.filter(both.text == both.text2)
    if id == WORKPLACE:  # some may be without a job, so that their list shows whether hashes differ
        found = _count(engine, equal.aggregate(rows=equal.count())) | _count(
            engine, known.aggregate(texts=known.text.count(), different=known.hash.nunique())
        )
        fits = found["texts"] == listed
    else:
        by_hash = equal.group_by("hash").aggregate(size=equal.count())
        asked = by_hash.aggregate(rows=by_hash["size"].sum(), different=by_hash.count())
        found = _count(engine, asked)
        fits = several_jobs or of_jobs == listed
    if not (fits and found["rows"] == of_jobs and found["different"] == listed):
        return None
    short = {id: _hash(other[id])}
    numbers = replace(
        tables,
        jobs=tables.jobs.mutate(**{id: _hash(tables.jobs[id])}),
        scattered=tables.scattered | {id},
    )
    if id == WORKPLACE:
        return replace(numbers, workplaces=other.mutate(**short)), of_jobs, listed
    return replace(numbers, workers=other.mutate(**short)), of_jobs, listed


def _hashes(table: Expression, id: str) -> Expression:
    return table.select(text=table[id], hash=_hash(table[id]))


def _count(engine: Engine, asked: Expression) -> dict[str, int]:
    """The only row of an aggregate; a sum of nothing is 0."""
    answer = engine.run(asked)
    return {name: int(answer[name][0].as_py() or 0) for name in answer.column_names}


def _hash(text: Expression) -> Expression:
    """DuckDB's hash of 64 bits without the last one, so that it is a whole number with a sign."""
    return (_hash_of(text) >> 1).cast("int64")


@ibis.udf.scalar.builtin(name="hash", signature=(("string",), "uint64"))  # type: ignore[untyped-decorator]  # Ibis has no type hints
def _hash_of(text: str) -> int:  # type: ignore[empty-body]  # DuckDB has the body
    """64 bits."""
