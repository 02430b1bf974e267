"""What is known of a ledger elsewhere: which entry it must hold.

A chain of checksums does not show that its end was removed, nor that it is another chain. A head does: it
names a data set, an entry by its number, and that entry's checksum. Heads stand beside the data, in a
second place that the user names, and in the record of every release. Those of a release that is signed are
signed with its key, and its entry says so: whoever has no key cannot put another head in their place.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from establish.impl.locks import exclusive
from establish.impl.tables.files import place_of
from establish.impl.tables.publishing import sync_folder
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.signing import Signer

KIND = "establish heads, version 1"
"""What a file of heads says first."""

LARGEST = 20_000_000
"""Bytes of a file of heads, or of the record of a release, at most."""

_CHECKSUM = re.compile(r"[0-9a-f]{64}")


class LedgerLost(ParameterError):
    """A ledger lacks an entry that was published or is named elsewhere."""


@dataclass(frozen=True)
class Head:
    """That the ledger of ``dataset`` has the entry ``number`` with ``checksum``. place: who says so.

    public_key, signature: hexadecimal, over :attr:`signed`; empty for one that is not signed. signed_by: the
    fingerprint of the key, empty without one; None in the record of a release, which has a signature of
    its own. by_name: whether nothing but the name says that it is about this data set, as in a record.
    """

    dataset: str
    number: int
    checksum: str
    place: str
    public_key: str = ""
    signature: str = ""
    signed_by: str | None = ""
    by_name: bool = False

    @property
    def signed(self) -> bytes:
        """What a signature is over. No record of a release starts so."""
        own = [self.dataset, self.number, self.checksum]
        return f"{KIND}\n{json.dumps(own)}".encode("ascii")

    def with_signature(self, sign: Signer | None) -> Head:
        if sign is None:
            return self
        made = sign.sign(self.signed).hex()
        return replace(self, public_key=sign.public.hex(), signature=made, signed_by=sign.name)

    def line(self) -> dict[str, object]:
        """For JSON."""
        own = {"entry": self.number, "head": self.checksum}
        signed = {"public_key": self.public_key, "signature": self.signature}
        return {**own, **(signed if self.signature else {})}


@dataclass(frozen=True)
class Heads:
    """A file of heads, one a data set. rows: the digest of the data beside it, where it lies there."""

    heads: Mapping[str, Head]
    rows: str = ""


def beside(data: Path, ending: str) -> Path:
    """A file beside the data, wherever a link to them lies."""
    place = place_of(data)
    return place.with_name(f"{place.name}.{ending}")


def dataset_of(data: Path, name: str | None) -> str:
    """The name of the data set in ``data``: by default that of the file.

    Raises ParameterError for a name that is longer than 200 characters or has some that do not print.
    """
    found = place_of(data).name if name is None else name
    if not found.isprintable() or not 0 < len(found.strip()) <= 200:
        raise ParameterError(
            f"dataset = {found[:60]!r} is not a name: 1 to 200 characters that can be printed"
        )
    return found


def read_heads(path: Path) -> Heads:
    """The heads in the file; none where there is no file.

    Raises ParameterError for anything else, and for a head whose signature is wrong.
    """
    try:
        content = json.loads(_text(path))
        if content["heads of ledgers"] != KIND:
            raise ValueError
        heads = [_read(str(name), own, path) for name, own in content["heads"].items()]
        rows = _digest(content["rows"]) if content.get("rows") else ""
    except FileNotFoundError:
        return Heads({})
    except OSError as error:
        raise ParameterError(f"HEAD = {path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ParameterError(f"HEAD = {path} is damaged: it is not a file of heads") from None
    return Heads({head.dataset: _checked(head) for head in heads}, rows)


@contextmanager
def alone_at(path: Path) -> Iterator[None]:
    """Waits for other processes that write heads at ``path``, each that of its own data set.

    The lock is a file beside it, which is gone afterwards. Raises OSError.
    """
    own = path.with_name(f".{path.name}.lock")
    while True:
        file = os.open(own, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            exclusive(file)
            if not _is_at(file, own):
                continue  # whoever had it removed it, and another one may be there
            try:
                yield
            finally:
                own.unlink(missing_ok=True)
            return
        finally:
            os.close(file)


def _is_at(file: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


def draft_head(path: Path, head: Head, rows: str = "") -> Path:
    """A file beside ``path`` that holds what it is to hold next, on disk when this returns.

    ``head`` stands there in the place of the one of its data set. The file is this user's alone. Raises
    OSError, and leaves nothing then.
    """
    heads = {**read_heads(path).heads, head.dataset: head}
    content = {
        "heads of ledgers": KIND,
        "heads": {name: head.line() for name, head in heads.items()},
        **({"rows": rows} if rows else {}),
    }
    descriptor, name = tempfile.mkstemp(prefix=".establish-head-", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(json.dumps(content) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
    return draft


def put_head(draft: Path, path: Path) -> None:
    """Let the draft replace ``path`` as a whole, on disk when this returns. Raises OSError."""
    draft.replace(path)
    sync_folder(path.parent)


def heads_in(folder: Path, dataset: str) -> Iterator[Head]:
    """What the records of releases in ``folder`` say of the ledger of ``dataset``."""
    if not folder.is_dir():
        return
    for path in sorted(folder.glob("*.json")):
        head = head_of(path)
        if head is not None and head.dataset == dataset:
            yield head


def head_of(record: Path) -> Head | None:
    """What the record of a release says of its ledger; None where it is no such record."""
    try:
        content = json.loads(_text(record))
        own = content["ledger"]
        number, checksum = _number(own["entry"]), _digest(own["head"])
        return Head(content["dataset"], number, checksum, str(record), signed_by=None, by_name=True)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _text(path: Path) -> str:
    """What a regular file holds; a pipe would hang, and a device may never end.

    Raises OSError, and ValueError for another kind of file, one above LARGEST, or other than UTF-8.
    """
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            raise ValueError
        return file.read(LARGEST).decode("utf-8")


def _read(name: str, own: Mapping[str, object], path: Path) -> Head:
    """One head of a file, its signature not checked yet."""
    public, signature = (str(own.get(key, "")) for key in ("public_key", "signature"))
    number, checksum = _number(own["entry"]), _digest(own["head"])
    return Head(name, number, checksum, str(path), public, signature)


def _checked(head: Head) -> Head:
    """The head with the name of who signed it. Raises ParameterError for a wrong signature."""
    if not (head.public_key or head.signature):
        return head
    from establish.impl.signing import signer_of  # loaded where there is a signature

    signed_by = signer_of(head.signed, head.public_key, head.signature)
    if signed_by is None:
        raise ParameterError(
            f"HEAD = {head.place}: the signature of the head of {head.dataset} is wrong: somebody edited it; "
            "restore the file from a copy"
        )
    return replace(head, signed_by=signed_by)


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError
    return value


def _digest(value: object) -> str:
    if not isinstance(value, str) or not _CHECKSUM.fullmatch(value):
        raise ValueError
    return value
