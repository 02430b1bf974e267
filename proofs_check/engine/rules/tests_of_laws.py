"""Randomized tests as mixtures of events."""

from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, Domain, EventsAndTests, Real, given
from establish.proofs_check.engine.verdicts import Evidence


def two_events(statement: EventsAndTests) -> Comparison:
    """What `mixtures_of_events` owes: Q ≤ f(P) on two events gives it for the test that picks one of them,
    with the probabilities w and 1 − w, f being concave.
    """
    if not statement.concave:
        raise RuleError(f"mixtures_of_events: f must be concave: {statement.text}")

    def mixed(w: Any, first: Any, second: Any) -> Any:
        return w * first + (1 - w) * second

    variables = (
        Real("w", least=0, most=1),
        Real("f(P(S))"),
        Real("f(P(T))"),
        Real("Q(S)", most=lambda c, w, s, t: s),
        Real("Q(T)", most=lambda c, w, s, t, _: t),
        Real("f of the mean"),
    )
    concave = given(lambda c, w, s, t, p, q, mean: mixed(w, s, t), "<=", lambda c, w, s, t, p, q, mean: mean)
    return Comparison(
        Domain(variables, (concave,)),
        lambda c, w, s, t, p, q, mean: mixed(w, p, q),
        "<=",
        lambda c, w, s, t, p, q, mean: mean,
    )


@rule
def mixtures_of_events(statement: EventsAndTests, *evidence: Evidence) -> Evidence:
    """Events are the tests with values 0 and 1. Any test is a mean of events: φ = ∫ 1{φ > u} du over 0 < u <
    1. So E_Q φ = ∫ Q(φ > u) du ≤ ∫ f(P(φ > u)) du ≤ f(E_P φ), the last because f is concave: owed for means
    of two, which gives means of finitely many by induction, and of all u as f is continuous.
    """
    return derived(statement, [two_events(statement)], evidence, "mixtures_of_events")
