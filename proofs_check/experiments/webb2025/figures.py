"""The figures of Section 8 and of Appendices B and C of Webb et al. 2025, with the paper's axes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from establish.proofs_check.experiments.webb2025.establishment_data import MEASURES
from establish.proofs_check.experiments.webb2025.findings import BOTH
from establish.proofs_check.experiments.webb2025.fitted_microdata_compared import BudgetRow, Run


def figures(found: Run, budgets: Sequence[BudgetRow], folder: Path) -> Iterator[Path]:
    """Figures 1 to 3, 5, 6, 8 and 9 of the paper, each with its numbers beside it; yields the files."""
    from establish.proofs_check.experiments.figures import (
        Boxes,
        Panels,
        Scatter,
        draw,
        draw_boxes,
        draw_scatter,
    )

    shown = [g for g in found.groups if g.strategy in BOTH]
    points = [
        {
            "level": g.level,
            "mechanism": g.strategy,
            "measure": g.measure,
            "true": g.true,
            "estimate": g.estimate,
            "absolute": g.absolute,
            "difference": g.estimate - g.true,
            "relative": abs(g.estimate - g.true) / (g.true + 1),
        }
        for g in shown
    ]
    employment = [p for p in points if p["measure"] == "employment"]

    def at(of: list[dict[str, Any]], *levels: str) -> list[dict[str, Any]]:
        return [p for p in of if p["level"] in levels]

    title = "Employment: microdata fitted to one replication, and 3% around the truth"
    axes: dict[str, Any] = {"x": "true", "y": "estimate", "x_label": "original", "y_label": "protected"}
    scatter = Scatter("figure-1", title, "level", "mechanism", band=0.03, **axes)
    yield from draw_scatter(scatter, at(employment, "sector", "NAICS-3", "NAICS-5"), folder)
    title = "Absolute error of a group, averaged over replications"
    axes = {"box": "mechanism", "y": "absolute", "y_label": "absolute error"}
    boxes = Boxes("figure-2", title, "measure", "level", **axes)
    yield from draw_boxes(boxes, at(points, "county", "NAICS-3", "NAICS-5"), folder)
    state = [
        {"measure": m, "level": "state", "mechanism": s, "absolute": abs(e)}
        for m in MEASURES
        for s in BOTH
        for e in found.errors[m, s, "state"][:, 0].tolist()
    ]
    title = "Absolute error of the state's total, by replication"
    yield from draw_boxes(replace(boxes, name="figure-3", title=title), state, folder)
    title = "Relative error of a group against its size"
    axes = {"x": "true", "y": "relative", "x_label": "ground truth", "y_label": "relative error"}
    scatter = Scatter("figure-8", title, "measure", "mechanism", band=None, **axes)
    yield from draw_scatter(scatter, at(points, "NAICS-3"), folder)
    title = "Employment: protected less original, by level, one replication"
    boxes = replace(boxes, name="figure-5", title=title, y="difference", y_label="signed difference")
    compared = at(employment, "sector", "NAICS-5", "county × sector", "county × NAICS-5")
    yield from draw_boxes(boxes, compared, folder)
    title = "Employment: protected less original, one replication"
    compared = at(employment, "NAICS-3", "county × NAICS-3")
    yield from draw_boxes(replace(boxes, name="figure-6", title=title), compared, folder)
    title = "Median relative error as the overall budget varies"
    axes = {"lines": "mechanism", "x": "mu", "y": "relative", "x_label": "overall μ"}
    panels = Panels("figure-9", title, "measure", "level", **axes, y_label="relative error", logarithmic="xy")
    drawn = ("measure", "level", "mechanism", "mu", "relative", "se")
    by_budget = [{key: getattr(row, key) for key in drawn} for row in budgets]
    shown_at = ("state", "county", "NAICS-3", "NAICS-5", "county × NAICS-5")
    yield from draw(panels, at(by_budget, *shown_at), folder)
