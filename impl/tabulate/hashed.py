"""Text identifiers of any form as numbers of 63 bits, where it is verified that no two of them collide.

A text is longer than a number, and slower to compare. Its hash is as good as itself once two things are
known: in the table that lists every identifier once all hashes are different, and every job's text is equal
to the text there with the same hash. Then equal hashes mean equal texts, in both tables. Where anything else
is found, two texts with one hash or tables that break the model, the texts decide.
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
    known = _hashes(other, id)
    listed = _facts(known, engine)
    if listed["most"] != 1:
        return None
    held = _hashes(tables.jobs, id)
    if id == WORKPLACE:  # one that is missing may be without a job; a worker is not, see below
        counted = engine.run(held.aggregate(rows=held.count()))
        missing = engine.run(known.aggregate(missing=known.text.isnull().any()))
        if missing["missing"][0].as_py():
            return None
        rows = int(counted["rows"][0].as_py())
    else:
        facts = _facts(held, engine)
        if facts["different"] != listed["rows"] or (facts["most"] != 1 and not several_jobs):
            return None
        rows = facts["rows"]
    listing = known.rename({"text2": "text", "hash2": "hash"})
    both = held.join(listing, held.hash == listing.hash2)
    same = engine.run(both.aggregate(same=(both.text == both.text2).sum()))["same"][0].as_py()
    if same != rows:
        return None
    short = {id: _hash(other[id])}
    found = replace(tables, jobs=tables.jobs.mutate(**{id: _hash(tables.jobs[id])}))
    if id == WORKPLACE:
        found = replace(found, workplaces=other.mutate(**short))
    else:
        found = replace(found, workers=other.mutate(**short))
    return replace(found, scattered=found.scattered | {id}), rows, listed["rows"]


def _hashes(table: Expression, id: str) -> Expression:
    return table.select(text=table[id], hash=_hash(table[id]))


def _facts(hashes: Expression, engine: Engine) -> dict[str, int]:
    """Rows, different hashes, and the most rows that one has."""
    by_hash = hashes.group_by("hash").aggregate(size=hashes.count())
    answer = engine.run(
        by_hash.aggregate(
            rows=by_hash["size"].sum(),
            different=by_hash.count(),
            most=by_hash["size"].max(),
        )
    )
    return {name: int(answer[name][0].as_py() or 0) for name in answer.column_names}


def _hash(text: Expression) -> Expression:
    """DuckDB's hash of 64 bits without the last one, so that it is a whole number with a sign."""
    return (_hash_of(text) >> 1).cast("int64")


@ibis.udf.scalar.builtin(name="hash", signature=(("string",), "uint64"))  # type: ignore[untyped-decorator]  # Ibis has no type hints
def _hash_of(text: str) -> int:  # type: ignore[empty-body]  # DuckDB has the body
    """64 bits."""
