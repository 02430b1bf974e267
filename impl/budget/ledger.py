"""The ledger of a project's releases: a file that is appended, never rewritten.

An entry is on disk before any output of its release is: see :mod:`establish.impl.tables.publishing`. A
crash between the two leaves an entry without an output, and its budget counts as spent. The cap is
checked under an exclusive lock against every earlier entry, so two processes cannot pass it
together. The lock is flock(2): the file must lie on a file system that honors it for every host
that releases.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from establish.impl.budget.accountant import OverCap, over
from establish.impl.budget.lines import Scan, encode, scan
from establish.impl.budget.spending import Account, Spending, read_account, read_spending
from establish.impl.tables.publishing import sync_folder
from establish.spec.composition import Loss
from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Receipt:
    """That a release's entry is on disk: its identity, its number in the ledger, its checksum."""

    release: str
    number: int
    checksum: str


def read_ledger(path: Path) -> Account | None:
    """The account in the file; None where there is no file, or nothing complete in it.

    Raises ParameterError when the file cannot be read or is damaged.
    """
    if not path.parent.is_dir():
        raise ParameterError(f"LEDGER = {path} cannot be used: there is no folder {path.parent}")
    if not path.exists():
        return None
    with _locked(path, os.O_RDONLY, fcntl.LOCK_SH) as file:
        return _account(path, _scan(path, file))


def require_left(path: Path, entry: Spending, cap: Loss) -> Account:
    """What the ledger would say after ``entry``, without writing: for failing before the work.

    Raises ParameterError as :func:`spend` does; only :func:`spend` reserves.
    """
    return _with(path, read_ledger(path), entry, cap)


def spend(path: Path, entry: Spending, cap: Loss) -> Receipt:
    """Append ``entry``, on disk when this returns; a new file starts with its definition and ``cap``.

    Raises OverCap, and spends nothing, when the cap would be passed; ParameterError when ``cap`` is not
    the ledger's, when the definitions do not compose, when the file is damaged or cannot be written. If
    the disk fails while the entry is made durable, the entry may count as spent.
    """
    with _locked(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, fcntl.LOCK_EX) as file:
        found = _scan(path, file)
        account = _with(path, _account(path, found), entry, cap)
        content, checksum = b"", found.checksum
        if not found.lines:
            content, checksum = encode(0, account.header(), "")
        number = max(1, len(found.lines))
        line, checksum = encode(number, entry.record(), checksum)
        os.ftruncate(file, found.length)  # only a torn line can follow; its release never appeared
        _append(file, content + line, found.length)
        os.fsync(file)
        sync_folder(Path(os.path.realpath(path)).parent)
    return Receipt(entry.release, number, checksum)


@contextmanager
def _locked(path: Path, flags: int, lock: int) -> Iterator[int]:
    """The open file under a lock. Errors of the system become ParameterError."""
    try:
        file = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)  # a pipe must not hang
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise ParameterError(f"LEDGER = {path} cannot be used: it is not a regular file")
            fcntl.flock(file, lock)
            if not os.path.samestat(os.fstat(file), os.stat(path)):
                raise ParameterError(f"LEDGER = {path} was replaced while it was waited for")
            yield file
        finally:
            os.close(file)
    except OSError as error:
        raise ParameterError(f"LEDGER = {path} cannot be used: {error.strerror}") from None


def _scan(path: Path, file: int) -> Scan:
    content = bytearray()
    while part := os.pread(file, 1 << 20, len(content)):
        content += part
    try:
        return scan(bytes(content))
    except ParameterError as error:
        raise ParameterError(f"LEDGER = {path}: {error}") from None


def _account(path: Path, found: Scan) -> Account | None:
    if not found.lines:
        return None
    number = 1
    try:
        header, entries = found.lines[0].fields, []
        for line in found.lines[1:]:
            number = line.number + 1
            entries.append(read_spending(line.fields))
        number = 1
        return read_account(header, tuple(entries))
    except ParameterError as error:
        raise ParameterError(f"LEDGER = {path}: line {number}: {error}") from None


def _with(path: Path, account: Account | None, entry: Spending, cap: Loss) -> Account:
    """The account with ``entry``, if it may be added."""
    known = account or Account(entry.definition, cap)
    if known.cap != cap:
        raise ParameterError(
            f"LEDGER = {path}: its cap is ({known.cap}), fixed when it was begun; the plan says ({cap})"
        )
    if any(entry.release == other.release for other in known.entries):
        raise ParameterError(f"LEDGER = {path}: release {entry.release} is already in it")
    total = known.after(entry)
    if not total.within(cap):
        raise OverCap(over(f"LEDGER = {path}: with ({entry.loss}) more, it", total, cap))
    return Account(known.definition, cap, (*known.entries, entry))


def _append(file: int, content: bytes, length: int) -> None:
    """All of ``content``, or none of it when the disk is full."""
    try:
        while content:
            content = content[os.write(file, content) :]
    except OSError:
        os.ftruncate(file, length)
        raise
