"""The worlds in which one formula is read.

A formula of this package is a function of its arguments and of a world ``c``. The same text gives a
50-digit value (``MP``), a ball that certainly contains the value (``ARB``), a symbolic expression
(``SYM``) or an exact rational (``EXACT``). Rational inputs enter through ``c.number`` and so are never
rounded through a binary float on the way.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol

import flint
import mpmath

Number = Any
"""A value of some world: ``mpf``, ``arb`` (or ``arb_series``), a sympy expression, ``Fraction``."""

Function = Callable[..., Number]

DIGITS = 60
"""Working digits of the high-precision world: 50 that are shown, and 10 to guard them."""

BITS = 200
"""Working bits of the enclosure world inside :func:`enclosing`, a little more than DIGITS digits."""


class World(Protocol):
    """What a formula may use besides + − × ÷ and comparison."""

    @property
    def pi(self) -> Number: ...
    def number(self, value: Number) -> Number:
        """Lift an int or Fraction exactly; pass a value of this world through."""

    def log(self, x: Number) -> Number: ...
    def exp(self, x: Number) -> Number: ...
    def sqrt(self, x: Number) -> Number: ...
    def sin(self, x: Number) -> Number: ...
    def erf(self, x: Number) -> Number: ...
    def erfinv(self, x: Number) -> Number:
        """The inverse of erf, for −1 < x < 1."""

    def log_gamma(self, x: Number) -> Number:
        """ln Γ(x), for x > 0."""

    def power(self, base: Number, exponent: Number) -> Number:
        """base ** exponent; for a non-integer exponent the base must be positive."""

    def absolute(self, x: Number) -> Number: ...
    def sign(self, x: Number) -> Number: ...
    def maximum(self, x: Number, y: Number) -> Number: ...
    def beta_share(self, x: Number, a: Number, b: Number) -> Number:
        """The regularized incomplete beta function I_x(a, b)."""


def _refuse_float(value: Number) -> None:
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a binary float: pass an int or a Fraction, which are exact")


def _refuse_other_worlds(value: Number) -> None:
    """Numbers and texts that are no balls would fail only later, and say nothing that helps."""
    _refuse_float(value)
    sympy = sys.modules.get("sympy")  # where nobody loaded it, nothing is of it
    others = () if sympy is None else (sympy.Basic,)
    if isinstance(value, (*others, mpmath.ctx_mp_python.mpnumeric, Decimal, str)):
        library = type(value).__module__.partition(".")[0]
        raise TypeError(
            f"{value!r} is not of this number system ({type(value).__name__} of {library}): pass an int or a "
            "Fraction"
        )


def _integer(exponent: Number) -> int | None:
    """The integer that a rational exponent is, or None."""
    if isinstance(exponent, (int, Fraction)) and exponent == int(exponent):
        return int(exponent)
    return None


def _whole_power(base: Number, exponent: int) -> Number:
    """Repeated squaring: stays valid for balls that contain 0, where exp(n·log) does not."""
    if exponent < 0:
        return 1 / _whole_power(base, -exponent)
    result: Number = 1
    while exponent:
        if exponent & 1:
            result = result * base
        base = base * base
        exponent >>= 1
    return result


class _HighPrecision:
    """mpmath with its own context, so that nobody's global precision changes."""

    def __init__(self) -> None:
        self.mp = mpmath.MPContext()
        self.mp.dps = DIGITS
        self.pi: Number = +self.mp.pi
        self.log, self.exp, self.sqrt = self.mp.log, self.mp.exp, self.mp.sqrt
        self.sin, self.absolute, self.sign = self.mp.sin, self.mp.fabs, self.mp.sign
        self.erf, self.erfinv = self.mp.erf, self.mp.erfinv
        self.log_gamma = self.mp.loggamma

    def number(self, value: Number) -> Number:
        _refuse_float(value)
        if isinstance(value, Fraction):
            return self.mp.mpf(value.numerator) / value.denominator
        return self.mp.mpf(value)

    def power(self, base: Number, exponent: Number) -> Number:
        return self.mp.power(base, self.number(exponent))

    def maximum(self, x: Number, y: Number) -> Number:
        return max(x, y)

    def beta_share(self, x: Number, a: Number, b: Number) -> Number:
        return self.mp.betainc(a, b, 0, x, regularized=True)


class _Enclosure:
    """Arb balls; every result contains the true value. Use inside :func:`enclosing`."""

    @property
    def pi(self) -> Number:
        return flint.arb.pi()

    def number(self, value: Number) -> Number:
        if isinstance(value, flint.arb):  # first, as most are
            return value
        if isinstance(value, int):
            return flint.arb(value)
        if isinstance(value, Fraction):
            return flint.arb(flint.fmpq(value.numerator, value.denominator))
        _refuse_other_worlds(value)
        return value

    def log(self, x: Number) -> Number:
        return x.log()

    def exp(self, x: Number) -> Number:
        return x.exp()

    def sqrt(self, x: Number) -> Number:
        return x.sqrt()

    def sin(self, x: Number) -> Number:
        return x.sin()

    def erf(self, x: Number) -> Number:
        return x.erf()

    def erfinv(self, x: Number) -> Number:
        return x.erfinv()

    def log_gamma(self, x: Number) -> Number:
        return x.lgamma()

    def absolute(self, x: Number) -> Number:
        return abs(x)

    def sign(self, x: Number) -> Number:
        return x.sgn()

    def power(self, base: Number, exponent: Number) -> Number:
        whole = _integer(exponent)
        if whole is not None:
            return self.number(_whole_power(self.number(base), whole))
        base, exponent = self.number(base), self.number(exponent)
        if isinstance(base, flint.arb) and isinstance(exponent, flint.arb):
            return base**exponent  # knows that 0 to a positive power is 0
        return (base.log() * exponent).exp()

    def maximum(self, x: Number, y: Number) -> Number:
        if not any(isinstance(value, flint.arb_series) for value in (x, y)):
            return x.max(y)
        first, second = (v[0] if isinstance(v, flint.arb_series) else v for v in (x, y))
        if first > second or first < second:
            return x if first > second else y
        raise ValueError("a maximum has no power series where its arguments may be equal")

    def beta_share(self, x: Number, a: Number, b: Number) -> Number:
        return x.beta_lower(a, b, regularized=True)


class _Symbolic:
    """sympy: derivations, closed forms, identities. It is loaded when it is first used."""

    pi: Number
    log: Function
    exp: Function
    sqrt: Function
    sin: Function
    absolute: Function
    sign: Function
    maximum: Function
    erf: Function
    erfinv: Function

    def __getattr__(self, name: str) -> Any:
        if name not in _Symbolic.__annotations__:
            raise AttributeError(name)
        import sympy

        own = {"absolute": "Abs", "maximum": "Max"}
        found = self.__dict__[name] = getattr(sympy, own.get(name, name))
        return found

    def log_gamma(self, x: Number) -> Number:
        import sympy

        return sympy.log(sympy.gamma(x))

    def number(self, value: Number) -> Number:
        import sympy

        _refuse_float(value)
        if isinstance(value, Fraction):
            return sympy.Rational(value.numerator, value.denominator)
        return sympy.sympify(value)

    def power(self, base: Number, exponent: Number) -> Number:
        return self.number(base) ** self.number(exponent)

    def beta_share(self, x: Number, a: Number, b: Number) -> Number:
        import sympy

        return sympy.betainc_regularized(a, b, 0, x)


class _Exact:
    """Rationals only: a formula that needs a transcendental function raises TypeError here."""

    def number(self, value: Number) -> Fraction:
        if type(value) is Fraction:  # as most are
            return value
        _refuse_float(value)
        return Fraction(value)

    def power(self, base: Number, exponent: Number) -> Fraction:
        whole = _integer(exponent)
        if whole is None:
            self._transcendental()
        return Fraction(base) ** int(exponent)

    def absolute(self, x: Number) -> Number:
        return abs(x)

    def sign(self, x: Number) -> Number:
        return Fraction((x > 0) - (x < 0))

    def maximum(self, x: Number, y: Number) -> Number:
        return max(x, y)

    def _transcendental(self, *_: Number) -> Number:
        raise TypeError("this formula has no exact rational value: read it in MP, ARB or SYM")

    pi = property(_transcendental)
    log = exp = sqrt = sin = erf = erfinv = log_gamma = beta_share = _transcendental


MP = _HighPrecision()
ARB: World = _Enclosure()
SYM: World = _Symbolic()
EXACT: World = _Exact()


@contextmanager
def enclosing(bits: int = BITS) -> Iterator[None]:
    """Arb arithmetic at ``bits`` of precision inside the block; the outer precision comes back after.

    Every Arb operation, negation and addition included, must happen inside: outside, results are
    rounded to the ambient 53 bits (still enclosures, but wide ones).
    """
    with flint.ctx.workprec(bits):
        yield


def precision() -> tuple[int, int]:
    """The bits to which MP and ARB round: what is kept of their numbers is kept for these."""
    return MP.mp.prec, flint.ctx.prec
