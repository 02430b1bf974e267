"""Levels ε as users write them, and factors as multiples of ε."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from establish.spec.arithmetic import ARB, enclosing
from establish.spec.parameters import ParameterError, positive
from establish.spec.requirements import Factor

LARGEST_DENOMINATOR = 100
"""Of the rationals that stand in for an irrational e^ε."""

DECIMALS = 15
"""Of a multiple of ε that is not a whole number."""


class IrrationalLevelError(ParameterError):
    """e^ε is irrational; ``below`` and ``above`` are the nearest rationals with small denominators."""

    def __init__(self, epsilon: str, below: Fraction, above: Fraction) -> None:
        super().__init__(
            f"epsilon = {epsilon} is not allowed: e^ε is irrational and the answer is exact. "
            f"The nearest levels are --epsilon 'ln {below}' (below) and 'ln {above}' (above)"
        )
        self.below, self.above = below, above


def rational_level(text: str) -> Fraction:
    """c = e^ε > 1 for ε written as ``ln 2``, ``ln 3/2`` or ``ln(3/2)``.

    Raises IrrationalLevelError for a rational ε > 0, ParameterError for anything else.
    """
    if match := re.fullmatch(r"\s*ln\s*(?:\(([^()]*)\)|([^()]*))\s*", text):
        c = positive("e^epsilon", (match[1] or match[2] or "").strip())
        if c <= 1:
            raise ParameterError(f"epsilon = {text} is not allowed: epsilon must be above 0")
        return c
    if re.search(r"[^\W\deE]", text):
        raise ParameterError(f"epsilon = {text} is not understood: write it as 'ln 2' or 'ln 3/2'")
    epsilon = positive("epsilon", text)
    raise IrrationalLevelError(text, *_around_exponential(epsilon))


def _around_exponential(epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """The neighbors of e^ε, irrational by Lindemann, among rationals of small denominator."""
    if epsilon > 20:
        raise ParameterError(f"epsilon = {epsilon} is not allowed: epsilon is at most 20")
    with enclosing():

        def is_below(x: Fraction) -> bool:
            return bool(ARB.log(ARB.number(x)) < ARB.number(epsilon))

        whole = int(ARB.exp(ARB.number(epsilon)).floor().unique_fmpz())
        low, high = Fraction(whole), Fraction(whole + 1)
        while low.denominator + high.denominator <= LARGEST_DENOMINATOR:
            between = Fraction(low.numerator + high.numerator, low.denominator + high.denominator)
            low, high = (between, high) if is_below(between) else (low, between)
    return low, high


@dataclass(frozen=True)
class Multiple:
    """log_c of a factor: ``low`` ≤ log_c ≤ ``high``, equal when it is a whole number or infinite."""

    low: str
    high: str

    def __str__(self) -> str:
        if self.low == self.high:
            return self.low
        return self.low.rstrip("0")[:6] + "…"


def multiple_of_epsilon(factor: Factor, c: Fraction) -> Multiple:
    """log_c(factor), the level in multiples of ε, for a factor ≥ 1."""
    if factor == inf:
        return Multiple("∞", "∞")
    whole, power = 0, Fraction(1)
    while power < factor:
        whole, power = whole + 1, power * c
    if power == factor:
        return Multiple(str(whole), str(whole))
    with enclosing():
        level = ARB.log(ARB.number(Fraction(factor))) / ARB.log(ARB.number(c))
        low = int((level * 10**DECIMALS).floor().unique_fmpz())
    return Multiple(_decimal(low), _decimal(low + 1))


def _decimal(units: int) -> str:
    whole, rest = divmod(units, 10**DECIMALS)
    return f"{whole}.{rest:0{DECIMALS}d}"
