"""The least mean error of any mechanism over small counts of one establishment."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.spec.arithmetic import ARB, Number, enclosing
from establish.spec.distributions.whole_staircase import WholeStaircase
from establish.spec.mechanisms.whole_staircase import WholeStaircaseMechanism
from establish.spec.parameters import ParameterError, Rational, positive
from establish.spec.relations.growth import growth_bound, largest_growth


@dataclass(frozen=True)
class NoMeanErrorBelow(Statement):
    """No mechanism has a mean of E|X − n|/max(αn, 1) over n = 0, …, ``most`` below ``value``.

    The mechanisms are those that are (α, ε)-ER-EE private for one establishment of n workers.
    """

    alpha: Fraction
    epsilon: Fraction
    most: int
    value: Fraction

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (largest_growth, growth_bound)

    @property
    def text(self) -> str:
        a = self.alpha
        return (
            f"for every family of laws P_n on the real numbers, n = 0, …, {self.most}, with P_n(S) ≤ "
            f"e^{self.epsilon}·P_m(S) for all events S and all n, m with n < m ≤ n + max(⌊{a}·n⌋, 1) or m < "
            f"n ≤ m + max(⌊{a}·m⌋, 1): the mean of E|X − n|/max({a}·n, 1), X ~ P_n, over n is at least "
            f"{self.value}"
        )

    def at(self, point: Point) -> Truth:
        """At Whole-Staircase whose outputs are moved into ``low`` to ``high``; False where its mean error is
        certainly smaller.
        """
        low, high = map(int, self.taken(point, "low", "high"))
        if not low <= high:
            raise self.refused(f"low = {low} is above high = {high}")
        with enclosing():
            mean = _mean_of(self.alpha, self.epsilon, self.most, low, high)
            below = bool(mean < ARB.number(self.value))
            shown = f"outputs from {low} to {high}: the mean error is {mean.str(12, radius=False)}"
        return Truth(False if below else None, shown, exact=False)

    def counterexample(self, effort: int) -> tuple[str, str]:
        cuts = (self.at({"low": end, "high": max(end, self.most - end)}).refutes for end in (0, 1))
        try:
            return self.first_of(cuts, "{} mechanisms", "{} ways to cut the outputs of Whole-Staircase")
        except ParameterError:
            return "no mechanism, as Whole-Staircase is not defined here", ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "value", ("1001/1000", "11/10", "2"))


@lru_cache(maxsize=16)
def _mean_of(alpha: Fraction, epsilon: Fraction, most: int, low: int, high: int) -> Number:
    """The mean error of Whole-Staircase whose outputs are moved into low to high, as a ball."""
    made, total = WholeStaircaseMechanism(alpha, epsilon), ARB.number(0)
    for n in range(most + 1):
        error = _moved(made.output((n,), ARB), n, low, high)
        total += error / growth_bound(n, alpha, ARB)
    return total / (most + 1)


def _moved(law: WholeStaircase, n: int, low: int, high: int) -> Number:
    """E|X − n| where outputs are moved into low to high."""
    error = ARB.number(max(low - n, n - high, 0))
    for o in range(low, high):
        error += law.tails(o)[1 if o >= n else 0]
    return error


def NoSmallerMeanError(alpha: Rational, epsilon: Rational, most: int, value: Rational) -> NoMeanErrorBelow:
    """No private mechanism for one establishment has a smaller mean error over 0, …, ``most`` workers.

    Raises ParameterError unless all are rationals > 0, and ``most`` is whole.
    """
    given = {"alpha": alpha, "epsilon": epsilon, "value": value}
    α, ε, least = (positive(name, number) for name, number in given.items())
    if not isinstance(most, int) or most < 1:
        raise ParameterError(f"most = {most} is not allowed: it must be a whole number of at least 1")
    return NoMeanErrorBelow(α, ε, most, least)
