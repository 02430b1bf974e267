"""Establishments in cells of place, sector and ownership, with their workers by sex and education.

Made up from a seed, or split from published counts. The cells are those with at least one establishment:
that one exists is public (Haney et al. 2017, Section 4.1). Their order is random, so that a stable sort
breaks ties at random, but always in the same way.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.synthetic.lodes_weights import EDUCATION, OWNERSHIP, SECTOR, SEX, drawn_codes, sizes

WORKER_CELLS = tuple(product(SEX, EDUCATION))
"""Sex × education, the worker cells of Workloads 2 and 3."""

GRADUATE_WOMEN = WORKER_CELLS.index(("CS02", "CD04"))
"""Women with a college degree, whom Ranking 2 counts."""

ENDS = (100, 10_000, 100_000)
"""The strata of Section 10 end at these populations."""

STRATA = ("0-100", "100-10k", "10k-100k", "100k+")
"""Their names."""

PLACES = 7.28, 1.75
"""Mean and standard deviation of the logarithm of a place's population: that of Eeckhout 2004 (Gibrat's law
for all cities) for all places of the census of 2000.
"""

CONCENTRATION = 8.0
"""Of the Dirichlet law of an establishment's shares by sex and education, around those of all workers."""

POWER = 1.1
"""Establishments of a place grow as this power of its population: workplaces lie where people are."""


@dataclass(frozen=True)
class Size:
    """How large a made-up table is; all at least 1."""

    establishments: int
    jobs: int
    places: int


SIZES = {
    "small": Size(20_000, 400_000, 500),
    "sample": Size(527_000, 10_900_000, 2_475),
    "national": Size(6_300_000, 130_000_000, 29_514),
}
"""``sample`` has the establishments and jobs of Section 10; ``national`` is twelve times that, with as many
places as the census of 2010 lists.
"""


@dataclass(frozen=True, eq=False)
class JobCells:
    """cell: of each establishment. workers: establishments by worker cells. stratum: of each cell."""

    title: str
    stratified_by: str
    cell: Integers
    workers: Integers
    stratum: Integers

    @property
    def cells(self) -> int:
        return int(self.stratum.size)

    def by_stratum(self, values: Floats) -> Floats:
        """Sums of one value a cell: over all cells, and over each stratum."""
        sums = np.bincount(self.stratum, weights=values, minlength=len(STRATA))
        return np.concatenate([[sums.sum()], sums])

    def inside(self) -> list[NDArray[np.intp]]:
        """The numbers of all cells, and of those of each stratum."""
        every = np.arange(self.cells)
        return [every, *(np.flatnonzero(self.stratum == s) for s in range(len(STRATA)))]


@dataclass(frozen=True, eq=False)
class Workload:
    """Cells by worker cells: true counts, and the largest count of one establishment in each."""

    counts: Floats
    largest: Floats


def workload(cells: JobCells, workers: Integers) -> Workload:
    """workers: establishments by worker cells."""
    counts = np.stack([added(cells, column) for column in workers.T], axis=1)
    largest = np.zeros_like(counts)
    for number, column in enumerate(workers.T):
        np.maximum.at(largest[:, number], cells.cell, column.astype(np.float64))
    return Workload(counts, largest)


def added(cells: JobCells, values: NDArray[np.generic]) -> Floats:
    """One value an establishment, added up by cell."""
    sums = np.bincount(cells.cell, weights=values.astype(np.float64), minlength=cells.cells)
    return sums.astype(np.float64, copy=False)


def made_up(size: Size, seed: int) -> JobCells:
    """Tables of jobs from a seed: log-normal places, Pareto establishments, weights as in LODES.

    Sector, ownership and the size of an establishment do not depend on its place.
    """
    rng = np.random.default_rng([seed, 10])
    population = np.exp(rng.normal(*PLACES, size.places))
    weights = population**POWER
    place = np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random(size.establishments), side="right")
    sector, ownership = (drawn_codes(law, rng.random(size.establishments)) for law in (SECTOR, OWNERSHIP))
    label = (place * len(SECTOR) + sector) * len(OWNERSHIP) + ownership
    present, cell = np.unique(label, return_inverse=True)
    stratum = np.digitize(population, ENDS)[present // (len(SECTOR) * len(OWNERSHIP))]
    workers = composed(sizes(rng, size.jobs, size.establishments), rng)
    return shuffled(
        f"synthetic: {size.establishments:,} establishments, {size.jobs:,} jobs, {size.places:,} places",
        "population of the place",
        cell,
        workers,
        stratum,
        rng,
    )


def composed(jobs: Integers, rng: np.random.Generator) -> Integers:
    """The workers of establishments of ``jobs`` workers by sex and education, establishments by cells."""
    shares = np.array([SEX[sex] * EDUCATION[school] for sex, school in WORKER_CELLS])
    shape = CONCENTRATION * shares / shares.sum()
    own = rng.standard_gamma(shape, (jobs.size, shape.size)) + 1e-12
    found: Integers = rng.multinomial(jobs, own / own.sum(axis=1, keepdims=True))
    return found


def shuffled(
    title: str,
    stratified_by: str,
    cell: NDArray[np.integer],
    workers: Integers,
    stratum: NDArray[np.integer],
    rng: np.random.Generator,
) -> JobCells:
    """The same cells in a random order."""
    order = rng.permutation(stratum.size)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return JobCells(title, stratified_by, place[cell], workers, stratum[order].astype(np.int64))


def made_up_establishments(
    establishments: int, jobs: int, places: int, sectors: int, seed: int
) -> tuple[Integers, Integers]:
    """Sizes of establishments, and the cell place · sectors + sector of each, from the same laws.

    Places are log-normal, sectors the first ``sectors`` of SECTOR by their shares.
    """
    rng = np.random.default_rng([seed, 20])
    population = np.sort(np.exp(rng.normal(*PLACES, places)))[::-1]
    weights = population**POWER
    upto = np.cumsum(weights) / weights.sum()
    place = np.searchsorted(upto, rng.random(establishments), side="right")
    law = dict(sorted(SECTOR.items(), key=lambda item: -item[1])[:sectors])
    sector = drawn_codes(law, rng.random(establishments))
    return sizes(rng, jobs, establishments), place * sectors + sector
