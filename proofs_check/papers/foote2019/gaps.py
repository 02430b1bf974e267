"""Section 5.5: how the local sensitivity of the median depends on the size of a cell."""

from fractions import Fraction

import sympy

from establish import Every, Verdict, claim, exact, exhaustive, ill_posed, symbolic
from establish.spec.earnings.neighbors import Earnings, EarningsOfOne
from establish.spec.earnings.order_sensitivity import local_by_definition

HALF = Fraction(1, 2)
ENDS = (0, 4)


def _two_groups(size: int) -> Earnings:
    """The lower half and the median at one end of the range, the others at the other."""
    low = (size + 1) // 2
    return (0,) * low + (4,) * (size - low)


LARGE_IS_LESS = Every(
    "odd size of a cell of two groups",
    lambda: (3, 5, 7, 99, 499),
    lambda size: (
        local_by_definition(EarningsOfOne(ENDS, size, size), _two_groups(size), HALF, ENDS) < ENDS[1]
    ),
)
"""The median of the cell is less sensitive than that of one individual: it moves by less than the range."""


@claim(
    "foote2019/sec5-ls-by-size",
    where="Section 5.5",
    says="The local sensitivity can be quite large for smaller cells; large cells are much less sensitive.",
    states=LARGE_IS_LESS,
    origin="implied",
)
def gaps_shrink_with_the_size_on_average() -> Verdict:
    """Not for every cell: with half of the earnings at either end of the range, the local sensitivity of the
    median is the whole range, however large the cell. On average they are: let N earnings be drawn from a
    continuous law. The shares of the population between neighboring order statistics are the spacings of
    uniform draws; two of them, x and y, have the density N(N−1)(1−x−y)^(N−2). The median moves across the
    larger of the two beside it, and with s = x + y, larger = s·v, E max = 2·∫ v dv·N(N−1)·∫ s²(1−s)^(N−2) ds
    = 3/(2(N+1)) of the population.
    """
    n = sympy.Symbol("N", integer=True, positive=True) + 1
    s, v = sympy.symbols("s v", positive=True)
    falling = -((1 - s) ** (n - 1)) * (
        s**2 / (n - 1) + 2 * s * (1 - s) / ((n - 1) * n) + 2 * (1 - s) ** 2 / ((n - 1) * n * (n + 1))
    )
    over_s = falling.subs(s, 1) - falling.subs(s, 0)
    return ill_posed(
        exact.refuted(LARGE_IS_LESS, case=499),
        exhaustive.for_all(
            range(3, 16, 2),
            lambda size: (
                local_by_definition(EarningsOfOne(ENDS, size, size), _two_groups(size), HALF, ENDS) == 4
            ),
            "two groups at the ends: the local sensitivity of the median is the whole range",
            "odd sizes from 3 to 15, earnings 0 and 4",
        ),
        symbolic.identity(
            sympy.diff(falling, s), s**2 * (1 - s) ** (n - 2), "the integrand over s, N from 2"
        ),
        symbolic.identity(
            2 * sympy.integrate(v, (v, HALF, 1)) * n * (n - 1) * over_s,
            sympy.Rational(3, 2) / (n + 1),
            "E max of the gaps beside the median, as a share of the population",
        ),
        condition="on average, earnings drawn from a continuous law; N odd and at least 3",
        counterexample="N odd, (N+1)/2 earn $10,000 and the others the most: one change moves the median "
        "across the whole range",
        value="3/(2(N+1)) of the population on average",
    )
