"""A law on the growth scale, carried back to counts: φ⁻¹(Y)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from establish.spec import growth_scale
from establish.spec.arithmetic import MP, Number, World


@dataclass(frozen=True)
class OnGrowthScale:
    """φ⁻¹(Y) for a law Y on the growth scale. Support: the real line, no atoms."""

    noisy: Any
    alpha: Fraction
    c: World = MP

    def position(self, x: Number) -> Number:
        """φ(x)."""
        return growth_scale.scale(x, self.alpha, self.c)

    def log_density(self, x: Number) -> Number:
        return self.noisy.log_density(self.position(x)) + growth_scale.log_slope(
            x, self.alpha, self.c
        )

    def cdf(self, x: Number) -> Number:
        return self.noisy.cdf(self.position(x))

    def quantile(self, p: Number) -> Number:
        """Raises ParameterError unless 0 < p < 1 certainly."""
        return growth_scale.inverse(self.noisy.quantile(p), self.alpha, self.c)
