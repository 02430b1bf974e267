"""Admissible noise scaled by a smooth bound, with an adversary over heavy-tailed noise."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.proofs_check.engine.statements.variables import Real
from establish.spec.admissible import heavy_tailed_is_admissible
from establish.spec.arithmetic import ARB, EXACT, enclosing
from establish.spec.distributions import heavy_tailed

BITS = 160

LEVELS = (Real("c_1", least=1), Real("c_2", least=1))

SPLITS = tuple(
    (Fraction(first), Fraction(second))
    for first, second in (("1", "1/1000"), ("1/1000", "1"), ("1", "1"), ("2", "1/2"))
)
"""(ε_1, ε_2) of the adversary."""

GAMMAS, MORE_GAMMAS = (tuple(map(Fraction, row)) for row in (("4", "2", "3"), ("5/2", "6", "20")))
"""Exponents of the noise, and those of a thorough search."""

OUTPUTS = tuple(map(Fraction, ("0", "1/4", "1/2", "1", "4/3", "3/2", "2", "5", "50", "1000")))

NAMES = ("ε_1", "ε_2", "γ", "a", "b", "q(x)", "q(y)", "S(x)", "S(y)", "o")


@dataclass(frozen=True)
class SmoothNoise(Statement):
    """q(x) + (S(x)/a)·Z for (a, b)-admissible Z and a b-smooth bound S: P(S) ≤ level·P(S) of any
    neighbor.

    level: a formula of a world, c_1 = e^ε_1 and c_2 = e^ε_2. slide, scale: S(x)/slide is the scale of
    the noise, and ``slide`` a formula of a world, a and b.
    """

    level: Formula
    slide: Formula

    @property
    def text(self) -> str:
        slide = printed(self.slide, (Real("a"), Real("b")))
        return (
            "for all c_1 = e^ε_1 ≥ 1, c_2 = e^ε_2 ≥ 1, a > 0, b ≥ 0, laws of Z on ℝ^d that are "
            "(a, b)-admissible (P(Z ∈ A) ≤ c_1·P(Z ∈ A + Δ) and P(Z ∈ A) ≤ c_2·P(Z ∈ e^λ·A) for all "
            "‖Δ‖₁ ≤ a, |λ| ≤ b and events A), queries q, and S ≥ 0 with ‖q(x) − q(y)‖₁ ≤ S(x) and "
            f"S(x) ≤ e^b·S(y) for neighbors x, y in both orders: P(q(x) + S(x)/({slide})·Z ∈ A) ≤ "
            f"{printed(self.level, LEVELS)}·P(q(y) + "
            f"S(y)/({slide})·Z ∈ A) for neighbors x, y and every event A"
        )

    def at(self, point: Point) -> Truth:
        """At NAMES: noise ∝ 1/(1+|z|^γ), d = 1, and the densities of the two answers at ``o``.

        Raises StatementError where this noise is not admissible, or S not a smooth bound.
        """
        e1, e2, gamma, a, b, qx, qy, sx, sy, o = map(Fraction, self.taken(point, *NAMES))
        with enclosing(BITS):
            growth = ARB.exp(ARB.number(b))
            first, second = ARB.number(sx), ARB.number(sy)
            smooth = bool(first <= growth * second and second <= growth * first)
        close = abs(qx - qy) <= min(sx, sy)
        if not sx and not sy and qx == qy:
            return Truth(True, "S(x) = S(y) = 0: both answers are the same number", exact=True)
        if not (smooth and close and heavy_tailed_is_admissible(a, b, e1, e2, gamma)):
            raise self.refused()
        excess, told = self._excess(e1, e2, gamma, a, b, qx, qy, sx, sy, o)
        named = ", ".join(f"{name} = {point[name]}" for name in NAMES)
        return Truth(not excess, f"{named}: {told}", exact=False)

    def _excess(
        self, e1: Fraction, e2: Fraction, gamma: Fraction, a: Fraction, b: Fraction, *of: Fraction
    ) -> tuple[bool, str]:
        with enclosing(BITS):
            slide = ARB.number(self.slide(ARB, ARB.number(a), ARB.number(b)))
            qx, qy, sx, sy, o = map(ARB.number, of)
            power = int(gamma) if gamma.denominator == 1 else ARB.number(gamma)
            first, second = (
                heavy_tailed.HeavyTailed(q, s / slide, power, ARB).log_density(o)
                for q, s in ((qx, sx), (qy, sy))
            )
            loss = first - second
            level = ARB.log(self.level(ARB, ARB.exp(ARB.number(e1)), ARB.exp(ARB.number(e2))))
            excess = bool(loss.is_finite() and loss > level)
            shown = [ball.str(9, radius=False) for ball in (loss, level)]
            return (excess, f"log-ratio of the densities {shown[0]} {'>' if excess else '≤'} {shown[1]}")

    def _points(self, effort: int) -> Iterator[dict[str, Any]]:
        for gamma, (e1, e2) in product(self.deepened(effort, GAMMAS, MORE_GAMMAS), SPLITS):
            with enclosing():
                slide = ARB.number(e1) / heavy_tailed.sliding_constant(gamma, ARB)
                b = Fraction(e2 / heavy_tailed.dilation_constant(gamma, EXACT))
                b = Fraction(int(float(b) * 10**6), 10**6)
                widest = Fraction(int(float(ARB.exp(ARB.number(b))) * 10**6) - 1, 10**6)
                a = Fraction(int(float(slide) * 10**6) - 1, 10**6)
            for sx, sy in ((Fraction(1), widest), (widest, Fraction(1)), (Fraction(1), Fraction(1))):
                for moved, o in product((0, 1, -1), OUTPUTS):
                    for sign in (1, -1):
                        at = (e1, e2, gamma, a, b, 0, moved * min(sx, sy), sx, sy, sign * o)
                        yield dict(zip(NAMES, at, strict=True))

    searched = ("{} densities", "{} densities of noise ∝ 1/(1+|z|^γ), d = 1, in Arb")

    def refutations(self, effort: int) -> Iterator[str]:
        for point in self._points(effort):
            broken, _ = self._excess(*map(Fraction, point.values()))
            yield self.at(point).shown if broken else ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        for share in map(Fraction, ("99/100", "9/10", "1/2")):
            yield f"level to the power {share}", replace(self, level=_power(self.level, share))
        slide = self.slide
        yield "half the noise", replace(self, slide=lambda c, a, b: 2 * slide(c, a, b))


def _power(level: Formula, share: Fraction) -> Formula:
    return lambda c, *x: c.power(level(c, *x), share)


def Smoothed(*, level: Formula, slide: Formula) -> SmoothNoise:
    """Admissible noise of scale S(x)/slide is private at ``level``, a formula of a world, e^ε_1 and e^ε_2.

    slide: a formula of a world, a and b. Raises StatementError for formulas that read more than
    ``establish.spec``.
    """
    return SmoothNoise(level, slide).of_spec()
