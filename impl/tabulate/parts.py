"""A table written where it was counted: one file for each part of its cells, by executors.

A part is a range of cell numbers, so that which cells a part has is public and never depends on the machine.
An executor makes all cells of its part, empty ones included, writes them under a name of the attempt, and
then links the file to the name of the part. That name is given once: an attempt that finds it given
compares, and refuses what differs. A task that ran twice, or halfway and again, leaves one file.
"""

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from establish.impl.arrays import Integers
from establish.impl.certificate import CertificateError
from establish.impl.tabulate.cells import Numbering
from establish.impl.tabulate.spread import NUMBER, OUTSIDE, PART, SpreadCells
from establish.spec.parameters import ParameterError

SIZE = 2**18
"""Cells of a part: what an executor holds at once is some tens of megabytes."""

_SUMMARY = "part long, digest string, refused string"
"""What an executor tells of a part, and all that comes back: its number, the sha256 of its file."""


class ValuesOutside(ParameterError):
    """A worker has a value that is missing or outside its domain."""


class Finish(Protocol):
    """What an executor makes of true counts; it can be pickled."""

    def __call__(self, part: int, first: int, counts: Integers, largest: Integers) -> Integers:
        """The numbers that are written for the cells from number ``first`` on."""


@dataclass(frozen=True)
class TrueCounts:
    """The counts as they are: confidential."""

    def __call__(self, part: int, first: int, counts: Integers, largest: Integers) -> Integers:
        return counts


def write_parts(cells: SpreadCells, folder: Path, column: str, finish: Finish, size: int = SIZE) -> None:
    """Write ``folder``: a Parquet file for each part of ``size`` cells, which only this user can read.

    column: the name of the numbers. finish: what is written in place of true counts. The folder must lie
    where this process and the executors see the same files.

    Raises ValuesOutside, and ParameterError when a part cannot be written, or two attempts at it differ.
    """
    folder = folder.absolute()
    attempts = folder.with_name(f".{folder.name}.attempts")
    for own in (folder, attempts):
        own.mkdir(mode=0o700)
    try:
        writer = PartWriter(
            cells.numbering, cells.attributes, column, size, str(folder), str(attempts), finish
        )
        told = cells.engine.by_part(cells.rows(size), PART, writer.write, _SUMMARY)
    finally:
        shutil.rmtree(attempts, ignore_errors=True)
    _require_all(folder, told, -(-len(cells) // size))


def _require_all(folder: Path, told: Iterable[Mapping[str, Any]], parts: int) -> None:
    digests: dict[str, str] = {}
    for row in told:
        if row["part"] == OUTSIDE:
            raise ValuesOutside("a worker has a value that is missing or outside its domain")
        if row["refused"]:
            raise ParameterError(row["refused"])
        digests[_name(row["part"])] = row["digest"]
    there = sorted(path.name for path in folder.iterdir())
    if there != sorted(digests) or len(there) != parts:
        raise ParameterError(
            f"{folder.name} has {len(there)} parts here, of {parts}: --out must lie on a file system that "
            "this machine and the executors share"
        )
    for name, digest in digests.items():
        if _digest(folder / name) != digest:
            raise ParameterError(f"{folder.name}: {name} is not as its executor wrote it")


@dataclass(frozen=True)
class PartWriter:
    """What executors do with each part. folder, attempts: texts, for a path means nothing elsewhere."""

    numbering: Numbering
    attributes: tuple[str, ...]
    column: str
    size: int
    folder: str
    attempts: str
    finish: Finish

    def write(self, rows: pa.Table) -> pa.Table:
        """Write the part that has ``rows``, and tell what was written; never a value of the data."""
        part, digest, refused = rows[PART][0].as_py(), "", ""
        if part != OUTSIDE:
            try:
                digest = self._put(part, self._table(part, rows))
            except (ParameterError, CertificateError) as error:
                refused = str(error)
            except OSError as error:
                refused = f"an executor cannot write to {self.folder}: {error.strerror}"
        return pa.table({"part": [part], "digest": [digest], "refused": [refused]})

    def _table(self, part: int, rows: pa.Table) -> pa.Table:
        first = part * self.size
        last = min(first + self.size, len(self.numbering))
        held = rows.filter(rows[NUMBER].is_valid())
        places = held[NUMBER].to_numpy() - first

        def column(name: str) -> Integers:
            values = np.zeros(last - first, dtype=np.int64)
            values[places] = held[name].to_numpy()
            return values

        counts = self.finish(part, first, column("count"), column("largest"))
        codes, values = self.numbering.codes(first, last), self.numbering.values
        labels = {
            a: pa.DictionaryArray.from_arrays(codes[a], pa.array(values[a], pa.string()))
            for a in self.attributes
        }
        return pa.table({**labels, self.column: counts})

    def _put(self, part: int, table: pa.Table) -> str:
        """Give the part its file, or find that it has this one; its digest."""
        path = Path(self.folder, _name(part))
        attempt = Path(self.attempts, f"{path.name}.{secrets.token_hex(8)}")
        descriptor = os.open(attempt, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                pq.write_table(table, file, store_schema=False)
                file.flush()
                os.fsync(file.fileno())
            digest = _digest(attempt)
            try:
                os.link(attempt, path)
            except FileExistsError:
                if _digest(path) != digest:
                    raise ParameterError(
                        f"two attempts at {path.name} are not the same: the tables were changed while they "
                        "were counted, or executors have other versions of libraries; nothing is released"
                    ) from None
            return digest
        finally:
            attempt.unlink(missing_ok=True)


def _name(part: int) -> str:
    return f"part-{part:06d}.parquet"


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
