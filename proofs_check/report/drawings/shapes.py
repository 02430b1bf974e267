"""Small pictures written as SVG by hand: bars, a number line, a strip of cases. All are black on nothing.

Lines and letters take the color of the page, and areas are told apart by hatching, so that the pictures
are readable in print, in the dark and without color.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from math import floor, log10
from textwrap import wrap

from markupsafe import Markup, escape

from establish.proofs_check.report.drawings.drawing import outward

WIDTH = 640

_HATCH = Markup(
    '<defs><pattern id="{0}" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="7" stroke="currentColor" '
    'stroke-width="2"/></pattern></defs>'
)


def picture(height: float, body: Sequence[Markup], width: float = WIDTH) -> Markup:
    """An SVG element with a name of its own for the pattern, which ``body`` calls url(#hatch)."""
    inner = Markup("").join(body)
    name = "h" + sha256(inner.encode()).hexdigest()[:10]
    return Markup(
        '<svg role="img" aria-label="described below" viewBox="0 0 {} {}" width="{}" height="{}" '
        'font-size="14">{}{}</svg>'
    ).format(width, height, width, height, _HATCH.format(name), Markup(inner.replace("#hatch", f"#{name}")))


def label(x: float, y: float, words: str, anchor: str = "start") -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(
        x, y, anchor, escape(words)
    )


def line(x1: float, y1: float, x2: float, y2: float, dashes: str = "", width: float = 1.5) -> Markup:
    return Markup(
        '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" stroke="currentColor" '
        'stroke-width="{}" stroke-dasharray="{}"/>'
    ).format(x1, y1, x2, y2, width, dashes or "none")


def box(x: float, y: float, w: float, h: float, hatched: bool = False, width: float = 1.5) -> Markup:
    return Markup(
        '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" stroke="currentColor" '
        'stroke-width="{}" fill="{}"/>'
    ).format(x, y, w, h, width, "url(#hatch)" if hatched else "none")


def bars(rows: Sequence[tuple[str, Fraction]], yes: str, no: str) -> Markup:
    """A bar from 0 to 1 for every probability, its share hatched."""
    body: list[Markup] = []
    for place, (words, share) in enumerate(rows):
        y = 62 * place + 22
        body.append(label(4, y - 6, f"{words}: P({yes}) = {share}"))
        body.append(box(4, y, 480, 26))
        body.append(box(4, y, 480 * float(share), 26, hatched=True))
    y = 62 * len(rows) + 8
    body += [box(4, y, 14, 14, hatched=True), label(24, y + 12, yes)]
    body += [box(84, y, 14, 14), label(104, y + 12, no)]
    return picture(y + 22, body)


def intervals(rows: Sequence[tuple[str, tuple[float, float]]]) -> Markup:
    """A bar for every (words, bounds of a probability): filled to the lower, hatched to the upper bound."""
    top = max(high for _, (_, high) in rows) or 1.0
    scale = 430 / top
    body: list[Markup] = []
    for place, (words, (low, high)) in enumerate(rows):
        y = 54 * place + 22
        left, right = 4 + scale * low, 4 + scale * high
        body.append(label(4, y - 6, f"{words}: {' to '.join(outward(low, high))}"))
        body.append(
            Markup('<rect x="4" y="{}" width="{:.1f}" height="20" fill="currentColor"/>').format(y, left - 4)
        )
        body.append(box(left, y, max(right - left, 0.5), 20, hatched=True))
    y = 54 * len(rows) + 4
    body.append(line(4, y, 4 + 430, y))
    for tick in ticks(top):
        x = 4 + scale * tick
        body += [line(x, y, x, y + 6), label(x, y + 22, f"{tick:g}", "middle" if tick else "start")]
    body.append(label(494, y + 22, "probability"))
    body.append(Markup('<rect x="4" y="{}" width="14" height="14" fill="currentColor"/>').format(y + 36))
    body += [label(24, y + 48, "it is at least this"), box(164, y + 36, 14, 14, hatched=True)]
    body.append(label(184, y + 48, "it may be as much as this"))
    return picture(y + 54, body)


def ticks(top: float) -> list[float]:
    """Four to eight round numbers from 0 to ``top``."""
    power = 10.0 ** floor(log10(top))
    step = next(share * power for share in (0.1, 0.2, 0.25, 0.5, 1, 2) if top <= 6 * share * power)
    return [step * k for k in range(int(top / step) + 1)]


def number_line(points: Sequence[tuple[str, float, str]], interval: tuple[float, float]) -> Markup:
    """Numbers on a line: (words, value, square or circle), with the interval that is allowed as a bar."""
    values = [value for _, value, _ in points] + list(interval)
    low, high = min(values), max(values)
    room = (high - low) * 0.12 or 1.0
    scale = (WIDTH - 40) / (high - low + 2 * room)

    def at(value: float) -> float:
        return 20 + (value - low + room) * scale

    left, right = map(at, interval)
    body = [line(20, 70, WIDTH - 20, 70), box(left, 64, max(right - left, 1.5), 12, hatched=True)]
    for place, (words, value, mark) in enumerate(points):
        x = at(value)
        anchor = "start" if x < 130 else "end" if x > WIDTH - 130 else "middle"
        up = place % 2 == 0
        body.append(label(x, 26 if up else 122, words, anchor))
        body.append(line(x, 32 if up else 108, x, 62 if up else 78, "3 3"))
        if mark == "circle":
            body.append(Markup('<circle cx="{:.1f}" cy="70" r="7" fill="currentColor"/>').format(x))
        else:
            body.append(box(x - 7, 63, 14, 14, width=2.5))
    return picture(132, body)


def strip(truths: Sequence[bool], marked: int | None) -> Markup:
    """One square for each case, hatched where the statement is false; the marked one has a thick frame."""
    across = 24
    body = []
    for place, truth in enumerate(truths):
        x, y = 6 + 26 * (place % across), 6 + 26 * (place // across)
        body.append(box(x, y, 18, 18, hatched=not truth, width=1))
        if place == marked:
            body.append(box(x - 3, y - 3, 24, 24, width=3))
    y = 26 * (-(-len(truths) // across)) + 14
    body += [box(6, y, 14, 14, hatched=True), label(26, y + 12, "false")]
    body += [box(86, y, 14, 14), label(106, y + 12, "true")]
    if marked is not None:
        body += [box(166, y, 14, 14, width=3), label(188, y + 12, "the counterexample")]
    return picture(y + 24, body)


def compared(rows: Sequence[tuple[str, Sequence[tuple[str, float]]]]) -> Markup:
    """Rows of (words, two numbers of at least 0 with their labels): a hatched bar above an empty one.

    Each row has a scale of its own.
    """
    body: list[Markup] = []
    y = 18.0
    for words, pair in rows:
        for part in wrapped(words):
            body.append(label(4, y, part))
            y += 18
        scale = 300 / (max(value for _, value in pair) or 1.0)
        for place, (said, value) in enumerate(pair):
            body.append(box(4, y - 8, max(scale * value, 0.5), 16, hatched=place == 0))
            body.append(label(scale * value + 12, y + 5, said))
            y += 22
        y += 14
    return picture(y - 14, body)


def ranges(rows: Sequence[tuple[str, float, float]], unit: str) -> Markup:
    """Rows of (words, middle, half width): intervals beside 0, on one scale."""
    ends = [0.0, *(mid + side * half for _, mid, half in rows for side in (-1, 1))]
    low, high = min(ends), max(ends)
    scale = (WIDTH - 80) / ((high - low) or 1.0)

    def at(value: float) -> float:
        return 40 + scale * (value - low)

    body: list[Markup] = []
    y = 18.0
    for words, mid, half in rows:
        for part in wrapped(words):
            body.append(label(4, y, part))
            y += 18
        body.append(box(at(mid - half), y - 6, max(2 * half * scale, 1.5), 14, hatched=True))
        body.append(line(at(mid), y - 10, at(mid), y + 12, width=2.5))
        y += 34
    body += [line(at(0), 22, at(0), y - 12, "4 3"), label(at(0), y + 4, "0", "middle")]
    body += [line(20, y - 12, WIDTH - 20, y - 12)]
    for value in (low, high):
        if abs(value) * scale > 30:
            body.append(label(at(value), y + 4, f"{value:.3g}", "middle"))
    body.append(label(WIDTH - 20, y + 22, unit, "end"))
    return picture(y + 30, body)


def wrapped(words: str, width: int = 88) -> list[str]:
    """A text in lines that fit the width of a picture."""
    return wrap(words, width)
