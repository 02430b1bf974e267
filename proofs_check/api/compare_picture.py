"""The picture of ``establish compare``: errors of all mechanisms by size of cell, beside the limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, log, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from establish.spec.parameters import ParameterError

if TYPE_CHECKING:
    from establish.impl.mechanisms.on_counts import OnCounts

ENDINGS = (".svg", ".png")
"""What ``--out`` may end in."""

SIZES = sorted({round(10 ** (4 * k / 43)) for k in range(44)})
"""Forty sizes of a cell from 1 to 10,000, about evenly spread on a logarithmic axis."""

BEST = ("#0072b2", "#d55e00", "#009e73")
"""The colors of the three with the least error on average; those who see no colors are told apart, too."""

SETTINGS: Any = {
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "establish compare",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
"""Letters stay letters in SVG, and the same figures give the same file."""


@dataclass(frozen=True)
class Curve:
    """What one line is called, its errors at SIZES in units of max(α·n, 1), and whether the noise follows the
    largest establishment of a cell.
    """

    name: str
    errors: tuple[float, ...]
    by_largest: bool

    @property
    def mean(self) -> float:
        return sum(self.errors) / len(self.errors)


def curve(mechanism: OnCounts, alpha: Fraction, calibration: str, *, by_largest: bool) -> Curve:
    """The line of a mechanism, before any rounding."""
    errors = (mechanism.mean_error(Fraction(n)) / float(max(alpha * n, Fraction(1))) for n in SIZES)
    published = " (published)" if calibration == "published" else ""
    return Curve(mechanism.name + published, tuple(errors), by_largest)


def require_ending(out: Path) -> None:
    """Raises ParameterError for another kind of file, and for a folder that is not there."""
    if out.suffix not in ENDINGS:
        raise ParameterError(f"--out = {out} must end in {' or '.join(ENDINGS)}")
    if not out.parent.is_dir():
        raise ParameterError(f"--out = {out} cannot be written: {out.parent} is not a folder")


def draw(out: Path, title: str, curves: Sequence[Curve], limit: tuple[float, float]) -> None:
    """Write the file. limit: its two ends as n grows, the lower perhaps 0."""
    import matplotlib
    from matplotlib.figure import Figure

    from establish.proofs_check.report.drawings.drawing import outward

    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(9, 6), layout="constrained")
        axes = figure.add_subplot()
        axes.set_xscale("log")
        axes.set_yscale("log")
        _set_axes(axes, [e for each in curves for e in each.errors], limit)
        axes.set_title(f"Expected errors at {title}", loc="left")
        if endless := [each.name for each in curves if not isfinite(each.errors[-1])]:
            axes.set_xlabel(f"{axes.get_xlabel()}\nwithout a mean error: {', '.join(endless)}")
        first = sorted(curves, key=lambda each: each.mean)
        ends: list[tuple[float, str, str]] = []
        for place, each in reversed([*enumerate(first)]):
            color = BEST[place] if place < len(BEST) else "0.55"
            style: Any = {
                "linestyle": "--" if each.by_largest else "-",
                "linewidth": 2.2 if color in BEST else 1.1,
            }
            axes.plot(SIZES, [e if isfinite(e) else nan for e in each.errors], color=color, **style)
            if isfinite(each.errors[-1]):
                ends.append((each.errors[-1], each.name, color if color in BEST else "0.35"))
        if limit[0]:
            axes.plot([BEYOND] * 2, limit, color="black", marker="D", markersize=5)
            ends.append((limit[1], f"limit as n → ∞, δ = 0: {' to '.join(outward(*limit))}", "black"))
        _name(axes, ends)
        dated = {"Date": None} if out.suffix == ".svg" else {"Software": None}
        try:
            figure.savefig(out, dpi=150, metadata=dated)
        except OSError as error:
            raise ParameterError(f"--out = {out} cannot be written: {error.strerror}") from None


BEYOND = 2.5 * SIZES[-1]
"""Where the axis has ∞."""


def _set_axes(axes: Any, errors: Sequence[float], limit: tuple[float, float]) -> None:
    """Ticks at 1, 2 and 5 times powers of ten, the axes a little wider than what is drawn."""
    shown = [e for e in (*errors, *limit) if isfinite(e) and e > 0]
    low, high = min(shown) / 1.25, max(shown) * 1.15
    ticks = [d * 10.0**k for k in range(-3, 6) for d in (1, 2, 5) if low <= d * 10.0**k <= high]
    axes.set_ylim(low, high)
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xlim(SIZES[0], BEYOND * 1.1)
    powers = [10**k for k in range(5)]
    axes.set_xticks([*powers, BEYOND], [*(f"{n:,}" for n in powers), "∞"])
    axes.minorticks_off()
    axes.grid(axis="y", color="0.9", linewidth=0.6)
    axes.set_xlabel(
        "workers n of a cell of one establishment\n"
        "in color: the three with the least error on average over the sizes drawn\n"
        "dashed: the noise follows the largest establishment of a cell"
    )
    axes.set_ylabel("E|out − n|, in units of max(α·n, 1)")


def _name(axes: Any, ends: Sequence[tuple[float, str, str]]) -> None:
    """Write (height, name, color) at the right ends of the lines, apart from each other."""
    low, high = map(log, axes.get_ylim())
    gap = (high - low) / max(24, len(ends))
    ordered = sorted(ends)
    heights = [log(height) for height, _, _ in ordered]
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + gap)
    top = high
    for place in reversed(range(len(heights))):
        top = heights[place] = min(heights[place], top)
        top -= gap
    for (height, name, color), at in zip(ordered, heights, strict=True):
        start = BEYOND if color == "black" else SIZES[-1]
        axes.annotate(
            name,
            (start, height),
            (1.04, (at - low) / (high - low)),
            textcoords="axes fraction",
            va="center",
            color=color,
            fontsize=9,
            fontweight="bold" if color in (*BEST, "black") else "normal",
            arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.5, "relpos": (0, 0.5)},
            annotation_clip=False,
        )
