"""Which label is part of which: by a file, by prefix, by a public code system, or all part of one total."""

import csv
from collections.abc import Collection, Iterable
from pathlib import Path

from establish.impl.suppression.codes import Parents, by_codes
from establish.impl.tables.dialects import why_unreadable
from establish.spec.disclosure_limitation.code_systems import CODE_SYSTEMS
from establish.spec.parameters import ParameterError


def parents(column: str, spec: str, labels: Collection[str], total: str) -> Parents:
    """The label above each of ``labels``, and above each of these.

    spec: ``flat`` (all are part of ``total``), ``prefix`` (of the longest label that they begin with, or of
    ``total``), the name of a code system, or the path of a file. total: the label of the total, "" for none.
    Raises ParameterError for a label that the code system cannot place, for a file that cannot be read, or
    that names a label twice or below itself.
    """
    if spec in CODE_SYSTEMS:
        return by_codes(column, CODE_SYSTEMS[spec], labels, total)
    if spec == "flat":
        return {label: total for label in labels if total and label != total}
    if spec == "prefix":
        return _by_prefix(labels, total)
    found = _of_file(Path(spec), total)
    _require_no_cycle(spec, found)
    return found


def _by_prefix(labels: Collection[str], total: str) -> Parents:
    known, found = set(labels), {}
    for label in labels:
        above = (label[:size] for size in range(len(label) - 1, 0, -1))
        parent = next((prefix for prefix in above if prefix in known and prefix != total), total)
        if label != total and parent:
            found[label] = parent
    return found


def _of_file(path: Path, total: str) -> Parents:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise ParameterError(f"hierarchy {path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ParameterError(f"hierarchy: {why_unreadable(path)}") from None
    if path.suffix.lower() == ".hrc":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return _nested(path, ((len(line) - len(line.lstrip("@")), line.lstrip("@")) for line in lines), total)
    rows = [row for row in csv.reader(text.splitlines()) if row]
    if any(len(row) != 2 for row in rows):
        why = why_unreadable(path)
        raise ParameterError(
            f"hierarchy: {why}" if why else f"hierarchy {path}: every line must have two fields"
        )
    if rows and [field.strip() for field in rows[0]] == ["label", "parent"]:
        return _listed(path, rows[1:])
    rows = rows[1:] if rows and [field.strip() for field in rows[0]] == ["level", "name"] else rows
    if not all(level and set(level) == {"@"} for level, _ in rows):
        raise ParameterError(
            f"hierarchy {path}: it must begin with a line label,parent, or hold @,label lines"
        )
    return _nested(path, ((len(level) - 1, label) for level, label in rows), "")


def _nested(path: Path, lines: Iterable[tuple[int, str]], total: str) -> Parents:
    """Labels by depth, each part of the last one that is less deep; at depth 0 of ``total``."""
    above: list[str] = []
    found: Parents = {}
    seen = {total} if total else set()
    for depth, label in lines:
        if depth > len(above):
            raise ParameterError(f"hierarchy {path}: {label} is more than one level below the line before")
        if label in seen:
            raise ParameterError(f"hierarchy {path}: {label} is named twice")
        seen.add(label)
        if depth or total:
            found[label] = above[depth - 1] if depth else total
        above[depth:] = [label]
    return found


def _listed(path: Path, rows: Iterable[list[str]]) -> Parents:
    found: Parents = {}
    for label, parent in rows:
        if label in found:
            raise ParameterError(f"hierarchy {path}: {label} is named twice")
        if parent:
            found[label] = parent
    return found


def _require_no_cycle(spec: str, found: Parents) -> None:
    safe: set[str] = set()
    for start in found:
        chain: dict[str, None] = {}
        label = start
        while label in found and label not in safe:
            if label in chain:
                raise ParameterError(f"hierarchy {spec}: {label} is part of itself")
            chain[label] = None
            label = found[label]
        safe |= set(chain)
