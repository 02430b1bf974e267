"""The one way in which outputs become visible: all or none, and only after what they cost is on disk."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from establish.impl.locks import exclusive, require_locks
from establish.impl.signals import undisturbed
from establish.impl.tables.drafts import locked_folder
from establish.spec.parameters import ParameterError

R = TypeVar("R")


class Drafts:
    """Outputs, which may be folders of files, under temporary names, on disk, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self._own = folder
        self._of: dict[Path, Path] = {}
        self.kept = False

    def add(self, path: Path, write: Callable[[Path], None]) -> None:
        """One more output, written and on disk when this returns."""
        draft = self._own / path.name
        write(draft)
        for part in parts_of(draft):
            part.chmod(0o600)
            _sync_file(part)
        if draft.is_dir():
            sync_folder(draft)
        self._of[path] = draft

    def folders(self) -> tuple[Path, ...]:
        """The outputs that are folders: they replace nothing."""
        return tuple(path for path, draft in self._of.items() if draft.is_dir())

    def last(self, path: Path) -> None:
        """Let ``path`` get its name after all others."""
        self._of[path] = self._of.pop(path)

    def read(self, path: Path) -> bytes:
        """What the draft of ``path`` holds."""
        return self._of[path].read_bytes()

    def keep(self) -> None:
        """From now on a failure leaves the drafts, so that the release can be completed."""
        self.kept = True
        sync_folder(self._own)

    def publish(self) -> None:
        """Give all outputs their names, or none, as far as the file system lets."""
        rename(self._of)


def publish(
    outputs: Mapping[Path, Callable[[Path], None]],
    spend: Callable[[Drafts], R],
    *,
    replace: bool = False,
    home: Path | None = None,
    mark: str = "",
) -> R:
    """Write every output under a temporary name, then ``spend``, then rename all of them.

    outputs: by final path, all in one folder, what writes the file to a path. spend: appends the
    ledger's entry, if there is a ledger, and returns when it is on disk; what it returns is returned. It may
    add further drafts before that, and keeps them from then on. The outputs are written in order, in one
    folder, so a later one may look at those before it. replace: whether files that are there may be
    replaced. home, mark: where the folder of drafts is made, by default in that of the outputs, and what its
    name starts with; see :mod:`establish.impl.tables.drafts`. One process at a time publishes in a folder.
    So:

    - when an output cannot be written (a full disk) or ``spend`` refuses, nothing is visible and
      nothing is spent;
    - an output is visible only after its entry is on disk;
    - two releases to the same names do not mix: without ``replace`` the second one spends nothing;
    - a crash after ``spend`` may leave some or all outputs without their names: the budget counts as
      spent, and what waits in the folder of drafts can still be named: see
      :mod:`establish.impl.publish.resumed`. What a crash before it leaves there was never released.

    Raises ParameterError when a file cannot be written, and passes on what the callables raise.
    """
    folders = {path.parent for path in outputs}
    if len(folders) != 1:
        raise ParameterError("outputs must be one or more files in one folder")
    folder = folders.pop()
    opened: list[Drafts] = []
    try:
        with alone_in(folder), _own_folder(home or folder, mark) as drafts:
            opened.append(drafts)
            for path, write in outputs.items():
                drafts.add(path, write)
            require_free(tuple(outputs) if not replace else drafts.folders())
            receipt = spend(drafts)
            with undisturbed():
                drafts.publish()
        sync_folder(folder)
    except OSError as error:
        kept = any(drafts.kept for drafts in opened)
        spent = "; its budget is spent: run it again with --resume" if kept else ""
        raise ParameterError(f"the outputs in {folder} cannot be written: {error.strerror}{spent}") from None
    return receipt


@contextmanager
def _own_folder(home: Path, mark: str) -> Iterator[Drafts]:
    with locked_folder(home, mark) as own:
        drafts = Drafts(own)
        try:
            yield drafts
        except BaseException:
            if not drafts.kept:
                shutil.rmtree(own, ignore_errors=True)
            raise
        shutil.rmtree(own, ignore_errors=True)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Waits for other processes that publish in ``folder``, where the file system can lock one."""
    require_locks()
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            exclusive(descriptor)
        yield
    finally:
        os.close(descriptor)


def require_free(paths: Sequence[Path]) -> None:
    """Raise ParameterError when one of ``paths`` is there."""
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


def rename(drafts: Mapping[Path, Path]) -> None:
    """Drafts to their final paths, in order: all or none, as far as the file system lets."""
    done: list[tuple[Path, Path]] = []
    hidden = _umask()
    try:
        for path, draft in drafts.items():
            for part in parts_of(draft):
                part.chmod(0o666 & ~hidden)
            if draft.is_dir():
                draft.chmod(0o777 & ~hidden)
            os.replace(draft, path)
            done.append((path, draft))
    except BaseException:
        for path, draft in done:
            with suppress(OSError):
                os.replace(path, draft)
        raise


def parts_of(output: Path) -> list[Path]:
    """The files of an output in order: itself, or those in its folder."""
    return sorted(output.iterdir()) if output.is_dir() else [output]


def digest_of(output: Path) -> str:
    """sha256 of a file; of a folder, over a line for each of its files, with name and sha256.

    Raises OSError.
    """
    if not output.is_dir():
        with output.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    lines = "".join(f"{part.name} {digest_of(part)}\n" for part in parts_of(output))
    return hashlib.sha256(lines.encode()).hexdigest()


def _umask() -> int:
    own = os.umask(0o077)
    os.umask(own)
    return own


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
