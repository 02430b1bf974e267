"""Identifiers, several to a machine word.

Where identifiers are whole numbers, the 2^k of them that share a quotient by 2^k are one *word*, and
each has its place in it, the remainder. Aggregating by word instead of by identifier is exact for
any integers, and where they are dense it needs a small part of the time and memory. A text is a
word of its own.
"""

from establish.impl.tabulate.engine import Relation


def word(table: Relation, id: str, k: int) -> str:
    """The word of each id in SQL: its quotient by 2^k, rounded down, or the text itself."""
    return id if table.is_text(id) else f"({id} >> {k})"


def place(table: Relation, id: str, k: int) -> str:
    """The place of each id in its word: its remainder by 2^k, or 0 for a text."""
    return "0" if table.is_text(id) else f"({id} & {2**k - 1})"


def shifted(value: str, places: str) -> str:
    """``value`` 2^places times, as an int64."""
    return f"(CAST({value} AS BIGINT) << CAST({places} AS INT))"
