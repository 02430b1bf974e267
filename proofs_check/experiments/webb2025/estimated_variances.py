"""Appendix H of Webb et al. 2025: what estimated variances cost in least squares, by simulation.

As printed: 100 counties of 2 establishments of 10 employees, γ/μ = .5 for √ and .1 for log. As Table 11 comes
out (claims webb2025/table-11-*): 50 counties, and γ/μ = .5 for both. Answers about establishments, counties
and the total are given by the ψ-mechanism, and weighted with estimated variances (Est), with true ones (Act),
or with true ones but for the query by establishment (Hybrid). For log the estimated variance is that of the
running mechanism, which has no bias, and not that of Theorem 6.6.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from establish.impl.arrays import Floats
from establish.impl.microdata.group_by import Groups
from establish.impl.microdata.least_squares import Answered, least_squares
from establish.impl.microdata.neighbor_functions import NeighborFunction, neighbor_function
from establish.spec.arithmetic import MP
from establish.spec.mechanisms.psi_estimators import variance_from_logarithm, variance_from_root

EACH, EMPLOYEES = 2, 10
"""Establishments of a county, and employees of each establishment."""


@dataclass(frozen=True)
class Setting:
    """ψ is "√" or "log"; scale: γ/μ."""

    name: str
    psi: str
    counties: int
    scale: Fraction


SETTINGS = (
    Setting("as printed", "√", 100, Fraction(1, 2)),
    Setting("as printed", "log", 100, Fraction(1, 10)),
    Setting("as Table 11", "√", 50, Fraction(1, 2)),
    Setting("as Table 11", "log", 50, Fraction(1, 2)),
)

STRATEGIES = ("Est", "Act", "Hybrid")

PRINTED = {
    "√": {"ID": (7.5, 7.6, 7.5), "County": (10.5, 10.0, 10.1), "Total": (624.4, 335.2, 407.4)},
    "log": {"ID": (18.0, 23.7, 19.2), "County": (40.0, 37.9, 35.0), "Total": (22215.3, 1882.8, 4842.6)},
}
"""Table 11 in the order of STRATEGIES."""

LEAST_SHIFT = "1e-8"
"""The running log(x + a) needs a > 0; this a changes no digit that is shown."""


@dataclass(frozen=True)
class AblationRow:
    """A mean squared error, its standard error over trials, the mean error, and what Table 11 prints."""

    setting: str
    psi: str
    strategy: str
    query: str
    mean_squared_error: float
    se: float
    bias: float
    bias_se: float
    printed: float
    trials: int


def run(*, seed: int, trials: int, progress: Callable[[], None] = lambda: None) -> list[AblationRow]:
    """The same for the same seed and trials ≥ 2."""
    return [
        row
        for number, setting in enumerate(SETTINGS)
        for row in _one(setting, np.random.default_rng([seed, 11, number]), trials, progress)
    ]


def steps(trials: int) -> int:
    """How often ``run`` tells that it has come further."""
    return trials * len(SETTINGS)


def _groups(counties: int) -> dict[str, Groups]:
    """The identity, county and total queries."""
    place = np.arange(counties * EACH)
    return {
        "ID": Groups(place, place.size, ()),
        "County": Groups(place // EACH, counties, ()),
        "Total": Groups(np.zeros_like(place), 1, ()),
    }


def _one(
    setting: Setting, rng: np.random.Generator, trials: int, progress: Callable[[], None]
) -> Iterator[AblationRow]:
    root = setting.psi == "√"
    function = neighbor_function("sqrt") if root else neighbor_function("log", LEAST_SHIFT)
    formed = _groups(setting.counties)
    sizes = {name: EMPLOYEES * EACH * setting.counties // g.number for name, g in formed.items()}
    variance = variance_from_root if root else variance_from_logarithm
    true = {
        name: float(variance(MP.number(size), MP.number(setting.scale), MP)) for name, size in sizes.items()
    }
    sd = float(setting.scale)
    errors: dict[tuple[str, str], list[Floats]] = {}
    for _ in range(trials):
        answers = {
            name: _answer(function, sizes[name], sd, groups.number, rng) for name, groups in formed.items()
        }
        for strategy in STRATEGIES:
            cells = least_squares(
                [
                    Answered(
                        formed[name],
                        values,
                        np.full_like(values, true[name]) if _exact(strategy, name) else estimated,
                    )
                    for name, (values, estimated) in answers.items()
                ]
            )
            for name, groups in formed.items():
                wrong: Floats = groups.summed(cells) - sizes[name]
                errors.setdefault((strategy, name), []).append(wrong)
        progress()
    for (strategy, name), found in errors.items():
        every = np.array(found)
        squares, means = np.square(every).mean(axis=1), every.mean(axis=1)
        yield AblationRow(
            setting.name,
            setting.psi,
            strategy,
            name,
            float(squares.mean()),
            float(squares.std(ddof=1)) / sqrt(trials),
            float(means.mean()),
            float(means.std(ddof=1)) / sqrt(trials),
            PRINTED[setting.psi][name][STRATEGIES.index(strategy)],
            trials,
        )


def _exact(strategy: str, query: str) -> bool:
    return strategy == "Act" or (strategy == "Hybrid" and query != "ID")


def _answer(
    function: NeighborFunction, size: int, sd: float, groups: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Unbiased estimates of each group's sum, and estimated variances."""
    center, _ = function.transformed(np.full(groups, size))
    noisy = center + sd * rng.standard_normal(groups)
    return function.unbiased(noisy, sd), function.variance(noisy, sd)
