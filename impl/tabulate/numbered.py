"""Text identifiers as whole numbers, where they are one prefix and digits, as E0012345 is.

Numbers are compared several to a word (see :mod:`establish.impl.tabulate.words`), texts one by one.
"""

from dataclasses import replace

import ibis

from establish.impl.tabulate.engine import Engine, Expression
from establish.impl.tabulate.tables import WORKPLACE, OpenTables

_DIGITS = "0123456789"

_LOOKED_AT = 1000
"""Identifiers, after which a second prefix is unlikely: to be wrong costs time, and nothing else."""


def numbered(tables: OpenTables, id: str, engine: Engine) -> OpenTables:
    """The tables with text identifiers as numbers, missing for a text unlike the first ones.

    id: worker or workplace, whose identifiers are texts. Different texts become different numbers, in another
    order: a number is 1 and the digits after the prefix, so that leading zeros count, and stands only for the
    text that it spells. Tables come back as they are where the first identifiers have no prefix in common.
    """
    first = tables.jobs.select(id).limit(_LOOKED_AT)
    own = first.select(prefix=_without_digits(first[id].fill_null(""), _DIGITS))
    found = engine.run(own.aggregate(least=own.prefix.min(), most=own.prefix.max()))
    prefix = found["least"][0].as_py()
    if prefix is None or prefix != found["most"][0].as_py():
        return tables
    jobs = _with_numbers(tables.jobs, id, prefix)
    if id == WORKPLACE:
        return replace(tables, jobs=jobs, workplaces=_with_numbers(tables.workplaces, id, prefix))
    workers = tables.workers
    return replace(tables, jobs=jobs, workers=None if workers is None else _with_numbers(workers, id, prefix))


def _with_numbers(table: Expression, id: str, prefix: str) -> Expression:
    text = table[id]
    spelled = ibis.literal("1") + _from(text, len(prefix) + 1)
    number = spelled.try_cast("int64")
    # In this order DuckDB computes the number once: a condition and what depends on it share nothing.
    same_prefix = ibis.ifelse(text.startswith(prefix), number, None)
    return table.mutate(**{id: ibis.ifelse(number.cast("string") == spelled, same_prefix, None)})


def _without_digits(text: Expression, digits: str) -> Expression:
    """``text`` without the digits at its end."""
    return text.re_replace(f"[{digits}]+$", "")


@ibis.udf.scalar.builtin(name="substr")  # type: ignore[untyped-decorator]  # Ibis has no type hints
def _from(text: str, start: int) -> str:  # type: ignore[empty-body]  # the engines have the body
    """The characters from number ``start`` on, the first being 1.

    Ibis's own form holds a case distinction, for which DuckDB leaves the dictionary of a column.
    """
