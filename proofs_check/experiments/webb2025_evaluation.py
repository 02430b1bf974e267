"""``establish evaluate webb2025``: which data, which tables, which figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot, inf, sqrt
from pathlib import Path

import numpy as np
import scipy.stats

from establish.proofs_check.experiments import estimated_variances
from establish.proofs_check.experiments.establishment_data import (
    ESTABLISHMENTS,
    MEASURES,
    made_up,
    rebuilt,
)
from establish.proofs_check.experiments.evaluation import Evaluation, Request, Table
from establish.proofs_check.experiments.findings import Comparison, Finding
from establish.proofs_check.experiments.webb2025 import (
    LEVELS,
    STRATEGIES,
    CoverageRow,
    Floats,
    LevelRow,
    Run,
    SizeRow,
    run,
)

SIZES = {"small": (2_000, 6, 200), "state": (ESTABLISHMENTS, 34, 20_000)}
"""Establishments, replications, and trials of Appendix H; ``state`` has those of Section 8.2."""

ERROR = 1e-9
"""Each interval of a mean holds but with this probability, by Student's law for normal replications."""

BOTH = ("psi", "pnc")


def evaluate(request: Request) -> Evaluation:
    """Raises ParameterError for data that cannot be read, CertificateError as a release does."""
    establishments, replications, trials = SIZES[request.size]
    replications = request.trials or replications
    data = (
        rebuilt(request.data, request.seed)
        if request.data
        else made_up(establishments, request.seed)
    )
    tick = request.start("answers and fits", replications)
    found = run(data, seed=request.seed, replications=replications, progress=tick)
    tick = request.start("Appendix H", estimated_variances.steps(trials))
    ablation = estimated_variances.run(seed=request.seed, trials=trials, progress=tick)
    source = request.data[0].name if request.data else "made up in the shape of Rhode Island"
    totals = ", ".join(f"{name} {int(v.sum()):,}" for name, v in data.measures.items())
    about = [
        f"{source}: {len(data):,} establishments; {totals}",
        f"seed {request.seed}, {replications} replications; Appendix H: {trials:,} trials",
        "ψ = √, γ = 1/2 for employment and 50 for wages, in dollars and in thousands, as the paper does not "
        "print the unit; budgets of Section 8.2, ζ = 1/100; three measures instead of four",
        "mechanisms as released, with seeded draws; Appendix H with numpy's generator, never for a release",
        f"intervals of means: Student's, for normal errors, each wrong with probability {ERROR:g}",
    ]
    return Evaluation(
        about,
        {
            "results": found.levels,
            "sizes": found.sizes,
            "coverage": found.coverage,
            "groups": found.groups,
            "appendix-h": ablation,
        },
        [*_tables(found), _ablation(ablation)],
        lambda folder: list(_figures(found, folder)),
        findings(found, ablation),
    )


def _of(rows: Sequence[LevelRow], measure: str, strategy: str, level: str) -> LevelRow:
    (row,) = (r for r in rows if (r.measure, r.strategy, r.level) == (measure, strategy, level))
    return row


def _tables(found: Run) -> Iterator[Table]:
    header = (
        "level",
        "groups",
        *(f"{s}: {n}" for s in BOTH for n in ("bias ± se", "|error|", "rel.")),
    )
    for measure in MEASURES:
        lines = []
        for level in LEVELS:
            both = [_of(found.levels, measure, s, level) for s in BOTH]
            cells = [
                text
                for r in both
                for text in (
                    f"{r.mean:,.1f} ± {r.se:,.1f}",
                    f"{r.absolute:,.1f}",
                    f"{r.relative:.4f}",
                )
            ]
            lines.append((level, str(both[0].groups), *cells))
        yield Table(f"{measure}: signed mean, median size and median relative error", header, lines)
    lines = [
        (
            s,
            *(
                f"{r.mean:,.1f} ± {r.se:,.1f}"
                for m in MEASURES[:2]
                for r in [_of(found.levels, m, s, "state")]
            ),
        )
        for s in STRATEGIES
    ]
    yield Table(
        "mean error of the state total, by what is known of variances",
        ("strategy", *MEASURES[:2]),
        lines,
    )
    yield _coverage(found.coverage)
    yield _by_size(found.sizes)


def _coverage(rows: Sequence[CoverageRow]) -> Table:
    queries = list(dict.fromkeys(r.query for r in rows))
    lines = []
    for measure in MEASURES:
        for mechanism in BOTH:
            of = {r.query: r for r in rows if (r.measure, r.mechanism) == (measure, mechanism)}
            lines.append((f"{measure}, {mechanism}", *(f"{of[q].covered:.3f}" for q in queries)))
    return Table(
        "share of 95% intervals of direct answers that hold the true sum", ("", *queries), lines
    )


def _by_size(rows: Sequence[SizeRow]) -> Table:
    level = "county × NAICS-5"
    lines = []
    for strategy in BOTH:
        for r in rows:
            if (r.measure, r.strategy, r.level) == ("employment", strategy, level):
                lines.append(
                    (
                        f"{strategy}, from {r.least:,} jobs",
                        str(r.groups),
                        f"{r.mean:.2f}",
                        f"{r.relative:.4f}",
                        f"{r.within_3_percent:.3f}",
                    )
                )
    header = ("employment by size of the group", "groups", "bias", "relative", "within 3%")
    return Table(f"employment, {level}", header, lines)


def _ablation(rows: Sequence[estimated_variances.AblationRow]) -> Table:
    lines = [
        (
            f"{r.setting}, {r.psi}, {r.strategy}",
            r.query,
            f"{r.mean_squared_error:,.2f} ± {r.se:,.2f}",
            f"{r.printed:,.1f}",
            f"{r.bias:.3f} ± {r.bias_se:.3f}",
        )
        for r in rows
    ]
    header = (
        "setting, ψ, variances",
        "query",
        "mean squared error ± se",
        "Table 11",
        "mean error ± se",
    )
    return Table("Appendix H", header, lines)


def _mean(row: LevelRow, relation: str, limit: float) -> Comparison:
    name = f"{row.measure}, {row.strategy}, {row.level}: mean error"
    reach = _student(row.replications) * row.se
    return Comparison(name, row.mean, row.mean - reach, row.mean + reach, relation, limit)


def _student(replications: int) -> float:
    """How many standard errors an interval reaches; infinite for one replication."""
    return float(scipy.stats.t.isf(ERROR / 2, replications - 1)) if replications > 1 else inf


def _paired(name: str, gains: Floats, relation: str) -> Comparison:
    """The mean over replications of one number each, against 0."""
    value, n = float(gains.mean()), gains.size
    reach = _student(n) * float(gains.std(ddof=1)) / sqrt(n) if n > 1 else inf
    return Comparison(name, value, value - reach, value + reach, relation, 0.0)


def _difference(found: Run, measure: str, level: str) -> Comparison:
    """The mean size of pnc's error less that of ψ's, over the level's groups."""
    psi, pnc = (np.abs(found.errors[measure, s, level]).mean(axis=1) for s in BOTH)
    name = f"{measure}, {level}: mean size of pnc's error less that of ψ's"
    return _paired(name, pnc - psi, "<=")


def _shift(found: Run, measure: str) -> Comparison:
    """How much exact variances of the query by establishment raise the state's total under pnc."""
    before, after = (found.errors[measure, s, "state"][:, 0] for s in ("pnc", "pnc, exact"))
    name = f"{measure}: the state's total with exact variances less that without"
    return _paired(name, after - before, ">=")


def findings(found: Run, ablation: Sequence[estimated_variances.AblationRow]) -> list[Finding]:
    """What the run says of sentences of Sections 8 and of Appendix H."""
    levels = found.levels
    total = {(r.setting, r.psi, r.strategy): r for r in ablation if r.query == "Total"}
    large = [
        r
        for r in found.sizes
        if r.measure == "employment" and r.strategy == "pnc" and r.least >= 1_000
    ]
    return [
        Finding(
            "bias-of-psi",
            "Section 8.1",
            "Microdata from the √-mechanism have a downward bias",
            "mean error of the state's employment and wages below 0",
            tuple(_mean(_of(levels, m, "psi", "state"), "<=", 0.0) for m in MEASURES[:2]),
        ),
        Finding(
            "pnc-is-more-accurate",
            "Sections 8.1 and 8.2",
            "The pnc-mechanism is more accurate than the √-mechanism",
            "mean size of the error at every level, employment and wages in dollars",
            tuple(_difference(found, m, level) for m in MEASURES[:2] for level in LEVELS),
        ),
        Finding(
            "pnc-with-wages-in-thousands",
            "Section 8.2",
            "The pnc-mechanism is more accurate than the √-mechanism",
            "the same with γ = 50 for wages in thousands of dollars",
            tuple(_difference(found, MEASURES[2], level) for level in LEVELS),
        ),
        Finding(
            "three-percent",
            "Section 8.1, Figure 1",
            "Only the smallest groups have values further than 3% from the truth",
            "employment, pnc: all groups of 1,000 jobs or more are within 3% (as observed, no interval)",
            tuple(
                Comparison(
                    f"{r.level}, from {r.least:,} jobs: share within 3%",
                    r.within_3_percent,
                    r.within_3_percent,
                    r.within_3_percent,
                    ">=",
                    1.0,
                )
                for r in large
            ),
        ),
        Finding(
            "remaining-bias",
            "Section 8.1",
            "Some bias is left with pnc because the ψ-mechanism answers the query by establishment",
            "mean error of the state's employment below 0",
            (_mean(_of(levels, "employment", "pnc", "state"), "<=", 0.0),),
        ),
        Finding(
            "remaining-bias-exact",
            "ours",
            "Exact variances of the query by establishment raise what pnc estimates too low",
            "difference of the state's totals, employment and wages in dollars",
            tuple(_shift(found, m) for m in MEASURES[:2]),
        ),
        Finding(
            "total-degrades",
            "Appendix H",
            "Estimated variances degrade the total: Est errs more than Hybrid, and Hybrid more than Act",
            "mean squared errors of the total, both ψ, both settings",
            tuple(
                _ratio(total[s.name, s.psi, one], total[s.name, s.psi, other])
                for s in estimated_variances.SETTINGS
                for one, other in (("Act", "Hybrid"), ("Hybrid", "Est"))
            ),
        ),
    ]


def _ratio(
    one: estimated_variances.AblationRow, other: estimated_variances.AblationRow
) -> Comparison:
    value = one.mean_squared_error - other.mean_squared_error
    reach = _student(one.trials) * hypot(one.se, other.se)
    name = f"{one.setting}, ψ = {one.psi}: mean squared error of {one.strategy} less that of {other.strategy}"
    return Comparison(name, value, value - reach, value + reach, "<=", 0.0)


def _figures(found: Run, folder: Path) -> Iterator[Path]:
    from establish.proofs_check.experiments.figures import Boxes, Scatter, draw_boxes, draw_scatter

    shown = [g for g in found.groups if g.strategy in BOTH]
    points = [
        {
            "level": g.level,
            "mechanism": g.strategy,
            "measure": g.measure,
            "true": g.true,
            "estimate": g.estimate,
            "absolute": g.absolute,
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
