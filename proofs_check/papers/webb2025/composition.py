"""Section 3 and Theorem 5.7: adaptive composition."""

from establish import Equal, Evidence, Real, Verdict, claim, holds, symbolic
from establish.proofs_check.engine.rules import adaptive_normals, composition_lemmas
from establish.proofs_check.engine.statements import AdaptiveComposition, Composes
from establish.spec.arithmetic import Number, World
from establish.spec.distributions.gaussian import log_density
from establish.spec.gaussian import added, total


def _added(c: World, spent: Number, mu: Number) -> Number:
    return added(spent, mu, c)


def _root(c: World, spent: Number) -> Number:
    return c.sqrt(spent)


ADAPTIVE = Composes(_added, _root)
"""Releases that use earlier outputs, with budgets that are fixed before: √(Σμ_j²)."""

FULLY_ADAPTIVE = Composes(_added, _root, choice=True)
"""The same with budgets that are chosen from earlier outputs."""


def composes(statement: AdaptiveComposition) -> Evidence:
    """Evidence for one of the two statements on composition."""
    return adaptive_normals(statement, *(symbolic.proves(owed) for owed in composition_lemmas(statement)))


def _loss(c: World, answer: Number, mu: Number) -> Number:
    """ln of the density of N(μ, 1) over that of N(0, 1)."""
    one = c.number(1)
    return log_density(answer, mu, one, c) - log_density(answer, c.number(0), one, c)


ATTAINED = Equal(
    *(Real("μ_1", above=0), Real("μ_2", above=0), Real("y_1"), Real("y_2")),
    left=lambda c, a, b, y, z: _loss(c, y, a) + _loss(c, z, b),
    right=lambda c, a, b, y, z: _loss(c, (a * y + b * z) / total([a, b], c), total([a, b], c)),
)
"""Two normal answers tell exactly what one with the total budget tells: (μ_1·y_1 + μ_2·y_2)/√(μ_1² + μ_2²),
which is N(0, 1) or N(√(μ_1² + μ_2²), 1).
"""


@claim(
    "webb2025/sec3-compose",
    where="Section 3, fully adaptive composition",
    says="If the mechanisms and their μ_j are chosen after seeing earlier outputs, and √(Σμ_j²) ≤ μ in all "
    "possible situations, releasing all outputs satisfies μ-GDP.",
    states=FULLY_ADAPTIVE,
    tight=ATTAINED,
)
def fully_adaptive_composition() -> Verdict:
    """As for webb2025/thm-5.7, where μ_j may depend on earlier answers. (The sum is printed with index i.)
    The least budget is √(Σμ_j²): normal answers need all of it.
    """
    return holds(symbolic.proves(ATTAINED), composes(FULLY_ADAPTIVE), value="√(Σμ_j²)")


@claim(
    "webb2025/thm-5.7",
    where="Section 5.2, Theorem 5.7",
    says="Mechanisms that each satisfy μ_i-GEDP with the same ψ and γ, each using earlier outputs, together "
    "satisfy √(Σμ_i²)-GEDP.",
    states=ADAPTIVE,
    tight=ATTAINED,
)
def adaptive_composition() -> Verdict:
    """Neighbors are the same for all of them, so the theorem is about one pair of output laws; the rule
    `adaptive_normals` has the argument.
    """
    return holds(
        symbolic.proves(ATTAINED),
        composes(ADAPTIVE),
        value="√(Σμ_i²)",
        condition="each M_i satisfies its μ_i-GEDP for every value of the earlier outputs, with fresh noise",
    )
