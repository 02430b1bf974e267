"""What a privacy definition implies for the record of one worker."""

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Condition, Domain, Implication, Real
from establish.proofs_check.engine.statements.made_by import NotReadError, made_of_universe
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import Number, World
from establish.spec.relations.edge import Edge
from establish.spec.relations.growth import largest_after
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.requirements import IndividualRequirement, PresenceRequirement


def classes_of(statement: Implication) -> tuple[type, type]:
    """The classes of the neighbors and of the requirement, for all α. Raises RuleError where they depend on
    it.
    """
    try:
        return made_of_universe(statement.neighbors), made_of_universe(statement.requirement)
    except NotReadError as error:
        raise RuleError(f"of which class neighbors or requirement are: {error}: {statement.text}") from error


def _one_more(relation: type) -> tuple[Comparison, ...]:
    """That one worker more is a step: nothing is owed for one job and for one workforce."""
    if relation in (Edge, Node):
        return ()
    return (
        Comparison(
            Domain((Real("α", above=0), Real("x", least=0))),
            lambda c, alpha, x: x + 1,
            "<=",
            lambda c, alpha, x: largest_after(x, alpha, c),
        ),
    )


def two_steps(statement: Implication) -> tuple[Comparison, ...]:
    """What `leave_and_join` owes: one step, or two, cost at most the level, and one worker more is a
    step.
    """
    relation, requirement = classes_of(statement)
    if relation not in (Edge, Node, Strong, Weak):
        raise RuleError(f"leave_and_join: these neighbors are not known: {statement.text}")
    if requirement is PresenceRequirement:
        return (*_mixtures(statement.multiple), *_one_more(relation))
    if requirement is not IndividualRequirement:
        raise RuleError(f"leave_and_join: not about the record of one worker: {statement.text}")
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
    return (steps, *_one_more(relation))


def _mixtures(multiple: int) -> tuple[Comparison, Comparison]:
    """Two values of a record, with weights, against absence, in both directions."""
    weights = Real("θ(a)", above=0), Real("θ(b)", least=0)

    def bounded(c: World, level: Number, t: Number, u: Number, other: Number, *_: Number) -> Number:
        return level * other

    present = Comparison(
        Domain(
            (
                Real("c", least=1),
                *weights,
                Real("P(ω|absent)", least=0),
                *(Real(f"P(ω|{value})", least=0, most=bounded) for value in "ab"),
            )
        ),
        lambda c, level, t, u, absent, a, b: t * a + u * b,
        "<=",
        lambda c, level, t, u, absent, a, b: c.power(level, multiple) * ((t + u) * absent),
    )
    absent = Comparison(
        Domain(
            (
                Real("c", least=1),
                *weights,
                Real("P(ω|a)", least=0),
                Real("P(ω|b)", least=0),
                Real("P(ω|absent)", least=0, most=bounded),
            ),
            (
                Condition(
                    lambda c, level, t, u, a, b, absent: absent,
                    "<=",
                    lambda c, level, t, u, a, b, absent: level * b,
                ),
            ),
        ),
        lambda c, level, t, u, a, b, absent: (t + u) * absent,
        "<=",
        lambda c, level, t, u, a, b, absent: c.power(level, multiple) * (t * a + u * b),
    )
    return present, absent


@rule
def leave_and_join(statement: Implication, *evidence: Evidence) -> Evidence:
    """Between any two values of one record lies the dataset without that worker, the others being as
    they are. A worker who joins an establishment raises the count of every property there by at most 1,
    and nothing else: that is one job (edges), one workforce (nodes), and within max((1+α)x, x+1)
    (Definitions 7.1 and 7.3, owed). So the likelihoods of an output are two steps apart at most, and
    one step for a value against absence, whatever the records of the others are. Beliefs are
    independent, so both are averaged with the same weights over the others, and the Bayes factor, the
    ratio of the averages, is at most what one pair allows. That a worker is present is a mixture of
    values: a bound for two of them, with weights, adds up to all.
    """
    return derived(statement, two_steps(statement), evidence, "leave_and_join")
