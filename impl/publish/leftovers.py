"""What killed releases left: drafts that an entry of the ledger paid for, and drafts that nobody paid for.

A release that was killed before its entry leaves complete noisy tables. They cost no budget, so that nobody
may see them. Its record names the entry that it would have had, and the ledger lacks that.
"""

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from establish.impl.budget.books import Books
from establish.impl.budget.heads import head_of
from establish.impl.budget.ledger import Entry, entries_of
from establish.impl.tables.drafts import PREFIX, abandoned, folders_in, mark_of
from establish.impl.tables.files import place_of


@dataclass(frozen=True)
class Leftovers:
    """Folders of drafts whose process has ended. unpaid: of this ledger, and no entry of it names them.

    waiting: those that an entry names; others: those of other ledgers, which cannot be told apart here.
    """

    unpaid: tuple[Path, ...] = ()
    waiting: tuple[Path, ...] = ()
    others: tuple[Path, ...] = ()

    def told(self, *, removed: bool) -> list[str]:
        """A sentence for each folder. removed: whether those that nobody paid for are gone."""
        unpaid = "was removed" if removed else "must not be published: the next release removes it"
        says = {
            f"holds drafts of a release that was killed before its entry in the ledger, and {unpaid}": (
                self.unpaid
            ),
            "holds a release that is in the ledger and was interrupted: run it again with --resume": (
                self.waiting
            ),
            "holds drafts of another ledger, and must not be published: a release with that ledger removes "
            "or completes them": self.others,
        }
        return [f"{folder} {what}" for what, folders in says.items() for folder in folders]


def homes_of(books: Books, folder: Path) -> list[Path]:
    """Where drafts of releases to ``folder`` may lie."""
    ledger = [] if books.ledger is None else [place_of(books.ledger).parent]
    return list(dict.fromkeys([*ledger, place_of(folder)]))


def look(homes: Iterable[Path], ledger: Path | None, *, remove: bool) -> Leftovers:
    """What lies in ``homes``; with ``remove``, what nobody paid for is gone afterwards.

    Raises ParameterError for a ledger that cannot be read.
    """
    unpaid, waiting, others = list[Path](), list[Path](), list[Path]()
    own = tuple(PREFIX + mark_of(which) for which in (ledger, None))
    for drafts in (found for home in homes for found in folders_in(home)):
        with abandoned(drafts) as ended:
            if not ended:
                continue
            # The ledger is read under the lock: before, that process may still have made its entry.
            known = [] if ledger is None else entries_of(ledger)
            if any(entry_of(record, known) for record in sorted(drafts.glob("*.json"))):
                waiting.append(drafts)
            elif drafts.name.startswith(own):
                unpaid.append(drafts)
                if remove:
                    shutil.rmtree(drafts, ignore_errors=True)
            else:
                others.append(drafts)
    return Leftovers(tuple(unpaid), tuple(waiting), tuple(others))


def entry_of(record: Path, known: Sequence[Entry]) -> Entry | None:
    """The entry that a draft of a record names, if it is among ``known``."""
    head = head_of(record)
    if head is None:
        return None
    same = [e for e in known if (e.number, e.checksum) == (head.number, head.checksum)]
    return same[0] if same and same[0].spending.dataset == head.dataset else None
