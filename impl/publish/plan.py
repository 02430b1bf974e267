"""Release a plan: cost it, answer its queries, record the spending, and only then let tables appear."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from establish.impl.budget.accountant import cost, require_within
from establish.impl.budget.books import Books, books_of_plan
from establish.impl.budget.ledger import Receipt
from establish.impl.budget.plan import Plan
from establish.impl.budget.spending import spending_of
from establish.impl.production import in_production, require_production
from establish.impl.publish.entered import publish_entered
from establish.impl.publish.sidecar import about, certificates, resting_on, seeding, versions
from establish.impl.sampling.bits import Bits
from establish.impl.tables.columns import Coded, Column, Table, table_writer
from establish.impl.tables.files import format_of, place_of
from establish.impl.tables.formulas import warnings
from establish.impl.tables.outputs import noise_source
from establish.impl.tables.rows_digest import digest_of_files
from establish.impl.tables.superseded import Superseded, named_in, remove
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.signing import Signer

RECORD = "release.json"
"""The file that says what was done, beside the tables."""

Advance = Callable[[str], None]


class Unwritten(Protocol):
    """A table that is drawn while it is written, by others than this process, as a folder of parts."""

    @property
    def labels(self) -> Mapping[str, Sequence[str]]:
        """By column, every label that may stand in it."""

    def write(self, path: Path) -> None:
        """Make the folder ``path``. Raises ParameterError."""


@dataclass(frozen=True)
class Answered:
    """What an answerer made of confidential data, all of it fit to be published.

    tables: one per name of the answerer; those in memory are columns. answers: describes each use of a
    mechanism. record: what else the record says.
    """

    tables: Sequence[Table | Unwritten]
    answers: Sequence[Mapping[str, object]]
    record: Mapping[str, object]


class Answerer(Protocol):
    """Answers the queries of one plan from one kind of data."""

    @property
    def names(self) -> Sequence[str]:
        """The tables to be written, without their ending."""

    @property
    def reads(self) -> Sequence[Path]:
        """The files of data, which must not be written over."""

    def answer(self, bits: Bits, verdicts: Mapping[str, str], advance: Advance) -> Answered:
        """Reads the data. Raises ParameterError when they do not allow the plan."""


@dataclass(frozen=True)
class PlanRelease:
    """A written release: its tables, the file that describes them, the ledger's receipt, what it replaced.

    receipt: None for a release without a ledger. told: for whoever releases, and nobody else.
    """

    tables: tuple[Path, ...]
    record: Path
    receipt: Receipt | None
    books: Books
    superseded: Superseded
    told: Sequence[str] = ()


def release_plan(
    plan: Plan,
    answerer: Answerer,
    out: Path,
    *,
    verdicts: Mapping[str, str],
    ending: str = ".parquet",
    seed: int | None = None,
    force: bool = False,
    books: Books | None = None,
    sign: Signer | None = None,
    advance: Advance = lambda _: None,
) -> PlanRelease:
    """Write the folder ``out``: a table for each name of the answerer, and RECORD.

    verdicts: recorded verdict by claim id. ending: .parquet, .csv, .csv.gz or .xlsx. seed: reproducible
    noise, for tests; else it is secret. force: whether existing files are replaced; the other tables that the
    record there names are removed, as far as they are still what it says. books: in place of those that the
    plan names. advance: called with what is done next.

    The plan is costed and held against its ledger before the data are read; its entry is on disk
    before any file is visible. Raises ParameterError, and neither writes nor spends, when the plan, its
    ledger, the data or the files do not allow the release; CertificateError when a mechanism has no
    current certificate.
    """
    names = [f"{name}{ending}" for name in answerer.names]
    books = books or books_of_plan(plan)
    used = (plan.path, *books.files, *answerer.reads)
    strict = in_production(plan.production)
    if strict:
        signed = sign is not None
        require_production(seed=seed, ledger=books.ledger, signed=signed, paths=(*used, out))
        books.require_signed()
    paths = _writable(out, used, [*names, RECORD], force)
    bits = noise_source(seed)
    found = cost(plan)
    entry = spending_of(plan, found, seeded=seed is not None, output=str(place_of(paths[-1])))
    require_within(plan, found)
    books.require_left(entry, plan.cap, out)
    books = books.ready()
    advance("recognizing the data")
    books, told = books.recognized(partial(digest_of_files, books.data), strict=strict)
    answered = answerer.answer(bits, verdicts, advance)
    for path, table in zip(paths[:-1], answered.tables, strict=True):
        if not isinstance(table, Mapping) and path.exists():
            raise ParameterError(
                f"--out = {out}: {path.name} exists, and a folder of parts replaces nothing: choose another"
            )
    risky = [line for table in answered.tables for line in _risky(table, strict)]
    record = {
        **answered.record,
        "notes": [*_notes(answered.record), *risky],
        "production": strict,
        "rests_on": resting_on(found.rests_on, verdicts),
        "answers": answered.answers,
        **certificates(str(use["mechanism"]) for use in answered.answers),
        "seed": seeding(seed),
        "versions": versions(),
    }
    advance("writing")
    says = about(RECORD, record)
    writes = {
        path: table_writer(table, ending, says) if isinstance(table, Mapping) else table.write
        for path, table in zip(paths[:-1], answered.tables, strict=True)
    }
    earlier: dict[Path, str] = {}
    with _folder(out):
        done = publish_entered(
            books,
            entry,
            plan.cap,
            writes,
            paths[-1],
            record,
            replace=force,
            sign=sign,
            first=lambda: earlier.update(named_in(paths[-1])),
            elsewhere=any(not isinstance(table, Mapping) for table in answered.tables),
        )
    keep = {place_of(path) for path in (*paths, *used)}
    return PlanRelease(paths[:-1], paths[-1], done.receipt, books, remove(earlier, keep), [*told, *done.told])


def _risky(table: Table | Unwritten, strict: bool) -> list[str]:
    if not isinstance(table, Mapping):
        return warnings(table.labels, refuse=strict)
    return warnings({name: _texts(column) for name, column in table.items()}, refuse=strict)


def _texts(column: Column) -> Iterable[object]:
    """The labels that stand in a column."""
    if isinstance(column, Coded):
        return column.values
    return column if column.dtype == object else ()


def _notes(record: Mapping[str, object]) -> list[object]:
    found = record["notes"]
    return found if isinstance(found, list) else []


@contextmanager
def _folder(out: Path) -> Iterator[None]:
    """``out`` is there; if it was not, and stays empty, it is gone afterwards. Raises ParameterError."""
    made = not out.exists()
    try:
        out.mkdir(exist_ok=True)
    except OSError as error:
        raise ParameterError(f"--out = {out} cannot be made: {error.strerror}") from None
    try:
        yield
    except BaseException:
        if made:
            with suppress(OSError):  # it is not empty: another release writes there
                out.rmdir()
        raise


def _writable(out: Path, used: Sequence[Path], names: Sequence[str], force: bool) -> tuple[Path, ...]:
    """The paths of the files. Raises ParameterError when one may not be written."""
    format_of("--format", Path(names[0]), released=True)
    if len({name.lower() for name in names}) < len(names):
        raise ParameterError("two tables of the release would have the same name: rename a query")
    if not out.parent.is_dir() or (out.exists() and not out.is_dir()):
        raise ParameterError(f"--out = {out} is not a folder, nor can one be made there")
    paths = tuple(out / name for name in names)
    taken = {place_of(path) for path in used}
    if place_of(out) in taken:
        raise ParameterError(f"--out = {out} holds the data: choose another folder")
    for path in paths:
        if place_of(path) in taken:
            raise ParameterError(f"--out = {out}: {path.name} is a file that the plan uses")
        if path.is_dir() or (path.exists() and not force):
            raise ParameterError(f"--out = {out}: {path.name} exists: choose another or use --force")
    return paths
