"""``establish evaluate webb2025``: which data, which tables, which figures."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import hypot, inf

import scipy

from establish.proofs_check.engine.statements.experiments import Measured
from establish.proofs_check.experiments.evaluation import Evaluation, Request, Table
from establish.proofs_check.experiments.findings import Finding, exactly
from establish.proofs_check.experiments.webb2025 import estimated_variances
from establish.proofs_check.experiments.webb2025.establishment_data import MEASURES, STATES, made_up, rebuilt
from establish.proofs_check.experiments.webb2025.figures import figures
from establish.proofs_check.experiments.webb2025.findings import BOTH, ERROR, findings
from establish.proofs_check.experiments.webb2025.fitted_microdata_compared import (
    LEVELS,
    SCALES,
    STRATEGIES,
    CoverageRow,
    LevelRow,
    Run,
    SizeRow,
    by_budget,
    run,
)


@dataclass(frozen=True)
class Size:
    """How much is run. trials: of Appendix H. budgets: replications of Figure 9 for each scale."""

    state: str
    establishments: int
    replications: int
    trials: int
    budgets: int


SIZES = {
    "small": Size("rhode-island", 2_000, 6, 200, 2),
    "state": Size("rhode-island", STATES["rhode-island"].establishments, 34, 20_000, 3),
    "new-jersey": Size("new-jersey", STATES["new-jersey"].establishments, 34, 20_000, 1),
}
"""``state`` and ``new-jersey`` are those of Section 8.2, with its 34 replications."""


def evaluate(request: Request) -> Evaluation:
    """Raises ParameterError for data that cannot be read, CertificateError as a release does."""
    size = SIZES[request.size]
    state, replications = STATES[size.state], request.trials or size.replications
    data = (
        rebuilt(request.data, request.seed)
        if request.data
        else made_up(state, size.establishments, request.seed)
    )
    tick = request.start("answers and fits", replications)
    found = run(data, seed=request.seed, replications=replications, progress=tick)
    repeated = min(size.budgets, replications)
    tick = request.start("budgets of Figure 9", repeated * len(SCALES))
    budgets = by_budget(data, seed=request.seed, replications=repeated, progress=tick)
    trials = size.trials
    tick = request.start("Appendix H", estimated_variances.steps(trials))
    ablation = estimated_variances.run(seed=request.seed, trials=trials, progress=tick)
    source = request.data[0].name if request.data else f"made up in the shape of {state.name}"
    totals = ", ".join(f"{name} {int(v.sum()):,}" for name, v in data.measures.items())
    about = [
        f"{source}: {len(data):,} establishments; {totals}",
        f"seed {request.seed}, {replications} replications; Figure 9: {repeated} for each of "
        f"{len(SCALES)} scales of the budgets; Appendix H: {trials:,} trials",
        "ψ = √, γ = 1/2 for employment and 50 for wages, in dollars and in thousands, as the paper does not "
        "print the unit; budgets of Section 8.2, ζ = 1/100; three measures instead of four",
        "mechanisms as released, with seeded draws; Appendix H with numpy's generator, never for a release",
        f"intervals of means: Student's, for normal replications, together wrong with probability {ERROR:g}",
    ]
    return Evaluation(
        about,
        {
            "results": found.levels,
            "replications": found.replications,
            "budgets": budgets,
            "sizes": found.sizes,
            "coverage": found.coverage,
            "groups": found.groups,
            "appendix-h": ablation,
        },
        [*_tables(found), _ablation(ablation)],
        lambda folder: list(figures(found, budgets, folder)),
        findings(found.replications, size.state) + observed(found, ablation),
    )


def _of(rows: Sequence[LevelRow], measure: str, strategy: str, level: str) -> LevelRow:
    (row,) = (r for r in rows if (r.measure, r.strategy, r.level) == (measure, strategy, level))
    return row


def _tables(found: Run) -> Iterator[Table]:
    header = ("level", "groups", *(f"{s}: {n}" for s in BOTH for n in ("bias ± se", "|error|", "rel.")))
    for measure in MEASURES:
        lines = []
        for level in LEVELS:
            both = [_of(found.levels, measure, s, level) for s in BOTH]
            cells = [
                text
                for r in both
                for text in (f"{r.mean:,.1f} ± {r.se:,.1f}", f"{r.absolute:,.1f}", f"{r.relative:.4f}")
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
        "mean error of the state total, by what is known of variances", ("strategy", *MEASURES[:2]), lines
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
    return Table("share of 95% intervals of direct answers that hold the true sum", ("", *queries), lines)


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
    header = ("setting, ψ, variances", "query", "mean squared error ± se", "Table 11", "mean error ± se")
    return Table("Appendix H", header, lines)


def observed(found: Run, ablation: Sequence[estimated_variances.AblationRow]) -> list[Finding]:
    """What the run says of sentences that need more than its replications."""
    large = [r for r in found.sizes if r.measure == "employment" and r.strategy == "pnc" and r.least >= 1_000]
    total = {(r.setting, r.psi, r.strategy): r for r in ablation if r.query == "Total"}
    return [
        Finding(
            "three-percent",
            "Section 8.1, Figure 1",
            "Only the smallest groups have values further than 3% from the truth",
            "employment, pnc: all groups of 1,000 jobs or more are within 3% (as observed, no interval)",
            tuple(
                exactly(f"{r.level}, from {r.least:,} jobs: share within 3%", r.within_3_percent, ">=", 1.0)
                for r in large
            ),
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


def _ratio(one: estimated_variances.AblationRow, other: estimated_variances.AblationRow) -> Measured:
    value = one.mean_squared_error - other.mean_squared_error
    quantile = float(scipy.stats.t.isf(ERROR / 2, one.trials - 1)) if one.trials > 1 else inf
    reach = quantile * hypot(one.se, other.se)
    name = f"{one.setting}, ψ = {one.psi}: mean squared error of {one.strategy} less that of {other.strategy}"
    return Measured(name, value, value - reach, value + reach, "<=", 0.0)
