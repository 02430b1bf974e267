"""Where each mechanism is defined, decided without rounding doubt.

Both sides of an inequality are computed at 80 digits in a context of their own. Two values that
agree to a relative 10^-50 count as undecided, and undecided counts as *not satisfied*: no mechanism
runs on a guarantee that rounding could have granted.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath

from establish.spec.parameters import ParameterError

CALIBRATIONS = ("published", "tight")
"""``published``: the constants as printed. ``tight``: the least noise that is proved."""

_MP = mpmath.MPContext()
_MP.dps = 80
_UNDECIDED = _MP.mpf(10) ** -50
"""Relative distance below which two 80-digit values are not told apart."""

Real = Any
"""A value of the 80-digit context."""


def require_calibration(calibration: str) -> str:
    """``calibration`` itself. Raises ParameterError unless it is one of CALIBRATIONS."""
    if calibration not in CALIBRATIONS:
        raise ParameterError(f"calibration = {calibration} is not allowed: use published or tight")
    return calibration


def require_only_calibration(name: str, calibration: str) -> str:
    """``calibration`` itself. Raises ParameterError unless it is tight: nothing is published of ``name``."""
    if require_calibration(calibration) != "tight":
        raise ParameterError(
            f"{name} needs calibration = tight, as no paper publishes it, but calibration = {calibration}"
        )
    return calibration


def require_smooth_lomax(alpha: Fraction, epsilon: Fraction) -> None:
    """Raise ParameterError with both sides' values unless Smooth Lomax is defined: ln(1 + α) < ε."""
    _require_more_than_growth("smooth-lomax", alpha, epsilon)


def require_smooth_staircase(alpha: Fraction, epsilon: Fraction) -> None:
    """Raise ParameterError with both sides' values unless 3·ln(1 + α) < ε and 1/1000 <= ε."""
    ε, bound = _real(epsilon), 3 * _MP.log1p(_real(alpha))
    if not _certainly_less(bound, ε):
        left, right = _told_apart(bound, ε)
        raise ParameterError(
            f"smooth-staircase needs 3·ln(1 + α) < ε, but 3·ln(1 + α) = {left} and ε = {right} "
            f"(α = {alpha}): raise ε above {_rounded(bound, _MP.ceil)} or lower α below "
            f"{_rounded(_MP.expm1(ε / 3), _MP.floor)}; smooth-lomax needs only ln(1 + α) < ε"
        )
    if epsilon < Fraction(1, 1000):
        raise ParameterError(
            f"smooth-staircase needs ε >= 1/1000, but ε = {epsilon}: smooth-lomax needs only ln(1 + α) < ε"
        )


def require_growth_staircase(alpha: Fraction, epsilon: Fraction) -> None:
    """Raise ParameterError unless ln(1 + α) < ε and 1/1000 <= ε: below, there are too many steps."""
    _require_more_than_growth("growth-staircase", alpha, epsilon)
    if epsilon < Fraction(1, 1000):
        raise ParameterError(
            f"growth-staircase needs ε >= 1/1000, but ε = {epsilon}: growth-laplace is defined for all ε > 0"
        )


def _require_more_than_growth(name: str, alpha: Fraction, epsilon: Fraction) -> None:
    ε, log_growth = _real(epsilon), _MP.log1p(_real(alpha))
    if not _certainly_less(log_growth, ε):
        left, right = _told_apart(log_growth, ε)
        raise ParameterError(
            f"{name} needs ln(1 + α) < ε, but ln(1 + α) = {left} and ε = {right} "
            f"(α = {alpha}): raise ε above {_rounded(log_growth, _MP.ceil)} or lower α below "
            f"{_rounded(_MP.expm1(ε), _MP.floor)}; growth-laplace is defined for all"
        )


def require_smooth_gamma(alpha: Fraction, epsilon: Fraction, calibration: str) -> None:
    """Raise ParameterError with both sides' values unless Smooth Gamma is defined.

    ``published``: 1 + α < e^(ε/5) (Haney et al. 2017, Algorithm 2). ``tight``: 1 + α < e^(ε/3), because
    3 is the dilation constant of 1/(1+z⁴).
    """
    dilation = 5 if require_calibration(calibration) == "published" else 3
    ε = _real(epsilon)
    log_growth = _MP.log1p(_real(alpha))
    if not _certainly_less(log_growth, ε / dilation):
        left, right = _told_apart(1 + _real(alpha), _MP.exp(ε / dilation))
        raise ParameterError(
            f"smooth-gamma needs 1 + α < e^(ε/{dilation}), but 1 + α = {left} and "
            f"e^(ε/{dilation}) = {right} (α = {alpha}, ε = {epsilon}): raise ε above "
            f"{_rounded(dilation * log_growth, _MP.ceil)} or lower α below "
            f"{_rounded(_MP.expm1(ε / dilation), _MP.floor)}"
        )


def require_smooth_laplace(
    alpha: Fraction, epsilon: Fraction, delta: Fraction, calibration: str
) -> None:
    """Raise ParameterError unless Smooth Laplace is (α, ε, δ)-private, naming what fails.

    Always: ε/(2(1+α)) + ln(1+α) <= ε, so that only the tails can lose more than ε, and δ* <= δ for
    the exact δ* of the mechanism (:func:`smooth_laplace_delta`). ``published`` also asks for the
    printed 1 + α <= e^(ε/(2 ln(1/δ))) (Haney et al. 2017, Algorithm 3), which alone is not always
    enough.
    """
    printed = require_calibration(calibration) == "published"
    given = f"(α = {alpha}, ε = {epsilon}, δ = {delta})"
    α, ε = _real(alpha), _real(epsilon)
    log_growth, log_rarity = _MP.log1p(α), -_MP.log(_real(delta))
    if printed and not _certainly_less(2 * log_rarity * log_growth, ε):
        left, right = _told_apart(1 + α, _MP.exp(ε / (2 * log_rarity)))
        raise ParameterError(
            f"smooth-laplace needs 1 + α <= e^(ε/(2 ln(1/δ))), but 1 + α = {left} and "
            f"e^(ε/(2 ln(1/δ))) = {right} {given}: raise ε above "
            f"{_rounded(2 * log_rarity * log_growth, _MP.ceil)}, raise δ or lower α"
        )
    central_loss = ε / (2 * (1 + α)) + log_growth
    if not _certainly_less(central_loss, ε):
        left, right = _told_apart(central_loss, ε)
        raise ParameterError(
            f"smooth-laplace needs ε/(2(1 + α)) + ln(1 + α) <= ε, but the left side is {left} and "
            f"ε = {right} {given}: raise ε or lower α"
        )
    log_exact = _log_smooth_laplace_delta(α, ε)
    if not _certainly_less(log_exact, -log_rarity):
        left, right = _told_apart(_MP.exp(log_exact), _real(delta))
        raise ParameterError(
            f"smooth-laplace needs δ* <= δ for the exact δ* of its noise, but δ* = {left} and "
            f"δ = {right} {given}: raise δ or ε, or lower α"
        )


def smooth_laplace_delta(alpha: Fraction, epsilon: Fraction) -> float:
    """δ*, the exact δ of Smooth Laplace over all neighbors, where ε/(2(1+α)) + ln(1+α) <= ε.

    δ* = α/(2(1+α)) · (1+α)^(−1/α) · e^(−ε/(2α)) · (1 + e^(−ε/α)): two Laplace laws whose scales
    differ by the factor 1+α and whose centers differ by the smaller scale times ε/2.
    """
    return float(_MP.exp(_log_smooth_laplace_delta(_real(alpha), _real(epsilon))))


def _log_smooth_laplace_delta(α: Real, ε: Real) -> Real:
    tails = _MP.log1p(_MP.exp(-ε / α)) - ε / (2 * α)
    return _MP.log(α / (2 * (1 + α))) - _MP.log1p(α) / α + tails


def _real(value: Fraction) -> Real:
    return _MP.mpf(value.numerator) / value.denominator


def _certainly_less(left: Real, right: Real) -> bool:
    return bool(right - left > _UNDECIDED * max(abs(left), abs(right)))


def _told_apart(left: Real, right: Real) -> tuple[str, str]:
    """Both values in as few digits (at least 5) as show that they differ."""
    for digits in (5, 10, 20, 50):
        texts = _MP.nstr(left, digits), _MP.nstr(right, digits)
        if texts[0] != texts[1]:
            break
    return texts


def _rounded(value: Real, towards: Any) -> str:
    """``value`` at 4 significant digits, rounded by ``towards`` (the context's ceil or floor)."""
    unit = _MP.mpf(10) ** (_MP.floor(_MP.log10(value)) - 3)
    return str(_MP.nstr(towards(value / unit) * unit, 4))
