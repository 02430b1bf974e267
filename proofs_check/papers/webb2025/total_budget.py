"""Section 6.2: what identity answers and pnc answers cost together."""

from __future__ import annotations

import sympy

from establish.proofs_check.engine.methods import symbolic
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Evidence, Verdict, aside, holds
from establish.proofs_check.papers.webb2025.probably_no_clipping import clipped_values_stay_within
from establish.proofs_check.papers.webb2025.psi_mechanism import likelihood_of_shifts
from establish.spec.arithmetic import SYM
from establish.spec.distributions import gaussian
from establish.spec.gaussian import composed


def independent_shifts_add_in_squares() -> Evidence:
    """Two independent normal answers shifted by a and b standard deviations are one shift √(a² + b²).

    The log ratio of their joint densities is normal, with half its variance as mean.
    """
    a, b = sympy.symbols("a b", positive=True)
    first, second = sympy.symbols("z1 z2", real=True)
    one = sympy.Integer(1)
    ratio = sum(
        gaussian.log_density(z, m, one, SYM) - gaussian.log_density(z, 0, one, SYM)
        for z, m in ((first, a), (second, b))
    )
    return symbolic.identity(
        ratio,
        a * first + b * second - (a**2 + b**2) / 2,
        "the log ratio of two independent answers, normal with variance a² + b² and half that as mean",
    )


@claim(
    "webb2025/sec6.2-total",
    where="Section 6.2, after Theorem 6.9",
    says="The workflow of k identity answers and m pnc answers costs the root of the sum of the squares of "
    "all budgets.",
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
        independent_shifts_add_in_squares(),
        *likelihood_of_shifts(),
        clipped_values_stay_within(own=False),
        symbolic.identity(
            sympy.limit(change / upper, r, sympy.oo),
            sympy.Integer(1),
            "the share of μ^(b) that the pnc answer uses, as x → ∞",
        ),
        aside(
            symbolic.identity(
                composed([3, 4, 12], SYM), sympy.Integer(13), "budgets 3, 4 and 12 together"
            )
        ),
    )
