"""``establish evaluate haney2017``: which cells, which tables, which figures."""

from collections.abc import Sequence
from pathlib import Path

from establish.proofs_check.experiments.evaluation import Evaluation, Request, Table
from establish.proofs_check.experiments.haney2017.findings import findings
from establish.proofs_check.experiments.haney2017.noise_infusion_compared import (
    COMPARABLE,
    DISTORTION,
    ERROR,
    GROUPS,
    Row,
    run,
    steps,
)
from establish.proofs_check.experiments.job_cells import SIZES, JobCells, made_up

TRIALS = {"small": 20, "sample": 20, "national": 2}
"""Independent trials; the paper has 20."""

FIGURES = {
    "workload-1": ("figure-1", "Average L1 error ratio", "Workload 1"),
    "ranking-1": ("figure-2", "Spearman correlation", "Ranking 1"),
    "workload-2": ("figure-3", "Average L1 error ratio", "Workload 2"),
    "workload-3": ("figure-4", "Average L1 error ratio", "Workload 3"),
    "ranking-2": ("figure-5", "Spearman correlation", "Ranking 2"),
}
"""The paper's figure, its vertical axis, and what it shows."""


def evaluate(request: Request) -> Evaluation:
    """Raises ParameterError for data that cannot be read."""
    cells = _cells(request)
    trials = request.trials or TRIALS[request.size]
    tick = request.start("mechanisms against noise infusion", steps(trials))
    s, t = request.distortion or DISTORTION
    rows = run(cells, seed=request.seed, trials=trials, distortion=(s, t), progress=tick)
    about = [
        cells.title,
        f"{cells.cells:,} cells with establishments; strata by {cells.stratified_by}",
        f"seed {request.seed}, {trials} trials (eight times as many for Workload 1 and Ranking 1)",
        f"the current system: factors uniform on 1 ± [{s}, {t}], counts of 1 and 2 drawn anew from 1 and 2 "
        "(our assumption: the paper prints neither law)",
        f"all intervals together hold but with probability {ERROR:g}",
        "noise from numpy's generators, in floats: for the error only, never for a release",
    ]
    return Evaluation(
        about,
        {"results": rows},
        list(_tables(rows)),
        lambda folder: [path for figure in FIGURES for path in _figure(figure, rows, folder)],
        findings(rows),
    )


def _cells(request: Request) -> JobCells:
    if request.data:
        from establish.proofs_check.experiments.haney2017.qcew_counts import read

        return read(request.data, request.seed)
    return made_up(SIZES[request.size], request.seed)


def _tables(rows: Sequence[Row]) -> list[Table]:
    """The baseline α = .1, ε = 2; Truncated Laplace at ε = 4."""
    chosen = [r for r in rows if (r.alpha, r.epsilon) == (0.1, 2.0)]
    truncated = [r for r in rows if r.alpha != r.alpha and r.epsilon == 4.0]
    return [
        _table("α = 0.1, ε = 2: error ratios and rank correlations", chosen, "all"),
        *(
            _table(f"α = 0.1, ε = 2, {figure} by stratum", chosen, figure)
            for figure in ("workload-1", "ranking-1")
        ),
        _table("ε = 4: Truncated Laplace", truncated, "all"),
    ]


def _table(title: str, rows: Sequence[Row], by: str) -> Table:
    """By figure over all cells, or for one figure by stratum."""
    columns = (*FIGURES, COMPARABLE) if by == "all" else GROUPS
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        column = row.figure if by == "all" else row.stratum
        if (row.stratum if by == "all" else row.figure) == by:
            found.setdefault(row.mechanism, {})[column] = row
    lines = [(name, *(_cell(of.get(column)) for column in columns)) for name, of in found.items()]
    return Table(title, ("mechanism", *columns), lines)


def _cell(row: Row | None) -> str:
    if row is None:
        return "-"
    return f"{row.value:.3f}{'' if row.allowed else ' (δ)'}"


def _figure(figure: str, rows: Sequence[Row], folder: Path) -> list[Path]:
    from establish.proofs_check.experiments.figures import Panels, draw

    name, label, shows = FIGURES[figure]
    points = [
        {
            "mechanism": "truncated-laplace" if " " in row.mechanism else row.mechanism,
            "stratum": row.stratum,
            "line": f"α = {row.alpha:g}" if row.alpha == row.alpha else row.mechanism.split()[1],
            "epsilon": row.epsilon,
            "value": row.value,
            "low": row.low,
            "high": row.high,
        }
        for row in rows
        if row.figure == figure and row.allowed
    ]
    ratio = figure.startswith("workload")
    panels = Panels(
        name=name,
        title=f"{shows}: {label} against input noise infusion",
        row="mechanism",
        column="stratum",
        lines="line",
        x="epsilon",
        y="value",
        x_label="ε",
        y_label=label,
        level=1.0,
        logarithmic="xy" if ratio else "x",
    )
    return draw(panels, points, folder)
