"""What the mechanisms on counts share: how a release goes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from establish.impl.arrays import Floats, Integers
from establish.impl.certificate import require_certificate
from establish.impl.counts import largest_within, whole_counts
from establish.impl.floats import to_float
from establish.impl.identity import Described
from establish.impl.mechanisms.serving import serving
from establish.impl.sampling.bits import Bits
from establish.spec.domains import Domain
from establish.spec.parameters import ParameterError, Rational, positive

CALIBRATIONS = ("published", "tight")
"""``published``: the constants as printed. ``tight``: the least noise that is proved."""


LEAST = Domain("1/1000 <= ε")
"""Where staircases are drawn: a smaller ε has too many steps."""


def require_calibration(calibration: str) -> str:
    """``calibration`` itself. Raises ParameterError unless it is one of CALIBRATIONS."""
    if calibration not in CALIBRATIONS:
        raise ParameterError(f"calibration = {calibration} is not allowed: use published or tight")
    return calibration


ROUNDED = (
    "The noise is drawn exactly from the proved distribution. A value that is not a whole number is then "
    "rounded to the nearest one, which moves it by at most 1/2. Values beyond 2^52 are set to 2^52."
)
"""How most mechanisms on counts round."""


class OnCounts(Described, ABC):
    """A mechanism that releases one noisy whole number per cell."""

    name: str
    calibration: str
    noise: str
    """The noise in words, as records say it."""
    rounding: ClassVar[str] = ROUNDED
    """How what it draws is rounded: printed with every release."""
    specified: ClassVar[Mapping[str, type[Any]]]
    """By calibration, the ideal mechanism of ``spec/`` that is drawn, at parameters of the same names."""
    domains: ClassVar[Mapping[str, Domain]]
    """By calibration, where it is defined: what decides, what records say, and what a refusal tells."""
    follows_largest: ClassVar[bool] = False
    """Whether the noise follows the largest establishment where that is given."""
    reach: float | None = None
    """How far a released number lies from the count with probability 19/20, where one number tells."""
    unnamed: ClassVar[str] = "tight"
    """The calibration that counts where none is named."""
    scope = ""
    """What a guarantee says of its scope besides the definition: nothing."""

    def release(self, counts: ArrayLike, bits: Bits, largest: ArrayLike | None = None) -> Integers:
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
    def domain(self) -> str:
        """Where it is defined, in words."""
        return str(self.domains[self.calibration])

    def _calibrated(self, calibration: str) -> str:
        """``calibration`` itself. Raises ParameterError unless the mechanism has it."""
        if require_calibration(calibration) not in self.specified:
            (own,) = self.specified
            raise ParameterError(
                f"{self.name} needs calibration = {own}, as no paper publishes it, but calibration = "
                f"{calibration}"
            )
        return calibration

    def _require_defined(self, **at: Fraction) -> None:
        """Raise ParameterError unless these parameters are in the domain, and say what would serve."""

        def other() -> str:
            tight = self.calibration != "tight" and self.domains["tight"].includes(at)
            return "calibration = tight" if tight else serving(at["alpha"], at["epsilon"])

        self.domains[self.calibration].require(self.name, at, other if "alpha" in at else None)

    @property
    @abstractmethod
    def expected_error(self) -> dict[str, str]:
        """The errors that records tell, before rounding, in words."""

    @abstractmethod
    def mean_error(self, count: Fraction) -> float:
        """E|noisy − n| for a cell of one establishment of ``count``, before rounding."""

    @abstractmethod
    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        """The released values as whole floats, for checked counts."""


class OfGrowth(OnCounts):
    """One that is made of α and ε alone."""

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        self.alpha, self.epsilon = positive("α", alpha), positive("ε", epsilon)
        self.calibration = self._calibrated(calibration)
        to_float("1/α", 1 / self.alpha)
        to_float("1/ε", 1 / self.epsilon)
        self._require_defined(alpha=self.alpha, epsilon=self.epsilon)

    @property
    def parameters(self) -> dict[str, str]:
        return {"alpha": str(self.alpha), "epsilon": str(self.epsilon)}
