"""``establish evaluate schmutte2020``: MOSE and the UMETRICS reports, with repairs beside them."""

from collections.abc import Sequence
from math import isinf
from pathlib import Path

from establish.proofs_check.experiments.evaluation import Evaluation, Request, Table
from establish.proofs_check.experiments.findings import Finding, exactly
from establish.proofs_check.experiments.schmutte2020.mose import (
    AT,
    EPSILON,
    GroupRow,
    PredictionRow,
    groups,
    mose,
)
from establish.proofs_check.experiments.schmutte2020.umetrics import (
    BUDGET,
    LEGAL,
    ReportRow,
    report,
    umetrics,
)

SIZES = {"small": (30, 600, 5), "groups": (400, 10_000, 10)}
"""Groups of the regressions; persons and years of the reports."""

TRIALS = 200
"""Draws of the noise."""

TARGET = 0.1
"""An accuracy requirement for |true − noisy|/true; the slides name a threshold, and not which."""


def evaluate(request: Request) -> Evaluation:
    """Made-up data only."""
    number, persons, years = SIZES[request.size]
    trials = request.trials or TRIALS
    data = groups(number, request.seed)
    tick = request.start("regressions by group", number)
    predictions, by_group = mose(data, seed=request.seed, trials=trials, progress=tick)
    reports = umetrics(report(persons, years, request.seed), seed=request.seed, trials=trials)
    low, high = LEGAL
    about = [
        f"synthetic: {number} groups for regressions, {predictions[0].persons:,} persons; reports on "
        f"{persons:,} persons over {years} years",
        f"seed {request.seed}, {trials} draws of the noise, in floats: for the error only",
        f"MOSE: predictions at rank {AT:g}, ε = {EPSILON}; reports: ε = {BUDGET} a year for averages, and as "
        f"much for counts; earnings from {low:,} to {high:,}; title and sector share χ over the years",
        "the attacker knows all persons but one, and sees the noise scales that are exported: told is the "
        "share of persons whose presence changes them, and with them what is possible (gain ∞); rest is the "
        "largest gain among the others",
        "promise: what bounds the gain for every dataset, by claims schmutte2020_slides/mose-* and "
        "umetrics-mose/*; noisy moments: five sums with ε/5 each",
    ]
    return Evaluation(
        about,
        {"results": predictions, "groups": by_group, "reports": reports},
        [
            _table("MOSE: predictions by group", "median error", predictions),
            _table("UMETRICS: average earnings by cell", "median APD", reports),
        ],
        lambda folder: _figure(by_group, folder),
        findings(predictions, reports),
    )


def _table(title: str, measure: str, rows: Sequence[PredictionRow] | Sequence[ReportRow]) -> Table:
    lines = [
        (
            row.way,
            f"{row.error if isinstance(row, PredictionRow) else row.apd:.4f}",
            f"{row.told:.3f}",
            _shown(row.gain),
            _shown(row.rest),
            _shown(row.promise),
        )
        for row in rows
    ]
    return Table(title, ("way", measure, "told", "gain", "rest", "promise"), lines)


def _shown(value: float) -> str:
    return "∞" if isinf(value) else f"{value:.3g}"


def findings(predictions: Sequence[PredictionRow], reports: Sequence[ReportRow]) -> list[Finding]:
    """What the run says of the slides' sentences; gains are exact on this data."""
    published, public, *repaired = predictions
    mended: list[PredictionRow | ReportRow] = [*repaired, *reports[2:]]
    return [
        Finding(
            "not-private",
            "MOSE, Properties",
            "MOSE does not satisfy ε-differential privacy",
            "some person's presence changes the exported scales, sizes public or not",
            tuple(
                exactly(f"{row.way}: share of persons told", row.told, ">=", 1 / row.persons)
                for row in (published, public)
            ),
        ),
        Finding(
            "less-noise",
            "MOSE, Takeaways",
            "MOSE avoids the noise of global sensitivity",
            "its median error is at most half of each repaired way's",
            tuple(
                exactly(f"error of MOSE over that of: {row.way}", published.error / row.error, "<=", 0.5)
                for row in repaired
            ),
        ),
        Finding(
            "repairs-promise",
            "ours",
            "Repaired versions keep every gain within what they promise",
            "the largest gain of any person on this data",
            tuple(exactly(f"{row.way}: gain", row.gain, "<=", row.promise) for row in mended),
        ),
        Finding(
            "apd",
            "UMETRICS, Accuracy requirement",
            "Averages meet a target for |true − noisy|/true",
            f"the median is at most {TARGET:g} (the slides name no number), as published and repaired",
            tuple(exactly(f"{r.way}: median APD", r.apd, "<=", TARGET) for r in reports),
        ),
    ]


def _figure(rows: Sequence[GroupRow], folder: Path) -> list[Path]:
    from establish.proofs_check.experiments.figures import Scatter, draw_scatter

    points = [
        {"shown": name, "of": "groups", "size": row.size, "value": value}
        for row in rows
        for name, value in (
            ("local sensitivity", row.local_sensitivity),
            ("error of MOSE", row.mose),
            ("error, clamped", row.clamped),
            ("error, noisy moments", row.moments),
        )
    ]
    scatter = Scatter(
        name="figure-mose",
        title="Local sensitivity and mean error of the prediction, by size of the group",
        row="of",
        column="shown",
        x="size",
        y="value",
        x_label="persons",
        y_label="change or error",
        band=None,
    )
    return draw_scatter(scatter, points, folder)
