"""Appendix G: the Gaussian mechanism, from which Section 6 starts."""

from __future__ import annotations

import z3

from establish.proofs_check.methods import solver
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Verdict, ill_posed
from establish.proofs_check.webb2025.psi_mechanism import shifted_normals


@claim(
    "webb2025/def-G.2",
    where="Appendix G, Definitions G.1 and G.2",
    says="For every vector-valued q, q(D) + N(0, Δ₂(q)²/μ² I) satisfies μ-GDP, Δ₂(q) being the largest L2 "
    "change of q when the value of one record changes.",
)
def gaussian_mechanism_needs_a_finite_sensitivity() -> Verdict:
    """As for Theorem 6.3: a shift by at most Δ₂ = μs is at most μ standard deviations. But Δ₂ is ∞ for a sum
    of values ≥ 0 without a bound: 0 may be replaced by any number. The mechanism then does not exist,
    and that is why Section 6 restricts the pairs.
    """
    d, most, mu, bound = z3.Reals("d Delta mu B")
    new = z3.Real("y")
    return ill_posed(
        *shifted_normals(),
        solver.for_all(
            [d >= 0, most > 0, mu > 0, d <= most], d * mu / most <= mu, "d/s with s = Δ₂/μ ≤ μ"
        ),
        solver.for_all(
            [bound >= 0, new == bound + 1], new - 0 > bound, "a sum changes by more than any B"
        ),
        condition="Δ₂(q) < ∞",
        counterexample="q = the sum of nonnegative values: replacing 0 by B + 1 changes it by more than B",
    )
