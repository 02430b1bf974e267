"""Adaptive composition of μ-Gaussian indistinguishable releases, with an adversary over finite releases."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.terms import TEXT, Term
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions import gaussian

BITS = 128

CELLS = 12
"""Into how many parts the outputs of a normal answer are cut; what is left satisfies the same μ."""

BUDGETS = tuple(map(Fraction, ("1", "3/2", "1/2", "2")))
MORE_BUDGETS = tuple(map(Fraction, ("1/10", "3")))
"""Those of a thorough search."""

Law = tuple[tuple[Any, Any], ...]
"""The probabilities of each output under both datasets."""


@dataclass(frozen=True)
class AdaptiveComposition(Statement):
    """For all releases in order, each μ_j-Gaussian indistinguishable for every value of the outputs before,
    with fresh noise: together they are total(μ_1, …)-indistinguishable.

    The total is root(spent), where spent is 0 before the first release and added(spent, μ_j) after the j-th:
    so what is shown of one more release is shown of any number. added: a formula of a world, of what is spent
    and of a budget. root: of a world and of what is spent. choice: whether μ_j may depend on earlier outputs;
    the total is then for the most that any sequence of outputs spends.
    """

    added: Formula
    root: Formula
    choice: bool = False

    def total(self, c: Any, budgets: Iterable[Any]) -> Any:
        """What releases with these budgets cost together, in the world c."""
        spent = c.number(0)
        for budget in budgets:
            spent = self.added(c, spent, budget)
        return self.root(c, spent)

    @property
    def text(self) -> str:
        budget = self.total(TEXT, [Term("μ_1"), Term("μ_2")])
        most = "the largest value over all sequences of outputs of " if self.choice else ""
        chosen = " each μ_j chosen from the earlier outputs," if self.choice else ""
        return (
            "for all k ≥ 1 and all releases M_1, …, M_k with fresh noise,"
            f"{chosen} M_j with μ_j-Gaussian indistinguishable laws on two datasets for every value of "
            "the outputs before it, and every event S of all outputs:"
            f" Φ⁻¹(P(S|D')) ≤ Φ⁻¹(P(S|D)) + {most}{budget} (written for k = 2)"
        )

    def at(self, point: Point) -> Truth:
        """For two normal answers cut into parts: budgets ``first``, ``low`` and ``high``, of which the second
        answer has the one that the lower or the upper half of the first one's outputs calls for.
        """
        first, low, high = map(Fraction, self.taken(point, "first", "low", "high"))
        worst = self._excess(first, low, high)
        return Truth(not worst, worst or f"budgets {first}, then {low} or {high}", exact=False)

    searched = (
        "{} pairs of finite releases",
        f"{{}} pairs of releases of {CELLS} outputs, all best events, in Arb",
    )

    def refutations(self, effort: int) -> Iterator[str]:
        for first, low, high in product(self.deepened(effort, BUDGETS, MORE_BUDGETS), repeat=3):
            if self.choice or low == high:
                yield self._excess(first, low, high)

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "root", ("99/100", "19/20", "9/10", "3/4"), "total")

    def _excess(self, first: Fraction, low: Fraction, high: Fraction) -> str:
        with enclosing(BITS):
            level = max(
                (self.total(ARB, [ARB.number(m) for m in (first, mu)]) for mu in (low, high)),
                key=lambda ball: float(ball),
            )
            outcomes = [
                (p * r, q * s)
                for k, (p, q) in enumerate(_cut(first))
                for r, s in _cut(low if k < CELLS // 2 else high)
            ]
            outcomes.sort(key=lambda pair: float(pair[1] / pair[0]), reverse=True)
            p = q = ARB.number(0)
            for one, other in outcomes[:-1]:
                p, q = p + one, q + other
                apart = gaussian.quantile(q, ARB) - gaussian.quantile(p, ARB)
                budgets = f"budgets {first}, then {low} or {high}"
                if worst := self.above(apart, level, f"{budgets}: an event has Φ⁻¹ apart by"):
                    return worst
        return ""


@lru_cache(maxsize=64)
def _cut(mu: Fraction) -> Law:
    """N(0, 1) and N(μ, 1), the real line cut into CELLS parts around μ/2."""
    with enclosing(BITS):
        ends = [ARB.number(mu / 2 + Fraction(k - CELLS // 2, 3)) for k in range(1, CELLS)]
        found = []
        for mean in (ARB.number(0), ARB.number(mu)):
            below = [ARB.number(0), *(gaussian.cdf(e - mean, ARB) for e in ends), ARB.number(1)]
            found.append([b - a for a, b in pairwise(below)])
        return tuple(zip(*found, strict=True))


def Composes(added: Formula, root: Formula, *, choice: bool = False) -> AdaptiveComposition:
    """Adaptive releases cost together the ``root`` of what their budgets are ``added`` up to, one after
    another from 0 on; choice: budgets may depend on outputs.

    Raises StatementError for a formula that reads more than ``establish.spec``.
    """
    return AdaptiveComposition(added, root, choice).of_spec()
