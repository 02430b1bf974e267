"""``--where``: rows chosen by a condition that can see public columns only.

A choice of rows by a confidential number would reveal it, so the condition runs in a database of its
own that holds no column but the public ones and may reach neither files nor Python.
"""

import re
from collections.abc import Sequence

import duckdb
import numpy as np

from establish.impl.arrays import Integers
from establish.impl.tables.files import ROW
from establish.impl.tables.table import Table
from establish.spec.parameters import ParameterError

_SANDBOX = (
    "SET python_enable_replacements = false",
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


def rows_where(table: Table, condition: str, confidential: Sequence[str]) -> Integers:
    """The numbers of the table's rows for which ``condition`` is true, ascending.

    condition: one SQL expression over the columns that are not ``confidential``; the table is
    called ``cells``. Text compares as text: ``own_code = '5'``. Raises ParameterError when it is
    not one expression, names a confidential or unknown column, or cannot be evaluated.
    """
    if ";" in condition:
        raise ParameterError("--where takes one SQL condition, without ';'")
    with table.without(confidential, "cells") as sandbox:
        for setting in _SANDBOX:
            sandbox.execute(setting)
        try:
            chosen = sandbox.table("cells").filter(duckdb.SQLExpression(condition)).project(ROW)
            rows = np.array([row for (row,) in chosen.fetchall()], dtype=np.int64)
        except duckdb.Error as error:
            raise ParameterError(_complaint(condition, confidential, error)) from None
    return np.sort(rows)


def _complaint(condition: str, confidential: Sequence[str], error: duckdb.Error) -> str:
    """Why the condition was refused; what a row's value did to it is not passed on."""
    for column in confidential:
        if re.search(rf"(?<!\w){re.escape(column)}(?!\w)", condition, re.IGNORECASE):
            return (
                f"--where names {column}, which is confidential: which rows appear would reveal it; a "
                "condition may use only columns that are kept (--keep COLUMN) or public (--public COLUMN)"
            )
    if isinstance(error, duckdb.PermissionException):
        return "--where may use the input's columns only: it cannot read files"
    if isinstance(error, duckdb.ParserException | duckdb.BinderException | duckdb.CatalogException):
        reason = str(error).splitlines()[0]
        quoted = "; a text stands in single quotes, as in ownership = 'Private'"
        return f"--where is not a condition on the input's columns: {reason}{quoted}"
    return "--where cannot be evaluated on some row: compare text with text, as in own_code = '5'"
