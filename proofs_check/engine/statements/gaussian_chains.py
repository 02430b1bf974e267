"""μ-GDP between datasets that a chain of neighbors joins, with an adversary over coins."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import PLAIN, Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Real
from establish.spec.arithmetic import EXACT

LEVELS = tuple(map(Fraction, ("1", "1/2", "3", "1/1000")))
"""The values of μ at which chains are tried."""

STEPS = 5
"""The longest chain that is tried."""

VARIABLES = Real("μ", least=0), Real("d", least=1)


@dataclass(frozen=True)
class GaussianChain(Statement):
    """Φ⁻¹(P(M(D_d) ∈ S)) ≤ Φ⁻¹(P(M(D_0) ∈ S)) + level along every chain of d neighbors, for every M that is
    μ-private for them. neighbors: in words. level: a formula of a world, μ and d.
    """

    neighbors: str
    level: Formula

    @property
    def text(self) -> str:
        return (
            f"for all μ ≥ 0, d ≥ 1, chains D_0, …, D_d of {self.neighbors}, mechanisms M with "
            "Φ⁻¹(P(M(D') ∈ S)) ≤ Φ⁻¹(P(M(D) ∈ S)) + μ for neighbors in both orders and every event S: "
            f"Φ⁻¹(P(M(D_d) ∈ S)) ≤ Φ⁻¹(P(M(D_0) ∈ S)) + {printed(self.level, VARIABLES)}"
        )

    def at(self, point: Point) -> Truth:
        """At ``μ`` and a ``chain`` of Φ⁻¹ of the probability of one event, as a mechanism with two outputs
        has. Raises StatementError for a chain of which a step breaks the definition.
        """
        level, given = self.taken(point, "μ", "chain")
        mu, chain = Fraction(level), [Fraction(z) for z in given]
        if len(chain) < 2 or mu < 0 or any(abs(z - y) > mu for y, z in pairwise(chain)):
            raise self.refused()
        bound = chain[0] + Fraction(self.level(EXACT, mu, len(chain) - 1))
        sign = "≤" if chain[-1] <= bound else ">"
        told = f"μ = {mu}, Φ⁻¹(P(S)) along the chain {', '.join(map(str, chain))}"
        return Truth(chain[-1] <= bound, f"{told}: {chain[-1]} {sign} {bound}", exact=True)

    searched = ("{} chains", "{} chains of coins that rise as fast as the definition allows")

    def refutations(self, effort: int) -> Iterator[str]:
        for mu, steps in product(LEVELS, range(1, STEPS * effort // PLAIN + 1)):
            yield self.at({"μ": mu, "chain": [step * mu for step in range(steps + 1)]}).refutes

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level")


def GaussianChains(neighbors: str, *, level: Formula) -> GaussianChain:
    """What a μ-private mechanism keeps along chains of ``neighbors``, at a level of a world, μ and d.

    Raises StatementError for a formula that reads more than ``establish.spec``.
    """
    return GaussianChain(neighbors, level).of_spec()
