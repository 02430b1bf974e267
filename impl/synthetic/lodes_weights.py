"""What made-up tables of jobs are drawn from: weights of attributes, and a law of establishment sizes.

The values are those of LODES (Longitudinal Employer-Household Dynamics Origin-Destination Employment
Statistics).
"""

from collections.abc import Mapping

import numpy as np

from establish.impl.arrays import Floats, Integers

Weights = Mapping[str, float]
"""Value → how often it occurs, relative to the others."""

SEX: Weights = {"CS01": 51, "CS02": 49}
AGE: Weights = {"CA01": 23, "CA02": 55, "CA03": 22}
RACE: Weights = {"CR01": 77, "CR02": 13, "CR03": 1, "CR04": 6.5, "CR05": 0.2, "CR07": 2.3}
ETHNICITY: Weights = {"CT01": 84, "CT02": 16}
EDUCATION: Weights = {"CD01": 14, "CD02": 27, "CD03": 31, "CD04": 28}
UNDER_30, NO_EDUCATION = "CA01", "CD00"

SECTOR: Weights = (
    {"11": 11, "21": 4, "22": 4, "23": 80, "31-33": 38, "42": 70, "44-45": 114, "48-49": 26}
    | {"51": 18, "52": 53, "53": 41, "54": 124, "55": 7, "56": 57, "61": 19, "62": 160}
    | {"71": 15, "72": 74, "81": 70, "92": 15}
)
"""NAICS sectors by rough shares of establishments, in thousandths."""

OWNERSHIP: Weights = {"1": 1, "2": 1.5, "3": 3.5, "5": 94}
"""QCEW ownership codes: federal, state and local government, private."""

TAIL = 1.2
"""The Pareto index of establishment weights: the smaller, the heavier the right tail."""

SPREAD = 20_000.0
"""The largest establishment weight, relative to the smallest."""


def heavy_tailed(rng: np.random.Generator, establishments: int) -> Floats:
    """Weights of establishments from a truncated Pareto law."""
    return np.minimum((1 - rng.random(establishments)) ** (-1 / TAIL), SPREAD)


def sizes(rng: np.random.Generator, jobs: int, establishments: int) -> Integers:
    """How many jobs each establishment has, multinomial with heavy-tailed weights."""
    weights = heavy_tailed(rng, establishments)
    return rng.multinomial(jobs, weights / weights.sum())


def drawn_codes(weights: Weights, uniform: Floats) -> Integers:
    """The position of the value that each number of [0, 1) draws."""
    upto = np.cumsum(list(weights.values()))
    codes = np.searchsorted(upto / upto[-1], uniform, side="right")
    return codes.astype(np.int64)
