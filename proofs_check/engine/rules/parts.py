"""Releases of disjoint parts of the data cost what one of them does."""

from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import ReleasesOfParts, ReleasesTogether
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World

IN_ONE_PART = {
    *((name, "establishments") for name in ("strong", "weak", "edge", "node")),
    ("edge", "workers"),
}
"""The neighbors that differ in one part only: in the workforce of one establishment, or in one record."""


def beside_the_others(statement: ReleasesOfParts) -> ReleasesTogether:
    """What `in_one_part` owes: the cost of one release beside another of one law."""

    def of_first(formula: Any) -> Any:
        return lambda c, first, second, delta, other: formula(c, first, delta)

    def nothing(c: World, *_: Any) -> Any:
        return c.number(0)

    slack = nothing if statement.pure else of_first(statement.slack)
    return ReleasesTogether("beside", of_first(statement.level), slack, statement.pure)


@rule
def in_one_part(statement: ReleasesOfParts, *evidence: Evidence) -> Evidence:
    """Neighbors differ in the workforce of one establishment (Definitions 7.1 and 7.3, and for edges
    and nodes of the graph), or in one record, and that alone decides in which part it is. So one part
    of D and D' are neighbors on that part, as the relation asks nothing of other establishments, and
    the other parts are the same: their releases together are one of independent coins with one law on
    both datasets.
    """
    if (statement.neighbors, statement.parts) not in IN_ONE_PART:
        raise RuleError(f"in_one_part: neighbors may differ in several parts: {statement.text}")
    return derived(statement, [beside_the_others(statement)], evidence, "in_one_part")
