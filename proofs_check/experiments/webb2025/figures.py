"""The figures of Section 8 and of Appendices B and C of Webb et al. 2025, with the paper's axes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

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
    scatter = Scatter(
        name="figure-1",
        title="Employment: microdata fitted to one replication, and 3% around the truth",
        row="level",
        column="mechanism",
        x="true",
        y="estimate",
        x_label="original",
        y_label="protected",
        band=0.03,
    )
    levels = ("sector", "NAICS-3", "NAICS-5")
    employment = [p for p in points if p["measure"] == "employment"]
    yield from draw_scatter(scatter, [p for p in employment if p["level"] in levels], folder)
    boxes = Boxes(
        name="figure-2",
        title="Absolute error of a group, averaged over replications",
        row="measure",
        column="level",
        box="mechanism",
        y="absolute",
        y_label="absolute error",
    )
    by = ("county", "NAICS-3", "NAICS-5")
    yield from draw_boxes(boxes, [p for p in points if p["level"] in by], folder)
    state = [
        {"measure": m, "level": "state", "mechanism": s, "absolute": abs(e)}
        for m in MEASURES
        for s in BOTH
        for e in found.errors[m, s, "state"][:, 0].tolist()
    ]
    boxes = Boxes(
        name="figure-3",
        title="Absolute error of the state's total, by replication",
        row="measure",
        column="level",
        box="mechanism",
        y="absolute",
        y_label="absolute error",
    )
    yield from draw_boxes(boxes, state, folder)
    scatter = Scatter(
        name="figure-8",
        title="Relative error of a group against its size",
        row="measure",
        column="mechanism",
        x="true",
        y="relative",
        x_label="ground truth",
        y_label="relative error",
        band=None,
    )
    yield from draw_scatter(scatter, [p for p in points if p["level"] == "NAICS-3"], folder)
    for name, title, compared in (
        (
            "figure-5",
            "Employment: protected less original, by level, one replication",
            ("sector", "NAICS-5", "county × sector", "county × NAICS-5"),
        ),
        ("figure-6", "Employment: protected less original, one replication", ("NAICS-3", "county × NAICS-3")),
    ):
        boxes = Boxes(
            name=name,
            title=title,
            row="measure",
            column="level",
            box="mechanism",
            y="difference",
            y_label="signed difference",
        )
        yield from draw_boxes(boxes, [p for p in employment if p["level"] in compared], folder)
    panels = Panels(
        name="figure-9",
        title="Median relative error as the overall budget varies",
        row="measure",
        column="level",
        lines="mechanism",
        x="mu",
        y="relative",
        x_label="overall μ",
        y_label="relative error",
        logarithmic="xy",
    )
    by_budget = [
        {
            "measure": r.measure,
            "level": r.level,
            "mechanism": r.mechanism,
            "mu": r.mu,
            "relative": r.relative,
            "se": r.se,
        }
        for r in budgets
        if r.level in ("state", "county", "NAICS-3", "NAICS-5", "county × NAICS-5")
    ]
    yield from draw(panels, by_budget, folder)
