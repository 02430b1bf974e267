"""``answers with normal noise satisfy μ-GEDP for every neighbor function``, with an adversary."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.domain import Domain, printed
from establish.proofs_check.engine.statements.planted import scaled
from establish.proofs_check.engine.statements.statement import (
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
)
from establish.spec.arithmetic import ARB, enclosing
from establish.spec.distributions import gaussian
from establish.spec.neighbor_functions.arbitrary import Arbitrary
from establish.spec.neighbor_functions.functions import NeighborFunction, identity, logarithm, root
from establish.spec.neighbor_functions.intervals import uncertainty_interval

BITS = 160

FUNCTIONS: dict[bool, tuple[NeighborFunction, ...]] = {
    True: (root(), logarithm(Fraction(1, 2)), identity(), logarithm(1), root(1)),
    False: (logarithm(),),
}
"""The neighbor functions that are tried: those that are real at 0, and that with ψ(0) = −∞."""

SIZES = (Fraction(0), Fraction(1), Fraction(36))
"""Values of the establishment that changes; its other values are the ends of their intervals."""

RESTS = (None, Fraction(0), Fraction(9))
"""The value of another establishment in the same group; None where there is none."""

Answer = tuple[int, Any]
"""The number of the attribute that is summed, and the mechanism, which has ``mu`` and ``output``."""

Values = tuple[Fraction, ...]
"""The values of one establishment, by attribute."""


@dataclass(frozen=True)
class EstablishmentPrivate(Statement):
    """For all parameters, every neighbor function ψ, all ψ-neighbors D, D', all group-by sums and all events
    S: Φ⁻¹(P(M(D') ∈ S)) ≤ Φ⁻¹(P(M(D) ∈ S)) + level.

    answers: a function of ψ and of the parameters that gives the answers, of independent noise. gamma: the
    distance of every attribute. bounded: the mechanisms get an upper bound for each establishment; the
    statement is then for all bounds. real: whether ψ is real at 0; values are above 0 otherwise. repeated:
    whether each of the answers may be given any number of times, to the root of whose squares the level then
    refers.
    """

    name: str
    domain: Domain
    answers: Callable[..., Sequence[Answer]]
    gamma: Callable[..., Any]
    level: Formula
    bounded: bool = False
    real: bool = True
    repeated: bool = False

    @property
    def text(self) -> str:
        return self.told("record of one establishment, with", self.said_level)

    @property
    def said_level(self) -> str:
        """μ as a formula of the parameters."""
        return printed(self.level, self.domain.variables)

    def told(self, differing: str, level: str) -> str:
        """The statement about D, D' that differ in what is named, at a level as a formula."""
        gamma = printed(lambda c, *v: c.number(self.gamma(*v)), self.domain.variables)
        functions = (
            "every neighbor function ψ"
            if self.real
            else "every ψ that is a neighbor function on x > 0 with ψ(0) = −∞"
        )
        bounds = ", all upper bounds" if self.bounded else ""
        if self.repeated:
            bounds += ", any number of answers of each kind with budgets of their own (written for one)"
        return (
            f"{self.domain.said()}, {functions}, all D, D' that differ in the {differing} "
            f"|ψ(x) − ψ(y)| ≤ {gamma} in every attribute, all group-by sums{bounds} "
            f"and every event S: Φ⁻¹(P({self.name}(D') ∈ S)) ≤ Φ⁻¹(P({self.name}(D) ∈ S)) + {level}"
        )

    def at(self, point: Point) -> Truth:
        """At parameters, a neighbor function ``ψ``, the values ``x`` and ``y`` of the establishment (the
        same in every attribute), the ``rest`` of its group or None, and its ``bound`` if there is one
        (half of it for the rest).
        """
        values = self.domain.own_values(point)
        psi, rest = point["ψ"], point.get("rest")
        x, y = (Fraction(point[name]) for name in ("x", "y"))
        if psi.real_at_zero != self.real or not psi.close(x, y, self.gamma(*values)):
            raise self.refused(f"{x} and {y} are not close under ψ = {psi.name}")
        many = 1 + max(attribute for attribute, _ in self.answers(psi, *values))
        bound = Fraction(point["bound"]) if self.bounded else None
        other = None if rest is None else Fraction(rest)
        worst = self._excess(values, psi, ((x,) * many, (y,) * many), other, bound)
        return Truth(not worst, f"{self.in_words(point)}: {worst or 'the inequality holds'}", exact=False)

    def counterexample(self, effort: int) -> tuple[str, str]:
        pairs = settings = 0
        for values in self.domain.simple_points(max(2, effort // 20)):
            settings += 1
            for psi, change, rest in self._neighbors(values):
                for bound in _bounds(change) if self.bounded else (None,):
                    pairs += 1
                    if worst := self._excess(values, psi, change, rest, bound):
                        return f"{pairs} pairs", (
                            f"{self.domain.told(values)}: ψ = {psi.name}, {_told(change[0])} becomes "
                            f"{_told(change[1])}, {rest or 'no other'} in the group, bound {bound}: {worst}"
                        )
        return f"{pairs} pairs of groups at {settings} parameters, in Arb", ""

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level")
        gamma = self.gamma
        yield "twice the distance", replace(self, gamma=lambda *v: 2 * gamma(*v))

    def _neighbors(
        self, values: Sequence[Fraction]
    ) -> Iterator[tuple[NeighborFunction, tuple[Values, Values], Fraction | None]]:
        gamma = self.gamma(*values)
        for psi in FUNCTIONS[self.real]:
            many = 1 + max(attribute for attribute, _ in self.answers(psi, *values))
            steps = list(close_pairs(psi, gamma))
            opposite = [steps if number % 2 == 0 else steps[::-1] for number in range(many)]
            for chosen in zip(*opposite, strict=True):
                before, after = zip(*chosen, strict=True)
                for rest in RESTS:
                    if self.real or rest != 0:
                        yield psi, (before, after), rest

    def _excess(
        self,
        values: Sequence[Fraction],
        psi: NeighborFunction,
        change: tuple[Values, Values],
        rest: Fraction | None,
        bound: Fraction | None,
    ) -> str:
        """Where the inequality certainly fails, in words; empty where it does not."""
        others = [] if rest is None else [rest]
        with enclosing(BITS):
            level = ARB.number(self.level(ARB, *(ARB.number(v) for v in values)))
            square = ARB.number(0)
            pairs = []
            answers = list(self.answers(psi, *values))
            if self.repeated:
                answers, level = answers * 2, level * ARB.sqrt(ARB.number(2))
            for attribute, mechanism in answers:
                given = bounds_for(mechanism, bound, [(bound or 0) / 2 for _ in others])
                pair = [mechanism.output([r[attribute], *others], *given, ARB) for r in change]
                if pair[0].sd == 0 and (pair[0].mean < pair[1].mean or pair[0].mean > pair[1].mean):
                    return "the answers differ and have no noise"
                if not pair[0].sd > 0:
                    return ""
                pairs.append(pair)
                square += ((pair[0].mean - pair[1].mean) / pair[0].sd) ** 2
            worst = self.above(square.sqrt(), level, "the cost is")
            return worst or (_event_excess(pairs[0][0], pairs[0][1], level) if len(pairs) == 1 else "")


def bounds_for(mechanism: Any, bound: Any, others: list[Any]) -> list[list[Any]]:
    """The upper bounds of a group as an argument of ``output``, for a mechanism that clips at them."""
    return [[bound, *others]] if hasattr(mechanism, "clip") else []


def _event_excess(first: Any, second: Any, level: Any) -> str:
    """Whether the definition fails for an event {answer > o} or {answer ≤ o}, o a mean or between them."""
    for o in (first.mean, second.mean, (first.mean + second.mean) / 2):
        below = [law.cdf(o) for law in (first, second)]
        for p, q in (below, [1 - p for p in below]):
            if 0 < p < 1 and 0 < q < 1:
                apart = gaussian.quantile(q, ARB) - gaussian.quantile(p, ARB)
                if apart.is_finite() and apart > level:
                    return f"an event has Φ⁻¹ apart by {apart.str(9, radius=False)}"
    return ""


def close_pairs(psi: NeighborFunction, gamma: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Close values in either order: from each size to both ends of its interval, and what lies within."""
    for x in SIZES:
        if x == 0 and not psi.real_at_zero:
            continue
        with enclosing(BITS):
            low, high = uncertainty_interval(psi, x, gamma, ARB)
            ends = [_inside(low, 1), _inside(high, -1), (x + _inside(high, -1)) / 2]
        for y in ends:
            if y != x and y >= 0 and psi.close(x, y, gamma):
                yield x, y
                yield y, x


def _inside(ball: Any, inward: int) -> Fraction:
    """A rational in the interval, less than 2⁻¹⁰⁰ of its size from the end that the ball holds."""
    end = (ball.upper() if inward > 0 else ball.lower()).fmpq()
    near = Fraction(int(end.p), int(end.q))
    return near if ball.rad() == 0 else near + inward * max(near, Fraction(1)) / 2**100


def _bounds(change: tuple[Values, Values]) -> tuple[Fraction, ...]:
    most = max(*change[0], *change[1])
    least = min(*change[0], *change[1])
    return tuple(dict.fromkeys((most, (most + least) / 2, 2 * most + 1)))


def _told(values: Values) -> str:
    return ", ".join(f"{float(v):.9g}" for v in values)


def Gedp(
    *variables: Any,
    name: str,
    answers: Callable[..., Sequence[Answer]],
    gamma: Callable[..., Any],
    level: Formula,
    bounded: bool = False,
    real: bool = True,
    repeated: bool = False,
) -> EstablishmentPrivate:
    """``name`` satisfies level-GEDP for every neighbor function, all values of the variables, and all bounds.

    Raises StatementError for functions that read more than ``establish.spec``, and for answers that cannot
    be made.
    """
    domain = Domain(tuple(variables))
    made = EstablishmentPrivate(name, domain, answers, gamma, level, bounded, real, repeated).of_spec()
    if not made.answers(Arbitrary(real), *next(made.domain.simple_points(4))):
        raise StatementError(f"{name}: there is no answer")
    return made
