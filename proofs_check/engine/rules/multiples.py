"""Attacks that grow without bound: no multiple of ε is enough."""

from establish.proofs_check.engine.rules.individuals import classes_of
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import Domain
from establish.proofs_check.engine.statements.multiples import NoMultiple
from establish.proofs_check.engine.statements.variables import Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node


def more_steps_than_any_multiple(statement: NoMultiple) -> tuple[Comparison, Comparison]:
    """What `job_by_job` and `employer_by_employer` owe: those who differ change more jobs, or employers,
    than the multiple, and the two events are compared from x ≥ (workers who differ)/α on.
    """
    relation, _ = classes_of(statement.implication)
    if relation not in (Edge, Node):
        raise RuleError(f"no multiple: neighbors differ in more than one job or employer: {statement.text}")
    _, more, jobs = statement.kind
    k = Real("k", least=1)
    known = Real("x", least=lambda c, alpha, k: (k + more) / alpha)
    steps = (lambda c, k: k + more + 1) if relation is Node else (lambda c, k: jobs * (k + more))
    return (
        Comparison(Domain((k,)), lambda c, k: statement.over * k, "<", steps),
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
    if statement.at_others:
        raise RuleError(f"job_by_job: neighbors differ in more than one job: {statement.text}")
    return derived(statement, more_steps_than_any_multiple(statement), evidence, "job_by_job")


@rule
def employer_by_employer(statement: NoMultiple, *evidence: Evidence) -> Evidence:
    """As `job_by_job`, where the attacker half believes of each of these workers that he is at an employer of
    his own. A step changes the workforce of one employer, and those of e and of each of these employers
    differ: no chain is shorter than their number.
    """
    if not statement.at_others:
        raise RuleError(f"employer_by_employer: neighbors do not differ in one employer: {statement.text}")
    return derived(statement, more_steps_than_any_multiple(statement), evidence, "employer_by_employer")
