"""Domain inequalities are decided exactly, against logarithms that `decimal` computes."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from establish import ParameterError, SmoothGamma, SmoothLaplace
from establish.impl.mechanisms.on_counts import require_calibration
from establish.impl.mechanisms.serving import serving
from establish.spec.arithmetic import MP
from establish.spec.domains import Domain
from establish.spec.mechanisms.smooth_laplace import exact_delta

TENTH = Fraction(1, 10)


def require_gamma(alpha: Fraction, epsilon: Fraction, calibration: str) -> None:
    at = {"alpha": alpha, "epsilon": epsilon}
    SmoothGamma.domains[calibration].require("smooth-gamma", at, lambda: serving(alpha, epsilon))


def require_laplace(alpha: Fraction, epsilon: Fraction, delta: Fraction, calibration: str) -> None:
    at = {"alpha": alpha, "epsilon": epsilon, "delta": delta}
    SmoothLaplace.domains[calibration].require("smooth-laplace", at, lambda: serving(alpha, epsilon))


def least_delta(alpha: Fraction, epsilon: Fraction) -> float:
    return float(exact_delta(alpha, epsilon, MP))


def log(value: Fraction, digits: int = 100) -> Fraction:
    """ln(value) to about ``digits`` digits, by the decimal module: independent of mpmath."""
    with localcontext() as context:
        context.prec = digits
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).ln())


def test_smooth_gamma_names_the_inequality_that_fails_with_both_sides():
    # e^0.04 = 1.04081..., 5 ln 1.1 = 0.47655... (up: 0.4766), e^0.04 − 1 = 0.040810... (down).
    with pytest.raises(ParameterError) as refusal:
        require_gamma(TENTH, Fraction(1, 5), "published")
    assert str(refusal.value) == (
        "smooth-gamma needs 1 + α < e^(ε/5), but 1 + α = 1.1 and e^(ε/5) = 1.0408 "
        "(α = 1/10, ε = 1/5): raise ε above 0.4766 or lower α below 0.04081; smooth-lomax would serve"
    )


def test_the_advice_of_a_refusal_is_inside_the_domain():
    require_gamma(TENTH, Fraction("0.4766"), "published")
    require_gamma(Fraction("0.0408"), Fraction(1, 5), "published")


@pytest.mark.parametrize(("calibration", "dilation"), [("published", 5), ("tight", 3)])
def test_the_boundary_is_decided_where_floats_cannot(calibration, dilation):
    boundary = dilation * log(1 + TENTH, 400)
    hair = Fraction(1, 10**300)
    assert float(boundary + hair) == float(boundary - hair)
    require_gamma(TENTH, boundary + hair, calibration)
    with pytest.raises(ParameterError, match="needs 1 \\+ α < e\\^"):
        require_gamma(TENTH, boundary - hair, calibration)


def test_sides_that_no_ball_tells_apart_are_refused_not_granted():
    too_close = 5 * log(1 + TENTH, 1200) + Fraction(1, 10**1100)
    with pytest.raises(ParameterError, match="smooth-gamma"):
        require_gamma(TENTH, too_close, "published")


@given(
    alpha=st.fractions(Fraction(1, 1000), 10, max_denominator=1000),
    epsilon=st.fractions(Fraction(1, 1000), 20, max_denominator=1000),
    calibration=st.sampled_from(["published", "tight"]),
)
def test_smooth_gamma_is_defined_exactly_where_its_inequality_holds(alpha, epsilon, calibration):
    left = epsilon - (5 if calibration == "published" else 3) * log(1 + alpha, 40)
    assume(abs(left) > Fraction(1, 10**30))
    if left > 0:
        require_gamma(alpha, epsilon, calibration)
    else:
        with pytest.raises(ParameterError, match="raise ε above"):
            require_gamma(alpha, epsilon, calibration)


def test_tight_smooth_laplace_is_allowed_where_only_the_printed_condition_fails():
    # δ* = 0.00732 at (1/10, 1/5), below δ = 1/100.
    assert least_delta(TENTH, Fraction(1, 5)) == pytest.approx(0.0073194782)
    require_laplace(TENTH, Fraction(1, 5), Fraction(1, 100), "tight")


def test_a_tiny_delta_is_compared_relatively():
    # α = 1/100, ε = 4: δ* is about e^−200/500 = 3e-90, far below any absolute tolerance.
    require_laplace(Fraction(1, 100), Fraction(4), Fraction(1, 10**80), "tight")
    with pytest.raises(ParameterError, match=r"δ\* <= δ"):
        require_laplace(Fraction(1, 100), Fraction(4), Fraction(1, 10**100), "tight")


@pytest.mark.parametrize(
    ("says", "way"),
    [
        ("1/10 <= ε", "raise ε to 0.1 or more"),
        ("1/10 < ε", "raise ε above 0.1"),
        ("1/9 <= ε", "raise ε above 0.1112"),
        ("ε <= 1/30", "lower ε below 0.03333"),
        ("1/10 <= α", "raise α to 0.1 or more"),
    ],
)
def test_a_bound_of_four_digits_is_told_as_it_is_and_another_rounded_into_the_domain(says, way):
    # from 3/70 no doubling or halving meets 1/10, 1/9 = 0.1111… or 1/30
    with pytest.raises(ParameterError, match=f"{way}$"):
        Domain(says).require("it", dict.fromkeys(("alpha", "epsilon"), Fraction(3, 70)))


@pytest.mark.parametrize(("digits", "apart"), [(5, 2), (10, 8), (20, 16), (50, 30)])
def test_sides_are_told_in_as_few_digits_as_show_that_they_differ(digits, apart):
    epsilon = Fraction(1, 10) - Fraction(1, 3 * 10**apart)  # 0.09…96666…
    with localcontext() as context:
        context.prec = digits
        shown = Decimal(epsilon.numerator) / Decimal(epsilon.denominator)
    assert Domain("1/10 <= ε").conditions[0].sides({"epsilon": epsilon}) == f"ε = {shown}"


def test_tiny_parameters_are_compared_relatively():
    # 5 ln(1 + 10^-60) = 5·10^-60 < 10^-58, although the two differ by less than 10^-57.
    tiny = Fraction(1, 10**60)
    require_gamma(tiny, 100 * tiny, "published")
    with pytest.raises(ParameterError, match=r"raise ε to 5\.0e-60 or more"):
        require_gamma(tiny, tiny, "published")


def test_an_unknown_calibration_is_refused():
    assert require_calibration("tight") == "tight"
    with pytest.raises(ParameterError, match="published or tight"):
        require_calibration("loose")
