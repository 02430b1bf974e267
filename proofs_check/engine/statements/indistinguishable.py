"""Two laws that no event tells apart by more than a level, for all parameters of a domain."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed, read
from establish.proofs_check.engine.statements.mass import no_law
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
    where,
)
from establish.proofs_check.engine.statements.terms import Term
from establish.spec.arithmetic import ARB, MP, enclosing

BITS = 160

_WRITTEN = "0 1 -1 1/4 -1/4 1/2 3/2 2 -2 5 -5 20 -20 1000 -1000 1000000"

OUTPUTS = tuple(map(Fraction, _WRITTEN.split()))
"""The outputs at which densities and tails are compared, in units of each law around its center."""


WEIGHED = 2
"""At how many parameters the adversary looks whether the laws have mass 1."""


@dataclass(frozen=True)
class Indistinguishability(Statement):
    """For all parameters and all events S: P(X ∈ S) ≤ e^level·P(Y ∈ S) + δ, for X and Y with two laws.

    first, second: functions of the world and the parameters, whose results have ``log_density``, ``center``
    and ``scale``, and a ``cdf`` where δ > 0. level, delta: formulas of the world and the parameters.
    """

    domain: Domain
    first: Formula
    second: Formula
    level: Formula
    delta: Formula | None = None

    @property
    def text(self) -> str:
        variables = self.domain.variables
        x, y = (
            printed(lambda c, *v, law=law: law(c, *v).log_density(Term("o")), variables)
            for law in (self.first, self.second)
        )
        slack = "" if self.delta is None else f" + {printed(self.delta, variables)}"
        said = self.domain.said()
        return (
            f"{said}{', and ' if said else 'for '}every event S: P(X ∈ S) ≤ "
            f"e^({printed(self.level, variables)})·P(Y ∈ S){slack} for X and Y with the log-densities "
            f"{x} and {y} at o"
        )

    def at(self, point: Point) -> Truth:
        """At parameters and an output ``o``: the densities there, or the tails beyond it when δ > 0."""
        worst = self._excess(self.domain.own_values(point), [Fraction(point["o"])])
        return Truth(False if worst else None, f"{self.in_words(point)}: {worst or 'no excess'}", False)

    def counterexample(self, effort: int) -> tuple[str, str]:
        tried = 0
        for values in self.domain.simple_points(effort):
            tried += 1
            if tried <= WEIGHED and (reason := self._no_laws(values)):
                return f"the mass of the laws at {tried} parameters", f"{self.domain.told(values)}: {reason}"
            if worst := self._excess(values, None):
                at = self.domain.told(values)
                return f"{tried} parameters", f"{at}: {worst}" if at else worst
        return f"{tried} parameters, {2 * len(OUTPUTS)} outputs at each, in Arb", ""

    def _no_laws(self, values: Sequence[Fraction]) -> str:
        """Why one of the two is no law at these parameters, empty where none is seen."""
        laws = (read(law, MP, self.domain.variables, values) for law in (self.first, self.second))
        return next(filter(None, map(no_law, laws)), "")

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level", ("99/100", "9/10", "3/4", "1/2", "1/4", "0"))

    def _excess(self, values: Sequence[Fraction], outputs: Sequence[Fraction] | None) -> str:
        """Where the inequality certainly fails, in words; empty where it does not."""
        with enclosing(BITS):
            p, q = (read(law, ARB, self.domain.variables, values) for law in (self.first, self.second))
            level = ARB.number(read(self.level, ARB, self.domain.variables, values))
            chosen = outputs or [law.center + law.scale * ARB.number(o) for law in (p, q) for o in OUTPUTS]
            for o in map(ARB.number, chosen):
                if worst := self._excess_at(p, q, o, level, values):
                    return f"output {o.str(9, radius=False)}: {worst}"
        return ""

    def _excess_at(self, p: Any, q: Any, o: Any, level: Any, values: Sequence[Fraction]) -> str:
        if self.delta is None:
            return self.above(p.log_density(o) - q.log_density(o), level, "log-ratio")
        delta = ARB.number(read(self.delta, ARB, self.domain.variables, values))
        a, b = p.cdf(o), q.cdf(o)
        mirrored = 2 * p.center - o
        outside = [1 - abs(law.cdf(o) - law.cdf(mirrored)) for law in (p, q)]
        tails = (("below", a, b), ("above", 1 - a, 1 - b), ("beyond and its mirror image", *outside))
        found = (self.above(x - level.exp() * y, delta, f"{tail} it", "δ = ") for tail, x, y in tails)
        return next(filter(None, found), "")


def Indistinguishable(
    *variables: Any,
    first: Formula,
    second: Formula,
    level: Formula,
    delta: Formula | None = None,
    given: Sequence[Any] = (),
) -> Indistinguishability:
    """P(X ∈ S) ≤ e^level·P(Y ∈ S) + δ for all parameters and events, with X ~ first and Y ~ second.

    Raises StatementError for formulas that read more than ``establish.spec``, an empty domain, or laws that
    cannot be evaluated.
    """
    made = Indistinguishability(Domain(tuple(variables), tuple(given)), first, second, level, delta)
    values = next(iter(made.domain.simple_points(8)), None)
    if values is None:
        raise StatementError(f"{where(first)}: the domain is empty: {made.domain.said()}")
    return made.of_spec(lambda it: it._excess(values, None))
