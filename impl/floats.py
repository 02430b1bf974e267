"""The one step from exact parameters to floats, refused where floats cannot follow."""

from __future__ import annotations

import math
from fractions import Fraction

from establish.spec.parameters import ParameterError


def to_float(name: str, value: Fraction) -> float:
    """The float nearest to ``value`` > 0. Raises ParameterError when that is 0 or infinite."""
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if number == 0 or math.isinf(number):
        raise ParameterError(
            f"{name} does not fit into floating point: it must lie in 1e-300..1e300"
        )
    return number
