"""Footnote 23: the L1 errors of the three percentiles added up, by simulation."""

from __future__ import annotations

import numpy as np

from establish.proofs_check.foote2019.simulate import (
    Floats,
    accuracy,
    cells_of,
    heavy_tailed_noise,
    log_normal_bins,
    mean_is_positive,
    percentiles,
    protected,
    smooth,
    true_percentile,
    windows,
)
from establish.proofs_check.foote2019.simulation import ERROR, SEED, WINDOWS
from establish.proofs_check.register import claim
from establish.proofs_check.verdicts import Evidence, Verdict, holds

SHARES = (0.25, 0.5, 0.75)
"""The released percentiles."""

BUDGETS = (0.1, 0.5, 1.0, 2.0, 3.0)
"""Total ε of the comparisons."""

CELLS = {31: 8_000, 99: 6_000, 499: 3_000}
"""How many cells are drawn, by their size."""

SCOPE = (
    f"log-normal cells of {', '.join(map(str, CELLS))} ({', '.join(map(str, CELLS.values()))} each), "
    f"20 bins, total ε = {', '.join(f'{e:g}' for e in BUDGETS)}, an error counts at most its percentile; "
    f"some comparison is wrong with probability at most {len(CELLS) * len(BUDGETS) * ERROR:.2g}"
)
"""What the comparisons speak of."""


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
    ours = _error([percentiles(scheme.edges, counts, share) for share in SHARES], true)
    part = epsilon / len(SHARES)
    noisy = [
        t
        + 16 * smooth(windows(cells, share, WINDOWS), part) / part * heavy_tailed_noise(number, rng)
        for share, t in zip(SHARES, true, strict=True)
    ]
    return mean_is_positive(
        _error(noisy, true) - ours,
        f"cells of {size}, ε = {epsilon:g}: error of smooth sensitivity less that of the histogram",
        ERROR,
        SCOPE,
    )


@claim(
    "foote2019/fn23-summed-error",
    where="Section 5.5, footnote 23",
    says="Log-normal bins are also more accurate by the sum of the L1 errors over the percentiles.",
)
def summed_errors_favor_the_histogram() -> Verdict:
    """The histogram pays for its three percentiles once, smooth sensitivity ε/3 for each, with the corrected
    noise 16·S*/ε_x. Compared at five budgets and three sizes of cells drawn from the log-normal law that
    reproduces Table 1; an error counts at most as much as its percentile, and so does an unreleased one.
    """
    return holds(
        *(
            _smooth_loses(size, number, epsilon)
            for size, number in CELLS.items()
            for epsilon in BUDGETS
        )
    )
