"""Complete a release that was interrupted after its entry: with the noise that was drawn, or not at all.

Every output was on disk, under a temporary name, before the entry was: what is missing is names. To
complete the release is to give them, so that nothing is read or drawn again. That is private because the one
draw that appears is the one that the entry paid for. A second draw for the same entry would be a second
look at the data, so where the first one is gone the entry stays spent and nothing is completed.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from establish.impl.budget.books import Books
from establish.impl.budget.heads import head_of
from establish.impl.budget.ledger import Entry, entries_of
from establish.impl.publish.leftovers import Leftovers, entry_of, homes_of, look
from establish.impl.tables.drafts import abandoned, folders_in
from establish.impl.tables.files import place_of
from establish.impl.tables.publishing import alone_in, digest_of, rename, sync_folder
from establish.spec.parameters import ParameterError


@dataclass(frozen=True)
class Resumed:
    """A completed release: its entry, and what else killed releases left."""

    entry: Entry
    left: Leftovers


def resume(books: Books, record_path: Path, *, force: bool = False) -> Resumed:
    """Give the outputs of the interrupted release their names.

    record_path: where its record goes. force: whether outputs that are there are replaced. Drafts of releases
    that were never entered are removed: nobody paid for them. Raises ParameterError when there is nothing to
    complete, or something of it is lost.
    """
    folder = record_path.parent
    if books.ledger is None:
        raise ParameterError("--resume needs the ledger: leave out --without-ledger")
    homes = homes_of(books, folder)
    completed = _completed(books.ledger, homes, record_path, force)
    left = look(homes, books.ledger, remove=True)
    known = entries_of(books.ledger)
    if completed is not None:
        last = known[-1]
        if not last.spending.signed_by:  # else the heads need its key, and stay as they are
            books.remember(last.number, last.checksum)
        return Resumed(completed, left)
    own = [e for e in known if e.spending.output == str(place_of(record_path))]
    newest = own[-1] if own else None  # what it replaced was complete, or is lost for good
    removed = (
        f"; removed drafts of unpaid releases: {', '.join(map(str, left.unpaid))}" if left.unpaid else ""
    )
    if newest is None or _is_published(record_path, newest):
        raise ParameterError(
            f"--resume: {books.ledger} has no interrupted release to {record_path.parent / record_path.name}"
            f"{removed}"
        )
    raise ParameterError(
        f"--resume: entry {newest.number} of {books.ledger} cannot be completed: its noise is lost, and "
        f"drawing again would be another release; its budget stays spent{removed}"
    )


def _completed(ledger: Path, homes: Sequence[Path], record_path: Path, force: bool) -> Entry | None:
    """The entry whose drafts got their names; None where none waits. Raises ParameterError."""
    for drafts in (found for home in homes for found in folders_in(home)):
        with abandoned(drafts) as ended:
            known = entries_of(ledger) if ended else []
            own = [e for e in known if e.spending.output == str(place_of(record_path))]
            entry = entry_of(drafts / record_path.name, own)
            if entry is not None:
                with _folder_alone(record_path.parent):
                    _complete(drafts, record_path, force)
                return entry
    return None


@contextmanager
def _folder_alone(folder: Path) -> Iterator[None]:
    """The folder is there, and nobody else publishes in it. Raises ParameterError."""
    try:
        folder.mkdir(exist_ok=True)  # a new one was removed, if its release could still tidy up
        with alone_in(folder):
            yield
    except OSError as error:
        raise ParameterError(f"the outputs in {folder} cannot be written: {error.strerror}") from None


def state_of(entry: Entry, ledger: Path) -> str:
    """What became of a release: published, interrupted, or no output where it went."""
    record = Path(entry.spending.output)
    if _is_published(record, entry):
        return "published"
    with suppress(OSError):
        for home in (record.parent, place_of(ledger).parent):
            if any(entry_of(drafts / record.name, [entry]) for drafts in folders_in(home)):
                return "interrupted"
    return "no output"


def _is_published(record: Path, entry: Entry) -> bool:
    head = head_of(record)
    return head is not None and (head.number, head.checksum) == (entry.number, entry.checksum)


def _complete(drafts: Path, record_path: Path, force: bool) -> None:
    """Raises ParameterError unless every table is there as the record says."""
    folder = record_path.parent
    record: Mapping[str, Any] = json.loads((drafts / record_path.name).read_text("utf-8"))
    for name, digest in record["tables"].items():
        if digest not in (_digest(drafts / name), _digest(folder / name)):
            raise ParameterError(
                f"--resume: the draft of {name} is damaged or gone, and drawing again would be another "
                "release; the budget of this one stays spent"
            )
    last = drafts / record_path.name
    waiting = [*(path for path in sorted(drafts.iterdir()) if path != last), last]
    for path in waiting:
        if (folder / path.name).exists() and (path.is_dir() or not force):
            raise ParameterError(f"--resume: {folder / path.name} exists: use --force to replace it")
    rename({folder / path.name: path for path in waiting})
    sync_folder(folder)
    with suppress(OSError):
        drafts.rmdir()


def _digest(path: Path) -> str:
    try:
        return digest_of(path)
    except OSError:
        return ""
