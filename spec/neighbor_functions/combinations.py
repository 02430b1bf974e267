"""Combining two neighbor functions (Webb et al. 2025, Theorems 5.10 and 5.11).

ψ* has distance parameter 1 and the slope min (or max) of ψ_A'/γ_A and ψ_B'/γ_B. With min every interval
of ψ* contains those of both, with max it is contained in both. ψ* is integrated from 0, so the slope
must be integrable there: it is not for the max with log, nor for the min of two logs.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise

import flint
import sympy

from establish.spec.arithmetic import SYM, Number, World
from establish.spec.neighbor_functions.functions import Expression, NeighborFunction, U, X, read
from establish.spec.parameters import ParameterError, Rational, positive


@dataclass(frozen=True)
class Piece:
    """ψ* from ``start`` on: an expression in X and its inverse in U; ``value`` = ψ*(start)."""

    start: sympy.Expr
    value: sympy.Expr
    expression: sympy.Expr
    inverse: sympy.Expr


@dataclass(frozen=True)
class Combination(NeighborFunction):
    """ψ* in pieces, ordered by where they start; the first starts at 0 with ψ*(0) = 0."""

    name: str
    pieces: tuple[Piece, ...]

    def value(self, x: Number, c: World) -> Number:
        """ψ*(x) for a rational x ≥ 0."""
        return read(self._piece_at(x).expression, x, c)

    def slope(self, x: Number, c: World) -> Number:
        """The slope from the right at a rational x > 0."""
        return read(sympy.diff(self._piece_at(x).expression, X), x, c)

    def inverse(self, u: Number, c: World) -> Number:
        """For a ball that may lie in several pieces, the union of what they give."""
        found = []
        ends = [*(piece.value for piece in self.pieces[1:]), None]
        for piece, end in zip(self.pieces, ends, strict=True):
            before = u < read(piece.value, 0, c)
            beyond = end is not None and u > read(end, 0, c)
            if not (before or beyond):
                found.append(read(piece.inverse, u, c))
        if isinstance(u, flint.arb):
            return reduce(lambda ball, other: ball.union(other), found)
        return found[-1]

    @property
    def real_at_zero(self) -> bool:
        return True

    def at_zero(self, c: World) -> Number:
        return c.number(0)

    def tie(self, low: Fraction, high: Fraction, gamma: Fraction) -> bool:
        """Decided by simplification."""
        return bool(sympy.simplify(self.distance(low, high, SYM) - SYM.number(gamma)) <= 0)

    def _piece_at(self, x: Rational) -> Piece:
        place = SYM.number(Fraction(x))
        return [piece for piece in self.pieces if piece.start <= place][-1]


def combined(
    psi_a: Expression, gamma_a: Rational, psi_b: Expression, gamma_b: Rational, *, contains: bool
) -> Combination:
    """ψ* whose intervals at distance 1 contain both (Theorem 5.10) or lie inside both (5.11).

    γ_A, γ_B > 0. Raises ParameterError for other distances, for a ψ without a formula for its inverse,
    and where the integral from 0 of the slope diverges, so that ψ* does not exist.
    """
    a, b = (
        (psi.expression / SYM.number(positive("gamma", gamma)), psi, gamma)
        for psi, gamma in ((psi_a, gamma_a), (psi_b, gamma_b))
    )
    gap = sympy.diff(a[0], X) - sympy.diff(b[0], X)
    starts = [sympy.Integer(0)]
    if sympy.simplify(gap) != 0:
        starts += sorted(sympy.solve(gap, X))
    pieces: list[Piece] = []
    for start, probe in zip(starts, _probes(starts), strict=True):
        first_is_less = bool(gap.subs(X, probe) <= 0)
        scaled, psi, gamma = a if first_is_less == contains else b
        reached = pieces[-1].expression.subs(X, start) if pieces else sympy.Integer(0)
        here = scaled.subs(X, start) if pieces else sympy.limit(scaled, X, 0, "+")
        if not here.is_finite:
            raise ParameterError(
                f"psi = {psi.name} is not allowed here: the slope of the combination is not integrable at 0"
            )
        shift = reached - here
        factor = SYM.number(positive("gamma", gamma))
        if psi.inverse_expression is None:
            raise ParameterError(f"psi = {psi.name} is not allowed here: its inverse has no formula")
        inverse = psi.inverse_expression.subs(U, factor * (U - shift))
        pieces.append(Piece(start, reached, scaled + shift, inverse))
    kind = "min" if contains else "max"
    return Combination(f"{kind} of {psi_a.name} and {psi_b.name}", tuple(pieces))


def _probes(starts: list[sympy.Expr]) -> list[sympy.Expr]:
    """A point inside each piece."""
    return [(low + high) / 2 for low, high in pairwise(starts)] + [starts[-1] + 1]
