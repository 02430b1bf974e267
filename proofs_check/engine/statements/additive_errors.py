"""The least error of noise that is added to a sum over many establishments, scaled by the largest of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions.spreading_staircase import SpreadingStaircase
from establish.spec.mechanisms.smooth_staircase import SmoothStaircaseMechanism, flat_part
from establish.spec.parameters import Rational, positive
from establish.spec.relations.growth import growth_bound, largest_growth


@dataclass(frozen=True)
class NoAdditiveErrorBelow(Statement):
    """No noise S·Z on the sums of cells, S = max(αL, 1) with their largest establishments L, has E|Z| below
    ``value``, where Z has one law and the release is (α, ε)-ER-EE private.
    """

    alpha: Fraction
    epsilon: Fraction
    value: Fraction

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (largest_growth, growth_bound)

    @property
    def text(self) -> str:
        a, e = self.alpha, self.epsilon
        return (
            f"for every law of Z on the real numbers such that, for all whole 0 ≤ x ≤ L and 1 ≤ g ≤ "
            f"max(⌊{a}·x⌋, 1), S = max({a}·L, 1) and T = max({a}·max(L, x+g), 1), no event has a probability "
            f"under the law of S·Z of more than e^{e} times that under the law of g + T·Z, nor the other way "
            f"around: E|Z| is at least {self.value}"
        )

    def at(self, point: Point) -> Truth:
        """At the law of Smooth Staircase with the flat part from −``down`` to ``up``, which is private; False
        where its E|Z| is certainly smaller.
        """
        down, up = map(Fraction, self.taken(point, "down", "up"))
        if min(down, up) < 0 or not self._steep:
            raise self.refused("down and up are at least 0, and ε is above 3·ln(1+α)")
        with enclosing():
            zero, one = ARB.number(0), ARB.number(1)
            law = SpreadingStaircase(zero, one, self.alpha, self.epsilon, down, up, ARB)
            error = law.mean_absolute()
            below = bool(error < ARB.number(self.value))
            ends = f"{float(-down):.6g} to {float(up):.6g}"
            shown = f"the flat part from {ends}: E|Z| is {error.str(12, radius=False)}"
        return Truth(False if below else None, shown, exact=False)

    def counterexample(self, effort: int) -> tuple[str, str]:
        if not self._steep:
            return "no law, as Smooth Staircase is not defined here", ""
        best = flat_part(self.alpha, self.epsilon)
        laws = [best, (Fraction(0), Fraction(0)), (max(best), max(best)), (min(best), min(best))]
        refutations = (self.at({"down": down, "up": up}).refutes for down, up in laws)
        return self.first_of(refutations, "{} laws of Smooth Staircase")

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "value", ("1001/1000", "11/10", "2"))

    @property
    def _steep(self) -> bool:
        at = {"alpha": self.alpha, "epsilon": self.epsilon}
        return SmoothStaircaseMechanism.domain.includes(at)


def NoSmallerAdditiveError(alpha: Rational, epsilon: Rational, value: Rational) -> NoAdditiveErrorBelow:
    """No private noise S·Z for cells of many establishments has a smaller E|Z|.

    Raises ParameterError unless all are rationals > 0.
    """
    given = {"alpha": alpha, "epsilon": epsilon, "value": value}
    return NoAdditiveErrorBelow(*(positive(name, number) for name, number in given.items()))
