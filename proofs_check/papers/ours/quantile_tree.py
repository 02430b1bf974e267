"""What the recursive exponential mechanism for quantiles costs."""

from fractions import Fraction

import z3

from establish import Verdict, claim, exact, exhaustive, holds, solver
from establish.proofs_check.papers.ours.small_mechanisms import (
    CHANGE,
    HALF,
    PRESENCE,
    QUARTILES,
    largest_ratio,
    private,
    tree,
)
from establish.spec.arithmetic import EXACT
from establish.spec.earnings.quantile_tree import distance, levels

PLACE = "Recursive exponential mechanism for several quantiles"
LEVEL = 4
"""e^(ε_l) of the small trees."""

STEEP, EVEN = (1, 50), (2, 1, 3)
"""Weights of candidates 3, 5 and 3, 5, 7; the steep ones come near the full loss."""


@claim(
    "establish/quantile-draw-loss",
    where=PLACE,
    says="Drawing one quantile with weights w(y)·e^(−ε_l·u(y)/2) costs ε_l when one individual is added or "
    "removed.",
)
def one_draw_costs_its_budget() -> Verdict:
    """u(y) = |#{e < y} − p·n|/max(p, 1−p). One individual more moves #{e < y} − p·n by 1 − p or by −p, so u
    by at most 1. Every numerator w·e^(−ε_l·u/2) therefore changes by a factor between e^(−ε_l/2) and
    e^(ε_l/2), their sum as well, and the quotient by at most e^(ε_l). On the small universe it is private at
    e^(ε_l) = 4, and with steep weights the exact value is above 3.9.
    """
    p, below, size, up = z3.Reals("p below size up")
    a, b, a2, b2, r = z3.Reals("a b a2 b2 r")
    largest = z3.If(p >= 1 - p, p, 1 - p)

    def gap(x: z3.ArithRef) -> z3.ArithRef:
        return z3.If(x >= 0, x, -x)

    exactly = largest_ratio(tree((HALF,), STEEP), PRESENCE)
    return holds(
        solver.for_all(
            [p > 0, p < 1, z3.Or(up == 0, up == 1)],
            z3.And(
                gap(below + up - p * (size + 1)) - gap(below - p * size) <= largest,
                gap(below - p * size) - gap(below + up - p * (size + 1)) <= largest,
            ),
            "u changes by at most 1",
        ),
        solver.for_all(
            [r >= 1, a > 0, b > 0, a2 <= r * a, a <= r * a2, b2 <= r * b, b <= r * b2, a2 > 0, b2 > 0],
            z3.And(a + b <= r * (a2 + b2), a2 * (a + b) <= r * r * a * (a2 + b2)),
            "numerators and their sum change by a factor of r = e^(ε_l/2) at most, the quotient by r²",
        ),
        exhaustive.for_all(
            [(b, n, x) for n in range(8) for b in range(n + 1) for x in (0, 1)],
            lambda case: all(
                abs(
                    distance(case[0] + case[2], case[1] + 1, share, EXACT)
                    - distance(case[0], case[1], share, EXACT)
                )
                <= 1
                for share in (*QUARTILES, Fraction(1, 3), Fraction(9, 10))
            ),
            "u of the specification changes by at most 1",
            "up to 7 individuals, shares 1/4, 1/3, 1/2, 3/4, 9/10",
        ),
        *(private(tree((HALF,), weights), LEVEL, "one draw") for weights in (STEEP, EVEN)),
        exact.compare(exactly, ">", Fraction(39, 10), "candidates 3, 5 of weights 1, 50: e^loss"),
        value="ε_l; e^(ε_l) = 4 against more than 3.9 in an example",
    )


@claim(
    "establish/quantile-tree-loss",
    where=PLACE,
    says="m quantiles cost ⌈log2(m+1)⌉·ε_l when one individual is added or removed, and twice that when one "
    "individual's earnings change.",
)
def a_level_costs_once_however_many_draws() -> Verdict:
    """The draws of a level look at disjoint parts of the list, cut at quantiles drawn before. Given these,
    one individual more is in one part of the level; the draws in the others have the same law and cancel. So
    a level costs ε_l, the levels add up (adaptive sequential composition), and a change is one individual
    less and one more. The middle of m shares leaves at most ⌊m/2⌋ on each side, and levels(m) levels do.
    Exact laws for 25, 50, 75: two levels, private at 16 = 4² and at 256 for a change; with steep weights the
    exact value is above 15.
    """
    exactly = largest_ratio(tree(QUARTILES, STEEP), PRESENCE)
    p, q, p2, q2, c, d = z3.Reals("p q p2 q2 c d")
    return holds(
        solver.for_all(
            [p >= 0, q >= 0, p2 >= 0, q2 >= 0, c >= 1, d >= 1, p <= c * q, p2 <= d * q2],
            p * p2 <= (c * d) * (q * q2),
            "one more level multiplies the bound by its own",
        ),
        exhaustive.for_all(
            range(1, 64),
            lambda m: (
                levels(m) == 1 + max(levels(m // 2) if m > 1 else 0, levels(m - 1 - m // 2) if m > 2 else 0)
            ),
            "a level more than the larger half needs",
            "1 to 63 quantiles",
        ),
        exact.compare(levels(len(QUARTILES)), "==", 2, "levels of three quantiles"),
        *(
            private(tree(QUARTILES, weights), level, "three quantiles", relation)
            for weights in (STEEP, EVEN)
            for level, relation in ((LEVEL**2, PRESENCE), (LEVEL**4, CHANGE))
        ),
        exact.compare(exactly, ">", 15, "candidates 3, 5 of weights 1, 50: e^loss of three quantiles"),
        value="⌈log2(m+1)⌉·ε_l; e^(2ε_l) = 16 against more than 15 in an example",
    )
