"""``--resume``: complete a release that was interrupted after its entry, whichever command made it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from establish.impl.budget.books import Books


def complete(books: Books, record: Path, force: bool) -> None:
    """Publish what waits, and say which entry it is. Raises ParameterError when nothing does."""
    from establish.impl.publish.resumed import resume

    resumed = resume(books, record, force=force)
    entry = resumed.entry
    print(f"completed entry {entry.number} of {books.ledger} with the noise already drawn")
    print(f"written: {record}")
    for line in resumed.left.told(removed=True):
        print(f"note: {line}")
