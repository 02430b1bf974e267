"""What a release of one table settles before it reads data: where it goes, rules, noise, books."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from establish.impl.budget.books import Books, books_of
from establish.impl.production import in_production, require_production
from establish.impl.sampling.bits import Bits
from establish.impl.tables.frames import Frame
from establish.impl.tables.outputs import noise_source, require_apart, require_writable
from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.signing import Signer


def books_of_frame(
    frame: Frame, *, dataset: str | None, ledger: Path | None, second: Path | None, without: bool
) -> Books:
    """The books of a table in memory, which has no name, and no place for a ledger beside it.

    Its head lies beside the ledger, as that of a file whose ledger has the usual name. Raises
    ParameterError where name or ledger are missing.
    """
    if dataset is None:
        raise ParameterError(
            f"--dataset is missing: {frame} is in memory and has no name; name the data set whose budget "
            "this release spends"
        )
    if ledger is None and not without:
        raise ParameterError(
            f"--ledger is missing: {frame} is in memory, so there is no ledger beside it; give the file of "
            "the data set's ledger, or --without-ledger"
        )
    own = Path(dataset) if ledger is None else ledger.with_name(ledger.name.removesuffix(".ledger") or "data")
    return books_of([own], dataset=dataset, ledger=ledger, second=second, without=without)


@dataclass(frozen=True)
class Ready:
    """A release that may begin. ending, sidecar: of ``out``. strict: whether it is in production.

    books: as they were when it began.
    """

    source: Path | Frame
    out: Path
    ending: str
    sidecar: Path
    force: bool
    books: Books
    strict: bool
    seed: int | None
    bits: Bits
    sign: Signer | None


def ready_for(
    source: Path | Frame,
    out: Path,
    *,
    seed: int | None = None,
    force: bool = False,
    books: Books | None = None,
    sign: Signer | None = None,
) -> Ready:
    """Raises ParameterError, or CertificateError, where files, rules or books do not allow the release.

    books: those of a table in memory are needed; :func:`books_of_frame` makes them.
    """
    read: tuple[Path, ...] = ()
    if isinstance(source, Frame):
        assert books is not None, "books_of_frame makes those of a table in memory"
        own = books.data[0]
    else:
        books = books or books_of([source])
        own, read = source, (source,)
    ending, sidecar = require_writable(own, out, force)
    require_apart(out, sidecar, books.files)
    strict = in_production()
    if strict:
        signed, paths = sign is not None, (*read, out, *books.files)
        require_production(seed=seed, ledger=books.ledger, signed=signed, paths=paths)
        books.require_signed()
    bits = noise_source(seed)
    return Ready(source, out, ending, sidecar, force, books.ready(), strict, seed, bits, sign)
