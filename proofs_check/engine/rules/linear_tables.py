"""Statements about tables of any size, sum by sum and place by place."""

from typing import Any

from establish.proofs_check.engine.rules.rule import derived, rule
from establish.proofs_check.engine.statements import Combination, Comparison, Domain, DualBound, Formula, Real
from establish.proofs_check.engine.verdicts import Evidence
from establish.spec.arithmetic import World


def by_sum_and_place(statement: DualBound) -> tuple[Comparison, ...]:
    """What `linear_combination` owes of one sum, and of one place: with a factor of either sign, of
    which only one end of the interval matters.
    """
    row, term = statement.row, statement.term
    if statement.lifts:
        pair = (Real("y"), Real("z"), Real("b"))
        ends = (Real("r"), Real("q"), Real("low"), Real("high", least=lambda c, r, q, low: low))
        return (
            Comparison(
                Domain(pair),
                lambda c, y, z, b: row(c, y, b) + row(c, z, b),
                "<=",
                lambda c, y, z, b: row(c, y + z, b),
            ),
            Comparison(
                Domain(ends),
                lambda c, r, q, low, high: term(c, r, low, high) + term(c, q, low, high),
                "<=",
                lambda c, r, q, low, high: term(c, r + q, low, high),
            ),
        )
    above = (Real("r", least=0), Real("low"), Real("high"), Real("x", least=lambda c, r, low, high: low))
    below = (Real("r", most=0), Real("low"), Real("high"), Real("x", most=lambda c, r, low, high: high))
    return (
        Comparison(Domain((Real("y"), Real("b"))), row, "<=", lambda c, y, b: y * b),
        *(
            Comparison(
                Domain(variables),
                lambda c, r, low, high, x: term(c, r, low, high),
                "<=",
                lambda c, r, low, high, x: r * x,
            )
            for variables in (above, below)
        ),
    )


@rule
def linear_combination(statement: DualBound, *evidence: Evidence) -> Evidence:
    """Where x fits, e·x = Σ_i y_i·(A·x)_i + Σ_j r_j·x_j = Σ_i y_i·b_i + Σ_j r_j·x_j, as r = e − y·A.
    Each of these m + n summands is at least what stands for it in the bound, and inequalities add up,
    whatever their number: by induction on it. For r_j ≥ 0 only the lower end matters, for r_j ≤ 0 only
    the upper one, and where that is infinite nothing is certified. For sums of dual vectors the
    summands for e + f and y + z are at least the sums of those for e, y and for f, z, as r is linear;
    an end that only one of them needs is finite then.
    """
    return derived(statement, by_sum_and_place(statement), evidence, "linear_combination")


def combined(statement: Combination) -> tuple[Comparison, ...]:
    """What `sum_by_sum` owes: of a sum, and of both ends of a place."""
    first, second, s = statement.first, statement.second, statement.parameter

    def mixed(c: World, v: Any, one: Any, other: Any) -> Any:
        return first(c, v) * one + second(c, v) * other

    def total(c: World, v: Any, b: Any) -> Any:
        return mixed(c, v, b, c.number(0) if statement.along else b)

    sums = Comparison(Domain((s, Real("b"))), total, "==", lambda c, v, b: b)

    def place(end: str) -> Comparison:
        low = end == "low"
        outer: Formula = lambda c, v, bound, *_: bound  # noqa: E731 (a bound of two variables)
        bounds = {"least": outer} if low else {"most": outer}
        other = {"least": 0} if low else {"most": 0}
        variables = (s, Real(end), Real("x", **bounds), Real("u", **(other if statement.along else bounds)))

        def moved(c: World, v: Any, bound: Any, x: Any, u: Any) -> Any:
            return mixed(c, v, x, u)

        def kept(c: World, v: Any, bound: Any, x: Any, u: Any) -> Any:
            return bound

        return Comparison(Domain(variables), *((kept, "<=", moved) if low else (moved, "<=", kept)))

    return sums, place("low"), place("high")


@rule
def sum_by_sum(statement: Combination, *evidence: Evidence) -> Evidence:
    """A sum of a combination is the combination of the sums, so that it is b_i again where first·b +
    second·b = b (or first·b = b for a direction, whose sums are 0), for every one of the m sums. A
    value of the combination lies between its bounds where the combination of two values does, for every
    one of the n places; an infinite bound asks nothing.
    """
    return derived(statement, combined(statement), evidence, "sum_by_sum")
