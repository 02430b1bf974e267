"""The exact audit: for every unknown cell what an attacker cannot rule out, with what proves it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from establish.impl.suppression.engines import LARGEST_WITHOUT_HIGHS, highs
from establish.impl.suppression.expansion import components
from establish.impl.suppression.presolve import LOWER, UPPER, Alias, Clash, Presolved
from establish.impl.suppression.search import Exact, Follower, Search, Sink, Unsettled
from establish.impl.suppression.sums import Problem
from establish.spec.disclosure_limitation.linear_bounds import Vector


@dataclass(frozen=True, slots=True)
class End:
    """One end of an interval, in units of the table.

    bound: what is certified, None for no bound. inner: the furthest value that a table was found with, None
    where a direction shows that there is no bound. They are equal exactly when the end is attained.
    """

    bound: Fraction | None
    inner: Fraction | None

    @property
    def attained(self) -> bool:
        """Whether the bound is the end."""
        return self.bound == self.inner


@dataclass
class Answer:
    """The two ends of each unknown cell, by its place among the unknown ones; what it took."""

    ends: tuple[list[End | None], list[End | None]]
    components: int = 0
    largest: int = 0
    left: int = 0
    programs: int = 0
    slow: bool = False


@dataclass  # not frozen: an exception gets its traceback when it is raised
class Contradiction(Exception):
    """No table exists: the sums of ``dual`` contradict each other. They are named by their rows."""

    dual: Vector = field(default_factory=dict)


class _Keeping:
    """Keeps the ends, and hands everything on."""

    def __init__(self, answer: Answer, scale: int, on: Sequence[Sink]) -> None:
        self._answer, self._scale, self._on = answer, scale, on

    @property
    def follows(self) -> bool:
        return bool(self._on)

    def table(self, changes: Mapping[int, Exact]) -> None:
        for sink in self._on:
            sink.table(changes)

    def end(self, place: int, side: int, bound: Exact, dual: Vector, inner: Exact) -> None:
        ends = Fraction(bound) / self._scale, Fraction(inner) / self._scale
        self._answer.ends[side][place] = End(*ends)
        for sink in self._on:
            sink.end(place, side, bound, dual, inner)

    def direction(self, changes: Mapping[int, Exact]) -> None:
        for sink in self._on:
            sink.direction(changes)

    def unbounded(self, place: int, side: int) -> None:
        self._answer.ends[side][place] = End(None, None)
        for sink in self._on:
            sink.unbounded(place, side)


def audit(
    problem: Problem,
    integers: bool,
    sinks: Sequence[Sink] = (),
    progress: Callable[[int, int], None] = lambda done, all: None,
) -> Answer:
    """Both ends of every unknown.

    integers: whether values are whole. sinks: take tables and dual vectors as they are found. progress:
    is told how many of how many steps are done. Raises Contradiction when there is no table, Unsettled
    when neither a table nor a contradiction was found.
    """
    count = len(problem.unknown)
    answer = Answer(([None] * count, [None] * count))
    keeping = _Keeping(answer, problem.scale, sinks)
    try:
        presolved = Presolved(problem.table)
        _report_fixed(presolved, keeping)
        _search(presolved, integers, keeping, answer, progress)
    except Clash as clash:
        table = problem.table
        if not table.clashes(clash.dual) and not (integers and table.clashes_in_integers(clash.dual)):
            raise Unsettled from None
        raise Contradiction(clash.dual) from None
    return answer


def _report_fixed(presolved: Presolved, sink: Sink) -> None:
    """Unknowns of one value, and their aliases."""
    values = dict(presolved.fixed)
    aliased = [(x, a) for x, a in presolved.final.items() if a.of in presolved.fixed]
    values |= {x: a.sign * values[a.of] + a.shift for x, a in aliased}
    if values:
        sink.table(values)
    for place in presolved.fixed:
        for side in (LOWER, UPPER):
            bound = presolved.bounds[side][place]
            assert bound is not None
            _report(presolved, sink, place, side, bound.dual, values[place])
    for place, alias in aliased:
        for side in (LOWER, UPPER):
            dual = presolved.lifted({place: 1}, alias.dual, side)
            _report(presolved, sink, place, side, dual, values[place])


def _report(presolved: Presolved, sink: Sink, place: int, side: int, dual: Vector, value: int) -> None:
    table = presolved.table
    bound = (table.least if side == LOWER else table.greatest)({place: 1}, dual)
    if bound is None:
        raise AssertionError("a fixed unknown has no bound")
    sink.end(place, side, bound, dual, value)


def _search(
    presolved: Presolved, integers: bool, sink: Follower, answer: Answer, progress: Callable[[int, int], None]
) -> None:
    found = components(presolved)
    members: dict[int, list[tuple[int, Alias]]] = {}
    for place, alias in presolved.final.items():
        members.setdefault(alias.of, []).append((place, alias))
    answer.components = len(found)
    answer.left = sum(len(c.kept) for c in found)
    answer.largest = max((len(c.kept) for c in found), default=0)
    answer.slow = highs() is None and answer.largest > LARGEST_WITHOUT_HIGHS
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        progress(done, 2 * answer.left)

    for component in found:
        own = [pair for place in component.kept for pair in members.get(place, ())]
        search = Search(presolved, component, own, integers, sink)
        search.run(step)
        answer.programs += search.programs
