"""What is claimed of every mechanism of ours for counts: privacy under strong and under weak neighbors."""

from typing import Any, NamedTuple

from establish.proofs_check.engine.statements import Private, Rational, Satisfies, within


class Privacies(NamedTuple):
    """Strong privacy for counts over establishment attributes, weak privacy for all counts."""

    strong: Satisfies
    weak: Satisfies


def private(name: str, mechanism: Any) -> Privacies:
    """The mechanism, made of α and ε, is (α, ε)-ER-EE private in its domain."""

    def under(neighbors: str, queries: str) -> Satisfies:
        return Private(
            Rational("α", above=0),
            Rational("ε", above=0),
            name=name,
            mechanism=mechanism,
            alpha=lambda alpha, epsilon: alpha,
            neighbors=neighbors,
            queries=queries,
            level=lambda c, alpha, epsilon: c.number(epsilon),
            given=within(mechanism.domain),
        )

    return Privacies(under("strong", "establishment"), under("weak", "worker"))
