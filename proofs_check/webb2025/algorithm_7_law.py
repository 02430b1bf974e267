"""Appendix A.4: what the Gamma law of the concentrations does to the shares of establishments."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
import z3

from establish.proofs_check.methods import enclosure, exhaustive, solver, symbolic
from establish.proofs_check.methods.enclosure import digits
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Verdict, aside, holds, holds_loosely, ill_posed
from establish.proofs_check.webb2025.weighted_least_squares import gamma_moment
from establish.spec.arithmetic import ARB, Number, World, enclosing
from establish.spec.synthetic.divider import shares, variance_share
from establish.spec.synthetic.microdata import SCALE, SHAPE

F = Fraction
K, THETA, D = sympy.symbols("k theta d", positive=True)


def _variance_of_mean_shares() -> sympy.Expr:
    """Var W_j, W = a/Σa with d independent a_j ~ Gamma(k, θ), from moments: W is independent of Σa."""
    first, second = (
        gamma_moment(p, K, 1 / THETA) / gamma_moment(p, D * K, 1 / THETA) for p in (1, 2)
    )
    return sympy.gammasimp(second - first**2)


def _within_over_between() -> sympy.Expr:
    """E[W(1 − W)]/Var W for the mean share W of one of d establishments at shape k."""
    mean, variance = 1 / D, variance_share(K, D * K)
    return (mean - mean**2 - variance) / variance


@claim(
    "webb2025/alg-7-scale",
    where="Appendix A.4",
    says="High shape and scale parameters do not produce much variation across the establishments.",
)
def a_high_shape_is_enough() -> Verdict:
    """The mean shares W_j = a_j/Σa do not change when every a_j is multiplied by the scale. They are
    Dirichlet(k, …, k): variance (d − 1)/(d²(dk + 1)), which a high shape k makes small and the scale leaves
    alone: with shape 1 they differ as much at scale 200 as at scale 1. A share itself has 1 + r times that
    variance, r between dk/(θdk + 1) and dk/(θ(dk − 1)) (alg-7-alike): a high scale takes r to 0 and no
    more, and a high shape makes the whole small at any scale θ, as r is at most 2/θ where dk ≥ 2.
    """
    g = sympy.symbols("g1:4", positive=True)
    k, h, d, theta = z3.Reals("k h d theta")

    def spread(shape: Number, size: Number) -> Number:
        return variance_share(shape, size * shape)

    return holds_loosely(
        symbolic.identity(
            shares([THETA * x for x in g])[0],
            shares(g)[0],
            "W_1 of three, with and without the scale",
        ),
        symbolic.identity(_variance_of_mean_shares(), spread(K, D), "Var W_j"),
        symbolic.identity(spread(K, D), (D - 1) / (D**2 * (D * K + 1)), "its closed form"),
        symbolic.identity(_within_over_between(), D * K, "E[W(1 − W)]/Var W"),
        solver.for_all(
            [d >= 2, k > 0, h > k],
            (d - 1) / (d**2 * (d * h + 1)) < (d - 1) / (d**2 * (d * k + 1)),
            "a higher shape gives less variation",
        ),
        solver.for_all(
            [d * k >= 2, theta > 0],
            d * k / (theta * (d * k - 1)) <= 2 / theta,
            "r ≤ 2/θ where dk ≥ 2",
        ),
        value="variance (1 + r)(d − 1)/(d²(dk + 1)) of the shares at shape k, 0 < r ≤ 2/scale where dk ≥ 2",
    )


@claim(
    "webb2025/alg-7-alike",
    where="Appendix A.4",
    says="An establishment gets roughly similar proportions of wages and employment, which may still vary.",
)
def shares_are_correlated() -> Verdict:
    """Given a, the two shares are independent with mean W and variance W(1 − W)/(s + 1), s = Σa, and s is
    independent of W. So their correlation is 1/(1 + r), r = E[W(1 − W)]·E[1/(s + 1)]/Var W. As
    1/(E[s] + 1) ≤ E[1/(s + 1)] ≤ E[1/s] = 1/(θ(dk − 1)), r lies between dk/(θdk + 1) and dk/(θ(dk − 1)):
    at k = 10, θ = 200 between 20/4001 and 1/190 for every d ≥ 2.
    """
    n, d = sympy.Symbol("n", positive=True), z3.Real("d")
    low, high = F(2 * SHAPE, 2 * SHAPE * SCALE + 1), F(2 * SHAPE, SCALE * (2 * SHAPE - 1))
    jobs = d * SHAPE
    return holds(
        symbolic.identity(
            gamma_moment(-1, 1 + n, 1 / THETA),
            1 / (THETA * n),
            "E[1/s] for a sum of shape 1 + n = dk",
        ),
        symbolic.identity(_within_over_between(), D * K, "E[W(1 − W)]/Var W"),
        solver.for_all(
            [d >= 2],
            z3.And(
                jobs * low.denominator >= low.numerator * (SCALE * jobs + 1),
                jobs * high.denominator <= high.numerator * SCALE * (jobs - 1),
            ),
            f"at shape 10 and scale 200, {low} and {high} bound r",
        ),
        value=f"correlation between {1 / (1 + high)} and {1 / (1 + low)} for every d ≥ 2",
    )


@claim(
    "webb2025/alg-7-zero",
    where="Appendix A.4",
    says="The parameters keep values from being so close to zero that they are often rounded down to zero.",
)
def small_cells_have_zeros_whatever_the_parameters() -> Verdict:
    """d positive whole numbers add up to at least d. So in a cell of A < d jobs at least d − A establishments
    get 0 under any law, and at A = d rounding down leaves a zero unless all parts are exactly 1. The
    parameters matter for larger cells: the mean share W ~ Beta(10, 10(d − 1)).
    """
    a, b, c = z3.Reals("a b c")
    with enclosing():
        one, five = (digits(_below(F(1, 10 * size))(ARB), 6) for size in (1, 5))
    return ill_posed(
        solver.for_all(
            [a >= 1, b >= 1, c >= 1, a + b + c <= 3],
            z3.And(a == 1, b == 1, c == 1),
            "three jobs for three",
        ),
        exhaustive.for_all(
            (parts for d in (1, 2, 3, 4) for parts in product(range(4), repeat=d)),
            lambda parts: parts.count(0) >= len(parts) - sum(parts),
            "at least d − A of d whole parts of A are 0",
            "d = 1…4, parts 0…3",
        ),
        aside(
            enclosure.compare(
                _below(F(1, 10)),
                ">",
                enclosure.rational(F(1, 2)),
                "P(10·W < 1) at d = 10, one job each",
            )
        ),
        enclosure.compare(
            _below(F(1, 50)), "<", enclosure.rational(F(1, 10**4)), "P(50·W < 1), five jobs each"
        ),
        condition="several jobs per establishment",
        counterexample="2 establishments, 1 job: one of them has 0 jobs whatever the shares",
        value=f"at d = 10 a mean share below one job: probability {one} at one job each, {five} at five",
    )


def _below(x: Fraction, shape: int = SHAPE, d: int = 10) -> enclosure.Constant:
    """P(W < x) for the mean share W ~ Beta(shape, shape·(d − 1))."""

    def probability(c: World) -> Number:
        return c.beta_share(c.number(x), c.number(shape), c.number(shape * (d - 1)))

    return probability


@claim(
    "webb2025/alg-7-low-shape",
    where="Appendix A.4",
    says="A low shape value such as 1 results in low and near zero proportions.",
)
def low_shape_gives_small_shares() -> Verdict:
    """At d = 10 the mean share is below 1% with probability 1 − (99/100)^9 = 8.6% at shape 1 (W is
    Beta(1, 9), the least of nine uniforms in law), and below 1e-6 at shape 10.
    """
    closed = 1 - F(99, 100) ** 9
    return holds(
        enclosure.compare(
            _below(F(1, 100), 1),
            ">",
            enclosure.rational(closed - F(1, 10**12)),
            "P(W < 1%) at shape 1",
        ),
        enclosure.compare(
            _below(F(1, 100), 1),
            "<",
            enclosure.rational(closed + F(1, 10**12)),
            "P(W < 1%) at shape 1",
        ),
        enclosure.compare(
            _below(F(1, 100)), "<", enclosure.rational(F(1, 10**6)), "P(W < 1%) at shape 10"
        ),
        value=f"{closed}",
    )


@claim(
    "webb2025/alg-7-skew",
    where="Appendix A.4",
    says="The Gamma law has a right skew that its shape and scale parameters adjust.",
)
def skew_depends_on_the_shape_only() -> Verdict:
    """Skewness 2/√k > 0, 0.632 at k = 10, whatever the scale. It is a mild skew: the chance that a
    concentration exceeds three times its mean is P(Poisson(30) < 10) = e^−30·Σ_{i<10} 30^i/i! < 1e-5, so
    no cell has a dominant establishment. In a cell of two, shares are symmetric: skewness 0.
    """
    m1, m2, m3 = (gamma_moment(p, K, 1 / THETA) for p in (1, 2, 3))
    central = m3 - 3 * m1 * m2 + 2 * m1**3
    skewness = sympy.gammasimp(sympy.simplify(central / (m2 - m1**2) ** sympy.Rational(3, 2)))
    terms = sum(F(30**i, int(sympy.factorial(i))) for i in range(10))
    return holds_loosely(
        symbolic.identity(skewness, 2 / sympy.sqrt(K), "the skewness of Gamma(k, θ)"),
        aside(
            enclosure.compare(
                lambda c: c.exp(c.number(-30)) * c.number(terms),
                "<",
                enclosure.rational(F(1, 10**5)),
                "P(a_j > 3·E a_j) at shape 10",
            )
        ),
        value="skewness 2/√shape, whatever the scale",
    )
