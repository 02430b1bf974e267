"""Folders in which outputs wait for their names: only this user can read them, and their process locks them.

A lock ends with the process, however it ends, so that whoever comes later can tell a release that runs from
what a killed one left. The name of the folder says for which ledger it was made.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from establish.impl.locks import exclusive
from establish.impl.tables.files import place_of

PREFIX = ".establish-drafts-"
"""How a folder of drafts is called, before the mark of its ledger."""


def mark_of(ledger: Path | None) -> str:
    """What the folders of drafts of releases in this ledger are called after PREFIX."""
    named = "" if ledger is None else str(place_of(ledger))
    return f"{hashlib.sha256(named.encode()).hexdigest()[:16]}-"


@contextmanager
def locked_folder(home: Path, mark: str) -> Iterator[Path]:
    """A new folder in ``home``, locked while the block runs, where the file system can. Raises OSError."""
    while True:
        own = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{mark}", dir=home))
        lock = os.open(own, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            with suppress(OSError):
                exclusive(lock)
            if own.exists():  # else somebody took it for abandoned before it was locked, and removed it
                yield own
                return
        finally:
            os.close(lock)


def folders_in(home: Path) -> list[Path]:
    """The folders of drafts in ``home``."""
    return sorted(home.glob(f"{PREFIX}*")) if home.is_dir() else []


@contextmanager
def abandoned(drafts: Path) -> Iterator[bool]:
    """Whether the process that made the folder has ended; while the block runs, nobody else takes it.

    False also where that cannot be told: no folder, or a file system without locks.
    """
    try:
        lock = os.open(drafts, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        yield False
        return
    try:
        try:
            exclusive(lock, wait=False)
            ended = True
        except OSError:
            ended = False
        yield ended
    finally:
        os.close(lock)


def home_of(folder: Path, confidential: Path) -> Path:
    """Where outputs of ``folder`` wait: in ``confidential``, or in ``folder`` if they cannot be moved then.

    They can be where both are on one file system, which is tried.
    """
    if place_of(folder) == place_of(confidential):
        return folder
    try:
        descriptor, name = tempfile.mkstemp(prefix=".establish-probe-", dir=confidential)
        os.close(descriptor)
        probe, moved = Path(name), folder / Path(name).name
        try:
            os.replace(probe, moved)
        finally:
            for path in (probe, moved):
                path.unlink(missing_ok=True)
    except OSError:
        return folder
    return confidential
