"""Two laws that an event tells apart: their densities, the event, and both probabilities."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, isfinite, nan
from typing import Any

from establish.proofs_check.engine.statements.additive import Additive
from establish.proofs_check.engine.statements.domain import read
from establish.proofs_check.engine.statements.gaussian import EstablishmentPrivate, bounds_for
from establish.proofs_check.engine.statements.indistinguishable import Indistinguishability
from establish.proofs_check.engine.statements.privacy import RELATIONS, Satisfies, steps
from establish.proofs_check.engine.statements.statement import THOROUGH, Point
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing, brief
from establish.proofs_check.report.drawings.plots import INK, legend_below, plot
from establish.spec.arithmetic import ARB, enclosing

BITS = 160
POINTS = 120
SPREADS = 9
"""Scales of the wider law that are drawn on each side."""

FAINT = 1e-9
"""Densities below this share of the largest are not drawn."""

Part = tuple[float | None, float | None]
"""An interval of an event; None where it has no end."""


def _picture(
    density: Sequence[Callable[[float], float]],
    names: tuple[str, str],
    window: tuple[float, float],
    event: Sequence[Part],
    output: float,
) -> Any:
    """Both densities on a logarithmic axis, with the event hatched under each."""
    low, high = window
    xs = sorted({low + (high - low) * k / POINTS for k in range(POINTS + 1)} | {output})
    curves = [[f(x) for x in xs] for f in density]
    top = max(map(max, curves))
    floor = top * FAINT

    def paint(axes: Any) -> None:
        for curve, style, name, hatch in zip(curves, ("-", "--"), names, ("////", "\\\\\\\\"), strict=True):
            axes.plot(xs, [v if v > floor else nan for v in curve], style, color=INK, label=name)
            for number, (a, b) in enumerate(event):
                inside = [(a is None or x >= a) and (b is None or x <= b) for x in xs]
                axes.fill_between(
                    xs,
                    [max(v, floor) for v in curve],
                    floor,
                    where=inside,
                    facecolor="none",
                    edgecolor=INK,
                    hatch=hatch,
                    linewidth=0,
                    label=f"event, {name}" if number == 0 else None,
                )
        axes.axvline(output, color=INK, linestyle=":", linewidth=0.8)
        axes.set_yscale("log")
        axes.set_ylim(bottom=floor)
        axes.set_xlabel("output")
        axes.set_ylabel("density")
        legend_below(axes)

    return plot(paint)


def _excess_picture(
    density: Sequence[Callable[[float], float]], names: tuple[str, str], part: Part, reach: float, told: str
) -> Any:
    """Beside the end of an event: one density, the other as high as the level lets it be, and what the first
    has above it, shaded. reach: how far outputs are drawn into the event.
    """
    low, high = part
    end, sign = (low, 1.0) if low is not None else (high or 0.0, -1.0)
    xs = sorted(end + sign * reach * (k - POINTS / 6) / POINTS for k in range(POINTS + POINTS // 6 + 1))
    first, second = ([f(x) for x in xs] for f in density)
    inside = [sign * (x - end) >= 0 for x in xs]

    def paint(axes: Any) -> None:
        axes.plot(xs, first, "-", color=INK, label=names[0])
        axes.plot(xs, second, "--", color=INK, label=names[1])
        axes.fill_between(
            xs,
            first,
            second,
            where=inside,
            interpolate=True,
            facecolor=INK,
            alpha=0.25,
            linewidth=0,
            label=told,
        )
        axes.axvline(end, color=INK, linestyle=":", linewidth=0.8)
        axes.set_ylim(0, 2 * max(v for v, kept in zip(first, inside, strict=True) if kept))
        axes.set_xlabel("output")
        axes.set_ylabel("density")
        legend_below(axes)

    return plot(paint)


def _density(law: Any) -> Callable[[float], float]:
    """The density of a law as a function of floats."""

    def at(x: float) -> float:
        with enclosing(BITS):
            if hasattr(law, "log_density"):
                value = float(law.log_density(ARB.number(Fraction(x))).mid())
            else:  # a normal law
                z = (ARB.number(Fraction(x)) - law.mean) / law.sd
                value = float((-z * z / 2 - ARB.log(law.sd)).mid())
        return exp(value) if isfinite(value) and value < 700 else 0.0

    return at


def _middle(law: Any) -> tuple[float, float]:
    """The center of a law and its scale."""
    center = getattr(law, "center", None)
    scale = getattr(law, "scale", None)
    if center is None or scale is None:
        center, scale = law.mean, law.sd
    return float(ARB.number(center).mid()), abs(float(ARB.number(scale).mid()))


def _window(laws: Sequence[Any], output: float) -> tuple[float, float]:
    ends = [m + side * SPREADS * s for m, s in map(_middle, laws) for side in (-1, 1)]
    return min([*ends, output]), max([*ends, output])


def _told(ball: Any) -> str:
    """The middle of a ball in a sentence, six digits."""
    return f"{float(ball.mid()):.6g}"


def _event_text(names: tuple[str, str], event: str, p: Any, q: Any, level: Any, delta: Any) -> str:
    """Both probabilities of the event, and what the definition allows."""
    with enclosing(BITS):
        allowed = _told(ARB.exp(level) * q + delta)
    first, second = _told(p), _told(q)
    return (
        f"The event {event} has the probability {first} under {names[0]} and {second} under {names[1]}. "
        f"The definition allows e^{_told(level)} times {second} plus {_told(delta)}, which is {allowed} and "
        f"less than {first}."
    )


def of_mechanism(statement: Satisfies, point: Point) -> Drawing | None:
    """The releases on two neighboring datasets, and the two datasets as tables."""
    values = statement.domain.values({name: point[name] for name in statement.domain.names})
    x, y, rest = (int(point[name]) for name in ("x", "y", "rest"))
    output = Fraction(point["o"])
    with enclosing(BITS):
        made = statement.mechanism(*values)
        laws = [made.output((n, rest) if rest else (n,), ARB) for n in (x, y)]
        if statement.delta is None or hasattr(laws[0], "mass"):
            return None
        level = ARB.number(statement.level(ARB, *values))
        delta = ARB.number(statement.delta(ARB, *values))
        p, q = (1 - law.cdf(ARB.number(output)) for law in laws)
        allowed = ARB.exp(level) * q + delta
        excess, factor = p - (allowed - delta), float(ARB.exp(level).mid())
        spread = max(_middle(law)[1] for law in laws)
    names = (f"D with {x} worker{'s' * (x != 1)}", f"D' with {y} worker{'s' * (y != 1)}")
    first, second = map(_density, laws)
    svg = _excess_picture(
        (first, lambda o: factor * second(o)),
        (names[0], f"e^ε times {names[1]}"),
        (float(output), None),
        6 * spread,
        f"shaded: {_told(excess)}, more than δ = {_told(delta)}",
    )
    alpha = Fraction(1) if statement.alpha is None else statement.alpha(*values)
    known = steps(statement.neighbors, statement.queries, alpha, THOROUGH)
    shapes = {step: pair for step, *pair in known}
    tables = _by_kind(names, shapes[x, y])
    text = (
        f"{statement.name} at {statement.domain.told(values)}, on two datasets that are "
        f"{RELATIONS[statement.neighbors][0]}. "
        f"{_event_text(names, f'output > {brief(output)}', p, q, level, delta)} "
        "Shaded is what the density on D has above e^ε times that on D' in the event."
    )
    return Drawing("two laws", "Both laws and the event", text, svg, tables)


def _by_kind(names: Sequence[str], pair: Sequence[Sequence[int]]) -> tuple[DataTable, ...]:
    """The workers of both datasets by kind, where they are of several kinds; else the names say it all."""
    used = [k for k, both in enumerate(zip(*pair, strict=True)) if any(both)]
    if len(used) < 2:
        return ()
    header = ("dataset", *(f"kind {k + 1}" for k in used))
    rows = tuple((name, *(str(shape[k]) for k in used)) for name, shape in zip(names, pair, strict=True))
    return (DataTable("workers of the establishment by kind", header, rows),)


def of_pair(statement: Indistinguishability, point: Point, said: str) -> Drawing | None:
    """Two laws that a statement compares directly, with the event that the evidence names."""
    names = tuple(statement.domain.names)
    values = statement.domain.values({name: point[name] for name in names})
    variables = statement.domain.variables
    output = Fraction(point["o"])
    with enclosing(BITS):
        laws = [read(f, ARB, variables, values) for f in (statement.first, statement.second)]
        level = ARB.number(read(statement.level, ARB, variables, values))
        if statement.delta is None:
            return _of_densities(laws, level, output, statement.domain.told(values))
        delta = ARB.number(read(statement.delta, ARB, variables, values))
        o = ARB.number(output)
        mirrored = 2 * laws[0].center - o
        if "mirror image" in said:
            p, q = (1 - abs(law.cdf(o) - law.cdf(mirrored)) for law in laws)
            ends = sorted((float(output), float(mirrored.mid())))
            event: list[Part] = [(None, ends[0]), (ends[1], None)]
            words = f"output < {brief(ends[0])} or output > {brief(ends[1])}"
        elif re.search(r"\bbelow it", said):
            p, q = (law.cdf(o) for law in laws)
            event, words = [(None, float(output))], f"output ≤ {brief(output)}"
        else:
            p, q = (1 - law.cdf(o) for law in laws)
            event, words = [(float(output), None)], f"output > {brief(output)}"
    window = _window(laws, float(output))
    svg = _picture([_density(law) for law in laws], ("X", "Y"), window, event, float(output))
    text = (
        f"At {statement.domain.told(values)}. {_event_text(('X', 'Y'), words, p, q, level, delta)} The axis "
        f"of the densities is logarithmic."
    )
    return Drawing("two laws", "Both laws and the event", text, svg)


def of_noise(statement: Additive, point: Point) -> Drawing:
    """The noise around two answers of one coordinate, and the output at which the densities differ."""
    values = statement.domain.values({name: point[name] for name in statement.domain.names})
    x, y, o = (Fraction(point[name]) for name in ("x", "y", "o"))
    with enclosing(BITS):
        inputs = [
            ARB.number(v) if variable.field == "ℝ" else v
            for variable, v in zip(statement.domain.variables, values, strict=True)
        ]
        laws = [statement.law(ARB, *inputs, ARB.number(end)) for end in (x, y)]
        level = ARB.number(statement.level(ARB, *inputs))
    told = f"{statement.domain.told(values)}, answers {x} and {y}"
    return _of_densities(laws, level, o, told)


def _of_densities(laws: Sequence[Any], level: Any, output: Fraction, told: str) -> Drawing:
    with enclosing(BITS):
        logs = [law.log_density(ARB.number(output)) for law in laws]
        loss = _told(logs[0] - logs[1])
        p, q = (_told(ARB.exp(value)) for value in logs)
        allowed = _told(level)
    at = float(output)
    window = _window(laws, at)
    near = (window[1] - window[0]) / 60
    svg = _picture([_density(law) for law in laws], ("X", "Y"), window, [(at - near, at + near)], at)
    text = (
        f"At {told}. At the output {brief(output)} the densities are {p} under X and {q} under Y: the "
        f"logarithm of their ratio is {loss}, more than the level {allowed}. So every small enough event "
        f"around this output (hatched, drawn wider than small) breaks the definition. The axis of the "
        f"densities is logarithmic."
    )
    return Drawing("two laws", "Both laws and the output", text, svg)


def of_establishments(statement: EstablishmentPrivate, point: Point) -> Drawing | None:
    """The answers on two datasets that differ in one establishment."""
    values = statement.domain.values({name: point[name] for name in statement.domain.names})
    psi = point["ψ"]
    x, y = (Fraction(point[name]) for name in ("x", "y"))
    bound = Fraction(point["bound"]) if statement.bounded else None
    answers = list(statement.answers(psi, *values))
    if len(answers) != 1 or point.get("rest") is not None:
        return None
    mechanism = answers[0][1]
    with enclosing(BITS):
        given = bounds_for(mechanism, bound, [])
        laws = [mechanism.output([v], *given, ARB) for v in (x, y)]
        level = ARB.number(statement.level(ARB, *(ARB.number(v) for v in values)))
        cost = abs((laws[0].mean - laws[1].mean) / laws[0].sd)
        o = (laws[0].mean + laws[1].mean) / 2
        output = float(o.mid())
        above = laws[0].mean < laws[1].mean
        p, q = ((1 - law.cdf(o)) if above else law.cdf(o) for law in laws)
        shown = [_told(ball) for ball in (p, q, cost, level)]
    part: Part = (output, None) if above else (None, output)
    names = (f"D with {x}", f"D' with {y}")
    svg = _picture([_density(law) for law in laws], names, _window(laws, output), [part], output)
    header = ("establishment", "value") if bound is None else ("establishment", "value", "bound")
    tables = tuple(
        DataTable(name, header, (("1", str(v)) if bound is None else ("1", str(v), str(bound)),))
        for name, v in zip(("D", "D'"), (x, y), strict=True)
    )
    text = (
        f"{statement.name} at {statement.domain.told(values)} and ψ = {psi.name}, on one establishment with "
        f"the value {x} or {y}. The means of the two normal laws are {shown[2]} standard deviations "
        f"apart, more than the {shown[3]} that the definition allows. The event output "
        f"{'>' if above else '<'} {brief(output)} has the probability {shown[0]} under D and "
        f"{shown[1]} under D'. The axis of the densities is logarithmic."
    )
    return Drawing("two laws", "Both laws and the event", text, svg, tables)
