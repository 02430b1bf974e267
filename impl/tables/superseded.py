"""Tables of an earlier release that a new one in the same folder does not replace."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from establish.impl.tables.files import place_of
from establish.impl.tables.publishing import digest_of, parts_of


@dataclass(frozen=True)
class Superseded:
    """What stood beside the record that was replaced. left: files that are not as it says any more."""

    removed: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()


def named_in(record: Path) -> dict[Path, str]:
    """The tables that a record names, in its own folder, with their sha256; none where it is no record."""
    try:
        tables = json.loads(record.read_text("utf-8"))["tables"]
        return {
            record.with_name(name): str(digest)
            for name, digest in tables.items()
            if name not in ("", ".", "..") and name == Path(name).name
        }
    except (OSError, ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return {}


def remove(tables: Mapping[Path, str], keep: Collection[Path]) -> Superseded:
    """Remove those of ``tables`` that are unchanged and not among ``keep``; of other files none.

    keep: as :func:`place_of` gives them. A link is not what was written, so it is left, as is what cannot
    be removed.
    """
    removed: list[Path] = []
    left: list[Path] = []
    for path, digest in tables.items():
        if place_of(path) in keep or not (path.exists() or path.is_symlink()):
            continue
        try:
            same = not path.is_symlink() and digest_of(path) == digest
            if same:
                for part in parts_of(path):
                    part.unlink()
                if path.is_dir():
                    path.rmdir()
            (removed if same else left).append(path)
        except OSError:
            left.append(path)
    return Superseded(tuple(removed), tuple(left))
