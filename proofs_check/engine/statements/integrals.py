"""An integral from 0 against its closed form in pieces, with an adversary that integrates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed, read
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Real, Variable
from establish.spec.arithmetic import MP

CLOSE = Fraction(1, 10**8)
"""Relative distance beyond which quadrature and closed form are called different."""

Piece = tuple[Formula, Formula]
"""Where a piece starts, a formula of the parameters, and the closed form there, of the parameters and x."""


@dataclass(frozen=True)
class IntegralFromZero(Statement):
    """The integral of ``slope`` from 0 to x, for all parameters and x ≥ 0, is a closed form in pieces.

    slope: a formula of a world, the parameters and t > 0. first: the closed form from 0 on; later: the
    others.
    """

    domain: Domain
    slope: Formula
    first: Formula
    later: tuple[Piece, ...] = ()

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The parameters and x."""
        return (*self.domain.variables, Real("x", least=0))

    @property
    def text(self) -> str:
        integrand = printed(self.slope, (*self.domain.variables, Real("t", above=0)))
        closed = printed(self.first, self.variables)
        for start, formula in self.later:
            edge = printed(start, self.domain.variables)
            closed += f", from x = {edge} on {printed(formula, self.variables)}"
        return f"{self.domain.said()}, x ≥ 0: the integral of {integrand} over 0 < t < x is {closed}"

    def at(self, point: Point) -> Truth:
        """By quadrature, at the parameters and ``x``; False where it is certainly not near."""
        values = self.domain.own_values(point)
        x = Fraction(point["x"])
        if x < 0:
            raise self.refused(f"x = {x} must be at least 0")
        return self._at(values, x)

    def _at(self, values: Sequence[Fraction], x: Fraction) -> Truth:
        mp, variables = MP.mp, self.domain.variables
        inputs = [MP.number(v) for v in values]
        with mp.workdps(25):
            starts = [read(start, MP, variables, values) for start, _ in self.later]
            closed = self.first
            for start, (_, formula) in zip(starts, self.later, strict=True):
                if MP.number(x) >= start:
                    closed = formula
            shown = MP.number(closed(MP, *inputs, MP.number(x)))
            ends = [mp.mpf(0), *(s for s in starts if s < MP.number(x)), MP.number(x)]
            found = mp.quad(lambda t: self.slope(MP, *inputs, t), ends) if x else mp.mpf(0)
            apart = abs(found - shown) > MP.number(CLOSE) * (1 + abs(found))
        told = f"{self.domain.told(values)}, x = {x}: {mp.nstr(found, 10)}, {mp.nstr(shown, 10)}"
        return Truth(False if apart else None, told, exact=False)

    searched = ("{} integrals", "{} integrals by quadrature")

    def refutations(self, effort: int) -> Iterator[str]:
        for values in self.domain.simple_points(max(4, effort // 20)):
            for x in map(Fraction, ("0", "1/100", "1", "25/4", "400")):
                yield self._at(values, x).refutes

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "slope", ("999/1000", "9/10"))


def Integral(
    *variables: Any, slope: Formula, first: Formula, later: Sequence[Piece] = ()
) -> IntegralFromZero:
    """∫_0^x slope in closed form. Raises StatementError for formulas that read more than ``establish.spec``
    or cannot be evaluated.
    """
    made = IntegralFromZero(Domain(tuple(variables)), slope, first, tuple(later))
    return made.of_spec(lambda it: it._at(next(it.domain.simple_points(1)), Fraction(1)))
