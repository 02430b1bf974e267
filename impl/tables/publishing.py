"""The one way in which outputs become visible: all or none, and only after what they cost is on disk."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from establish.spec.parameters import ParameterError

R = TypeVar("R")


def publish(
    outputs: Mapping[Path, Callable[[Path], None]], spend: Callable[[], R], *, replace: bool = False
) -> R:
    """Write every output under a temporary name, then ``spend``, then rename all of them.

    outputs: by final path, all in one folder, what writes the file to a path. spend: appends the
    ledger's entry, if there is a ledger, and returns when it is on disk; what it returns is returned. The
    outputs are written in order, in one folder, so a later one may look at those before it. replace:
    whether files that are there may be replaced. One process at a time publishes in a folder. So:

    - when an output cannot be written (a full disk) or ``spend`` refuses, nothing is visible and
      nothing is spent;
    - an output is visible only after its entry is on disk;
    - two releases to the same names do not mix: without ``replace`` the second one spends nothing;
    - a crash after ``spend`` may leave some or all outputs without their names: the budget counts as
      spent. What a crash leaves in a folder ``.establish-*`` was never released: delete it.

    Raises ParameterError when a file cannot be written, and passes on what the callables raise.
    """
    folders = {path.parent for path in outputs}
    if len(folders) != 1:
        raise ParameterError("outputs must be one or more files in one folder")
    folder = folders.pop()
    try:
        with (
            _alone_in(folder),
            tempfile.TemporaryDirectory(
                prefix=".establish-", dir=folder, ignore_cleanup_errors=True
            ) as own,
        ):
            drafts = {path: Path(own, path.name) for path in outputs}
            for path, write in outputs.items():
                write(drafts[path])
                _sync_file(drafts[path])
            _require_free(() if replace else tuple(outputs))
            receipt = spend()
            _rename(drafts)
        sync_folder(folder)
    except OSError as error:
        raise ParameterError(
            f"the outputs in {folder} cannot be written: {error.strerror}"
        ) from None
    return receipt


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Waits for other processes that publish in ``folder``, where the file system can lock one."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _require_free(paths: Sequence[Path]) -> None:
    for path in paths:
        if path.exists():
            raise ParameterError(f"{path} appeared meanwhile: choose another or use --force")


def sync_folder(folder: Path) -> None:
    """Make the names in ``folder`` durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _rename(drafts: Mapping[Path, Path]) -> None:
    """All or none, as far as the file system lets."""
    done: list[Path] = []
    try:
        for path, draft in drafts.items():
            os.replace(draft, path)
            done.append(path)
    except OSError:
        for path in done:
            path.unlink(missing_ok=True)
        raise


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
