"""Inequalities between sums, term by term."""

from __future__ import annotations

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements.sums import Sums
from establish.proofs_check.engine.verdicts import Evidence


@rule
def term_by_term(statement: Sums, *evidence: Evidence) -> Evidence:
    """Inequalities, and equations, may be added: what is true of every term is true of the sums,
    whatever their number is, by induction on it.
    """
    return derived(statement, [statement.term], evidence, "term_by_term")
