"""Section 3 and Theorem 5.7: adaptive composition."""

from __future__ import annotations

from fractions import Fraction

import sympy
import z3

from establish.proofs_check.engine.methods import exact, solver, symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Evidence, Verdict, holds
from establish.spec.gaussian import composed_square


def density(z: sympy.Expr) -> sympy.Expr:
    """The density of N(0, 1)."""
    return sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi)


def adaptive_gaussians() -> tuple[Evidence, ...]:
    """One step of the argument: the log likelihood ratio is linear, and e^(sμy − s²μ²/2) has mean 1."""
    y, s = sympy.symbols("y s", real=True)
    mu = sympy.Symbol("mu", positive=True)
    ratio = sympy.expand_log(sympy.log(density(y - mu) / density(y)), force=True)
    law = density(y) * sympy.exp(s * mu * y - s**2 * mu**2 / 2)
    mean = sympy.integrate(sympy.expand(sympy.powsimp(law)), (y, -sympy.oo, sympy.oo))
    return (
        symbolic.identity(ratio, mu * y - mu**2 / 2, "log likelihood ratio of one answer"),
        symbolic.identity(sympy.simplify(mean), sympy.Integer(1), "mean of e^(sμy − s²μ²/2)"),
    )


@claim(
    "webb2025/sec3-compose",
    where="Section 3, fully adaptive composition",
    says="If the mechanisms and their μ_j are chosen after seeing earlier outputs, and √(Σμ_j²) ≤ μ in all "
    "possible situations, releasing all outputs satisfies μ-GDP.",
)
def fully_adaptive_composition() -> Verdict:
    """Derived as for webb2025/thm-5.7, where μ_j may depend on earlier answers. (The sum is printed with
    index i.) The least budget is √(Σμ_j²).
    """
    total, spent, rest = z3.Reals("total spent rest")
    return holds(
        *adaptive_gaussians(),
        solver.for_all(
            [spent >= 0, spent <= total * total, rest == total * total - spent],
            rest >= 0,
            "a last answer can fill the squares up to μ²",
        ),
        exact.compare(
            composed_square([3, 4]), "==", 25, "squares of 3 and 4, composed: the square of 5"
        ),
        value="√(Σμ_j²)",
    )


@claim(
    "webb2025/thm-5.7",
    where="Section 5.2, Theorem 5.7",
    says="Mechanisms that each satisfy μ_i-GEDP with the same ψ and γ, each using earlier outputs, together "
    "satisfy √(Σμ_i²)-GEDP.",
)
def adaptive_composition() -> Verdict:
    """Neighbors are the same for all of them, so the theorem is about one pair of output laws. By Blackwell's
    theorem each release, for a given pair of datasets and given earlier outputs, is a function of one
    answer y_j from N(0,1) or N(μ_j,1) and of fresh randomness. Add a last answer that fills Σμ_j² up to μ².
    The log likelihood ratio of all answers is X − μ²/2 with X = Σμ_j·y_j, so X is sufficient. Given the
    past, e^(sμ_j·y_j − s²μ_j²/2) has mean 1; multiplied over the steps E e^(sX) = e^(s²μ²/2), so X ~ N(0,
    μ²), although μ_j may depend on earlier answers. The other law tilts this by e^(X−μ²/2), to N(μ², μ²):
    X/μ tells N(0,1) from N(μ,1).
    """
    return holds(
        *adaptive_gaussians(),
        exact.compare(
            composed_square([Fraction(3, 10), Fraction(4, 10)]),
            "==",
            Fraction(1, 4),
            "μ = 0.3 and 0.4 compose to 0.5",
        ),
        value="√(Σμ_i²)",
        condition="each M_i satisfies its μ_i-GEDP for every value of the earlier outputs, with fresh noise",
    )
