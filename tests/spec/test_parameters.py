"""Parameters are the rationals that were written, and small enough to be computed with."""

from fractions import Fraction

import pytest

from establish.spec.parameters import ParameterError, exact, positive, probability


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


@pytest.mark.parametrize("text", ["１", "１/２", "٠.١", "1_0", "1/1_0", "¼", "1e１"])
def test_other_digits_and_separators_are_refused(text):
    """Python reads them, and a reader of the record may not."""
    with pytest.raises(ParameterError, match=f"ε = {text} is not a finite rational"):
        exact("ε", text)


def test_a_parameter_is_said_where_it_stands_once():
    with pytest.raises(ParameterError) as refused:
        positive("query q: epsilon", 0)
    assert str(refused.value) == ("query q: epsilon = 0 is not allowed: epsilon must be greater than 0")
    with pytest.raises(ParameterError) as refused:
        probability("query q: delta", 1)
    assert str(refused.value) == (
        "query q: delta = 1 is not allowed: delta must lie strictly between 0 and 1"
    )


@pytest.mark.parametrize("far", ["1e1000", "1e-5000", "2.5E+999999999", "1e-1_000_000_000", "1e٩٩٩٩٩"])
def test_an_exponent_that_would_fill_the_memory_is_refused_at_once(far):
    with pytest.raises(ParameterError, match="exponent has three digits at most"):
        exact("ε", far)
