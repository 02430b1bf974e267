"""What holds between two laws P and Q: words of privacy, and whether two finite laws have them, in Arb."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.domain import number_or
from establish.proofs_check.engine.statements.statement import Side
from establish.spec.arithmetic import ARB

SAID = {
    "pure": "{P}(S) ≤ e^({0})·{Q}(S) for every event S",
    "approximate": "{P}(S) ≤ e^({0})·{Q}(S) + {1} for every event S",
    "renyi": "the Rényi divergence of order {0} of {P} from {Q} is at most {1}",
    "concentrated": "D_{a}({P}‖{Q}) ≤ {a}·({0}) for every order {a} > 1",
    "mean loss": "KL({P}‖{Q}) ≤ {0}",
}
"""The kinds, in words."""

STEP = Fraction(26, 25)
"""How far apart the orders lie at which a concentrated guarantee is looked at."""

Law = tuple[Fraction, ...]
"""The probabilities of finitely many outcomes."""


@dataclass(frozen=True)
class Guarantee:
    """kind: one of SAID. numbers: what it says, as formulas of a world and the parameters."""

    kind: str
    numbers: tuple[Any, ...]


def pure(epsilon: Side) -> Guarantee:
    """P(S) ≤ e^ε·Q(S) for every event S."""
    return Guarantee("pure", (number_or(epsilon, "epsilon"),))


def approximate(epsilon: Side, delta: Side) -> Guarantee:
    """P(S) ≤ e^ε·Q(S) + δ for every event S; with ε = 0 the total variation is at most δ."""
    return Guarantee("approximate", (number_or(epsilon, "epsilon"), number_or(delta, "delta")))


def renyi(order: Side, most: Side) -> Guarantee:
    """The Rényi divergence D_a(P‖Q) of one order a > 1 is at most ``most``."""
    return Guarantee("renyi", (number_or(order, "order"), number_or(most, "most")))


def concentrated(rho: Side) -> Guarantee:
    """D_a(P‖Q) ≤ a·ρ for every order a > 1: zero-concentrated privacy."""
    return Guarantee("concentrated", (number_or(rho, "rho"),))


def mean_loss(most: Side) -> Guarantee:
    """KL(P‖Q), the mean of ln(p/q) under P, is at most ``most``."""
    return Guarantee("mean loss", (number_or(most, "most"),))


def kept(kind: str, numbers: Sequence[Any], first: Law, second: Law) -> bool | None:
    """Whether two finite laws have a guarantee with these numbers, balls of Arb; None where that is open."""
    level, *rest = numbers
    both = [(ARB.number(p), ARB.number(q)) for p, q in zip(first, second, strict=True) if p]
    if kind in ("pure", "approximate"):
        more = [p - ARB.exp(level) * q for p, q in both]
        if kind == "pure":
            told = [_at_most(one, ARB.number(0)) for one in more]
            return False if False in told else None if None in told else True
        return _at_most(sum((ARB.maximum(ARB.number(0), one) for one in more), ARB.number(0)), rest[0])
    if first == second:
        return _at_most(ARB.number(0), numbers[-1])
    if kind == "renyi" and not level > 1:
        return None
    if any(p and not q for p, q in zip(first, second, strict=True)):
        return False
    losses = [(ARB.log(p), ARB.log(p / q)) for p, q in both]
    if kind == "renyi":
        return _at_most(_divergence(losses, level), rest[0])
    if kind == "mean loss":
        return _at_most(sum((p * ARB.log(p / q) for p, q in both), ARB.number(0)), level)
    return _concentrated(losses, level)


def _at_most(found: Any, most: Any) -> bool | None:
    return True if found <= most else False if found > most else None


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
