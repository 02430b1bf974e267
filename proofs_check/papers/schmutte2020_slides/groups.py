"""The small groups of the counterexamples, and what noise of two different scales gives away.

Ranks 0, 1/2, 1 and outcomes 0, 1 are legal; the line is read at rank 1/2.
"""

from fractions import Fraction

import z3

from establish import Equal, Evidence, exact, exhaustive, solver
from establish.spec.regression.local import even_grid, local_sensitivity
from establish.spec.regression.neighbors import AddOrRemovePerson
from establish.spec.regression.ols import Points, predict

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)

GRID = even_grid(2)
"""The legal points."""

FLAT: Points = ((ZERO, ZERO), (HALF, ZERO), (ONE, ZERO))
"""Three people with outcome 0, one at each rank: the fewest with a finite local sensitivity."""

FLATTER: Points = ((ZERO, ZERO), (HALF, ZERO), (HALF, ZERO), (ONE, ZERO))
"""The same with one more person in the middle: the same line, a smaller local sensitivity."""

KINK: Points = ((ZERO, ZERO), (HALF, ZERO), (ONE, ONE))
"""Three people; N·LS = 1."""

KINK_MORE: Points = ((ZERO, ZERO), (HALF, ZERO), (HALF, ZERO), (ONE, ONE))
"""One person more than KINK, and still N·LS = 1."""

BENT: Points = ((ZERO, ONE), (HALF, ZERO), (ONE, ONE))
"""Three people far from a line."""


NEIGHBORS = Equal(
    left=lambda c: c.number(int(AddOrRemovePerson(GRID, 1, 4).related((FLAT,), (FLATTER,)))), right=1
)
PREDICTIONS = Equal(
    left=lambda c: c.number(predict(FLATTER, HALF) or 0), right=lambda c: c.number(predict(FLAT, HALF) or 0)
)
SENSITIVITIES = (
    Equal(left=lambda c: c.number(Fraction(local_sensitivity(FLAT, HALF, GRID))), right=Fraction(1, 4)),
    Equal(left=lambda c: c.number(Fraction(local_sensitivity(FLATTER, HALF, GRID))), right=Fraction(1, 5)),
)
"""The two groups differ in one person and predict the same, with different local sensitivities."""


def are_neighbors(d: tuple[Points, ...], d2: tuple[Points, ...]) -> Evidence:
    """The datasets differ in one person."""
    related = AddOrRemovePerson(GRID, len(d), 4).related(d, d2)
    sizes = " and ".join(str([len(points) for points in groups]) for groups in (d, d2))
    return exact.compare(int(related), "==", 1, f"groups of sizes {sizes} that are neighbors")


def fewer_than_three_have_no_finite_sensitivity() -> Evidence:
    """Why no smaller counterexample exists: at least three people are needed."""
    small = [group for (group,) in AddOrRemovePerson(GRID, 1, 2).datasets()]
    return exhaustive.for_all(
        small,
        lambda group: (
            predict(group, HALF) is None or not isinstance(local_sensitivity(group, HALF, GRID), Fraction)
        ),
        "up to two people: no line, or one that goes when one of them leaves",
        "groups of up to two people, ranks 0, 1/2, 1 and outcomes 0, 1",
    )


def tail_exponent(center: Fraction, scale: Fraction, t: Fraction) -> Fraction:
    """k with P(Y > t) = ½·e^(−k) for Y = center + Laplace(scale) and t ≥ center."""
    if t < center:
        raise ValueError(f"t = {t} lies below the center {center}")
    return (t - center) / scale


def tail_log_ratio(
    wide: tuple[Fraction, Fraction], narrow: tuple[Fraction, Fraction], t: Fraction
) -> Fraction:
    """ln of P(Y > t)/P(Y' > t) for two (center, scale), t beyond both centers."""
    return tail_exponent(*narrow, t) - tail_exponent(*wide, t)


def no_level_suffices() -> Evidence:
    """Laplace laws of different scales: the tails tell them apart at every level of ε."""
    a, b, wide, narrow, level, t = z3.Reals("a b wide narrow level t")
    u, v = z3.Reals("u v")  # the reciprocal scales
    return solver.for_all(
        [wide > narrow, narrow > 0, u * wide == 1, v * narrow == 1, t * (v - u) > level + b * v - a * u],
        (t - b) * v - (t - a) * u > level,
        "scales wide > narrow, centers a and b: far enough out the ratio of tails exceeds e^level",
    )
