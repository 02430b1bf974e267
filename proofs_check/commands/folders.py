"""The ``--out`` option of commands that write a folder which they may replace."""

from collections.abc import Collection
from pathlib import Path

from establish.proofs_check.engine.misuse import Misuse


def require_folder(out: Path, what: str, marks: Collection[str], force: bool) -> None:
    """Raise Misuse, before any work, for a place where no folder can be written.

    what: is replaced with ``force``; it is known by the files ``marks`` that it holds.
    """
    if out.exists() and not out.is_dir():
        raise Misuse(f"--out {out} is a file: name a folder")
    if not out.exists() and not out.absolute().parent.is_dir():
        raise Misuse(f"--out {out}: there is no folder {out.parent}")
    held = list(out.iterdir()) if out.is_dir() else []
    if held and not force:
        raise Misuse(f"--out {out} is not empty: name a new folder, or replace {what} with --force")
    if held and not all((out / name).is_file() for name in marks):
        raise Misuse(f"--out {out} holds other files than {what}: --force replaces {what} only")
