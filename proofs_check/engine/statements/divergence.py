"""Expectations that are infinite, for all parameters of a domain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed, read
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.terms import Term
from establish.spec.arithmetic import MP

REACH = (50, 100, 200, 400)
"""How far the integral is followed; each part is twice as long as the one before."""

SHRINKS = Fraction(1, 100)
"""A part of the integral that is smaller than this share of the one before speaks for convergence."""


@dataclass(frozen=True)
class Divergence(Statement):
    """E f(X) = +∞ at every point of a domain of parameters, for X with a density on the real line.

    law: a function of the world and the parameters, whose result has ``log_density``. of: a function of the
    world, the parameters and an outcome, bounded from below.
    """

    domain: Domain
    law: Formula
    of: Formula

    @property
    def text(self) -> str:
        variables = self.domain.variables
        outcome = printed(lambda c, *v: self.of(c, *v, Term("X")), variables)
        law = printed(lambda c, *v: self.law(c, *v).log_density(Term("x")), variables)
        words = f"E {outcome} = +∞ for X with the log-density {law}"
        return self.domain.before(words)

    def at(self, point: Point) -> Truth:
        return self._at(self.domain.values(point))

    def _at(self, values: Sequence[Fraction]) -> Truth:
        """False where the parts of the integral shrink fast; quadrature, so never certainly true."""
        mp = MP.mp
        law = read(self.law, MP, self.domain.variables, values)
        inputs = [
            MP.number(v) if variable.field == "ℝ" else v
            for variable, v in zip(self.domain.variables, values, strict=True)
        ]

        def integrand(x: Any) -> Any:
            return mp.exp(law.log_density(x)) * self.of(MP, *inputs, x)

        with mp.workdps(20):
            parts = [mp.quad(integrand, [sign * a, sign * b]) for sign in (1, -1) for a, b in pairwise(REACH)]
        shrinks = all(
            abs(later) < abs(earlier) * MP.number(SHRINKS) or later == earlier == 0
            for side in (parts[:3], parts[3:])
            for earlier, later in pairwise(side)
        )
        shown = f"{self.domain.told(values)}: parts of the integral {[mp.nstr(p, 4) for p in parts]}"
        return Truth(False if shrinks else None, shown, exact=False)

    searched = ("quadrature at {} points",)

    def refutations(self, effort: int) -> Iterator[str]:
        return (self._at(values).refutes for values in self.domain.simple_points(effort // 20 or 1))

    def planted(self) -> Iterator[tuple[str, Statement]]:
        of = self.of
        for order in (2, 8):
            yield (
                f"root {order} of |f|",
                replace(self, of=lambda c, *v, k=order: c.power(c.absolute(of(c, *v)), Fraction(1, k))),
            )


def Diverges(*variables: Any, law: Formula, of: Formula, given: Sequence[Any] = ()) -> Divergence:
    """E of(X) = +∞ for all parameters. Raises StatementError for formulas that read more than
    ``establish.spec`` or cannot be evaluated.
    """
    made = Divergence(Domain(tuple(variables), tuple(given)), law, of)
    return made.of_spec(lambda it: it.counterexample(1))
