"""Noise where cells were counted: each part of a table is drawn and written by an executor.

Every part has a key of its own, from the release's. A task that runs again draws the same noise for the same
cells, and what it writes is compared with what is there: see :mod:`establish.impl.tabulate.parts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from establish.impl.arrays import Integers
from establish.impl.budget.mechanisms_of_queries import law_of_counts
from establish.impl.budget.queries import CountQuery
from establish.impl.certificate import (
    OVERRIDE,
    CertificateError,
    certifying,
    digest_of_code,
    digest_of_seal,
    overridden,
)
from establish.impl.mechanisms import Mechanism
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.production import in_production
from establish.impl.sampling.bits import Bits, PartKeys
from establish.impl.tabulate.parts import Finish
from establish.impl.tabulate.spread import SpreadCells
from establish.impl.tabulate.tabulate import Tabulator
from establish.spec.composition import Definition
from establish.spec.parameters import ParameterError


def noisy(law: Mechanism | TruncatedLaplace, counts: Integers, largest: Integers, bits: Bits) -> Integers:
    """One noisy count for each cell. Raises CertificateError without a current certificate."""
    if isinstance(law, TruncatedLaplace):
        return law.noisy(counts, bits)
    return law.release(counts, bits, largest)


@dataclass(frozen=True)
class Code:
    """What the machine that releases runs, for executors to compare with what they run.

    digest: of the files of the mechanism. seal: of all certificates. Where code need not be certified, as
    ``uncertified`` says, that is empty, and no certificate is read. production: whether the release is held
    to the rules of production.
    """

    mechanism: str
    digest: str
    seal: str
    uncertified: bool
    production: bool

    @classmethod
    def here(cls, mechanism: str, *, production: bool) -> Code:
        """Of this machine. Raises CertificateError where a certificate or the seal is missing."""
        free = overridden()
        seal = "" if free else digest_of_seal()
        return cls(mechanism, digest_of_code(mechanism, certified=not free), seal, free, production)

    def require_same(self, *, secret: bool) -> None:
        """Refuse, on an executor, to draw with other code than that machine, or by looser rules.

        secret: whether the noise is. Raises CertificateError, and ParameterError for a seed in production.
        """
        if digest_of_code(self.mechanism, certified=not self.uncertified) != self.digest:
            raise CertificateError(
                f"an executor has other code for {self.mechanism} than this machine: install the same "
                "establish"
            )
        if not self.uncertified:
            if overridden():
                raise CertificateError(
                    f"an executor runs with {OVERRIDE}=1, and this machine does not: unset it there"
                )
            if digest_of_seal() != self.seal:
                raise CertificateError(
                    "an executor has other certificates than this machine: install the same establish"
                )
        if in_production(self.production):  # by the release, or by the executor's own environment
            if self.uncertified:
                raise CertificateError(f"{OVERRIDE}=1 is not allowed in production: unset it")
            if not secret:
                raise ParameterError("--seed is not allowed in production, by an executor's rules")


@dataclass(frozen=True)
class Noise:
    """What an executor does with the true counts of a part.

    The mechanism is made anew there, from the query. code: what it must be there.
    """

    query: CountQuery
    definition: Definition
    keys: PartKeys
    code: Code

    def __call__(self, part: int, first: int, counts: Integers, largest: Integers) -> Integers:
        """Raises CertificateError or ParameterError unless the executor has that code and its rules."""
        self.code.require_same(secret=self.keys.is_secret)
        law = law_of_counts(self.query, self.definition)
        with certifying() if self.code.uncertified else nullcontext():
            return noisy(law, counts, largest, self.keys.bits(part, first))


@dataclass(frozen=True)
class NoisyParts:
    """A table that executors write when it is asked for. size: cells of a part."""

    tabulator: Tabulator = field(repr=False)
    cells: SpreadCells
    column: str
    noise: Finish = field(repr=False)
    size: int

    @property
    def labels(self) -> Mapping[str, Sequence[str]]:
        """By column, every label that may stand in it."""
        return {a: self.cells.numbering.values[a] for a in self.cells.attributes}

    def write(self, path: Path) -> None:
        """Make the folder ``path`` with the parts. Raises ParameterError."""
        self.tabulator.write_parts(self.cells, path, self.column, self.noise, self.size)
