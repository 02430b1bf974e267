"""What holds between two laws P and Q: words of privacy, and whether two finite laws have them, in Arb."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import accumulate, combinations
from math import inf
from typing import Any

import flint

from establish.proofs_check.engine.statements.domain import number_or
from establish.proofs_check.engine.statements.statement import Side
from establish.spec.arithmetic import ARB

MEASURED = {
    "renyi": "the Rényi divergence of order {0} of {P} from {Q}",
    "greatest loss": "the Rényi divergence of order ∞ of {P} from {Q}, the largest ln({P}(S)/{Q}(S)),",
    "mean loss": "KL({P}‖{Q})",
    "approximate": "the largest {P}(S) − e^({0})·{Q}(S)",
}
"""What a bound is of, in words, by kind."""

SAID = {
    "pure": "{P}(S) ≤ e^({0})·{Q}(S) for every event S",
    "approximate": "{P}(S) ≤ e^({0})·{Q}(S) + {1} for every event S",
    "renyi": MEASURED["renyi"] + " is at most {1}",
    "greatest loss": MEASURED["greatest loss"] + " is at most {0}",
    "concentrated": "D_{a}({P}‖{Q}) ≤ {a}·({0}) for every order {a} > 1",
    "mean loss": MEASURED["mean loss"] + " ≤ {0}",
    "events": "{P}(S) ≤ {0} for every event S with {Q}(S) > 0",
}
"""The kinds, in words."""

FEW = 6
"""Outcomes of which all events are looked at; of more, those of the largest or the smallest losses."""

STEP = Fraction(26, 25)
"""How far apart the orders lie at which a concentrated guarantee is looked at."""

Law = tuple[Fraction, ...]
"""The probabilities of finitely many outcomes."""


@dataclass(frozen=True)
class Guarantee:
    """kind: one of SAID. numbers: what it says, as formulas of a world and the parameters; that of events is
    one of Q(S) too.
    """

    kind: str
    numbers: tuple[Any, ...]


def pure(epsilon: Side) -> Guarantee:
    """P(S) ≤ e^ε·Q(S) for every event S."""
    return Guarantee("pure", (number_or(epsilon, "epsilon"),))


def approximate(epsilon: Side, delta: Side) -> Guarantee:
    """P(S) ≤ e^ε·Q(S) + δ for every event S; with ε = 0 the total variation is at most δ."""
    return Guarantee("approximate", (number_or(epsilon, "epsilon"), number_or(delta, "delta")))


def renyi(order: Side | float, most: Side) -> Guarantee:
    """The Rényi divergence D_a(P‖Q) of one order a > 1 is at most ``most``; of order ``math.inf`` it is the
    largest ln(P(S)/Q(S)), so that a bound ε says what ``pure(ε)`` does.
    """
    if order == inf:
        return Guarantee("greatest loss", (number_or(most, "most"),))
    return Guarantee("renyi", (number_or(order, "order"), number_or(most, "most")))  # type: ignore[arg-type]


def concentrated(rho: Side) -> Guarantee:
    """D_a(P‖Q) ≤ a·ρ for every order a > 1: zero-concentrated privacy."""
    return Guarantee("concentrated", (number_or(rho, "rho"),))


def mean_loss(most: Side) -> Guarantee:
    """KL(P‖Q), the mean of ln(p/q) under P, is at most ``most``."""
    return Guarantee("mean loss", (number_or(most, "most"),))


def events(most: Callable[..., Any]) -> Guarantee:
    """P(S) ≤ most(c, …, Q(S)) for every event S with Q(S) > 0: a formula that takes Q(S) last."""
    return Guarantee("events", (number_or(most, "most"),))


def kept(kind: str, numbers: Sequence[Any], first: Law, second: Law) -> bool | None:
    """Whether two finite laws have a guarantee with these numbers, balls of Arb, or functions of a ball for
    events; None where that is open.
    """
    if kind == "events":
        return _on_events(numbers[0], first, second)
    if kind != "concentrated":
        return at_most(
            least("greatest loss" if kind == "pure" else kind, numbers, first, second), numbers[-1]
        )
    if first == second:
        return at_most(ARB.number(0), numbers[0])
    if any(p and not q for p, q in zip(first, second, strict=True)):
        return False
    return _concentrated(_losses(first, second), numbers[0])


def least(kind: str, numbers: Sequence[Any], first: Sequence[Any], second: Sequence[Any]) -> Any:
    """The least bound with which two finite laws have a guarantee of a kind of MEASURED, as a ball.

    first, second: probabilities, rationals or balls. It is infinite where P has an outcome that Q has not.
    """
    both = [(p, q) for p, q in zip(first, second, strict=True) if p != 0]
    if kind == "approximate":
        more = (ARB.number(p) - ARB.exp(numbers[0]) * ARB.number(q) for p, q in both)
        return sum((ARB.maximum(ARB.number(0), one) for one in more), ARB.number(0))
    if any(q == 0 for _, q in both):
        return flint.arb.pos_inf()
    if kind == "renyi" and not numbers[0] > 1:
        return flint.arb.nan()
    losses = _losses(first, second)
    if first == second:
        return ARB.number(0)
    if kind == "greatest loss":
        return reduce(ARB.maximum, (loss for _, loss in losses))
    if kind == "mean loss":
        return sum((ARB.exp(p) * loss for p, loss in losses), ARB.number(0))
    return _divergence(losses, numbers[0])


def at_most(found: Any, most: Any) -> bool | None:
    return True if found <= most else False if found > most else None


def _losses(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[Any, Any]]:
    """ln p and ln(p/q) of the outcomes that P has."""
    both = [(p, q) for p, q in zip(first, second, strict=True) if p != 0]
    return [(ARB.log(ARB.number(p)), ARB.log(ARB.number(p / q))) for p, q in both]


def _events(first: Law, second: Law) -> Iterator[tuple[int, ...]]:
    """All events of few outcomes; of more, each with the outcomes of larger losses, and of smaller ones."""
    places = range(len(first))
    if len(first) <= FEW:
        yield from (event for size in places for event in combinations(places, size + 1))
        return
    by_loss = sorted(places, key=lambda i: first[i] / second[i] if second[i] else inf)
    for order in (by_loss, by_loss[::-1]):
        yield from accumulate(((i,) for i in order), lambda before, one: before + one)


def _on_events(most: Callable[[Any], Any], first: Law, second: Law) -> bool | None:
    told: set[bool | None] = {True} if len(first) <= FEW else {None}
    for event in _events(first, second):
        share, other = (sum((law[i] for i in event), Fraction(0)) for law in (first, second))
        if other > 0:
            told.add(at_most(ARB.number(share), most(ARB.number(other))))
    return False if False in told else None if None in told else True


def _divergence(losses: Sequence[tuple[Any, Any]], order: Any) -> Any:
    """D_a from ln p and ln(p/q) of the outcomes: Σ p·(p/q)^(a − 1)."""
    more = order - 1
    return ARB.log(sum((ARB.exp(p + more * loss) for p, loss in losses), ARB.number(0))) / more


def _concentrated(losses: Sequence[tuple[Any, Any]], rho: Any) -> bool | None:
    """D_a does not fall as a grows, and is at most the greatest loss: so D_b ≤ a·ρ is enough for all orders
    from a to b, and none from the greatest loss over ρ on is asked.
    """
    if not rho > 0:
        return None
    greatest, order, certain = max(loss.upper() for _, loss in losses), ARB.number(1), True
    while not order * rho >= greatest:
        after = order * ARB.number(STEP)
        found = _divergence(losses, after)
        if found > after * rho:
            return False
        certain, order = certain and bool(found <= order * rho), after
    return True if certain else None
