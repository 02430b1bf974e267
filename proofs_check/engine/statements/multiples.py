"""That a definition meets a requirement at no multiple of its ε: for every multiple there is an attack."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from establish.proofs_check.engine.statements.implication import LEVEL, Implication
from establish.proofs_check.engine.statements.made_by import NotReadError, made_of_universe
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
)
from establish.spec.priors import JointPrior, ProductPrior, two_point_prior
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.weak import Weak
from establish.spec.requirements import (
    Comparison,
    IndividualRequirement,
    RecordIs,
    ShapeIs,
    ShapeRequirement,
    SizeIs,
    SizeRequirement,
)
from establish.spec.tables import Tables, Worker, Workplace
from establish.spec.telling import answer, telling_likelihood
from establish.spec.universe import Universe

KINDS: dict[type, tuple[str, int, int]] = {
    SizeRequirement: ("y = x + k + 1 workers of an establishment against x, x ≥ 1/α", 1, 1),
    ShapeRequirement: ("x + k workers of one kind among x + k against x, x ≥ 1/α", 0, 2),
}
"""By requirement: the events in words, how many more than k workers differ, and how many jobs each has."""

AT_OTHERS: dict[type, tuple[str, int, int]] = {
    SizeRequirement: (
        "y = x + k workers of an establishment against x, each of the k at an employer of his own, x ≥ 1/α",
        0,
        1,
    )
}
"""The same where workers who are absent or of another kind may be one step in all, as under node privacy."""

TOGETHER: dict[type, tuple[str, int, int]] = {
    IndividualRequirement: (
        "a worker who is employed against absent, and k others with that worker, each at an employer of his "
        "own",
        1,
        1,
    )
}
"""The same of one record, for an attacker who knows that these workers come and go together."""

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
    def together(self) -> bool:
        """Whether the workers of whom the attacker is not sure come and go together."""
        return self.implication.attackers == "correlated"

    @property
    def at_others(self) -> bool:
        """Whether the workers of whom the attacker is not sure may be at an employer of their own."""
        return not self.together and made_of_universe(self.implication.neighbors) in (Node, Strong, Weak)

    @property
    def kind(self) -> tuple[str, int, int]:
        kinds = TOGETHER if self.together else AT_OTHERS if self.at_others else KINDS
        return kinds[made_of_universe(self.implication.requirement)]

    @property
    def text(self) -> str:
        what = self.implication
        power = "k" if self.over == 1 else f"{self.over}k"
        attacker = (
            "an attacker to whom workers are correlated" if self.together else "an independent attacker"
        )
        return (
            f"for all α > 0, c = e^ε > 1 and whole k ≥ 1 there are a finite universe, a mechanism of "
            f"{what.definition} at (α, ε), an output and {attacker} for whom the Bayes factor "
            f"between compared events, {self.kind[0]}, exceeds c^{power}"
        )

    def at(self, point: Point) -> Truth:
        """At α and k, where the implication evaluates itself at the attack, for c = LEVEL."""
        growth, times = self.taken(point, "α", "k")
        alpha, k = Fraction(growth), int(times)
        if alpha <= 0 or k < 1:
            raise self.refused(f"α = {alpha}, k = {k} lies outside the domain")
        truth = replace(self.implication, multiple=self.over * k).at(self._attack(alpha, k))
        return Truth(not truth.value, truth.shown, truth.exact)

    def _attack(self, alpha: Fraction, k: int) -> dict[str, Any]:
        """The attacker knows x workers of e, and half believes that the others are there; or else they are
        absent, of another kind, or each at an employer of their own.
        """
        _, more, jobs = self.kind
        changed = k + more
        if self.together:
            return self._together(alpha, changed)
        known = ceil(changed / alpha)
        ids = tuple(f"w{i + 1}" for i in range(known + changed))
        alike = jobs == 1
        others = tuple(f"f{i + 1}" for i in range(changed)) if self.at_others else ()
        places = tuple(map(Workplace, ("e", *others)))
        universe = Universe(places, ids, ((),) if alike else (("X",), ("Y",)))
        kind: tuple[str, ...] = () if alike else ("X",)
        full = _placed(universe, dict.fromkeys(ids, ("e", kind)))
        unsure = zip(ids[known:], others or ("e",) * changed, strict=True)
        elsewhere = {} if alike and not others else {id: (at, kind if alike else ("Y",)) for id, at in unsure}
        less = _placed(universe, dict.fromkeys(ids[:known], ("e", kind)) | elsewhere)
        if alike:
            events = Comparison(SizeIs("e", len(ids)), SizeIs("e", known))
        else:
            events = Comparison(
                ShapeIs("e", (kind,), len(ids), len(ids)), ShapeIs("e", (kind,), known, len(ids))
            )
        return self._told(alpha, universe, full, two_point_prior(universe, full, less), events)

    def _together(self, alpha: Fraction, workers: int) -> dict[str, Any]:
        """The attacker half believes that all are employed, each at an employer of his own, and half that
        nobody is.
        """
        jobs = {f"w{i + 1}": (f"e{i + 1}", ()) for i in range(workers)}
        universe = Universe(tuple(Workplace(employer) for employer, _ in jobs.values()), tuple(jobs))
        everybody, nobody = _placed(universe, jobs), _placed(universe, {})
        prior = JointPrior(universe, dict.fromkeys((everybody, nobody), Fraction(1, 2)))
        return self._told(
            alpha, universe, everybody, prior, Comparison(RecordIs("w1", jobs["w1"]), RecordIs("w1", None))
        )

    def _told(
        self,
        alpha: Fraction,
        universe: Universe,
        d: Tables,
        prior: ProductPrior | JointPrior,
        events: Comparison,
    ) -> dict[str, Any]:
        """The point of the implication at which a private answer speaks for d."""
        told = telling_likelihood(self.implication.neighbors(universe, alpha), d, LEVEL)
        return {
            "α": alpha,
            "c": LEVEL,
            "universe": universe,
            "likelihood": {x: answer(p, LEVEL)["yes"] for x, p in told.items()},
            "prior": prior,
            "comparison": events,
        }

    searched = ("{} attacks", "{} attacks, each over all datasets of its universe")

    def refutations(self, effort: int) -> Iterator[str]:
        return (self.at({"α": alpha, "k": k}).refutes for alpha, k in TRIED)

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield "twice the multiple", replace(self, over=2 * self.over)


def _placed(universe: Universe, jobs: Mapping[str, tuple[str, tuple[str, ...]]]) -> Tables:
    """Each worker's employer and kind."""
    return Tables(
        universe.workplaces,
        tuple(Worker(worker, kind) for worker, (_, kind) in jobs.items()),
        tuple((worker, employer) for worker, (employer, _) in jobs.items()),
    )


def AtNoMultiple(implication: Implication) -> NoMultiple:
    """A definition implies a requirement at no multiple of its ε, for any α: on sizes or on shapes, or on a
    record for attackers to whom workers are correlated.

    Raises StatementError for another requirement.
    """
    made = NoMultiple(implication)
    try:
        made.counterexample(1)
    except (KeyError, NotReadError):
        raise StatementError(f"no attack is known on what is compared in: {implication.text}") from None
    return made
