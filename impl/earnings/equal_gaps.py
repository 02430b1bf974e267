"""Several quantiles and the total in one draw by how equal the gaps are, exactly, cell by cell.

The law is that of spec/earnings/equal_gaps on the places of a public law. Between two records the score does
not change, so that the candidates of a slot, all with the same number of records below, are drawn as one:
a slot of weight a that is drawn r times contributes a^r/r!. A chain of sums over the slots, last quantile
first, gives the chance of each total, then of the slots one after another; within its slot a quantile has the
public law. Everything is enclosed in Arb and drawn as in :mod:`establish.impl.sampling.escalation`: from
uniform bits, with more bits and more precision until the draw is decided. No float enters the draw.

**What is left out.** Only totals and slots within D of what is expected enter the sums: |T − N| ≤ D, and for
the share p at most D records more or fewer than p·(N+1) − 1/2 below. With T = N + τ and δ records more,
|δ| ≥ D + 1, and what p aims at off by θ, |θ| ≤ 1/2, from p·(T+1) − 1/2,
    u ≥ |δ − p·τ − θ| + |δ + (1−p)·τ − θ| ≥ max(|τ|, 2|δ| − 1 − |τ|),
and W is at most 1/m! in all. So what is left out has, with h the step between totals, at most the weight
    (2D/h + 1)·e^(−εD/2) + 2·e^(−εD/2)/(1 − e^(−εh/2)),
which is allowed for on both sides of every comparison. D grows until it is small beside the sum, and with
every round of precision.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from establish.impl.arrays import Floats, Integers
from establish.impl.certificate import require_certificate
from establish.impl.earnings.described import EarningsMechanism, Released
from establish.impl.earnings.percentiles import Percentiles, Shares, require_increasing
from establish.impl.earnings.public_law import PublicLaw, dollars
from establish.impl.sampling.bits import Bits
from establish.impl.sampling.escalation import quantile
from establish.spec.arithmetic import enclosing
from establish.spec.parameters import Rational

Balls = NDArray[np.object_]
"""Arb numbers."""

KEPT = 5
"""What is left out is below 2^(−bits/KEPT) of the sum."""


@dataclass(frozen=True)
class Gaps:
    """What is public: shares p_i = aims[i]/whole, their aims, ε, the law, and the totals 0, step,
    2·step and so on. Raises ParameterError for shares that do not increase.
    """

    shares: Shares
    epsilon: Fraction
    law: PublicLaw

    def __post_init__(self) -> None:
        require_increasing(self.shares)

    @cached_property
    def whole(self) -> int:
        """The common denominator b of the shares."""
        return math.lcm(*(b for _, b in self.shares))

    @cached_property
    def aims(self) -> tuple[int, ...]:
        """b·p_i."""
        return tuple(a * self.whole // b for a, b in self.shares)

    @cached_property
    def step(self) -> int:
        """⌊4/ε⌋, at least 1: an eighth of the scale of the noise in a count of one gap, in four gaps."""
        return max(1, math.floor(4 / self.epsilon))

    @property
    def rate(self) -> Fraction:
        """κ = ε/4, so that ε·u/2 = κ·Σ |2n_j − 2t_j|."""
        return self.epsilon / 4

    def aim(self, gap: int, total: int) -> int:
        """2t_j, the difference of twice what should be below the percentiles on both sides."""
        low = 0 if gap == 0 else self._below(gap - 1, total)
        high = 2 * total if gap == len(self.shares) else self._below(gap, total)
        return high - low

    def _below(self, place: int, total: int) -> int:
        """2·⌊p·(T+1)⌋, or 1 less where p·(T+1) is whole."""
        rank, part = divmod(self.aims[place] * (total + 1), self.whole)
        return 2 * rank - (part == 0)


class Sums:
    """The sums of one cell at the ambient precision, within D; see the module's text.

    of_total: for each total and quantile i, and each r ≥ 1, the weights of i and the next ones, r in all, in
    one slot of the window of i, with all that can follow in later slots.
    """

    def __init__(self, cell: Cell, reach: int) -> None:
        gaps, size = cell.gaps, cell.size
        self.cell, self.reach = cell, reach
        centers = [(2 * aim * (size + 1) - gaps.whole) // (2 * gaps.whole) for aim in gaps.aims]
        ends = [(center - reach, center + reach + 2) for center in centers]
        self.windows = [
            (int(low), int(high))
            for low, high in (np.searchsorted(cell.below, end, side="left") for end in ends)
        ]
        first = max(0, -((reach - size) // gaps.step))
        self.totals = range(first, (size + reach) // gaps.step + 1)
        self.rate = flint.arb(gaps.rate.numerator) / gaps.rate.denominator
        self.misses: Balls = _array([])
        windows = [slice(*window) for window in self.windows]
        self.up = [
            _array((self.rate * (2 * count)).exp() for count in cell.below[window].tolist())
            for window in windows
        ]
        self.down = [1 / up for up in self.up]
        self.masses = [
            _array(flint.arb(mass) / gaps.law.whole for mass in cell.masses[window].tolist())
            for window in windows
        ]
        half = flint.arb(gaps.epsilon.numerator) / (2 * gaps.epsilon.denominator)
        seldom = (-half * reach).exp()
        between = 1 - (-half * gaps.step).exp()
        self.left_out = seldom * (2 * reach // gaps.step + 2) + 2 * seldom / between
        self.of_total = [self._chain(total * gaps.step) for total in self.totals]
        self.by_total = [_total(self.starts(k, place)) for place, k in enumerate(self.totals)]

    def missed(self, gap: int, total: int, records: Integers) -> Balls:
        """e^(−ε|n − t|/2) with n the records in a gap, from a table: the same misses come again and again."""
        misses = np.abs(2 * records - self.cell.gaps.aim(gap, total))
        known, most = self.misses.size, int(misses.max(initial=0))
        if most >= known:
            more = _array((-self.rate * miss).exp() for miss in range(known, most + 1))
            self.misses = np.concatenate([self.misses, more])
        return self.misses[misses]

    def aimed(self, gap: int, total: int, above: int, slots: Integers) -> Balls:
        """e^(−ε|n − t|/2) with n the records from ``above`` to what is below each slot."""
        return self.missed(gap, total, self.cell.below[slots] - above)

    def _chain(self, total: int) -> list[list[Balls]]:
        gaps, count = self.cell.gaps, len(self.windows)
        follows: list[Balls] = [np.empty(0, dtype=object)] * (count + 1)
        follows[count] = self._last(total)
        found: list[list[Balls]] = [[] for _ in range(count)]
        for i in reversed(range(count)):
            factor = self.masses[i]
            blocks = [factor * follows[i + 1]]
            for last in range(i + 1, count):
                if self.windows[last][0] >= self.windows[i][1]:
                    break  # no slot is drawn so often
                empty = (-self.rate * abs(gaps.aim(last, total))).exp()
                factor = factor * self.masses[i] * (empty / (last - i + 1))
                blocks.append(self._met(i, last, factor, follows[last + 1]))
            found[i] = blocks
            if i:
                follows[i] = self._before(i, total, sum(blocks[1:], blocks[0]))
        return found

    def _met(self, i: int, last: int, factor: Balls, follows: Balls) -> Balls:
        """factor·follows on the window i, where follows is known: on the window ``last``."""
        (low, high), (start, end) = self.windows[i], self.windows[last]
        met = np.full(high - low, flint.arb(0))
        first, stop = max(low, start), min(high, end)
        if first < stop:
            own, other = slice(first - low, stop - low), slice(first - start, stop - start)
            met[own] = factor[own] * follows[other]
        return met

    def _last(self, total: int) -> Balls:
        """The factor of the last gap, for the slots of the last window."""
        counts = self.cell.size - self.cell.below[slice(*self.windows[-1])]
        return self.missed(len(self.windows), total, counts)

    def _before(self, i: int, total: int, blocks: Balls) -> Balls:
        """For the slots k of the window before i: Σ over later slots of the factor of the gap and blocks.

        Slots before ``split`` have fewer records than the gap aims at, e^(−κ(aim − 2(c' − c))); later ones
        have more.
        """
        cell, gaps = self.cell, self.cell.gaps
        (low, high), (start, end) = self.windows[i - 1], self.windows[i]
        aim = gaps.aim(i, total)
        here = np.arange(low, high)
        after = cell.below[start:end]
        from_ = np.clip(here + 1 - start, 0, end - start)
        split = np.searchsorted(after, cell.below[here] + aim // 2, side="right")
        split = np.maximum(split, from_)
        grown, fallen = (_prefix(blocks * powers[i]) for powers in (self.up, self.down))
        aimed = (self.rate * aim).exp()
        up, down = self.up[i - 1], self.down[i - 1]
        near = (grown[split] - grown[from_]) * down / aimed
        result: Balls = near + (fallen[-1] - fallen[split]) * up * aimed
        return result

    def starts(self, total: int, place: int) -> list[Balls]:
        """The weights of the first block, for a total that is ``total`` steps and stands at ``place``."""
        low, high = self.windows[0]
        aimed = self.aimed(0, total * self.cell.gaps.step, 0, np.arange(low, high))
        return [block * aimed for block in self.of_total[place][0]]


def _array(balls: Any) -> Balls:
    values = list(balls)
    found: Balls = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _prefix(balls: Balls) -> Balls:
    """0 and the sums of the first 1, 2, … of them."""
    return np.concatenate([_array([flint.arb(0)]), np.cumsum(balls)])


def _total(arrays: Sequence[Balls]) -> flint.arb:
    return sum((sum(balls, flint.arb(0)) for balls in arrays), flint.arb(0))


class Cell:
    """The law of one cell. places: of its records, sorted."""

    def __init__(self, gaps: Gaps, places: Integers) -> None:
        self.gaps, self.size = gaps, places.size
        ends = gaps.law.knots[[0, -1]]
        through = gaps.law.through(np.concatenate([ends[:1], places, ends[1:]]))
        masses = np.diff(through)
        self.below = np.flatnonzero(masses)
        self.masses = masses[self.below]
        self.starts = through[:-1][self.below]
        self._known: dict[int, Sums] = {}

    def sums(self) -> Sums:
        """Those at the ambient precision, with so large a D that little is left out; see KEPT.

        Working precision is raised so that differences of sums of growing powers keep that many bits.
        """
        bits = flint.ctx.prec
        if bits not in self._known:
            nats = bits * math.log(2) / KEPT + (len(self.gaps.shares) + 1) * math.log1p(self.size)
            while True:
                reach = math.ceil(2 * nats / self.gaps.epsilon)
                with enclosing(bits + 64 + math.ceil(6 * nats)):
                    found = Sums(self, reach)
                    whole = sum(found.by_total, flint.arb(0))
                    if found.left_out * 2 ** (bits // KEPT) < whole:
                        break
                    nats *= 2
            self._known[bits] = found
        return self._known[bits]

    def draw(self, bits: Bits) -> tuple[int, list[int]]:
        """A total, and the places of the quantiles."""
        total = _drawn(Totals(self), round(self.size / self.gaps.step), bits)
        slots: list[int] = []
        while len(slots) < len(self.gaps.shares):
            law = Blocks(self, total, tuple(slots))
            slot, less = divmod(_drawn(law, law.guess(), bits), law.base)
            slots += [slot] * (less + 1)
        places = [self.within(slot, bits) for slot in slots]
        return total * self.gaps.step, sorted(places)

    def within(self, slot: int, bits: Bits) -> int:
        """A place of a slot by the public law."""
        law = _Evenly(int(self.masses[slot]))
        return self.gaps.law.place_at(int(self.starts[slot]) + _drawn(law, 0, bits))


def _drawn(law: Any, guess: int, bits: Bits) -> int:
    words = np.empty(1, np.uint64)
    position = bits.fill(words)
    return quantile(law, 0, int(words[0]), bits.further(position), guess)


def _between(through: flint.arb, whole: flint.arb, left_out: flint.arb) -> tuple[flint.arb, flint.arb]:
    """P for parts of sums that are at least these, and more by at most what was left out."""
    most = whole + left_out
    return (through / most).lower(), ((through + left_out) / most).upper()


@dataclass
class Totals:
    """The law of the total, in steps."""

    cell: Cell

    def cumulative(self, i: int, k: int) -> tuple[flint.arb, flint.arb]:
        if k < 0:
            return flint.arb(0), flint.arb(0)
        sums = self.cell.sums()
        upto = max(0, k + 1 - sums.totals.start)
        through = sum(sums.by_total[:upto], flint.arb(0))
        return _between(through, sum(sums.by_total, flint.arb(0)), sums.left_out)


class Blocks:
    """The law of the next slot and how often it is drawn, given the total and the slots so far.

    The outcome is slot·base + (times − 1).
    """

    def __init__(self, cell: Cell, total: int, slots: tuple[int, ...]) -> None:
        self.cell, self.total, self.slots = cell, total, slots
        self.base = len(cell.gaps.shares)
        self._known: dict[int, tuple[int, Balls, flint.arb]] = {}

    def guess(self) -> int:
        """An outcome near the middle: where the search begins makes no difference to what is drawn."""
        gaps = self.cell.gaps
        count = gaps.aims[len(self.slots)] * self.cell.size // gaps.whole
        return int(np.searchsorted(self.cell.below, count)) * self.base

    def cumulative(self, i: int, k: int) -> tuple[flint.arb, flint.arb]:
        slot = k // self.base
        if slot >= self.cell.below.size:
            return flint.arb(1), flint.arb(1)
        if slot < 0:
            return flint.arb(0), flint.arb(0)
        if self.total not in self.cell.sums().totals:
            return flint.arb(0), flint.arb(1)  # unknown at this precision
        first, through, left_out = self._read()
        place = min(max(k - first * self.base + 1, 0), through.size - 1)
        return _between(through[place], through[-1], left_out)

    def _read(self) -> tuple[int, Balls, flint.arb]:
        """The first slot of the window, the sums up to each outcome, and what was left out."""
        bits = flint.ctx.prec
        if bits not in self._known:
            sums = self.cell.sums()
            with enclosing(bits + 64 + 6 * sums.reach):
                self._known[bits] = self._made(sums)
        return self._known[bits]

    def _made(self, sums: Sums) -> tuple[int, Balls, flint.arb]:
        gaps, cell = self.cell.gaps, self.cell
        total = self.total * gaps.step
        so_far, above = flint.arb(1), 0
        for i, slot in enumerate(self.slots):
            so_far *= sums.aimed(i, total, above, np.array([slot]))[0]
            above = int(cell.below[slot])
        i = len(self.slots)
        low, high = sums.windows[i]
        slots = np.arange(low, high)
        aimed = sums.aimed(i, total, above, slots) * so_far
        if self.slots:
            aimed[slots <= self.slots[-1]] = flint.arb(0)
        blocks = sums.of_total[self.total - sums.totals.start][i]
        row: Balls = np.empty((high - low, self.base), dtype=object)
        row[:] = flint.arb(0)
        for less, block in enumerate(blocks):
            row[:, less] = block * aimed
        return low, _prefix(row.reshape(-1)), sums.left_out


@dataclass
class _Evenly:
    """0 to size − 1 with equal chances."""

    size: int

    def cumulative(self, i: int, k: int) -> tuple[flint.arb, flint.arb]:
        value = flint.arb(min(max(k + 1, 0), self.size)) / self.size
        return value.lower(), value.upper()


def equal_gaps(
    gaps: Gaps, cells: Integers, earnings: Floats, number: int, bits: Bits
) -> tuple[Integers, Floats]:
    """Per cell a total, and one amount in dollars per share, which never decrease with the share.

    cells: the cell of each record, from 0 to number − 1. The loss is ε for both together. Before, each amount
    is moved to a random place within its cent, whatever the others are.
    """
    places = gaps.law.places(earnings, bits.words(earnings.size))
    order = np.lexsort((places, cells))
    ends = np.searchsorted(cells[order], np.arange(number + 1))
    totals, values = np.zeros(number, np.int64), np.zeros((number, len(gaps.shares)))
    for cell in range(number):
        own = places[order[ends[cell] : ends[cell + 1]]]
        totals[cell], drawn = Cell(gaps, own).draw(bits)
        values[cell] = [dollars(place) for place in drawn]
    return totals, values


class EqualGaps(EarningsMechanism):
    """ε in all when one record is added or removed, 2ε when one changes (spec/earnings/equal_gaps).

    shares: increasing. The rest as EarningsMechanism. Raises ParameterError outside the domain.
    """

    name = "equal-gaps"
    calibration = "ours"
    noise = (
        "count T and percentiles y are drawn together, with probability in proportion to the public weight "
        "of y times e^(−ε·u/2), u = Σ|n_j − t_j|, n_j the records between neighboring percentiles and t_j "
        "what T has there"
    )
    public = "The public law of earnings, the percentiles and the cells"

    def __init__(self, epsilon: Rational, shares: Shares, *, cells_given: bool = False) -> None:
        super().__init__(epsilon, shares, cells_given=cells_given)
        self.gaps = Gaps(shares, self.epsilon, PublicLaw.log_normal())

    @property
    def rests_on(self) -> tuple[str, ...]:
        return ("establish/equal-gaps-loss", "establish/equal-gaps-counts-and-weights", "haney2017/eq-14")

    @property
    def parameters(self) -> dict[str, object]:
        return {
            "epsilon": str(self.epsilon),
            "percentiles": [label[1:] for label in self.labels],
            "counts_are_multiples_of": self.gaps.step,
        }

    @property
    def constants(self) -> dict[str, float]:
        return {"scale_of_the_noise_in_a_gap": 2 / self._ε}

    @property
    def domain(self) -> str:
        low, high = (dollars(int(end)) for end in self.gaps.law.knots[[0, -1]])
        return f"earnings >= 0; percentiles lie in {low:.0f} to {high:.0f} dollars, as do earnings for them"

    def count_deviation(self, total: int) -> float:
        return count_deviation(self.gaps)

    def rank_deviations(self, total: int) -> tuple[float, ...] | None:
        return rank_deviations(self.gaps)

    @property
    def expected_error(self) -> Mapping[str, str]:
        deviation = count_deviation(self.gaps)
        ranks = ", ".join(f"{value:.4g}" for value in rank_deviations(self.gaps))
        return {
            "mean absolute error": f"at most about {deviation:.4g} for the count of a cell",
            "standard deviation": f"about {deviation:.4g} for the count of a cell, and {ranks} records for "
            "the ranks of the percentiles, in cells of many more records than that with different earnings",
            "bias": "towards the public law in small cells",
        }

    def release(self, cells: Integers, earnings: Floats, number: int, bits: Bits) -> Released:
        require_certificate(self.name)
        totals, values = equal_gaps(self.gaps, cells, earnings, number, bits)
        return Released(totals, Percentiles(np.ones(number, dtype=np.bool_), values))


def count_deviation(gaps: Gaps) -> float:
    """One standard deviation of the count, the sum of as many independent Laplace variables of scale 2/ε."""
    return 2 * math.sqrt(2 * (len(gaps.shares) + 1)) / float(gaps.epsilon)


def rank_deviations(gaps: Gaps) -> tuple[float, ...]:
    """One standard deviation of each percentile's rank where the misses n_j − t_j are independent Laplace
    variables of scale 2/ε: that of Σ_{j≤i} (1−p_i)·z_j − Σ_{j>i} p_i·z_j.
    """
    scale, number = 2 / float(gaps.epsilon), len(gaps.shares) + 1
    found = []
    for place, aim in enumerate(gaps.aims, start=1):
        share = aim / gaps.whole
        found.append(scale * math.sqrt(2 * (place * (1 - share) ** 2 + (number - place) * share**2)))
    return tuple(found)
