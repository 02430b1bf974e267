"""Mechanisms that add noise on the growth scale φ of counts; ours."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, final

from establish.spec import growth_scale
from establish.spec.arithmetic import MP, Number, World
from establish.spec.distributions.on_growth_scale import Counts, OnGrowthScale, Outputs
from establish.spec.domains import Defined


class OnGrowthScaleMechanism(Defined, ABC):
    """A function of φ(n) + W for the count n of a cell; neither it nor the law of W depends on n; α > 0."""

    @abstractmethod
    def noisy(self, center: Number, c: World = MP) -> Any:
        """The law of φ(out) where φ(n) is ``center``."""

    def outputs(self, c: World = MP) -> Outputs:
        """What φ(n) + W is carried to: φ⁻¹, unless a mechanism says otherwise."""
        return Counts(self.alpha, c)

    @final
    def output(self, sizes: Sequence[int | Fraction], c: World = MP) -> OnGrowthScale:
        """The law of the release for one cell; ``sizes`` are the counts of its establishments."""
        center = growth_scale.scale(sum(sizes), self.alpha, c)
        return OnGrowthScale(self.noisy(center, c), self.outputs(c))
