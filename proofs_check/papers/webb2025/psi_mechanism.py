"""Definitions 6.1 and 6.2, Theorems 6.3 and 6.5: sensitivity and the ψ-mechanism."""

import sympy

from establish import AtMost, Below, Equal, Rational, Real, claim, given, rules, solver, symbolic
from establish.proofs_check.engine.statements import AddsNormalNoise, Bounded, EstablishmentPrivate, Gedp
from establish.proofs_check.engine.statements.statement import Formula
from establish.proofs_check.engine.verdicts import Evidence, Verdict, holds, ill_posed
from establish.spec.arithmetic import SYM
from establish.spec.distributions import gaussian
from establish.spec.distributions.gaussian import Gaussian
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.functions import root

OMEGA, MEAN = sympy.symbols("omega m", real=True)
GAP, SD = sympy.symbols("d s", positive=True)


PARAMETERS = Rational("γ", above=0), Rational("μ", above=0)


def _private(real: bool) -> EstablishmentPrivate:
    return Gedp(
        *PARAMETERS,
        name="ψ-mechanism",
        answers=lambda psi, gamma, mu: [(0, PsiMechanism(psi, gamma, mu))],
        gamma=lambda gamma, mu: gamma,
        level=lambda c, gamma, mu: c.number(mu),
        real=real,
    )


PRIVATE = _private(True), _private(False)
"""The ψ-mechanism satisfies μ-GEDP: for ψ real at 0, and for ψ(0) = −∞ as for log."""


def private_evidence(statement: EstablishmentPrivate, *hints: Formula) -> Evidence:
    """Evidence for one answer with normal noise, by the solver."""
    owed = rules.shift_obligations(statement)
    return rules.shifted_normals(statement, *(solver.proves(piece, *hints) for piece in owed))


def likelihood_of_shifts() -> tuple[Evidence, Evidence]:
    """N(m, s²) and N(m + d, s²): half-lines are the best events, and their quantiles differ by d/s."""
    first, second = Gaussian(MEAN, SD, SYM), Gaussian(MEAN + GAP, SD, SYM)
    ratio = second.log_density(OMEGA) - first.log_density(OMEGA)
    return (
        symbolic.identity(
            sympy.expand(ratio),
            GAP / SD**2 * (OMEGA - MEAN - GAP / 2),
            "the log ratio of the densities of two normal laws, which increases with ω",
        ),
        symbolic.identity(
            1 - second.cdf(OMEGA),
            gaussian.cdf((MEAN - OMEGA) / SD + GAP / SD, SYM),
            "P(answer > ω) has the quantile (m − ω)/s, plus d/s under the other dataset",
        ),
    )


_CHANGE = Real("γ", above=0), Real("B", above=0)

MORE_THAN_ANY_NUMBER = (
    Equal(
        *_CHANGE,
        left=lambda c, gamma, most: (
            c.sqrt(c.power(most / (2 * gamma) + gamma, 2)) - c.sqrt(c.power(most / (2 * gamma), 2))
        ),
        right=lambda c, gamma, most: gamma,
    ),
    Below(
        *_CHANGE,
        left=lambda c, gamma, most: most,
        right=lambda c, gamma, most: c.power(most / (2 * gamma) + gamma, 2) - c.power(most / (2 * gamma), 2),
    ),
)
"""For ψ = √ two values are close, γ apart under √, and a plain sum changes by more than B."""

AT_MOST_GAMMA = AtMost(
    Real("γ", above=0),
    Real("x", least=0),
    Real("y", least=0),
    left=lambda c, gamma, x, y: c.power(c.sqrt(x) - c.sqrt(y), 2),
    right=lambda c, gamma, x, y: gamma * gamma,
    given=[
        given(lambda c, gamma, x, y: c.absolute(c.sqrt(x) - c.sqrt(y)), "<=", lambda c, gamma, x, y: gamma)
    ],
)
"""The transformed record changes by γ at most."""


@claim(
    "webb2025/def-6.1",
    where="Section 6, Definition 6.1",
    says="The ψ-neighbor sensitivity Δψ(q) is the largest L2 change of q between ψ-neighbors.",
    states=(AT_MOST_GAMMA, *MORE_THAN_ANY_NUMBER),
    scope="the supremum, a number of [0, ∞]: one of each for ψ = √",
    origin="implied",
)
def sensitivity_under_psi_neighbors() -> Verdict:
    """A supremum of nonnegative numbers over a set that is not empty (a record may be replaced by itself)
    exists in [0, ∞]. It is ∞ for the plain sum and ψ = √: for any B the value x = (B/2γ)² and its
    neighbor (√x + γ)² differ by more than B. It is γ for ψ of one attribute of one establishment:
    |√x − √y| ≤ γ is the definition of closeness, and √y = √x + γ attains it.
    """
    mechanism = PsiMechanism(root(), 3, 1)
    reached = symbolic.identity(
        mechanism.privacy_cost([4], [25], SYM),
        sympy.Integer(1),
        "for γ = 3, μ = 1, the values 4 and 25 are at the whole distance γ/s = μ",
    )
    return holds(
        *map(solver.proves, (AT_MOST_GAMMA, *MORE_THAN_ANY_NUMBER)),
        reached,
        condition="a number of [0, ∞]: γ for the ψ-transformed record, ∞ for a plain sum and ψ = √",
    )


_VALUES = Real("x", least=0), Real("y", least=0)
_CLOSE = given(lambda c, x, y: c.absolute(root().value(x, c) - root().value(y, c)), "<=", 1)
FINITE = Bounded(
    *_VALUES, left=lambda c, x, y: c.absolute(x - y), by=lambda c, x, y: c.number(1), given=[_CLOSE]
)
"""For ψ = √ and γ = 1 the plain sum has a finite sensitivity: one number is at least every change."""

BOUNDED_VALUES = AtMost(
    Real("U", least=0),
    Real("x", least=0, most=lambda c, most: most),
    Real("y", least=0, most=lambda c, most, x: most),
    left=lambda c, most, x, y: c.absolute(x - y),
    right=lambda c, most, x, y: most,
)
"""Values of at most U change a sum by at most U."""

_SQUARES = {"x": lambda c, most: most * most, "y": lambda c, most: (most + 1) * (most + 1)}
"""Close values that are further apart than any number C: C² and (C + 1)²."""


def no_finite_sensitivity() -> Evidence:
    """Evidence against FINITE."""
    return rules.no_constant(
        FINITE, _SQUARES, *(solver.proves(piece) for piece in rules.exceeding(FINITE, _SQUARES))
    )


@claim(
    "webb2025/def-6.2",
    where="Section 6, Definition 6.2",
    says="For every vector-valued q, the Estab-Gaussian mechanism returns q(D) + N(0, Δψ(q)²/μ² I).",
    states=FINITE,
    meant=BOUNDED_VALUES,
    scope="the plain sum, ψ = √",
    origin="implied",
)
def gaussian_noise_needs_a_finite_sensitivity() -> Verdict:
    """The noise has a finite variance only if Δψ(q) is finite. For the plain sum and ψ = √ it is not
    (Definition 6.1), and there is no mechanism. For Δψ(q) = 0 the noise is 0 and q(D) is released as it
    is, which is right: no neighbor changes it. With sums bounded by U, that is all values at most U, the
    change is at most U and the mechanism exists.
    """
    return ill_posed(
        no_finite_sensitivity(),
        solver.proves(BOUNDED_VALUES),
        condition="Δψ(q) < ∞, for example values bounded by a constant",
        counterexample="q = the sum, ψ = √, γ = 1: the values k² and (k + 1)² are close and differ by 2k + 1",
    )


IN_ANY_DIMENSION = AddsNormalNoise(
    Real("μ", above=0),
    Real("Δ", above=0),
    sensitivity=lambda c, mu, most: most,
    sd=lambda c, mu, most: most / mu,
    level=lambda c, mu, most: mu,
)
"""q(D) + N(0, Δ²/μ²·I) for vectors that differ by at most Δ between neighbors of any relation."""


def in_any_dimension() -> Evidence:
    """Evidence for IN_ANY_DIMENSION."""
    shift, positive, ratio = rules.along_one_line(IN_ANY_DIMENSION)
    return rules.rotated_normals(
        IN_ANY_DIMENSION, solver.proves(shift), solver.owed(positive), solver.proves(ratio)
    )


@claim(
    "webb2025/thm-6.3",
    where="Section 6, Theorem 6.3",
    says="The Estab-Gaussian mechanism satisfies μ-GEDP.",
    states=IN_ANY_DIMENSION,
    scope="ψ-neighbors, of which the theorem uses that answers differ by at most Δψ(q)",
)
def estab_gaussian_is_private() -> Verdict:
    """Rotate so that q(D') − q(D) = (d, 0, …, 0) with d ≤ Δ; all but the first coordinate have the same
    law and are independent of it. The log ratio of the densities increases with the first coordinate, so
    by Neyman and Pearson the best event of each size is a half-line, on which Φ⁻¹ of the probabilities
    differs by d/s. With s = Δ/μ that is dμ/Δ ≤ μ. It is attained when d = Δ: μ cannot be lowered.
    """
    return holds(in_any_dimension(), condition="for q with Δψ(q) < ∞")


@claim(
    "webb2025/def-G.2",
    where="Appendix G, Definitions G.1 and G.2",
    says="The Gaussian mechanism q(D) + N(0, Δ₂(q)²/μ² I), Δ₂ over pairs that differ in one record, "
    "satisfies μ-GDP.",
    states=IN_ANY_DIMENSION,
    scope="pairs that differ in one record, of which it uses that answers differ by at most Δ₂(q)",
)
def gaussian_mechanism_is_private() -> Verdict:
    """The derivation of Theorem 6.3, which uses of the relation only that d ≤ Δ. Two datasets that differ in
    one record attain it where the supremum is a maximum: a count with q(D') − q(D) = 1 costs μ.
    """
    return holds(in_any_dimension(), condition="for q with Δ₂(q) < ∞")


@claim(
    "webb2025/thm-6.5",
    where="Section 6.1, Theorem 6.5",
    says="The ψ-mechanism satisfies μ-GEDP.",
    states=PRIVATE,
    scope="ψ-neighbors that may differ in every attribute, sums of one attribute by group",
)
def psi_mechanism_is_private() -> Verdict:
    """Public attributes match, so only the group of the changed establishment has another sum: S + x in
    place of S + y, with S ≥ 0 the others' sum. As ψ is concave and increasing, |ψ(S+x) − ψ(S+y)| ≤
    |ψ(x) − ψ(y)| ≤ γ. The law is shifted by at most γ = μ·s, so Theorem 6.3 applies. An establishment
    alone in its group attains μ; beside others the cost is lower. Concavity is needed: for x² the values
    0 and 1 beside S = 1 move by 3 instead of 1. Condition (4) of Definition 5.1 is not.

    A firm with ℓ establishments in one group costs at most √ℓ·μ for ψ = √: the group's root is the norm of
    the vector of their roots, which a change of each root by γ moves by at most γ√ℓ. Establishments of
    one size attain it.
    """
    return holds(*map(private_evidence, PRIVATE))
