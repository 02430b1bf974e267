"""Inequalities for all events from inequalities between two densities."""

from typing import Any

from establish.proofs_check.engine.rules.known_laws import known
from establish.proofs_check.engine.rules.privacy import beside
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Indistinguishability, Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World


def log_ratio(statement: Indistinguishability) -> Comparison:
    """What `at_every_output` owes: ln p(o) − ln q(o) ≤ level at every real output o."""
    if statement.delta is not None:
        raise RuleError(f"at_every_output: needs δ = 0: {statement.text}")
    count = len(statement.domain.variables)

    def loss(c: World, *v: Any) -> Any:
        first, second = (known(law(c, *v[:count])) for law in (statement.first, statement.second))
        return first.log_density(v[count]) - second.log_density(v[count])

    outputs = beside(statement.domain, Real("o"))
    return Comparison(outputs, loss, "<=", lambda c, *v: statement.level(c, *v[:count]))


@rule
def at_every_output(statement: Indistinguishability, *evidence: Evidence) -> Evidence:
    """Both laws are of the specification, with densities on the real line whose masses are 1. If p(o) ≤
    e^level·q(o) at every output o, then P(S) ≤ e^level·Q(S) for every event S, as integrals.
    """
    return derived(statement, [log_ratio(statement)], evidence, "at_every_output")
