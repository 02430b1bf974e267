"""Section 8 and Appendix C of Webb et al. 2025: errors of microdata fitted to noisy answers, ψ against pnc.

The mechanisms are those that release, with seeded draws. Five queries (Table 7) are answered by the
ψ-mechanism, or all but the one by establishment by pnc; microdata are fitted to the answers and added up by
level. "Exact" variances are those at the true sums, which no release may use: they show what estimated
ones cost.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.budget.queries import SumQuery
from establish.impl.microdata.establishments import Establishments
from establish.impl.microdata.least_squares import Answered, least_squares
from establish.impl.microdata.psi_mechanism import PsiMechanism
from establish.impl.publish.establishment_answers import Answers, answer
from establish.impl.sampling.bits import Bits
from establish.proofs_check.experiments.confidence import of_bounded_sums
from establish.proofs_check.experiments.webb2025.establishment_data import MEASURES
from establish.spec.composition import Attribute, Gedp

GAMMAS = {"employment": "1/2", "wages": "50", "wages in thousands": "50"}
"""γ for ψ = √: the paper prints 50 for wages and not their unit, so that both are tried."""

DEFINITION = Gedp.of(Attribute.of(name, "sqrt", GAMMAS[name]) for name in MEASURES)

QUERIES = (
    ("establishment", ("id",), "0.611"),
    ("state", (), "0.179"),
    ("NAICS-5", ("naics[:5]",), "0.525"),
    ("county", ("county",), "0.525"),
    ("county × NAICS-5", ("county", "naics[:5]"), "0.611"),
)
"""Section 8.2: name, grouping, and μ of each of four measures; the overall μ is 2.31."""

ZETA = Fraction(1, 100)

LEVELS: dict[str, tuple[str, ...]] = {
    "state": (),
    "sector": ("sector(naics)",),
    "NAICS-3": ("naics[:3]",),
    "NAICS-5": ("naics[:5]",),
    "county": ("county",),
    "county × sector": ("county", "sector(naics)"),
    "county × NAICS-3": ("county", "naics[:3]"),
    "county × NAICS-5": ("county", "naics[:5]"),
}
"""At which errors are looked at; sectors and NAICS-3, by county or not, are not asked about."""

STRATEGIES = ("psi", "psi, exact but identity", "psi, exact", "pnc", "pnc, exact")
"""Which mechanism, and whose variances are exact: none but pnc's own, all but those of the query by
establishment (the hybrid of Appendix H), or all.
"""

COMPARED = ("psi", "pnc", "pnc, exact")
"""The strategies whose single replications are kept, and which findings compare."""

SCALES = tuple(map(Fraction, ("1/8", "1/4", "1/2", "1", "2", "4")))
"""Factors of all budgets for Figure 9."""

CLASSES = (0, 10, 100, 1_000, 10_000)
"""Sizes of true sums begin here; of wages, in thousands of dollars and dollars, as they are."""

ERROR = 1e-9


@dataclass(frozen=True)
class LevelRow:
    """Errors of one strategy at one level: quartiles and mean of signed ones, medians of sizes.

    se: the standard error of the mean over replications. relative: the median of |error|/(true + 1).
    """

    measure: str
    strategy: str
    level: str
    groups: int
    first: float
    median: float
    mean: float
    third: float
    se: float
    absolute: float
    relative: float
    replications: int


@dataclass(frozen=True)
class ReplicationRow:
    """One replication of one strategy at one level: signed errors of the groups, their mean size, outliers.

    true: the mean true sum of a group. outliers: groups beyond 1.5 times the distance of the quartiles, and
    small_outliers those of them whose true sum is below the median group's.
    """

    measure: str
    strategy: str
    level: str
    replication: int
    true: float
    first: float
    median: float
    mean: float
    third: float
    absolute: float
    outliers: int
    small_outliers: int


@dataclass(frozen=True)
class BudgetRow:
    """Median relative errors with all budgets scaled, averaged over replications. mu: the overall budget."""

    measure: str
    mechanism: str
    level: str
    mu: float
    relative: float
    se: float
    replications: int


@dataclass(frozen=True)
class SizeRow:
    """The same for the groups of a level whose true sum lies from ``least`` to the next class."""

    measure: str
    strategy: str
    level: str
    least: int
    groups: int
    mean: float
    relative: float
    within_3_percent: float


@dataclass(frozen=True)
class CoverageRow:
    """How often 95% intervals of direct answers hold the true sums, with limits for the expectation."""

    measure: str
    mechanism: str
    query: str
    intervals: int
    covered: float
    low: float
    high: float


@dataclass(frozen=True)
class GroupRow:
    """One group: its true sum, the first replication's estimate, and the mean size of the error."""

    measure: str
    strategy: str
    level: str
    true: float
    estimate: float
    absolute: float


@dataclass(frozen=True, eq=False)
class Run:
    """The rows of each file, and errors by measure, strategy and level, replications by groups."""

    levels: list[LevelRow]
    replications: list[ReplicationRow]
    sizes: list[SizeRow]
    coverage: list[CoverageRow]
    groups: list[GroupRow]
    errors: dict[tuple[str, str, str], Floats]


def queries(mechanism: str, scale: Fraction = Fraction(1)) -> list[SumQuery]:
    """By establishment with the ψ-mechanism, the others with ``mechanism``; budgets times ``scale`` > 0."""
    found = []
    for name, by, mu in QUERIES:
        kind = "psi" if by == ("id",) else mechanism
        budgets = dict.fromkeys(MEASURES, scale * Fraction(mu))
        found.append(SumQuery(name, by, kind, budgets, by == ("id",), ZETA if kind == "pnc" else None))
    return found


def run(
    data: Establishments, *, seed: int, replications: int, progress: Callable[[], None] = lambda: None
) -> Run:
    """The same for the same data, seed and replications ≥ 1. Raises CertificateError as a release does."""
    formed = {level: data.groups(by) for level, by in LEVELS.items()}
    true = {
        (m, level): groups.summed(data.measures[m].astype(np.float64))
        for m in MEASURES
        for level, groups in formed.items()
    }
    errors: dict[tuple[str, str, str], list[Floats]] = {}
    hits: dict[tuple[str, str, str], list[Floats]] = {}
    for replication in range(replications):
        for mechanism in ("psi", "pnc"):
            bits = Bits.seeded(seed * 1_000_003 + 2 * replication + (mechanism == "pnc"))
            answers = answer(data, queries(mechanism), DEFINITION, bits)
            for one in answers:
                hits.setdefault((one.measure, mechanism, one.query.name), []).append(covered(one, data))
            for strategy, exact in _strategies(mechanism):
                for m in MEASURES:
                    own = [a for a in answers if a.measure == m]
                    cells = least_squares([answered(a, data, exact(a)) for a in own])
                    for level, groups in formed.items():
                        wrong = groups.summed(cells) - true[m, level]
                        errors.setdefault((m, strategy, level), []).append(wrong)
        progress()
    found = {key: np.array(several) for key, several in errors.items()}
    return Run(
        [_level(key, e, true[key[0], key[2]]) for key, e in found.items()],
        [
            row
            for key, e in found.items()
            if key[1] in COMPARED
            for row in _replications(key, e, true[key[0], key[2]])
        ],
        [row for key, e in found.items() for row in _sizes(key, e, true[key[0], key[2]])],
        [_coverage(key, np.concatenate(several)) for key, several in hits.items()],
        [row for key, e in found.items() for row in _groups(key, e, true[key[0], key[2]])],
        found,
    )


def overall(scale: Fraction) -> float:
    """μ of all answers to four measures, as the paper counts them: √(4·Σ μ²) times ``scale``."""
    return float(scale) * sqrt(4 * sum(Fraction(mu) ** 2 for _, _, mu in QUERIES))


def by_budget(
    data: Establishments, *, seed: int, replications: int, progress: Callable[[], None] = lambda: None
) -> list[BudgetRow]:
    """Relative errors of both workflows with the budgets of Table 7 times SCALES (Figure 9)."""
    formed = {level: data.groups(by) for level, by in LEVELS.items()}
    rows = []
    for number, scale in enumerate(SCALES):
        relative: dict[tuple[str, str, str], list[float]] = {}
        for replication in range(replications):
            for mechanism in ("psi", "pnc"):
                place = 2 * (number * replications + replication) + (mechanism == "pnc")
                bits = Bits.seeded((seed + 1) * 2_000_003 + place)
                answers = answer(data, queries(mechanism, scale), DEFINITION, bits)
                for m in MEASURES:
                    own = [answered(a, data, False) for a in answers if a.measure == m]
                    cells = least_squares(own)
                    values = data.measures[m].astype(np.float64)
                    for level, groups in formed.items():
                        true = groups.summed(values)
                        size = np.abs(groups.summed(cells) - true) / (true + 1)
                        relative.setdefault((m, mechanism, level), []).append(float(np.median(size)))
            progress()
        for key, several in relative.items():
            se = float(np.std(several, ddof=1) / sqrt(len(several))) if replications > 1 else np.nan
            rows.append(BudgetRow(*key, overall(scale), float(np.mean(several)), se, replications))
    return rows


def _strategies(mechanism: str) -> Iterator[tuple[str, Callable[[Answers], bool]]]:
    """The strategies on the answers of a mechanism, and which answers get exact variances."""
    yield mechanism, lambda a: False
    if mechanism == "psi":
        yield "psi, exact but identity", lambda a: not a.query.identity
    yield f"{mechanism}, exact", lambda a: True


def answered(one: Answers, data: Establishments, exact: bool) -> Answered:
    """Estimates with their variances; ``exact``: those of the ψ-mechanism at the true sums."""
    estimates = one.estimates()
    variances = estimates.variances
    if exact and isinstance(one.mechanism, PsiMechanism):
        true = one.formed.summed(data.measures[one.measure].astype(np.float64))
        variances = variance_at(one.mechanism, true)
    return Answered(one.formed, estimates.values, variances)


def variance_at(mechanism: PsiMechanism, true: Floats) -> Floats:
    """The variance of the estimate for ψ = √: what is estimated where the estimate is the true sum."""
    return mechanism.psi.variance(np.sqrt(true + mechanism.sd**2), mechanism.sd)


def covered(one: Answers, data: Establishments) -> Floats:
    """1 where the interval of a group holds its true sum, else 0."""
    estimates = one.estimates()
    true = one.formed.summed(data.measures[one.measure].astype(np.float64))
    return ((estimates.low <= true) & (true <= estimates.high)).astype(np.float64)


def _level(key: tuple[str, str, str], errors: Floats, true: Floats) -> LevelRow:
    by_replication = errors.mean(axis=1)
    several = by_replication.size > 1
    se = float(by_replication.std(ddof=1) / np.sqrt(by_replication.size)) if several else np.nan
    first, median, third = (float(q) for q in np.quantile(errors, (0.25, 0.5, 0.75)))
    return LevelRow(
        *key,
        true.size,
        first,
        median,
        float(errors.mean()),
        third,
        se,
        float(np.median(np.abs(errors))),
        float(np.median(np.abs(errors) / (true + 1))),
        by_replication.size,
    )


def _replications(key: tuple[str, str, str], errors: Floats, true: Floats) -> Iterator[ReplicationRow]:
    average, middle = float(true.mean()), float(np.median(true))
    for number, own in enumerate(errors):
        first, median, third = (float(q) for q in np.quantile(own, (0.25, 0.5, 0.75)))
        reach = 1.5 * (third - first)
        outside = (own < first - reach) | (own > third + reach)
        yield ReplicationRow(
            *key,
            number,
            average,
            first,
            median,
            float(own.mean()),
            third,
            float(np.abs(own).mean()),
            int(outside.sum()),
            int((outside & (true < middle)).sum()),
        )


def _sizes(key: tuple[str, str, str], errors: Floats, true: Floats) -> Iterator[SizeRow]:
    of = np.digitize(true, CLASSES[1:])
    for number, least in enumerate(CLASSES):
        inside = of == number
        if inside.any():
            part = errors[:, inside]
            relative = np.abs(part) / (true[inside] + 1)
            close = np.abs(part) <= 0.03 * true[inside]
            yield SizeRow(
                *key,
                least,
                int(inside.sum()),
                float(part.mean()),
                float(np.median(relative)),
                float(close.mean()),
            )


def _coverage(key: tuple[str, str, str], hits: Floats) -> CoverageRow:
    share = float(hits.mean())
    margin = of_bounded_sums(np.ones(1), hits.size, ERROR)
    return CoverageRow(*key, hits.size, share, max(0.0, share - margin), min(1.0, share + margin))


def _groups(key: tuple[str, str, str], errors: Floats, true: Floats) -> Iterator[GroupRow]:
    sizes = np.abs(errors).mean(axis=0)
    for x, error, size in zip(true.tolist(), errors[0].tolist(), sizes.tolist(), strict=True):
        yield GroupRow(*key, x, x + error, size)
