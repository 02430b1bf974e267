"""The conditions of Definition 5.1, each decided for a given ψ.

With derivatives: ψ is concave when ψ'' ≤ 0, and ψ∘exp is convex when its derivative xψ'(x), as a
function of s = ln x, does not decrease, that is (xψ')' ≥ 0. A sign is decided on the whole of (0, ∞) by
what sympy knows of positive numbers, or refuted by a ball at a rational point; else it stays undecided.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import pairwise

import sympy
from sympy.calculus.util import continuous_domain

from establish.spec.arithmetic import ARB, enclosing
from establish.spec.neighbor_functions.combinations import Combination
from establish.spec.neighbor_functions.functions import Expression, X, read

PROBES = tuple(Fraction(2) ** k for k in range(-20, 21))
"""The points at which a sign that sympy does not know is tried for a refutation."""

FORMS = (sympy.expand, sympy.simplify, sympy.factor, sympy.together)
"""Ways of writing one expression; sympy may know the sign of one and not of another."""


def positive_everywhere(expression: sympy.Expr, *, or_zero: bool = False) -> bool | None:
    """Whether the expression in X is > 0 (or ≥ 0) at every x > 0; None when it is not decided."""
    for form in FORMS:
        written = form(expression)
        known = written.is_nonnegative if or_zero else written.is_positive
        if known is not None:
            return bool(known)
    simple = sympy.simplify(expression)
    with enclosing():
        values = [read(simple, x, ARB) for x in PROBES]
    return False if any(value < 0 for value in values) else None


@dataclass(frozen=True)
class Conditions:
    """What Definition 5.1 asks of ψ: R≥0 → R. True, False, or None for undecided."""

    real_at_zero: bool
    """ψ(0) is a real number. log is not a function R≥0 → R."""
    increasing: bool | None
    """(1) strictly increasing."""
    continuous: bool | None
    """(2) continuous, at 0 because ψ(0) is read as the limit from the right."""
    concave: bool | None
    """(3)."""
    log_convex: bool | None
    """(4) ψ∘exp is convex."""

    @property
    def neighbor_function(self) -> bool | None:
        """All of them: False as soon as one is false, None while one is undecided."""
        return _all(getattr(self, field.name) for field in fields(self))


def conditions(psi: Expression | Combination) -> Conditions:
    """Decide the conditions of Definition 5.1 for ``psi``.

    A combination satisfies one when all its pieces do and, at each place where they meet, their values
    and slopes agree: ψ' and xψ' are then monotone across it.
    """
    if isinstance(psi, Expression):
        return conditions_of(psi.expression)
    found = [conditions_of(piece.expression) for piece in psi.pieces]
    met = _all(
        vanishes(jump.subs(X, after.start))
        for before, after in pairwise(psi.pieces)
        for gap in [after.expression - before.expression]
        for jump in (gap, sympy.diff(gap, X))
    )
    return Conditions(
        real_at_zero=psi.real_at_zero,
        increasing=_all(c.increasing for c in found),
        continuous=_all([met, *(c.continuous for c in found)]),
        concave=_all([met, *(c.concave for c in found)]),
        log_convex=_all([met, *(c.log_convex for c in found)]),
    )


def vanishes(number: sympy.Expr) -> bool | None:
    """Whether a constant is 0: refuted by a ball, proved by simplification or as an algebraic number."""
    with enclosing():
        ball = ARB.number(read(number, 0, ARB))
        if ball < 0 or ball > 0:
            return False
    if sympy.simplify(number) == 0:
        return True
    algebraic = number.is_algebraic and sympy.minimal_polynomial(number, X) == X
    return True if algebraic else None


def _all(answers: Iterable[bool | None]) -> bool | None:
    known = list(answers)
    return False if False in known else None if None in known else True


def conditions_of(expression: sympy.Expr) -> Conditions:
    """The same for an expression in X that need not be invertible."""
    slope = sympy.diff(expression, X)
    free = sympy.Symbol("x", real=True)
    half_line = sympy.Interval.open(0, sympy.oo)
    domain = continuous_domain(expression.subs(X, free), free, half_line)
    return Conditions(
        real_at_zero=bool(sympy.limit(expression, X, 0, "+").is_finite),
        increasing=positive_everywhere(slope),
        continuous=bool(domain == half_line),
        concave=positive_everywhere(-sympy.diff(slope, X), or_zero=True),
        log_convex=positive_everywhere(sympy.diff(X * slope, X), or_zero=True),
    )
