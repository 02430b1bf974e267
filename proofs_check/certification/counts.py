"""The mechanisms on counts: what runs, drawn many times, against the ideal law of the specification.

What runs returns whole numbers: the ideal output rounded, so P(output ≤ k) is the ideal distribution
function at k + 1/2. Laws are read at 50 digits; they share no code with the fast path of the samplers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Protocol

import numpy as np

from establish.impl.mechanisms import Laplace, LogLaplace, Mechanism, SmoothGamma, SmoothLaplace
from establish.impl.sampling.bits import Bits
from establish.proofs_check.methods.statistical import follows_discrete_law
from establish.proofs_check.verdicts import Evidence
from establish.spec.arithmetic import MP, Number
from establish.spec.mechanisms.laplace import LaplaceMechanism
from establish.spec.mechanisms.log_laplace import LogLaplaceMechanism, TightLogLaplaceMechanism
from establish.spec.mechanisms.smooth_gamma import SmoothGammaMechanism, TightSmoothGammaMechanism
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism

DRAWS = 2_000_000
"""Enough to reject a scale that is off by 5%: the distance is then 0.0091 or more, twice the threshold
of 0.0023 and what lies between POINTS shares."""

SEED = 20170514

HALF = Fraction(1, 2)


class Law(Protocol):
    """A law of the specification."""

    def cdf(self, x: Number) -> Number: ...


@dataclass(frozen=True)
class Case:
    """A mechanism that runs, and the ideal law of its output for one cell of these establishments."""

    runs: Mechanism
    law: Law
    sizes: Sequence[int]

    @property
    def modules(self) -> tuple[str, str]:
        """Where it is implemented and where it is specified; both files have the same stem."""
        implementation = type(self.runs).__module__
        return implementation, implementation.replace("establish.impl.", "establish.spec.")


CASES: Mapping[str, Sequence[Case]] = MappingProxyType(
    {
        Laplace.name: (
            Case(Laplace("1/2"), LaplaceMechanism("1/2").output(40), (40,)),
            Case(Laplace("1/30"), LaplaceMechanism("1/30").output(7), (7,)),
        ),
        LogLaplace.name: (
            Case(
                LogLaplace("1/10", 2), LogLaplaceMechanism("1/10", 2).output((500, 40)), (500, 40)
            ),
            Case(LogLaplace(1, 4), LogLaplaceMechanism(1, 4).output((500,)), (500,)),
            Case(
                LogLaplace("1/20", 1, "tight"),
                TightLogLaplaceMechanism("1/20", 1).output((700, 2)),
                (700, 2),
            ),
        ),
        SmoothGamma.name: (
            Case(
                SmoothGamma("1/10", 2),
                SmoothGammaMechanism("1/10", 2).output((500, 500, 3)),
                (500, 500, 3),
            ),
            Case(
                SmoothGamma("1/10", "2/5", "tight"),
                TightSmoothGammaMechanism("1/10", "2/5").output((20, 15)),
                (20, 15),
            ),
        ),
        SmoothLaplace.name: (
            Case(
                SmoothLaplace("1/10", 2, "1/100"),
                SmoothLaplaceMechanism("1/10", 2, "1/100").output((300, 200)),
                (300, 200),
            ),
            Case(
                SmoothLaplace("1/10", 2, "1/100000", "tight"),
                SmoothLaplaceMechanism("1/10", 2, "1/100000").output((90,)),
                (90,),
            ),
        ),
    }
)
"""Noise of several units of the grid, so that rounding hides nothing of a wrong scale."""


def conforms(case: Case, draws: int = DRAWS) -> Evidence:
    """Evidence that what runs follows the ideal law, rounded to whole numbers."""
    count, largest = sum(case.sizes), max(case.sizes)
    sample = case.runs.release(np.full(draws, count), Bits.seeded(SEED), np.full(draws, largest))
    parameters = ", ".join(f"{key} = {value}" for key, value in case.runs.parameters.items())
    return follows_discrete_law(
        sample,
        lambda x: float(case.law.cdf(MP.number(Fraction(x) + HALF))),
        1.0,
        f"{case.runs.name} ({case.runs.calibration}, {parameters}) draws the ideal law, rounded, for "
        f"establishments of {', '.join(map(str, case.sizes))}",
    )


def checks(cases: Sequence[Case]) -> list[Evidence]:
    """What is shown about one mechanism's sampler."""
    return [conforms(case) for case in cases]
