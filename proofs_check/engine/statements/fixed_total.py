"""Sums of one function over finitely many numbers with a fixed total, with an adversary over short lists."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Real, Variable
from establish.spec.arithmetic import EXACT

LENGTHS, MORE_LENGTHS = (2, 3, 4), (5, 6)
"""How many shares the adversary tries, and how many more in a thorough search."""

PARTS = 6
"""Shares are tried in multiples of 1/PARTS."""


@dataclass(frozen=True)
class LeastWhenEqual(Statement):
    """Σ term(p_j) ≥ M·term(1/M) for all parameters, M ≥ 2 and shares p_1, …, p_M ≥ 0 with the sum 1.

    term: a formula of a world, the parameters and a share. times: a factor of the right side, other than 1 in
    planted neighbors only.
    """

    domain: Domain
    term: Formula
    times: Fraction = Fraction(1)

    @property
    def shares(self) -> tuple[Variable, ...]:
        """The parameters, the number of shares and one share."""
        return (*self.domain.variables, Real("M", least=2), Real("p", least=0, most=1))

    @property
    def text(self) -> str:
        own = (*self.domain.variables, Real("p_j"))
        least = printed(lambda c, *v: self.equal(c, *v), (*self.domain.variables, Real("M")))
        return (
            f"{self.domain.said()}, M ≥ 2 in ℤ, all p_1, …, p_M ≥ 0 with the sum 1: the sum of "
            f"{printed(self.term, own)} over j is at least {least}, its value where all p_j are equal"
        )

    def equal(self, c: Any, *values: Any) -> Any:
        """The sum at equal shares, for the parameters and M."""
        *parameters, number = values
        found = number * self.term(c, *parameters, 1 / number)
        return found if self.times == 1 else found * c.number(self.times)

    def at(self, point: Point) -> Truth:
        """At the parameters and the ``shares``. Raises StatementError unless they are two or more and add up
        to 1.
        """
        values = self.domain.own_values(point)
        shares = [Fraction(p) for p in point["shares"]]
        if len(shares) < 2 or min(shares) < 0 or sum(shares) != 1:
            raise self.refused(f"{point['shares']} are not two or more shares of 1")
        return self._at(values, shares)

    def _at(self, values: Sequence[Fraction], shares: Sequence[Fraction]) -> Truth:
        inputs = [int(x) if v.field == "ℤ" else x for v, x in zip(self.domain.variables, values, strict=True)]
        found = sum(self.term(EXACT, *inputs, p) for p in shares)
        least = self.equal(EXACT, *inputs, Fraction(len(shares)))
        told = f"{self.domain.told(values)}, shares {', '.join(map(str, shares))}"
        return Truth(bool(found >= least), f"{told}: {found} against {least}", exact=True)

    def counterexample(self, effort: int) -> tuple[str, str]:
        lengths = self.deepened(effort, LENGTHS, MORE_LENGTHS)
        refutations = (
            self._at(values, shares).refutes
            for values in self.domain.simple_points(max(4, effort // 10))
            for number in lengths
            for shares in (*_lists(number), [Fraction(1, number)] * number)
        )
        return self.first_of(refutations, "{} lists of shares", f"{{}} lists of up to {lengths[-1]} shares")

    def planted(self) -> Iterator[tuple[str, Statement]]:
        for share in map(Fraction, ("1001/1000", "11/10")):
            yield f"least value times {share}", replace(self, times=share)


def _lists(number: int) -> Iterator[list[Fraction]]:
    for parts in product(range(PARTS + 1), repeat=number - 1):
        if sum(parts) <= PARTS:
            yield [Fraction(k, PARTS) for k in (*parts, PARTS - sum(parts))]


def LeastAtEqualShares(*variables: Variable, term: Formula) -> LeastWhenEqual:
    """Σ term over shares of 1 is least where they are equal. Raises StatementError for a formula that reads
    more than ``establish.spec``.
    """
    return LeastWhenEqual(Domain(variables), term).of_spec()
