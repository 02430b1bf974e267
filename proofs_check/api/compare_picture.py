"""The picture of ``establish compare``: errors of all mechanisms by size of cell, beside the limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from pathlib import Path
from typing import Any

from establish.spec.parameters import ParameterError

ENDINGS = (".svg", ".png")
"""What ``--out`` may end in."""

MARKS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">")
"""One for each mechanism, so that the picture reads without colors."""

SETTINGS: Any = {
    "font.size": 10,
    "svg.fonttype": "none",
    "svg.hashsalt": "establish compare",
    "axes.spines.top": False,
    "axes.spines.right": False,
}
"""Letters stay letters in SVG, and the same figures give the same file."""


def require_ending(out: Path) -> None:
    """Raises ParameterError for another kind of file, and for a folder that is not there."""
    if out.suffix not in ENDINGS:
        raise ParameterError(f"--out = {out} must end in {' or '.join(ENDINGS)}")
    if not out.parent.is_dir():
        raise ParameterError(f"--out = {out} cannot be written: {out.parent} is no folder")


def draw(out: Path, title: str, rows: Sequence[Mapping[str, Any]], limit: tuple[float, float]) -> None:
    """Write the file. rows: those of the table, in any order; limit: its two ends, the lower perhaps 0."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(9, 5.6), layout="constrained")
        axes = figure.add_subplot()
        sizes = [int(n) for n in rows[0]["errors"]]
        marks = dict(zip(dict.fromkeys(row["mechanism"] for row in rows), MARKS, strict=False))
        for row in rows:
            errors = [e if isfinite(e) else nan for e in row["errors"].values()]
            tight, largest = row["calibration"] == "tight", row["follows"] == "largest"
            axes.plot(
                sizes,
                errors,
                color="black" if tight else "0.5",
                linestyle="--" if largest else "-",
                linewidth=1.2,
                marker=marks[row["mechanism"]],
                markersize=6,
                markerfacecolor="black" if tight else "white",
                label=_label(row),
            )
        lower, upper = limit
        if lower:
            axes.axhline(upper, color="black", linewidth=3, alpha=0.35)
            axes.annotate(
                f"the limit as n grows: {lower:.3f} to {upper:.3f}",
                (sizes[-1], upper),
                (0, -7),
                textcoords="offset points",
                ha="right",
                va="top",
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(sizes, [f"{n:,}" for n in sizes])
        axes.minorticks_off()
        _set_ticks(axes, [e for row in rows for e in row["errors"].values()], lower)
        axes.set_xlabel("workers n of a cell of one establishment")
        axes.set_ylabel("E|out − n|, in units of max(α·n, 1)")
        axes.set_title(f"Expected errors at {title}", loc="left")
        axes.grid(axis="y", color="0.85", linewidth=0.6)
        figure.legend(
            loc="outside right upper",
            frameon=False,
            title="dashed: follows the largest\nestablishment of a cell;\nhollow: as published",
            alignment="left",
        )
        dated = {"Date": None} if out.suffix == ".svg" else {"Software": None}
        try:
            figure.savefig(out, dpi=150, metadata=dated)
        except OSError as error:
            raise ParameterError(f"--out = {out} cannot be written: {error.strerror}") from None


def _label(row: Mapping[str, Any]) -> str:
    return f"{row['mechanism']} ({row['calibration']})"


def _set_ticks(axes: Any, errors: Sequence[float], lower: float) -> None:
    """Ticks at 1, 2 and 5 times powers of ten, the axis a little wider than what is drawn."""
    shown = [e for e in (*errors, lower) if isfinite(e) and e > 0]
    low, high = min(shown) / 1.25, max(shown) * 1.15
    ticks = [d * 10.0**k for k in range(-3, 6) for d in (1, 2, 5) if low <= d * 10.0**k <= high]
    axes.set_ylim(low, high)
    axes.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
