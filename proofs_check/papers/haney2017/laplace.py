"""Section 2, Definitions 2.4 and 2.5: the Laplace mechanism, and what Laplace arguments rest on."""

import z3

from establish import AtMost, Equal, Evidence, Moment, Real, Verdict, claim, holds, ill_posed
from establish.proofs_check.engine.methods import exact, solver, symbolic
from establish.proofs_check.engine.rules import added_up, coordinatewise, one_coordinate
from establish.proofs_check.engine.statements import Additive, AddsNoise, TotalError
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.papers.haney2017.log_laplace.error import INFINITE_ERROR, infinite_error_evidence
from establish.spec.distributions import laplace
from establish.spec.mechanisms.laplace import privacy_loss, scale


def magnitude(x: z3.ArithRef) -> z3.ArithRef:
    """|x| for the solver."""
    return z3.If(x >= 0, x, -x)


def slide_costs_its_length() -> Evidence:
    """ln of the ratio of two Laplace densities of scale 1 is |x−b| − |x−a|: at most |a−b|, attained at a."""
    x, a, b = z3.Reals("x a b")
    loss = magnitude(x - b) - magnitude(x - a)
    return solver.for_all(
        [],
        z3.And(loss <= magnitude(a - b), z3.Implies(x == a, loss == magnitude(a - b))),
        "sup over x of |x−b| − |x−a| is |a−b|, attained at x = a",
    )


def _adds_laplace(*more: Variable, scale: Formula) -> Additive:
    """Laplace noise of a scale for an answer of sensitivity Δ, with the parameters ε, Δ and ``more``."""
    return AddsNoise(
        Real("ε", above=0),
        Real("Δ", above=0),
        *more,
        law=lambda c, epsilon, delta, *rest: laplace.Laplace(
            rest[-1], scale(c, epsilon, delta, *rest[:-1]), c
        ),
        sensitivity=lambda c, epsilon, delta, *_: delta,
        level=lambda c, epsilon, *_: epsilon,
    )


FREE = _adds_laplace(Real("λ", above=0), scale=lambda c, epsilon, delta, free: free)
"""Definition 2.4 as printed: the scale is any number."""

SCALED = _adds_laplace(scale=lambda c, epsilon, delta: scale(epsilon, delta))
"""Definition 2.4 with the scale Δ/ε."""

REACHED = Equal(
    Real("λ", above=0),
    Real("Δ", above=0),
    left=lambda c, scale, delta: (
        laplace.log_density(c.number(0), c.number(0), scale, c)
        - laplace.log_density(c.number(0), delta, scale, c)
    ),
    right=lambda c, scale, delta: privacy_loss(delta, scale),
)
"""A slide by Δ loses Δ/λ at the center, so that ε-privacy needs λ ≥ Δ/ε."""


def scaled_noise_evidence() -> Evidence:
    """|o − y| − |o − x| ≤ |x − y|."""
    loss, *signs = one_coordinate(SCALED)
    return coordinatewise(SCALED, solver.proves(loss), *map(solver.owed, signs))


@claim(
    "haney2017/def-2.4",
    where="Section 2, Definition 2.4",
    says="q(D) + Lap(λ) noise satisfies ε-differential privacy.",
    states=FREE,
    tight=REACHED,
    meant=SCALED,
    scope="neighbors whose answers differ by at most Δ in the L1 norm; every number of coordinates",
)
def laplace_mechanism_needs_its_scale() -> Verdict:
    """The definition leaves λ free and does not relate it to ε. The exact loss is Δ_q/λ, so ε-privacy holds
    exactly when λ ≥ Δ_q/ε.
    """
    return ill_posed(
        exact.refuted(FREE, ε=1, Δ=1, λ="1/2", x=0, y=1, o=0),
        scaled_noise_evidence(),
        symbolic.proves(REACHED),
        condition="λ ≥ Δ_q/ε",
        counterexample="a count (Δ = 1), λ = 1/2, ε = 1: the density ratio at the true count is e² > e",
        value="least scale λ = Δ_q/ε",
    )


@claim(
    "haney2017/def-2.4-scale",
    where="Section 2, Definition 2.4 with its scale",
    says="q(D) + Lap(Δ_q/ε) noise satisfies ε-differential privacy.",
    states=SCALED,
    tight=REACHED,
    origin="corrected",
    scope="neighbors whose answers differ by at most Δ in the L1 norm; every number of coordinates",
)
def laplace_mechanism_with_its_scale_is_private() -> Verdict:
    """A Laplace law slid by Δ has the loss |Δ|/λ, attained at its center; for d coordinates the losses add
    up to the L1 norm over λ. At λ = Δ_q/ε that is ε.
    """
    return holds(scaled_noise_evidence(), symbolic.proves(REACHED), value="λ = Δ_q/ε")


NORM_IS_NOT_NEGATIVE = AtMost(
    Real("p", least=1), Real("error", above=0), left=0, right=lambda c, p, error: c.power(error, p)
)
"""‖·‖_p is the root of a sum of such powers (and of zeros): its expectation exists in [0, ∞]."""

FINITE_ERROR = Moment(
    Real("λ", above=0),
    law=lambda c, scale: laplace.Laplace(c.number(0), scale, c),
    of=lambda c, x: c.absolute(x),
    closed=lambda c, scale: laplace.absolute_moment(1, scale),
    breaks=[lambda c, scale: c.number(0)],
)
"""The expected L1 error may be finite; that of Algorithm 1 is infinite for λ ≥ 1."""


@claim(
    "haney2017/def-2.5",
    where="Section 2, Definition 2.5",
    says="The expected L_p error E‖q(D) − q̃(D)‖_p is defined for every mechanism, and may be infinite.",
    states=(NORM_IS_NOT_NEGATIVE, FINITE_ERROR, INFINITE_ERROR),
    origin="implied",
)
def expected_error_is_defined() -> Verdict:
    """The norm is a nonnegative random variable, so the expectation exists in [0, ∞] for every D and p ≥ 1.
    It is a function of D, and can be infinite: for the Laplace mechanism with d counts the L1 error is
    d·λ, whatever D is; for Algorithm 1 with λ ≥ 1 it is +∞.
    """
    return holds(
        solver.proves(NORM_IS_NOT_NEGATIVE),
        symbolic.integrates(FINITE_ERROR),
        infinite_error_evidence(),
        condition="p ≥ 1; a function of D with values in [0, ∞]",
    )


L1_ERROR = TotalError(FINITE_ERROR)
"""E‖η‖₁ = d·λ."""


@claim(
    "haney2017/sec2-laplace-l1",
    where="Section 2, Definitions 2.4 and 2.5",
    says="The expected L1 error of the Laplace mechanism on d counts is d·λ.",
    states=L1_ERROR,
    origin="implied",
)
def laplace_error_is_the_scale() -> Verdict:
    """E|η| = λ for each of d coordinates, integrated from the density, and the L1 norm adds them up. At
    ε = 1 and Δ = 1 that is d.
    """
    return holds(added_up(L1_ERROR, symbolic.integrates(L1_ERROR.one)), value="d·λ")
