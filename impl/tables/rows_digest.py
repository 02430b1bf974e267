"""A digest of the rows of a table, whatever file holds them: a copy has it, too, in another form or order.

It is as confidential as the rows: with it, anybody could try a guess.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from establish.impl.tables.files import database, is_whole, quoted, reader_of
from establish.impl.tables.publishing import digest_of
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    import duckdb

LARGEST = 1 << 30
"""Bytes of a file whose rows are digested, at most; of a larger one, and of a folder, the bytes are."""

_LIMBS = tuple(range(1, 61, 15))
"""Where pieces of 60 bits of a row's SHA-256 begin. They are added up, so that no order matters."""


def digest_of_rows(connection: duckdb.DuckDBPyConnection, relation: str, columns: Sequence[str]) -> str:
    """sha256 over the number of ``columns`` and the sums of the digests of the rows of ``relation``, in SQL.

    Columns are taken by the alphabet. Numbers that are equal are the same, as 7, 007 and 7.0; so are an
    absent value and an empty one, and capitals and small letters.
    """
    kinds = {
        str(name): str(kind) for name, kind, *_ in connection.execute(f"DESCRIBE FROM {relation}").fetchall()
    }
    ordered = sorted(columns, key=str.casefold)
    fields = ", ".join(_plain(quoted(column), whole=is_whole(kinds[column])) for column in ordered)
    sums = ", ".join(f"sum(CAST('0x' || substr(row_digest, {at}, 15) AS BIGINT))" for at in _LIMBS)
    (found,) = connection.execute(
        f"SELECT count(*), {sums} FROM (SELECT sha256(concat_ws(chr(31), {fields})) AS row_digest "
        f"FROM {relation})"
    ).fetchall()
    return hashlib.sha256(f"{len(columns)} {found}".encode()).hexdigest()


def digest_of_file(path: Path, rows: Callable[[], str] | None = None) -> str:
    """The digest of the rows in the file, or of its bytes where it is large or no table that can be read.

    rows: finds the digest of its rows, where they were read before.
    """
    import duckdb

    try:
        if path.is_file() and path.stat().st_size <= LARGEST:
            return _read(path) if rows is None else rows()
    except (ParameterError, duckdb.Error):
        pass  # whoever reads it says what is wrong with it
    try:
        return digest_of(path)
    except OSError:
        return hashlib.sha256(b"no file").hexdigest()


def digest_of_files(paths: Sequence[Path]) -> str:
    """One digest of all the files; that of a single one is its own."""
    own = [digest_of_file(path) for path in paths]
    return own[0] if len(own) == 1 else hashlib.sha256("".join(own).encode()).hexdigest()


def _read(path: Path) -> str:
    with database() as db:
        relation = reader_of("DATA", path)
        columns = [str(name) for name, *_ in db.execute(f"DESCRIBE FROM {relation}").fetchall()]
        return digest_of_rows(db, relation, columns)


def _plain(column: str, *, whole: bool) -> str:
    """whole: whether it is one of whole numbers, which need not be read from their text."""
    if whole:
        return f"coalesce(CAST(CAST({column} AS DOUBLE) AS VARCHAR), '')"
    text = f"trim(coalesce(CAST({column} AS VARCHAR), ''))"
    number = f"TRY_CAST({text} AS DOUBLE)"
    return f"CASE WHEN isfinite({number}) THEN CAST({number} AS VARCHAR) ELSE lower({text}) END"
