"""How far two laws of finitely many outcomes are apart, by sums over the outcomes."""

from typing import Any

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Comparison, FiniteLaws, Formula, Side
from establish.proofs_check.engine.verdicts import Evidence


def of_outcomes(statement: FiniteLaws) -> tuple[Comparison, ...]:
    """What `outcome_by_outcome` owes: probabilities above 0 that sum to 1, an order above 1, and the sum over
    the outcomes, or the largest loss, beside the bound.
    """
    kind, (*place, bound) = statement.has.kind, statement.has.numbers

    def compare(left: Side, relation: str, right: Side) -> Comparison:
        return Comparison(statement.domain, left, relation, right)

    def over_outcomes(term: Any) -> Formula:
        def total(c: Any, *v: Any) -> Any:
            pairs = zip(statement.first, statement.second, strict=True)
            first, *others = (term(c, p(c, *v), q(c, *v), *(f(c, *v) for f in place)) for p, q in pairs)
            for other in others:
                first = c.maximum(first, other) if kind == "greatest loss" else first + other
            return first

        return total

    owed: tuple[Comparison, ...]
    if kind == "renyi":
        moment = over_outcomes(lambda c, p, q, a: c.power(p, a) * c.power(q, 1 - a))
        owed = (
            compare(1, "<", place[0]),
            compare(
                lambda c, *v: c.log(moment(c, *v)),
                statement.relation,
                lambda c, *v: (place[0](c, *v) - 1) * bound(c, *v),
            ),
        )
    elif kind == "approximate":
        more = over_outcomes(lambda c, p, q, e: c.maximum(c.number(0), p - c.exp(e) * q))
        owed = (compare(more, statement.relation, bound),)
    else:
        share = (lambda p: p) if kind == "mean loss" else (lambda p: 1)
        loss = over_outcomes(lambda c, p, q: share(p) * (c.log(p) - c.log(q)))
        owed = (compare(loss, statement.relation, bound),)
    laws = (statement.first, statement.second)
    return (
        *(compare(0, "<", share) for law in laws for share in law),
        *(compare(lambda c, *v, law=law: sum(share(c, *v) for share in law), "==", 1) for law in laws),
        *owed,
    )


@rule
def outcome_by_outcome(statement: FiniteLaws, *evidence: Evidence) -> Evidence:
    """The definitions: (a − 1)·D_a = ln Σ p^a·q^(1 − a) with a > 1, and KL = Σ p·(ln p − ln q). P(S) −
    e^ε·Q(S) is largest for the event of all outcomes with p > e^ε·q, where it is Σ max(0, p − e^ε·q).
    ln(P(S)/Q(S)) is largest for an event of one outcome, as P(S)/Q(S) is a mean of p/q over S.
    """
    return derived(statement, of_outcomes(statement), evidence, "outcome_by_outcome")
