"""A formula without a largest value, or that no constant bounds: its values along a path of the domain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise, permutations
from math import isfinite, log10
from typing import Any, NamedTuple

from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import Domain, printed, read
from establish.proofs_check.engine.statements.maximum import Maximum
from establish.proofs_check.engine.statements.of_order import OfOrder
from establish.proofs_check.engine.statements.statement import Formula, Statement, StatementError
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing, brief
from establish.proofs_check.report.drawings.plots import INK, legend_below, plot
from establish.spec.arithmetic import ARB, EXACT, enclosing

STEPS = 24
"""Steps of a path."""

STARTS = 12
"""Simple points of the domain from which a path starts."""

GROWTH = 10
"""From this growth along a path on, a ratio counts as one that grows."""

BITS = 192
ROWS = 6
SMALL = 1e-9
"""A ratio below this counts as this."""

_DOUBLING = tuple(Fraction(2) ** k for k in range(STEPS))

Values = tuple[Fraction, ...]


class _Path(NamedTuple):
    """Points of a domain, and the distances along which they are drawn; what moves, in words."""

    words: str
    along: list[float]
    points: list[Values]


def without_maximum(statement: Maximum, meant: Sequence[Statement]) -> Drawing | None:
    """The values along the last variable, each larger than the one before.

    meant: what is true instead; a constant that it gives as a bound of the same formula is drawn.
    """
    domain, formula = statement.shape.domain, statement.shape.right
    variable = domain.variables[-1]
    for start in domain.simple_points(STARTS):
        low = variable.ends(start[:-1])[0] or Fraction(0)
        moves = map(Fraction, range(STEPS)) if variable.field == "ℤ" else _DOUBLING
        found = [(*start[:-1], low + move) for move in moves]
        points = [values for values in found if domain.includes(values)]
        shown = [_shown(domain, formula, values) for values in points]
        ys = [value for value, _ in shown]
        if len(ys) > ROWS and all(one < other for one, other in pairwise(ys[-ROWS:])):
            break
    else:
        return None
    bound = _bound(statement, meant)
    xs = [float(values[-1]) for values in points]
    rises = variable.field != "ℤ"

    def paint(axes: Any) -> None:
        axes.plot(xs, ys, "o", color=INK, markersize=4, label="values of the formula")
        if bound is not None:
            axes.axhline(bound, color=INK, linestyle="--", label="bound")
        if rises:
            axes.set_xscale("log")
            axes.set_yscale("log")
        axes.minorticks_off()
        axes.set_xlabel(variable.name)
        legend_below(axes)

    held = ", ".join(f"{v} = {x}" for v, x in zip(domain.names[:-1], points[0][:-1], strict=True))
    rows = tuple((str(v[-1]), text) for v, (_, text) in zip(points, shown, strict=True))
    above = "" if bound is None else f" They stay below {brief(bound)} (dashes)."
    text = (
        f"Values of {printed(formula, domain.variables)} at {variable.name} from {brief(xs[0])} to "
        f"{brief(xs[-1])}{f', with {held} held' if held else ''}. Each of the last {ROWS} is larger than the "
        f"one before, from {shown[-ROWS][1]} to {shown[-1][1]}; the evidence below shows that every "
        f"value has a larger one after it.{above}{' Both axes are logarithmic.' if rises else ''}"
    )
    table = DataTable("the first values", (variable.name, "value"), rows[:ROWS])
    return Drawing("growing values", "No value is the largest", text, plot(paint), (table,))


def _bound(statement: Maximum, meant: Sequence[Statement]) -> float | None:
    """The constant right side of a comparison with the same left side."""
    formula = printed(statement.shape.right, statement.shape.domain.variables)
    for each in meant:
        if isinstance(each, Comparison) and each.relation in ("<", "<="):
            variables = each.domain.variables
            with suppress(ValueError):
                if printed(each.left, variables) == formula:
                    return float(Fraction(printed(each.right, variables)))
    return None


def without_constant(statement: OfOrder) -> Drawing | None:
    """The left side over the right one along a path on which this ratio exceeds every constant."""
    found = next(_growing(statement.bounded), None)
    if found is None:
        return None
    path, ratios = found
    steep = ratios[0] > 0 and ratios[-1] > GROWTH**3 * ratios[0]

    def paint(axes: Any) -> None:
        axes.plot(path.along, ratios, "o-", color=INK, markersize=3, label="left side / right side")
        apart = max(1, round(log10(ratios[-1]) / GROWTH))
        for power, style in zip((apart, 2 * apart, 3 * apart), (":", "--", "-."), strict=True):
            constant = 10.0**power
            if ratios[0] < constant < ratios[-1]:
                axes.axhline(constant, color=INK, linewidth=0.9, linestyle=style)
                axes.annotate(f"C = {constant:,.0f}", (min(path.along), constant), va="bottom")
        axes.set_xscale("log")
        if steep:
            axes.set_yscale("log")
        axes.minorticks_off()
        axes.set_xlabel(path.words)
        legend_below(axes)

    few = range(0, len(ratios), max(1, len(ratios) // ROWS))
    rows = tuple((*(f"{brief(x)}" for x in path.points[k]), brief(ratios[k])) for k in few)
    header = (*statement.bounded.domain.names, "left / right")
    text = (
        f"The left side over the right side along {path.words}, which doubles or halves from point to point. "
        f"The ratio goes from {brief(ratios[0])} to {brief(ratios[-1])} at the {len(ratios)} drawn points of "
        f"the domain and still rises; the evidence below shows that it exceeds every constant C. The axis of "
        f"the distance is logarithmic{', and that of the ratio' if steep else ''}."
    )
    table = DataTable("points of the path", header, rows)
    return Drawing("growing ratio", "No constant is enough", text, plot(paint), (table,))


def _growing(bounded: Comparison) -> Iterator[tuple[_Path, list[float]]]:
    """The paths along which left over right grows, with this ratio; those along one variable come first."""
    starts = list(bounded.domain.simple_points(STARTS))
    for paths in (_alone, _together):
        for start in starts:
            for path in paths(bounded.domain, start):
                ratios = _ratios(bounded, path.points)
                if ratios is None or ratios[-1] < GROWTH * max(ratios[0], SMALL):
                    continue
                rises = [other - one for one, other in pairwise(ratios[len(ratios) // 2 :])]
                if min(rises) > 0 and rises[-1] >= rises[0] / 2:
                    yield path, ratios


def _alone(domain: Domain, start: Values) -> Iterator[_Path]:
    """Paths on which one variable grows, or nears an end of the domain."""
    for place, variable in enumerate(domain.variables):
        grown = [(move, _moved(start, place, start[place] + move)) for move in _DOUBLING]
        yield _path(domain, variable.name, grown)
        if variable.field == "ℤ":
            continue
        for beyond in (start[place] - 1 - abs(start[place]), start[place] + 64):
            end = _end(domain, start, place, beyond)
            room = start[place] - end
            if domain.includes(_moved(start, place, beyond)) or not room:
                continue
            nearing = [(abs(room) / move, _moved(start, place, end + room / move)) for move in _DOUBLING]
            words = f"the distance of {variable.name} to {brief(end)}, the end of its domain"
            yield _path(domain, words, nearing)


def _together(domain: Domain, start: Values) -> Iterator[_Path]:
    """Paths on which one variable grows and another one is as large as it may be beside it."""
    reals = [place for place, v in enumerate(domain.variables) if v.field != "ℤ"]
    for place, other in permutations(reals, 2):
        level = [_moved(start, place, start[place] + move) for move in _DOUBLING]
        level = [_moved(values, other, values[place]) for values in level]
        pairs = [
            (move, _moved(values, other, _end(domain, values, other, values[other] * 4 + 4)))
            for move, values in zip(_DOUBLING, level, strict=True)
            if domain.includes(values)
        ]
        names = domain.names
        yield _path(domain, f"{names[place]}, with {names[other]} as large as it may be", pairs)


def _path(domain: Domain, words: str, points: Sequence[tuple[Fraction, Values]]) -> _Path:
    inside = [(float(move), values) for move, values in points if domain.includes(values)]
    return _Path(words, [move for move, _ in inside], [values for _, values in inside])


def _moved(values: Values, place: int, value: Fraction) -> Values:
    return (*values[:place], value, *values[place + 1 :])


def _end(domain: Domain, start: Values, place: int, beyond: Fraction) -> Fraction:
    """The last value on the way to ``beyond`` that keeps the point in the domain, to 40 bits.

    A simple rational that is as near is taken for it.
    """
    inside, outside = start[place], beyond
    for _ in range(40):
        middle = (inside + outside) / 2
        if domain.includes(_moved(start, place, middle)):
            inside = middle
        else:
            outside = middle
    simple = inside.limit_denominator(100)
    return simple if abs(simple - inside) < abs(beyond - start[place]) / 2**38 else inside


def _ratios(bounded: Comparison, points: Sequence[Values]) -> list[float] | None:
    """Left over right at every point; None for a few points, or where a side is no finite number."""
    found = []
    for values in points:
        with enclosing(BITS):
            try:
                left, right = (
                    ARB.number(read(f, ARB, bounded.domain.variables, values))
                    for f in (bounded.left, bounded.right)
                )
                ratio = float((left / right).mid())
            except (ValueError, TypeError, ArithmeticError, StatementError):
                return None
        if not isfinite(ratio):
            return None
        found.append(ratio)
    return found if len(found) > ROWS else None


def _shown(domain: Domain, formula: Formula, values: Values) -> tuple[float, str]:
    """A value and its text, exactly where rationals give it."""
    with suppress(ValueError, TypeError, AttributeError, ArithmeticError):
        exact = Fraction(read(formula, EXACT, domain.variables, values))
        return float(exact), str(exact)
    with enclosing(BITS):
        value = float(ARB.number(read(formula, ARB, domain.variables, values)).mid())
    return value, brief(value)
