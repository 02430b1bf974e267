"""Findings 1 to 6 of Haney et al. 2017 as comparisons of the experiment's numbers.

The sentences are paraphrased; where they name no number the reading says which we take.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product

from establish.proofs_check.engine.statements.experiments import Measured
from establish.proofs_check.experiments.findings import Finding, Sentence, exactly
from establish.proofs_check.experiments.haney2017.grid import EPSILONS
from establish.proofs_check.experiments.haney2017.noise_infusion_compared import COMPARABLE, WORKLOADS, Row
from establish.proofs_check.experiments.job_cells import STRATA

CLOSE = 0.9
"""A rank correlation that is "close to 1"."""

NEARLY = 1.5
"""A factor within which errors are "nearly the same"."""

PRINTED = ("log-laplace", "smooth-gamma", "smooth-laplace")
"""The paper's own mechanisms."""


def _named(row: Row) -> str:
    alpha = "" if row.alpha != row.alpha else f" α = {row.alpha:g},"
    return f"{row.figure}, {row.mechanism},{alpha} ε = {row.epsilon:g}, {row.stratum}"


def against(rows: Iterable[Row], relation: str, limit: float) -> tuple[Measured, ...]:
    """Each row against one limit."""
    return tuple(Measured(_named(r), r.value, r.low, r.high, relation, limit) for r in rows)


class Rows:
    """The rows of a run, looked up."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows

    def of(
        self,
        figure: str,
        mechanisms: Iterable[str],
        alphas: Iterable[float] | None = None,
        epsilons: Iterable[float] | None = None,
        stratum: str = "all",
    ) -> list[Row]:
        """Rows with these mechanisms (by the beginning of their names), α and ε."""
        begins = tuple(mechanisms)
        return [
            row
            for row in self.rows
            if row.figure == figure
            and row.stratum == stratum
            and row.mechanism.startswith(begins)
            and (alphas is None or row.alpha in tuple(alphas))
            and (epsilons is None or row.epsilon in tuple(epsilons))
        ]

    def less(
        self, figure: str, first: str, second: str, stratum: str = "all", *, allowed: bool = False
    ) -> Iterator[tuple[Row, Measured]]:
        """Expected errors of one mechanism over those of another, against 1, on the whole grid.

        Both are in closed form, so that the interval is the number. allowed: only where the second
        promises its privacy. Beside each stands the row of the first.
        """
        others = {
            (row.alpha, row.epsilon): row
            for row in self.of(figure, [second], stratum=stratum)
            if row.allowed or not allowed
        }
        for row in self.of(figure, [first], stratum=stratum):
            other = others.get((row.alpha, row.epsilon))
            if other is not None:
                of = f"{_named(row)}: expected error over that of {second}"
                yield row, exactly(of, row.expected / other.expected, "<=", 1.0)

    def falls(self, figure: str, mechanism: str) -> Iterator[Measured]:
        """Whether the ratio at α = .1, ε = 2 falls from each stratum to the next."""
        for strata in pairwise(STRATA):
            pair = [row for s in strata for row in self.of(figure, [mechanism], [0.1], [2.0], s)]
            if len(pair) == 2:
                one, other = pair
                of = f"{_named(other)}: its ratio over that of {one.stratum}"
                low, high = other.low / one.high, other.high / one.low
                yield Measured(of, other.value / one.value, low, high, "<=", 1.0)


SENTENCES = {
    "finding-1-factor": Sentence(
        "Finding 1",
        "Workload 1: Log-Laplace and Smooth Gamma err within a factor 3 of the current system",
        "ratio of expected errors at most 3 at α = .1, ε = 2",
    ),
    "finding-1-smooth-laplace": Sentence(
        "Finding 1",
        "Workload 1: Smooth Laplace errs less than the current system",
        "ratio of expected errors at most 1 at α = .1, ε = 2",
    ),
    "finding-1-ranking-smooth-laplace": Sentence(
        "Finding 1",
        "Ranking 1: Smooth Laplace has a correlation close to 1 from ε = 2 on",
        f"mean correlation at least {CLOSE} for every α at ε = 2 and 4",
    ),
    "finding-1-ranking-others": Sentence(
        "Finding 1",
        "Ranking 1: Log-Laplace and Smooth Gamma have one close to 1 from ε = 4 on",
        f"mean correlation at least {CLOSE} for every α at ε = 4",
    ),
    "finding-1-majority": Sentence(
        "Finding 1",
        "Workload 1: relative errors are comparable to the current system's in a majority of the cells",
        "at α = .1, ε = 2 Log-Laplace and Smooth Laplace are within 10 points of it in at least half of the "
        "cells (the paper: 65% and 75%)",
    ),
    "finding-2-factor": Sentence(
        "Finding 2",
        "Workload 2: Log-Laplace errs within a factor 3 of the current system",
        "ratio of expected errors at most 3 at α = .1, ε = 2",
    ),
    "finding-2-smooth-laplace": Sentence(
        "Finding 2",
        "Workload 2: Smooth Laplace has nearly the same error as the current system",
        f"ratio of expected errors at most {NEARLY} at α = .1, ε = 2",
    ),
    "finding-2-epsilon-4": Sentence(
        "Finding 2",
        "Workload 2: at ε = 4 Smooth Laplace outperforms the current system for all α",
        "ratio of expected errors at most 1 for every α at ε = 4",
    ),
    "finding-2-ranking": Sentence(
        "Finding 2",
        "Ranking 2: of the three, only Smooth Laplace approaches 1, for ε at least 4",
        f"at α = .1, ε = 4: Smooth Laplace at least {CLOSE}, the others less",
    ),
    "finding-3-log-laplace": Sentence(
        "Finding 3",
        "Workload 3: Log-Laplace errs within a factor 10 where α ≤ .05 and ε ≥ 4",
        "ratio of expected errors at most 10 at α = .01 and .05, ε = 4",
    ),
    "finding-3-smooth-laplace": Sentence(
        "Finding 3",
        "Workload 3: Smooth Laplace errs within a factor 10 for all α at ε = 4",
        "ratio of expected errors at most 10, whether or not δ = .05 allows it",
    ),
    "finding-3-smallest-alpha": Sentence(
        "Finding 3",
        "Workload 3: at α = .01 Smooth Laplace errs within a factor 3",
        "ratio of expected errors at most 3 at ε = 4",
    ),
    "finding-4": Sentence(
        "Finding 4",
        "The error relative to the current system falls as the population grows",
        "ratio of expected errors at α = .1, ε = 2, from stratum to stratum, Workloads 1 and 2",
    ),
    "finding-5-smooth-laplace": Sentence(
        "Finding 5",
        "Smooth Laplace performs best of the three in all experiments",
        "its expected error is at most that of the others: all workloads, strata and pairs (α, ε)",
    ),
    "finding-5-low-epsilon": Sentence(
        "Finding 5",
        "Log-Laplace generally performs better than Smooth Gamma at lower ε",
        "Workload 1: less expected error at the least ε that Smooth Gamma allows, for each α",
    ),
    "finding-6-factor": Sentence(
        "Finding 6",
        "Workload 1: Truncated Laplace errs at least 10 times as much as the current system",
        "ratio of expected errors at least 10 for every θ at ε = 4",
    ),
    "finding-6-ranking": Sentence(
        "Finding 6",
        "Ranking 1: Truncated Laplace has a correlation of at most 0.7 for every θ and ε",
        "mean correlation at most 0.7",
    ),
    "finding-6-all-workloads": Sentence(
        "Finding 6",
        "Truncated Laplace costs more than the paper's techniques for all counting workloads",
        "at α = .1 and each ε, the best θ has more expected error than each of the three",
    ),
    "ours-smooth-lomax": Sentence(
        "ours",
        "Smooth Lomax, which has no δ, errs less than Smooth Laplace wherever δ = .05 allows that",
        "expected errors: all workloads, strata and pairs (α, ε)",
    ),
}
"""What each finding says, in our words, and what it is read as where it names no number."""


def findings(rows: Sequence[Row]) -> list[Finding]:
    """What the run says of each sentence."""
    found = _comparisons(Rows(rows))
    return [Finding(key, *sentence, found[key]) for key, sentence in SENTENCES.items()]


def _comparisons(r: Rows) -> dict[str, tuple[Measured, ...]]:
    truncated = ["truncated-laplace"]
    return {
        "finding-1-factor": against(r.of("workload-1", PRINTED[:2], [0.1], [2.0]), "<=", 3.0),
        "finding-1-smooth-laplace": against(r.of("workload-1", [PRINTED[2]], [0.1], [2.0]), "<=", 1.0),
        "finding-1-ranking-smooth-laplace": against(
            r.of("ranking-1", [PRINTED[2]], None, [2.0, 4.0]), ">=", CLOSE
        ),
        "finding-1-ranking-others": against(r.of("ranking-1", PRINTED[:2], None, [4.0]), ">=", CLOSE),
        "finding-1-majority": against(r.of(COMPARABLE, [PRINTED[0], PRINTED[2]], [0.1], [2.0]), ">=", 0.5),
        "finding-2-factor": against(r.of("workload-2", [PRINTED[0]], [0.1], [2.0]), "<=", 3.0),
        "finding-2-smooth-laplace": against(r.of("workload-2", [PRINTED[2]], [0.1], [2.0]), "<=", NEARLY),
        "finding-2-epsilon-4": against(r.of("workload-2", [PRINTED[2]], None, [4.0]), "<=", 1.0),
        "finding-2-ranking": against(r.of("ranking-2", [PRINTED[2]], [0.1], [4.0]), ">=", CLOSE)
        + against(r.of("ranking-2", PRINTED[:2], [0.1], [4.0]), "<=", CLOSE),
        "finding-3-log-laplace": against(r.of("workload-3", [PRINTED[0]], [0.01, 0.05], [4.0]), "<=", 10.0),
        "finding-3-smooth-laplace": against(r.of("workload-3", [PRINTED[2]], None, [4.0]), "<=", 10.0),
        "finding-3-smallest-alpha": against(r.of("workload-3", [PRINTED[2]], [0.01], [4.0]), "<=", 3.0),
        "finding-4": tuple(
            c
            for figure, name in product(("workload-1", "workload-2"), PRINTED)
            for c in r.falls(figure, name)
        ),
        "finding-5-smooth-laplace": tuple(
            c
            for figure, other, stratum in product(WORKLOADS, PRINTED[:2], ("all", *STRATA))
            for _, c in r.less(figure, PRINTED[2], other, stratum)
        ),
        "finding-5-low-epsilon": _at_least_epsilon(r.less("workload-1", PRINTED[0], PRINTED[1])),
        "finding-6-factor": against(r.of("workload-1", truncated, None, [4.0]), ">=", 10.0),
        "finding-6-ranking": against(r.of("ranking-1", truncated), "<=", 0.7),
        "finding-6-all-workloads": tuple(_dearer(r)),
        "ours-smooth-lomax": tuple(
            c
            for figure, stratum in product(WORKLOADS, ("all", *STRATA))
            for _, c in r.less(figure, "smooth-lomax", PRINTED[2], stratum, allowed=True)
        ),
    }


def _at_least_epsilon(found: Iterable[tuple[Row, Measured]]) -> tuple[Measured, ...]:
    """The comparison at the least ε, for each α."""
    least: dict[float, tuple[Row, Measured]] = {}
    for row, comparison in found:
        if row.alpha not in least or row.epsilon < least[row.alpha][0].epsilon:
            least[row.alpha] = row, comparison
    return tuple(comparison for _, comparison in least.values())


def _dearer(r: Rows) -> Iterator[Measured]:
    """At α = .1 each of the paper's mechanisms against the best θ of Truncated Laplace."""
    for figure, epsilon in product(WORKLOADS, map(float, EPSILONS)):
        every = r.of(figure, ["truncated-laplace"], None, [epsilon])
        best = min(every, key=lambda row: row.expected)
        for row in r.of(figure, PRINTED, [0.1], [epsilon]):
            of = f"{_named(row)}: expected error over that of {best.mechanism}"
            yield exactly(of, row.expected / best.expected, "<=", 1.0)
