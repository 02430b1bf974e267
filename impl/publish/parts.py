"""Noise where cells were counted: each part of a table is drawn and written by an executor.

Every part has a key of its own, from the release's. A task that runs again draws the same noise for the same
cells, and what it writes is compared with what is there: see :mod:`establish.impl.tabulate.parts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from establish.impl.budget.laws import law_of_counts
from establish.impl.budget.queries import CountQuery
from establish.impl.certificate import CertificateError, certifying, digest_of_code
from establish.impl.mechanisms import Mechanism
from establish.impl.mechanisms.truncated_laplace import TruncatedLaplace
from establish.impl.sampling.bits import Bits, PartKeys
from establish.impl.tabulate.parts import Finish
from establish.impl.tabulate.spread import SpreadCells
from establish.impl.tabulate.tabulate import Tabulator
from establish.spec.composition import Definition


def noisy(
    law: Mechanism | TruncatedLaplace,
    counts: NDArray[np.int64],
    largest: NDArray[np.int64],
    bits: Bits,
) -> NDArray[np.int64]:
    """One noisy count for each cell. Raises CertificateError without a current certificate."""
    if isinstance(law, TruncatedLaplace):
        return law.noisy(counts, bits)
    return law.release(counts, bits, largest)


@dataclass(frozen=True)
class Noise:
    """What an executor does with the true counts of a part.

    The mechanism is made anew there, from the query. code: the digest of its code on this machine.
    uncertified: whether it may run there without a certificate, as it may here.
    """

    query: CountQuery
    definition: Definition
    keys: PartKeys
    code: str
    uncertified: bool

    def __call__(
        self, part: int, first: int, counts: NDArray[np.int64], largest: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Raises CertificateError unless the executor has the code that this machine has."""
        law = law_of_counts(self.query, self.definition)
        if digest_of_code(law.name) != self.code:
            raise CertificateError(
                f"an executor has other code for {law.name} than this machine: install the same establish"
            )
        with certifying() if self.uncertified else nullcontext():
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
