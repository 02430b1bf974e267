"""Why an audit of cell suppression may be believed: its certificates, its witnesses and its presolve."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import z3

from establish.impl.suppression.presolve import LOWER, UPPER, Clash, Presolved
from establish.proofs_check.engine.methods import exhaustive, solver
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.verdicts import Verdict, aside, holds
from establish.spec.disclosure_limitation.linear_bounds import LinearTable, Vector

FACTORS = (-1, 0, 1)
BOX = (0, 1, 2)


def small_tables() -> Iterator[LinearTable]:
    """Two sums over three unknowns from 0 to 2, factors −1, 0 and 1, each sum 0 to 2."""
    forms = list(product(FACTORS, repeat=3))
    for first, second in product(forms, repeat=2):
        if first > second:
            continue
        rows = [{k: v for k, v in enumerate(form) if v} for form in (first, second)]
        for right in product((0, 2), repeat=2):
            yield LinearTable(rows, right, [0] * 3, [2] * 3)


SMALL = "two sums of 0 or 2 over three unknowns from 0 to 2, factors −1, 0, 1"


def fitting(table: LinearTable) -> list[tuple[int, ...]]:
    """All whole tables in the box."""
    return [values for values in product(BOX, repeat=3) if table.is_table(values)]


def _bounded_by_every_dual(table: LinearTable) -> bool:
    tables = fitting(table)
    for first, second in product((-1, 2), repeat=2):
        vector: Vector = {0: first, 1: second}
        for place in range(3):
            low, high = table.least({place: 1}, vector), table.greatest({place: 1}, vector)
            if low is None or high is None:
                return False
            if any(not low <= values[place] <= high for values in tables):
                return False
    return True


@claim(
    "establish/dual-vector-bounds",
    where="Cell suppression: certificates",
    says="Every dual vector, whatever it is, certifies a lower and an upper bound of every unknown over all "
    "tables that satisfy the sums and bounds.",
)
def any_dual_vector_bounds() -> Verdict:
    """Subtracting y times a sum a·x = b from a form and adding y·b changes nothing where the sum holds: one
    sum after the other, x_t = y·b + Σ r_j·x_j with r = e_t − y·A. Each r_j·x_j is at least r_j·lower where
    r_j ≥ 0, and at least r_j·upper where r_j ≤ 0; adding these up keeps the inequality. From above it is
    the same for −x_t.
    """
    v, y, ax, b, r, x, low, high, s, t, u, w = z3.Reals("v y ax b r x low high s t u w")
    return holds(
        solver.for_all([ax == b], v == (v - y * ax) + y * b, "a sum may be added with any factor"),
        solver.for_all(
            [r >= 0, low <= x], r * low <= r * x, "a positive factor takes the lower bound"
        ),
        solver.for_all([r <= 0, x <= high], r * high <= r * x, "a negative one the upper bound"),
        solver.for_all([s <= t, u <= w], s + u <= t + w, "bounds of terms add up"),
        aside(exhaustive.for_all(small_tables(), _bounded_by_every_dual, "duals bound", SMALL)),
        value="y·b + Σ min(r_j·lower_j, r_j·upper_j)",
    )


@claim(
    "establish/attained-bound-is-the-end",
    where="Cell suppression: witnesses",
    says="A certified bound that one table attains is the end of the interval, and all values between two "
    "attained ends are attained when values are real.",
)
def an_attained_bound_is_the_end() -> Verdict:
    """If every table has at least L and one has L, then L is the least value. Between two tables every
    mixture satisfies the same sums and bounds, and takes every value between.
    """
    least, bound, v, a, b, m, x, y, low, high = z3.Reals("least bound v a b m x y low high")
    mix = [m >= 0, m <= 1]
    return holds(
        solver.for_all(
            [bound <= least, least <= v, v == bound], least == bound, "attained, so it is the least"
        ),
        solver.for_all([*mix, a == b, x == b], m * a + (1 - m) * x == b, "sums survive mixing"),
        solver.for_all(
            [*mix, low <= x, x <= high, low <= y, y <= high],
            z3.And(low <= m * x + (1 - m) * y, m * x + (1 - m) * y <= high),
            "bounds survive mixing",
        ),
        solver.for_all(
            [x < y, x <= v, v <= y],
            z3.And((v - x) / (y - x) >= 0, (v - x) / (y - x) <= 1),
            "every value between is a mixture",
        ),
    )


@claim(
    "establish/direction-has-no-end",
    where="Cell suppression: ends at infinity",
    says="Where the sums are 0 along a direction and no bound stops it, a table may move along it for ever.",
)
def a_direction_has_no_end() -> Verdict:
    """A·(x + s·d) = A·x + s·A·d = b, and a bound on the side to which d moves does not exist."""
    ax, ad, b, s, x, d, low = z3.Reals("ax ad b s x d low")
    return holds(
        solver.for_all([ax == b, ad == 0], ax + s * ad == b, "the sums stay"),
        solver.for_all([low <= x, d >= 0, s >= 0], low <= x + s * d, "the bounds stay"),
    )


@claim(
    "establish/whole-bound-is-rounded-inward",
    where="Cell suppression: whole numbers",
    says="For whole values a certified bound may be rounded to the next whole number inward, and a dual "
    "vector with y·A whole and y·b not whole shows that no whole table exists.",
)
def whole_bounds_are_rounded_inward() -> Verdict:
    """n = ⌈L⌉ is the whole number with n − 1 < L ≤ n, so a whole x ≥ L has x − n > −1, hence x ≥ n; from
    above it is the same turned round. A whole combination of whole values is whole, and a y·b between n and
    n + 1 would be a whole number whose distance from n lies between 0 and 1.
    """
    distance = z3.Int("distance")
    x, n, bound, right = z3.Reals("x n bound right")
    return holds(
        solver.for_all([n - 1 < bound, bound <= x], x - n > -1, "x is above n − 1"),
        solver.for_all([bound < n + 1, x <= bound], n - x > -1, "from above: x is below n + 1"),
        solver.for_all([distance > -1], distance >= 0, "a whole distance above −1 is at least 0"),
        solver.for_all(
            [n < right, right < n + 1, x == right],
            z3.And(x - n > 0, x - n < 1),
            "a sum between two neighbors",
        ),
        solver.for_all(
            [distance > 0], z3.Not(distance < 1), "no whole distance is between 0 and 1"
        ),
    )


def _presolved_truly(table: LinearTable) -> bool:
    """All that presolve says is true of every table, and certified in the original system."""
    tables = fitting(table)
    try:
        found = Presolved(table)
    except Clash as clash:
        return not tables and table.clashes(clash.dual)
    for place in range(3):
        low, high = found.bounds[LOWER][place], found.bounds[UPPER][place]
        if low is None or high is None:
            return False
        sure = table.least({place: 1}, low.dual), table.greatest({place: 1}, high.dual)
        if sure[0] is None or sure[0] < low.value or sure[1] is None or sure[1] > high.value:
            return False
        if any(not low.value <= values[place] <= high.value for values in tables):
            return False
    return all(
        values[x] == alias.sign * values[alias.of] + alias.shift
        for x, alias in found.final.items()
        for values in tables
    )


@claim(
    "establish/presolve-is-exact",
    where="Cell suppression: presolve",
    says="Fixing the one unknown of a sum, taking one of two for an alias of the other, and bounding one by "
    "the others lose no table, and the duals that are lifted to the original sums certify at least as much.",
)
def presolve_is_exact_and_its_duals_are_lifted() -> Verdict:
    """With factors a, s = ±1 a sum is solved for its unknown by multiplying with a. A bound in use, x_j ≥ L_j
    by a dual vector p, is replaced in another certificate by r_j·p: the forms add up, and the least value of
    a sum of forms over the box is at least the sum of their least values, so nothing is lost.
    """
    a, x, y, b, s, r, q, low, high, rest, most = z3.Reals("a x y b s r q low high rest most")

    def least(factor: z3.ArithRef) -> z3.ArithRef:
        return z3.If(factor >= 0, factor * low, factor * high)

    unit = z3.Or(a == 1, a == -1)
    return holds(
        solver.for_all([unit], (a * x == b) == (x == a * b), "one unknown is fixed"),
        solver.for_all(
            [unit, z3.Or(s == 1, s == -1)],
            (a * x + s * y == b) == (x == -a * s * y + a * b),
            "two unknowns: an alias",
        ),
        solver.for_all([x + rest == b, rest <= most], x >= b - most, "one unknown by the others"),
        solver.for_all(
            [low <= high], least(r + q) >= least(r) + least(q), "combined duals lose nothing"
        ),
        aside(
            exhaustive.for_all(
                small_tables(), _presolved_truly, "presolve is true and lifted", SMALL
            )
        ),
    )
