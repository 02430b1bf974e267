"""Appendix A.4: how much an establishment's share varies from one application of Algorithm 6 to the next."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from establish.proofs_check.methods import exact, solver, symbolic
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Verdict, ill_posed
from establish.proofs_check.webb2025.weighted_least_squares import gamma_moment
from establish.spec.synthetic.divider import variance_share
from establish.spec.synthetic.microdata import SCALE, SHAPE

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


@claim(
    "webb2025/alg-7-low-shape-varies",
    where="Appendix A.4",
    says="With a low shape value such as 1 the proportions vary heavily across applications of the "
    "Dirichlet Divider.",
)
def variation_between_applications_depends_on_the_scale() -> Verdict:
    """The applications share the concentrations a. Given them a share has mean W and variance
    W(1 − W)/(s + 1), s = Σa ~ Gamma(dk, θ) independent of W. As 1/(E s + 1) ≤ E[1/(s + 1)] ≤ E[1/s] =
    1/(θ(dk − 1)), the variance is about E[W(1 − W)]/(θdk): the scale counts as much as the shape. Ten
    establishments at shape 1 have a standard deviation of at least 0.086 at scale 1, beside a mean share of
    0.1, but of at most 0.0068 at the scale 200 of the paper: less than shape 10 has at scale 1.
    """
    n, theta = sympy.symbols("n theta", positive=True)
    s, mean = z3.Reals("s m")
    heavy, light = between(1, 1), between(1, SCALE)
    return ill_posed(
        symbolic.identity(
            gamma_moment(-1, 1 + n, 1 / theta), 1 / (theta * n), "E[1/s], shape 1 + n = dk"
        ),
        solver.for_all(
            [s >= 0, mean >= 0],
            1 / (s + 1) >= 1 / (mean + 1) - (s - mean) / (mean + 1) ** 2,
            "1/(s + 1) lies above its tangent at the mean, so E[1/(s + 1)] ≥ 1/(E s + 1)",
        ),
        solver.for_all([s > 0], 1 / (s + 1) <= 1 / s, "and E[1/(s + 1)] ≤ E[1/s]"),
        exact.compare(heavy[0], ">=", Fraction("0.086") ** 2, "shape 1, scale 1: at least"),
        exact.compare(light[1], "<=", Fraction("0.0068") ** 2, f"shape 1, scale {SCALE}: at most"),
        exact.compare(
            light[1], "<", between(SHAPE, 1)[0], f"shape 1 at scale {SCALE}, shape 10 at scale 1"
        ),
        condition="the scale is low as well: the product of shape, scale and establishments counts",
        counterexample="10 establishments, shape 1, scale 200: standard deviation at most 0.0068 beside a "
        "mean share of 0.1",
        value="standard deviation about √(E[W(1 − W)]/(d·shape·scale))",
    )
