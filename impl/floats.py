"""The one step from exact parameters to floats, refused where floats cannot follow."""

import math
from fractions import Fraction

from establish.spec.parameters import ParameterError


def to_float(name: str, value: Fraction) -> float:
    """The float nearest to ``value`` > 0. Raises ParameterError unless it lies in 1e-300..1e300.

    So it is normal, and so is its product with any number of moderate size.
    """
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not 1e-300 <= number <= 1e300:
        raise ParameterError(f"{name} does not fit into floating point: it must lie in 1e-300..1e300")
    return number
