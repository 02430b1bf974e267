"""Two laws that an event tells apart: their densities, the event, and both probabilities."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.additive import Additive
from establish.proofs_check.engine.statements.domain import read
from establish.proofs_check.engine.statements.gaussian import EstablishmentPrivate, bounds_for
from establish.proofs_check.engine.statements.indistinguishable import Indistinguishability
from establish.proofs_check.engine.statements.privacy import RELATIONS, Satisfies, steps
from establish.proofs_check.engine.statements.statement import THOROUGH, Point
from establish.proofs_check.report.drawings.densities import (
    BITS,
    Part,
    above_picture,
    density_of,
    event_picture,
    excess_picture,
    scaled,
)
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing, brief
from establish.spec.arithmetic import ARB, enclosing

SPREADS = 9
"""Scales of the wider law that are drawn on each side."""


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
        excess = p - (allowed - delta)
        spread = max(_middle(law)[1] for law in laws)
    names = (f"D with {x} worker{'s' * (x != 1)}", f"D' with {y} worker{'s' * (y != 1)}")
    first, second = map(density_of, laws)
    svg = excess_picture(
        (first, scaled(second, level)),
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
        excess = p - ARB.exp(level) * q
    text = f"At {statement.domain.told(values)}. {_event_text(('X', 'Y'), words, p, q, level, delta)} "
    first, second = map(density_of, laws)
    if len(event) == 1:
        pair, called = (first, scaled(second, level)), ("X", "e^level times Y")
        told = f"shaded: {_told(excess)}, more than δ = {_told(delta)}"
        svg = excess_picture(pair, called, event[0], 6 * max(_middle(law)[1] for law in laws), told)
        text += "Shaded is what the density of X has above e^level times that of Y in the event."
    else:
        svg = event_picture((first, second), ("X", "Y"), _window(laws, float(output)), event, float(output))
        text += "The axis of the densities is logarithmic."
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
    first, second = map(density_of, laws)
    svg = above_picture((first, scaled(second, level)), ("X", f"e^{allowed} times Y"), window, at)
    text = (
        f"At {told}. At the output {brief(output)} the densities are {p} under X and {q} under Y: the "
        f"logarithm of their ratio is {loss}, more than the level {allowed}. So every small enough event "
        f"around this output (dots) breaks the definition. Shaded is where X has more density than the "
        f"definition allows; the axis of the densities is logarithmic."
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
    svg = event_picture([density_of(law) for law in laws], names, _window(laws, output), [part], output)
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
