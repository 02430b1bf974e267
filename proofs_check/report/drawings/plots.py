"""Curves by matplotlib, as SVG whose lines and letters take the color of the page."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import matplotlib
from markupsafe import Markup
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

INK = "#010203"
"""Stands for the color of the page's letters while matplotlib draws."""

SETTINGS: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "establish",
    "font.size": 11,
    "hatch.linewidth": 0.7,
    "hatch.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "mathtext.default": "regular",
}

HATCHED: Any = {"facecolor": "none", "edgecolor": INK, "hatch": "////", "linewidth": 0}
"""How an area is told apart without a color."""

_ID = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r'(?:url\(#|href="#)([^")]*)')


def plot(paint: Any, width: float = 5.0, height: float = 2.9) -> Markup:
    """The SVG of what ``paint(axes)`` draws, the same bytes for the same drawing."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(width, height))
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        paint(axes)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches="tight", transparent=True)
    return _for_page(out.getvalue())


_NOT_NEEDED = re.compile(
    r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->|font-family: [^;]*; |"
    r' transform="rotate\(-?0 [^"]*"| version="[^"]*"| xmlns="[^"]*"',
    re.DOTALL,
)
_TAG = re.compile("<[^>]*>")
_DECIMAL = re.compile(r"(?<=[\s\"(,])-?\d+\.\d{2,}(?=[\s\",)])")


def _for_page(text: str) -> Markup:
    """The svg element alone, in the color of the page, with ids that no other drawing has."""
    text = _NOT_NEEDED.sub("", text[text.index("<svg ") :])
    key = "d" + sha256(text.encode()).hexdigest()[:10]
    used = {name: f"{key}-{n}" for n, name in enumerate(dict.fromkeys(_REFERENCE.findall(text)))}
    text = _ID.sub(lambda at: f' id="{used[at[1]]}"' if at[1] in used else "", text)
    text = _REFERENCE.sub(lambda at: at[0].replace(at[1], used[at[1]]), text)
    text = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", text)
    text = _TAG.sub(
        lambda tag: _DECIMAL.sub(lambda at: f"{float(at[0]):.1f}".removesuffix(".0"), tag[0]), text
    )
    text = re.sub(r"\s*\n\s*(?=[<MLCQz\"])", "", text.replace(INK, "currentColor"))
    text = _ungrouped(re.sub(r"<defs>\s*</defs>", "", text))
    return Markup(text.replace("<svg ", '<svg role="img" aria-label="described below" ', 1))


def _ungrouped(text: str) -> str:
    """Without the groups that say nothing of what they hold."""
    open_ones: list[bool] = []

    def kept(at: re.Match[str]) -> str:
        if at[0] != "</g>":
            open_ones.append(at[0] != "<g>")
            return at[0] if open_ones[-1] else ""
        return at[0] if open_ones.pop() else ""

    return re.sub(r"<g(?: [^>]*)?>|</g>", kept, text)


def legend_below(axes: Axes) -> None:
    """The legend under the axes, so that a narrow page holds the drawing."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncol=2, fontsize=9)


def hatch_where(axes: Axes, xs: Sequence[float], wrong: Sequence[bool], words: str) -> None:
    """Hatch the stretches of the x axis in which the statement is false."""
    start = None
    spans: list[tuple[float, float]] = []
    for place, bad in enumerate([*wrong, False]):
        if bad and start is None:
            start = place
        elif not bad and start is not None:
            spans.append((_between(xs, start - 1, start), _between(xs, place - 1, place)))
            start = None
    for number, (low, high) in enumerate(spans):
        axes.axvspan(low, high, **HATCHED, label=words if number == 0 else None)


def _between(xs: Sequence[float], one: int, other: int) -> float:
    """Half way between two neighbors on the axis; its end beyond it."""
    if one < 0:
        return xs[0]
    if other >= len(xs):
        return xs[-1]
    return (xs[one] + xs[other]) / 2
