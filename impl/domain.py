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


def serving(alpha: Fraction, epsilon: Fraction) -> str:
    """The mechanism of ours that is defined here: first those that follow the largest establishment."""
    ε, growth = _real(epsilon), _MP.log1p(_real(alpha))
    if _certainly_less(3 * growth, ε) and epsilon >= LEAST_EPSILON:
        return "smooth-path"
    return "smooth-lomax" if _certainly_less(growth, ε) else "growth-laplace"


def _would_serve(alpha: Fraction, epsilon: Fraction) -> str:
    return f"; {serving(alpha, epsilon)} would serve"


LEAST_EPSILON = Fraction(1, 1000)
"""The least ε of staircases, below which there are too many steps."""


def require_smooth_lomax(alpha: Fraction, epsilon: Fraction) -> None:
    """Raise ParameterError with both sides' values unless Smooth Lomax is defined: ln(1 + α) < ε."""
    _require_more_than_growth("smooth-lomax", 1, alpha, epsilon)


def require_smooth_staircase(name: str, alpha: Fraction, epsilon: Fraction) -> None:
    """Raise ParameterError with both sides' values unless 3·ln(1 + α) < ε and 1/1000 <= ε."""
    _require_more_than_growth(name, 3, alpha, epsilon)
    _require_few_steps(name, alpha, epsilon)


def require_growth_staircase(name: str, times: int, alpha: Fraction, epsilon: Fraction) -> None:
    """Raise ParameterError with both sides' values unless times·ln(1 + α) < ε and 1/1000 <= ε."""
    _require_more_than_growth(name, times, alpha, epsilon)
    if epsilon < LEAST_EPSILON:
        raise ParameterError(
            f"{name} needs 1/1000 <= ε, but ε = {epsilon}: raise ε; growth-laplace would serve"
        )


def _require_few_steps(name: str, alpha: Fraction, epsilon: Fraction) -> None:
    if epsilon < LEAST_EPSILON:
        raise ParameterError(
            f"{name} needs 1/1000 <= ε, but ε = {epsilon}: raise ε{_would_serve(alpha, epsilon)}"
        )


def _require_more_than_growth(name: str, times: int, alpha: Fraction, epsilon: Fraction) -> None:
    ε, bound = _real(epsilon), times * _MP.log1p(_real(alpha))
    if not _certainly_less(bound, ε):
        left, right = _told_apart(bound, ε)
        needed = "ln(1 + α)" if times == 1 else f"{times}·ln(1 + α)"
        raise ParameterError(
            f"{name} needs {needed} < ε, but {needed} = {left} and ε = {right} "
            f"(α = {alpha}): raise ε above {_rounded(bound, _MP.ceil)} or lower α below "
            f"{_rounded(_MP.expm1(ε / times), _MP.floor)}{_would_serve(alpha, epsilon)}"
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
            + (
                "; calibration = tight would serve"
                if dilation == 5 and _certainly_less(3 * log_growth, ε)
                else _would_serve(alpha, epsilon)
            )
        )


def require_smooth_laplace(alpha: Fraction, epsilon: Fraction, delta: Fraction, calibration: str) -> None:
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
    central_loss, log_exact = ε / (2 * (1 + α)) + log_growth, _log_smooth_laplace_delta(α, ε)
    other = _would_serve(alpha, epsilon)
    if printed and not _certainly_less(2 * log_rarity * log_growth, ε):
        left, right = _told_apart(1 + α, _MP.exp(ε / (2 * log_rarity)))
        raise ParameterError(
            f"smooth-laplace needs 1 + α <= e^(ε/(2 ln(1/δ))), but 1 + α = {left} and "
            f"e^(ε/(2 ln(1/δ))) = {right} {given}: raise ε above "
            f"{_rounded(2 * log_rarity * log_growth, _MP.ceil)}, raise δ or lower α"
            + (
                "; calibration = tight would serve"
                if _certainly_less(central_loss, ε) and _certainly_less(log_exact, -log_rarity)
                else other
            )
        )
    if not _certainly_less(central_loss, ε):
        left, right = _told_apart(central_loss, ε)
        raise ParameterError(
            f"smooth-laplace needs ε/(2(1 + α)) + ln(1 + α) <= ε, but the left side is {left} and "
            f"ε = {right} {given}: raise ε or lower α{other}"
        )
    if not _certainly_less(log_exact, -log_rarity):
        left, right = _told_apart(_MP.exp(log_exact), _real(delta))
        raise ParameterError(
            f"smooth-laplace needs δ* <= δ for the exact δ* of its noise, but δ* = {left} and "
            f"δ = {right} {given}: raise δ or ε, or lower α{other}"
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
