"""Two densities in a picture: an event under both, or where one is more than the other lets it be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, isfinite, log, nan, pi
from typing import Any

from establish.proofs_check.report.drawings.plots import HATCHED, INK, legend_below, plot
from establish.spec.arithmetic import ARB, enclosing

BITS = 160
POINTS = 120

FAINT = 1e-9
"""Densities below this share of the largest are not drawn."""

SHADED: Any = {"interpolate": True, "facecolor": INK, "alpha": 0.25, "linewidth": 0}
"""How what is more than allowed is shown."""

Part = tuple[float | None, float | None]
"""An interval of an event; None where it has no end."""


def event_picture(
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
                    **(HATCHED | {"hatch": hatch}),
                    label=f"event, {name}" if number == 0 else None,
                )
        axes.set_yscale("log")
        axes.set_ylim(bottom=floor)
        _finish(axes, output)

    return plot(paint)


def excess_picture(
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
        axes.fill_between(xs, first, second, where=inside, label=told, **SHADED)
        axes.set_ylim(0, 2 * max(v for v, kept in zip(first, inside, strict=True) if kept))
        _finish(axes, end)

    return plot(paint)


def above_picture(
    density: Sequence[Callable[[float], float]],
    names: tuple[str, str],
    window: tuple[float, float],
    output: float,
) -> Any:
    """One density on a logarithmic axis, shaded where it is above the most that the other lets it be."""
    low, high = window
    xs = sorted({low + (high - low) * k / POINTS for k in range(POINTS + 1)} | {output})
    first, most = ([f(x) for x in xs] for f in density)
    floor = max(first) * FAINT

    def paint(axes: Any) -> None:
        for curve, style, name in zip((first, most), ("-", "--"), names, strict=True):
            axes.plot(xs, [v if v > floor else nan for v in curve], style, color=INK, label=name)
        below = [max(v, floor) for v in most]
        above = [v > m for v, m in zip(first, below, strict=True)]
        axes.fill_between(xs, first, below, where=above, label="more than is allowed", **SHADED)
        axes.set_yscale("log")
        axes.set_ylim(bottom=floor)
        _finish(axes, output)

    return plot(paint)


def _finish(axes: Any, output: float) -> None:
    """What each of these has: a line at the output, the names of the axes, a legend."""
    axes.axvline(output, color=INK, linestyle=":", linewidth=0.8)
    axes.set_xlabel("output")
    axes.set_ylabel("density")
    legend_below(axes)


def scaled(density: Callable[[float], float], level: Any) -> Callable[[float], float]:
    """e^level times a density: the most that a pure definition lets the other be."""
    with enclosing(BITS):
        factor = float(ARB.exp(level).mid())
    return lambda x: factor * density(x)


def density_of(law: Any) -> Callable[[float], float]:
    """The density of a law as a function of floats."""

    def at(x: float) -> float:
        with enclosing(BITS):
            if hasattr(law, "log_density"):
                value = float(law.log_density(ARB.number(Fraction(x))).mid())
            else:  # a normal law
                z = (ARB.number(Fraction(x)) - law.mean) / law.sd
                value = float((-z * z / 2 - ARB.log(law.sd)).mid()) - log(2 * pi) / 2
        return exp(value) if isfinite(value) and value < 700 else 0.0

    return at
