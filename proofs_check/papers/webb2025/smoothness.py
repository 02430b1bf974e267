"""Theorems 5.10 and 5.11: where a neighbor function is differentiable."""

from fractions import Fraction

import sympy

from establish import Verdict, aside, claim, exact, holds, solver, symbolic
from establish.proofs_check.engine.rules import no_kink, slopes_at_a_point
from establish.proofs_check.engine.statements import Smooth
from establish.spec.neighbor_functions.functions import X


def kinked(x: Fraction) -> Fraction:
    """min(x, (1+x)/2), with a kink at 1: increasing, continuous and concave."""
    return min(x, (1 + x) / 2)


SMOOTH = Smooth()


@claim(
    "webb2025/thm-5.10-smooth",
    where="Section 5.4.4, Theorem 5.10, and Section 5.4.5, Theorem 5.11",
    says="Neighbor functions are continuously differentiable at every x > 0, not only almost everywhere.",
    states=SMOOTH,
    tight=SMOOTH,
    origin="ours",
)
def no_neighbor_function_has_a_kink() -> Verdict:
    """They are at every x > 0. ψ has slopes to the left and to the right of x, l ≥ r by concavity; ψ∘exp has
    the slopes x·l ≤ x·r by convexity: l = r. For y < x < z the slopes p, s, q at y, x, z satisfy p ≥ s ≥ q
    and yp ≤ xs ≤ zq, so s ≤ p ≤ (x/y)s and (x/z)s ≤ q ≤ s: as y and z tend to x, so do p and q to s. At 0
    the slope may be infinite, as that of √ is. Without condition (4) a kink is allowed: min(x, (1+x)/2)
    has the slopes 1 and 1/2 at 1, and ψ∘exp the same, which decrease. So ψ* of the theorems, whose slope
    is the minimum or maximum of two continuous ones, has no kink either.
    """
    return holds(
        no_kink(SMOOTH, *map(solver.proves, slopes_at_a_point(SMOOTH))),
        symbolic.identity(
            sympy.limit(1 / sympy.diff(sympy.sqrt(X), X), X, 0, "+"),
            sympy.Integer(0),
            "1/ψ' for ψ = √ as x → 0",
        ),
        aside(
            exact.compare(
                2 * kinked(Fraction(1)),
                ">",
                kinked(Fraction(3, 4)) + kinked(Fraction(4, 3)),
                "min(x, (1+x)/2) at 1, the geometric mean of 3/4 and 4/3, so that ψ∘exp is not convex",
            )
        ),
        value="at every x > 0",
    )
