"""The least error of any mechanism for one establishment: as its count grows, or in steps of a scale."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.distributions.gaussian import cdf
from establish.spec.gaussian import least_step_error
from establish.spec.mechanisms.growth_staircase import flat_part, large_error
from establish.spec.parameters import Rational, positive, probability

VALUES = ("1001/1000", "101/100", "11/10")
"""Shares of a value that is no lower bound any more."""

SHIFTS = tuple(map(Fraction, ("0", "1/10", "-1/10", "1/2", "1")))
MORE_SHIFTS = tuple(map(Fraction, ("1/100", "-1/100", "-1/2", "3")))
"""How far the ends of a staircase's flat part are moved from the best ones by the adversary, and in a
thorough search.
"""


@dataclass(frozen=True)
class NoLimitBelow(Statement):
    """No mechanism has a limit superior of E|out − n|/(αn) below ``value``, as n grows.

    The mechanisms are those that are (α, ε, δ)-ER-EE private for one establishment of n workers.
    """

    alpha: Fraction
    epsilon: Fraction
    value: Fraction
    delta: Fraction = Fraction(0)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (large_error,)

    @property
    def text(self) -> str:
        a = self.alpha
        slack = f" + {self.delta}" if self.delta else ""
        return (
            f"for every family of laws P_n on the real numbers, n = 0, 1, 2, …, with P_n(S) ≤ "
            f"e^{self.epsilon}·P_m(S){slack} for all events S and all n, m with n ≤ m ≤ "
            f"max({1 + a}·n, n + 1) or m ≤ n ≤ max({1 + a}·m, m + 1): the limit superior of "
            f"E|X − n|/({a}·n) for X ~ P_n, as n → ∞, is at least {self.value}"
        )

    def at(self, point: Point) -> Truth:
        """At the staircase on the growth scale whose flat part ends at −r1 and r2, which with probability δ
        gives n itself instead; False where its limit is certainly smaller.
        """
        down, up = map(Fraction, self.taken(point, "r1", "r2"))
        if min(down, up) < 0:
            raise self.refused(f"r1 = {down} and r2 = {up} must be at least 0")
        with enclosing():
            limit = large_error(self.alpha, self.epsilon, down, up, ARB)
            limit = limit * ARB.number(1 - self.delta)
            below = bool(limit < ARB.number(self.value))
            shown = f"r1 = {down}, r2 = {up}: the limit is {limit.str(12, radius=False)}"
        return Truth(False if below else None, shown, exact=False)

    def counterexample(self, effort: int) -> tuple[str, str]:
        tried = 1
        constant = (1 - self.delta) / self.alpha
        if constant < self.value:
            return "the constant 0", f"the constant 0 has the limit {constant}"
        if not MP.log(1 + MP.number(self.alpha)) < MP.number(self.epsilon):
            return "the constant 0", ""
        best = flat_part(self.alpha, self.epsilon)
        for shifts in product(self.deepened(effort, SHIFTS, MORE_SHIFTS), repeat=2):
            ends = [max(Fraction(0), end + shift) for end, shift in zip(best, shifts, strict=True)]
            tried += 1
            truth = self.at({"r1": ends[0], "r2": ends[1]})
            if truth.value is False:
                return f"{tried} mechanisms", truth.shown
        return f"the constant 0 and {tried - 1} staircases on the growth scale", ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "value", VALUES)


def NoSmallerLimit(
    alpha: Rational, epsilon: Rational, value: Rational, delta: Rational | None = None
) -> NoLimitBelow:
    """No private mechanism for one establishment has a smaller limit of its error than ``value`` times αn.

    Raises ParameterError unless all are rationals > 0, and delta, where it is given, below 1.
    """
    given = {"alpha": alpha, "epsilon": epsilon, "value": value}
    made = NoLimitBelow(*(positive(name, number) for name, number in given.items()))
    return made if delta is None else replace(made, delta=probability("delta", delta))


HALF = Fraction(1, 2)

STEPS = 12
"""Beyond so many standard deviations the adversary leaves out what rounded noise adds to its error."""


@dataclass(frozen=True)
class NoStepErrorBelow(Statement):
    """No laws that are μ-Gaussian indistinguishable step by step have a mean error below ``value`` steps."""

    mu: Fraction
    value: Fraction

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (least_step_error,)

    @property
    def text(self) -> str:
        return (
            "for every family of laws P_k on the real numbers, k = 0, 1, 2, …, with Φ⁻¹(P_j(S)) ≤ "
            f"Φ⁻¹(P_k(S)) + {self.mu} for all events S and all j, k with |j − k| = 1: the limit superior of "
            f"the mean of E|X_k − k| over k < n, X_k ~ P_k, as n → ∞, is at least {self.value}"
        )

    def at(self, point: Point) -> Truth:
        """At k plus normal noise of standard deviation ``sd`` ≥ 1/μ, rounded to whole numbers; False where
        its error is certainly smaller: the sum of j·P(|X − k| = j), in which the last j stands for those
        beyond, which add less than 2^−60.
        """
        (sd,) = map(Fraction, self.taken(point, "sd"))
        if sd * self.mu < 1:
            raise self.refused(f"sd = {sd} must be at least 1/μ = {1 / self.mu}")
        with enclosing():
            error, last = ARB.number(0), int(STEPS * sd) + 2
            for j in range(1, last + 1):
                low, high = (cdf(ARB.number((j + end) / sd), ARB) for end in (-HALF, HALF))
                error += 2 * j * (high - low)
            error += 2 * last * cdf(-ARB.number((last + HALF) / sd), ARB)
            error += ARB.number(Fraction(1, 2**60)).union(ARB.number(0))
            below = bool(error < ARB.number(self.value))
            shown = f"sd = {sd}: the error is {error.str(12, radius=False)}"
        return Truth(False if below else None, shown, exact=False)

    searched = ("{} mechanisms", "normal noise of three scales, rounded to whole steps")

    def refutations(self, effort: int) -> Iterator[str]:
        return (self.at({"sd": factor / self.mu}).refutes for factor in map(Fraction, ("1", "11/10", "2")))

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "value", VALUES)


def NoSmallerStepError(mu: Rational, value: Rational) -> NoStepErrorBelow:
    """No μ-Gaussian indistinguishable laws have a mean error below ``value`` steps.

    Raises ParameterError unless both are rationals > 0.
    """
    return NoStepErrorBelow(positive("mu", mu), positive("value", value))
