"""What the mechanisms on counts share: how a release goes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from establish.impl.certificate import require_certificate
from establish.impl.counts import largest_within, whole_counts
from establish.impl.sampling.bits import Bits


class OnCounts(ABC):
    """A mechanism that releases one noisy whole number per cell."""

    name: str
    calibration: str
    noise: str
    """The noise in words, as records say it."""
    specified: ClassVar[Mapping[str, type[Any]]]
    """By calibration, the ideal mechanism of ``spec/`` that is drawn, at parameters of the same names."""
    unnamed: ClassVar[str] = "tight"
    """The calibration that counts where none is named."""
    scope = ""
    """What a guarantee says of its scope besides the definition: nothing."""

    def release(self, counts: ArrayLike, bits: Bits, largest: ArrayLike | None = None) -> NDArray[np.int64]:
        """One noisy whole number per cell; the count stands in for ``largest`` where none is given.

        counts, largest: whole numbers ≥ 0, one per cell, largest ≤ count; ``largest`` is checked by every
        mechanism, and used by those whose noise it scales. Raises ParameterError, and CertificateError
        without a current certificate.
        """
        require_certificate(self.name)
        n = whole_counts("counts", counts)
        top = n if largest is None else largest_within("largest", largest, n)
        return self._noisy(n, top, bits).astype(np.int64)

    @property
    @abstractmethod
    def rests_on(self) -> tuple[str, ...]:
        """The claims that its guarantees need, by id."""

    @property
    @abstractmethod
    def parameters(self) -> dict[str, str]:
        """The exact parameters by name, as records write them."""

    @property
    @abstractmethod
    def constants(self) -> dict[str, float]:
        """What follows from the parameters, by the symbol that ``noise`` uses."""

    @property
    @abstractmethod
    def domain(self) -> str:
        """Where it is defined, in words."""

    @property
    @abstractmethod
    def expected_error(self) -> dict[str, str]:
        """The errors that records tell, before rounding, in words."""

    @abstractmethod
    def mean_error(self, count: Fraction) -> float:
        """E|noisy − n| for a cell of one establishment of ``count``, before rounding."""

    @abstractmethod
    def _noisy(
        self, counts: NDArray[np.float64], largest: NDArray[np.float64], bits: Bits
    ) -> NDArray[np.float64]:
        """The released values as whole floats, for checked counts."""
