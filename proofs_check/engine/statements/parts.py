"""Releases of disjoint parts of the data, with an adversary over small universes of establishments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from typing import Any

from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.planted import SHARES, scaled
from establish.proofs_check.engine.statements.privacy import RELATIONS
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
)
from establish.proofs_check.engine.statements.variables import Real
from establish.spec.arithmetic import EXACT
from establish.spec.earnings.chosen_by_size import jointly
from establish.spec.indistinguishability import Distribution, hockey_stick, is_indistinguishable
from establish.spec.relations.universes import Shapes, ShapeUniverse
from establish.spec.telling import answer, telling_likelihood

LEVEL = Fraction(2)
"""c = e^ε at which the adversary searches."""

DELTAS = (Fraction(0), Fraction(1, 8))
ALPHAS = (Fraction(1), Fraction(1, 2))

UNIVERSES = (ShapeUniverse(1, 2, 2), ShapeUniverse(2, 4, 1), ShapeUniverse(3, 1, 2))
"""Kinds of workers are the values of all their attributes together: four kinds are two attributes."""

SPOKEN_FOR = 4
"""For how many datasets of each part a release speaks, of those that differ most."""

VARIABLES = (Real("c", least=1), Real("δ", least=0, below=1))

Split = Callable[[Shapes], tuple[Shapes, ...]]


def _by_establishment(d: Shapes) -> tuple[Shapes, ...]:
    return tuple((shape,) for shape in d)


def _by_worker(d: Shapes) -> tuple[Shapes, ...]:
    kinds = range(len(d[0]))
    return tuple(tuple((shape[kind],) for shape in d) for kind in kinds)


PARTS: Mapping[str, tuple[str, Split]] = {
    "establishments": ("the establishments", _by_establishment),
    "workers": ("the workers' records by their own attributes", _by_worker),
}
"""What is divided into parts: in words, and how a dataset is divided."""


@dataclass(frozen=True)
class ReleasesOfParts(Statement):
    """Releases of disjoint parts, each private at (ε, δ) for neighbors on its part, are so together.

    neighbors: one of RELATIONS. parts: one of PARTS. level, slack: formulas of a world, c = e^ε and δ.
    """

    neighbors: str
    parts: str
    level: Formula
    slack: Formula
    pure: bool

    @property
    def text(self) -> str:
        alpha = "α > 0, " if self.neighbors in ("strong", "weak") else ""
        delta = "" if self.pure else ", 0 ≤ δ < 1"
        slack = "" if self.pure else f" + {printed(self.slack, VARIABLES)}"
        private = "P(S) ≤ c·P'(S)" + ("" if self.pure else " + δ")
        return (
            f"for all {alpha}c = e^ε ≥ 1{delta}, {RELATIONS[self.neighbors][0]} D, D', divisions of "
            f"{PARTS[self.parts][0]} into parts D_1, …, D_k, releases M_i with {private} for such neighbors "
            "on part i, of independent coins, and every event S: P((M_1(D_1), …, M_k(D_k)) ∈ S) ≤ "
            f"{printed(self.level, VARIABLES)}·P((M_1(D'_1), …, M_k(D'_k)) ∈ S){slack}"
        )

    def at(self, point: Point) -> Truth:
        """At ``α``, ``c``, ``δ``, a ``universe`` of shapes, the neighbors ``D`` and ``D'``, and the
        datasets of each part that its release ``speaks`` for.
        """
        *numbers, universe, first, second, speaks = self.taken(
            point, "α", "c", "δ", "universe", "D", "D'", "speaks"
        )
        alpha, c, delta = map(Fraction, numbers)
        relation = RELATIONS[self.neighbors][1](universe, alpha)
        if not relation.related(first, second) or c < 1 or (self.pure and delta):
            raise self.refused()
        excess, bound = self._excess(self.laws(point), c, delta)
        sign = "≤" if excess <= bound else ">"
        told = f"α = {alpha}, c = {c}, δ = {delta}, establishments by kind of workers {first} and {second}"
        spoken = ", ".join(map(str, speaks))
        return Truth(
            excess <= bound,
            f"{told}, releases that speak for {spoken}: divergence {excess} {sign} {bound}",
            exact=True,
        )

    def laws(self, point: Point) -> tuple[Distribution, Distribution]:
        """What all releases answer together at a point, on D and on D'."""
        alpha, c, delta = (Fraction(point[name]) for name in ("α", "c", "δ"))
        universe = point["universe"]
        releases = [_release(self._relation(universe, alpha, d), d, c, delta) for d in point["speaks"]]
        return self._together(releases, point["D"]), self._together(releases, point["D'"])

    def _together(self, releases: Sequence[Mapping[Shapes, Distribution]], d: Shapes) -> Distribution:
        parts = PARTS[self.parts][1](d)
        return jointly([law[part] for law, part in zip(releases, parts, strict=True)])

    def _relation(self, universe: ShapeUniverse, alpha: Fraction, part: Shapes) -> Any:
        """The neighbors on a part."""
        own = ShapeUniverse(len(part), len(part[0]), universe.most)
        return RELATIONS[self.neighbors][1](own, alpha)

    def _excess(
        self, laws: tuple[Distribution, Distribution], c: Fraction, delta: Fraction
    ) -> tuple[Fraction, Fraction]:
        level, slack = (Fraction(f(EXACT, c, delta)) for f in (self.level, self.slack))
        return hockey_stick(*laws, max(level, Fraction(1))), slack

    searched = ("{} pairs", "{} pairs of neighbors with the loudest private releases of their parts")

    def refutations(self, effort: int) -> Iterator[str]:
        split = PARTS[self.parts][1]
        for universe, alpha in product(UNIVERSES, ALPHAS):
            relation = RELATIONS[self.neighbors][1](universe, alpha)
            pairs = list(islice(_neighboring(relation), effort // 2))
            spoken = [sorted(set(part), key=str) for part in zip(*(split(d) for d, _ in pairs), strict=True)]
            for delta in DELTAS[:1] if self.pure else DELTAS:
                for chosen in islice(product(*(_apart(part) for part in spoken)), effort // 12):
                    releases = [_release(self._relation(universe, alpha, d), d, LEVEL, delta) for d in chosen]
                    for first, second in pairs:
                        laws = self._together(releases, first), self._together(releases, second)
                        excess, bound = self._excess(laws, LEVEL, delta)
                        point = {"α": alpha, "c": LEVEL, "δ": delta, "universe": universe}
                        point |= {"D": first, "D'": second, "speaks": chosen}
                        yield self.at(point).shown if excess > bound else ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        for share in SHARES:
            yield from scaled(self, "level", (share,))
            if not self.pure:
                yield from scaled(self, "slack", (share,))
        if self.neighbors in ("strong", "weak") and self.parts == "establishments":
            yield "parts of the workers", replace(self, parts="workers")


def _neighboring(relation: Any) -> Iterator[tuple[Shapes, Shapes]]:
    for d in sorted(relation.datasets(), key=lambda d: (sum(map(sum, d)), d)):
        for other in relation.neighbors(d):
            yield d, other


def _apart(part: Sequence[Shapes]) -> Sequence[Shapes]:
    """A few datasets of a part: the smallest, the largest and some between."""
    step = max(1, (len(part) - 1) // (SPOKEN_FOR - 1))
    return [*part[::step][: SPOKEN_FOR - 1], part[-1]]


def _laws(relation: Any, d: Shapes, c: Fraction, delta: Fraction) -> dict[Shapes, Distribution]:
    heard = telling_likelihood(relation, d, c)
    laws: dict[Shapes, Distribution] = {}
    for other in relation.datasets():
        law = answer(heard.get(other, Fraction(0)), c)
        sure = "surely it" if other == d else "surely not"
        told = {o: (1 - delta) * p for o, p in law.items()}
        laws[other] = told | {sure: delta} if delta else told
    return laws


_made: dict[tuple[Any, ...], dict[Shapes, Distribution]] = {}


def _release(relation: Any, d: Shapes, c: Fraction, delta: Fraction) -> dict[Shapes, Distribution]:
    """The law of the release that speaks for d as loudly as it may, and tells d for certain with
    probability δ. Raises StatementError where it is not private, which would be a fault of this module.
    """
    key = (type(relation), relation.universe, getattr(relation, "alpha", None), d, c, delta)
    if key not in _made:
        laws = _laws(relation, d, c, delta)
        for x in laws:
            for y in relation.neighbors(x):
                if y in laws and not is_indistinguishable(laws[x], laws[y], c, delta):
                    raise StatementError(f"the release that speaks for {d} is not private")
        _made[key] = laws
    return _made[key]


def OfParts(neighbors: str, parts: str, *, level: Formula, slack: Formula | None = None) -> ReleasesOfParts:
    """What private releases of disjoint parts cost together; without ``slack`` for δ = 0.

    Raises StatementError for names that are not known and formulas that read more than ``establish.spec``.
    """
    for value, known in ((neighbors, RELATIONS), (parts, PARTS)):
        if value not in known:
            raise StatementError(f"{value!r} is not known: use one of {', '.join(known)}")
    nothing: Formula = lambda c, *_: c.number(0)  # noqa: E731
    return ReleasesOfParts(neighbors, parts, level, slack or nothing, slack is None).of_spec()
