"""Figures of an experiment: panels of lines or boxes, in black and white, as SVG and PNG."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
import matplotlib.ticker
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from establish.proofs_check.experiments.results import write_points

Point = Mapping[str, object]
"""One number of a figure, with the labels of its panel and line."""

SETTINGS: Any = {
    "svg.hashsalt": "establish",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.5,
}

MARKERS = "os^Dvx*P+"
DASHES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class Panels:
    """A grid of panels. The names are keys of the points; ``lines`` tells the lines of a panel apart.

    level: a value of y that is drawn as a thin line. logarithmic: which of "x", "y" has such an axis. bottom:
    where the axis of y begins; what lies below is among the numbers.
    """

    name: str
    title: str
    row: str
    column: str
    lines: str
    x: str
    y: str
    x_label: str
    y_label: str
    level: float | None = None
    logarithmic: str = ""
    bottom: float | None = None


@matplotlib.rc_context(SETTINGS)
def draw(panels: Panels, points: Sequence[Point], folder: Path) -> list[Path]:
    """NAME.svg, NAME.png and NAME.csv in ``folder``; the last has what is drawn."""
    lines = _distinct(points, panels.lines)
    rows, columns = (_distinct(points, key) for key in (panels.row, panels.column))
    figure = _figure(1.2 + 2.0 * len(columns), 0.9 + 1.6 * len(rows))
    axes = figure.subplots(len(rows), len(columns), squeeze=False, sharex=True, sharey="row")
    for axis, inside, column in _panels(panels, points, axes, panels.x_label):
        _panel(axis, panels, inside, lines)
        axis.set_title(axis.get_title() and (f"{panels.column}: {column}" if column != "all" else "all"))
    figure.suptitle(panels.title)
    handles = {
        label: handle
        for axis in figure.axes
        for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=6)
    return save(figure, panels.name, points, folder)


def save(figure: Figure, name: str, points: Sequence[Point], folder: Path) -> list[Path]:
    """The figure as SVG and PNG, and its numbers as CSV."""
    paths = [folder / f"{name}.{ending}" for ending in ("svg", "png", "csv")]
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # once for both formats
    figure.savefig(paths[0], metadata={"Date": None})
    figure.savefig(paths[1], dpi=120)
    write_points(points, paths[2])
    return paths


def _distinct(points: Sequence[Point], key: str) -> list[object]:
    """The values of a key in the order in which they first occur."""
    return list(dict.fromkeys(point[key] for point in points))


def _panel(axes: Axes, panels: Panels, points: Sequence[Point], lines: Sequence[object]) -> None:
    for number, line in enumerate(lines):
        drawn = [p for p in points if p[panels.lines] == line]
        if not drawn:
            continue
        drawn.sort(key=lambda p: float(str(p[panels.x])))
        axes.plot(
            [float(str(p[panels.x])) for p in drawn],
            [float(str(p[panels.y])) for p in drawn],
            marker=MARKERS[number % len(MARKERS)],
            linestyle=DASHES[number % len(DASHES)],
            color=str(0.6 * number / max(len(lines) - 1, 1)),
            markerfacecolor="white",
            label=str(line),
        )
    if panels.level is not None:
        axes.axhline(panels.level, color="black", linewidth=0.5)
    if "x" in panels.logarithmic:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    if "y" in panels.logarithmic:
        axes.set_yscale("log")
    if panels.bottom is not None:
        axes.set_ylim(bottom=panels.bottom)


@dataclass(frozen=True)
class Scatter:
    """Panels of single points on logarithmic axes. band: points farther from x, relatively, are crosses."""

    name: str
    title: str
    row: str
    column: str
    x: str
    y: str
    x_label: str
    y_label: str
    band: float | None


@matplotlib.rc_context(SETTINGS)
def draw_scatter(scatter: Scatter, points: Sequence[Point], folder: Path) -> list[Path]:
    """As ``draw``; points at 0 or below are left out of the picture, and are among the numbers."""
    figure, axes = _grid(points, scatter)
    for axis, inside, _ in _panels(scatter, points, axes, scatter.x_label):
        pairs = [(_number(p[scatter.x]), _number(p[scatter.y])) for p in inside]
        seen = [(x, y) for x, y in pairs if x > 0 and y > 0]
        far = [abs(y - x) > scatter.band * x if scatter.band else False for x, y in seen]
        for outside, marker in ((False, "."), (True, "x")):
            chosen = [pair for pair, is_far in zip(seen, far, strict=True) if is_far == outside]
            if chosen:
                axis.plot(*zip(*chosen, strict=True), marker, color="black")
        if scatter.band and seen:
            ends = [min(x for x, _ in seen), max(x for x, _ in seen)]
            for factor in (1 - scatter.band, 1 + scatter.band):
                axis.plot(ends, [factor * end for end in ends], "-", color="0.6")
        for side, scale in ((axis.xaxis, axis.set_xscale), (axis.yaxis, axis.set_yscale)):
            scale("log")
            side.set_minor_formatter(matplotlib.ticker.NullFormatter())
    figure.suptitle(scatter.title)
    return save(figure, scatter.name, points, folder)


@dataclass(frozen=True)
class Boxes:
    """Panels of boxes: median, quartiles, and points beyond 1.5 times their distance."""

    name: str
    title: str
    row: str
    column: str
    box: str
    y: str
    y_label: str


@matplotlib.rc_context(SETTINGS)
def draw_boxes(boxes: Boxes, points: Sequence[Point], folder: Path) -> list[Path]:
    """As ``draw``."""
    figure, axes = _grid(points, boxes)
    kinds = _distinct(points, boxes.box)
    for axis, inside, _ in _panels(boxes, points, axes, ""):
        values = [[_number(p[boxes.y]) for p in inside if p[boxes.box] == kind] for kind in kinds]
        axis.boxplot(values, tick_labels=[str(kind) for kind in kinds], medianprops={"color": "black"})
        axis.set_yscale("symlog")
        if len(kinds) > 3:
            axis.tick_params(axis="x", rotation=20)
    figure.suptitle(boxes.title)
    return save(figure, boxes.name, points, folder)


def _figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _grid(points: Sequence[Point], kind: Scatter | Boxes) -> tuple[Figure, Any]:
    rows, columns = _distinct(points, kind.row), _distinct(points, kind.column)
    figure = _figure(1.2 + max(2.6 * len(columns), 4.0), 0.9 + max(2.1 * len(rows), 2.6))
    return figure, figure.subplots(len(rows), len(columns), squeeze=False, sharey="row")


def _panels(
    kind: Panels | Scatter | Boxes, points: Sequence[Point], axes: Any, x_label: str
) -> Iterator[tuple[Axes, list[Point], object]]:
    """Each panel with its points and its column, whose name stands above the first row; that of a row stands
    before the first column.
    """
    rows, columns = _distinct(points, kind.row), _distinct(points, kind.column)
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            axis = axes[i][j]
            if i == 0:
                axis.set_title(str(column))
            if j == 0:
                axis.set_ylabel(f"{row}\n{kind.y_label}")
            if i == len(rows) - 1:
                axis.set_xlabel(x_label)
            yield axis, [p for p in points if p[kind.row] == row and p[kind.column] == column], column


def _number(value: object) -> float:
    return float(str(value))
