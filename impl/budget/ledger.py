"""The ledger of the releases of a data set: a file that is appended, never rewritten.

An entry is on disk before any output of its release is: see :mod:`establish.impl.tables.publishing`. A
crash between the two leaves an entry without an output, and its budget counts as spent. The cap is
checked under an exclusive lock against every earlier entry, so two processes cannot pass it
together. The lock is flock(2): the file must lie on a file system that honors it for every host
that releases. That a ledger lost its end, or is another one, the heads show that are kept elsewhere:
see :mod:`establish.impl.budget.heads`.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from establish.impl.budget.caps import OverCap, over
from establish.impl.budget.heads import Head, LedgerLost
from establish.impl.budget.lines import Scan, encode, scan
from establish.impl.budget.spending import Account, Spending, read_account, read_cap, read_spending
from establish.impl.locks import exclusive, shared
from establish.impl.signals import undisturbed
from establish.impl.tables.publishing import sync_folder
from establish.spec.composition import Loss
from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Receipt:
    """That a release's entry is on disk: its identity, its number in the ledger, its checksum.

    account: the ledger with it.
    """

    release: str
    number: int
    checksum: str
    account: Account


def _nothing(_: Receipt) -> None:
    pass


def read_ledger(path: Path) -> Account | None:
    """The account in the file; None where there is no file, or nothing complete in it.

    Raises ParameterError when the file cannot be read or is damaged.
    """
    if not path.parent.is_dir():
        raise ParameterError(f"LEDGER = {path} cannot be used: there is no folder {path.parent}")
    if not path.exists():
        return None
    with _locked(path, os.O_RDONLY) as file:
        return _account(path, _scan(path, file))


@dataclass(frozen=True)
class Entry:
    """One release in a ledger: its number, its checksum, and what it spent."""

    number: int
    checksum: str
    spending: Spending


def entries_of(path: Path) -> list[Entry]:
    """The entries of the ledger in order; none where there is no file. Raises ParameterError."""
    if not path.exists():
        return []
    with _locked(path, os.O_RDONLY) as file:
        found = _scan(path, file)
        account = _account(path, found)
    spent = () if account is None else account.entries
    return [
        Entry(line.number, line.checksum, spending)
        for line, spending in zip(found.lines[1:], spent, strict=True)
    ]


def require_left(path: Path, entry: Spending, cap: Loss | None, heads: Iterable[Head] = ()) -> Account:
    """What the ledger would say after ``entry``, without writing: for failing before the work.

    Raises ParameterError as :func:`spend` does; only :func:`spend` reserves.
    """
    if not path.parent.is_dir() or not path.exists():
        account, found = read_ledger(path), Scan((), 0, False)
    else:
        with _locked(path, os.O_RDONLY) as file:
            found = _scan(path, file)
            account = _account(path, found)
    _require_known(path, found, heads)
    return _with(path, account, entry, cap)


def spend(
    path: Path,
    entry: Spending,
    cap: Loss | None,
    heads: Iterable[Head] = (),
    *,
    before: Callable[[Receipt], None] = _nothing,
    after: Callable[[Receipt], None] = _nothing,
) -> Receipt:
    """Append ``entry``, on disk when this returns; a new file starts with its definition and ``cap``.

    heads: what is known elsewhere of this ledger. before: called when the entry may be added and nothing
    is written yet; what it raises spends nothing. after: called when the entry is on disk, while
    nobody else can add one.

    Raises OverCap, and spends nothing, when the cap would be passed; LedgerLost when the ledger lacks one
    of ``heads``; ParameterError when ``cap`` is not the ledger's, when the definitions do not compose,
    when the ledger is another data set's, when the file is damaged or cannot be written. If the disk fails
    while the entry is made durable, the entry may count as spent.
    """
    with _locked(path, os.O_RDWR | os.O_APPEND | os.O_CREAT) as file:
        found = _scan(path, file)
        _require_known(path, found, heads)
        known = _account(path, found)
        account = _with(path, known, entry, cap)
        content, checksum = b"", found.checksum
        if known is None:
            content, checksum = encode(0, account.header(), "")
        number = max(1, len(found.lines))
        fixed = known is not None and known.cap is None and cap is not None
        fields = entry.line() | ({"cap": cap.record()} if fixed and cap else {})
        line, checksum = encode(number, fields, checksum)
        receipt = Receipt(entry.release, number, checksum, account)
        before(receipt)
        with undisturbed():
            os.ftruncate(file, found.length)  # only a torn line can follow; its release never appeared
            _append(file, content + line, found.length)
            os.fsync(file)
            sync_folder(Path(os.path.realpath(path)).parent)
            after(receipt)
    return receipt


def _require_known(path: Path, found: Scan, heads: Iterable[Head]) -> None:
    for head in heads:
        if not 0 < head.number < len(found.lines) or found.lines[head.number].checksum != head.checksum:
            raise LedgerLost(
                f"LEDGER = {path} lacks entry {head.number} ({head.checksum[:16]}…) that {head.place} "
                "names: the ledger was deleted, cut, rolled back or exchanged; restore it from a copy"
                f"{_or_another(head, begun=len(found.lines) > 1) if head.by_name else ''}"
            )
        signed_by = found.lines[head.number].fields.get("signed_by", "")
        if head.signed_by is not None and head.signed_by != signed_by:
            raise LedgerLost(
                f"HEAD = {head.place} is signed by {head.signed_by or 'nobody'}, and entry {head.number} of "
                f"the ledger by {signed_by or 'nobody'}: one of them was exchanged; restore it from a copy"
            )


def _or_another(head: Head, *, begun: bool) -> str:
    """The other possibility, where a name is all that a head and a ledger have in common."""
    option = (
        "release into another folder (--out, --head), as this ledger keeps its name"
        if begun
        else "name this one with --dataset NAME (in a plan: dataset)"
    )
    return f"; or that is another data set called {head.dataset}, too: then {option}"


@contextmanager
def _locked(path: Path, flags: int) -> Iterator[int]:
    """The open file, locked for all where it may be written. Errors of the system become ParameterError."""
    try:
        file = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)  # a pipe must not hang
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise ParameterError(f"LEDGER = {path} cannot be used: it is not a regular file")
            (exclusive if flags & os.O_RDWR else shared)(file)
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
        header, entries, later = found.lines[0].fields, [], None
        for line in found.lines[1:]:
            number = line.number + 1
            entries.append(read_spending(line.fields))
            if "cap" in line.fields:
                later = read_cap(line.fields["cap"], entries[-1].definition)
        number = 1
        return read_account(header, tuple(entries), later)
    except ParameterError as error:
        raise ParameterError(f"LEDGER = {path}: line {number}: {error}") from None


def _with(path: Path, account: Account | None, entry: Spending, cap: Loss | None) -> Account:
    """The account with ``entry``, if it may be added."""
    known = account or Account(entry.definition, cap, (), entry.dataset)
    if known.dataset != entry.dataset:
        raise ParameterError(
            f"LEDGER = {path} belongs to data set {known.dataset}, but this release is of {entry.dataset}: "
            "each data set has its own ledger, and keeps its name"
        )
    if cap is not None and known.cap not in (None, cap):
        raise ParameterError(
            f"LEDGER = {path}: its cap was set to ({known.cap}) and cannot change; this release says ({cap})"
        )
    if any(entry.release == other.release for other in known.entries):
        raise ParameterError(f"LEDGER = {path}: release {entry.release} is already in it")
    total, allowed = known.after(entry), known.cap or cap
    if allowed is not None and not total.within(allowed):
        says = f"LEDGER = {path}: this release costs ({entry.loss}); all releases would then cost"
        raise OverCap(over(says, total, allowed))
    return Account(known.definition, allowed, (*known.entries, entry), known.dataset)


def _append(file: int, content: bytes, length: int) -> None:
    """All of ``content``, or none of it when the disk is full."""
    try:
        while content:
            content = content[os.write(file, content) :]
    except OSError:
        os.ftruncate(file, length)
        raise
