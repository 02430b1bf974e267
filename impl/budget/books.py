"""Where a release is entered: the ledger of a data set, and the places that remember what is in it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from establish.impl.budget.heads import (
    Head,
    alone_at,
    beside,
    dataset_of,
    draft_head,
    heads_in,
    put_head,
    read_heads,
)
from establish.impl.budget.ledger import Receipt, require_left, spend
from establish.impl.budget.sources import confidential_files
from establish.impl.budget.spending import Spending
from establish.impl.budget.twins import twins_of
from establish.impl.tables.files import place_of
from establish.spec.composition import Loss
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.budget.plan import Plan
    from establish.impl.signing import Signer

NO_LEDGER = "NONE: no ledger records this release, so nobody knows how much was spent on these data in all"
"""What the record says of a release without a ledger."""

CHANGED = (
    "the data have changed since the last release; they are the same data set because they have its name, "
    "so they share its budget"
)
"""Said where the release is made, and nowhere that is published: it is about confidential data."""


@dataclass(frozen=True)
class Books:
    """The ledger of the data set ``dataset``; without one, ``ledger`` is None.

    data: its files; beside the first lies the head of the ledger, which is as confidential as they are.
    second: another place for the head, which may serve many data sets. as_read: what the system says of the
    data's files, from when a release began; none before. digest: of their rows, once they were read. twins:
    heads of this data set beside copies of them.
    """

    dataset: str
    ledger: Path | None
    data: tuple[Path, ...]
    second: Path | None = None
    as_read: tuple[object, ...] = ()
    digest: str = ""
    twins: tuple[Head, ...] = ()

    @property
    def beside(self) -> Path:
        """The file of the head beside the data."""
        return beside(self.data[0], "head")

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that a release must not write over."""
        own = [] if self.ledger is None else [self.ledger, self.beside]
        return (*own, *([] if self.second is None else [self.second]))

    def require_left(self, entry: Spending, cap: Loss | None, folder: Path) -> None:
        """Refuse, before any work, what :meth:`spend` would refuse. Reads no data.

        folder: where the release goes. Raises ParameterError.
        """
        if self.ledger is not None:
            require_left(self.ledger, entry, cap, self._heads(folder))

    def require_signed(self) -> None:
        """Raises ParameterError for a head of this data set, outside of records, that is not signed."""
        for place in self.files[1:]:
            head = read_heads(place).heads.get(self.dataset)
            if head is not None and not head.signed_by:
                raise ParameterError(
                    f"HEAD = {place} is not signed, as all are in production: compare the ledger with the "
                    "published records, and make one release with --sign outside of production"
                )

    def ready(self) -> Books:
        """The books as a release begins, before it reads data.

        Raises ParameterError where no place for the head can be written.
        """
        begun = replace(self, as_read=self._as_they_are())
        if self.ledger is None:
            return begun
        if self.second is None and not _writable(self.beside):
            raise ParameterError(
                f"HEAD = {self.beside} cannot be written, so nobody would notice if the ledger were lost: "
                "name a second place with --head FILE"
            )
        if self.second is not None and not _writable(self.second):
            raise ParameterError(f"--head = {self.second} cannot be written")
        return begun

    def recognized(self, rows: Callable[[], str], *, strict: bool) -> tuple[Books, list[str]]:
        """The books of data, and what to tell whoever releases of these.

        rows: finds the digest of their rows, which nobody needs without a ledger. What is told is whether
        these are others than before, and whether they are known under another name, too. Raises
        ParameterError for that where the release is in production, which ``strict`` says.
        """
        if self.ledger is None:
            return self, []
        digest, before = rows(), self.digest_before()
        told = [CHANGED] if before and before != digest else []
        twins = twins_of(self.data[0], digest)
        for twin in twins:
            says = twin.told(self.data[0], self.dataset)
            if says and strict:
                raise ParameterError(f"{says}; in production it is not released under another name")
            told += [says] if says else []
        own = tuple(h for twin in twins for h in twin.heads if h.dataset == self.dataset)
        return replace(self, digest=digest, twins=own), told

    def spend(
        self,
        entry: Spending,
        cap: Loss | None,
        folder: Path,
        before: Callable[[Receipt], None],
        after: Callable[[], None],
        sign: Signer | None = None,
    ) -> Receipt | None:
        """Enter the release, and its head in every place; None without a ledger.

        before: as of :func:`establish.impl.budget.ledger.spend`; after: called when the entry is on disk,
        before the heads are. The heads wait as drafts, on disk, before the entry is: where they cannot be
        written, nothing is spent, and neither where the data changed since the release began. sign: with what
        the heads are signed. Raises ParameterError.
        """
        if self.as_read and self.as_read != self._as_they_are():
            raise ParameterError(
                f"DATA = {self.data[0]} changed while it was read, and nothing is released or spent: "
                "begin the release again"
            )
        if self.ledger is None:
            return None
        drafts = dict[Path, Path]()
        with ExitStack() as held:
            held.callback(_remove, drafts)

            def entering(receipt: Receipt) -> None:
                before(receipt)
                self._draft(held, drafts, receipt.number, receipt.checksum, self.digest, sign)

            def entered(receipt: Receipt) -> None:
                after()
                _put(drafts, receipt.number)

            heads = self._heads(folder)
            return spend(self.ledger, entry, cap, heads, before=entering, after=entered)

    def remember(self, number: int, checksum: str) -> None:
        """Write the head of an entry that is in the ledger to its places. Raises ParameterError."""
        drafts = dict[Path, Path]()
        with ExitStack() as held:
            held.callback(_remove, drafts)
            self._draft(held, drafts, number, checksum, self.digest_before(), None)
            _put(drafts, number)

    def _draft(
        self,
        held: ExitStack,
        drafts: dict[Path, Path],
        number: int,
        checksum: str,
        digest: str,
        sign: Signer | None,
    ) -> None:
        """Add a draft of the head for each of its places, none of others until ``held`` ends.

        Raises ParameterError.
        """
        for place, own in ((self.second, ""), (self.beside, digest)):
            if place is None or (place == self.beside and self.second and not _writable(place)):
                continue
            head = Head(self.dataset, number, checksum, str(place)).with_signature(sign)
            try:
                if place == self.second:
                    held.enter_context(alone_at(place))
                drafts[place] = draft_head(place, head, own)
            except OSError as error:
                raise ParameterError(f"HEAD = {place} cannot be written: {error.strerror}") from None

    def digest_before(self) -> str:
        """The digest of the rows of the last release, kept beside them; empty where none is."""
        return read_heads(self.beside).rows

    def _heads(self, folder: Path) -> list[Head]:
        own = read_heads(self.beside).heads
        for name in own.keys() - {self.dataset}:
            raise ParameterError(
                f"DATA = {self.data[0]} is data set {name} according to {self.beside.name}, but this release "
                f"is of {self.dataset}: a data set has one budget, and keeps its name"
            )
        second = {} if self.second is None else read_heads(self.second).heads
        named = [*own.values(), *self.twins]
        named += [replace(h, by_name=True) for h in second.values() if h.dataset == self.dataset]
        return [*named, *heads_in(folder, self.dataset)]

    def _as_they_are(self) -> tuple[object, ...]:
        """What the system says of the data's files: it says otherwise when one was written or exchanged."""
        return tuple(_as_it_is(file) for path in self.data for file in (path, *_within(path)))


def books_of(
    data: Sequence[Path],
    *,
    dataset: str | None = None,
    ledger: Path | None = None,
    second: Path | None = None,
    without: bool = False,
) -> Books:
    """The books of a data set; by default its name is that of its first file, and its ledger beside that.

    without: whether there is no ledger. Raises ParameterError when one is named all the same, when a file
    is named for two things, or a name is longer than 200 characters or has some that do not print.
    """
    if without and (ledger is not None or second is not None):
        named = "--ledger" if ledger is not None else "--head"
        raise ParameterError(f"{named} is given together with --without-ledger: leave one out")
    name = dataset_of(data[0], dataset)
    own = ledger or beside(data[0], "ledger")
    books = Books(name, None if without else own, tuple(data), second)
    _require_apart(books)
    return books


def _require_apart(books: Books) -> None:
    """Raise ParameterError where ledger, head and second place are not three files: one would be lost."""
    places = {place_of(books.beside): "keeps the head beside the data"}
    for option, path in (("--ledger", books.ledger), ("--head", books.second)):
        if path is not None and place_of(path) in places:
            raise ParameterError(f"{option} = {path} {places[place_of(path)]}: name another file")
        if path is not None:
            places[place_of(path)] = "is the ledger"


def books_of_plan(
    plan: Plan, *, ledger: Path | None = None, second: Path | None = None, without: bool = False
) -> Books:
    """The books that a plan names, or others in their place."""
    if not without:
        ledger, second = ledger or plan.ledger, second or plan.head
    return books_of(
        confidential_files(plan.source), dataset=plan.dataset, ledger=ledger, second=second, without=without
    )


def _within(path: Path) -> list[Path]:
    """The files of a folder, below it too."""
    return sorted(path.rglob("*")) if path.is_dir() else []


def _as_it_is(path: Path) -> tuple[object, ...]:
    try:
        found = path.stat()
    except OSError:
        return (str(path),)
    return str(path), found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _writable(path: Path) -> bool:
    """Whether a file can be made beside ``path``: tried, as rights alone do not tell; nothing is left."""
    try:
        tempfile.TemporaryFile(dir=path.parent).close()
    except OSError:
        return False
    return True


def _put(drafts: Mapping[Path, Path], number: int) -> None:
    """Let the drafts of heads take their places: by place. Raises ParameterError."""
    for place, draft in drafts.items():
        try:
            put_head(draft, place)
        except OSError as error:
            raise ParameterError(
                f"HEAD = {place} cannot be written: {error.strerror}; entry {number} is spent, and "
                "--resume completes its release"
            ) from None


def _remove(drafts: Mapping[Path, Path]) -> None:
    """Those that did not take their places."""
    for draft in drafts.values():
        with suppress(OSError):
            draft.unlink()
