"""Neighbor functions by their slopes: they have no kink, and two of them combine to a third."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.spec.arithmetic import World
from establish.spec.neighbor_functions.combinations import Combination, combined
from establish.spec.neighbor_functions.conditions import conditions
from establish.spec.neighbor_functions.functions import Expression, identity, logarithm, root

Scaled = tuple[Expression, Fraction]
"""A neighbor function and its distance parameter."""

_ONE, _HALF = Fraction(1), Fraction(1, 2)

PAIRS: tuple[tuple[Scaled, Scaled], ...] = (
    ((root(), _HALF), (root(), _HALF)),
    ((root(), _HALF), (identity(), _ONE)),
    ((identity(), Fraction(3)), (root(1), _ONE)),
    ((root(), _HALF), (logarithm(), Fraction(1, 4))),
)
"""Pairs of functions that the adversary combines; log, which is not real at 0, only where it may be one."""

SIZES = tuple(map(Fraction, ("0", "1/4", "253009/1000000", "1", "2", "9/4", "4", "25/4", "9", "16", "30")))


@dataclass(frozen=True)
class CombinedFunctions(Statement):
    """ψ*(x) = ∫_0^x of the smaller, or the larger, of ψ_A'/γ_A and ψ_B'/γ_B is a neighbor function, and its
    intervals at ``distance`` contain those of A and B, or lie inside both.

    contains: which of the two. smaller: which slope is taken.
    """

    contains: bool
    smaller: bool
    distance: Fraction = _ONE

    def pick(self, c: World, first: Any, second: Any) -> Any:
        """The slope of ψ* from both scaled slopes."""
        return -c.maximum(-first, -second) if self.smaller else c.maximum(first, second)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (combined, conditions)

    @property
    def text(self) -> str:
        real = "one of them real at 0" if self.contains else "both real at 0"
        word = "min" if self.smaller else "max"
        close = [f"|ψ_{k}(x) − ψ_{k}(y)| ≤ γ_{k}" for k in "AB"]
        star = f"|ψ*(x) − ψ*(y)| ≤ {self.distance}"
        inclusion = (
            f"{star} wherever {' or '.join(close)}"
            if self.contains
            else f"{' and '.join(close)} wherever {star}"
        )
        return (
            f"for all neighbor functions ψ_A, ψ_B, {real}, all γ_A, γ_B > 0 and all x, y ≥ 0: ψ*(x) = the "
            f"integral from 0 to x of {word}(ψ_A'/γ_A, ψ_B'/γ_B) is a neighbor function, and {inclusion}"
        )

    def at(self, point: Point) -> Truth:
        """At ``A`` and ``B``, each a neighbor function, ``γ_A`` and ``γ_B``, ``x`` and ``y``."""
        a, gamma_a, b, gamma_b, x, y = self.taken(point, "A", "γ_A", "B", "γ_B", "x", "y")
        first, second = (a, Fraction(gamma_a)), (b, Fraction(gamma_b))
        if not self._admits(first, second):
            raise self.refused(f"not enough of {first[0].name}, {second[0].name} is real at 0")
        worst = self._false(first, second, Fraction(x), Fraction(y))
        return Truth(not worst, f"{self.in_words(point)}: {worst or 'true'}", exact=True)

    def _admits(self, first: Scaled, second: Scaled) -> bool:
        real = first[0].real_at_zero, second[0].real_at_zero
        return any(real) if self.contains else all(real)

    def _false(self, first: Scaled, second: Scaled, x: Fraction, y: Fraction) -> str:
        star, belongs = _star(first, second, self.smaller)
        if not belongs:
            return "ψ* is not a neighbor function"
        each = [psi.close(x, y, gamma) for psi, gamma in (first, second)]
        inside = star.close(x, y, self.distance)
        if self.contains and any(each) and not inside:
            return "close under A or B, and not under ψ*"
        if not self.contains and inside and not all(each):
            return "close under ψ*, and not under both"
        return ""

    searched = ("{} pairs of values", f"{{}} pairs of values, under {len(PAIRS)} combinations at most")

    def refutations(self, effort: int) -> Iterator[str]:
        for first, second in PAIRS:
            names = f"{first[0].name} at {first[1]}, {second[0].name} at {second[1]}"
            for x, y in combinations(SIZES, 2) if self._admits(first, second) else ():
                worst = self._false(first, second, x, y)
                yield worst and f"{names}, x = {x}, y = {y}: {worst}"

    def planted(self) -> Iterator[tuple[str, Statement]]:
        share = Fraction(99, 100) if self.contains else Fraction(101, 100)
        yield f"distance {share}", replace(self, distance=share)
        yield "the other slope", replace(self, smaller=not self.smaller)


@cache
def _star(first: Scaled, second: Scaled, smaller: bool) -> tuple[Combination, bool]:
    """ψ* and whether it is not known to break a condition of Definition 5.1."""
    star = combined(*first, *second, contains=smaller)
    return star, conditions(star).neighbor_function is not False


KINKS = tuple(product(map(Fraction, ("1", "1/2", "4")), map(Fraction, ("1", "2", "1/3"))))
"""Places, and slopes to the left of them."""

RATIOS = tuple(map(Fraction, ("1", "1/2", "9/10", "11/10", "999/1000", "2")))
"""Slopes to the right, as multiples of those to the left."""

NEAR = tuple(1 + Fraction(1, 2**k) for k in (1, 4, 7, 12, 20))


@dataclass(frozen=True)
class Smooth(Statement):
    """Every increasing function on x > 0 that is concave, with a convex ψ∘exp, has a continuous derivative.

    convex: whether ψ∘exp must be convex; without it functions may have kinks.
    """

    convex: bool = True

    @property
    def text(self) -> str:
        more = ", with ψ∘exp convex" if self.convex else ""
        return (
            f"for every ψ on x > 0 that increases strictly and is concave{more}: ψ has a derivative at "
            "every x > 0, and it is continuous there"
        )

    def at(self, point: Point) -> Truth:
        """At ``x`` with the slopes ``left`` and ``right`` of a function that is linear on both sides of x.
        Raises StatementError for one that does not belong to the class near x.
        """
        x, left, right = map(Fraction, self.taken(point, "x", "left", "right"))
        if min(x, left, right) <= 0 or not self._belongs(x, left, right):
            raise self.refused(f"slopes {left} and {right} at {x} are outside of the class")
        return Truth(left == right, f"slopes {left} and {right} at {x}", exact=True)

    def _belongs(self, x: Fraction, left: Fraction, right: Fraction) -> bool:
        """Whether the means of values near x allow it: at x, the mean of x ± d, and of x/q and xq."""

        def psi(t: Fraction) -> Fraction:
            return (left if t < x else right) * (t - x)

        concave = all(psi(x * (2 - q)) + psi(x * q) <= 0 for q in NEAR)
        return concave and (not self.convex or all(psi(x / q) + psi(x * q) >= 0 for q in NEAR))

    searched = (
        "{} functions",
        f"{{}} of {len(KINKS) * len(RATIOS)} functions that are linear around a point",
    )

    def refutations(self, effort: int) -> Iterator[str]:
        for (x, left), ratio in product(KINKS, RATIOS):
            if self._belongs(x, left, ratio * left):
                yield self.at({"x": x, "left": left, "right": ratio * left}).refutes

    def planted(self) -> Iterator[tuple[str, Statement]]:
        if self.convex:
            yield "without convexity", replace(self, convex=False)
