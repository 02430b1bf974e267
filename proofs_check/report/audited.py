"""What an audit found, as a page of one file: both probabilities, both datasets, and some outputs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup

from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.level import Approximate, Floats, Level
from establish.proofs_check.audit.question.mechanism import Mechanism
from establish.proofs_check.audit.question.outcomes import signs
from establish.proofs_check.audit.question.result import AuditResult, Pair, TradeOff, at_least
from establish.proofs_check.report.drawings.drawing import Drawing, outward, tabulated
from establish.proofs_check.report.drawings.plots import HATCHED, INK, legend_below, plot
from establish.proofs_check.report.drawings.shapes import intervals
from establish.spec.parameters import ParameterError

SHOWN = 2_000
"""So many outputs on each dataset are drawn for the picture, which proves nothing."""

CALL_SECONDS = 2.0
"""One call for the picture may take so long."""


def drawings(
    result: AuditResult, definition: AuditDefinition, mechanism: Any, seed: int
) -> Iterator[Drawing]:
    """The witness, or what came closest, the curve, and outputs on both datasets if they are numbers."""
    if result.pair is not None:
        yield _witness(result, result.pair, definition)
    if result.trade_off is not None:
        yield _errors(result.trade_off, definition.level)
    outputs = None if result.pair is None else _outputs(mechanism, result.pair, seed)
    if outputs is not None:
        yield Drawing(
            "outputs",
            f"{SHOWN:,} outputs on each dataset",
            "The outputs were drawn for this picture alone. No statement rests on it.",
            _histogram(outputs),
        )


def figures(result: AuditResult, definition: AuditDefinition) -> Iterator[tuple[str, str]]:
    """What is claimed and what was found, each number with what it is a number of, rounded outward."""
    level, least = definition.level, result.epsilon_lower_bound
    name = level.parameter
    yield "claimed", str(level)
    if isinstance(least, str) or (least and least != math.inf):
        yield (
            "found" if result.violated else "lower bound",
            f"{name} ≥ {least if isinstance(least, str) else at_least(least)}",
        )
    elif least == math.inf:
        yield "found", f"no {name} is enough"
    if result.probabilities is not None and result.violated:
        (low, _), (_, high) = result.probabilities
        yield "Pr[M(D) ∈ event]", f"≥ {outward(low, low)[0]}"
        yield "Pr[M(D') ∈ event]", f"≤ {outward(high, high)[1]}"
        if isinstance(level, Approximate):
            allowed = _allowed(level, high)
            yield "allowed on D", f"≤ {outward(allowed, allowed)[1]}"
    if result.power is not None and not result.violated:
        yield "would have been found", f"{name} ≥ {result.power:.4g}"


def _witness(result: AuditResult, pair: Pair, definition: AuditDefinition) -> Drawing:
    """Both datasets, the event, and its probabilities with what the definition allows."""
    tables = tuple(
        tabulated(name, dataset, _parts(dataset)) for name, dataset in zip(("D", "D'"), pair, strict=True)
    )
    title = "The two datasets and the event" if result.violated else "What came closest"
    words, svg = f"The event is: {result.event}.", Markup("")
    if result.probabilities is not None:
        first, second = result.probabilities
        rows = [("Pr[M(D) ∈ event]", first), ("Pr[M(D') ∈ event]", second)]
        words += f" On D its probability is {_between(first)}, on D' {_between(second)}."
        if isinstance(definition.level, Approximate):
            allowed = _allowed(definition.level, second[1])
            rows.append(("allowed on D, given D'", (0.0, allowed)))
            most = outward(allowed, allowed)[1]
            words += f" The definition allows at most {most} on D, given what is known of D'."
        words += _of_the_event(result, definition.level)
        if result.bounds_nothing:
            words += f" So nothing is known of the least {definition.level.parameter}."
        svg = intervals(rows)
    return Drawing("audit", title, words, svg, tables)


def _of_the_event(result: AuditResult, level: Level) -> str:
    """What the event alone gives, where the bound on ε comes from the tests of the curve."""
    least = result.epsilon_lower_bound
    if not (result.violated and isinstance(level, Approximate) and isinstance(least, float)):
        return ""
    assert result.probabilities is not None
    (low, _), (_, high) = result.probabilities
    more = low - float(level.delta)
    own = math.log(more / high) if more > 0 < high else math.inf
    if result.trade_off is None or own >= least:
        return ""
    return f" This event alone gives ε ≥ {at_least(own)}; the tests below give {at_least(least)}."


def _errors(curve: TradeOff, level: Level) -> Drawing:
    """Bounds of both errors of the tests, and what the definition allows."""
    first, second = (np.array(side) for side in zip(*curve.errors, strict=True))
    order = np.argsort(first.mean(axis=1))
    first, second = first[order], second[order]
    alpha = np.linspace(0.0, 1.0, 401)
    least = level.fewest(1 - alpha)
    least = np.maximum(least, np.interp(alpha, least[::-1], alpha[::-1]))  # the curve is symmetric

    most = _highest(first[:, 1], second[:, 1], alpha)

    def paint(axes: Any) -> None:
        low = [[0.0, *first[:, 0], 1.0], [1.0, *second[:, 0], 0.0]]
        high = [[0.0, *first[:, 1], 1.0], [1.0, *second[:, 1], 0.0]]
        around = [[*one, *other[::-1]] for one, other in zip(low, high, strict=True)]
        if (most < least).any():
            words = "breaks the definition"
            axes.fill_between(alpha, most, least, where=most < least, **HATCHED, label=words)
        axes.fill(*around, facecolor=(INK, 0.3), edgecolor=INK, linewidth=2, label="the tests, bounded")
        axes.plot(alpha, least, color=INK, linestyle="--", label=f"least that {level} allows")
        axes.set_xlim(-0.03, 1.03)
        axes.set_ylim(-0.03, 1.03)
        axes.set_xlabel("type I error: the event, on D'")
        axes.set_ylabel("type II error: not the event, on D")
        legend_below(axes)

    at = int(np.argmin(first[:, 1] + second[:, 1]))
    seen, rest = (
        "enclosed from their laws",
        "No test of its type I error has a type II error below such a band.",
    )
    if curve.outputs:
        seen = f"from {curve.outputs:,} outputs of each; all bounds hold together"
        rest = "The best test of all may have smaller errors than these."
    words = (
        f"The errors of {curve.test} when outputs on D = {curve.pair[0]!r} are told from those on D' = "
        f"{curve.pair[1]!r}, {seen}. Where their sum is least, the type I error is "
        f"{_between(tuple(first[at]))} and the type II error {_between(tuple(second[at]))}. The "
        f"definition is broken where the band lies below the dashed line. {rest}"
    )
    return Drawing("trade-off", "The errors of tests", words, plot(paint, 4.4, 4.0))


def _highest(first: Floats, second: Floats, alpha: Floats) -> Floats:
    """The most that the type II error of the best test can be: by upper bounds, and tests that mix two."""
    order = np.argsort(first)
    at = np.concatenate([[0.0], np.clip(first[order], 0.0, 1.0), [1.0]])
    highest = np.minimum.accumulate(np.concatenate([[1.0], second[order], [0.0]]))
    found: Floats = np.interp(alpha, at, highest)
    return found


def _parts(dataset: Any) -> tuple[str, ...]:
    """The columns of a dataset: its value, or its parts."""
    if not isinstance(dataset, tuple):
        return ("value",)
    return tuple(f"part {number + 1}" for number in range(len(dataset)))


def _allowed(level: Approximate, most: float) -> float:
    """What the definition allows on D where the probability on D' is at most ``most``."""
    return min(1.0, math.exp(min(level.bound, 700.0)) * most + float(level.delta))


def _between(bounds: tuple[float, float]) -> str:
    low, high = outward(*bounds)
    return low if low == high else f"between {low} and {high}"


def _outputs(mechanism: Any, pair: Sequence[Any], seed: int) -> tuple[Floats, Floats] | None:
    """Finite outputs on both datasets; None where there are no numbers to draw."""
    if not (callable(mechanism) or callable(getattr(mechanism, "sample", None))):
        return None
    try:
        asked = Mechanism(mechanism, CALL_SECONDS)
        rng = np.random.default_rng(seed)
        first, second = (asked.draw(dataset, SHOWN, rng) for dataset in pair)
    except ParameterError:
        return None
    if first.shape[1] != 1 or second.shape[1] != 1:
        return None
    finite = [rows[np.isfinite(rows) & ~signs(rows)] for rows in (first, second)]
    return (finite[0], finite[1]) if all(map(len, finite)) else None


def _histogram(outputs: tuple[Floats, Floats]) -> Markup:
    """Both on the same axis, from the 1st to the 99th percentile of all of them."""
    low, high = np.quantile(np.concatenate(outputs), (0.01, 0.99))
    room = (high - low) / 20 or 1.0
    edges = np.linspace(low - room, high + room, 41)

    def paint(axes: Any) -> None:
        axes.hist(outputs[0], edges, histtype="step", color=INK, linewidth=1.6, label="on D")
        axes.hist(outputs[1], edges, histtype="step", color=INK, linestyle="--", label="on D'")
        axes.set_xlabel("output")
        axes.set_ylabel(f"outputs, of {SHOWN:,}")
        legend_below(axes)

    return plot(paint)
