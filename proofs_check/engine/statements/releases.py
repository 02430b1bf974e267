"""What several releases cost together, or one after a function of it, with an adversary over finite
laws.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from typing import Any

from establish.proofs_check.engine.statements.domain import printed
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
)
from establish.proofs_check.engine.statements.variables import Real
from establish.spec.arithmetic import EXACT
from establish.spec.earnings.chosen_by_size import chosen, jointly, mapped
from establish.spec.indistinguishability import Distribution, hockey_stick, is_indistinguishable

Pair = tuple[Distribution, Distribution]
"""The laws of one release on two datasets."""


def _chosen(laws: Sequence[Distribution]) -> Distribution:
    first, *rest = laws
    second = {index: lambda _, law=law: law for index, law in enumerate(rest)}
    order = {output: place for place, output in enumerate(sorted(first, key=repr))}
    release = chosen(lambda _: first, lambda o: order[o] % len(rest), second)
    return release(None)


def _summed(laws: Sequence[Distribution]) -> Distribution:
    """Every second output is told as the same."""
    order = {output: place for place, output in enumerate(sorted(laws[0], key=repr))}
    return mapped(laws[0], lambda output: order[output] % 2)


@dataclass(frozen=True)
class Way:
    """How releases are put together: in words, of how many, and the law of the result.

    same: how many of them, the last ones, have one law on both datasets.
    """

    words: str
    releases: int
    law: Callable[[Sequence[Distribution]], Distribution]
    same: int = 0


WAYS: Mapping[str, Way] = {
    "both": Way("the outputs of M_1 and M_2, of independent coins", 2, jointly),
    "beside": Way(
        "the outputs of M_1 and of a release R of independent coins with one law on both datasets",
        2,
        jointly,
        same=1,
    ),
    "chosen": Way("the output of M_1 and that of a release M_2 which it picks, of fresh coins", 3, _chosen),
    "function": Way("a function of the output of M_1, or one with coins of its own", 1, _summed),
}

LEVELS = tuple(map(Fraction, ("2", "3/2", "1", "4")))
DELTAS = tuple(map(Fraction, ("0", "1/8", "1/4")))
VARIABLES = (
    Real("c_1", least=1),
    Real("c_2", least=1),
    Real("δ_1", least=0, below=1),
    Real("δ_2", least=0, below=1),
)


@dataclass(frozen=True)
class ReleasesTogether(Statement):
    """For all (ε_i, δ_i)-indistinguishable releases, put together in one of WAYS: P(S) ≤ level·Q(S) +
    slack.

    level, slack: formulas of a world, c_1 = e^ε_1, c_2, δ_1 and δ_2. pure: δ_i = 0 only.
    """

    way: str
    level: Formula
    slack: Formula
    pure: bool

    @property
    def text(self) -> str:
        level = printed(self.level, VARIABLES)
        slack = "" if self.pure else f" + {printed(self.slack, VARIABLES)}"
        slacks = "" if self.pure else ", 0 ≤ δ_i < 1"
        private = "P_i(S) ≤ c_i·Q_i(S)" + ("" if self.pure else " + δ_i")
        return (
            f"for all c_i = e^ε_i ≥ 1{slacks}, releases M_i with laws P_i and Q_i on two datasets such that "
            f"{private}, and the same with P_i and Q_i exchanged, for every event S: the laws P and Q of "
            f"{WAYS[self.way].words} have P(S) ≤ {level}·Q(S){slack} for every event S"
        )

    def at(self, point: Point) -> Truth:
        """At ``levels`` and ``deltas`` (two each) and ``laws``, the pairs of laws of the releases.

        Raises StatementError for laws that the statement does not mean.
        """
        levels, deltas, laws = map(tuple, self.taken(point, "levels", "deltas", "laws"))
        way = WAYS[self.way]
        if len(laws) != way.releases or (self.pure and any(deltas)):
            raise self.refused()
        for place, (p, q) in enumerate(laws):
            own = min(place, 1)
            one = place >= len(laws) - way.same
            if (one and p != q) or not is_indistinguishable(p, q, levels[own], deltas[own]):
                raise self.refused(f"outside the domain: {p} and {q}")
        excess, bound = self._excess(levels, deltas, laws)
        told = f"c = {_row(levels)}, δ = {_row(deltas)}, laws {[tuple(map(_law, pair)) for pair in laws]}"
        sign = "≤" if excess <= bound else ">"
        return Truth(excess <= bound, f"{told}: divergence {excess} {sign} {bound}", exact=True)

    def _excess(
        self, levels: Sequence[Fraction], deltas: Sequence[Fraction], laws: Sequence[Pair]
    ) -> tuple[Fraction, Fraction]:
        law = WAYS[self.way].law
        level, slack = (Fraction(f(EXACT, *levels, *deltas)) for f in (self.level, self.slack))
        first, second = law([p for p, _ in laws]), law([q for _, q in laws])
        return hockey_stick(first, second, max(level, Fraction(1))), slack

    searched = ("{} releases", "{} combinations of finite laws, all events, exactly")

    def refutations(self, effort: int) -> Iterator[str]:
        for point in islice(self._points(effort), 20 * effort):
            excess, bound = self._excess(point["levels"], point["deltas"], point["laws"])
            yield self.at(point).shown if excess > bound else ""

    def _points(self, effort: int) -> Iterator[dict[str, tuple[Any, ...]]]:
        way = WAYS[self.way]
        deltas = [(Fraction(0), Fraction(0))] if self.pure else list(product(DELTAS[1:], DELTAS))
        for levels in product(LEVELS, repeat=2):
            for slacks in deltas:
                first = pairs_at(levels[0], slacks[0])
                others = pairs_at(levels[1], slacks[1])
                for laws in islice(product(first, *[others] * (way.releases - 1)), 5 * effort // 2):
                    own = laws[: len(laws) - way.same]
                    same = tuple((p, p) for p, _ in laws[len(own) :])
                    yield {"levels": levels, "deltas": slacks, "laws": (*own, *same)}

    def planted(self) -> Iterator[tuple[str, Statement]]:
        if not self.pure:
            yield from scaled(self, "slack")
        yield from scaled(self, "level")


@lru_cache
def pairs_at(level: Fraction, delta: Fraction) -> tuple[Pair, ...]:
    """Pairs of laws that are indistinguishable at exactly this level and δ, the loudest first.

    One tells one of two datasets for certain with probability δ, else with the whole loss; others are
    coins and laws on three outputs.
    """
    rest = (1 - delta) / (1 + level)
    zero = Fraction(0)
    loud: Pair = (
        {"sure of P": delta, "P": level * rest, "Q": rest, "sure of Q": zero},
        {"sure of P": zero, "P": rest, "Q": level * rest, "sure of Q": delta},
    )
    half = Fraction(1, 2)
    grid = (zero, Fraction(1, 8), Fraction(1, 4), half, Fraction(3, 4), Fraction(1))
    coins: list[Pair] = [({"P": p, "Q": 1 - p}, {"P": q, "Q": 1 - q}) for p, q in product(grid, repeat=2)]
    three: list[Pair] = [
        ({"P": half, "Q": zero, "R": half}, {"P": zero, "Q": half, "R": half}),
        ({"P": half, "Q": half, "R": zero}, {"P": half, "Q": zero, "R": half}),
    ]
    swapped = (loud[1], loud[0])
    found: list[Pair] = [
        (p, q) for p, q in (loud, swapped, *coins, *three) if is_indistinguishable(p, q, level, delta)
    ]
    return tuple(found)


def _row(values: Sequence[object]) -> str:
    return ", ".join(map(str, values))


def _law(law: Mapping[Hashable, Fraction]) -> dict[Hashable, str]:
    return {output: str(p) for output, p in law.items()}


@dataclass(frozen=True)
class ReleasesInTurn(Statement):
    """For all d ≥ 1 releases of independent coins, each ε-indistinguishable: P(S) ≤ level·Q(S) for all
    of them.

    level: a formula of a world, c = e^ε and d.
    """

    level: Formula

    @property
    def text(self) -> str:
        return (
            "for all c = e^ε ≥ 1, d ≥ 1, releases M_1, …, M_d of independent coins with laws P_i and Q_i "
            "on two datasets such that P_i(S) ≤ c·Q_i(S) and Q_i(S) ≤ c·P_i(S) for every event S: the laws "
            f"P and Q of all d outputs have P(S) ≤ {printed(self.level, TURNS)}·Q(S) for every event S"
        )

    def at(self, point: Point) -> Truth:
        """At ``c`` and ``laws``, the pairs of laws of the releases."""
        level, given = self.taken(point, "c", "laws")
        c, laws = Fraction(level), tuple(given)
        if not laws or any(not is_indistinguishable(p, q, c) for p, q in laws):
            raise self.refused()
        level = Fraction(self.level(EXACT, c, len(laws)))
        first, second = (jointly([pair[side] for pair in laws]) for side in (0, 1))
        excess = hockey_stick(first, second, max(level, Fraction(1)))
        told = f"c = {c}, laws {[tuple(map(_law, pair)) for pair in laws]}"
        return Truth(not excess, f"{told}: divergence {excess} at {level}", exact=True)

    searched = ("{} releases", "{} sequences of up to three finite laws, all events, exactly")

    def refutations(self, effort: int) -> Iterator[str]:
        for c, d in product(LEVELS, (1, 2, 3)):
            for laws in islice(product(pairs_at(c, Fraction(0)), repeat=d), 2 * effort):
                yield self.at({"c": c, "laws": laws}).refutes

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level")


TURNS = (Real("c", least=1), Real("d", least=1))


def Together(way: str, *, level: Formula, slack: Formula | None = None) -> ReleasesTogether:
    """What releases cost that are put together in one of WAYS; without ``slack`` for δ = 0.

    level, slack: formulas of a world, c_1, c_2, δ_1 and δ_2. Raises StatementError for a way that is
    not known, and for formulas that read more than ``establish.spec``.
    """
    if way not in WAYS:
        raise StatementError(f"{way!r} is not a way to put releases together: {', '.join(WAYS)}")
    return ReleasesTogether(way, level, slack or (lambda c, *_: c.number(0)), slack is None).of_spec()


def InTurn(*, level: Formula) -> ReleasesInTurn:
    """What d equally private releases cost; level is a formula of a world, c = e^ε and d. Raises
    StatementError for one that reads more than ``establish.spec``.
    """
    return ReleasesInTurn(level).of_spec()
