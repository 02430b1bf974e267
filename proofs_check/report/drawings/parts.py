"""Releases of disjoint parts of the data, and the event that is likelier together than the level allows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from establish.proofs_check.engine.statements.parts import PARTS, ReleasesOfParts
from establish.proofs_check.engine.statements.statement import Point
from establish.proofs_check.report.drawings.drawing import DataTable, Drawing, shown
from establish.proofs_check.report.drawings.shapes import bars
from establish.spec.arithmetic import EXACT
from establish.spec.relations.universes import Shapes, ShapeUniverse


def rebuilt(
    level: dict[str, Any], first: Shapes, second: Shapes, speaks: tuple[Shapes, ...]
) -> Iterator[Point]:
    """Points with these neighbors, in the universes that hold both."""
    kinds, most = len(first[0]), max(max(shape) for shape in (*first, *second))
    for more in range(3):
        universe = ShapeUniverse(len(first), kinds, most + more)
        yield {**level, "universe": universe, "D": first, "D'": second, "speaks": speaks}


def drawn(statement: ReleasesOfParts, point: Point) -> Drawing:
    """The probability of the event on both datasets, with the datasets and what each release answers."""
    c, delta = Fraction(point["c"]), Fraction(point["δ"])
    level, slack = (Fraction(formula(EXACT, c, delta)) for formula in (statement.level, statement.slack))
    p, q = statement.laws(point)
    event = [outcome for outcome in p if p[outcome] > level * q.get(outcome, Fraction(0))]
    on_first, on_second = (sum((law.get(o, Fraction(0)) for o in event), Fraction(0)) for law in (p, q))
    rows = [
        (f"on {name} = {shown(point[name])}", share) for name, share in (("D", on_first), ("D'", on_second))
    ]
    allowed = level * on_second + slack
    text = (
        f"One release for each part of {PARTS[statement.parts][0]}. Each alone is private with e^ε = {c}"
        f"{f' and δ = {delta}' if delta else ''} for neighbors on its part, and they draw independent coins. "
        f"S is the event that they answer {' or '.join(map(shown, event))}. It has the probability "
        f"{on_first} on D and {on_second} on D'. The statement allows at most {allowed} on D."
    )
    table = DataTable(
        "Workers of each establishment, by kind",
        ("dataset", *(f"establishment {n + 1}" for n in range(len(point["D"])))),
        tuple((name, *map(shown, point[name])) for name in ("D", "D'")),
    )
    return Drawing("releases of parts", "The event that refutes it", text, bars(rows, "S", "not S"), (table,))
