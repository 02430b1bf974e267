"""The noise of Algorithm 2, Lemma 8.6 at γ = 4: its exact constants and its moments."""

from dataclasses import replace
from fractions import Fraction

import sympy
import z3

from establish import AtMost, Evidence, Moment, Real, Verdict, claim, holds, holds_loosely, solver, symbolic
from establish.proofs_check.engine.rules import instances
from establish.proofs_check.engine.rules.calculus import slope_and_end, slope_obligations
from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements import Comparison
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.statements.statement import Formula
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.distributions import heavy_tailed
from establish.spec.distributions.heavy_tailed import HeavyTailed


def _slide_at_4(constant: Formula) -> Comparison:
    return AtMost(
        Real("z"),
        Real("Δ"),
        left=lambda c, z, step: heavy_tailed.slide_loss(z, step, 4, c),
        right=lambda c, z, step: constant(c) * c.absolute(step),
    )


SLIDING_4 = _slide_at_4(lambda c: heavy_tailed.sliding_constant(4, c))
SLIDING_4_PRINTED = _slide_at_4(lambda c: c.number(5))
SLIDING_4_LEAST = AtMost(
    Real("Δ", above=0, most=1),
    left=lambda c, step: (heavy_tailed.sliding_constant(4, c) - 5 * step) * step,
    right=lambda c, step: heavy_tailed.slide_loss(c.power(c.number(3), Fraction(1, 4)) - step, step, 4, c),
)
"""Near z⁴ = 3 a short slide costs 3^(3/4) per unit, but for a part that vanishes with its length."""


@shared
def sliding_at_4_evidence() -> Evidence:
    """The slope of ln(1+z⁴), 4z³/(1+z⁴), is at most 3^(3/4); the kernel is even."""
    up = replace(
        SLIDING_4,
        domain=Domain((Real("z"), Real("Δ", least=0))),
        right=lambda c, z, step: heavy_tailed.sliding_constant(4, c) * step,
    )
    shown = slope_and_end(up, "Δ", *map(solver.proves, slope_obligations(up, "Δ")))
    forward: dict[str, Formula] = {"z": lambda c, z, step: z, "Δ": lambda c, z, step: step}
    mirrored: dict[str, Formula] = {"z": lambda c, z, step: -z, "Δ": lambda c, z, step: -step}
    return instances(SLIDING_4, [(up, forward), (up, mirrored)], shown)


@claim(
    "haney2017/lemma-8.6-sliding-4",
    where="Section 8.2, Lemma 8.6 at γ = 4",
    says="Sliding by Δ costs at most 5·|Δ| at γ = 4.",
    states=SLIDING_4_PRINTED,
    tight=(SLIDING_4, SLIDING_4_LEAST),
    origin="implied",
)
def sliding_constant_of_algorithm_2() -> Verdict:
    """(γ−1)^(1−1/γ) at γ = 4 is 3^(3/4), the slope of ln(1+z⁴) at z⁴ = 3: near it no smaller one will do."""
    shown = sliding_at_4_evidence()
    same: dict[str, Formula] = {"z": lambda c, z, step: z, "Δ": lambda c, z, step: step}
    rises = map(solver.proves, slope_obligations(SLIDING_4_LEAST, "Δ"))
    tight = str(sympy.N(heavy_tailed.sliding_constant(4, SYM), 20))
    return holds_loosely(
        instances(SLIDING_4_PRINTED, [(SLIDING_4, same)], shown),
        shown,
        slope_and_end(SLIDING_4_LEAST, "Δ", *rises),
        value=tight,
    )


def _dilation_at_4(constant: Formula) -> Comparison:
    return AtMost(
        Real("λ"),
        Real("z"),
        left=lambda c, log_factor, z: heavy_tailed.dilation_loss(z, log_factor, 4, c),
        right=lambda c, log_factor, z: constant(c) * c.absolute(log_factor),
    )


DILATION_4 = _dilation_at_4(lambda c: heavy_tailed.dilation_constant(4, c))
DILATION_4_PRINTED = _dilation_at_4(lambda c: c.number(5))
DILATION_4_LEAST = AtMost(
    Real("λ", above=0),
    Real("z", above=0),
    left=lambda c, log_factor, z: heavy_tailed.dilation_constant(4, c) * log_factor - 1 / c.power(z, 4),
    right=lambda c, log_factor, z: heavy_tailed.dilation_loss(z, log_factor, 4, c),
)
"""Far out a dilation costs 3·λ, but for a part that vanishes."""


@claim(
    "haney2017/lemma-8.6-dilation-4",
    where="Section 8.2, Lemma 8.6 at γ = 4",
    says="Dilation by e^λ costs at most 5·|λ| at γ = 4.",
    states=DILATION_4_PRINTED,
    tight=(DILATION_4, DILATION_4_LEAST),
    origin="implied",
)
def dilation_constant_of_algorithm_2() -> Verdict:
    """max(1, γ−1) at γ = 4 is 3, approached as z grows and λ > 0, never reached."""

    def parts(c: World, log_factor: Number, z: Number) -> None:
        factor, power = c.exp(log_factor), c.power(z, 4)
        fourth = factor * factor * factor * factor
        for part in (factor, fourth, fourth * (1 + power), c.number(1), fourth * power):
            c.log(part)
        c.log((1 + power) / power)

    return holds_loosely(
        *(solver.proves(one, parts) for one in (DILATION_4_PRINTED, DILATION_4, DILATION_4_LEAST)), value="3"
    )


def _moment_at_4(order: int, closed: Formula) -> Expectation:
    return Moment(
        law=lambda c: HeavyTailed(c.number(0), c.number(1), 4, c),
        of=lambda c, z: c.power(c.absolute(z), order),
        closed=closed,
        breaks=[lambda c: c.number(0)],
    )


NORMALIZED_4 = _moment_at_4(0, lambda c: c.number(1))
MEAN_4 = _moment_at_4(1, lambda c: 1 / c.sqrt(c.number(2)))
VARIANCE_4 = _moment_at_4(2, lambda c: c.number(1))


@claim(
    "haney2017/sec8.2-gamma4",
    where="Section 8.2",
    says="γ = 4 makes the mean and the variance of the noise finite.",
    states=(MEAN_4, VARIANCE_4),
)
def algorithm_2_noise_has_a_variance() -> Verdict:
    """E|Z|^k is finite exactly when k+1 < γ. At γ = 4: E|Z| = 1/√2 and E Z² = 1. At γ = 3 the integrand of
    E Z² is at least 1/(2z) beyond z = 1, so 4 is the least integer that gives a variance.
    """
    v = z3.Real("z")
    return holds(
        symbolic.integrates(MEAN_4),
        symbolic.integrates(VARIANCE_4),
        *(
            symbolic.identity(
                heavy_tailed.absolute_moment(k, 4, SYM), SYM.number(closed), f"E|Z|^{k} in general"
            )
            for k, closed in ((1, 1 / sympy.sqrt(2)), (2, 1))
        ),
        solver.for_all(
            [v >= 1], v * v / (1 + v * v * v) >= 1 / (2 * v), "at γ = 3, z²/(1+z³) ≥ 1/(2z), z ≥ 1"
        ),
        value="E|Z| = 1/√2, Var Z = 1; γ = 4 is the least such integer",
    )
