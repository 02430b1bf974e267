"""That a definition meets a requirement at no multiple of its ε: for every multiple there is an attack."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from establish.proofs_check.engine.statements.implication import LEVEL, Implication
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
)
from establish.spec.priors import two_point_prior
from establish.spec.requirements import (
    Comparison,
    Requirement,
    ShapeIs,
    ShapeRequirement,
    SizeIs,
    SizeRequirement,
)
from establish.spec.tables import Tables, Worker, Workplace
from establish.spec.telling import answer, telling_likelihood
from establish.spec.universe import Universe

KINDS: dict[type[Requirement], tuple[str, int, int]] = {
    SizeRequirement: ("y = x + k + 1 workers of an establishment against x", 1, 1),
    ShapeRequirement: ("x + k workers of one kind among x + k against x", 0, 2),
}
"""By requirement: the events in words, how many more than k workers differ, and how many jobs each has."""

TRIED = ((Fraction(1), 1), (Fraction(1, 2), 1), (Fraction(1), 2))
"""(α, k) at which the exact engine evaluates the attack."""


@dataclass(frozen=True)
class NoMultiple(Statement):
    """For all α, c > 1 and k ≥ 1 the implication at c^k is false, as an attack shows.

    implication: what a definition would imply, at any multiple. over: at c^(over·k), more than 1 in planted
    neighbors only.
    """

    implication: Implication
    over: int = 1

    tells = "no finite multiple of ε"

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return self.implication.formulas

    @property
    def kind(self) -> tuple[str, int, int]:
        universe = Universe((Workplace("e"),), ("w1", "w2"), (("X",), ("Y",)))
        return KINDS[type(self.implication.requirement(universe, Fraction(1)))]

    @property
    def text(self) -> str:
        what = self.implication
        power = "k" if self.over == 1 else f"{self.over}k"
        return (
            f"for all α > 0, c = e^ε > 1 and whole k ≥ 1 there are a finite universe, a mechanism of "
            f"{what.definition} at (α, ε), an output and an independent attacker for whom the Bayes factor "
            f"between compared events, {self.kind[0]}, x ≥ 1/α, exceeds c^{power}"
        )

    def at(self, point: Point) -> Truth:
        """At α and k, where the implication evaluates itself at the attack, for c = LEVEL."""
        if set(point) != {"α", "k"}:
            raise StatementError(f"a point gives α and k, not {dict(point)}")
        alpha, k = Fraction(point["α"]), int(point["k"])
        if alpha <= 0 or k < 1:
            raise StatementError(f"α = {alpha}, k = {k} lies outside the domain")
        truth = replace(self.implication, multiple=self.over * k).at(self._attack(alpha, k))
        return Truth(not truth.value, truth.shown, truth.exact)

    def _attack(self, alpha: Fraction, k: int) -> dict[str, Any]:
        """The attacker knows x workers of e, and half believes that the others are there, or are alike."""
        _, more, jobs = self.kind
        changed = k + more
        known = ceil(changed / alpha)
        ids = tuple(f"w{i + 1}" for i in range(known + changed))
        alike = jobs == 1
        universe = Universe((Workplace("e"),), ids, ((),) if alike else (("X",), ("Y",)))
        kind: tuple[str, ...] = () if alike else ("X",)
        full = _at_e(universe, dict.fromkeys(ids, kind))
        kinds = dict.fromkeys(ids[:known], kind)
        less = _at_e(universe, kinds if alike else kinds | dict.fromkeys(ids[known:], ("Y",)))
        if alike:
            events = Comparison(SizeIs("e", len(ids)), SizeIs("e", known))
        else:
            events = Comparison(
                ShapeIs("e", (kind,), len(ids), len(ids)), ShapeIs("e", (kind,), known, len(ids))
            )
        told = telling_likelihood(self.implication.neighbors(universe, alpha), full, LEVEL)
        return {
            "α": alpha,
            "c": LEVEL,
            "universe": universe,
            "likelihood": {d: answer(p, LEVEL)["yes"] for d, p in told.items()},
            "prior": two_point_prior(universe, full, less),
            "comparison": events,
        }

    def counterexample(self, effort: int) -> tuple[str, str]:
        tried = 0
        for alpha, k in TRIED:
            tried += 1
            truth = self.at({"α": alpha, "k": k})
            if truth.value is False:
                return f"{tried} attacks", truth.shown
        return f"{tried} attacks, each over all datasets of its universe", ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield "twice the multiple", replace(self, over=2 * self.over)


def _at_e(universe: Universe, kinds: dict[str, tuple[str, ...]]) -> Tables:
    return Tables(
        universe.workplaces,
        tuple(Worker(worker, kind) for worker, kind in kinds.items()),
        tuple((worker, "e") for worker in kinds),
    )


def AtNoMultiple(implication: Implication) -> NoMultiple:
    """A definition implies a requirement on sizes or on shapes at no multiple of its ε, for any α.

    Raises StatementError for another requirement.
    """
    made = NoMultiple(implication)
    try:
        made.counterexample(1)
    except KeyError:
        raise StatementError(f"neither sizes nor shapes are compared in: {implication.text}") from None
    return made
