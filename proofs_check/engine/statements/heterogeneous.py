"""Releases under two neighbor functions, for a third whose intervals lie inside those of both."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.slopes import PAIRS, SIZES, Scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Real
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.mechanisms.psi_mechanism import PsiMechanism
from establish.spec.neighbor_functions.combinations import combined
from establish.spec.neighbor_functions.functions import NeighborFunction

BUDGETS = Real("μ_A", above=0), Real("μ_B", above=0)

TRIED = tuple(map(Fraction, ("1", "3/4", "2")))
MORE = tuple(map(Fraction, ("1/4", "4", "1/100")))
"""The budgets that are tried, and those of a thorough search."""


@dataclass(frozen=True)
class JointlyPrivate(Statement):
    """A release that is μ_A-GEDP for ψ_A and one that is μ_B-GEDP for ψ_B are level-GEDP together, for every
    ψ* whose intervals lie inside those of both. level: a formula of a world and of both budgets.
    """

    level: Formula

    @property
    def text(self) -> str:
        return (
            "for all neighbor functions ψ_A, ψ_B and ψ*, all distances γ_A, γ_B and γ* at which every "
            "interval of ψ* lies inside those of ψ_A and ψ_B, all μ_A, μ_B > 0, every release of fresh noise "
            "that is μ_A-GEDP for ψ_A and γ_A and every one that is μ_B-GEDP for ψ_B and γ_B: both together "
            f"are {printed(self.level, BUDGETS)}-GEDP for ψ* and γ*"
        )

    def at(self, point: Point) -> Truth:
        """For the ψ-mechanisms of ``A`` and ``B`` at ``γ_A`` and ``γ_B``, with ``μ_A`` and ``μ_B``, on the
        values ``x`` and ``y``, which must be close under ``ψ*`` at ``γ*`` and under both.
        """
        *functions, x, y, mu, other = self.taken(
            point, "A", "γ_A", "B", "γ_B", "ψ*", "γ*", "x", "y", "μ_A", "μ_B"
        )
        first, second, star = zip(functions[::2], map(Fraction, functions[1::2]), strict=True)
        x, y, mu, other = map(Fraction, (x, y, mu, other))
        if not all(psi.close(x, y, gamma) for psi, gamma in (first, second, star)):
            raise self.refused(f"{x} and {y} are not close under all three")
        worst = self._excess(((first, mu), (second, other)), x, y)
        return Truth(not worst, f"{self.in_words(point)}: {worst or 'the inequality holds'}", exact=False)

    def _excess(self, releases: tuple[tuple[Scaled, Fraction], ...], x: Fraction, y: Fraction) -> str:
        """By how much both cost certainly more than the level, in words; empty where they do not."""
        with enclosing():
            level = self.level(ARB, *(ARB.number(mu) for _, mu in releases))
            square = ARB.number(0)
            for (psi, gamma), mu in releases:
                square += PsiMechanism(psi, gamma, mu).privacy_cost([x], [y], ARB) ** 2
            return self.above(square.sqrt(), level, "the cost is")

    searched = ("{} pairs of releases", "{} pairs of ψ-mechanisms on close values, in Arb")

    def refutations(self, effort: int) -> Iterator[str]:
        budgets = self.deepened(effort, TRIED, MORE)
        for first, second in PAIRS:
            if not (first[0].real_at_zero and second[0].real_at_zero):
                continue
            star: NeighborFunction = combined(*first, *second, contains=False)
            for (x, y), mu, other in product(combinations(SIZES, 2), budgets, budgets):
                if not star.close(x, y, 1):
                    continue
                worst = self._excess(((first, mu), (second, other)), x, y)
                names = f"{first[0].name}, {second[0].name}"
                yield worst and f"{names}, {x} and {y}, budgets {mu}, {other}: {worst}"

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level")


def UnderBoth(level: Formula) -> JointlyPrivate:
    """Releases under two neighbor functions cost ``level`` of their budgets together.

    Raises StatementError for a formula that reads more than ``establish.spec``.
    """
    return JointlyPrivate(level).of_spec()
