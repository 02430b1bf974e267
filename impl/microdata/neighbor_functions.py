"""Neighbor functions in floats: √(x+a), log(x+a) and x, with bounds on what rounding does.

Written apart from :mod:`establish.spec.neighbor_functions.functions`, and checked against it.
"""

import math
import re
from abc import ABC, abstractmethod
from fractions import Fraction

import flint
import numpy as np

from establish.impl.arrays import Floats, Integers
from establish.spec.arithmetic import enclosing
from establish.spec.parameters import ParameterError, Rational, nonnegative, positive

LEAST_SHIFT, LARGEST_SHIFT = Fraction(1, 10**8), 2**45
"""A shift that is not 0 lies between these: so logarithms lie between −19 and 32, and with 40 standard
deviations of 8 their estimates and variances are floats above 0."""

SLACK = 1 + 2.0**-48
"""More than the relative error of thirty roundings of 2⁻⁵³ each."""


def at_least(value: Fraction) -> float:
    """The least float that is not below ``value`` ≥ 0."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


class NeighborFunction(ABC):
    """ψ(x) on whole numbers x ≥ 0, its inverse, and what an answer ω = ψ(x) + N(0, s²) says of x.

    shift: a, exact: 0, or from LEAST_SHIFT to LARGEST_SHIFT. Raises ParameterError outside.
    """

    name: str
    largest_sd = 1e30
    """Up to here no estimate overflows within 40 standard deviations."""

    def __init__(self, shift: Rational = 0) -> None:
        self.shift = nonnegative("a", shift)
        if self.shift and not LEAST_SHIFT <= self.shift <= LARGEST_SHIFT:
            raise ParameterError("shift is not allowed: it must be 0, or lie between 1e-8 and 2^45")
        self._a = float(self.shift)

    @abstractmethod
    def transformed(self, x: Integers) -> tuple[Floats, Floats]:
        """ψ(x) in floats, and a proved bound on the absolute error of each."""

    @abstractmethod
    def exactly(self, x: int) -> flint.arb:
        """ψ(x) as a ball at the working precision."""

    @abstractmethod
    def at_zero(self) -> float:
        """ψ(0)."""

    @abstractmethod
    def inverse(self, z: Floats) -> Floats:
        """ψ⁻¹(max(ψ(0), z)) ≥ 0; infinite where floats end."""

    @abstractmethod
    def reach(self, bounds: Floats, gamma: Fraction) -> Floats:
        """Δ(u) = u − ψ⁻¹(max(ψ(0), ψ(u) − γ)) for whole u ≥ 0, rounded up.

        With ψ(0), not 0, inside the maximum: as corrected (Definition 6.8).
        """

    @abstractmethod
    def unbiased(self, answers: Floats, sd: Floats | float) -> Floats:
        """x̃ with mean x (Theorem 6.6). sd: one for all answers, or one for each."""

    @abstractmethod
    def variance(self, answers: Floats, sd: Floats | float) -> Floats:
        """An estimate of the variance of x̃ from ω alone, above 0 for every ω."""

    @abstractmethod
    def deviation(self, x: float, sd: float) -> float:
        """The standard deviation of x̃ at the sum x ≥ 0."""

    @abstractmethod
    def error(self, sd: float) -> str:
        """The same, as a formula in the unknown x."""


class Root(NeighborFunction):
    """ψ(x) = √(x+a)."""

    def __init__(self, shift: Rational = 0) -> None:
        super().__init__(shift)
        self.name = f"√(x+{self.shift})" if self.shift else "√x"

    def transformed(self, x: Integers) -> tuple[Floats, Floats]:
        """x is exact in a float, a has relative error u = 2⁻⁵³, the sum another, so 2u + u² before and
        (1 + 2u + u²)^(1/2) − 1 ≤ 1.1u after the root, which adds u: below 4u = 2⁻⁵¹ in all.
        """
        value = np.sqrt(x + self._a)
        return value, value * 2.0**-51

    def exactly(self, x: int) -> flint.arb:
        return (x + _ball(self.shift)).sqrt()

    def at_zero(self) -> float:
        return math.sqrt(self._a)

    def inverse(self, z: Floats) -> Floats:
        return np.maximum(np.maximum(z, 0.0) ** 2 - self._a, 0.0)

    def reach(self, bounds: Floats, gamma: Fraction) -> Floats:
        """Above (√a + γ)² it is 2γr − γ² with r = √(u+a), elsewhere u; and where r ≥ γ, the one is at
        least the other exactly where it should. There 2γr − γ² ≥ γr, so that rounding five times costs
        it a relative 2⁻⁴⁹ at most.
        """
        step = at_least(gamma)
        radius = np.sqrt(bounds + self._a)
        moved = (2 * step * radius - step * step) * SLACK
        return np.where(radius < step, bounds, np.minimum(bounds, moved))

    def unbiased(self, answers: Floats, sd: Floats | float) -> Floats:
        return answers**2 - sd**2 - self._a

    def variance(self, answers: Floats, sd: Floats | float) -> Floats:
        """2s²(2(x+a) + s²) at the estimate of x, raised to 0 where it lies below.

        At the estimate itself it is below 0 when ω² < s²/2.
        """
        x = np.maximum(self.unbiased(answers, sd), 0.0)
        return 2 * sd**2 * (2 * (x + self._a) + sd**2)

    def deviation(self, x: float, sd: float) -> float:
        return math.sqrt(2 * sd**2 * (2 * (x + self._a) + sd**2))

    def error(self, sd: float) -> str:
        inside = f"x + {self.shift}" if self.shift else "x"
        return f"√({4 * sd**2:.4g}·({inside}) + {2 * sd**4:.4g}) for the estimate"


class Logarithm(NeighborFunction):
    """ψ(x) = log(x+a), a > 0: where ψ(0) = −∞ an empty sum has no answer. Raises ParameterError.

    The variance is below e^(2·(32 + 40s)), a float for s ≤ 8.
    """

    largest_sd = 8.0

    def __init__(self, shift: Rational = 1) -> None:
        super().__init__(positive("a", shift))
        self.name = f"log(x+{self.shift})"

    def transformed(self, x: Integers) -> tuple[Floats, Floats]:
        """By Arb, once per distinct x. A ball of 128 bits is within 2⁻⁹⁰ of its middle, since the logarithm
        is below 2¹¹ where a is a float; and the nearest float is within 2⁻⁵³ of that, relatively.
        """
        distinct, place = np.unique(x, return_inverse=True)
        with enclosing(128):
            value = np.array([float(self.exactly(int(one)).mid()) for one in distinct])[place]
        return value, np.abs(value) * 2.0**-51 + 2.0**-90

    def exactly(self, x: int) -> flint.arb:
        return (x + _ball(self.shift)).log()

    def at_zero(self) -> float:
        return math.log(self._a)

    def inverse(self, z: Floats) -> Floats:
        with np.errstate(over="ignore"):
            return np.maximum(np.exp(z) - self._a, 0.0)

    def reach(self, bounds: Floats, gamma: Fraction) -> Floats:
        """(u+a)(1 − e^(−γ)), but u where ψ(u) − γ < ψ(0), which is where the former exceeds it."""
        share = float((-(-_ball(gamma)).expm1()).upper())
        return np.minimum(bounds, (bounds + self._a) * share * SLACK)

    def unbiased(self, answers: Floats, sd: Floats | float) -> Floats:
        return np.exp(answers - sd**2 / 2) - self._a

    def variance(self, answers: Floats, sd: Floats | float) -> Floats:
        """(x̃+a)²(1 − e^(−s²)), whose mean is the variance; x̃ + a from ω, as a would swallow it in floats."""
        return np.exp(2 * answers - sd**2) * -np.expm1(-np.square(sd))

    def deviation(self, x: float, sd: float) -> float:
        return (x + self._a) * math.sqrt(math.expm1(sd**2))

    def error(self, sd: float) -> str:
        return f"{math.sqrt(math.expm1(sd**2)):.4g}·(x + {self.shift}) for the estimate"


class Identity(NeighborFunction):
    """ψ(x) = x."""

    name = "x"

    def __init__(self) -> None:
        super().__init__(0)

    def transformed(self, x: Integers) -> tuple[Floats, Floats]:
        return x.astype(np.float64), np.zeros(x.shape)

    def exactly(self, x: int) -> flint.arb:
        return flint.arb(x)

    def at_zero(self) -> float:
        return 0.0

    def inverse(self, z: Floats) -> Floats:
        return np.maximum(z, 0.0)

    def reach(self, bounds: Floats, gamma: Fraction) -> Floats:
        return np.minimum(bounds, at_least(gamma))

    def unbiased(self, answers: Floats, sd: Floats | float) -> Floats:
        return answers

    def variance(self, answers: Floats, sd: Floats | float) -> Floats:
        return np.full(answers.shape, np.square(sd))

    def deviation(self, x: float, sd: float) -> float:
        return sd

    def error(self, sd: float) -> str:
        return f"{sd:.4g} for the estimate"


def _ball(value: Fraction) -> flint.arb:
    return flint.arb(value.numerator) / value.denominator


def named(name: str) -> NeighborFunction:
    """The neighbor function that calls itself ``name``. Raises ParameterError or KeyError for none."""
    shifted = re.fullmatch(r"(√|log)\(x\+(.+)\)", name)
    if shifted:
        return neighbor_function({"√": "sqrt", "log": "log"}[shifted[1]], shifted[2])
    return neighbor_function({"√x": "sqrt", "x": "identity"}[name])


def neighbor_function(kind: str, shift: Rational = 0) -> NeighborFunction:
    """``sqrt``, ``log`` or ``identity``, by the name of ψ, and its a. Raises ParameterError."""
    if kind == "sqrt":
        return Root(shift)
    if kind == "log":
        if shift == 0:
            raise ParameterError("psi = log is not allowed: a group whose sum is 0 has no logarithm")
        return Logarithm(shift)
    if kind == "identity" and nonnegative("a", shift) == 0:
        return Identity()
    raise ParameterError(f"psi = {kind}, a = {shift} is not known: use sqrt, log, or identity (a = 0)")
