"""Lemma 9.3: the error of Smooth Laplace, and how it depends on δ."""

from fractions import Fraction

from establish import Verdict, claim, enclosure, holds, holds_loosely, solver, symbolic
from establish.proofs_check.engine.rules import with_constant
from establish.proofs_check.engine.statements import AtMost, Bounded, Equal, Moment, Real, given
from establish.proofs_check.papers.haney2017.exact_delta import FARTHEST, exact_delta_evidence
from establish.spec.arithmetic import Number, World
from establish.spec.distributions import laplace
from establish.spec.mechanisms import smooth_laplace
from establish.spec.mechanisms.smooth_laplace import SmoothLaplaceMechanism
from establish.spec.relations.growth import growth_bound

UNBIASED = Moment(
    Real("n"),
    Real("s", above=0),
    law=lambda c, count, scale: laplace.Laplace(count, scale, c),
    of=lambda c, o: o,
    closed=lambda c, count, scale: count,
    breaks=[lambda c, count, scale: count],
)
ERROR = Moment(
    Real("s", above=0),
    law=lambda c, scale: laplace.Laplace(c.number(0), scale, c),
    of=lambda c, o: c.absolute(o),
    closed=lambda c, scale: laplace.absolute_moment(1, scale),
    breaks=[lambda c, scale: c.number(0)],
)
SCALE = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    Real("x", least=0),
    left=lambda c, alpha, epsilon, largest: (
        SmoothLaplaceMechanism(alpha, epsilon, Fraction(1, 2)).cell_law(0, largest, c).scale
    ),
    right=lambda c, alpha, epsilon, largest: 2 * growth_bound(largest, alpha, c) / epsilon,
)
"""The scale of the noise, which is its expected size, at δ = 1/2; at every δ it is that of WITHOUT_DELTA."""

ORDER = Bounded(
    *SCALE.domain.variables,
    left=SCALE.right,
    by=lambda c, alpha, epsilon, largest: largest * alpha / epsilon + 1 / epsilon,
)


@claim(
    "haney2017/lemma-9.3",
    where="Section 9, Lemma 9.3",
    says="Algorithm 3 is unbiased and its expected L1 error is O(x·α/ε + 1/ε).",
    states=(UNBIASED, ERROR, SCALE, ORDER),
    tight=(ERROR, SCALE),
)
def error_of_smooth_laplace() -> Verdict:
    """E|η| = 1, so the error is exactly 2·max(αx, 1)/ε, between (αx+1)/ε and 2(αx+1)/ε. Symmetry gives
    E η = 0.
    """

    def two(c: World) -> Number:
        return c.number(2)

    return holds(
        symbolic.integrates(UNBIASED),
        symbolic.integrates(ERROR),
        symbolic.proves(SCALE),
        with_constant(ORDER, two, solver.proves(ORDER.by(two))),
        value="2·max(αx, 1)/ε; bias 0",
    )


WITHOUT_DELTA = Equal(
    *SCALE.domain.variables,
    Real("δ", above=0, below=1),
    left=lambda c, alpha, epsilon, largest, delta: (
        SmoothLaplaceMechanism(alpha, epsilon, delta).cell_law(0, largest, c).scale
    ),
    right=lambda c, alpha, epsilon, largest, delta: smooth_laplace.mean_absolute_error(
        largest, alpha, epsilon, c
    ),
)
"""The scale of the noise at every δ."""


@claim(
    "haney2017/sec9-delta-independent",
    origin="implied",
    where="Section 9, after Lemma 9.3",
    says="The error of Algorithm 3 does not depend on δ.",
    states=(WITHOUT_DELTA, ERROR),
    tight=(WITHOUT_DELTA, ERROR),
)
def error_does_not_contain_delta() -> Verdict:
    """The noise scale is 2S/ε with S = max(αx, 1): δ only decides whether the parameters are allowed."""
    return holds(symbolic.proves(WITHOUT_DELTA), symbolic.integrates(ERROR), value="2·max(αx, 1)/ε")


EQUALITY = Equal(
    Real("α", above=0),
    Real("ε", above=0),
    left=lambda c, alpha, epsilon: smooth_laplace.least_epsilon(
        alpha, c.exp(smooth_laplace.log_least_delta(alpha, epsilon, c)), c
    ),
    right=lambda c, alpha, epsilon: epsilon,
)
LEAST = AtMost(
    Real("α", above=0),
    Real("ε", above=0),
    Real("δ", above=0, below=1),
    left=lambda c, alpha, epsilon, delta: smooth_laplace.log_least_delta(alpha, epsilon, c),
    right=lambda c, alpha, epsilon, delta: c.log(delta),
    given=[
        given(
            lambda c, alpha, epsilon, delta: smooth_laplace.least_epsilon(alpha, delta, c),
            "<=",
            lambda c, alpha, epsilon, delta: epsilon,
        )
    ],
)
"""One δ solves the printed condition with equality, and no smaller one meets it."""


@claim(
    "haney2017/sec9-delta-optimal",
    where="Section 9, after Lemma 9.3",
    says="The best δ for given α and ε solves the condition of Algorithm 3 with equality.",
    states=(EQUALITY, LEAST),
)
def best_delta_is_the_exact_one() -> Verdict:
    """Equality gives δ = e^(−ε/(2·ln(1+α))), the least δ that the condition allows. The mechanism is better
    (or, at large ε, worse) than that: its exact δ is δ*(α, ε), at (.1, 2) thirty times smaller.
    """
    alpha, epsilon = Fraction(1, 10), Fraction(2)
    return holds_loosely(
        symbolic.proves(EQUALITY),
        solver.proves(LEAST, lambda c, *_: c.log(c.number(1))),
        enclosure.compare(
            lambda c: c.log(c.number(30)) + smooth_laplace.log_exact_delta(alpha, epsilon, c),
            "<",
            lambda c: smooth_laplace.log_least_delta(alpha, epsilon, c),
            "α = 1/10, ε = 2: ln(30·δ*) against the ln δ of equality",
        ),
        exact_delta_evidence()[0],
        symbolic.proves(FARTHEST),
        value="δ* = (α/(2(1+α)))·(1+α)^(−1/α)·(e^(−ε/2α) + e^(−3ε/2α))",
    )
