"""Sentences of Section 8 and Appendix B of Webb et al. 2025 as comparisons of the experiment's numbers.

The sentences are paraphrased; where they name no number the reading says which we take. The paper does not
print the unit of wages, so that a sentence on wages is compared twice: in dollars and in thousands.
"""

from collections.abc import Sequence
from itertools import product
from math import inf, sqrt

import numpy as np
from scipy.special import stdtrit

from establish.impl.arrays import Floats
from establish.proofs_check.engine.statements.experiments import Measured
from establish.proofs_check.experiments.findings import Finding, Sentence
from establish.proofs_check.experiments.webb2025.establishment_data import MEASURES
from establish.proofs_check.experiments.webb2025.fitted_microdata_compared import ReplicationRow

EMPLOYMENT, DOLLARS, THOUSANDS = MEASURES

ERROR = 1e-9
"""All intervals of a run together are wrong with this probability, by Student's law for replications."""

_INTERVALS = 100
"""More than the comparisons of a run; each has its share of ERROR."""

NEAR = 0.03
"""What is near 0: at most this share of a group's mean true sum, the 3% of the paper's bands. The paper
does not say how near; this was chosen after the numbers were seen."""

BOTH = ("psi", "pnc")

SENTENCES = {
    "bias-of-psi": Sentence(
        "Section 8.1",
        "Microdata from the √-mechanism are biased downward",
        "mean signed error of the state's employment below 0",
    ),
    "less-bias": Sentence(
        "Section 8.1, Table 3",
        "Employment from pnc has less bias than that from the √-mechanism",
        "mean signed error of the state's employment is higher with pnc, and that of √ below 0",
    ),
    "more-accurate": Sentence(
        "Section 8.1, Table 3",
        "Employment from pnc is more accurate than that from the √-mechanism",
        "mean size of the error of state, sectors and NAICS-5 is smaller with pnc",
    ),
    "remaining-bias": Sentence(
        "Section 8.1",
        "Some bias is left with pnc because the ψ-mechanism answers the query by establishment",
        "mean signed error of the state's employment with pnc below 0",
    ),
    "figure-3-employment": Sentence(
        "Section 8.2, Figure 3",
        "pnc significantly outperforms √ on the state's employment",
        "at most half the mean size of the error",
    ),
    "figure-3-wages": Sentence(
        "Section 8.2, Figure 3",
        "pnc significantly outperforms √ on the state's wages",
        "at most half the mean size of the error, wages in dollars",
    ),
    "figure-3-wages-thousands": Sentence(
        "Section 8.2, Figure 3",
        "pnc significantly outperforms √ on the state's wages",
        "at most half the mean size of the error, wages in thousands of dollars",
    ),
    "figure-2-county-employment": Sentence(
        "Section 8.2, Figure 2",
        "By county, pnc still performs better than √ on employment",
        "smaller mean size of the error",
    ),
    "figure-2-county-wages": Sentence(
        "Section 8.2, Figure 2",
        "By county, pnc performs better on the wages of Rhode Island, and √ slightly better on New Jersey's",
        "mean size of the error, wages in dollars",
    ),
    "figure-2-county-wages-thousands": Sentence(
        "Section 8.2, Figure 2",
        "By county, pnc performs better on the wages of Rhode Island, and √ slightly better on New Jersey's",
        "mean size of the error, wages in thousands of dollars",
    ),
    "figure-2-industry-employment": Sentence(
        "Section 8.2, Figure 2",
        "By NAICS-3 and by NAICS-5, pnc outperforms √ on employment",
        "smaller mean size of the error at both levels",
    ),
    "figure-2-industry-wages": Sentence(
        "Section 8.2, Figure 2",
        "By NAICS-3 and by NAICS-5, √ clearly outperforms pnc on wages",
        "smaller mean size of the error at both levels, wages in dollars",
    ),
    "figure-2-industry-wages-thousands": Sentence(
        "Section 8.2, Figure 2",
        "By NAICS-3 and by NAICS-5, √ clearly outperforms pnc on wages",
        "smaller mean size of the error at both levels, wages in thousands of dollars",
    ),
    "figure-6-near-zero": Sentence(
        "Appendix B, Figure 6",
        "By county and NAICS-3, the median and the quartiles of signed differences are near 0",
        f"employment, both mechanisms: at most {NEAR:g} of a group's mean employment away from 0, which is "
        "our reading, chosen after the numbers were seen",
    ),
    "figure-6-downward": Sentence(
        "Appendix B, Figure 6",
        "Differences by NAICS-3, and by county and NAICS-3, are biased downward",
        "employment, both mechanisms: mean signed difference below 0 at both levels",
    ),
    "figure-6-outliers": Sentence(
        "Appendix B, Figure 6",
        "Outliers of the differences are caused by small groups",
        "employment, both mechanisms, both levels: at least half of the groups beyond 1.5 times the distance "
        "of the quartiles have less employment than the median group",
    ),
    "ours-remaining-bias-exact": Sentence(
        "ours",
        "Exact variances of the query by establishment raise the state's total that pnc estimates too low",
        "difference of the state's totals, employment and wages in dollars",
    ),
}
"""What the paper says, in our words, and what it is read as where it names no number."""


def student(name: str, numbers: Floats, relation: str, limit: float = 0.0) -> Measured:
    """The mean of one number a replication against a limit.

    The interval is infinite for a single number, and for equal ones, which tell nothing of their spread.
    """
    value, n = float(numbers.mean()), numbers.size
    spread = float(numbers.std(ddof=1)) if n > 1 else 0.0
    quantile = -float(stdtrit(n - 1, ERROR / _INTERVALS / 2)) if n > 1 else inf
    reach = quantile * spread / sqrt(n) if spread > 0 else inf
    return Measured(name, value, value - reach, value + reach, relation, limit)


class Rows:
    """The replications of a run, looked up by column."""

    def __init__(self, rows: Sequence[ReplicationRow]) -> None:
        self.groups: dict[tuple[str, str, str], list[ReplicationRow]] = {}
        for row in rows:
            self.groups.setdefault((row.measure, row.strategy, row.level), []).append(row)

    def of(self, measure: str, strategy: str, level: str, column: str) -> Floats:
        """One number a replication."""
        return np.array([getattr(row, column) for row in self.groups[measure, strategy, level]])

    def bias(self, measure: str, strategy: str, level: str) -> Measured:
        """The mean signed error of a group, below 0."""
        numbers = self.of(measure, strategy, level, "mean")
        return student(f"{measure}, {strategy}, {level}: mean signed error", numbers, "<=")

    def against(self, measure: str, level: str, relation: str, factor: int = 1) -> Measured:
        """``factor`` times the mean size of pnc's error less that of ψ's, against 0."""
        psi, pnc = (self.of(measure, strategy, level, "absolute") for strategy in BOTH)
        times = f"{factor} times " if factor > 1 else ""
        name = f"{measure}, {level}: {times}the mean size of pnc's error less that of ψ's"
        return student(name, factor * pnc - psi, relation)

    def raised(self, measure: str, before: str, after: str) -> Measured:
        """How much higher the state's total is with one strategy than with another."""
        first, second = (self.of(measure, s, "state", "mean") for s in (before, after))
        name = f"{measure}, state: total with {after}, less that with {before}"
        return student(name, second - first, ">=")

    def near_zero(self, strategy: str, level: str) -> list[Measured]:
        """The quartiles of signed errors of employment, relative to a group's mean employment."""
        found = []
        for column in ("first", "median", "third"):
            numbers = self.of(EMPLOYMENT, strategy, level, column)
            share = numbers / self.of(EMPLOYMENT, strategy, level, "true")
            quartile = column if column == "median" else f"{column} quartile"
            name = f"{EMPLOYMENT}, {strategy}, {level}: {quartile} of differences, relative"
            found.append(student(name, share, "<=", NEAR))
            found.append(student(name, share, ">=", -NEAR))
        return found

    def small_outliers(self, strategy: str, level: str) -> list[Measured]:
        """The share of outliers that are small groups; none where a replication has no outlier."""
        outliers, small = (
            self.of(EMPLOYMENT, strategy, level, column) for column in ("outliers", "small_outliers")
        )
        if not outliers.all():
            return []
        name = f"{EMPLOYMENT}, {strategy}, {level}: share of small groups among outliers"
        return [student(name, small / outliers, ">=", 0.5)]


COUNTY_WAGES = {"rhode-island": "<=", "new-jersey": ">="}
"""Whether pnc's error less that of ψ's is below or above 0, by state."""


def findings(rows: Sequence[ReplicationRow], state: str = "rhode-island") -> list[Finding]:
    """What the run says of each sentence. state: of whose wages by county the paper speaks."""
    r, county = Rows(rows), COUNTY_WAGES[state]
    industries, fine = ("NAICS-3", "NAICS-5"), ("NAICS-3", "county × NAICS-3")
    of_wages = {"": DOLLARS, "-thousands": THOUSANDS}
    found: dict[str, list[Measured]] = {
        "bias-of-psi": [r.bias(EMPLOYMENT, "psi", "state")],
        "less-bias": [r.raised(EMPLOYMENT, *BOTH), r.bias(EMPLOYMENT, "psi", "state")],
        "more-accurate": [r.against(EMPLOYMENT, level, "<=") for level in ("state", "sector", "NAICS-5")],
        "remaining-bias": [r.bias(EMPLOYMENT, "pnc", "state")],
        "figure-3-employment": [r.against(EMPLOYMENT, "state", "<=", 2)],
        "figure-2-county-employment": [r.against(EMPLOYMENT, "county", "<=")],
        "figure-2-industry-employment": [r.against(EMPLOYMENT, i, "<=") for i in industries],
        "figure-6-near-zero": [c for s in BOTH for c in r.near_zero(s, fine[1])],
        "figure-6-downward": [r.bias(EMPLOYMENT, s, level) for s, level in product(BOTH, fine)],
        "figure-6-outliers": [c for s, level in product(BOTH, fine) for c in r.small_outliers(s, level)],
        "ours-remaining-bias-exact": [
            r.raised(measure, "pnc", "pnc, exact") for measure in (EMPLOYMENT, DOLLARS)
        ],
    }
    for ending, measure in of_wages.items():
        found[f"figure-3-wages{ending}"] = [r.against(measure, "state", "<=", 2)]
        found[f"figure-2-county-wages{ending}"] = [r.against(measure, "county", county)]
        found[f"figure-2-industry-wages{ending}"] = [r.against(measure, i, ">=") for i in industries]
    return [Finding(key, *SENTENCES[key], tuple(found[key])) for key in SENTENCES]
