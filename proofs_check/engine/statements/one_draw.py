"""What one draw of a total and quantiles costs, with an adversary over small cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Real
from establish.spec.arithmetic import EXACT
from establish.spec.earnings.equal_gaps import Drawn, EqualGaps, miss
from establish.spec.earnings.neighbors import Earnings, PresenceOfOne

RATIO = Real("r", least=1)
"""e^(ε/2)."""

HALVES = tuple(map(Fraction, ("1/2", "9/10")))
WEIGHTS = ((1, 10**4), (10**4, 1), (2, 1, 3))
SHARES = ((Fraction(1, 2),), (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)))
TOTALS = ((2,), (0, 2, 4))
Public = tuple[Any, Any, Any]
"""Weights, shares and totals."""

CELLS, MORE_CELLS = PresenceOfOne((1, 3, 5), 0, 3), PresenceOfOne((1, 3, 5), 0, 5)
"""Cells of at most three individuals, and of at most five in a thorough search."""


@dataclass(frozen=True)
class DrawnByGaps(Statement):
    """A draw of a total and candidates by `EqualGaps` has chances that one individual more or less changes by
    a factor of at most level(r), r = e^(ε/2).
    """

    level: Formula

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return EqualGaps, miss, self.level

    @property
    def text(self) -> str:
        return (
            "for all r = e^(ε/2) > 1, increasing candidates, positive weights W, increasing shares in (0, 1) "
            "and lists of totals, all of them public, all cells of which one has one individual more, and "
            "every total T and candidates y: the chance of (T, y), proportional to W(y)·r^(−u) with u = "
            "Σ_j |n_j − t_j|, in either cell is at most "
            f"{printed(self.level, (RATIO,))} times that in the other"
        )

    def at(self, point: Point) -> Truth:
        """At ``half`` = 1/r, ``weights`` of the candidates 2, 4, …, ``shares``, ``totals`` and the earnings
        ``D`` and ``D'``.
        """
        half, *given = self.taken(point, "half", "weights", "shares", "totals", "D", "D'")
        weights, shares, totals, first, second = map(tuple, given)
        shorter, longer = sorted((first, second), key=len)
        if len(longer) != len(shorter) + 1 or not MORE_CELLS.related(first, second):
            raise self.refused(f"{first} and {second} do not differ in one individual")
        return self._at(Fraction(half), (weights, shares, totals), first, second)

    def _at(self, half: Fraction, public: Public, d: Earnings, e: Earnings) -> Truth:
        laws = [_law(half, *public, cell) for cell in (d, e)]
        most = max(max(laws[0][o] / laws[1][o], laws[1][o] / laws[0][o]) for o in laws[0])
        level = Fraction(self.level(EXACT, 1 / half))
        told = f"r = {1 / half}, weights {public[0]}, shares {public[1]}, totals {public[2]}"
        shown = f"{told}, earnings {d} and {e}: ratio {float(most):.9g} against {level}"
        return Truth(most <= level, shown, exact=True)

    def counterexample(self, effort: int) -> tuple[str, str]:
        cells = self.deepened(effort, (CELLS,), (MORE_CELLS,))[-1]
        refutations = (
            self._at(half, (weights, shares, totals), d, e).refutes
            for half, weights, shares, totals in product(HALVES, WEIGHTS, SHARES, TOTALS)
            for d in cells.datasets()
            for e in cells.neighbors(d)
            if len(e) >= len(d)
        )
        found = f"{{}} pairs of cells of up to {cells.most} individuals, exactly"
        return self.first_of(refutations, "{} pairs of cells", found)

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level")


@lru_cache(maxsize=1024)
def _law(
    half: Fraction,
    weights: Sequence[Fraction],
    shares: Sequence[Fraction],
    totals: Sequence[int],
    cell: Earnings,
) -> dict[Drawn, Fraction]:
    candidates = range(2, 2 * len(weights) + 2, 2)
    law = EqualGaps(candidates, list(map(Fraction, weights)), shares, totals, half, EXACT)
    return {drawn: Fraction(p) for drawn, p in law.output(cell).items()}


def OneDraw(level: Formula) -> DrawnByGaps:
    """One draw by equal gaps costs ``level`` of r = e^(ε/2). Raises StatementError for a formula that reads
    more than ``establish.spec``.
    """
    return DrawnByGaps(level).of_spec()
