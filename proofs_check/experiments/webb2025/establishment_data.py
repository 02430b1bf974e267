"""Establishments with employment and wages: made up in the shape of a state, or rebuilt from cells."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from establish.impl.microdata.establishments import Establishments, measure, read
from establish.impl.microdata.group_by import Codes
from establish.impl.synthetic.industries import SECTOR
from establish.impl.synthetic.lodes_weights import sizes


@dataclass(frozen=True)
class State:
    """The shape of a synthetic state of Webb et al.: what it prints of its size, by its Tables 8 and 9.

    counties: code → establishments. industries: of six digits. pay: dollars of the quarter, all together.
    """

    name: str
    counties: Mapping[str, int]
    jobs: int
    industries: int
    pay: int

    @property
    def establishments(self) -> int:
        return sum(self.counties.values())


_NEW_JERSEY = (
    999,
    1535,
    1905,
    2345,
    3175,
    4455,
    5285,
    5905,
    7335,
    8665,
    9385,
    10435,
    11025,
    12395,
    13285,
    14265,
    15015,
    15985,
    17655,
    18030,
    28689,
)
"""Least, median, largest, sum and standard deviation are printed; the other 18 are made up to fit them."""

STATES = {
    "rhode-island": State(
        "Rhode Island",
        {"44001": 1_102, "44003": 4_175, "44005": 2_375, "44007": 14_414, "44009": 3_354},
        jobs=5 * 75_206,
        industries=663,
        pay=5 * 2_395_651_000,
    ),
    "new-jersey": State(
        "New Jersey",
        {f"34{2 * place + 1:03}": size for place, size in enumerate(_NEW_JERSEY)},
        jobs=21 * 144_187,
        industries=853,
        pay=21 * 6_254_432_000,
    ),
}
"""Counties: least, median, largest and sum as printed. Jobs and pay: the mean of a county, times counties;
pay if the tables are in thousands of dollars. New Jersey has 207,768 establishments in Table 8 and 208,868
in the text, which do not agree; the mean of a county fits the table.
"""

PAY_SPREAD = 0.5
"""Standard deviation of the logarithm of an establishment's average pay."""

SECTORS = tuple(sorted(set(SECTOR) - {"92", "99"}))
"""First two digits of private industries."""

STEP = 90
"""Between the codes of a sector, so that three or so share their first three digits, as in Table 9."""

MEASURES = ("employment", "wages", "wages in thousands")
"""Month 3, dollars of the quarter, and the same rounded to thousands."""


def made_up(state: State, establishments: int, seed: int) -> Establishments:
    """The shape of ``state``, with so many establishments ≥ 1: all of its own, or a share."""
    rng = np.random.default_rng([seed, 44])
    shares = np.array(list(state.counties.values())) / state.establishments
    part = establishments / state.establishments
    county = rng.choice(len(state.counties), establishments, p=shares / shares.sum())
    number = max(len(SECTORS), round(state.industries * part))
    first = np.array(SECTORS)[np.arange(number) % len(SECTORS)]
    codes = np.array([f"{s}{STEP * (i // len(SECTORS)):04}" for i, s in enumerate(first)], dtype=object)
    weights = rng.pareto(1.1, number) + 0.05
    industry = rng.choice(number, establishments, p=weights / weights.sum())
    jobs = sizes(rng, round(state.jobs * part), establishments)
    average = state.pay / state.jobs
    pay = average * np.exp(rng.normal(-(PAY_SPREAD**2) / 2, PAY_SPREAD, establishments))
    attributes = {
        "county": Codes(county.astype(np.int32), np.array(list(state.counties), dtype=object)),
        "naics": Codes(industry.astype(np.int32), codes),
    }
    return _measured(attributes, jobs, np.rint(jobs * pay).astype(np.int64))


def rebuilt(files: Sequence[Path], seed: int) -> Establishments:
    """From the disclosed county × NAICS-6 cells of one file by area, as ``establish synthesize`` does.

    Raises ParameterError for a file that cannot be read, or more than one.
    """
    from establish.impl.synthetic.synthesize import synthesize
    from establish.spec.parameters import ParameterError

    if len(files) != 1:
        raise ParameterError("--data takes one file of the Quarterly Census here")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "establishments.parquet"
        synthesize(files[0], path, seed=seed)
        data = read(path, identifier="primary_key", attributes=["cnty", "naics"], measures=["m3emp", "wage"])
    attributes = {"county": data.attributes["cnty"], "naics": data.attributes["naics"]}
    return _measured(attributes, data.measures["m3emp"], data.measures["wage"])


def _measured(attributes: dict[str, Codes], jobs: np.ndarray, wages: np.ndarray) -> Establishments:
    thousands = np.rint(wages / 1000)
    measures = dict(zip(MEASURES, (jobs, wages, thousands), strict=True))
    return Establishments(
        "id",
        np.arange(jobs.size),
        attributes,
        {name: measure(name, values) for name, values in measures.items()},
    )
