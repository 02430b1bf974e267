"""Privacy along chains of neighbors, by induction on their length."""

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, Formula, GaussianChain
from establish.proofs_check.engine.statements.chains import VARIABLES, ChainOfNeighbors
from establish.proofs_check.engine.statements.gaussian_chains import VARIABLES as GAUSSIAN
from establish.proofs_check.engine.verdicts import Evidence


def links_of_chain(statement: ChainOfNeighbors) -> tuple[Comparison, ...]:
    """What `along_chain` owes: level and slack of one step, and how a further step changes them."""
    level, slack = statement.level, statement.slack
    start, longer = Domain(VARIABLES[:2]), Domain(VARIABLES)

    def equal(domain: Domain, left: Formula, right: Formula) -> Comparison:
        return Comparison(domain, left, "==", right)

    powers = (
        equal(start, lambda c, k, delta: level(c, k, delta, 1), lambda c, k, delta: k),
        equal(
            longer,
            lambda c, k, delta, d: level(c, k, delta, d + 1),
            lambda c, k, delta, d: k * level(c, k, delta, d),
        ),
    )
    if statement.pure:
        return powers
    return (
        *powers,
        equal(start, lambda c, k, delta: slack(c, k, delta, 1), lambda c, k, delta: delta),
        equal(
            longer,
            lambda c, k, delta, d: slack(c, k, delta, d + 1),
            lambda c, k, delta, d: k * slack(c, k, delta, d) + delta,
        ),
    )


@rule
def along_chain(statement: ChainOfNeighbors, *evidence: Evidence) -> Evidence:
    """By induction on d. One step is the definition itself: level c and slack δ. If P_1 ≤
    level(d)·P_(d+1) + slack(d) for the d steps behind the first, then P_0 ≤ c·P_1 + δ ≤
    c·level(d)·P_(d+1) + c·slack(d) + δ, which must be level(d + 1) and slack(d + 1). With δ = 0 there
    is no slack.
    """
    return derived(statement, links_of_chain(statement), evidence, "along_chain")


def steps_of_chain(statement: GaussianChain) -> tuple[Comparison, Comparison]:
    """What `along_gaussian_chain` owes: the level of one step is at least μ, and each step adds μ to it."""
    level = statement.level
    return (
        Comparison(Domain(GAUSSIAN[:1]), lambda c, mu: mu, "<=", lambda c, mu: level(c, mu, c.number(1))),
        Comparison(
            Domain(GAUSSIAN),
            lambda c, mu, d: level(c, mu, d) + mu,
            "<=",
            lambda c, mu, d: level(c, mu, d + 1),
        ),
    )


@rule
def along_gaussian_chain(statement: GaussianChain, *evidence: Evidence) -> Evidence:
    """By induction on d. One step is the definition itself, at μ. If Φ⁻¹ of the probability of an event has
    risen by at most level(d) after d steps, the next one adds at most μ, and level(d) + μ ≤ level(d + 1).
    """
    return derived(statement, steps_of_chain(statement), evidence, "along_gaussian_chain")
