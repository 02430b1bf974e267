"""The conditions of Definition 5.1 for a ψ given by balls: decided on a stretch [low, high] of (0, ∞).

With balls of ψ' and ψ'': ψ increases where ψ' > 0, is concave where ψ'' ≤ 0, and ψ∘exp is convex where
(xψ')' = ψ' + xψ'' ≥ 0. The stretch is cut until every part decides the three signs, or too many are
left. Without derivatives only a refutation is possible, by three points.
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from flint import arb

from establish.spec.arithmetic import ARB, enclosing
from establish.spec.neighbor_functions.conditions import Conditions
from establish.spec.neighbor_functions.evaluated import POINTS, Evaluated
from establish.spec.parameters import ParameterError, Rational, positive

CUTS = 3000
"""Parts of the stretch that are looked at before a sign is left undecided."""


def conditions_within(psi: Evaluated, low: Rational, high: Rational) -> Conditions:
    """The conditions on [low, high], 0 < low < high; ψ is differentiable there if it is continuous.

    A sign that is 0 somewhere, as that of (xψ')' for log, is decided only where balls are exact.
    Raises ParameterError for another stretch.
    """
    start, end = positive("low", low), positive("high", high)
    if start >= end:
        raise ParameterError(f"low = {low}, high = {high} are not allowed: low is less than high")
    with enclosing():
        if psi.taylor(ARB.number(start)) is None:
            return _refuted(psi, start, end)
        return _by_derivatives(psi, start, end)


def conditions_enclosed(psi: Evaluated) -> Conditions:
    """The conditions on all of (0, ∞): false where one fails between 2^−20 and 2^20, else undecided."""
    near = conditions_within(psi, POINTS[0], POINTS[-1])
    return Conditions(
        near.real_at_zero,
        *(
            False if answer is False else None
            for answer in (near.increasing, near.continuous, near.concave, near.log_convex)
        ),
    )


def _by_derivatives(psi: Evaluated, start: Fraction, end: Fraction) -> Conditions:
    unknown = (arb.nan(), arb.nan())

    def everywhere(decide: Callable[[arb, arb, arb], bool | None]) -> bool | None:
        parts, left = deque([(start, end)]), CUTS
        while parts:
            low, high = parts.popleft()
            ball = ARB.number(low).union(ARB.number(high))
            answer = decide(ball, *(psi.taylor(ball) or unknown))
            if answer is False or (answer is None and not left):
                return answer
            if answer is None:
                left -= 1
                middle = _between(low, high)
                parts += [(low, middle), (middle, high)]
        return True

    return Conditions(
        psi.real_at_zero,
        increasing=everywhere(lambda _, first, second: _sign(first, strict=True)),
        continuous=everywhere(lambda _, first, second: first.is_finite() or None),
        concave=everywhere(lambda _, first, second: _sign(-second)),
        log_convex=everywhere(lambda x, first, second: _sign(first + x * second)),
    )


def _between(low: Fraction, high: Fraction) -> Fraction:
    """The middle of low and high > 0, of their logarithms where they are far apart."""
    octaves = math.floor(high / low).bit_length() - 1
    return low * 2 ** (octaves // 2) if octaves > 1 else (low + high) / 2


def _sign(ball: arb, *, strict: bool = False) -> bool | None:
    """Whether a number is at least 0 (more than 0 if strict), when its ball says so."""
    if ball > 0 or (ball >= 0 and not strict):
        return True
    return False if ball < 0 or (strict and ball <= 0) else None


def _refuted(psi: Evaluated, start: Fraction, end: Fraction) -> Conditions:
    """Values at start·r^k, equally far apart in ln x, and their differences."""
    found = Conditions(psi.real_at_zero, None, None, None, None)
    places = [x for x in POINTS if start <= x <= end]
    values = [psi.value(x, ARB) for x in places]
    rises = [after - before for before, after in pairwise(values)]
    slopes = [rise / ARB.number(x2 - x) for rise, (x, x2) in zip(rises, pairwise(places), strict=True)]
    if any(rise <= 0 for rise in rises):
        found = replace(found, increasing=False)
    if any(after > before for before, after in pairwise(slopes)):
        found = replace(found, concave=False)
    if any(after < before for before, after in pairwise(rises)):
        found = replace(found, log_convex=False)
    return found
