"""Cells of county, sector and ownership from the Quarterly Census of Employment and Wages, split up.

Each disclosed cell has a number of establishments and of jobs in month 3. Jobs are shared out by the heavy
tail of the made-up tables, and the workers of each establishment by sex and education as there: the
establishments are made up, only the cells are real.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Integers
from establish.impl.counts import require_rows, whole_counts
from establish.impl.synthetic.lodes_weights import heavy_tailed
from establish.impl.synthetic.qcew import LABELS, Census
from establish.proofs_check.experiments.job_cells import ENDS, JobCells, composed, shuffled
from establish.spec.parameters import ParameterError

LEVEL = "74"
"""The aggregation level of county × sector × ownership."""

MOST = 20_000_000
"""Establishments of all files, at most."""


def read(files: Sequence[Path], seed: int) -> JobCells:
    """The disclosed cells of the first quarter in each file; a cell with no establishment is left out.

    Raises ParameterError for a file of another layout, a cell listed twice, or when nothing is left.
    """
    parts = [_one_file(file) for file in files]
    county, establishments, jobs = (np.concatenate(each) for each in zip(*parts, strict=True))
    total = int(establishments.sum())
    if total > MOST:
        raise ParameterError(f"--data has {total} establishments: more than {MOST}")
    rng = np.random.default_rng([seed, 74])
    _, place = np.unique(county, return_inverse=True)
    of_county = np.bincount(place, weights=jobs)
    stratum = np.digitize(of_county, ENDS)[place]
    sizes = [
        rng.multinomial(n, weights / weights.sum())
        for n, weights in zip(
            jobs, np.split(heavy_tailed(rng, total), np.cumsum(establishments)[:-1]), strict=True
        )
    ]
    workers = composed(np.concatenate(sizes), rng)
    names = ", ".join(file.name for file in files)
    return shuffled(
        f"{names}: {jobs.size:,} disclosed cells, {total:,} establishments, {int(jobs.sum()):,} jobs",
        "disclosed jobs of the county",
        np.repeat(np.arange(jobs.size), establishments),
        workers,
        stratum,
        rng,
    )


def _one_file(file: Path) -> tuple[NDArray[np.str_], Integers, Integers]:
    """The county, the establishments and the jobs of each cell."""
    counts = ("qtrly_estabs_count", "month3_emplvl")
    with Census(file) as table:
        table.require(counts, f"--data {file}")
        columns = (*LABELS, "agglvl_code", "disclosure_code")
        *labels, level, disclosure = (np.strings.strip(table.texts(name).astype(str)) for name in columns)
        key, rows = np.stack(labels, axis=1), table.row_numbers()
        chosen = (level == LEVEL) & (disclosure != "N")
        if chosen.any():
            quarter = min(map(tuple, key[chosen, :2].tolist()))
            chosen &= np.all(key[:, :2] == quarter, axis=1)
        kept = rows[chosen]
        establishments, jobs = (
            whole_counts(f"column {column}", table.numbers(column)[chosen], kept).astype(np.int64)
            for column in counts
        )
    once = np.zeros(kept.size, dtype=np.bool_)
    if kept.size:
        once[np.unique(key[chosen], axis=0, return_index=True)[1]] = True
    require_rows(once, kept, "each cell must be listed once")
    present = establishments > 0
    if not present.any():
        raise ParameterError(
            f"--data {file} has no disclosed cell of county × sector × ownership (agglvl_code {LEVEL}) "
            "with establishments"
        )
    return key[chosen, 2][present], establishments[present], jobs[present]
