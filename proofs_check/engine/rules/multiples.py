"""Attacks that grow without bound: no multiple of ε is enough."""

from establish.proofs_check.engine.rules.individuals import classes_of
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, NoMultiple, Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak


def more_steps_than_any_multiple(statement: NoMultiple) -> tuple[Comparison, ...]:
    """What the rules here owe: those who differ change more jobs, or employers, than the multiple, and two
    sizes or shapes are compared from x ≥ (workers who differ)/α on.
    """
    relation, _ = classes_of(statement.implication)
    if relation not in (Edge, Node, Strong, Weak):
        raise RuleError(f"no multiple: neighbors may differ in several employers: {statement.text}")
    _, more, jobs = statement.kind
    k = Real("k", least=1)
    known = Real("x", least=lambda c, alpha, k: (k + more) / alpha)
    steps = (lambda c, k: k + more + 1) if statement.at_others else (lambda c, k: jobs * (k + more))
    longer = Comparison(Domain((k,)), lambda c, k: statement.over * k, "<", steps)
    if statement.together:
        return (longer,)
    return (
        longer,
        Comparison(
            Domain((Real("α", above=0), k, known)),
            lambda c, alpha, k, x: x + (k + more),
            "<=",
            lambda c, alpha, k, x: (1 + alpha) * x,
        ),
    )


@rule
def job_by_job(statement: NoMultiple, *evidence: Evidence) -> Evidence:
    """'Yes' with probability (c−1)/c·c^(−d), d the distance to the dataset with all of these workers at e, is
    private (establish.spec.telling). The attacker knows the other workers, and half believes of each of these
    that he is absent, or of another kind. Given either event one dataset alone is possible, so that the
    Bayes factor of 'yes' is c to their distance. A step changes one job: each absent worker is one step,
    each worker of another kind two, as a job is left and a job is begun, and no chain is shorter.
    """
    if statement.at_others or statement.together:
        raise RuleError(f"job_by_job: not an attack job by job: {statement.text}")
    return derived(statement, more_steps_than_any_multiple(statement), evidence, "job_by_job")


@rule
def employer_by_employer(statement: NoMultiple, *evidence: Evidence) -> Evidence:
    """As `job_by_job`, where the attacker half believes of each of these workers that he is at an employer of
    his own. A step changes the workforce of one employer, and those of e and of each of these employers
    differ: no chain is shorter than their number.
    """
    if not statement.at_others:
        raise RuleError(f"employer_by_employer: not an attack employer by employer: {statement.text}")
    return derived(statement, more_steps_than_any_multiple(statement), evidence, "employer_by_employer")


@rule
def all_or_nobody(statement: NoMultiple, *evidence: Evidence) -> Evidence:
    """As `job_by_job`, where the attacker half believes that all of these workers are employed, each at an
    employer of his own, and half that nobody is: a worker's record tells which. A step changes the workforce
    of one employer, and those of all these employers differ: no chain is shorter than their number.
    """
    if not statement.together:
        raise RuleError(f"all_or_nobody: workers do not come together: {statement.text}")
    return derived(statement, more_steps_than_any_multiple(statement), evidence, "all_or_nobody")
