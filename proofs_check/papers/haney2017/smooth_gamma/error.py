"""Algorithm 2 and Lemma 8.8: the noise of Smooth Gamma and its expected error."""

import sympy

from establish import Outcome, Verdict, claim, exact, fails, holds_loosely, misprint, solver, symbolic
from establish.proofs_check.engine.rules import exceeding, no_constant
from establish.proofs_check.engine.statements import AtMost, Bounded, Equal, Moment, Real, given
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.papers.haney2017.heavy_tailed.fourth_power import MEAN_4, NORMALIZED_4
from establish.proofs_check.papers.haney2017.smooth_gamma.privacy import TIGHT, tight_evidence
from establish.spec.arithmetic import SYM, Number, World
from establish.spec.distributions import heavy_tailed
from establish.spec.distributions.heavy_tailed import HeavyTailed
from establish.spec.mechanisms import smooth_gamma
from establish.spec.relations.growth import growth_bound

DENSITY = Equal(
    Real("z"),
    left=lambda c, z: c.exp(heavy_tailed.log_density(z, 4, c)),
    right=lambda c, z: 1 / (1 + c.power(c.absolute(z), 4)),
)


@claim(
    "haney2017/alg-2-density",
    where="Section 8.2, Algorithm 2",
    says="The noise is sampled from the density 1/(1+|z|⁴).",
    states=DENSITY,
    meant=NORMALIZED_4,
    origin="implied",
)
def noise_density_is_not_normalized() -> Verdict:
    """∫ dz/(1+z⁴) = π/√2, not 1: a proportionality sign is missing (Lemma 8.6 prints it)."""
    return misprint(
        exact.refuted(DENSITY, z=0),
        symbolic.integrates(NORMALIZED_4),
        reading="density proportional to 1/(1+|z|⁴)",
        reading_is=Outcome.HOLDS,
        counterexample="∫ dz/(1+z⁴) = π/√2 = 2.2214...; the density at 0 is √2/π, not 1",
        value="(√2/π)/(1+z⁴)",
    )


def _error_with(second: Formula) -> Formula:
    """The expected error of Algorithm 2 when ε2 of the budget goes to the dilation."""

    def error(c: World, alpha: Number, epsilon: Number, largest: Number, budget: Number) -> Number:
        slide = (epsilon - second(c, alpha, budget)) / smooth_gamma.PRINTED_CONSTANT
        return smooth_gamma.mean_absolute_error(largest, alpha, slide, c)

    return error


BEST_SPLIT = AtMost(
    Real("α", above=0),
    Real("ε", above=0),
    Real("x", least=0),
    Real("ε2", above=0, below=lambda c, alpha, epsilon, largest: epsilon),
    left=_error_with(lambda c, alpha, budget: 5 * c.log(1 + alpha)),
    right=_error_with(lambda c, alpha, budget: budget),
    given=[
        given(
            lambda c, alpha, epsilon, largest, budget: 1 + alpha,
            "<=",
            lambda c, alpha, epsilon, largest, budget: c.exp(budget / 5),
        )
    ],
)
"""ε2 = 5·ln(1+α), the least that equation 12 allows, has the least error."""


@claim(
    "haney2017/sec8.2-budget",
    where="Section 8.2",
    says="Setting ε2 so that b = ε2/5 is as low as equation 12 allows minimizes the error.",
    states=BEST_SPLIT,
)
def budget_split_minimizes_the_error() -> Verdict:
    """The error is S·E|Z|·5/ε1 with ε1 = ε − ε2, decreasing as ε2 falls, and equation 12 needs
    e^(ε2/5) ≥ 1+α, so ε2 = 5·ln(1+α) is the best split that Theorem 8.4 and Lemma 8.6 offer. With the
    exact constants of the noise ε2 = 3·ln(1+α) suffices.
    """
    return holds_loosely(
        solver.proves(BEST_SPLIT, lambda c, alpha, epsilon, largest, budget: c.log(c.exp(budget / 5))),
        *map(tight_evidence, TIGHT),
        value="ε2 = 3·ln(1+α)",
        condition="among the splits that Theorem 8.4 with Lemma 8.6's constants allows",
    )


UNBIASED = Moment(
    Real("n"),
    Real("s", above=0),
    law=lambda c, count, scale: HeavyTailed(count, scale, 4, c),
    of=lambda c, o: o,
    closed=lambda c, count, scale: count,
    breaks=[lambda c, count, scale: count],
)
ERROR = Moment(
    Real("s", above=0),
    law=lambda c, scale: HeavyTailed(c.number(0), scale, 4, c),
    of=lambda c, o: c.absolute(o),
    closed=lambda c, scale: scale * heavy_tailed.absolute_moment(1, 4, c),
    breaks=[lambda c, scale: c.number(0)],
)
ORDER = Bounded(
    Real("α", above=0),
    Real("ε", above=0),
    Real("x", least=0),
    left=lambda c, alpha, epsilon, largest: smooth_gamma.mean_absolute_error(
        largest, alpha, smooth_gamma.published_slide(alpha, epsilon, c), c
    ),
    by=lambda c, alpha, epsilon, largest: largest * alpha / epsilon + 1 / epsilon,
    given=[
        given(
            lambda c, alpha, epsilon, largest: 5 * c.log(1 + alpha),
            "<",
            lambda c, alpha, epsilon, largest: epsilon,
        )
    ],
)


VALUE = Equal(
    *ORDER.bounded.domain.variables,
    left=ORDER.bounded.left,
    right=lambda c, alpha, epsilon, largest: (
        5 / c.sqrt(c.number(2)) * growth_bound(largest, alpha, c) / (epsilon - 5 * c.log(1 + alpha))
    ),
    given=ORDER.bounded.domain.conditions,
)


@claim(
    "haney2017/lemma-8.8",
    where="Section 8.2, Lemma 8.8",
    says="Algorithm 2 is unbiased and its expected L1 error is O(x·α/ε + 1/ε).",
    states=(UNBIASED, ERROR, ORDER),
    tight=(ERROR, VALUE),
)
def error_of_smooth_gamma_is_not_of_that_order() -> Verdict:
    """Unbiased: the density is even and E|Z| is finite. The error is exactly
    (5/√2)·max(αx, 1)/(ε − 5·ln(1+α)), which has ε1 in the denominator, not ε. As ε falls to 5·ln(1+α) it
    grows without bound while (αx+1)/ε stays below a constant.
    """
    path: dict[str, Formula] = {
        "α": lambda c, k: c.number(1) + 0 * k,
        "ε": lambda c, k: 5 * c.log(c.number(2)) + 1 / k,
        "x": lambda c, k: c.number(1) + 0 * k,
    }
    owed = exceeding(ORDER, path)
    return fails(
        symbolic.integrates(UNBIASED),
        symbolic.integrates(ERROR),
        symbolic.proves(VALUE),
        no_constant(ORDER, path, *(solver.proves(one, lambda c, k: c.log(c.number(1) / 2)) for one in owed)),
        counterexample="α = 1, x = 1, ε = 5·ln 2 + 1/C: the error is (5/√2)·C, and C·(αx+1)/ε is less than "
        "2·C/(5·ln 2); so no constant C works as ε falls to 5·ln(1+α)",
        value="(5/√2)·max(αx, 1)/(ε − 5·ln(1+α)); bias 0",
        condition="with ε1 in place of ε it holds, with constant 5/√2",
    )


PRINTED_NOISE = Equal(left=lambda c: heavy_tailed.absolute_moment(1, 4, c), right=lambda c: c.pi / 2)


PRINTED_INTEGRAL = Moment(
    law=lambda c: HeavyTailed(c.number(0), c.number(1), 4, c),
    of=lambda c, z: c.pi / c.sqrt(c.number(2)) * c.absolute(z),
    closed=lambda c: c.pi / 2,
    breaks=[lambda c: c.number(0)],
)
ITS_INTEGRAND = Equal(
    Real("z"),
    left=lambda c, z: c.pi / c.sqrt(c.number(2)) * c.absolute(z) * c.exp(heavy_tailed.log_density(z, 4, c)),
    right=lambda c, z: c.absolute(z) / (1 + c.power(c.absolute(z), 4)),
)
"""∫ |z|/(1+|z|⁴) dz = π/2: the mean of π/√2·|Z|, whose integrand is the printed one."""


@claim(
    "haney2017/lemma-8.8-EZ",
    where="Appendix B, proof of Lemma 8.8",
    says="The expected L1 error of h is ∫ |z|/(1+|z|⁴) dz = π/2 ≈ 1.57.",
    states=(PRINTED_INTEGRAL, ITS_INTEGRAND, PRINTED_NOISE),
    tight=MEAN_4,
)
def expected_absolute_noise_lacks_the_normalizer() -> Verdict:
    """The integral is π/2, but h is only proportional to 1/(1+|z|⁴): dividing by ∫ dz/(1+z⁴) = π/√2 gives
    E|Z| = 1/√2.
    """
    return fails(
        exact.refuted(PRINTED_NOISE),
        *map(symbolic.integrates, (PRINTED_INTEGRAL, MEAN_4)),
        symbolic.proves(ITS_INTEGRAND),
        symbolic.identity(heavy_tailed.absolute_moment(1, 4, SYM), 1 / sympy.sqrt(2), "E|Z| in general"),
        counterexample="(π/2)/(π/√2) = 1/√2 = 0.7071..., not 1.57",
        value=str(sympy.N(1 / sympy.sqrt(2), 20)),
    )
