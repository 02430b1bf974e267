"""Footnote 23: the L1 errors of the three percentiles added up, by simulation."""

import numpy as np

from establish import Evidence, Verdict, claim, holds
from establish.proofs_check.papers.foote2019.simulations.log_normal_cells import ERROR, SEED, WINDOWS
from establish.proofs_check.papers.foote2019.simulations.sampled_cells import (
    Floats,
    accuracy,
    cells_of,
    even_bins,
    heavy_tailed_noise,
    log_normal_bins,
    mean_is_positive,
    percentiles,
    protected,
    smooth,
    true_percentile,
    windows,
)

SHARES = (0.25, 0.5, 0.75)
"""The released percentiles."""

BUDGETS = (0.1, 0.5, 1.0, 2.0, 3.0)
"""Total ε of the comparisons."""

CELLS = {31: 8_000, 99: 6_000, 499: 3_000}
"""How many cells are drawn, by their size."""

EVEN_CELLS = {31: 40_000, 99: 40_000}
"""The same against even bins: the difference is smaller, and larger cells need more of them than a quick
check can draw (foote2019/fn23-grid-summed-error)."""


def _scope(cells: dict[int, int], against: str) -> str:
    """What the comparisons speak of."""
    return (
        f"against {against}: log-normal cells of {', '.join(map(str, cells))} "
        f"({', '.join(map(str, cells.values()))} each), 20 bins, total ε = "
        f"{', '.join(f'{e:g}' for e in BUDGETS)}, an error counts at most its percentile; some comparison is "
        f"wrong with probability at most {len(cells) * len(BUDGETS) * ERROR:.2g}"
    )


def _error(values: list[Floats], true: list[Floats]) -> Floats:
    """Σ|protected − true| over the percentiles, each at most its true value, as a share of Σ true."""
    lost = [(1 - accuracy(v, t)) * t for v, t in zip(values, true, strict=True)]
    return np.asarray(sum(lost) / sum(true))


def _smooth_loses(size: int, number: int, epsilon: float) -> Evidence:
    rng = np.random.default_rng([SEED, size, round(10 * epsilon)])
    cells = cells_of(size, number, rng)
    true = [true_percentile(cells, share) for share in SHARES]
    scheme = log_normal_bins(20)
    counts = protected(scheme.counts(cells), epsilon, rng)
    ours = _error(percentiles(scheme.edges, counts, SHARES), true)
    part = epsilon / len(SHARES)
    noisy = [
        t + 16 * smooth(windows(cells, share, WINDOWS), part) / part * heavy_tailed_noise(number, rng)
        for share, t in zip(SHARES, true, strict=True)
    ]
    return mean_is_positive(
        _error(noisy, true) - ours,
        f"cells of {size}, ε = {epsilon:g}: error of smooth sensitivity less that of the histogram",
        ERROR,
        _scope(CELLS, "smooth sensitivity"),
    )


def _even_loses(size: int, number: int, epsilon: float) -> Evidence:
    """Both kinds of bins get the same noise, which leaves the mean of each as it is."""
    rng = np.random.default_rng([SEED, size, round(10 * epsilon), 1])
    cells = cells_of(size, number, rng)
    true = [true_percentile(cells, share) for share in SHARES]
    noise = protected(np.zeros((number, 20), dtype=np.int64), epsilon, rng)
    ours, even = (
        _error(percentiles(s.edges, s.counts(cells) + noise, SHARES), true)
        for s in (log_normal_bins(20), even_bins(20))
    )
    return mean_is_positive(
        even - ours,
        f"cells of {size}, ε = {epsilon:g}: error of even bins less that of log-normal bins",
        ERROR,
        _scope(EVEN_CELLS, "even bins"),
    )


@claim(
    "foote2019/fn23-summed-error",
    where="Section 5.5, footnote 23; Figure 6",
    says="Log-normal bins are also more accurate by the sum of the L1 errors over the percentiles, than "
    "smooth sensitivity and than even bins.",
    origin="implied",
)
def summed_errors_favor_the_histogram() -> Verdict:
    """The histogram pays for its three percentiles once, smooth sensitivity ε/3 for each, with the corrected
    noise 16·S*/ε_x. Compared at five budgets and three sizes of cells drawn from the log-normal law that
    reproduces Table 1; an error counts at most as much as its percentile, and so does an unreleased one.
    Against even bins, which Figure 6 shows, two sizes are compared, with the same noise for both.
    """
    return holds(
        *(_smooth_loses(size, number, epsilon) for size, number in CELLS.items() for epsilon in BUDGETS),
        *(_even_loses(size, number, epsilon) for size, number in EVEN_CELLS.items() for epsilon in BUDGETS),
    )
