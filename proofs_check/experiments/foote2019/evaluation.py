"""``establish evaluate foote2019``: which cells, which tables, which figures."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from establish.proofs_check.engine.statements.experiments import Measured
from establish.proofs_check.experiments.evaluation import Evaluation, Request, Table
from establish.proofs_check.experiments.findings import Finding, exactly
from establish.proofs_check.experiments.foote2019.percentile_accuracy import (
    CLASSES,
    PERCENTILES,
    SCHEMES,
    AccuracyRow,
    Cells,
    ComparisonRow,
    Grid,
    made_up,
    read,
    run,
    steps,
)
from establish.spec.parameters import ParameterError

TENTHS = tuple(Fraction(k, 10) for k in range(1, 31))
"""ε from 0.1 to 3 by 0.1, as printed."""

GRIDS = {
    "small": (120, Grid((10, 20, 30), tuple(map(Fraction, ("0.1", "0.5", "1", "2", "3"))), 12)),
    "grid": (400, Grid((10, 15, 20, 25, 30), TENTHS, 20)),
}
"""Cells, and the combinations; the paper draws 20 times."""

MIDDLE = 50
"""The percentile of Figures 1 to 3."""

AT = 20
"""The bins of Figure 2."""


def evaluate(request: Request) -> Evaluation:
    """Raises ParameterError for data that cannot be read."""
    number, grid = GRIDS[request.size]
    if request.trials:
        grid = Grid(grid.bins, grid.epsilons, request.trials)
    cells = _cells(request, number)
    tick = request.start("histograms and smooth sensitivity", steps(grid))
    rows, comparisons = run(cells, grid, seed=request.seed, progress=tick)
    source = request.data[0].name if request.data else "made up, log-normal"
    about = [
        f"{source}: {cells.sizes.size:,} cells, {cells.cell.size:,} individuals",
        f"seed {request.seed}, {grid.draws} draws of the noise; {len(grid.bins)} numbers of bins, "
        f"{len(grid.epsilons)} values of ε",
        "smooth sensitivity with the corrected scale 16·S*/ε, cut off at the public range; a cell without "
        "percentiles has accuracy 0",
        "a comparison is certain where Student's interval of the mean difference over draws, wrong with "
        "probability 1e-9, leaves out 0",
    ]
    return Evaluation(
        about,
        {"results": rows, "comparisons": comparisons},
        list(_tables(rows, comparisons)),
        lambda folder: [path for part in _figures(rows, folder) for path in part],
        findings(rows, comparisons),
    )


def _cells(request: Request, number: int) -> Cells:
    if len(request.data) > 1:
        raise ParameterError("--data takes one file of the Post-Secondary Employment Outcomes here")
    return read(request.data[0], number) if request.data else made_up(number, request.seed)


def _tables(rows: Sequence[AccuracyRow], comparisons: Sequence[ComparisonRow]) -> Iterator[Table]:
    shown = [e for e in (0.1, 0.5, 1.0, 2.0, 3.0) if any(r.epsilon == e for r in rows)]
    lines = []
    for scheme in SCHEMES:
        of = {
            r.epsilon: r
            for r in rows
            if (r.scheme, r.percentile, r.cells) == (scheme, MIDDLE, "all") and r.bins in (0, AT)
        }
        lines.append((scheme, *(f"{of[e].accuracy:.4f} ± {of[e].se:.4f}" for e in shown)))
    yield Table(
        f"mean relative accuracy of the median ± standard error, {AT} bins",
        ("scheme", *(f"ε = {e:g}" for e in shown)),
        lines,
    )
    lines = []
    for against in SCHEMES[1:]:
        for percentile in PERCENTILES:
            found = Counter(
                c.better
                for c in comparisons
                if (c.against, c.percentile, c.cells) == (against, percentile, "all")
            )
            counts = (found["log-normal"], found[against], found["undecided"])
            lines.append((f"{against}, {percentile}th", *map(str, counts)))
    yield Table(
        "log-normal bins against the others, all cells: combinations of bins and ε",
        ("against", "log-normal better", "worse", "undecided"),
        lines,
    )


def _comparison(c: ComparisonRow, limit: float = 0.0) -> Measured:
    name = f"{c.percentile}th percentile, {c.bins} bins, ε = {c.epsilon:g}, cells {c.cells}"
    return Measured(f"{name}: accuracy less that of {c.against}", c.difference, c.low, c.high, ">=", limit)


def findings(rows: Sequence[AccuracyRow], comparisons: Sequence[ComparisonRow]) -> list[Finding]:
    """What the run says of the sentences of Section 5.5."""
    overall = [c for c in comparisons if c.cells == "all" and c.percentile]
    by_size = [c for c in comparisons if c.cells != "all" and c.bins == AT and c.percentile == MIDDLE]
    smooth = [c for c in overall if c.against == "smooth" and c.percentile == MIDDLE]
    ahead = sum(c.better == "log-normal" for c in smooth)
    return [
        Finding(
            "even",
            "Section 5.5, Figures 1, 4 and 5",
            "Log-normal bins are strictly better than even ones",
            "mean accuracy over all cells, every number of bins, ε and percentile",
            tuple(_comparison(c) for c in overall if c.against == "even"),
        ),
        Finding(
            "smooth",
            "Section 5.5, Figure 1",
            "For most values of ε log-normal bins are more accurate than smooth sensitivity",
            "the median: certainly so at more than half of the combinations of bins and ε",
            (_share(ahead, len(smooth), "combinations in which log-normal bins are ahead"),),
        ),
        Finding(
            "cell-size",
            "Section 5.5, Figure 2",
            "In every class of cell sizes log-normal bins are more accurate",
            f"the median with {AT} bins, every ε, against even bins and smooth sensitivity",
            tuple(_comparison(c) for c in by_size if c.against in SCHEMES[1:3]),
        ),
        Finding(
            "bins",
            "Section 5.5, Figure 3",
            "Accuracy decreases with the number of bins, by about 2 points from 10 to 30",
            "the median over all cells: 10 bins ahead of 30 at every ε, by at most 3 points",
            tuple(_fewer(rows)),
        ),
    ]


def _share(found: int, of: int, name: str) -> Measured:
    share = found / of if of else 0.0
    return exactly(f"{found} of {of} {name}", share, ">=", 0.5)


def _fewer(rows: Sequence[AccuracyRow]) -> Iterator[Measured]:
    """Independent draws: the interval has the sum of both standard errors, six times each."""
    own = [r for r in rows if (r.scheme, r.percentile, r.cells) == ("log-normal", MIDDLE, "all")]
    by = {(r.bins, r.epsilon): r for r in own}
    for epsilon in dict.fromkeys(r.epsilon for r in own):
        ten, thirty = by[10, epsilon], by[30, epsilon]
        value, reach = ten.accuracy - thirty.accuracy, 6 * (ten.se + thirty.se)
        name = f"ε = {epsilon:g}: accuracy with 10 bins less that with 30"
        yield Measured(name, value, value - reach, value + reach, ">=", 0.0)
        yield Measured(name, value, value - reach, value + reach, "<=", 0.03)


def _figures(rows: Sequence[AccuracyRow], folder: Path) -> Iterator[list[Path]]:
    from establish.proofs_check.experiments.figures import Panels, draw

    counts = sorted({r.bins for r in rows} - {0})

    def points(percentile: int, cells: str, shown: Sequence[int]) -> list[dict[str, object]]:
        return [
            {
                "cells": r.cells,
                "bins": count,
                "scheme": r.scheme,
                "epsilon": r.epsilon,
                "accuracy": r.accuracy,
                "se": r.se,
                "percentile": f"{r.percentile}th" if r.percentile else "all three",
            }
            for count in shown
            for r in rows
            if r.percentile == percentile and r.cells == cells and r.bins in (0, count)
        ]

    axes: dict[str, Any] = {
        "lines": "scheme",
        "x": "epsilon",
        "y": "accuracy",
        "x_label": "ε",
        "y_label": "relative accuracy",
    }

    titles = {MIDDLE: "figure-1", 25: "figure-4", 75: "figure-5", 0: "figure-6"}
    for percentile, name in titles.items():
        what = f"{percentile}th percentile" if percentile else "all three percentiles"
        panels = Panels(
            name, f"Relative accuracy by histogram method, {what}", "percentile", "bins", **axes, bottom=0.0
        )
        yield draw(panels, points(percentile, "all", counts), folder)
    present = [name for name in CLASSES if any(r.cells == name for r in rows)]
    by_size = [p for name in present[1:] for p in points(MIDDLE, name, [AT])]
    panels = replace(panels, name="figure-2", title="Relative accuracy by cell size", column="cells")
    yield draw(panels, by_size, folder)
    by_bins = [
        {
            "percentile": f"{r.percentile}th",
            "scheme": r.scheme,
            "line": f"ε = {r.epsilon:g}",
            "bins": r.bins,
            "accuracy": r.accuracy,
            "se": r.se,
        }
        for r in rows
        if r.bins and r.percentile == MIDDLE and r.cells == "all" and r.epsilon in (0.5, 1, 2, 3)
    ]
    axes |= {"lines": "line", "x": "bins", "x_label": "bins"}
    panels = Panels("figure-3", "Relative accuracy by number of bins", "percentile", "scheme", **axes)
    yield draw(panels, by_bins, folder)
