"""Identifiers, several to a machine word.

Where identifiers are whole numbers, the 2^k of them that share a quotient by 2^k are one *word*, and
each has its place in it, the remainder. Aggregating by word instead of by identifier is exact for
any integers, and where they are dense it needs a small part of the time and memory. A text is a
word of its own.
"""

import ibis

from establish.impl.tabulate.engine import Expression


def word(ids: Expression, k: int) -> Expression:
    """The word of each id: its quotient by 2^k, rounded down, or the text itself."""
    return ids if ids.type().is_string() else ids >> k


def place(ids: Expression, k: int) -> Expression:
    """The place of each id in its word: its remainder by 2^k, or 0 for a text."""
    return ibis.literal(0) if ids.type().is_string() else (ids & (2**k - 1)).cast("int32")


def shifted(value: Expression, places: Expression) -> Expression:
    """``value`` 2^places times, as an int64."""
    return value.cast("int64") << places.cast("int32")


@ibis.udf.agg.builtin(name="bit_or")  # type: ignore[untyped-decorator]  # Ibis has no type hints
def joined(bits: int) -> int:  # type: ignore[empty-body]  # the engines have the body
    """The bitwise or of a group's integers, in the SQL of DuckDB and of Spark alike."""


@ibis.udf.scalar.builtin(name="bit_count")  # type: ignore[untyped-decorator]  # the same
def ones(bits: int) -> int:  # type: ignore[empty-body]  # the same
    """How many bits are one, in the SQL of DuckDB and of Spark alike."""
