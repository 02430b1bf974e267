"""Both sides of a comparison along one of its variables, through the point at which it is false."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, isfinite, nan
from typing import Any

from establish.proofs_check.engine.statements.comparison import Comparison
from establish.proofs_check.engine.statements.domain import WORDS, read
from establish.proofs_check.engine.statements.variables import Variable
from establish.proofs_check.report.drawings.drawing import Drawing, brief
from establish.proofs_check.report.drawings.plots import INK, hatch_where, legend_below, plot
from establish.proofs_check.report.drawings.shapes import number_line
from establish.spec.arithmetic import ARB, EXACT, enclosing

STEPS = 48
"""Parts into which the drawn stretch of a real variable is cut."""

MANY = 4
"""Points that a curve needs at least."""

LARGE = 1e4
"""From this ratio of the largest side to the smallest on, the axis of the sides is logarithmic."""

BITS = 96


@dataclass(frozen=True)
class _Curve:
    """One variable, its values in the domain, both sides there, and whether the statement is true."""

    variable: Variable
    xs: list[float]
    left: list[float]
    right: list[float]
    truths: list[bool]

    @property
    def switches(self) -> bool:
        return len(set(self.truths)) > 1


def drawn(statement: Comparison, point: dict[str, Fraction]) -> Drawing | None:
    """The curve along the variable on which the statement is both true and false, if there is one."""
    values = statement.domain.values(point)
    curves = [
        curve for place in range(len(values)) if len((curve := _along(statement, values, place)).xs) >= MANY
    ]
    sides = _sides(statement, values)
    if sides is None:
        return None
    if not curves:
        return _on_a_line(statement, values, *sides)
    curve = next((each for each in curves if each.switches), curves[0])
    return _picture(statement, values, curve, *sides)


def _sides(statement: Comparison, values: Sequence[Fraction]) -> tuple[float, float] | None:
    """Both sides as floats; None where one is no finite number."""
    variables, sides = statement.domain.variables, (statement.left, statement.right)
    try:
        left, right = (float(Fraction(read(f, EXACT, variables, values))) for f in sides)
        return left, right
    except (ValueError, TypeError, AttributeError, ArithmeticError):
        pass  # no rationals: Arb
    with enclosing(BITS):
        try:
            balls = [ARB.number(read(f, ARB, variables, values)) for f in sides]
        except (ValueError, TypeError, ArithmeticError):
            return None
        left, right = (float(ball.mid()) for ball in balls)
    return (left, right) if isfinite(left) and isfinite(right) else None


def _along(statement: Comparison, values: Sequence[Fraction], place: int) -> _Curve:
    """The sides where one variable moves and the others stay."""
    variable = statement.domain.variables[place]
    curve = _Curve(variable, [], [], [], [])
    for x in _stretch(variable, values[:place], values[place]):
        moved = (*values[:place], x, *values[place + 1 :])
        try:
            truth = statement.at(dict(zip(statement.domain.names, moved, strict=True))).value
        except (ValueError, TypeError, ArithmeticError):  # outside the domain, or not defined
            continue
        if (sides := _sides(statement, moved)) is None:
            continue
        curve.xs.append(float(x))
        curve.left.append(sides[0])
        curve.right.append(sides[1])
        curve.truths.append(truth is not False)
    return curve


def _stretch(variable: Variable, earlier: Sequence[Fraction], at: Fraction) -> Iterator[Fraction]:
    """Values around ``at``, with it, in order: the domain between two ends, or three times the way to one."""
    low, high = variable.ends(earlier)
    reach = max(abs(at), Fraction(1))
    if low is not None and high is not None:
        first, last = low, high
    elif low is not None:
        first, last = low, at + 2 * max(at - low, reach / 2)
    elif high is not None:
        first, last = at - 2 * max(high - at, reach / 2), high
    else:
        first, last = at - 2 * reach, at + 2 * reach
    if variable.field == "ℤ":
        start = max(ceil(first), floor(at) - STEPS // 2)
        yield from map(Fraction, range(start, min(floor(last), start + STEPS) + 1))
        return
    inner = {first + (last - first) * Fraction(k, STEPS) for k in range(STEPS + 1)}
    yield from sorted(inner | {at})


def _picture(
    statement: Comparison, values: Sequence[Fraction], curve: _Curve, left: float, right: float
) -> Drawing:
    place = statement.domain.variables.index(curve.variable)
    x = float(values[place])
    sizes = [abs(v) for v in (*curve.left, *curve.right, left, right)]
    positive = all(v > 0 for v in (*curve.left, *curve.right))
    logarithmic = positive and max(sizes) > LARGE * min(sizes)
    whole = curve.variable.field == "ℤ"

    def paint(axes: Any) -> None:
        for name, side, line, mark, size in (
            ("left", curve.left, "-", "o", 3),
            ("right", curve.right, "--", "x", 5),
        ):
            ys = [value if isfinite(value) else nan for value in side]
            style = {"linestyle": "none" if whole else line, "marker": mark if whole else ""}
            axes.plot(curve.xs, ys, color=INK, markersize=size, label=f"{name} side", **style)
        hatch_where(axes, curve.xs, [not truth for truth in curve.truths], "false here")
        axes.plot([x], [left], "o", color=INK, markersize=8, label="left, at the point")
        axes.plot([x], [right], "s", mfc="none", mec=INK, mew=2, ms=9, label="right, at the point")
        axes.axvline(x, color=INK, linewidth=0.7, linestyle=":")
        axes.set_xlabel(curve.variable.name)
        if logarithmic:
            axes.set_yscale("log")
        legend_below(axes)

    held = ", ".join(
        f"{v} = {value}"
        for v, value in zip(statement.domain.variables, values, strict=True)
        if v is not curve.variable
    )
    wrong = [x for x, truth in zip(curve.xs, curve.truths, strict=True) if not truth]
    where = "at every drawn value" if len(wrong) == len(curve.xs) else _stretches(curve)
    name = curve.variable.name
    text = (
        f"Both sides along {name} from {brief(curve.xs[0])} to {brief(curve.xs[-1])}"
        f"{f', with {held} held' if held else ''}. The statement asks for left {WORDS[statement.relation]} "
        f"right. At {name} = {values[place]} the left side (disk) is {brief(left)} and the right side "
        f"(square) is {brief(right)}. Of the {len(curve.xs)} drawn values of {name} it is false at "
        f"{len(wrong)}: {where}."
        f"{' The axis of the sides is logarithmic.' if logarithmic else ''}"
    )
    return Drawing("curve", f"Both sides along {name}", text, plot(paint))


def _stretches(curve: _Curve) -> str:
    """Where the statement is false, as stretches of drawn values."""
    found: list[list[float]] = []
    for place, (x, truth) in enumerate(zip(curve.xs, curve.truths, strict=True)):
        if truth:
            continue
        if place and not curve.truths[place - 1]:
            found[-1].append(x)
        else:
            found.append([x])
    return ", ".join(
        brief(part[0]) if len(part) == 1 else f"{brief(part[0])} to {brief(part[-1])}" for part in found
    )


def _on_a_line(statement: Comparison, values: Sequence[Fraction], left: float, right: float) -> Drawing:
    at = statement.domain.told(values)
    svg = number_line(
        [(f"left: {brief(left)}", left, "circle"), (f"right: {brief(right)}", right, "square")],
        (right, right),
    )
    text = (
        f"{f'At {at} the' if at else 'The'} left side is {brief(left)} (disk) and the right side is "
        f"{brief(right)} (square). The statement asks for left {WORDS[statement.relation]} right."
    )
    return Drawing("number line", "Both sides", text, svg)
