"""Privacy between datasets that a chain of neighbors joins, with an adversary over coins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import PLAIN, Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Real
from establish.spec.arithmetic import EXACT
from establish.spec.indistinguishability import is_indistinguishable

LEVELS = tuple(map(Fraction, ("2", "3/2", "1001/1000", "4")))
"""The values of c = e^ε at which chains are tried."""

DELTAS = tuple(map(Fraction, ("0", "1/16", "1/1000", "1/4")))

STEPS = 5
"""The longest chain that is tried."""

VARIABLES = (Real("c", above=1), Real("δ", least=0, below=1), Real("d", least=1))


@dataclass(frozen=True)
class ChainOfNeighbors(Statement):
    """P(M(D_0) ∈ S) ≤ level·P(M(D_d) ∈ S) + slack along every chain of d neighbors, for every (ε,
    δ)-private M.

    neighbors: in words. level, slack: formulas of a world, c = e^ε, δ and d. pure: δ = 0 only.
    """

    neighbors: str
    level: Formula
    slack: Formula
    pure: bool = False

    @property
    def text(self) -> str:
        level = printed(self.level, VARIABLES)
        slack = "" if self.pure else f" + {printed(self.slack, VARIABLES)}"
        rest = "" if self.pure else ", all 0 ≤ δ < 1"
        private = "P(M(D) ∈ S) ≤ c·P(M(D') ∈ S)" + ("" if self.pure else " + δ")
        return (
            f"for all c = e^ε > 1{rest}, d ≥ 1, chains D_0, …, D_d of {self.neighbors}, mechanisms M with "
            f"{private} for neighbors in both orders and every event S: "
            f"P(M(D_0) ∈ S) ≤ {level}·P(M(D_d) ∈ S){slack}"
        )

    def at(self, point: Point) -> Truth:
        """At ``c``, ``δ`` and a ``chain`` of probabilities of one event. Raises StatementError for a
        chain of which a step breaks the definition.
        """
        c, delta, given = self.taken(point, "c", "δ", "chain")
        c, delta, chain = Fraction(c), Fraction(delta), [Fraction(p) for p in given]
        if len(chain) < 2 or c <= 1 or (self.pure and delta):
            raise self.refused()
        for p, q in pairwise(chain):
            if not is_indistinguishable({1: p, 0: 1 - p}, {1: q, 0: 1 - q}, c, delta):
                raise self.refused(f"outside the domain: {p} and {q} at c = {c}, δ = {delta}")
        bound = self._bound(c, delta, chain)
        told = f"c = {c}, δ = {delta}, P(S) along the chain {', '.join(map(str, chain))}"
        sign = "≤" if chain[0] <= bound else ">"
        return Truth(chain[0] <= bound, f"{told}: {chain[0]} {sign} {bound}", exact=True)

    def _bound(self, c: Fraction, delta: Fraction, chain: Sequence[Fraction]) -> Fraction:
        steps = len(chain) - 1
        level, slack = (f(EXACT, c, delta, steps) for f in (self.level, self.slack))
        return Fraction(level) * chain[-1] + Fraction(slack)

    searched = ("{} chains", "{} chains of coins that rise as fast as the definition allows")

    def refutations(self, effort: int) -> Iterator[str]:
        for c, delta, steps in product(LEVELS, DELTAS, range(1, STEPS * effort // PLAIN + 1)):
            if self.pure and delta:
                continue
            for start in (Fraction(0), Fraction(1, 100), Fraction(1, 3), (c - 1) / c ** (steps + 1)):
                chain = steepest(c, delta, start, steps)[::-1]
                broken = chain[0] > self._bound(c, delta, chain)
                yield self.at({"c": c, "δ": delta, "chain": chain}).shown if broken else ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level")
        if not self.pure:
            yield from scaled(self, "slack")


def steepest(c: Fraction, delta: Fraction, start: Fraction, steps: int) -> list[Fraction]:
    """P(S) along a chain, upwards from ``start`` as fast as (ε, δ) allows.

    From p a neighbor may have min(c·p + δ, 1 − (1 − p − δ)/c, 1): S and its complement each give a bound.
    """
    chain = [start]
    for _ in range(steps):
        p = chain[-1]
        chain.append(min(c * p + delta, 1 - (1 - p - delta) / c, Fraction(1)))
    return chain


def Chains(neighbors: str, *, level: Formula, slack: Formula | None = None) -> ChainOfNeighbors:
    """What an (ε, δ)-private mechanism keeps along chains of ``neighbors``; without ``slack`` for δ = 0.

    level, slack: formulas of a world, c, δ and d. Raises StatementError for formulas that read more than
    ``establish.spec``.
    """
    pure = slack is None
    return ChainOfNeighbors(neighbors, level, slack or (lambda c, *_: c.number(0)), pure).of_spec()
