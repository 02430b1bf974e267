"""The proof of Lemma 8.2: the moments of the noise, and the series that they sum to."""

from math import factorial

import sympy

from establish import Outcome, SumOnIntegers, Verdict, claim, exact, misprint, symbolic
from establish.proofs_check.engine.statements import Comparison, Equal, Integer, Moment, Real, computed
from establish.proofs_check.papers.haney2017.log_laplace.error import MEAN, cells
from establish.spec.distributions import laplace, log_laplace
from establish.spec.distributions.geometric import Geometric
from establish.spec.distributions.laplace import Laplace

ODD_MOMENTS = Moment(
    Integer("n", least=0),
    Real("λ", above=0),
    law=lambda c, n, scale: Laplace(c.number(0), scale, c),
    of=lambda c, n, scale, eta: c.power(eta, 2 * n + 1),
    closed=lambda c, n, scale: 0 * scale,
    breaks=[lambda c, n, scale: c.number(0)],
    depends=True,
)
EVEN_MOMENTS = tuple(
    Moment(
        Real("λ", above=0),
        law=lambda c, scale: Laplace(c.number(0), scale, c),
        of=lambda c, eta, n=n: c.power(eta, 2 * n),
        closed=lambda c, scale, n=n: laplace.absolute_moment(2 * n, scale),
        breaks=[lambda c, scale: c.number(0)],
    )
    for n in (1, 2, 3)
)
"""E η^(2n) = (2n)!·λ^(2n) at the first orders."""

TWICE_A_FACTORIAL = Equal(
    Integer("n", least=1),
    Real("λ", above=0),
    left=computed(lambda c, n, scale: laplace.absolute_moment(2 * n, scale)),
    right=computed(lambda c, n, scale: 2 * factorial(n) * c.power(scale, 2 * n)),
)
"""E η^(2n) = 2n!·λ^(2n) as printed."""


def _sum_from(first: int) -> Comparison:
    """E[x̃] = −γ + (x+γ)·Σ λ^(2n), the sum running from ``first``: λ^(2·first)/(1−λ²)."""
    return Equal(
        *cells(above=0, below=1),
        left=lambda c, scale, gamma, x: x + log_laplace.bias(x, gamma, scale),
        right=lambda c, scale, gamma, x: (
            -gamma + (x + gamma) * (c.power(scale, 2 * first) / (1 - scale * scale))
        ),
    )


FROM_ONE, FROM_ZERO = map(_sum_from, (1, 0))

SERIES = SumOnIntegers(
    Real("λ", above=0, below=1),
    law=lambda c, scale: Geometric(0, scale * scale, c),
    of=lambda c, scale, n: (c.sign(n) + c.absolute(c.sign(n))) / 2 + 0 * scale,
    closed=lambda c, scale: 1 / (1 - scale * scale),
)
"""Σ_{n ≥ 1} λ^(2n) = 1/(1−λ²), by which the second printed line is the first."""


@claim(
    "haney2017/lemma-8.2-proof",
    where="Appendix B, proof of Lemma 8.2",
    says="E[η^i] = 0 for all odd i and E[η^(2n)] = 2n!·λ^(2n), so that E[x̃] = −γ + (x+γ)·Σ λ^(2n) = "
    "−γ + (x+γ)/(1−λ²), with the sum printed from n = 1.",
    states=(ODD_MOMENTS, TWICE_A_FACTORIAL, MEAN, SERIES, FROM_ONE),
    meant=(ODD_MOMENTS, *EVEN_MOMENTS, MEAN, FROM_ZERO),
)
def series_starts_at_zero() -> Verdict:
    """The odd moments are 0, and the even ones are (2n)!·λ^(2n), so that their series is Σ_{n≥0} λ^(2n) =
    1/(1−λ²): it includes the term 1 of n = 0. From n = 1 the sum is λ²/(1−λ²), which loses that term; the
    next printed line is right again. Read as 2·(n!) the printed moment is right at n = 1 only.
    """
    n, eta = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("eta", positive=True)
    return misprint(
        *map(symbolic.integrates, (ODD_MOMENTS, *EVEN_MOMENTS, MEAN)),
        symbolic.identity(
            sympy.integrate(eta ** (2 * n) * sympy.exp(-eta), (eta, 0, sympy.oo)),
            sympy.gamma(2 * n + 1),
            "the even moment of every order at λ = 1 is (2n)!",
        ),
        exact.refuted(TWICE_A_FACTORIAL, n=2, λ=1),
        exact.refuted(SERIES, λ="1/2"),
        exact.refuted(FROM_ONE, λ="1/2", γ=1, x=0),
        symbolic.proves(FROM_ZERO),
        reading="(2n)!·λ^(2n), and the sum from n = 0",
        reading_is=Outcome.HOLDS,
        counterexample="λ = 1/2: Σ from 1 is 1/3, but 1/(1−λ²) = 4/3; n = 2, λ = 1: E η⁴ = 4! = 24, not "
        "2·2! = 4",
    )
