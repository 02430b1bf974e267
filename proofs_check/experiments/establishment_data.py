"""Establishments with employment and wages: made up like Rhode Island's, or rebuilt from published cells."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from establish.impl.microdata.establishments import Establishments, measure, read
from establish.impl.microdata.group_by import Codes
from establish.impl.synthetic.industries import SECTOR
from establish.impl.synthetic.lodes_weights import sizes

COUNTIES = {"44001": 1_102, "44003": 4_175, "44005": 2_375, "44007": 14_414, "44009": 3_354}
"""Establishments by county: least, median, largest and sum as printed for synthetic Rhode Island."""

ESTABLISHMENTS, JOBS = 25_420, 376_000
"""Of synthetic Rhode Island, Table 9: 5 counties of 75,206 jobs on average."""

CODES_PER_ESTABLISHMENT = 25_420 / 663
"""Table 9: 663 industries of six digits."""

QUARTERLY_PAY = 11_978_255_000 / JOBS
"""Dollars a job: 5 counties of 2,395,651 on average, if Table 9 is in thousands of dollars."""

PAY_SPREAD = 0.5
"""Standard deviation of the logarithm of an establishment's average pay."""

SECTORS = tuple(sorted(set(SECTOR) - {"92", "99"}))
"""First two digits of private industries."""

STEP = 90
"""Between the codes of a sector, so that three or so share their first three digits, as in Table 9."""

MEASURES = ("employment", "wages", "wages in thousands")
"""Month 3, dollars of the quarter, and the same rounded to thousands."""


def made_up(establishments: int, seed: int) -> Establishments:
    """The shape of synthetic Rhode Island, with so many establishments ≥ 1."""
    rng = np.random.default_rng([seed, 44])
    shares = np.array(list(COUNTIES.values())) / ESTABLISHMENTS
    county = rng.choice(len(COUNTIES), establishments, p=shares / shares.sum())
    number = max(len(SECTORS), round(establishments / CODES_PER_ESTABLISHMENT))
    first = np.array(SECTORS)[np.arange(number) % len(SECTORS)]
    codes = np.array(
        [f"{s}{STEP * (i // len(SECTORS)):04}" for i, s in enumerate(first)], dtype=object
    )
    weights = rng.pareto(1.1, number) + 0.05
    industry = rng.choice(number, establishments, p=weights / weights.sum())
    jobs = sizes(rng, round(JOBS * establishments / ESTABLISHMENTS), establishments)
    pay = QUARTERLY_PAY * np.exp(rng.normal(-(PAY_SPREAD**2) / 2, PAY_SPREAD, establishments))
    attributes = {
        "county": Codes(county.astype(np.int32), np.array(list(COUNTIES), dtype=object)),
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
        data = read(
            path,
            identifier="primary_key",
            attributes=["cnty", "naics"],
            measures=["m3emp", "wage"],
        )
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
