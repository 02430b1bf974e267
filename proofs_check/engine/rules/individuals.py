"""What a privacy definition implies for the record of one worker."""

from __future__ import annotations

from fractions import Fraction

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.statements.implication import Implication
from establish.proofs_check.engine.statements.variables import Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.relations.edge import Edge
from establish.spec.relations.growth import largest_after
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.requirements import IndividualRequirement
from establish.spec.tables import Workplace
from establish.spec.universe import Universe

SOMEWHERE = Universe((Workplace("e"), Workplace("f")), ("w1",), ((),))
"""A universe on which a definition says of which kind its neighbors and its requirement are."""


def two_steps(statement: Implication) -> tuple[Comparison, ...]:
    """What `leave_and_join` owes: two steps cost at most the level, and one worker more is a step."""
    relation = statement.neighbors(SOMEWHERE, Fraction(1))
    if not isinstance(statement.requirement(SOMEWHERE, Fraction(1)), IndividualRequirement):
        raise RuleError(f"leave_and_join: not the requirement on individuals: {statement.text}")
    if not isinstance(relation, (Edge, Node, Strong, Weak)):
        raise RuleError(f"leave_and_join: these neighbors are not known: {statement.text}")
    steps = Comparison(
        Domain(
            (
                Real("c", least=1),
                Real("P(ω|b)", least=0),
                Real("P(ω|absent)", least=0, most=lambda c, level, b: level * b),
                Real("P(ω|a)", least=0, most=lambda c, level, b, absent: level * absent),
            )
        ),
        lambda c, level, b, absent, a: a,
        "<=",
        lambda c, level, b, absent, a: c.power(level, statement.multiple) * b,
    )
    if isinstance(relation, (Edge, Node)):
        return (steps,)
    joins = Comparison(
        Domain((Real("α", above=0), Real("x", least=0))),
        lambda c, alpha, x: x + 1,
        "<=",
        lambda c, alpha, x: largest_after(x, alpha, c),
    )
    return steps, joins


@rule
def leave_and_join(statement: Implication, *evidence: Evidence) -> Evidence:
    """Between any two values of one record lies the dataset without that worker, the others being as they are.
    A worker who joins an establishment raises the count of every property there by at most 1, and nothing
    else: that is one job (edges), one workforce (nodes), and within max((1+α)x, x+1) (Definitions 7.1 and 7.3,
    owed). So the likelihoods of an output are two steps apart at most, whatever the records of the others are.
    Beliefs are independent, so both are averaged with the same weights over the others, and the Bayes factor,
    the ratio of the averages, is at most what one pair allows.
    """
    return derived(statement, two_steps(statement), evidence, "leave_and_join")
