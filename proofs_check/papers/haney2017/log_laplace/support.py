"""Section 8.1, Algorithm 1: where its outputs lie."""

from fractions import Fraction

import sympy

from establish import Below, Equal, Real, Verdict, claim, holds, solver, symbolic
from establish.proofs_check.papers.haney2017.log_laplace.error import ETA_REAL
from establish.spec.distributions import log_laplace

_LAW = Real("n", least=0), Real("γ", above=0), Real("λ", above=0)

ABOVE_LOW = Below(
    *_LAW,
    Real("p", above=0, below=1),
    left=lambda c, n, gamma, scale, p: -gamma,
    right=lambda c, n, gamma, scale, p: log_laplace.quantile(p, n, gamma, scale, c),
)
ALL_ABOVE_LOW = Below(
    *_LAW,
    Real("o", above=lambda c, n, gamma, scale: -gamma),
    left=0,
    right=lambda c, n, gamma, scale, o: c.exp(log_laplace.log_density(o, n, gamma, scale, c)),
)
HALF_BELOW = Equal(
    *_LAW[1:],
    left=lambda c, gamma, scale: log_laplace.cdf(c.number(0), c.number(0), gamma, scale, c),
    right=Fraction(1, 2),
)
"""The outputs are the numbers above −γ: every quantile is one, and the density is positive at each of them.
For an empty cell half of the probability lies below 0.
"""


@claim(
    "haney2017/alg-1-support",
    where="Section 8.1, Algorithm 1",
    says="The output of Algorithm 1 is a noisy employment count.",
    states=(ABOVE_LOW, ALL_ABOVE_LOW, HALF_BELOW),
    tight=(ABOVE_LOW, ALL_ABOVE_LOW),
    origin="implied",
)
def log_laplace_can_be_negative() -> Verdict:
    """A noisy count is a real number here, as everywhere in the paper. It lies in (−γ, ∞) and can be
    negative: an empty cell gives a negative one with probability 1/2, down to −γ = −1/α.
    """
    alpha = Fraction(1, 10)
    count = sympy.Symbol("n", nonnegative=True)
    output = (count + 1 / alpha) * sympy.exp(ETA_REAL) - 1 / alpha
    return holds(
        *map(solver.proves, (ABOVE_LOW, ALL_ABOVE_LOW)),
        solver.proves(HALF_BELOW, lambda c, gamma, scale: c.log(gamma / gamma)),
        symbolic.identity(
            sympy.limit(output, ETA_REAL, -sympy.oo), -1 / alpha, "the output as η falls, α = 1/10"
        ),
        symbolic.identity(
            sympy.diff(output, ETA_REAL),
            (count + 1 / alpha) * sympy.exp(ETA_REAL),
            "its slope in η, which is positive",
        ),
        value="support (−1/α, ∞)",
        condition="a real number, below 0 with probability 1/2 if the count is 0",
    )
