"""Neighbor functions in floats against the specification's, in balls and at 50 digits."""

from fractions import Fraction

import flint
import numpy as np
import pytest

from establish.impl.microdata.establishments import LARGEST_TOTAL
from establish.impl.microdata.neighbor_functions import (
    Identity,
    Logarithm,
    NeighborFunction,
    Root,
    at_least,
    neighbor_function,
)
from establish.spec.arithmetic import ARB, MP, Number, enclosing
from establish.spec.mechanisms import psi_estimators
from establish.spec.mechanisms.probably_no_clipping import sensitivity
from establish.spec.neighbor_functions.functions import Expression, identity, logarithm, root
from establish.spec.parameters import ParameterError

PAIRS: list[tuple[NeighborFunction, Expression]] = [
    (Root(), root()),
    (Root("1/3"), root("1/3")),
    (Root(1000), root(1000)),
    (Logarithm(), logarithm(1)),
    (Logarithm("1/2"), logarithm("1/2")),
    (Logarithm("1/10"), logarithm("1/10")),
    (Identity(), identity()),
]
BY_NAME = pytest.mark.parametrize(("ours", "meant"), PAIRS, ids=[ours.name for ours, _ in PAIRS])

RNG = np.random.default_rng(7)
POINTS = np.concatenate(
    [
        np.arange(1, 300),
        2 ** np.arange(45, dtype=np.int64),
        (2.0 ** RNG.uniform(0, 45, 700)).astype(np.int64),
        [LARGEST_TOTAL],
    ]
).astype(np.int64)


@BY_NAME
def test_the_error_bound_of_psi_holds_and_is_small(ours, meant):
    points = np.concatenate([[0], POINTS])
    value, error = ours.transformed(points)
    with enclosing(128):
        for x, near, bound in zip(points.tolist(), value, error, strict=True):
            off = abs(meant.value(ARB.number(x), ARB) - flint.arb(float(near)))
            assert off <= flint.arb(float(bound)), x
            assert ours.exactly(x).overlaps(meant.value(ARB.number(x), ARB))
            assert bound <= 2.0**-51 * abs(near) + 2.0**-90


@pytest.mark.few(12)
@BY_NAME
@pytest.mark.parametrize("gamma", ["1/1000", "1/2", "1", "50", "1e6"])
def test_the_sensitivity_is_the_specifications_rounded_up(ours, meant, gamma):
    """Rounded up: never below, and at most 2^−44 above, relatively (exact where it is u itself)."""
    step = Fraction(gamma)
    near = [u for u in (int(step**2), int(step**2) + 1, int(step)) if 1 <= u <= LARGEST_TOTAL]
    bounds = np.concatenate([POINTS, near]).astype(np.int64)
    found = ours.reach(bounds.astype(np.float64), step)
    with enclosing(256):
        for u, reach in zip(bounds.tolist(), found, strict=True):
            exact = sensitivity(meant, ARB.number(u), ARB.number(step), ARB)
            assert flint.arb(float(reach)) >= exact.lower(), u
            assert flint.arb(float(reach)) <= exact.upper() * (1 + flint.arb(2) ** -44), u


def test_the_sensitivity_of_the_printed_formula_is_less_where_psi_of_zero_is_not_zero():
    """ψ = ln(x + 1/2), γ = 2, u = 1: ψ(1) − 2 < ψ(0), so Δ = 1; printed, 1 − ψ⁻¹(0) = 1/2."""
    assert Logarithm("1/2").reach(np.array([1.0]), Fraction(2))[0] == 1.0


def number(value: float) -> Number:
    """The dyadic number that a float is."""
    return MP.number(Fraction(float(value)))


ESTIMATORS = [
    (Root(), psi_estimators.unbiased_from_root, psi_estimators.variance_from_root),
    (
        Logarithm("1e-8"),  # ln itself estimates x + a
        psi_estimators.unbiased_from_logarithm,
        psi_estimators.unbiased_variance_from_logarithm,
    ),
]


@pytest.mark.parametrize(("ours", "unbiased", "variance"), ESTIMATORS, ids=["root", "logarithm"])
def test_estimates_and_variances_are_the_specifications(ours, unbiased, variance):
    sd = 0.625
    answers = np.array([0.7, 1.0, 3.25, 12.5])
    for answer, x, v in zip(answers, ours.unbiased(answers, sd), ours.variance(answers, sd), strict=True):
        exact = unbiased(number(answer), number(sd), MP)
        assert x + float(ours.shift) == pytest.approx(float(exact), rel=1e-14)
        assert v == pytest.approx(float(variance(exact, number(sd), MP)), rel=1e-14)


@BY_NAME
def test_the_inverse_is_the_specifications_and_starts_at_psi_of_zero(ours, meant):
    answers = np.array([-5.0, -0.1, 0.0, 0.3, 2.0, 7.5])
    for z, x in zip(answers, ours.inverse(answers), strict=True):
        exact = psi_estimators.maximum_likelihood(meant, number(z), MP)
        assert x == pytest.approx(float(exact), rel=1e-13, abs=1e-13)


@BY_NAME
def test_variances_are_positive_for_every_answer(ours, meant):
    """At the estimate itself the root's would be below 0 for ω² < s²/2, so also at ω = 0."""
    assert (ours.variance(np.linspace(-20, 20, 401), 1.5) > 0).all()


@pytest.mark.parametrize("shift", ["0", "1/3", "4"])
def test_the_root_estimates_with_a_shift_have_the_stated_moments(shift):
    """ω = r + s·Z, r² = x + a: E ω² = r² + s², Var ω² = 4r²s² + 2s⁴, by the moments of Z.

    Read at the five points of Gauss–Hermite quadrature, exact for polynomials up to degree 9 in Z.
    """
    points, weights = np.polynomial.hermite_e.hermegauss(5)
    weights = weights / weights.sum()
    x, s, ours = 40.0, 0.8, Root(shift)
    answers = np.sqrt(x + float(Fraction(shift))) + s * points
    estimates = ours.unbiased(answers, s)
    assert weights @ estimates == pytest.approx(x, rel=1e-12)
    spread = weights @ estimates**2 - x**2
    assert weights @ ours.variance(answers, s) == pytest.approx(spread, rel=1e-9)


@pytest.mark.parametrize(("kind", "shift"), [("cube", 0), ("sqrt", -1), ("log", 0), ("identity", 1)])
def test_what_is_not_a_neighbor_function_here_is_refused(kind, shift):
    with pytest.raises(ParameterError):
        neighbor_function(kind, shift)


@pytest.mark.parametrize("kind", ["sqrt", "log"])
@pytest.mark.parametrize("shift", ["1e-400", "1e-310", "9e-9", "35184372088833", "1e300", "1e400"])
def test_a_shift_that_floats_cannot_follow_is_refused(kind, shift):
    with pytest.raises(ParameterError, match="between 1e-8 and 2\\^45"):
        neighbor_function(kind, shift)


@pytest.mark.parametrize("shift", ["1e-8", "35184372088832"])
def test_estimates_are_finite_and_variances_positive_at_the_ends(shift):
    psi = Logarithm(shift)
    sums = np.array([0, LARGEST_TOTAL])
    for s in (1e-3, 1.0, Logarithm.largest_sd):
        answers = psi.transformed(sums)[0] + 40 * s * np.array([[-1.0], [1.0]])
        assert np.isfinite(psi.unbiased(answers, s)).all()
        variances = psi.variance(answers, s)
        assert np.isfinite(variances).all()
        assert (variances > 0).all()


def test_neighbor_functions_are_called_by_name():
    assert [neighbor_function(*args).name for args in (("sqrt", 0), ("log", 1), ("identity", 0))] == [
        "√x",
        "log(x+1)",
        "x",
    ]


@pytest.mark.parametrize("value", ["1/3", "2/3", "1/10", "5", "1e-300"])
def test_rounding_up_is_never_below_and_within_one_float(value):
    exact = Fraction(value)
    up = at_least(exact)
    assert Fraction(up) >= exact > Fraction(np.nextafter(up, 0))
