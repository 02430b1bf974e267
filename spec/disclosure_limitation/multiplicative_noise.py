"""EZS multiplicative noise: each establishment's values times its own factor near 1 (Evans et al. 1996).

A published cell is Σ f_j·x_j with the factors of :class:`FactorRange`, whose law is not printed in Webb
et al.; uniform on the range is our assumption, used by the law and the variance only. One factor
multiplies all values of an establishment.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any

from establish.spec.attacks import primitive_attack
from establish.spec.mechanisms.noise_infusion import FactorRange, rounded
from establish.spec.parameters import ParameterError, Rational, exact

Interval = tuple[Fraction, Fraction]


def noisy(factor: Any, value: Any) -> Any:
    """f·x, in any arithmetic."""
    return factor * value


def _value(name: str, value: Rational) -> Fraction:
    number = exact(name, value)
    if number < 0:
        raise ParameterError(f"{name} must be at least 0")
    return number


class MultiplicativeNoise:
    """Cells of nonnegative values; ``rounding`` publishes the nearest whole number, halves up."""

    def __init__(self, factors: FactorRange, rounding: bool = False) -> None:
        self.factors = factors
        self.rounding = rounding

    def published(self, values: Sequence[Rational], factors: Sequence[Rational]) -> Fraction:
        """Σ f_j·x_j. ParameterError for a factor outside its range; ValueError for a wrong number."""
        total = Fraction(0)
        for value, given in zip(values, factors, strict=True):
            factor = exact("factor", given)
            if factor not in self.factors:
                raise ParameterError(
                    f"factor = {factor} is not allowed: |f − 1| lies between {self.factors.s} and "
                    f"{self.factors.t}"
                )
            total += noisy(factor, _value("value", value))
        return rounded(total) if self.rounding else total

    def cdf(self, y: Rational, value: Rational) -> Fraction:
        """P(published ≤ y) for an establishment of ``value`` > 0 alone in its cell, uniform factors.

        Raises ParameterError for another value.
        """
        x = _value("value", value)
        if x == 0:
            raise ParameterError("value = 0 is published as it is: its law is a point")
        place = floor(exact("y", y)) + Fraction(1, 2) if self.rounding else exact("y", y)
        return self.factors.uniform_cdf(place / x)

    def factor_variance(self) -> Fraction:
        """E(f − 1)² = (s² + st + t²)/3 for uniform factors, whose mean is 1."""
        s, t = self.factors.s, self.factors.t
        return (s * s + s * t + t * t) / 3

    def variance(self, values: Sequence[Rational]) -> Fraction:
        """The variance of an unrounded cell, whose mean is its true total, for uniform factors."""
        return self.factor_variance() * sum(_value("value", v) ** 2 for v in values)

    def intervals(self, published: Rational, known: Rational = 0) -> tuple[Interval, Interval]:
        """Where one contributor's value lies, for who knows the others' total and not their factors.

        known: that total, 0 for an establishment alone in its cell. The two intervals belong to a
        factor above 1 and to one below; alone they leave out a gap around the published value.
        Ends below 0 are raised to 0. A rounded value may come from 1/2 less up to 1/2 more.
        """
        y, rest = _value("published", published), _value("known", known)
        room = Fraction(1, 2) if self.rounding else Fraction(0)
        s, t = self.factors.s, self.factors.t

        def ends(low: Fraction, high: Fraction) -> Interval:
            least = (y - room - (1 + t) * rest) / high
            most = (y + room - (1 - t) * rest) / low
            return max(least, Fraction(0)), max(most, Fraction(0))

        return ends(1 + s, 1 + t), ends(1 - t, 1 - s)

    def repeated(self, published: Sequence[Rational]) -> list[Interval]:
        """Where a value alone in its cell lies that is published several times, each with a new factor.

        The intervals of one publication that meet some of every other, cut to what they share, in order.
        ParameterError when there is none.
        """
        found = sorted(self.intervals(published[0]))
        for again in published[1:]:
            pairs = [(one, two) for one in found for two in self.intervals(again)]
            cut = [(max(one[0], two[0]), min(one[1], two[1])) for one, two in pairs]
            found = sorted({(low, high) for low, high in cut if low <= high})
        if not found:
            raise ParameterError("no value is published so, whatever its factors")
        return found

    def ratio(self, first: Rational, second: Rational) -> tuple[Fraction, Fraction | None]:
        """Where the ratio of two values with the same factor lies, by what is published for each.

        A single number without rounding, as the factor cancels; with it, each may be 1/2 off. None for no
        bound. Raises ParameterError when the second is published as 0 without rounding.
        """
        one, two = _value("published", first), _value("published", second)
        if not self.rounding:
            if two == 0:
                raise ParameterError("published = 0 is not allowed as the second: there is no ratio")
            return one / two, one / two
        half = Fraction(1, 2)
        most = (one + half) / (two - half) if two > half else None
        return max(one - half, Fraction(0)) / (two + half), most

    def whole_values(self, published: Sequence[Rational]) -> list[tuple[int, ...]]:
        """All lists of whole values of one establishment, at least 0, that could be published so, unrounded.

        Raises ParameterError with rounding, or when all are published as 0.
        """
        if self.rounding:
            raise ParameterError("rounding = True is not allowed: whole values are then not in step")
        shown = tuple(_value("published", value) for value in published)
        return [
            values
            for values in primitive_attack(shown, self.factors.t)
            if all(y == 0 or y / x in self.factors for y, x in zip(shown, values, strict=True))
        ]

    def unchanged(self, value: Rational) -> bool:
        """Whether a whole value, alone in its cell, is published as it is whatever its factor.

        With rounding: exactly when x·t < 1/2. Without: for 0 alone.
        """
        x = _value("value", value)
        if not self.rounding:
            return x == 0
        return x.denominator == 1 and x * self.factors.t < Fraction(1, 2)
