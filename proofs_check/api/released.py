"""What a release of one table gives: the noisy table, its record, and a way to keep both."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.impl.publish.counts import Release
from establish.impl.publish.sidecar import Described
from establish.proofs_check.api.python import FilePath, path_of
from establish.proofs_check.api.told import Shown
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    import pyarrow as pa


class Record(Shown, dict[str, Any]):
    """The record of a release, with all that its file says; a few lines tell what it is about."""

    def __repr__(self) -> str:
        loss = ", ".join(f"{name} {value}" for name, value in self["loss"].items() if value != "0")
        return (
            f"Record of {self['title']}: {self['rows']} rows by {self['mechanism']} ({self['calibration']}), "
            f"{loss}\nentries: {', '.join(self)}"
        )


@dataclass(frozen=True, repr=False)
class Released(Shown):
    """A table with noise in place of what is confidential, its record, and what only you are told.

    written: the release as it was entered and written. mechanism: what drew the noise. kind: of the table
    that was given, for :attr:`table`. files: by name, the bytes of a release that was not written to a file
    of its own: the table, the record, and its signature if there is one. noisy: the columns of numbers.
    notes: what the record or you should know. Everything but ``notes`` and ``written.told`` is public.
    """

    written: Release
    mechanism: Described
    kind: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    noisy: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def record(self) -> Record:
        """What was done, what it satisfies, and what that rests on, as the record says it."""
        return Record(self.written.record)

    @property
    def table(self) -> Any:
        """The noisy table, in the kind that was given; one of pyarrow for a path.

        Of a written CSV file, labels are texts, and only noisy columns numbers. Raises ParameterError
        for a written workbook.
        """
        from establish.impl.tables.frames import given_back

        return given_back(self._content(), self.kind)

    def _content(self) -> pa.Table:
        import pyarrow as pa
        from pyarrow import csv, parquet

        path = self.written.table
        if self.files:
            return parquet.read_table(pa.BufferReader(self.files[path.name]))
        if path.name.lower().endswith(".parquet"):
            return parquet.read_table(path)
        if path.name.lower().endswith(".xlsx"):
            raise ParameterError(f"out = {path} is a workbook, which is not read back: open it as one")
        with csv.open_csv(path) as head:
            types = {name: pa.string() for name in head.schema.names if name not in self.noisy}
        options = csv.ConvertOptions(column_types=types, strings_can_be_null=True, null_values=[""])
        return csv.read_csv(path, convert_options=options)

    def save(self, folder: FilePath, *, force: bool = False) -> list[Path]:
        """Write the table, its record and its signature into a folder; verify reads them there.

        folder: made where it does not exist. force: whether files that are there are replaced. Returns the
        paths. Raises ParameterError for what is no folder, and for files that are there.
        """
        place = path_of("folder", folder)
        if place.exists() and not place.is_dir():
            raise ParameterError(f"folder = {place} is not a folder")
        kept = self.files or files_of(self.written)
        paths = {name: place / name for name in kept}
        for path in paths.values():
            if os.path.lexists(path) and not force:
                raise ParameterError(
                    f"folder = {place}: {path.name} exists: choose another or use force=True"
                )
        from establish.impl.tables.publishing import publish

        place.mkdir(parents=True, exist_ok=True)
        publish(
            {path: _writer(kept[name]) for name, path in paths.items()}, spend=lambda _: None, replace=force
        )
        return list(paths.values())

    def __repr__(self) -> str:
        satisfied = self.record["satisfies"]
        promise = satisfied[0]["definition"] if satisfied else "no definition that is proved"
        error = self.record["expected_error"]["mean absolute error"]
        return (
            f"Released: {self.written.rows} rows by {self.mechanism.name} "
            f"({self.mechanism.calibration} calibration)\n"
            f"satisfies: {promise}\nexpected error: {error}\n{self._where()}"
        )

    def _where(self) -> str:
        receipt = self.written.receipt
        spent = (
            "not in a ledger" if receipt is None else f"entry {receipt.number} of {self.written.books.ledger}"
        )
        kept = "in memory: save(folder) writes it" if self.files else f"written: {self.written.table}"
        return f"budget: {spent}; {kept}"


def files_of(written: Release) -> dict[str, bytes]:
    """The files of a release, by name, as they lie on the disk now: the table, the record, the signature."""
    from establish.impl.tables.outputs import signature_of

    paths = (written.table, written.sidecar, signature_of(written.sidecar))
    return {path.name: path.read_bytes() for path in paths if path.exists()}


def _writer(content: bytes) -> Any:
    def write(path: Path) -> None:
        path.write_bytes(content)

    return write
