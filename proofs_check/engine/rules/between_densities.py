"""Divergences between laws with densities: from a moment, from one threshold, and from every loss."""

from typing import Any

from establish.proofs_check.engine.rules.known_laws import known
from establish.proofs_check.engine.rules.privacy import beside
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import (
    BetweenDensities,
    Bound,
    Comparison,
    Domain,
    Formula,
    Real,
)
from establish.proofs_check.engine.statements.moments import Expectation
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.terms.reify import TERMS
from establish.spec.distributions.gaussian import Gaussian, concentration
from establish.spec.distributions.laplace import Laplace


def _require(statement: BetweenDensities, measure: str, name: str, *relations: str) -> None:
    """Raises RuleError for another measure or relation, and for laws that the specification does not have."""
    if statement.measure != measure or statement.relation not in relations:
        raise RuleError(
            f"{name}: needs a {measure} divergence and {' or '.join(relations)}: {statement.text}"
        )
    for law in (statement.first, statement.second):
        known(law(TERMS, *statement.domain.terms))


def _spread(statement: BetweenDensities) -> tuple[Comparison, ...]:
    """That the standard deviation or the scale of both laws is positive, so that they are laws."""

    def of(law: Formula) -> Formula:
        made = law(TERMS, *statement.domain.terms)
        name = next((name for name in ("sd", "scale") if hasattr(made, name)), None)
        if name is None:
            raise RuleError(
                f"a divergence of densities needs laws with a standard deviation or a scale: {made}"
            )
        return lambda c, *v: c.number(getattr(law(c, *v), name))

    return tuple(Comparison(statement.domain, 0, "<", of(law)) for law in (statement.first, statement.second))


def _loss(statement: BetweenDensities) -> Formula:
    """ln p − ln q at the parameters and an outcome."""

    def loss(c: Any, *v: Any) -> Any:
        *inputs, x = v
        first, second = statement.first(c, *inputs), statement.second(c, *inputs)
        return first.log_density(x) - second.log_density(x)

    return loss


def _outcomes(statement: BetweenDensities, least: Bound = None, most: Bound = None) -> Domain:
    """The parameters and every outcome between two bounds."""
    name = "x" if "x" not in statement.domain.names else "x′"
    outcome = Real(name, least=least, most=most)
    return beside(statement.domain, outcome)


def moment_of(statement: BetweenDensities, moment: Formula) -> tuple[Any, ...]:
    """What `renyi_by_moment` owes. moment: E_Q[(p/q)^a] as a formula of a world and the parameters."""
    _require(statement, "renyi", "renyi_by_moment", "<=", "==", ">=")
    loss, order = _loss(statement), statement.place

    def ratio(c: Any, *v: Any) -> Any:
        return c.exp(order(c, *v[:-1]) * loss(c, *v))

    return (
        Expectation(statement.domain, statement.second, ratio, moment, statement.breaks, None, True),
        statement.placed("<"),
        Comparison(statement.domain, 0, "<", moment),
        Comparison(
            statement.domain,
            lambda c, *v: c.log(moment(c, *v)),
            statement.relation,
            lambda c, *v: (order(c, *v) - 1) * statement.closed(c, *v),
        ),
        *_spread(statement),
    )


@rule
def renyi_by_moment(statement: BetweenDensities, moment: Formula, *evidence: Evidence) -> Evidence:
    """D_a = ln E_Q[(p/q)^a]/(a − 1), and a − 1 > 0: a bound of the moment is one of D_a."""
    return derived(statement, moment_of(statement, moment), evidence, "renyi_by_moment")


def of_normals(statement: BetweenDensities) -> tuple[Comparison, ...]:
    """What `renyi_of_normals` owes: one standard deviation > 0, and a·(m − m')²/(2s²) beside the bound."""
    _require(statement, "renyi", "renyi_of_normals", "<=", "==", ">=")
    if not all(
        isinstance(f(TERMS, *statement.domain.terms), Gaussian) for f in (statement.first, statement.second)
    ):
        raise RuleError(f"renyi_of_normals: needs two normal laws: {statement.text}")
    domain, first, second = statement.domain, statement.first, statement.second
    return (
        statement.placed("<"),
        Comparison(domain, 0, "<", lambda c, *v: first(c, *v).sd),
        Comparison(domain, lambda c, *v: first(c, *v).sd, "==", lambda c, *v: second(c, *v).sd),
        Comparison(
            domain,
            lambda c, *v: statement.place(c, *v) * concentration(first(c, *v), second(c, *v)),
            statement.relation,
            statement.closed,
        ),
    )


@rule
def renyi_of_normals(statement: BetweenDensities, *evidence: Evidence) -> Evidence:
    """Between N(m, s²) and N(m', s²), p^a·q^(1−a) is e^{a(a−1)(m−m')²/(2s²)} times a normal density around
    a·m + (1 − a)·m'. So D_a = a·(m − m')²/(2s²) at every a > 1.
    """
    return derived(statement, of_normals(statement), evidence, "renyi_of_normals")


def beyond_threshold(statement: BetweenDensities, threshold: Formula) -> tuple[Comparison, ...]:
    """What `one_threshold` owes: up to the threshold the loss is at most the level, from there on at least;
    and what the two laws have beyond it, beside the bound.
    """
    _require(statement, "hockey-stick", "one_threshold", "<=", "==", ">=")
    loss, level = _loss(statement), statement.place

    def beyond(c: Any, *v: Any) -> Any:
        first, second = (1 - law(c, *v).cdf(threshold(c, *v)) for law in (statement.first, statement.second))
        return first - c.exp(level(c, *v)) * second

    def at(c: Any, *v: Any) -> Any:
        return level(c, *v[:-1])

    return (
        Comparison(_outcomes(statement, most=threshold), loss, "<=", at),
        Comparison(_outcomes(statement, least=threshold), at, "<=", loss),
        Comparison(statement.domain, beyond, statement.relation, statement.closed),
        *_spread(statement),
    )


@rule
def one_threshold(statement: BetweenDensities, threshold: Formula, *evidence: Evidence) -> Evidence:
    """p − e^ε·q is at most 0 up to the threshold t and at least 0 from there on, as ln p − ln q is at most
    and at least ε. So ∫ max(0, p − e^ε·q) = P(X > t) − e^ε·Q(X > t).
    """
    return derived(statement, beyond_threshold(statement, threshold), evidence, "one_threshold")


def mean_loss_of(statement: BetweenDensities, mean: Formula) -> tuple[Any, ...]:
    """What `mean_of_loss` owes. mean: E_P[ln(p/q)] as a formula of a world and the parameters."""
    _require(statement, "mean", "mean_of_loss", "<=", "==", ">=")
    return (
        Expectation(statement.domain, statement.first, _loss(statement), mean, statement.breaks, None, True),
        Comparison(statement.domain, mean, statement.relation, statement.closed),
        *_spread(statement),
    )


@rule
def mean_of_loss(statement: BetweenDensities, mean: Formula, *evidence: Evidence) -> Evidence:
    """KL(P‖Q) is the mean of the loss ln(p/q) under P, and has to the bound the relation that it has."""
    return derived(statement, mean_loss_of(statement, mean), evidence, "mean_of_loss")


def every_loss(statement: BetweenDensities, place: Formula | None = None) -> tuple[Comparison, ...]:
    """What `greatest_loss` owes: for an upper bound, that no loss is above it; for a lower one, that the loss
    at ``place``, an outcome as a formula of a world and the parameters, is not below it. Raises RuleError
    for a lower bound without a place, or of laws that are not known to be continuous.
    """
    _require(statement, "max", "greatest_loss", "<=", "==", ">=")
    bound: Formula = lambda c, *v: statement.closed(c, *v[:-1])  # noqa: E731
    owed = []
    if statement.relation != ">=":
        owed.append(Comparison(_outcomes(statement), _loss(statement), "<=", bound))
    if statement.relation != "<=":
        laws = (law(TERMS, *statement.domain.terms) for law in (statement.first, statement.second))
        if place is None or not all(isinstance(law, Gaussian | Laplace) for law in laws):
            raise RuleError(
                f"greatest_loss: needs two normal or Laplace laws, and place, an outcome: {statement.text}"
            )
        loss = _loss(statement)
        owed.append(
            Comparison(statement.domain, statement.closed, "<=", lambda c, *v: loss(c, *v, place(c, *v)))
        )
    return (*owed, *_spread(statement))


@rule
def greatest_loss(statement: BetweenDensities, *evidence: Evidence, place: Formula | None = None) -> Evidence:
    """The max-divergence is the supremum of ln(p/q), and that is at most what no value of it exceeds. It is
    at least the value at one outcome; where both densities are continuous and positive, as normal and
    Laplace ones are, the loss is near to that value on an interval around the outcome, and so is
    ln(P(S)/Q(S)) of that interval.
    """
    return derived(statement, every_loss(statement, place), evidence, "greatest_loss")
