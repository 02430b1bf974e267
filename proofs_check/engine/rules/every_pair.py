"""What a guarantee between two laws implies, whatever the laws are. P and Q have densities p and q with
respect to P + Q, and sums stand for integrals.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from establish.proofs_check.engine.rules.privacy import beside
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import Comparison, PairsOfLaws, Real
from establish.proofs_check.engine.statements.domain import constant
from establish.proofs_check.engine.statements.statement import Formula, Side, require_spec_only
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.privacy_conversions import (
    log_greatest_share,
    log_moment,
    pure_to_concentrated,
    randomized_response_delta,
)

Owed = tuple[Comparison, ...]
OTHER = "speaks of"
"""How a rule begins to say that it is not about a statement."""


def compares(statement: PairsOfLaws) -> Callable[[Side, str, Side], Comparison]:
    return lambda left, relation, right: Comparison(statement.domain, left, relation, right)


def kinds_of(statement: PairsOfLaws, name: str, laws: Sequence[str], kinds: Sequence[tuple[str, str]]) -> Any:
    """The guarantee given and that of the conclusion, where order ∞ is read as pure: ln(P(S)/Q(S)) is at most
    ε for every event with P(S) > 0 exactly where P(S) ≤ e^ε·Q(S) for every event. Raises RuleError for others
    than the rule speaks of.
    """
    *given, then = (
        replace(one, kind="pure") if one.kind == "greatest loss" else one
        for one in (*statement.given, statement.then)
    )
    pair = (given[0].kind, then.kind)
    alike = {one.kind for one in given} == {pair[0]}
    if statement.laws not in laws or pair not in kinds or not alike:
        raise RuleError(
            f"{name}: {OTHER} {', '.join(laws)} and of {'; '.join(map(' to '.join, kinds))}: {statement.text}"
        )
    return given[0], then


SAME = tuple((kind, kind) for kind in ("pure", "approximate", "renyi", "concentrated", "mean loss"))
WEAKER = (*SAME, ("pure", "approximate"), ("concentrated", "renyi"))


def weaker_numbers(statement: PairsOfLaws) -> Owed:
    """What `weaker` owes, or `mapped`: no number of the conclusion says more than that of what is given."""
    given, then = kinds_of(statement, "weaker", ("pair", "mapped", "mixed"), WEAKER)
    compare = compares(statement)
    if given.kind == "renyi":
        above = compare(1, "<", given.numbers[0])
        return (
            above,
            compare(given.numbers[0], "==", then.numbers[0]),
            compare(given.numbers[1], "<=", then.numbers[1]),
        )
    if (given.kind, then.kind) == ("concentrated", "renyi"):
        order, most = then.numbers
        return compare(1, "<", order), compare(
            lambda c, *v: order(c, *v) * given.numbers[0](c, *v), "<=", most
        )
    numbers = (*given.numbers, 0)[: len(then.numbers)]
    return tuple(compare(one, "<=", other) for one, other in zip(numbers, then.numbers, strict=True))


@rule
def weaker(statement: PairsOfLaws, *evidence: Evidence) -> Evidence:
    """A larger ε, δ, ρ or bound says less; pure privacy is approximate with every δ ≥ 0; and a concentrated
    guarantee is, at one order a, a bound a·ρ. Order ∞ is pure privacy, in every rule: ln(P(S)/Q(S)) is at
    most ε for every event with P(S) > 0 exactly where P(S) ≤ e^ε·Q(S) for every event.
    """
    kinds_of(statement, "weaker", ("pair",), WEAKER)
    return derived(statement, weaker_numbers(statement), evidence, "weaker")


@rule
def mapped(statement: PairsOfLaws, *evidence: Evidence) -> Evidence:
    """Each guarantee bounds Σ g(p, q) of a convex function g that is homogeneous of degree 1: max(0, p −
    e^ε·q) by δ or by 0, p^a·q^(1 − a) by e^((a − 1)r), p·ln(p/q). So g(Σ x_i, Σ y_i) ≤ Σ g(x_i, y_i), and
    g(tx, ty) = t·g(x, y). A randomized map sends the outcome o to o' with a probability K(o'|o), and g of
    its laws at o' is at most Σ_o K(o'|o)·g(p(o), q(o)); summed over o' that is Σ g(p, q). A coin t that
    picks one of two pairs makes a pair whose sum is at most t times the one sum and 1 − t times the
    other, and so within their bound.
    """
    kinds_of(statement, "mapped", ("mapped", "mixed"), WEAKER)
    return derived(statement, weaker_numbers(statement), evidence, "mapped")


BY_ORDER = (
    *(("pure", "renyi"), ("pure", "mean loss"), ("renyi", "renyi"), ("renyi", "mean loss")),
    ("concentrated", "mean loss"),
)


def lower_order(statement: PairsOfLaws) -> Owed:
    """What `by_order` owes: an order above 1 that is at most the one given, and a bound at least as large."""
    given, then = kinds_of(statement, "by_order", ("pair",), BY_ORDER)
    compare = compares(statement)
    orders = [one.numbers[0] for one in (then, given) if one.kind == "renyi"]
    falls = (compare(orders[0], "<=", orders[1]),) if len(orders) == 2 else ()
    above = (compare(1, "<", orders[0]),) if orders else ()
    return *above, *falls, compare(given.numbers[-1], "<=", then.numbers[-1])


@rule
def by_order(statement: PairsOfLaws, *evidence: Evidence) -> Evidence:
    """(a − 1)·D_a = ln E_P[e^((a − 1)Z)], with the loss Z = ln(p/q), is convex in a − 1 and 0 at a = 1.
    So D_a, its chord from there, does not fall as a grows: it is least at its limit KL = E_P[Z] as a
    tends to 1, and at most the greatest loss. A concentrated guarantee gives KL ≤ a·ρ for every a > 1, so
    KL ≤ ρ.
    """
    return derived(statement, lower_order(statement), evidence, "by_order")


BY_CHORD = (
    *(("pure", kind) for kind in ("renyi", "concentrated", "mean loss", "approximate")),
    ("approximate", "approximate"),
)


def chord(statement: PairsOfLaws) -> Owed:
    """What `by_chord` owes: what randomized response has, beside the bound. Raises RuleError where guarantees
    are meant one way round only.
    """
    given, then = kinds_of(statement, "by_chord", ("pair",), BY_CHORD)
    if not statement.both:
        raise RuleError("by_chord: needs guarantees both ways round")
    compare, epsilon, level = compares(statement), given.numbers[0], then.numbers[0]
    least = compare(0, "<=", epsilon)
    if then.kind == "renyi":
        moment = compare(
            lambda c, *v: log_moment(level(c, *v), epsilon(c, *v), c),
            "<=",
            lambda c, *v: (level(c, *v) - 1) * then.numbers[1](c, *v),
        )
        return least, compare(1, "<", level), moment
    if then.kind != "approximate":
        return least, compare(lambda c, *v: pure_to_concentrated(epsilon(c, *v), c), "<=", then.numbers[0])
    delta: Formula = given.numbers[1] if given.kind == "approximate" else constant(0)

    def least_delta(c: Any, *v: Any) -> Any:
        return randomized_response_delta(level(c, *v), epsilon(c, *v), delta(c, *v), c)

    share = (compare(0, "<=", delta), compare(delta, "<", 1)) if given.kind == "approximate" else ()
    return least, *share, compare(0, "<=", level), compare(least_delta, "<=", then.numbers[1])


@rule
def by_chord(statement: PairsOfLaws, *evidence: Evidence) -> Evidence:
    """Both ways round, pure ε keeps L = p/q between e^−ε and e^ε, where a convex f lies below its chord:
    as E_Q[L] = 1, E_Q[f(L)] is at most that of randomized response, which has the two ends alone. L^a
    gives its Rényi divergence, which is at most a·ε·tanh(ε/2), and L·ln L its KL, ε·tanh(ε/2); max(0, L −
    e^level) gives δ. Under (ε, δ) a test has a false negative rate of at least max(0, 1 − δ − e^ε·x,
    e^−ε·(1 − δ − x)) where x is its false positive rate, and δ at a level is largest at a corner of that.
    ``spec/privacy_conversions.py`` shows each step.
    """
    return derived(statement, chord(statement), evidence, "by_chord")


BY_SQUARE = BY_CHORD[:3]


def half_square(statement: PairsOfLaws) -> Owed:
    """What `by_square` owes: ε²/2, or a·ε²/2 at an order a > 1, beside the bound. Raises RuleError as
    `chord`.
    """
    given, then = kinds_of(statement, "by_square", ("pair",), BY_SQUARE)
    if not statement.both:
        raise RuleError("by_square: needs guarantees both ways round")
    compare, epsilon = compares(statement), given.numbers[0]
    times: Formula = then.numbers[0] if then.kind == "renyi" else constant(1)
    above = (compare(1, "<", times),) if then.kind == "renyi" else ()

    def half(c: Any, *v: Any) -> Any:
        return times(c, *v) * epsilon(c, *v) * epsilon(c, *v) / 2

    return *above, compare(0, "<=", epsilon), compare(half, "<=", then.numbers[-1])


@rule
def by_square(statement: PairsOfLaws, *evidence: Evidence) -> Evidence:
    """Pure ε both ways round gives D_a ≤ a·ε·tanh(ε/2) at every order a > 1, by the rule `by_chord`, and
    so KL ≤ ε·tanh(ε/2); and tanh(x) ≤ x for x ≥ 0, as its slope is at most 1.
    """
    return derived(statement, half_square(statement), evidence, "by_square")


def share(statement: PairsOfLaws, order: Formula | None = None) -> Owed:
    """What `by_share` owes, at an order of a concentrated guarantee: ln of the δ by that order, beside ln
    δ.
    """
    given, then = kinds_of(
        statement, "by_share", ("pair",), (("renyi", "approximate"), ("concentrated", "approximate"))
    )
    if (order is None) != (given.kind == "renyi"):
        raise RuleError(
            "by_share: give an order a > 1 for a concentrated guarantee, and none for one of Rényi"
        )
    if order is not None:
        require_spec_only(order)
    compare, (level, delta) = compares(statement), then.numbers
    at: Formula = given.numbers[0] if order is None else order

    def most(c: Any, *v: Any) -> Any:
        return given.numbers[1](c, *v) if order is None else order(c, *v) * given.numbers[0](c, *v)

    def log_delta(c: Any, *v: Any) -> Any:
        return (at(c, *v) - 1) * (most(c, *v) - level(c, *v)) + log_greatest_share(at(c, *v), c)

    return (
        compare(1, "<", at),
        compare(0, "<", delta),
        compare(log_delta, "<=", lambda c, *v: c.log(delta(c, *v))),
    )


@rule
def by_share(statement: PairsOfLaws, *evidence: Evidence, order: Formula | None = None) -> Evidence:
    """P(S) − e^level·Q(S) is at most E_P[max(0, 1 − e^(level − Z))] with the loss Z = ln(p/q). With t =
    e^(level − z), 1 − t is at most the greatest (1 − t)·t^(a − 1), which is (1 − 1/a)^(a − 1)/a, times
    e^((a − 1)(z − level)); and E_P[e^((a − 1)Z)] = e^((a − 1)D_a).
    """
    return derived(statement, share(statement, order), evidence, "by_share")


BY_EVENT = (("pure", "events"), ("renyi", "events"), ("concentrated", "events"))


def on_events(statement: PairsOfLaws, order: Formula | None = None) -> Owed:
    """What `by_event` owes for every 0 < Q(S) < 1: the bound is positive, and at least the one that is known,
    by logarithms; and where Q(S) = 1, the bound is at least 1. order: as in `share`, a formula of Q(S) too.
    """
    given, then = kinds_of(statement, "by_event", ("pair",), BY_EVENT)
    if (order is None) == (given.kind == "concentrated"):
        raise RuleError("by_event: give an order a > 1 for a concentrated guarantee, and no other")
    if order is not None:
        require_spec_only(order)
    inside = beside(statement.domain, Real("Q(S)", above=0, below=1))
    most, (bound,) = given.numbers[-1], then.numbers

    def at(c: Any, *v: Any) -> Any:
        return given.numbers[0](c, *v[:-1]) if order is None else order(c, *v)

    def log_most(c: Any, *v: Any) -> Any:
        if given.kind == "pure":
            return most(c, *v[:-1]) + c.log(v[-1])
        times = 1 if order is None else at(c, *v)
        return (1 - 1 / at(c, *v)) * (times * most(c, *v[:-1]) + c.log(v[-1]))

    above = () if given.kind == "pure" else (Comparison(inside, 1, "<", at),)
    return (
        *above,
        Comparison(inside, 0, "<", bound),
        Comparison(inside, log_most, "<=", lambda c, *v: c.log(bound(c, *v))),
        compares(statement)(1, "<=", lambda c, *v: bound(c, *v, c.number(1))),
    )


@rule
def by_event(statement: PairsOfLaws, *evidence: Evidence, order: Formula | None = None) -> Evidence:
    """An event S makes of P and Q two coins, of x = P(S) and y = Q(S), whose D_a is at most the bound r of
    that of P and Q. Of the two terms of e^((a − 1)·D_a), one alone is x^a·y^(1 − a) ≤ e^((a − 1)r), so that
    x ≤ (e^r·y)^(1 − 1/a). Under a concentrated guarantee r = a·ρ at every a > 1, so also at one that depends
    on y. Under a pure one, x ≤ e^ε·y. Where y = 1, x is at most 1. As a theorem about numbers: for a > 1, 0 ≤
    x ≤ 1 and 0 < y < 1, x^a·y^(1 − a) + (1 − x)^a·(1 − y)^(1 − a) ≤ e^((a − 1)r) implies that bound.
    """
    return derived(statement, on_events(statement, order), evidence, "by_event")


def square(statement: PairsOfLaws) -> Owed:
    """What `by_pinsker` owes: KL ≤ 2δ², a δ ≥ 0 and a level ≥ 0."""
    given, then = kinds_of(statement, "by_pinsker", ("pair",), (("mean loss", "approximate"),))
    compare, (level, delta) = compares(statement), then.numbers
    twice = compare(given.numbers[0], "<=", lambda c, *v: 2 * delta(c, *v) * delta(c, *v))
    return compare(0, "<=", level), compare(0, "<=", delta), twice


@rule
def by_pinsker(statement: PairsOfLaws, *evidence: Evidence) -> Evidence:
    """An event S makes of P and Q two coins, of x = P(S) and y = Q(S), whose KL is at most that of P and
    Q, and x·ln(x/y) + (1 − x)·ln((1 − x)/(1 − y)) ≥ 2(x − y)²: at y = x both are 0, and the slope in y of
    the difference, (y − x)·(1/(y(1 − y)) − 4), has the sign of y − x. So P(S) ≤ Q(S) + √(KL/2).
    """
    return derived(statement, square(statement), evidence, "by_pinsker")


OF_PAIRS: dict[str, tuple[Callable[..., Evidence], Callable[..., Owed]]] = {
    "weaker": (weaker, weaker_numbers),
    "by_square": (by_square, half_square),
    "mapped": (mapped, weaker_numbers),
    "by_order": (by_order, lower_order),
    "by_chord": (by_chord, chord),
    "by_share": (by_share, share),
    "by_event": (by_event, on_events),
    "by_pinsker": (by_pinsker, square),
}
"""By name: each of these rules, and what it owes."""
