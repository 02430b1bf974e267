"""The laws of two datasets side by side: what is certain about numbers that both determine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, lru_cache

import sympy
from flint import arb

from establish.proofs_check.audit.white.laws import NotComparableError, Reading
from establish.proofs_check.audit.white.no_law import require_law
from establish.proofs_check.audit.white.spec_laws import Law, reading
from establish.spec.arithmetic import ARB, SYM, Number, World
from establish.spec.parameters import ParameterError

LawIn = Callable[[World], Law]
"""The law of an output, in any world."""

Pick = Callable[[Reading, Reading], Number]
"""A number that the two laws determine, in whatever world they were read."""


def simplest(expression: Number) -> Number:
    """A sympy expression with logarithms of rationals split into those of primes."""
    return _simplest(sympy.sympify(expression))


@lru_cache(maxsize=4096)
def _simplest(expression: Number) -> Number:
    plain = sympy.expand(expression)
    if plain.is_Rational:
        return plain
    return sympy.simplify(sympy.expand_log(plain, force=True, factor=True))


class Pair:
    """The laws of two datasets, read as balls, and symbolically where balls cannot decide.

    Raises ParameterError for what is no law, or is around a tuple, and NotComparableError where an integer
    may be an atom beside what a law on the integers gives it.
    """

    def __init__(self, first: LawIn, second: LawIn) -> None:
        self._laws = (first, second)
        laws = first(ARB), second(ARB)
        self.p, self.q = (reading(law, ARB) for law in laws)
        for at in (*self.p.breaks, *self.q.breaks):
            _require_number(at)
        for law, read in zip(laws, (self.p, self.q), strict=True):
            require_law(law, read)
        atoms = [value for law in (self.p, self.q) for value, _ in law.atoms]
        if (self.p.whole or self.q.whole) and any(Fraction(at).denominator == 1 for at in atoms):
            raise NotComparableError("a law on the integers stands beside atoms that are integers, too")
        if not self._tails_are_right():
            self.p, self.q = (replace(law, left=None, right=None) for law in (self.p, self.q))

    def _tails_are_right(self) -> bool:
        return all(
            self._same(_owed(law, i))
            for law, read in enumerate((self.p, self.q))
            for i in range(len(read.owed))
        )

    def swapped(self) -> Pair:
        """The same two laws in the other order."""
        return Pair(self._laws[1], self._laws[0])

    @cached_property
    def symbolic(self) -> tuple[Reading, Reading] | None:
        """Both laws in sympy; None when a law has no symbolic reading."""
        try:
            first, second = (reading(law(SYM), SYM) for law in self._laws)
        except (TypeError, ValueError, AttributeError, NotImplementedError):
            return None  # a user's law may only know numbers; balls then decide, or leave open
        return first, second

    def sign_of(self, pick: Pick) -> int | None:
        """The certain sign of a number: by balls, and 0 by exact or symbolic arithmetic only."""
        return self.sign_in(lambda p, q, _: pick(p, q))

    def sign_in(self, pick: Callable[[Reading, Reading, World], Number]) -> int | None:
        """The same for a number that is also a function of the world."""
        ball = arb(ARB.number(pick(self.p, self.q, ARB)))
        if ball > 0:
            return 1
        if ball < 0:
            return -1
        if ball == 0:
            return 0
        if self.symbolic is not None and simplest(pick(*self.symbolic, SYM)) == 0:
            return 0
        return None

    def _same(self, pick: Pick) -> bool:
        return self.sign_of(pick) == 0

    def require_one_chart(self) -> None:
        """Raises NotComparableError unless both laws have the same kind and coordinates."""
        if self.p.whole != self.q.whole:
            raise NotComparableError("one law is on the integers and the other is not")
        same_parameter = self._same(lambda p, q: p.chart.parameter - q.chart.parameter)
        if self.p.chart.name != self.q.chart.name or not same_parameter:
            raise NotComparableError("the two laws are given in different coordinates")

    def same_ends(self) -> bool:
        """Whether the two continuous parts have the same support.

        Raises NotComparableError when it is not decided.
        """
        for end in ("low", "high"):
            values = [getattr(law, end) for law in (self.p, self.q)]
            if (values[0] is None) != (values[1] is None):
                return False
            if values[0] is None:
                continue
            sign = self.sign_of(_difference_of(end))
            if sign is None:
                raise NotComparableError("it is not decided whether the supports end alike")
            if sign != 0:
                return False
        return True

    @cached_property
    def breaks(self) -> list[Pick]:
        """The breaks of both laws inside the support, ascending, each once."""
        picks = [first_break(i) for i in range(len(self.p.breaks))]
        picks += [second_break(i) for i in range(len(self.q.breaks))]
        inside = [pick for pick in picks if self._is_inside(pick)]
        ordered: list[Pick] = []
        for pick in inside:
            self._insert(ordered, pick)
        return ordered

    def _is_inside(self, pick: Pick) -> bool:
        above = self.p.low is None or self.order(pick, lambda p, _: p.low) > 0
        return above and (self.p.high is None or self.order(pick, lambda p, _: p.high) < 0)

    def _insert(self, ordered: list[Pick], pick: Pick) -> None:
        for place, other in enumerate(ordered):
            sign = self.order(pick, other)
            if sign == 0:
                return
            if sign < 0:
                ordered.insert(place, pick)
                return
        ordered.append(pick)

    def order(self, pick: Pick, other: Pick) -> int:
        """The sign of pick − other. Raises NotComparableError when it is not decided."""
        sign = self.sign_of(lambda p, q: pick(p, q) - other(p, q))
        if sign is None:
            raise NotComparableError("the order of two breaks is not decided")
        return sign


def _difference_of(end: str) -> Pick:
    return lambda p, q: getattr(p, end) - getattr(q, end)


def _owed(law: int, i: int) -> Pick:
    return lambda p, q: (p, q)[law].owed[i]


def first_break(i: int) -> Pick:
    """Break number i of the first law."""
    return lambda p, _: p.breaks[i]


def second_break(i: int) -> Pick:
    """Break number i of the second law."""
    return lambda _, q: q.breaks[i]


def _require_number(center: object) -> None:
    if isinstance(center, tuple | list):  # which arb() would read as a mantissa and an exponent
        raise ParameterError(
            f"law gives a law around {center!r}, which is not a number: take the numbers out of the dataset"
        )


def simple_rational(x: Number, digits: int | None = 2) -> Fraction:
    """A decimal near a ball, for reports: of so many decimals, or of as many as its float has.

    What exceeds every float becomes the largest one.
    """
    most = sys.float_info.max
    near = min(max(float(arb(x).mid()), -most), most)
    return Fraction(str(near if digits is None else round(near, digits)))
