"""The symbolic method: planted identities, true on the symbols' domain and false somewhere on it."""

import pytest
import sympy
from sympy import Rational, atan, cos, cosh, exp, floor, log, pi, sin, sinh, sqrt

from establish import Grade, symbolic

p, q = sympy.symbols("p q", positive=True)
r = sympy.Symbol("r", real=True)
m = sympy.Symbol("m", negative=True)
k = sympy.Symbol("k", integer=True, positive=True)
n = sympy.Symbol("n", integer=True)
x = sympy.Symbol("x")

MACHIN = 16 * atan(Rational(1, 5)) - 4 * atan(Rational(1, 239))

FALSE = {
    "a wrong coefficient": ((p + 1) ** 2, p**2 + p + 1),
    "sqrt(x²) = x for every x": (sqrt(x**2), x),
    "sqrt(xr) = sqrt(x)·sqrt(r) with negative numbers": (sqrt(x * r), sqrt(x) * sqrt(r)),
    "arcus tangens on the negative axis": (atan(r) + atan(1 / r), pi / 2),
    "ln(exp(iθ)) back to θ": (log(exp(sympy.I * 9 * p)), sympy.I * 9 * p),
    "acos(cos r) = r": (sympy.acos(cos(r)), r),
    "Ramanujan's almost integer": (exp(pi * sqrt(163)), 640320**3 + 744),
    "constants that differ by 10^-15": (pi + Rational(1, 10**15), pi),
    "ln(p+q) = ln p + ln q": (log(p + q), log(p) + log(q)),
    "max(p, 1) = p": (sympy.Max(p, 1), p),
    "halves of odd integers": (floor(k / 2), k / 2),
    "a moment with the wrong factorial": (sympy.gamma(2 * k + 1), sympy.gamma(k + 1) ** 2),
    "true in the limit only": (p / (p + q), sympy.Integer(1)),
    "floats are not rationals": (sympy.Float(0.1) + sympy.Float(0.2), sympy.Float(0.3)),
}
TRUE = {
    "a binomial": ((p + q) ** 3, p**3 + 3 * p**2 * q + 3 * p * q**2 + q**3),
    "sqrt(p²) = p for p > 0": (sqrt(p**2), p),
    "sqrt(m²) = −m for m < 0": (sqrt(m**2), -m),
    "ln(m²) = 2·ln(−m) for m < 0": (log(m**2), 2 * log(-m)),
    "hyperbolic functions at 1000": (cosh(1000) ** 2 - sinh(1000) ** 2, 1),
    "nested roots": (sqrt(2 + sqrt(3)), (sqrt(6) + sqrt(2)) / 2),
    "a derivative": (sympy.diff(log(1 + p**4), p), 4 * p**3 / (1 + p**4)),
    "an integral": (sympy.integrate(exp(-p * q), (q, 0, sympy.oo)), 1 / p),
    "gamma and factorial": (sympy.gamma(k + 1), sympy.factorial(k)),
    "sine at integers": (sin(pi * n), 0),
    "a geometric sum": (sympy.summation(Rational(1, 2) ** n, (n, 0, k)), 2 - 2 ** (-k)),
}
UNDECIDED_THOUGH_TRUE = {
    "Machin's formula": (MACHIN, pi),
    "Machin's formula times e^400": (exp(400) * MACHIN, exp(400) * pi),
    "Machin's formula times 10^300": (10**300 * MACHIN, 10**300 * pi),
    "arcus tangens on the positive axis": (atan(p) + atan(1 / p), pi / 2),
    "arcus tangens on the negative axis": (atan(m) + atan(1 / m), -pi / 2),
    "floors of integers": (floor(k / 2) + floor((k + 1) / 2), k),
}
UNDECIDED_THOUGH_FALSE = {
    "a difference below the threshold": (p + Rational(1, 10**30), p),
    "a difference hidden by huge terms": (10**300 * MACHIN + Rational(1, 10**5), 10**300 * pi),
    "undefined = 1": (sympy.nan, sympy.Integer(1)),
    "undefined = undefined": (sympy.nan, sympy.nan),
    "infinity = infinity": (sympy.oo, sympy.oo),
    "a pole": (sympy.zoo, sympy.Integer(0)),
}


@pytest.mark.parametrize("sides", FALSE.values(), ids=FALSE)
def test_a_false_identity_is_refuted_at_a_point(sides):
    evidence = symbolic.identity(*sides, "planted")
    assert evidence.established is False
    assert "they differ by" in evidence.witness


@pytest.mark.parametrize("sides", TRUE.values(), ids=TRUE)
def test_a_true_identity_is_proved(sides):
    evidence = symbolic.identity(*sides, "planted")
    assert evidence.established is True
    assert evidence.grade is Grade.PROOF


@pytest.mark.parametrize(
    "sides",
    [*UNDECIDED_THOUGH_TRUE.values(), *UNDECIDED_THOUGH_FALSE.values()],
    ids=[*UNDECIDED_THOUGH_TRUE, *UNDECIDED_THOUGH_FALSE],
)
def test_what_does_not_simplify_is_undefined_or_too_close_is_left_undecided(sides):
    assert symbolic.identity(*sides, "planted").established is None


def test_a_refuting_point_lies_in_the_domain_of_its_symbols():
    assert "k = 3" in symbolic.identity(floor(k / 2), k / 2, "planted").witness
    assert "m = -" in symbolic.identity(sqrt(1 - m), 1 - m, "planted").witness


def test_a_symbol_without_a_probe_in_its_domain_is_undecided():
    large = sympy.Symbol("large", integer=True, composite=True)
    assert symbolic.identity(floor(large / 2), large / 2, "planted").established is None
