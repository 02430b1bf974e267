"""Guarantees of laws made from several pairs: steps in turn, steps in a row, and what lies between."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from establish.proofs_check.engine.methods import solver
from establish.proofs_check.engine.rules.every_pair import OF_PAIRS, OTHER, SAME, Owed, compares, kinds_of
from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements.domain import as_tree
from establish.proofs_check.engine.statements.every_pair import PairsOfLaws, over
from establish.proofs_check.engine.statements.guarantees import Guarantee
from establish.proofs_check.engine.statements.statement import Formula, require_spec_only
from establish.proofs_check.engine.verdicts import Evidence
from establish.proofs_check.terms.formula import Tree


def _sum(*formulas: Formula) -> Formula:
    return lambda c, *v: sum((f(c, *v) for f in formulas[1:]), formulas[0](c, *v))


def _least(count: Tree) -> Tree:
    """What is at least 1 only where a number of stages is: of a power of a number ≥ 1, its exponent."""
    term = count.term
    if term.op == "^" and term.args[0].op == "number" and term.args[0].data >= 1:
        return replace(count, term=term.args[1])
    return count


def added(statement: PairsOfLaws) -> Owed:
    """What `in_turn` owes: the bounds of all stages add up to at most the bound of the whole."""
    _, then = kinds_of(statement, "in_turn", ("in turn",), SAME)
    compare, count, given = compares(statement), statement.times, statement.given

    def total(place: int) -> Formula:
        own = [one.numbers[place] for one in given]
        return _sum(*own) if count is None else lambda c, *v: count(c, *v) * own[0](c, *v)

    orders = then.kind == "renyi"
    same = [compare(one.numbers[0], "==", then.numbers[0]) for one in given] if orders else []
    above = [compare(1, "<", then.numbers[0])] if orders else []
    least = [] if count is None else [compare(1, "<=", _least(count))]
    places = range(1 if orders else 0, len(then.numbers))
    return (*above, *same, *least, *(compare(total(place), "<=", then.numbers[place]) for place in places))


@rule
def in_turn(statement: PairsOfLaws, *evidence: Evidence) -> Evidence:
    """With p(x, y) = p_1(x)·p_2(y|x), and q alike. Pure: the two ratios multiply. Approximate: P_2(S_x|x)
    ≤ min(1, e^ε_2·Q_2(S_x|x)) + δ_2, and the mean under P_1 of a function between 0 and 1 is at most
    e^ε_1 times that under Q_1, plus δ_1. Rényi: Σ_x p_1^a·q_1^(1 − a)·Σ_y p_2^a·q_2^(1 − a), whose inner
    sum is at most e^((a − 1)r_2) for every x; so at every order of a concentrated guarantee. KL: the mean
    of a sum of two losses. By induction for more than two.
    """
    return derived(statement, added(statement), evidence, "in_turn")


ROWS = tuple((kind, kind) for kind in ("pure", "approximate", "renyi", "concentrated"))


def beside_the_next(statement: PairsOfLaws, doublings: Formula | None = None) -> Owed:
    """What `in_a_row` owes: what the guarantees of all steps come to, beside the bound. doublings: of Rényi
    bounds, a whole number m ≥ 0 with at most 2^m steps; without it, two steps are joined as they are.
    """
    given, then = kinds_of(statement, "in_a_row", ("in a row",), ROWS)
    compare, count = compares(statement), statement.times
    if then.kind == "renyi":
        return _triangle(statement) if doublings is None else _doubled(statement, doublings)
    if doublings is not None:
        raise RuleError("in_a_row: doublings are for Rényi bounds")
    kind, first = then.kind, [one.numbers[0] for one in statement.given]
    signs = (
        () if kind == "pure" else tuple(compare(0, "<=", n) for one in statement.given for n in one.numbers)
    )
    if count is not None:
        power = 2 if kind == "concentrated" else 1
        level = compare(lambda c, *v: c.power(count(c, *v), power) * first[0](c, *v), "<=", then.numbers[0])
        owed = (*signs, compare(1, "<=", _least(count)), level)
        if kind != "approximate":
            return owed

        def leaked(c: Any, *v: Any) -> Any:
            return count(c, *v) * c.exp((count(c, *v) - 1) * first[0](c, *v)) * given.numbers[1](c, *v)

        return *owed, compare(leaked, "<=", then.numbers[1])
    if kind == "concentrated":
        roots = _sum(*((lambda c, *v, rho=rho: c.sqrt(rho(c, *v))) for rho in first))
        return *signs, compare(lambda c, *v: c.power(roots(c, *v), 2), "<=", then.numbers[0])
    owed = (*signs, compare(_sum(*first), "<=", then.numbers[0]))
    ways = (statement.given, statement.given[::-1]) if statement.both else (statement.given,)
    leaks = () if kind == "pure" else tuple(compare(_leaked(way), "<=", then.numbers[1]) for way in ways)
    return *owed, *leaks


def _leaked(given: Sequence[Guarantee]) -> Formula:
    """δ_1 + e^ε_1·δ_2 + e^(ε_1 + ε_2)·δ_3 + …"""

    def total(c: Any, *v: Any) -> Any:
        before = accumulate((one.numbers[0](c, *v) for one in given[:-1]), initial=c.number(0))
        parts = (c.exp(e) * one.numbers[1](c, *v) for e, one in zip(before, given, strict=True))
        return sum(parts, c.number(0))

    return total


def _triangle(statement: PairsOfLaws) -> Owed:
    """Of Rényi bounds at orders b, d of P beside R and of R beside Q, one way round."""
    if statement.both or statement.times is not None or len(statement.given) != 2:
        raise RuleError(
            "in_a_row: Rényi bounds are joined for two steps, one way round: both=False; for up to 2^m steps "
            "give doublings=lambda c, …: m"
        )
    compare, ((b, r), (d, s), (a, most)) = (
        compares(statement),
        (one.numbers for one in (*statement.given, statement.then)),
    )

    def product_of_orders(c: Any, *v: Any) -> Any:
        return d(c, *v) * (b(c, *v) - a(c, *v))

    def bound(c: Any, *v: Any) -> Any:
        at = a(c, *v)
        return at * (b(c, *v) - 1) / (b(c, *v) * (at - 1)) * r(c, *v) + s(c, *v)

    return (
        compare(1, "<", a),
        compare(a, "<", b),
        compare(product_of_orders, "==", lambda c, *v: a(c, *v) * (b(c, *v) - 1)),
        compare(bound, "<=", most),
    )


def _doubled(statement: PairsOfLaws, doublings: Formula) -> Owed:
    """Of Rényi bounds of at most 2^m steps, of the order 2^m·a or more each, at the order a ≥ 3/2."""
    domain, times = statement.domain, as_tree(doublings, statement.domain.terms)
    whole = [term for term, v in zip(domain.terms, domain.variables, strict=True) if v.field == "ℤ"]
    number = times.term.data if times.term.op == "number" else None
    if not any(times.term is term for term in whole) and (number is None or number.denominator != 1):
        raise RuleError(
            "in_a_row: doublings must be a whole number or an Integer of the statement, such as "
            f"lambda c, a, r, n: n: {statement.text}"
        )
    compare, (a, most) = compares(statement), statement.then.numbers
    count: Formula = statement.times or (lambda c, *_: c.number(len(statement.given)))
    each = [
        owed
        for b, r in (one.numbers for one in statement.given)
        for owed in (
            compare(lambda c, *v, b=b: c.power(2, times(c, *v)) * a(c, *v), "<=", b),
            compare(0, "<=", r),
            compare(lambda c, *v, r=r: c.power(3, times(c, *v)) * r(c, *v), "<=", most),
        )
    ]
    return (
        compare(lambda c, *_: c.number(3) / 2, "<=", a),
        compare(0, "<=", times),
        compare(count, "<=", lambda c, *v: c.power(2, times(c, *v))),
        *each,
    )


@rule
def in_a_row(statement: PairsOfLaws, *evidence: Evidence, doublings: Formula | None = None) -> Evidence:
    """Pure and approximate: P(S) ≤ e^ε_1·R(S) + δ_1 and R(S) ≤ e^ε_2·Q(S) + δ_2, one put into the other;
    so k steps leak δ·(1 + e^ε + … ) ≤ k·e^((k − 1)ε)·δ. Rényi, by Hölder with m = b/a and 1/m + 1/n = 1:
    p^a·q^(1 − a) is (p^a·r^(1/m − a))·(r^(a − 1/m)·q^(1 − a)), so that (a − 1)·D_a(P‖Q) ≤ (a −
    1/m)·D_b(P‖R) + (a − 1)·D_d(R‖Q), with b = m·a and d = n·(a − 1/m), which is d·(b − a) = a·(b − 1).
    With D_b ≤ b·ρ_1 and D_d ≤ d·ρ_2, and s = (m − 1)·a/(a − 1), that is D_a ≤ a·(ρ_1·(1 + s) + ρ_2·(1 +
    1/s)): at s = √(ρ_2/ρ_1), or as s tends to 0 or ∞ where one ρ is 0, a·(√ρ_1 + √ρ_2)². By induction for
    more steps: k of them have k²·ρ. With m = 2, b = 2a and d = 2a − 1: as D_d ≤ D_2a, two steps whose D_2a is
    at most r ≥ 0 have D_a ≤ r·(a − 1/2)/(a − 1) + r, and that is at most 3r where a ≥ 3/2. So 2^m steps, and
    fewer, where a law is repeated, have D_a ≤ 3^m·r where each has D_b ≤ r at an order b ≥ 2^m·a: the halves
    have D_2a ≤ 3^(m − 1)·r. As a theorem about a list of laws, by induction on m: where each beside the next
    has D_b ≤ r for b ≥ 2^m·a, the first beside the last has D_a ≤ 3^m·r.
    """
    return derived(statement, beside_the_next(statement, doublings), evidence, "in_a_row")


def steps_between(
    statement: PairsOfLaws, given: Sequence[Guarantee], then: Guarantee
) -> tuple[PairsOfLaws, ...]:
    """What `through` owes: each guarantee that is given implies that of ``given`` in its place; with
    these the laws have ``then``; and that implies the conclusion. What implies itself is left out.
    """
    if len(given) != len(statement.given):
        raise RuleError(f"through: {len(given)} guarantees between, and {len(statement.given)} are given")
    for number in (number for one in (*given, then) for number in one.numbers):
        require_spec_only(number)
    given, then = [over(statement.domain, one) for one in given], over(statement.domain, then)
    middle = replace(statement, given=tuple(given), then=then)
    pair = replace(statement, laws="pair", times=None)
    each = [
        replace(pair, given=(one,), then=other) for one, other in zip(statement.given, given, strict=True)
    ]
    last = replace(pair, given=(then,))
    same = [replace(pair, given=(one,), then=one).identity for one in (*given, then)]
    return tuple(one for one in (*each, middle, last) if one.identity not in same)


@rule
def through(
    statement: PairsOfLaws, given: Sequence[Guarantee], then: Guarantee, *evidence: Evidence
) -> Evidence:
    """What is given implies other guarantees, the laws made from pairs with these have a third, and that
    implies the conclusion.
    """
    return derived(statement, steps_between(statement, given, then), evidence, "through")


def follows(
    statement: PairsOfLaws,
    *hints: Formula,
    order: Formula | None = None,
    doublings: Formula | None = None,
    by: str = "",
) -> Evidence:
    """The statement by the rule that speaks of its kinds of guarantees, with what that owes shown by the
    solver.

    hints: terms of which the solver is told, as in ``solver.proves``. order: of a concentrated guarantee
    that is turned into δ, or into a bound on events. doublings: of steps in a row, as in
    `beside_the_next`. by: the rule's name, where several speak of the kinds; the first of RULES_OF by
    default. Raises RuleError where none does.
    """
    told: list[str] = []
    open_: list[Evidence] = []
    hinted = {"order": order, "doublings": doublings}
    for name, (apply, owes) in RULES_OF.items():
        extra = {key: value for key, value in hinted.items() if name in HINTED[key]}
        try:
            owed = owes(statement, **extra) if by in ("", name) else None
            if owed is not None:
                found = apply(statement, *(solver.shows(one, *hints) for one in owed), **extra)
                if found.established:
                    return found
                open_.append(found)
        except RuleError as error:
            told.append(str(error))
    if open_:
        return open_[0]
    other = [one for one in told if OTHER not in one]
    raise RuleError(
        (other or [f"follows: no rule of {', '.join(RULES_OF)} speaks of this: {statement.text}"])[0]
    )


RULES_OF: dict[str, tuple[Callable[..., Evidence], Callable[..., Owed]]] = {
    **OF_PAIRS,
    "in_turn": (in_turn, added),
    "in_a_row": (in_a_row, beside_the_next),
}

HINTED = {"order": ("by_share", "by_event"), "doublings": ("in_a_row",)}
"""The rules that take a formula of the author, by its name."""
