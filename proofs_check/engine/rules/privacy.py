"""Privacy from inequalities between densities."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.rules.cells import output_of
from establish.proofs_check.engine.rules.known_laws import known
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Condition, Domain, Formula, Real, Variable
from establish.proofs_check.engine.statements.privacy import BOUNDED, Satisfies
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.terms.content import digest_of
from establish.proofs_check.terms.reify import TERMS
from establish.proofs_check.terms.trees import variable
from establish.spec.arithmetic import World
from establish.spec.relations.growth import largest_after


def densities(statement: Satisfies) -> tuple[Comparison, ...]:
    """What `pointwise` owes: ln p − ln q ≤ level for the densities at every output, in both directions; and,
    where outputs have a least value, that it is the same for both.
    """
    bound = BOUNDED.get((statement.neighbors, statement.queries))
    if bound is None or (bound == "share" and statement.alpha is None):
        raise RuleError(f"pointwise: counts have no bounded growth in: {statement.text}")
    if statement.delta is not None:
        raise RuleError(f"pointwise: needs δ = 0: {statement.text}")
    parameters = statement.domain.variables
    count = len(parameters)
    alpha = statement.alpha

    def most(c: World, *values: Any) -> Any:
        x = values[count]
        if bound == "one" or alpha is None:
            return x + 1
        return largest_after(x, alpha(*values[:count]), c)

    def law(c: World, values: Any, place: int = 0) -> Any:
        total = values[count + place] + values[count + 2]
        return known(output_of(statement.mechanism(*values[:count]), total, c))

    def low(c: World, *values: Any) -> Any:
        return law(c, values).low

    def logarithms(c: World, *values: Any) -> tuple[Any, Any]:
        p, q = (law(c, values, place).log_density(values[-1]) for place in (0, 1))
        return p, q

    bounded = hasattr(law(TERMS, [*statement.domain.terms, *map(variable, ("x", "y", "rest"))]), "low")
    domain = over_reals(
        statement.domain,
        Real("x", least=0),
        Real("y", least=lambda c, *v: v[count], most=most),
        Real("rest", least=0),
        Real("o", above=low) if bounded else Real("o"),
    )
    losses = both_ways(domain, logarithms, lambda c, *v: statement.level(c, *v[:count]))
    if not bounded:
        return losses
    same = Comparison(domain, low, "==", lambda c, *v: law(c, v, 1).low)
    return (*losses, same)


def on_parameters(domain: Domain) -> tuple[Condition, ...]:
    """The side conditions of parameters, for a domain with more variables behind them."""
    count = len(domain.variables)

    def first(formula: Formula) -> Formula:
        return lambda c, *v: formula(c, *v[:count])

    return tuple(Condition(first(k.left), k.relation, first(k.right)) for k in domain.conditions)


def beside(domain: Domain, *more: Variable) -> Domain:
    """The parameters of a domain, and more variables behind them."""
    return Domain((*domain.variables, *more), on_parameters(domain))


def over_reals(domain: Domain, *more: Variable) -> Domain:
    """The same with the parameters as real numbers."""
    return Domain((*reals(domain), *more), on_parameters(domain))


def both_ways(domain: Domain, pair: Callable[..., tuple[Any, Any]], level: Formula) -> tuple[Comparison, ...]:
    """p − q ≤ level and q − p ≤ level, for the two logarithms that ``pair`` gives."""

    def loss(sign: int) -> Formula:
        def between(c: World, *v: Any) -> Any:
            p, q = pair(c, *v)
            return p - q if sign > 0 else q - p

        return between

    return tuple(Comparison(domain, loss(sign), "<=", level) for sign in (1, -1))


def reals(domain: Domain) -> tuple[Variable, ...]:
    """The parameters as real numbers between the same bounds."""
    return tuple(Real(v.name, **_bounds(v)) for v in domain.variables)


def _bounds(variable: Variable) -> dict[str, Any]:
    found = {}
    if variable.low is not None:
        found["above" if variable.low_open else "least"] = variable.low
    if variable.high is not None:
        found["below" if variable.high_open else "most"] = variable.high
    return found


@rule
def pointwise(statement: Satisfies, *evidence: Evidence) -> Evidence:
    """Both laws are of the specification and have densities on one support (owed). If p(o) ≤ e^ε·q(o) at
    every output o, then P(S) ≤ e^ε·Q(S) for every event S, as integrals. Neighbors differ in one
    establishment, whose count goes from x to a y that the relation bounds (Definitions 7.1 and 7.3; one job
    for edges), beside any count of the others in the cell; pairs in the other order are the second direction.
    Counts are read as real numbers, which shows more; and of all counts the mechanism reads the total only.
    """
    return derived(statement, densities(statement), evidence, "pointwise")


NARROWER = {("weak", "strong"), *((name, name) for name in ("strong", "weak", "edge", "node"))}
"""Pairs (one, other) of relations of which the first has no more neighbors than the second."""


def comparison_of_levels(statement: Satisfies, stronger: Satisfies) -> Comparison:
    """What `weakened` owes beside the stronger statement: its level is at most that of the statement."""
    same = ("name", "domain", "mechanism", "alpha", "queries", "delta")
    differing = [
        name for name in same if digest_of(getattr(statement, name)) != digest_of(getattr(stronger, name))
    ]
    if differing or (statement.neighbors, stronger.neighbors) not in NARROWER:
        raise RuleError(f"weakened: the statements differ in {', '.join(differing) or 'neighbors'}")
    return Comparison(statement.domain, stronger.level, "<=", statement.level)


@rule
def weakened(statement: Satisfies, stronger: Satisfies, *evidence: Evidence) -> Evidence:
    """What is private at a level is private at a larger one, and for fewer neighbors: the inequality for
    every event becomes weaker, and there are fewer pairs for which it must hold. Weak neighbors are
    strong ones of the same growth.
    """
    owed = (stronger, comparison_of_levels(statement, stronger))
    return derived(statement, owed, evidence, "weakened")


def fixed(statement: Satisfies, *values: Fraction) -> Satisfies:
    """The same statement at one point of its parameters."""
    told = statement.domain.told(values)

    def bound(formula: Any) -> Any:
        return None if formula is None else lambda *c: formula(*c, *values)

    return Satisfies(
        f"{statement.name} at {told}",
        Domain(()),
        bound(statement.mechanism),
        statement.neighbors,
        statement.queries,
        bound(statement.level),
        bound(statement.alpha),
        bound(statement.delta),
    )


@rule
def fixed_at(statement: Satisfies, values: Sequence[Fraction], *evidence: Evidence) -> Evidence:
    """What is private at all parameters of a domain is private at one point of it. Whether the
    point lies in the domain is decided by rationals or balls.
    """
    if not statement.domain.includes(values):
        told = statement.domain.told(values)
        raise RuleError(f"fixed_at: {told} lies outside: {statement.domain.said()}")
    return derived(fixed(statement, *values), [statement], evidence, "fixed_at")
