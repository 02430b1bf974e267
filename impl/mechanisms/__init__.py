"""The mechanisms that run, in numpy: they draw exactly the ideal law, rounded to whole numbers."""

from __future__ import annotations

from establish.impl.mechanisms.growth_laplace import GrowthLaplace
from establish.impl.mechanisms.growth_staircase import GrowthStaircase, UnbiasedGrowthStaircase
from establish.impl.mechanisms.laplace import Laplace
from establish.impl.mechanisms.log_laplace import LogLaplace
from establish.impl.mechanisms.smooth_gamma import SmoothGamma
from establish.impl.mechanisms.smooth_laplace import SmoothLaplace
from establish.impl.mechanisms.smooth_lomax import SmoothLomax
from establish.impl.mechanisms.smooth_path import SmoothPath
from establish.impl.mechanisms.smooth_staircase import SmoothStaircase, UnbiasedSmoothStaircase
from establish.impl.mechanisms.whole_staircase import WholeStaircase
from establish.spec.parameters import ParameterError, Rational, positive

Mechanism = (
    GrowthLaplace
    | GrowthStaircase
    | Laplace
    | LogLaplace
    | SmoothGamma
    | SmoothLaplace
    | SmoothLomax
    | SmoothStaircase
    | WholeStaircase
)

OURS: tuple[type[GrowthLaplace | GrowthStaircase | SmoothLomax | SmoothStaircase | WholeStaircase], ...] = (
    GrowthLaplace,
    GrowthStaircase,
    UnbiasedGrowthStaircase,
    SmoothLomax,
    SmoothPath,
    SmoothStaircase,
    UnbiasedSmoothStaircase,
    WholeStaircase,
)
"""Mechanisms that no paper publishes."""

UNPUBLISHED = tuple(kind.name for kind in OURS)
"""Their names: there is no other calibration than tight."""

EMPLOYER_EMPLOYEE = (*sorted(kind.name for kind in (*OURS, LogLaplace, SmoothGamma, SmoothLaplace)),)
"""Mechanisms whose noise follows α."""

NAMES = (*EMPLOYER_EMPLOYEE, Laplace.name)
"""What ``--mechanism`` accepts."""

__all__ = [
    "EMPLOYER_EMPLOYEE",
    "NAMES",
    "GrowthLaplace",
    "GrowthStaircase",
    "Laplace",
    "LogLaplace",
    "Mechanism",
    "SmoothGamma",
    "SmoothLaplace",
    "SmoothLomax",
    "SmoothPath",
    "SmoothStaircase",
    "UnbiasedGrowthStaircase",
    "UnbiasedSmoothStaircase",
    "WholeStaircase",
    "mechanism",
]


def mechanism(
    name: str,
    *,
    epsilon: Rational,
    alpha: Rational | None = None,
    delta: Rational | None = None,
    calibration: str | None = None,
) -> Mechanism:
    """The mechanism called ``name``, one of NAMES, at exact parameters.

    Without a calibration it is that of :mod:`establish.impl.mechanisms.defaults`: tight.
    Raises ParameterError for an unknown name, a parameter outside its domain, α missing
    (``laplace`` checks a given α and does not use it), δ missing for ``smooth-laplace`` or given to
    another.
    """
    if name not in NAMES:
        raise ParameterError(f"mechanism = {name} is not known: use one of {', '.join(NAMES)}")
    if delta is not None and name != SmoothLaplace.name:
        raise ParameterError(f"δ = {delta} is not used by {name}: only smooth-laplace takes δ")
    calibration = calibration or ("published" if name == Laplace.name else "tight")
    for ours in OURS:
        if name == ours.name:
            return ours(_needed(name, alpha), epsilon, calibration)
    if name == Laplace.name:
        if alpha is not None:
            positive("α", alpha)
        return Laplace(epsilon, calibration)
    alpha = _needed(name, alpha)
    if name == LogLaplace.name:
        return LogLaplace(alpha, epsilon, calibration)
    if name == SmoothGamma.name:
        return SmoothGamma(alpha, epsilon, calibration)
    if delta is None:
        raise ParameterError("δ is missing: smooth-laplace needs it, strictly between 0 and 1")
    return SmoothLaplace(alpha, epsilon, delta, calibration)


def _needed(name: str, alpha: Rational | None) -> Rational:
    if alpha is None:
        raise ParameterError(f"α is missing: {name} needs it")
    return alpha
