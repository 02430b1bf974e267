"""A count with noise of the discrete Gaussian (Canonne, Kamath and Steinke 2020)."""

from __future__ import annotations

from collections.abc import Sequence

from establish.spec.arithmetic import MP, World
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian
from establish.spec.domains import Domain
from establish.spec.parameters import Rational, positive


class DiscreteGaussianMechanism:
    """A count of jobs with noise of the discrete Gaussian with σ² = 1/(2ρ), which costs ρ·x² (zCDP) where the
    count changes by x: ρ for one job.

    Raises ParameterError unless ρ > 0.
    """

    domain = Domain("ρ > 0")

    def __init__(self, rho: Rational) -> None:
        self.rho = positive("rho", rho)

    def output(self, sizes: Sequence[int], c: World = MP) -> DiscreteGaussian:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        return DiscreteGaussian(sum(sizes), 1 / (2 * c.number(self.rho)), c)
