"""Parameters outside a mechanism's domain: the inequality, both sides, and a mechanism that would serve."""

import re

import pytest

from establish.impl.cards import cards
from establish.impl.mechanisms import NAMES, mechanism
from establish.spec.parameters import ParameterError

REFUSED = [
    ("growth-staircase", "tight", "1/10", "1/20", None, "ln(1 + α) < ε", "0.09531", "0.05"),
    ("growth-staircase", "tight", "1/10000", "1/2000", None, "1/1000 <= ε", "", "1/2000"),
    ("whole-staircase", "tight", "1/10", "1/20", None, "ln(1 + α) < ε", "0.09531", "0.05"),
    ("whole-staircase", "tight", "1/10", "51", None, "ε <= 50", "", "ε = 51"),
    ("whole-staircase", "tight", "1/2000", "1", None, "α >= 1/1000", "", "α = 1/2000"),
    ("growth-staircase", "tight", "1/5", "1/5", None, "error below 1/α", "", "1/α = 5.0"),
    ("growth-staircase-unbiased", "tight", "1/10", "1/10", None, "2·ln(1 + α) < ε", "0.19062", "0.1"),
    ("growth-staircase-unbiased", "tight", "1/5", "1/2", None, "increase", "alpha = 1/5", "1/2"),
    ("growth-staircase-unbiased", "tight", "2", "3", None, "α <= 1", "α = 2", "ε = 3"),
    ("smooth-lomax", "tight", "1/10", "1/20", None, "ln(1 + α) < ε", "0.09531", "0.05"),
    ("smooth-path", "tight", "1/10", "1/4", None, "3·ln(1 + α) < ε", "0.28593", "0.25"),
    ("smooth-staircase", "tight", "1/10", "1/4", None, "3·ln(1 + α) < ε", "0.28593", "0.25"),
    ("smooth-staircase", "tight", "1/10", "1/20", None, "3·ln(1 + α) < ε", "0.28593", "0.05"),
    ("smooth-staircase", "tight", "1/10000", "1/2000", None, "1/1000 <= ε", "", "1/2000"),
    ("smooth-staircase-unbiased", "tight", "1/5", "1/2", None, "3·ln(1 + α) < ε", "0.54696", "0.5"),
    ("smooth-gamma", "tight", "1/10", "1/4", None, "1 + α < e^(ε/3)", "1.1", "1.0869"),
    ("smooth-gamma", "published", "1/10", "1/4", None, "1 + α < e^(ε/5)", "1.1", "1.0513"),
    ("smooth-gamma", "published", "1/10", "2/5", None, "1 + α < e^(ε/5)", "1.1", "1.0833"),
    ("smooth-laplace", "published", "1/10", "1/5", "1/100", "1 + α <= e^(ε/(2 ln(1/δ)))", "1.1", "1.022"),
    *(
        ("smooth-laplace", calibration, alpha, epsilon, delta, *told)
        for calibration in ("published", "tight")
        for alpha, epsilon, delta, *told in (
            # ε/(2(1+α)) + ln(1+α) = 0.04545 + 0.09531, while δ satisfies the rest.
            ("1/10", "1/10", "9/10", "ln(1 + α) <= ε", "0.14076", "0.1"),
            # The printed condition needs δ ≥ e^(−6/ln 2) = 1.74e-4; δ* = (1/4)(1/2)e^−6 = 3.10e-4.
            ("1", "12", "1/5000", "δ* <= δ", "0.00030985", "0.0002"),
        )
    ),
]
"""Mechanism, calibration, α, ε, δ; the inequality and its two sides."""


@pytest.mark.parametrize(
    ("name", "calibration", "alpha", "epsilon", "delta", "inequality", "left", "right"), REFUSED
)
def test_the_inequality_both_sides_and_what_would_serve_are_told(
    name, calibration, alpha, epsilon, delta, inequality, left, right
):
    given = {"alpha": alpha, "epsilon": epsilon}
    with pytest.raises(ParameterError) as refused:
        mechanism(name, **given, delta=delta, calibration=calibration)
    message = str(refused.value)
    assert message.startswith(f"{name} needs")
    assert "\n" not in message
    for part in (inequality, left, right):
        assert part in message
    (served,) = re.findall(r"([a-z-]+|calibration = tight) would serve$", message)
    if served == "calibration = tight":
        mechanism(name, **given, delta=delta, calibration="tight")
    else:
        mechanism(served, **given)


def test_every_mechanism_whose_domain_is_an_inequality_is_in_the_table():
    """The others take every α, ε > 0, and say so of numbers that are not."""
    for name in {name for name in NAMES if "epsilon" in cards()[name].takes} - {row[0] for row in REFUSED}:
        for epsilon in ("1/1000000", "1000"):
            mechanism(name, alpha="1/10", epsilon=epsilon)
        for wrong in ({"epsilon": "0"}, {"alpha": "-1"}):
            with pytest.raises(ParameterError, match=r"is not allowed: . must be greater than 0"):
                mechanism(name, **{"alpha": "1/10", "epsilon": "1", **wrong})


def test_a_rho_that_is_too_small_is_told_with_the_least_that_is_allowed():
    with pytest.raises(ParameterError) as refused:
        mechanism("discrete-gaussian", rho="1/10000000")
    assert str(refused.value) == (
        "discrete-gaussian needs ρ >= 1/1000000, but ρ = 1.0e-7 (ρ = 1/10000000): raise ρ to 1.0e-6 or more"
    )
