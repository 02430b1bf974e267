"""Neighbor functions ψ: what every one offers, and those written as a sympy expression.

An :class:`Expression` is read in every world. Whether it satisfies the conditions of Definition 5.1 is a
question for :mod:`.conditions`, not a condition on being written here: log is a first-class case
although log(0) = −∞ is not a real number.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import sympy

from establish.spec.arithmetic import ARB, SYM, Number, World, enclosing
from establish.spec.neighbor_functions.halving import inverse_by_halving
from establish.spec.parameters import ParameterError, Rational, nonnegative

X = sympy.Symbol("x", positive=True)
"""The argument x > 0 of every ψ; the value at 0 is the limit from the right."""

U = sympy.Symbol("u", real=True)
"""The argument of every inverse ψ⁻¹."""

BITS = (128, 512, 2048)
"""Precisions at which balls try to decide a comparison."""


def read(expression: sympy.Expr, x: Number, c: World) -> Number:
    """The value of an expression in one symbol at ``x`` in the world ``c``.

    Sums, products, rational powers, log and exp. Raises ParameterError for anything else.
    """
    if expression.is_Symbol:
        return c.number(x)
    if expression.is_Rational:
        return c.number(Fraction(int(expression.p), int(expression.q)))
    parts = [read(part, x, c) for part in expression.args if not expression.is_Pow]
    if expression.is_Add:
        return sum(parts[1:], parts[0])
    if expression.is_Mul:
        product = parts[0]
        for part in parts[1:]:
            product = product * part
        return product
    if expression.is_Pow and expression.exp.is_Rational:
        base, power = read(expression.base, x, c), expression.exp
        if power.q == 2:
            return c.power(c.sqrt(base), int(power.p))
        return c.power(base, Fraction(int(power.p), int(power.q)))
    if isinstance(expression, sympy.log):
        return c.log(parts[0])
    if isinstance(expression, sympy.exp):
        return c.exp(parts[0])
    raise ParameterError(f"psi contains {expression}: use sums, products, rational powers, log and exp")


class NeighborFunction(ABC):
    """ψ on x > 0, strictly increasing, with its limit at 0 and its inverse."""

    name: str

    @abstractmethod
    def value(self, x: Number, c: World) -> Number:
        """ψ(x) for x > 0, and for x = 0 where the formula of ψ has a finite value there."""

    @abstractmethod
    def slope(self, x: Number, c: World) -> Number:
        """ψ'(x) for x > 0."""

    @abstractmethod
    def inverse(self, u: Number, c: World) -> Number:
        """ψ⁻¹(u) for u in the range of ψ."""

    @property
    @abstractmethod
    def real_at_zero(self) -> bool:
        """Whether ψ(0), the limit from the right, is a real number; it is −∞ otherwise, as for log."""

    @abstractmethod
    def at_zero(self, c: World) -> Number:
        """ψ(0), where it is real."""

    def close(self, x: Rational, y: Rational, gamma: Rational) -> bool:
        """Whether |ψ(x) − ψ(y)| ≤ γ, certainly. 0 is close to 0 only where ψ(0) = −∞.

        Raises ParameterError for x, y or γ below 0, and where :meth:`tie` does not decide.
        """
        low, high = sorted((nonnegative("x", x), nonnegative("y", y)))
        bound = nonnegative("gamma", gamma)
        if low == high:
            return True
        if low == 0 and not self.real_at_zero:
            return False
        for bits in BITS:
            with enclosing(bits):
                excess = self.distance(low, high, ARB) - ARB.number(bound)
                if excess <= 0 or excess > 0:
                    return bool(excess <= 0)
        return self.tie(low, high, bound)

    def distance(self, low: Fraction, high: Fraction, c: World) -> Number:
        """ψ(high) − ψ(low) for 0 ≤ low ≤ high; low > 0 where ψ(0) = −∞."""
        return self.value(high, c) - (self.at_zero(c) if low == 0 else self.value(low, c))

    def tie(self, low: Fraction, high: Fraction, gamma: Fraction) -> bool:
        """Closeness where balls of :data:`BITS` bits do not tell ψ(high) − ψ(low) from γ.

        Raises ParameterError: a ψ without a formula cannot decide it.
        """
        raise ParameterError(
            f"gamma = {gamma} is not told from the distance of two values under psi = {self.name} "
            f"in {BITS[-1]} bits: take another gamma, or give psi as a sympy expression"
        )


@dataclass(frozen=True)
class Expression(NeighborFunction):
    """ψ as an expression in X, with its inverse as an expression in U; by halving where it is None.

    Raises ParameterError when ``expression`` has another symbol or an unreadable function, or when
    ψ(ψ⁻¹(u)) = u is not an identity.
    """

    name: str
    expression: sympy.Expr
    inverse_expression: sympy.Expr | None

    def __post_init__(self) -> None:
        back = self.inverse_expression
        if self.expression.free_symbols != {X} or (back is not None and back.free_symbols != {U}):
            raise ParameterError(f"psi = {self.expression}: write it in X and its inverse in U")
        read(self.expression, 1, SYM)
        if back is not None and sympy.simplify(back.subs(U, self.expression) - X) != 0:
            raise ParameterError(
                f"inverse = {self.inverse_expression} is not allowed: it must invert {self.expression}"
            )

    def value(self, x: Number, c: World) -> Number:
        return read(self.expression, x, c)

    def slope(self, x: Number, c: World) -> Number:
        return read(sympy.diff(self.expression, X), x, c)

    def inverse(self, u: Number, c: World) -> Number:
        if self.inverse_expression is None:
            return inverse_by_halving(self, u, c)
        return read(self.inverse_expression, u, c)

    @property
    def real_at_zero(self) -> bool:
        return bool(self._limit.is_finite)

    def at_zero(self, c: World) -> Number:
        return read(self._limit, 0, c)

    def tie(self, low: Fraction, high: Fraction, gamma: Fraction) -> bool:
        """Decided by simplification."""
        return bool(sympy.simplify(self.distance(low, high, SYM) - SYM.number(gamma)) <= 0)

    @cached_property
    def _limit(self) -> sympy.Expr:
        return sympy.limit(self.expression, X, 0, "+")


def _shifted(name: str, a: Fraction) -> str:
    return f"{name}(x+{a})" if a else name


def root(a: Rational = 0) -> Expression:
    """ψ(x) = √(x+a), a ≥ 0 (Section 5.3 and footnote 2)."""
    given = nonnegative("a", a)
    shift = SYM.number(given)
    return Expression(_shifted("sqrt", given), sympy.sqrt(X + shift), U**2 - shift)


def logarithm(a: Rational = 0) -> Expression:
    """ψ(x) = log(x+a), a ≥ 0 (Section 5.3 and footnote 2); ψ(0) = −∞ at a = 0, < 0 at 0 < a < 1."""
    given = nonnegative("a", a)
    shift = SYM.number(given)
    return Expression(_shifted("log", given), sympy.log(X + shift), sympy.exp(U) - shift)


def identity() -> Expression:
    """ψ(x) = x (Section 5.4.3)."""
    return Expression("identity", X, U)
