"""MOSE on the small groups: center, scale and loss of its releases."""

from fractions import Fraction

import sympy
import z3

from establish import Evidence, solver, symbolic
from establish.proofs_check.papers.schmutte2020_slides.groups import GRID, HALF
from establish.spec.mechanisms.laplace import privacy_loss
from establish.spec.regression.mose import Groups, Mose, maximum_observed_sensitivity
from establish.spec.regression.ols import Points


def published(epsilon: int | Fraction = 1) -> Mose:
    """χ and N_g from the data."""
    return Mose(epsilon, HALF, GRID)


def law(mose: Mose, groups: Groups, g: int = 0) -> tuple[Fraction, Fraction]:
    """Center and scale of the release of a group."""
    return mose.center(groups, g), mose.scale(groups, g)


def chi(points: Points) -> Fraction:
    """χ of one group alone. Raises OverflowError when it is infinite."""
    return Fraction(maximum_observed_sensitivity((points,), HALF, GRID))


def public_scale_loss() -> tuple[Evidence, ...]:
    """With scale c/(nε) on both sides the loss is ε·n·|change|/c, at most ε when n·|change| ≤ c."""
    n, top, change, epsilon = sympy.symbols("n chi t epsilon", positive=True)
    x, a, b, k, limit = z3.Reals("x a b k limit")

    def distance(p: z3.ArithRef, q: z3.ArithRef) -> z3.ArithRef:
        return z3.If(p >= q, p - q, q - p)

    return (
        symbolic.identity(privacy_loss(change, top / n / epsilon), epsilon * n * change / top, "the loss"),
        solver.for_all(
            [k > 0, k * distance(a, b) <= limit],
            z3.And(
                k * (distance(x, b) - distance(x, a)) <= limit, k * (distance(x, a) - distance(x, b)) <= limit
            ),
            "at every output the log ratio is at most that, for k = nε/χ",
        ),
    )
