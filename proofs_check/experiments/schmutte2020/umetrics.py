"""The UMETRICS reports (Schmutte 2020) on made-up data: errors of averages, and what scales give away.

The attacker knows all persons but one, and gains as with MOSE, which the reports modify.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import inf

import numpy as np

from establish.impl.arrays import Floats
from establish.proofs_check.experiments.schmutte2020.exported_scales import same, summary
from establish.spec.umetrics import public_chi

TITLES = ("faculty", "graduate student", "postdoc")
SECTORS = ("academia", "government", "industry")

LEGAL = (5_000, 300_000)
"""Winsorized earnings."""

BUDGET = Fraction(1)
"""ε_emp and ε_earn of each year."""


@dataclass(frozen=True)
class ReportRow:
    """One way to publish average earnings by cell. apd: median |noisy − true|/true over cells and draws."""

    way: str
    cells: int
    records: int
    apd: float
    told: float
    gain: float
    rest: float
    promise: float


@dataclass(frozen=True, eq=False)
class Report:
    """Earnings by title, sector and year: those of one title and sector in one list, a list a year."""

    pairs: list[list[Floats]]


def report(persons: int, years: int, seed: int) -> Report:
    """Linked records of the former employees of one university, for up to ``years`` years each."""
    rng = np.random.default_rng([seed, 14])
    titles = rng.choice(len(TITLES), persons, p=(0.25, 0.5, 0.25))
    sectors = rng.choice(len(SECTORS), persons, p=(0.5, 0.15, 0.35))
    until = rng.integers(1, years + 1, persons)
    base = 10.7 + 0.25 * titles + 0.2 * (sectors == 2) + 0.5 * rng.standard_normal(persons)
    pairs = []
    for title in range(len(TITLES)):
        for sector in range(len(SECTORS)):
            own = (titles == title) & (sectors == sector)
            lists = []
            for year in range(1, years + 1):
                there = own & (until >= year)
                pay = np.exp(base[there] + 0.03 * year + 0.1 * rng.standard_normal(there.sum()))
                lists.append(np.rint(pay.clip(*LEGAL)))
            pairs.append(lists)
    return Report(pairs)


def umetrics(data: Report, *, seed: int, trials: int) -> list[ReportRow]:
    """Average earnings: modified MOSE with the observed χ, with the public one, and total over count.

    Cells of fewer than two persons are left out: they have no finite local sensitivity.
    """
    rng = np.random.default_rng([seed, 15])
    low, _ = LEGAL
    ε = float(BUDGET)
    width = float(public_chi(LEGAL))
    apd: list[tuple[Floats, Floats, Floats]] = []
    gains: list[tuple[float, ...]] = []
    for years in data.pairs:
        own = [cell for cell in years if cell.size >= 2]
        products = np.array([cell.size * mean_sensitivity(cell) for cell in own])
        for place, cell in enumerate(own):
            chi, true, n = float(products.max()), float(cell.mean()), cell.size
            unit = rng.laplace(size=trials)
            count = np.maximum(n + rng.laplace(scale=1 / ε, size=trials), 1.0)
            total = (cell - low).sum() + rng.laplace(scale=width / ε, size=trials)
            noisy = low + (total / count).clip(0, width)
            off = (unit * chi / (n * ε), unit * width / (n * ε), noisy - true)
            apd.append((np.abs(off[0]) / true, np.abs(off[1]) / true, np.abs(off[2]) / true))
            rest = float(np.delete(products, place).max(initial=0.0))
            for i in range(n):
                left = np.delete(cell, i)
                other = max(rest, left.size * mean_sensitivity(left)) if n > 2 else rest
                moved = abs(float(left.mean()) - true) * n * ε
                gains.append(
                    (
                        moved / chi if same(other / (n - 1), chi / n) else inf,
                        moved / chi if same(other, chi) else inf,
                        moved / width,
                        ε + float(cell[i] - low) / width * ε,
                    )
                )
    by_way = np.array(gains).T
    observed, public, over = (float(np.median(np.stack(one))) for one in zip(*apd, strict=True))
    ways = (
        ("MOSE, observed χ, own sizes", observed, inf),
        ("MOSE, observed χ, sizes public", observed, inf),
        ("public χ, sizes public", public, ε),
        ("total over count", over, 2 * ε),
    )
    return [
        ReportRow(way, len(apd), by_way.shape[1], error, *summary(own), promise)
        for (way, error, promise), own in zip(ways, by_way, strict=True)
    ]


def mean_sensitivity(cell: Floats) -> float:
    """The largest change of the mean with one person more or less, for two or more (spec/umetrics)."""
    here, n = float(cell.mean()), cell.size
    more = max(abs(end - here) for end in LEGAL) / (n + 1)
    less = float(np.abs(cell - here).max()) / (n - 1)
    return max(more, less)
