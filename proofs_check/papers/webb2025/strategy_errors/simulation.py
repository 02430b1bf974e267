"""Table 11 by simulation: the three strategies of Appendix H on many trials at once, in numpy.

Equation 1 is solved through its hierarchy: identity answers to counties, counties to the total, and back.
The run is recorded: ``text_of(run())`` is the file, which claims know by its digest.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from math import expm1, log, sqrt

import numpy as np
from numpy.typing import NDArray

from establish.proofs_check.papers.webb2025.strategy_errors.setting import (
    AS_MEANT,
    AS_PRINTED,
    PER_COUNTY,
    ROWS,
    Setting,
    errors,
    variances,
)
from establish.spec.arithmetic import MP

Floats = NDArray[np.float64]
Three = tuple[Floats, Floats, Floats]
"""For the identity (trials, counties, 2), county (trials, counties) and total (trials) queries."""

TRIALS = 250_000
"""Trials of ours for each setting."""

CHUNK = 500
"""Trials at a time, so that they stay in the processor's cache."""

SEED = 2025


def skewness(values: Floats) -> float:
    """The absolute skewness."""
    return abs(float(((values - values.mean()) ** 3).mean())) / float(values.std()) ** 3


@dataclass(frozen=True)
class Average:
    """A mean squared error, our standard error of it, and what varies from trial to trial.

    ``sd`` is that of one trial, averaged over the cells of its query; ``skewness`` is the absolute one of a
    trial, or of what the control variate leaves of it when that is more.
    """

    mean: float
    se: float
    sd: float
    skewness: float = 0.0

    def __str__(self) -> str:
        return f"{self.mean:.6g} ± {self.se:.2g}"


def least_squares(answers: Three, given: Three) -> Three:
    """The solution of Equation 1, for each trial, with the variances ``given``."""
    own, county, total = answers
    own_v, county_v, total_v = given
    pair, pair_v = _by_county(own), _by_county(own_v)
    combined_v = 1 / (1 / pair_v + 1 / county_v)
    combined = combined_v * (pair / pair_v + county / county_v)
    whole, whole_v = combined.sum(axis=1), combined_v.sum(axis=1)
    solved_total = (whole / whole_v + total / total_v) / (1 / whole_v + 1 / total_v)
    solved = combined + combined_v * ((solved_total - whole) / whole_v)[:, None]
    spread = ((solved - pair) / pair_v)[:, :, None]
    return own + own_v * spread, solved, solved_total


def _by_county(values: Floats) -> Floats:
    """Sums over the few establishments of a county, one by one: numpy's own take ten times as long."""
    return reduce(np.add, np.moveaxis(values, 2, 0))


def answer(psi: str, sd: float, noise: Floats, true: float) -> tuple[Floats, Floats]:
    """The unbiased answers of Theorem 6.6 for standard normal ``noise``, and their variance estimates."""
    square = sd * sd
    if psi == "root":
        unbiased = (sqrt(true) + sd * noise) ** 2 - square
        return unbiased, 2 * square * (2 * unbiased + square)
    unbiased = np.exp(log(true) + sd * noise - square / 2)
    return unbiased, unbiased**2 * expm1(square)


def _trials(setting: Setting, rng: np.random.Generator) -> dict[str, tuple[Three, Floats]]:
    """By strategy: the errors of one chunk of trials, and their squares averaged over cells."""
    shapes = ((CHUNK, setting.counties, PER_COUNTY), (CHUNK, setting.counties), (CHUNK,))
    drawn = [
        answer(setting.psi, float(setting.sd), rng.standard_normal(shape), float(x))
        for shape, x in zip(shapes, setting.sums, strict=True)
    ]
    own, county, total = (a for a, _ in drawn)
    est, est_county, est_total = (v for _, v in drawn)
    act, act_county, act_total = (
        np.full(shape, float(v)) for shape, v in zip(shapes, variances(setting, MP), strict=True)
    )
    given = {
        "est": (est, est_county, est_total),
        "act": (act, act_county, act_total),
        "hybrid": (est, act_county, act_total),
    }
    chunk: dict[str, tuple[Three, Floats]] = {}
    for strategy, used in given.items():
        solved = least_squares((own, county, total), used)
        wrong = (solved[0] - setting.sums[0], solved[1] - setting.sums[1], solved[2] - setting.sums[2])
        squares = [(wrong[0] ** 2).mean(axis=(1, 2)), (wrong[1] ** 2).mean(axis=1), wrong[2] ** 2]
        chunk[strategy] = wrong, np.stack(squares)
    return chunk


@dataclass(frozen=True)
class Simulated:
    """By strategy, rows × trials of squared errors, and the error of the total in every trial."""

    setting: Setting
    squares: dict[str, Floats]
    of_total: dict[str, Floats]

    def average(self, strategy: str, row: int) -> Average:
        """The mean squared error, with the known one of "act" as a control variate."""
        values, control = self.squares[strategy][row], self.squares["act"][row]
        known = float(errors(variances(self.setting, MP), self.setting.counties, MP)[row])
        centered = control - control.mean()
        slope = float(centered @ values / (centered @ centered))
        rest = values - slope * (control - known)
        se, skew = float(rest.std()) / sqrt(rest.size), max(skewness(values), skewness(rest))
        return Average(float(rest.mean()), se, float(values.std()), skew)

    def bias_of_total(self, strategy: str) -> Average:
        """The mean error of the total."""
        wrong = self.of_total[strategy]
        sd = float(wrong.std())
        return Average(float(wrong.mean()), sd / sqrt(wrong.size), sd, skewness(wrong))


@cache
def simulated(setting: Setting) -> Simulated:
    """`TRIALS` trials of ``setting``, always the same."""
    rng = np.random.default_rng([SEED, setting.counties, setting.psi == "log"])
    chunks = [_trials(setting, rng) for _ in range(TRIALS // CHUNK)]
    strategies = list(chunks[0])
    squares = {s: np.concatenate([chunk[s][1] for chunk in chunks], axis=1) for s in strategies}
    of_total = {s: np.concatenate([chunk[s][0][2] for chunk in chunks]) for s in strategies}
    return Simulated(setting, squares, of_total)


@dataclass(frozen=True)
class Row:
    """An expectation of the experiment: the mean squared error of a query, or the mean error of the total.

    scale: γ/μ. of: one of `ROWS`, or `BIAS`. se: the standard error of ``mean``, of which the other numbers
    are those of an `Average`.
    """

    psi: str
    counties: int
    scale: str
    strategy: str
    of: str
    mean: float
    se: float
    sd: float
    skewness: float

    @property
    def average(self) -> Average:
        return Average(self.mean, self.se, self.sd, self.skewness)


BIAS = "mean error of the total"


def run() -> Iterator[Row]:
    """All numbers of the experiment, as Appendix H prints it and as it is meant."""
    for setting in (*AS_PRINTED.values(), *AS_MEANT.values()):
        found = simulated(setting)
        for strategy in found.squares:
            averages = {name: found.average(strategy, row) for row, name in enumerate(ROWS)}
            for of, one in (*averages.items(), (BIAS, found.bias_of_total(strategy))):
                at = (setting.psi, setting.counties, str(setting.sd), strategy, of)
                yield Row(*at, one.mean, one.se, one.sd, one.skewness)


DIGEST = "86bdaef4f0061d808b9895ec225991c5678aac0a551c33acb26c77e453236c0d"
"""Of the recorded run, recorded/webb2025-table-11.csv."""
