"""Appendix A.4: what the shape and the scale of Algorithm 7 do to shares."""

from fractions import Fraction

import sympy
import z3

from establish import AtMost, Below, Equal, Every, Moment, Real, claim, exact, exhaustive, solver, symbolic
from establish.proofs_check.engine.verdicts import Verdict, holds, holds_loosely, ill_posed
from establish.proofs_check.papers.webb2025.gamma import MEAN_OF_COMPONENT, SECOND_OF_COMPONENT, gamma_moment
from establish.proofs_check.papers.webb2025.small_shares import NEAR_ZERO
from establish.spec.arithmetic import Number, World
from establish.spec.distributions.gamma import Gamma
from establish.spec.synthetic.divider import shares, variance_share
from establish.spec.synthetic.microdata import SCALE, SHAPE

F = Fraction


K, D = sympy.symbols("k d", positive=True)


def _within_over_between() -> sympy.Expr:
    """E[W(1 − W)]/Var W for the mean share W of one of d establishments at shape k."""
    mean, variance = 1 / D, variance_share(K, D * K)
    return (mean - mean**2 - variance) / variance


MOMENTS_OF_SHARE = MEAN_OF_COMPONENT, SECOND_OF_COMPONENT

_D, _K = Real("d", least=2), Real("k", above=0)


def _spread(c: World, d: Number, k: Number) -> Number:
    """Var W of a mean share, W ~ Dirichlet(k, …, k)."""
    return variance_share(k, d * k)


SCALE_CANCELS = Equal(
    Real("θ", above=0),
    *(Real(f"g{i}", above=0) for i in (1, 2, 3)),
    left=lambda c, theta, *g: shares([theta * x for x in g])[0],
    right=lambda c, theta, *g: shares(g)[0],
)
LESS_AT_HIGHER_SHAPE = Below(
    _D,
    _K,
    Real("h", above=lambda c, d, k: k),
    left=lambda c, d, k, h: _spread(c, d, h),
    right=lambda c, d, k, h: _spread(c, d, k),
)
LITTLE_AT_HIGH_SHAPE = Below(_D, _K, left=_spread, right=lambda c, d, k: 1 / k)
"""Whatever the scale, mean shares vary less at a higher shape, and in the end not at all."""

VARIANCE_OF_SHARES = Equal(
    _D,
    _K,
    left=lambda c, d, k: (1 / d) * (1 + k) / (1 + d * k) - (1 / d) * (1 / d),
    right=lambda c, d, k: (d - 1) / (d * d * (d * k + 1)),
)
"""E W² − (E W)² of a mean share, whose moments are MEAN_OF_COMPONENT and SECOND_OF_COMPONENT."""

WITHIN_OVER_BETWEEN = Equal(
    _D,
    _K,
    left=lambda c, d, k: 1 / d - 1 / (d * d) - _spread(c, d, k),
    right=lambda c, d, k: d * k * _spread(c, d, k),
)
"""E[W(1 − W)] is dk times Var W: given the concentration s, a share varies by W(1 − W)/(s + 1) more."""

INVERSE_CONCENTRATION = Moment(
    Real("dk", above=1),
    Real("θ", above=0),
    law=lambda c, shape, theta: Gamma(shape, 1 / theta, c),
    of=lambda c, s: 1 / s,
    closed=lambda c, shape, theta: 1 / (theta * (shape - 1)),
    low=lambda c, shape, theta: c.number(0),
)
"""E 1/s for s ~ Gamma(dk, 1/θ), which is more than E 1/(s + 1)."""

R_IS_SMALL = AtMost(
    Real("dk", least=2),
    Real("θ", above=0),
    left=lambda c, shape, theta: shape * (1 / (theta * (shape - 1))),
    right=lambda c, shape, theta: 2 / theta,
)
"""r = dk·E 1/(s + 1) is at most 2/θ."""

MORE_BETWEEN_ENDS = (
    AtMost(
        Real("s", above=0),
        Real("m", above=0),
        left=lambda c, s, m: 1 / (m + 1) - (s - m) / ((m + 1) * (m + 1)),
        right=lambda c, s, m: 1 / (s + 1),
    ),
    AtMost(Real("s", above=0), left=lambda c, s: 1 / (s + 1), right=lambda c, s: 1 / s),
)
"""1/(s + 1) lies above its tangent at m = E s, whose mean is 1/(m + 1), and below 1/s."""

_SHARES_OF = (
    Real("d", least=2),
    Real(
        "E 1/(s+1)",
        least=lambda c, d: 1 / (SCALE * (d * SHAPE) + c.number(1)),
        most=lambda c, d: 1 / (SCALE * (d * SHAPE - c.number(1))),
    ),
)


def _correlation(c: World, d: Number, inverse: Number) -> Number:
    """Var W/(Var W + E[W(1 − W)]·E 1/(s+1)) at shape 10: of two shares that are alike given s and W."""
    between = _spread(c, d, c.number(SHAPE))
    return between / (between + (1 / d - 1 / (d * d) - between) * inverse)


CORRELATED = (
    AtMost(*_SHARES_OF, left=F(190, 191), right=_correlation),
    AtMost(*_SHARES_OF, left=_correlation, right=F(4001, 4021)),
)


@claim(
    "webb2025/alg-7-scale",
    where="Appendix A.4",
    says="High shape and scale parameters do not produce much variation across the establishments.",
    states=(SCALE_CANCELS, LESS_AT_HIGHER_SHAPE, LITTLE_AT_HIGH_SHAPE, R_IS_SMALL),
    tight=(*MOMENTS_OF_SHARE, VARIANCE_OF_SHARES, WITHIN_OVER_BETWEEN, INVERSE_CONCENTRATION, R_IS_SMALL),
    origin="implied",
)
def a_high_shape_is_enough() -> Verdict:
    """The mean shares W_j = a_j/Σa do not change when every a_j is multiplied by the scale. They are
    Dirichlet(k, …, k): variance (d − 1)/(d²(dk + 1)), which a high shape k makes small and the scale leaves
    alone: with shape 1 they differ as much at scale 200 as at scale 1. A share itself has 1 + r times that
    variance, r between dk/(θdk + 1) and dk/(θ(dk − 1)) (alg-7-alike): a high scale takes r to 0 and no
    more, and a high shape makes the whole small at any scale θ, as r is at most 2/θ where dk ≥ 2.
    """
    return holds_loosely(
        *map(
            solver.proves,
            (SCALE_CANCELS, LESS_AT_HIGHER_SHAPE, LITTLE_AT_HIGH_SHAPE, WITHIN_OVER_BETWEEN, R_IS_SMALL),
        ),
        *map(symbolic.integrates, MOMENTS_OF_SHARE),
        solver.proves(VARIANCE_OF_SHARES),
        symbolic.integrates(INVERSE_CONCENTRATION),
        symbolic.identity(_within_over_between(), D * K, "E[W(1 − W)]/Var W"),
        value="variance (1 + r)(d − 1)/(d²(dk + 1)) of the shares at shape k, 0 < r ≤ 2/scale where dk ≥ 2",
    )


@claim(
    "webb2025/alg-7-alike",
    where="Appendix A.4",
    says="An establishment gets roughly similar proportions of wages and employment, which may still vary.",
    states=CORRELATED,
    tight=(*CORRELATED, *MORE_BETWEEN_ENDS, INVERSE_CONCENTRATION),
    scope="the correlation of two shares that are independent given the concentrations",
    origin="implied",
)
def shares_are_correlated() -> Verdict:
    """Given a, the two shares are independent with mean W and variance W(1 − W)/(s + 1), s = Σa, and s is
    independent of W. So their correlation is 1/(1 + r), r = E[W(1 − W)]·E[1/(s + 1)]/Var W. As
    1/(E[s] + 1) ≤ E[1/(s + 1)] ≤ E[1/s] = 1/(θ(dk − 1)), r lies between dk/(θdk + 1) and dk/(θ(dk − 1)):
    at k = 10, θ = 200 between 20/4001 and 1/190 for every d ≥ 2.
    """
    d = z3.Real("d")
    low, high = F(2 * SHAPE, 2 * SHAPE * SCALE + 1), F(2 * SHAPE, SCALE * (2 * SHAPE - 1))
    jobs = d * SHAPE
    return holds(
        *map(solver.proves, (*CORRELATED, *MORE_BETWEEN_ENDS)),
        symbolic.integrates(INVERSE_CONCENTRATION),
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


TEN = 10
"""Establishments, as in Figure 4."""


def spread_of_mean_share(shape: int) -> Fraction:
    """E[W(1 − W)] for the mean share W ~ Beta(k, (d − 1)k) of one of d = 10 establishments."""
    mean = Fraction(1, TEN)
    return mean - mean**2 - Fraction(variance_share(Fraction(shape), Fraction(TEN * shape)))


def between(shape: int, scale: int) -> tuple[Fraction, Fraction]:
    """Bounds on the mean variance of a share between applications: E[W(1 − W)]·E[1/(s + 1)]."""
    jobs, part = TEN * shape, spread_of_mean_share(shape)
    return part / (scale * jobs + 1), part / (scale * (jobs - 1))


HEAVILY = Every(
    "pair (shape, scale)", lambda: ((1, 1), (1, 200)), lambda law: between(*law)[1] >= F("0.086") ** 2
)
HEAVILY_AT_LOW_SCALE = Every(
    "pair (shape, scale)", lambda: ((1, 1),), lambda law: between(*law)[0] >= F("0.086") ** 2
)
"""Ten establishments have shares of 0.1 on average that may vary by 0.086, by the upper bound on the
variance; that they do, by the lower bound, where the scale is 1 as well."""


@claim(
    "webb2025/alg-7-low-shape",
    where="Appendix A.4",
    says="A low shape value such as 1 results in low and near zero proportions, which vary heavily across "
    "applications of the Dirichlet Divider.",
    states=(*NEAR_ZERO, HEAVILY),
    meant=(*NEAR_ZERO, HEAVILY_AT_LOW_SCALE),
)
def variation_between_applications_depends_on_the_scale() -> Verdict:
    """At d = 10 the mean share is below 1% with probability 1 − (99/100)^9 = 8.6% at shape 1 (W is
    Beta(1, 9), the least of nine uniforms in law), and below 1e-6 at shape 10: low shares are there. Of how
    they vary: the applications share the concentrations a. Given them a share has mean W and variance
    W(1 − W)/(s + 1), s = Σa ~ Gamma(dk, θ) independent of W. As 1/(E s + 1) ≤ E[1/(s + 1)] ≤ E[1/s] =
    1/(θ(dk − 1)), the variance is about E[W(1 − W)]/(θdk): the scale counts as much as the shape. Ten
    establishments at shape 1 have a standard deviation of at least 0.086 at scale 1, beside a mean share of
    0.1, but of at most 0.0068 at the scale 200 of the paper: less than shape 10 has at scale 1.
    """
    n, theta = sympy.symbols("n theta", positive=True)
    s, mean = z3.Reals("s m")
    light = between(1, SCALE)
    return ill_posed(
        symbolic.identity(gamma_moment(-1, 1 + n, 1 / theta), 1 / (theta * n), "E[1/s], shape 1 + n = dk"),
        solver.for_all(
            [s >= 0, mean >= 0],
            1 / (s + 1) >= 1 / (mean + 1) - (s - mean) / (mean + 1) ** 2,
            "1/(s + 1) lies above its tangent at the mean, so E[1/(s + 1)] ≥ 1/(E s + 1)",
        ),
        solver.for_all([s > 0], 1 / (s + 1) <= 1 / s, "and E[1/(s + 1)] ≤ E[1/s]"),
        *map(exact.decided, NEAR_ZERO),
        exact.refuted(HEAVILY, case=(1, 200)),
        exhaustive.each(HEAVILY_AT_LOW_SCALE, "shape 1 and scale 1"),
        exact.compare(light[1], "<=", Fraction("0.0068") ** 2, f"shape 1, scale {SCALE}: at most"),
        exact.compare(light[1], "<", between(SHAPE, 1)[0], f"shape 1 at scale {SCALE}, shape 10 at scale 1"),
        condition="the scale is low as well: the product of shape, scale and establishments counts",
        counterexample="10 establishments, shape 1, scale 200: standard deviation at most 0.0068 beside a "
        "mean share of 0.1",
        value="standard deviation about √(E[W(1 − W)]/(d·shape·scale))",
    )
