"""The complete list of the codes of a year, a user's own file: what a table has beyond it, and leaves out."""

import csv
from collections.abc import Collection
from pathlib import Path

from establish.impl.suppression.codes import by_codes
from establish.impl.tables.dialects import why_unreadable
from establish.spec.disclosure_limitation.code_systems import CODE_SYSTEMS
from establish.spec.parameters import ParameterError


def read_codes(path: Path) -> list[str]:
    """The codes of a file: its column ``code``, or every line of a file of one column without that name.

    Raises ParameterError for a file that cannot be read, has no code, or has several columns and none named
    so.
    """
    why = why_unreadable(path, separated=path.suffix.lower() == ".csv")
    if why:
        raise ParameterError(f"codes: {why}")
    try:
        rows = [row for row in csv.reader(path.read_text("utf-8-sig").splitlines()) if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        raise ParameterError(f"codes: {path} cannot be read") from None
    header = [name.strip() for name in rows[0]] if rows else []
    if "code" not in header and len(header) > 1:
        raise ParameterError(f"codes: {path} has several columns, and none is named code")
    at = header.index("code") if "code" in header else 0
    found = [row[at].strip() for row in (rows[1:] if "code" in header else rows) if len(row) > at]
    if not any(found):
        raise ParameterError(f"codes: {path} has no code")
    return list(dict.fromkeys(filter(None, found)))


def left_out(column: str, spec: str, labels: Collection[str], total: str, listed: Collection[str]) -> int:
    """How many codes of the list the table leaves out beside codes that it has: their cells count as 0.

    spec: the rule of adding up; without a code system none are counted. Raises ParameterError that names a
    label that the list has not.
    """
    known = {*listed, total}
    stray = next((label for label in labels if label not in known), None)
    if stray is not None:
        raise ParameterError(f"{column} = {stray} is not in the list of codes")
    if spec not in CODE_SYSTEMS:
        return 0
    system = CODE_SYSTEMS[spec]
    wholes = {*by_codes(column, system, labels, total).values()}
    above = by_codes(column, system, dict.fromkeys([*labels, *listed]), total)
    under = {whole for label in labels for whole in _all_above(label, above)}
    return sum(above.get(code) in wholes and code not in under for code in listed if code not in labels)


def _all_above(label: str, above: dict[str, str]) -> set[str]:
    found = set()
    while label in above:
        label = above[label]
        found.add(label)
    return found
