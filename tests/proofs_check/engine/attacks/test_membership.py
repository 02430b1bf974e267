"""What is not decided is not outside: the points on a boundary are neither left out nor believed."""

from fractions import Fraction as F

import pytest

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.statements import AtMost, Below, Integer, Real, given


def whole(most, left, right, *conditions, least=0):
    return AtMost(Integer("n", least=least, most=most), left=left, right=right, given=conditions)


def pairs(most, right, condition):
    box = (Integer("a", least=1, most=most), Integer("b", least=1, most=most))
    return AtMost(*box, left=lambda c, a, b: a * b, right=right, given=[condition])


FALSE = {
    "ln a + ln b ≤ ln 12": lambda: pairs(
        12, 11, given(lambda c, a, b: c.log(a) + c.log(b), "<=", lambda c, a, b: c.log(c.number(12)))
    ),
    "√a·√b ≤ √36": lambda: pairs(
        9, 35, given(lambda c, a, b: c.sqrt(a) * c.sqrt(b), "<=", lambda c, a, b: c.sqrt(c.number(36)))
    ),
    "e^(ln a + ln b) = 24": lambda: pairs(
        24, 23, given(lambda c, a, b: c.exp(c.log(a) + c.log(b)), "==", 24)
    ),
    "√10·√n ≤ 30": lambda: whole(
        100, lambda c, n: n, 89, given(lambda c, n: c.sqrt(c.number(10)) * c.sqrt(n), "<=", 30)
    ),
    "ln(1 + n/10) ≤ ½·ln 4": lambda: whole(
        1000,
        lambda c, n: n,
        9,
        given(lambda c, n: c.log(1 + c.number(n) / 10), "<=", lambda c, n: c.log(c.number(4)) / 2),
    ),
    "(√2)^(2n) ≥ 1024": lambda: whole(
        20,
        lambda c, n: -n,
        -11,
        given(
            lambda c, n: c.power(c.sqrt(c.number(2)) ** 2, n),
            ">=",
            lambda c, n: c.exp(10 * c.log(c.number(2))),
        ),
    ),
    "sin(πn) = 0": lambda: whole(5, lambda c, n: n, 4, given(lambda c, n: c.sin(c.pi * n), "==", 0)),
    "|n − (√5)²| ≤ 0": lambda: whole(
        9, lambda c, n: 1 + 0 * n, 0, given(lambda c, n: abs(n - c.sqrt(c.number(5)) ** 2 - 0 * n), "<=", 0)
    ),
    "n ≥ (√7)²": lambda: whole(
        8,
        lambda c, n: -n,
        -8,
        given(lambda c, n: n, ">=", lambda c, n: c.sqrt(c.number(7)) * c.sqrt(c.number(7))),
    ),
    "the end log₂ 8": lambda: AtMost(
        Integer("k", least=0, most=lambda c: c.log(c.number(8)) / c.log(c.number(2))),
        left=lambda c, k: k,
        right=2,
    ),
    "the end (√3)⁴": lambda: AtMost(
        Integer("k", least=0, most=lambda c: c.sqrt(c.number(3)) * c.sqrt(c.number(3)) * 3),
        left=lambda c, k: k,
        right=8,
    ),
    "the low end √16": lambda: AtMost(
        Integer("k", least=lambda c: c.sqrt(c.number(16)), most=9), left=lambda c, k: -k, right=-5
    ),
    "an end that depends": lambda: AtMost(
        Integer("k", least=1, most=5),
        Integer("m", least=0, most=lambda c, k: c.exp(c.log(c.number(k)))),
        left=lambda c, k, m: m - k,
        right=-1,
    ),
    "ln n ≤ ln n is no condition": lambda: whole(
        6, lambda c, n: n, 5, given(lambda c, n: c.log(n), "<=", lambda c, n: c.log(n)), least=1
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_points_that_balls_do_not_decide_are_not_left_out(name, believed):
    assert not believed(lambda: exhaustive.proves(FALSE[name]()))


SEEN = {
    "ln a + ln b ≤ ln 12": FALSE["ln a + ln b ≤ ln 12"],
    "√10·√n ≤ 30": FALSE["√10·√n ≤ 30"],
    "the end log₂ 8": FALSE["the end log₂ 8"],
    "x ≤ (√2)²": lambda: AtMost(
        Real("x", least=0, most=lambda c: c.sqrt(c.number(2)) * c.sqrt(c.number(2))),
        left=lambda c, x: c.number(1) if x == 2 else 0 * x,
        right=0,
    ),
    "n at a constant": lambda: Below(Integer("n", least=0), left=lambda c, n: 3 if n == 5000 else 1, right=2),
    "x at a quotient": lambda: AtMost(
        Real("x", least=0), left=lambda c, x: 1 if 7919 * x == 104729 else 0, right=0
    ),
    "a band between constants": lambda: AtMost(
        Real("x", least=0, most=1),
        left=lambda c, x: 1 if F(7771, 10000) < x < F(7779, 10000) else x / 2,
        right=F(3, 5),
    ),
    "beyond a large constant": lambda: AtMost(
        Real("x", least=0), left=lambda c, x: c.maximum(x - 123456, 0), right=0
    ),
    "below a small one": lambda: AtMost(
        Real("x", above=0), left=lambda c, x: 1 if x < F(1, 5000) else 0, right=0
    ),
}


@pytest.mark.parametrize("name", SEEN)
def test_the_adversary_tries_constants_and_boundary_points(name):
    assert SEEN[name]().counterexample(60)[1]


TRUE = {
    "a condition by rationals": lambda: pairs(12, 12, given(lambda c, a, b: a * b, "<", 13)),
    "a condition away from every point": lambda: whole(
        100, lambda c, n: n, 91, given(lambda c, n: c.sqrt(n), "<", F(955, 100))
    ),
    "an irrational end": lambda: AtMost(
        Integer("k", least=0, most=lambda c: c.exp(c.number(2))), left=lambda c, k: k, right=7
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_decided_is_shown(name, believed):
    assert believed(lambda: exhaustive.proves(TRUE[name]()))
