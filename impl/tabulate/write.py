"""True counts to a file: confidential, whole or not at all, and readable by its owner only."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from establish.impl.tables.files import database, format_of, place_of, quoted, writer
from establish.impl.tabulate.cells import Tabulation
from establish.impl.tabulate.parts import TrueCounts
from establish.impl.tabulate.spread import SpreadCells
from establish.impl.tabulate.tables import TableFiles
from establish.impl.tabulate.tabulate import Tabulator
from establish.spec.parameters import ParameterError

COUNT = "count"
"""The column of true counts."""


def require_out(
    out: Path, by: Sequence[str], files: TableFiles, domain: Path | None, force: bool, *, spread: bool = False
) -> None:
    """Raises ParameterError, before any work, when ``out`` may not be written.

    force: whether an existing file may be replaced; one of the tables and the domain's file may not.
    spread: whether executors write, which need a folder of Parquet files, and replace none.
    """
    if format_of("--out", out) != ".parquet" and spread:
        raise ParameterError(
            f"--out = {out}: spark writes a folder of Parquet files, so it must end in .parquet"
        )
    if not out.parent.is_dir():
        raise ParameterError(f"--out = {out}: the folder {out.parent} does not exist")
    if not os.access(out.parent, os.W_OK):
        raise ParameterError(f"--out = {out}: the folder {out.parent} cannot be written")
    if out.is_dir():
        raise ParameterError(f"--out = {out} is a folder")
    for source in (files.jobs, files.workplaces, files.workers, domain):
        if source is not None and place_of(out) == place_of(source):
            what = "the domain" if source is domain else "one of the tables"
            raise ParameterError(f"--out = {out} is {what}: choose another file")
    if out.exists() and (spread or not force):
        raise ParameterError(f"--out = {out} exists: choose another{'' if spread else ' or use --force'}")
    for attribute in by:
        if attribute.lower() == COUNT:
            raise ParameterError(f"by = {attribute} has the name of the counts' column: rename it")


def write_counts(out: Path, cells: Tabulation) -> None:
    """Write the labels and the true count of every cell, in their order, as the ending says.

    The file appears under its name when it is complete, with mode 0600. Raises ParameterError when
    it cannot be written; what stood there then stays.
    """
    columns: dict[str, NDArray[np.generic]] = {
        f"label{place}": cells.labels(attribute) for place, attribute in enumerate(cells.attributes)
    }
    shown = [f"label{place} AS {quoted(a)}" for place, a in enumerate(cells.attributes)]
    columns["jobs"] = cells.count
    try:
        with tempfile.TemporaryDirectory(prefix=".establish-", dir=out.parent) as folder:
            new = Path(folder, "table")
            with database() as connection:
                connection.register("cells", columns)
                connection.execute(
                    f"COPY (SELECT {', '.join([*shown, f'jobs AS {COUNT}'])} FROM cells) "
                    f"TO ? ({writer(format_of('--out', out))})",
                    [str(new)],
                )
            new.chmod(0o600)
            os.replace(new, out)
    except OSError as error:
        raise ParameterError(f"--out = {out} cannot be written: {error.strerror}") from None
    except duckdb.Error:
        raise ParameterError(f"--out = {out} cannot be written: is there room?") from None


def write_counts_in_parts(out: Path, tabulator: Tabulator, cells: SpreadCells) -> None:
    """The same in a folder of Parquet files that executors write; it and they are for this user only.

    Raises ParameterError when it cannot be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".establish-", dir=out.parent) as folder:
            new = Path(folder, out.name)
            tabulator.write_parts(cells, new, COUNT, TrueCounts())
            os.replace(new, out)
    except OSError as error:
        raise ParameterError(f"--out = {out} cannot be written: {error.strerror}") from None
