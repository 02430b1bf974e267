"""Lattices in outputs: values that lie at equal distances, as rounded noise makes them."""

from typing import NamedTuple

import numpy as np

from establish.proofs_check.audit.black.events import number
from establish.proofs_check.audit.question.level import Floats
from establish.proofs_check.audit.question.outcomes import signs

LOOKED_AT = 400
"""So many outputs are looked at for a lattice."""

TOLERANCE = 2.0**-26
"""Relative to the usual spread of the outputs: points closer than that to the lattice lie on it."""

COARSE = 1000
"""A lattice has a step of at least so many tolerances; a finer one cannot be told from none."""


class Lattice(NamedTuple):
    """origin + step·k for all integers k, with the tolerance for lying on it."""

    origin: float
    step: float
    tolerance: float

    def missed(self, x: Floats) -> Floats:
        """0 where x lies on the lattice, 1 where it does not."""
        with np.errstate(all="ignore"):
            away = (x - self.origin) / self.step
            gap = np.abs(away - np.round(away)) * self.step
        return np.where(gap <= self.tolerance, 0.0, 1.0)

    def __str__(self) -> str:
        origin = f"{number(self.origin)} + " if self.origin else ""
        return f"the lattice {origin}{number(self.step)}·k, k = 0, ±1, … (± {self.tolerance:.1g})"


def found_in(x: Floats) -> Lattice | None:
    """The lattice that the values of x lie on, or None: the greatest common divisor of their gaps.

    The most frequent value may lie off it, as a clipped value does. Values far out are left aside.
    """
    values, counts = np.unique(x[np.isfinite(x) & ~signs(x)][:LOOKED_AT], return_counts=True)
    if values.size > 3 and counts.max() > 1:
        values = np.delete(values, np.argmax(counts))
    low, high = np.quantile(values, [0.1, 0.9]) if values.size else (0.0, 0.0)
    values = values[(low <= values) & (values <= high)]
    if values.size < 3:
        return None
    tolerance = float(high - low) * TOLERANCE
    step = 0.0
    for gap in np.diff(values):
        step = _common(step, float(gap), tolerance)
        if step < COARSE * tolerance:
            return None
    steps = np.round((values - values[0]) / step)
    step = float((steps @ (values - values[0])) / (steps @ steps))
    origin = float(np.remainder(values[0], step))
    if step - origin < tolerance or origin < tolerance:
        origin = 0.0
    return Lattice(origin, float(f"{step:.9g}"), tolerance)


def _common(a: float, b: float, tolerance: float) -> float:
    """The greatest common divisor of two lengths that are known up to the tolerance."""
    while b > tolerance:
        a, b = b, a % b
        if a - b < tolerance:
            b = 0.0
    return a
