"""Neighbor functions from their slopes: concave functions are the integrals of these."""

from typing import Any

from establish.proofs_check.engine.rules.rule import RuleError, derived, rule
from establish.proofs_check.engine.statements import (
    CombinedFunctions,
    Comparison,
    Domain,
    Real,
    Smooth,
    given,
)
from establish.proofs_check.engine.verdicts import Evidence

_PLACES = Real("x", above=0), Real("y", above=lambda c, x: x)


def slopes_of_class(statement: CombinedFunctions) -> tuple[Comparison, ...]:
    """What `integral_of_slopes` owes, a and b being ψ_A'/γ_A and ψ_B'/γ_B at x < y: the slope of ψ* is
    positive and does not increase, x times it does not decrease; and it is at most a and b, or at least a
    and b and at most a + b.
    """
    variables = (
        *_PLACES,
        *(Real(name, above=0) for name in ("a(y)", "b(y)")),
        Real("a(x)", least=lambda c, x, y, a, b: a, most=lambda c, x, y, a, b: y * a / x),
        Real("b(x)", least=lambda c, x, y, a, b, _: b, most=lambda c, x, y, a, b, _: y * b / x),
    )
    domain, pick = Domain(variables), statement.pick

    def at_most(left: Any, right: Any, relation: str = "<=") -> Comparison:
        return Comparison(domain, left, relation, right)

    def here(c: Any, x: Any, y: Any, a: Any, b: Any, a_x: Any, b_x: Any) -> Any:
        return pick(c, a_x, b_x)

    def there(c: Any, x: Any, y: Any, a: Any, b: Any, a_x: Any, b_x: Any) -> Any:
        return pick(c, a, b)

    def scaled(c: Any, x: Any, *v: Any) -> Any:
        return x * here(c, x, *v)

    first, second = (lambda c, x, y, a, b, p, q: p), (lambda c, x, y, a, b, p, q: q)
    of_class = (
        at_most(0, there, "<"),
        at_most(there, here),
        at_most(scaled, lambda c, x, y, *v: y * there(c, x, y, *v)),
    )
    if statement.contains:
        return *of_class, at_most(here, first), at_most(here, second)
    both = at_most(here, lambda c, x, y, a, b, p, q: p + q)
    return *of_class, at_most(first, here), at_most(second, here), both


@rule
def integral_of_slopes(statement: CombinedFunctions, *evidence: Evidence) -> Evidence:
    """A concave function on x > 0 is the integral of its slopes, which do not increase; ψ∘exp is convex
    exactly when x·ψ'(x) does not decrease. So a slope that is positive, does not increase, and does not
    decrease times x makes a function of the class, as soon as its integral from 0 is finite: it is where the
    slope is at most that of one that is bounded at 0, or of the sum of two such. Where one slope is at most
    another, so are the integrals between any two values: |ψ*(x) − ψ*(y)| ≤ |ψ_A(x) − ψ_A(y)|/γ_A, or the
    reverse, and closeness at 1 follows.
    """
    if statement.distance != 1:
        raise RuleError(f"integral_of_slopes: the distance of ψ* must be 1: {statement.text}")
    return derived(statement, slopes_of_class(statement), evidence, "integral_of_slopes")


def slopes_at_a_point(statement: Smooth) -> tuple[Comparison, Comparison]:
    """What `no_kink` owes: slopes l ≥ r at both sides of x, with x·l ≤ x·r, are equal; and slopes p ≥ s at
    y < x, with y·p ≤ x·s, are as near as x and y.
    """
    sides = (Real("x", above=0), Real("r", above=0), Real("l", least=lambda c, x, r: r))
    convex = given(lambda c, x, r, left: x * left, "<=", lambda c, x, r, left: x * r)
    same = Comparison(
        Domain(sides, (convex,) if statement.convex else ()),
        lambda c, x, r, left: left,
        "==",
        lambda c, x, r, left: r,
    )
    places = (*_PLACES, Real("s", above=0), Real("p", least=lambda c, y, x, s: s))
    rises = given(lambda c, y, x, s, p: y * p, "<=", lambda c, y, x, s, p: x * s)
    near = Comparison(
        Domain(places, (rises,) if statement.convex else ()),
        lambda c, y, x, s, p: (p - s) / s,
        "<=",
        lambda c, y, x, s, p: (x - y) / y,
    )
    return same, near


@rule
def no_kink(statement: Smooth, *evidence: Evidence) -> Evidence:
    """A concave function has slopes l ≥ r to the left and to the right of every point; ψ∘exp then has the
    slopes x·l and x·r at ln x, which do not decrease where it is convex. So l = r: there is a derivative, and
    between two points it changes, relative to itself, by no more than the points do: it is continuous.
    """
    return derived(statement, slopes_at_a_point(statement), evidence, "no_kink")
