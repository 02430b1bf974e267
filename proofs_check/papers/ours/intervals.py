"""Uncertainty intervals: how far their ends are on the scale of ψ, and where they are cut off at 0."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from establish import Every, Verdict, claim, exhaustive, holds
from establish.spec.arithmetic import MP
from establish.spec.neighbor_functions.functions import identity, logarithm, root
from establish.spec.neighbor_functions.intervals import uncertainty_interval

Case = tuple[int, Fraction, Fraction]
"""ψ, a value and γ."""

FUNCTIONS = (root(), root(1), identity(), logarithm(1), logarithm())


def _cases() -> Iterator[Case]:
    values = map(Fraction, ("0", "1/100", "1/4", "3", "1000"))
    yield from product(range(len(FUNCTIONS)), values, map(Fraction, ("0", "1/2", "2")))


def _ends_are_gamma_away(case: Case) -> bool:
    """ψ(L) = ψ(y) − γ and ψ(U) = ψ(y) + γ; L is 0 where that is below ψ(0), as are both ends of 0 for −∞."""
    number, y, gamma = case
    psi, tiny = FUNCTIONS[number], MP.number(10) ** -40
    low, high = uncertainty_interval(psi, y, gamma, MP)
    if y == 0 and not psi.real_at_zero:
        return bool(abs(low) < tiny and abs(high) < tiny)
    middle, far = (psi.at_zero(MP) if y == 0 else psi.value(MP.number(y), MP)), MP.number(gamma)
    above = abs(psi.value(high, MP) - middle - far) < tiny if high > tiny else gamma == 0
    if psi.real_at_zero and middle - far < psi.at_zero(MP) + tiny:
        return bool(above) and low < tiny
    return bool(above) and bool(abs(psi.value(low, MP) - middle + far) < tiny)


ENDS = Every("ψ, value and γ", _cases, _ends_are_gamma_away)


@claim(
    "establish/intervals-end-gamma-away",
    where="Uncertainty intervals",
    says="Both ends of an interval are γ away on the scale of ψ, but for a lower end that is cut off at 0; 0 "
    "is alone in its interval where ψ(0) is −∞.",
    states=ENDS,
)
def intervals_end_gamma_away() -> Verdict:
    """At 50 digits, with values at 0, near 0 and far from it, and γ = 0."""
    return holds(exhaustive.each(ENDS, "five neighbor functions, five values, three γ"))
