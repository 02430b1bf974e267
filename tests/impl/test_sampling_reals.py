"""Numbers with their error bounds: the bound holds, the exact number is the one that is meant."""

from fractions import Fraction

import flint
import numpy as np
import pytest

from establish.impl.sampling.reals import Reals
from establish.spec.arithmetic import enclosing
from establish.spec.parameters import ParameterError

THIRD, ROOT = Fraction(1, 3), 1.4142135623730951
LARGE = np.array([2**53 + 1, -(2**63), 2**62 + 1, 0, 7])


def root_two() -> flint.arb:
    return flint.arb(2).sqrt()


def root_of(i: int) -> flint.arb:
    return flint.arb(i + 2).sqrt()


REALS = {
    "integers": Reals.integers(np.array([0, 5, -7])),
    "integers beyond 2^53": Reals.integers(LARGE),
    "one integer": Reals.integers(2**60 + 1),
    "floats": Reals.floats([0.1, -5e-324, 1e300]),
    "fraction": Reals.fraction(THIRD),
    "tiny fraction": Reals.fraction(Fraction(1, 3 * 10**310)),
    "constant": Reals.constant(root_two),
    "per cell": Reals.per_cell(root_of, 4),
    "product": Reals.integers(LARGE).times(Reals.constant(root_two)),
    "product of inexact ones": Reals.fraction(THIRD).times(Reals.per_cell(root_of, 4)),
    "subnormal product": Reals.floats([3e-200]).times(Reals.floats(7e-120)),
    "sum": Reals.integers(LARGE).plus(Reals.fraction(THIRD)),
    "exact sum": Reals.integers([2**52, -5, 0]).plus(Reals.integers(3)),
    "sum beyond 2^53": Reals.integers([0, 1, 2**53 - 2]).plus(Reals.integers(3)),
    "sum of unlike floats": Reals.floats([1.0, 1e300]).plus(Reals.floats([2.0**-60, 1e-300])),
    "sum of a small and a large float": Reals.floats(2.0**-60).plus(Reals.floats(1.0)),
    "maximum": Reals.integers([0, 1, 9]).times(Reals.fraction(THIRD)).at_least(1),
    "in grid units": Reals.floats([3e-300, 1.5]).scaled(-100),
}


def off(reals: Reals, i: int) -> flint.arb:
    """How far the float is from the number, in units of the bound that it claims."""
    middle = reals.approximate.reshape(-1)[i if reals.approximate.ndim else 0]
    error = reals.error.reshape(-1)[i if reals.error.ndim else 0]
    distance = abs(reals.exact(i) - flint.arb(float(middle)))
    return distance / flint.arb(float(error)) if error else (2 * distance).sgn() * 2


@pytest.mark.parametrize("reals", REALS.values(), ids=REALS.keys())
def test_the_error_bound_holds(reals):
    with enclosing(2400):  # so many bits that sums of the largest and the tiniest are exact
        assert all(off(reals, i) <= 1 for i in range(reals.approximate.size))


@pytest.mark.parametrize(("most", "exact"), [(2**53 - 3, True), (2**53 - 2, False)])
def test_a_sum_that_was_not_rounded_has_no_error(most, exact):
    """2^53 + 1 is the least whole number that is no float; it stands in the last block."""
    numbers = np.append(np.arange(40_000), most)
    assert Reals.integers(numbers).plus(Reals.integers(3)).error.any() != exact


def test_a_bound_that_is_too_small_is_noticed():
    good = Reals.constant(root_two)
    bad = Reals(good.approximate, good.error / 4, good.exact)
    with enclosing(200):
        assert not off(bad, 0) <= 1


def test_exact_numbers_have_no_error():
    for reals in (Reals.integers(np.array([1, 2])), Reals.floats(0.1)):
        assert not reals.error.any()


@pytest.mark.parametrize(
    ("reals", "expected"),
    [
        (Reals.integers(LARGE), lambda i: Fraction(int(LARGE[i]))),
        (Reals.fraction(THIRD).plus(Reals.integers([1, 2])), lambda i: THIRD + 1 + i),
        (Reals.fraction(THIRD).times(Reals.integers([1, 2])), lambda i: THIRD * (1 + i)),
        (Reals.integers([0, 5]).times(Reals.fraction(THIRD)).at_least(1), lambda i: (1, THIRD * 5)[i]),
        (Reals.floats([0.1, 3.0]).scaled(-4), lambda i: Fraction((0.1, 3.0)[i]) / 16),
    ],
)
def test_the_exact_number_is_the_one_that_is_meant(reals, expected):
    with enclosing(200):
        for i in range(2):
            wanted = Fraction(expected(i))
            assert reals.exact(i).contains(flint.arb(flint.fmpq(wanted.numerator, wanted.denominator)))
            assert reals.exact(i).rel_accuracy_bits() > 150


def test_single_numbers_serve_all_cells():
    assert Reals.fraction(THIRD).times(Reals.integers(np.arange(4))).approximate.shape == (4,)
    assert Reals.fraction(THIRD).approximate.shape == ()


SECRET = 123456.75
"""A value that no message may show."""


@pytest.mark.parametrize(
    "build",
    [
        lambda: Reals.floats([SECRET, np.nan]),
        lambda: Reals.floats([SECRET, np.inf]),
        lambda: Reals.floats([[SECRET]]),
        lambda: Reals.floats([str(SECRET) + "x"]),
        lambda: Reals.integers(SECRET),
        lambda: Reals.integers([True]),
        lambda: Reals.integers(int(SECRET) * 2**64),
        lambda: Reals.constant(lambda: flint.arb(SECRET) / 0),
        lambda: Reals.floats([SECRET]).times(Reals.floats(1e305)),
        lambda: Reals.floats([SECRET]).scaled(1020),
    ],
)
def test_what_is_no_finite_number_is_refused_without_showing_it(build):
    with pytest.raises(ParameterError) as refusal:
        build()
    assert "123456" not in str(refusal.value)


@pytest.mark.parametrize("first", [THIRD, Fraction(2, 7), Fraction(10**17, 3)])
@pytest.mark.parametrize("second", [Fraction(1, 9), Fraction(-5, 11)])
def test_the_bound_of_a_sum_covers_both_bounds_and_the_rounding(first, second):
    """In exact fractions, as floats of the bounds are rounded themselves. 1/3 + 1/9 is not rounded."""
    x, y = Reals.fraction(first), Reals.fraction(second)
    total = x.plus(y)
    middle = Fraction(float(total.approximate))
    rounded = middle != Fraction(float(x.approximate)) + Fraction(float(y.approximate))
    rounding = rounded * abs(middle) / 2**53
    assert Fraction(float(total.error)) >= (Fraction(float(x.error)) + Fraction(float(y.error)) + rounding)
