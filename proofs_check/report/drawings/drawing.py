"""A drawing of one refutation: a picture, tables of data, and the text that says the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from establish.spec.tables import Tables


@dataclass(frozen=True)
class DataTable:
    """Rows of a dataset, a case or a law, as text."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Line = tuple[tuple[str, bool], ...]
"""A line of text in parts, each with whether it is marked."""

EMPTY = Markup("")
"""No picture: the tables show all."""


@dataclass(frozen=True)
class Drawing:
    """kind: such as "curve". text: what the picture shows, in words and numbers, for who cannot see it.
    lines: texts to compare, each with its name.
    """

    kind: str
    title: str
    text: str
    svg: Markup = EMPTY
    tables: tuple[DataTable, ...] = ()
    lines: tuple[tuple[str, Line], ...] = ()


def shown(value: Any) -> str:
    """A value of a point as a reader writes it: 6/5, {0}, (1, 2)."""
    if isinstance(value, frozenset | set):
        return "{" + ", ".join(sorted(map(shown, value))) + "}"
    if isinstance(value, tuple | list):
        return "(" + ", ".join(map(shown, value)) + ")"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{shown(k)}: {shown(v)}" for k, v in value.items()) + "}"
    if is_dataclass(value) and not isinstance(value, type):
        return ", ".join(f"{f.name} = {shown(getattr(value, f.name))}" for f in fields(value))
    if callable(value):
        return str(getattr(value, "__name__", "a function")).strip("_").replace("_", " ")
    return "none" if value is None else str(value)


def brief(number: float | Fraction) -> str:
    """A number in a sentence: five digits at most."""
    return f"{float(number):.5g}"


DIGITS, LAST_BITS = 4, 2.0**-50
"""So many digits of a bound are shown, rounded outward, but for this share of it."""


def outward(low: float, high: float) -> tuple[str, str]:
    """Bounds of a number in a few digits, the lower rounded down, the upper up: both stay bounds."""
    down = Context(DIGITS, ROUND_FLOOR).create_decimal_from_float(low * (1 + LAST_BITS))
    up = Context(DIGITS, ROUND_CEILING).create_decimal_from_float(high * (1 - LAST_BITS))
    return f"{float(down):.{DIGITS}g}", f"{float(up):.{DIGITS}g}"


def tabulated(caption: str, value: Any, names: Sequence[str] = ()) -> DataTable:
    """A value of a point as a table: the jobs of a dataset, fields, entries, records, or one row."""
    if isinstance(value, Tables):
        return DataTable(
            caption,
            ("worker", "employer", "attributes"),
            tuple(
                (r.worker.id, r.workplace.id, ", ".join(r.worker.attributes) or "–")
                for r in value.worker_full()
            ),
        )
    if isinstance(value, Mapping):
        return DataTable(caption, ("of", "value"), tuple(_pairs(value.items())))
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((f.name, getattr(value, f.name)) for f in fields(value))
        return DataTable(caption, ("of", "value"), tuple(_pairs(pairs)))
    if isinstance(value, frozenset | set):
        value = tuple(sorted(value, key=shown))
    if not isinstance(value, tuple | list):
        return DataTable(caption, tuple(names) or ("value",), ((shown(value),),))
    lengths = {len(part) if isinstance(part, tuple) else 0 for part in value}
    if len(lengths) == 1 and 0 not in lengths and len(names) != len(value):
        (width,) = lengths
        rows = tuple(tuple(map(shown, part)) for part in value)
        return DataTable(caption, tuple(f"part {n + 1}" for n in range(width)), rows)
    header = tuple(names) if len(names) == len(value) else _numbered(len(value))
    return DataTable(caption, header, (tuple(map(shown, value)),) if value else ())


def _pairs(pairs: Any) -> Iterator[tuple[str, str]]:
    return ((shown(name), shown(value)) for name, value in pairs)


def _numbered(many: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, many + 1))) or ("entry",)
