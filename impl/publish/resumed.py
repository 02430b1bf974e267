"""Complete a release that was interrupted after its entry: with the noise that was drawn, or not at all.

Every output was on disk, under a temporary name, before the entry was: what is missing is names. To
complete the release is to give them, so that nothing is read or drawn again. That is private because the one
draw that appears is the one that the entry paid for. A second draw for the same entry would be a second
look at the data, so where the first one is gone the entry stays spent and nothing is completed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from establish.impl.budget.books import Books
from establish.impl.budget.heads import head_of
from establish.impl.budget.ledger import Entry, entries_of
from establish.impl.tables.files import place_of
from establish.impl.tables.publishing import PREFIX, alone_in, digest_of, rename, sync_folder
from establish.spec.parameters import ParameterError


def resume(books: Books, record_path: Path, *, force: bool = False) -> Entry:
    """Give the outputs of the interrupted release their names; its entry.

    record_path: where its record goes. force: whether outputs that are there are replaced. Drafts of a
    release that was never entered are removed: nobody paid for them. Raises ParameterError when there
    is nothing to complete, or something of it is lost.
    """
    folder = record_path.parent
    if books.ledger is None:
        raise ParameterError("--resume needs the ledger: leave out --without-ledger")
    known = entries_of(books.ledger)
    own = [e for e in known if e.spending.output == str(place_of(record_path))]
    if folder.is_dir():
        with alone_in(folder):
            for drafts in sorted(folder.glob(f"{PREFIX}*")):
                entry = _entry(drafts / record_path.name, own)
                if entry is not None:
                    _complete(drafts, record_path, force)
                    last = known[-1]
                    if not last.spending.signed_by:  # else the heads need its key, and stay as they are
                        books.remember(last.number, last.checksum)
                    return entry
                if (drafts / record_path.name).is_file():
                    shutil.rmtree(drafts, ignore_errors=True)
    lost = [e for e in own if not _is_published(record_path, e)]
    if not lost:
        raise ParameterError(
            f"--resume: {books.ledger} has no interrupted release to {record_path.parent / record_path.name}"
        )
    raise ParameterError(
        f"--resume: entry {lost[-1].number} of {books.ledger} cannot be completed: what it drew is gone, and "
        "drawing again would be another release; its budget stays spent"
    )


def state_of(entry: Entry) -> str:
    """What became of a release: published, interrupted, or no output where it went."""
    record = Path(entry.spending.output)
    if _is_published(record, entry):
        return "published"
    with suppress(OSError):
        for drafts in record.parent.glob(f"{PREFIX}*"):
            if _entry(drafts / record.name, [entry]):
                return "interrupted"
    return "no output"


def _is_published(record: Path, entry: Entry) -> bool:
    head = head_of(record)
    return head is not None and (head.number, head.checksum) == (entry.number, entry.checksum)


def _entry(record: Path, known: list[Entry]) -> Entry | None:
    """The entry that a draft of a record names, if the ledger has it."""
    head = head_of(record)
    if head is None:
        return None
    same = [e for e in known if (e.number, e.checksum) == (head.number, head.checksum)]
    return same[0] if same and same[0].spending.dataset == head.dataset else None


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
