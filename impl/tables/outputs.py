"""What every release does around its noise: where it may write, the seed, both files or none."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import duckdb

from establish.impl.sampling.bits import Bits
from establish.impl.tables.files import format_of, place_of
from establish.impl.tables.publishing import digest_of, publish
from establish.spec.parameters import ParameterError


def noise_source(seed: int | None) -> Bits:
    """Bits from ``seed``, or from the operating system's entropy. ParameterError for seed < 0."""
    return Bits.secret() if seed is None else Bits.seeded(seed)


def require_writable(source: Path, out: Path, force: bool) -> tuple[str, Path]:
    """The ending of ``out``, and its record's path. Raises ParameterError when one may not be written."""
    ending = format_of("--out", out, released=True)
    sidecar = out.with_name(f"{out.name}.json")
    if not out.parent.is_dir():
        raise ParameterError(f"--out = {out}: the folder {out.parent} does not exist")
    if place_of(out) == place_of(source):
        raise ParameterError(f"--out = {out} is the input: choose another file")
    for path in (out, sidecar):
        if path.is_dir():
            raise ParameterError(f"--out = {out}: {path} is a folder")
        if os.path.lexists(path) and not force:
            raise ParameterError(f"--out = {out}: {path} exists: choose another or use --force")
    return ending, sidecar


def require_apart(out: Path, sidecar: Path, used: Sequence[Path]) -> None:
    """Raise ParameterError when an output is a file of the ledger, which it would destroy."""
    taken = {place_of(path): path for path in used}
    for path in (out, sidecar):
        if place_of(path) in taken:
            raise ParameterError(f"--out = {out}: {path.name} belongs to the ledger")


def written(out: Path, write_table: Callable[[Path], None]) -> Callable[[Path], None]:
    """``write_table``, which may raise duckdb.Error; instead ParameterError is raised."""

    def write(path: Path) -> None:
        try:
            write_table(path)
        except duckdb.Error:
            raise ParameterError(f"--out = {out} cannot be written: is there room?") from None

    return write


def write_both(
    out: Path,
    sidecar: Path,
    record: Mapping[str, object],
    write_table: Callable[[Path], None],
    *,
    replace: bool,
) -> None:
    """Both files or none; the record gets the table's sha256. For data that protect nobody: made up.

    replace: whether files that are there are replaced. write_table: writes the table to a path; it may
    raise OSError or duckdb.Error. Raises ParameterError when a file cannot be written.
    """
    publish(
        {out: written(out, write_table), sidecar: lambda path: write_record(path, record, [out.name])},
        spend=lambda _: None,
        replace=replace,
    )


def signature_of(record: Path) -> Path:
    """Where the signature of a record lies."""
    return record.with_name(f"{record.name}.sig")


def write_record(path: Path, record: Mapping[str, object], tables: Sequence[str]) -> None:
    """The record as JSON, with the sha256 of each of the ``tables`` that lie in the same folder."""
    digests = {name: digest_of(path.with_name(name)) for name in tables}
    text = json.dumps({"tables": digests, **record}, ensure_ascii=False, indent=2) + "\n"
    path.write_text(text, encoding="utf-8")
