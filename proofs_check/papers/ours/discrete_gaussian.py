"""The discrete Gaussian: what its weights sum to, closer than the integral and 1; what it costs on counts."""

from typing import Any

from establish import Evidence, Renyi, SumOnIntegers, Verdict, claim, holds, premise, rules, solver
from establish.proofs_check.engine.statements import Integer, PrivatePerRecord, Rational, Real
from establish.spec.distributions.discrete_gaussian import DiscreteGaussian
from establish.spec.mechanisms.discrete_gaussian import DiscreteGaussianMechanism

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
    poisson, *rest = rules.beyond_first(CLOSE, lambda c, s: s)
    cited = premise("Poisson summation", poisson, cites="Stein and Shakarchi 2003, Fourier Analysis, 5.3")
    return holds(rules.dual_sum(CLOSE, lambda c, s: s, cited, *map(solver.owed, rest)))


COUNTS = PrivatePerRecord(
    Rational("ρ", above=0),
    mechanism=lambda rho: DiscreteGaussianMechanism(rho),
    policy=lambda c, rho, x: rho * x * x,
)
ATTAINED = Renyi(
    Real("ρ", above=0),
    Integer("q"),
    Integer("x"),
    Integer("a", least=2),
    first=lambda c, rho, q, x, a: DiscreteGaussian(q + x, 1 / (2 * rho), c),
    second=lambda c, rho, q, x, a: DiscreteGaussian(q, 1 / (2 * rho), c),
    order=lambda c, rho, q, x, a: a,
    most=lambda c, rho, q, x, a: a * rho * x * x,
    relation="==",
)
"""At every whole order it costs no less."""


@claim(
    "establish/discrete-gaussian-counts",
    where="Counts of jobs with noise of the discrete Gaussian",
    says="A count of jobs with noise of the discrete Gaussian with σ² = 1/(2ρ) satisfies per-record zCDP: an "
    "establishment of x jobs costs ρ·x².",
    states=COUNTS,
    tight=ATTAINED,
)
def counts_cost_the_square() -> Verdict:
    """The laws around q + x and q have σ² = 1/(2ρ), so that their divergence is at most a·x²/(2σ²), and that
    where a·x is whole.
    """

    def square(c: Any, rho: Any, *_: Any) -> Any:
        return 1 / (2 * rho)

    def center(c: Any, rho: Any, q: Any, r: Any, a: Any) -> Any:
        return q + a * r

    def height(c: Any, rho: Any, q: Any, r: Any, a: Any) -> Any:
        return a * (a - 1) * rho * r * r

    bases = (lambda c, rho, q, r, a: q + r, lambda c, rho, q, r, a: q)

    def shown(divergence: Any) -> Evidence:
        owed = rules.shifted(divergence, square, center, height, *bases)
        return rules.gaussian_shift(divergence, square, center, height, bases, *map(solver.owed, owed))

    within = shown(rules.around_totals(COUNTS))
    return holds(rules.divergence_of_totals(COUNTS, within), shown(ATTAINED))
