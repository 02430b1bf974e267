"""Normal noise in every coordinate of a vector-valued answer, for every number of coordinates."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed, read
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import Formula, Point, Statement, Truth
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions import gaussian

BITS = 200

DIRECTIONS: tuple[tuple[Fraction, ...], ...] = (
    (Fraction(1),),
    (Fraction(3, 5), Fraction(-4, 5)),
    (Fraction(2, 3), Fraction(2, 3), Fraction(1, 3)),
)
"""Vectors of length 1 along which two answers differ."""

HALF_SPACES = tuple(map(Fraction, ("0", "1", "-1")))
"""Where the half-spaces begin that an adversary asks about, in standard deviations."""


@dataclass(frozen=True)
class NormalNoise(Statement):
    """For all parameters, every d ≥ 1, all x, y ∈ ℝ^d with ‖x − y‖₂ ≤ sensitivity, and every event S:
    Φ⁻¹(P(y + sd·Z ∈ S)) ≤ Φ⁻¹(P(x + sd·Z ∈ S)) + level, with Z ~ N(0, I).

    sensitivity, sd, level: formulas of a world and the parameters.
    """

    domain: Domain
    sensitivity: Formula
    sd: Formula
    level: Formula

    @property
    def text(self) -> str:
        distance, sd, level = (printed(f, self.domain.variables) for f in self.formulas)
        return (
            f"{self.domain.said()}, every d ≥ 1, all x, y ∈ ℝ^d with ‖x − y‖₂ ≤ {distance} and every event "
            f"S: Φ⁻¹(P(y + Z ∈ S)) ≤ Φ⁻¹(P(x + Z ∈ S)) + {level}, for Z with independent coordinates "
            f"N(0, ({sd})²)"
        )

    def at(self, point: Point) -> Truth:
        """At parameters, the answers ``x`` and ``y`` of one coordinate, and the event {output > t}."""
        values = self.domain.own_values(point)
        x, y, t = (Fraction(point[name]) for name in ("x", "y", "t"))
        with enclosing(BITS):
            most, sd, level = self._read(values)
            if not ARB.number(abs(x - y)) <= most:
                raise self.refused(f"x = {x} and y = {y} are farther apart than the sensitivity")
            gap = _separation([ARB.number(y - x)], sd, ARB.number(t - x))
        return Truth(
            False if gap > level else None, f"{self.in_words(point)}: Φ⁻¹ moves by {gap}", exact=False
        )

    searched = ("{} parameters", "{} parameters, half-spaces in up to three dimensions, in Arb")

    def refutations(self, effort: int) -> Iterator[str]:
        for values in self.domain.simple_points(effort // 4 or 1):
            worst = self._worst(values)
            yield worst and f"{self.domain.told(values)}: {worst}"

    def _worst(self, values: Sequence[Fraction]) -> str:
        with enclosing(BITS):
            most, sd, level = self._read(values)
            for direction, begin in product(DIRECTIONS, HALF_SPACES):
                gap = _separation([most * ARB.number(part) for part in direction], sd, sd * ARB.number(begin))
                if gap.is_finite() and gap > level:
                    along = tuple(map(str, direction))
                    return f"Φ⁻¹ moves by {gap.str(9, radius=False)} on a half-space, along {along}"
        return ""

    def _read(self, values: Sequence[Fraction]) -> tuple[Any, Any, Any]:
        most, sd, level = (ARB.number(read(f, ARB, self.domain.variables, values)) for f in self.formulas)
        return most, sd, level

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level")


def _separation(moved: Sequence[Any], sd: Any, begin: Any) -> Any:
    """Φ⁻¹(P(moved + sd·Z ∈ S)) − Φ⁻¹(P(sd·Z ∈ S)) for S = {o: o·u > begin}, u along ``moved``.

    Both probabilities are computed, and taken back to quantiles.
    """
    length = ARB.sqrt(sum((part * part for part in moved[1:]), moved[0] * moved[0]))
    along = sum((part * part / length for part in moved[1:]), moved[0] * moved[0] / length)
    first, second = (gaussian.cdf((center - begin) / sd, ARB) for center in (ARB.number(0), along))
    return gaussian.quantile(second, ARB) - gaussian.quantile(first, ARB)


def AddsNormalNoise(*variables: Any, sensitivity: Formula, sd: Formula, level: Formula) -> NormalNoise:
    """Normal noise protects answers of an L2 sensitivity at a level, in any dimension.

    Raises StatementError for formulas that read more than ``establish.spec`` or cannot be evaluated.
    """
    made = NormalNoise(Domain(tuple(variables)), sensitivity, sd, level)
    return made.of_spec(lambda it: it.counterexample(1))
