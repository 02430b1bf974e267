"""Parameters are the rationals that were written, and small enough to be computed with."""

from fractions import Fraction

import pytest

from establish.spec.parameters import ParameterError, exact


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0.1", Fraction(1, 10)),
        (0.1, Fraction(1, 10)),
        ("1/10", Fraction(1, 10)),
        ("1e-999", Fraction(1, 10**999)),
        (5e-324, Fraction(5, 10**324)),
        ("25E+2", Fraction(2500)),
    ],
)
def test_a_number_is_the_rational_that_is_written(written, meant):
    assert exact("ε", written) == meant


@pytest.mark.parametrize(
    "far", ["1e1000", "1e-5000", "2.5E+999999999", "1e-1_000_000_000", "1e٩٩٩٩٩"]
)
def test_an_exponent_that_would_fill_the_memory_is_refused_at_once(far):
    with pytest.raises(ParameterError, match="exponent has three digits at most"):
        exact("ε", far)
