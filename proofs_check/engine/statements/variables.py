"""Quantified variables and their domains: they contain, print themselves and draw points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Any

from establish.proofs_check.engine.statements.statement import StatementError
from establish.proofs_check.engine.statements.terms import TEXT, Term
from establish.spec.arithmetic import ARB, EXACT, enclosing
from establish.spec.parameters import exact

Bound = int | Fraction | str | Callable[..., Any] | None
"""A rational, or a formula of a world and of the variables that come before."""

_WRITTEN = (
    "0 1 -1 1/2 2 1/10 3 1/32 10 -1/2 4 1/4 -2 5 100 1/100 3/2 -10 1/3 7 20 1000 1/1000 -1/16 50 9/10 "
    "99/100 -100 1/16 6 8 12 25 30 200"
)

SIMPLE = tuple(map(Fraction, _WRITTEN.split()))
"""The values that are tried first, in this order."""

DRAWS = 2000
"""How many steps a variable is drawn away from the simplest end of its domain, at most."""


@dataclass(frozen=True)
class Variable:
    """A variable over ℝ, ℚ or ℤ between two bounds, each open or closed.

    A real variable reaches formulas as a number of the world in which they are read. A rational or an
    integer one reaches them as it is, for parameters that the specification wants exact.
    """

    name: str
    field: str
    low: Bound = None
    high: Bound = None
    low_open: bool = False
    high_open: bool = False

    def __str__(self) -> str:
        return self.name

    @property
    def limits(self) -> tuple[tuple[Any, str], ...]:
        """The bounds that there are, each with the relation that the variable has to it."""
        both = (self.low, ">" if self.low_open else ">="), (self.high, "<" if self.high_open else "<=")
        return tuple((bound, word) for bound, word in both if bound is not None)

    def ends(self, earlier: Sequence[Fraction]) -> tuple[Fraction | None, Fraction | None]:
        """Both ends as rationals, at given values of the variables before.

        An end that is no rational is moved into the domain, by less than 10⁻³⁰ of its size.
        """
        return self._end(self.low, earlier, 1), self._end(self.high, earlier, -1)

    def _end(self, bound: Bound, earlier: Sequence[Fraction], inward: int) -> Fraction | None:
        if bound is None:
            return None
        if not callable(bound):
            return _exact(self.name, bound)
        try:
            return Fraction(bound(EXACT, *earlier))
        except TypeError:
            with enclosing():
                ball = ARB.number(bound(ARB, *(ARB.number(x) for x in earlier)))
                if not ball.is_finite():
                    raise ArithmeticError(f"an end of {self.name} is not a finite number") from None
                end = (ball.upper() if inward > 0 else ball.lower()).fmpq()
                return Fraction(int(end.p), int(end.q))

    def whole_between(self, earlier: Sequence[Fraction]) -> range | None:
        """All integers that may lie between the ends, at given values of the variables before, and perhaps
        one beside; None where an end is missing.
        """
        found = [self._outward(bound, earlier) for bound in (self.low, self.high)]
        if None in found:
            return None
        (low, _), (_, high) = found  # type: ignore[misc]
        return range(ceil(low), floor(high) + 1)

    def _outward(self, bound: Bound, earlier: Sequence[Fraction]) -> tuple[Fraction, Fraction] | None:
        """Rationals below and above a bound, or the bound itself twice."""
        if bound is None:
            return None
        if not callable(bound):
            return (_exact(self.name, bound),) * 2
        with enclosing():
            ball = ARB.number(bound(ARB, *earlier))
            if not ball.is_finite():
                raise ArithmeticError(f"an end of {self.name} is not a finite number")
            ends = (end.fmpq() for end in (ball.lower(), ball.upper()))
            low, high = (Fraction(int(end.p), int(end.q)) for end in ends)
            return low, high

    def _between(self, number: Fraction, low: Fraction | None, high: Fraction | None) -> bool:
        if self.field == "ℤ" and number.denominator != 1:
            return False
        above = low is None or (number > low if self.low_open else number >= low)
        return above and (high is None or (number < high if self.high_open else number <= high))

    def candidates(self, earlier: Sequence[Fraction]) -> list[Fraction]:
        """Simple values, the ends and values near them, each in the domain and each once."""
        fixed = not callable(self.low) and not callable(self.high)
        try:
            return _candidates(self, () if fixed else tuple(earlier))
        except ArithmeticError:  # an end that has no value there
            return []

    def listed(self, earlier: Sequence[Fraction]) -> Iterator[Fraction]:
        """What `candidates` keeps."""
        low, high = self.ends(earlier)
        near: list[Fraction] = []
        for end, inward in ((low, 1), (high, -1)):
            if end is not None:
                near += [end, *(end + inward * s for s in SIMPLE if s > 0)]
        if low is not None and high is not None:
            near += [low + (high - low) * s for s in (Fraction(1, 2), Fraction(1, 3), Fraction(7, 8))]
        mixed = [v for pair in zip(SIMPLE, near, strict=False) for v in pair]
        seen = set()
        for value in [*mixed, *SIMPLE, *near]:
            if self.field == "ℤ":
                value = Fraction(ceil(value) if low is not None and value == low else floor(value))
            if value not in seen and self._between(value, low, high):
                seen.add(value)
                yield value

    def placed(self, draw: int, earlier: Sequence[Fraction]) -> Fraction:
        """The point of the domain that belongs to a draw from −DRAWS to DRAWS; 0 is a simple one.

        A domain with two ends is cut into DRAWS parts, and beyond one end or none the steps are 1/20.
        """
        low, high = self.ends(earlier)
        if low is not None and high is not None:
            value = low + (high - low) * Fraction(abs(draw), DRAWS)
        elif low is not None:
            value = low + Fraction(abs(draw), 20)
        elif high is not None:
            value = high - Fraction(abs(draw), 20)
        else:
            value = Fraction(draw, 20)
        return Fraction(floor(value)) if self.field == "ℤ" else value

    def shown(self, bound: Bound, earlier: Sequence[Variable]) -> str:
        """A bound as text, in terms of the variables before."""
        if callable(bound):
            return str(bound(TEXT, *(Term(v.name) for v in earlier)))
        return str(TEXT.number(exact(self.name, bound or 0)))

    def said(self, earlier: Sequence[Variable]) -> str:
        """``0 < γ ≤ 1`` or ``γ ∈ ℝ``: the bounds in one chain."""
        low, high = ("" if b is None else self.shown(b, earlier) for b in (self.low, self.high))
        low = low and f"{low} {'<' if self.low_open else '≤'} "
        high = high and f" {'<' if self.high_open else '≤'} {high}"
        kind = f" in {self.field}" if low or high else f" ∈ {self.field}"
        if self.field == "ℝ" and (low or high):
            kind = ""
        return f"{low}{self.name}{high}{kind}"


_exact = lru_cache(maxsize=4096)(exact)


@lru_cache(maxsize=4096)
def _candidates(variable: Variable, earlier: tuple[Fraction, ...]) -> list[Fraction]:
    return list(variable.listed(earlier))


def Real(name: str, **bounds: Bound) -> Variable:
    """A real variable. Bounds: ``above`` and ``below`` (strict), ``least`` and ``most``."""
    return _variable(name, "ℝ", bounds)


def Rational(name: str, **bounds: Bound) -> Variable:
    """A rational parameter, which formulas get as an exact Fraction in every world."""
    return _variable(name, "ℚ", bounds)


def Integer(name: str, **bounds: Bound) -> Variable:
    """An integer variable."""
    return _variable(name, "ℤ", bounds)


def _variable(name: str, field: str, bounds: dict[str, Bound]) -> Variable:
    unknown = set(bounds) - {"above", "below", "least", "most"}
    if unknown:
        raise StatementError(
            f"{name}: {', '.join(sorted(unknown))} is not a bound: use above, below, least or most"
        )
    for one, other in (("above", "least"), ("below", "most")):
        if one in bounds and other in bounds:
            raise StatementError(f"{name} has two bounds on one side: {one} and {other}")
    for key, bound in bounds.items():
        if isinstance(bound, float):
            raise StatementError(f"{name}: {key} = {bound!r} is a binary float: write a rational")
        if not (bound is None or isinstance(bound, (int, str, Fraction)) or callable(bound)):
            raise StatementError(f"{name}: {key} = {bound!r} must be a rational or a formula")
    low, high = bounds.get("above", bounds.get("least")), bounds.get("below", bounds.get("most"))
    made = Variable(name, field, low, high, "above" in bounds, "below" in bounds)
    rational = all(end is not None and not callable(end) for end in (low, high))
    if rational and not made.candidates(()):
        raise StatementError(f"{name} has an empty domain: {made.said(())}")
    return made
