"""Log-Laplace: (n + γ)·e^η − γ with γ = 1/α (Haney et al. 2017, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.log_laplace import LogLaplace, mean_absolute_error
from establish.spec.domains import Defined


def shift(alpha: Fraction) -> Fraction:
    """γ = 1/α, the least shift at which the logarithm of a count has sensitivity ln(1+α)."""
    return 1 / alpha


def published_scale(alpha: Number, epsilon: Number, c: World) -> Number:
    """λ = 2·ln(1+α)/ε as printed in Algorithm 1; its exact privacy loss is ε/2."""
    return 2 * tight_scale(alpha, epsilon, c)


def tight_scale(alpha: Number, epsilon: Number, c: World) -> Number:
    """λ = ln(1+α)/ε, the least scale whose exact privacy loss is ε."""
    return c.log(1 + c.number(alpha)) / c.number(epsilon)


def privacy_loss(count: Number, neighbor: Number, shift: Number, scale: Number, c: World) -> Number:
    """sup over outputs of |ln(p/q)| between counts n and n': |ln((n'+γ)/(n+γ))|/λ.

    Both laws have the Jacobian 1/(o+γ), which cancels; what remains is a shift of a Laplace law.
    """
    return c.absolute(c.log((c.number(neighbor) + shift) / (c.number(count) + shift))) / scale


class LogLaplaceMechanism(Defined):
    """Algorithm 1 as published, for α > 0 and ε > 0; privacy loss exactly ε/2.

    Raises ParameterError outside that domain.
    """

    def noise_scale(self, c: World = MP) -> Number:
        """λ, the scale of the noise on the logarithm."""
        return published_scale(self.alpha, self.epsilon, c)

    def output(self, sizes: Sequence[int | Fraction], c: World = MP) -> LogLaplace:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        gamma = c.number(shift(self.alpha))
        return LogLaplace(c.number(sum(sizes)), gamma, self.noise_scale(c), c)


class TightLogLaplaceMechanism(LogLaplaceMechanism):
    """Algorithm 1 with half the published noise; privacy loss exactly ε."""

    def noise_scale(self, c: World = MP) -> Number:
        return tight_scale(self.alpha, self.epsilon, c)


def error_of_one(mechanism: LogLaplaceMechanism, count: Fraction) -> Number:
    """E|out − n| for n = count; infinite where λ ≥ 1."""
    law = mechanism.output((count,))
    return mean_absolute_error(MP.number(count), law.shift, law.scale) if law.scale < 1 else MP.mp.inf
