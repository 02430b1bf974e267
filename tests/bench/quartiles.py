"""Mean absolute errors of quartiles: ours beside JointExp, the recursive mechanism, smooth sensitivity.

Cells of eight shapes are made up: the sizes and ε of the table, DATASETS of each, DRAWS releases of each data
set. All mechanisms see the same data sets; standard errors are of the draws, given these. Where one is above
MOST of its error, the mechanism is drawn afresh, as often as its first draws say is needed. Exponential
mechanisms over records are drawn in floats here, from the same public law; a test compares that with the
exact draws. JointExp and the recursive mechanism get ε in full, without a count; ours release a count too.

    python tests/bench/quartiles.py                       the whole table, as CSV
    python tests/bench/quartiles.py shifted 100,300 1,4   a part of it

quartiles.csv.gz beside this file holds what it prints for the whole table, in sixteen minutes of one core.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from establish.impl.earnings import chosen_by_size as by_size
from establish.impl.earnings import smooth_percentile as smooth
from establish.impl.earnings.accuracy import true_percentiles
from establish.impl.earnings.bins import BOTTOM, TOP, Bins, even, log_normal, percentages
from establish.impl.earnings.bins_or_gaps import CLASSES, GAPS, BinsOrGaps
from establish.impl.earnings.bins_or_gaps import TOTAL as PICKING
from establish.impl.earnings.chosen_by_size import ChosenBySize
from establish.impl.earnings.fitted import fitted_percentiles
from establish.impl.earnings.histogram import histogram, protected
from establish.impl.earnings.histogram_percentiles import POST_PROCESS
from establish.impl.earnings.public_law import PER_DOLLAR, PublicLaw
from establish.impl.earnings.quantile_tree import Candidates, quantile_tree
from establish.impl.sampling import laws as sampling
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.reals import Reals

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

SHARES = percentages((25, 50, 75))
FRACTIONS = np.array([a / b for a, b in SHARES])
LAW = PublicLaw.log_normal()


def halves(rng: np.random.Generator, size: int, middle: float, low: float, high: float) -> Floats:
    """Two halves of log-normal laws, as cells are rebuilt from published quartiles."""
    below = rng.random(size) < 0.5
    spread = np.abs(rng.normal(0, 1, size))
    return np.exp(middle + np.where(below, -low * spread, high * spread))


SHAPES: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "log-normal": lambda rng, size: np.exp(rng.normal(11.0, 0.75, size)),
    "low": lambda rng, size: np.exp(rng.normal(10.4, 0.55, size)),
    "pseo-1": lambda rng, size: halves(rng, size, 10.75, 0.8, 0.45),
    "high": lambda rng, size: np.exp(rng.normal(11.5, 0.5, size)),
    "two groups": lambda rng, size: np.exp(
        np.where(rng.random(size) < 0.5, rng.normal(10.4, 0.4, size), rng.normal(11.3, 0.4, size))
    ),
    "pseo-3": lambda rng, size: halves(rng, size, 11.3, 0.4, 0.7),
    "shifted": lambda rng, size: 25_000 + np.exp(rng.normal(10.3, 0.7, size)),
    "pseo-2": lambda rng, size: halves(rng, size, 10.55, 0.55, 0.5),
}
TUNED = ("log-normal", "low", "pseo-1", "high")
"""The constants of bins-or-gaps were fixed on these; the other shapes were held back."""

SIZES = (30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
EPSILONS = ("1/10", "1/4", "1/2", "1", "2", "4")
DATASETS, DRAWS = 8, 1_000
MOST = 0.02
"""What a standard error may be, as a share of its error."""
SEED = 20_220_511


def made(shape: str, size: int, number: int) -> Floats:
    """Sorted amounts, to the cent."""
    rng = np.random.default_rng((SEED, number))
    return np.sort(np.round(SHAPES[shape](rng, size), 2).clip(BOTTOM, TOP))


@dataclass
class Slots:
    """Between neighboring records: how many are below, the ends in dollars, and the public weight."""

    below: Integers
    low: Floats
    high: Floats
    masses: Floats

    @classmethod
    def of(cls, earnings: Floats, first: int, last: int) -> Slots:
        """Those with from ``first`` to ``last`` records below."""
        ends = np.concatenate([[BOTTOM], earnings, [TOP]])
        below = np.arange(max(first, 0), min(last, earnings.size) + 1)
        low, high = ends[below], ends[below + 1]
        through = [LAW.through((side * PER_DOLLAR).astype(np.int64)) for side in (low, high)]
        return cls(below, low, high, np.maximum((through[1] - through[0]) / LAW.whole, 1e-18))

    def within(self, slots: Integers, rng: np.random.Generator) -> Floats:
        return self.low[slots] + rng.random(slots.size) * (self.high[slots] - self.low[slots])


class GapLaw:
    """The chain of equal gaps in floats: e^(−rate·u), over the totals."""

    def __init__(self, earnings: Floats, shares: Floats, rate: float, totals: Sequence[int]) -> None:
        self.size, self.rate, self.totals = earnings.size, rate, list(totals)
        self.shares = shares
        centers = shares * (self.size + 1) - 0.5
        reach = 18 / rate + 6
        self.slots = [Slots.of(earnings, int(center - reach), int(center + reach)) for center in centers]
        self.chains = [self._chain(total) for total in self.totals]
        self.by_total = np.array([sum(block.sum() for block in self._starts(i)) for i in range(len(totals))])

    def aim(self, gap: int, total: int) -> float:
        ranks = self.shares * (total + 1)
        below = np.where(ranks == np.floor(ranks), ranks - 0.5, np.floor(ranks))
        return float(np.diff([0.0, *below, float(total)])[gap])

    def cost(self, counts: Integers | int, gap: int, total: int) -> Floats:
        return np.exp(-self.rate * np.abs(counts - self.aim(gap, total)))

    def _chain(self, total: int) -> list[list[Floats]]:
        last = len(self.slots)
        follows: dict[int, Floats] = {last: self.cost(self.size - self.slots[-1].below, last, total)}
        found: list[list[Floats]] = [[] for _ in self.slots]
        for i in reversed(range(last)):
            own = self.slots[i]
            factor = own.masses.copy()
            for times in range(1, last - i + 1):
                if times > 1:
                    factor = factor * own.masses * self.cost(0, i + times - 1, total) / times
                other = self.slots[i + times - 1]
                met = np.zeros(own.below.size)
                _, a, b = np.intersect1d(own.below, other.below, True, True)
                met[a] = factor[a] * follows[i + times][b]
                found[i].append(met)
            if i:
                before = self.slots[i - 1].below[:, None]
                between = own.below[None, :] - before
                kernel = np.where(between > 0, self.cost(between, i, total), 0.0)
                follows[i] = kernel @ sum(found[i])
        return found

    def _starts(self, place: int) -> list[Floats]:
        first = self.cost(self.slots[0].below, 0, self.totals[place])
        return [block * first for block in self.chains[place][0]]

    def draw(self, number: int, rng: np.random.Generator) -> tuple[Integers, Floats]:
        """Totals, and one row of quantiles for each."""
        chance = self.by_total / self.by_total.sum()
        places = rng.choice(len(self.totals), size=number, p=chance)
        values = np.empty((number, len(self.slots)))
        for place in np.unique(places):
            rows = np.flatnonzero(places == place)
            self._fill(int(place), rows, 0, np.full(rows.size, -1), values, rng)
        return np.array(self.totals)[places], np.sort(values, axis=1)

    def _fill(
        self, place: int, rows: Integers, i: int, after: Integers, values: Floats, rng: np.random.Generator
    ) -> None:
        """Quantiles from the i-th on, for rows whose last slot has ``after`` records below."""
        if i == len(self.slots):
            return
        blocks, own = self.chains[place][i], self.slots[i]
        for last in np.unique(after):
            chosen = rows[after == last]
            start = 0 if i == 0 else last
            costs = self.cost(own.below - start, i, self.totals[place])
            if i:
                costs = np.where(own.below > last, costs, 0.0)
            weights = np.concatenate([block * costs for block in blocks])
            codes = rng.choice(weights.size, size=chosen.size, p=weights / weights.sum())
            times, slots = np.divmod(codes, own.below.size)
            for less in np.unique(times):
                here = times == less
                for quantile in range(i, i + int(less) + 1):
                    values[chosen[here], quantile] = own.within(slots[here], rng)
                below = own.below[slots[here]]
                self._fill(place, chosen[here], i + int(less) + 1, below, values, rng)


def gap_law(earnings: Floats, epsilon: float) -> GapLaw:
    """Equal gaps with a total, as impl/earnings/equal_gaps draws it."""
    step = max(1, int(4 / epsilon))
    reach = 40 / epsilon
    first = max(0, int((earnings.size - reach) // step))
    totals = range(first * step, int(earnings.size + reach) + step, step)
    return GapLaw(earnings, FRACTIONS, epsilon / 2, totals)


def joint_exp(earnings: Floats, epsilon: float) -> GapLaw:
    """JointExp with the sensitivity 3/2, which is tight for three quartiles: e^(−ε·u/3) at the true total."""
    return GapLaw(earnings, FRACTIONS, epsilon / 3, [earnings.size])


def recursive(earnings: Floats, epsilon: float, number: int, rng: np.random.Generator) -> Floats:
    """The recursive exponential mechanism between records: two levels of ε/2."""
    rate = epsilon / 2
    reach = int(50 / rate) + 5

    def one(records: Floats, share: float, ends: tuple[float, float], times: int) -> Floats:
        aim = share * records.size
        slots = Slots.of(records, int(aim) - reach, int(aim) + reach)
        low, high = np.clip(slots.low, *ends), np.clip(slots.high, *ends)
        through = [LAW.through((side * PER_DOLLAR).astype(np.int64)) for side in (low, high)]
        masses = np.maximum((through[1] - through[0]).astype(np.float64), 1e-9)
        cost = np.abs(slots.below - aim)
        weights = masses * np.exp(-rate * (cost - cost.min()))
        chosen = rng.choice(weights.size, size=times, p=weights / weights.sum())
        return low[chosen] + rng.random(times) * (high[chosen] - low[chosen])

    values = np.empty((number, 3))
    values[:, 1] = one(earnings, 0.5, (BOTTOM, TOP), number)
    for row, middle in zip(values, values[:, 1], strict=True):
        cut = int(np.searchsorted(earnings, middle))
        row[0] = one(earnings[:cut], 0.5, (BOTTOM, middle), 1)[0]
        row[2] = one(earnings[cut:], 0.5, (middle, TOP), 1)[0]
    return values


@dataclass
class Setting:
    """One data set, ε, and what the mechanisms draw with."""

    earnings: Floats
    epsilon: Fraction
    number: int
    rng: np.random.Generator
    bits: Bits

    @property
    def size(self) -> int:
        return self.earnings.size

    def noisy(self, bins: Bins, share: Fraction = Fraction(1), number: int | None = None) -> Integers:
        """Protected counts of the bins, one row per release."""
        counts = histogram(np.zeros(self.size, np.int64), self.earnings, 1, bins)
        rows = np.repeat(counts, self.number if number is None else number, axis=0)
        return protected(rows, self.epsilon * share, self.bits)


def of_bins(bins: Bins, post_process: str) -> Callable[[Setting], Floats]:
    read = POST_PROCESS[post_process]
    return lambda on: read(on.noisy(bins), bins, SHARES).filled(0.0)


def of_joint_exp(on: Setting) -> Floats:
    return joint_exp(on.earnings, float(on.epsilon)).draw(on.number, on.rng)[1]


def of_equal_gaps(on: Setting) -> Floats:
    return gap_law(on.earnings, float(on.epsilon)).draw(on.number, on.rng)[1]


def of_recursive(on: Setting) -> Floats:
    return recursive(on.earnings, float(on.epsilon), on.number, on.rng)


def of_smooth(on: Setting) -> Floats:
    """Smooth sensitivity with ε/3 for each; neighbors that change an amount, the size is public."""
    ends = (float(BOTTOM), float(TOP))
    budgets = smooth.split(float(on.epsilon), SHARES)
    pair = smooth.centers_and_scales(on.earnings, SHARES, budgets, ends)
    flat = [Reals.floats(np.tile(side, on.number)) for side in pair]
    return sampling.heavy_tailed(*flat, on.bits).reshape(-1, len(SHARES)).clip(*ends)


def of_chosen_by_size(on: Setting) -> Floats:
    total = protected(np.full(on.number, on.size), on.epsilon * by_size.TOTAL, on.bits)
    places = ChosenBySize(on.epsilon, SHARES).pick(total)
    values = np.zeros((on.number, len(SHARES)))
    for place in np.unique(places).tolist():
        rows, choice = places == place, by_size.CHOICES[place]
        number = int(rows.sum())
        spent = by_size.spending(place)
        if choice is not None:
            bins, post_process = choice
            noisy = on.noisy(bins, spent[1], number)
            values[rows] = POST_PROCESS[post_process](noisy, bins, SHARES).filled(0.0)
            continue
        candidates = Candidates.log_normal()
        below = candidates.below(np.zeros(on.size, np.int64), on.earnings, 1)
        sizes = np.full(number, on.size)
        values[rows] = quantile_tree(
            np.repeat(below, number, axis=0), sizes, candidates, SHARES, on.epsilon * spent[2], on.bits
        )
    return values


def of_bins_or_gaps(on: Setting) -> Floats:
    total = protected(np.full(on.number, on.size), on.epsilon * PICKING, on.bits)
    places = BinsOrGaps(on.epsilon, SHARES).pick(total)
    values, left = np.zeros((on.number, len(SHARES))), 1 - PICKING
    for place in np.unique(places).tolist():
        rows = places == place
        number, spent = int(rows.sum()), float(on.epsilon * left)
        if place == GAPS:
            values[rows] = gap_law(on.earnings, spent).draw(number, on.rng)[1]
            continue
        few = CLASSES[place]
        noisy = on.noisy(few.bins, left, number)
        values[rows] = fitted_percentiles(noisy, few.bins, SHARES, spent, float(few.pull)).filled(0.0)
    return values


OURS = "bins-or-gaps"

MECHANISMS: dict[str, Callable[[Setting], Floats]] = {
    OURS: of_bins_or_gaps,
    "equal-gaps": of_equal_gaps,
    "JointExp": of_joint_exp,
    "recursive": of_recursive,
    "smooth": of_smooth,
    "chosen-by-size": of_chosen_by_size,
    **{
        f"{bins.name}, {post_process}": of_bins(bins, post_process)
        for bins in (log_normal(), even())
        for post_process in POST_PROCESS
    },
}


@dataclass
class Error:
    """Mean absolute errors of the quartiles, their standard errors, and the same for their mean.

    draws: releases of each data set.
    """

    means: Floats
    errors: Floats
    mean: float
    error: float
    draws: int

    @classmethod
    def of(cls, absolute: Floats) -> Error:
        """absolute: data set by draw by quartile."""
        together = absolute.mean(axis=2)
        return cls(
            absolute.mean(axis=(0, 1)),
            standard_error(absolute),
            float(together.mean()),
            float(standard_error(together)),
            absolute.shape[1],
        )

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """Each mean with its standard error: by quartile, then of their mean."""
        quartiles = zip(self.means.tolist(), self.errors.tolist(), strict=True)
        return [*quartiles, (self.mean, self.error)]

    @property
    def relative(self) -> float:
        """The largest standard error, as a share of its error."""
        return max(error / mean for mean, error in self.pairs)


def standard_error(values: Floats) -> Floats:
    """Of the mean over data sets, given these, and draws: the first two axes."""
    variance: Floats = values.var(axis=1, ddof=1).mean(axis=0)
    return np.sqrt(variance / (values.shape[0] * values.shape[1]))


def error_of(name: str, cells: Sequence[Floats], epsilon: Fraction, draws: int) -> Error:
    """Of one mechanism, from ``draws`` releases of each data set."""
    absolute, place = [], list(MECHANISMS).index(name)
    for number, earnings in enumerate(cells):
        true = true_percentiles(np.zeros(earnings.size, np.int64), earnings, 1, SHARES)
        rng = np.random.default_rng((SEED, number, place))
        on = Setting(earnings, epsilon, draws, rng, Bits.seeded(SEED + 1000 * number + place))
        absolute.append(np.abs(MECHANISMS[name](on) - true))
    return Error.of(np.array(absolute))


def enough(name: str, cells: Sequence[Floats], epsilon: Fraction, draws: int, most: float) -> Error:
    """As ``error_of``, with more draws until no standard error is above ``most`` of its error.

    Earlier draws are thrown away: kept, they would be those that happened to vary little.
    """
    found = error_of(name, cells, epsilon, draws)
    while found.relative > most:
        draws = math.ceil(1.1 * draws * (found.relative / most) ** 2)
        found = error_of(name, cells, epsilon, draws)
    return found


def errors(
    shape: str,
    size: int,
    epsilon: str,
    *,
    datasets: int = DATASETS,
    draws: int = DRAWS,
    most: float = math.inf,
) -> dict[str, Error]:
    """Per mechanism, over data sets that are the same for all of them; ``most`` as for ``enough``."""
    cells = [made(shape, size, number) for number in range(datasets)]
    return {name: enough(name, cells, Fraction(epsilon), draws, most) for name in MECHANISMS}


def main(arguments: Sequence[str]) -> None:
    shapes, sizes, epsilons = (
        arguments[place].split(",") if len(arguments) > place else every
        for place, every in enumerate((SHAPES, map(str, SIZES), EPSILONS))
    )
    sizes, epsilons = list(sizes), list(epsilons)
    ends = [f"{name} {what}" for name in ("p25", "p50", "p75", "mean") for what in ("MAE", "SE")]
    columns = ["shape", "held back", "N", "epsilon", "mechanism", "draws", *ends, "over the best"]
    print(";".join(columns))
    over: dict[bool, list[float]] = {True: [], False: []}
    for shape in shapes:
        for size in sizes:
            for epsilon in epsilons:
                table = errors(shape, int(size), epsilon, most=MOST)
                best = min(error.mean for name, error in table.items() if name != OURS)
                over[shape in TUNED].append(table[OURS].mean / best)
                for name, error in table.items():
                    numbers = [f"{value:.6g}" for pair in error.pairs for value in pair]
                    held, over_best = "no" if shape in TUNED else "yes", f"{error.mean / best:.3f}"
                    row = [shape, held, size, epsilon, name, str(error.draws), *numbers, over_best]
                    print(";".join(row), flush=True)
    for tuned, ratios in over.items():
        if ratios:
            within = sum(ratio <= 1.1 for ratio in ratios)
            which = "tuned" if tuned else "held back"
            print(
                f"{which}: {OURS} within 10% of the best in {within} of {len(ratios)} cells, "
                f"at most {max(ratios):.2f} times",
                file=sys.stderr,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
