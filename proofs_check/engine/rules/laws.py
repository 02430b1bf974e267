"""Laws as a whole, from moments and transforms."""

from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import (
    Comparison,
    Domain,
    Formula,
    InProbability,
    Real,
    Statement,
    SumsOfIndependent,
)
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.verdicts import Evidence


def mean_square(
    statement: InProbability, closed: Formula, constant: Formula
) -> tuple[Expectation, Comparison]:
    """What `by_chebyshev` owes: E (f − limit)² in closed form, and that it is at most a constant over the
    growing parameter. closed: a formula of all parameters; constant: one of those before.
    """

    def square(c: Any, *v: Any) -> Any:
        gap = statement.of(c, *v) - statement.limit(c, *v[:-2])
        return gap * gap

    return (
        Expectation(statement.domain, statement.law, square, closed, statement.breaks, depends=True),
        Comparison(statement.domain, closed, "<=", lambda c, *v: constant(c, *v[:-1]) / v[-1]),
    )


@rule
def by_chebyshev(
    statement: InProbability, closed: Formula, constant: Formula, *evidence: Evidence
) -> Evidence:
    """By Chebyshev's inequality P(|f − limit| ≥ d) ≤ E (f − limit)²/d² for every d > 0. If that mean is at
    most a constant over the growing parameter, the probability tends to 0.
    """
    return derived(statement, mean_square(statement, closed, constant), evidence, "by_chebyshev")


def transforms(statement: SumsOfIndependent, transform: Formula) -> tuple[Statement, ...]:
    """What `by_transform` owes: E e^(−sX) for all s ≥ 0, and that its n-th power is that for n·a.

    transform: a formula of the parameters and of s.
    """
    parameters = statement.domain.variables
    places, s = (*parameters, Real("s", least=0)), statement.times
    return (
        Expectation(
            replace(statement.domain, variables=places),
            lambda c, *v: statement.law(c, *v[:-1]),
            lambda c, *v: c.exp(-v[-2] * v[-1]),
            transform,
            low=lambda c, *v: c.number(0),
            depends=True,
        ),
        Comparison(
            Domain((Real("n", least=1), *places), statement.domain.conditions),
            lambda c, n, *v: c.power(transform(c, *v), n),
            "==",
            lambda c, n, first, *v: transform(c, c.number(s) * n * first, *v),
        ),
    )


@rule
def by_transform(statement: SumsOfIndependent, transform: Formula, *evidence: Evidence) -> Evidence:
    """E e^(−s(X₁ + … + X_n)) is the product of the E e^(−sX_i) for independent variables, and the values at
    all s ≥ 0 determine the law of a variable that is at least 0 (uniqueness of Laplace transforms).
    """
    return derived(statement, transforms(statement, transform), evidence, "by_transform")
