"""Whether a formula has a largest value."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from establish.proofs_check.engine.statements.comparison import Comparison, checked
from establish.proofs_check.engine.statements.domain import Domain, printed
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth

FAR = 20
"""The largest value is looked for up to 2^FAR steps into the domain."""


@dataclass(frozen=True)
class Maximum(Statement):
    """``of`` has a largest value over its last variable, for all values of those before.

    shape: the comparison of the formula with itself on the domain, which says how it is read.
    """

    shape: Comparison

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return self.shape.formulas

    @property
    def text(self) -> str:
        variables = self.shape.domain.variables
        before = replace(self.shape.domain, variables=variables[:-1]).said()
        own = variables[-1].said(variables[:-1])
        words = f"{printed(self.shape.right, variables)} has a largest value over {own}"
        return f"{before}: {words}" if before else words

    def at(self, point: Point) -> Truth:
        """A point alone neither shows nor refutes that there is a largest value."""
        raise self.refused("no point decides whether there is a largest value")

    searched = ("{} parameters", f"{{}} parameters, up to 2^{FAR} steps into the domain")

    def refutations(self, effort: int) -> Iterator[str]:
        """Values at 0, 1, 2, 4, … steps into the domain: refuted where the last three still rise."""
        variables = self.shape.domain.variables
        start = replace(self.shape.domain, variables=variables[:-1])
        for values in start.simple_points(max(2, effort // 20)):
            low = variables[-1].ends(values)[0] or 0
            points = [(*values, low + 2**k) for k in range(FAR)]
            inside = [point for point in points if self.shape.domain.includes(point)]
            rises = len(inside) == FAR and all(self._rises(*pair) for pair in pairwise(inside[-3:]))
            yield f"{start.told(values) or 'everywhere'}: it still rises at {inside[-1][-1]}" if rises else ""

    def _rises(self, first: tuple[Any, ...], second: tuple[Any, ...]) -> bool:
        own = self.shape.right
        rising = Comparison(
            Domain(()), lambda c: own(c, *map(c.number, first)), "<", lambda c: own(c, *map(c.number, second))
        )
        return rising.at({}).value is True

    def planted(self) -> Iterator[tuple[str, Statement]]:
        of = self.shape.right
        yield ("plus the variable", Maximum(replace(self.shape, right=lambda c, *v: of(c, *v) + v[-1])))


def HasMaximum(*variables: Any, of: Formula, given: Any = ()) -> Maximum:
    """``of`` has a largest value over the last variable. Raises StatementError as `AtMost` does."""
    domain = Domain(tuple(variables), tuple(given))
    return Maximum(checked(Comparison(domain, of, "<=", of)))
