"""What the weights of the discrete Gaussian sum to, closer than the integral and 1."""

from establish import Real, SumOnIntegers, Verdict, claim, holds, premise, solver
from establish.proofs_check.engine.rules import beyond_first, dual_sum
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian

CLOSE = SumOnIntegers(
    Real("s", above=0),
    law=lambda c, s: DiscreteGaussian(0, s, c),
    relation="<=",
    closed=lambda c, s: c.sqrt(2 * c.pi * s) * (1 + 2 / (c.exp(2 * c.pi * c.pi * s) - 1)),
)


@claim(
    "establish/gaussian-sum",
    where="Sums over the integers",
    says="The sum over the integers of e^(−k²/(2s)) is at most √(2πs)·(1 + 2/(e^(2π²s) − 1)).",
    states=CLOSE,
)
def gaussian_sum() -> Verdict:
    """Poisson's summation formula, and a geometric sum above the dual one."""
    poisson, *rest = beyond_first(CLOSE, lambda c, s: s)
    cited = premise("Poisson summation", poisson, cites="Stein and Shakarchi 2003, Fourier Analysis, 5.3")
    return holds(dual_sum(CLOSE, lambda c, s: s, cited, *map(solver.owed, rest)))
