"""What a release of one table settles before it reads data: where it goes, rules, noise, books."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from establish.impl.budget.books import Books, books_of
from establish.impl.production import in_production, require_production
from establish.impl.sampling.bits import Bits
from establish.impl.signing import Signer
from establish.impl.tables.outputs import noise_source, require_apart, require_writable


@dataclass(frozen=True)
class Ready:
    """A release that may begin. ending, sidecar: of ``out``. strict: whether it is in production.

    books: as they were when it began.
    """

    source: Path
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
    source: Path,
    out: Path,
    *,
    seed: int | None = None,
    force: bool = False,
    books: Books | None = None,
    sign: Signer | None = None,
) -> Ready:
    """Raises ParameterError, or CertificateError, where files, rules or books do not allow the release."""
    ending, sidecar = require_writable(source, out, force)
    books = books or books_of([source])
    require_apart(out, sidecar, books.files)
    strict = in_production()
    if strict:
        signed, paths = sign is not None, (source, out, *books.files)
        require_production(seed=seed, ledger=books.ledger, signed=signed, paths=paths)
        books.require_signed()
    bits = noise_source(seed)
    return Ready(source, out, ending, sidecar, force, books.ready(), strict, seed, bits, sign)
