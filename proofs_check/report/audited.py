"""What an audit found, as a page of one file: both probabilities, both datasets, and some outputs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from markupsafe import Markup

from establish.proofs_check.audit.question.definitions import AuditDefinition
from establish.proofs_check.audit.question.level import Approximate, Floats
from establish.proofs_check.audit.question.mechanism import Mechanism
from establish.proofs_check.audit.question.result import AuditResult
from establish.proofs_check.report.drawings.drawing import Drawing, brief, tabulated
from establish.proofs_check.report.drawings.plots import INK, legend_below, plot
from establish.proofs_check.report.drawings.shapes import intervals
from establish.spec.parameters import ParameterError

SHOWN = 2_000
"""So many outputs on each dataset are drawn for the picture, which proves nothing."""

CALL_SECONDS = 2.0
"""One call for the picture may take so long."""


def drawings(
    result: AuditResult, definition: AuditDefinition, mechanism: Any, seed: int
) -> Iterator[Drawing]:
    """The witness, or what came closest to one, and outputs on both datasets if they are numbers."""
    if result.pair is None:
        return
    tables = tuple(
        tabulated(name, dataset, _parts(dataset))
        for name, dataset in zip(("D", "D'"), result.pair, strict=True)
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
            words += (
                f" The definition allows at most {brief(allowed)} on D, given what is known of D'."
            )
        svg = intervals(rows)
    yield Drawing("audit", title, words, svg, tables)
    outputs = _outputs(mechanism, result.pair, seed)
    if outputs is not None:
        yield Drawing(
            "outputs",
            f"{SHOWN:,} outputs on each dataset",
            "The outputs were drawn for this picture alone. No statement rests on it.",
            _histogram(outputs),
        )


def _parts(dataset: Any) -> tuple[str, ...]:
    """The columns of a dataset: its value, or its parts."""
    if not isinstance(dataset, tuple):
        return ("value",)
    return tuple(f"part {number + 1}" for number in range(len(dataset)))


def _allowed(level: Approximate, most: float) -> float:
    """What the definition allows on D where the probability on D' is at most ``most``."""
    return min(1.0, math.exp(min(level.bound, 700.0)) * most + float(level.delta))


def _between(bounds: tuple[float, float]) -> str:
    low, high = map(brief, bounds)
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
    finite = [rows[np.isfinite(rows)] for rows in (first, second)]
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
        axes.set_ylabel("outputs")
        legend_below(axes)

    return plot(paint)
