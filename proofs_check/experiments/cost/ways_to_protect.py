"""What protection costs: ways to protect one table of jobs by place and sector, with its margins.

For each way: how many of the inner cells are published, how far their users are off, and how much an
informed attacker gains on the size of an establishment that is alone in its cell (Haney et al. 2017,
Definition 4.2: all others are known). The gain is the supremum of the logarithm of the ratio of the
probabilities of an output under two sizes x and y ≤ (1+α)·x, ∞ where some output excludes a size. δ is the
least one at which the two output laws are (ε, δ)-indistinguishable: 1 where every output tells them apart.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf

import numpy as np

from establish.impl.arrays import Flags, Floats, Integers
from establish.impl.mechanisms.noise_infusion import NoiseInfusion
from establish.impl.suppression.cells import Cells, Entry
from establish.impl.suppression.layout import Layout, attacker
from establish.impl.suppression.plan import plan
from establish.impl.suppression.requirements import levels
from establish.proofs_check.experiments.count_noise import Draws, Method, growth_staircase, smooth_lomax
from establish.proofs_check.experiments.job_cells import made_up_establishments
from establish.spec.arithmetic import MP
from establish.spec.disclosure_limitation.protection import rule
from establish.spec.gaussian import delta

Builder = Callable[[Fraction, Fraction], Method]

ALPHA, EPSILON = Fraction(1, 10), Fraction(2)
"""Of employer-employee privacy, and of the question that δ answers."""

GAMMA, MU = Fraction(1, 2), Fraction(1)
"""Of Gaussian establishment privacy with ψ = √, for one query over the inner cells."""

DISTORTION = Fraction(1, 20), Fraction(1, 4)
"""s and t of input noise infusion: our assumption."""

PERCENT = "10"
"""p of the p% rule, by which cells are sensitive."""

ALL = "All"

PAIRS = ((20, 22), (1000, 1100))
"""Sizes x and the largest y ≤ (1+α)·x that the gain compares."""

LARGEST_GIVEN = 3
"""So many largest contributions are given to the p% rule, which needs two."""


@dataclass(frozen=True, eq=False)
class JobTable:
    """sizes: of the establishments. cell: place · sectors + sector of each."""

    places: int
    sectors: int
    sizes: Integers
    cell: Integers

    @property
    def true(self) -> Floats:
        """Jobs by inner cell."""
        cells = self.places * self.sectors
        sums = np.bincount(self.cell, weights=self.sizes, minlength=cells)
        return sums.astype(np.float64, copy=False)


@dataclass(frozen=True)
class CostRow:
    """One way. error: the mean size of an inner cell's error; relative: the median of it over the count.

    gain and delta: on a small and on a large establishment. promise: what bounds the gain, if anything.
    """

    protection: str
    cells: int
    published: int
    error: float
    relative: float
    gain_small: float
    delta_small: float
    gain_large: float
    delta_large: float
    promise: str


@dataclass(frozen=True)
class CellRow:
    """The mean size of the error of one inner cell."""

    protection: str
    true: float
    published: bool
    absolute: float


@dataclass(frozen=True)
class _Way:
    """errors: of each inner cell, trials by cells. published: which of them are."""

    name: str
    errors: Floats
    published: Flags
    gains: tuple[tuple[float, float], ...]
    promise: str


_Protect = Callable[[JobTable, np.random.Generator, int], _Way]

NOTHING = tuple((inf, 1.0) for _ in PAIRS)
"""The gains where the sizes of an establishment that is alone are told apart for certain."""


def made_up(establishments: int, jobs: int, places: int, sectors: int, seed: int) -> JobTable:
    """A table of so many places and sectors from a seed."""
    sizes, cell = made_up_establishments(establishments, jobs, places, sectors, seed)
    return JobTable(places, sectors, sizes, cell)


def run(
    table: JobTable, *, seed: int, trials: int, progress: Callable[[], None] = lambda: None
) -> tuple[list[CostRow], list[CellRow]]:
    """All ways on one table. Raises ParameterError when no pattern of suppressions protects it."""
    rng = np.random.default_rng([seed, 5])
    rows, cells = [], []
    er_ee = (partial(_er_ee, build) for build in (growth_staircase, smooth_lomax))
    ways: tuple[_Protect, ...] = (_suppression, _infusion, _coarsening, *er_ee, _gaussian)
    for way in ways:
        found = way(table, rng, trials)
        sizes = np.abs(found.errors).mean(axis=0)
        (small, large), true = found.gains, table.true
        rows.append(
            CostRow(
                found.name,
                true.size,
                int(found.published.sum()),
                float(sizes.mean()),
                float(np.median(sizes / np.maximum(true, 1.0))),
                *small,
                *large,
                found.promise,
            )
        )
        cells += [
            CellRow(found.name, *values)
            for values in zip(true.tolist(), found.published.tolist(), sizes.tolist(), strict=True)
        ]
        progress()
    return rows, cells


STEPS = 6
"""How often ``run`` tells that it has come further."""


def _everywhere(table: JobTable) -> Flags:
    return np.ones(table.places * table.sectors, dtype=np.bool_)


def _suppression(table: JobTable, rng: np.random.Generator, trials: int) -> _Way:
    """Cells by the p% rule, and others until an audit proves protection; the user takes interval middles.

    The audit protects against who knows no establishment. Who knows all but one subtracts them from a margin.
    """
    cells, layout = published_table(table)
    known = attacker("nonnegative")
    needed = levels(cells, layout, [rule(f"p:{PERCENT}")], published=True)
    prices = [abs(Fraction(entry.value or 0)) for entry in cells.values()]
    found = plan(cells, layout, known, needed, prices)
    intervals = {one.place: one for one in found.found}
    hidden = found.primary | found.complementary
    inner = [place for place, cell in enumerate(cells) if ALL not in cell]
    errors, shown = [], []
    for place, true in zip(inner, table.true.tolist(), strict=True):
        shown.append(place not in hidden)
        if shown[-1]:
            errors.append(0.0)
            continue
        low, high = intervals[place].outer
        middle = (low + high) / 2 if low is not None and high is not None else low or Fraction(0)
        errors.append(float(middle) - true)
    return _Way(f"cell suppression, {PERCENT}% rule", np.array([errors]), np.array(shown), NOTHING, "none")


def published_table(table: JobTable) -> tuple[Cells, Layout]:
    """The table with its margins and the largest contributions of each cell, inner cells in their order."""
    names = [f"c{n}" for n in range(LARGEST_GIVEN)]
    places = [f"place {n:03}" for n in range(table.places)]
    sectors = [f"sector {n:02}" for n in range(table.sectors)]
    row, column = np.divmod(table.cell, table.sectors)
    cells: Cells = {}
    for i, place in [*enumerate(places), (None, ALL)]:
        for j, sector in [*enumerate(sectors), (None, ALL)]:
            inside = np.ones(table.sizes.size, dtype=np.bool_)
            inside &= True if i is None else row == i
            inside &= True if j is None else column == j
            own = np.sort(table.sizes[inside])[::-1]
            extra = dict(zip(names, map(int, own[:LARGEST_GIVEN]), strict=False))
            cells[place, sector] = Entry(int(own.sum()), {**dict.fromkeys(names, 0), **extra})
    layout = Layout(
        by=("place", "sector"), value="jobs", totals={"place": ALL, "sector": ALL}, contributions=tuple(names)
    )
    return cells, layout


def _infusion(table: JobTable, rng: np.random.Generator, trials: int) -> _Way:
    """δ: the factors are uniform on two stretches, so that f·x and f·y have densities on them."""
    mechanism = NoiseInfusion(*DISTORTION)
    errors = []
    for _ in range(trials):
        found = mechanism.release(table.sizes[:, None], table.cell, rng).published[:, 0]
        errors.append(np.pad(found, (0, table.true.size - found.size)) - table.true)
    gains = tuple((inf, infusion_delta(x, y, EPSILON)) for x, y in PAIRS)
    return _Way("input noise infusion", np.array(errors), _everywhere(table), gains, "none")


def infusion_delta(x: int, y: int, epsilon: Fraction) -> float:
    """The larger of sup_S P(S) − e^ε·Q(S) over both directions, f·x against f·y, f ∈ 1 ± [s, t] uniform.

    Where both laws have a density their ratio is y/x or x/y, at most e^ε for y ≤ e^ε·x, so that δ is the mass
    of one law outside the other's support. Exact. Raises ValueError for y > e^ε·x.
    """
    if not max(x, y) < MP.exp(MP.number(epsilon)) * min(x, y):
        raise ValueError(f"x = {x}, y = {y}: the sizes must be within e^ε of each other")
    s, t = DISTORTION

    def support(size: int) -> list[tuple[Fraction, Fraction]]:
        return [(size * (1 - t), size * (1 - s)), (size * (1 + s), size * (1 + t))]

    def outside(one: int, other: int) -> Fraction:
        common = sum(
            max(Fraction(0), min(b, d) - max(a, c)) for a, b in support(one) for c, d in support(other)
        )
        return 1 - common / (2 * (t - s) * one)

    return float(max(outside(x, y), outside(y, x)))


def _coarsening(table: JobTable, rng: np.random.Generator, trials: int) -> _Way:
    """Only the margins are published, and inner cells are guessed from them as products."""
    inner = table.true.reshape(table.places, table.sectors)
    guess = np.outer(inner.sum(axis=1), inner.sum(axis=0)) / inner.sum()
    return _Way(
        "coarsening to the margins",
        (guess.ravel() - table.true)[None, :],
        ~_everywhere(table),
        NOTHING,
        "none",
    )


def _er_ee(build: Builder, table: JobTable, rng: np.random.Generator, trials: int) -> _Way:
    """Private by establish/growth-staircase, whose loss is ε at every size, or establish/smooth-lomax, whose
    loss is ε at most.
    """
    method, draws = build(ALPHA, EPSILON), Draws.of(rng, (trials, table.true.size))
    most = np.zeros(table.true.size)
    np.maximum.at(most, table.cell, table.sizes.astype(np.float64))
    errors = method.noisy(table.true, most, draws) - table.true
    gains = tuple((float(EPSILON), 0.0) for _ in PAIRS)
    return _Way(f"ER-EE, {method.name}", errors, _everywhere(table), gains, f"ε = {EPSILON}")


def _gaussian(table: JobTable, rng: np.random.Generator, trials: int) -> _Way:
    """ω = √n + N(0, (γ/μ)²) and ω² − (γ/μ)². Two sizes are N(0, 1) and N(m, 1), m their distance in √·μ/γ."""
    sd = float(GAMMA / MU)
    noisy = np.sqrt(table.true) + sd * rng.standard_normal((trials, table.true.size))
    gains = []
    for x, y in PAIRS:
        apart = (MP.sqrt(MP.number(y)) - MP.sqrt(MP.number(x))) * MP.number(MU / GAMMA)
        gains.append((inf, float(delta(EPSILON, apart))))
    return _Way(
        "GEDP, ψ = √",
        noisy**2 - sd**2 - table.true,
        _everywhere(table),
        tuple(gains),
        f"μ = {MU}, γ = {GAMMA}",
    )
