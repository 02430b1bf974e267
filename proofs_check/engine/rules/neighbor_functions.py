"""Statements on every neighbor function from what Definition 5.1 says of one."""

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements.neighbor_functions import ComparisonOfPsi
from establish.proofs_check.engine.verdicts import Evidence


@rule
def any_psi(statement: ComparisonOfPsi, *evidence: Evidence) -> Evidence:
    """What was shown of a ψ of which only this is told holds for all: that it increases strictly, is concave
    with ψ∘exp convex, and has an inverse that is defined from ψ(0) on, ψ being unbounded. Definition 5.1 says
    the first three; its condition (4) makes ψ unbounded: the convex ψ(e^s) lies above a rising chord, so it
    has no upper bound.
    """
    return derived(statement, (statement.arbitrary,), evidence, "any_psi")
