"""One formula, several readings: no method sees another formula than the one that is stated."""

import math
from fractions import Fraction as F

import pytest

from establish import AtMost, Below, Equal, Integer, Real, enclosure, exact, exhaustive, solver, symbolic


def _boxes(statement):
    return enclosure.proves(statement, max_boxes=500)


UNIT = Real("x", least=0, most=1)
HALF_LINE = Real("x", least=0)


def _table(c, n):
    return 5 if n in (17, 4242) else 1


def _helper(c, x):
    return x if x == F(31, 7) else x / (2 + x)


class _Asks:
    """A formula that is an object."""

    def __call__(self, c, x):
        return x if "Reading" not in type(c).__name__ else 0 * x


FALSE = {
    "a square root of the float library, solved": lambda: solver.proves(
        Below(left=2, right=lambda c: c.number(1) * math.sqrt(2) * math.sqrt(2))
    ),
    "a square root of the float library, decided": lambda: exact.decided(
        Below(left=3, right=lambda c: c.number(1) * math.sqrt(3) * math.sqrt(3))
    ),
    "a float beside a variable": lambda: solver.proves(
        AtMost(UNIT, left=lambda c, x: 2 + 0 * x, right=lambda c, x: (1 + x) * math.sqrt(2) ** 2)
    ),
    "a float by boxes": lambda: _boxes(
        Below(UNIT, left=lambda c, x: 2 - x * x, right=lambda c, x: (1 + x * x) * math.sqrt(2) * math.sqrt(2))
    ),
    "logarithms of floats": lambda: solver.proves(
        Below(
            HALF_LINE,
            left=lambda c, x: x / (1 + x),
            right=lambda c, x: 1 + math.log(10) - math.log(5) - math.log(2),
        )
    ),
    "a float that is a whole number": lambda: solver.proves(AtMost(UNIT, left=lambda c, x: x * 1.0, right=2)),
    "a rounded variable": lambda: solver.proves(AtMost(UNIT, left=lambda c, x: round(x) + 0 * x, right=1)),
    "the whole part of another library": lambda: solver.proves(
        AtMost(HALF_LINE, left=lambda c, x: x - math.floor(x) + 2 * (math.ceil(x) - math.floor(x)), right=2)
    ),
    "a point by ==, solved": lambda: solver.proves(
        AtMost(HALF_LINE, left=lambda c, x: c.number(2) if x == 12345 else x / (1 + x), right=1)
    ),
    "a point by !=, solved": lambda: solver.proves(
        AtMost(HALF_LINE, left=lambda c, x: x / (1 + x) if x != F(1, 3) else c.number(2), right=1)
    ),
    "a point by `in`": lambda: solver.proves(AtMost(Integer("n", least=0), left=_table, right=2)),
    "a point of a size": lambda: solver.proves(
        AtMost(Integer("n", least=0), left=lambda c, n: 3 if n == 5000 else 1, right=2)
    ),
    "a point in a helper": lambda: solver.proves(AtMost(HALF_LINE, left=_helper, right=1)),
    "a point by boxes": lambda: _boxes(
        AtMost(UNIT, left=lambda c, x: c.number(5) if x == F(777, 1000) else x / 2, right=F(3, 5))
    ),
    "a point in an identity": lambda: symbolic.proves(
        Equal(
            HALF_LINE,
            left=lambda c, x: c.number(5) if x == 12345 else (x + 1) * (x - 1),
            right=lambda c, x: x * x - 1,
        )
    ),
    "a band by boxes": lambda: _boxes(
        AtMost(
            UNIT,
            left=lambda c, x: c.number(1) if F(7771, 10000) < x < F(7779, 10000) else x / 2,
            right=F(3, 5),
        )
    ),
    "a band by boxes, with and": lambda: _boxes(
        AtMost(UNIT, left=lambda c, x: 1 if x > F(501, 999) and x < F(502, 999) else x / 2, right=F(3, 5))
    ),
    "a tent that is cut at a third": lambda: _boxes(
        AtMost(UNIT, left=lambda c, x: 2 * x if x < c.number(F(101, 300)) else 1 - x, right=F(665, 1000))
    ),
    "Python's max, by boxes": lambda: _boxes(AtMost(UNIT, left=lambda c, x: max(x, 1 - x), right=F(99, 100))),
    "Python's min, solved": lambda: solver.proves(
        AtMost(Real("x"), left=lambda c, x: min(x, 5) + max(x - 10**6, 0), right=5)
    ),
    "Python's sorted": lambda: solver.proves(
        AtMost(Real("x"), Real("y"), left=lambda c, x, y: sorted([x, y])[1], right=lambda c, x, y: x)
    ),
    "a sign at its jump, signed": lambda: symbolic.signed(
        AtMost(
            HALF_LINE, left=F(1, 2), right=lambda c, x: c.sign((x - F(12345, 1000)) * (x - F(12345, 1000)))
        )
    ),
    "a sign at its jump, as an identity": lambda: symbolic.proves(
        Equal(
            HALF_LINE, left=lambda c, x: c.sign(c.absolute(x - F(12345, 1000))), right=lambda c, x: 1 + 0 * x
        )
    ),
    "another formula for the solver": lambda: solver.proves(
        AtMost(HALF_LINE, left=lambda c, x: 0 * x if hasattr(c, "facts") else x, right=1001)
    ),
    "another formula for balls": lambda: _boxes(
        AtMost(UNIT, left=lambda c, x: x if isinstance(x, int) else x / 2, right=F(3, 5))
    ),
    "a formula that is an object and asks": lambda: solver.proves(
        AtMost(HALF_LINE, left=_Asks(), right=1001)
    ),
    "a formula that catches its own branch": lambda: exhaustive.proves(
        AtMost(Integer("n", least=0, most=9999), left=lambda c, n: min(n, 5) if n != 7777 else 6, right=5)
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_formula_with_two_readings_is_not_believed(name, believed):
    assert not believed(FALSE[name])


def _counts(c, x):
    known = vars(_counts)
    known["calls"] = known.get("calls", 0) + 1
    return x if known["calls"] > 200 else x / (1 + x)


KEPT = []


def _appends(c, x):
    KEPT.append(x)
    return x if len(KEPT) > 50 else x / (1 + x)


@pytest.mark.parametrize("formula", [_counts, _appends])
def test_a_formula_that_keeps_a_state_is_refused(formula, believed):
    assert not believed(lambda: solver.proves(AtMost(HALF_LINE, left=formula, right=1)))


def test_a_true_statement_is_not_refuted_by_floats(believed):
    def attempt():
        return exact.refuted(
            Equal(
                left=lambda c: c.number(1) * (math.log(10) - math.log(5)),
                right=lambda c: c.number(1) * math.log(2),
            )
        )

    assert not believed(attempt)


TRUE = {
    "a branch, solved": lambda: solver.proves(
        AtMost(HALF_LINE, left=lambda c, x: c.number(1) if x == 12345 else x / (1 + x), right=1)
    ),
    "a tent by boxes": lambda: _boxes(
        AtMost(UNIT, left=lambda c, x: x if x <= F(1, 2) else 1 - x, right=F(51, 100))
    ),
    "Python's max": lambda: solver.proves(
        AtMost(Real("x"), left=lambda c, x: x, right=lambda c, x: max(x, 3))
    ),
    "an entropy with its limit": lambda: solver.proves(
        AtMost(UNIT, left=lambda c, x: c.number(0) if x == 0 else -x * c.log(x), right=1),
        lambda c, x: c.log(1 / x),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_that_branches_is_shown(name, believed):
    assert believed(TRUE[name])
