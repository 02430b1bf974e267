"""The probably-no-clipping (pnc) mechanism (Webb et al. 2025, Section 6.2).

Identity answers ω_j = ψ(x_j) + N(0, γ²/μ²), given by the ψ-mechanism, yield an upper bound u_j on each
establishment's value. With the bounds as public constants, the sum of a group is clipped at them and
gets normal noise whose standard deviation depends on the group's largest bound only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions import gaussian
from establish.spec.distributions.gaussian import Gaussian, shift
from establish.spec.mechanisms.clipped_inverse import clipped_inverse
from establish.spec.neighbor_functions.functions import NeighborFunction
from establish.spec.parameters import ParameterError, Rational, positive, probability

Clip = Callable[[Sequence[Number], Sequence[Number], World], Number]
"""The clipped sum of a group, from the values and the bounds of its establishments."""


def margin(zeta: Rational, bounds: int, c: World) -> Number:
    """τ̂ = Φ⁻¹((1 − ζ)^(1/m)) for m = ``bounds`` upper bounds at once (Theorem 6.7).

    ζ in (0, 1), m ≥ 1; ParameterError otherwise. TypeError in EXACT.
    """
    if bounds < 1:
        raise ParameterError(f"bounds = {bounds} is not allowed: bounds must be at least 1")
    return margin_of(c.number(1 - probability("zeta", zeta)), bounds, c)


def margin_of(kept: Number, bounds: Number, c: World) -> Number:
    """Φ⁻¹(kept^(1/m)) for m = ``bounds``, with numbers of the world: 0 < kept < 1 and m ≥ 1."""
    return gaussian.quantile(c.power(kept, 1 / c.number(bounds)), c)


def upper_bound(psi: NeighborFunction, answer: Number, sd: Number, margin: Number, c: World) -> Number:
    """u = ψ⁻¹(ω + s·τ̂), raised to 0 where ω + s·τ̂ lies below ψ(0) (Theorem 6.7)."""
    return clipped_inverse(psi, c.number(answer) + sd * margin, c)


def published_sensitivity(psi: NeighborFunction, bound: Number, gamma: Number, c: World) -> Number:
    """Δ = u − ψ⁻¹(max(0, ψ(u) − γ)) as printed in Definition 6.8: too little where ψ(0) < 0, and where
    ψ(0) > 0 too much for small u, with ψ⁻¹ read below its domain. Right where ψ(0) = 0.
    """
    bound = c.number(bound)
    return bound - psi.inverse(c.maximum(c.number(0), psi.value(bound, c) - gamma), c)


def sensitivity(psi: NeighborFunction, bound: Number, gamma: Number, c: World) -> Number:
    """Δ = u − ψ⁻¹(max(ψ(0), ψ(u) − γ)): the most by which close values differ once clipped at u."""
    bound = c.number(bound)
    return bound - clipped_inverse(psi, psi.value(bound, c) - gamma, c)


def clipped_at_largest(values: Sequence[Number], bounds: Sequence[Number], c: World) -> Number:
    """Σ min(x_j, u*), u* the largest bound of the group (Definition 6.8)."""
    largest = _largest(bounds, c)
    return clipped_at_own(values, [largest] * len(values), c)


def clipped_at_own(values: Sequence[Number], bounds: Sequence[Number], c: World) -> Number:
    """Σ min(x_j, u_j) (text of Section 6.2)."""
    pairs = zip(values, bounds, strict=True)
    return sum((-c.maximum(-c.number(x), -c.number(u)) for x, u in pairs), c.number(0))


def _largest(bounds: Sequence[Number], c: World) -> Number:
    most = c.number(bounds[0])
    for bound in bounds[1:]:
        most = c.maximum(most, c.number(bound))
    return most


class PublishedProbablyNoClipping:
    """Definition 6.8 as printed, for given bounds; no privacy where ψ(0) < 0.

    gamma: γ > 0. mu: μ > 0, the budget beside that of the identity answers. clip: which bound
    clips. Raises ParameterError for γ or μ outside its domain.
    """

    sensitivity = staticmethod(published_sensitivity)

    def __init__(
        self, psi: NeighborFunction, gamma: Rational, mu: Rational, clip: Clip = clipped_at_largest
    ) -> None:
        self.psi, self.clip = psi, clip
        self.gamma = positive("gamma", gamma)
        self.mu = positive("mu", mu)

    def output(self, values: Sequence[Number], bounds: Sequence[Number], c: World = MP) -> Gaussian:
        """The law of one group's answer, given the bounds of its establishments (at least one)."""
        most = _largest(bounds, c)
        scale = self.sensitivity(self.psi, most, c.number(self.gamma), c) / c.number(self.mu)
        return Gaussian(self.clip(values, bounds, c), scale, c)

    def privacy_cost(
        self, values: Sequence[Number], other: Sequence[Number], bounds: Sequence[Number], c: World = MP
    ) -> Number:
        """The least μ for one group's answers on two datasets, the bounds being given.

        The bounds must make the noise positive.
        """
        return shift(self.output(values, bounds, c), self.output(other, bounds, c))


class ProbablyNoClipping(PublishedProbablyNoClipping):
    """Definition 6.8 with ψ(0) in place of 0: given the bounds, μ-GEDP for either way to clip."""

    sensitivity = staticmethod(sensitivity)
