"""How much protection a sensitive cell needs: the levels of the p%, pq and nk rules.

A cell with total X and contributions x1 ≥ x2 ≥ … is protected upwards by U when no attacker on the table
can show that its value is below X + U. The levels are the least with which no contributor, by
subtracting what it knows from such a bound, gets nearer to another one than the rule allows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from establish.spec.parameters import ParameterError, Rational, exact, positive


@dataclass(frozen=True)
class PQRule:
    """The pq rule; q = 100 is the p% rule. 0 < p ≤ q. ParameterError outside."""

    p: Fraction
    q: Fraction = Fraction(100)

    def __post_init__(self) -> None:
        if not 0 < self.p <= self.q:
            raise ParameterError(f"p = {self.p}, q = {self.q} are not allowed: 0 < p ≤ q")

    def level(self, total: Rational, largest: Sequence[Rational]) -> Fraction:
        """p/q·x1 − (X − x1 − x2), at least 0. largest: the two largest contributions, or all."""
        values = _contributions(total, largest)
        _require(self, 2, values, total)
        first = values[0] if values else Fraction(0)
        rest = exact("total", total) - sum(values[:2])
        return max(self.p / self.q * first - rest, Fraction(0))

    def __str__(self) -> str:
        return f"p% rule with p = {self.p}" if self.q == 100 else f"pq rule with {self.p}, {self.q}"


@dataclass(frozen=True)
class NKRule:
    """The nk rule: the n ≥ 1 largest make up at most k%, 0 < k < 100. ParameterError outside."""

    n: int
    k: Fraction

    def __post_init__(self) -> None:
        if self.n < 1 or not 0 < self.k < 100:
            raise ParameterError(f"n = {self.n}, k = {self.k} are not allowed: n ≥ 1, 0 < k < 100")

    def level(self, total: Rational, largest: Sequence[Rational]) -> Fraction:
        """100/k·(x1 + … + xn) − X, at least 0: the n largest are then at most k% of X + U."""
        values = _contributions(total, largest)
        _require(self, self.n, values, total)
        whole = exact("total", total)
        return max(100 / self.k * sum(values[: self.n]) - whole, Fraction(0))

    def __str__(self) -> str:
        return f"nk rule with n = {self.n}, k = {self.k}"


Rule = PQRule | NKRule


def rule(text: str) -> Rule:
    """``p:10``, ``pq:10,50`` or ``nk:2,85``. Raises ParameterError for another text."""
    kind, _, rest = text.partition(":")
    numbers = rest.split(",")
    if kind == "p" and len(numbers) == 1:
        return PQRule(positive("p", numbers[0]))
    if kind == "pq" and len(numbers) == 2:
        return PQRule(positive("p", numbers[0]), positive("q", numbers[1]))
    if kind == "nk" and len(numbers) == 2 and numbers[0].strip().isdigit():
        return NKRule(int(numbers[0]), positive("k", numbers[1]))
    raise ParameterError(f"rule = {text} is not one of p:P, pq:P,Q and nk:N,K")


def _contributions(total: Rational, largest: Sequence[Rational]) -> list[Fraction]:
    values = sorted((exact("contribution", value) for value in largest), reverse=True)
    if exact("total", total) < 0 or (values and values[-1] < 0):
        raise ParameterError("the rule needs contributions of at least 0, and so a total of at least 0")
    if sum(values) > exact("total", total):
        raise ParameterError("contributions exceed the total of their cell")
    return values


def _require(asked: Rule, many: int, values: Sequence[Fraction], total: Rational) -> None:
    """Fewer contributions than a rule reads are enough where they are all: where they sum to the total."""
    if len(values) < many and sum(values) != exact("total", total):
        raise ParameterError(f"the {asked} needs the {many} largest contributions")
