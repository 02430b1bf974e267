"""Noise added to every coordinate of an answer, for every number of coordinates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed, read
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.statements.planted import SHARES, scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.terms import Term
from establish.spec.arithmetic import ARB, enclosing

BITS = 160

SPLITS: tuple[tuple[int | Fraction, ...], ...] = (
    (1,),
    (Fraction(1, 2), Fraction(-1, 2)),
    (Fraction(1, 3), Fraction(1, 3), Fraction(-1, 3)),
)
"""How an L1 distance of 1 is spread over one, two or three coordinates by the adversary."""

OFFSETS = tuple(map(Fraction, ["0", "1", "-1", "1/2", "5", "-5", "100", "-100"]))
"""Outputs around each coordinate of the first answer, in units of the sensitivity."""


@dataclass(frozen=True)
class Additive(Statement):
    """For all parameters, every d ≥ 1, all answers x, y ∈ ℝ^d with ‖x − y‖₁ ≤ sensitivity, and every event S:
    P(X ∈ S) ≤ e^level·P(Y ∈ S), for X and Y with independent coordinates around those of x and y.

    law: a function of a world, the parameters and one coordinate of the answer, whose result has
    ``log_density``. sensitivity, level: formulas of a world and the parameters.
    """

    domain: Domain
    law: Formula
    sensitivity: Formula
    level: Formula

    @property
    def text(self) -> str:
        variables = self.domain.variables
        law = printed(lambda c, *v: self.law(c, *v, Term("xᵢ")).log_density(Term("oᵢ")), variables)
        said = self.domain.said()
        return (
            f"{said}{', ' if said else 'for '}every d ≥ 1, all x, y ∈ ℝ^d with "
            f"‖x − y‖₁ ≤ {printed(self.sensitivity, variables)}, and every event S: P(X ∈ S) ≤ "
            f"e^({printed(self.level, variables)})·P(Y ∈ S), where X has independent coordinates with the "
            f"log-densities {law}, and Y those around y"
        )

    def at(self, point: Point) -> Truth:
        """At parameters, two answers ``x`` and ``y`` of one coordinate, and an output ``o``."""
        values = self.domain.own_values(point)
        x, y, o = (Fraction(point[name]) for name in ("x", "y", "o"))
        with enclosing(BITS):
            sensitivity = ARB.number(read(self.sensitivity, ARB, self.domain.variables, values))
            if not ARB.number(abs(x - y)) <= sensitivity:
                raise self.refused(f"x = {x} and y = {y} are farther apart than the sensitivity")
            worst = self._excess(values, [x], [y], [o])
        return Truth(False if worst else None, f"{self.in_words(point)}: {worst or 'no excess'}", exact=False)

    searched = ("{} parameters", "{} parameters, up to three coordinates, in Arb")

    def refutations(self, effort: int) -> Iterator[str]:
        for values in self.domain.simple_points(effort):
            worst = self._worst(values)
            yield worst and f"{self.domain.told(values)}: {worst}"

    def _worst(self, values: Sequence[Fraction]) -> str:
        with enclosing(BITS):
            size = ARB.number(read(self.sensitivity, ARB, self.domain.variables, values))
            for split, offset in product(SPLITS, OFFSETS):
                moved = [size * ARB.number(Fraction(part)) for part in split]
                output = [size * ARB.number(offset)] * len(split)
                if worst := self._excess(values, [0] * len(split), moved, output):
                    return worst
        return ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level", (*SHARES, "0"))

    def _excess(
        self, values: Sequence[Fraction], x: Sequence[Any], y: Sequence[Any], o: Sequence[Any]
    ) -> str:
        """Where the log-ratio certainly exceeds the level, in words; empty where it does not."""
        inputs = [
            ARB.number(v) if variable.field == "ℝ" else v
            for variable, v in zip(self.domain.variables, values, strict=True)
        ]
        total = ARB.number(0)
        for a, b, at in zip(x, y, o, strict=True):
            first, second = (self.law(ARB, *inputs, ARB.number(end)) for end in (a, b))
            total += first.log_density(ARB.number(at)) - second.log_density(ARB.number(at))
        return self.above(total, ARB.number(self.level(ARB, *inputs)), "log-ratio")


@dataclass(frozen=True)
class TotalError(Statement):
    """For every d ≥ 1 and X₁, …, X_d with the law of ``one``: E of the sum is d times the closed form."""

    one: Expectation

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return self.one.formulas

    @property
    def text(self) -> str:
        return f"for every d ≥ 1, the sum over d coordinates has d times the expectation: {self.one.text}"

    def at(self, point: Point) -> Truth:
        """The statement for one coordinate."""
        return self.one.at(point)

    def counterexample(self, effort: int) -> tuple[str, str]:
        return self.one.counterexample(effort)

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from self.one.planted()


def AddsNoise(
    *variables: Any, law: Formula, sensitivity: Formula, level: Formula, given: Sequence[Any] = ()
) -> Additive:
    """Noise of a law in every coordinate protects answers of an L1 sensitivity at a level.

    Raises StatementError for formulas that read more than ``establish.spec`` or cannot be evaluated.
    """
    made = Additive(Domain(tuple(variables), tuple(given)), law, sensitivity, level)
    return made.of_spec(lambda it: it.counterexample(1))
