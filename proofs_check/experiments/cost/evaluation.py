"""``establish evaluate cost``: one table of what protection costs, on one made-up table of jobs."""

from math import isinf
from pathlib import Path

from establish.proofs_check.experiments.cost.ways_to_protect import (
    ALPHA,
    DISTORTION,
    EPSILON,
    GAMMA,
    MU,
    PAIRS,
    STEPS,
    CellRow,
    CostRow,
    made_up,
    run,
)
from establish.proofs_check.experiments.evaluation import Evaluation, Request, Table

SIZES = {"small": (600, 12_000, 6, 6), "table": (4_000, 80_000, 12, 12)}
"""Establishments, jobs, places and sectors."""

TRIALS = 500
"""Draws of the noise."""


def evaluate(request: Request) -> Evaluation:
    """Raises ParameterError when no pattern of suppressions protects the table."""
    establishments, jobs, places, sectors = SIZES[request.size]
    trials = request.trials or TRIALS
    table = made_up(establishments, jobs, places, sectors, request.seed)
    tick = request.start("ways to protect a table", STEPS)
    rows, cells = run(table, seed=request.seed, trials=trials, progress=tick)
    s, t = DISTORTION
    about = [
        f"synthetic: {establishments:,} establishments, {jobs:,} jobs, {places} places × {sectors} sectors, "
        "with margins",
        f"seed {request.seed}, {trials} draws of the noise, in floats: for the error only",
        f"infusion: factors uniform on 1 ± [{s}, {t}]; ER-EE: α = {ALPHA}, ε = {EPSILON}; GEDP: ψ = √, γ = "
        f"{GAMMA}, μ = {MU}, one query over the inner cells",
        "promise: what bounds the gain of who knows all other establishments; against outsiders the pattern "
        "of suppressions is audited; Gaussian privacy bounds no ratio, but δ by its μ",
        "gain: the largest |log| ratio of the probabilities of an output when an establishment that is alone "
        f"in its cell has x or (1 + α)·x jobs and all else is known; δ: what exceeds ε = {EPSILON}",
        "error: of the inner cells; of a suppressed one, of the middle of the interval that the published "
        "cells leave (its certified ends); of coarsening, of the product of the margins",
        "the bounds of ER-EE are those of claims establish/growth-staircase (reached) and "
        "establish/smooth-lomax; the other gains are exact",
    ]
    return Evaluation(
        about, {"results": rows, "cells": cells}, [_table(rows)], lambda folder: _figure(cells, folder)
    )


def _table(rows: list[CostRow]) -> Table:
    header = (
        "protection",
        "published",
        "mean error",
        "median rel.",
        *(f"{what} {x}→{y}" for x, y in PAIRS for what in ("gain", "δ")),
        "promise",
    )
    lines = [
        (
            row.protection,
            f"{row.published} of {row.cells}",
            f"{row.error:,.1f}",
            f"{row.relative:.3f}",
            _gain(row.gain_small),
            f"{row.delta_small:.2g}",
            _gain(row.gain_large),
            f"{row.delta_large:.2g}",
            row.promise,
        )
        for row in rows
    ]
    return Table("What does protection cost?", header, lines)


def _gain(value: float) -> str:
    return "∞" if isinf(value) else f"{value:g}"


def _figure(cells: list[CellRow], folder: Path) -> list[Path]:
    from establish.proofs_check.experiments.figures import Boxes, draw_boxes

    points = [
        {
            "of": "error",
            "table": "places × sectors",
            "protection": row.protection,
            "true": row.true,
            "published": row.published,
            "error": row.absolute,
        }
        for row in cells
    ]
    boxes = Boxes(
        name="figure-cost",
        title="Mean absolute error of each inner cell",
        row="of",
        column="table",
        box="protection",
        y="error",
        y_label="jobs",
    )
    return draw_boxes(boxes, points, folder)
