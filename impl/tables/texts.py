"""What a table in a database says in its columns: which texts, in which rows the same.

A text that stands in many rows is looked at once: where few rows tell that a column repeats itself, its
distinct texts are made a table. Rows that say the same have the same hash, and a column of hashes is sorted
sooner than rows are grouped: only where hashes are equal are rows compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.impl.tables.files import ROW, is_whole, quoted

if TYPE_CHECKING:
    import duckdb

NUMBER, VALUE, TOP = (f"{ROW}_{what}" for what in ("again", "value", "top"))
"""Names that no column of an input has."""

CODES = "([0-9][!-@]*)?"
"""Many labels: from a digit on, neither letters nor spaces."""

_AS_IT_IS = "([!-~]+( [!-~]+)*)?"
"""Most texts: nothing is left out of them."""

_SMALL = _AS_IT_IS.replace("!-~", r"!-@\[-~")
"""The same without capitals."""

SOME = 1 << 16
"""So many rows tell of most columns whether they say the same often."""


class Texts:
    """The rows of one table ``relation``, which nobody changes.

    types: by column, that of SQL. rows: what stands in the column ROW, in order.
    """

    def __init__(
        self, db: duckdb.DuckDBPyConnection, relation: str, types: Mapping[str, str], rows: Integers
    ) -> None:
        self._db, self._relation, self._types, self._rows = db, relation, types, rows
        self._apart: list[set[str]] = []
        """Columns in which no two rows say the same."""
        self._source = cache(self._find_source)
        self.distinct = cache(self._find_distinct)
        """As :meth:`_find_distinct`, once."""
        self.all_are = cache(self._find_whether_all_are)
        """As :meth:`_find_whether_all_are`, once."""

    def _find_distinct(self, column: str, like: str = "", first: int = 0) -> tuple[str, ...]:
        """The distinct texts of ``column``; none of a column that is not of text.

        like: a pattern that is found in all that are told. first: only so many rows are looked at.
        """
        return self._texts_of(column, like, first) if self.is_text(column) else ()

    def codes(self, column: str, first: int = 0) -> tuple[str, ...]:
        """The distinct texts of ``column``, those of whole numbers too: 52 and 52.0 as 52."""
        found = self._texts_of(column, first=first)
        return found if self.is_text(column) else tuple({text.removesuffix(".0") for text in found})

    def _texts_of(self, column: str, like: str = "", first: int = 0) -> tuple[str, ...]:
        texts = f"(FROM {self._relation} LIMIT {first})" if first else self._source(column)
        text = f"CAST({quoted(column)} AS VARCHAR)"
        chosen = f"WHERE regexp_matches({text}, {_literal(like)})" if like else ""
        found = self._db.execute(f"SELECT DISTINCT {text} FROM {texts} {chosen}").fetchall()
        return tuple(text for (text,) in found if text is not None)

    def _find_whether_all_are(self, column: str, pattern: str) -> bool:
        """Whether all of ``column``, as text, is what ``pattern`` says; an absent value is an empty text."""
        unlike = f"NOT regexp_full_match({_text(column)}, {_literal(pattern)})"
        return not self._db.execute(f"SELECT 1 FROM {self._source(column)} WHERE {unlike} LIMIT 1").fetchall()

    def alike(self, columns: Sequence[str]) -> tuple[int, int] | None:
        """Two rows in which all ``columns`` say the same; None where there are none.

        Capitals, spaces and characters that do not show make no difference.
        """
        same = {column: self._plain(column) for column in columns}
        alone = ({column: text} for column, text in same.items())
        for some in (*alone, same):
            if not self.repeated(some, 2):
                self._apart.append({*some})
                return None
        by = f"GROUP BY {', '.join(same.values())}" if same else ""
        found: list[tuple[int, int]] = self._db.execute(
            f"SELECT min({ROW}), min({ROW}, 2)[2] FROM {self._relation} {by} HAVING count(*) > 1 "
            f"ORDER BY 1 LIMIT 1"
        ).fetchall()
        return found[0] if found else None

    def sum_of_others(self, columns: Sequence[str], values: Floats) -> int | None:
        """The first row whose value, above 0, is the sum of those that say the same in ``columns``.

        These are two others or more. None where there is no such row. It is the largest of its group.
        """
        if not self.repeated({column: quoted(column) for column in columns}, 3):
            return None
        own = [f"own.{quoted(column)}" for column in columns]
        both = f"FROM {self.beside({VALUE: values.astype(np.int64)})} own"
        by = f"GROUP BY {', '.join(own)}" if columns else ""
        fields = ", ".join([f"max({VALUE}) AS {TOP}", *own])
        same = [f"own.{c} IS NOT DISTINCT FROM sums.{c}" for c in map(quoted, columns)]
        found: list[tuple[int | None]] = self._db.execute(
            f"WITH sums AS (SELECT {fields} {both} {by} HAVING count(*) > 2 AND {TOP} > 0 AND "
            f"2 * {TOP} = sum({VALUE})) SELECT min({ROW}) {both} JOIN sums ON "
            f"{' AND '.join([f'{VALUE} = {TOP}', *same])}"
        ).fetchall()
        return found[0][0]

    def beside(self, columns: Mapping[str, Integers]) -> str:
        """The table with more columns, put beside it row by row; the numbers of rows are compared."""
        self._db.register("more", {NUMBER: self._rows, **columns})
        same = f"CASE WHEN {ROW} = {NUMBER} THEN true ELSE error('rows are out of order') END"
        return f"(SELECT * EXCLUDE ({NUMBER}) FROM {self._relation} POSITIONAL JOIN more WHERE {same})"

    def is_text(self, column: str) -> bool:
        """Whether the column is one of texts."""
        return self._types[column] == "VARCHAR" or self._types[column].startswith("ENUM")

    def _find_source(self, column: str) -> str:
        """A table of all texts of ``column``, each only once where there are few."""
        own, name = quoted(column), f"texts_{list(self._types).index(column)}"
        ((number,),) = self._db.execute(
            f"SELECT count(DISTINCT {own}) FROM (FROM {self._relation} LIMIT {SOME})"
        ).fetchall()
        if 2 * number > min(SOME, self._rows.size):
            return self._relation
        self._db.execute(f"CREATE OR REPLACE TABLE {name} AS SELECT DISTINCT {own} FROM {self._relation}")
        return name

    def _plain(self, column: str) -> str:
        """A column in SQL without what a reader would not see: no more is left out than must be."""
        if is_whole(self._types[column]):
            return quoted(column)
        text = _text(column)
        if self.all_are(column, CODES) or self.all_are(column, _SMALL):
            return text
        return f"lower({text if self.all_are(column, _AS_IT_IS) else shown(text)})"

    def repeated(self, same: Mapping[str, str], times: int) -> bool:
        """Whether so many rows may agree in all columns, as the expressions of ``same`` read them."""
        if not same:
            return self._rows.size >= times
        if any(apart <= same.keys() for apart in self._apart):
            return False
        for first in (f"LIMIT {SOME}", ""):
            (hashes,) = (
                self._db.execute(f"SELECT hash({', '.join(same.values())}) FROM {self._relation} {first}")
                .fetchnumpy()
                .values()
            )
            hashes.sort()
            if (hashes[times - 1 :] == hashes[: 1 - times]).any():
                return True
        return False


def _text(column: str) -> str:
    """A column as text in SQL, an absent value as an empty one."""
    return f"coalesce(CAST({quoted(column)} AS VARCHAR), '')"


def _literal(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def shown(text: str) -> str:
    """A text in SQL with no more than one space at a time, and without marks that do not show.

    Letters are in the form in which each is one character.
    """
    visible = f"regexp_replace({text}, '\\p{{Cf}}', '', 'g')"
    spaced = f"nfc_normalize(trim(regexp_replace({visible}, '[\\s\\p{{Z}}]+', ' ', 'g')))"
    return f"CASE WHEN regexp_full_match({text}, '{_AS_IT_IS}') THEN {text} ELSE {spaced} END"
