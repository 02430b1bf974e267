"""From one coordinate to every number of independent ones."""

from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.rules.known_laws import known
from establish.proofs_check.engine.rules.privacy import beside
from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Additive, Comparison, Real, TotalError
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World


def one_coordinate(statement: Additive) -> tuple[Comparison, ...]:
    """What `coordinatewise` owes: the log-ratio of two densities around x and y is at most the level times
    |x − y| over the sensitivity, at every output; the sensitivity is positive, the level not negative.
    """
    count = len(statement.domain.variables)
    domain = beside(statement.domain, Real("x"), Real("y"), Real("o"))

    def loss(c: World, *v: Any) -> Any:
        first, second = (known(statement.law(c, *v[:count], v[count + k])) for k in (0, 1))
        return first.log_density(v[count + 2]) - second.log_density(v[count + 2])

    def share(c: World, *v: Any) -> Any:
        distance = c.absolute(v[count] - v[count + 1])
        return statement.level(c, *v[:count]) * distance / statement.sensitivity(c, *v[:count])

    positive = Comparison(domain, 0, "<", lambda c, *v: statement.sensitivity(c, *v[:count]))
    allowed = replace(positive, relation="<=", right=lambda c, *v: statement.level(c, *v[:count]))
    return Comparison(domain, loss, "<=", share), positive, allowed


@rule
def coordinatewise(statement: Additive, *evidence: Evidence) -> Evidence:
    """The coordinates are independent, so the log-ratio of the joint densities is the sum of those of the
    coordinates. If each is at most level·|xᵢ − yᵢ|/sensitivity, the sum is at most
    level·‖x − y‖₁/sensitivity, which is at most the level, as the level is at least 0; and what is true of
    the densities at every output is true of every event, as integrals.
    """
    return derived(statement, one_coordinate(statement), evidence, "coordinatewise")


@rule
def added_up(statement: TotalError, *evidence: Evidence) -> Evidence:
    """Expectation is linear: that of a sum of d terms of one law is d times that of one."""
    return derived(statement, [statement.one], evidence, "added_up")
