"""Comparisons for every neighbor function ψ, with an adversary that tries some of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import Condition, Domain, constant
from establish.proofs_check.engine.statements.gaussian import FUNCTIONS
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
    require_spec_only,
)
from establish.proofs_check.engine.statements.variables import Variable
from establish.spec.neighbor_functions.arbitrary import Arbitrary
from establish.spec.neighbor_functions.functions import NeighborFunction


@dataclass(frozen=True)
class ComparisonOfPsi(Statement):
    """``left relation right`` for every neighbor function and at every point of a domain; each formula takes
    ψ, a world and the variables. real: ψ is real at 0.
    """

    variables: tuple[Variable, ...]
    left: Formula
    relation: str
    right: Formula
    conditions: tuple[tuple[Formula, str, Formula], ...] = ()
    real: bool = True

    def of(self, psi: NeighborFunction) -> Comparison:
        """The comparison for one ψ, which may be `Arbitrary`."""
        conditions = tuple(
            Condition(partial(_at, psi, one), word, partial(_at, psi, other))
            for one, word, other in self.conditions
        )
        sides = partial(_at, psi, self.left), self.relation, partial(_at, psi, self.right)
        return Comparison(Domain(self.variables, conditions), *sides)

    @cached_property
    def arbitrary(self) -> Comparison:
        return self.of(Arbitrary(self.real))

    @property
    def text(self) -> str:
        known = "" if self.real else " on x > 0 with ψ(0) = −∞"
        return f"for every neighbor function ψ{known}, {self.arbitrary.text}"

    def at(self, point: Point) -> Truth:
        """At a neighbor function ``ψ`` and at a point of the domain."""
        values = dict(point)
        return self.of(values.pop("ψ")).at(values)

    def counterexample(self, effort: int) -> tuple[str, str]:
        functions = FUNCTIONS[self.real]
        for psi in functions:
            tried, refuted = self.of(psi).simple_counterexample(max(8, effort // 2))
            if refuted:
                return tried, f"ψ = {psi.name}, {refuted}"
        return f"{tried} for each of {len(functions)} neighbor functions", ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        moved = [name for name, _ in self.arbitrary.planted()]
        for number, name in enumerate(moved):
            yield name, _Moved(self, number)


@dataclass(frozen=True)
class _Moved(Statement):
    """The planted neighbor of that number, for every ψ."""

    home: ComparisonOfPsi
    number: int

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return self.home.formulas

    @property
    def text(self) -> str:
        return f"mutant {self.number} of: {self.home.text}"

    def at(self, point: Point) -> Truth:
        raise self.refused("a mutant is searched only")

    def counterexample(self, effort: int) -> tuple[str, str]:
        for psi in FUNCTIONS[self.home.real]:
            _, neighbor = list(self.home.of(psi).planted())[self.number]
            tried, refuted = neighbor.simple_counterexample(effort)
            if refuted:
                return tried, refuted
        return tried, ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        return iter(())


def _at(psi: NeighborFunction, formula: Formula, c: Any, *values: Any) -> Any:
    return formula(psi, c, *values)


def EveryPsi(
    *variables: Variable,
    left: Formula | int,
    relation: str,
    right: Formula | int,
    given: Sequence[tuple[Formula, str, Formula]] = (),
    real: bool = True,
) -> ComparisonOfPsi:
    """left relation right for every neighbor function ψ, with formulas of ψ, a world and the variables.

    Raises StatementError for formulas that read more than ``establish.spec``, or for a domain in which the
    formulas cannot be evaluated for any ψ that is tried.
    """
    for formula in (left, right, *(f for one, _, other in given for f in (one, other))):
        if callable(formula):
            require_spec_only(formula)
    sides = [f if callable(f) else partial(_constant, constant(f)) for f in (left, right)]
    made = ComparisonOfPsi(variables, sides[0], relation, sides[1], tuple(given), real)
    concrete = made.of(FUNCTIONS[real][0])
    first = next(iter(concrete.domain.simple_points(4)), None)
    failure = "the domain is empty" if first is None else concrete.failure(first)
    if failure is not None:
        raise StatementError(f"{made.text}: cannot be evaluated: {failure}")
    return made


def _constant(formula: Formula, psi: Any, c: Any, *values: Any) -> Any:
    return formula(c, *values)
