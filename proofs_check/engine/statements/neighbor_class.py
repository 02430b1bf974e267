"""``neighbor functions are exactly those whose intervals …``, with an adversary that tries functions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations

import sympy

from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.neighbor_functions.conditions import conditions
from establish.spec.neighbor_functions.functions import (
    Expression,
    NeighborFunction,
    U,
    X,
    identity,
    logarithm,
    root,
)
from establish.spec.neighbor_functions.intervals import uncertainty_interval

INSIDE = (root(), logarithm(Fraction(1, 2)), identity(), root(1))
OUTSIDE = (
    Expression("x²", X**2, sympy.sqrt(U)),
    Expression("ln(1 + ln(x + 1))", sympy.log(1 + sympy.log(X + 1)), sympy.exp(sympy.exp(U) - 1) - 1),
    Expression("x^(3/2)", X ** sympy.Rational(3, 2), U ** sympy.Rational(2, 3)),
)
"""Functions that increase strictly from a real ψ(0) without bound: of the class, and outside of it."""

SIZES = tuple(map(Fraction, ("1/4", "1", "3", "36", "1000", "1000000")))
MORE_SIZES = tuple(map(Fraction, ("1/1000", "1/2", "5/4", "10", "35", "20000")))
DISTANCES = tuple(map(Fraction, ("1/10", "1", "3")))
MORE_DISTANCES = tuple(map(Fraction, ("1/100", "1/2", "2")))
"""Values and distances of intervals, and those of a thorough search."""

RELATIONS: dict[str, tuple[str, Callable[..., bool]]] = {
    "absolute": ("|I_t(x)| ≤ |I_t(y)|", lambda x, y, at_x, at_y: at_x > at_y),
    "relative": ("|I_t(y)|/y ≤ |I_t(x)|/x", lambda x, y, at_x, at_y: at_y / y > at_x / x),
}
"""What lengths of intervals do as values grow: in words, and whether it is certainly false for two."""


@dataclass(frozen=True)
class ClassByIntervals(Statement):
    """ψ is concave with ψ∘exp convex exactly when the lengths of its intervals obey ``relations``.

    For all ψ on x ≥ 0 that are real, continuous, strictly increasing and unbounded.
    """

    relations: tuple[str, ...] = tuple(RELATIONS)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (conditions, uncertainty_interval)

    @property
    def text(self) -> str:
        told = " and ".join(RELATIONS[name][0] for name in self.relations)
        return (
            "for every continuous, strictly increasing, unbounded real ψ on x ≥ 0: ψ is concave and ψ∘exp is "
            f"convex if and only if {told} for all 0 < x < y and t ≥ 0"
        )

    def at(self, point: Point) -> Truth:
        """At a function ``ψ``: one of the class must obey at ``x`` < ``y`` and ``t``, or the statement is
        False; one outside of it is decided by no point.
        """
        psi, *numbers = self.taken(point, "ψ", "x", "y", "t")
        x, y, t = map(Fraction, numbers)
        if not 0 < x < y or t < 0:
            raise self.refused(f"x = {x}, y = {y}, t = {t} are outside of the domain")
        broken = self._broken(psi, x, y, t)
        known = conditions(psi).neighbor_function
        shown = f"ψ = {psi.name}, x = {x}, y = {y}, t = {t}: {broken or 'obeyed'}"
        return Truth(False if broken and known else None, shown, exact=False)

    def _broken(self, psi: NeighborFunction, x: Fraction, y: Fraction, t: Fraction) -> str:
        lengths = [_length(psi, value, t) for value in (x, y)]
        with enclosing():
            return ", ".join(
                RELATIONS[name][0]
                for name in self.relations
                if RELATIONS[name][1](ARB.number(x), ARB.number(y), *lengths)
            )

    def counterexample(self, effort: int) -> tuple[str, str]:
        tried = 0
        sizes = sorted(self.deepened(effort, SIZES, MORE_SIZES))
        distances = self.deepened(effort, DISTANCES, MORE_DISTANCES)
        for psi in (*INSIDE, *OUTSIDE):
            broken = ""
            for x, y in combinations(sizes, 2):
                for t in distances:
                    tried += 1
                    if self._broken(psi, x, y, t):
                        broken = f"x = {x}, y = {y}, t = {t}"
            if bool(broken) == (psi in INSIDE):
                words = f"breaks them at {broken}" if broken else "obeys them on the grid"
                return f"{tried} pairs of intervals", f"ψ = {psi.name} {words}"
        return f"{tried} pairs of intervals of {len(INSIDE) + len(OUTSIDE)} functions", ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        for name in RELATIONS:
            yield f"{name} lengths only", replace(self, relations=(name,))


@cache
def _length(psi: NeighborFunction, x: Fraction, t: Fraction) -> object:
    with enclosing():
        low, high = uncertainty_interval(psi, x, t, ARB)
        return high - low
