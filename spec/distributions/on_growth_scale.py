"""A law on the growth scale, carried to outputs by an increasing scale, such as φ⁻¹(Y)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from establish.spec import growth_scale
from establish.spec.arithmetic import MP, Number, World


class Outputs(Protocol):
    """What an output means on the growth scale: increasing, without jumps."""

    def value(self, y: Number) -> Number:
        """The output at y."""

    def position(self, x: Number) -> Number:
        """Where the output is x: the inverse."""

    def log_slope(self, x: Number) -> Number:
        """ln of the slope of the inverse at x."""


@dataclass(frozen=True)
class Counts:
    """Outputs are counts: position is φ, and value φ⁻¹."""

    alpha: Fraction
    c: World = MP

    def value(self, y: Number) -> Number:
        return growth_scale.inverse(y, self.alpha, self.c)

    def position(self, x: Number) -> Number:
        return growth_scale.scale(x, self.alpha, self.c)

    def log_slope(self, x: Number) -> Number:
        return growth_scale.log_slope(x, self.alpha, self.c)


@dataclass(frozen=True)
class OnGrowthScale:
    """outputs.value(Y) for a law Y on the growth scale. Support: the real line, no atoms."""

    noisy: Any
    outputs: Outputs

    def log_density(self, x: Number) -> Number:
        return self.noisy.log_density(self.outputs.position(x)) + self.outputs.log_slope(x)

    def cdf(self, x: Number) -> Number:
        return self.noisy.cdf(self.outputs.position(x))

    def quantile(self, p: Number) -> Number:
        """Raises ParameterError unless 0 < p < 1 certainly."""
        return self.outputs.value(self.noisy.quantile(p))
