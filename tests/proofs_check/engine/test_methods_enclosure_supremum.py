"""The enclosure method: suprema against closed forms found by hand."""

from fractions import Fraction as F

import pytest
from flint import arb

from establish.proofs_check.engine.methods import enclosure
from establish.spec.arithmetic import ARB, MP, enclosing
from tests.proofs_check.engine.test_methods_enclosure import UNIT, hump, spike, third


def number(value):
    return lambda: ARB.number(F(value))


# Each entry: a function, a box, and the closed form of its supremum by hand (f' = 0, or an end).
SUPREMA = {
    "x(1−x): 1/4 at 1/2": (hump, [UNIT], number("1/4")),
    "x(1−x)² : 4/27 at 1/3": (lambda c, x: x * (1 - x) ** 2, [UNIT], number("4/27")),
    "sin on [0, 4]: 1 at π/2": (lambda c, x: c.sin(x), [(0, 4)], number(1)),
    "x·e^−x: 1/e at 1": (lambda c, x: x * c.exp(-x), [(0, 5)], lambda: arb(-1).exp()),
    "4x³/(1+x⁴): 3^(3/4)": (lambda c, x: 4 * x**3 / (1 + x**4), [(0, 3)], lambda: arb(27).root(4)),
    "ln(x)/x: 1/e at e": (lambda c, x: c.log(x) / x, [(1, 9)], lambda: arb(-1).exp()),
    "a corner": (lambda c, x, y: x + y * y, [UNIT, (F(-1, 2), F(1, 3))], number("5/4")),
    "an edge": (lambda c, x, y: x + y * (2 * third(c) - y), [UNIT, UNIT], number("10/9")),
    "xy(1−x−y): 1/27 at 1/3": (lambda c, x, y: x * y * (1 - x - y), [UNIT, UNIT], number("1/27")),
    "a spike of height 1": (spike, [UNIT], number(1)),
    "a degenerate side": (lambda c, x, y: x * y, [UNIT, (F(1, 3), F(1, 3))], number("1/3")),
    "a box that is a point": (lambda c, x: c.exp(x), [(1, 1)], lambda: arb(1).exp()),
    "a negative supremum": (lambda c, x: -c.exp(x) - c.exp(-x), [(-3, 2)], number(-2)),
}


@pytest.mark.parametrize("statement", SUPREMA.values(), ids=SUPREMA)
def test_a_supremum_is_enclosed_in_a_small_ball(statement):
    f, box, truth = statement
    found = enclosure.supremum(f, box)
    with enclosing(400):
        exact = truth()
        assert found.lower <= exact.upper()
        assert found.upper >= exact.lower()
        assert found.ball.contains(exact)
        assert found.ball.rad() <= arb("1e-16")
    assert f(MP, *map(MP.number, found.where)) >= MP.number(F(str(found.lower.mid().fmpq())))


def test_a_supremum_that_is_not_finite_or_not_defined_is_not_enclosed():
    for f in (lambda c, x: 1 / x, lambda c, x: c.log(x), lambda c, x: c.log(x - 2), lambda c, x: x / x):
        with pytest.raises(ArithmeticError, match="not enclosed"):
            enclosure.supremum(f, [(-1, 1)], max_boxes=3000)


def test_a_kinked_function_is_enclosed_as_tightly_as_asked_or_not_at_all():
    def f(c, x):
        return 1 - c.absolute(x - third(c))

    found = enclosure.supremum(f, [UNIT], tolerance=F(1, 10**6))
    assert found.lower <= 1
    assert found.upper >= 1
    assert found.ball.rad() <= arb("1e-6")
