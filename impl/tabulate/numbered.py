"""Text identifiers as whole numbers, where they are one prefix and digits, as E0012345 is.

Numbers are compared several to a word (see :mod:`establish.impl.tabulate.words`), texts one by one.
"""

from dataclasses import replace

from establish.impl.tabulate.engine import WHOLE, Engine, Relation
from establish.impl.tabulate.tables import WORKPLACE, OpenTables

_LOOKED_AT = 1000
"""Identifiers, after which a second prefix is unlikely: to be wrong costs time, and nothing else."""


def numbered(tables: OpenTables, id: str, engine: Engine) -> OpenTables:
    """The tables with text identifiers as numbers, missing for a text unlike the first ones.

    id: worker or workplace, whose identifiers are texts. Different texts become different numbers, in another
    order: a number is 1 and the digits after the prefix, so that leading zeros count, and stands only for the
    text that it spells. Tables come back as they are where the first identifiers have no prefix in common.
    """
    first = f"SELECT {id} FROM {tables.jobs} LIMIT {_LOOKED_AT}"
    own = f"SELECT regexp_replace(coalesce({id}, ''), '[0-9]+$', '') AS prefix FROM ({first})"
    prefix, last = engine.row(tables.jobs.of(f"SELECT min(prefix), max(prefix) FROM ({own})"))
    if prefix is None or prefix != last:
        return tables
    jobs = _with_numbers(tables.jobs, id, prefix)
    if id == WORKPLACE:
        return replace(tables, jobs=jobs, workplaces=_with_numbers(tables.workplaces, id, prefix))
    workers = tables.workers
    return replace(tables, jobs=jobs, workers=None if workers is None else _with_numbers(workers, id, prefix))


def _with_numbers(table: Relation, id: str, prefix: str) -> Relation:
    spelled = f"concat('1', substr({id}, {len(prefix) + 1}))"
    number = f"TRY_CAST({spelled} AS BIGINT)"
    literal = table.engine.literal(prefix)
    # In this order DuckDB computes the number once: a condition and what depends on it share nothing.
    same_prefix = f"CASE WHEN substr({id}, 1, {len(prefix)}) = {literal} THEN {number} END"
    made = f"CASE WHEN CAST({number} AS STRING) = {spelled} THEN {same_prefix} END"
    return table.changed({id: made}, {id: WHOLE})
