"""The mechanisms on establishment microdata, drawn many times, against the specification's laws.

What runs returns multiples of a public grid: the ideal output rounded, so P(output ≤ x) is the ideal
distribution function at half a step above x.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from establish.impl.microdata.group_by import Groups
from establish.impl.microdata.neighbor_functions import NeighborFunction, neighbor_function
from establish.impl.microdata.probably_no_clipping import ProbablyNoClipping
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.grid import Grid
from establish.proofs_check.certification.subject import DRAWS, SEED, Case
from establish.proofs_check.engine.methods.statistical import follows_discrete_law
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import MP
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms import probably_no_clipping, psi_mechanism
from establish.spec.neighbor_functions.named import neighbor_function as specified

VALUES, BOUNDS = (40, 3, 900), (60, 4, 850)
"""A group of three establishments, and upper bounds of their values, one of which fails."""


@dataclass(frozen=True)
class OneGroup:
    """ψ as the implementation and as the specification name it, with γ and μ."""

    kind: str
    shift: str
    gamma: str
    mu: str

    @property
    def runs(self) -> NeighborFunction:
        return neighbor_function(self.kind, Fraction(self.shift))

    @property
    def words(self) -> str:
        return f"(ψ = {self.runs.name}, γ = {self.gamma}, μ = {self.mu})"

    def _specified(self) -> str:
        if Fraction(self.shift) == 0:
            return self.kind
        return f"{self.kind}(x+{self.shift})"

    def psi_conforms(self) -> Evidence:
        """Evidence that the ψ-mechanism answers with its ideal law, rounded."""
        mechanism = PsiMechanism(self.runs, self.gamma, self.mu)
        law = psi_mechanism.PsiMechanism(specified(self._specified()), self.gamma, self.mu)
        drawn = mechanism.release(np.full(DRAWS, sum(VALUES)), Bits.seeded(SEED))
        return _follows(drawn, law.output(VALUES), mechanism.grid, f"psi {self.words}")

    def pnc_conforms(self) -> Evidence:
        """Evidence that pnc answers with its ideal law, rounded, given the bounds."""
        mechanism = ProbablyNoClipping(self.runs, self.gamma, self.mu)
        psi = specified(self._specified())
        law = probably_no_clipping.ProbablyNoClipping(psi, self.gamma, self.mu)
        formed = Groups(np.repeat(np.arange(DRAWS), len(VALUES)), DRAWS, ())
        values, bounds = np.tile(VALUES, DRAWS), np.tile(BOUNDS, DRAWS)
        drawn = mechanism.release(formed, values, bounds, Bits.seeded(SEED)).answers
        return _follows(drawn, law.output(VALUES, BOUNDS), mechanism.grid, f"pnc {self.words}")


def _follows(drawn: np.ndarray, law: Gaussian, grid: Grid, words: str) -> Evidence:
    half = Fraction(grid.unit) / 2
    return follows_discrete_law(
        drawn,
        lambda x: float(law.cdf(MP.number(Fraction(x) + half))),
        grid.unit,
        f"{words} draws the ideal law, rounded, for establishments of {', '.join(map(str, VALUES))}",
    )


_RUNS = (
    OneGroup("sqrt", "0", "1/2", "7/10"),
    OneGroup("sqrt", "1/2", "50", "3/20"),
    OneGroup("log", "1", "1/10", "2"),
    OneGroup("identity", "0", "5", "1"),
)

CASES = tuple(
    Case(
        name,
        (
            f"establish.impl.microdata.{stem}",
            f"establish.spec.mechanisms.{stem}",
            "establish.impl.publish.establishment_answers",
        ),
        rests_on,
        conforms,
    )
    for run in _RUNS
    for name, stem, rests_on, conforms in (
        (PsiMechanism.name, "psi_mechanism", PsiMechanism.rests_on, run.psi_conforms),
        (
            ProbablyNoClipping.name,
            "probably_no_clipping",
            ProbablyNoClipping.rests_on,
            run.pnc_conforms,
        ),
    )
)
