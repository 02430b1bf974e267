"""Section 6.2: what identity answers and pnc answers cost together."""

from functools import cache

import sympy

from establish import Evidence, Rational, Real, Verdict, aside, claim, holds, solver, symbolic
from establish.proofs_check.engine.rules import alone, in_sequence, total_of
from establish.proofs_check.engine.statements import EstablishmentPrivate, Gedp
from establish.proofs_check.papers.webb2025.composition import FULLY_ADAPTIVE, composes
from establish.proofs_check.papers.webb2025.probably_no_clipping import clipped_is_private
from establish.proofs_check.papers.webb2025.psi_mechanism import private_evidence
from establish.spec.gaussian import total
from establish.spec.mechanisms.probably_no_clipping import ProbablyNoClipping, clipped_at_largest
from establish.spec.mechanisms.psi_mechanism import PsiMechanism


def _workflow(real: bool) -> EstablishmentPrivate:
    return Gedp(
        Real("γ", above=0),
        Real("μ_a", above=0),
        Real("μ_b", above=0),
        name="identity answers and the pnc answers that they bound",
        answers=lambda psi, gamma, first, second: [
            (0, PsiMechanism(psi, gamma, first)),
            (0, ProbablyNoClipping(psi, gamma, second, clip=clipped_at_largest)),
        ],
        gamma=lambda gamma, first, second: gamma,
        level=lambda c, gamma, first, second: total([c.number(first), c.number(second)], c),
        bounded=True,
        real=real,
        repeated=True,
    )


WORKFLOW = _workflow(True), _workflow(False)


ANSWERS = Gedp(
    Rational("γ", above=0),
    Rational("μ_1", above=0),
    Rational("μ_2", above=0),
    name="answers of the ψ-mechanism on two attributes",
    answers=lambda psi, gamma, first, second: [
        (attribute, PsiMechanism(psi, gamma, mu)) for attribute, mu in enumerate((first, second))
    ],
    gamma=lambda gamma, first, second: gamma,
    level=lambda c, gamma, first, second: total([c.number(first), c.number(second)], c),
    repeated=True,
)
"""Any number of answers of the ψ-mechanism, on several attributes, cost the root of the squares."""


@cache
def answers_are_private() -> Evidence:
    """Evidence for ANSWERS: each answer alone, and composition."""
    return in_sequence(
        ANSWERS,
        FULLY_ADAPTIVE,
        *map(private_evidence, alone(ANSWERS)),
        solver.proves(total_of(ANSWERS, FULLY_ADAPTIVE)),
        composes(FULLY_ADAPTIVE),
    )


def workflow_is_private(statement: EstablishmentPrivate) -> Evidence:
    """Each answer alone, and fully adaptive composition: bounds come from earlier answers."""
    return in_sequence(
        statement,
        FULLY_ADAPTIVE,
        *map(clipped_is_private, alone(statement)),
        solver.proves(total_of(statement, FULLY_ADAPTIVE)),
        composes(FULLY_ADAPTIVE),
    )


@claim(
    "webb2025/sec6.2-total",
    where="Section 6.2, after Theorem 6.9",
    says="The workflow of k identity answers and m pnc answers costs the root of the sum of the squares of "
    "all budgets.",
    states=WORKFLOW,
    scope="ψ-neighbors that may differ in every attribute, sums of one attribute by group",
)
def budgets_add_in_squares() -> Verdict:
    """For each value of the identity answers the pnc answers are μ^(b)-GEDP; adaptive composition lets the
    later scale depend on the earlier answer, and neighbors may change all attributes at once. No smaller
    total is true for ψ = √: an establishment alone with x → ∞ and a neighbor at √x − γ shifts its identity
    answer by μ^(a); its bound has √u = √x + t with a t that does not grow, so Δ(u) = 2γ√u − γ² is, relative
    to the change 2γ√x − γ², as good as the same, and N such establishments in one group leave it unclipped
    but for a probability that vanishes with N. At finite x the cost is below the total.
    """
    t = sympy.Symbol("t", real=True)
    r, gamma = sympy.symbols("r gamma", positive=True)
    u = (r + t) ** 2
    upper = u - (r + t - gamma) ** 2
    change = r**2 - (r - gamma) ** 2
    return holds(
        *map(workflow_is_private, WORKFLOW),
        aside(
            symbolic.identity(
                sympy.limit(change / upper, r, sympy.oo),
                sympy.Integer(1),
                "the share of μ^(b) that the pnc answer uses, as x → ∞",
            )
        ),
    )
