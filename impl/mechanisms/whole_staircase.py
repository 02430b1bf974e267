"""Whole-Staircase, a mechanism of our own: a staircase law on whole numbers."""

from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.mechanisms.growth_laplace import SIZES, by_size
from establish.impl.mechanisms.on_counts import LEAST, OfGrowth
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.spec.arithmetic import MP, Number
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism, mean_errors
from establish.spec.parameters import Rational


@lru_cache(maxsize=64)
def _errors(alpha: Fraction, epsilon: Fraction, count: int) -> tuple[Number, Number]:
    """Computed once where a mechanism is chosen, released and described."""
    return mean_errors(WholeStaircaseMechanism(alpha, epsilon), count)


class WholeStaircase(OfGrowth):
    """A whole number of a staircase law around φ(n), φ the growth scale of whole numbers; never below 0.

    alpha: 1/1000 ≤ α and epsilon: ln(1+α) < ε, from 1/1000 to 50, both exact. A neighbor moves φ(n) by at
    most 1, which crosses one step at most, so the privacy loss is ε. The one calibration is ``tight``. Raises
    ParameterError outside the domain, and where the constant 0 would have the smaller error.
    """

    name = "whole-staircase"
    specified: ClassVar = {"tight": WholeStaircaseMechanism}
    domains: ClassVar = {"tight": WholeStaircaseMechanism.domain & LEAST}
    noise = (
        "noisy = the least whole number o with s <= cut(φ(o + 1/2)), negative ones set to 0, s with a "
        "density of 1 around Λ(φ(n)) and lower by e^(−ε) in each further step, φ the scale on which the gap "
        "from m to m + 1 is 1/max(1, ⌊αm⌋), or ln(1 + 1/m)/ln(1 + α) for large m, Λ, cut and the ends of "
        "steps as establish.spec.distributions.whole_staircase defines them"
    )
    rests_on: tuple[str, ...] = (
        "establish/whole-staircase",
        "establish/whole-staircase-attained",
        "establish/whole-staircase-errors",
    )

    def __init__(self, alpha: Rational, epsilon: Rational, calibration: str = "tight") -> None:
        super().__init__(alpha, epsilon, calibration)
        self._specified = WholeStaircaseMechanism(self.alpha, self.epsilon)

    @property
    def constants(self) -> dict[str, float]:
        """The turn T, the mass of a whole step and the density beyond, and M."""
        ladder = self._specified.ladder
        _, step, slope, _ = ladder.rungs(MP)
        return {
            "turn": float(ladder.turn),
            "step": float(step),
            "density": float(slope),
            "last": float(self._specified.scale.last),
        }

    @property
    def expected_error(self) -> dict[str, str]:
        """E|noisy − n| and E noisy − n by size of cell."""
        return by_size([self.errors(n) for n in SIZES])

    def errors(self, count: int) -> tuple[Number, Number]:
        """E(noisy − n)⁺ and E(n − noisy)⁺ at n = count."""
        return _errors(self.alpha, self.epsilon, count)

    def mean_error(self, count: Fraction) -> float:
        return float(sum(self.errors(int(count))))

    def _noisy(self, counts: Floats, largest: Floats, bits: Bits) -> Floats:
        specified = self._specified
        values = sampling.whole_staircase(counts, specified.scale, specified.ladder, bits)
        return np.maximum(values, 0.0, out=values)
