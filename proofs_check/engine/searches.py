"""The record of searches: what the adversary of each object tried, and which planted neighbors it found."""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from establish.proofs_check.engine.records import Record
from establish.proofs_check.engine.tables import rows_of, text_of
from establish.proofs_check.engine.verdicts import NOT_RUN, Outcome

NAME = "searches.csv.gz"
"""The file, beside this module; compressed, as data are."""


@dataclass(frozen=True)
class Line:
    """What was searched against one object of a claim.

    object: its number among those that the verdict says are true, from 1. effort: about how many points
    were to be tried. tried: over what it searched. found and missed: planted neighbors, joined by "; ".
    """

    id: str
    object: int
    effort: int
    tried: str
    found: str
    missed: str


COLUMNS = tuple(field.name for field in fields(Line))

Searches = Mapping[str, Sequence[Line]]
"""The lines of each claim, in the order of its objects."""


def lines_of(record: Record) -> list[Line]:
    """The lines that would record what was searched when ``record`` was settled."""
    return [
        Line(
            record.id,
            number,
            search["effort"],
            search["tried"],
            "; ".join(search["found"]),
            "; ".join(search["missed"]),
        )
        for number, search in enumerate(record.adversary, start=1)
    ]


def parse(text: str) -> Searches:
    """The lines in ``text``, which `write` wrote. Raises ValueError for a wrong header or line."""
    found: dict[str, list[Line]] = {}
    rows = rows_of(text, COLUMNS, ValueError, "the searches must start with the columns", "row {} has")
    for _, (id, number, effort, tried, seen, missed) in rows:
        found.setdefault(id, []).append(Line(id, int(number), int(effort), tried, seen, missed))
    return found


def write(searches: Searches) -> str:
    """The text from which `parse` reads ``searches``, in their order."""
    return text_of(COLUMNS, (astuple(line) for lines in searches.values() for line in lines))


def recorded() -> Searches:
    """Those that this installation carries."""
    return read(files("establish.proofs_check.engine").joinpath(NAME))


def read(file: Traversable) -> Searches:
    """Those in a file; none where there is none."""
    return parse(gzip.decompress(file.read_bytes()).decode("utf-8")) if file.is_file() else {}


def save(file: Path, searches: Searches) -> None:
    """Write a file that `read` reads."""
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(gzip.compress(write(searches).encode("utf-8"), mtime=0))


def compare(record: Record, known: Searches) -> str | None:
    """None when the adversaries found what is recorded, searched with another effort, or were not run; else
    the difference in words.
    """
    if record.verdict in (NOT_RUN, Outcome.UNSETTLED):
        return None
    came_out, before = lines_of(record), known.get(record.id, ())
    if len(came_out) != len(before):
        return f"{len(before)} searches recorded, {len(came_out)} made"
    for now, then in zip(came_out, before, strict=True):
        if now.effort == then.effort and (now.found, now.missed) != (then.found, then.missed):
            return (
                f"object {now.object}: of the mutants, refuted {then.found or 'nothing'} and missed "
                f"{then.missed or 'nothing'}; now refuted {now.found or 'nothing'}, missed "
                f"{now.missed or 'nothing'}"
            )
    return None


def rewritten(known: Searches, records: Iterable[Record], registered: Iterable[str]) -> Searches:
    """``known`` with the searches of ``records``, for the ``registered`` ids only, in their order.

    The lines of a deeper search with as many objects stay.
    """
    new: dict[str, Sequence[Line]] = {}
    for record in records:
        if record.verdict in (NOT_RUN, Outcome.UNSETTLED):
            continue
        lines, before = lines_of(record), known.get(record.id, ())
        deeper = len(lines) == len(before) and any(
            then.effort > now.effort for now, then in zip(lines, before, strict=True)
        )
        new[record.id] = before if deeper else lines
    return {id: found for id in registered if (found := new.get(id, known.get(id, ())))}


def with_ledger(ledger: Path) -> Path:
    """The file of searches in the checkout of a ledger's file."""
    return ledger.parent / "engine" / NAME
