"""Infinite expectations, by a constant below the integrand."""

from typing import Any

from establish.proofs_check.engine.rules.known_laws import known
from establish.proofs_check.engine.rules.privacy import beside
from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Comparison, Divergence, Formula, Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World


def floors(
    statement: Divergence, start: Formula, floor: Formula, least: Formula
) -> tuple[Comparison, Comparison, Comparison]:
    """What `does_not_fall` owes: the floor is positive and below the integrand from ``start`` on, and f is at
    least ``least`` everywhere. start, floor, least: formulas of a world and the parameters.
    """
    count = len(statement.domain.variables)
    beyond = beside(statement.domain, Real("t", least=start))
    anywhere = beside(statement.domain, Real("t"))

    def integrand(c: World, *v: Any) -> Any:
        density = c.exp(known(statement.law(c, *v[:count])).log_density(v[count]))
        return statement.of(c, *v) * density

    def of_parameters(formula: Formula) -> Formula:
        return lambda c, *v: formula(c, *v[:count])

    return (
        Comparison(beyond, 0, "<", of_parameters(floor)),
        Comparison(beyond, of_parameters(floor), "<=", integrand),
        Comparison(anywhere, of_parameters(least), "<=", statement.of),
    )


@rule
def does_not_fall(
    statement: Divergence, start: Formula, floor: Formula, least: Formula, *evidence: Evidence
) -> Evidence:
    """Beyond some point f times the density is at least a positive constant, so that its integral over that
    half-line is infinite; and f is bounded from below, so that no part of the expectation is −∞.
    """
    return derived(statement, floors(statement, start, floor, least), evidence, "does_not_fall")
