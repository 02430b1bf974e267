"""Section 10 of Haney et al. 2017: error and rank correlation against input noise infusion.

Workload 1 counts all workers of a cell of place, sector and ownership. Workload 2 asks for its workers of
each sex and education, each query with the whole of ε. Workload 3 publishes these eight counts together, so
that each has ε/8, and Smooth Laplace δ/8; under Truncated Laplace it keeps ε, as one establishment has at
most θ workers in all eight. Rankings 1 and 2 order the cells by Workload 1, and by their graduate women with
the whole of ε.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import product
from math import inf, nan

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.mechanisms.noise_infusion import NoiseInfusion
from establish.proofs_check.experiments import count_noise, job_cells
from establish.proofs_check.experiments.confidence import of_bounded_sums, of_rank_correlations
from establish.proofs_check.experiments.haney2017.grid import ALPHAS, DELTA, EPSILONS, THETAS

DISTORTION = Fraction(1, 20), Fraction(1, 4)
"""s and t: confidential factors are that far from 1. The paper prints neither; these, and the uniform law
between them, are our assumption.
"""

WORKLOADS = {"workload-1": 1, "workload-2": 1, "workload-3": len(job_cells.WORKER_CELLS)}
"""How many counts share ε, by workload."""

REPEATED = {"workload-1": 8, "workload-2": 1, "workload-3": 1}
"""Trials of a workload for each that is asked for: Workload 1 has few counts."""

RANKINGS = {"workload-1": "ranking-1", "workload-2": "ranking-2"}
"""What is ranked by the counts of a workload."""

GROUPS = ("all", *job_cells.STRATA)

ERROR = 1e-9
"""All intervals of one run hold together but with this probability."""

FAMILY = 2 * len(GROUPS) * (len(EPSILONS) * len(ALPHAS) * 5 + len(EPSILONS) * len(THETAS)) + 16
"""Intervals of one run at most: of rank correlations, and of the errors of noise infusion, those in single
cells of Workload 1 taken together as one.
"""

COMPARABLE = "comparable-1"
"""The share of Workload 1's cells in which both relative errors are within POINTS of each other."""

POINTS = 0.1
"""Ten percentage points."""


@dataclass(frozen=True)
class Row:
    """One number of a figure, or of COMPARABLE. low, high: the interval of its expectation.

    value: an error ratio, a correlation or a share.

    expected: the mean over cells and counts of the expected error, in closed form. allowed: whether the
    mechanism promises its privacy there; of Smooth Laplace, whether δ = 1/20 does. The interval of an error
    ratio is that of the ratio of expected errors. NaN stands where there is no closed form.
    """

    figure: str
    mechanism: str
    alpha: float
    epsilon: float
    stratum: str
    value: float
    low: float
    high: float
    expected: float
    allowed: bool
    cells: int
    trials: int


@dataclass(frozen=True)
class Case:
    """One mechanism at one point of the grid, on one workload."""

    alpha: float
    epsilon: float
    method: count_noise.Method
    allowed: bool


@dataclass(eq=False)
class _Sums:
    """What is added up over trials, by stratum."""

    error: Floats = field(default_factory=lambda: np.zeros(len(GROUPS)))
    correlation: Floats = field(default_factory=lambda: np.zeros(len(GROUPS)))


def steps(trials: int) -> int:
    """How often ``run`` tells that it has come further."""
    return trials * sum(REPEATED.values())


def run(
    cells: job_cells.JobCells,
    *,
    seed: int,
    trials: int,
    distortion: tuple[Fraction, Fraction] = DISTORTION,
    progress: Callable[[], None] = lambda: None,
) -> list[Row]:
    """All numbers of the figures, in a fixed order; the same for the same cells, seed and trials ≥ 1."""
    jobs = cells.workers.sum(axis=1)
    every = job_cells.workload(cells, jobs[:, None])
    parts = job_cells.workload(cells, cells.workers)
    infusion = _Infusion(cells, NoiseInfusion(*distortion), parts.counts)
    rows: list[Row] = []
    for number, name in enumerate(WORKLOADS):
        of = every if name == "workload-1" else parts
        rngs = np.random.default_rng([seed, number]).spawn(2)
        rows += _one_workload(cells, name, of, infusion, jobs, rngs, trials * REPEATED[name], progress)
    return rows


class _Infusion:
    """The current system on the cells: every establishment has one factor in all tables."""

    def __init__(self, cells: job_cells.JobCells, mechanism: NoiseInfusion, parts: Floats) -> None:
        self.cells, self.mechanism = cells, mechanism
        self.true = {"workload-1": parts.sum(axis=1, keepdims=True), "other": parts}

    def published(self, name: str, rng: np.random.Generator) -> Floats:
        """Cells by worker cells."""
        factors = self.mechanism.draw_factors(self.cells.cell.size, rng)
        columns = [job_cells.added(self.cells, factors * column) for column in self.cells.workers.T]
        table = np.stack(columns, axis=1)
        true = self.true["other"]
        if name == "workload-1":
            table, true = table.sum(axis=1, keepdims=True), self.true[name]
        small = (true > 0) & (true < self.mechanism.limit)
        table[small] = rng.integers(1, int(self.mechanism.limit) + 1, int(small.sum()))
        return table

    def widths(self, true: Floats) -> Floats:
        """Of the range of a cell's summed error: t·n a count, or 1 where it is drawn."""
        small = (true > 0) & (true < self.mechanism.limit)
        found: Floats = np.where(small, 1.0, self.mechanism.t * true).sum(axis=1)
        return found


def _one_workload(
    cells: job_cells.JobCells,
    name: str,
    of: job_cells.Workload,
    infusion: _Infusion,
    jobs: Integers,
    rngs: list[np.random.Generator],
    trials: int,
    progress: Callable[[], None],
) -> list[Row]:
    cases = list(_cases(name, cells, of, jobs))
    sums = [_Sums() for _ in cases]
    current = np.zeros(cells.cells)
    inside = cells.inside()
    column = 0 if name == "workload-1" else job_cells.GRADUATE_WOMEN
    for _ in range(trials):
        published = infusion.published(name, rngs[0])
        current += np.abs(published - of.counts).sum(axis=1)
        ranks = _ranks(published[:, column], inside) if name in RANKINGS else []
        draws = count_noise.Draws.of(rngs[1], of.counts.shape)
        for case, into in zip(cases, sums, strict=True):
            noisy = case.method.noisy(of.counts, of.largest, draws)
            into.error += cells.by_stratum(np.abs(noisy - of.counts).sum(axis=1))
            if name in RANKINGS:
                into.correlation += _correlations(ranks, _ranks(noisy[:, column], inside))
        progress()
    return list(_rows(cells, name, of, infusion, cases, sums, current, trials))


def _cases(name: str, cells: job_cells.JobCells, of: job_cells.Workload, jobs: Integers) -> Iterator[Case]:
    share = WORKLOADS[name]
    for alpha, epsilon in product(ALPHAS, EPSILONS):
        for method in count_noise.methods(alpha, epsilon / share):
            allowed = method.name != "smooth-laplace" or count_noise.smooth_laplace_allowed(
                alpha, epsilon / share, DELTA / share
            )
            yield Case(float(alpha), float(epsilon), method, allowed)
    workers = jobs[:, None] if name == "workload-1" else cells.workers
    for theta in THETAS:
        gone = np.where((jobs >= theta)[:, None], workers, 0)
        removed = np.stack([job_cells.added(cells, column) for column in gone.T], axis=1)
        for epsilon in EPSILONS:
            yield Case(nan, float(epsilon), count_noise.truncated_laplace(removed, epsilon, theta), True)


def _ranks(values: Floats, inside: list[NDArray[np.intp]]) -> list[NDArray[np.intp]]:
    """The ranks of the cells among each set of cells, the largest first; among equals in the order of the
    cells, which is random.
    """
    order = _falling(values)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    found = []
    for kept in inside:
        among = np.zeros_like(order)
        among[place[kept]] = 1
        found.append(np.cumsum(among)[place[kept]] - 1)
    return found


def _falling(values: Floats) -> NDArray[np.intp]:
    """The cells by their values, the largest first. Where no two are equal, all ways to sort give the same
    order, so that the fastest is tried first.
    """
    order = np.argsort(-values)
    along = values[order]
    return np.argsort(-values, kind="stable") if (along[1:] == along[:-1]).any() else order


def _correlations(first: list[NDArray[np.intp]], second: list[NDArray[np.intp]]) -> Floats:
    """Spearman's correlation of the ranks among each set of cells; NaN below two cells."""
    found = np.full(len(first), nan)
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        n = one.size
        if n >= 2:
            found[number] = 1 - 6 * float(np.square(one - other).sum()) / (n**3 - n)
    return found


def _rows(
    cells: job_cells.JobCells,
    name: str,
    of: job_cells.Workload,
    infusion: _Infusion,
    cases: list[Case],
    sums: list[_Sums],
    current: Floats,
    trials: int,
) -> Iterator[Row]:
    inside, base_errors = cells.inside(), cells.by_stratum(current) / trials
    error, widths = ERROR / FAMILY, infusion.widths(of.counts)
    for case, into in zip(cases, sums, strict=True):
        expected = np.full(len(GROUPS), nan)
        if case.method.mean_error is not None:
            means = case.method.mean_error(of.counts, of.largest)
            expected = cells.by_stratum(np.broadcast_to(means, of.counts.shape).sum(axis=1))
        for place, kept in enumerate(inside):
            base = base_errors[place]
            if not base:
                continue
            margin = of_bounded_sums(widths[kept], trials, error)
            low = expected[place] / (base + margin)
            high = expected[place] / (base - margin) if base > margin else inf
            row = partial(
                Row,
                mechanism=case.method.name,
                alpha=case.alpha,
                epsilon=case.epsilon,
                stratum=GROUPS[place],
                allowed=case.allowed,
                cells=kept.size,
                trials=trials,
            )
            mean = expected[place] / (kept.size * of.counts.shape[1])
            ratio = into.error[place] / (base * trials)
            yield row(figure=name, value=ratio, low=low, high=high, expected=mean)
            if name == "workload-1" and case.method.mean_error is not None:
                means = case.method.mean_error(of.counts, of.largest)[kept, 0]
                shares = _comparable(
                    of.counts[kept, 0],
                    np.broadcast_to(means, kept.shape),
                    current[kept] / trials,
                    widths[kept],
                    trials,
                    error / cells.cells,
                )
                value, low, high = shares
                yield row(figure=COMPARABLE, value=value, low=low, high=high, expected=nan)
            if name in RANKINGS and kept.size > 1:
                value = into.correlation[place] / trials
                around = of_rank_correlations(kept.size, trials, error)
                ends = max(-1.0, value - around), min(1.0, value + around)
                yield row(figure=RANKINGS[name], value=value, low=ends[0], high=ends[1], expected=nan)


def _comparable(
    counts: Floats, means: Floats, current: Floats, widths: Floats, trials: int, error: float
) -> tuple[float, float, float]:
    """The share of nonempty cells whose relative errors are within POINTS, and its least and its most.

    means, current: the mean errors of the mechanism and of noise infusion in each cell; the latter is an
    average over trials, within ``of_bounded_sums`` of its expectation but with probability ``error``.
    """
    some = counts > 0
    apart = np.abs(means - current)[some] / counts[some]
    margins = of_bounded_sums(np.ones(1), trials, error) * widths[some] / counts[some]
    found = (float((apart <= POINTS + slack).mean()) for slack in (0.0 * margins, -margins, margins))
    value, low, high = found
    return value, low, high
