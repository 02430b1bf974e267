"""A neighbor function that a user gives as a function of balls: ``lambda x: (x + 1).sqrt()``.

It must be an enclosure: for a ball x its result contains ψ of every point of x. All that is decided
about it is decided by such balls, or stays undecided.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from flint import arb, arb_series

from establish.spec.arithmetic import ARB, MP, Number, World, enclosing
from establish.spec.neighbor_functions.functions import NeighborFunction
from establish.spec.neighbor_functions.halving import ball_of, high_precision, inverse_by_halving
from establish.spec.parameters import ParameterError

Enclosure = Callable[[arb], arb]
"""A ball for every ball."""

Derivatives = tuple[Enclosure, Enclosure]
"""ψ' and ψ''."""

POINTS = tuple(Fraction(2) ** k for k in range(-20, 21))
"""Where given derivatives are compared with ψ."""

_NO_SERIES = (ValueError, ZeroDivisionError, TypeError, AttributeError)
"""What Arb raises where a function has no power series."""


@dataclass(frozen=True)
class Evaluated(NeighborFunction):
    """ψ by its values.

    name: for messages. psi: the enclosure. derivatives: ψ' and ψ'', taken from Arb's power series
    where they are not given and ψ is made of functions that have one. real: whether ψ(0) is a real
    number; False says that ψ tends to −∞ at 0. Raises ParameterError for a psi that does not return
    balls, for a ψ(0) that contradicts ``real``, and for derivatives that contradict psi.
    """

    name: str
    psi: Enclosure
    derivatives: Derivatives | None = None
    real: bool = True

    def __post_init__(self) -> None:
        with enclosing():
            self._check_zero()
            self._check_derivatives()

    def value(self, x: Number, c: World) -> Number:
        """ψ(x) in ARB or MP; TypeError in another world."""
        return self._read(self.psi, x, c)

    def slope(self, x: Number, c: World) -> Number:
        """ψ'(x) in ARB or MP; ParameterError where no derivative is known."""
        return self._read(lambda ball: self._known(ball)[0], x, c)

    def inverse(self, u: Number, c: World) -> Number:
        return inverse_by_halving(self, u, c)

    @property
    def real_at_zero(self) -> bool:
        return self.real

    def at_zero(self, c: World) -> Number:
        return self._read(self.psi, 0, c)

    def taylor(self, x: arb) -> tuple[arb, arb] | None:
        """Balls of ψ' and ψ'' on the ball x > 0; None where they are not known."""
        if self.derivatives is not None:
            first, second = self.derivatives
            return first(x), second(x)
        try:
            series = self.psi(arb_series([x, 1, 0], 3))
        except _NO_SERIES:
            return None
        return (series[1], 2 * series[2]) if isinstance(series, arb_series) else None

    def _known(self, x: arb) -> tuple[arb, arb]:
        found = self.taylor(x)
        if found is None:
            raise ParameterError(f"psi = {self.name} has no power series: give its derivatives")
        return found

    def _read(self, function: Enclosure, x: Number, c: World) -> Number:
        if c is ARB:
            return function(ARB.number(x))
        if c is MP:
            return high_precision(lambda: function(ball_of(x)))
        raise TypeError(f"psi = {self.name} is a function of balls: read it in MP or ARB")

    def _check_zero(self) -> None:
        for ball in (arb(0), arb(1)):
            try:
                found = self.psi(ball)
            except TypeError as error:
                raise ParameterError(
                    f"psi = {self.name} cannot be evaluated at an Arb ball: {error}"
                ) from None
            if not isinstance(found, arb):
                raise ParameterError(
                    f"psi = {self.name} returns {type(found).__name__} for an Arb ball: return an "
                    "Arb ball, as lambda x: (x + 1).sqrt() does"
                )
        if self.psi(arb(0)).is_finite() != self.real:
            raise ParameterError(
                f"real = {self.real} is not allowed for psi = {self.name}: its ball at 0 is "
                + ("not finite; say real=False where psi tends to −∞" if self.real else "finite")
            )

    def _check_derivatives(self) -> None:
        """By the mean value theorem, differences over an interval lie in its length times a ball."""
        if self.derivatives is None:
            return
        first, second = self.derivatives
        for low, high in pairwise(POINTS):
            ends = ARB.number(low), ARB.number(high)
            for of, slope, which in ((self.psi, first, "first"), (first, second, "second")):
                change = of(ends[1]) - of(ends[0])
                if not change.overlaps(slope(ends[0].union(ends[1])) * (ends[1] - ends[0])):
                    raise ParameterError(
                        f"derivatives are not allowed: the {which} one contradicts "
                        f"psi = {self.name} between {low} and {high}"
                    )
