"""``M satisfies D for the queries of a class``, with an adversary over small universes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from itertools import islice, product
from math import ceil, floor
from typing import Any

from establish.proofs_check.engine.shared import shared
from establish.proofs_check.engine.statements.domain import Domain, printed
from establish.proofs_check.engine.statements.made_by import Made, NotReadError, decides, made_by
from establish.proofs_check.engine.statements.mass import no_law
from establish.proofs_check.engine.statements.planted import scaled, times
from establish.proofs_check.engine.statements.statement import (
    THOROUGH,
    Formula,
    Point,
    Statement,
    StatementError,
    Truth,
    where,
)
from establish.proofs_check.engine.statements.terms import Term
from establish.proofs_check.terms.content import digest_of, said
from establish.spec.arithmetic import ARB, MP, enclosing
from establish.spec.parameters import ParameterError
from establish.spec.relations.edge import Edge
from establish.spec.relations.node import Node
from establish.spec.relations.strong import Strong
from establish.spec.relations.universes import Shape, ShapeUniverse, SizeUniverse
from establish.spec.relations.weak import Weak

VALUES = 4
"""Two worker attributes of two values each make four kinds of workers."""

PER_KIND = 2
"""The most workers of one kind in an establishment of the small universe."""

LARGER = (0, 1, 2, 3, 4, 5, 9, 10, 11, 19, 20, 22, 40, 99, 100, 110)
"""Sizes of establishments whose workers are all alike, tried as well."""

GROWTHS, MORE_GROWTHS = (1, 10), (2, 100)
"""By how many workers an establishment is to grow whose size is tried with that of its largest neighbor, and
in a thorough search.
"""

MANY = 60
"""Among how many simple parameters those are looked for at which a mechanism is defined."""

RESTS = (0, 1, 3, 50)
"""What the other establishment of the cell adds to the count."""

SHARES = tuple(
    map(Fraction, ["1/1000000", "1/100", "1/10", "1/4", "1/2", "3/4", "9/10", "99/100", "999999/1000000"])
)
"""The quantiles of both laws at which they are compared, beside the centers and FAR."""

FAR = tuple(map(Fraction, (10**3, 10**6, -(10**3), -(10**6))))
"""Outputs far away."""

AROUND, BETWEEN = 12, 400
"""Whole outputs at which laws are compared: so many on both sides of each count, and so many between."""

BITS = 160

WEIGHED = 2
"""At how many parameters the adversary looks whether the density of the release has mass 1."""

RELATIONS: dict[str, tuple[str, Callable[[Any, Fraction], Any]]] = {
    "strong": ("strong α-neighbors", Strong),
    "weak": ("weak α-neighbors", Weak),
    "edge": ("neighbors by one job", lambda universe, alpha: Edge(universe)),
    "node": ("neighbors by one establishment", lambda universe, alpha: Node(universe)),
}
"""The neighbor relations by name, each in words and as the specification has it."""

NEIGHBORS = {"strong": Strong, "weak": Weak, "edge": Edge, "node": Node}
"""Their definitions."""

GROWING = ("strong", "weak")
"""The relations that have a growth α: without it nothing says who is a neighbor."""

QUERIES = {
    "establishment": "a count of all workers in a cell of establishments",
    "worker": "a count of the workers with a property in a cell of establishments",
}
"""The query classes. A property is any set of values of the worker attributes."""

BOUNDED = {
    ("strong", "establishment"): "share",
    ("weak", "establishment"): "share",
    ("weak", "worker"): "share",
    ("edge", "establishment"): "one",
    ("edge", "worker"): "one",
}
"""How much the count of one establishment can differ between neighbors: from x to at most max((1+α)x, x+1)
for α-neighbors, and to x + 1 for one job. With worker attributes strong neighbors give no such bound."""

Step = tuple[int, int]
"""The counts of one establishment in two neighboring datasets."""

Rest = int | tuple[int, ...]
"""The count of the other establishment of a cell, 0 without one, or the counts of several."""

SEVERAL, STEPS_BESIDE = tuple((1,) * others for others in range(2, 11)), 1
"""Beside which establishments the adversary tries the smallest step: a mechanism may read their number."""

AWAY = (-20, 40)
"""Whole outputs that it tries then, beside the counts and 0: quantiles of so many laws would take long."""


def _others(rest: Rest) -> tuple[int, ...]:
    """The counts of the other establishments."""
    return rest if isinstance(rest, tuple) else (rest,) if rest else ()


@lru_cache
def steps(
    neighbors: str, queries: str, alpha: Fraction, effort: int
) -> tuple[tuple[Step, Shape, Shape], ...]:
    """Every pair of different counts that one establishment can have in two neighboring datasets of the small
    universe, in either order, each with a pair of workforces that shows it, smallest first.
    """
    relation = RELATIONS[neighbors][1](ShapeUniverse(1, VALUES, PER_KIND), alpha)
    shapes = sorted(product(range(PER_KIND + 1), repeat=VALUES), key=lambda s: (sum(s), s))
    properties = (
        [tuple(range(VALUES))]
        if queries == "establishment"
        else [tuple(v for v in range(VALUES) if bits >> v & 1) for bits in range(1, 2**VALUES)]
    )
    found: dict[Step, tuple[Shape, Shape]] = {}
    for small, large in product(shapes, repeat=2):
        if relation.related((small,), (large,)):
            for chosen in properties:
                step = sum(small[v] for v in chosen), sum(large[v] for v in chosen)
                if step[0] != step[1]:
                    found.setdefault(step, (small, large))
    grown = [ceil(k / alpha) for k in Statement.deepened(effort, GROWTHS, MORE_GROWTHS)]
    larger = sorted({*LARGER, *grown, *(floor((1 + alpha) * x) for x in grown)})
    alike = RELATIONS[neighbors][1](SizeUniverse(1, max(larger)), alpha)
    for x, y in product(larger, repeat=2):
        if x != y and alike.related((x,), (y,)):
            found.setdefault((x, y), ((x, 0, 0, 0), (y, 0, 0, 0)))
    return tuple((step, *pair) for step, pair in found.items())


@dataclass(frozen=True)
class Satisfies(Statement):
    """For all parameters of a domain, all neighbors D, D', all queries of a class and all events S:
    P(M(D) ∈ S) ≤ e^ε·P(M(D') ∈ S) + δ.

    mechanism: a function of the parameters whose result has ``output(sizes, c)``, the law of the release
    of one cell, as the mechanisms of ``establish.spec`` have; at names that is a formula. alpha: the growth
    of neighbors as a function of the parameters, where the relation has one. level, delta: formulas of a
    world and the parameters.
    """

    name: str
    domain: Domain
    mechanism: Callable[..., Any]
    neighbors: str
    queries: str
    level: Formula
    alpha: Callable[..., Fraction] | None = None
    delta: Formula | None = None

    @property
    def text(self) -> str:
        level = printed(self.level, self.domain.variables)
        slack = "" if self.delta is None else f" + {printed(self.delta, self.domain.variables)}"
        domain = f"{self.domain.said()}, " if self.domain.variables else "for "
        growth = "" if self.alpha is None else f" at growth by {self._growth}"
        return (
            f"{domain}all {RELATIONS[self.neighbors][0]} D, D'{growth}, every query that is "
            f"{QUERIES[self.queries]}, and every event S: "
            f"P({self.name}(D) ∈ S) ≤ e^({level})·P({self.name}(D') ∈ S){slack}, "
            f"{self.name} being {self._made}"
        )

    @cached_property
    def _growth(self) -> str:
        """α as a formula of the parameters; of one that is none, what tells it from others."""
        growth: Any = self.alpha
        if decides(growth):
            return said(growth)
        try:
            return str(growth(*(Term(v.name) for v in self.domain.variables)))
        except Exception:  # it wants numbers
            return said(growth)

    @property
    def defines(self) -> tuple[Any, ...]:
        return (NEIGHBORS[self.neighbors],)

    @property
    def _made(self) -> str:
        try:
            return str(self.made)
        except NotReadError:  # of one that no author can state
            return said(self.mechanism)

    @cached_property
    def made(self) -> Made:
        """The class of mechanisms that the name stands for, and its parameters as formulas."""
        return made_by(self.mechanism, self.domain.names)

    def at(self, point: Point) -> Truth:
        """The inequality at parameters, at the counts ``x`` and ``y`` of one establishment in two neighboring
        datasets, the count ``rest`` of the others in the cell, and at the output ``o`` (or the event
        {output > o} when δ > 0).
        """
        values = self.domain.own_values(point)
        if _cells(self.mechanism, values) is None:
            raise self.refused(f"{self.name} is not defined at {self.domain.told(values)}")
        x, y, rest = (int(point[name]) for name in ("x", "y", "rest"))
        known = steps(self.neighbors, self.queries, self._alpha(values), THOROUGH)
        allowed = {step for step, _, _ in known}
        if (x, y) not in allowed:
            raise self.refused(f"no two neighbors of the small universe count {x} and {y}")
        worst = self._excess(values, (x, y), rest, [Fraction(point["o"])])
        return Truth(not worst, f"{self.in_words(point)}: {worst or 'the inequality holds'}", exact=False)

    def counterexample(self, effort: int) -> tuple[str, str]:
        pairs = settings = 0
        for values in self._settings(max(3, effort // 25)):
            settings += 1
            if settings <= WEIGHED and (reason := _no_law(self.mechanism, values)):
                return f"the mass of a law at {settings} parameters", f"{self.domain.told(values)}: {reason}"
            alpha = self._alpha(values)
            if settings == 1 and (worst := self._beside_several(values, alpha, effort)):
                return "cells of several establishments at one setting", worst
            for step, small, large in steps(self.neighbors, self.queries, alpha, effort):
                for rest in RESTS:
                    pairs += 1
                    if worst := self._excess(values, step, rest, None):
                        at = f"{self.domain.told(values)}: {_kinds(small, large)}"
                        return f"{pairs} pairs", f"{at}, {rest} in others: {worst}"
        return f"{pairs} pairs of counts at {settings} parameters, in Arb", ""

    def _beside_several(self, values: tuple[Fraction, ...], alpha: Fraction, effort: int) -> str:
        """Where the inequality fails beside several establishments, in words; empty where it does not."""
        first = steps(self.neighbors, self.queries, alpha, effort)[:STEPS_BESIDE]
        for (step, small, large), rest in product(first, SEVERAL):
            outputs = [Fraction(count + others) for count in (*step, *AWAY) for others in (0, len(rest))]
            if worst := self._excess(values, step, rest, outputs):
                at = f"{self.domain.told(values)}: {_kinds(small, large)}"
                return f"{at}, beside establishments of {', '.join(map(str, rest))}: {worst}"
        return ""

    def _settings(self, most: int) -> Iterator[tuple[Fraction, ...]]:
        """The simplest parameters at which the mechanism is defined, looked for among MANY."""
        tried = dict.fromkeys((*self.domain.simple_points(most), *self.domain.simple_points(MANY)))
        defined = (values for values in tried if _cells(self.mechanism, values) is not None)
        return islice(defined, most)

    def planted(self) -> Iterator[tuple[str, Statement]]:
        yield from scaled(self, "level", ("99/100", "9/10", "3/4", "1/2", "1/4"))
        if self.neighbors == "weak":
            yield "strong neighbors for weak", replace(self, neighbors="strong")
        yield "level 0", replace(self, level=times(self.level, Fraction(0)))
        if self.delta is not None:
            yield "without δ", replace(self, delta=None)

    def _alpha(self, values: Sequence[Fraction]) -> Fraction:
        return Fraction(1) if self.alpha is None else self.alpha(*values)

    def _excess(
        self, values: Sequence[Fraction], step: Step, rest: Rest, outputs: Sequence[Fraction] | None
    ) -> str:
        """Where the inequality certainly fails between two counts, in words; empty where it does not."""
        others = sum(_others(rest))
        with enclosing(BITS):
            level = ARB.number(self.level(ARB, *values))
            delta = None if self.delta is None else ARB.number(self.delta(ARB, *values))
            number = _log_density if delta is None else _mass_below
            cells = _cells(self.mechanism, tuple(values))
            for o, first, second in cells.compared(number, step, rest, outputs) if cells else ():
                if worst := _excess_at(first, second, o, level, delta):
                    return f"counts {step[0] + others} and {step[1] + others}, {worst}"
        return ""


Number = Callable[[Any, Any], Any]
"""What is read of a law at an output; None where it has no value."""


class _Law:
    """A law, and what was read of it."""

    def __init__(self, law: Any) -> None:
        self.law = law
        self._known: dict[tuple[Number, type, Any], Any] = {}

    @cached_property
    def quantiles(self) -> list[Any]:
        """At SHARES, where it has any: numbers within their balls."""
        shares = SHARES if hasattr(self.law, "quantile") else ()
        found = (ARB.number(self.law.quantile(share)) for share in shares)
        return [ball.mid() for ball in found if ball.is_finite()]

    def at(self, number: Number, o: Any) -> Any:
        key = number, type(o), o
        if key not in self._known:
            self._known[key] = number(self.law, o)
        return self._known[key]


class _Cells:
    """What a mechanism releases of one cell at one setting. Laws that say the same are one, and what is read
    of them is kept, as many pairs of neighbors, planted levels and statements ask for the same.
    """

    def __init__(self, mechanism: Any) -> None:
        self._mechanism = mechanism
        self._laws: dict[tuple[int, Rest], _Law] = {}
        self._by_content: dict[str, _Law] = {}
        self._known: dict[tuple[Number, _Law, _Law, int, int], list[tuple[Any, Any, Any]]] = {}

    def compared(
        self, number: Number, step: Step, rest: Rest, outputs: Sequence[Fraction] | None
    ) -> list[tuple[Any, Any, Any]]:
        """(output, number of the first law, of the second) at the outputs, or at those that are tried."""
        low, high = sorted(step)
        first, second = (self._law(count, rest) for count in (low, high))
        if outputs:
            found = _read(number, first, second, outputs)
        else:
            others = sum(_others(rest))
            key = number, first, second, low + others, high + others
            if key not in self._known:
                self._known[key] = _read(number, first, second, _outputs(*key[1:]))
            found = self._known[key]
        return found if step == (low, high) else [(o, second, first) for o, first, second in found]

    def _law(self, count: int, rest: Rest) -> _Law:
        """The law of the release."""
        if (count, rest) not in self._laws:
            made = self._mechanism.output((count, *_others(rest)), ARB)
            self._laws[count, rest] = self._by_content.setdefault(digest_of(made), _Law(made))
        return self._laws[count, rest]


def _read(number: Number, first: _Law, second: _Law, outputs: Sequence[Any]) -> list[tuple[Any, Any, Any]]:
    found = ((o, first.at(number, o), second.at(number, o)) for o in outputs)
    return [(o, p, q) for o, p, q in found if p is not None and q is not None]


def _outputs(first: _Law, second: _Law, low: int, high: int) -> list[Any]:
    """Those at which the laws around two counts are compared."""
    if hasattr(first.law, "mass"):
        near = [n + d for n in (low, high) for d in range(-AROUND, AROUND + 1)]
        return sorted({*near, *range(low, high, max(1, (high - low) // BETWEEN))})
    return [Fraction(low), Fraction(high), *first.quantiles, *second.quantiles, *FAR]


@partial(shared, most=16)
def _cells(mechanism: Callable[..., Any], values: tuple[Fraction, ...]) -> _Cells | None:
    """None where the mechanism is not defined. Kept, as a statement and its planted neighbors return to a few
    settings in turn.
    """
    try:
        return _Cells(mechanism(*values))
    except ParameterError:
        return None


@partial(shared, most=64)
def _no_law(mechanism: Callable[..., Any], values: tuple[Fraction, ...]) -> str:
    """Why what is released of a cell of two establishments is no law; empty where nothing is seen."""
    return no_law(mechanism(*values).output((3, 1), MP))


def _log_density(law: Any, o: Any) -> Any:
    try:
        return ARB.log(ARB.number(law.mass(o))) if hasattr(law, "mass") else law.log_density(o)
    except (ValueError, TypeError):
        return None


def _mass_below(law: Any, o: Any) -> Any:
    return law.cdf(o)


def _kinds(small: Shape, large: Shape) -> str:
    return f"establishments of workers by kind {small} and {large}"


def _excess_at(first: Any, second: Any, o: Any, level: Any, delta: Any) -> str:
    """Of log-densities at the output o, or with a δ of probabilities up to it."""
    if delta is None:
        worst = Statement.above(first - second, level, "privacy loss")
        return worst and f"output {ARB.number(o).str(9, radius=False)}: {worst}"
    for side, p, q in (("≤", first, second), (">", 1 - first, 1 - second)):
        if worst := Statement.above(p - ARB.exp(level) * q, delta, "", "δ = "):
            return f"event output {side} {ARB.number(o).str(9, radius=False)}:{worst}"
    return ""


def satisfies(statement: Satisfies) -> Satisfies:
    """A statement on privacy as an author writes it.

    Raises StatementError for names that are not known, formulas that read more than ``establish.spec``,
    and a mechanism that is not one class at formulas of the parameters, or that cannot be made anywhere in
    the domain.
    """
    for value, known in ((statement.neighbors, RELATIONS), (statement.queries, QUERIES)):
        if value not in known:
            raise StatementError(f"{value!r} is not known: use one of {', '.join(known)}")
    if statement.alpha is None and statement.neighbors in GROWING:
        raise StatementError(
            f"{where(statement.mechanism)}: {statement.neighbors} neighbors grow by a share: give alpha to "
            f"{statement.name}"
        )
    statement.of_spec()
    try:
        statement.made  # noqa: B018 - what it is made of is read when it is written
    except NotReadError as error:
        raise StatementError(
            f"{where(statement.mechanism)}: mechanism of {statement.name}: {error}"
        ) from error
    if not any(_cells(statement.mechanism, v) for v in statement.domain.simple_points(8)):
        raise StatementError(f"{statement.name} cannot be made anywhere in: {statement.domain.said()}")
    return statement


def Private(
    *variables: Any,
    name: str,
    mechanism: Callable[..., Any],
    neighbors: str,
    queries: str,
    level: Formula,
    alpha: Callable[..., Fraction] | None = None,
    delta: Formula | None = None,
    given: Sequence[Any] = (),
) -> Satisfies:
    """``name`` satisfies the definition of its neighbors at ``level`` for all values of the variables."""
    domain = Domain(tuple(variables), tuple(given))
    return satisfies(Satisfies(name, domain, mechanism, neighbors, queries, level, alpha, delta))
