"""Truncated Laplace in numpy: the node-private count of Haney et al. 2017, Sections 6 and 10."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from establish.impl.arrays import Floats, Integers
from establish.impl.certificate import require_certificate
from establish.impl.counts import LARGEST_COUNT, whole_counts
from establish.impl.floats import to_float
from establish.impl.identity import Described
from establish.impl.mechanisms.establishment_sums import group_numbers, sums_by_group
from establish.impl.mechanisms.on_counts import require_calibration
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals
from establish.spec.mechanisms.truncated_laplace import (
    Boundary,
    TightTruncatedLaplaceMechanism,
    TruncatedLaplaceMechanism,
)
from establish.spec.parameters import ParameterError, Rational, positive

BOUNDARIES = tuple(map(str, Boundary))
"""``below``: establishments of exactly θ workers are removed. ``at-most``: they are kept."""


class TruncatedLaplace(Described):
    """Counts over the establishments of size < θ (or ≤ θ), plus Laplace noise per cell, rounded.

    epsilon: ε > 0, exact. theta: an integer ≥ 1, and ≥ 2 with ``below``. ``published``: scale θ/ε.
    ``tight``: the largest size that is kept (θ − 1, or θ) over ε, whose exact loss is ε. Node
    differential privacy holds for a table whose cells share no establishment; cells that are also
    formed by worker attributes each cost ε. Raises ParameterError outside the domain.
    """

    name = "truncated-laplace"
    scope = ""
    specified: ClassVar = {"published": TruncatedLaplaceMechanism, "tight": TightTruncatedLaplaceMechanism}
    noise = (
        "noisy = the count over establishments of less than θ workers (or at most θ), plus η, rounded to "
        "the nearest whole number, η ~ Laplace(b)"
    )
    domain = "ε > 0, θ a whole number of at least 1 (2 where establishments of θ are removed)"
    rests_on = (
        "haney2017/sec6-trunc-sensitivity",
        "haney2017/sec6-marginal-sensitivity",
        "haney2017/def-2.4-scale",
    )

    def __init__(
        self, epsilon: Rational, theta: int, boundary: str = "below", calibration: str = "tight"
    ) -> None:
        self.epsilon = positive("ε", epsilon)
        self.boundary, self.calibration = boundary, require_calibration(calibration)
        if boundary not in BOUNDARIES:
            raise ParameterError(f"boundary = {boundary} is not allowed: use below or at-most")
        specified = self.specified[calibration](self.epsilon, theta, Boundary(boundary))
        if theta > LARGEST_COUNT:
            raise ParameterError(f"θ = {theta} is not allowed: θ is at most {LARGEST_COUNT}")
        self.theta, self.largest_kept = theta, specified.sensitivity
        self._scale = specified.noise_scale
        self.noise_scale = to_float("θ/ε", self._scale)

    @classmethod
    def again(cls, given: Mapping[str, Any], calibration: str, *, cells_given: bool) -> Self:
        return cls(given["epsilon"], int(given["theta"]), given["boundary"], calibration)

    @property
    def parameters(self) -> dict[str, str]:
        return {"epsilon": str(self.epsilon), "theta": str(self.theta), "boundary": self.boundary}

    @property
    def constants(self) -> dict[str, float]:
        return {"b": self.noise_scale}

    @property
    def expected_error(self) -> dict[str, str]:
        return {
            "mean absolute error": f"E|noisy − truncated n| = {self.noise_scale:.4g}",
            "bias": "E[noisy] − n = −(the workers of removed establishments in the cell)",
        }

    def truncated(self, sizes: ArrayLike, cells: ArrayLike, matching: ArrayLike | None = None) -> Floats:
        """The exact counts of cells 0, …, max(cells) without the removed establishments.

        sizes: the workforce of each establishment, which decides whether it is kept. cells: the
        cell of each. matching: how many of its workers are counted, all of them unless given.
        These are confidential. Raises ParameterError.
        """
        size = whole_counts("sizes", sizes)
        cell = group_numbers("cells", cells, size.size)
        counted = size if matching is None else whole_counts("matching", matching)
        if counted.shape != size.shape or np.any(counted > size):
            raise ParameterError("matching must hold at most the workforce of each establishment")
        kept = np.where(size <= self.largest_kept, counted, 0.0)
        return sums_by_group(kept[:, np.newaxis], cell, int(cell.max(initial=-1)) + 1)[:, 0]

    def release(
        self, sizes: ArrayLike, cells: ArrayLike, bits: Bits, matching: ArrayLike | None = None
    ) -> Integers:
        """One noisy whole number per cell; arguments as in :meth:`truncated`.

        Raises ParameterError, and CertificateError without a current certificate.
        """
        return self.noisy(self.truncated(sizes, cells, matching), bits)

    def noisy(self, counts: ArrayLike, bits: Bits) -> Integers:
        """One noisy whole number for each of ``counts``, from which establishments were removed.

        counts: those of :meth:`truncated`; confidential. Nobody can see from them whether they are
        truncated, and without it the noise is too small. Raises ParameterError, and
        CertificateError without a current certificate.
        """
        require_certificate(self.name)
        exact = Reals.floats(whole_counts("counts", counts))
        return sampling.laplace(exact, Reals.fraction(self._scale), bits).astype(np.int64)
