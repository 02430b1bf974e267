"""Job, Worker and Workplace tables at any size, shaped like LODES, from a seed.

What is like the real data: establishment sizes have a heavy right tail, a few places hold most
establishments, so that most cells of place × sector × ownership are small or empty, and education
is known for workers of 30 or more. What is not: a worker's attributes do not depend on the
workplace. The values are those of LODES (Longitudinal Employer-Household Dynamics Origin-Destination
Employment Statistics), with CD00 where education is not available.
"""

import math
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from establish.impl.arrays import Floats, Integers
from establish.impl.synthetic.lodes_weights import (
    AGE,
    EDUCATION,
    ETHNICITY,
    NO_EDUCATION,
    OWNERSHIP,
    RACE,
    SECTOR,
    SEX,
    UNDER_30,
    Weights,
    drawn_codes,
    sizes,
)
from establish.impl.tabulate import Domain, TableFiles
from establish.spec.parameters import ParameterError

MOST_JOBS = 2**31
"""So that products of worker numbers stay inside 64 bits."""

WORKER_DOMAIN = Domain(
    {
        "sex": tuple(SEX),
        "age": tuple(AGE),
        "race": tuple(RACE),
        "ethnicity": tuple(ETHNICITY),
        "education": (NO_EDUCATION, *EDUCATION),
    }
)
"""The values of the worker attributes."""


def write_lodes(
    folder: Path,
    *,
    jobs: int,
    establishments: int,
    places: int = 3000,
    seed: int,
    chunk: int = 2**20,
    progress: Callable[[int], None] = lambda rows: None,
) -> TableFiles:
    """Write jobs.parquet, workers.parquet and workplaces.parquet into ``folder``.

    jobs: as many workers, each with one job, at 1 to MOST_JOBS − 1. establishments: workplaces ≥ 1,
    some of them without jobs. places: how many there are to be in. seed: a whole number ≥ 0; the
    tables depend on it and the three sizes only. chunk: rows held in memory at a time. progress: told
    how many more rows were written, 2·jobs + establishments in the end.

    Raises ParameterError for sizes outside their ranges or a folder that cannot be written; the
    files then keep what they held.
    """
    for name, value, most in (
        ("jobs", jobs, MOST_JOBS),
        ("establishments", establishments, MOST_JOBS),
        ("places", places, 10**7),
        ("chunk", chunk, MOST_JOBS),
    ):
        if not 1 <= value < most:
            raise ParameterError(f"{name} = {value} is not allowed: from 1 to below {most}")
    if seed < 0:
        raise ParameterError("the seed must be a whole number >= 0")
    streams = np.random.default_rng(seed).spawn(3)
    tables = {
        "workplaces": _workplaces(streams[0], establishments, places, chunk),
        "jobs": _jobs(streams[1], jobs, establishments, chunk),
        "workers": _workers(streams[2], jobs, chunk),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".establish-", dir=folder) as temporary:
            for name, chunks in tables.items():
                _write(Path(temporary, name), chunks, progress)
            for name in tables:
                os.replace(Path(temporary, name), folder / f"{name}.parquet")
    except OSError as error:
        raise ParameterError(f"folder = {folder} cannot be written: {error.strerror}") from None
    return TableFiles(
        jobs=folder / "jobs.parquet",
        workplaces=folder / "workplaces.parquet",
        workers=folder / "workers.parquet",
    )


def place_names(places: int) -> list[str]:
    """The names of the places, a public list, the one with the most establishments first."""
    return [f"{rank:07d}" for rank in range(1, places + 1)]


def _write(path: Path, chunks: Iterator[pa.Table], progress: Callable[[int], None]) -> None:
    first = next(chunks)
    with pq.ParquetWriter(path, first.schema) as writer:
        writer.write_table(first)
        progress(first.num_rows)
        for table in chunks:
            writer.write_table(table)
            progress(table.num_rows)


def _ranges(rows: int, chunk: int) -> Iterator[Integers]:
    for start in range(0, rows, chunk):
        yield np.arange(start, min(start + chunk, rows), dtype=np.int64)


def _workplaces(rng: np.random.Generator, establishments: int, places: int, chunk: int) -> Iterator[pa.Table]:
    by_rank = {name: 1 / rank for rank, name in enumerate(place_names(places), start=1)}
    for numbers in _ranges(establishments, chunk):
        place, sector, ownership = rng.random((numbers.size, 3)).T
        yield pa.table(
            {
                "workplace": numbers,
                "place": _drawn(by_rank, place),
                "sector": _drawn(SECTOR, sector),
                "ownership": _drawn(OWNERSHIP, ownership),
            }
        )


def _jobs(rng: np.random.Generator, jobs: int, establishments: int, chunk: int) -> Iterator[pa.Table]:
    """Ordered by workplace; the workers' numbers 0 to jobs − 1 in a scrambled order."""
    ends = np.cumsum(sizes(rng, jobs, establishments))
    step = next(s for s in range(int(jobs * 0.618) + 1, 2 * jobs + 2) if math.gcd(s, jobs) == 1)
    for rows in _ranges(jobs, chunk):
        yield pa.table(
            {
                "worker": rows * step % jobs,
                "workplace": np.searchsorted(ends, rows, side="right").astype(np.int64),
            }
        )


def _workers(rng: np.random.Generator, jobs: int, chunk: int) -> Iterator[pa.Table]:
    ages, known = list(AGE), list(EDUCATION)
    for numbers in _ranges(jobs, chunk):
        sex, age, race, ethnicity, education = rng.random((numbers.size, 5)).T
        age_codes, school_codes = drawn_codes(AGE, age), drawn_codes(EDUCATION, education)
        school_codes = np.where(age_codes == ages.index(UNDER_30), len(known), school_codes)
        yield pa.table(
            {
                "worker": numbers,
                "sex": _drawn(SEX, sex),
                "age": _column(ages, age_codes),
                "race": _drawn(RACE, race),
                "ethnicity": _drawn(ETHNICITY, ethnicity),
                "education": _column([*known, NO_EDUCATION], school_codes),
            }
        )


def _column(values: list[str], codes: Integers) -> pa.Array:
    return pa.DictionaryArray.from_arrays(codes.astype(np.int32), values)


def _drawn(weights: Weights, uniform: Floats) -> pa.Array:
    return _column(list(weights), drawn_codes(weights, uniform))
