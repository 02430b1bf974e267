"""Why an audit of cell suppression may be believed: its certificates, its witnesses and its presolve."""

from collections.abc import Iterator
from itertools import product

from establish import AtMost, Compares, Equal, Integer, Real, claim, exhaustive, rules, solver, symbolic
from establish.impl.suppression.presolve import LOWER, UPPER, Clash, Presolved
from establish.proofs_check.engine.statements import Combines, DualsBound, given
from establish.proofs_check.engine.verdicts import Verdict, aside, holds
from establish.spec.arithmetic import Number, World
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


def _of_row(c: World, y: Number, b: Number) -> Number:
    return y * b


def _of_place(c: World, r: Number, low: Number, high: Number) -> Number:
    """r·low for r ≥ 0 and r·high for r ≤ 0."""
    zero = c.number(0)
    return c.maximum(r, zero) * low - c.maximum(-r, zero) * high


CERTIFIED = DualsBound(row=_of_row, term=_of_place)
LIFTED = DualsBound(row=_of_row, term=_of_place, lifts=True)
"""What a dual vector certifies of any form, from above by the opposite form, and what sums of them do."""


@claim(
    "establish/dual-vector-bounds",
    states=CERTIFIED,
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
    return holds(
        rules.linear_combination(CERTIFIED, *map(solver.proves, rules.by_sum_and_place(CERTIFIED))),
        aside(exhaustive.for_all(small_tables(), _bounded_by_every_dual, "duals bound", SMALL)),
        value="y·b + Σ min(r_j·lower_j, r_j·upper_j)",
    )


MIXTURE = Combines(first=lambda c, s: 1 - s, second=lambda c, s: s, parameter=Real("s", least=0, most=1))
"""Every mixture of two tables that fit fits."""

THE_END = Equal(
    Real("bound"),
    Real("least", least=lambda c, bound: bound),
    Real("attained", least=lambda c, bound, least: least, most=lambda c, bound, least: bound),
    left=lambda c, bound, least, attained: least + 0 * attained,
    right=lambda c, bound, least, attained: bound,
)
"""The least value of a form lies between a certified bound and a value that a table has: if these are
the same, it is the least value.
"""

BETWEEN = (
    Real("low"),
    Real("high", above=lambda c, low: low),
    Real("v", least=lambda c, low, high: low, most=lambda c, low, high: high),
)
WEIGHTS = (
    AtMost(*BETWEEN, left=0, right=lambda c, low, high, v: (v - low) / (high - low)),
    AtMost(*BETWEEN, left=lambda c, low, high, v: (v - low) / (high - low), right=1),
    Equal(
        *BETWEEN,
        left=lambda c, low, high, v: (1 - (v - low) / (high - low)) * low + (v - low) / (high - low) * high,
        right=lambda c, low, high, v: v,
    ),
)
"""Every value between the two ends is that of a mixture, with a weight from 0 to 1."""


@claim(
    "establish/attained-bound-is-the-end",
    states=(THE_END, MIXTURE, *WEIGHTS),
    where="Cell suppression: witnesses",
    says="A certified bound that one table attains is the end of the interval, and all values between two "
    "attained ends are attained when values are real.",
)
def an_attained_bound_is_the_end() -> Verdict:
    """If every table has at least L and one has L, then L is the least value. Between two tables every
    mixture satisfies the same sums and bounds, and takes every value between.
    """
    sums, *places = rules.combined(MIXTURE)
    return holds(
        solver.proves(THE_END),
        rules.sum_by_sum(MIXTURE, symbolic.proves(sums), *map(solver.proves, places)),
        *map(solver.proves, WEIGHTS),
    )


MOVED = Combines(
    first=lambda c, s: c.number(1), second=lambda c, s: s, parameter=Real("s", least=0), along=True
)
"""Any distance along a direction leads to another table that fits."""


@claim(
    "establish/direction-has-no-end",
    states=MOVED,
    where="Cell suppression: ends at infinity",
    says="Where the sums are 0 along a direction and no bound stops it, a table may move along it for ever.",
)
def a_direction_has_no_end() -> Verdict:
    """A·(x + s·d) = A·x + s·A·d = b, and a bound on the side to which d moves does not exist."""
    sums, *places = rules.combined(MOVED)
    return holds(rules.sum_by_sum(MOVED, symbolic.proves(sums), *map(solver.proves, places)))


_WHOLE = (Integer("n"), Integer("x"))


def _gap(c: World, n: Number, x: Number, *_: Number) -> Number:
    return n - x


INWARD = (
    AtMost(
        *_WHOLE,
        Real("bound", above=lambda c, n, x: n - 1, most=lambda c, n, x: x),
        left=lambda c, n, x, bound: n,
        right=lambda c, n, x, bound: x + 0 * bound,
    ),
    AtMost(
        *_WHOLE,
        Real("bound", least=lambda c, n, x: x, below=lambda c, n, x: n + 1),
        left=lambda c, n, x, bound: x,
        right=lambda c, n, x, bound: n + 0 * bound,
    ),
)
"""A whole x of at least a bound above n − 1 is at least n, and one of at most a bound below n + 1 at
most n.
"""

NO_WHOLE_SUM = Compares(
    *_WHOLE,
    Real("y·b", above=lambda c, n, x: n, below=lambda c, n, x: n + 1),
    left=lambda c, n, x, right: x,
    relation="!=",
    right=lambda c, n, x, right: right + 0 * n,
)
"""(y·A)·x is a whole number x for whole tables and whole y·A, so not a y·b between two neighbors n and
n + 1.
"""


@claim(
    "establish/whole-bound-is-rounded-inward",
    states=(*INWARD, NO_WHOLE_SUM),
    where="Cell suppression: whole numbers",
    says="For whole values a certified bound may be rounded to the next whole number inward, and a dual "
    "vector with y·A whole and y·b not whole shows that no whole table exists.",
)
def whole_bounds_are_rounded_inward() -> Verdict:
    """n = ⌈L⌉ is the whole number with n − 1 < L ≤ n, so a whole x ≥ L has x − n > −1, hence x ≥ n; from
    above it is the same turned round. A whole combination of whole values is whole, and a y·b between n and
    n + 1 would be a whole number whose distance from n lies between 0 and 1.
    """
    first, second = INWARD
    return holds(
        rules.whole_number(first, _gap, *map(solver.owed, rules.at_whole_numbers(first, _gap))),
        rules.whole_number(second, _back, *map(solver.owed, rules.at_whole_numbers(second, _back))),
        rules.whole_number(
            NO_WHOLE_SUM, _back, *map(solver.owed, rules.at_whole_numbers(NO_WHOLE_SUM, _back))
        ),
    )


def _back(c: World, n: Number, x: Number, *_: Number) -> Number:
    return x - n


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


_SIGN = Real("a", least=-1, most=1)
_UNIT = given(lambda c, a, *_: a * a, "==", 1)
_TWO = (_SIGN, Real("s", least=-1, most=1), Real("x"), Real("y"))
_UNITS = [_UNIT, given(lambda c, a, s, *_: s * s, "==", 1)]

SOLVED = (
    Equal(_SIGN, Real("x"), left=lambda c, a, x: x, right=lambda c, a, x: a * (a * x), given=[_UNIT]),
    Equal(
        *_TWO,
        left=lambda c, a, s, x, y: x,
        right=lambda c, a, s, x, y: -a * s * y + a * (a * x + s * y),
        given=_UNITS,
    ),
    Equal(
        *_TWO,
        left=lambda c, a, s, x, y: a * (-a * s * y + a * x) + s * y,
        right=lambda c, a, s, x, y: x,
        given=_UNITS,
    ),
)
"""A sum a·x = b, or a·x + s·y = b, with factors ±1 says no more and no less than x = a·b, or x = −a·s·y
+ a·b.
"""

BY_THE_OTHERS = AtMost(
    Real("most"),
    Real("rest", most=lambda c, most: most),
    Real("x"),
    left=lambda c, most, rest, x: x + rest - most,
    right=lambda c, most, rest, x: x,
)
"""Of x + rest = b, where the others are at most ``most`` together: x ≥ b − most."""

SCALED = Equal(
    Real("k", least=0),
    *map(Real, ("r", "low", "high")),
    left=lambda c, k, r, low, high: _of_place(c, k * r, low, high),
    right=lambda c, k, r, low, high: k * _of_place(c, r, low, high),
)
"""A dual vector that is taken k ≥ 0 times certifies k times as much."""


@claim(
    "establish/presolve-is-exact",
    states=(*SOLVED, BY_THE_OTHERS, LIFTED, SCALED),
    scope="the steps, over the reals; that what runs takes them is compared on small tables",
    where="Cell suppression: presolve",
    says="Fixing the one unknown of a sum, taking one of two for an alias of the other, and bounding one by "
    "the others lose no table, and the duals that are lifted to the original sums certify at least as much.",
)
def presolve_is_exact_and_its_duals_are_lifted() -> Verdict:
    """With factors a, s = ±1 a sum is solved for its unknown by multiplying with a. A bound in use, x_j
    ≥ L_j by a dual vector p, is replaced in another certificate by r_j·p: the forms add up, and the
    least value of a sum of forms over the box is at least the sum of their least values, so nothing is
    lost.
    """
    return holds(
        *map(solver.proves, (*SOLVED, BY_THE_OTHERS, SCALED)),
        rules.linear_combination(LIFTED, *map(solver.proves, rules.by_sum_and_place(LIFTED))),
        aside(exhaustive.for_all(small_tables(), _presolved_truly, "presolve is true and lifted", SMALL)),
    )
