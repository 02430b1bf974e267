"""What is known of a ledger elsewhere: which entry it must hold.

A chain of checksums does not show that its end was removed, nor that it is another chain. A head does: it
names a data set, an entry by its number, and that entry's checksum. Heads stand beside the data, in a
second place that the user names, and in the record of every release.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from establish.impl.tables.files import place_of
from establish.impl.tables.publishing import sync_folder
from establish.spec.parameters import ParameterError

KIND = "establish heads, version 1"
"""What a file of heads says first."""

LARGEST_RECORD = 20_000_000
"""Bytes of a file that is read as the record of a release at most."""

_CHECKSUM = re.compile(r"[0-9a-f]{64}")


class LedgerLost(ParameterError):
    """A ledger lacks an entry that was published or is named elsewhere."""


@dataclass(frozen=True)
class Head:
    """That the ledger of ``dataset`` has the entry ``number`` with ``checksum``. place: who says so."""

    dataset: str
    number: int
    checksum: str
    place: str


@dataclass(frozen=True)
class Heads:
    """A file of heads, one a data set. data: the digest of the data beside it, where it lies there."""

    heads: Mapping[str, Head]
    data: str = ""


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
    """The heads in the file; none where there is no file. Raises ParameterError for anything else."""
    try:
        content = json.loads(path.read_text("utf-8"))
        if content["heads of ledgers"] != KIND:
            raise ValueError
        heads = {
            str(name): Head(str(name), _number(own["entry"]), _digest(own["head"]), str(path))
            for name, own in content["heads"].items()
        }
        return Heads(heads, _digest(content["data"]) if content.get("data") else "")
    except FileNotFoundError:
        return Heads({})
    except OSError as error:
        raise ParameterError(f"HEAD = {path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ParameterError(f"HEAD = {path} is damaged: it is no file of heads") from None


def write_head(path: Path, head: Head, data: str = "") -> None:
    """Put ``head`` in the place of the one of its data set, on disk when this returns.

    The file is this user's alone, and is replaced as a whole. Raises OSError.
    """
    heads = {**read_heads(path).heads, head.dataset: head}
    content = {
        "heads of ledgers": KIND,
        "heads": {name: {"entry": h.number, "head": h.checksum} for name, h in heads.items()},
        **({"data": data} if data else {}),
    }
    descriptor, name = tempfile.mkstemp(prefix=".establish-head-", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(json.dumps(content) + "\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise
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
        if record.stat().st_size > LARGEST_RECORD:
            return None
        content = json.loads(record.read_text("utf-8"))
        own = content["ledger"]
        return Head(content["dataset"], _number(own["entry"]), _digest(own["head"]), str(record))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError
    return value


def _digest(value: object) -> str:
    if not isinstance(value, str) or not _CHECKSUM.fullmatch(value):
        raise ValueError
    return value
