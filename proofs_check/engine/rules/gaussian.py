"""Gaussian privacy from inequalities between means, and of several answers from that of each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.rules.cells import require_of_specification
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import (
    AdaptiveComposition,
    Comparison,
    Condition,
    Domain,
    Real,
    Variable,
)
from establish.proofs_check.engine.statements.gaussian import EstablishmentPrivate, bounds_for
from establish.proofs_check.engine.statements.made_by import NotReadError, at_names
from establish.proofs_check.engine.statements.terms import Term
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World
from establish.spec.distributions import gaussian
from establish.spec.neighbor_functions.arbitrary import Arbitrary


def as_real(variable: Variable) -> Variable:
    """The same bounds over the reals, which shows more."""
    return replace(variable, field="ℝ")


def _answers(statement: EstablishmentPrivate) -> Sequence[tuple[Any, Any]]:
    """The answers at names in place of numbers: as many, and of the same kind, for all parameters.

    Raises RuleError where they depend on the parameters.
    """
    psi = Arbitrary(statement.real)
    try:
        named = at_names(statement.answers, psi, *map(Term, statement.domain.names))
    except NotReadError as error:
        raise RuleError(f"the number or kind of answers may depend on the parameters: {error}") from error
    found = statement.answers(psi, *next(statement.domain.simple_points(1)))
    if [getattr(one, "kind", type(one)) for _, one in named] != [type(one) for _, one in found]:
        raise RuleError(f"the number or kind of answers depends on the parameters: {statement.text}")
    return found


def shift_obligations(statement: EstablishmentPrivate) -> tuple[Comparison, ...]:
    """What `shifted_normals` owes: |mean − mean'| ≤ level·sd for close values, and sd' = sd."""
    psi = Arbitrary(statement.real)
    parameters = statement.domain.variables
    count = len(parameters)
    answers = _answers(statement)
    if len(answers) != 1:
        raise RuleError("shifted_normals: one answer; several need `in_sequence`")
    require_of_specification(answers[0][1])

    def means(c: World, *values: Any) -> tuple[Any, Any]:
        (_, mechanism), (x, y, rest, *bounds) = (statement.answers(psi, *values[:count])[0], values[count:])
        given = bounds_for(mechanism, *((bounds[0], bounds[1:]) if bounds else (None, [])))
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
    bounds = ("u", "v") if hasattr(answers[0][1], "clip") else ()
    variables = (
        *map(as_real, parameters),
        Real("x", **low),
        Real("y", **low),
        Real("rest", least=0),
        *(Real(name, **low) for name in bounds),
    )
    domain = Domain(variables, (Condition(close, "<=", distance),))
    same = Comparison(domain, lambda c, *v: means(c, *v)[0].sd, "==", lambda c, *v: means(c, *v)[1].sd)
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
    first = _answers(statement)

    def one(number: int) -> EstablishmentPrivate:
        def answer(psi: Any, *values: Any) -> list[tuple[int, Any]]:
            return [(0, statement.answers(psi, *values)[number][1])]

        def level(c: World, *values: Any) -> Any:
            made = statement.answers(Arbitrary(statement.real), *values)
            return c.number(made[number][1].mu)

        return replace(
            statement,
            name=f"{statement.name}, answer {number + 1}",
            answers=answer,
            level=level,
            repeated=False,
        )

    return tuple(one(number) for number in range(len(first)))


def total_of(statement: EstablishmentPrivate, composition: AdaptiveComposition) -> Comparison:
    """What `in_sequence` owes of the level: it is at least the total of the budgets of the answers."""

    def total(c: World, *values: Any) -> Any:
        made = statement.answers(Arbitrary(statement.real), *values)
        return composition.total(c, [c.number(mechanism.mu) for _, mechanism in made])

    domain = replace(statement.domain, variables=tuple(map(as_real, statement.domain.variables)))
    return Comparison(domain, total, "<=", statement.level)


@rule
def in_sequence(
    statement: EstablishmentPrivate, composition: AdaptiveComposition, *evidence: Evidence
) -> Evidence:
    """Answers with independent noise, each private with its own μ_i whatever the answers before it were,
    are together private with the total of the μ_i, by the statement on adaptive composition that is owed
    too. Neighbors are the same for all of them, and one neighbor may change every attribute. Bounds that
    come from earlier answers are constants for the later ones, which are private for all bounds.
    """
    owed = (*alone(statement), total_of(statement, composition), composition)
    return derived(statement, owed, evidence, "in_sequence")


def composition_lemmas(statement: AdaptiveComposition) -> tuple[Comparison, ...]:
    """What `adaptive_normals` owes: the tilt of a normal law, that one release more adds the square of its
    budget to what is spent, whatever that is, and that the total is the root of what is spent.
    """
    tilted = Comparison(
        Domain((Real("y"), Real("t"))),
        lambda c, y, t: gaussian.log_density(y, c.number(0), c.number(1), c) + t * y - t * t / 2,
        "==",
        lambda c, y, t: gaussian.log_density(y, t, c.number(1), c),
    )
    spent, budget = Real("spent", least=0), Real("μ", least=0)
    squares = Comparison(
        Domain((spent, budget)),
        lambda c, s, mu: statement.added(c, s, mu) - s,
        "==",
        lambda c, s, mu: mu * mu,
    )
    rooted = Comparison(Domain((budget,)), lambda c, mu: statement.root(c, mu * mu), "==", lambda c, mu: mu)
    return tilted, squares, rooted


@rule
def adaptive_normals(statement: AdaptiveComposition, *evidence: Evidence) -> Evidence:
    """What is spent is the sum of the squares of any number of budgets, by induction (owed of one more), and
    the total its root. By Blackwell's theorem a release whose laws are μ_j-Gaussian indistinguishable is,
    given earlier outputs, a function of one answer y_j from N(0, 1) or N(μ_j, 1) and of fresh randomness. Add
    a last answer that fills Σμ_j² up to the square μ² of the most that any way spends. Given the past the
    density of y_j times e^(s·μ_j·y_j − s²μ_j²/2) is a normal density (the tilt owed, at t = sμ_j): this
    factor has mean 1, also when μ_j depends on the past. Multiplied over the answers: E e^(sX) = e^(s²μ²/2)
    for X = Σμ_j·y_j, so X ~ N(0, μ²). The log likelihood ratio is X − μ²/2 (the tilt at t = μ_j), so X is
    sufficient, and under the other law it is N(μ², μ²): X/μ tells N(0, 1) from N(μ, 1).
    """
    return derived(statement, composition_lemmas(statement), evidence, "adaptive_normals")
