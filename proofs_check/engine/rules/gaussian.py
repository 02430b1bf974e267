"""Gaussian privacy from inequalities between means, and of several answers from that of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import Condition, Domain
from establish.proofs_check.engine.statements.gaussian import EstablishmentPrivate
from establish.proofs_check.engine.statements.variables import Real, Variable
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World
from establish.spec.neighbor_functions.arbitrary import Arbitrary


def as_real(variable: Variable) -> Variable:
    """The same bounds over the reals, which shows more."""
    return replace(variable, field="ℝ")


def shift_obligations(statement: EstablishmentPrivate) -> tuple[Comparison, ...]:
    """What `shifted_normals` owes: |mean − mean'| ≤ level·sd for close values, and sd' = sd."""
    psi = Arbitrary(statement.real)
    parameters = statement.domain.variables
    count = len(parameters)
    answers = statement.answers(psi, *(v.candidates(())[0] for v in parameters))
    if len(answers) != 1:
        raise RuleError("shifted_normals: one answer; several need `in_sequence`")

    def means(c: World, *values: Any) -> tuple[Any, Any]:
        (_, mechanism), (x, y, rest, *bounds) = (
            statement.answers(psi, *values[:count])[0],
            values[count:],
        )
        given = [list(bounds)] if statement.bounded else []
        first, second = (mechanism.output([value, rest], *given, c) for value in (x, y))
        return first, second

    def gap(c: World, *values: Any) -> Any:
        first, second = means(c, *values)
        return c.absolute(first.mean - second.mean)

    def room(c: World, *values: Any) -> Any:
        return statement.level(c, *values[:count]) * means(c, *values)[0].sd

    def close(c: World, *values: Any) -> Any:
        return c.absolute(psi.value(values[count], c) - psi.value(values[count + 1], c))

    def distance(c: World, *values: Any) -> Any:
        return c.number(statement.gamma(*values[:count]))

    low: dict[str, Any] = {"least": 0} if statement.real else {"above": 0}
    bounds = ("u", "v") if statement.bounded else ()
    variables = (
        *map(as_real, parameters),
        Real("x", **low),
        Real("y", **low),
        Real("rest", least=0),
        *(Real(name, **low) for name in bounds),
    )
    domain = Domain(variables, (Condition(close, "<=", distance),))
    same = Comparison(
        domain, lambda c, *v: means(c, *v)[0].sd, "==", lambda c, *v: means(c, *v)[1].sd
    )
    return Comparison(domain, gap, "<=", room), same


@rule
def shifted_normals(statement: EstablishmentPrivate, *evidence: Evidence) -> Evidence:
    """Neighbors differ in one establishment, whose public attributes stay: one group of a group-by sum has
    another sum, the other groups have the same laws and independent noise. Two normal laws of one standard
    deviation s and means d apart have a likelihood ratio that increases in the answer, so the best events
    are half-lines (Neyman and Pearson), on which Φ⁻¹ of the probabilities is d/s apart: at most the level
    when d ≤ level·s. The others of the group enter by their sum and by the largest of their bounds: a
    clipped sum differs by the one value that changes. Where s = 0 both answers are the same number.
    """
    return derived(statement, shift_obligations(statement), evidence, "shifted_normals")


def alone(statement: EstablishmentPrivate) -> tuple[EstablishmentPrivate, ...]:
    """What `in_sequence` owes of every answer: that it satisfies the definition with its own budget."""
    parameters = statement.domain.variables
    first = statement.answers(
        Arbitrary(statement.real), *(v.candidates(())[0] for v in parameters)
    )

    def one(number: int) -> EstablishmentPrivate:
        def answer(psi: Any, *values: Any) -> list[tuple[int, Any]]:
            return [(0, statement.answers(psi, *values)[number][1])]

        def level(c: World, *values: Any) -> Any:
            made = statement.answers(Arbitrary(statement.real), *values)
            return c.number(made[number][1].mu)

        return replace(
            statement, name=f"{statement.name}, answer {number + 1}", answers=answer, level=level
        )

    return tuple(one(number) for number in range(len(first)))


def total_of_squares(statement: EstablishmentPrivate) -> Comparison:
    """What `in_sequence` owes of the level: the squares of the budgets add up to no more than its square."""

    def squares(c: World, *values: Any) -> Any:
        made = statement.answers(Arbitrary(statement.real), *values)
        return sum((c.number(m.mu) * c.number(m.mu) for _, m in made[1:]), c.number(made[0][1].mu) ** 2)

    def square(c: World, *values: Any) -> Any:
        return statement.level(c, *values) * statement.level(c, *values)

    domain = replace(
        statement.domain, variables=tuple(map(as_real, statement.domain.variables))
    )
    return Comparison(domain, squares, "<=", square)


@rule
def in_sequence(
    statement: EstablishmentPrivate, composition: Any, *evidence: Evidence
) -> Evidence:
    """Answers with independent noise, each private with its own μ_i whatever the answers before it were,
    are together private with √(Σμ_i²), by the statement on adaptive composition that is owed too. Neighbors
    are the same for all of them, and one neighbor may change every attribute. Bounds that come from
    earlier answers are constants for the later ones, which are private for all bounds.
    """
    owed = (*alone(statement), total_of_squares(statement), composition)
    return derived(statement, owed, evidence, "in_sequence")


