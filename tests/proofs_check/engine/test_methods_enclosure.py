"""The enclosure method: planted inequalities on boxes and between constants."""

from fractions import Fraction as F

import pytest

from establish import Grade, enclosure
from establish.proofs_check.engine.methods.enclosure import rational
from establish.spec.arithmetic import ARB, MP, enclosing

UNIT = (0, 1)
AROUND = (-1, 1)
FEW = 3000
"""Boxes allowed where no number of boxes would decide."""


def hump(c, x):
    return x * (1 - x)


def third(c):
    return c.number(F(1, 3))


def spike(c, x):
    """Height 1 and width 10^-6 at 1/√2: no grid of a million points need see it."""
    return c.exp(-c.power(10**6 * (x - 1 / c.sqrt(c.number(2))), 2))


def steep(c, x):
    return c.sin(10**6 * x)


# Each entry: a function, a box, and a bound that the function exceeds somewhere.
FALSE = {
    "a maximum at an edge": (lambda c, x, y: x - y * (1 - y), [UNIT, UNIT], F(99, 100)),
    "a maximum at a corner": (lambda c, x, y: x * y - (1 - x), [UNIT, UNIT], F(99, 100)),
    "an interior maximum": (hump, [UNIT], F(24, 100)),
    "a maximum missed by 10^-12": (hump, [UNIT], F(1, 4) - F(1, 10**12)),
    "a maximum in three variables": (
        lambda c, x, y, z: x * y * z * (3 - x - y - z),
        [(0, 2)] * 3,
        F(31, 100),
    ),
    "a narrow spike": (spike, [UNIT], F(1, 2)),
    "a function of huge slope": (steep, [UNIT], F(99, 100)),
    "a pole": (lambda c, x: 1 / x, [AROUND], 10**6),
    "NaN on the other half": (lambda c, x: c.log(x) + 5, [AROUND], 1),
    "the peak of an absolute value": (lambda c, x: 1 - c.absolute(x - third(c)), [UNIT], F(9, 10)),
    "the ridge of a maximum": (lambda c, x: c.maximum(1 - 3 * x, 2 * x - 1), [UNIT], F(9, 10)),
    "a jump": (lambda c, x: c.sign(x - third(c)), [UNIT], 0),
    "a degenerate side": (lambda c, x, y: x + y, [UNIT, (F(1, 3), F(1, 3))], F(5, 4)),
    "a box that is a point": (lambda c, x: x * x, [(F(1, 3), F(1, 3))], F(1, 10)),
    "a constant": (lambda c, x: c.number(2), [UNIT], 1),
}
# The bound is never reached on the box.
TRUE = {
    "above a maximum at an edge": (lambda c, x, y: x - y * (1 - y), [UNIT, UNIT], F(1000001, 10**6)),
    "above a maximum at a corner": (lambda c, x, y: x * y - (1 - x), [UNIT, UNIT], F(101, 100)),
    "above an interior maximum": (hump, [UNIT], F(26, 100)),
    "above a maximum by 10^-12": (hump, [UNIT], F(1, 4) + F(1, 10**12)),
    "above a narrow spike": (spike, [UNIT], F(10001, 10**4)),
    "above a function of huge slope": (steep, [UNIT], F(10001, 10**4)),
    "above the peak of an absolute value": (lambda c, x: 1 - c.absolute(x - third(c)), [UNIT], F(1001, 1000)),
    "above the ridge of a maximum": (lambda c, x: c.maximum(1 - 3 * x, 2 * x - 1), [UNIT], F(1001, 1000)),
    "above a jump": (lambda c, x: c.sign(x - third(c)), [UNIT], F(1001, 1000)),
    "above a smooth function of a kinked one": (
        lambda c, x: c.exp(-c.absolute(x)) * c.sin(x),
        [AROUND],
        F(1, 3),  # the maximum is e^(−π/4)·sin(π/4) = 0.3224
    ),
    "a degenerate side": (lambda c, x, y: x + y, [UNIT, (F(1, 3), F(1, 3))], F(4, 3) + F(1, 10**9)),
    "a box that is a point": (lambda c, x: x * x, [(F(1, 3), F(1, 3))], F(1, 8)),
    "a constant": (lambda c, x: c.number(2), [UNIT], 3),
    "cancellation that plain intervals do not see": (
        lambda c, x: x * x - 2 * x + c.exp(x) - x * x,
        [UNIT],
        F(1000001, 10**6),
    ),
}
# Not true as strict inequalities at every point of the box, and nowhere certainly false either.
NEVER_ESTABLISHED = {
    "a bound equal to an interior maximum": (hump, [UNIT], F(1, 4)),
    "a bound equal to a maximum at a corner": (lambda c, x, y: x * y, [UNIT, UNIT], 1),
    "a bound equal to a constant": (lambda c, x: c.number(2), [UNIT], 2),
    "a bound missed by less than the precision": (
        lambda c, x: -c.power(x - third(c), 2),
        [UNIT],
        F(-1, 10**60),
    ),
    "NaN on half of the box": (lambda c, x: c.log(x), [AROUND], 5),
    "NaN on all of the box": (lambda c, x: c.log(x - 2), [UNIT], 5),
    "NaN in a variable of no influence": (lambda c, x, y: x + 0 * c.log(y), [UNIT, AROUND], 5),
    "NaN at a degenerate side": (lambda c, x, y: x + c.log(y), [UNIT, (-1, -1)], 5),
    "a pole downward": (lambda c, x: -c.power(x, -2), [AROUND], 5),
    "0/0 inside the box": (lambda c, x: x / x, [AROUND], 5),
    "0/0 at a degenerate side": (lambda c, x, y: x * y / y, [UNIT, (0, 0)], 5),
    "a root of a negative number": (lambda c, x: c.sqrt(x), [AROUND], 5),
    "a root with infinite slope at an end": (lambda c, x: c.sqrt(x), [UNIT], 5),
    "x·ln x at 0": (lambda c, x: x * c.log(x), [UNIT], 5),
}


@pytest.mark.parametrize("statement", FALSE.values(), ids=FALSE)
def test_a_bound_that_is_exceeded_is_refuted_at_an_exact_point(statement):
    f, box, bound = statement
    evidence = enclosure.at_most(f, box, rational(bound), "planted")
    assert evidence.established is False
    point = [F(x) for x in evidence.witness.split(", ")]
    assert all(low <= x <= high for x, (low, high) in zip(point, box, strict=True))
    assert f(MP, *map(MP.number, point)) > MP.number(bound)


@pytest.mark.parametrize("statement", TRUE.values(), ids=TRUE)
def test_a_bound_that_is_not_reached_is_established(statement):
    f, box, bound = statement
    evidence = enclosure.at_most(f, box, rational(bound), "planted", max_boxes=20_000)
    assert evidence.established is True
    assert evidence.grade is Grade.ENCLOSURE


@pytest.mark.few(7)
@pytest.mark.parametrize("statement", NEVER_ESTABLISHED.values(), ids=NEVER_ESTABLISHED)
def test_equality_and_nan_are_left_undecided(statement):
    f, box, bound = statement
    assert enclosure.at_most(f, box, rational(bound), "planted", max_boxes=FEW).established is None


def test_an_undefined_bound_establishes_nothing():
    evidence = enclosure.at_most(hump, [UNIT], lambda c: c.log(c.number(-1)), "planted", max_boxes=FEW)
    assert evidence.established is None


CONSTANTS_FALSE = {
    "22/7 is below π": (rational(F(22, 7)), "<", lambda c: c.pi),
    "355/113 is below π": (rational(F(355, 113)), "<", lambda c: c.pi),
    "e^π below π^e": (lambda c: c.exp(c.pi), "<", lambda c: c.power(c.pi, c.exp(c.number(1)))),
    "Ramanujan's almost integer is above": (
        lambda c: c.exp(c.pi * c.sqrt(c.number(163))),
        ">",
        rational(640320**3 + 744),
    ),
    "a difference of 10^-100": (
        lambda c: c.log(c.number(2)) + c.number(F(1, 10**100)),
        "<",
        lambda c: c.log(c.number(2)),
    ),
    "1.1 > e^(1/10)": (rational(F(11, 10)), ">", lambda c: c.exp(c.number(F(1, 10)))),
    "a sum of roots": (
        lambda c: c.sqrt(c.number(2)) + c.sqrt(c.number(3)),
        ">",
        lambda c: c.sqrt(c.number(10)),
    ),
    "x³ at −1": (lambda c: c.power(c.number(-1), 3), ">", rational(0)),
}
CONSTANTS_UNDECIDED = {
    "equal": (lambda c: c.log(c.number(4)), ">", lambda c: 2 * c.log(c.number(2))),
    "equal rationals": (rational(F(1, 3)), "<", rational(F(2, 6))),
    "a difference of 10^-1000": (lambda c: c.pi + c.number(F(1, 10**1000)), "<", lambda c: c.pi),
    "the logarithm of −1": (lambda c: c.log(c.number(-1)), "<", rational(0)),
    "a division by 0": (lambda c: 1 / c.number(0), ">", rational(0)),
    "0/0": (lambda c: c.number(0) / c.number(0), "<", rational(1)),
}


@pytest.mark.parametrize(
    ("statement", "states"),
    [
        *((statement, (False, True)) for statement in CONSTANTS_FALSE.values()),
        *((statement, (None, None)) for statement in CONSTANTS_UNDECIDED.values()),
    ],
    ids=[*CONSTANTS_FALSE, *CONSTANTS_UNDECIDED],
)
def test_what_is_found_of_a_comparison_of_constants_and_of_its_reverse(statement, states):
    left, relation, right = statement
    relations = relation, "<" if relation == ">" else ">"
    assert tuple(enclosure.compare(left, r, right, "planted").established for r in relations) == states


def test_balls_do_not_decide_equality():
    for relation in ("==", "<=", ">=", "!="):
        with pytest.raises(ValueError, match="only < and >"):
            enclosure.compare(rational(1), relation, rational(1), "planted")


def test_printed_digits_are_those_of_the_constant():
    with enclosing():
        assert enclosure.digits(ARB.pi) == "3.1415926535897932"
        assert enclosure.digits(ARB.pi, 5) == "3.1416"
