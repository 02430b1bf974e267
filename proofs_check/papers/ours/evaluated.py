"""Neighbor functions that are given by balls: what their derivatives and three of their points refute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from establish.proofs_check.engine.methods import exhaustive
from establish.proofs_check.engine.register import claim
from establish.proofs_check.engine.statements import Every
from establish.proofs_check.engine.verdicts import Verdict, holds
from establish.spec.arithmetic import ARB, Number
from establish.spec.neighbor_functions.enclosed_conditions import conditions_within
from establish.spec.neighbor_functions.evaluated import Evaluated
from establish.spec.neighbor_functions.named import conditions_of_given
from establish.spec.parameters import ParameterError

PLACE = "Neighbor functions given by balls"

Broken = tuple[str, Callable[[Number], Number], tuple[bool, bool, bool]]
"""A name, ψ, and whether it fails to increase, to be concave, and to be convex in ln x: on [1/8, 8] and at
all, which is the same for these.
"""


def _without_series(x: Number) -> Number:
    """The ball itself; what has no balls has no maximum either, and so no power series."""
    return ARB.maximum(x, x)


def _broken() -> Iterator[Broken]:
    """Most break a condition on one part of [1/8, 8] only."""
    ball = _without_series
    yield "√x", lambda x: ball(x).sqrt(), (False, False, False)
    yield "x/(1+x)", lambda x: ball(x) / (1 + x), (False, False, True)
    yield "(1+x)/x", lambda x: (1 + ball(x)) / x, (True, True, False)
    yield "x(4−x)", lambda x: ball(x) * (4 - x), (True, False, True)
    yield "√x + x²/8", lambda x: ball(x).sqrt() + x * x / 8, (False, True, False)
    yield "ln(1+x)", lambda x: (1 + ball(x)).log(), (False, False, False)
    yield "−x", lambda x: -ball(x), (True, False, True)


def _is_refuted_where_it_breaks(case: Broken) -> bool:
    name, psi, breaks = case
    given = Evaluated(name, psi, real=name != "(1+x)/x")
    said = [False if broken else None for broken in breaks]
    return all(
        [found.increasing, found.concave, found.log_convex, found.continuous] == [*said, None]
        for found in (conditions_within(given, Fraction(1, 8), 8), conditions_of_given(given))
    )


REFUTED = Every("function", _broken, _is_refuted_where_it_breaks)


def _factors() -> Iterator[tuple[Fraction, Fraction]]:
    yield from product(
        map(Fraction, ("1/2", "13/20", "7/10", "1", "13/10", "7/5", "2")), (Fraction(1), Fraction(9))
    )


def _is_compared(case: tuple[Fraction, Fraction]) -> bool:
    """ln(x/b) with k/x for a derivative: from x to 2x it grows by ln 2, between k/2 and k or not at all."""
    k, unit = case
    factor, b = ARB.number(k), ARB.number(unit)
    grown = ARB.log(ARB.number(2))
    consistent = bool(factor / 2 < grown) and bool(grown < factor)
    try:
        Evaluated(
            "log", lambda x: (x / b).log(), (lambda x: factor / x, lambda x: -factor / (x * x)), real=False
        )
    except ParameterError:
        return not consistent
    return consistent


COMPARED = Every("factor and unit", _factors, _is_compared)


@claim(
    "establish/given-functions-are-refuted-by-three-points",
    where=PLACE,
    says="Without derivatives a neighbor function is refuted by three of its points where it breaks a "
    "condition on a part of what is looked at, and no condition is said to hold.",
    states=REFUTED,
)
def three_points_refute() -> Verdict:
    """Conditions on values and slopes between neighboring powers of two: one violation is enough."""
    return holds(exhaustive.each(REFUTED, "seven functions, on [1/8, 8] and between 2^−20 and 2^20"))


@claim(
    "establish/given-derivatives-agree-with-their-function",
    where=PLACE,
    says="Derivatives that are given are accepted where the function grows between neighboring powers of two "
    "as they allow, and refused otherwise.",
    states=COMPARED,
)
def given_derivatives_are_compared() -> Verdict:
    """k/x for the derivative of the logarithm, which is wrong for k ≠ 1, is seen to be wrong for k ≤ ln 2
    and for k ≥ 2·ln 2.
    """
    return holds(exhaustive.each(COMPARED, "ln(x) and ln(x/9) with seven multiples of their slope"))
