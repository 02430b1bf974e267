"""``left = O(right)``: one constant for all points of a domain."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.comparison import AtMost, Comparison
from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth

LARGE = Fraction(100)
"""The constant that an adversary calls too large to be meant."""


@dataclass(frozen=True)
class OfOrder(Statement):
    """There is a constant C such that left ≤ C·right at every point of a domain; right is positive.

    bounded: the inequality left ≤ right on the domain.
    """

    bounded: Comparison

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return self.bounded.formulas

    @property
    def text(self) -> str:
        domain = self.bounded.domain
        left, right = (printed(f, domain.variables) for f in (self.bounded.left, self.bounded.right))
        return f"there is a C such that {domain.said()}: {left} ≤ C·({right})"

    def by(self, constant: Formula) -> Comparison:
        """left ≤ constant·right, for a constant as a formula of a world."""
        right = self.bounded.right
        return replace(self.bounded, right=lambda c, *v: constant(c) * right(c, *v))

    def at(self, point: Point) -> Truth:
        """A point alone neither shows nor refutes that some constant is enough."""
        raise self.refused("no point decides whether there is a constant")

    def counterexample(self, effort: int) -> tuple[str, str]:
        tried, refuted = self.by(lambda c: c.number(LARGE)).counterexample(effort)
        return f"{tried}, with C = {LARGE}", refuted

    def planted(self) -> Iterator[tuple[str, Statement]]:
        """The same for a right side that vanishes to order 20 wherever it is small."""
        right = self.bounded.right

        def smaller(c: Any, *v: Any) -> Any:
            value = right(c, *v)
            return c.power(value / (1 + value), 20)

        yield "right side to the power 20", OfOrder(replace(self.bounded, right=smaller))
        yield (
            "right side times 10⁻⁹",
            OfOrder(replace(self.bounded, right=lambda c, *v: right(c, *v) * c.number(Fraction(1, 10**9)))),
        )


def Bounded(*variables: Any, left: Formula, by: Formula, given: Any = ()) -> OfOrder:
    """left = O(by) over all values of the variables that meet the conditions. Raises as `AtMost` does."""
    return OfOrder(AtMost(*variables, left=left, right=by, given=given))
