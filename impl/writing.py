"""What every release does around its noise: where it may write, the seed, both files or none."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import duckdb

from establish.impl.sampling.bits import Bits
from establish.impl.tables_io import format_of
from establish.spec.parameters import ParameterError


def noise_source(seed: int | None) -> Bits:
    """Bits from ``seed``, or from the operating system's entropy. ParameterError for seed < 0."""
    return Bits.secret() if seed is None else Bits.seeded(seed)


def require_writable(source: Path, out: Path, sidecar: Path, force: bool) -> str:
    """The ending of ``out``. Raises ParameterError when ``out`` or ``sidecar`` may not be written."""
    ending = format_of("--out", out)
    if not out.parent.is_dir():
        raise ParameterError(f"--out = {out}: the folder {out.parent} does not exist")
    if out.resolve() == source.resolve():
        raise ParameterError(f"--out = {out} is the input: choose another file")
    for path in (out, sidecar):
        if path.is_dir():
            raise ParameterError(f"--out = {out}: {path} is a folder")
        if path.exists() and not force:
            raise ParameterError(f"--out = {out}: {path} exists: choose another or use --force")
    return ending


def write_both(
    out: Path,
    sidecar: Path,
    record: Mapping[str, object],
    write_table: Callable[[Path], None],
) -> None:
    """Both files under temporary names in the same folder, then both renamed.

    write_table: writes the table to a path; it may raise OSError or duckdb.Error. Raises
    ParameterError when a file cannot be written.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".establish-", dir=out.parent) as folder:
            new_table, new_sidecar = Path(folder, "table"), Path(folder, "record")
            write_table(new_table)
            digest = hashlib.sha256(new_table.read_bytes()).hexdigest()
            text = (
                json.dumps({**record, "table_sha256": digest}, ensure_ascii=False, indent=2) + "\n"
            )
            new_sidecar.write_text(text, encoding="utf-8")
            os.replace(new_sidecar, sidecar)
            try:
                os.replace(new_table, out)
            except OSError:
                sidecar.unlink()
                raise
    except OSError as error:
        raise ParameterError(f"--out = {out} cannot be written: {error.strerror}") from None
    except duckdb.Error:
        raise ParameterError(f"--out = {out} cannot be written") from None
