"""ψ⁻¹ where it has no formula: halving between two values that ψ certainly puts below and above u."""

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

import flint

from establish.spec.arithmetic import ARB, BITS, MP, Number, World, enclosing
from establish.spec.parameters import ParameterError

REACH = 4096
"""ψ⁻¹ is looked for between 2^−REACH and 2^REACH."""


class Increasing(Protocol):
    """What halving needs to know of ψ."""

    @property
    def name(self) -> str: ...
    def value(self, x: Number, c: World) -> Number: ...


def ball_of(number: Number) -> Number:
    """A high-precision number as an exact ball; a ball as it is."""
    if isinstance(number, MP.mp.mpf):
        mantissa, exponent = number.man_exp
        return flint.arb((int(MP.mp.sign(number)) * int(mantissa), int(exponent)))
    return ARB.number(number)


def high_precision(ball: Callable[[], Number]) -> Number:
    """The number of MP in the middle of a ball of BITS bits.

    Raises ParameterError for a ball that is not finite.
    """
    with enclosing(BITS):
        found = ball()
        if not found.is_finite():
            raise ParameterError("psi is not a finite number here: its ball is not finite")
        mantissa, exponent = found.mid().man_exp()
    return MP.mp.ldexp(MP.mp.mpf(int(mantissa)), int(exponent))


def inverse_by_halving(psi: Increasing, u: Number, c: World) -> Number:
    """ψ⁻¹(u), as a ball that contains it in ARB, and in MP; TypeError in another world.

    An x at which ψ stays above u down to 2^−REACH is enclosed by [0, 2^−REACH]. Raises
    ParameterError where ψ stays below u up to 2^REACH.
    """
    if c is MP:
        return high_precision(lambda: _enclosed(psi, ball_of(u)))
    if c is not ARB:
        raise TypeError(f"psi = {psi.name} has no formula for its inverse: read it in MP or ARB")
    return _enclosed(psi, u)


def _enclosed(psi: Increasing, u: Number) -> Number:
    below = _end(lambda x: psi.value(x, ARB) <= u)
    above = _end(lambda x: not psi.value(x, ARB) >= u)
    if above is None:
        raise ParameterError(f"u lies above every value of psi = {psi.name} up to 2^{REACH}")
    low = Fraction(0) if below is None else below[0]
    return ARB.number(low).union(ARB.number(above[1]))


def _end(holds: Callable[[Fraction], bool]) -> tuple[Fraction, Fraction] | None:
    """Neighboring x, x' between which a predicate, true up to a point, turns false."""
    power = 1
    if holds(Fraction(1)):
        while holds(Fraction(2) ** power):
            power *= 2
            if power > REACH:
                return None
        low, high = Fraction(1), Fraction(2) ** power
    else:
        while not holds(Fraction(2) ** -power):
            power *= 2
            if power > REACH:
                return Fraction(0), Fraction(1, 2**REACH)
        low, high = Fraction(1, 2**power), Fraction(1)
    for _ in range(power + flint.ctx.prec):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high
